"""Honest engines and engines with one fault, over distributions that are known: texts, columns and rounds.

Probabilities are tables: a row for each context, which is the last token (of i.i.d. texts all rows are alike).
"""

import itertools
import json
import math
import random


class PairTables:
    """p and q in each context, and what follows from them."""

    def __init__(self, p, q, end=None):
        self.p, self.q, self.end = p, q, end
        self.size = len(p[0])
        self.beta = [sum(map(min, a, b)) for a, b in zip(p, q)]
        self.entropy = [-sum(x * math.log(x) for x in a if x > 0) for a in p]
        self.cut_p = [cumulated(a) for a in p]
        self.cut_q = [cumulated(a) for a in q]
        self.residual = [cumulated([max(0, x - y) for x, y in zip(a, b)]) for a, b in zip(p, q)]
        self.columns = [[self._columns(c, x) for x in range(self.size)] for c in range(self.size)]

    def _columns(self, c, x):
        p, q = self.p[c], self.q[c]
        top, drafted = p.index(max(p)), q.index(max(q))
        return {"logp": math.log(p[x]), "logq": math.log(q[x]), "beta": self.beta[c], "entropy_p": self.entropy[c],
                "argmax_q_hit": int(x == drafted), "p_dmax": p[drafted], "q_dmax": q[drafted],
                "argmax_p_hit": int(x == top), "max_p": max(p)}


def cumulated(weights):
    total = sum(weights)
    return list(itertools.accumulate(w / total for w in weights)) if total > 0 else None


def iid(p, q, end=None):
    return PairTables([p] * len(p), [q] * len(p), end)


def markov(size, seed, distance, end=None, end_share=.03):
    """A chain, and a draft model that has each row up to this factor off."""
    rng = random.Random(seed)
    p, q = [], []
    for _ in range(size):
        a = [rng.gammavariate(.6, 1) + .02 for _ in range(size)]
        b = [x * math.exp(rng.gauss(0, distance)) for x in a]
        rows = []
        for row in (a, b):
            if end is not None:
                row[end] = 0
                row[end] = sum(row) * end_share / (1 - end_share)
            rows.append([x / sum(row) for x in row])
        p.append(rows[0])
        q.append(rows[1])
    return PairTables(p, q, end)


def draw(rng, cut):
    u = rng.random()
    for x, edge in enumerate(cut):
        if u < edge:
            return x
    return len(cut) - 1


def token_round(rng, laws, context, gamma, fault=None, strength=1.0):
    """Algorithm 1, or with a fault: 'bonus' from q, 'residual' from p, 'coin' once a round, 'lenience' (strength l)."""
    chunk = []
    fault = fault if fault == "lenience" or strength == 1 or rng.random() < strength else None
    coin = rng.random()
    for _ in range(gamma):
        x = draw(rng, laws.cut_q[context])
        u = coin if fault == "coin" else rng.random()
        scale = strength if fault == "lenience" else 1.0
        if u * laws.q[context][x] * scale < laws.p[context][x]:
            chunk.append(x)
            context = x
            continue
        chunk.append(draw(rng, laws.cut_p[context] if fault == "residual" else
                          laws.residual[context] or laws.cut_p[context]))
        return chunk
    chunk.append(draw(rng, laws.cut_q[context] if fault == "bonus" else laws.cut_p[context]))
    return chunk


def matching_round(rng, laws, context, gamma):
    """Drafts from q that are kept where they are the token that p draws: lossless, and not the token rule."""
    chunk = []
    for i in range(gamma + 1):
        y = draw(rng, laws.cut_p[context])
        chunk.append(y)
        if i == gamma or draw(rng, laws.cut_q[context]) != y:
            return chunk
        context = y
    return chunk


def argmax_round(rng, laws, context, gamma):
    """Drafts of argmax q, tested as if they had been drawn from q."""
    chunk = []
    for _ in range(gamma):
        q = laws.q[context]
        x = q.index(max(q))
        if rng.random() * q[x] < laws.p[context][x]:
            chunk.append(x)
            context = x
            continue
        chunk.append(draw(rng, laws.residual[context] or laws.cut_p[context]))
        return chunk
    chunk.append(draw(rng, laws.cut_p[context]))
    return chunk


def block_round(rng, laws, context, gamma, fault=None):
    """Block verification; with the fault 'first' it stops at the first position that does not stand."""
    drafts, contexts = [], [context]
    for _ in range(gamma):
        drafts.append(draw(rng, laws.cut_q[contexts[-1]]))
        contexts.append(drafts[-1])
    ratios = [1.0]
    for i, x in enumerate(drafts):
        ratios.append(min(1.0, ratios[-1] * laws.p[contexts[i]][x] / laws.q[contexts[i]][x]))
    kept = 0
    for i in range(1, gamma + 1):
        share = ratios[i]
        if i < gamma:
            left = sum(max(0.0, share * a - b) for a, b in zip(laws.p[contexts[i]], laws.q[contexts[i]]))
            share = left / (left + 1 - share) if left + 1 - share > 0 else 1.0
        if rng.random() < share:
            kept = i
        elif fault == "first":
            break
    at = contexts[kept]
    if kept == gamma:
        return drafts + [draw(rng, laws.cut_p[at])]
    left = cumulated([max(0.0, ratios[kept] * a - b) for a, b in zip(laws.p[at], laws.q[at])])
    return drafts[:kept] + [draw(rng, left or laws.cut_p[at])]


def run(rng, laws, play, stop, limit, gamma=None):
    """A text: its tokens, and its rounds as (start, emitted), and whether an end token is in it.

    stop: 'truncated', 'maxnew', 'eos', 'eos+maxnew', 'eos+truncated', or 'round', which ends with the round that holds
    an end token and keeps all of it.

    With gamma, the most drafts, the engine drafts fewer where there is no room for them and the token behind them below
    the limit: then it is play(context, drafts), and rounds are (start, emitted, drafts).
    """
    tokens, rounds = [], []
    context = 0
    while True:
        start = len(tokens)
        drafts = None if gamma is None else min(gamma, limit - start - 1)
        chunk = play(context) if drafts is None else play(context, drafts)
        ended = "eos" in stop and laws.end in chunk
        if ended:
            chunk = chunk[:chunk.index(laws.end) + 1]
        whole = stop == "round" and laws.end in chunk
        if "truncated" in stop:
            chunk = chunk[:limit - start]
            ended = ended and chunk[-1] == laws.end
        tokens += chunk
        rounds.append((start, len(chunk)) if drafts is None else (start, len(chunk), drafts))
        if ended or whole:
            return tokens, rounds, True
        if stop not in ("eos", "round") and len(tokens) >= limit:
            return tokens, rounds, False
        context = tokens[-1]


def write(folder, laws, texts, gamma, without=()):
    """The columns, without those that are named, and the rounds of an engine's texts; the paths of both files."""
    names = [name for name in laws.columns[0][0] if name not in without]
    columns, log = f"{folder}/columns.tsv", f"{folder}/rounds.jsonl"
    with open(columns, "w", encoding="utf-8") as out:
        out.write("# temperature: 1\n" + "\t".join(["seq", "token", *names]) + "\n")
        for name, (tokens, _, _) in enumerate(texts):
            context = 0
            for x in tokens:
                values = laws.columns[context][x]
                out.write("\t".join([str(name), str(x), *(repr(values[column]) for column in names)]) + "\n")
                context = x
    with open(log, "w", encoding="utf-8") as out:
        for name, (_, rounds, ended) in enumerate(texts):
            for played in rounds:
                start, emitted, drafts = played if len(played) == 3 else (*played, gamma)
                out.write(json.dumps({"prompt": str(name), "start": start, "gamma": drafts, "emitted": emitted,
                                      "eog": ended and played == rounds[-1]}) + "\n")
    return columns, log


def audit(program, columns, log, rule, *arguments):
    """The audit of these files, and the exit status' meaning is left to it."""
    found = program("measure", columns, "--log", log, "--rule", rule, "--resamples", 0, "--coin-runs", 1, *arguments)
    return found["audit"]
