"""Does an engine run the rule that it claims? Judged by its own text, scored by both models, and its log of rounds."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import _core
from ._errors import InputError
from ._fields import choice, number, path, share, whole
from ._recording import Recording, recording_of
from ._results import Result, Rows


@dataclass(frozen=True)
class EngineRounds(Result):
    """The number of rounds of a text, beside that which the rule takes given the text."""

    texts: int
    tokens: int
    observed: float
    expected: float
    sd: float
    z: float
    p_value: float
    resolution: float
    rejected: bool


@dataclass(frozen=True)
class EngineFault(Result):
    """Odds for an engine with a fault, against one of the rule; `visible`: it would have been found."""

    name: str
    log_odds: float
    visible: bool


@dataclass(frozen=True)
class EngineAudit(Result):
    """What an engine's log says of its rule. `consistent` is True, False, or None where the text is too little to say."""

    rule: str
    verdict: str
    consistent: bool | None
    rounds: EngineRounds | None
    most_for: str | None  #: the fault that the evidence is for, of an engine that is found out
    faults: Rows[EngineFault]
    not_looked_for: list[str]
    impossible: int  #: tokens that p excludes
    false_alarm: float

    def __str__(self) -> str:
        return self.verdict


def audit_log(recording: Recording | str | os.PathLike[str], log: str | os.PathLike[str] | Iterable[Mapping[str, Any]],
              rule: str = "token", *, bonus: bool = True, until: int | None = None, false_alarm: float = .01,
              temperature: float | None = None) -> EngineAudit:
    """Holds an engine's rounds against a rule.

    recording   of the engine's text, scored by both models; texts named as in the log
    log         a file that `draftgauge measure --log` takes, or its rounds: {"prompt", "start" (tokens before it), "gamma",
                "emitted" (their number, or the tokens)} each
    rule        "token", "block", "argmax" (drafts are argmax q), or another whose file says how it goes along a text
    until       only rounds that start before this token of their text
    """
    recording = recording_of(recording)
    if isinstance(log, (str, os.PathLike)):
        name = path(log)
        try:
            written = pathlib.Path(name).read_text(encoding="utf-8", errors="replace")
        except OSError as problem:
            raise InputError(f"{name}: it cannot be read ({problem.strerror})") from None
    else:
        name = "log"
        try:
            written = "".join(json.dumps(dict(one)) + "\n" for one in log)
        except (TypeError, ValueError) as problem:
            raise InputError(f"log is no list of rounds ({problem}); give a file, or a dict for each round") from None
    found = _core.audit_log(recording._recorded, name, written, choice("rule", rule, _core.audited_rules), bonus,
                            None if until is None else whole("until", until, 1), share("false_alarm", false_alarm),
                            None if temperature is None else number("temperature", temperature, 0))
    found["rounds"] = EngineRounds(**found["rounds"]) if found["rounds"] else None
    found["faults"] = Rows([EngineFault(**one) for one in found["faults"]])
    return EngineAudit(**found)
