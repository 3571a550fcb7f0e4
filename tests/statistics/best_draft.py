"""P(best) of two drafts: how often it is sure of one of two that are alike, and how often it is right where they differ.

Recordings are over the same texts, whose acceptance is their own; both drafts are accepted by chance of their own. Where
they differ, the second draft's acceptance is off by a normal number about as large as the error of the difference.
"""

import math
import os
import random

import best_gamma
import common

NAME = "gamma of two drafts: P(best) of .99 or more of drafts that are alike, and whether .9 to .99 is right (c = .1)"
COST, MOST, TOKENS, WORLDS = .1, 6, 60, 200


def write(path, texts, tokens):
    with open(path, "w", encoding="utf-8") as file:
        file.write("# temperature: 1\nseq\ttoken\tlogp\tlogq\n")
        for number, (text, names) in enumerate(zip(texts, tokens)):
            file.writelines(f"{number}\t{x}\t-1\t{-1 + math.log(a):.9f}\n" for a, x in zip(text, names))


def recorded(program, folder, rng, texts, off=0.0):
    """P(best) of the two drafts; none where it is not said."""
    betas = [rng.betavariate(8, 3.5) for _ in range(texts)]
    tokens = [[rng.randrange(1000) for _ in range(TOKENS)] for _ in range(texts)]
    paths = []
    for draft, more in enumerate((0.0, off)):
        paths.append(os.path.join(folder, f"draft{draft}.tsv"))
        write(paths[-1], [best_gamma.acceptances(rng, min(.99, max(.01, beta + more)), TOKENS) for beta in betas], tokens)
    found = program("gamma", *paths, "--cost", COST, "--most", MOST)["drafts"]
    return [each["wins"] for each in found["standings"]]


def counted(program, folder, rng, requests):
    """The same of counts by request, of two runs on texts of their own."""
    paths = []
    for draft in ("one", "two"):
        paths.append(os.path.join(folder, f"{draft}.jsonl"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            for _ in range(requests):
                beta, kept = rng.betavariate(8, 3.5), [0] * 4
                for _ in range(20):
                    at = 0
                    while at < 3 and rng.random() < beta:
                        at += 1
                    kept[at] += 1
                accepted = sum(i * n for i, n in enumerate(kept))
                file.write(f'{{"id": "{rng.random()}", "object": "text_completion", "meta_info": {{"completion_tokens": '
                           f'{20 + accepted}, "spec_verify_ct": 20, "spec_accept_histogram": {kept}}}}}\n')
    found = program("gamma", *paths, "--cost", f"one={COST},two={COST}", "--draft-length", 3)["counted_drafts"]
    return [each["wins"] for each in found["standings"]]


def rows(program):
    with common.folder() as folder:
        for texts in (20, 28):
            rng = random.Random(f"alike {texts}")
            sure = sum(max(recorded(program, folder, rng, texts)) >= .99 for _ in range(WORLDS))
            yield common.Row(f"{texts} texts, alike: sure of one", .02, sure, WORLDS)
        rng = random.Random("requests")
        sure = sum(max(counted(program, folder, rng, 20)) >= .99 for _ in range(WORLDS))
        yield common.Row("20 requests of each, alike: sure of one", .02, sure, WORLDS)
        rng = random.Random("few")
        said = sum(ask(program, folder, rng, 19)[0] is not None for ask in (recorded, counted) for _ in range(5))
        yield common.Row("19 texts, or requests: said at all", 0, said, 10)
        rng, right, said = random.Random("differ"), 0, 0
        for _ in range(WORLDS):
            off = rng.gauss(0, .013)
            second = recorded(program, folder, rng, 28, off)[1]
            if .9 <= max(second, 1 - second) < .99:
                said += 1
                right += (second > .5) == (off > 0)
        yield common.Row("28 texts, off by as much as the noise: .9 to .99 is right", .9, right, said, kind="counted")
