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
class Truncation(Result):
    """How the sampling that wrote the text cut the target's distribution."""

    top_k: int  #: The k most likely tokens; 0: all.
    top_p: float  #: The most likely tokens until they hold this mass.


@dataclass(frozen=True)
class Sampling(Result):
    """How a row of logits became a distribution."""

    temperature: float
    top_k: int  #: 0: all.
    top_p: float
    min_p: float
    order: str  #: Whose order of temperature and truncations.


@dataclass(frozen=True)
class SamplingOfBoth(Result):
    """How rows of logits became distributions; None for columns, which are taken as they are."""

    target: Sampling | None
    draft: Sampling | None


@dataclass(frozen=True)
class AlphaBounds(Result):
    """α, where β is not known but bounded."""

    low: float
    high: float
    mean_low: float  #: Mean of the lower bound of β.
    mean_high: float  #: Mean of its upper bound.


@dataclass(frozen=True)
class CostPoint(Result):
    """A pass over several tokens."""

    tokens: int
    time: float  #: Over that of one token.


@dataclass(frozen=True)
class GivenCosts(Result):
    """What a round takes, as costs say it."""

    draft: float  #: c, a step of the draft model.
    verify: Rows[CostPoint]  #: v(n), a pass of the target over n tokens; empty: 1.
    overhead: float  #: o, what a round costs beside its passes.
    extra_draft_passes: int  #: Passes of the draft model in a round beside its drafts, over all that is verified.
    draft_curve: Rows[CostPoint]  #: w(n), of these passes; empty: 1.
    given: bool  #: False: no option says anything of costs, so that no speed-up is given.


@dataclass(frozen=True)
class Bounds(Result):
    """Between two estimates, with the interval that both make."""

    low: float
    high: float


@dataclass(frozen=True)
class TokensPerRound(Result):
    """Tokens per round at one γ, by each estimator that the recording allows, and the speed-up at the costs given."""

    gamma: int  #: Drafts a round.
    #: By the papers' Eq. (1) at the α that was measured, acceptances independent of each other; None where the text does not say.
    iid: Interval | None
    #: By an average over all places where a round might start; None where the text does not say.
    survival: Interval | None
    #: By the token rule along the text, a sum over all that can happen, exactly; None where the text does not say.
    replay: Interval | None
    replay_block: Interval | None  #: By block verification along the text, exactly; None where the text does not say.
    #: By the token rule along the text by tosses of coins; None where the text does not say.
    simulated: Interval | None
    #: By drafts of argmax q, which are kept where the text has the same token; None where the text does not say.
    replay_argmax: Interval | None
    bootstrap: dict[str, list[float]]  #: Percentile intervals by estimator, beside those by the delta method.
    iid_bounds: Bounds | None  #: Of Eq. (1), where β is not known but bounded.
    speedup: Interval | None  #: None where no costs are given, and of a rejected text.
    break_even_cost: Interval | None  #: The cost of a draft step below which drafting gains; None where no cost gains.
    round_cost: float  #: Time of a round, in steps of decoding without drafts.
    verify_extrapolated: bool  #: Whether the time of a pass over γ + 1 tokens is a guess beyond what was measured.


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


@dataclass(frozen=True)
class TimeSplit(Result):
    """What a round's time is spent on, as shares."""

    draft: float
    target: float
    overhead: float


@dataclass(frozen=True)
class Influence(Result):
    """The text without which α would change most."""

    text: str  #: Its name, or its number from 1.
    alpha_without: float  #: α of the other texts.
    outlier: bool  #: Whether it is unlike the others, by Grubbs' test at 1 %.


@dataclass(frozen=True)
class Drift(Result):
    """A sum along the text that drifts nowhere where the target wrote it."""

    name: str  #: lean: a − β; surprisal: −ln p − H(p); top: 1[x = argmax p] − max p.
    mean: float  #: Per token.
    error: float  #: Standard error of the mean.
    z: float  #: Mean over error.


@dataclass(frozen=True)
class TextCheck(Result):
    """Could the target have written the text? Bets on three sums reject it, and tokens of probability 0."""

    rejected: bool  #: Whether a test rejects the text, or one of its tokens has probability 0.
    refuted: bool  #: The older name of rejected.
    cause: str | None  #: What may have gone wrong, where the text is rejected.
    false_alarm: float  #: Of all tests together.
    impossible_tokens: int  #: Tokens of the text that have probability 0 under p.
    lean: float | None  #: z of a − β, to look at; None: it cannot be known.
    surprisal: float | None  #: z of −ln p − H(p).
    top: float | None  #: z of 1[x = argmax p] − max p.
    #: ln of the odds that q, or a mixture of p and q, wrote the text rather than p: x or more with probability e^−x at most; None: none.
    draft_log_odds: float | None
    log_odds: float | None  #: The older name of draft_log_odds.
    #: The same odds for tokens drawn evenly from 2^20: p finds the text far too unlikely.
    uniform_log_odds: float | None
    #: The same odds for another temperature or a truncation, by full rows; None without them.
    row_log_odds: float | None
    row_tokens: int | None  #: How many tokens these rows are of.
    #: Whether a text of another temperature could be told: log p and log q alone do not show it.
    sees_temperature: bool
    #: The sampling that the recording says wrote the text, such as T = 1, where another one is measured; None: what is measured.
    checked_at: str | None
    checks: Rows[Drift]  #: The sums that can be known, with what their z is made of.


@dataclass(frozen=True)
class Measurement(Result):
    """What a recording says. Nothing is to be used of one that is not `usable`: the target did not write its text."""

    name: str
    format: str
    texts: int
    tokens: int
    temperature_of_text: float | None  #: Of the sampling that wrote the text; None where it is not known.
    truncation_of_text: Truncation
    fold: SamplingOfBoth
    policy: str  #: Whether the text is a sample of the target's distribution as it is measured.
    #: False where the text is rejected: best γ and speed-up are None, and nothing along the text is to be used.
    usable: bool
    alpha: Interval | None  #: The acceptance rate; None where the recording does not say it.
    alpha_estimator: str | None  #: What it is the mean of.
    alpha_bounds: AlphaBounds | None  #: Where β is not known but bounded.
    mean_a: Interval | None  #: Mean of min(1, q/p) at the text's tokens.
    costs: GivenCosts
    estimator: str  #: Of speedup, break_even_cost and best_gamma; `draftgauge list estimators` explains it.
    tokens_per_round: Rows[TokensPerRound]
    best_gamma: int | None  #: 0: plain decoding is fastest; None where no costs are given, and of a rejected text.
    best_speedup: float | None  #: Speed-up there.
    dependence: Dependence
    notes: list[str]
    cost_notes: list[str]  #: What to know of the costs.
    best_gamma_wins: dict[str, float] | None  #: Share of the resamples in which each γ is best.
    #: The γ that the texts do not show to be worse than the best, which is one of them with the confidence of the intervals. Empty below two texts.
    confidence_set: list[int] | None
    #: What best_gamma is expected to lose to the truly best γ, as a share of its speed-up.
    expected_regret: float | None
    time_split: TimeSplit | None  #: None of plain decoding.
    #: Over parts: one text that is long enough, whose parts stand for texts; inconclusive: one that is not.
    intervals: str
    #: The text without which α would change most; None below three texts and where α is not known.
    influence: Influence | None
    rounds_unknown: str | None  #: Why no estimator says tokens per round.
    text_check: TextCheck
    means: dict[str, Interval]  #: Over all tokens, of what the recording says of each.
