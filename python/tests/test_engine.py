"""An engine's log is judged as the program judges it."""

import json
import pathlib

import pytest

import draftgauge as dg

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT, LOG = "data/smollm2/block_run.tsv", "data/smollm2/block_run_rounds.jsonl"


@pytest.mark.parametrize("rule, consistent", [("block", True), ("token", False)])
def test_audit_log_is_the_programs(program, rule, consistent):
    theirs = program("measure", TEXT, "--log", LOG, "--rule", rule, "--until", 380)["audit"]
    ours = dg.audit_log(ROOT / TEXT, ROOT / LOG, rule, until=380)
    assert ours.consistent is consistent and str(ours) == ours.verdict == theirs["verdict"]
    for name in ("texts", "tokens", "observed", "expected", "sd", "z", "p_value", "resolution", "rejected"):
        assert getattr(ours.rounds, name) == theirs["rounds"][name], name
    assert [(one.name, one.log_odds, one.visible) for one in ours.faults] == [
        (one["name"], one["log_odds"], one["visible"]) for one in theirs["evidence"]["faults"]]
    assert ours.most_for == theirs["evidence"]["most_for"]


def test_rounds_without_a_file():
    rounds = [json.loads(line) for line in (ROOT / LOG).read_text().splitlines() if line]
    recording = dg.Recording.read(ROOT / TEXT)
    assert dg.audit_log(recording, rounds, "block", until=380) == dg.audit_log(recording, ROOT / LOG, "block", until=380)


@pytest.mark.parametrize("arguments, error, message", [
    ({"recording": 3}, dg.UsageError, "recording is a int (it is a Recording or a file's path)"),
    ({"rule": "lenient"}, dg.UsageError, "rule is 'lenient' (known are token, block, argmax)"),
    ({"log": "nowhere"}, dg.InputError, "nowhere: it cannot be read (No such file or directory)"),
    ({"log": [1]}, dg.InputError, "log is no list of rounds ("),
    ({"log": [{"prompt": "0", "start": 0}]}, dg.InputError, "log, line 1: unknown format of counters: it has prompt, start"),
    ({"until": 0}, dg.UsageError, "until 0 is out of range (1 to "),
    ({"false_alarm": 2}, dg.UsageError, "false_alarm 2 is out of range"),
])
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error) as caught:
        dg.audit_log(**{"recording": ROOT / TEXT, "log": ROOT / LOG, **arguments})
    assert message in str(caught.value)
