"""Verifiers in NumPy, as people write them: right ones, and the bugs of faulty rules. Each takes a draftgauge.Batch."""

import numpy as np


def pick(rng, rows):
    """A token of each row of weights."""
    sums = rows.cumsum(-1)
    return (sums <= rng.random((*rows.shape[:-1], 1)) * sums[..., -1:]).sum(-1)


def emitted(drafts, kept, last):
    """The drafts that are kept, the token after them, and −1."""
    places = np.arange(drafts.shape[1] + 1)
    padded = np.concatenate([drafts, np.zeros((len(drafts), 1), np.int64)], axis=1)
    return np.where(places < kept[:, None], padded, np.where(places == kept[:, None], last[:, None], -1))


def of_drafts(rows, drafts):
    return np.take_along_axis(rows, drafts[:, :, None], axis=2)[:, :, 0]


def leading(stands):
    """How many stand before the first that does not."""
    return stands.cumprod(axis=1).sum(axis=1)


def after(kept, rows):
    """The row behind so many drafts."""
    return rows[np.arange(len(kept)), kept]


def token(b, *, residual="excess", bonus="p", shift=0):
    """Leviathan et al. 2023, Algorithm 1, and its variants with a bug."""
    gamma = b.drafts.shape[1]
    kept = leading(b.rng.random(b.drafts.shape) * of_drafts(b.q, b.drafts) < of_drafts(b.p[:, :gamma], b.drafts))
    q = np.concatenate([b.q, np.zeros_like(b.q[:, :1])], axis=1)
    law = np.maximum(after(kept, b.p) - after(kept, q), 0) if residual == "excess" else after(kept, b.p)
    if bonus == "q":
        law = np.where((kept == gamma)[:, None], b.q[:, -1], law)
    if shift:  # the row before the one that is meant
        law = np.where((kept == gamma)[:, None], b.p[:, gamma - shift], law)
    law = np.where(law.sum(-1, keepdims=True) > 0, law, after(kept, b.p))
    return emitted(b.drafts, kept, pick(b.rng, law))


def bonus_from_q(b):
    return token(b, bonus="q")


def residual_from_p(b):
    return token(b, residual="p")


def bonus_of_the_row_before(b):
    return token(b, shift=1)


def block(b, *, product=False):
    """Block verification, Sun et al. 2024 (arXiv 2403.10444), Algorithm 2; product: with Π min(1, p/q) in place of the ratio."""
    gamma = b.drafts.shape[1]
    batch = np.arange(len(b.drafts))
    running, kept, at_kept = np.ones(len(b.drafts)), np.zeros(len(b.drafts), int), np.ones(len(b.drafts))
    for i in range(gamma):
        x = b.drafts[:, i]
        ratio = b.p[batch, i, x] / b.q[batch, i, x]
        running = np.minimum(1, running * ratio) if not product else running * np.minimum(1, ratio)
        if i + 1 == gamma:
            chance = running
        else:
            rest = np.maximum(running[:, None] * b.p[:, i + 1] - b.q[:, i + 1], 0).sum(-1)
            chance = rest / (rest + 1 - running + 1e-300)
            chance = np.where(running >= 1, 1, chance)
        stands = b.rng.random(len(b.drafts)) < chance
        kept, at_kept = np.where(stands, i + 1, kept), np.where(stands, running, at_kept)
    q = np.concatenate([b.q, np.zeros_like(b.q[:, :1])], axis=1)
    law = np.maximum(at_kept[:, None] * after(kept, b.p) - after(kept, q), 0)
    law = np.where(law.sum(-1, keepdims=True) > 0, law, after(kept, b.p))
    return emitted(b.drafts, kept, pick(b.rng, law))


def block_as_product(b):
    """As an engine does from γ = 3 on: each test by the product of min(1, p/q) against a product of coins."""
    gamma = b.drafts.shape[1]
    ratio = np.minimum(1, of_drafts(b.p[:, :gamma], b.drafts) / of_drafts(b.q, b.drafts))
    stands = b.rng.random(b.drafts.shape).cumprod(axis=1) < ratio.cumprod(axis=1)
    kept = np.where(stands, np.arange(1, gamma + 1), 0).max(axis=1)
    q = np.concatenate([b.q, np.zeros_like(b.q[:, :1])], axis=1)
    law = np.maximum(after(kept, b.p) - after(kept, q), 0)
    law = np.where(law.sum(-1, keepdims=True) > 0, law, after(kept, b.p))
    return emitted(b.drafts, kept, pick(b.rng, law))


def from_target(b):
    """Plain decoding: keeps a draft where it is what p's own draw says."""
    draws = pick(b.rng, b.p)
    kept = leading(draws[:, :-1] == b.drafts)
    return emitted(b.drafts, kept, after(kept, draws))


def greedy_drafts(q_rows, base, gamma, rng):
    """Drafts argmax q, and hands the q over as if they had been drawn from it."""
    drafts, rows = [], []
    for _ in range(gamma):
        rows.append(q_rows[base])
        base = q_rows[base].argmax(-1)
        drafts.append(base)
    return np.stack(drafts, 1), np.stack(rows, 1)


def sampled_drafts(q_rows, base, gamma, rng):
    drafts, rows = [], []
    for _ in range(gamma):
        rows.append(q_rows[base])
        base = pick(rng, q_rows[base])
        drafts.append(base)
    return np.stack(drafts, 1), np.stack(rows, 1)


def by_coins(b, *, residual="excess", bits=None, bonus=0., shift=0., read="coins"):
    """The token rule with all of its randomness from outside: coins of so many bits, a bonus that moves from one token to the next."""
    coins = b.coins if b.coins is not None else b.rng.random((len(b.drafts), b.drafts.shape[1] + 1))
    gamma = b.drafts.shape[1]
    accept = coins[:, :gamma] if bits is None else np.floor(coins[:, :gamma] * 2**bits) / 2**bits
    p, q = of_drafts(b.p[:, :gamma], b.drafts), of_drafts(b.q, b.drafts)
    kept = leading(accept * q < p + shift * (p > 0))
    padded = np.concatenate([b.q, np.zeros_like(b.q[:, :1])], axis=1)
    law = np.maximum(after(kept, b.p) - after(kept, padded), 0) if residual == "excess" else after(kept, b.p)
    law = np.where(law.sum(-1, keepdims=True) > 0, law, after(kept, b.p))
    sums = law.cumsum(-1)
    if read == "race":
        race = b.race if b.race is not None else b.rng.exponential(size=law.shape)
        with np.errstate(divide="ignore"):
            return emitted(b.drafts, kept, (race / law).argmin(-1))
    return emitted(b.drafts, kept, (sums <= coins[:, -1:] * sums[:, -1:]).sum(-1))


def block_by_coins(b):
    """block, its coins from outside."""
    class Given:
        def __init__(self):
            self.columns = iter(b.coins.T)

        def random(self, shape):
            return next(self.columns).reshape(shape)

    return block(b if b.coins is None else type(b)(b.p, b.q, b.drafts, b.base, b.ids, Given()))


def keyed(numbers, width):
    """[…, width] uniform numbers that whole numbers name: the same for the same, as counter-based generators have them."""
    # SplitMix64 (Steele et al. 2014)
    with np.errstate(over="ignore"):
        state = np.asarray(numbers, np.uint64)[..., None] * np.uint64(width) + np.arange(1, width + 1, dtype=np.uint64)
        for shift, factor in ((30, 0xbf58476d1ce4e5b9), (27, 0x94d049bb133111eb)):
            state = state * np.uint64(0x9e3779b97f4a7c15)
            state = (state ^ (state >> np.uint64(shift))) * np.uint64(factor)
        state ^= state >> np.uint64(31)
    return (state >> np.uint64(11)) * 2.**-53


class Keyed:
    """In place of a generator: coins to accept by [B, γ], all at once or column by column, and then of the last tokens [B]."""

    def __init__(self, accept, last):
        self.accept, self.last, self.taken = accept, last, 0

    def random(self, shape):
        each = int(np.prod(shape)) // len(self.last)
        self.taken += each
        part = self.accept[:, self.taken - each:self.taken] if self.taken <= self.accept.shape[1] else self.last
        return part.reshape(shape)


def with_noise(rule, noise):
    """The rule with coins noise(batch) [B, γ + 1, 2]: of each place one to accept by, and one to draw a token by."""
    def verifier(b):
        coins = noise(b)
        tokens = rule(_with(b, Keyed(coins[:, :-1, 0], np.zeros(len(b.drafts)))))
        kept = (tokens >= 0).sum(1) - 1
        return rule(_with(b, Keyed(coins[:, :-1, 0], after(kept, coins[..., 1]))))

    return verifier


def _with(b, rng):
    return type(b)(b.p, b.q, b.drafts, b.base, b.ids, rng)


def by_position(b):
    """Noise keyed by the text and a token's position in it, as engines do whose requests have seeds."""
    return keyed(b.texts[:, None] * 1000 + b.positions, 2)


def by_text(b):
    """The same seed in every round of a text."""
    return keyed(b.texts[:, None] * 1000 + np.arange(b.positions.shape[1]), 2)


def by_round(b):
    return keyed(b.ids[:, None] * 1000 + np.arange(b.positions.shape[1]), 2)


def recursive(b, *, without=False, bug=None, by_coins=False, shift=0):
    """Recursive rejection along a tree: each child of a node against what the residual still owes (SpecInfer, arXiv 2305.09781; without
    replacement Sequoia, arXiv 2402.12374), and its variants with a bug; by_coins: with its randomness from outside, where there is some."""
    coins = b.coins if by_coins else None
    if coins is None:
        coins = b.rng.random((len(b.drafts), b.drafts.shape[1] + 1))
    rounds, depth = len(b.drafts), b.positions.shape[1] - 1
    tokens, at, live = np.full((rounds, depth + 1), -1), np.zeros(rounds, int), np.ones(rounds, bool)
    length = np.zeros(rounds, int)
    for node in range(len(b.tree)):
        here = np.flatnonzero(live & (at == node))
        children = [child for child, above in enumerate(b.tree) if above == node]
        row = b.tree[node] if bug == "bonus" and not children else node  # of the node above the leaf
        if bug == "sibling" and node:  # the row of the first of its siblings
            row = b.tree.index(b.tree[node])
        left = b.p[here, row].astype(float)
        for child in children:
            x = b.drafts[here, child - 1]
            q = b.q[here, child - 1].astype(float)
            if without and child != children[0]:
                free = np.ones_like(q)  # any other, where q has no more
                for other in range(children[0], child):
                    q[np.arange(len(here)), b.drafts[here, other - 1]] = free[np.arange(len(here)), b.drafts[here, other - 1]] = 0
                q = np.where(q.sum(1, keepdims=True) > 0, q, free)
                q /= q.sum(1, keepdims=True)
            lines = np.arange(len(here))
            stands = coins[here, child - 1] * q[lines, x] < left[lines, x] + shift * (left[lines, x] > 0)
            tokens[here[stands], length[here[stands]]] = x[stands]
            at[here[stands]] = child
            length[here[stands]] += 1
            here, left, q = here[~stands], left[~stands], q[~stands]
            if bug != "same":  # each sibling against p itself
                left = np.maximum(left - q, 0)
                left /= np.where(left.sum(1, keepdims=True) > 0, left.sum(1, keepdims=True), 1)
        if bug == "target" and children:
            left = b.p[here, node]
        sums = left.cumsum(-1)
        tokens[here, length[here]] = (sums <= coins[here, -1:] * sums[:, -1:]).sum(-1)
        live[here] = False
    return tokens
