"""The exact distribution of a verifier whose coins can be dictated. Given the drafts, each of their coins is compared with a threshold,
which is bisected; the thresholds make cells, in each of which the verifier emits one beginning; what follows it is bisected again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

#: Bisections end at this width: float32 coins hold no more.
WIDTH = 2.0**-24
#: The ends of what a coin may be. 0 itself is left out: of a float32 coin it is one value of 2^24.
LOW, HIGH = WIDTH / 4, 1 - WIDTH
#: Where the last coin is looked at first; what comes between two of them and is the same at both is not seen, but by `held`.
GRID = 17
#: So near a threshold, in widths, rounds with random coins say nothing of it.
NEAR = 4
#: Calls, where a batch holds them all: of the drafts' coins and of the last one a first look, and then one for each bit that is found.
BISECTING = 1 + 24 + 1 + 20
#: Of a race's weights, that are checked at once.
MOST_NUMBERS = 1 << 20

#: play(rows [N], coins [N, drafts + 1], race [N, V]) -> tokens [N, γ + 1]
Play = Callable[["np.ndarray", "np.ndarray", "np.ndarray"], "np.ndarray"]


class NoThresholds(Exception):
    """What the verifier emits is not decided by comparing each coin with one number."""


@dataclass(frozen=True)
class Outcomes:
    """All that a verifier emits: of which row, which tokens, with which probability given the row."""

    rows: np.ndarray  #: [N]
    tokens: np.ndarray  #: [N, γ + 1]
    probabilities: np.ndarray  #: [N]
    rounds: int  #: that were played


class Bisection:
    """rows: how many (start, drafts) there are; row i is drawn for the check with weight weights[i]. drafts: of a row, each with a coin;
    of a chain γ."""

    def __init__(self, play: Play, weights: np.ndarray, drafts: int, vocab: int, raced: Callable[[], bool]):
        self._play, self.weights, self.drafts, self.vocab, self.raced = play, weights, drafts, vocab, raced
        self.rounds = 0

    def outcomes(self, rng: np.random.Generator, checks: int) -> Outcomes:
        import numpy as np

        thresholds = self._thresholds()
        jobs, head_of_cell = self._cells(thresholds)
        steps = self._last(jobs)
        at_once = max(1, MOST_NUMBERS // self.vocab)
        for begin in range(0, checks, at_once):
            self._check(thresholds, head_of_cell, jobs, steps, rng, min(at_once, checks - begin))
        job, token = np.nonzero(steps.law > 0)
        tokens = jobs.heads[job].copy()
        tokens[np.arange(len(job)), (tokens >= 0).sum(1)] = token
        return Outcomes(jobs.rows[job], tokens, jobs.weights[job] * steps.law[job, token], self.rounds)

    def tokens(self, rows: np.ndarray, coins: np.ndarray, race: np.ndarray | None = None) -> np.ndarray:
        """[N, γ + 1]"""
        import numpy as np

        self.rounds += len(rows)
        return self._play(rows, coins, np.ones((len(rows), self.vocab)) if race is None else race)

    def parted(self, rows: np.ndarray, coins: np.ndarray, race: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The beginnings of rounds [N, γ + 1], −1 from the last token on, and the last tokens [N]."""
        import numpy as np

        tokens = self.tokens(rows, coins, race).copy()
        at = np.arange(len(rows)), (tokens >= 0).sum(1) - 1
        last = tokens[at]
        tokens[at] = -1
        return tokens, last

    def _thresholds(self) -> np.ndarray:
        """[rows, drafts] where each coin changes what is emitted; NaN where it does not."""
        import numpy as np

        count, sides = len(self.weights), 1 << self.drafts
        bits = np.arange(sides)[:, None] >> np.arange(self.drafts) & 1
        rows = np.repeat(np.arange(count), sides)
        emitted = self.tokens(rows, self._coins(np.tile(np.where(bits, HIGH, LOW), (count, 1)))).reshape(count, sides, -1)
        jobs = []  # (row, coin, side): the coin is seen when the others are on their sides
        for coin in range(self.drafts):
            low_sides = np.flatnonzero(bits[:, coin] == 0)
            seen = (emitted[:, low_sides] != emitted[:, low_sides | 1 << coin]).any(-1)
            row = np.flatnonzero(seen.any(1))
            jobs.append(np.stack([row, np.full(len(row), coin), low_sides[seen[row].argmax(1)]]))
        row, coin, side = np.concatenate(jobs, axis=1)
        below, above = emitted[row, side], emitted[row, side | 1 << coin]
        low, high = np.full(len(row), LOW), np.full(len(row), HIGH)
        coins = self._coins(np.where(bits[side], HIGH, LOW))
        while len(row) and (high - low).max() > WIDTH:
            middle = (low + high) / 2
            coins[np.arange(len(row)), coin] = middle
            found = self.tokens(row, coins)
            as_below = (found == below).all(1)
            if not (as_below | (found == above).all(1)).all():
                raise NoThresholds
            low, high = np.where(as_below, middle, low), np.where(as_below, high, middle)
        thresholds = np.full((count, self.drafts), np.nan)
        thresholds[row, coin] = (low + high) / 2
        return thresholds

    def _coins(self, accept: np.ndarray) -> np.ndarray:
        """With a last coin in the middle."""
        import numpy as np

        return np.concatenate([accept, np.full((len(accept), 1), .5)], axis=1)

    def _cells(self, thresholds: np.ndarray) -> tuple[Jobs, np.ndarray]:
        """Beginnings of rounds with their probabilities; and of which of them each cell [rows, 2^drafts] is."""
        import numpy as np

        count, sides = len(thresholds), 1 << self.drafts
        bits = np.arange(sides)[:, None] >> np.arange(self.drafts) & 1
        at = np.nan_to_num(thresholds, nan=1)[:, None, :]
        widths = np.where(bits, 1 - at, at)
        weights = widths.prod(-1).ravel()
        centres = np.where(bits, (1 + at) / 2, at / 2).reshape(-1, self.drafts)
        rows = np.repeat(np.arange(count), sides)
        cells = np.flatnonzero(weights)
        every = np.repeat(cells, GRID)
        coins = np.concatenate([centres[every], np.tile(np.linspace(LOW, HIGH, GRID), len(cells))[:, None]], axis=1)
        found, last = self.parted(rows[every], coins)
        heads = found.reshape(len(cells), GRID, -1)
        if (heads != heads[:, :1]).any():
            raise NoThresholds  # the last coin decides what is kept
        outcome = np.concatenate([rows[cells, None], heads[:, 0], last.reshape(len(cells), GRID)], axis=1)
        keys, job = np.unique(outcome, axis=0, return_inverse=True)
        job = job.ravel()
        order = np.lexsort((-weights[cells], job))
        widest = cells[order[np.unique(job[order], return_index=True)[1]]]
        job_of_cell = np.full(len(rows), -1)
        job_of_cell[cells] = job
        jobs = Jobs(keys[:, 0], keys[:, 1:-GRID], keys[:, -GRID:], np.bincount(job, weights[cells]), centres[widest])
        return jobs, job_of_cell.reshape(count, sides)

    def _last(self, jobs: Jobs) -> Steps:
        """The last token after each beginning, as a function of the last coin, or of a race."""
        import numpy as np

        count = len(jobs.rows)
        grid = np.linspace(LOW, HIGH, GRID)
        tokens = jobs.seen
        job, place = np.nonzero(tokens[:, 1:] != tokens[:, :-1])
        low, high = grid[place], grid[place + 1]
        below, above = tokens[job, place], tokens[job, place + 1]
        while len(job) and (high - low).max() > WIDTH:
            middle = (low + high) / 2
            found = self._last_tokens(jobs, job, middle)
            as_below, as_above = found == below, found == above
            third = np.flatnonzero(~as_below & ~as_above)  # one more step lies on either side
            if len(job) + len(third) > count * (GRID + self.vocab):
                raise NoThresholds  # it changes without end
            more = [job[third], middle[third], high[third], found[third], above[third]]
            low, high = np.where(as_below, middle, low), np.where(as_below, high, middle)
            above = np.where(as_below | as_above, above, found)
            job, low, high, below, above = map(np.concatenate, zip((job, low, high, below, above), more))
        at = (low + high) / 2
        law = np.zeros((count, self.vocab))
        np.add.at(law, (job, below), at)
        np.add.at(law, (job, above), -at)
        law[np.arange(count), tokens[:, -1]] += 1
        law[law < WIDTH / 4] = 0  # what adding and taking away leaves
        still = np.flatnonzero((tokens == tokens[:, :1]).all(1)) if self.raced() else np.zeros(0, int)
        law[still] = self._races(jobs, still)
        order = np.lexsort((at, job))
        return Steps(law, tokens[:, 0], job[order] + at[order], above[order], still)

    def _last_tokens(self, jobs: Jobs, job: np.ndarray, coin: np.ndarray, race: np.ndarray | None = None) -> np.ndarray:
        import numpy as np

        heads, last = self.parted(jobs.rows[job], np.concatenate([jobs.coins[job], coin[:, None]], axis=1), race)
        if (heads != jobs.heads[job]).any():
            raise NoThresholds  # the last coin decides what is kept
        return last

    def _races(self, jobs: Jobs, job: np.ndarray) -> np.ndarray:
        """[job, V] weights of which argmin race / weight is emitted: each in proportion to the greatest."""
        import numpy as np

        middle = np.full(len(job), .5)
        first = self._last_tokens(jobs, job, middle)
        law = np.zeros((len(job), self.vocab))
        law[np.arange(len(job)), first] = 1
        which, other = np.nonzero(law == 0)
        low, high = np.zeros(len(which)), np.ones(len(which))
        for _ in range(24):
            at = (low + high) / 2
            race = np.full((len(which), self.vocab), 1e30)
            race[np.arange(len(which)), first[which]] = 1
            race[np.arange(len(which)), other] = at
            wins = self._last_tokens(jobs, job[which], middle[which], race) == other
            low, high = np.where(wins, at, low), np.where(wins, high, at)
        law[which, other] = np.where(low > 0, (low + high) / 2, 0)
        found: np.ndarray = law / law.sum(1, keepdims=True)
        return found

    def _check(self, thresholds: np.ndarray, job_of_cell: np.ndarray, jobs: Jobs, steps: Steps, rng: np.random.Generator,
               checks: int) -> None:
        """Rounds with random coins are as the thresholds say, each."""
        import numpy as np

        rows = rng.choice(len(self.weights), checks, p=self.weights / self.weights.sum())
        coins, race = rng.random((checks, self.drafts + 1)), rng.exponential(size=(checks, self.vocab))
        at = thresholds[rows]
        sides = (coins[:, :-1] > at).astype(np.int64) @ (1 << np.arange(self.drafts))
        job = job_of_cell[rows, sides]
        key = job + coins[:, -1]
        step = np.searchsorted(steps.keys, key) - 1
        inside = (step >= 0) & (np.floor(steps.keys[step]) == job) if len(steps.keys) else np.zeros(checks, bool)
        last = np.where(inside, steps.above[step] if len(steps.keys) else 0, steps.first[job])
        raced = np.isin(job, steps.raced)
        near = (abs(coins[:, :-1] - at) < NEAR * WIDTH).any(1)  # too near to tell
        with np.errstate(divide="ignore", invalid="ignore"):
            times = race / steps.law[job]
            last = np.where(raced, times.argmin(1), last)
            off = NEAR * WIDTH / (steps.law[job] / steps.law[job].max(1, keepdims=True))  # of a weight, as a share of it
            first = np.take_along_axis(times * (1 + off), times.argmin(1)[:, None], axis=1)
            near |= raced & ((times * (1 - off) <= first).sum(1) > 1)
        for beside in (0, -1):
            if len(steps.keys):
                near |= abs(steps.keys[np.clip(step + 1 + beside, 0, len(steps.keys) - 1)] - key) < NEAR * WIDTH
        heads, found = self.parted(rows, coins, race)
        wrong = ((heads != jobs.heads[job]).any(1) | (found != last)) & ~near & (job >= 0)
        if wrong.any():
            raise NoThresholds


@dataclass(frozen=True)
class Jobs:
    """Beginnings of rounds: of which row, the tokens, their probability given the row, coins that lead to them."""

    rows: np.ndarray
    heads: np.ndarray
    seen: np.ndarray  #: [jobs, GRID] the last token at each place of the grid
    weights: np.ndarray
    coins: np.ndarray


@dataclass(frozen=True)
class Steps:
    """What the last token is: its law [job, V], what the lowest coin gives [job], and where it changes, job + coin, to what."""

    law: np.ndarray
    first: np.ndarray
    keys: np.ndarray
    above: np.ndarray
    raced: np.ndarray  #: jobs that a race decides
