"""A target with a memory as tables: what processors make of p, for each state that histories can be in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import InputError, UsageError, VerifierError

if TYPE_CHECKING:
    import numpy as np

Processors = Callable[[tuple[int, ...], "np.ndarray"], Any]
#: States that are told apart at most: each is a row of p for every token before.
MOST_STATES = 4096
#: Distributions of texts that are kept, by their tables.
MOST_KNOWN = 8
_KNOWN: dict[tuple[Any, ...], list[Any]] = {}


class MemoryTables:
    """The pair's Markov contexts, each in every state of the memory. Two histories are one state where all that follows them within the
    tokens that are judged has the same rows, so that the target's texts are exact."""

    def __init__(self, processors: Processors, p: np.ndarray, q: np.ndarray, tokens: int, longest: int):
        """longest: tokens that a wrong engine feeds its state at most."""
        self.processors, self.p, self.q, self.tokens = processors, p, q, tokens
        self.vocab = len(p)
        end = getattr(processors, "end", None)
        if end is not None and not 0 <= end < self.vocab:
            raise UsageError(f"processors.end is {end} (tokens are 0 to {self.vocab - 1}); give a larger vocab")
        self.end: int | None = end
        self.histories: list[tuple[int, ...]] = []
        self._states: dict[bytes, int] = {}
        self._find(longest)

    def row(self, history: tuple[int, ...], weights: np.ndarray) -> np.ndarray:
        """What p becomes after a history, as weights; zeros where nothing may follow."""
        import numpy as np

        try:
            found = np.asarray(self.processors(history, weights.copy()), float)
        except Exception as problem:
            raise VerifierError(f"processors raised {type(problem).__name__}: {problem} (after the tokens {list(history)})") from problem
        if found.shape != weights.shape or not (np.isfinite(found).all() and (found >= 0).all()):
            raise InputError(f"processors returned {found.tolist()} after the tokens {list(history)} (it returns a weight from 0 on for "
                             f"each of {self.vocab} tokens)")
        return found

    def _signature(self, history: tuple[int, ...]) -> bytes:
        import numpy as np

        rows = [self.row(history, weights) for weights in self.p]
        for length in range(1, self.tokens):
            rows += [self.row(history + after, self.p[after[-1]]) for after in product(range(self.vocab), repeat=length)]
        return np.round(np.array(rows), 12).tobytes()

    def _state_of(self, history: tuple[int, ...]) -> int:
        state = self._states.setdefault(self._signature(history), len(self.histories))
        if state == len(self.histories):
            if state >= MOST_STATES:
                raise UsageError(f"processors tell more than {MOST_STATES} histories apart (each is a state); give a smaller gamma, vocab "
                                 "or tokens_per_text")
            self.histories.append(history)
        return state

    def _find(self, longest: int) -> None:
        self.next: list[list[int]] = []
        self._state_of(())
        for state, history in enumerate(self.histories):  # which grows
            grows = len(history) < longest
            self.next.append([self._state_of((*history, x)) if grows else state for x in range(self.vocab)])

    def laws(self, rules: Sequence[str], gamma: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """The distribution of texts, a digit for the start and one for each token: the target's, and what rules write. Those of the last
        tables are kept: an audit follows its plan."""
        import numpy as np

        arrays = self._rows()
        key = (gamma, self.tokens, *(one.tobytes() for one in arrays))
        if key not in _KNOWN:
            while len(_KNOWN) >= MOST_KNOWN:
                del _KNOWN[next(iter(_KNOWN))]
            pair = _core.memory_tables(*arrays, len(self.histories) + 1, self.tokens)
            _KNOWN[key] = [np.asarray(_core.text_law(pair, rule, gamma, self.tokens, self.vocab)) for rule in (None, *rules)]
        target, *others = _KNOWN[key]
        return target, dict(zip(rules, others))

    def _rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The last state of each context is without memory; behind the end of a text nothing but the end follows."""
        import numpy as np

        states = len(self.histories) + 1
        p, q, then = [], [], []
        contexts = self.vocab + (self.end is not None)
        for context, state in product(range(contexts), range(states)):
            if context == self.vocab:
                p.append(np.eye(self.vocab)[self.end])
                q.append(p[-1])
            else:
                row = self.p[context] if state + 1 == states else self.row(self.histories[state], self.p[context])
                p.append(row if row.sum() > 0 else self.p[context])  # which no text reaches: see `check`
                q.append(self.q[context])
            for x in range(self.vocab):
                to = self.vocab if context == self.vocab or x == self.end else x
                then.append(to * states + (state if state + 1 == states else self.next[state][x]))
        return np.array(p), np.array(q), np.array(then)

    def check(self) -> None:
        """Refuses processors that leave a text without a token to go on with."""
        seen: set[tuple[int, ...]] = set()
        open_: list[tuple[int, ...]] = [()]
        while open_:
            history = open_.pop()
            if self.end in history or len(history) >= self.tokens:
                continue
            for weights in [self.p[history[-1]]] if history else self.p:
                row = self.row(history, weights)
                if row.sum() == 0:
                    raise InputError(f"processors exclude all tokens after {list(history)} (one has to follow); name the token that ends "
                                     "a text as processors.end")
                for x in row.nonzero()[0].tolist():
                    if (*history, x) not in seen:
                        seen.add((*history, x))
                        open_.append((*history, x))
