"""Adapters speak the forms of other projects' verifiers: stand-ins of theirs, in torch, are judged as what they are."""

import numpy as np
import pytest

import draftgauge as dg
import verifiers
from draftgauge import adapters


def test_forms():
    rows = np.array([[[.5, .5], [1, 0]]])
    assert adapters.log_rows(rows).tolist() == [[[np.log(.5), np.log(.5)], [0, -np.inf]]]
    assert adapters.ragged(rows).shape == (2, 2)
    assert adapters.padded([[1], [2, 3]], 3).tolist() == [[1, -1, -1], [2, 3, -1]]
    assert adapters.cut(np.array([[5, 6, 7], [5, 6, 7]], np.int32), np.array([0, 2])).tolist() == [[5, -1, -1], [5, 6, 7]]
    assert adapters.inverse(np.array([[.25, 0, .75]] * 3), np.array([.1, .25, .9])).tolist() == [0, 2, 2]


def test_one_by_one():
    def one(b):
        assert b.p.shape[0] == b.coins.shape[0] == 1
        tokens = verifiers.by_coins(b)[0]
        return tokens[tokens >= 0].tolist()

    found = dg.audit(adapters.one_by_one(one), coins=True)
    assert found.lossless and found.method == "coins" and found.nearest == "token"


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch", reason="NO TORCH: adapters of verifiers in torch are not tested")


def speculative_sampling(torch, ids, q_logits, gamma, p_logits, shift=0.):
    """As transformers has it."""
    drafts = ids[:, -gamma:]
    q, p = q_logits.softmax(-1), p_logits.softmax(-1)
    at = torch.arange(gamma)
    ratio = p[0, at, drafts[0]] / q[0, at, drafts[0]]
    kept = int(((torch.rand_like(ratio) > ratio + shift).cumsum(-1) < 1).sum())
    law = p[:, kept] if kept == gamma else torch.clamp(p[:, kept] - q[:, kept], min=0)
    last = torch.multinomial(law, num_samples=1)
    return torch.cat([drafts[:, :kept], last], dim=-1), kept


def test_transformers(torch):
    def right(*arguments, **settings):
        return speculative_sampling(torch, *arguments, **settings)

    found = dg.audit(adapters.transformers(right), gamma=1, rounds=2000, timeout=None)
    assert found.method == "coins and sampling" and found.lossless and found.tv < 2e-7
    assert found.own_rounds == 2000 and found.p_value > 1e-6
    hasty = dg.audit(adapters.transformers(right, shift=1e-4), gamma=1, timeout=None)
    assert hasty.lossless is False and 1e-5 < hasty.tv < 1e-3


def test_lmdeploy_races(torch):
    class Sampling:
        def forward(self, logits, drafts, bonus, *, is_greedy, draft_probs):
            rounds, gamma = drafts.shape
            p = logits.softmax(-1)
            race = torch.empty(rounds, p.shape[-1]).exponential_()
            at = drafts[..., None]
            ok = torch.rand((rounds, gamma), dtype=torch.float64) <= (p.gather(-1, at) / draft_probs.gather(-1, at))[..., 0]
            kept = ok.cumprod(1).sum(1)
            other = ((p - draft_probs).clamp(min=0) / race[:, None]).argmax(-1)
            last = torch.cat([other, bonus[:, None]], 1).gather(1, kept[:, None])[:, 0]
            return torch.from_numpy(verifiers.emitted(drafts.numpy(), kept.numpy(), last.numpy())),

    found = dg.audit(adapters.lmdeploy(Sampling()), gamma=2, coins=True)
    assert found.method == "coins" and found.lossless and found.nearest == "token"
    assert dg.audit(adapters.lmdeploy(Sampling()), gamma=2, coins=False, tv=.05).lossless


def test_flashinfer_layout(torch):
    """On a stand-in for its kernel, which runs on CUDA alone."""
    def sampling(draft_probs, draft_token_ids, target_probs, maybe_output_accepted_token_num=None,
                 maybe_output_emitted_draft_token_num=None, deterministic=True, generator=None):
        assert draft_probs.dtype == target_probs.dtype == torch.float32 and draft_token_ids.dtype == torch.int32
        rng = np.random.default_rng(int(torch.randint(2**62, (), generator=generator)))
        batch = dg.Batch(target_probs.double().numpy(), draft_probs.double().numpy(), draft_token_ids.long().numpy(), None, None, rng)
        tokens = torch.from_numpy(verifiers.token(batch)).int()
        return tokens, (tokens >= 0).sum(1) - 1, (tokens >= 0).sum(1) - 1

    found = dg.audit(adapters.flashinfer(sampling, device="cpu"), tv=.05, timeout=None)
    assert found.lossless and found.method == "sampling" and found.nearest == "token"
    again = dg.audit(adapters.flashinfer(sampling, device="cpu"), tv=.05, timeout=None)
    assert again.p_value == found.p_value  # seeded by the audit


def test_max():
    sampling = pytest.importorskip("max.nn.sampling.rejection_sampler", reason="NO MAX: its adapters are not tested")
    found = dg.audit(adapters.max_residuals(sampling.RejectionSamplerWithResiduals, top_k=0), tv=.05, timeout=None)
    assert found.lossless and found.nearest == "token"
    again = dg.audit(adapters.max_residuals(sampling.RejectionSamplerWithResiduals, top_k=0), tv=.05, timeout=None)
    assert again.p_value == found.p_value  # seeded by the audit
    assert dg.audit(adapters.max_residuals(sampling.RejectionSamplerWithResiduals), tv=.05, timeout=None).lossless is False
    found = dg.audit(adapters.max_stochastic(sampling.stochastic_acceptance_sampler), tv=.05, timeout=None, rule="naive-set")
    assert found.lossless and found.nearest == "naive-set"


def test_tpu_inference_layout():
    jax = pytest.importorskip("jax", reason="NO JAX: the adapter of tpu-inference is not tested")

    def sample(drafts, lengths, q, p, bonus, do_sampling, key):
        rounds = len(lengths)
        gamma = len(drafts) // rounds
        assert do_sampling and (lengths == gamma).all() and p.dtype == q.dtype == np.float32 and p.shape == q.shape
        rows = np.asarray(p, float).reshape(rounds, gamma, -1), np.asarray(q, float).reshape(rounds, gamma, -1)
        padded = np.concatenate([rows[0], np.eye(p.shape[1])[np.asarray(bonus)][:, None]], axis=1)
        rng = np.random.default_rng(int(jax.random.randint(key, (), 0, 2**31 - 1)))
        tokens = verifiers.token(dg.Batch(padded, rows[1], np.asarray(drafts, np.int64).reshape(rounds, gamma), None, None, rng))
        return np.concatenate([tokens[:, :-1].ravel(), tokens[:, -1]])

    found = dg.audit(adapters.tpu_inference(sample), tv=.05, timeout=None)
    assert found.lossless and found.nearest == "token"


def test_coins_that_do_not_reach(torch):
    def thirsty(b):
        with adapters.randomness(b):
            torch.rand(len(b.drafts), 5)

    with pytest.raises(dg.VerifierError, match=r"torch.rand is asked for \[\d+, 5\] where 2 coins of \d+ rounds are left"):
        dg.audit(thirsty, coins=True)

    def negative(b):
        with adapters.randomness(b):
            torch.multinomial(torch.full((len(b.drafts), 4), -1.), 1)

    with pytest.raises(dg.VerifierError, match="probability tensor contains either `inf`, `nan` or element < 0"):
        dg.audit(negative, coins=True)

    def many(b):
        with adapters.randomness(b):
            torch.multinomial(torch.ones(len(b.drafts), 4), 2)

    with pytest.raises(dg.VerifierError, match="torch.multinomial is asked for 2 tokens where one coin is left"):
        dg.audit(many, coins=True)


def test_coins_lie_as_torch_has_them(torch):
    def looks(b):
        with adapters.randomness(b):
            for found in (torch.rand(len(b.drafts)), torch.rand_like(torch.ones(len(b.drafts), dtype=torch.float64))):
                assert found.is_contiguous() and (b.coins is None or found[:4].sum() > 0)
        return verifiers.by_coins(b)

    assert dg.audit(looks, rounds=1000).method == "coins and sampling"


def test_torch_is_as_it_was(torch):
    before = torch.rand, torch.multinomial, torch.Tensor.exponential_
    with pytest.raises(dg.VerifierError):
        dg.audit(adapters.lmdeploy(None), coins=True)
    assert before == (torch.rand, torch.multinomial, torch.Tensor.exponential_)


def test_generate_of_transformers(torch):
    utils = pytest.importorskip("transformers.generation.utils", reason="NO TRANSFORMERS: its generate is not tested")
    # p and q lie far apart, so that some hundred texts show a fault: p < 1e-6 of the wrong one has a power above .999.
    laws = dg.laws(p=[[.8, .2], [.3, .7]], q=[[.1, .9], [.9, .1]])
    calls = []

    def counted(*arguments, **named):
        calls.append(arguments[2])
        return real(*arguments, **named)

    def takes_all(ids, q, gamma, p, *_, **__):
        return torch.cat([ids[:, -gamma:], torch.multinomial(p[:, gamma].softmax(-1), 1)], dim=-1), torch.tensor(gamma)

    def audited():
        return dg.audit(adapters.transformers_generate(laws, 2), gamma=2, laws=laws, rounds=400, rounds_per_text=1, timeout=None)

    real = utils._speculative_sampling
    try:
        utils._speculative_sampling = counted
        right = audited()
        utils._speculative_sampling = takes_all
        wrong = audited()
    finally:
        utils._speculative_sampling = real
    assert right.method == "sampling" and right.lossless is None and right.p_value > 1e-6
    assert len(calls) > 400 and max(calls) == 2  # rounds with drafts there were
    assert wrong.lossless is False and wrong.p_value < 1e-6
    sampled = adapters.table_model(laws.p)(torch.tensor([[0, 1]])).logits.softmax(-1)
    assert np.allclose(sampled[0].numpy(), laws.p)
