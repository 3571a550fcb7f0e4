"""choose_tree is the program's, and results make charts."""

import pathlib

import pytest

import draftgauge as dg

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_choose_tree_is_the_programs(program):
    theirs = program("tree", "--accept", ".6,.2,.05", "--cost", .05, "--nodes", 16)
    ours = dg.choose_tree([.6, .2, .05], cost=.05, nodes=16)
    assert ours.best.tokens == pytest.approx(theirs["mean_tokens"], rel=1e-12) and ours.best.nodes == theirs["nodes"]
    assert ours.best.speedup == pytest.approx(theirs["speedup"], rel=1e-12)
    assert len(ours.sizes) == len(ours.to_pandas()) == 16 and ours.best.speedup >= ours.chain.speedup


def test_a_tree_is_played():
    found = dg.choose_tree([.6, .2], cost=.1, nodes=8)
    played = dg.simulate("dirichlet:vocab=8", "recursive", tree=found.best.tree, rounds=1000)
    assert played.rounds == 1000
    alone = dg.choose_tree([.8], cost=.1)
    assert alone.best.depth == dg.choose_gamma(alpha=.8, cost=.1).best_gamma


@pytest.mark.parametrize("arguments, message", [
    ({"accept": []}, "accept is empty (it has a probability for each child of a node)"),
    ({"accept": [.5, 2]}, "accept[1] 2 is out of range (0 to 1)"),
    ({"accept": [.9, .9]}, "sum"),
    ({"accept": [.5], "nodes": 0}, "nodes 0 is out of range (1 to "),
    ({"accept": [.5], "cost": -1}, "cost -1 is out of range"),
    ({"accept": [.5], "verify_cost": "1:1,64:2"},
     "verify_cost is '1:1,64:2' (it has a time for each number of tokens); give a dict such as {1: 1, 64: 2}"),
])
def test_bad_arguments(arguments, message):
    with pytest.raises(dg.UsageError) as caught:
        dg.choose_tree(**{"cost": .1, **arguments})
    assert message in str(caught.value)


@pytest.mark.parametrize("make", [
    lambda: dg.choose_tree([.6, .2], cost=.1, nodes=8),
    lambda: dg.choose_gamma(ROOT / "data/smollm2/prune2_T1.tsv", cost=.1, resamples=50),
    lambda: dg.study(ROOT / "data/smollm2/prune2_T1.tsv", resamples=50),
    lambda: dg.choose_gamma(alpha=.8, cost=.1),
    lambda: dg.simulate("markov:vocab=4", rounds=1000),
])
def test_charts(make, tmp_path):
    chart = make().chart()
    bundle = chart._repr_mimebundle_()
    assert bundle["application/vnd.vegalite.v5+json"] == chart.spec and chart.spec["data"]["values"]
    names = set(chart.spec["data"]["values"][0])
    for layer in chart.spec["layer"]:
        assert {one["field"] for one in layer["encoding"].values()} <= names
    chart.save(tmp_path / "chart.json")
    assert (tmp_path / "chart.json").read_text() == chart.json()
    with pytest.raises(dg.UsageError, match="chart.png is no chart's name"):
        chart.save(tmp_path / "chart.png")
    pytest.importorskip("vl_convert", reason="NO RENDERER: charts are not drawn")
    assert "<svg" in bundle["image/svg+xml"]
