"""The oracle that stops drafting at the first rejected draft, computed a second time along shipped recordings:
stop_oracle.py PROGRAM SOURCE_DIR

It drafts up to and with the first rejected draft, or up to a limit that is the same in all rounds, and pays for each draft.
"""
import csv
import json
import math
import pathlib
import subprocess
import sys

program, data = sys.argv[1], pathlib.Path(sys.argv[2]) / "data" / "smollm2"
VERIFY = {1: 1, 2: 1.3, 5: 1.9, 8: 3}  # v(n), linear between
# Tokens in the time of a plain step at c = .1 and at most 7 drafts, as counted by hand at T = 0.
KNOWN = {"prune2_T0": 2.9177, "prune2_T1": 2.6513}


def texts(name):
    """[text][token] the probability that a draft there is accepted, given the text."""
    found = {}
    with open(data / f"{name}.tsv", encoding="utf-8") as file:
        for row in csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"):
            accepted = float(row["argmax_q_hit"]) if name.endswith("T0") else \
                min(1, math.exp(float(row["logq"]) - float(row["logp"])))
            found.setdefault(row["seq"], []).append(accepted)
    return list(found.values())


def verified(n):
    below, above = max(m for m in VERIFY if m <= n), min(m for m in VERIFY if m >= n)
    return VERIFY[n] if n in VERIFY else \
        VERIFY[below] + (VERIFY[above] - VERIFY[below]) * (n - below) / (above - below)


def time_of(text, limit, round_time):
    """Forward: how likely a round starts at each token, and what such a round costs in the mean."""
    starts, time = [1.] + [0.] * (len(text) + limit), 0
    for t in range(len(text)):
        left = starts[t]
        most = min(limit, len(text) - t)
        for i in range(most):
            rejected = left * (1 - text[t + i])
            time += rejected * round_time(i + 1)
            starts[t + i + 1] += rejected
            left -= rejected
        time += left * round_time(most)
        starts[t + most + 1] += left
    return time


def speedup(name, cost, most, priced):
    def round_time(drafts):
        return drafts * cost + (verified(drafts + 1) if priced else 1)

    of = texts(name)
    tokens = sum(map(len, of))
    return max([1] + [tokens / sum(time_of(text, limit, round_time) for text in of) for limit in range(1, most + 1)])


def said(name, cost, most, priced):
    words = [program, "gamma", str(data / f"{name}.tsv"), "--cost", str(cost), "--most", str(most), "--format", "json"]
    if priced:
        words += ["--verify-cost", ",".join(f"{n}:{v}" for n, v in VERIFY.items())]
    found = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    rows = {row["name"]: row["speedup"] for row in found["policies"]}
    return {name: row["value"] if isinstance(row, dict) else row for name, row in rows.items()}, found["best_speedup"]


for name in ("prune2_T0", "prune2_T1", "q2k_T0", "prune8_T1"):
    for priced in (False, True):
        of, fixed = said(name, .1, 7, priced)
        known = speedup(name, .1, 7, priced)
        if abs(of["stop_at_rejection"] / known - 1) > 1e-9:
            sys.exit(f"{name}, v(n) {'given' if priced else '1'}: {of['stop_at_rejection']}, not {known}")
        if not fixed <= known <= of["exact"]:
            sys.exit(f"{name}: {fixed}, {known}, {of['exact']} do not grow")
        if not priced and name in KNOWN and abs(known - KNOWN[name]) > 5e-5:
            sys.exit(f"{name}: {known} here, {KNOWN[name]} known")
