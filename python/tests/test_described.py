"""Results whose fields the program describes: the program's names and values, and the names of a version ago."""

import json
import pathlib

import pytest

import draftgauge as dg

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDING = "data/smollm2/prune2_T1.tsv"
COUNTERS = "tests/data/counters/vllm_response.json"


def known(result):
    """As the program prints it: what is None is not there."""
    return {name: one for name, one in json.loads(result.json()).items() if one is not None}


@pytest.mark.parametrize("words, ours", [
    (["--alpha", ".8"], lambda: dg.choose_gamma(alpha=.8, cost=.1)),
    ([RECORDING], lambda: dg.choose_gamma(ROOT / RECORDING, cost=.1)),
    ([COUNTERS], lambda: dg.choose_gamma(ROOT / COUNTERS, cost=.1)),
], ids=["alpha", "recording", "counters"])
def test_rows_of_the_curve_are_the_programs(program, words, ours):
    theirs = {row["gamma"]: row for row in program("gamma", *words, "--cost", .1)["curve"]}
    compared = 0
    for row in ours().curve:
        if row.gamma not in theirs:
            continue
        one, other = known(row), dict(theirs[row.gamma])
        if not isinstance(other["speedup"], dict):  # an estimate without an interval is its number there
            assert one.pop("speedup")["value"] == other.pop("speedup") and row.speedup.low is None
        assert one == other and list(one) == [name for name in theirs[row.gamma] if name in one]
        compared += 1
    assert compared >= 4


FORMER = [
    (lambda: dg.choose_gamma(alpha=.8, cost=.1), {"rows": "curve"}),
    (lambda: dg.choose_gamma(ROOT / RECORDING, cost=.1).curve[3],
     {"tokens": "mean_tokens", "time": "round_cost", "less_than_best": "lead"}),
]


@pytest.mark.parametrize("make, names", FORMER, ids=["GammaChoice", "GammaRow"])
def test_former_names_warn(make, names):
    result = make()
    for old, new in names.items():
        with pytest.warns(DeprecationWarning, match=f"^{type(result).__name__}.{old} is now {new}$"):
            former = getattr(result, old)
        assert former is getattr(result, new)
    assert not names.keys() & result.to_dict().keys()
