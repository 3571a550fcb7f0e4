"""Verifiers in SGLang's layout of trees, in NumPy: what its kernels do for a round each, here for all at once; and bugs planted in them.
They write into their first three arguments."""

import numpy as np


def target_only(predicts, accept_index, accept_token_num, candidates, retrive_index, next_token, next_sibling, coins, last_coins, target,
                draft, threshold_single, threshold_acc, deterministic, *, bug=None):
    """One coin for all children of a node, and after the last node what its rejected children leave of p. It is told that a rejected
    child is out by its p, which it writes over the q of the draft model."""
    assert deterministic and {one.dtype for one in (coins, last_coins, target, draft)} == {np.dtype(np.float32)}
    assert {one.dtype for one in (candidates, retrive_index, next_token, next_sibling)} == {np.dtype(np.int64)} and not draft.any()
    assert coins.max() < 1 and last_coins.max() < 1 and predicts.dtype == accept_index.dtype == accept_token_num.dtype == np.int32
    rows, depth = np.arange(len(candidates)), accept_index.shape[1] - 1
    node, count, passed = np.zeros(len(rows), int), np.zeros(len(rows), int), np.zeros(len(rows), np.float32)
    accept_index[:, 0] = retrive_index[:, 0]
    for _ in range(depth):
        child = np.where(count == _, next_token[rows, node], -1)
        while (child >= 0).any():
            on = np.flatnonzero(child >= 0)
            x = candidates[on, child[on]]
            p = target[on, node[on], x]
            passed[on] += p
            at = coins[on, node[on]] if bug != "coin" else coins[on, 0]
            stands = (p > 0) & ((at < passed[on] / np.float32(threshold_acc)) | (p >= threshold_single))
            kept, others = on[stands], on[~stands]
            if bug != "residual":
                draft[others, node[others], x[~stands]] = p[~stands]
            predicts[retrive_index[kept, node[kept]]] = x[stands]
            node[kept], passed[kept] = child[kept], 0
            count[kept] += 1
            accept_index[kept, count[kept]] = retrive_index[kept, node[kept]]
            child[kept] = -1
            child[others] = next_sibling[others, child[others]]
            if bug == "sum":
                passed[others] = 0
    accept_token_num[:] = count
    law = target[rows, node] - np.where((count < depth)[:, None], draft[rows, node], 0)
    sums = np.maximum(law, 0).cumsum(-1)
    predicts[retrive_index[rows, node]] = np.minimum((sums <= last_coins[:, None] * sums[:, -1:]).sum(-1), target.shape[-1] - 1)


def greedy(predicts, accept_index, accept_token_num, candidates, retrive_index, next_token, next_sibling, target_predict, *, bug=None):
    """Follows the target's tokens as long as a child has them."""
    for row, slots in enumerate(retrive_index):
        node = count = 0
        accept_index[row, 0] = slots[0]
        while True:
            child = next_token[row, node]
            while child >= 0 and candidates[row, child] != target_predict[row, node]:
                child = next_sibling[row, child] if bug != "first" else -1
            predicts[slots[node]] = target_predict[row, 0 if bug == "root" and child < 0 else node]
            if child < 0:
                break
            node, count = child, count + 1
            accept_index[row, count] = slots[node]
        accept_token_num[row] = count
