"""Adapters of verifiers in SGLang's layout of trees, on NumPy's stand-ins of its kernels. Seeds are fixed."""

import re
from functools import partial

import numpy as np
import pytest

import draftgauge as dg
import tree_layout
from draftgauge import adapters
from draftgauge.adapters import _trees

TREE = "levels:2,1"


def target_only(**bug):
    return adapters.sglang_tree(partial(tree_layout.target_only, **bug), device=None)


def greedy(**bug):
    return adapters.sglang_tree_greedy(partial(tree_layout.greedy, **bug), device=None)


def audited(verifier, tree=TREE, **settings):
    return dg.audit(verifier, tree=tree, drafter="sample-without", rule="naive-set-without", **settings)


def test_links():
    #    0 - 1 - 3 - 5
    #     \   \- 4
    #      2
    assert _trees.links([-1, 0, 0, 1, 1, 3]) == ([1, 3, -1, 5, -1, -1], [-1, 2, -1, 4, -1, -1])
    assert _trees.links([-1, 0, 1]) == ([1, 2, -1], [-1, -1, -1])


@pytest.mark.parametrize("tree", [TREE, [-1, 0, 0, 0, 1], "chain:2"])
def test_a_right_verifier_of_trees_is_exact(tree):
    drafter, rule = ("sample", "naive-set") if tree == "chain:2" else ("sample-without", "naive-set-without")
    found = dg.audit(target_only(), tree=tree, drafter=drafter, rule=rule, coins=True)
    assert found.method == "coins" and found.lossless and found.tv < 1e-6 and found.strayed == 0
    assert abs(found.mean_accepted - found.expected_accepted) < 1e-5
    assert rule in [found.nearest, *found.nearest_same]


def test_a_right_verifier_of_trees_and_its_own_coins():
    found = audited(target_only(), tv=.03)
    assert found.method == "coins and sampling" and found.lossless and found.own_rounds == found.plan.rounds
    assert audited(target_only(), tv=.03, coins=False).lossless
    assert dg.audit(target_only(), gamma=2, rule="naive-set", tv=.03).lossless  # a chain without siblings


@pytest.mark.parametrize("bug", ["coin", "residual", "sum"])
def test_planted_bugs_are_found(bug):
    found = audited(target_only(bug=bug), tv=.03)
    assert found.lossless is False and found.tv_at_least > .01 and found.counterexample is not None


def test_equal_siblings_are_not_for_one_coin():
    """Their p is counted twice."""
    assert dg.audit(target_only(), tree=TREE, tv=.03, coins=False).lossless is False


def test_thresholds_below_one_are_found():
    for lenient in ({"threshold_single": .5}, {"threshold_acc": .5}):
        found = audited(adapters.sglang_tree(tree_layout.target_only, device=None, **lenient))
        assert found.lossless is False and found.tv_at_least > .005 and found.mean_accepted > found.expected_accepted + .005


@pytest.mark.parametrize("drafter", ["sample", "sample-without"])
def test_a_greedy_walk_on_draws_is_lossless(drafter):
    rule = "naive-set" if drafter == "sample" else "naive-set-without"
    found = dg.audit(greedy(), tree=TREE, drafter=drafter, rule=rule, tv=.05)
    assert found.lossless and found.method == "sampling"
    # It goes on below the first of equal siblings, where naive-set goes on below all.
    assert drafter == "sample" or rule in [found.nearest, *found.nearest_same]


@pytest.mark.parametrize("bug, lossless", [("root", False), ("first", True)])
def test_what_a_greedy_walk_can_do_wrong(bug, lossless):
    """Who looks at the first child alone keeps less, and is lossless."""
    found = dg.audit(greedy(bug=bug), tree=TREE, drafter="sample-without", rule="naive-set-without", tv=.05)
    assert found.lossless is lossless
    assert lossless is False or found.mean_accepted < found.expected_accepted - .05


def test_the_node_coin_is_uniform_whatever_is_drafted():
    coins = []

    def keeps(*arguments):
        coins.append(arguments[7].copy())
        tree_layout.target_only(*arguments)

    audited(adapters.sglang_tree(keeps, device=None), coins=True)
    found = coins[-1]  # of the random rounds
    assert found.shape[1] == 5 and len(found) > 10_000
    bound = 5 / np.sqrt(12 * len(found))  # of a mean, missed with 6e-7
    assert (abs(found.mean(axis=0) - .5) < bound).all()
    assert (abs(np.corrcoef(found.T) - np.eye(5)) < 5 / np.sqrt(len(found))).all()


def replaced(which, value):
    """The right verifier, one entry of what it wrote changed in each round: (argument, place) -> value."""
    def wrong(*arguments):
        tree_layout.greedy(*arguments)
        array, place = which
        arguments[array][place] = value

    return adapters.sglang_tree_greedy(wrong, device=None)


@pytest.mark.parametrize("which, value, message", [
    ((2, 3), 3, "accept_token_num is 3 (a round accepts 0 to 2 drafts)"),
    ((2, 3), -1, "accept_token_num is -1 (a round accepts 0 to 2 drafts)"),
    ((1, (7, 0)), 3, "accept_index of round 7 is ["),
    ((1, (0, 0)), 3, "accept_index of round 0 is nodes [3"),
])
def test_what_is_no_path(which, value, message):
    with pytest.raises(dg.VerifierError, match="the verifier raised InputError: " + re.escape(message)):
        dg.audit(replaced(which, value), tree=TREE, drafter="sample-without", rounds=64)


def test_a_path_that_does_not_spell_what_is_emitted():
    def wrong(*arguments):
        tree_layout.greedy(*arguments)
        row = int((arguments[2] == 1).argmax())
        assert arguments[2][row] == 1
        other = {1: 2, 2: 1}[arguments[1][row, 1] - arguments[4][row, 0]]
        arguments[0][arguments[4][row, other]] = arguments[0][arguments[1][row, 1]]
        arguments[1][row, 1] = arguments[4][row, other]  # its sibling

    with pytest.raises(dg.VerifierError, match=r"accept_index of round \d+ is nodes \[0, [12]\] and predicts has tokens \[\d, \d\] there "
                                               r"\(each node is a child of the one before, and its draft the token there\)"):
        dg.audit(adapters.sglang_tree_greedy(wrong, device=None), tree=TREE, drafter="sample-without", rounds=64)


@pytest.mark.parametrize("make, layout", [(adapters.sglang_tree, tree_layout.target_only), (adapters.sglang_tree_greedy, tree_layout.greedy)])
def test_tensors_of_torch(make, layout):
    torch = pytest.importorskip("torch", reason="NO TORCH: trees are handed to NumPy alone")

    def kernel(*arguments):
        assert all(isinstance(one, torch.Tensor) and one.is_contiguous() for one in arguments if hasattr(one, "shape"))
        layout(*(one.numpy() if hasattr(one, "shape") else one for one in arguments))

    verifier = make(kernel, device="cpu")
    assert dg.audit(verifier, tree=TREE, drafter="sample-without", rounds=2000).p_value > 1e-6
