"""Does a verifier keep the target's distribution? It is played on known p and q and judged by what it emits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ._audit_plan import Counterexample, Fault, Plan
from ._batch import Batch
from ._chart import Chart
from ._errors import UsageError
from ._fields import named
from ._history import HistoryAudit, history_audit, history_plan
from ._results import Interval, Result, Rows, interval
from ._trial import Trial


@dataclass(frozen=True)
class Audit(Result):
    """What an audit found. `verdict` says it in a sentence."""

    #: True: one at the tv asked or more would have been called lossy with plan.power, or is proved to be nearer; False: its texts do not
    #: have p's distribution, by however little, wrongly with plan.false_alarm; None: too little was played to say
    lossless: bool | None
    verdict: str
    method: str  #: "coins": all of them were dictated; "sampling": it drew its own; "coins and sampling": both, one after the other
    p_value: float  #: of the texts having p's distribution (G test), where it drew its own; by coins alone 0 if they have not, else 1
    tv: float | None  #: of a round's text, as p goes on with it, from p's, by coins: of the thresholds that were found
    tv_at_most: float  #: of the verifier as a whole, at confidence plan.power, for every verifier and every number of rounds
    thresholds_tv_at_most: float | None  #: of what it does with coins that are dictated alone, `tv` and what that leaves open
    tv_at_least: float  #: at confidence 1 − plan.false_alarm; by coins of the thresholds that were found
    detectable: float | None  #: the TV that so many rounds find with plan.power; by coins what `tv` leaves open: thresholds_tv_at_most − tv
    mean_accepted: float  #: E[τ], drafts kept in a round
    accepted_interval: Interval | None  #: None of coins
    expected_accepted: float  #: E[τ] of `rule`, exactly
    ceiling: float | None  #: the greatest E[τ] of any verifier that is lossless; None where `draft` draws the drafts
    above_ceiling: bool  #: E[τ] is greater, whatever the number of rounds, wrongly with plan.false_alarm / 1000: it is lossy
    rule: str
    first_p_value: float | None  #: of the texts' first rounds alone; None where these are all, and of coins alone
    shares_noise: bool  #: lossy, though first rounds alone are as p says: rounds of one text are not independent
    nearest: str | None  #: our rule whose rounds emit the same as first rounds; None where none does
    nearest_p_value: float | None  #: of the rounds having that rule's distribution; None by coins
    nearest_same: list[str]  #: rules that emit what it does here
    counterexample: Counterexample | None
    strayed: int  #: rounds that went on after a token which was not the draft; by coins 1 if there are such
    rounds: int  #: that the numbers above are of; where texts have several, as many texts
    rounds_per_text: int  #: in a row, where it drew its own randomness
    own_rounds: int  #: in which the verifier drew its own randomness
    own_detectable: float | None  #: the TV that so many find with plan.power
    stopped_early: bool  #: before all rounds were played, as it was lossy for sure: p_value is of the bets then
    gamma: int  #: of a tree its depth
    tree: list[int] | None
    vocab: int
    seed: int
    thresholds: bool  #: that these are all of the verifier is stated, and not tested beyond the random rounds
    plan: Plan
    _long = ("plan",)

    def chart(self) -> Chart:
        """The verifier's TV from p beside those of our faulty rules, and what was asked."""
        verifier = {"of": "the verifier", "tv": self.tv_at_least if self.tv is None else self.tv, "tv_low": self.tv_at_least,
                    "tv_high": self.tv_at_most}
        return Chart.intervals([verifier, *({"of": one.rule, "tv": one.tv} for one in self.plan.faults)], "tv", "of", "TV from p",
                               vertical=self.plan.tv)

    def __str__(self) -> str:
        return self.verdict


def audited(trial: Trial, rounds: Any, batch: Any, progress: Any) -> Audit:
    """Plays what was made ready."""
    found = trial.result(rounds, batch, progress)
    example = found["counterexample"]
    found["counterexample"] = Counterexample(example[0], tuple(example[1]), *example[2:]) if example else None
    found["accepted_interval"] = interval(found.pop("accepted"))
    found["plan"] = planned(trial)
    return Audit(verdict=_sentence(**found), **found)


def planned(trial: Trial) -> Plan:
    return Plan(**{**trial.plan, "faults": Rows([Fault(**one) for one in trial.plan["faults"]])})


@named
def plan(gamma: int | None = None, vocab: int = 4, *, seed: int = 1, laws: Any = None, tv: float | None = None, false_alarm: float = 1e-6,
         power: float = .99, drafts: bool = False, rounds_per_text: int = 2, tokens_per_text: int | None = None,
         tree: str | Iterable[int] | None = None, drafter: str = "sample", processors: Callable[..., Any] | None = None) -> Plan:
    """How many rounds (texts, where these have several) an audit needs that samples, and each of our faulty rules. drafts: the drafter
    is audited too. processors: as of `audit`; of γ = 3, if not given."""
    if processors is not None:
        return history_plan(processors, gamma, vocab, seed, laws, tokens_per_text, tv, false_alarm, power)
    return planned(Trial(_nobody, gamma, vocab, seed, laws=laws, draft=_nobody if drafts else None, tv=tv, false_alarm=false_alarm,
                         power=power, rounds_per_text=rounds_per_text, tokens_per_text=tokens_per_text, tree=tree, drafter=drafter))


def _alone(**given: Any) -> None:
    """Refuses what an audit of processors does not take."""
    for name, value in given.items():
        if value is not None:
            raise UsageError(f"processors and {name} cannot be given together (whole texts are judged, by what they say); leave {name} out")


def _nobody(*_: Any) -> None:
    """Is planned for, and not called."""


@named
def audit(verifier: Callable[[Batch], Any], gamma: int | None = None, vocab: int = 4, rounds: int | float | None = None,
          seed: int = 1, *, laws: Any = None, draft: Callable[..., Any] | None = None, rule: str | None = None,
          tv: float | None = None, false_alarm: float = 1e-6, power: float = .99, dtype: str = "float64",
          batch: int = 1 << 16, coins: bool | str = "auto", thresholds: bool = False, timeout: float | None = 60,
          progress: Callable[[int], Any] | bool | None = None, stop_early: bool = False, rounds_per_text: int | None = None,
          tokens_per_text: int | None = None, tree: str | Iterable[int] | None = None, drafter: str = "sample",
          processors: Callable[..., Any] | None = None) -> Audit | HistoryAudit:
    """Plays a verifier on known p and q and judges whether what it emits is distributed as p says.

    verifier   called with a `Batch` of rounds, returns their tokens [B, γ + 1], −1 after a round's end. One whose `drafts_itself` is
               True writes whole texts by models made of its `laws`, which are the audit's then; `batch`, a number, is the most
               rounds that it is called with at once
    rounds     to play, each the first of a text's; if not given as many as `plan` says
    laws       p and q, a Markov pair; if not given a pair drawn by `seed` whose probabilities are multiples of 1/256, so that
               all precisions hold them, some of them 0
    draft      the drafter, audited with the verifier: draft(q_rows [V, V], base [B], gamma, rng) returns drafts [B, γ] and the
               q [B, γ, V] that it claims to have drawn them from; of a tree it is called with the parents in place of gamma. If not
               given drafts are drawn from q
    rule       whose exact E[τ] is `expected_accepted`; if not given token, and of trees recursive or recursive-without
    tv, false_alarm, power   a verifier at that distance is found with that power, one whose texts have p's distribution called lossy
               that rarely. One that is nearer than tv, and off, may be called either: what is tested is that it is not off at all. With
               float32 noise one is off where it accepts at a coin of 0, which torch.rand is once in 2²⁴, a token that p excludes (`<=`
               in place of `<`): such a token is called lossy whenever it comes. tv is .01 if not given, and where coins are dictated 1e-6, which is what float32 rounds, or (γ + V) · 6e-8 if that is greater:
               each of so many thresholds is bisected to 6e-8 (of a tree γ counts its drafts)
    dtype      of p and q in a batch; `batch` is how many rounds one has
    coins      True: a verifier that takes its randomness from `Batch.coins` is followed through all of them, its distribution found
               by its thresholds to 1e-6, and held against 131 072 random rounds; False: it draws its own and is sampled;
               "auto": dictated if it looks for them and obeys them, and then, if that is lossless, sampled without them, for the
               plan's rounds or `rounds`: lossless is what both find so, and None where too few were played for `tv` (.01 of these, if
               it is not given)
    thresholds True states that the verifier compares each coin with one number, as reading it shows: the certificate is then of the
               thresholds alone, to 1e-6. What it may do besides in narrow windows of a coin, which else random rounds bound by 4e-5,
               is taken to be nothing, and 4 096 of these rounds are played
    timeout    seconds that one call may take (in the main thread, where Python has such alarms)
    stop_early True ends as soon as a lossy verifier is known for sure: batches begin small, and after each one bets against p are
               settled, which have half of `false_alarm`; the test of all rounds has the other half
    rounds_per_text   in a row, 2 if not given, and 1 where the verifier drafts for itself: what a round leaves open of a text the
               verifier's next ones go on with, and p behind the last, so that
               noise is seen which rounds of one text share. 1 sees each round alone
    tree, drafter   instead of gamma (2): drafts along a tree, such as "levels:2,1" or the parents of its nodes, whose siblings are drawn
               from q each for itself ("sample") or so that they differ ("sample-without"). A verifier returns the accepted path's tokens,
               [B, depth + 1]; its coins are one for each draft by the number of its node, and the last
    tokens_per_text   of each text that are judged, γ + 1 if not given; with more what follows a full round is seen as well
    processors   a function of (history, weights), such as those of `draftgauge.processors`: what the text so far makes of the target's
               weights, exp(logit). The batch then has the raw p and each text's history, and the engine that is audited keeps the state
               of its processors by itself. Texts of 4 tokens (processors.tokens) are judged, at γ of 1 and 3 if gamma is not given, and
               tv is .05
    """
    if processors is not None:
        _alone(draft=draft, rule=rule, tree=tree, rounds_per_text=rounds_per_text, thresholds=thresholds or None,
               stop_early=stop_early or None, coins=None if coins in ("auto", False) else coins)
        return history_audit(verifier, processors, gamma, vocab, rounds, seed, laws=laws, tokens=tokens_per_text, tv=tv,
                             false_alarm=false_alarm, power=power, batch=batch, timeout=timeout, progress=progress)
    trial = Trial(verifier, gamma, vocab, seed, laws=laws, draft=draft, rule=rule, tv=tv, false_alarm=false_alarm, power=power,
                  dtype=dtype, coins=coins, thresholds=thresholds, timeout=timeout, stop_early=stop_early,
                  rounds_per_text=rounds_per_text, tokens_per_text=tokens_per_text, tree=tree, drafter=drafter)
    return audited(trial, rounds, batch, progress)


def _p_value(p: float) -> str:
    """In two digits; no sample bears out a smaller tail of a limit than the last."""
    return "p-value < 1e-10" if p < 1e-10 else f"p-value {p:.2g}"


def _sentence(lossless: bool | None, method: str, rounds: int, p_value: float, tv: float | None, tv_at_most: float,
              thresholds_tv_at_most: float | None, tv_at_least: float, detectable: float | None, nearest: str | None, counterexample: Counterexample | None, plan: Plan,
              own_rounds: int, own_detectable: float | None, seed: int, thresholds: bool, stopped_early: bool, rounds_per_text: int,
              first_p_value: float | None, shares_noise: bool, mean_accepted: float, ceiling: float | None, above_ceiling: bool,
              gamma: int, **_: Any) -> str:
    keeps = ""
    if above_ceiling:
        keeps = f"it keeps {mean_accepted:.3g} drafts of {gamma}, and no lossless verifier keeps more than {ceiling:.3g}"
    texts = "rounds" if rounds_per_text == 1 else f"texts of {rounds_per_text} rounds"
    if lossless is None and method == "coins":
        return (f"too little evidence: TV {tv:.2g} of the thresholds, at most {tv_at_most:.2g} at confidence {plan.power:g}, and "
                f"{plan.tv:g} was asked")
    if lossless is None:
        detectable = own_detectable if method != "sampling" else detectable
        finds = f"find a TV of {detectable:.2g}" if detectable else "find no TV at all"
        needed = f"{plan.rounds:,} are needed" if plan.rounds else "no number is enough"
        played = f"{rounds:,} {texts}" if method == "sampling" else (
            f"lossless by its coins (TV {tv:.2g} of its thresholds, at most {thresholds_tv_at_most:.2g}), but {own_rounds:,} {texts} "
            "without them")
        return f"too little evidence: {played} {finds}, and {plan.tv:g} was asked ({needed})"
    emits = (f"; it {'may emit' if stopped_early else 'emits'} what {nearest} does" if nearest else
             "; no faulty rule of ours emits the same")
    also = "; " * above_ceiling + keeps
    if tv is not None:
        how = f"all its coins dictated, {rounds:,} rounds"
        if lossless:
            own = (f"; without them TV ≤ {tv_at_most:.2g} at confidence {plan.power:g}, {_p_value(p_value)}, {own_rounds:,} {texts}, "
                   f"seed {seed}") if own_rounds else ""
            bound = "which are stated to be all" if thresholds else f"at confidence {plan.power:g}"
            return f"lossless: TV {tv:.2g} of its thresholds, at most {thresholds_tv_at_most:.2g} {bound} ({how}){own}"
        return f"not lossless: TV {tv:.3g}; {counterexample}{emits}{also} ({how})"
    if shares_noise and first_p_value is not None:
        emits = (f"; its first rounds alone are as p says ({_p_value(first_p_value)})" + (f", and as {nearest} does" if nearest else "")
                 + ": rounds of one text share noise")
    played = f"{rounds:,} {texts}, seed {seed}" + (", with its own randomness; with dictated coins lossless" * (method != "sampling")
                                                     + ", stopped early" * stopped_early)
    if lossless:
        return (f"lossless within TV {plan.tv:g}: TV ≤ {tv_at_most:.2g} at confidence {plan.power:g}, "
                f"{_p_value(p_value)}, {played}")
    impossible = counterexample is not None and counterexample.expected == 0
    if p_value >= plan.false_alarm:  # the text alone does not show it
        return f"not lossless: {keeps}{emits} ({played})"
    why = "it emits what p excludes" if impossible else _p_value(p_value)
    return f"not lossless: {why}, TV ≥ {tv_at_least:.2g}; {counterexample}{emits}{also} ({played})"
