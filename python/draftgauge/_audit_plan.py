"""What an audit says before it plays, and the text that gives a lossy engine away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._results import Result, Rows


@dataclass(frozen=True)
class Fault(Result):
    """A faulty rule of ours, and after how many rounds (texts, where these have several) an audit finds one like it with the power
    asked."""

    rule: str
    summary: str
    tv: float
    rounds: int | None


@dataclass(frozen=True)
class Plan(Result):
    """What how many rounds, or texts of several, would say, before the first. `rounds` find any verifier at TV `tv` or more with this
    power. Before that `faults` are found, but those that are right on these p and q (None); `rounds_to_certify` prove TV ≤ `tv` of a
    lossless verifier, nine times in ten."""

    tv: float
    false_alarm: float
    power: float
    rounds: int | None
    rounds_to_certify: int | None
    faults: Rows[Fault]

    def to_pandas(self) -> Any:
        return self.faults.to_pandas()

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self.faults._repr_html_()

    _long = ("faults",)


@dataclass(frozen=True)
class Counterexample(Result):
    """The beginning of a text that came most unlike p says: after token `start` the `tokens`."""

    start: int
    tokens: tuple[int, ...]
    observed: float  #: how often they came; where coins were dictated their probability
    expected: float
    z: float | None  #: None where coins were dictated

    def __str__(self) -> str:
        tokens = f"token {self.tokens[0]}" if len(self.tokens) == 1 else f"tokens {', '.join(map(str, self.tokens))}"
        if self.z is None:
            came, said = f"{'has' if len(self.tokens) == 1 else 'have'} probability {self.observed:.7g}", f"p says {self.expected:.7g}"
        else:
            came, said = f"came {self.observed:,} times", f"p says {self.expected:,.1f} ({self.z:+.1f} sd)"
        return f"after token {self.start}, {tokens} {came} where {said if self.expected else 'p excludes it'}"
