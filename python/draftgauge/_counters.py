"""What engines count of their own rounds."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _core
from ._errors import UsageError
from ._fields import INT_MAX, named, path, share, text, whole
from ._results import Interval, Result, interval
from ._study import _costs


@dataclass(frozen=True)
class Counters(Result):
    """An engine's own counters, and what they say. `rates` are the numbers called acceptance rate, each by its own name."""

    engine: str | None  #: whose counters; None where the file does not say
    format: str
    counts: dict[str, Any]  #: None where the engine does not say
    rates: dict[str, Any]
    mean_tokens: Interval  #: tokens per round
    alpha: Interval | None
    conditional: list[Interval]  #: of draft i, in rounds that kept those before it
    over: str | None  #: what the intervals are over: "requests", "rounds", "totals" of rounds as if these were independent, or "stretches" of time; None: nothing
    gamma: int | None  #: drafts a round, where all were as long
    speedup: Interval | None  #: at that γ and the cost given
    alarms: list[str]  #: bad news, to be read first: drafts that are broken, or slower than decoding without them
    notes: list[str]


@named
def counters(*files: str | os.PathLike[str], draft_length: int | None = None, draft_key: str | None = None,
             cost: float | None = None, verify_cost: Mapping[int, float] | None = None, overhead: float = 0,
             extra_draft_passes: int | None = None, confidence: float = .95) -> Counters:
    """What an engine counted: metrics, logs or responses in a format that `draftgauge list counters` names (docs/engines.md); of two
    scrapes of one server what happened between them.

    draft_length   drafts a round at most, as the engine was set, where it does not say
    draft_key      whose drafts, of acceptance at every token of several: eagle, ngram
    cost           a draft step in steps of the target, as for `study`; without it no speed-up is claimed
    extra_draft_passes   of the draft model in a round beside its drafts; if not given those of the engine that counted
    """
    if not files:
        raise UsageError("no file is named (there is nothing to read)")
    for one in files:
        if not isinstance(one, (str, os.PathLike)):
            raise UsageError(f"{one!r} is no file (it is a path: of a page of metrics, a log or a response)")
    if cost is None and (verify_cost or overhead or extra_draft_passes):
        raise UsageError("verify_cost, overhead and extra_draft_passes need cost (the other part of what a round costs)")
    costs = None if cost is None else _costs(cost, verify_cost, overhead, extra_draft_passes or 0)
    found = _core.counters([path(one) for one in files],
                           None if draft_length is None else whole("draft_length", draft_length, 1, INT_MAX),
                           "" if draft_key is None else text("draft_key", draft_key), costs, extra_draft_passes is None,
                           share("confidence", confidence))
    for name in ("counts", "rates"):
        found[name] = json.loads(found[name])
    for name in ("mean_tokens", "alpha", "speedup"):
        found[name] = interval(found[name])
    found["conditional"] = [Interval(*one) for one in found["conditional"]]
    return Counters(**found)
