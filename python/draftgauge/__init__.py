"""The theory of speculative decoding, checked: simulate and enumerate verification rules, measure recordings of real models,
choose draft lengths.

    import draftgauge as dg
    dg.simulate("exact-alpha:vocab=32,alpha=.8", gamma=5).mean_tokens
"""

from ._core import Error, InputError, UsageError
from ._laws import Laws, laws
from ._play import Check, Exact, Rule, Simulation, Theory, Verification, exact, rules, simulate, theory, verify
from ._recording import (GammaChoice, GammaRow, Recording, Study, Survival, TokensPerRound, choose_gamma, measure,
                         study)
from ._results import Interval, Rows

__version__ = "0.1.0"

__all__ = [
    "Check", "Error", "Exact", "GammaChoice", "GammaRow", "InputError",
    "Interval", "Laws", "Recording", "Rows", "Rule", "Simulation", "Study", "Survival", "Theory", "TokensPerRound",
    "UsageError", "Verification", "choose_gamma", "exact", "laws", "measure", "rules",
    "simulate", "study", "theory", "verify",
]
