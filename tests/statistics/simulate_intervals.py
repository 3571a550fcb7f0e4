"""simulate's intervals of tokens per round, over trials of one round and of 64: how often they miss E[N], which closed
forms and exact sums over the chain say. They promise .95; where few trials differ they are of a kind that holds at any
sample size, and the least that the normal limit covers beside it is .935 (tests/analysis/stats/tally_ratio_test.cc)."""

import json
import math
import pathlib

import common

NAME = "simulate: intervals of tokens per round"

MISS = .065
SEEDS = 400


def independent(alpha, gamma):
    return [f"exact-alpha:vocab=8,alpha={alpha}"], (1 - alpha ** (gamma + 1)) / (1 - alpha)


def bursts(folder):
    """A chain that seldom comes to a token after which drafts are bad, and then stays there."""
    path = pathlib.Path(folder) / "bursts.json"
    rare = ["999/1000", "1/1000"]
    path.write_text(json.dumps({"p": [rare, ["1/50", "49/50"]], "q": [rare, ["1", "0"]]}))
    return [str(path), "--start", "0"]


def truth(program, source, gamma, per_trial):
    got = program("verify", *source, "--gamma", gamma, "--rounds-per-trial", per_trial, "--rounds", 64 * per_trial)
    mean = [check for check in got["checks"] if check["name"] == "tokens per round"][0]
    return mean["closed_form"] if mean["closed_form"] is not None else mean["exact"]


def row(program, what, source, gamma, per_trial, trials, mean):
    missed, width = 0, []
    for seed in range(1, SEEDS + 1):
        got = program("simulate", *source, "--gamma", gamma, "--rounds-per-trial", per_trial, "--range", f"0..{trials}",
                      "--seed", seed)["mean_tokens"]
        missed += not got["low"] <= mean <= got["high"]
        width.append((got["high"] - got["low"]) / 2 * math.sqrt(per_trial * trials))
    width.sort()
    return common.Row(what, MISS, missed, SEEDS, note=f"median half width {width[len(width) // 2]:.3g}/√rounds")


def rows(program):
    for alpha in .8, .999:
        source, mean = independent(alpha, 4)
        for per_trial, trials in (1, 6400), (64, 100), (1600, 4):
            yield row(program, f"α = {alpha}, {trials} trials of {per_trial}", source, 4, per_trial, trials, mean)
    with common.folder() as folder:
        for name, source in ("Markov pair", ["markov:vocab=6"]), ("bursts", bursts(folder)):
            for per_trial, trials in (1, 6400), (16, 400), (64, 100), (64, 20000):
                mean = truth(program, source, 4, per_trial)
                yield row(program, f"{name}, {trials} trials of {per_trial}", source, 4, per_trial, trials, mean)
