"""For tests of verifiers:

    from draftgauge.testing import assert_lossless

    def test_sampler():
        assert_lossless(my_verifier, gamma=3, tv=.01)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ._audit import Audit, audited
from ._batch import Batch
from ._coins import BISECTING
from ._early import batch_count
from ._errors import UsageError
from ._trial import CHECKS, Trial

__all__ = ["TooLittleEvidence", "assert_lossless"]


class TooLittleEvidence(Exception):
    """So few rounds were played that neither verdict can be given. It is no AssertionError: nothing is known to be wrong."""


def assert_lossless(verifier: Callable[[Batch], Any], gamma: int | None = None, vocab: int = 4, *, tv: float | None = None,
                    false_alarm: float = 1e-6, power: float = .99, rounds: int | None = None, seed: int = 1,
                    laws: Any = None, draft: Callable[..., Any] | None = None, dtype: str = "float64", batch: int = 1 << 16,
                    coins: bool | str = "auto", thresholds: bool = False, timeout: float | None = 60,
                    rounds_per_text: int | None = None, tokens_per_text: int | None = None, tree: str | Iterable[int] | None = None,
                    drafter: str = "sample", rule: str | None = None, progress: Callable[[int], Any] | bool | None = None) -> Audit:
    """Passes a verifier that keeps p's distribution, and says which text gives a lossy one away. Arguments are those of
    `draftgauge.audit`.

    A verifier that keeps the distribution exactly fails with probability `false_alarm` at most, one at TV `tv` (.01 if not given) or more
    passes with 1 − `power` at most; what is off by less may pass or fail. (Float32 noise makes some engines off: one that accepts
    where a coin is `<=` its threshold emits, at a coin of 0, which torch.rand is once in 2²⁴, what p excludes, and fails then.) How many
    rounds that takes at most is printed before the first is played, and how many calls find the thresholds of coins; a lossy verifier is
    stopped as soon as it is known for sure
    (`stop_early` of `draftgauge.audit`). Raises AssertionError for a lossy verifier, TooLittleEvidence where
    `rounds` are given and too few.
    """
    __tracebackhide__ = True  # pytest then shows the test's own line
    trial = Trial(verifier, gamma, vocab, seed, laws=laws, draft=draft, rule=rule, tv=tv, false_alarm=false_alarm, power=power, dtype=dtype,
                  coins=coins, thresholds=thresholds, timeout=timeout, stop_early=coins is not True, rounds_per_text=rounds_per_text,
                  tokens_per_text=tokens_per_text, tree=tree, drafter=drafter)
    if trial.coins is not True:
        print(f"draftgauge: {_forecast(trial, rounds, trial.at_once(batch))}")
    found = audited(trial, rounds, batch, progress)
    if found.lossless is None:
        raise TooLittleEvidence(found.verdict)
    if not found.lossless:
        again = _not_standard(rounds=(rounds, None), tv=(tv, None), false_alarm=(false_alarm, 1e-6), power=(power, .99),
                              batch=(batch, 1 << 16), dtype=(dtype, "float64"), coins=(coins, "auto"),
                              thresholds=(thresholds, False), rounds_per_text=(rounds_per_text, None),
                              tokens_per_text=(tokens_per_text, None), drafter=(drafter, "sample"), rule=(rule, None))
        given = [f", {name}=…" for name, value in (("laws", laws), ("draft", draft)) if value is not None]
        drafts = f"gamma={found.gamma}" if tree is None else f"tree={tree!r}"
        raise AssertionError("\n".join([
            found.verdict, f"counterexample: {found.counterexample}", f"nearest known bug: {_described(found)}",
            f"again: draftgauge.audit(verifier, {drafts}, vocab={found.vocab}, seed={found.seed}{again}"
            f"{''.join(given)}{', stop_early=True' * (coins is not True)})"]))
    return found


def _forecast(trial: Trial, rounds: Any, batch: int) -> str:
    """How much will be played."""
    calls = BISECTING + -(-CHECKS // batch)
    coins = f"a verifier that takes coins is called {calls:,} times or more before, to find its thresholds"
    try:
        playing = trial.rounds(rounds)
    except UsageError:
        if trial.coins is False:
            raise
        return coins  # and one that takes none is refused
    needed, each = trial.plan["rounds"], trial.rounds_per_text
    finds = f"{needed * each:,} find" if needed else "no number finds"
    sampled = (f"at most {playing * each:,} rounds in {batch_count(playing, batch, True) * each:,} calls; {finds} a TV of "
               f"{trial.sampled_tv:g} with power {trial.power:g}")
    return sampled if trial.coins is False else f"{sampled}; {coins}"


def _not_standard(**given: tuple[Any, Any]) -> str:
    """Arguments that are not what they are if not given: each with that."""
    return "".join(f", {name}={value!r}" for name, (value, standard) in given.items() if value != standard)


def _described(found: Audit) -> str:
    summaries = {fault.rule: f"{fault.rule} ({fault.summary})" for fault in found.plan.faults}
    return summaries.get(found.nearest or "", "none that we know")
