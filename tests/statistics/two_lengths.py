"""Two runs of one draft at different draft lengths: how often is it said that rounds that start elsewhere do not explain
their acceptance, and how often is another draft found?

Contexts stay easy (.9) or hard (.55) for long, so that one draft has another first-position acceptance at each length.
"""

import json
import os
import random

import common
import replayed_rounds

NAME = "gamma LONGER SHORTER: one draft at two draft lengths, level .01"
RUNS, REQUESTS, TOKENS = 200, 60, 400
RATES = replayed_rounds.RATES["two difficulties"]
LENGTHS = [(8, 1), (5, 3), (4, 2)]
WORSE = .06  # acceptance of another draft is so much lower


def log_of(path, texts, gamma, first_name):
    with open(path, "w", encoding="utf-8") as file:
        for prompt, text in enumerate(texts):
            for start, emitted in replayed_rounds.played(text, gamma):
                file.write(json.dumps({"prompt": first_name + prompt, "start": start, "gamma": gamma,
                                       "emitted": emitted}) + "\n")


def counts_of(path, texts, gamma, first_name):
    """Responses with histograms, and no order."""
    with open(path, "w", encoding="utf-8") as file:
        for prompt, text in enumerate(texts):
            kept = [emitted - 1 for _, emitted in replayed_rounds.played(text, gamma)]
            file.write(json.dumps({"id": f"r{first_name + prompt}", "choices": [{}], "usage": {"completion_tokens": len(text)},
                                   "metrics": {"speculative_decoding": {
                                       "num_spec_steps": len(kept), "num_draft_tokens": gamma * len(kept),
                                       "num_accepted_draft_tokens": sum(kept), "num_spec_tokens": gamma,
                                       "acceptance_histogram": [kept.count(k) for k in range(gamma + 1)]}}}) + "\n")


def answers(program, folder, rng, lengths, other, paired=False, write=log_of):
    """The verdict of each run; `other`: the second run's drafts are worse."""
    paths = [os.path.join(folder, name) for name in ("longer.jsonl", "shorter.jsonl")]
    for _ in range(RUNS):
        rates = [rate - WORSE * other for rate in RATES]
        texts = [replayed_rounds.accepted(rng, RATES, TOKENS) for _ in range(REQUESTS)]
        # Of the same requests the texts are the same, as at temperature 0.
        again = texts if paired else [replayed_rounds.accepted(rng, rates, TOKENS) for _ in range(REQUESTS)]
        write(paths[0], texts, lengths[0], 0)
        write(paths[1], again, lengths[1], 0 if paired else REQUESTS)
        found = program("gamma", *paths, "--cost", "longer=.05,shorter=.05", "--resamples", 0)
        yield found["counted_drafts"]["two_lengths"]["verdict"]


def rows(program):
    with common.folder() as folder:
        for lengths in LENGTHS:
            name = f"γ = {lengths[0]} and {lengths[1]}"
            for kind, paired in (("other texts", False), ("same texts", True)):
                said = list(answers(program, folder, random.Random(f"{lengths} {paired}"), lengths, 0, paired))
                yield common.Row(f"{name}, one draft, {kind}: not explained", .01, said.count("unexplained"), RUNS,
                                 note=f"explained {said.count('explained')}, inconclusive {said.count('inconclusive')}")
            said = list(answers(program, folder, random.Random(f"{lengths} worse"), lengths, 1))
            yield common.Row(f"{name}, {WORSE:g} less accepted: not explained", .7, said.count("unexplained"), RUNS,
                             "at least", f"explained {said.count('explained')}, inconclusive {said.count('inconclusive')}")
        said = list(answers(program, folder, random.Random("counts"), (8, 1), 0, write=counts_of))
        yield common.Row("γ = 8 and 1, one draft, counts: not explained", .01, said.count("unexplained"), RUNS,
                         note=f"explained {said.count('explained')}, inconclusive {said.count('inconclusive')}")
        said = list(answers(program, folder, random.Random("counts worse"), (8, 1), 1, write=counts_of))
        yield common.Row(f"γ = 8 and 1, {WORSE:g} less, counts: not explained", .5, said.count("unexplained"), RUNS, "counted",
                         f"explained {said.count('explained')}, inconclusive {said.count('inconclusive')}")
