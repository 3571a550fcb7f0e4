"""For tests of verifiers:

    from draftgauge.testing import assert_lossless

    def test_sampler():
        assert_lossless(my_verifier, gamma=3, tv=.01)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._audit import Audit, audited
from ._batch import Batch
from ._trial import Trial

__all__ = ["TooLittleEvidence", "assert_lossless"]


class TooLittleEvidence(Exception):
    """So few rounds were played that neither verdict can be given. It is no AssertionError: nothing is known to be wrong."""


def assert_lossless(verifier: Callable[[Batch], Any], gamma: int = 2, vocab: int = 4, *, tv: float | None = None,
                    false_alarm: float = 1e-6, power: float = .99, rounds: int | None = None, seed: int = 1,
                    laws: Any = None, draft: Callable[..., Any] | None = None, dtype: str = "float64", batch: int = 1 << 16,
                    coins: bool | str = "auto", thresholds: bool = False, timeout: float | None = 60) -> Audit:
    """Passes a verifier that keeps p's distribution to within `tv`, and says which text gives a lossy one away. Arguments are
    those of `draftgauge.audit`.

    A lossless verifier fails with probability `false_alarm` at most, one at TV `tv` or more passes with 1 − `power`. How many
    rounds that takes is printed before the first is played. Raises AssertionError for a lossy verifier, TooLittleEvidence where
    `rounds` are given and too few.
    """
    trial = Trial(verifier, gamma, vocab, seed, laws=laws, draft=draft, tv=tv, false_alarm=false_alarm, power=power, dtype=dtype,
                  coins=coins, thresholds=thresholds, timeout=timeout)
    if coins is not True:
        playing, needed = trial.rounds(rounds), trial.plan["rounds"]
        finds = f"{needed:,} find" if needed else "no number finds"
        print(f"draftgauge: {playing:,} rounds in {-(-playing // batch):,} calls; {finds} a TV of {trial.sampled_tv:g} with power "
              f"{power:g}")
    found = audited(trial, rounds, batch, None)
    if found.lossless is None:
        raise TooLittleEvidence(found.verdict)
    if not found.lossless:
        again = _not_standard(batch=batch, dtype=dtype, laws=laws, draft=draft, coins=coins, thresholds=thresholds)
        raise AssertionError("\n".join([
            found.verdict, f"counterexample: {found.counterexample}", f"nearest known bug: {_described(found)}",
            f"again: draftgauge.audit(verifier, gamma={found.gamma}, vocab={found.vocab}, rounds={found.rounds}, "
            f"seed={found.seed}{again})"]))
    return found


def _not_standard(batch: int, dtype: str, laws: Any, draft: Any, coins: Any, thresholds: Any) -> str:
    """What else decides which rounds a seed plays."""
    named = ([f"batch={batch}"] * (batch != 1 << 16) + [f"dtype={dtype!r}"] * (dtype != "float64")
             + [f"coins={coins}"] * (coins != "auto") + [f"thresholds={thresholds}"] * bool(thresholds))
    given = [f"{name}=…" for name, value in (("laws", laws), ("draft", draft)) if value is not None]
    return "".join(f", {each}" for each in named + given)


def _described(found: Audit) -> str:
    summaries = {fault.rule: f"{fault.rule} ({fault.summary})" for fault in found.plan.faults}
    return summaries.get(found.nearest or "", "none that we know")
