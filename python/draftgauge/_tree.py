"""Which draft tree to set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import _core
from ._errors import UsageError
from ._fields import named, number, whole
from ._recording import _costs
from ._results import Result, Rows


@dataclass(frozen=True)
class SizedTree(Result):
    """The best tree of a size. `tree` is as `simulate` and `exact` take it; None of a chain, which is its depth."""

    nodes: int  #: with the root
    depth: int
    tokens: float  #: E[N] of a round
    time: float  #: of a round, in plain steps of the target
    speedup: float
    tree: str | None


@dataclass(frozen=True)
class TreeChoice(Result):
    """The tree of the greatest speed-up, beside the best chain, and the best of each size."""

    best: SizedTree
    chain: SizedTree
    sizes: Rows[SizedTree]
    _long = ("sizes",)

    def to_pandas(self) -> Any:
        return self.sizes.to_pandas()

    def chart(self) -> Any:
        """Speed-up by size."""
        from ._chart import Chart

        points = [{"nodes": one.nodes, "speedup": one.speedup} for one in self.sizes]
        return Chart.line(points, "nodes", "speedup", "nodes of the tree", "speed-up S")


@named
def choose_tree(accept: Iterable[float], *, cost: float, nodes: int = 64, depth: int | None = None,
                verify_cost: Mapping[int, float] | None = None, overhead: float = 0, extra_draft_passes: int = 0) -> TreeChoice:
    """The draft tree to set, where the r-th child of a node is accepted with probability accept[r − 1] (Sequoia's acceptance vector,
    Chen et al. 2024, arXiv 2402.12374).

    nodes, depth   of the largest tree, the root among the nodes; costs as of `study`
    """
    found = [number(f"accept[{i}]", one, 0, 1) for i, one in enumerate(accept)]
    if not found:
        raise UsageError("accept is empty (it has a probability for each child of a node)")
    chosen = _core.choose_tree(found, whole("nodes", nodes, 1, 2**31 - 1),
                               None if depth is None else whole("depth", depth, 1, 2**31 - 1),
                               _costs(cost, verify_cost, overhead, extra_draft_passes), .01)
    sizes = Rows([SizedTree(**one) for one in chosen["sizes"]])
    return TreeChoice(best=sizes[chosen["best"]], chain=SizedTree(**chosen["chain"]), sizes=sizes)
