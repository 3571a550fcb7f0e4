"""Rounds in their order, replayed at other draft lengths: is the point near the truth, does the bracket hold it, and does
the interval over requests cover it?

Two engines whose drafts depend on the text alone: i.i.d. (.75), and contexts that stay easy (.9) or hard (.55) for long.
The truth of the point and the bracket is of the very texts, played at the other length; that of the interval is the
engine's, of a long text.
"""

import json
import os
import random

import common

NAME = "gamma ROUNDS: replayed tokens per round at γ′ = 1 … 2γ"
LONG, SHORT, WORLDS, COVERED = 60, 20, 3, 200  # requests of a long and a short log; logs of each
TOKENS, LAPSE = 200, .03  # of a short text; chance that a context's difficulty is drawn anew
ALONE = (2600, 6000, 12000)  # tokens of a single request, whose interval is over its parts
RATES = {"i.i.d.": (.75, .75), "two difficulties": (.9, .55)}


def accepted(rng, rates, tokens):
    easy, outcomes = rng.random() < .5, []
    for _ in range(tokens):
        outcomes.append(rng.random() < rates[0 if easy else 1])
        if rng.random() < LAPSE:
            easy = rng.random() < .5
    return outcomes


def played(outcomes, gamma):
    """(start, emitted) of each round of γ drafts along a text."""
    start, rounds = 0, []
    while start < len(outcomes):
        kept = 0
        while kept < gamma and start + kept < len(outcomes) and outcomes[start + kept]:
            kept += 1
        rounds.append((start, kept + 1))
        start += kept + 1
    return rounds


def per_round(texts, gamma):
    return sum(map(len, texts)) / sum(len(played(text, gamma)) for text in texts)


def replayed(program, path, texts, gamma, *options):
    with open(path, "w", encoding="utf-8") as file:
        for prompt, text in enumerate(texts):
            for start, emitted in played(text, gamma):
                file.write(json.dumps({"prompt": prompt, "start": start, "gamma": gamma, "emitted": emitted}) + "\n")
    return program("gamma", path, "--resamples", 0, *options)["replay"]["curve"]


def rows(program):
    with common.folder() as folder:
        path = os.path.join(folder, "rounds.jsonl")
        for name, rates in RATES.items():
            for gamma in (3, 5, 8):
                rng = random.Random(f"{name} {gamma}")
                far = outside = asked = 0
                for _ in range(WORLDS):
                    texts = [accepted(rng, rates, 10 * TOKENS) for _ in range(LONG)]
                    for row in replayed(program, path, texts, gamma, "--cost", .05):
                        truth, tokens = per_round(texts, row["gamma"]), row["mean_tokens"]
                        point = tokens["value"] if isinstance(tokens, dict) else tokens
                        asked += 1
                        far += abs(point / truth - 1) > .015
                        outside += not .998 * row["low"] <= truth <= 1.002 * row["high"]
                yield common.Row(f"{name}, γ = {gamma}: point off by more than 1.5 %", 0, far, asked)
                yield common.Row(f"{name}, γ = {gamma}: truth outside the bracket", 0, outside, asked)
            rng = random.Random(name)
            truth = {gamma: per_round([accepted(rng, rates, 2_000_000)], gamma) for gamma in (2, 6)}
            missed = dict.fromkeys(truth, 0)
            for _ in range(COVERED):
                texts = [accepted(rng, rates, TOKENS) for _ in range(SHORT)]
                curve = replayed(program, path, texts, 4, "--cost", .05, "--most", 6)
                for gamma in truth:
                    within = curve[gamma - 1]["mean_tokens"]
                    missed[gamma] += not within["low"] <= truth[gamma] <= within["high"]
            for gamma, count in missed.items():
                yield common.Row(f"{name}, 4 to {gamma}: 95 % interval misses", .05, count, COVERED)
            for tokens in ALONE:
                rng = random.Random(f"{name} {tokens}")
                missed = dict.fromkeys(truth, 0)
                for _ in range(COVERED):
                    curve = replayed(program, path, [accepted(rng, rates, tokens)], 4, "--cost", .05, "--most", 6)
                    for gamma in truth:
                        within = curve[gamma - 1]["mean_tokens"]
                        missed[gamma] += not within["low"] <= truth[gamma] <= within["high"]
                for gamma, count in missed.items():
                    yield common.Row(f"{name}, one request of {tokens} tokens, 4 to {gamma}: misses", .1, count, COVERED)
