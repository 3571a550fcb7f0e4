"""Intervals over texts of unlike lengths: how often the interval of α misses, and how wide it is.

A text's tokens are accepted independently given its own acceptance. What goes with the length is what the rows differ in.
"""

import math
import os
import random

import best_gamma
import common

NAME = "measure: 95 % intervals of α over texts of unlike lengths (at most .07 missed is stated of the first rows)"
WORLDS = 200


def even(rng, texts):
    """Lengths of 20 to 200 that say nothing of acceptance."""
    return [(rng.betavariate(8, 3.5), rng.randint(20, 200)) for _ in range(texts)]


def hard_is_long(rng, texts):
    """A text in two is hard and ten times as long as an easy one."""
    return [(.5, 200) if rng.random() < .5 else (.9, 20) for _ in range(texts)]


def one_long(rng, texts):
    """The first has more tokens than all others."""
    return [(rng.betavariate(8, 3.5), 2000 if i == 0 else 60) for i in range(texts)]


CASES = [("lengths of 20 to 200", even, 8 / 11.5, (3, 10), True),
         ("hard texts are ten times as long", hard_is_long, (.5 * 200 + .9 * 20) / 220, (3, 28), False),
         ("one of 2000 tokens, others of 60", one_long, 8 / 11.5, (28,), False)]


def batch_means_miss(rng, spread, parts=20):
    """Whether an interval that takes parts of the longest text for texts misses: texts differ by `spread`, parts do not."""
    lengths = [60] * 27 + [2000 // parts] * parts
    rates = [rng.gauss(.7, spread) for _ in range(28)]
    rates += rates[-1:] * (parts - 1)
    kept = [sum(rng.random() < rate for _ in range(length)) for length, rate in zip(lengths, rates)]
    tokens = sum(lengths)
    alpha = sum(kept) / tokens
    error = math.sqrt(sum(((k - alpha * n) / (1 - n / tokens)) ** 2 for k, n in zip(kept, lengths))) / tokens
    return abs(alpha - .7) > 2.01 * error  # Student's t of 46 degrees


def rows(program):
    with common.folder() as folder:
        path = os.path.join(folder, "texts.tsv")
        for what, draw, truth, sizes, stated in CASES:
            for texts in sizes:
                rng = random.Random(f"{what} {texts}")
                wrong, widths = 0, []
                for _ in range(WORLDS):
                    best_gamma.write(path, [best_gamma.acceptances(rng, *text) for text in draw(rng, texts)])
                    alpha = program("measure", path, "--gamma", 1, "--resamples", 0, "--coin-runs", 1)["alpha"]
                    wrong += not isinstance(alpha, dict) or not alpha["low"] <= truth <= alpha["high"]
                    widths.append(alpha["high"] - alpha["low"] if isinstance(alpha, dict) else 1.0)
                yield common.Row(f"{what}, {texts} texts: missed", .07, wrong, WORLDS,
                                 kind="at most" if stated else "counted", note=f"median width {sorted(widths)[WORLDS // 2]:.2f}")
    for spread in (0, .03, .06):
        rng = random.Random(f"batch means {spread}")
        yield common.Row(f"one of 2000, batch means in it, α ± {spread}: missed", .05,
                         sum(batch_means_miss(rng, spread) for _ in range(5 * WORLDS)), 5 * WORLDS, kind="counted")
