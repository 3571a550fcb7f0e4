"""Verifiers of drafts along trees are audited: right ones pass, planted bugs are found. Seeds are fixed."""

from functools import partial

import numpy as np
import pytest

import draftgauge as dg
import verifiers
from draftgauge import adapters
from draftgauge.testing import assert_lossless

TREES = [("levels:2,1", "sample"), ("levels:2,1", "sample-without"), ([-1, 0, 0, 1], "sample-without"), ("kary:3,1", "sample")]


def rule(drafter, **bug):
    return partial(verifiers.recursive, without=drafter == "sample-without", **bug)


# Each fails by chance with probability 1e-6.
@pytest.mark.parametrize("tree, drafter", TREES)
def test_right_verifiers_of_trees_pass(tree, drafter):
    found = dg.audit(rule(drafter), tree=tree, drafter=drafter, tv=.03)
    assert found.lossless is True and found.strayed == 0 and found.method == "sampling"
    assert found.rule == ("recursive-without" if drafter == "sample-without" else "recursive")
    assert found.rule in [found.nearest, *found.nearest_same]
    spread = (found.accepted_interval.high - found.accepted_interval.low) / 2  # 1.96 standard errors
    assert abs(found.mean_accepted - found.expected_accepted) < 2.5 * spread  # missed with 1e-6
    assert found.expected_accepted <= found.ceiling + 1e-12 and not found.above_ceiling
    assert found.tree[0] == -1 and found.gamma == len(set(depths(found.tree))) - 1


def depths(tree):
    found = [0]
    for above in tree[1:]:
        found.append(found[above] + 1)
    return found


# Their TV is .02 and more, of "the other rule" .007: 8e-87 is the greatest p-value at these rounds, of the 1e-6 that it must stay below.
@pytest.mark.parametrize("tree, drafter", TREES[:3])
@pytest.mark.parametrize("bug", ["same", "target", "bonus", "sibling"])
def test_planted_bugs_of_trees_are_caught(tree, drafter, bug):
    found = dg.audit(rule(drafter, bug=bug), tree=tree, drafter=drafter, tv=.02)
    assert found.lossless is False and found.tv_at_least > .01 and found.nearest is None
    assert found.above_ceiling == (bug == "same")  # who tests each sibling against all of p keeps too many
    assert dg.audit(rule(drafter, bug=bug), tree=tree, drafter=drafter, tv=.02, stop_early=True).stopped_early


def test_the_rule_for_other_siblings_is_caught():
    found = dg.audit(verifiers.recursive, tree="levels:2,1", drafter="sample-without", tv=.02)
    assert found.lossless is False and found.nearest == "faulty/without-as-with"
    assert found.nearest in {fault.rule for fault in found.plan.faults}
    found = dg.audit(partial(verifiers.recursive, without=True), tree="levels:2,1", tv=.02)
    assert found.lossless is False and found.nearest is None


def test_the_row_of_a_sibling_is_right_on_a_chain():
    assert dg.audit(rule("sample", bug="sibling"), tree="chain:2", tv=.03).lossless


def test_what_a_batch_of_trees_holds():
    def look(b):
        assert b.tree == [-1, 0, 0, 1, 2, 2]
        assert b.p.shape == (64, 6, 4) and b.q.shape == (64, 5, 4) and b.drafts.shape == (64, 5) and b.positions.shape == (64, 3)
        tokens = np.concatenate([b.base[:, None], b.drafts], axis=1)
        rows = dict(zip(tokens.ravel(), b.p.reshape(-1, 4)))  # a Markov pair
        for node, above in enumerate(b.tree):
            assert all(np.array_equal(rows[token], p) for token, p in zip(tokens[:, node], b.p[:, node]))
            if node:
                assert (b.q[np.arange(64), node - 1, b.drafts[:, node - 1]] > 0).all()
                assert np.array_equal(b.q[:, node - 1], b.q[:, b.tree.index(above) - 1])
        assert (b.drafts[:, 0] != b.drafts[:, 1]).all() and (b.drafts[:, 3] != b.drafts[:, 4]).all()
        return verifiers.recursive(b, without=True)

    assert dg.audit(look, tree=[-1, 0, 0, 1, 2, 2], drafter="sample-without", rounds=64).rounds == 64


@pytest.mark.parametrize("tree, drafter", TREES)
def test_right_verifiers_of_trees_are_exact(tree, drafter):
    found = dg.audit(rule(drafter, by_coins=True), tree=tree, drafter=drafter, coins=True)
    assert found.method == "coins" and found.lossless is True and found.tv < 2e-7 and found.tv_at_most < 1e-4
    assert abs(found.mean_accepted - found.expected_accepted) < 1e-6 and found.strayed == 0 and not found.above_ceiling
    assert found.rule in [found.nearest, *found.nearest_same]


def test_what_is_too_small_for_samples_is_found_along_trees():
    tiny = rule("sample-without", by_coins=True, shift=1e-5)
    sampled = dg.audit(tiny, tree="levels:2,1", drafter="sample-without", coins=False, rounds=100_000)
    assert sampled.lossless is None and sampled.p_value > 1e-6
    found = dg.audit(tiny, tree="levels:2,1", drafter="sample-without")
    assert found.lossless is False and 1e-6 < found.tv < 1e-4 and found.counterexample.z is None and found.nearest is None


def test_the_coins_of_a_tree_and_then_its_own():
    found = dg.audit(rule("sample", by_coins=True), tree="kary:2,1", tv=.05)
    assert found.method == "coins and sampling" and found.lossless and found.own_rounds == found.plan.rounds
    wrong = dg.audit(rule("sample", by_coins=True), tree="kary:2,1", drafter="sample-without")
    assert wrong.method == "coins" and wrong.lossless is False and wrong.nearest == "faulty/without-as-with"


def test_one_sibling_after_the_other_where_q_has_no_more():
    # q has one token after each: the second sibling is any other.
    laws = dg.laws(p=[[.25, .25, .5]] * 3, q=[[1., 0, 0]] * 3)
    found = dg.audit(rule("sample-without", by_coins=True), tree="kary:2,1", drafter="sample-without", laws=laws, coins=True)
    assert found.lossless and abs(found.mean_accepted - found.expected_accepted) < 1e-6


def test_one_by_one_along_a_tree():
    def one(b):
        return [token for token in rule("sample", by_coins=True)(b)[0] if token >= 0]

    assert dg.audit(adapters.one_by_one(one), tree=[-1, 0, 0], rounds=200, coins=False).p_value > 1e-6


def drafts_along(q_rows, base, tree, rng, *, argmax=False):
    """A drafter of one's own, its siblings drawn each for itself."""
    tokens, rows = [base], []
    for above in tree[1:]:
        rows.append(q_rows[tokens[above]])
        tokens.append(rows[-1].argmax(-1) if argmax else verifiers.pick(rng, rows[-1]))
    return np.stack(tokens[1:], 1), np.stack(rows, 1)


def test_the_drafter_along_a_tree_is_audited_with_the_verifier():
    right = dg.audit(verifiers.recursive, tree="levels:2,1", draft=drafts_along, tv=.05)
    assert right.lossless and right.method == "sampling" and right.ceiling is None
    wrong = dg.audit(verifiers.recursive, tree="levels:2,1", draft=partial(drafts_along, argmax=True), tv=.05)
    assert wrong.lossless is False


@pytest.mark.parametrize("draft, message", [
    (lambda q, base, tree, rng: (np.stack([base] * 2, 1), q),
     "draft returned shape [64, 2], not [64, 4] (a draft for each node but the first)"),
    (lambda q, base, tree, rng: (np.stack([base] * 4, 1), q), "the q that draft claims has shape [4, 4], not [64, 4, 4]"),
])
def test_drafters_that_return_no_tree(draft, message):
    with pytest.raises(dg.InputError) as caught:
        dg.audit(verifiers.recursive, tree="levels:2,1", rounds=64, draft=draft)
    assert message in str(caught.value)


def test_assert_lossless_of_trees():
    assert_lossless(verifiers.recursive, tree="levels:2,1", tv=.05)
    with pytest.raises(AssertionError, match=r"again: draftgauge.audit\(verifier, tree='levels:2,1', vocab=4, seed=1, tv=0.05, "
                                             r"drafter='sample-without', stop_early=True\)"):
        assert_lossless(rule("sample-without", bug="target"), tree="levels:2,1", drafter="sample-without", tv=.05)


@pytest.mark.parametrize("arguments, message", [
    ({"gamma": 2}, "tree and gamma cannot be given together (a tree says how deep it is)"),
    ({"coins": True}, "the verifier's coins cannot be dictated (it does not read them); give coins=False to sample"),
    ({"coins": True, "tree": [-1, 0, 0, 1, 1, 2, 2, 3]}, "(a tree of 8 nodes with vocab 4 has more than 2^20 cells of coins)"),
    ({"drafter": "top"}, "drafter is 'top' (known are sample, sample-without)"),
    ({"tree": None, "drafter": "sample-without"}, "drafter='sample-without' and a chain cannot be given together (its drafts have no "
                                                  "siblings); give a tree"),
    ({"tree": 3}, "tree is 3 (it is a text such as 'levels:2,1', or the parent of each node)"),
    ({"tree": [-1, 0, .5]}, "a parent in tree is 0.5 (it is a whole number)"),
    ({"tree": [-1, 1]}, "[-1,1]"),
    ({"tree": "levels:0"}, "levels:0"),
    ({"tree": "kary:5,1", "drafter": "sample-without"}, "a node has 5 children, all different, of 4 tokens; take fewer"),
    ({"tree": "chain:12"}, "more than 2^22 outcomes to count"),
    ({"rule": "token"}, "token"),
])
def test_bad_trees(arguments, message):
    with pytest.raises(dg.UsageError) as caught:
        dg.audit(**{"verifier": verifiers.recursive, "tree": "levels:2,1", **arguments})
    assert message in str(caught.value)


def test_what_is_returned_is_a_path():
    with pytest.raises(dg.InputError, match=r"the verifier returned shape \[64, 4\], not \[64, 3\]"):
        dg.audit(lambda b: b.drafts, tree="levels:2,1", rounds=64)
