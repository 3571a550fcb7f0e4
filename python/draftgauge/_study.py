"""What a recording of two models says: tokens per round, survival, speed-ups, and the draft length to set."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import _core, _described
from ._chart import Chart
from ._described import Autocorrelation
from ._errors import InputError, UsageError
from ._fields import INT_MAX, carded, choice, known, listed, number, share, text, whole
from ._recording import Recording, counter_files, recording_of
from ._results import Interval, Rows, renamed


class TokensPerRound(_described.TokensPerRound):
    __doc__ = _described.TokensPerRound.__doc__
    _long = ("bootstrap", "iid_bounds")


class Autocorrelations(_described.Autocorrelations):
    __doc__ = _described.Autocorrelations.__doc__

    def __getitem__(self, name: str) -> Rows[Autocorrelation]:
        warnings.warn(f"autocorrelation['{name}'] is now autocorrelation.{name}", DeprecationWarning, stacklevel=2)
        found: Rows[Autocorrelation] = {"beta": self.beta, "a": self.a}[name]
        return found


class Dependence(_described.Dependence):
    __doc__ = _described.Dependence.__doc__

    def to_pandas(self) -> Any:
        return self.eq1_minus_replay.to_pandas()

    def __str__(self) -> str:
        return self.sentence


class GammaChoice(_described.GammaChoice):
    __doc__ = _described.GammaChoice.__doc__
    _long = ("curve",)

    def to_pandas(self) -> Any:
        return self.curve.to_pandas()

    def chart(self) -> Chart:
        """Speed-up by γ, with its interval."""
        return Chart.line([_interval_point("gamma", row.gamma, "speedup", row.speedup) for row in self.curve], "gamma", "speedup",
                          "γ", "speed-up S", band=True)


@dataclass(frozen=True)
class Study(_described.Measurement):
    """What a recording says. Nothing is to be used of one that is not `usable`: the target did not write its text."""

    standing: str  #: Whether the text is one that the target may have written, in a word.
    choice: GammaChoice | None  #: The draft length to set; None without costs.
    _long = ("truncation_of_text", "fold", "alpha_bounds", "costs", "tokens_per_round", "dependence", "notes", "cost_notes",
             "best_gamma_wins", "time_split", "influence", "text_check", "means", "choice")
    survival = renamed("survival", "dependence.positions")

    def to_pandas(self) -> Any:
        return self.tokens_per_round.to_pandas()

    def chart(self) -> Chart:
        """Tokens per round by γ, with their interval, by the estimator that leads."""
        points = [_interval_point("gamma", row.gamma, "tokens", getattr(row, self.estimator)) for row in self.tokens_per_round
                  if getattr(row, self.estimator) is not None]
        return Chart.line(points, "gamma", "tokens", "γ", "tokens per round", band=True)

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self.tokens_per_round._repr_html_()


def _interval_point(x: str, at: Any, y: str, estimate: Interval) -> dict[str, Any]:
    return {x: at, y: estimate.value, y + "_low": estimate.low, y + "_high": estimate.high}


def _costs(cost: Any, verify_cost: Mapping[int, float] | None, overhead: Any, extra_draft_passes: Any) -> _core.Costs:
    verify = {}
    if verify_cost is not None and not isinstance(verify_cost, Mapping):
        raise UsageError(f"verify_cost is {verify_cost!r} (it has a time for each number of tokens); give a dict such as "
                         "{1: 1, 64: 2}")
    for tokens, time in (verify_cost or {}).items():
        verify[whole("verify_cost", tokens, 1)] = number(f"verify_cost[{tokens}]", time, 5e-324)
    if verify.get(1, 1) != 1:
        raise UsageError(f"verify_cost[1] is {verify[1]:g} (times are in plain steps of the target, which is one of 1)")
    return _core.Costs(number("cost", cost, 0), verify, number("overhead", overhead, 0),
                       whole("extra_draft_passes", extra_draft_passes, 0, 1000))


def _gammas(gamma: int | Iterable[int]) -> list[int]:
    return sorted({whole("gamma", one, 1, 256) for one in listed("gamma", gamma, "no draft length is asked for")})


@carded("measure")
def study(recording: Recording | str | os.PathLike[str] | None = None, *, cost: float | None = None,
          verify_cost: Mapping[int, float] | None = None, overhead: float = 0, extra_draft_passes: int = 0,
          gamma: int | Iterable[int] = range(1, 17), bonus: bool = True, confidence: float = .95,
          estimator: str | None = None, resamples: int = 1000, coin_runs: int = 32, seed: int = 1, near: float = .01,
          **arrays: Any) -> Study:
    """What a recording says of drafting: α, tokens per round at each γ, and the speed-up at a cost.

    recording     a Recording or a file's path; instead of it the arguments of `Recording.from_arrays`
    cost          c, a draft step in steps of the target; without it no speed-up is claimed
    verify_cost   {n: v(n)}, a pass over n tokens in plain steps; overhead is what a round costs beside its passes
    gamma         draft lengths, a number or a list of them; up to 16 if not given
    coin_runs     simulated runs along each text
    estimator     whose speed-up counts: "replay" if not given
    """
    known("study", arrays, study, Recording.from_arrays)
    if recording is None:
        recording = Recording.from_arrays(**arrays)
    elif arrays:
        raise UsageError(f"recording and {', '.join(arrays)} cannot be given together (each says what is studied)")
    recording = recording_of(recording)
    if estimator is not None:
        choice("estimator", estimator, _core.estimators)
    if cost is None and (verify_cost or overhead or extra_draft_passes):
        raise UsageError("verify_cost, overhead and extra_draft_passes need cost (the other part of what a round costs)")
    costs = None if cost is None else _costs(cost, verify_cost, overhead, extra_draft_passes)
    found = _core.study(recording._recorded, costs, _gammas(gamma), bonus,
                        share("confidence", confidence), estimator or "", whole("resamples", resamples),
                        whole("coin_runs", coin_runs), whole("seed", seed), number("near", near, 0, .999))
    if found["rounds_unknown"]:
        found["notes"] = [*found["notes"], f"Nothing is known of rounds: {found['rounds_unknown']}."]
    return Study(**found)


def measure(recording: Recording | str | os.PathLike[str] | None = None, **arguments: Any) -> Study:
    """`study` by the program's word, with its arguments."""
    known("measure", arguments, study, Recording.from_arrays)
    return study(recording, **arguments)


def _gamma_by_counters(files: list[str], draft_length: int | None, draft_key: str | None, costs: _core.Costs,
                       own_passes: bool, bonus: bool, gamma: int | Iterable[int], confidence: Any = .95, resamples: Any = 1000, seed: Any = 1) -> GammaChoice:
    lengths = _gammas(gamma)
    if lengths != list(range(1, len(lengths) + 1)):
        raise UsageError("gamma has lengths left out (by counters all are asked up to some length); give range(1, most + 1)")
    found: GammaChoice = _core.gamma_by_counters(
        files, None if draft_length is None else whole("draft_length", draft_length, 1, INT_MAX),
        "" if draft_key is None else text("draft_key", draft_key), costs, own_passes, bonus, lengths[-1],
        share("confidence", confidence), whole("resamples", resamples), whole("seed", seed))
    return found


@carded("gamma")
def choose_gamma(recording: Recording | str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = None, *,
                 alpha: float | None = None, cost: float | None = None, gamma: int | Iterable[int] = range(1, 33),
                 verify_cost: Mapping[int, float] | None = None, overhead: float = 0, extra_draft_passes: int | None = None,
                 bonus: bool = True, draft_length: int | None = None, draft_key: str | None = None,
                 **others: Any) -> GammaChoice:
    """The draft length to set: by a recording (arguments of `study`), by what an engine counted, or by α alone, where drafts are
    free if no cost is given.

    alpha, recording    what is accepted; instead of a recording the file of an engine's counters, or two scrapes of one server
    gamma               draft lengths to choose among, beside plain decoding; up to 32 if not given
    cost, verify_cost   as of `study`
    extra_draft_passes  if not given 0, or those of the engine that counted
    draft_length        of counters that do not say it: drafts a round at most, as the engine was set
    draft_key           of acceptance at every token of several drafts: whose
    """
    known("choose_gamma", others, study, Recording.from_arrays)
    costs = _costs(0 if cost is None else cost, verify_cost, overhead, extra_draft_passes or 0)
    if alpha is not None:
        if recording is not None:
            raise UsageError("alpha and a recording cannot be given together (each says what is accepted)")
        if others:
            raise UsageError(f"alpha and {', '.join(others)} cannot be given together (of alpha there is no text to study)")
        chosen: GammaChoice = _core.best_by_alpha(number("alpha", alpha, 0, 1), costs, bonus, _gammas(gamma))
        return chosen
    if cost is None:
        raise UsageError("cost is needed (of a recording or counters no speed-up is claimed without it); give a draft step's time "
                         "in steps of the target")
    files = counter_files(recording)
    if files is not None:
        beside = others.keys() - {"confidence", "resamples", "seed"}
        if beside:
            raise UsageError(f"{', '.join(sorted(beside))} has no meaning for counters (they hold no text and no probabilities)")
        return _gamma_by_counters(files, draft_length, draft_key, costs, extra_draft_passes is None, bonus, gamma, **others)
    for name, one in (("draft_length", draft_length), ("draft_key", draft_key)):
        if one is not None:
            raise UsageError(f"{name} has no meaning without an engine's counters (nothing would come of it)")
    if recording is not None and not isinstance(recording, (Recording, str, os.PathLike)):
        raise UsageError(f"recording is a {type(recording).__name__} (it is a Recording, a file's path, or files of counters)")
    found = study(recording, cost=cost, gamma=gamma, verify_cost=verify_cost, overhead=overhead,
                  extra_draft_passes=extra_draft_passes or 0, bonus=bonus, **{"coin_runs": 0, **others})
    if found.choice is None:
        why = "; ".join(found.notes) or "it says too little"
        raise InputError(f"{found.name}: no draft length can be chosen by it (" + (
            f"the text is {found.standing}: the target did not write it" if not found.usable else why) + ")")
    return found.choice
