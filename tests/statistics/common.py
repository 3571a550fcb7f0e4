"""What the tables of this folder share: a row with a promised and a counted rate, and when the two disagree."""

import dataclasses
import json
import math
import os
import subprocess
import tempfile

# The chance that a right row is called wrong, for each row. A table has some tens of rows.
FALSE_ALARM = 1e-4


@dataclasses.dataclass
class Row:
    """`wrong` of `trials` went the way that the promise limits.

    kind "at most": the promise is P(wrong) <= promised (a false alarm, a miss of an interval).
    kind "at least": the promise is P(wrong) >= promised (power: count what was found).
    kind "counted": nothing is promised; the count is for readers, and holds.
    """
    what: str
    promised: float
    wrong: int
    trials: int
    kind: str = "at most"
    note: str = ""

    @property
    def seen(self):
        return self.wrong / self.trials

    def p_value(self):
        """P(a count as far on the broken side), at the promised rate."""
        if self.kind == "counted":
            return 1.0
        if self.kind == "at most":
            return upper_tail(self.wrong, self.trials, self.promised)
        return upper_tail(self.trials - self.wrong, self.trials, 1 - self.promised)

    def holds(self):
        return self.p_value() >= FALSE_ALARM


def upper_tail(count, trials, chance):
    """P(X >= count), X binomial."""
    if count <= 0:
        return 1.0
    if chance <= 0:
        return 0.0
    if chance >= 1:
        return 1.0
    log_of = [math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
              + k * math.log(chance) + (trials - k) * math.log1p(-chance) for k in range(count, trials + 1)]
    return min(1.0, math.fsum(math.exp(value) for value in log_of))


class Program:
    """The program under test. Its answers are JSON; an exit status that was not expected is an error."""

    def __init__(self, path):
        self.path = os.path.abspath(path)

    def __call__(self, *arguments, expected=(0, 1, 4)):
        ran = subprocess.run([self.path, *map(str, arguments), "--format", "json"], capture_output=True, text=True,
                             check=False)
        if ran.returncode not in expected:
            raise RuntimeError(f"{' '.join(map(str, arguments))}: exit {ran.returncode}\n{ran.stderr[:2000]}")
        return json.loads(ran.stdout)


def folder():
    """A temporary folder for simulated recordings, as a context manager."""
    return tempfile.TemporaryDirectory(prefix="draftgauge-statistics-")
