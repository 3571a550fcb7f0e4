"""Counters of engines say from Python what the program's measure says of them."""

import json
import pathlib

import pytest

import draftgauge as dg

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests/data/recordings"
COUNTERS = ROOT / "tests/data/counters"
SAME = ("engine", "format", "counts", "rates", "mean_tokens", "alpha", "conditional", "gamma")


@pytest.mark.parametrize("file", ["server_prune2_g4.log", "server_prune2_g4_metrics.txt"])
def test_counters_are_the_programs(program, file):
    theirs = program("measure", FOLDER / file, "--cost", .1, "--draft-length", 4)
    ours = dg.counters(FOLDER / file, cost=.1, draft_length=4)
    said = json.loads(ours.json())
    for name in (*SAME, "speedup"):
        assert said[name] == theirs[name], name
    assert ours.counts["rounds"] > 0 and ours.mean_tokens.value > 1 and "mean_tokens" in ours._repr_html_()


@pytest.mark.parametrize("cost", [.1, .9])
@pytest.mark.parametrize("when", ["T0", "T1"])
def test_alarms_are_the_programs(program, when, cost):
    files = [COUNTERS / f"vllm_cpu_{when}_{place}.txt" for place in ("before", "after")]
    for command, ours in (("measure", dg.counters(*files, cost=cost)), ("gamma", dg.choose_gamma(files, cost=cost))):
        theirs = program(command, *files, "--cost", cost)
        assert ours.alarms == [alarm["words"] for alarm in theirs.get("alarms", [])]
        assert any("BROKEN" in words for words in ours.alarms) == (when == "T1")
    # At T = 0 there are 54 rounds, too few to say it of.
    assert any("SLOWER" in words for words in dg.counters(*files, cost=cost).alarms) == (cost == .9 and when == "T1")


def test_without_a_cost_no_speedup_is_claimed():
    assert dg.counters(FOLDER / "server_prune2_g4.log").speedup is None


@pytest.mark.parametrize("files, arguments, error, message", [
    ([], {}, dg.UsageError, "no file is named (there is nothing to read)"),
    ([5], {}, dg.UsageError, "5 is no file (it is a path: of a page of metrics, a log or a response)"),
    (["nowhere.log"], {}, dg.InputError, "nowhere.log"),
    (["server_prune2_g4.log"] * 3, {}, dg.UsageError, "3 files of counters are given (one, or two scrapes of one server's metrics)"),
    (["server_prune2_g4.log"], {"draft_length": 0}, dg.UsageError, "draft_length 0 is out of range (1 to "),
    (["server_prune2_g4.log"], {"draft_length": 1}, dg.UsageError, "draft_length is 1, and "),
    (["server_prune2_g4.log"], {"cost": -1}, dg.UsageError, "cost -1 is out of range"),
    (["server_prune2_g4.log"], {"overhead": 1}, dg.UsageError, "verify_cost, overhead and extra_draft_passes need cost"),
])
def test_bad_arguments(files, arguments, error, message):
    with pytest.raises(error) as caught:
        dg.counters(*(FOLDER / one if isinstance(one, str) else one for one in files), **arguments)
    assert message in str(caught.value) and "--" not in str(caught.value)


SCRAPES = [COUNTERS / "vllm_cpu_before.txt", COUNTERS / "vllm_cpu_after.txt"]


@pytest.mark.parametrize("files", [SCRAPES[1], SCRAPES, COUNTERS / "vllm_response.json", COUNTERS / "trtllm_speculative_decoding.jsonl"])
def test_gamma_by_counters_is_the_programs(program, files):
    theirs = program("gamma", *(files if isinstance(files, list) else [files]), "--cost", .1)
    ours = dg.choose_gamma(files, cost=.1)
    assert (ours.best_gamma, ours.best_speedup) == (theirs["best_gamma"], theirs["best_speedup"])
    assert [row.mean_tokens for row in ours.curve] == [row["mean_tokens"] for row in theirs["curve"]]
    assert [row.truncated for row in ours.curve] == [row.get("truncated") for row in theirs["curve"]]
    ranges = [(one["first"], one["last"]) for one in theirs["confidence_set"]]
    assert ours.confidence_set == ([g for first, last in ranges for g in range(first, last + 1)] if ranges else None)
    assert json.loads(ours.json())["expected_regret"] == theirs["expected_regret"]
    assert len(dg.choose_gamma(files, cost=.1, gamma=range(1, 3)).curve) == 3


@pytest.mark.parametrize("draft", ["eagle", "ngram"])
def test_one_of_several_drafts_is_named(program, draft):
    lengths = COUNTERS / "acceptance_lengths.jsonl"
    asked = (lengths, "--draft-key", draft, "--draft-length", 4)
    rows = dg.choose_gamma(lengths, draft_key=draft, draft_length=4, cost=.1).curve
    assert [row.mean_tokens for row in rows] == [row["mean_tokens"] for row in program("gamma", *asked, "--cost", .1)["curve"]]
    said = json.loads(dg.counters(lengths, draft_key=draft, draft_length=4).json())
    assert said["mean_tokens"] == program("measure", *asked)["mean_tokens"]
    for ask in (dg.counters, lambda file: dg.choose_gamma(file, cost=.1)):
        with pytest.raises(dg.UsageError, match="it has 2 drafts, eagle, ngram") as caught:
            ask(lengths)
        assert "draft_key" in str(caught.value) and "--" not in str(caught.value)


@pytest.mark.parametrize("arguments, error, message", [
    ({"recording": SCRAPES[1]}, dg.UsageError, "cost is needed (of a recording or counters no speed-up is claimed without it)"),
    ({"recording": SCRAPES[1], "cost": .1, "coin_runs": 3}, dg.UsageError, "coin_runs has no meaning for counters"),
    ({"recording": SCRAPES[1], "cost": .1, "gamma": [2, 4]}, dg.UsageError, "gamma has lengths left out"),
    ({"recording": COUNTERS / "specforge.json", "cost": .1}, dg.InputError,
     "it does not say how many tokens drafts of other lengths would give"),
    ({"recording": ROOT / "data/smollm2/prune2_T1.tsv", "cost": .1, "draft_length": 4}, dg.UsageError,
     "draft_length has no meaning without an engine's counters"),
    ({"recording": ROOT / "data/smollm2/prune2_T1.tsv", "cost": .1, "draft_key": "eagle"}, dg.UsageError,
     "draft_key has no meaning without an engine's counters"),
    ({"recording": [SCRAPES[1], ROOT / "data/smollm2/prune2_T1.tsv"], "cost": .1}, dg.UsageError,
     "recording is a list (it is a Recording, a file's path, or files of counters)"),
])
def test_gamma_by_counters_refuses(arguments, error, message):
    with pytest.raises(error) as caught:
        dg.choose_gamma(**arguments)
    assert message in str(caught.value)


def test_counters_are_no_recording():
    with pytest.raises(dg.InputError, match="has no probabilities.; counters and choose_gamma read it"):
        dg.measure(SCRAPES[1], cost=.1)
