"""An honest engine is said not to run its rule as rarely as is promised, however its texts end, and whatever is said of it."""

import random

import engines
from common import Row, folder

NAME = "Audit of an engine: honest engines that are convicted, by what ends their texts"

LOGS = 300
TEXTS = 60
LIMIT = 40

P, Q = (.3, .4, .3), (.38, .4, .22)
# The last token of four is the end token.
LAWS = [engines.iid(list(P), list(Q)), engines.markov(4, 1, .6)]
ENDING = [engines.iid([.291, .388, .291, .03], [.38, .38, .22, .02], end=3), engines.markov(4, 2, .6, end=3)]

MAXNEW = f"maxnew={LIMIT}"
# How texts end, whether fewer tokens are drafted near the limit, and what the audit is told, beside "unknown".
ENGINES = [("truncated", False, ["truncated"]), ("maxnew", False, [MAXNEW]), ("eos", False, ["eos"]),
           ("eos+maxnew", False, [MAXNEW]), ("eos+truncated", False, ["truncated"]), ("round", False, ["round"]),
           ("maxnew", True, [MAXNEW, "truncated", "round"]), ("eos+maxnew", True, [MAXNEW, "truncated"])]
# Said, and not so.
WRONG = [("maxnew", False, "truncated"), ("round", False, "truncated"), ("eos+maxnew", False, "truncated")]
RULES = {"token": engines.token_round, "block": engines.block_round}


def logs(stop, fewer, rule):
    """Of each log γ, the contexts and the texts."""
    for i in range(LOGS):
        rng = random.Random(f"{stop} {rule} {i}")
        gamma = 1 + i % 8
        laws = (LAWS if stop in ("truncated", "maxnew") else ENDING)[i // 8 % 2]
        def play(context, drafts=gamma, rng=rng, laws=laws):
            return RULES[rule](rng, laws, context, drafts)
        yield gamma, laws, [engines.run(rng, laws, play, stop, LIMIT, gamma if fewer else None) for _ in range(TEXTS)]


def audited(program, stop, fewer, rule, tellings):
    """How many are convicted, and whose rounds have p < .05, by what is said."""
    convicted, far = dict.fromkeys(tellings, 0), dict.fromkeys(tellings, 0)
    for gamma, laws, texts in logs(stop, fewer, rule):
        with folder() as at:
            columns, log = engines.write(at, laws, texts, gamma)
            for said in tellings:
                found = engines.audit(program, columns, log, rule, "--stop", said)
                convicted[said] += found["verdict"].startswith("not the")
                far[said] += found["rounds"]["p_value"] < .05
    return convicted, far


def rows(program):
    for stop, fewer, right in ENGINES:
        for rule in RULES:
            tellings = ["unknown", *right]
            convicted, far = audited(program, stop, fewer, rule, tellings)
            what = f"{stop}{', fewer drafts near the limit' if fewer else ''}"
            for said in tellings:
                yield Row(f"{what}, {rule} rule, audited as {said}", .01, convicted[said], LOGS)
                yield Row("  its rounds, p < .05", .05, far[said], LOGS)
    for stop, fewer, said in WRONG:
        for rule in RULES:
            convicted, far = audited(program, stop, fewer, rule, [said])
            yield Row(f"{stop}, {rule} rule, wrongly audited as {said}", .01, convicted[said], LOGS,
                      note=f"{far[said]} with p < .05")
