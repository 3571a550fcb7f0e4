"""Which draft tree to set."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import _core
from ._errors import InputError, UsageError
from ._fields import INT_MAX, carded, choice, listed, named, number, share, threads as threads_of, whole
from ._pair_tables import laws as laws_of
from ._recording import Recording, recording_of
from ._results import Interval, Result, Rows, interval
from ._study import _costs


@dataclass(frozen=True)
class SizedTree(Result):
    """The best tree of a size. `tree` is as `simulate` and `exact` take it; None of a chain, which is its depth."""

    nodes: int  #: with the root
    depth: int
    tokens: float  #: E[N] of a round
    time: float  #: of a round, in plain steps of the target
    speedup: float
    tree: str | None
    tokens_interval: Interval | None  #: over texts, of a recording
    speedup_interval: Interval | None


@dataclass(frozen=True)
class TreeChoice(Result):
    """The tree of the greatest speed-up, beside the best chain, and the best of each size."""

    best: SizedTree
    chain: SizedTree
    sizes: Rows[SizedTree]  #: of a recording those near the best
    acceptance: list[float] | None  #: of the r-th child of a node; None of a recording, whose every token has its own
    independent: bool  #: contexts do not depend on what was drafted, as E[N] takes it; replay along a recording takes nothing
    _long = ("sizes",)

    def to_pandas(self) -> Any:
        return self.sizes.to_pandas()

    def chart(self) -> Any:
        """Speed-up by size."""
        from ._chart import Chart

        points = [{"nodes": one.nodes, "speedup": one.speedup} for one in self.sizes]
        return Chart.line(points, "nodes", "speedup", "nodes of the tree", "speed-up S")


@carded("tree")
@named
def choose_tree(accept: Iterable[float] | None = None, *, cost: float, laws: Any = None,
                recording: Recording | str | os.PathLike[str] | None = None, nodes: int = 64, depth: int | None = None,
                verify_cost: Mapping[int, float] | None = None, overhead: float = 0, extra_draft_passes: int = 0,
                drafter: str = "sample-without", candidates: int = 16, near: float = .01, confidence: float = .95, seed: int = 1,
                threads: int | None = None) -> TreeChoice:
    """The draft tree to set.

    accept      how often the r-th child of a node is accepted, accept[r − 1] (Sequoia's acceptance vector, Chen et al. 2024,
                arXiv 2402.12374); or instead of it
    laws        what `laws()` takes, whose mean over contexts says it; or
    recording   a Recording or a file's path, along which each tree's rounds are replayed: full rows, or columns with drafter="top"
    nodes, depth   of the largest tree, the root among the nodes
    cost, verify_cost   as of `study`
    drafter     how children are drawn from q, `candidates` at most: "sample", "sample-without" (all different), "top" (the most likely);
                each is verified by the rule that is made for it
    near        of a recording sizes whose S is this share below the greatest at most are replayed, and no less than .03
    """
    if sum(one is not None for one in (accept, laws, recording)) != 1:
        raise UsageError("one of accept, laws and recording is needed (each says what is accepted)")
    costs = _costs(cost, verify_cost, overhead, extra_draft_passes)
    limits = whole("nodes", nodes, 1, INT_MAX), None if depth is None else whole("depth", depth, 1, INT_MAX), costs
    drawn = (choice("drafter", drafter, _core.rank_drafters), whole("candidates", candidates, 1, INT_MAX),
             whole("seed", seed, 0, 2**64 - 1))
    within = number("near", near, 0, .999)
    if accept is not None:
        found = [number(f"accept[{i}]", one, 0, 1)
                 for i, one in enumerate(listed("accept", accept, "it has a probability for each child of a node"))]
        chosen = _core.choose_tree(found, *limits, within)
    elif laws is not None:
        chosen = _core.choose_tree_of_laws(laws_of(laws), *drawn, *limits, within)
    else:
        read = recording_of(recording)
        chosen = _core.choose_tree_of_recording(read._recorded, *drawn, threads_of(threads), *limits, within,
                                                share("confidence", confidence))
        if standing := chosen.pop("standing"):
            raise InputError(f"{read.name}: no draft tree can be chosen by it (the text is {standing}: what it says of trees holds "
                             "for the sampling that wrote it)")
    for one in (*chosen["sizes"], chosen["chain"]):
        for name in ("tokens_interval", "speedup_interval"):
            one[name] = interval(one[name])
    sizes = Rows([SizedTree(**one) for one in chosen["sizes"]])
    return TreeChoice(best=sizes[chosen["best"]], chain=SizedTree(**chosen["chain"]), sizes=sizes, acceptance=chosen["acceptance"],
                      independent=chosen["independent"])
