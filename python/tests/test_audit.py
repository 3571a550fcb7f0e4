"""An audit passes right verifiers and catches each bug of a list, with the false alarm that it states. Seeds are fixed."""

import itertools
import json

import numpy as np
import pytest

import draftgauge as dg
import verifiers
from draftgauge._early import batch_count, batches
from conftest import ByDlpack
from draftgauge.testing import TooLittleEvidence, assert_lossless

RIGHT = [verifiers.token, verifiers.block, verifiers.from_target]


# Each of these fails by chance with probability 1e-6.
@pytest.mark.parametrize("verifier", RIGHT)
@pytest.mark.parametrize("gamma", [1, 2, 3])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_right_verifiers_pass(verifier, gamma, dtype):
    found = dg.audit(verifier, gamma=gamma, tv=.03, dtype=dtype)
    assert found.lossless is True and found.verdict.startswith("lossless within TV 0.03: TV ≤ ")
    assert found.detectable <= .03 and found.rounds == found.plan.rounds and found.strayed == 0
    assert found.counterexample is None


@pytest.mark.parametrize("verifier, rule", [(verifiers.token, "token"), (verifiers.block, "block")])
def test_a_right_verifier_keeps_as_many_drafts_as_its_rule(verifier, rule):
    found = dg.audit(verifier, gamma=3, rule=rule, tv=.02)
    assert found.nearest == rule
    spread = (found.accepted_interval.high - found.accepted_interval.low) / 2  # 1.96 standard errors
    assert abs(found.mean_accepted - found.expected_accepted) < 2.5 * spread  # missed with 1e-6
    laws = dg.laws(p=np.eye(2)[:, ::-1] * .25 + .375, q=np.full((2, 2), .5))
    exact = dg.exact(laws, rule, 2)
    assert dg.audit(verifier, gamma=2, laws=laws, rounds=100, rule=rule).expected_accepted == float(exact.mean_accepted)


@pytest.mark.parametrize("verifier, gamma, nearest", [
    (verifiers.bonus_from_q, 1, None),  # of the row before: ours has the one of its place
    (verifiers.bonus_from_q, 2, None),
    (verifiers.residual_from_p, 1, "faulty/residual-from-target"),
    (verifiers.residual_from_p, 3, "faulty/residual-from-target"),
    (verifiers.bonus_of_the_row_before, 1, None),
    (verifiers.bonus_of_the_row_before, 2, None),
    (verifiers.block_as_product, 2, None),
    (verifiers.block_as_product, 3, None),
])
def test_planted_bugs_are_caught(verifier, gamma, nearest):
    found = dg.audit(verifier, gamma=gamma, tv=.05)
    assert found.lossless is False and found.p_value < 1e-6 and found.tv_at_least > .02
    assert found.verdict.startswith("not lossless: ") and str(found.counterexample) in found.verdict
    assert found.counterexample.z != 0 and 1 <= len(found.counterexample.tokens) <= gamma + 1
    assert found.nearest == nearest


def test_the_right_rule_for_other_drafts_is_no_bug():
    # At γ = 1 the product of ratios is the ratio.
    assert dg.audit(verifiers.block_as_product, gamma=1, tv=.03).lossless


def test_the_drafter_is_audited_with_the_verifier():
    greedy = dg.audit(verifiers.token, draft=verifiers.greedy_drafts, tv=.05)
    assert greedy.lossless is False and greedy.nearest == "faulty/argmax-draft"
    assert greedy.tv_at_least > .3
    assert dg.audit(verifiers.token, draft=verifiers.sampled_drafts, tv=.05).lossless


def test_what_p_excludes_is_named():
    def careless(b):
        found = verifiers.token(b)
        if b.ids[0] == 0:  # one token of 0 probability in all
            place = np.argwhere(b.p[:, 0] == 0)[0]
            found[place[0]] = [place[1], -1, -1]
        return found

    found = dg.audit(careless, tv=.1)
    assert found.lossless is False and found.p_value == 0 and found.counterexample.expected == 0
    assert "it emits what p excludes" in found.verdict and "came 1 times where p excludes it" in found.verdict


# Bounds of E[τ] by Hoeffding: false alarm 1e-9. block_as_product keeps .2 more than the ceiling, many times what 50 000 rounds leave open.
def test_who_keeps_more_than_any_lossless_verifier_is_lossy():
    for verifier in (verifiers.token, verifiers.block):
        found = dg.audit(verifier, gamma=3, rounds=50_000)
        assert not found.above_ceiling and found.ceiling >= found.expected_accepted
        assert found.ceiling == pytest.approx(dg.audit(verifier, gamma=3, rounds=100, rule="block").expected_accepted)
    found = dg.audit(verifiers.block_as_product, gamma=3, rounds=50_000)
    assert found.lossless is False and found.above_ceiling and found.mean_accepted > found.ceiling + .2
    assert (f"; it keeps {found.mean_accepted:.3g} drafts of 3, and no lossless verifier keeps more than {found.ceiling:.3g} ("
            in found.verdict)
    few = dg.audit(verifiers.block_as_product, gamma=3, rounds=30)
    assert not few.above_ceiling and "no lossless" not in few.verdict
    assert dg.audit(verifiers.token, draft=verifiers.greedy_drafts, rounds=50_000).ceiling is None
    # Where G pools all texts, too.
    laws = dg.laws(p=np.tile([.9, .1], (2, 1)), q=np.tile([.1, .9], (2, 1)))
    every = dg.audit(lambda b: np.concatenate([b.drafts, np.zeros((len(b.drafts), 1), int)], axis=1), gamma=1, laws=laws, rounds=60)
    assert every.lossless is False and every.above_ceiling and every.p_value == 1
    assert every.verdict == ("not lossless: it keeps 1 drafts of 1, and no lossless verifier keeps more than 0.2; it emits what "
                             "typical-argmax does (60 texts of 2 rounds, seed 1)")


def test_stray_tokens_are_counted():
    def strays(b):
        found = verifiers.token(b)
        return np.where((found == -1) & (np.arange(3) == 1), 0, found)

    found = dg.audit(strays, rounds=20_000)
    assert found.strayed > 0 and found.lossless is False


def test_false_alarms_are_as_rare_as_stated():
    # The G test at 5 %: of 200 right verifiers 10 are expected below; more than 28 have a probability of 1e-6.
    below = sum(dg.audit(verifiers.token, gamma=1, vocab=2, rounds=4_000, seed=seed).p_value < .05 for seed in range(200))
    assert below <= 28


def test_a_fault_is_found_after_the_rounds_of_its_plan():
    laws = dg.laws("markov:vocab=2")
    rounds = {fault.rule: fault.rounds for fault in dg.plan(gamma=1, laws=laws).faults}["faulty/residual-from-target"]
    found = [dg.audit(verifiers.residual_from_p, gamma=1, laws=laws, rounds=rounds, seed=seed).lossless
             for seed in range(40)]
    assert found.count(False) >= 34  # each is missed with 1 %; seven or more with 1e-7


def test_the_plan_says_what_faults_need():
    plan = dg.plan(gamma=2, tv=.05)
    assert plan.rounds < dg.plan(gamma=2, tv=.01).rounds
    named = {fault.rule: fault for fault in plan.faults}
    assert {"faulty/bonus-from-draft", "faulty/residual-from-target", "faulty/block-uncapped"} <= named.keys()
    assert all((fault.tv > 0) == (fault.rounds is not None) for fault in plan.faults)
    with_drafts = dg.plan(gamma=2, drafts=True)
    assert "faulty/argmax-draft" in {fault.rule for fault in with_drafts.faults}
    assert dg.plan(gamma=1).faults[0].tv > 0 and len(plan.to_pandas()) == len(plan.faults)
    assert "faulty/" in plan._repr_html_()


def test_the_same_seed_is_the_same_audit():
    def of(seed, batch):
        return dg.audit(verifiers.from_target, rounds=5_000, seed=seed, batch=batch)

    assert of(3, 1000).to_dict() == of(3, 1000).to_dict()
    assert of(3, 1000).p_value != of(4, 1000).p_value
    seen = []
    dg.audit(lambda b: seen.append(b.drafts) or verifiers.token(b), rounds=5_000, batch=700)
    assert np.array_equal(np.concatenate(seen[::2]), _drafts(5_000))  # after each batch come the second rounds of its texts


def _drafts(rounds):
    seen = []
    dg.audit(lambda b: seen.append(b.drafts) or verifiers.token(b), rounds=rounds, batch=rounds)
    return seen[0]


def test_texts_of_several_rounds():
    seen = []

    def look(b):
        tokens = verifiers.token(b)
        seen.append((b, tokens))
        return tokens

    assert dg.audit(look, rounds=50, batch=30, rounds_per_text=3).rounds_per_text == 3
    assert [len(b.ids) for b, _ in seen] == [30] * 3 + [20] * 3
    assert sorted(np.concatenate([b.ids for b, _ in seen])) == list(range(150))
    for (first, tokens), (second, _) in (seen[:2], seen[1:3], seen[3:5]):
        emitted = (tokens >= 0).sum(1)
        assert np.array_equal(first.texts, second.texts)
        assert np.array_equal(second.base, tokens[np.arange(len(tokens)), emitted - 1])
        assert np.array_equal(second.positions, first.positions + emitted[:, None])
        assert np.array_equal(second.p[:, 0], _rows()[second.base])
    assert np.array_equal(seen[0][0].positions, np.tile([1, 2, 3], (30, 1)))
    assert seen[3][0].texts.tolist() == list(range(30, 50))


def _rows():
    rows = []
    dg.audit(lambda b: rows.append(b) or verifiers.token(b), rounds=500, rounds_per_text=1)
    found = np.zeros((4, 4))
    found[rows[0].base] = rows[0].p[:, 0]
    return found


SHARED = [(rule, noise, gamma) for rule, noise, gammas in (
    (verifiers.token, verifiers.by_text, (1, 2, 3)), (verifiers.block, verifiers.by_text, (2, 3)),
    (verifiers.block, verifiers.by_position, (2, 3))) for gamma in gammas]


# At seed 1. The greatest p-value of texts of two is 5e-77 (block by position, γ = 2), of the 1e-6 that it must stay below.
@pytest.mark.parametrize("rule, noise, gamma", SHARED)
def test_noise_that_rounds_share_is_seen_in_texts_of_several(rule, noise, gamma):
    verifier = verifiers.with_noise(rule, noise)
    alone = dg.audit(verifier, gamma=gamma, tv=.02, rounds_per_text=1)
    assert alone.lossless is True and alone.first_p_value is None and not alone.shares_noise
    found = dg.audit(verifier, gamma=gamma, tv=.02)
    assert found.lossless is False and found.shares_noise and found.first_p_value == alone.p_value
    assert found.nearest == alone.nearest == ("token" if rule == verifiers.token else "block")
    assert (f"; its first rounds alone are as p says (p-value {alone.p_value:.2g}), and as {found.nearest} does: rounds of one text share "
            f"noise ({found.rounds:,} texts of 2 rounds, seed 1)") in found.verdict
    assert dg.audit(verifier, gamma=gamma, tv=.02, stop_early=True).lossless is False


# A coin of the token rule that stands behind a rejection has decided nothing: its position may have it again.
@pytest.mark.parametrize("rule, noise", [(verifiers.token, verifiers.by_round), (verifiers.block, verifiers.by_round),
                                         (verifiers.token, verifiers.by_position)])
def test_noise_that_rounds_do_not_share_passes(rule, noise):
    for gamma, more in ((2, {}), (3, {}), (2, {"tokens_per_text": 4}), (2, {"rounds_per_text": 3})):
        found = dg.audit(verifiers.with_noise(rule, noise), gamma=gamma, tv=.05, **more)
        assert found.lossless is True and not found.shares_noise and found.p_value > 1e-6 and found.first_p_value > 1e-6


def test_noise_behind_a_full_round_is_seen_by_longer_texts():
    def verifier(b):  # the coin of the last token accepts the first draft of the next round
        coins = verifiers.by_round(b)
        if (b.positions[:, 0] > 1).any():
            full = b.positions[:, 0] == 4
            before = verifiers.keyed((b.ids - 1)[:, None] * 1000 + np.arange(3), 2)
            coins[full, 0, 0] = before[full, -1, 1]
        return verifiers.with_noise(verifiers.token, lambda _: coins)(b)

    assert dg.audit(verifier, tv=.02).lossless is True
    assert dg.audit(verifier, tv=.02, tokens_per_text=4).lossless is False


def test_the_plan_of_texts_of_several_rounds():
    one, two = dg.plan(gamma=2, rounds_per_text=1), dg.plan(gamma=2)
    assert one.rounds == two.rounds < dg.plan(gamma=2, tokens_per_text=4).rounds
    assert all(after.tv >= before.tv for before, after in zip(one.faults, two.faults))
    assert two.faults[0].tv > one.faults[0].tv


def test_what_a_batch_holds():
    def look(b):
        assert b.p.shape == (64, 3, 4) and b.q.shape == (64, 2, 4) and b.drafts.shape == (64, 2)
        assert b.p.dtype == b.q.dtype == np.float16 and b.drafts.dtype == np.int64
        assert np.array_equal(b.p.astype(float).sum(-1), np.ones((64, 3)))  # half precision loses nothing
        assert (verifiers.of_drafts(b.q, b.drafts) > 0).all()
        assert all(one.flags["C_CONTIGUOUS"] and one.flags["WRITEABLE"] for one in (b.p, b.q, b.drafts, b.base))
        b.p[:] = b.q[:] = np.nan  # its own to write to
        b.drafts[:] = 0
        return np.concatenate([b.base[:, None], np.full((64, 2), -1)], axis=1)

    assert dg.audit(look, rounds=128, batch=64, dtype="float16").rounds == 128


def test_other_forms_of_tokens():
    expected = dg.audit(verifiers.token, rounds=1000).p_value
    for form in (lambda a: a.astype(np.int32), lambda a: a.tolist(), np.asfortranarray, ByDlpack):
        assert dg.audit(lambda b: form(verifiers.token(b)), rounds=1000).p_value == expected


def test_laws_of_ones_own():
    laws = dg.laws("markov:vocab=3")
    assert dg.audit(verifiers.token, laws=laws, tv=.05).vocab == 3
    with pytest.raises(dg.UsageError, match="the distributions are no Markov pair"):
        dg.audit(verifiers.token, laws="dirichlet:vocab=3")


def test_progress_stops():
    told = []
    found = dg.audit(verifiers.token, rounds=10_000, batch=1_000, progress=lambda done: told.append(done) or done < 3_000)
    assert told == [1_000, 2_000, 3_000] and found.rounds == 3_000 and found.lossless is None


def test_results_show_themselves():
    found = dg.audit(verifiers.residual_from_p, rounds=20_000)
    assert json.loads(found.json())["nearest"] == "faulty/residual-from-target"
    assert "not lossless" in found._repr_html_() and str(found) == found.verdict


def test_assert_lossless_passes(capsys):
    found = assert_lossless(verifiers.token, gamma=2, tv=.05)
    assert found.lossless
    rounds = f"{found.rounds * 2:,}"
    assert capsys.readouterr().out == (
        f"draftgauge: at most {rounds} rounds in {batch_count(found.rounds, 1 << 16, True) * 2} calls; {rounds} find a TV of 0.05 with "
        "power 0.99; a verifier that takes coins is called 48 times or more before, to find its thresholds\n")
    assert not found.stopped_early


def test_assert_lossless_fails():
    with pytest.raises(AssertionError) as caught:
        assert_lossless(verifiers.residual_from_p, gamma=2, tv=.05)
    said = str(caught.value).splitlines()
    assert said[0].startswith("not lossless: p-value ")
    assert said[1].startswith("counterexample: after token ")
    assert said[2] == "nearest known bug: faulty/residual-from-target (resample from p after a rejection)"
    assert said[0].endswith(" texts of 2 rounds, seed 1, stopped early)")
    assert said[3] == "again: draftgauge.audit(verifier, gamma=2, vocab=4, seed=1, tv=0.05, stop_early=True)"
    again = dg.audit(verifiers.residual_from_p, gamma=2, vocab=4, seed=1, tv=.05, stop_early=True)
    assert again.verdict == said[0] and again.stopped_early and again.plan.false_alarm == 1e-6


def seldom_wrong(b):
    """Draws from p after a rejection in one round of ten."""
    return np.where((b.rng.random(len(b.drafts)) < .1)[:, None], verifiers.residual_from_p(b), verifiers.token(b))


def test_bets_end_before_the_fixed_plan():
    for verifier in (seldom_wrong, verifiers.block_as_product, verifiers.residual_from_p):
        found = dg.audit(verifier, stop_early=True)
        assert found.stopped_early and found.lossless is False and found.p_value <= 1e-6 / 2
        assert found.rounds * 8 < found.plan.rounds and found.counterexample is not None


def test_bets_alarm_as_rarely_as_stated():
    # Each of 200 right verifiers ends by false alarm with probability .2 at most; more than 69 do with 1e-6.
    found = [dg.audit(verifiers.token, gamma=1, vocab=2, rounds=8_000, false_alarm=.2, stop_early=True, seed=seed)
             for seed in range(200)]
    assert sum(one.lossless is False for one in found) <= 69
    assert sum(one.stopped_early for one in found) <= 45  # .1 each: more have a probability of 1e-7


def test_batches_grow_up_to_the_longest():
    assert list(batches(3_000, 1_000, True)) == [(0, 512), (512, 1024), (1024, 2024), (2024, 3000)]
    assert list(batches(3_000, 2_000, False)) == [(0, 2000), (2000, 3000)]
    for rounds, batch, early in itertools.product((1, 511, 513, 1024, 1025, 3_000, 70_000), (1, 512, 700, 1_024, 5_000), (True, False)):
        assert batch_count(rounds, batch, early) == len(list(batches(rounds, batch, early)))
    assert batch_count(10**16, 1 << 16, True) < 10**12  # in no time


def test_assert_lossless_does_not_pass_on_too_little():
    with pytest.raises(TooLittleEvidence, match=r"too little evidence: 500 texts of 2 rounds find .*, and 0.01 was asked \("):
        assert_lossless(verifiers.token, rounds=500)
    assert not issubclass(TooLittleEvidence, AssertionError)
