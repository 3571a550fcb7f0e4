"""Results make charts, which show what they say."""

import pathlib
import sys

import pytest

import draftgauge as dg
import verifiers

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("make", [
    lambda: dg.choose_tree([.6, .2], cost=.1, nodes=8),
    lambda: dg.choose_gamma(ROOT / "data/smollm2/prune2_T1.tsv", cost=.1, resamples=200),
    lambda: dg.study(ROOT / "data/smollm2/prune2_T1.tsv", resamples=200),
    lambda: dg.choose_gamma(alpha=.8, cost=.1),
    lambda: dg.simulate("markov:vocab=4", rounds=1000),
    lambda: dg.exact("markov:vocab=3", gamma=2),
    lambda: dg.theory(.8, 5),
    lambda: dg.theory(.8, range(1, 9), cost=.1),
    lambda: dg.theory([.7, .8], 5),
    lambda: dg.verify("markov:vocab=3", gamma=1, rounds=2000),
    lambda: dg.audit(verifiers.token, rounds=1000),
    lambda: dg.audit(verifiers.by_coins, coins=True),
])
def test_charts(make, tmp_path):
    chart = make().chart()
    bundle = chart._repr_mimebundle_()
    assert bundle["application/vnd.vegalite.v5+json"] == chart.spec and chart.spec["data"]["values"]
    names = set(chart.spec["data"]["values"][0])
    for layer in chart.spec["layer"]:
        assert {one["field"] for one in layer["encoding"].values() if "datum" not in one} <= names
    chart.save(tmp_path / "chart.json")
    assert (tmp_path / "chart.json").read_text() == chart.json()
    with pytest.raises(dg.UsageError, match="chart.png is no chart's name"):
        chart.save(tmp_path / "chart.png")
    pytest.importorskip("vl_convert", reason="NO RENDERER: charts are not drawn")
    assert "<svg" in bundle["image/svg+xml"]


def test_what_charts_show():
    def values(chart):
        return chart.spec["data"]["values"]

    exact = dg.exact("markov:vocab=3", gamma=2)
    assert [one["probability"] for one in values(exact.chart())] == [float(one) for one in exact.accepted_law]
    assert [one["probability"] for one in values(dg.theory(.5, 2).chart())] == [.5, .25, .25]
    assert [one["probability"] for one in values(dg.theory(.5, 2, bonus=False).chart())] == [.5, .5]
    assert values(dg.theory([.7, .8], 5, cost=.1).chart()) == [{"alpha": one.alpha, "speedup": one.speedup}
                                                               for one in dg.theory([.7, .8], 5, cost=.1)]
    assert [one["gamma"] for one in values(dg.theory(.8, range(1, 4)).chart())] == [1, 2, 3]
    held = dg.verify("markov:vocab=3", gamma=1, rounds=2000)
    for one in values(held.chart()):
        check, = (check for check in held.checks if check.name == one["check"])
        assert one["deviation_low"] < one["deviation"] < one["deviation_high"]
        assert one["deviation"] == pytest.approx(check.simulated.value / (check.closed_form or check.exact) - 1, abs=1e-9)
    audited = dg.audit(verifiers.residual_from_p, rounds=20_000)
    first, *faults = values(audited.chart())
    assert (first["tv_low"], first["tv_high"]) == (audited.tv_at_least, audited.tv_at_most) and len(faults) == len(audited.plan.faults)
    with pytest.raises(dg.UsageError, match=r"^there is no chart of rows of Rule \(rows of Theory have one\)$"):
        dg.rules().chart()
    with pytest.raises(dg.UsageError, match=r"^there is no chart of no rows \("):
        dg.rules()[:0].chart()


def test_a_chart_goes_to_altair(monkeypatch):
    class Altair:
        class Chart:
            from_dict = staticmethod(dict)

    monkeypatch.setitem(sys.modules, "altair", Altair)
    chart = dg.theory(.8, 5).chart()
    assert chart.to_altair() == chart.spec
