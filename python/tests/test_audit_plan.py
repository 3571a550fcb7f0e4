"""What an audit plays, and what it refuses before it plays."""

from functools import partial

import numpy as np
import pytest

import draftgauge as dg
import verifiers
from draftgauge.testing import TooLittleEvidence, assert_lossless


TOO_MANY = "tv {:g} takes more rounds than can be played; give a larger tv, or rounds"


def test_a_small_tv_is_refused_before_all_is_played():
    calls = []

    def asks_for_no_coins(b):
        calls.append(len(b.ids))
        return verifiers.token(b)

    for tv in (1e-6, 1e-5):
        with pytest.raises(dg.UsageError) as caught:
            dg.audit(asks_for_no_coins, tv=tv)
        assert str(caught.value) == TOO_MANY.format(tv)
    assert calls == [512, 512]  # one batch, to see whether it takes coins
    for more in ({"coins": False}, {"thresholds": True}):
        with pytest.raises(dg.UsageError) as caught:
            dg.audit(asks_for_no_coins, tv=1e-6, **more)
        assert str(caught.value) == TOO_MANY.format(1e-6)
    assert len(calls) == 2


def test_a_small_tv_is_asked_of_coins():
    lossy = partial(verifiers.by_coins, shift=1e-3)
    for tv in (1e-6, 1e-5, 1e-4):
        assert dg.audit(lossy, tv=tv).lossless is False
    for tv in (1e-6, 1e-5):
        found = dg.audit(verifiers.by_coins, tv=tv)
        assert found.lossless is None and found.method == "coins" and f"and {tv:g} was asked" in found.verdict
    found = dg.audit(verifiers.by_coins, tv=1e-4, rounds=1_000)
    assert found.lossless is None and found.own_rounds == 1_000 and found.thresholds_tv_at_most < 1e-4
    assert dg.audit(verifiers.by_coins, tv=1e-4, coins=True).lossless is True


@pytest.mark.parametrize("coins", [1, 0, 1., np.True_, np.array(["auto"]), None])
def test_coins_that_are_neither(coins):
    with pytest.raises(dg.UsageError) as caught:
        dg.audit(verifiers.token, coins=coins)
    assert str(caught.value) == f"coins is {coins!r} (known are 'auto', True, False)"


@pytest.mark.parametrize("more, message", [
    ({"stop_early": True}, "coins=True and stop_early cannot be given together (all coins are followed, and no bets are made)"),
    ({"rounds": 10}, "coins=True and rounds cannot be given together (all coins are followed, and nothing is sampled)"),
])
def test_coins_alone_have_no_rounds_to_count(more, message):
    with pytest.raises(dg.UsageError) as caught:
        dg.audit(verifiers.by_coins, coins=True, **more)
    assert str(caught.value) == message


def test_assert_lossless_by_coins_alone():
    assert assert_lossless(verifiers.by_coins, coins=True).method == "coins"
    with pytest.raises(AssertionError, match=r"coins=True\)$"):
        assert_lossless(partial(verifiers.by_coins, shift=.1), coins=True)


def test_assert_lossless_says_how_often_coins_are_asked(capsys):
    calls = []

    def counted(b):
        calls.append(b.coins is not None)
        return verifiers.by_coins(b)

    with pytest.raises(TooLittleEvidence):
        assert_lossless(counted, tv=1e-6)
    said = "draftgauge: a verifier that takes coins is called 48 times or more before, to find its thresholds\n"
    assert capsys.readouterr().out == said and calls == [True] * 48
    with pytest.raises(TooLittleEvidence):
        assert_lossless(counted, tv=.05, rounds=100, coins=False)
    assert capsys.readouterr().out.endswith(" find a TV of 0.05 with power 0.99\n")
    with pytest.raises(dg.UsageError, match="more rounds than can be played"):
        assert_lossless(counted, tv=1e-6, coins=False)


def test_assert_lossless_takes_a_rule_and_tells_of_its_progress():
    told = []
    found = assert_lossless(verifiers.block, gamma=3, tv=.05, rule="block", progress=told.append)
    assert found.rule == "block" and told[-1] == found.rounds
    with pytest.raises(AssertionError, match="rule='block', stop_early=True"):
        assert_lossless(verifiers.block_as_product, gamma=3, tv=.05, rule="block")


def test_dictated_coins_leave_open_what_their_bisection_does():
    # As the docstring says: 1e-6, or 6e-8 (2^-24) for each of γ + V thresholds, if that is greater.
    of_32 = {"gamma": 1, "vocab": 32, "coins": True}
    found = dg.audit(partial(verifiers.by_coins, shift=1.3e-7), **of_32)
    assert 1e-6 < found.tv < 33 * 2**-24 and found.lossless is True
    found = dg.audit(partial(verifiers.by_coins, shift=3e-7), **of_32)
    assert found.tv > 33 * 2**-24 and found.lossless is False
    small = dg.audit(partial(verifiers.by_coins, shift=1e-6), gamma=1, coins=True)
    assert 1e-6 < small.tv < 33 * 2**-24 and small.lossless is False
    assert "(γ + V) · 6e-8" in dg.audit.__doc__
