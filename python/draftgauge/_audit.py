"""Does a verifier keep the target's distribution? It is played on known p and q and judged by what it emits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _core
from ._arrays import array, real_array
from ._errors import InputError, UsageError, VerifierError
from ._fields import choice, progress as progress_of, share, text, whole
from ._laws import laws as laws_of
from ._results import Interval, Result, Rows, interval

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Batch:
    """What a verifier is called with: rounds of γ drafts, each round for itself. Arrays are its own to write to."""

    p: np.ndarray  #: [B, γ + 1, V] the target's distribution at each place, given the drafts before it
    q: np.ndarray  #: [B, γ, V] the draft model's, as the drafter claims it
    drafts: np.ndarray  #: [B, γ] int64
    base: np.ndarray  #: [B] the token before the round
    ids: np.ndarray  #: [B] the round's number: no two are alike in an audit
    rng: np.random.Generator  #: seeded by the audit's seed and the batch


@dataclass(frozen=True)
class Fault(Result):
    """A faulty rule of ours, and after how many rounds an audit finds one like it with the power asked."""

    rule: str
    summary: str
    tv: float
    rounds: int | None


@dataclass(frozen=True)
class Plan(Result):
    """What how many rounds would say, before the first. `rounds` find any verifier at TV `tv` or more with this power. Before
    that `faults` are found, but those that are right on these p and q (None); `rounds_to_certify` prove TV ≤ `tv` of a lossless
    verifier, nine times in ten."""

    tv: float
    false_alarm: float
    power: float
    rounds: int | None
    rounds_to_certify: int | None
    faults: Rows[Fault]

    def to_pandas(self) -> Any:
        return self.faults.to_pandas()

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self.faults._repr_html_()

    _long = ("faults",)


@dataclass(frozen=True)
class Counterexample(Result):
    """The beginning of a text that came most unlike p says: after token `start` the `tokens` came `observed` times."""

    start: int
    tokens: tuple[int, ...]
    observed: int
    expected: float
    z: float

    def __str__(self) -> str:
        tokens = f"token {self.tokens[0]}" if len(self.tokens) == 1 else f"tokens {', '.join(map(str, self.tokens))}"
        said = "p excludes it" if self.expected == 0 else f"p says {self.expected:,.1f} ({self.z:+.1f} sd)"
        return f"after token {self.start}, {tokens} came {self.observed:,} times where {said}"


@dataclass(frozen=True)
class Audit(Result):
    """What an audit found. `verdict` says it in a sentence."""

    lossless: bool | None  #: True: within `plan.tv`; False; None: too little was played to say
    verdict: str
    p_value: float  #: of the texts having p's distribution (G test)
    tv_at_most: float  #: at confidence plan.power, for every verifier and every number of rounds
    tv_at_least: float  #: at confidence 1 − plan.false_alarm
    detectable: float | None  #: the TV that so many rounds find with plan.power
    mean_accepted: float  #: E[τ], drafts kept in a round
    accepted_interval: Interval | None
    expected_accepted: float  #: E[τ] of `rule`, exactly
    rule: str
    nearest: str | None  #: our rule whose exact distribution the rounds match best
    nearest_fits: bool | None  #: the rounds may well be that rule's; else it is only the nearest
    nearest_p_value: float | None  #: of the rounds having that rule's distribution
    nearest_tv: float | None  #: between the rounds and that rule's distribution; scatter where it is theirs
    nearest_same: list[str]  #: rules that emit the same here
    counterexample: Counterexample | None
    strayed: int  #: rounds that went on after a token which was not the draft
    rounds: int
    gamma: int
    vocab: int
    seed: int
    plan: Plan
    _long = ("plan",)

    def __str__(self) -> str:
        return self.verdict


class Trial:
    """An audit made ready: its plan is known before the verifier is called."""

    def __init__(self, verifier: Any, gamma: int, vocab: int, seed: int, laws: Any, draft: Any, rule: str, tv: float,
                 false_alarm: float, power: float, dtype: str):
        if not callable(verifier):
            raise UsageError(f"verifier is a {type(verifier).__name__} (it is a function of a Batch)")
        if draft is not None and not callable(draft):
            raise UsageError(f"draft is a {type(draft).__name__} (it is a function of q_rows, base, gamma, rng)")
        self.verifier = verifier
        self.gamma, self.seed = whole("gamma", gamma, 1, 64), whole("seed", seed, 0, 2**64 - 1)
        self.laws = _core.verifier_pair(whole("vocab", vocab, 2, 1024), self.seed) if laws is None else laws_of(laws)
        self.vocab = self.laws.vocab
        self.draft = draft
        self.dtype = choice("dtype", dtype, ("float64", "float32", "float16"))
        asked: dict[str, Any] = {"tv": share("tv", tv), "false_alarm": share("false_alarm", false_alarm), "power": share("power", power)}
        self.audit = _core.VerifierAudit(self.laws, self.gamma, self.seed, draft is None, **asked)
        found = self.audit.plan()
        self.plan = Plan(**asked, **{**found, "faults": Rows([Fault(**one) for one in found["faults"]])})
        self.rule = text("rule", rule)
        self.expected_accepted = _core.mean_accepted(self.laws, self.gamma, self.rule)

    def rounds(self, asked: Any) -> int:
        """How many will be played."""
        if asked is not None:
            return whole("rounds", asked, 1)
        if self.plan.rounds is None or self.plan.rounds > 1 << 48:
            raise UsageError(f"tv {self.plan.tv:g} takes more rounds than can be played give a larger tv, or rounds")
        return self.plan.rounds

    def result(self, rounds: Any, batch: Any, progress: Any) -> Audit:
        self._play(self.rounds(rounds), whole("batch", batch, 1, 2**31 - 1), progress_of(progress))
        found = self.audit.verdict()
        accepted, nearest, example = interval(found.pop("accepted")), found.pop("nearest"), found.pop("counterexample")
        result = {
            **found, "accepted_interval": accepted, "mean_accepted": found["mean_accepted"],
            "expected_accepted": self.expected_accepted, "rule": self.rule, "nearest": nearest and nearest[0],
            "nearest_p_value": nearest and nearest[1], "nearest_tv": nearest and nearest[2],
            "nearest_same": nearest[3] if nearest else [], "nearest_fits": nearest and nearest[4],
            "counterexample": Counterexample(example[0], tuple(example[1]), *example[2:]) if example else None,
            "gamma": self.gamma, "vocab": self.vocab, "seed": self.seed, "plan": self.plan}
        return Audit(verdict=_sentence(**result), **result)

    def _play(self, rounds: int, batch: int, progress: Any) -> None:
        import numpy as np

        p, q = self.laws.p.astype(self.dtype), self.laws.q.astype(self.dtype)
        for number_of_batch, begin in enumerate(range(0, rounds, batch)):
            end = min(begin + batch, rounds)
            base: Any = self.audit.starts(begin, end)
            drafts: Any
            rng = np.random.default_rng([self.seed, number_of_batch])
            where = f"(rounds {begin} to {end - 1}, seed {self.seed})"
            if self.draft is None:
                drafts = self.audit.drafts(begin, end)
                claimed = None
            else:
                drafts, claimed = self._drafted(q, base, rng, where)
            before = np.concatenate([base[:, None], drafts], axis=1)
            given = Batch(p=p[before], q=q[before[:, :-1]] if claimed is None else claimed, drafts=drafts.copy(),
                          base=base.copy(), ids=np.arange(begin, end), rng=rng)
            try:
                returned = self.verifier(given)
            except Exception as problem:
                raise VerifierError(f"the verifier raised {type(problem).__name__}: {problem} {where}") from problem
            tokens = _tokens("the verifier returned", returned, (end - begin, self.gamma + 1), "γ + 1 tokens a round, -1 "
                             "after its end")
            self.audit.add(begin, base, drafts, tokens)
            if progress is not None and progress(end) is False:
                return

    def _drafted(self, q: np.ndarray, base: np.ndarray, rng: np.random.Generator, where: str) -> tuple[Any, Any]:
        try:
            returned = self.draft(q.copy(), base.copy(), self.gamma, rng)
        except Exception as problem:
            raise VerifierError(f"draft raised {type(problem).__name__}: {problem} {where}") from problem
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise InputError(f"draft returned a {type(returned).__name__} (it returns the drafts and the q that it claims)")
        drafts = _tokens("draft returned", returned[0], (len(base), self.gamma), "γ drafts a round")
        if drafts.size and not (0 <= drafts.min() and drafts.max() < self.vocab):
            raise InputError(f"draft returned token {drafts.min() if drafts.min() < 0 else drafts.max()} (tokens are 0 to "
                             f"{self.vocab - 1})")
        claimed = real_array("the q that draft claims", returned[1])
        wanted = (len(base), self.gamma, self.vocab)
        if claimed.shape != wanted:
            raise InputError(f"the q that draft claims has shape {list(claimed.shape)}, not {list(wanted)} (a row for each "
                             "draft)")
        return drafts, claimed.copy()


def _tokens(who: str, returned: Any, shape: tuple[int, int], meaning: str) -> np.ndarray:
    import numpy as np

    if returned is None:
        raise InputError(f"{who} None ({meaning}) return an array of shape {list(shape)}")
    found = array(f"what {who}", returned)
    if found.dtype.kind not in "iu":
        raise InputError(f"{who} dtype {found.dtype} ({meaning}, all whole numbers)")
    if found.shape != shape:
        raise InputError(f"{who} shape {list(found.shape)}, not {list(shape)} ({meaning})")
    return np.ascontiguousarray(found, dtype=np.int64)


def plan(gamma: int = 2, vocab: int = 4, *, seed: int = 1, laws: Any = None, tv: float = .01, false_alarm: float = 1e-6,
         power: float = .99, drafts: bool = False) -> Plan:
    """How many rounds an audit needs, and each of our faulty rules. drafts: the drafter is audited too."""
    nobody = _nobody if drafts else None
    return Trial(_nobody, gamma, vocab, seed, laws, nobody, "token", tv, false_alarm, power, "float64").plan


def _nobody(*_: Any) -> None:
    """Is planned for, and not called."""


def audit(verifier: Callable[[Batch], Any], gamma: int = 2, vocab: int = 4, rounds: int | float | None = None,
          seed: int = 1, *, laws: Any = None, draft: Callable[..., Any] | None = None, rule: str = "token",
          tv: float = .01, false_alarm: float = 1e-6, power: float = .99, dtype: str = "float64", batch: int = 1 << 16,
          progress: Callable[[int], Any] | bool | None = None) -> Audit:
    """Plays a verifier on known p and q and judges whether what it emits is distributed as p says.

    verifier   called with a `Batch` of rounds, returns their tokens [B, γ + 1], −1 after a round's end
    rounds     to play; if not given as many as `plan` says
    laws       p and q, a Markov pair; if not given a pair drawn by `seed` whose probabilities are multiples of 1/256, so that
               all precisions hold them, some of them 0
    draft      the drafter, audited with the verifier: draft(q_rows [V, V], base [B], gamma, rng) returns drafts [B, γ] and the
               q [B, γ, V] that it claims to have drawn them from. If not given drafts are drawn from q
    rule       whose exact E[τ] is `expected_accepted`
    tv, false_alarm, power   a verifier at that distance is found with that power, a lossless one called lossy that rarely
    dtype      of p and q in a batch; `batch` is how many rounds one has
    """
    trial = Trial(verifier, gamma, vocab, seed, laws, draft, rule, tv, false_alarm, power, dtype)
    return trial.result(rounds, batch, progress)


def _sentence(lossless: bool | None, rounds: int, p_value: float, tv_at_most: float, tv_at_least: float,
              detectable: float | None, nearest: str | None, nearest_fits: bool | None, nearest_tv: float | None,
              counterexample: Counterexample | None, plan: Plan, seed: int, **_: Any) -> str:
    played = f"{rounds:,} rounds of seed {seed}"
    if lossless:
        return (f"lossless within TV {plan.tv:g}: TV ≤ {tv_at_most:.2g} at confidence {plan.power:g}, p-value "
                f"{p_value:.2g}, {played}")
    if lossless is None:
        finds = f"find a TV of {detectable:.2g}" if detectable else "find no TV at all"
        needed = f"{plan.rounds:,} are needed" if plan.rounds else "no number is enough"
        return f"too little evidence: {rounds:,} rounds {finds}, and {plan.tv:g} was asked ({needed})"
    impossible = counterexample is not None and counterexample.expected == 0
    why = "it emits what p excludes" if impossible else f"p-value {p_value:.1g}" if p_value else "p-value < 1e-300"
    words = f"not lossless: {why}, TV ≥ {tv_at_least:.2g}; {counterexample}"
    if nearest:
        words += f"; it emits what {nearest} does" if nearest_fits else (
            f"; no faulty rule of ours fits, the nearest rule is {nearest} at TV {nearest_tv:.2g}")
    return f"{words} ({played})"
