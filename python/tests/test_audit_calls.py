"""What an audit says of verifiers and drafters that raise, hang or return what is none, and of bad arguments."""

import signal
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest

import draftgauge as dg
import verifiers
from draftgauge import _batch


def returning(value):
    return lambda b: value(b) if callable(value) else value


@pytest.mark.parametrize("value, message", [
    (None, "the verifier returned None (γ + 1 tokens a round, -1 after its end); return an array of shape [64, 3]"),
    (lambda b: b.drafts, "the verifier returned shape [64, 2], not [64, 3] (γ + 1 tokens a round, -1 after its end)"),
    (lambda b: verifiers.token(b)[0], "the verifier returned shape [3], not [64, 3]"),
    (lambda b: verifiers.token(b) * 1., "the verifier returned dtype float64 ("),
    (lambda b: np.zeros((64, 3), bool), "the verifier returned dtype bool ("),
    ([], "the verifier returned shape [0], not [64, 3] ("),
    ("tokens", "the verifier returned dtype <U6 ("),
    (lambda b: np.full((64, 3), -1), "round 0, place 0: the verifier returned token -1 (a round emits one token or more)"),
    (lambda b: np.full((64, 3), 4), "round 0, place 0: the verifier returned token 4 (tokens are 0 to 3)"),
    (lambda b: np.full((64, 3), -100), "round 0, place 0: the verifier returned token -100 (tokens are 0 to 3)"),
    (lambda b: np.tile([0, -1, 0], (64, 1)),
     "round 0, place 2: the verifier returned token 0 (it stands after -1, which ends a round)"),
    ([[1], [2, 3]], "what the verifier returned is no array ("),
    (lambda b: np.ma.masked_equal(np.tile([0, -1, -1], (64, 1)), -1),
     "what the verifier returned has 128 masked entries (a masked place has no number); give .filled(-1) of it"),
])
def test_verifiers_that_return_no_rounds(value, message):
    with pytest.raises(dg.InputError) as caught:
        dg.audit(returning(value), rounds=64)
    assert message in str(caught.value)


def test_verifiers_that_raise():
    def broken(_):
        raise ZeroDivisionError("of nothing")

    with pytest.raises(dg.VerifierError) as caught:
        dg.audit(broken, rounds=64, seed=5)
    assert str(caught.value) == "the verifier raised ZeroDivisionError: of nothing (rounds 0 to 63, seed 5)"
    assert isinstance(caught.value.__cause__, ZeroDivisionError)

    def broken_later(b):
        return verifiers.token(b) if b.positions[0, 0] == 1 else broken(b)

    with pytest.raises(dg.VerifierError, match=r"of nothing \(rounds 0 to 63 continued, seed 5\)$"):
        dg.audit(broken_later, rounds=64, seed=5)
    with pytest.raises(dg.InputError, match="^round 0 continued, place 0: the verifier returned token 4 "):
        dg.audit(lambda b: verifiers.token(b) if b.positions[0, 0] == 1 else np.full((64, 3), 4), rounds=64)

    def interrupted(_):
        raise KeyboardInterrupt  # Ctrl-C

    with pytest.raises(KeyboardInterrupt):
        dg.audit(interrupted, rounds=64)
    with pytest.raises(dg.VerifierError, match=r"^draft raised ZeroDivisionError: of nothing \(rounds 0 to 63"):
        dg.audit(verifiers.token, rounds=64, draft=lambda *_: broken(0))


def test_verifiers_that_hang():
    def hangs(b):
        try:
            time.sleep(60)
        except Exception:  # which the time-out is not
            pass

    with pytest.raises(dg.VerifierError) as caught:
        dg.audit(hangs, rounds=64, seed=5, timeout=.05)
    assert str(caught.value) == (
        "the verifier did not return within 0.05 s (rounds 0 to 63, seed 5); give a smaller batch, or a longer timeout")
    with pytest.raises(dg.VerifierError, match=r"^draft did not return within 0.05 s"):
        dg.audit(verifiers.token, rounds=64, draft=lambda *_: time.sleep(60), timeout=.05)
    assert dg.audit(verifiers.token, rounds=64, timeout=None).rounds == 64
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)  # nothing is left that rings later


def test_a_time_out_that_is_swallowed():
    def swallows(b):
        try:
            time.sleep(60)
        except:  # noqa: E722: as people write it
            return verifiers.token(b)

    def swallows_twice(b):
        for _ in range(2):
            swallows(b)
        return verifiers.token(b)

    for verifier in (swallows, swallows_twice):
        with pytest.raises(dg.VerifierError, match="^the verifier did not return within 0.05 s"):
            dg.audit(verifier, rounds=64, timeout=.05)


#: Whose rules are enumerated in no time, so that what is timed is the call.
QUICK = {"gamma": 1, "vocab": 2, "rounds": 64}


class Rang(BaseException):
    """What a test's own time limit raises."""


@pytest.mark.parametrize("timeout", [60, .2])
def test_an_alarm_that_was_set_before_stays(timeout):
    def ring(*_):
        raise Rang

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 100, 7)
        dg.audit(verifiers.token, **QUICK, timeout=timeout)
        left, interval = signal.getitimer(signal.ITIMER_REAL)
        assert 50 < left < 100 and interval == 7 and signal.getsignal(signal.SIGALRM) is ring
        signal.setitimer(signal.ITIMER_REAL, 3)
        with pytest.raises(Rang if timeout == 60 else dg.VerifierError):
            dg.audit(lambda _: time.sleep(60), **QUICK, timeout=timeout)
        if timeout != 60:
            with pytest.raises(Rang):
                time.sleep(60)
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("rings", range(4))
def test_an_alarm_at_the_end_of_a_call_leaves_nothing_armed(rings, monkeypatch):
    """It rings at a line of the end of `limited`, as it may where a debugger traces them."""
    lines, clock = [], SimpleNamespace(monotonic=lambda: 1000. * ended)
    ended = False

    def trace(frame, event, _):
        if frame.f_code.co_name == "limited" and event == "line" and ended:
            lines.append(frame.f_lineno)
            if len(lines) == rings + 1:
                signal.raise_signal(signal.SIGALRM)
        return trace

    def called():
        nonlocal ended
        ended = True

    monkeypatch.setattr(_batch, "time", clock)
    before = signal.getsignal(signal.SIGALRM)
    try:
        sys.settrace(trace)
        _batch.limited(called, (), 500)
    except _batch.TimedOut:
        pass
    finally:
        sys.settrace(None)
        left = signal.setitimer(signal.ITIMER_REAL, 0)
        after = signal.signal(signal.SIGALRM, before)
    assert left == (0, 0) and after is before and len(lines) > rings


def test_a_verifier_may_keep_its_buffer():
    kept = np.empty((1 << 16, 3), np.int64)

    def into(b):
        found = kept[:len(b.drafts)]
        found[:] = verifiers.by_coins(b)
        return found

    assert dg.audit(into, coins=True, batch=1000).to_dict() == dg.audit(verifiers.by_coins, coins=True, batch=1000).to_dict()

    drafts = np.empty((1 << 16, 2), np.int64)

    def draft(q_rows, base, gamma, rng):
        found, claimed = verifiers.sampled_drafts(q_rows, base, gamma, rng)
        drafts[:len(found)] = found
        return drafts[:len(found)], claimed

    assert dg.audit(verifiers.token, draft=draft, rounds=2000).p_value == dg.audit(
        verifiers.token, draft=verifiers.sampled_drafts, rounds=2000).p_value


@pytest.mark.parametrize("draft, message", [
    (lambda q, base, gamma, rng: base, "draft returned a ndarray (it returns the drafts and the q that it claims)"),
    (lambda q, base, gamma, rng: (base, q), "draft returned shape [64], not [64, 2] (γ drafts a round)"),
    (lambda q, base, gamma, rng: (np.full((64, 2), 4), np.ones((64, 2, 4))), "draft returned token 4 (tokens are 0 to 3)"),
    (lambda q, base, gamma, rng: (np.full((64, 2), -1), np.ones((64, 2, 4))), "draft returned token -1 (tokens are 0 to 3)"),
    (lambda q, base, gamma, rng: (np.zeros((64, 2), int), np.ones((64, 2))),
     "the q that draft claims has shape [64, 2], not [64, 2, 4] (a row for each draft)"),
    (lambda q, base, gamma, rng: (np.zeros((64, 2), int), np.full((64, 2, 4), "a")), "the q that draft claims has dtype <U1"),
    (lambda q, base, gamma, rng: (np.zeros((64, 2), int), np.full((64, 2, 4), np.nan)),
     "the q that draft claims, round 0, draft 0, token 0 is nan (a probability is a number from 0 to 1)"),
    (lambda q, base, gamma, rng: (np.zeros((64, 2), int), np.tile([2., -1, 0, 0], (64, 2, 1))),
     "the q that draft claims, round 0, draft 0, token 1 is -1 (a probability is a number from 0 to 1)"),
    (lambda q, base, gamma, rng: (np.zeros((64, 2), int), np.ones((64, 2, 4), np.float32)),
     "the q that draft claims, round 0, draft 0 sums to 4 (a distribution sums to 1; are these logits?)"),
])
def test_drafters_that_return_no_drafts(draft, message):
    with pytest.raises(dg.InputError) as caught:
        dg.audit(verifiers.token, rounds=64, draft=draft)
    assert message in str(caught.value)


@pytest.mark.parametrize("arguments, message", [
    ({"verifier": 3}, "verifier is a int (it is a function of a Batch)"),
    ({"draft": 3}, "draft is a int (it is a function of q_rows, base, gamma, rng)"),
    ({"gamma": 0}, "gamma 0 is out of range (1 to 64)"),
    ({"vocab": 1}, "vocab 1 is out of range (2 to 1024)"),
    ({"gamma": 12}, "gamma 12 with vocab 4 has more than 2^22 outcomes to count"),
    ({"rounds": 0}, "rounds 0 is out of range (1 to "),
    ({"rounds": .5}, "rounds is 0.5 (it is a whole number)"),
    ({"tv": 0}, "tv 0 is out of range (above 0 and below 1)"),
    ({"false_alarm": 1}, "false_alarm 1 is out of range (above 0 and below 1)"),
    ({"power": 1e-7}, "power is 1e-07 (a test alarms with its false alarm even if nothing is wrong)"),
    ({"dtype": "int8"}, "dtype is 'int8' (known are float64, float32, float16)"),
    ({"batch": 0}, "batch 0 is out of range (1 to "),
    ({"rule": "tokn"}, "there is no rule 'tokn'"),
    ({"seed": -1}, "seed -1 is out of range (0 to "),
    ({"laws": 3}, "laws is a int (it is a name or file, PairTables, or a pair of arrays)"),
    ({"coins": "maybe"}, "coins is 'maybe' (known are 'auto', True, False)"),
    ({"coins": True, "draft": verifiers.greedy_drafts},
     "coins=True and draft cannot be given together (a drafter's coins are its own)"),
    ({"timeout": 0}, "timeout 0 is out of range (0.001 to 1e+08)"),
    ({"timeout": 1e18}, "timeout 1e+18 is out of range (0.001 to 1e+08)"),
    ({"rounds_per_text": 0}, "rounds_per_text 0 is out of range (1 to 32768)"),
    ({"tokens_per_text": 2}, "tokens_per_text 2 is out of range (a round emits up to 3)"),
    ({"tokens_per_text": 11}, "gamma 2 with vocab 4 has more than 2^22 outcomes to count (each start with each text of 11 tokens)"),
    ({"tv": 1e-12}, "takes more rounds than can be played"),
])
def test_bad_arguments(arguments, message):
    with pytest.raises(dg.UsageError) as caught:
        dg.audit(**{"verifier": verifiers.token, **arguments})
    assert message in str(caught.value)
