"""Audits the verifiers and holds the table of docs/audits.md against what is found:  table.py FOLDER PAGE [--write] [NAME…]
--write writes the table; with names these alone are audited, and the page is not looked at."""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import pathlib
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from types import SimpleNamespace
from typing import Any

import torch
import triton
import triton.language
from triton.runtime import interpreter

import draftgauge
from draftgauge import adapters
from foreign import load
from page import held

FOLDER, PAGE = map(pathlib.Path, sys.argv[1:3])
WRITE = "--write" in sys.argv[3:]
NAMES = [name for name in sys.argv[3:] if name != "--write"]
torch.set_num_threads(1)
# Each call of a kernel, and of a function in it, prepares it anew: once is enough, and twice as fast.
interpreter._patch_lang = functools.cache(interpreter._patch_lang)


def launched(kernel: Any, warmup_inputs: Any) -> Any:
    """vLLM's triton_kernel_dispatcher_with_warmup without its warm-up: calls the kernel with arguments of the same names."""

    def decorate(launch: Callable[..., Any]) -> Callable[..., None]:
        signature, names = inspect.signature(launch), set(kernel.arg_names)

        def run(*arguments: Any, **named: Any) -> None:
            grid, constants = launch(*arguments, **named)[:2]
            given = signature.bind(*arguments, **named).arguments.items()
            kernel[grid](**{name if name in names else name + "_ptr": value for name, value in given}, **constants)

        return run

    return decorate


def vllm() -> Any:
    return load(FOLDER, ["vllm.v1.sample.rejection_sampler"], {"vllm"}, {
        "vllm.triton_utils.triton": triton, "vllm.triton_utils.tl": triton.language,
        "vllm.model_executor.warmup.jit_warmup_triton_helper.triton_kernel_dispatcher_with_warmup": launched})


def vllm_v2(**settings: Any) -> Any:
    names = [f"vllm.v1.worker.gpu.{name}" for name in ("sample.gumbel", "spec_decode.rejection_sampler_utils")]
    device = SimpleNamespace(log1p=lambda x: triton.language.log(1 + x))  # which no CPU has
    module = load(FOLDER, names, {"vllm"}, {
        "vllm.triton_utils.triton": triton, "vllm.triton_utils.tl": triton.language, "vllm.triton_utils.tldevice": device})
    return adapters.vllm_v2(module.rejection_sample, **settings)


def vllm_layer(name: str, sampler: str, *arguments: Any, **settings: Any) -> Any:
    layers = "vllm.model_executor.layers."
    module = load(FOLDER, [layers + "spec_decode_base_sampler", layers + name], {"vllm"}, {
        "vllm.platforms.current_platform": SimpleNamespace(simple_compile_backend="eager")})
    return adapters.vllm_layer(getattr(module, sampler)(*arguments, **settings))


def ascend(block: bool) -> Any:
    """Its path in PyTorch, which it takes where there is no Triton."""
    rejection = SimpleNamespace(enable_block_verify=block, enable_entropy_verify=False, posterior_threshold=0, posterior_alpha=0)
    config = SimpleNamespace(enable_reduce_sample=False, rejection_sampler_config=rejection)
    above = vllm()
    values = {f"vllm.v1.sample.rejection_sampler.{name}": getattr(above, name)
              for name in ("GREEDY_TEMPERATURE", "MAX_SPEC_LEN", "PLACEHOLDER_TOKEN_ID", "RejectionSampler", "generate_uniform_probs")}
    module = load(FOLDER, ["vllm_ascend.sample.rejection_sampler"], {"vllm", "vllm_ascend"}, {
        **values, "vllm.triton_utils.HAS_TRITON": False, "vllm_ascend.ascend_config.get_ascend_config": lambda: config})
    module.torch = Unpinned()
    return module


class Unpinned:
    """torch, but for pinned memory, which a CPU alone has not."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(torch, name)
        if isinstance(found, type) or not callable(found):
            return found
        return lambda *arguments, pin_memory=False, **named: found(*arguments, **named)


def transformers(**settings: Any) -> Any:
    from transformers.generation.utils import _speculative_sampling

    return adapters.transformers(_speculative_sampling, **settings)


def generate() -> Any:
    return adapters.transformers_generate(PAIR, 2)


def gemma4(*arguments: Any) -> Any:
    """Its drafter, made when it is called: transformers takes seconds to import."""
    from transformers.generation.candidate_generator import SinglePositionMultiTokenCandidateGenerator

    return adapters.transformers_gemma4(SinglePositionMultiTokenCandidateGenerator)(*arguments)


def mlx() -> Any:
    return adapters.mlx_generate(importlib.import_module("mlx_lm.generate").speculative_generate_step, PAIR)


def llama_server(drafts: str) -> Any:
    command = [sys.executable, str(pathlib.Path(__file__).with_name("xllama.py")), drafts]
    return adapters.LlamaCppServer(command, PAIR)


def sglang(**settings: Any) -> Any:
    module = load(FOLDER, ["sglang.kernels.ops.speculative.reject_sampling"], {"sglang"}, {})
    return adapters.sglang(module.chain_speculative_sampling_triton, **settings)


def sglang_greedy() -> Any:
    module = load(FOLDER, ["sglang.kernels.ops.speculative.spec_tree"], {"sglang"}, {})
    return adapters.sglang_tree_greedy(module.verify_tree_greedy_triton, device="cpu")


def lmdeploy() -> Any:
    names = ["lmdeploy.pytorch.backends.rejection_sampling", "lmdeploy.pytorch.backends.default.rejection_sampling"]
    return adapters.lmdeploy(load(FOLDER, names, {"lmdeploy"}, {}).DefaultRejectionSamplingImpl())


def litgpt(**settings: Any) -> Any:
    return adapters.litgpt(load(FOLDER, ["litgpt.generate.base", "litgpt.generate.speculative_decoding"], {"litgpt", "lightning"}, {}),
                           **settings)


def max_residuals(**settings: Any) -> Any:
    from max.nn.sampling.rejection_sampler import RejectionSamplerWithResiduals

    return adapters.max_residuals(RejectionSamplerWithResiduals, **settings)


def max_stochastic() -> Any:
    from max.nn.sampling.rejection_sampler import stochastic_acceptance_sampler

    return adapters.max_stochastic(stochastic_acceptance_sampler)


def tpu_inference() -> Any:
    module = load(FOLDER, ["tpu_inference.layers.jax.sample.rejection_sampler"], {"tpu_inference"}, {})
    return adapters.tpu_inference(module.rejection_sample)


#: Of what Triton interprets, a few hundred rounds a second. That each coin is compared with one number was read in the kernels; rounds
#: with randomness of its own are not that many.
FEW = {"thresholds": True, "tv": .2}
#: Of what takes coins, and then takes long with randomness of its own.
OWN = {"tv": .05}
#: And of what takes no coins.
SLOW = {"coins": False, "tv": .1}
#: The pair that an audit draws by seed 1, for whom whole models are made of it.
PAIR = draftgauge._core.verifier_pair(4, 1)
#: Of engines that write whole texts with models made of the pair, a few hundred a second.
WHOLE = {"tv": .1}
#: Of what takes memory as the square of a batch.
SMALL = {"batch": 1024}

#: What is audited, how it is made, and arguments of the audit.
AUDITS: dict[str, tuple[Callable[[], Any], dict[str, Any]]] = {
    "transformers 5.23.0, `_speculative_sampling`": (transformers, {"gamma": 2, **OWN}),
    "the same, `assistant_ensemble_weight=.5`": (lambda: transformers(assistant_ensemble_weight=.5), {"gamma": 2, **OWN}),
    "the same, whole texts by `generate(assistant_model=)`": (generate, {"gamma": 2, **WHOLE}),
    "the same, with the drafts of `SinglePositionMultiTokenCandidateGenerator` (Gemma 4)": (transformers, {
        "gamma": 2, "draft": gemma4, "tv": .1}),
    "mlx-lm 0.32.0, whole texts by `speculative_generate_step`": (mlx, {"gamma": 2, **WHOLE}),
    "vLLM 0.33.0 (v1), `rejection_sample`": (lambda: adapters.vllm(vllm().rejection_sample), {"gamma": 2, **FEW}),
    "vLLM 0.33.0 (v1), `rejection_sample`, `draft_probs=None` (n-gram drafts)": (lambda: adapters.vllm(vllm().rejection_sample, draft_probs=False), {
        "gamma": 2, "rule": "naive-set", **SLOW}),
    "vLLM 0.33.0 (v2), `rejection_sample`": (vllm_v2, {"gamma": 2, "rounds_per_text": 1, **SLOW, "tv": .3}),
    "the same, `use_block_verification=True`": (lambda: vllm_v2(use_block_verification=True), {
        "gamma": 2, "rule": "block", "rounds_per_text": 1, **SLOW, "tv": .3}),
    "vLLM 0.9.2, `RejectionSampler`": (lambda: vllm_layer("rejection_sampler", "RejectionSampler", use_flashinfer=False), {
        "gamma": 3, "coins": False}),
    "vLLM 0.9.2, `TypicalAcceptanceSampler(.09, .3)`": (
        lambda: vllm_layer("typical_acceptance_sampler", "TypicalAcceptanceSampler", .09, .3), {"gamma": 3, "coins": False}),
    "SGLang 0.5.23, `chain_speculative_sampling_triton`": (sglang, {"gamma": 2, **FEW}),
    "the same, `block_verification=True`": (lambda: sglang(block_verification=True), {"gamma": 2, "rule": "block", **FEW}),
    "SGLang 0.5.23, `verify_tree_greedy_triton` on draws from p, along a tree": (sglang_greedy, {
        "tree": "levels:2,1", "drafter": "sample-without", "rule": "naive-set-without", **SLOW}),
    "vLLM-Ascend 0.23.0.post1, `rejection_sample` in PyTorch": (lambda: adapters.vllm(ascend(False).rejection_sample),
                                                                {"gamma": 3, **OWN, **SMALL}),
    "the same, `enable_block_verify`": (lambda: adapters.vllm(ascend(True).rejection_sample),
                                          {"gamma": 3, "rule": "block", **SMALL}),
    "LMDeploy 0.18.0, `DefaultRejectionSamplingImpl`": (lmdeploy, {"gamma": 3, **OWN}),
    "LitGPT 0.5.13, `speculative_decoding`": (litgpt, {"gamma": 2, **OWN}),
    "the same, `top_p=.5`": (lambda: litgpt(top_p=.5), {"gamma": 2, **OWN}),
    "MAX 26.7.0, `stochastic_acceptance_sampler`": (max_stochastic, {"gamma": 3, "rule": "naive-set"}),
    "MAX 26.7.0, `RejectionSamplerWithResiduals`": (max_residuals, {"gamma": 2}),
    "the same, `top_k=0`": (lambda: max_residuals(top_k=0), {"gamma": 2}),
    "tpu-inference 0.32.0, `rejection_sample`": (tpu_inference, {"gamma": 3}),
    "llama.cpp's server of xllamacpp 2026.10.11549, whole texts": (lambda: llama_server("argmax"), {"gamma": 3, **WHOLE}),
    "the same, `--spec-draft-sampling probabilistic`": (lambda: llama_server("drawn"), {"gamma": 3, **WHOLE}),
}


def given(arguments: dict[str, Any]) -> str:
    """As the call has them."""
    return ", ".join(f"{name}=" + (getattr(value, "__name__", None) or (f"{value:g}".replace("0.", ".") if isinstance(value, float) else repr(value)))
                     for name, value in arguments.items())


def line(name: str) -> str:
    make, arguments = AUDITS[name]
    drafts = given(arguments)
    try:
        verifier = make()
        found = draftgauge.audit(verifier, timeout=None, **arguments)
    except draftgauge.VerifierError as problem:
        return f"| {name} | {drafts} | | | | **{problem.args[0].partition(' (')[0].replace('the verifier ', '')}** |"
    played = f"{found.rounds:,} sampled" if found.tv is None else f"{found.rounds:,} {'thresholds' if found.thresholds else 'dictated'}"
    if found.tv is not None and found.own_rounds:
        played += f", {found.own_rounds:,} its own"
    kept = "–" if found.strayed else f"{found.mean_accepted:.5f}, {found.expected_accepted:.5f}"  # it drafts for itself
    ceiling = "" if found.ceiling is None or found.strayed else f", {found.ceiling:.5f}"
    certificate = f"TV ≤ {found.tv_at_most:.1g}" if found.lossless is not False else f"TV ≥ {found.tv_at_least:.2g}"
    if found.lossless and found.thresholds_tv_at_most is not None:
        certificate = f"thresholds ≤ {found.thresholds_tv_at_most:.1g}, all {certificate}".replace("e-0", "e-")
    verdict = "lossless" if found.lossless else "undecided" if found.lossless is None else "**not lossless**"
    verdict += ", above the ceiling" * found.above_ceiling
    drafts_itself = getattr(verifier, "drafts_itself", False)  # so that no rule of ours emits what its rounds do
    nearest = "" if drafts_itself else f", {found.nearest or 'as no rule of ours'}"
    return f"| {name} | {drafts} | {played} | {certificate} | {kept}{ceiling} | {verdict}{nearest} |"


def timed(name: str) -> str:
    print(f"auditing {name} …", file=sys.stderr, flush=True)
    begin = time.monotonic()
    found = line(name)
    print(f"{found}\n({time.monotonic() - begin:.0f} s)", file=sys.stderr, flush=True)
    return found


def main() -> None:
    lines = ["| verifier | called with | rounds and texts | certificate | E[τ], its rule's, and the ceiling | "
             "verdict, and what emits the same |", "|---|---|---|---|---|---|"]
    # Each in one thread of a process of its own (what one imports may change the next), and as many at once as there are processors.
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), max_tasks_per_child=1) as processes:
        lines += processes.map(timed, NAMES or AUDITS)
    print("\n".join(lines))
    if not NAMES:
        sys.exit(held(PAGE, "\n".join(lines) + "\n", WRITE))


if __name__ == "__main__":
    main()
