"""Tables as model files of llama.cpp."""

from __future__ import annotations

import os
import pathlib
import struct
from typing import TYPE_CHECKING, Any

from ._forms import NEVER, finite_log_rows, table_of

if TYPE_CHECKING:
    import numpy as np

#: Types of GGUF's values, by its specification.
_UINT32, _INT32, _FLOAT32, _BOOL, _STRING, _ARRAY = 4, 5, 6, 7, 8, 9
#: Of tokens: the normal ones, the unknown one, those that no text has, and those that stand for a byte.
_NORMAL, _UNKNOWN, _CONTROL, _BYTE = 1, 2, 3, 6
_ALIGNMENT = 32


def table_gguf(rows: np.ndarray, path: str | os.PathLike[str]) -> None:
    """Writes a model for llama.cpp whose next token depends on the last one alone: rows [V, V] of probabilities. It is of the
    architecture "llama": embeddings are unit vectors, attention and network add nothing, and the last matrix has the logits. After the
    V tokens its vocabulary has those that a tokenizer needs, which are never written."""
    import numpy as np

    rows = table_of(rows)
    vocab, extra = len(rows), 3 + 256
    tokens = [*(f"<{i}>" for i in range(vocab)), "<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    kinds = [_NORMAL] * vocab + [_UNKNOWN, _CONTROL, _CONTROL] + [_BYTE] * 256
    width = max(32, -(-vocab // 32) * 32)  # which kernels take
    embedding, output = np.zeros((vocab + extra, width)), np.full((vocab + extra, width), NEVER)
    embedding[:vocab, :vocab] = np.eye(vocab)
    output[:vocab, :vocab] = finite_log_rows(rows).T
    square, eps = np.zeros((width, width)), 1e-12
    tensors = {
        "token_embd.weight": embedding, "output.weight": output,
        "output_norm.weight": np.full(width, np.sqrt(1 / width + eps)),  # what the norm of a unit vector divides by
        "blk.0.attn_norm.weight": np.ones(width), "blk.0.ffn_norm.weight": np.ones(width),
        **{f"blk.0.{name}.weight": square for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")}}
    values: dict[str, tuple[int, Any]] = {
        "general.architecture": (_STRING, "llama"), "general.name": (_STRING, "draftgauge table"),
        "llama.context_length": (_UINT32, 4096), "llama.embedding_length": (_UINT32, width), "llama.block_count": (_UINT32, 1),
        "llama.feed_forward_length": (_UINT32, width), "llama.attention.head_count": (_UINT32, 1),
        "llama.attention.layer_norm_rms_epsilon": (_FLOAT32, eps), "llama.rope.dimension_count": (_UINT32, width),
        "tokenizer.ggml.model": (_STRING, "llama"), "tokenizer.ggml.tokens": (_ARRAY, (_STRING, tokens)),
        "tokenizer.ggml.scores": (_ARRAY, (_FLOAT32, [0.] * len(tokens))),
        "tokenizer.ggml.token_type": (_ARRAY, (_INT32, kinds)), "tokenizer.ggml.unknown_token_id": (_UINT32, vocab),
        "tokenizer.ggml.bos_token_id": (_UINT32, vocab + 1), "tokenizer.ggml.eos_token_id": (_UINT32, vocab + 2),
        "tokenizer.ggml.add_bos_token": (_BOOL, False)}
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(values))
    head += b"".join(_value(_STRING, name) + struct.pack("<I", kind) + _value(kind, value) for name, (kind, value) in values.items())
    data = b""
    for name, tensor in tensors.items():
        head += _value(_STRING, name) + struct.pack(f"<I{tensor.ndim}QIQ", tensor.ndim, *tensor.shape[::-1], 0, len(data))
        data += _aligned(tensor.astype("<f4").tobytes())
    pathlib.Path(path).write_bytes(_aligned(head) + data)


def _value(kind: int, value: Any) -> bytes:
    if kind == _STRING:
        text: bytes = value.encode()
        return struct.pack("<Q", len(text)) + text
    if kind == _ARRAY:
        of, every = value
        return struct.pack("<IQ", of, len(every)) + b"".join(_value(of, one) for one in every)
    return struct.pack({_UINT32: "<I", _INT32: "<i", _FLOAT32: "<f", _BOOL: "<?"}[kind], value)


def _aligned(data: bytes) -> bytes:
    return data + bytes(-len(data) % _ALIGNMENT)
