"""Verifiers of drafts along trees whose layout is SGLang's: nodes in slots, of each its first child and its next sibling."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._batch import Batch
from .._errors import InputError
from ._forms import inverse, slowly

if TYPE_CHECKING:
    import numpy as np

#: The greatest float32 below 1: what rounds to 1 is no coin.
MOST = 1 - 2.0**-24


def sglang_tree(tree_speculative_sampling: Callable[..., Any], device: str | None = "cuda", *, threshold_single: float = 1.,
                threshold_acc: float = 1.) -> Callable[[Batch], np.ndarray]:
    """tree_speculative_sampling_target_only of sgl_kernel, or of sglang.kernels.ops.speculative.sampling. One coin tests all children of
    a node, whose siblings must differ (drafter="sample-without"); q is not used: it has zeros in its place, as SGLang gives them. It
    runs on CUDA alone; device=None hands NumPy's arrays over, for what has the same layout."""

    def verifier(batch: Batch) -> np.ndarray:
        import numpy as np

        rounds, nodes = batch.p.shape[:2]
        if batch.coins is None:
            coins, last = batch.rng.random((rounds, nodes)), batch.rng.random((rounds,))
        else:
            coins, last = coins_of_nodes(batch), batch.coins[:, -1]
        p = batch.p.astype(np.float32)
        return _walked(tree_speculative_sampling, batch, device, np.minimum(coins, MOST).astype(np.float32),
                       np.minimum(last, MOST).astype(np.float32), p, np.zeros_like(p), settings=(threshold_single, threshold_acc, True))

    return verifier


def sglang_tree_greedy(verify_tree_greedy: Callable[..., Any], device: str | None = "cuda") -> Callable[[Batch], np.ndarray]:
    """verify_tree_greedy of sgl_kernel, or verify_tree_greedy_triton and verify_tree_greedy_func of SGLang, which follow the tokens that
    they are given for the target's: here, and in place of argmax p, draws from p. Argmax p would be p = 1 of one token."""

    def verifier(batch: Batch) -> np.ndarray:
        rounds, nodes, vocab = batch.p.shape
        drawn = inverse(batch.p.reshape(-1, vocab), batch.rng.random(rounds * nodes))
        return _walked(verify_tree_greedy, batch, device, drawn.reshape(rounds, nodes))

    return slowly(verifier)


def links(parents: list[int]) -> tuple[list[int], list[int]]:
    """The first child and the next sibling of each node, −1 where it has none."""
    child, sibling, latest = [-1] * len(parents), [-1] * len(parents), dict[int, int]()
    for node, above in enumerate(parents[1:], 1):
        (sibling if above in latest else child)[latest.get(above, above)] = node
        latest[above] = node
    return child, sibling


def coins_of_nodes(batch: Batch) -> np.ndarray:
    """[B, nodes] coins, each for all children of a node: the first child whose p, added to that of those before it, is above the coin is
    accepted. Made of the batch's coins, one a child, so that each of these still has one threshold: a coin says where in what those
    before it have left open the node's lies. Whatever the verifier does with it, it is uniform. Leaves have coins of their own."""
    import numpy as np

    parents, coins = _parents(batch), batch.coins
    assert coins is not None
    rows = np.arange(len(coins))
    found: np.ndarray = batch.rng.random((len(coins), len(parents)))
    below, decided = np.zeros(found.shape), np.zeros(found.shape, bool)
    for node, above in enumerate(parents[1:], 1):
        at = below[:, above] + (1 - below[:, above]) * coins[:, node - 1]
        found[:, above] = np.where(decided[:, above], found[:, above], at)
        below[:, above] = np.minimum(below[:, above] + batch.p[rows, above, batch.drafts[:, node - 1]], 1)
        decided[:, above] |= at < below[:, above]
    return found


def _parents(batch: Batch) -> list[int]:
    return batch.tree or list(range(-1, batch.drafts.shape[1]))  # of a chain


def _walked(function: Callable[..., Any], batch: Batch, device: str | None, *more: np.ndarray, settings: tuple[Any, ...] = ()) -> np.ndarray:
    """What it emits, [B, depth + 1]: after each accepted node the token in its slot."""
    import numpy as np

    parents, length = _parents(batch), batch.positions.shape[1]
    rounds, nodes = len(batch.base), len(parents)
    slots = np.arange(rounds * nodes).reshape(rounds, nodes)
    candidates = np.concatenate([batch.base[:, None], batch.drafts], axis=1)
    child, sibling = (np.tile(one, (rounds, 1)) for one in links(parents))
    written = [np.full(shape, -1, np.int32) for shape in ((rounds * nodes,), (rounds, length), (rounds,))]
    given = [_placed(array, device) for array in (*written, candidates, slots, child, sibling, *more)]
    function(*given, *settings)
    predicts, index, count = (np.asarray(one if device is None else one.cpu()).astype(np.int64) for one in given[:3])
    if count.min() < 0 or count.max() >= length:
        raise InputError(f"accept_token_num is {count.min() if count.min() < 0 else count.max()} (a round accepts 0 to {length - 1} drafts)")
    within = np.arange(length) <= count[:, None]
    path = np.where(within, index - slots[:, :1], 0)
    if path.min() < 0 or path.max() >= nodes:
        row = int(((path < 0) | (path >= nodes)).any(1).argmax())
        raise InputError(f"accept_index of round {row} is {index[row].tolist()} (its slots are {slots[row, 0]} to {slots[row, -1]})")
    tokens = np.where(within, predicts[np.where(within, index, 0)], -1)
    # The engine keeps what it computed at these nodes: they must be of one path, and spell what is emitted.
    above = np.concatenate([np.full((rounds, 1), -1), path[:, :-1]], axis=1)
    spelled = np.concatenate([batch.base[:, None], tokens[:, :-1]], axis=1)
    strays = within & ((np.asarray(parents)[path] != above) | (np.take_along_axis(candidates, path, axis=1) != spelled))
    if strays.any():
        row = int(strays.any(1).argmax())
        raise InputError(f"accept_index of round {row} is nodes {path[row, :count[row] + 1].tolist()} and predicts has tokens "
                         f"{tokens[row, :count[row] + 1].tolist()} there (each node is a child of the one before, and its draft the token "
                         "there)")
    return tokens


def _placed(array: np.ndarray, device: str | None) -> Any:
    if device is None:
        return array
    import torch

    return torch.from_numpy(array).to(device)
