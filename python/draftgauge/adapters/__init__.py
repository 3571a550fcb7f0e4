"""Verifiers of other projects as `draftgauge.audit` calls one. Each takes the project's own function or module, which this package
does not import, and hands its results back. Where a batch has coins they stand in for torch's random numbers.

    from transformers.generation.utils import _speculative_sampling
    draftgauge.audit(draftgauge.adapters.transformers(_speculative_sampling), gamma=2)
"""

from ._engines import flashinfer, litgpt, lmdeploy, sglang, transformers, vllm, vllm_layer, vllm_v2
from ._forms import cut, inverse, log_rows, one_by_one, padded, ragged
from ._gguf import table_gguf
from ._graphs import max_residuals, max_stochastic, tpu_inference
from ._server import LlamaCppServer
from ._torch import randomness
from ._trees import sglang_tree, sglang_tree_greedy
from ._whole import mlx_generate, table_model, transformers_gemma4, transformers_generate

__all__ = ["LlamaCppServer", "cut", "flashinfer", "inverse", "litgpt", "lmdeploy", "log_rows", "max_residuals", "max_stochastic",
           "mlx_generate", "one_by_one", "padded", "ragged", "randomness", "sglang", "sglang_tree", "sglang_tree_greedy", "table_gguf",
           "table_model", "tpu_inference", "transformers", "transformers_gemma4", "transformers_generate", "vllm", "vllm_layer", "vllm_v2"]
