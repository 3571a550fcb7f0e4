"""Rounds in their order, replayed under policies: does the interval of what a policy has over the best fixed γ cover it?

The engines of replayed_rounds.py. The truth is of many requests, played by a second implementation of each policy, over
the fixed γ that the log chose. Of several γ the one that the log chose looks faster than it is, and the more so beyond the γ
that ran. So the promise is of one side: that no policy is said to have more than it has. The other is counted.
"""

import json
import os
import random

import common
from replayed_rounds import RATES, SHORT, TOKENS, accepted, played

NAME = "gamma ROUNDS: a policy's speedup over the best fixed γ"
COST, RAN, MOST, WORLDS, TRUTH = .05, (8, 4), 8, 200, 400  # drafts that ran, and at most; logs; logs that the truth is of
SIDES = ("too much", "too little")


class Fixed:
    def __init__(self, gamma):
        self.gamma = gamma

    def begin(self):
        pass

    def see(self, count):
        pass


class Heuristic(Fixed):
    """Hugging Face's: anew with each request."""

    def __init__(self):
        super().__init__(5)

    def begin(self):
        self.gamma = 5

    def see(self, count):
        self.gamma = min(MOST, self.gamma + 2) if count == self.gamma else max(1, self.gamma - 1)


class Steps(Fixed):
    """SGLang's: its average goes on through requests."""
    STEPS = (1, 3, 5, 7)

    def __init__(self):
        super().__init__(5)
        self.mean, self.rounds = 4, 0

    def see(self, count):
        self.mean += .2 * (count - self.mean)
        self.rounds += 1
        if self.rounds <= 10 or (self.rounds - 10) % 5:
            return
        at = old = self.STEPS.index(self.gamma)
        while at > 0 and self.mean <= self.STEPS[at - 1] - .75:
            at -= 1
        while at >= old and at + 1 < len(self.STEPS) and self.mean > self.STEPS[at] - .5:
            at += 1
        self.gamma = self.STEPS[at]


def time_of(texts, policy):
    """Of one log, in plain steps."""
    time = 0
    for text in texts:
        policy.begin()
        start = 0
        while start < len(text):
            count = 0
            while count < policy.gamma and start + count < len(text) and text[start + count]:
                count += 1
            time += 1 + COST * policy.gamma
            policy.see(count)
            start += count + 1
    return time


def truths(rates, rng):
    """Speedups: of both policies by their names, of each fixed γ."""
    times = dict.fromkeys(["heuristic", "candidate_steps", *range(MOST + 1)], 0)
    for _ in range(TRUTH):
        texts = [accepted(rng, rates, TOKENS) for _ in range(SHORT)]
        for name in times:
            policy = {"heuristic": Heuristic, "candidate_steps": Steps}.get(name)
            times[name] += time_of(texts, policy() if policy else Fixed(name))
    return {name: TRUTH * SHORT * TOKENS / time for name, time in times.items()}


def rows(program):
    with common.folder() as folder:
        path = os.path.join(folder, "rounds.jsonl")
        for name, rates in RATES.items():
            rng = random.Random(name)
            truth = truths(rates, rng)
            for gamma in RAN:
                missed = {(name, side): 0 for name in ("heuristic", "candidate_steps") for side in SIDES}
                for _ in range(WORLDS):
                    with open(path, "w", encoding="utf-8") as file:
                        for prompt in range(SHORT):
                            for start, emitted in played(accepted(rng, rates, TOKENS), gamma):
                                file.write(json.dumps({"prompt": prompt, "start": start, "gamma": gamma,
                                                       "emitted": emitted}) + "\n")
                    found = program("gamma", path, "--cost", COST, "--most", MOST, "--resamples", 0)
                    by_name = {policy["name"]: policy["over_best"] for policy in found["policies"]}
                    for policy, side in missed:
                        over = truth[policy] - truth[found["best_gamma"]]
                        within = by_name[policy]
                        missed[policy, side] += within["low"] > over if side == SIDES[0] else within["high"] < over
                for (policy, side), count in missed.items():
                    yield common.Row(f"{name}, ran at {gamma}, {policy}: {side}", .025, count, WORLDS,
                                     "at most" if side == SIDES[0] else "counted")
