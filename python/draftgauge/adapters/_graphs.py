"""Verifiers that are compiled as graphs: of MAX, and of JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._batch import Batch
from ._engines import _bonus
from ._forms import Verifier, cut, finite_log_rows, ragged

if TYPE_CHECKING:
    import numpy as np


def _compiled(build: Callable[..., Any], types: list[tuple[str, list[Any]]]) -> Callable[..., list[np.ndarray]]:
    """A graph of MAX for a CPU, its last input the seed of the call; a minute or two where nothing is cached."""
    from max.driver import CPU
    from max.dtype import DType
    from max.engine import InferenceSession
    from max.graph import DeviceRef, Graph, TensorType, ops

    device = DeviceRef.CPU()
    inputs = [TensorType(getattr(DType, dtype), shape, device) for dtype, shape in [*types, ("uint64", [1])]]
    with Graph("draftgauge", input_types=inputs) as graph:
        given = [one.tensor for one in graph.inputs]
        ops.random.set_seed(given[-1][0])
        graph.output(*build(device, *given))
    model = InferenceSession(devices=[CPU()]).load(graph)
    return lambda *arrays: [one.to_numpy() for one in model.execute(*arrays)]


def _seed(batch: Batch) -> np.ndarray:
    import numpy as np

    return batch.rng.integers(2**63, size=1).astype(np.uint64)


def _emitted(batch: Batch, kept: np.ndarray, other: np.ndarray, bonus: np.ndarray) -> np.ndarray:
    """The drafts that are kept, then what replaces the first that is not, or the bonus token."""
    import numpy as np

    tokens = np.concatenate([batch.drafts, bonus], axis=1)
    rounds = np.arange(len(kept))
    tokens[rounds, kept] = np.concatenate([other, bonus], axis=1)[rounds, kept]
    return cut(tokens, kept)


def max_residuals(sampler: Callable[..., Any], **settings: Any) -> Verifier:
    """RejectionSamplerWithResiduals of max.nn.sampling.rejection_sampler. The bonus token is drawn among `top_k`, which is 1 there if
    not given: argmax p; 0 is all of them."""
    model = _compiled(lambda device, *given: sampler(device, **settings)(*given),
                      [("int64", ["batch_size", "num_steps"]), ("float32", ["batch_size", "num_steps"]),
                       ("float32", ["total_output_len", "vocab_size"]), ("int64", ["offsets_len"]),
                       ("float32", ["num_steps", "batch_size", "vocab_size"])])

    def verifier(batch: Batch) -> np.ndarray:
        import numpy as np

        rounds, gamma = batch.drafts.shape
        p, q = finite_log_rows(batch.p), finite_log_rows(batch.q)
        of_drafts = np.take_along_axis(q, batch.drafts[:, :, None], axis=2)[:, :, 0]
        return _emitted(batch, *model(batch.drafts, of_drafts, ragged(p), np.arange(rounds + 1) * (gamma + 1),
                                      np.ascontiguousarray(q.transpose(1, 0, 2)), _seed(batch)))

    return verifier


def max_stochastic(sampler: Callable[..., Any]) -> Verifier:
    """stochastic_acceptance_sampler of max.nn.sampling.rejection_sampler, for drafts that need no q: a token of p is drawn at each
    place, and a draft stands where it is that token."""

    def build(device: Any, drafts: Any, logits: Any, temperature: Any, top_k: Any, max_k: Any, top_p: Any, min_top_p: Any,
              seed: Any) -> Any:
        return sampler(drafts, logits, temperature, top_k, max_k, top_p, min_top_p, seed[0])

    model = _compiled(build, [("int64", ["batch_size", "num_steps"]), ("float32", ["total_output_len", "vocab_size"]),
                              ("float32", ["batch_size"]), ("int64", ["batch_size"]), ("int64", []), ("float32", ["batch_size"]),
                              ("float32", [])])

    def verifier(batch: Batch) -> np.ndarray:
        import numpy as np

        ones = np.ones(len(batch.drafts), np.float32)
        return _emitted(batch, *model(batch.drafts, ragged(finite_log_rows(batch.p)), ones, np.full(len(ones), -1), np.array(-1),
                                      ones, np.array(1, np.float32), _seed(batch)))

    return verifier


def tpu_inference(rejection_sample: Callable[..., Any]) -> Verifier:
    """rejection_sample of tpu_inference.layers.jax.sample.rejection_sampler, for sampled requests."""

    def verifier(batch: Batch) -> Any:
        import jax
        import numpy as np

        rounds, gamma = batch.drafts.shape
        found = np.asarray(rejection_sample(
            *map(jax.numpy.asarray, (ragged(batch.drafts).astype(np.int32), np.full(rounds, gamma, np.int32),
                                     ragged(batch.q).astype(np.float32), ragged(batch.p[:, :gamma]).astype(np.float32),
                                     _bonus(batch).astype(np.int32))),
            True, key=jax.random.key(int(batch.rng.integers(2**31)))))
        return np.concatenate([found[:rounds * gamma].reshape(rounds, gamma), found[rounds * gamma:, None]], axis=1).astype(np.int64)

    return verifier
