"""A verifier whose coins are dictated has its distribution found, to less than what float32 rounds."""

from functools import partial

import numpy as np
import pytest

import draftgauge as dg
import verifiers
from draftgauge._batch import Dictated
from draftgauge.testing import TooLittleEvidence, assert_lossless

TINY = partial(verifiers.by_coins, shift=1e-5)


@pytest.mark.parametrize("verifier", [verifiers.by_coins, partial(verifiers.by_coins, read="race")])
@pytest.mark.parametrize("gamma", [1, 2, 3])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_right_verifiers_are_exact(verifier, gamma, dtype):
    found = dg.audit(verifier, gamma=gamma, dtype=dtype)
    assert found.method == "coins and sampling" and found.lossless is True and found.nearest == "token"
    assert found.tv < 2e-7 and found.tv_at_least <= found.tv <= found.thresholds_tv_at_most < 1e-4
    assert found.thresholds_tv_at_most == pytest.approx(found.tv + found.detectable)
    assert .003 < found.tv_at_most < .01  # of the verifier as a whole, as who draws for itself is known
    assert abs(found.mean_accepted - found.expected_accepted) < 1e-6
    assert 1e-6 < found.p_value < 1 and found.counterexample is None and found.strayed == 0
    assert found.own_rounds == found.plan.rounds and found.own_detectable <= .01
    assert found.verdict == (
        f"lossless: TV {found.tv:.2g} of its thresholds, at most {found.thresholds_tv_at_most:.2g} at confidence 0.99 (all its coins "
        f"dictated, {found.rounds:,} rounds); without them TV ≤ {found.tv_at_most:.2g} at confidence 0.99, p-value {found.p_value:.2g}, "
        f"{found.own_rounds:,} texts of 2 rounds, seed 1")
    alone = dg.audit(verifier, gamma=gamma, dtype=dtype, coins=True)
    assert alone.method == "coins" and alone.lossless is True and alone.p_value == 1 and alone.own_rounds == 0
    assert alone.tv_at_most == alone.thresholds_tv_at_most == found.thresholds_tv_at_most
    assert alone.verdict.endswith(f"(all its coins dictated, {alone.rounds:,} rounds)")


def test_block_by_coins():
    found = dg.audit(verifiers.block_by_coins, gamma=3, rule="block")
    assert found.method == "coins and sampling" and found.lossless and found.nearest == "block"
    assert found.mean_accepted == pytest.approx(found.expected_accepted, abs=1e-6)


def test_a_fault_too_small_for_samples_is_found():
    sampled = dg.audit(TINY, rounds=100_000, coins=False)
    assert sampled.method == "sampling" and sampled.lossless is None and sampled.p_value > 1e-6
    found = dg.audit(TINY)
    assert found.lossless is False and 1e-5 < found.tv < 3e-5 and found.p_value == 0 and found.nearest is None
    assert found.tv_at_least > 1e-5
    one = found.counterexample
    assert one.z is None and 1e-6 < abs(one.observed - one.expected) < 1e-4
    assert str(one) in found.verdict and "no faulty rule of ours emits the same" in found.verdict
    assert dg.audit(TINY, tv=1e-4, coins=True).lossless is True  # as far as was asked


def test_who_keeps_more_than_any_lossless_verifier_is_seen_by_coins():
    found = dg.audit(partial(verifiers.by_coins, shift=.1), gamma=1)
    assert found.lossless is False and found.above_ceiling and "; it keeps " in found.verdict
    right = dg.audit(verifiers.block_by_coins, gamma=3, coins=True)
    assert right.ceiling == pytest.approx(right.mean_accepted, abs=1e-6) and not right.above_ceiling


def test_the_distance_is_the_faults():
    # A coin of 11 bits, floored, accepts up to the next multiple of 2^-11: by hand at γ = 1.
    laws = dg.laws(p=[[.5, .5], [.5, .5]], q=[[.7, .3], [.7, .3]])
    found = dg.audit(partial(verifiers.by_coins, bits=11), gamma=1, laws=laws)
    kept = np.ceil(.5 / .7 * 2**11) / 2**11
    assert found.tv == pytest.approx(.7 * kept - .5, abs=1e-7)
    one = found.counterexample
    assert one.tokens in {(0,), (1,)} and abs(one.observed - .5) == pytest.approx(.7 * kept - .5, abs=1e-6)
    assert str(one) == f"after token {one.start}, token {one.tokens[0]} has probability {one.observed:.7g} where p says 0.5"


@pytest.mark.parametrize("gamma", [1, 2, 3])
def test_known_faults_are_named(gamma):
    found = dg.audit(partial(verifiers.by_coins, residual="p"), gamma=gamma)
    exact = {fault.rule: fault.tv for fault in dg.plan(gamma=gamma, rounds_per_text=1).faults}["faulty/residual-from-target"]
    assert found.lossless is False and found.tv == pytest.approx(exact, abs=1e-6)
    assert not found.above_ceiling  # it keeps what the token rule does
    assert found.nearest == "faulty/residual-from-target" and "it emits what faulty/residual-from-target does" in found.verdict


def test_what_p_excludes_is_named():
    def careless(b):  # a coin below 1e-4 accepts anything
        found = verifiers.by_coins(b)
        easy = (b.coins[:, 0] < 1e-4) & (b.p[np.arange(len(found)), 0, b.drafts[:, 0]] == 0)
        return np.where(easy[:, None], np.stack([b.drafts[:, 0], *np.full((2, len(found)), -1)], axis=1), found)

    found = dg.audit(careless)
    assert found.lossless is False and found.counterexample.expected == 0 and "where p excludes it" in found.verdict


def adds(b):
    """The second coin is compared with what the first leaves."""
    if b.coins is None:
        return verifiers.block_as_product(b)
    kept = verifiers.leading(b.coins[:, :-1].cumsum(axis=1) < .6)
    return verifiers.emitted(b.drafts, kept, np.zeros(len(kept), int))


def ignores(b):
    b.coins  # is looked at, and not used
    return verifiers.token(b)


@pytest.mark.parametrize("verifier", [adds, ignores])
def test_a_verifier_that_does_not_obey_is_sampled(verifier):
    assert dg.audit(verifier, rounds=1000).method == "sampling"
    with pytest.raises(dg.UsageError) as caught:
        dg.audit(verifier, coins=True)
    assert str(caught.value) == ("the verifier's coins cannot be dictated (what it emits is not decided by comparing each coin "
                                 "with one number); give coins=False to sample")


def test_a_verifier_that_does_not_look_is_sampled():
    assert dg.audit(verifiers.token, rounds=1000).method == "sampling"
    with pytest.raises(dg.UsageError, match=r"cannot be dictated \(it does not read them\)"):
        dg.audit(verifiers.token, coins=True)
    seen = []
    dg.audit(lambda b: seen.append(len(b.ids)) or verifiers.token(b), rounds=1000, batch=400, rounds_per_text=1)
    assert seen == [400, 400, 200]  # nothing else was called


def test_too_many_cells():
    with pytest.raises(dg.UsageError, match=r"gamma 8 with vocab 3 has more than 2\^20 cells of coins"):
        dg.audit(verifiers.by_coins, gamma=8, vocab=3, coins=True)


def test_batches_are_as_long_as_asked_and_seeds_repeat():
    lengths = []
    found = dg.audit(lambda b: lengths.append(len(b.ids)) or verifiers.by_coins(b), batch=100)
    assert max(lengths) == 100 and found.to_dict() == dg.audit(verifiers.by_coins, batch=100).to_dict()


def test_assert_lossless_by_coins(capsys):
    assert assert_lossless(verifiers.by_coins, coins=True).method == "coins"
    assert capsys.readouterr().out == ""
    with pytest.raises(AssertionError, match="nearest known bug: none that we know\n.*coins=True"):
        assert_lossless(TINY, coins=True)


def window(low, width, *, coin, change):
    """by_coins, but where this coin lies in a window, whatever the drafts."""
    def verifier(b):
        found = verifiers.by_coins(b)
        if b.coins is None:
            return found
        inside = (b.coins[:, coin] > low) & (b.coins[:, coin] < low + width)
        return np.where(inside[:, None], change(b, found), found)

    return verifier


def inverted(b, found):
    """The first draft stands where it does not, and the other way round."""
    rejected = np.stack([(b.drafts[:, 0] + 1) % 4, *np.full((2, len(found)), -1)], axis=1)
    stands = found[:, 1:2] != -1
    return np.where(stands, rejected, np.stack([b.drafts[:, 0], found[:, 0], np.full(len(found), -1)], axis=1))


def shifted(_, found):
    """The last token + 1."""
    last = (found >= 0).sum(1) - 1
    moved = found.copy()
    moved[np.arange(len(found)), last] = (moved[np.arange(len(found)), last] + 1) % 4
    return moved


@pytest.mark.parametrize("coin, change", [(0, inverted), (2, shifted)])
@pytest.mark.parametrize("width", [1e-3, 1e-4, 1e-5, 1e-6])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_lies_within_a_window_is_not_certified_away(coin, change, width, seed):
    verifier = window(.51, width, coin=coin, change=change)
    try:
        found = dg.audit(verifier, seed=seed, coins=True)
    except dg.UsageError as problem:  # 131 072 random coins hit 1e-4 but with e^-13, 1e-5 in three of four, 1e-6 hardly ever
        assert width >= 1e-5 and "what it emits is not decided by comparing each coin with one number" in str(problem)
    else:
        assert width <= 1e-5 and found.lossless is True and found.tv < 1e-6 and found.thresholds_tv_at_most > 3.5e-5 > width


def test_no_less_is_certified_than_the_rounds_allow():
    found = dg.audit(verifiers.by_coins, tv=1e-9, coins=True)
    assert found.lossless is None and found.p_value == 1 and found.counterexample is None
    assert found.tv + np.log(100) / 131072 < found.tv_at_most == found.tv + found.detectable < 5e-5
    assert found.verdict == (f"too little evidence: TV {found.tv:.2g} of the thresholds, at most {found.tv_at_most:.2g} at "
                             "confidence 0.99, and 1e-09 was asked")
    assert dg.audit(verifiers.by_coins, power=.999, coins=True).tv_at_most > found.tv_at_most


def with_coins(b, coins):
    return verifiers.by_coins(type(b)(b.p, b.q, b.drafts, b.base, b.ids, b.rng, Dictated(coins)))


def shares_noise(b):
    """Without coins one number decides all of a round."""
    return verifiers.by_coins(b) if b.coins is not None else with_coins(b, b.rng.random((len(b.drafts), 1)).repeat(3, 1))


def reseeds(b):
    """Without coins each call begins with the same ones."""
    return verifiers.by_coins(b) if b.coins is not None else with_coins(b, np.random.default_rng(1).random((len(b.drafts), 3)))


@pytest.mark.parametrize("verifier, batch", [(shares_noise, 1 << 16), (reseeds, 64)])
def test_randomness_of_its_own_is_judged_too(verifier, batch):
    assert dg.audit(verifier, coins=True).lossless is True  # whoever says so
    found = dg.audit(verifier, batch=batch)
    assert found.lossless is False and found.method == "coins and sampling" and found.tv is None and found.p_value < 1e-6
    assert found.rounds == found.own_rounds == found.plan.rounds
    assert found.verdict.endswith(f"({found.rounds:,} texts of 2 rounds, seed 1, with its own randomness; with dictated coins lossless)")
    again = dg.audit(verifier, batch=batch, rounds=found.rounds)
    assert again.verdict == found.verdict


def lenient(b):
    """Right by coins, and without them every tenth round draws from p where it should draw from what q leaves: TV .027."""
    right = verifiers.by_coins(b)
    if b.coins is not None:
        return right
    return np.where((b.ids % 10 == 0)[:, None], verifiers.by_coins(b, residual="p"), right)


def test_a_verifier_that_takes_coins_is_found_with_the_power_asked_by_what_it_draws_itself():
    with pytest.raises(AssertionError, match="^not lossless: .* with its own randomness; with dictated coins lossless"):
        assert_lossless(lenient, tv=.02)
    assert dg.audit(lenient, tv=.02).lossless is False
    few = dg.audit(lenient, tv=.02, rounds=5000)
    assert few.lossless is None and few.method == "coins and sampling" and few.own_detectable > .02 and few.tv_at_most > .02
    assert few.thresholds_tv_at_most < 1e-4
    assert few.verdict == (
        f"too little evidence: lossless by its coins (TV {few.tv:.2g} of its thresholds, at most {few.thresholds_tv_at_most:.2g}), but "
        f"5,000 texts of 2 rounds without them find a TV of {few.own_detectable:.2g}, and 0.02 was asked ({few.plan.rounds:,} are needed)")
    with pytest.raises(TooLittleEvidence, match="^too little evidence: lossless by its coins "):
        assert_lossless(verifiers.by_coins, rounds=1000)
    stopped = dg.audit(verifiers.by_coins, batch=1000, progress=lambda done: False)
    assert stopped.own_rounds == 1000 and stopped.lossless is None


def test_what_coins_can_show_and_no_rounds_is_refused():
    with pytest.raises(dg.UsageError) as caught:
        dg.audit(verifiers.by_coins, tv=5e-5)
    assert str(caught.value) == ("tv 5e-05 takes more rounds than can be played; give a larger tv, rounds, or coins=True, which leaves its "
                                 "own randomness out")


def test_a_verifier_without_randomness_of_its_own():
    def needs(b):
        return verifiers.by_coins(b) if b.coins.any() else None

    with pytest.raises(dg.VerifierError) as caught:
        dg.audit(needs)
    assert str(caught.value).startswith("without coins the verifier raised AttributeError: 'NoneType' object has no attribute 'any' (")
    assert str(caught.value).endswith("; give coins=True to leave its own randomness out")
    assert isinstance(caught.value.__cause__, AttributeError)
    assert dg.audit(needs, coins=True).lossless


def test_thresholds_that_are_stated_to_be_all():
    found = dg.audit(verifiers.by_coins, thresholds=True, tv=.1, rounds=20_000)
    assert found.lossless and found.method == "coins and sampling" and found.own_rounds == 20_000 and found.thresholds
    assert found.thresholds_tv_at_most < 1e-6 and found.detectable < 1e-6 and found.own_detectable < .1 and 1e-3 < found.tv_at_most < .1
    assert ("of its thresholds, at most " in found.verdict) and " which are stated to be all (all its coins dictated, " in found.verdict
    assert dg.audit(verifiers.by_coins, thresholds=True, coins=True, tv=1e-6).lossless is True
    assert dg.audit(TINY, thresholds=True).lossless is False
    # Random rounds hold them against the verifier all the same.
    with pytest.raises(dg.UsageError, match="the verifier's coins cannot be dictated"):
        dg.audit(window(.51, 1e-2, coin=0, change=inverted), thresholds=True)
    with pytest.raises(dg.UsageError, match=r"cannot be dictated \(it does not read them\)"):
        dg.audit(verifiers.token, thresholds=True)
    with pytest.raises(AssertionError, match="thresholds=True"):
        assert_lossless(TINY, thresholds=True)
    for wrong in ({"coins": False}, {"draft": verifiers.sampled_drafts}):
        with pytest.raises(dg.UsageError, match="thresholds and coins=False or draft cannot be given together"):
            dg.audit(verifiers.by_coins, thresholds=True, **wrong)
