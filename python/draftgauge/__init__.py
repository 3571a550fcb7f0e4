"""The theory of speculative decoding, checked: simulate and enumerate verification rules, measure recordings of real models,
choose draft lengths, and audit a verifier of your own.

    import draftgauge as dg
    dg.simulate("exact-alpha:vocab=32,alpha=.8", gamma=5).mean_tokens
    dg.audit(my_verifier, gamma=2).verdict
"""

from . import adapters, processors, record
from ._audit import Audit, audit, plan
from ._audit_plan import Counterexample, Fault, Plan
from ._batch import Batch
from ._engine import EngineAudit, EngineFault, EngineRounds, audit_log
from ._chart import Chart
from ._described import Autocorrelation, BreakEven, Gap, GammaRow, Survival
from ._counters import Counters, counters
from ._history import HistoryAudit
from ._errors import Error, InputError, UsageError, VerifierError
from ._pair_tables import PairTables, laws
from ._own_rule import Chance, Node, OwnSimulation, Path, Step, Stop, descend, emit, path_rule, stop
from ._play import (Check, Exact, RankAccepted, Rule, Simulation, Theory, Verification, exact, rules, simulate, theory, try_rule,
                    verify)
from ._recording import Recording
from ._results import Interval, Rows
from ._study import Autocorrelations, Dependence, GammaChoice, Study, TokensPerRound, choose_gamma, measure, study
from ._tree import SizedTree, TreeChoice, choose_tree

__version__ = "0.2.0"

__all__ = [
    "Audit", "Autocorrelation", "Autocorrelations", "Batch", "BreakEven", "Chance", "Chart", "Check", "Counterexample", "Counters", "Dependence", "EngineAudit",
    "EngineFault", "EngineRounds", "Error", "Exact", "Fault", "GammaChoice", "GammaRow", "Gap", "HistoryAudit", "InputError", "Interval",
    "PairTables", "Node", "OwnSimulation", "Path", "Plan", "RankAccepted", "Recording", "Rows", "Rule", "Simulation", "SizedTree",
    "Step", "Stop", "Study", "Survival", "Theory", "TokensPerRound", "TreeChoice", "UsageError", "Verification",
    "VerifierError", "adapters", "audit", "audit_log", "choose_gamma", "choose_tree", "counters", "descend", "emit", "exact",
    "laws", "measure", "path_rule", "plan", "processors", "record", "rules", "simulate", "stop", "study", "theory", "try_rule", "verify",
]
