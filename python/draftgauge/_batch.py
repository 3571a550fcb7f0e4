"""What a verifier is called with, and the call itself: what it raises, returns or never returns becomes an error that names it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._arrays import SINGLE, array, real_array, tolerance
from ._errors import InputError, VerifierError

if TYPE_CHECKING:
    import numpy as np


class CoinsAsked(BaseException):
    """Raised out of a verifier that looks for coins in a batch that has none yet. No `except Exception` catches it."""


@dataclass(frozen=True)
class Dictated:
    """Randomness that an audit gives out instead of the verifier's own."""

    coins: np.ndarray | None = None
    race: np.ndarray | None = None
    asked: list[str] = field(default_factory=list)  #: which were read
    wanted: bool = False  #: who reads them where there are none is to be told of: CoinsAsked


def _none() -> np.ndarray:
    """Of a batch that is made by hand."""
    import numpy as np

    return np.zeros(0, np.int64)


@dataclass(frozen=True)
class Batch:
    """What a verifier is called with: rounds of γ drafts, each of another text. Arrays are its own to write to."""

    p: np.ndarray  #: [B, γ + 1, V] the target's distribution at each place, given the drafts before it; of a tree after each node
    q: np.ndarray  #: [B, γ, V] the draft model's that each draft was drawn from, as the drafter claims it
    drafts: np.ndarray  #: [B, γ] int64; of a tree by the number of their node, from 1 on
    base: np.ndarray  #: [B] the token before the round: the text's start, or the last token that the verifier emitted there
    ids: np.ndarray  #: [B] the round's number: no two are alike in an audit
    rng: np.random.Generator  #: seeded by the audit's seed; the rounds that follow in these texts go on with it
    dictated: Dictated = field(default_factory=Dictated, repr=False, compare=False)
    texts: np.ndarray = field(default_factory=_none)  #: [B] which text the round belongs to, as a request has a number
    positions: np.ndarray = field(default_factory=_none)  #: [B, γ + 1] in the text, of each token that the round may emit, from 1 on
    tree: list[int] | None = None  #: the parent of each node, level by level, −1 of node 0, where the text ends; None of a chain
    histories: list[tuple[int, ...]] = field(default_factory=list)  #: the tokens of each text so far, of audits of processors
    seed: int = 0  #: the audit's, for noise that is keyed by it and by `texts`, `positions` or `ids`

    @property
    def coins(self) -> np.ndarray | None:
        """[B, γ + 1] numbers in (0, 1) to take all randomness from, coin i for draft i and the last for the token after it (of a tree
        [B, nodes]); None where the verifier draws its own."""
        return self._given("coins", self.dictated.coins)

    @property
    def race(self) -> np.ndarray | None:
        """[B, V] positive numbers, for a verifier that emits argmin race / weight in place of a use of the last coin."""
        return self._given("race", self.dictated.race)

    def _given(self, name: str, value: np.ndarray | None) -> np.ndarray | None:
        if value is None and self.dictated.wanted:
            raise CoinsAsked
        self.dictated.asked.append(name)
        return value


class TimedOut(BaseException):
    """Raised into a call that takes too long. No `except Exception` catches it."""


#: Seconds after which TimedOut comes again where a bare `except:` swallowed it.
AGAIN = 1.


def limited(function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float | None) -> Any:
    """What the function returns, ended by TimedOut. By a signal, which Python has in its main thread alone: elsewhere there is no
    limit, and what is computed in C without a return to Python, as a loop of an extension, is ended when it returns. An alarm that was
    set before, as of pytest-timeout, rings when it would have, and is left running. No context manager: an alarm on its way out would
    leave what it set."""
    if seconds is None or threading.current_thread() is not threading.main_thread():
        return function(*arguments)
    fired = ended = False
    end = time.monotonic() + seconds
    outer: float | None = None  # when the alarm of before rings

    def arm() -> None:
        now = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, max(min(end, end if outer is None else outer) - now, 1e-6), AGAIN)

    def alarm(number: int, frame: Any) -> None:
        nonlocal fired, outer
        if ended:
            return
        if callable(before) and outer is not None and time.monotonic() >= outer:
            outer = time.monotonic() + interval if interval else None
            arm()
            before(number, frame)
        elif time.monotonic() >= end:
            fired = True
            raise TimedOut

    before = signal.getsignal(signal.SIGALRM)
    left, interval = signal.setitimer(signal.ITIMER_REAL, 0)
    if left:
        outer = time.monotonic() + left
    try:
        try:
            signal.signal(signal.SIGALRM, alarm)
            arm()
            found = function(*arguments)
        finally:
            ended = True  # from here on an alarm raises nothing
    finally:  # one that came at that line, as under a debugger, leaves nothing armed
        ended = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before or signal.SIG_DFL)
        if outer is not None:
            signal.setitimer(signal.ITIMER_REAL, max(outer - time.monotonic(), 1e-6), interval)
    if fired:  # and was swallowed
        raise TimedOut
    return found


def call(who: str, function: Callable[..., Any], arguments: tuple[Any, ...], where: str, timeout: float | None) -> Any:
    """What it returns."""
    try:
        return limited(function, arguments, timeout)
    except TimedOut:
        raise VerifierError(f"{who} did not return within {timeout:g} s {where}; give a smaller batch, or a longer timeout"
                            ) from None
    except Exception as problem:
        raise VerifierError(f"{who} raised {type(problem).__name__}: {problem} {where}") from problem


def tokens_of(who: str, returned: Any, shape: tuple[int, int], meaning: str) -> np.ndarray:
    import numpy as np

    if returned is None:
        raise InputError(f"{who} None ({meaning}); return an array of shape {list(shape)}")
    found = array(f"what {who}", returned, ".filled(-1) of it")
    if found.size and found.dtype.kind not in "iu":  # an empty list is of floats
        raise InputError(f"{who} dtype {found.dtype} ({meaning}, all whole numbers)")
    if found.shape != shape:
        raise InputError(f"{who} shape {list(found.shape)}, not {list(shape)} ({meaning})")
    return np.array(found, dtype=np.int64, order="C")  # a copy: it may be a buffer that the next call fills


def drafted(draft: Callable[..., Any], q: np.ndarray, base: np.ndarray, gamma: int, tree: list[int] | None, rng: np.random.Generator,
            where: str, timeout: float | None) -> tuple[np.ndarray, np.ndarray]:
    """Drafts [B, γ] and the q [B, γ, V] that the drafter claims; of a tree both have a draft for each node but the first."""
    vocab = q.shape[1]
    count, meaning = (gamma, "γ drafts a round") if tree is None else (len(tree) - 1, "a draft for each node but the first")
    returned = call("draft", draft, (q.copy(), base.copy(), gamma if tree is None else list(tree), rng), where, timeout)
    if not isinstance(returned, tuple) or len(returned) != 2:
        raise InputError(f"draft returned a {type(returned).__name__} (it returns the drafts and the q that it claims)")
    drafts = tokens_of("draft returned", returned[0], (len(base), count), meaning)
    if drafts.size and not (0 <= drafts.min() and drafts.max() < vocab):
        raise InputError(f"draft returned token {drafts.min() if drafts.min() < 0 else drafts.max()} (tokens are 0 to "
                         f"{vocab - 1})")
    claimed = real_array("the q that draft claims", returned[1])
    wanted = (len(base), count, vocab)
    if claimed.shape != wanted:
        raise InputError(f"the q that draft claims has shape {list(claimed.shape)}, not {list(wanted)} (a row for each "
                         "draft)")
    distributions("the q that draft claims", claimed, ("round", "draft", "token"))
    return drafts, claimed.copy()


def distributions(name: str, rows: np.ndarray, places: Sequence[str]) -> None:
    """Refuses what is none, in the precision that it has. places: what its axes count."""
    import numpy as np

    no_probability = ~np.isfinite(rows) | (rows < 0)
    no_sum = abs(rows.astype(float).sum(-1) - 1) > (tolerance(rows) or SINGLE)
    for wrong, why in ((no_probability, "a probability is a number from 0 to 1"),
                       (no_sum, "a distribution sums to 1; are these logits?")):
        for place in np.argwhere(wrong)[:1]:
            found, at = rows[tuple(place)], ", ".join([name, *(f"{what} {i}" for what, i in zip(places, place))])
            raise InputError(f"{at} is {found:g} ({why})" if found.ndim == 0 else f"{at} sums to {found.astype(float).sum():g} ({why})")
