"""What stands between a target's logits and its tokens and depends on the text: penalties, minimum lengths, grammars. For audits:

    draftgauge.audit(engine, processors=draftgauge.processors.penalties(frequency=.5))

Any function of (history, weights) will do: the tokens that the text has so far, and exp(logit) of each token as the target gives it. It
returns the weights that the next token is drawn by. Two attributes are looked for: `end`, a token behind which a text has ended, and
`tokens`, how many tokens of a text show an engine's wrong state (4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._errors import UsageError
from ._fields import number, whole

if TYPE_CHECKING:
    import numpy as np

__all__ = ["automaton", "min_length", "penalties"]


class penalties:
    """Frequency and presence penalties as APIs have them: a token's logit loses `presence` once it was emitted, and `frequency` each
    time. repetition: once it was emitted a positive logit is divided by it, and another multiplied."""

    def __init__(self, *, frequency: float = 0., presence: float = 0., repetition: float = 1.):
        self.frequency, self.presence = number("frequency", frequency), number("presence", presence)
        self.repetition = number("repetition", repetition, .01, 100)

    def __call__(self, history: Sequence[int], weights: np.ndarray) -> np.ndarray:
        found = weights.copy()
        for token in set(history):
            if found[token] > 0:
                logit = math.log(found[token])
                logit = logit / self.repetition if logit > 0 else logit * self.repetition
                found[token] = math.exp(logit - self.presence - self.frequency * history.count(token))
        return found


class min_length:
    """A text may end, by the token `end`, only when it has so many tokens."""

    def __init__(self, end: int, tokens: int):
        self.end, self.least = whole("end", end), whole("tokens", tokens, 0, 16)
        self.tokens = max(4, self.least + 2)  #: an end too soon or too late, and one that another token follows

    def __call__(self, history: Sequence[int], weights: np.ndarray) -> np.ndarray:
        found = weights.copy()
        if len(history) < self.least:
            found[self.end] = 0
        return found


class automaton:
    """A grammar over tokens: next[state][token] is the state that the token leads to, or None where it is not allowed. A token that is
    not allowed leaves the state as it is."""

    def __init__(self, next: Sequence[Sequence[int | None]], start: int = 0, end: int | None = None):
        self.next, self.start, self.end = [list(row) for row in next], whole("start", start), end
        if not self.next or any(len(row) != len(self.next[0]) for row in self.next):
            raise UsageError("next has states of different length (each lists every token)")
        for to in [self.start, *(to for row in self.next for to in row)]:
            if to is not None and whole("a state", to) >= len(self.next):
                raise UsageError(f"next has no state {to} (states are 0 to {len(self.next) - 1})")

    def state(self, history: Sequence[int]) -> int:
        state = self.start
        for token in history:
            to = self.next[state][token]
            state = state if to is None else to
        return state

    def __call__(self, history: Sequence[int], weights: np.ndarray) -> np.ndarray:
        found = weights.copy()
        for token, to in enumerate(self.next[self.state(history)]):
            if to is None:
                found[token] = 0
        return found
