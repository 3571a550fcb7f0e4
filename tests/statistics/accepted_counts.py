"""Counts of an engine: does the interval of S cover where rounds of one request depend on each other?

A request's rounds keep 0 … 4 drafts; a round repeats the one before it with probability rho, else it is drawn anew
with acceptance .7 a draft. The truth is the same at every rho.
"""

import os
import random

import common

NAME = "gamma --accepted: 95 % intervals of S at γ = 4, c = .1 (30 requests of 60 rounds)"
WORLDS, REQUESTS, ROUNDS, GAMMA, ALPHA, COST = 300, 30, 60, 4, .7, .1
TRUTH = sum(ALPHA ** i for i in range(GAMMA + 1)) / (1 + GAMMA * COST)


def kept(rng):
    drafts = 0
    while drafts < GAMMA and rng.random() < ALPHA:
        drafts += 1
    return drafts


def requests(rng, rho):
    rows = []
    for _ in range(REQUESTS):
        counts, last = [0] * (GAMMA + 1), None
        for _ in range(ROUNDS):
            if last is None or rng.random() >= rho:
                last = kept(rng)
            counts[last] += 1
        rows.append(counts)
    return rows


def misses(document):
    interval = document["curve"][GAMMA]["speedup"]
    return not interval["low"] <= TRUTH <= interval["high"]


def rows(program):
    alarms = found = 0
    with common.folder() as folder:
        path = os.path.join(folder, "requests.csv")
        for rho in (0, .9, .99):
            rng = random.Random(f"accepted {rho}")
            wrong = pooled = 0
            for _ in range(WORLDS):
                counts = requests(rng, rho)
                with open(path, "w", encoding="utf-8") as file:
                    file.writelines(",".join(map(str, row)) + "\n" for row in counts)
                by_request = program("gamma", "--accepted", path, "--cost", COST, "--resamples", 0)
                wrong += misses(by_request)
                if rho == 0:
                    alarms += by_request["dependence"]["p_value"] <= .05
                elif rho == .9:
                    found += by_request["dependence"]["p_value"] <= .05
                histogram = ",".join(str(sum(column)) for column in zip(*counts))
                pooled += misses(program("gamma", "--accepted", histogram, "--cost", COST, "--resamples", 200))
            yield common.Row(f"rho = {rho}: by request, misses", .05, wrong, WORLDS,
                             note=f"one histogram misses {pooled / WORLDS:.3f}" + (", and says so" if rho else ""))
    yield common.Row("rounds called dependent at 5 %, rho = 0", .05, alarms, WORLDS)
    yield common.Row("rounds called dependent at 5 %, rho = .9", .95, found, WORLDS, kind="at least")
