"""Results whose fields the program describes: the program's names and values, and the names of a version ago."""

import json
import operator
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
    (lambda: dg.study(ROOT / RECORDING, gamma=3), {"survival": "dependence.positions"}),
    (lambda: dg.theory(.8, 5, cost=.1), {"break_even_alpha": "break_even.alpha", "break_even_cost": "break_even.cost"}),
]


@pytest.mark.parametrize("make, names", FORMER, ids=["GammaChoice", "GammaRow", "Study", "Theory"])
def test_former_names_warn(make, names):
    result = make()
    for old, new in names.items():
        with pytest.warns(DeprecationWarning, match=f"^{type(result).__name__}.{old} is now {new}$"):
            former = getattr(result, old)
        assert former is operator.attrgetter(new)(result)
    assert not names.keys() & result.to_dict().keys()


def test_a_result_within_a_result_has_columns_of_its_own():
    table = dg.theory([.5, .8], 4, cost=.1).to_pandas()
    assert list(table["break_even_cost"]) == [row.break_even.cost for row in dg.theory([.5, .8], 4, cost=.1)]
    assert "break_even" not in table and "alpha 0." in dg.theory(.8, 4, cost=.1)._repr_html_()
