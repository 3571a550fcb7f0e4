"""Simulation, enumeration, the papers' formulas, and the three beside each other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

from . import _core, _described
from ._chart import Chart
from ._errors import UsageError
from ._fields import INT_MAX, carded, listed, named, number, progress as progress_of, share, span, text, threads as threads_of, whole
from ._pair_tables import laws as laws_of
from ._own_rule import Chance, OwnSimulation, asked, kind, refuse
from ._results import Interval, Result, Rows, interval

if TYPE_CHECKING:
    import numpy as np

Progress = Callable[[int], Any] | bool | None


@dataclass(frozen=True)
class Rule(Result):
    """What is known of a verification rule."""

    name: str
    summary: str
    source: str
    drafter: str
    lossless: bool
    many_candidates: bool
    faulty: bool


def rules() -> Rows[Rule]:
    """Every verification rule by name, the faulty ones (faulty/NAME) last."""
    return Rows([Rule(**one) for one in _core.rules()])


def _task(rule: str, gamma: Any, candidates: Any, tree: str | None, drafter: str, policy: str, bonus: bool, start: Any,
          rounds_per_trial: Any = 0, positions: Any = 0, gram: Any = 0, gram_from: Any = 0) -> _core.Task:
    if callable(rule):
        raise UsageError("rule is a function (it is a name here); try_rule plays rules written in Python, and exact enumerates them")
    if tree is not None and (gamma is not None or candidates is not None):
        raise UsageError("tree and gamma, candidates cannot be given together (a tree says both); leave them out")
    return _core.Task(
        rule=text("rule", rule), drafter=text("drafter", drafter), policy=text("policy", policy),
        gamma=whole("gamma", 5 if gamma is None else gamma, 0, INT_MAX),
        candidates=whole("candidates", 1 if candidates is None else candidates, 1, INT_MAX),
        bonus=bool(bonus), tree=None if tree is None else text("tree", tree),
        start=None if start is None else whole("start", start, 0, 2**32 - 1),
        rounds_per_trial=whole("rounds_per_trial", rounds_per_trial, 0, INT_MAX),
        positions=whole("positions", positions, 0, 2**24), gram=whole("gram", gram, 0, 64),
        gram_from=whole("gram_from", gram_from, 0, 2**30))


@dataclass(frozen=True)
class Simulation(Result):
    """What happened in the rounds that were played. The same task, seed and range give the same counts anywhere."""

    source: str
    task: dict[str, Any]
    id: str
    seed: int
    estimator: str
    range: tuple[int, int]
    trials: int
    rounds: int
    tokens: int
    accepted_histogram: np.ndarray
    acceptance: Interval | None
    mean_accepted: Interval | None
    mean_tokens: Interval | None
    speedup: Interval | None
    operations: Interval | None
    memory_reads: Interval | None
    rounding: dict[str, Any]
    token_histogram: list[np.ndarray]
    gram_histogram: np.ndarray | None
    _long = ("task", "rounding", "token_histogram", "gram_histogram")

    @property
    def accepted(self) -> np.ndarray:
        """[γ + 1] rounds by the number of accepted drafts."""
        return self.accepted_histogram

    def to_pandas(self) -> Any:
        """A DataFrame of the accepted drafts: accepted, rounds, share."""
        import pandas

        counts = self.accepted_histogram
        return pandas.DataFrame({"accepted": range(len(counts)), "rounds": counts, "share": counts / counts.sum()})

    def chart(self) -> Chart:
        """Shares of rounds by the number of accepted drafts."""
        counts = self.accepted_histogram
        points = [{"accepted": i, "share": int(count) / int(counts.sum())} for i, count in enumerate(counts)]
        return Chart.line(points, "accepted", "share", "accepted drafts", "share of rounds")


@carded("simulate")
@named
def simulate(laws: Any, rule: str = "token", gamma: int | None = None, *, candidates: int | None = None,
             tree: str | None = None, drafter: str = "", policy: str = "", bonus: bool = True, start: int | None = None,
             rounds: int | float = 1_000_000, range: tuple[int, int] | None = None, rounds_per_trial: int = 0,
             seed: int = 1, positions: int = 0, gram: int = 0, gram_from: int = 0, confidence: float = .95,
             cost: float = 0, ops_cost: float = 0, threads: int | None = None, progress: Progress = None) -> Simulation:
    """Plays rounds and counts what happens.

    laws       what `laws()` takes: a source by name, PairTables, or a pair (p, q)
    rule       a name of `rules()`, with parameters as in "lenient:lenience=.5"; for one written in Python there is `try_rule`
    gamma      drafts a round (5); with `candidates` for each position, or a `tree` instead of both
    tree       "chain:5", "kary:2,3" (children, levels), "levels:3,2" (children by level), "paths:3,4" (chains, length), "medusa:64",
               "[-1,0,0,1]" (the parent of each node), or a file of parents
    rounds     to play in all; `range` = (first, end) names the trials instead
    cost       c, of a draft step in steps of the target; ops_cost is ĉ
    progress   a function of the rounds done, which may return False to stop; True prints them
    """
    task = _task(rule, gamma, candidates, tree, drafter, policy, bonus, start, rounds_per_trial, positions, gram,
                 gram_from)
    found = _core.simulate(
        laws_of(laws), task, seed=whole("seed", seed), rounds=whole("rounds", rounds, 1),
        range=None if range is None else span("range", range),
        threads=threads_of(threads), confidence=share("confidence", confidence), cost=number("cost", cost, 0),
        ops_cost=number("ops_cost", ops_cost, 0), progress=progress_of(progress))
    found["task"] = json.loads(found["task"])
    for name in ("acceptance", "mean_accepted", "mean_tokens", "speedup", "operations", "memory_reads"):
        found[name] = interval(found[name])
    return Simulation(**found)


@dataclass(frozen=True)
class RankAccepted(Result):
    """How often a draft of a depth and of a rank among its siblings is accepted, both from 1."""

    depth: int
    rank: int
    accepted: Fraction


@dataclass(frozen=True)
class Exact(Result):
    """The distribution of a round's tokens, in fractions. `text_law` is that of the first γ + 1 tokens of the text, what the
    round leaves open being drawn from p: the rule is lossless here if it equals `target_text_law`."""

    source: str
    rule: str
    drafter: str
    policy: str
    gamma: int
    candidates: int
    bonus: bool
    paths: int
    acceptance: Fraction
    mean_accepted: Fraction
    mean_tokens: Fraction
    accepted_law: list[Fraction]
    tokens_law: list[Fraction]
    accepted_by_rank: Rows[RankAccepted]
    accepted_bound: Fraction | None  #: no lossless rule has a greater E[τ] on such drafts; None where that is not known
    acceptance_bound: Fraction | None  #: nor a greater P(τ ≥ 1): what optimal transport accepts of the first drafts
    tree: list[int] | None  #: the parent of each node, of trees
    passed: list[Fraction] | None  #: how often the accepted path passes each node
    output_law: list[Fraction]
    target_law: list[Fraction]
    text_law: dict[tuple[int, ...], Fraction]
    target_text_law: dict[tuple[int, ...], Fraction]
    tv_to_target: Fraction
    kl_to_target: float | None
    lossless: bool
    claims_lossless: bool
    _long = ("text_law", "target_text_law", "accepted_by_rank", "tree", "passed")

    def to_pandas(self) -> Any:
        """A DataFrame of the text's distribution: tokens, probability, target."""
        import pandas

        every = sorted(self.text_law.keys() | self.target_text_law.keys())
        return pandas.DataFrame({"tokens": every,
                                 "probability": [float(self.text_law.get(one, 0)) for one in every],
                                 "target": [float(self.target_text_law.get(one, 0)) for one in every]})

    def chart(self) -> Chart:
        """The probability of so many accepted drafts."""
        points = [{"accepted": i, "probability": float(one)} for i, one in enumerate(self.accepted_law)]
        return Chart.line(points, "accepted", "probability", "accepted drafts", "probability")


@carded("exact")
@named
def exact(laws: Any, rule: str | Callable[[Chance, Any], Any] = "token", gamma: int | None = None, *, candidates: int | None = None,
          tree: str | None = None, drafter: str = "", policy: str = "", bonus: bool = True, start: int | None = None,
          max_paths: int = 1_000_000, progress: Progress = None) -> Exact:
    """Follows every path of random answers of a round and adds their probabilities up. Arguments as of `simulate`.

    rule   a name, or a function (chance, node) that returns `descend(candidate)` or `emit(token)`; marked by `path_rule` one of
           (chance, path) that returns `stop(kept, token)` (docs/adding-a-rule.md)
    tree   as of `simulate`
    """
    if callable(rule):
        refuse(tree=(tree, None), drafter=(drafter, ""), policy=(policy, ""), start=(start, None))
        found = _core.exact_own(asked(rule, True), laws_of(laws), of_path=kind(rule, candidates),
                                gamma=whole("gamma", 5 if gamma is None else gamma, 1, 64),
                                candidates=whole("candidates", 1 if candidates is None else candidates, 1, INT_MAX),
                                bonus=bool(bonus), max_paths=whole("max_paths", max_paths, 1))
        return _exact({**found, "rule": getattr(rule, "__name__", "own"), "claims_lossless": False})
    found = _core.exact(laws_of(laws), _task(rule, gamma, candidates, tree, drafter, policy, bonus, start),
                        max_paths=whole("max_paths", max_paths, 1), progress=progress_of(progress))
    return _exact(found)


def _exact(found: dict[str, Any]) -> Exact:
    for name in ("acceptance", "mean_accepted", "mean_tokens", "tv_to_target"):
        found[name] = Fraction(found[name])
    for name in ("accepted_bound", "acceptance_bound"):
        found[name] = None if found[name] is None else Fraction(found[name])
    for name in ("accepted_law", "tokens_law", "output_law", "target_law", "passed"):
        found[name] = None if found[name] is None else [Fraction(one) for one in found[name]]
    found["accepted_by_rank"] = Rows([RankAccepted(depth, rank, Fraction(one)) for depth, rank, one in found["accepted_by_rank"]])
    for name in ("text_law", "target_text_law"):
        found[name] = {tokens: Fraction(one) for tokens, one in found[name].items()}
    return Exact(**found)


@named
def try_rule(laws: Any, rule: Callable[[Chance, Any], Any], gamma: int = 5, *, candidates: int = 1, bonus: bool = True,
             rounds: int | float = 20_000, seed: int = 1, confidence: float = .95, progress: Progress = None) -> OwnSimulation:
    """Plays rounds of a rule written in Python, as fast as Python calls it; `exact` enumerates it."""
    if not callable(rule):
        raise UsageError(f"rule is {rule!r} (it is a function of chance and node; simulate plays the rules that have names)")
    seed = whole("seed", seed)
    found = _core.simulate_own(asked(rule, False), laws_of(laws), of_path=kind(rule, candidates),
                               gamma=whole("gamma", gamma, 1, 64), candidates=whole("candidates", candidates, 1, INT_MAX),
                               bonus=bool(bonus), seed=seed, rounds=whole("rounds", rounds, 1),
                               confidence=share("confidence", confidence), progress=progress_of(progress))
    for name in ("acceptance", "mean_accepted", "mean_tokens"):
        found[name] = interval(found[name])
    return OwnSimulation(**found, rule=getattr(rule, "__name__", "own"), seed=seed)


class Theory(_described.Theory):
    __doc__ = _described.Theory.__doc__

    def chart(self) -> Chart:
        """The distribution of a round's tokens; of `Rows` the speed-up by γ, or by α."""
        points = [{"tokens": i, "probability": one}
                  for i, one in enumerate(_core.tokens_law(self.alpha, self.gamma, self.bonus), 1)]
        return Chart.line(points, "tokens", "probability", "tokens of a round", "probability")

    @staticmethod
    def _chart_of(rows: Iterable[Theory]) -> Chart:
        lines = list(rows)
        x, title = ("alpha", "α") if len({one.gamma for one in lines}) == 1 and len(lines) > 1 else ("gamma", "γ")
        return Chart.line([{x: getattr(one, x), "speedup": one.speedup} for one in lines], x, "speedup", title, "speed-up S")


@overload
def theory(alpha: float, gamma: int, *, cost: float = ..., ops_cost: float = ..., bonus: bool = ...) -> Theory: ...
@overload
def theory(alpha: float | Iterable[float] | None = ..., gamma: int | Iterable[int] = ..., *,
           from_tokens: float | None = ..., from_speedup: float | None = ..., cost: float = ..., ops_cost: float = ...,
           bonus: bool = ...) -> Theory | Rows[Theory]: ...
@carded("theory")
def theory(alpha: Any = None, gamma: Any = range(1, 9), *, from_tokens: Any = None, from_speedup: Any = None,
           cost: float = 0, ops_cost: float = 0, bonus: bool = True) -> Any:
    """E[N], speed-up and their like at one α and γ; `Rows` of them where one of the two is a list.

    alpha, gamma   numbers, or lists of them
    from_tokens, from_speedup   instead of α: a measurement, whose α is wanted
    """
    if sum(given is not None for given in (alpha, from_tokens, from_speedup)) != 1:
        raise UsageError("one of alpha, from_tokens and from_speedup is needed (they are three ways to say alpha)")
    cost, ops_cost = number("cost", cost, 0), number("ops_cost", ops_cost, 0)
    empty = "alpha and gamma are numbers or lists of them, and an empty list asks nothing"
    gammas = [whole("gamma", one, 1) for one in listed("gamma", gamma, empty)]

    def alphas(at: int) -> list[float]:
        if alpha is not None:
            return [number("alpha", one, 0, 1) for one in listed("alpha", alpha, empty)]
        if from_tokens is not None:
            name, measured = "from_tokens", number("from_tokens", from_tokens)
            found: Any = _core.alpha_of_tokens(measured, at, bonus)
        else:
            name, measured = "from_speedup", number("from_speedup", from_speedup)
            found = _core.alpha_of_speedup(measured, at, cost, bonus)
        if found is None:
            raise UsageError(f"{name} {measured:g} is reached by no alpha from 0 to 1 at gamma = {at}; check gamma and cost")
        return [found]

    each = {at: alphas(at) for at in gammas}
    lines: list[Theory] = [_core.theory(each[at][i], at, cost, ops_cost, bonus)
                           for i in range(len(each[gammas[0]])) for at in gammas]
    one = not any(isinstance(each, Iterable) and getattr(each, "ndim", 1) > 0 for each in (gamma, alpha))
    return lines[0] if one else Rows(lines)


@dataclass(frozen=True)
class Check(Result):
    """One claim of the theory beside what was enumerated and simulated."""

    name: str
    source: str
    rule: str
    gamma: int
    closed_form: float | None
    exact: float | None
    simulated: Interval | None
    detectable: float | None
    false_alarm: float
    p_value: float | None
    tv_at_most: float | None
    verdict: str
    rounds: int


@dataclass(frozen=True)
class Verification(Result):
    """All claims on a rule. `holds` is True, False, or None where too little was played to say."""

    rule: str
    source: str
    checks: Rows[Check]
    holds: bool | None

    def to_pandas(self) -> Any:
        return self.checks.to_pandas()

    def chart(self) -> Chart:
        """What was simulated of each claim with a value, relative to it; checks of whole distributions have none."""
        points = []
        for one in self.checks:
            value = one.closed_form if one.exact is None else one.exact
            if one.simulated is None or not value:
                continue
            points.append({"check": one.name, "deviation": one.simulated.value / value - 1,
                           **({} if one.simulated.low is None or one.simulated.high is None else
                              {"deviation_low": one.simulated.low / value - 1, "deviation_high": one.simulated.high / value - 1})})
        return Chart.intervals(points, "deviation", "check", "simulated / exact − 1", vertical=0)

    def _repr_html_(self) -> str:
        return self.checks._repr_html_()


@carded("verify")
@named
def verify(laws: Any, rule: str = "token", gamma: int | None = None, *, candidates: int | None = None,
           tree: str | None = None, drafter: str = "", policy: str = "", bonus: bool = True, start: int | None = None,
           rounds: int | float = 4_000_000, rounds_per_trial: int = 0, seed: int = 1, resolve: float = .05,
           cost: float = 0, ops_cost: float = 0, confidence: float = .95, threads: int | None = None,
           progress: Progress = None) -> Verification:
    """Puts every claim on a rule beside its closed form, its exact value and a simulation.

    rule, tree   as of `simulate`
    resolve   the deviation that must be findable for a check to hold: relative of means, total variation of distributions
    """
    task = _task(rule, gamma, candidates, tree, drafter, policy, bonus, start, rounds_per_trial)
    source = laws_of(laws)
    checks = []
    for one in _core.verify(source, task, seed=whole("seed", seed), rounds=whole("rounds", rounds, 1),
                            threads=threads_of(threads), resolve=number("resolve", resolve, 0),
                            cost=number("cost", cost, 0), ops_cost=number("ops_cost", ops_cost, 0),
                            confidence=share("confidence", confidence), progress=progress_of(progress)):
        certificate = one.pop("certificate")
        one["simulated"] = interval(one["simulated"])
        checks.append(Check(**one, tv_at_most=certificate[0] if certificate else None))
    verdicts = {one.verdict for one in checks}
    holds = False if "fails" in verdicts else None if "inconclusive" in verdicts else True
    return Verification(rule=checks[0].rule if checks else rule, source=source.description, checks=Rows(checks),
                        holds=holds)
