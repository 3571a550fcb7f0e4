"""Verifiers in NumPy, as people write them: right ones, and the bugs that were met in public code. Each takes a draftgauge.Batch."""

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
