"""Counts of an engine: does the interval of S cover where rounds of one request depend on each other?

A request's rounds keep 0 … 4 drafts; a round repeats the one before it with probability rho, else it is drawn anew
with acceptance .7 a draft. The truth is the same at every rho.

Then few requests draft far: 30 at γ = 2 and k at γ = 4. Of a single one nothing may be claimed at γ = 4.

Last, rounds are played along texts whose easy and hard passages persist. Rounds of another γ begin elsewhere there: do the
intervals at shorter γ, of what the counts allow, cover them?
"""

import os
import random

import common

NAME = "gamma --accepted: 95 % intervals of S at γ = 4, c = .1 (30 requests of 60 rounds)"
WORLDS, REQUESTS, ROUNDS, GAMMA, ALPHA, COST = 300, 30, 60, 4, .7, .1
TRUTH = sum(ALPHA ** i for i in range(GAMMA + 1)) / (1 + GAMMA * COST)
MIXED, SHORT = 200, 2  # worlds, and γ of those that draft less far
RAN = (4, 5, 7)
TOKENS, STAY, EASY, HARD = 400, .985, .9, .55  # a text; its passages, and how often a draft is accepted in them


def kept(rng, gamma):
    drafts = 0
    while drafts < gamma and rng.random() < ALPHA:
        drafts += 1
    return drafts


def requests(rng, rho, number=REQUESTS, gamma=GAMMA):
    rows = []
    for _ in range(number):
        counts, last = [0] * (gamma + 1), None
        for _ in range(ROUNDS):
            if last is None or rng.random() >= rho:
                last = kept(rng, gamma)
            counts[last] += 1
        rows.append(counts)
    return rows


def misses(document):
    interval = document["curve"][GAMMA]["speedup"]
    return not interval["low"] <= TRUTH <= interval["high"]


def by_requests(program, path, counts):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(",".join(map(str, row)) + "\n" for row in counts)
    return program("gamma", "--accepted", path, "--cost", COST, "--resamples", 0)


def few_that_draft_far(program, path):
    for rho in (0, .9):
        for far in (1, 2, 3, 5):
            rng = random.Random(f"far {rho} {far}")
            known = wrong = 0
            for _ in range(MIXED):
                counts = requests(rng, rho, gamma=SHORT) + requests(rng, rho, number=far)
                found = by_requests(program, path, counts)
                if len(found["curve"]) <= GAMMA:
                    continue
                known += 1
                wrong += misses(found)
            what = f"{REQUESTS} at γ = {SHORT}, {far} at {GAMMA}, rho = {rho}"
            if far == 1:
                yield common.Row(f"{what}: claimed at {GAMMA}", 0, known, MIXED)
                continue
            yield common.Row(f"{what}: misses", .05, wrong, known, note=f"not known in {MIXED - known}")


def texts(rng):
    """Whether a draft of each token would be accepted, along texts whose passages are easy or hard."""
    for _ in range(REQUESTS):
        easy, accepted = rng.random() < .5, []
        for _ in range(TOKENS):
            accepted.append(rng.random() < (EASY if easy else HARD))
            if rng.random() >= STAY:
                easy = not easy
        yield accepted


def rounds_of(accepted, gamma):
    """Rounds by accepted drafts, up to the last whole one."""
    counts, at = [0] * (gamma + 1), 0
    while at + gamma < len(accepted):
        kept = next((i for i in range(gamma) if not accepted[at + i]), gamma)
        counts[kept] += 1
        at += kept + 1
    return counts


def tokens_in_passages(gamma):
    """E[N] by the chain of rounds on (easy, hard) at their first token."""
    rates, stay = (EASY, HARD), ((STAY, 1 - STAY), (1 - STAY, STAY))

    def after(state, drafts):  # [(probability, state, tokens)] at the next round's first token
        if drafts == 0:
            return [(stay[state][to], to, 1) for to in (0, 1)]
        ends = [((1 - rates[state]) * stay[state][to], to, 1) for to in (0, 1)]
        for to in (0, 1):
            ends += [(rates[state] * stay[state][to] * p, end, tokens + 1) for p, end, tokens in after(to, drafts - 1)]
        return ends
    ways = [after(state, gamma) for state in (0, 1)]
    to_hard, to_easy = (sum(p for p, end, _ in ways[state] if end != state) for state in (0, 1))
    share = (to_easy / (to_easy + to_hard), to_hard / (to_easy + to_hard))
    return sum(share[state] * p * tokens for state in (0, 1) for p, _, tokens in ways[state])


def passages(program, path):
    """Rounds of one γ bound those of every shorter one, whatever the difficulty does; cut short, they would miss."""
    for gamma in RAN:
        truth = {g: tokens_in_passages(g) / (1 + g * COST) for g in range(gamma + 1)}
        best = max(truth, key=truth.get)
        rng = random.Random(f"passages {gamma}")
        missed, outside, least = dict.fromkeys(truth, 0), 0, 0
        for _ in range(MIXED):
            found = by_requests(program, path, [rounds_of(accepted, gamma) for accepted in texts(rng)])
            for g in range(1, gamma + 1):
                interval = found["curve"][g]["speedup"]
                missed[g] += not interval["low"] <= truth[g] <= interval["high"]
            within = any(each["first"] <= best <= each["last"] for each in found["confidence_set"])
            outside += not within
            least += found["best_gamma"] == best
        exact = [g for g in range(1, gamma) if (gamma + 1) % (g + 1) == 0]
        for g in exact + [gamma]:
            yield common.Row(f"difficulty persists, γ = {gamma} ran: misses at {g}", .05, missed[g], MIXED)
        bounded = [g for g in range(1, gamma) if g not in exact]
        yield common.Row(f"difficulty persists, γ = {gamma} ran: worst of the others", .05,
                         max(missed[g] for g in bounded), MIXED)
        yield common.Row(f"difficulty persists, γ = {gamma} ran: best γ not in the set", .05, outside, MIXED,
                         note=f"γ = {best}, chosen in {least}")


def rows(program):
    alarms = found = 0
    with common.folder() as folder:
        path = os.path.join(folder, "requests.csv")
        for rho in (0, .9, .99):
            rng = random.Random(f"accepted {rho}")
            wrong = pooled = 0
            for _ in range(WORLDS):
                counts = requests(rng, rho)
                by_request = by_requests(program, path, counts)
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
        yield from few_that_draft_far(program, path)
        yield from passages(program, path)
