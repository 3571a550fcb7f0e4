"""PairTables that two rows of logits stand for, and what they say of each other. Natural logarithms, float64."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy

Array = numpy.ndarray[Any, Any]

# Of a row i of a text: what `compare` returns, in the order of the columns.
FIGURES = ["logp", "logq", "beta", "entropy_p", "kl_pq", "argmax_q_hit", "rank_q", "argmax_q", "p_dmax", "q_dmax",
           "argmax_p_hit", "max_p", "lower_q"]


@dataclasses.dataclass(frozen=True)
class Sampling:
    """How a law comes from logits: divided by the temperature, then cut to the top_k most likely, then to the fewest
    most likely that hold top_p of what is left (the order of Hugging Face's transformers). 0 and 1 cut nothing.

    At temperature 0 the text is that of the largest logits, and laws are those of temperature 1, uncut: what they say
    of one token would else be 0 or 1.

    The library's own truncation (sim/recordings/sampling_parameters.h), for programs that record where it is not compiled:
    test_recording.py holds the two equal.
    """

    temperature: float
    top_k: int = 0
    top_p: float = 1.0

    def law(self, logits: Array) -> Law:
        """logits [V], of which one at least is finite and none is NaN or +inf."""
        z = logits.astype(numpy.float64)
        if numpy.isnan(z).any() or not numpy.isfinite(z.max()):
            raise ValueError("logits that are not a number, or infinite")
        if self.temperature > 0:
            z /= self.temperature
            if 0 < self.top_k < z.size:
                z[z < numpy.partition(z, -self.top_k)[-self.top_k]] = -numpy.inf
            if self.top_p < 1:
                self._cut_to_mass(z)
        z -= z.max()
        weights = numpy.exp(z)
        total = weights.sum()
        return Law(weights / total, z - numpy.log(total))

    def _cut_to_mass(self, z: Array) -> None:
        order = numpy.argsort(-z, kind="stable")
        mass = numpy.cumsum(numpy.exp(z[order] - z[order[0]]))
        kept = int(numpy.searchsorted(mass, self.top_p * mass[-1])) + 1
        z[order[kept:]] = -numpy.inf

    def draw(self, law: Law, uniform: float) -> int:
        """A token: the most likely at temperature 0, else the one at which the summed probabilities pass `uniform`."""
        if self.temperature == 0:
            return law.best
        sums = numpy.cumsum(law.p)
        return min(int(numpy.searchsorted(sums, uniform * sums[-1], side="right")), int(law.p.nonzero()[0][-1]))


class Law:
    """Probabilities p [V] and their logarithms log [V]; best is the most likely token, of equal ones the smallest."""

    def __init__(self, p: Array, log: Array):
        self.p, self.log, self.best = p, log, int(log.argmax())
        self.support = p > 0 if p.min() == 0 else slice(None)

    def mean(self, values: Array) -> float:
        """Σ p(x) values[x] over the tokens that have a probability."""
        return float((self.p[self.support] * values[self.support]).sum())


def lower_q(p: Array, q: Array, token: int) -> float:
    """The q of all tokens whose p/q is lower, of equal ones those of lower p, of such those of greater number: what
    greedy multi-path block verification (arXiv 2602.16961) takes to know which of several paths is the best."""
    its, ours = p * q[token], p[token] * q
    same = 1e-12  # logits of few bits often have one ratio, and p and q are rounded
    lower, equal = its < ours * (1 - same), its <= ours * (1 + same)
    behind = (p < p[token]) | ((p == p[token]) & (numpy.arange(p.size) > token))
    return min(1.0, float(q[lower | (equal & behind)].sum()))


def compare(p: Law, q: Law, token: int, temperature: float) -> list[float]:
    """The FIGURES of one position; at temperature 0 `beta` says whether both laws have the same most likely token, and
    Σ min(p, q) at temperature 1 follows at the end."""
    overlap = min(1.0, float(numpy.minimum(p.p, q.p).sum()))  # but for rounding it is
    beta = overlap if temperature > 0 else float(p.best == q.best)
    figures = [p.log[token], q.log[token], beta, -p.mean(p.log), p.mean(p.log) - p.mean(q.log),
               q.best == token, 1 + (q.log > q.log[token]).sum(), q.best, p.p[q.best], q.p[q.best],
               p.best == token, p.p[p.best], lower_q(p.p, q.p, token)]
    return [float(figure) for figure in figures] + ([overlap] if temperature == 0 else [])
