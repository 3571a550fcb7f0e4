"""An honest engine is said not to run its rule as rarely as is promised, however its texts end."""

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

# What the audit is told, beside "unknown".
TOLD = {"truncated": "truncated", "maxnew": f"maxnew={LIMIT}", "eos": "eos", "eos+maxnew": f"maxnew={LIMIT}",
        "eos+truncated": "truncated", "round": "round"}
RULES = {"token": engines.token_round, "block": engines.block_round}


def rows(program):
    for stop, told in TOLD.items():
        for rule, play in RULES.items():
            convicted, far = {"unknown": 0, told: 0}, {"unknown": 0, told: 0}
            for i in range(LOGS):
                rng = random.Random(f"{stop} {rule} {i}")
                gamma = 1 + i % 8
                laws = (LAWS if stop in ("truncated", "maxnew") else ENDING)[i // 8 % 2]
                texts = [engines.run(rng, laws, lambda context, laws=laws, gamma=gamma, rng=rng:
                                     play(rng, laws, context, gamma), stop, LIMIT) for _ in range(TEXTS)]
                with folder() as at:
                    columns, log = engines.write(at, laws, texts, gamma)
                    for said in convicted:
                        found = engines.audit(program, columns, log, rule, "--stop", said, "--gamma", gamma)
                        convicted[said] += found["verdict"].startswith("not")
                        far[said] += found["rounds"]["p_value"] < .05
            for said in convicted:
                yield Row(f"{stop}, {rule} rule, audited as {said}", .01, convicted[said], LOGS)
                yield Row("  its rounds, p < .05", .05, far[said], LOGS)
