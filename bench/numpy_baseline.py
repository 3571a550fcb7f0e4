"""The NumPy baseline of `draftgauge bench`, started by it: rounds of Algorithm 1 of Leviathan et al. 2023 (arXiv
2211.17192) for one context, batched, with alias tables, in float32.

    numpy_baseline.py GAMMA SEED whole|shrinking

  whole      drafts of all γ positions for a batch of rounds, then the length of each row's accepted beginning
  shrinking  position by position, only for the rounds that go on; which round is which is lost on the way

On standard input: a line of p, a line of q, and then for each stretch of rounds a line with their number. On
standard output: a line with NumPy's version, and for each stretch one with the CPU seconds that it took and the rounds
so far by the number of accepted drafts.
"""

import sys
import time

import numpy as np

BATCH = {"whole": 8192, "shrinking": 65536}  # the fastest of 4 Ki … 256 Ki


def alias_table(law):
    """Walker's table by Vose's construction: the probability of the bucket's own token, and the other."""
    scaled = law / law.sum() * len(law)
    keep, other = np.ones(len(law), np.float32), np.arange(len(law), dtype=np.int32)
    small, large = list(np.flatnonzero(scaled < 1)), list(np.flatnonzero(scaled >= 1))
    while small and large:
        s, l = small.pop(), large[-1]
        keep[s], other[s] = scaled[s], l
        scaled[l] -= 1 - scaled[s]
        if scaled[l] < 1:
            small.append(large.pop())
    return keep, other


def pick(random, table, count):
    keep, other = table
    at = random.random(count, dtype=np.float32) * np.float32(len(keep))
    bucket = np.minimum(at.astype(np.int32), len(keep) - 1)
    at -= bucket
    return np.where(at < keep[bucket], bucket, other[bucket])


class Game:
    def __init__(self, p, q, gamma, seed):
        self.gamma, self.random = gamma, np.random.default_rng(seed)
        self.target, self.draft = alias_table(p), alias_table(q)
        residual = np.maximum(p - q, 0)
        self.residual = alias_table(residual if residual.sum() > 0 else p)
        self.ratio = np.divide(p, q, out=np.ones_like(p), where=q > 0).astype(np.float32)
        self.accepted = np.zeros(gamma + 1, np.int64)

    def whole(self, rounds):
        x = pick(self.random, self.draft, rounds * self.gamma)
        accepts = self.random.random(len(x), dtype=np.float32) < self.ratio[x]
        accepted = np.logical_and.accumulate(accepts.reshape(rounds, self.gamma), axis=1).sum(axis=1)
        counts = np.bincount(accepted, minlength=self.gamma + 1)
        pick(self.random, self.residual, rounds - counts[-1])
        pick(self.random, self.target, counts[-1])
        self.accepted += counts

    def shrinking(self, rounds):
        for position in range(self.gamma):
            x = pick(self.random, self.draft, rounds)
            going_on = np.count_nonzero(self.random.random(rounds, dtype=np.float32) < self.ratio[x])
            pick(self.random, self.residual, rounds - going_on)
            self.accepted[position] += rounds - going_on
            rounds = going_on
        pick(self.random, self.target, rounds)
        self.accepted[-1] += rounds


def main(gamma, seed, way):
    print(np.__version__, flush=True)
    p, q = (np.array(sys.stdin.readline().split(), float) for _ in range(2))
    game = Game(p, q, int(gamma), int(seed))
    play = getattr(game, way)
    for line in sys.stdin:
        left = int(line)
        start = time.process_time()
        while left > 0:
            play(min(left, BATCH[way]))
            left -= BATCH[way]
        print(time.process_time() - start, *game.accepted, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
