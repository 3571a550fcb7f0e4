"""Made of what analysis/report describes (`make docs`). Not to be changed by hand."""

from __future__ import annotations

from dataclasses import dataclass

from ._results import Interval, Result, Rows, renamed


@dataclass(frozen=True)
class GammaRow(Result):
    """A draft length and what it gives."""

    gamma: int  #: Drafts a round; 0 is decoding without drafts.
    mean_tokens: float  #: Expected tokens per round.
    round_cost: float  #: Time of a round, in steps of decoding without drafts.
    operations: float  #: Arithmetic operations per token, over those of decoding without drafts.
    speedup: Interval  #: Speed-up over decoding without drafts.
    lead: Interval | None  #: Speed-up of the best draft length less the speed-up here.
    wins: float | None  #: Share of resamples in which this draft length is the best.
    may_be_best: bool | None  #: Whether it is in the confidence set.
    truncated: bool | None  #: Of counts: whether it is estimated from longer rounds, cut short, and so has no interval.
    verify_extrapolated: bool  #: Whether the time of a pass over γ + 1 tokens is a guess beyond what was measured.

    tokens = renamed("tokens", "mean_tokens")
    time = renamed("time", "round_cost")
    less_than_best = renamed("less_than_best", "lead")


@dataclass(frozen=True)
class GammaChoice(Result):
    """Which draft length to set."""

    alarms: list[str]  #: Bad news, to be read first: drafts that are broken, or slower than decoding without them.
    best_gamma: int | None  #: Draft length of the greatest speed-up.
    best_speedup: float  #: Speed-up there.
    #: Draft lengths that the data do not show to be worse than the best; None where they do not say.
    confidence_set: list[int] | None
    #: What the best is expected to lose to the others of the set, as a share of the speed-up.
    expected_regret: float | None
    curve: Rows[GammaRow]  #: Every draft length that was asked about.

    rows = renamed("rows", "curve")


@dataclass(frozen=True)
class BreakEven(Result):
    """Where the speed-up is 1."""

    alpha: float | None  #: Drafting gains above this acceptance rate; None where no rate gains.
    cost: float  #: Drafting gains below this cost of a draft step.


@dataclass(frozen=True)
class Theory(Result):
    """The papers' formulas, where each draft is accepted independently with probability α (Leviathan et al. 2023)."""

    alpha: float  #: The acceptance rate.
    gamma: int  #: Drafts a round.
    acceptance: float  #: P(τ ≥ 1).
    mean_accepted: float  #: E[τ], expected accepted drafts per round.
    mean_tokens: float  #: E[N], expected tokens per round: Eq. (1).
    variance_tokens: float  #: Var[N], of tokens per round.
    speedup: float  #: Speed-up over decoding without drafts: Theorem 3.8.
    operations: float  #: Arithmetic operations per token, over those of decoding without drafts: Theorem 3.11.
    memory_reads: float  #: 1 / E[N], the target's memory reads per token.
    #: Draft length of the greatest speed-up at this acceptance rate; None where it is unbounded.
    best_gamma: int | None
    best_speedup: float  #: Speed-up there.
    break_even: BreakEven
    bonus: bool  #: Whether a round that accepts all drafts gains a token.

    break_even_alpha = renamed("break_even_alpha", "break_even.alpha")
    break_even_cost = renamed("break_even_cost", "break_even.cost")


@dataclass(frozen=True)
class Autocorrelation(Result):
    """Of a number of each token with that of the token `lag` later."""

    lag: int  #: In tokens.
    correlation: Interval


@dataclass(frozen=True)
class Autocorrelations(Result):
    """Along the text; empty where unknown or constant."""

    beta: Rows[Autocorrelation]  #: Of β, the acceptance rate of each context.
    a: Rows[Autocorrelation]  #: Of a, the acceptance probability of each token.


@dataclass(frozen=True)
class Survival(Result):
    """The draft at one position of a round that starts anywhere in the text."""

    position: int  #: Its number, from 1.
    survival: Interval  #: How often it and all before it are accepted.
    geometric: Interval  #: α to the power of the position.
    excess: Interval  #: Survival less that power.
    conditional: Interval  #: How often it is accepted if all before it were.


@dataclass(frozen=True)
class Gap(Result):
    """What Eq. (1) has over the text's tokens per round: difference = runs + starts + ends."""

    gamma: int  #: Drafts a round.
    difference: Interval  #: In tokens per round.
    relative: Interval  #: Over the text's tokens per round.
    runs: Interval  #: Because acceptances come in runs: below 0 where they do. Of rounds that start anywhere.
    starts: Interval  #: Because rounds start where another ended, often behind a rejection.
    ends: Interval  #: Because a text's end cuts its last round short.


@dataclass(frozen=True)
class Dependence(Result):
    """How far acceptances along the text are from the independent ones of Eq. (1)."""

    autocorrelation: Autocorrelations
    positions: Rows[Survival]
    eq1_minus_replay: Rows[Gap]
    sentence: str  #: In words, at the largest draft length.
