"""Rules written in Python: the same two questions as in C++, answered along every path in fractions, or by random bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ._errors import InputError, UsageError, VerifierError
from ._results import Interval, Result

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Step:
    """What a rule decides: `descend(i)`, or `emit(token)`."""

    number: int


def descend(candidate: int = 0) -> Step:
    """Accept this candidate, and go on below it."""
    return Step(candidate)


def emit(token: int) -> Step:
    """Emit this token, and end the round."""
    return Step(-1 - token)


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
        if not number >= 0:
            raise UsageError(f"{name} is {number} (it is 0 or more)")
        return str(number) if self._exactly else number


@lru_cache(maxsize=4096)
def _fractions(texts: tuple[str, ...]) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, texts))


def asked(rule: Callable[[Chance, Node], Step], exactly: bool) -> Callable[..., int]:
    """As the extension calls it."""

    def call(questions: Any, p: list[Any], q: list[Any], drafts: list[int]) -> int:
        node = Node(_fractions(tuple(p)), _fractions(tuple(q)), drafts) if exactly else Node(p, q, drafts)
        try:
            step = rule(Chance(questions, exactly), node)
        except UsageError:
            raise
        except Exception as problem:
            raise VerifierError(f"the rule raised {type(problem).__name__}: {problem}") from problem
        if not isinstance(step, Step):
            raise InputError(f"the rule returned {step!r} (it returns descend(candidate) or emit(token))")
        if step.number >= len(drafts):
            raise InputError(f"the rule returned descend({step.number}) (there are {len(drafts)} candidates)")
        if -1 - step.number >= len(p):
            raise InputError(f"the rule returned emit({-1 - step.number}) (tokens are 0 to {len(p) - 1})")
        return step.number

    return call


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

