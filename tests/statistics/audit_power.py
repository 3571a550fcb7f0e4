"""Which faults of an engine an audit finds: runs of one size, and what was found beside what must be."""

import random

import engines
from common import Row, folder

NAME = "Audit of an engine: faults that are found, in 100 texts of 60 tokens at γ = 4"

LOGS = 100
TEXTS = 100
LIMIT = 60
GAMMA = 4

LAWS = engines.markov(12, 5, .6)


def colder(laws, temperature):
    p = [[x ** (1 / temperature) for x in row] for row in laws.p]
    return engines.PairTables([[x / sum(row) for x in row] for row in p], laws.q)


COLD = colder(LAWS, .95)


def token(fault=None, strength=1.0, laws=LAWS):
    return lambda rng, context: engines.token_round(rng, laws, context, GAMMA, fault, strength)


# Runs are audited twice: with all columns, and without the entropy of p. This size is too small to find a temperature of
# .95, so that with the entropy nothing is called consistent. Without it that fault has no name and cannot be asked for:
# there honest runs are praised, and so may runs of another temperature be, but never without the word that it was not
# looked for.
COLUMNS = {"": (), "no entropy": ("entropy_p",)}
PRAISED = .5  # of honest runs, at least: else that few faulty ones are would say nothing

# What runs, as what it is audited, and in how many runs of 100 it must be found or may be.
ENGINES = [
    ("token rule", token(), "token", None),
    ("block rule", lambda rng, c: engines.block_round(rng, LAWS, c, GAMMA), "block", None),
    ("bonus token from q", token("bonus"), "token", .95),
    ("resample from p after a rejection", token("residual"), "token", .95),
    ("one coin a round", token("coin"), "token", .95),
    ("lenience .7", token("lenience", .7), "token", .95),
    ("exact match", lambda rng, c: engines.matching_round(rng, LAWS, c, GAMMA), "token", .95),
    ("argmax drafts tested as drawn ones", lambda rng, c: engines.argmax_round(rng, LAWS, c, GAMMA), "token", .95),
    ("temperature .95", token(laws=COLD), "token", None),
    ("block rule, as token rule", lambda rng, c: engines.block_round(rng, LAWS, c, GAMMA), "token", .9),
    ("block rule that stops at the first failure",
     lambda rng, c: engines.block_round(rng, LAWS, c, GAMMA, "first"), "block", .95),
]


def rows(program):
    for what, play, rule, power in ENGINES:
        words = {said: [] for said in COLUMNS}
        for i in range(LOGS):
            rng = random.Random(f"{what} {i}")
            texts = [engines.run(rng, LAWS, lambda context, rng=rng: play(rng, context), "maxnew", LIMIT)
                     for _ in range(TEXTS)]
            for said, without in COLUMNS.items():
                with folder() as at:
                    columns, log = engines.write(at, LAWS, texts, GAMMA, without)
                    words[said].append(engines.audit(program, columns, log, rule, "--stop", f"maxnew={LIMIT}")["verdict"])
        for said in COLUMNS:
            yield from judged(what, said, power, sum(word.startswith("not the") for word in words[said]),
                              [word for word in words[said] if word.startswith("consistent")])


def judged(what, said, power, found, praises):
    praised = len(praises)
    honest = what in ("token rule", "block rule")
    name = f"{what}, {said}" if said else what
    if honest:
        yield Row(name, .01, found, LOGS, "at most", f"{praised} consistent")
        if said:
            yield Row(f"{name}: praised", PRAISED, praised, LOGS, "at least")
    elif power is not None:
        yield Row(name, power, found, LOGS, "at least", f"{praised} consistent")
    # A fault that has no name in these columns may be praised: it is not asked for.
    if not honest and (power is not None or not said):
        yield Row(f"{name}: praised", .1, praised, LOGS, "at most", f"{found} found")
    elif not honest:
        silent = sum("temperature not looked for" not in word for word in praises)
        yield Row(f"{name}: praised without a word of it", 0, silent, LOGS, "at most", f"{found} found, {praised} praised")
