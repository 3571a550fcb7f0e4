"""The confidence set of γ, and what the chosen γ loses, over recordings whose truth is known.

A text's acceptance is its own, Beta(8, 3.5), so that texts differ; tokens of a text are independent given it. The truth
is E[tokens] / E[time], over many texts. At c = .1 the γ beside the best is within a hundredth of it.
"""

import math
import os
import random

import common

NAME = "gamma FILE: the confidence set, expected regret, one text, and a hard text in ten (c = .1)"
COST, MOST, WORLDS = .1, 8, 200


def acceptances(rng, beta, tokens):
    """Tokens' a = min(1, q/p): sure with probability beta/2, else so that the mean is beta."""
    sure = beta / 2
    rest = sure / (1 - sure)
    return [1.0 if rng.random() < sure else rest for _ in range(tokens)]


def write(path, texts):
    with open(path, "w", encoding="utf-8") as file:
        file.write("# temperature: 1\nseq\tlogp\tlogq\n")
        for number, text in enumerate(texts):
            file.writelines(f"{number}\t-1\t{-1 + math.log(a):.9f}\n" for a in text)


def rounds_in(text, gamma):
    """Expected rounds of the token rule along a text: from its end on."""
    expected = [0.0] * (len(text) + gamma + 2)
    for t in range(len(text) - 1, -1, -1):
        reached, rest = 1.0, 0.0
        drafts = min(gamma, len(text) - t)
        for i in range(drafts):
            rest += reached * (1 - text[t + i]) * expected[t + i + 1]
            reached *= text[t + i]
        expected[t] = 1 + rest + reached * (expected[t + gamma + 1] if drafts == gamma else 0)
    return expected[0]


def speedups(draw, rng, texts):
    tokens, rounds = 0, [0.0] * (MOST + 1)
    for _ in range(texts):
        text = draw(rng)
        tokens += len(text)
        for gamma in range(1, MOST + 1):
            rounds[gamma] += rounds_in(text, gamma)
    return [1.0] + [tokens / rounds[gamma] / (1 + gamma * COST) for gamma in range(1, MOST + 1)]


def mixed(rng):
    return acceptances(rng, rng.betavariate(8, 3.5), 120)


def skewed(rng):
    """One hard text in ten."""
    return acceptances(rng, .2 if rng.random() < .1 else .8, 120)


def passages(rng):
    """One text of 4000 tokens in passages of 10 tokens on average."""
    text, beta = [], .8
    for _ in range(4000):
        if rng.random() < .1:
            beta = rng.choice((.45, .9))
        text += acceptances(rng, beta, 1)
    return text


def in_set(document, gamma):
    return any(part["first"] <= gamma <= part["last"] for part in document["confidence_set"])


def rows(program):
    truth = speedups(mixed, random.Random("truth"), 3000)
    best = max(range(MOST + 1), key=truth.__getitem__)
    with common.folder() as folder:
        path = os.path.join(folder, "texts.tsv")

        def ask(texts, *options):
            write(path, texts)
            return program("gamma", path, "--cost", COST, "--most", MOST, *options)

        for texts in (6, 20):
            rng = random.Random(f"set {texts}")
            outside = size = 0
            lost, claimed, wins = [], [], []
            for _ in range(WORLDS):
                found = ask([mixed(rng) for _ in range(texts)], "--resamples", 200)
                outside += not in_set(found, best)
                size += sum(part["last"] - part["first"] + 1 for part in found["confidence_set"])
                lost.append(1 - truth[found["best_gamma"]] / truth[best])
                claimed.append(found["expected_regret"])
                wins.append(found["curve"][best]["wins"])
            yield common.Row(f"{texts} texts: the set leaves the best γ out", .05, outside, WORLDS,
                             note=f"{size / WORLDS:.1f} γ of {MOST + 1}; the best one's win share {sum(wins) / WORLDS:.2f}; "
                                  f"lost {sum(lost) / WORLDS:.4f}, expected {sum(claimed) / WORLDS:.4f}")

        hard = speedups(skewed, random.Random("hard"), 3000)
        for texts in (5, 10, 30):
            rng = random.Random(f"skewed {texts}")
            wrong = 0
            for _ in range(WORLDS):
                interval = ask([skewed(rng) for _ in range(texts)], "--resamples", 0)["curve"][4]["speedup"]
                wrong += not isinstance(interval, dict) or not interval["low"] <= hard[4] <= interval["high"]
            # A sample without a hard text knows of none: no interval covers then, and what is promised is no more.
            yield common.Row(f"a hard text in ten, {texts} texts: S at γ = 4 missed", .06 + .9 ** texts, wrong, WORLDS,
                             note=f"{.9 ** texts:.2f} of samples hold no hard text: the promise is .06 beside these")

        rng = random.Random("one")
        along = speedups(passages, random.Random("along"), 60)
        wrong = 0
        for _ in range(WORLDS):
            interval = ask([passages(rng)], "--resamples", 0)["curve"][4]["speedup"]
            wrong += not interval["low"] <= along[4] <= interval["high"]
        yield common.Row("one text of 4000 tokens: S at γ = 4 missed", .05, wrong, WORLDS)
