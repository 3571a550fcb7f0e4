"""One function a project."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from .._batch import Batch
from ._forms import Verifier, cut, inverse, log_rows, one_by_one, ragged, slowly
from ._torch import randomness

if TYPE_CHECKING:
    import numpy as np


def _tensor(array: np.ndarray, dtype: str) -> Any:
    import numpy as np
    import torch

    return torch.from_numpy(np.ascontiguousarray(array)).to(getattr(torch, dtype))


def _bonus(batch: Batch) -> np.ndarray:
    """[B] tokens of p after all drafts, for engines whose caller draws them."""
    coins = batch.coins
    return inverse(batch.p[:, -1], batch.rng.random(len(batch.p)) if coins is None else coins[:, -1])


def transformers(speculative_sampling: Callable[..., Any], **settings: Any) -> Verifier:
    """transformers.generation.utils._speculative_sampling, in batches of one, with settings of its own."""

    def one(batch: Batch) -> Any:
        with randomness(batch):
            gamma = batch.drafts.shape[1]
            ids = _tensor([[*batch.base, *batch.drafts[0]]], "int64")  # type: ignore[arg-type]
            tokens, _ = speculative_sampling(ids, _tensor(log_rows(batch.q), "float32"), gamma,
                                             _tensor(log_rows(batch.p), "float32"), **settings)
        return tokens[0].tolist()

    return one_by_one(one)


def vllm(rejection_sample: Callable[..., Any], *, draft_probs: bool = True) -> Verifier:
    """rejection_sample of vllm.v1.sample.rejection_sampler, or of vllm_ascend.sample.rejection_sampler, for sampled requests;
    draft_probs=False is its path for n-gram drafts, which are taken to be certain."""

    def verifier(batch: Batch) -> Any:
        import torch

        rounds, gamma = batch.drafts.shape
        bonus = _tensor(_bonus(batch)[:, None], "int64")
        sampled = SimpleNamespace(all_greedy=False, all_random=True, temperature=torch.ones(rounds), generators={}, top_k=None,
                                  top_p=None)
        with randomness(batch):
            found = rejection_sample(
                _tensor(ragged(batch.drafts), "int32"), [gamma] * rounds, gamma,
                torch.arange(gamma, gamma * rounds + 1, gamma, dtype=torch.int32),
                _tensor(ragged(batch.q), "float32") if draft_probs else None,
                _tensor(ragged(log_rows(batch.p[:, :gamma])), "float32"), bonus, sampled)
        return found

    return slowly(verifier)


def vllm_layer(sampler: Any) -> Verifier:
    """RejectionSampler() or TypicalAcceptanceSampler(…) of vllm.model_executor.layers, which vLLM had up to 0.9."""
    sampler.init_tensors("cpu", "cpu")  # of its counters

    def verifier(batch: Batch) -> Any:
        bonus = _tensor(_bonus(batch)[:, None], "int64")
        with randomness(batch):
            return sampler(_tensor(batch.p, "float32"), bonus, _tensor(batch.q, "float32"), _tensor(batch.drafts, "int64"))

    return verifier


def vllm_v2(rejection_sample: Callable[..., Any], **settings: Any) -> Verifier:
    """rejection_sample of vllm.v1.worker.gpu.spec_decode.rejection_sampler_utils. Its noise is keyed by a seed for each text, which the
    audit's seed decides, and by the positions of tokens, as requests with seeds have it."""

    def verifier(batch: Batch) -> Any:
        import numpy as np
        import torch

        rounds, gamma = batch.drafts.shape
        rows = gamma + 1
        requests = np.arange(rounds)
        seeds = np.random.default_rng(batch.seed).integers(2**62) + batch.texts
        tokens, count = rejection_sample(
            _tensor(ragged(log_rows(batch.p)), "float32"), _tensor(log_rows(batch.q), "float32"),
            _tensor(np.concatenate([batch.base[:, None], batch.drafts], axis=1).ravel(), "int32"),
            _tensor(np.arange(rounds + 1) * rows, "int32"), _tensor(batch.positions.ravel() - 1, "int64"), _tensor(requests, "int32"),
            _tensor(requests.repeat(rows), "int32"), _tensor(np.tile(np.arange(rows), rounds), "int32"), torch.ones(rounds),
            _tensor(seeds, "int64"), gamma, **settings)
        return cut(tokens.numpy(), count.numpy() - 1)

    return slowly(verifier, 512)


def sglang(chain_speculative_sampling: Callable[..., Any], **settings: Any) -> Verifier:
    """chain_speculative_sampling_triton of sglang.kernels.ops.speculative.reject_sampling. Its coins are arguments."""

    def verifier(batch: Batch) -> Any:
        import torch

        rounds, gamma = batch.drafts.shape
        coins = batch.coins if batch.coins is not None else batch.rng.random((rounds, gamma + 1))
        slots = torch.arange(rounds * (gamma + 1), dtype=torch.int64).reshape(rounds, gamma + 1)
        candidates = torch.cat([_tensor(batch.base[:, None], "int64"), _tensor(batch.drafts, "int64")], dim=1)
        predicts = torch.full((rounds * (gamma + 1),), -1, dtype=torch.int32)
        accepted, count = torch.full((rounds, gamma + 1), -1, dtype=torch.int32), torch.zeros(rounds, dtype=torch.int32)
        chain_speculative_sampling(
            predicts, accepted, count, candidates, slots, None, None, _tensor(coins[:, :gamma], "float32"),
            _tensor(coins[:, gamma], "float32"), _tensor(batch.p, "float32"), _tensor(batch.q, "float32"), 1., 1., True, **settings)
        return cut(predicts.reshape(rounds, gamma + 1).numpy(), count.numpy())

    return slowly(verifier)


def flashinfer(chain_speculative_sampling: Callable[..., Any], device: str = "cuda") -> Verifier:
    """chain_speculative_sampling of flashinfer.sampling, which runs on CUDA alone (it has no verifier of trees). It draws its coins there
    by torch's generator of the device; up to 0.2.2 they are an argument, `uniform_samples`."""
    takes_coins = "uniform_samples" in inspect.signature(chain_speculative_sampling).parameters

    def verifier(batch: Batch) -> Any:
        import torch

        q, p = (_tensor(rows, "float32").to(device) for rows in (batch.q, batch.p))
        drafts = _tensor(batch.drafts, "int32").to(device)
        if takes_coins:
            # Not those of the batch: after a rejection the next draft's coin draws the token.
            coins = _tensor(batch.rng.random((len(drafts), drafts.shape[1] + 1)), "float32").to(device)
            return chain_speculative_sampling(q, drafts, coins, p)[0].cpu()
        generator = torch.Generator(device).manual_seed(int(batch.rng.integers(2**63)))
        return chain_speculative_sampling(q, drafts, p, generator=generator)[0].cpu()  # then how many were accepted, and how many kept

    return verifier


def lmdeploy(sampling: Any) -> Verifier:
    """DefaultRejectionSamplingImpl() of lmdeploy.pytorch.backends.default.rejection_sampling."""

    def verifier(batch: Batch) -> Any:
        bonus = _tensor(_bonus(batch), "int64")
        with randomness(batch):
            return sampling.forward(_tensor(log_rows(batch.p[:, :-1]), "float32"), _tensor(batch.drafts, "int64"), bonus,
                                    is_greedy=None, draft_probs=_tensor(batch.q, "float32"))[0]

    return verifier


def litgpt(module: Any, **settings: Any) -> Verifier:
    """speculative_decoding of the module litgpt.generate.speculative_decoding, whose models are tables here. It draws the drafts
    itself: its sampler is told which."""

    from unittest import mock

    def one(batch: Batch) -> Any:
        gamma = batch.drafts.shape[1]
        given = iter([*batch.drafts[0]] + [0] * (gamma + 1))  # its drafts, and draws of the target that it throws away
        drawn = module.multinomial_num_samples_1
        steps = iter(_tensor(log_rows(batch.q[0][:, None, None]), "float32"))
        empty = _tensor(log_rows(batch.q[:, -1:]), "float32")  # of the pass after all drafts, which nobody reads

        def draft_model(**_: Any) -> Any:
            return next(steps, empty)

        def target_model(**_: Any) -> Any:
            return _tensor(log_rows(batch.p), "float32")

        def sample(probabilities: Any) -> Any:
            token = next(given, None)
            return drawn(probabilities) if token is None else _tensor([token], "int64")  # type: ignore[arg-type]

        with randomness(batch), mock.patch.object(module, "multinomial_num_samples_1", sample):
            found = module.speculative_decoding(
                draft_model, target_model, _tensor(batch.base, "int64"), _tensor([0], "int64"), 1, gamma,  # type: ignore[arg-type]
                **settings)
        return found.tolist()

    return one_by_one(one)
