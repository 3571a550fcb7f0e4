"""Rules written in Python: the same two questions as in C++, answered along every path in fractions, or by random bits."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from ._errors import InputError, UsageError, VerifierError
from ._results import Interval, Result

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Step:
    """What a rule decides: `descend(i)`, or `emit(token)`."""

    number: int  #: of the candidate, or the token itself
    ends: bool  #: whether it is a token, which ends the round


def descend(candidate: int = 0) -> Step:
    """Accept this candidate, and go on below it."""
    return Step(candidate, ends=False)


def emit(token: int) -> Step:
    """Emit this token, and end the round."""
    return Step(token, ends=True)


@dataclass(frozen=True)
class Stop:
    """What a rule of a path decides: `stop(kept, token)`."""

    kept: int
    token: int


def stop(kept: int, token: int) -> Stop:
    """Keep the first so many drafts, and emit this token after them."""
    return Stop(kept, token)


Rule = TypeVar("Rule", bound=Callable[..., Any])


def path_rule(rule: Rule) -> Rule:
    """Marks a rule that looks at the whole chain of drafts: called with chance and a `Path`, it returns `stop(kept, token)`."""
    @functools.wraps(rule)
    def marked(*given: Any) -> Any:  # a bound method takes no mark
        return rule(*given)

    marked.of_path = True  # type: ignore[attr-defined]
    return marked  # type: ignore[return-value]


def of_path(rule: Callable[..., Any]) -> bool:
    return bool(getattr(rule, "of_path", False))


@dataclass(frozen=True)
class Path:
    """A chain of γ drafts as rules see it: fractions where a rule is enumerated, floats where it is simulated."""

    p: Sequence[Sequence[Any]]  #: [γ + 1] the target's distribution at each place, given the drafts before it
    q: Sequence[Sequence[Any]]  #: [γ] the draft model's
    drafts: Sequence[int]  #: [γ]


@dataclass(frozen=True)
class Node:
    """A place in the text as rules see it: fractions where a rule is enumerated, floats where it is simulated."""

    p: Sequence[Any]  #: the target's distribution
    q: Sequence[Any]  #: the draft model's
    drafts: Sequence[int]  #: the candidates for this place; none below the last draft, where the bonus token is due

    def residual(self) -> list[Any]:
        """(p − q)₊, not normalised."""
        return [max(p - q, 0) for p, q in zip(self.p, self.q)]


class Chance:
    """Randomness, asked by two questions only."""

    def __init__(self, asked: Any, exactly: bool):
        self._asked, self._exactly = asked, exactly

    def flip(self, num: Any, den: Any = 1) -> bool:
        """True with probability min(1, num/den)."""
        numbers = [self._number(f"{name} of chance.flip", one) for name, one in (("num", num), ("den", den))]
        return bool(self._open().flip(*numbers))

    def pick(self, weights: Sequence[Any]) -> int:
        """An index, with probability proportional to its weight."""
        found = [self._number(f"weight {i} of chance.pick", one) for i, one in enumerate(weights)]
        if not any(one not in (0, "0") for one in found):
            raise UsageError("chance.pick was given no weight above 0 (it picks in proportion to them)")
        if not self._exactly and sum(found) == math.inf:
            raise UsageError("chance.pick was given weights whose sum is infinite (it picks in proportion to them)")
        return int(self._open().pick(found))

    def _open(self) -> Any:
        if not self._asked.open:
            raise UsageError("chance is asked outside of its rule (it answers while the rule is called)")
        return self._asked

    def _number(self, name: str, value: Any) -> Any:
        try:
            number = (value if isinstance(value, Fraction) else Fraction(str(value))) if self._exactly else float(value)
        except (TypeError, ValueError):
            raise UsageError(f"{name} is {value!r} (it is a number)") from None
        if not 0 <= number < math.inf:
            raise UsageError(f"{name} is {number} (it is 0 or more, and finite)")
        return str(number) if self._exactly else number


@functools.lru_cache(maxsize=4096)
def _fractions(texts: tuple[str, ...]) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, texts))


def asked(rule: Callable[..., Any], exactly: bool) -> Callable[..., int]:
    """As the extension calls it."""
    whole = of_path(rule)

    def numbers(rows: list[Any]) -> Any:
        return _fractions(tuple(rows)) if exactly else rows

    def call(questions: Any, p: list[Any], q: list[Any], drafts: list[int]) -> int:
        place: Node | Path
        if whole:
            place = Path([numbers(row) for row in p], [numbers(row) for row in q], drafts)
        else:
            place = Node(numbers(p), numbers(q), drafts)
        try:
            decided = rule(Chance(questions, exactly), place)
        except UsageError:
            raise
        except Exception as problem:
            raise VerifierError(f"the rule raised {type(problem).__name__}: {problem}") from problem
        return _stopped(decided, len(drafts), len(p[0])) if whole else _stepped(decided, len(drafts), len(p))

    return call


def _whole(number: Any) -> bool:
    return hasattr(type(number), "__index__")


def _stepped(step: Any, candidates: int, vocab: int) -> int:
    if not isinstance(step, Step) or not _whole(step.number):
        raise InputError(f"the rule returned {step!r} (it returns descend(candidate) or emit(token), whole numbers)")
    if step.ends:
        if not 0 <= step.number < vocab:
            raise InputError(f"the rule returned emit({step.number}) (tokens are 0 to {vocab - 1})")
        return -1 - int(step.number)  # as the extension tells tokens from candidates
    if not 0 <= step.number < candidates:
        raise InputError(f"the rule returned descend({step.number}) (there are {candidates} candidates)")
    return int(step.number)


def _stopped(decided: Any, drafts: int, vocab: int) -> int:
    if not isinstance(decided, Stop) or not _whole(decided.kept) or not _whole(decided.token):
        raise InputError(f"the rule returned {decided!r} (a rule of a path returns stop(kept, token), whole numbers)")
    if not 0 <= decided.kept <= drafts:
        raise InputError(f"the rule returned stop({decided.kept}, …) (0 to {drafts} drafts can be kept)")
    if not 0 <= decided.token < vocab:
        raise InputError(f"the rule returned stop(…, {decided.token}) (tokens are 0 to {vocab - 1})")
    return int(decided.kept) * vocab + int(decided.token)


@dataclass(frozen=True)
class OwnSimulation(Result):
    """Rounds of a rule written in Python, each from any context, all equally likely."""

    source: str
    rule: str
    seed: int
    rounds: int
    tokens: int
    accepted_histogram: np.ndarray
    first_tokens: np.ndarray  #: [vocab] how often each token came first
    acceptance: Interval | None
    mean_accepted: Interval | None
    mean_tokens: Interval | None

    @property
    def accepted(self) -> np.ndarray:
        """[γ + 1] rounds by the number of accepted drafts."""
        return self.accepted_histogram


def refuse(**given: tuple[Any, Any]) -> None:
    """What a rule of one's own is not played with."""
    for name, (value, standard) in given.items():
        if value != standard:
            raise UsageError(f"{name} and a rule written in Python cannot be given together (it is played on drafts from q)")


def kind(rule: Callable[..., Any], candidates: Any) -> bool:
    """Whether it is a rule of a path, which takes one chain."""
    if of_path(rule) and candidates not in (None, 1):
        raise UsageError(f"candidates {candidates} and a rule of a path cannot be given together (it looks at one chain)")
    return of_path(rule)
