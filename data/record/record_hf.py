#!/usr/bin/env python3
"""Records a target and its drafts with Hugging Face's transformers: any causal language models of one tokenizer.

  record_hf.py --target org/large --draft small=org/small --prompts prompts.txt --temperature 1,0.6,0 --out FOLDER

writes the files of record_llama.py. A model is the name of one on the hub (which transformers downloads), a folder
that has one, or a GGUF file (which is turned into floats). Needs numpy, torch and transformers; for GGUF files also
gguf and accelerate.
"""
import argparse
import pathlib

from errors import InputError, require_numpy, run

require_numpy()
import numpy  # noqa: E402

import recording  # noqa: E402


def packages():
    """torch and transformers, imported only here: they take seconds, and what is tested needs neither."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise InputError(f"torch or transformers is missing ({error}): pip install torch transformers") from None
    return torch, transformers


class HfModel:
    """recording.Model of a causal language model, its tokenizer, and the module torch that both live in."""

    def __init__(self, name: str, origin: dict, model, tokenizer, torch):
        self.name, self.origin, self.model, self.tokenizer, self.torch = name, origin, model, tokenizer, torch
        # Rows are often padded to a multiple of 64 or more, differently in models of one family; such entries are no
        # tokens. Without them the rows of both models have one width.
        self.width = min(len(tokenizer), model.config.vocab_size)
        self.context = getattr(model.config, "max_position_embeddings", None) or tokenizer.model_max_length
        ends = getattr(model.generation_config, "eos_token_id", None)
        self.end_tokens = {tokenizer.eos_token_id, *(ends if isinstance(ends, list) else [ends])}
        self.cache = None

    def identity(self) -> dict:
        return self.origin

    def token_texts(self) -> list[bytes]:
        return [(text or "").encode() for text in self.tokenizer.convert_ids_to_tokens(list(range(self.width)))]

    def encode(self, prompt, chat: bool) -> list[int]:
        if not chat and isinstance(prompt, str):
            return list(self.tokenizer(prompt).input_ids)
        if not self.tokenizer.chat_template:
            raise InputError(f"{self.name} has no chat template (--chat and messages need one): give prompts as text")
        messages = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt
        text = self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        return list(self.tokenizer(text, add_special_tokens=False).input_ids)

    def decode(self, tokens: list[int]) -> str:
        return self.tokenizer.decode(tokens)

    def ends(self, token: int) -> bool:
        return token in self.end_tokens

    def begin(self, tokens: list[int]) -> numpy.ndarray:
        self.cache = None
        return self._pass(tokens, 1)[0]

    def feed(self, tokens: list[int]) -> numpy.ndarray:
        return self._pass(tokens, len(tokens))

    def _pass(self, tokens: list[int], last: int) -> numpy.ndarray:
        """One forward pass after what the cache holds; the rows of the last so many tokens, [last, V]."""
        with self.torch.inference_mode():
            result = self.model(input_ids=self.torch.tensor([tokens], device=self.model.device),
                                past_key_values=self.cache, use_cache=True)
        self.cache = result.past_key_values
        return result.logits[0, -last:, : self.width].float().cpu().numpy()


def load(name: str, word: str, dtype: str, device: str) -> HfModel:
    torch, transformers = packages()
    path = pathlib.Path(word)
    where, extra = word, {}
    if path.suffix == ".gguf":
        where, extra = str(path.parent), {"gguf_file": path.name}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(where, **extra)
        model = transformers.AutoModelForCausalLM.from_pretrained(where, **extra)
    except (OSError, ValueError, ImportError) as error:
        raise InputError(f"{word} cannot be loaded ({error})") from None
    origin = {"model": path.name if path.exists() else word, **fingerprint(path), "dtype": dtype, "device": device}
    if getattr(model.config, "_commit_hash", None):
        origin["commit"] = model.config._commit_hash
    return HfModel(name, origin, model.to(device, getattr(torch, dtype)).eval(), tokenizer, torch)


def fingerprint(path: pathlib.Path) -> dict:
    """SHA-256 of its weights, where they lie in a file or folder of this machine."""
    if path.is_file():
        return {"sha256": recording.sha256_of(path)}
    weights = sorted([*path.glob("*.safetensors"), *path.glob("*.bin")]) if path.is_dir() else []
    return {f"sha256 of {file.name}": recording.sha256_of(file) for file in weights}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    recording.add_options(parser)
    parser.add_argument("--dtype", choices=["float32", "float16", "bfloat16"], default="float32",
                        help="of the models' arithmetic (default float32)")
    parser.add_argument("--device", default="cpu", help="as torch names it: cpu (default), cuda, cuda:1, mps")
    arguments = parser.parse_args()
    options, drafts = recording.read_options(arguments), recording.read_drafts(arguments.draft)
    torch, transformers = packages()
    target = load("target", arguments.target, arguments.dtype, arguments.device)
    models = [load(name, word, arguments.dtype, arguments.device) for name, word in drafts.items()]
    recording.record_from(arguments, options, target, models,
                          [f"transformers {transformers.__version__}", f"torch {torch.__version__}"])


if __name__ == "__main__":
    run(main)
