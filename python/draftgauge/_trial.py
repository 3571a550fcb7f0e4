"""An audit from its plan to its verdict: the verifier is played, or followed through all of its coins."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from . import _core
from ._batch import Batch, CoinsAsked, Dictated, call, drafted, tokens_of
from ._coins import NEAR, WIDTH, Bisection, NoThresholds
from ._early import FIRST, batch_count, batches
from ._errors import UsageError, VerifierError
from ._fields import INT_MAX, choice, number, progress as progress_of, share, text, whole
from ._pair_tables import laws as laws_of

if TYPE_CHECKING:
    import numpy as np

#: From where on a verifier is lossy if `tv` is not given: of samples, and where coins are dictated, above what float32 rounds.
SAMPLED_TV, EXACT_TV = .01, 1e-6
#: Random rounds that a law found by dictated coins is held against: fewer than a sample has.
CHECKS = 1 << 17
#: And where thresholds are stated to be all: of a wrong statement they give a hint, and nothing is certified by them.
STATED_CHECKS = 1 << 12
#: Rounds that are played at most where no number is given: hours, even of a fast verifier.
MOST_ROUNDS = 10**10
#: Beginnings of rounds and sides of their coins that are followed at most.
MOST_CELLS = 1 << 20


#: How the children of a node of a tree are drawn from q.
DRAFTERS = ("sample", "sample-without")


class Trial:
    """Its plan is known before the verifier is called."""

    def __init__(self, verifier: Any, gamma: int | None, vocab: int, seed: int, *, laws: Any = None, draft: Any = None,
                 rule: str | None = None, tv: float | None = None, false_alarm: float = 1e-6, power: float = .99,
                 dtype: str = "float64", coins: Any = "auto", thresholds: bool = False, timeout: float | None = 60,
                 stop_early: bool = False, rounds_per_text: int | None = None, tokens_per_text: int | None = None,
                 tree: Any = None, drafter: str = "sample"):
        if not callable(verifier):
            raise UsageError(f"verifier is a {type(verifier).__name__} (it is a function of a Batch)")
        if draft is not None and not callable(draft):
            raise UsageError(f"draft is a {type(draft).__name__} (it is a function of q_rows, base, gamma, rng)")
        if not isinstance(coins, bool) and not (isinstance(coins, str) and coins == "auto"):  # 1 is equal to True, and is not it
            raise UsageError(f"coins is {coins!r} (known are 'auto', True, False)")
        if coins is True and draft is not None:
            raise UsageError("coins=True and draft cannot be given together (a drafter's coins are its own)")
        if coins is True and stop_early:
            raise UsageError("coins=True and stop_early cannot be given together (all coins are followed, and no bets are made)")
        if thresholds and (coins is False or draft is not None):
            raise UsageError("thresholds and coins=False or draft cannot be given together (thresholds are of dictated coins)")
        if getattr(verifier, "drafts_itself", False) is True:
            laws, rounds_per_text = _of_whole_texts(verifier, laws, rounds_per_text)
        self.verifier, self.draft, self.coins = verifier, draft, False if draft is not None else coins
        self.thresholds, self.stop_early = bool(thresholds), bool(stop_early)
        self.capital: float | None = None  #: ln of what the bets were worth where they ended it
        self.looks = 1
        self.timeout = None if timeout is None else number("timeout", timeout, 1e-3, 1e8)
        self.seed = whole("seed", seed, 0, 2**64 - 1)
        without = choice("drafter", drafter, DRAFTERS) == DRAFTERS[1]
        if tree is None and without:
            raise UsageError("drafter='sample-without' and a chain cannot be given together (its drafts have no siblings); give a tree")
        if tree is not None and gamma is not None:
            raise UsageError("tree and gamma cannot be given together (a tree says how deep it is)")
        self.laws = _core.verifier_pair(whole("vocab", vocab, 2, 1024), self.seed) if laws is None else laws_of(laws)
        self.vocab = self.laws.vocab
        self.exact_q = self.laws.q
        dtype = choice("dtype", dtype, ("float64", "float32", "float16"))
        self.p, self.q = self.laws.p.astype(dtype), self.exact_q.astype(dtype)
        self.tv = None if tv is None else share("tv", tv)
        self.false_alarm, self.power = share("false_alarm", false_alarm), share("power", power)
        self.share = self.false_alarm / (2 if self.stop_early else 1)  #: of the test of all rounds; the bets have the other half
        self.rounds_per_text = whole("rounds_per_text", 2 if rounds_per_text is None else rounds_per_text, 1, 1 << 15)
        self.audit = _core.VerifierAudit(
            self.laws, whole("gamma", 2 if gamma is None else gamma, 1, 64), _tree(tree), without, self.seed, self.rounds_per_text,
            None if tokens_per_text is None else whole("tokens_per_text", tokens_per_text, 1, 64), draft is None,
            tv=self.sampled_tv, false_alarm=self.share, power=self.power)
        self.plan: dict[str, Any] = {"tv": self.sampled_tv, "false_alarm": self.false_alarm, "power": self.power,
                                     **self.audit.plan()}
        self.gamma = self.audit.gamma
        self.without = without
        self.tree = None if tree is None else self.audit.parents
        #: After which token of (base, drafts) stands each draft, as a number.
        self.above = list(range(self.gamma)) if self.tree is None else self.tree[1:]
        own = "token" if tree is None else "recursive-without" if without else "recursive"
        self.rule = own if rule is None else text("rule", rule)
        self.expected_accepted = self.audit.mean_accepted(self.rule)

    def at_once(self, batch: Any) -> int:
        """How many rounds a call has: no more than the verifier says that it takes."""
        own = getattr(self.verifier, "batch", None)
        most = whole("batch", batch, 1, INT_MAX)
        return min(most, own) if isinstance(own, int) and own > 0 else most

    @property
    def sampled_tv(self) -> float:
        return SAMPLED_TV if self.tv is None else self.tv

    def rounds(self, asked: Any, instead: str = "a larger tv, or rounds") -> int:
        """How many texts will be played: as many as are asked, or the plan's."""
        if asked is not None:
            return whole("rounds", asked, 1)
        planned = self.plan["rounds"]
        if planned is None or planned > MOST_ROUNDS:
            raise UsageError(f"tv {self.sampled_tv:g} takes more rounds than can be played; give {instead}")
        return int(planned)

    def result(self, rounds: Any, batch: Any, progress: Any) -> dict[str, Any]:
        """The fields of an Audit but its plan and verdict."""
        at_once, told = self.at_once(batch), progress_of(progress)
        fields = {"rule": self.rule, "expected_accepted": self.expected_accepted, "gamma": self.gamma, "tree": self.tree,
                  "vocab": self.vocab, "seed": self.seed, "thresholds": self.thresholds, "stopped_early": False,
                  "rounds_per_text": self.rounds_per_text, "ceiling": self.audit.ceiling}
        if self.coins is True:
            if rounds is not None:
                raise UsageError("coins=True and rounds cannot be given together (all coins are followed, and nothing is sampled)")
            return {**fields, **self._by_coins(at_once)}
        try:
            if self.thresholds:
                self.rounds(rounds)  # are refused before anything is played
                raise CoinsAsked  # as is stated
            try:
                playing = self.rounds(rounds)
            except UsageError:
                if self.coins == "auto":
                    self._ask_for_coins(at_once)  # with which there is less to play
                raise
            self._play(playing, at_once, told, wanted=self.coins == "auto")
        except CoinsAsked:
            try:
                dictated = self._by_coins(at_once)
            except NotDictated:
                if self.thresholds:
                    raise
                self._play(self.rounds(rounds), at_once, told)
            else:
                if dictated["lossless"]:
                    own = self.rounds(rounds, "a larger tv, rounds, or coins=True, which leaves its own randomness out")
                    dictated = self._and_own(dictated, own, at_once, told)
                return {**fields, **dictated}
        return {**fields, **self._sampled()}

    def _ask_for_coins(self, batch: int) -> None:
        """One small batch, which is not counted: CoinsAsked comes of a verifier that looks for them."""
        import numpy as np

        rounds = min(FIRST, batch)
        texts = self.audit.open(0, rounds)
        self._verified(texts.last, self.audit.drafts(texts), None, np.arange(rounds), texts.emitted, 0,
                       np.random.default_rng([self.seed, 0]), Dictated(wanted=True), f"(rounds 0 to {rounds - 1}, seed {self.seed})")

    def _and_own(self, dictated: dict[str, Any], rounds: int, batch: int, progress: Any) -> dict[str, Any]:
        """What its coins said, and what it does without them: lossless is what both find so, each to the tv that was asked."""
        try:
            self._play(rounds, batch, progress)
        except VerifierError as problem:
            raise VerifierError(f"without coins {problem}; give coins=True to leave its own randomness out") from problem.__cause__
        own = self._sampled()
        whole = {"tv_at_most": max(dictated["tv_at_most"], own["tv_at_most"])}  # of coins and of what it draws, whichever it takes
        found = own if own["lossless"] is False else {**dictated, **whole, **{
            name: own[name] for name in ("lossless", "p_value", "first_p_value")}}
        return {**found, "method": "coins and sampling", "thresholds_tv_at_most": dictated["thresholds_tv_at_most"],
                "own_rounds": own["rounds"], "own_detectable": own["detectable"]}

    def _play(self, rounds: int, batch: int, progress: Any, wanted: bool = False) -> None:
        """Counts what the verifier emits. CoinsAsked comes from the first batch, before anything is counted."""
        import numpy as np

        self.looks = batch_count(rounds, batch, self.stop_early)
        for number_of_batch, (begin, end) in enumerate(batches(rounds, batch, self.stop_early)):
            rng = np.random.default_rng([self.seed, number_of_batch])
            texts = self.audit.open(begin, end)
            for turn in range(self.rounds_per_text):
                base: Any = texts.last
                where = f"(rounds {begin} to {end - 1}{' continued' if turn else ''}, seed {self.seed})"
                drafts: Any
                if self.draft is None:
                    drafts, claimed = self.audit.drafts(texts), None
                else:
                    drafts, claimed = drafted(self.draft, self.q, base, self.gamma, self.tree, rng, where, self.timeout)
                given = Dictated(wanted=wanted and begin == 0)
                tokens = self._verified(base, drafts, claimed, np.arange(begin, end), texts.emitted, turn, rng, given, where)
                self.audit.add(texts, drafts, tokens)
            if self.stop_early and (capital := self.audit.bet()) >= -math.log(self.share):
                self.capital = capital
                return
            if progress is not None and progress(end) is False:
                return

    def _verified(self, base: Any, drafts: Any, claimed: Any, texts: Any, emitted: Any, turn: int, rng: Any, given: Dictated,
                  where: str) -> np.ndarray:
        """turn: how many rounds the texts had before."""
        import numpy as np

        before = np.concatenate([base[:, None], drafts], axis=1)
        batch = Batch(p=self.p[before], q=self.q[before[:, self.above]] if claimed is None else claimed, drafts=drafts.copy(),
                      base=base.copy(), ids=texts * self.rounds_per_text + turn, rng=rng, texts=texts,
                      positions=emitted[:, None] + np.arange(1, self.gamma + 2), tree=self.tree and list(self.tree), dictated=given,
                      seed=self.seed)
        returned = call("the verifier", self.verifier, (batch,), where, self.timeout)
        return tokens_of("the verifier returned", returned, (len(base), self.gamma + 1), "γ + 1 tokens a round, -1 after its end")

    def _sampled(self) -> dict[str, Any]:
        found = self.audit.verdict(self.capital is not None, float(self.looks))
        nearest = found.pop("nearest")
        if self.capital is not None:
            found["p_value"] = math.exp(-self.capital)
        return {**found, "stopped_early": self.capital is not None, "method": "sampling", "tv": None,
                "thresholds_tv_at_most": None, "own_rounds": found["rounds"],
                "own_detectable": found["detectable"],
                "nearest": nearest and nearest[0],
                "nearest_p_value": nearest and nearest[1], "nearest_same": nearest[2] if nearest else []}

    def _by_coins(self, batch: int) -> dict[str, Any]:
        import numpy as np

        seen: set[str] = set()
        rng = np.random.default_rng([self.seed, 0])
        played = 0

        def play(rows: np.ndarray, coins: np.ndarray, race: np.ndarray) -> np.ndarray:
            nonlocal played
            parts = []
            for begin in range(0, len(rows), batch):
                part = slice(begin, begin + batch)
                given = Dictated(coins[part].copy(), race[part].copy())
                of = rows[part]
                where = f"(dictated rounds {played} to {played + len(of) - 1}, seed {self.seed})"
                parts.append(self._verified(starts[of], drafts[of], None, np.arange(played, played + len(of)),
                                            np.zeros(len(of), np.int64), 0, rng, given, where))
                self.audit.check(drafts[of], parts[-1])
                seen.update(given.asked)
                played += len(of)
            return np.concatenate(parts) if parts else np.zeros((0, self.gamma + 1), np.int64)

        try:
            starts, drafts, weights = self._every_draft()
            bisection = Bisection(play, weights, len(self.above), self.vocab, lambda: "race" in seen)
            checks = STATED_CHECKS if self.thresholds else CHECKS
            outcomes = bisection.outcomes(np.random.default_rng([self.seed, 1]), checks)
        except NoThresholds as problem:
            why = str(problem) or ("it does not read them" if not seen else
                                   "what it emits is not decided by comparing each coin with one number")
            instead = "leave thresholds out" if self.thresholds else "give coins=False to sample"
            raise NotDictated(f"the verifier's coins cannot be dictated ({why}); {instead}") from None
        of = outcomes.rows
        width = (len(self.above) + self.vocab) * WIDTH
        # Where the thresholds may not be all: what rounds with random coins miss with 1 - power, and what they do not look at.
        unseen = 0. if self.thresholds else math.log(1 / (1 - self.power)) / CHECKS + 2 * NEAR * width
        found = self.audit.verdict_of_law(starts[of], drafts[of], outcomes.tokens, weights[of] * outcomes.probabilities, width)
        # The library judges counts, whose errors are of chance: here a law is known, to within what the search left open.
        tv, nearest = found["tv"], found["nearest"]
        at_most = tv + width + unseen
        lossless: bool | None = tv <= max(EXACT_TV if self.tv is None else self.tv, width)
        if lossless and self.tv is not None and at_most > self.tv:
            lossless = None
        example = found["counterexample"]
        ceiling, strayed = self.audit.ceiling, found["strayed"] > 0
        above = ceiling is not None and not strayed and found["mean_accepted"] - self.gamma * width > ceiling
        return {"method": "coins", "own_rounds": 0, "own_detectable": None, "first_p_value": None,
                "shares_noise": False, "lossless": lossless, "tv": tv,
                "p_value": float(lossless is not False), "tv_at_most": at_most, "thresholds_tv_at_most": at_most,
                "tv_at_least": max(0., tv - width),
                "detectable": width + unseen, "mean_accepted": found["mean_accepted"], "accepted": None, "nearest": nearest,
                "nearest_p_value": None, "nearest_same": found["same"],
                "counterexample": (*example, None) if lossless is False else None, "strayed": int(strayed), "above_ceiling": above,
                "rounds": outcomes.rounds}

    def _every_draft(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Each start with all drafts that q gives it: [R], [R, drafts], and the probability [R]."""
        import numpy as np

        starts, weights = np.arange(self.vocab), np.full(self.vocab, 1 / self.vocab)
        drafts = np.zeros((self.vocab, 0), np.int64)
        for node, above in enumerate(self.above):
            law = self.exact_q[np.concatenate([starts[:, None], drafts], axis=1)[:, above]]
            if self.without:
                law = _others(law, drafts[:, [i for i in range(node) if self.above[i] == above]])
            row, token = np.nonzero(law)
            if len(row) << len(self.above) > MOST_CELLS:
                of = f"gamma {self.gamma}" if self.tree is None else f"a tree of {len(self.tree)} nodes"
                raise NoThresholds(f"{of} with vocab {self.vocab} has more than 2^20 cells of coins")
            weights = weights[row] * law[row, token]
            starts, drafts = starts[row], np.concatenate([drafts[row], token[:, None]], axis=1)
        return starts, drafts, weights


def _of_whole_texts(verifier: Any, laws: Any, rounds_per_text: int | None) -> tuple[Any, int]:
    """The laws of a verifier that drafts for itself, and its rounds in a text."""
    import numpy as np

    if laws is not None:
        given = laws_of(laws)
        if not (np.array_equal(given.p, verifier.laws.p) and np.array_equal(given.q, verifier.laws.q)):
            raise UsageError("laws differ from those that the verifier's models were made of (what it writes is held against these); "
                             "leave laws out")
    if rounds_per_text not in (None, 1):
        raise UsageError(f"rounds_per_text is {rounds_per_text!r} and the verifier drafts for itself (where its rounds end is not known); "
                         "leave rounds_per_text out")
    return verifier.laws, 1


def _others(law: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Of rows [R, V] what a further sibling is drawn from that differs from those before it [R, n]: any other where q has no more.

    The library draws such siblings (sim/drafters/sample_without.h) and has no table of them. If this were another law, the E[τ] that
    coins find would not be the library's of recursive-without (test_audit_tree.py).
    """
    import numpy as np

    left, free = law.copy(), np.ones_like(law)
    for rows in (left, free):
        np.put_along_axis(rows, drawn, 0, axis=1)
    left = np.where(left.sum(1, keepdims=True) > 0, left, free)
    found: np.ndarray = left / left.sum(1, keepdims=True)
    return found


def _tree(tree: Any) -> str | None:
    """As the program reads it."""
    if tree is None or isinstance(tree, str):
        return tree
    try:
        return f"[{','.join(str(whole('a parent in tree', one, -1)) for one in tree)}]"
    except TypeError:
        raise UsageError(f"tree is {tree!r} (it is a text such as 'levels:2,1', or the parent of each node)") from None


class NotDictated(UsageError):
    """The verifier does not obey coins."""
