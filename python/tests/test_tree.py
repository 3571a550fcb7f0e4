"""choose_tree is the program's."""

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


@pytest.mark.parametrize("drafter", ["sample", "sample-without", "top"])
@pytest.mark.parametrize("laws, words", [
    (([.3, .4, .3], [.6, .3, .1]), ["--p", ".3,.4,.3", "--q", ".6,.3,.1"]), ("zipf:vocab=50", ["zipf:vocab=50"]),
    ("markov:vocab=4", ["markov:vocab=4"])])
def test_choose_tree_of_laws_is_the_programs(program, laws, words, drafter):
    theirs = program("tree", *words, "--cost", .1, "--nodes", 12, "--drafter", drafter)
    ours = dg.choose_tree(laws=laws, cost=.1, nodes=12, drafter=drafter)
    assert ours.acceptance == theirs["acceptance"] and ours.best.nodes == theirs["nodes"]
    assert ours.best.tree == theirs["tree"] or ours.best.tokens == pytest.approx(theirs["mean_tokens"], rel=1e-12)
    assert ours.best.speedup == pytest.approx(theirs["speedup"], rel=1e-12)
    assert ours.independent is (laws != "markov:vocab=4") and ours.best.tokens_interval is None


@pytest.mark.parametrize("file, drafter", [("data/smollm2_prune2_24.safetensors", "sample-without"),
                                           ("data/smollm2_trees/prune2_T1.tsv", "top")])
def test_choose_tree_of_a_recording_is_the_programs(program, file, drafter):
    theirs = program("tree", file, "--cost", .1, "--verify-cost", "1:1,64:2", "--nodes", 8, "--drafter", drafter)
    ours = dg.choose_tree(recording=ROOT / file, cost=.1, verify_cost={1: 1, 64: 2}, nodes=8, drafter=drafter)
    assert ours.acceptance is None and len(ours.sizes) == len(theirs["sizes"])
    for one, other, size in ((ours.best, theirs, theirs["nodes"]), (ours.chain, theirs["chain"], theirs["chain"]["gamma"] + 1)):
        assert one.nodes == size
        for found, said in ((one.tokens_interval, other["mean_tokens"]), (one.speedup_interval, other["speedup"])):
            assert said == (found.value if found.low is None else found._asdict())  # of one text there is no interval


def test_trees_of_what_says_too_little():
    with pytest.raises(dg.InputError, match="it holds numbers of the text's tokens only"):
        dg.choose_tree(recording=ROOT / "data/smollm2_trees/prune2_T1.tsv", cost=.1)
    with pytest.raises(dg.InputError, match="no draft tree can be chosen by it .the text is rejected: what it says of trees holds"):
        import numpy as np

        rows = np.random.default_rng(1).normal(size=(200, 8)) * 4
        dg.choose_tree(recording=dg.Recording.from_arrays(p_logits=rows, q_logits=rows, tokens=rows.argmin(1), temperature=1), cost=.1)


@pytest.mark.parametrize("arguments, message", [
    ({"accept": None}, "one of accept, laws and recording is needed (each says what is accepted)"),
    ({"accept": [.5], "laws": "zipf:vocab=8"}, "one of accept, laws and recording is needed (each says what is accepted)"),
    ({"accept": None, "recording": 3}, "recording is a int (it is a Recording or a file's path)"),
    ({"accept": None, "laws": 3}, "laws is a int (it is a name or file, PairTables, or a pair of arrays)"),
    ({"accept": [.5], "drafter": "pld"}, "drafter is 'pld' (known are sample, sample-without, top)"),
    ({"accept": [.5], "candidates": 0}, "candidates 0 is out of range (1 to "),
    ({"accept": [.5], "near": 1}, "near 1 is out of range (0 to 0.999)"),
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
