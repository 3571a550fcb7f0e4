"""The G-test behind verify's checks of distributions, where each cell is as sparse as it may be (50 expected counts) and
there are few or many of them: how often a right rule gets a p-value below a level. tests/analysis/stats/goodness_test.cc has
the levels that no run can count, by importance sampling."""

import common

NAME = "verify: the p-value of a distribution, cells of 50 expected counts"

EXPECTED = 50
SEEDS = {32: 500, 1024: 500, 32768: 300, 262144: 120}
LEVELS = .05, .01, .001


def p_values(program, vocab, seeds):
    source = f"zipf:vocab={vocab},exponent=0,draft-exponent=.3"
    # Fractions become integers over 2^32, so that some expected counts would be just below 50.
    rounds = int(vocab * EXPECTED * 1.0002) + 1
    for seed in range(1, seeds + 1):
        got = program("verify", source, "--rounds", rounds, "--gamma", 1, "--rounds-per-trial", 1, "--seed", seed)
        first = [check for check in got["checks"] if check["name"].startswith("a round's first token")]
        yield first[0]["p_value"]


def rows(program):
    for vocab, seeds in SEEDS.items():
        values = list(p_values(program, vocab, seeds))
        for level in LEVELS:
            yield common.Row(f"{vocab} cells, p < {level:g}", level, sum(value < level for value in values), seeds)
        # One that never alarms would pass the lines above.
        yield common.Row(f"{vocab} cells, p < .5", .45, sum(value < .5 for value in values), seeds, "at least")
