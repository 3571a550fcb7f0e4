"""A rule in ten lines of Python is enumerated in fractions, and simulated."""

from fractions import Fraction

import pytest

import draftgauge as dg
from draftgauge import descend, emit

PAIR = ([.3, .4, .3], [.6, .3, .1])


def token(chance, node):
    if not node.drafts:
        return emit(chance.pick(node.p))
    x = node.drafts[0]
    return descend() if chance.flip(node.p[x], node.q[x]) else emit(chance.pick(node.residual()))


def cautious(chance, node):
    if not node.drafts:
        return emit(chance.pick(node.p))
    x = node.drafts[0]
    if chance.flip(1, 2) and chance.flip(node.p[x], node.q[x]):
        return descend()
    return emit(chance.pick([p - min(p, q) / 2 for p, q in zip(node.p, node.q)]))


def same(theirs, ours):
    for name in ("acceptance", "mean_accepted", "mean_tokens", "accepted_law", "tokens_law", "output_law", "text_law",
                 "tv_to_target", "lossless", "accepted_by_rank", "accepted_bound", "acceptance_bound"):
        assert getattr(theirs, name) == getattr(ours, name), name


@pytest.mark.parametrize("laws", [PAIR, "markov:vocab=3", ([[.5, .5], [.25, .75]], [[.75, .25], [.5, .5]])])
@pytest.mark.parametrize("gamma", [1, 2, 3])
@pytest.mark.parametrize("bonus", [True, False])
def test_the_token_rule_is_ours(laws, gamma, bonus):
    theirs, ours = dg.exact(laws, token, gamma, bonus=bonus), dg.exact(laws, "token", gamma, bonus=bonus)
    same(theirs, ours)


@dg.path_rule
def block(chance, path):
    """Sun et al. 2024 (arXiv 2403.10444), Algorithm 2."""
    running, kept, at_kept = 1, 0, 1
    for i, x in enumerate(path.drafts):
        running = min(1, running * path.p[i][x] / path.q[i][x])
        if i + 1 == len(path.drafts):
            stands = chance.flip(running)
        else:
            rest = sum(max(running * p - q, 0) for p, q in zip(path.p[i + 1], path.q[i + 1]))
            stands = chance.flip(rest, rest + 1 - running) if rest + 1 - running else chance.flip(0)
        if stands:
            kept, at_kept = i + 1, running
    if kept == len(path.drafts):
        return dg.stop(kept, chance.pick(path.p[kept]))
    return dg.stop(kept, chance.pick([max(at_kept * p - q, 0) for p, q in zip(path.p[kept], path.q[kept])]))


@pytest.mark.parametrize("laws", [PAIR, "markov:vocab=2"])
@pytest.mark.parametrize("gamma", [1, 2, 3])
@pytest.mark.parametrize("bonus", [True, False])
def test_block_verification_as_a_rule_of_a_path(laws, gamma, bonus):
    same(dg.exact(laws, block, gamma, bonus=bonus), dg.exact(laws, "block", gamma, bonus=bonus))


def test_a_rule_of_a_path_may_be_a_method():
    class Verifier:
        def verify(self, chance, path):
            return block(chance, path)

    same(dg.exact(PAIR, dg.path_rule(Verifier().verify), 2), dg.exact(PAIR, "block", 2))


def test_a_rule_of_a_path_that_is_wrong():
    @dg.path_rule
    def careless(chance, path):
        found = block(chance, path)
        return dg.stop(found.kept, chance.pick(path.p[found.kept]))

    assert not dg.exact(PAIR, careless, gamma=2).lossless


@pytest.mark.parametrize("rule, message", [
    (lambda chance, path: emit(0),
     "the rule returned Step(number=0, ends=True) (a rule of a path returns stop(kept, token), whole numbers)"),
    (lambda chance, path: dg.stop(.5, 0),
     "the rule returned Stop(kept=0.5, token=0) (a rule of a path returns stop(kept, token), whole numbers)"),
    (lambda chance, path: dg.stop(2, 0), "the rule returned stop(2, …) (0 to 1 drafts can be kept)"),
    (lambda chance, path: dg.stop(0, 3), "the rule returned stop(…, 3) (tokens are 0 to 2)"),
])
@pytest.mark.parametrize("play", [dg.exact, dg.try_rule])
def test_paths_that_end_nowhere(play, rule, message):
    with pytest.raises(dg.InputError) as caught:
        play(PAIR, dg.path_rule(rule), gamma=1)
    assert message in str(caught.value)
    with pytest.raises(dg.UsageError, match="candidates 2 and a rule of a path cannot be given together"):
        play(PAIR, dg.path_rule(rule), gamma=1, candidates=2)


def test_a_rule_of_ones_own():
    found = dg.exact(PAIR, cautious, gamma=1)
    assert found.acceptance == Fraction(7, 20) and found.lossless and found.rule == "cautious"
    assert found.tv_to_target == 0 and not found.claims_lossless

    def hasty(chance, node):
        return descend() if node.drafts else emit(chance.pick(node.p))

    assert dg.exact(PAIR, hasty, gamma=1).tv_to_target == Fraction(3, 10)


def test_several_candidates():
    def recursive(chance, node):  # of drafts with replacement: each rejection leaves norm((p − q)+)
        p = list(node.p)
        for i, x in enumerate(node.drafts):
            if chance.flip(p[x], node.q[x]):
                return descend(i)
            rest = [max(a - b, 0) for a, b in zip(p, node.q)]
            p = [one / sum(rest) for one in rest]
        return emit(chance.pick(p))

    ours = dg.exact(PAIR, "recursive", gamma=1, candidates=2)
    assert dg.exact(PAIR, recursive, gamma=1, candidates=2).accepted_law == ours.accepted_law


@pytest.mark.parametrize("rule", [token, cautious, block])
def test_simulation_is_of_the_same_rule(rule):
    exact = dg.exact(PAIR, rule, gamma=2)
    found = dg.try_rule(PAIR, rule, gamma=2, rounds=20_000)
    assert found.rounds == found.accepted.sum() == found.first_tokens.sum() == 20_000
    for name in ("acceptance", "mean_accepted", "mean_tokens"):
        one = getattr(found, name)
        assert abs(one.value - float(getattr(exact, name))) < 2.5 * (one.high - one.low) / 2  # missed with 1e-6
    assert found.to_dict() == dg.try_rule(PAIR, rule, gamma=2, rounds=20_000).to_dict()
    assert found.to_dict() != dg.try_rule(PAIR, rule, gamma=2, rounds=20_000, seed=2).to_dict()


def test_progress_stops():
    assert dg.try_rule(PAIR, token, rounds=10_000, progress=lambda done: done < 2_000).rounds == 2_048


def test_chance_ends_with_its_rule():
    kept = []

    def keeps(chance, node):
        kept.append(chance)
        return token(chance, node)

    dg.exact(PAIR, keeps, gamma=1)
    with pytest.raises(dg.UsageError, match=r"chance is asked outside of its rule \(it answers while the rule is called\)"):
        kept[0].flip(1, 2)


def test_chance_ends_with_a_rule_that_raises():
    kept = []

    def raises(chance, node):
        kept.append(chance)
        return 1 / 0

    with pytest.raises(dg.VerifierError):
        dg.exact(PAIR, raises, gamma=1)
    with pytest.raises(dg.UsageError, match="chance is asked outside of its rule"):
        kept[0].flip(1, 2)


@pytest.mark.parametrize("rule, error, message", [
    (lambda chance, node: None, dg.InputError, "the rule returned None (it returns descend(candidate) or emit(token), whole numbers)"),
    (lambda chance, node: descend(1), dg.InputError, "the rule returned descend(1) (there are 1 candidates)"),
    (lambda chance, node: descend(-1), dg.InputError, "the rule returned descend(-1) (there are 1 candidates)"),
    (lambda chance, node: emit(3), dg.InputError, "the rule returned emit(3) (tokens are 0 to 2)"),
    (lambda chance, node: emit(-1), dg.InputError, "the rule returned emit(-1) (tokens are 0 to 2)"),
    (lambda chance, node: 1 / 0, dg.VerifierError, "the rule raised ZeroDivisionError: division by zero"),
    (lambda chance, node: chance.flip("a"), dg.UsageError, "num of chance.flip is 'a' (it is a number)"),
    (lambda chance, node: chance.flip(1, -1), dg.UsageError, "den of chance.flip is -1"),
    (lambda chance, node: chance.pick([0, 0]), dg.UsageError, "chance.pick was given no weight above 0 ("),
    (lambda chance, node: chance.pick([1, float("nan")]), dg.UsageError, "weight 1 of chance.pick is nan"),
    (lambda chance, node: chance.pick([float("inf"), 1]), dg.UsageError, "weight 0 of chance.pick is inf"),
])
@pytest.mark.parametrize("play", [dg.exact, dg.try_rule])
def test_rules_that_are_none(play, rule, error, message):
    with pytest.raises(error) as caught:
        play(PAIR, rule, gamma=1)
    assert message in str(caught.value)


def test_weights_whose_sum_is_infinite():
    with pytest.raises(dg.UsageError, match="chance.pick was given weights whose sum is infinite"):
        dg.try_rule(PAIR, lambda chance, node: emit(chance.pick([1e308] * 3)), gamma=1)


def test_bad_arguments():
    with pytest.raises(dg.UsageError, match="tree and a rule written in Python cannot be given together"):
        dg.exact(PAIR, token, tree="kary:2,2")
    with pytest.raises(dg.UsageError, match="rule is 'token' .it is a function of chance and node"):
        dg.try_rule(PAIR, "token")
    with pytest.raises(dg.UsageError, match="the contexts of the distributions follow a text"):
        dg.exact(dg.laws(p=[[.5, .5]] * 3, q=[[.5, .5]] * 3, contexts="path"), token)


def test_a_rule_that_never_answers():
    def endless(chance, node):
        while True:
            chance.flip(1, 2)

    for play in (lambda: dg.exact(PAIR, endless, gamma=1), lambda: dg.try_rule(PAIR, endless, gamma=1, rounds=2)):
        with pytest.raises(dg.UsageError, match="has asked 10000 questions at one node and has not answered"):
            play()


def test_a_rule_with_chances_of_its_own_has_no_exact_law():
    asked = iter(range(1000))

    def forgetful(chance, node):
        return emit(next(asked) % 3)

    with pytest.raises(dg.UsageError, match="does not do the same on the same coins"):
        dg.exact(PAIR, forgetful, gamma=1)
