"""Adapters speak the forms of other projects' verifiers: stand-ins of theirs, in torch, are judged as what they are."""

import numpy as np
import pytest

import draftgauge as dg
import llama_stand_in
import verifiers
from draftgauge import adapters


def test_forms():
    rows = np.array([[[.5, .5], [1, 0]]])
    assert adapters.log_rows(rows).tolist() == [[[np.log(.5), np.log(.5)], [0, -np.inf]]]
    assert adapters.ragged(rows).shape == (2, 2)
    assert adapters.padded([[1], [2, 3]], 3).tolist() == [[1, -1, -1], [2, 3, -1]]
    assert adapters.cut(np.array([[5, 6, 7], [5, 6, 7]], np.int32), np.array([0, 2])).tolist() == [[5, -1, -1], [5, 6, 7]]
    assert adapters.inverse(np.array([[.25, 0, .75]] * 3), np.array([.1, .25, .9])).tolist() == [0, 2, 2]


@pytest.mark.parametrize("rows, message", [
    ([[.5, .5]], "rows has shape [1, 2] (a table has a row for each token, and in it a number for each)"),
    ([.5, .5], "rows has shape [2] (it has 2 dimensions)"),
    ([[.5, .5], [1]], "rows is no array ("),
    ([["a", "b"], ["c", "d"]], "rows has dtype <U1 ("),
    ([[.5, .5], [1.5, -.5]], "rows, row 1, token 1 is -0.5 (a probability is a number from 0 to 1)"),
    ([[.5, .5], [np.nan, 1]], "rows, row 1, token 0 is nan (a probability is a number from 0 to 1)"),
    ([[.5, .5], [2, 1]], "rows, row 1 sums to 3 (a distribution sums to 1; are these logits?)"),
])
def test_tables_that_are_none(rows, message, tmp_path):
    for make in (lambda: adapters.table_gguf(rows, tmp_path / "p.gguf"), lambda: adapters.table_model(rows)):
        with pytest.raises(dg.InputError) as caught:
            make()
        assert message in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_table_may_be_a_list(tmp_path):
    for rows in ([[.25, .75], [1, 0]], np.array([[.25, .75], [1, 0]], np.float32)):
        adapters.table_gguf(rows, tmp_path / "p.gguf")
        assert np.allclose(llama_stand_in.table(tmp_path / "p.gguf"), rows)


def test_one_by_one():
    def one(b):
        assert b.p.shape[0] == b.coins.shape[0] == 1
        tokens = verifiers.by_coins(b)[0]
        return tokens[tokens >= 0].tolist()

    sizes = []
    every = adapters.one_by_one(one)
    assert every.batch == 2048

    def counted(b):
        sizes.append(len(b.ids))
        return every(b)

    counted.batch = every.batch
    found = dg.audit(counted, coins=True)
    assert max(sizes) == 2048
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

    found = dg.audit(adapters.transformers(right), gamma=1, tv=.3, rounds=2000, timeout=None)
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


def seeded(torch, generator=None):
    """A generator of numpy's that torch seeds, as the audit has seeded it."""
    return np.random.default_rng(int(torch.randint(2**62, (), generator=generator)))


def judged(verify, nearest="token", **asked):
    """That it is found lossless, and which rule."""
    found = dg.audit(verify, tv=.05, timeout=None, **asked)
    assert found.lossless and found.nearest == nearest
    return found


def ragged_rows(torch, rows, gamma):
    return rows.double().softmax(-1).numpy().reshape(-1, gamma, rows.shape[-1])


@pytest.mark.parametrize("draft_probs", [True, False])
def test_vllm_layout(torch, draft_probs):
    def sample(drafts, lengths, gamma, ends, q, logits, bonus, sampled):
        rounds = len(lengths)
        assert lengths == [gamma] * rounds and ends.tolist() == [gamma * i for i in range(1, rounds + 1)]
        assert sampled.all_random and (sampled.temperature == 1).all() and drafts.dtype == ends.dtype == torch.int32
        drafts = drafts.reshape(rounds, gamma).long().numpy()
        p = ragged_rows(torch, logits, gamma)
        assert (q is not None) == draft_probs
        rows = np.eye(p.shape[-1])[drafts] if q is None else q.double().numpy().reshape(p.shape)
        given = np.eye(p.shape[-1])[bonus[:, 0].numpy()][:, None]
        rng = seeded(torch)
        return torch.from_numpy(verifiers.token(dg.Batch(np.concatenate([p, given], 1), rows, drafts, None, None, rng))).int()

    judged(adapters.vllm(sample, draft_probs=draft_probs), "token" if draft_probs else "naive-set", coins=False)


def test_vllm_layer_layout(torch):
    class Sampler:
        counted = None

        def init_tensors(self, device, device_type):
            assert self.counted is None  # as its own does
            self.counted = 0

        def __call__(self, p, bonus, q, drafts):
            self.counted += len(drafts)
            assert p.dtype == q.dtype == torch.float32 and drafts.dtype == bonus.dtype == torch.int64 and p.shape[1] == 3
            rows = p.double().numpy()
            rows[:, -1] = np.eye(rows.shape[-1])[bonus[:, 0].numpy()]
            rng = seeded(torch)
            return torch.from_numpy(verifiers.token(dg.Batch(rows, q.double().numpy(), drafts.numpy(), None, None, rng)))

    judged(adapters.vllm_layer(Sampler()), coins=False)


def test_vllm_v2_layout(torch):
    seeds = []

    def sample(logits, q, drafted, ends, positions, requests, of_rows, local, temperature, seed, gamma, use_block_verification=False):
        rounds, rows = len(seed), gamma + 1
        seeds.append(seed.tolist())
        assert ends.tolist() == list(range(0, rounds * rows + 1, rows)) and requests.tolist() == list(range(rounds))
        assert of_rows.tolist() == [i for i in range(rounds) for _ in range(rows)] and local.tolist() == list(range(rows)) * rounds
        assert use_block_verification and (temperature == 1).all() and positions.dtype == seed.dtype == torch.int64
        assert positions.reshape(rounds, rows).diff().unique().tolist() == [1]
        drafts = drafted.reshape(rounds, rows)[:, 1:].long().numpy()
        batch = dg.Batch(ragged_rows(torch, logits, rows), q.double().softmax(-1).numpy(), drafts, None, None,
                         np.random.default_rng([int(seed[0]), int(positions.sum())]))
        tokens = verifiers.block(batch)
        count = (tokens >= 0).sum(1)
        return torch.from_numpy(np.where(tokens < 0, 99, tokens)), torch.from_numpy(count)  # the rest is anything

    judged(adapters.vllm_v2(sample, use_block_verification=True), "block", gamma=3, rule="block", coins=False)
    assert seeds[0] == seeds[1] and len({*seeds[0]}) == len(seeds[0]) == 512  # a text keeps its own from round to round
    first = seeds[0]
    seeds.clear()
    dg.audit(adapters.vllm_v2(sample, use_block_verification=True), gamma=3, rounds=512, rule="block", coins=False, seed=2)
    assert not {*first} & {*seeds[0]}  # of another audit they are others


def by_token(torch, p, q, drafts, rng):
    """What flashinfer's kernel returns, of the token rule."""
    batch = dg.Batch(p.double().numpy(), q.double().numpy(), drafts.long().numpy(), None, None, rng)
    tokens = torch.from_numpy(verifiers.token(batch)).int()
    return tokens, (tokens >= 0).sum(1) - 1, (tokens >= 0).sum(1) - 1


def test_flashinfer_layout(torch):
    """On a stand-in for its kernel, which runs on CUDA alone."""
    def sampling(draft_probs, draft_token_ids, target_probs, maybe_output_accepted_token_num=None,
                 maybe_output_emitted_draft_token_num=None, deterministic=True, generator=None):
        assert draft_probs.dtype == target_probs.dtype == torch.float32 and draft_token_ids.dtype == torch.int32
        return by_token(torch, target_probs, draft_probs, draft_token_ids, seeded(torch, generator))

    found = judged(adapters.flashinfer(sampling, device="cpu"))
    assert found.method == "sampling"
    assert judged(adapters.flashinfer(sampling, device="cpu")).p_value == found.p_value  # seeded by the audit


def test_flashinfer_layout_of_before(torch):
    """Whose coins are an argument."""
    def sampling(draft_probs, draft_token_ids, uniform_samples, target_probs, deterministic=True):
        assert uniform_samples.dtype == torch.float32 and uniform_samples.shape == (len(draft_token_ids), 3)
        coins = uniform_samples.double().numpy()
        given = verifiers.Keyed(coins[:, :-1], coins[:, -1])
        return by_token(torch, target_probs, draft_probs, draft_token_ids, given)

    assert judged(adapters.flashinfer(sampling, device="cpu")).method == "sampling"


def test_max():
    sampling = pytest.importorskip("max.nn.sampling.rejection_sampler", reason="NO MAX: its adapters are not tested")
    found = judged(adapters.max_residuals(sampling.RejectionSamplerWithResiduals, top_k=0))
    again = judged(adapters.max_residuals(sampling.RejectionSamplerWithResiduals, top_k=0))
    assert again.p_value == found.p_value  # seeded by the audit
    assert dg.audit(adapters.max_residuals(sampling.RejectionSamplerWithResiduals), tv=.05, timeout=None).lossless is False
    judged(adapters.max_stochastic(sampling.stochastic_acceptance_sampler), "naive-set", rule="naive-set")


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

    judged(adapters.tpu_inference(sample))


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
    def state():
        return torch.rand, torch.multinomial, torch.Tensor.exponential_, torch.get_rng_state().tolist()

    def draws(b):
        with adapters.randomness(b):
            torch.randn(3)
        return verifiers.by_coins(b)

    before = state()
    with pytest.raises(dg.VerifierError):
        dg.audit(adapters.lmdeploy(None), coins=True)
    assert dg.audit(draws, rounds=1000).method == "coins and sampling"
    assert before == state()


def test_generate_of_transformers(torch):
    utils = pytest.importorskip("transformers.generation.utils", reason="NO TRANSFORMERS: its generate is not tested")
    # p and q lie far apart, so that some hundred texts show a fault: p < 1e-6 of the wrong one has a power above .999.
    laws = dg.laws(p=[[.8, .2], [.3, .7]], q=[[.1, .9], [.9, .1]])
    calls = []

    def counted(*arguments, **named):
        ids, _, drafts = arguments[:3]
        calls.append((ids.shape[1] - drafts - 1, drafts))  # tokens behind the prompt's one, and how many are drafted
        return real(*arguments, **named)

    def takes_all(ids, q, gamma, p, *_, **__):
        return torch.cat([ids[:, -gamma:], torch.multinomial(p[:, gamma].softmax(-1), 1)], dim=-1), torch.tensor(gamma)

    def audited():
        return dg.audit(adapters.transformers_generate(laws, 2), gamma=2, rounds=400, timeout=None)

    real = utils._speculative_sampling
    try:
        utils._speculative_sampling = counted
        right = audited()
        utils._speculative_sampling = takes_all
        wrong = audited()
    finally:
        utils._speculative_sampling = real
    assert right.method == "sampling" and right.lossless is None and right.p_value > 1e-6
    assert len(calls) > 400 and {drafts for written, drafts in calls if written < 3} == {2}  # none that is judged is cut
    assert wrong.lossless is False and wrong.p_value < 1e-6
    sampled = adapters.table_model(laws.p)(torch.tensor([[0, 1]])).logits.softmax(-1)
    assert np.allclose(sampled[0].numpy(), laws.p)


def test_the_drafter_of_gemma_4(torch):
    generators = pytest.importorskip("transformers.generation.candidate_generator", reason="NO TRANSFORMERS: its drafter is not tested")
    draft = adapters.transformers_gemma4(generators.SinglePositionMultiTokenCandidateGenerator)
    found = dg.audit(verifiers.token, gamma=3, draft=draft, tv=.1)
    assert found.lossless is False and found.nearest == "faulty/argmax-draft"


def test_mlx():
    generate = pytest.importorskip("mlx_lm.generate", reason="NO MLX-LM: its generate is not tested")
    laws = dg.laws(p=[[.8, .2], [.3, .7]], q=[[.1, .9], [.9, .1]])

    def audited(step):
        return dg.audit(adapters.mlx_generate(step, laws), gamma=2, rounds=400, timeout=None)

    def drafts_alone(prompt, model, draft_model, **settings):
        return generate.speculative_generate_step(prompt, draft_model, draft_model, **settings)

    right = audited(generate.speculative_generate_step)
    assert right.method == "sampling" and right.lossless is None and right.p_value > 1e-6
    assert audited(generate.speculative_generate_step).p_value == right.p_value  # seeded by the audit
    assert audited(drafts_alone).lossless is False
