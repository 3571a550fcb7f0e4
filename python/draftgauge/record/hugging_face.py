"""Causal language models of Hugging Face's transformers, as the recorder takes them."""

from __future__ import annotations

import pathlib
from typing import Any

from .._errors import InputError
from .texts import Row, sha256_of


def packages() -> tuple[Any, Any]:
    """torch and transformers, imported only here: they take seconds."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise InputError(f"torch or transformers is missing ({error}): pip install torch transformers") from None
    return torch, transformers


class HfModel:
    """A causal language model, its tokenizer if it has one, and the module torch that both live in."""

    def __init__(self, name: str, origin: dict[str, Any], model: Any, tokenizer: Any, torch: Any):
        self.name, self.origin, self.model, self.tokenizer, self.torch = name, origin, model, tokenizer, torch
        # Rows are often padded to a multiple of 64 or more, differently in models of one family; such entries are no
        # tokens. Without them the rows of both models have one width.
        vocab = int(model.config.vocab_size)
        self.width = vocab if tokenizer is None else min(len(tokenizer), vocab)
        self.context = int(getattr(model.config, "max_position_embeddings", None) or getattr(tokenizer, "model_max_length", 0)
                           or 1 << 30)
        ends = getattr(model.generation_config, "eos_token_id", None)
        self.end_tokens = {getattr(tokenizer, "eos_token_id", None), *(ends if isinstance(ends, list) else [ends])}
        self.cache: Any = None

    def identity(self) -> dict[str, Any]:
        return self.origin

    def token_texts(self) -> list[bytes] | None:
        if self.tokenizer is None:
            return None
        return [(text or "").encode() for text in self.tokenizer.convert_ids_to_tokens(list(range(self.width)))]

    def encode(self, prompt: str | list[Any], chat: bool) -> list[int]:
        if self.tokenizer is None:
            raise InputError(f"{self.name} has no tokenizer (a prompt of text needs one): give one, or prompts as tokens")
        if not chat and isinstance(prompt, str):
            return list(self.tokenizer(prompt).input_ids)
        if not self.tokenizer.chat_template:
            raise InputError(f"{self.name} has no chat template (chat and messages need one): give prompts as text")
        messages = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt
        text = self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        return list(self.tokenizer(text, add_special_tokens=False).input_ids)

    def decode(self, tokens: list[int]) -> str | None:
        return None if self.tokenizer is None else str(self.tokenizer.decode(tokens))

    def ends(self, token: int) -> bool:
        return token in self.end_tokens

    def begin(self, tokens: list[int]) -> Row:
        self.cache = None
        return self._pass(tokens, 1)[0]  # type: ignore[no-any-return]

    def feed(self, tokens: list[int]) -> Row:
        return self._pass(tokens, len(tokens))

    def _pass(self, tokens: list[int], last: int) -> Row:
        """One forward pass after what the cache holds; the rows of the last so many tokens, [last, V]."""
        with self.torch.inference_mode():
            result = self.model(input_ids=self.torch.tensor([tokens], device=self.model.device),
                                past_key_values=self.cache, use_cache=True)
        self.cache = result.past_key_values
        if self.cache is None:
            raise InputError(f"{self.name} keeps no cache of keys and values (a pass over new tokens would forget those before): "
                             "set use_cache in its config")
        return result.logits[0, -last:, : self.width].float().cpu().numpy()  # type: ignore[no-any-return]


def load(name: str, word: str, dtype: str, device: str) -> HfModel:
    """By a name on the hub, which transformers downloads, a folder that has one, or a GGUF file, which is turned into floats."""
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


def fingerprint(path: pathlib.Path) -> dict[str, str]:
    """SHA-256 of its weights, where they lie in a file or folder of this machine."""
    if path.is_file():
        return {"sha256": sha256_of(path)}
    weights = sorted([*path.glob("*.safetensors"), *path.glob("*.bin")]) if path.is_dir() else []
    return {f"sha256 of {file.name}": sha256_of(file) for file in weights}
