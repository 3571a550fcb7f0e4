"""Does an engine keep the state of its processors through the rounds? Its texts are held against those that right states give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from . import _core
from ._audit_plan import Counterexample, Fault, Plan
from ._batch import Batch, call, tokens_of
from ._errors import InputError, UsageError
from ._fields import progress as progress_of, share, whole
from ._memory import MemoryTables, Processors
from ._pair_tables import laws as laws_of
from ._results import Result, Rows

if TYPE_CHECKING:
    import numpy as np

#: Our engines with a wrong state, and which texts a right one may be suspected of.
ENGINES = ("state-frozen", "state-late", "state-bonus-only", "state-lost", "state-last-only", "state-of-drafts", "state-of-rejected",
           "past-the-end")
#: One draft a round, where most faults show at once, and three, where those do that need longer rounds.
GAMMAS = (1, 3)
TV = .05
MOST_TEXTS = 10**8
#: p-value from which on texts may well be those of a faulty engine.
FITS = 1e-3
#: TV below which two engines write the same.
SAME = 1e-9


@dataclass(frozen=True)
class HistoryAudit(Result):
    """What an audit of an engine with processors found. `verdict` says it in a sentence."""

    lossless: bool | None  #: None: too little was played to say
    verdict: str
    p_value: float  #: of the texts having the processed target's distribution (G test)
    tv_at_most: float  #: at confidence plan.power
    tv_at_least: float  #: at confidence 1 − plan.false_alarm
    detectable: float | None  #: the TV that so many texts find with plan.power
    nearest: str | None  #: our engine with a wrong state that writes such texts; None where none does
    nearest_p_value: float | None
    not_excluded: list[str]  #: others of ours that so many texts do not tell from it
    counterexample: Counterexample | None
    texts: int
    tokens_per_text: int
    gamma: int
    vocab: int
    seed: int
    plan: Plan
    _long = ("plan",)

    def __str__(self) -> str:
        return self.verdict


class HistoryTrial:
    """Texts of an engine at one draft length. Its plan is known before the engine is called."""

    def __init__(self, verifier: Any, processors: Processors, gamma: int, vocab: int, seed: int, laws: Any, tokens: Any, tv: float | None,
                 false_alarm: float, power: float, timeout: float | None):
        if not callable(processors):
            raise UsageError(f"processors is a {type(processors).__name__} (it is a function of a history and weights)")
        self.whole = getattr(verifier, "drafts_itself", False) is True
        if self.whole and laws is None:
            laws = verifier.laws
        self.verifier, self.gamma, self.seed, self.timeout = verifier, whole("gamma", gamma, 1, 8), seed, timeout
        self.laws = _core.verifier_pair(whole("vocab", vocab, 2, 64), seed) if laws is None else laws_of(laws)
        if self.laws.contexts != "Markov pair":
            raise UsageError(f"laws is of {self.laws.contexts} and no Markov pair (a row of a wrong context would not be seen)")
        self.vocab = self.laws.vocab
        self.p, self.q = self.laws.p, self.laws.q
        self.tokens = whole("tokens_per_text", getattr(processors, "tokens", 4) if tokens is None else tokens, 2, 16)
        if self.vocab ** (self.tokens + 1) > 1 << 22:
            raise UsageError(f"vocab {self.vocab} with tokens_per_text {self.tokens} has more than 2^22 texts to count; give fewer of either")
        self.tv = TV if tv is None else share("tv", tv)
        self.false_alarm, self.power = share("false_alarm", false_alarm), share("power", power)
        longest = (self.tokens - 1) * (self.gamma + 1) + self.gamma
        tables = MemoryTables(processors, self.p, self.q, self.tokens, longest)
        tables.check()
        self.end = tables.end
        self.target, self.engines = tables.laws([f"faulty/{name}" for name in ENGINES], self.gamma)
        self.plan = self._plan()

    def _plan(self) -> Plan:
        summaries: dict[str, str] = {rule["name"]: rule["summary"] for rule in _core.rules()}
        faults = []
        for name, law in self.engines.items():
            tv = float(abs(law - self.target).sum() / 2)
            rounds: Any = None if tv < SAME else _core.texts_to_find(self.target, law, self.false_alarm, self.power)
            faults.append(Fault(rule=name, summary=summaries[name], tv=tv if tv >= SAME else 0., rounds=rounds))
        find, certify = _core.texts_to_show(self.target, self.tv, self.false_alarm, self.power)
        return Plan(tv=self.tv, false_alarm=self.false_alarm, power=self.power, rounds=find, rounds_to_certify=certify,
                    faults=Rows(faults))

    def audited(self, texts: int | None, at_once: int, progress: Any) -> HistoryAudit:
        import numpy as np

        playing = self.plan.rounds if texts is None else texts
        if playing is None or playing > MOST_TEXTS:
            raise UsageError(f"tv {self.tv:g} takes more texts than can be played; give a larger tv, or rounds")
        counts = np.zeros((2, self.vocab ** (self.tokens + 1)), np.int64)
        told = progress_of(progress)
        own = getattr(self.verifier, "batch", None)
        at_once = min(at_once, own) if isinstance(own, int) and own > 0 else at_once
        played = 0
        for number, begin in enumerate(range(0, playing, at_once)):
            rng = np.random.default_rng([self.seed, self.gamma, number])
            size = min(at_once, playing - begin)
            cells = self._played(np.arange(begin, begin + size), rng)
            for half in (0, 1):
                np.add.at(counts[half], cells[np.arange(begin, begin + size) % 2 == half], 1)
            played = begin + size
            if told is not None and told(played) is False:
                break
        return self._judged(counts, played)

    def _played(self, texts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """The number of each text: its start and its tokens as digits."""
        import numpy as np

        starts = rng.integers(self.vocab, size=len(texts))
        histories: list[tuple[int, ...]] = [()] * len(texts)
        for turn in range(1 if self.whole else self.tokens):
            for row, tokens in enumerate(self._round(texts, starts, histories, turn, rng)):
                histories[row] += tokens
        cells = starts
        for place in range(self.tokens):
            cells = cells * self.vocab + np.array([history[place] for history in histories])
        return cells

    def _round(self, texts: np.ndarray, starts: np.ndarray, histories: list[tuple[int, ...]], turn: int,
               rng: np.random.Generator) -> Iterator[tuple[int, ...]]:
        import numpy as np

        gamma = self.tokens - 1 if self.whole else self.gamma
        before = np.empty((len(texts), gamma + 1), np.int64)
        before[:, 0] = [history[-1] if history else start for history, start in zip(histories, starts.tolist())]
        for place in range(gamma):
            sums = self.q[before[:, place]].cumsum(1)
            before[:, place + 1] = (sums <= rng.random((len(texts), 1)) * sums[:, -1:]).sum(1)
        emitted = np.array([len(history) for history in histories])
        batch = Batch(p=self.p[before], q=self.q[before[:, :-1]], drafts=before[:, 1:].copy(), base=before[:, 0].copy(),
                      ids=texts * self.tokens + turn, rng=rng, texts=texts.copy(), positions=emitted[:, None] + np.arange(1, gamma + 2),
                      seed=self.seed, histories=list(histories))
        where = f"(texts {texts[0]} to {texts[-1]}, round {turn}, seed {self.seed})"
        returned = tokens_of("the verifier returned", call("the verifier", self.verifier, (batch,), where, self.timeout),
                             (len(texts), gamma + 1), "γ + 1 tokens a round, -1 after its end")
        for text, row in zip(texts.tolist(), returned.tolist()):
            length = row.index(-1) if -1 in row else len(row)
            tokens = tuple(row[:length])
            if not tokens or any(not 0 <= x < self.vocab for x in tokens) or any(x != -1 for x in row[length:]):
                raise InputError(f"text {text}, round {turn}: the verifier returned {row} (one token or more from 0 to {self.vocab - 1}, "
                                 "then -1)")
            if self.whole and length < self.tokens:
                if self.end is None or tokens[-1] != self.end:
                    raise InputError(f"text {text}: the verifier wrote {length} tokens and {self.tokens} are judged")
                tokens += (self.end,) * (self.tokens - length)
            yield tokens

    def _judged(self, counts: np.ndarray, texts: int) -> HistoryAudit:
        found = _core.judge_texts(counts[0], counts[1], self.target, self.tv, self.false_alarm, self.power)
        both = counts.sum(0)
        shares = both / texts
        lossy = found["lossless"] is False
        fits = {}
        for name, law in self.engines.items():
            if lossy and (p_value := _core.fit_of_texts(both, law)) >= FITS:
                fits[name] = (float(abs(shares - law).sum() / 2), p_value)
        nearest = min(fits, key=lambda name: fits[name][0], default=None)
        audit = HistoryAudit(verdict="", nearest=nearest, nearest_p_value=fits[nearest][1] if nearest else None,
                             not_excluded=[name for name in fits if name != nearest], counterexample=self._most_unlike(both) if lossy else None, texts=texts, tokens_per_text=self.tokens,
                             gamma=self.gamma, vocab=self.vocab, seed=self.seed, plan=self.plan, **found)
        return replace(audit, verdict=_sentence(audit))

    def _most_unlike(self, counts: np.ndarray) -> Counterexample:
        """The beginning of texts that came most unlike the target says; the shorter where two say as much."""
        import numpy as np

        texts, law = counts.sum(), self.target
        worst: Counterexample | None = None
        for length in range(self.tokens, 0, -1):
            expected = texts * law
            with np.errstate(divide="ignore", invalid="ignore"):
                z = np.where(expected >= 5, (counts - expected) / np.sqrt(expected * (1 - law)), 0)
            z = np.where((law == 0) & (counts > 0), np.inf, z)
            cell = int(abs(z).argmax())
            if worst is None or abs(z[cell]) >= abs(worst.z or 0):
                start, *tokens = (int(x) for x in np.unravel_index(cell, (self.vocab,) * (length + 1)))
                worst = Counterexample(start, tuple(tokens), int(counts[cell]), float(expected[cell]), float(z[cell]))
            counts, law = (one.reshape(-1, self.vocab).sum(1) for one in (counts, law))
        assert worst is not None
        return worst


def _sentence(found: HistoryAudit) -> str:
    played = f"{found.texts:,} texts of {found.tokens_per_text} tokens, γ = {found.gamma}, seed {found.seed}"
    p_value = "p-value < 1e-10" if found.p_value < 1e-10 else f"p-value {found.p_value:.2g}"
    if found.lossless is None:
        finds = f"find a TV of {found.detectable:.2g}" if found.detectable else "find no TV"
        return f"too little evidence: {played} {finds}, and {found.plan.tv:g} was asked"
    if found.lossless:
        return f"lossless within TV {found.plan.tv:g}: TV ≤ {found.tv_at_most:.2g} at confidence {found.plan.power:g}, {p_value}, {played}"
    names = {fault.rule: fault.summary for fault in found.plan.faults}
    which = f"it writes what {found.nearest} does ({names[found.nearest]})" if found.nearest else "no engine of ours writes such texts"
    if found.not_excluded:
        which += f", or {', '.join(found.not_excluded)}"
    return f"not lossless: {p_value}, TV ≥ {found.tv_at_least:.2g}; {found.counterexample}; {which} ({played})"


def history_audit(verifier: Any, processors: Processors, gamma: int | None, vocab: int, rounds: Any, seed: int, *, laws: Any,
                  tokens: Any, tv: float | None, false_alarm: float, power: float, batch: int, timeout: float | None,
                  progress: Any) -> HistoryAudit:
    """At one draft length, or at each of GAMMAS, which share false alarm and doubt: the first lossy one, else the least sure."""
    if not callable(verifier):
        raise UsageError(f"verifier is a {type(verifier).__name__} (it is a function of a Batch)")
    texts = None if rounds is None else whole("rounds", rounds, 1)
    lengths = GAMMAS if gamma is None and not getattr(verifier, "drafts_itself", False) else (1 if gamma is None else gamma,)
    found = []
    for length in lengths:
        trial = HistoryTrial(verifier, processors, length, vocab, whole("seed", seed, 0, 2**63 - 1), laws, tokens, tv,
                             false_alarm / len(lengths), 1 - (1 - power) / len(lengths), timeout)
        found.append(trial.audited(texts, whole("batch", batch, 1, 1 << 20), progress))
        if found[-1].lossless is False:
            return found[-1]
    undecided = [one for one in found if one.lossless is None]
    return undecided[0] if undecided else max(found, key=lambda one: one.tv_at_most)


def history_plan(processors: Processors, gamma: int | None, vocab: int, seed: int, laws: Any, tokens: Any, tv: float | None,
                 false_alarm: float, power: float) -> Plan:
    """Of one draft length, 3 if not given."""
    return HistoryTrial(_nobody, processors, 3 if gamma is None else gamma, vocab, seed, laws, tokens, tv, false_alarm, power, None).plan


def _nobody(*_: Any) -> None:
    """Is planned for, and not called."""
