"""An honest engine's log of other texts beside a recording: how often the two are said to differ.

The recording is of texts that are cut at a number of tokens. The engine plays the rule on other texts of the same pair:
its last rounds are whole, or cut at that number, or its texts end at an end token, of which the log says nothing.
"""

import json
import random

import engines
from common import Row, folder

NAME = "measure REC --log of other texts: honest engines that are said to differ (100 texts, 5 % promised)"
RUNS, TEXTS = 60, 100
LAWS = engines.markov(4, 5, .6)
ENDING = engines.markov(4, 6, .6, end=3)
# Tokens of the recorded texts, of the engine's (at most, where an end token ends them), γ, and how these end.
CASES = [(24, 24, 6, "maxnew"), (64, 64, 4, "maxnew"), (24, 24, 6, "truncated"), (200, 24, 4, "truncated"),
         (200, 24, 4, "maxnew"), (24, 200, 4, "maxnew"), (64, 64, 4, "eos+maxnew"), (64, 64, 4, "eos+truncated")]


def texts(rng, laws, play, stop, limit):
    return [engines.run(rng, laws, play, stop, limit) for _ in range(TEXTS)]


def compared(program, laws, recorded, limit, gamma, stop, rng, lenience=None):
    """The field "engine" for a log of texts that have other names than the recorded ones."""
    def play(context):
        return engines.token_round(rng, laws, context, gamma, lenience and "lenience", lenience or 1.0)
    recording_stop = "eos+truncated" if stop.startswith("eos") else "truncated"
    with folder() as at:
        columns, _ = engines.write(at, laws, texts(rng, laws, play if lenience is None else (
            lambda context: engines.token_round(rng, laws, context, gamma)), recording_stop, recorded), gamma)
        log = f"{at}/other.jsonl"
        with open(log, "w", encoding="utf-8") as out:
            for name, (_, rounds, _) in enumerate(texts(rng, laws, play, stop, limit)):
                for start, emitted in rounds:
                    out.write(json.dumps({"prompt": f"other {name}", "start": start, "gamma": gamma,
                                          "emitted": emitted}) + "\n")
        return program("measure", columns, "--log", log, "--rule", "token", "--gamma", gamma, "--resamples", 0,
                       "--coin-runs", 1)["engine"]


def rows(program):
    for recorded, limit, gamma, stop in CASES:
        laws = ENDING if stop.startswith("eos") else LAWS
        differ = 0
        for run in range(RUNS):
            rng = random.Random(f"{recorded} {limit} {gamma} {stop} {run}")
            differ += compared(program, laws, recorded, limit, gamma, stop, rng)["verdict"] == "differ"
        yield Row(f"recorded {recorded}, engine's {limit} ({stop}), γ = {gamma}", .05, differ, RUNS)
    found = 0
    for run in range(RUNS):
        rng = random.Random(f"lenience {run}")
        found += compared(program, LAWS, 64, 64, 4, "maxnew", rng, lenience=.5)["verdict"] == "differ"
    yield Row("an engine of lenience .5, recorded 64, engine's 64", .9, found, RUNS, kind="counted")
