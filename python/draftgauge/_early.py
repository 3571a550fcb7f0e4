"""A lossy verifier is known before all rounds are played, by bets against p that may be settled after any batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

#: Rounds of the first batch where bets are settled after each.
FIRST = 512
#: How much of its capital an account sets on its law; the rest stays on p.
STAKES = [2.**-i for i in range(8)]


def batches(rounds: int, batch: int, early: bool) -> Iterator[tuple[int, int]]:
    """Where each begins and ends: as large as all before it together, `batch` at most, if there is to be an early end."""
    begin = 0
    while begin < rounds:
        end = min(begin + (min(batch, max(FIRST, begin)) if early else batch), rounds)
        yield begin, end
        begin = end


def batch_count(rounds: int, batch: int, early: bool) -> int:
    """How many `batches` gives: too many to list, it may be."""
    count = begin = 0
    if early:  # those that grow are few
        for count, (_, begin) in enumerate(batches(rounds, batch, True), 1):
            if begin >= batch:
                break
    return count + -(-(rounds - begin) // batch)


class Bets:
    """Capital of 1, half of it set on the law that the batches before the last suggest, half on the laws of faulty rules.

    An account on a law r multiplies by 1 − λ + λ r(x)/p(x) for each text x, whose mean is at most 1 where texts have p's law, as r is
    known before the batch. So the capital is a nonnegative supermartingale: it ever reaches 1/ε with probability ε at most
    (Ville 1939), whenever one looks."""

    def __init__(self, p: Any, faults: list[Any]):
        import numpy as np

        self.p, self.faults = p, faults
        self.seen = np.zeros(len(p), np.int64)
        self.logs = np.zeros((1 + len(faults), len(STAKES)))  #: ln of each account's worth

    def look(self, counts: Any) -> float:
        """ln of the capital after so many of each text in all."""
        import numpy as np

        new = counts - self.seen
        came = np.flatnonzero(new)
        if (self.p[came] == 0).any():
            return float("inf")  # a lossless verifier never does
        p, times = self.p[came], new[came]
        stakes = np.array(STAKES)[:, None]
        with np.errstate(divide="ignore"):  # an account that is ruined
            for place, law in enumerate([self._suggested(came), *(fault[came] for fault in self.faults)]):
                self.logs[place] += np.log(1 - stakes + stakes * law / p) @ times
        self.seen = counts
        shares = np.full(len(self.logs), .5 / max(1, len(self.faults)))
        shares[0] = .5 if self.faults else 1
        most = self.logs.max()
        if not np.isfinite(most):
            return float("-inf")
        return float(most + np.log((np.exp(self.logs - most).mean(axis=1) * shares).sum()))

    def _suggested(self, came: np.ndarray) -> Any:
        """How often these came so far, with as many rounds of p's as there are texts."""
        prior = len(self.p)
        return (self.seen[came] + prior * self.p[came]) / (self.seen.sum() + prior)
