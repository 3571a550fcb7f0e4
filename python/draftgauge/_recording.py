"""Recordings of real models: two models over one text, from arrays or files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _core
from ._arrays import array, is_array, real_array
from ._errors import InputError, UsageError, printable
from ._fields import number, path, text, threads as threads_of, whole

if TYPE_CHECKING:
    import numpy as np


class Recording:
    """Two models over one text. `from_arrays` makes one of what is in memory, `read` of files, `draftgauge.record` of models."""

    def __init__(self, recorded: _core.Recorded):
        self._recorded = recorded
        #: Of one that `draftgauge.record` made: each text's prompt, tokens and how it ended.
        self.written: list[dict[str, Any]] = []

    @property
    def name(self) -> str:
        return self._recorded.name

    @property
    def texts(self) -> int:
        return self._recorded.texts

    @property
    def tokens(self) -> int:
        return self._recorded.tokens

    @property
    def temperature(self) -> float | None:
        """At which the target wrote the text, where known."""
        return self._recorded.temperature

    def __repr__(self) -> str:
        return f"<draftgauge.Recording {printable(self.name)}: {self.tokens} tokens in {self.texts} texts>"

    @classmethod
    def from_arrays(cls, log_p: Any = None, log_q: Any = None, *, p_logits: Any = None, q_logits: Any = None,
                    tokens: Any = None, seq: Any = None, temperature: float | None = None, at: float | None = None,
                    top_k: int | None = None, top_p: float | None = None, min_p: float = 0, name: str = "arrays",
                    threads: int | None = None) -> Recording:
        """A recording of arrays or tensors, each one text, [places], or a list of texts, or a batch.

        log_p, log_q        natural logarithms of what each model gave each token of the text, or
        p_logits, q_logits  rows [places, vocab] of logits or log-probabilities, of which row i is of token i. One array of float64,
                            32 or 16 whose rows lie one after another, as of a text or a batch, is read where it lies, and again whenever
                            the recording is: it must not be written to while that is in use. A list of texts, bfloat16 (as float32) and
                            any other layout are copied
        tokens              the token at each place, of the shape of the places ([texts, places] of a batch) or one after another;
                            without it rows say β alone
        seq                 the text that each place is of, for texts one after another in one array
        temperature         at which the target wrote the text; without it nobody knows whether it did
        at, top_k, top_p, min_p   of rows: the sampling that is studied; as the text was written if not given, else T = 1
        """
        columns = log_p is not None or log_q is not None
        rows = p_logits is not None or q_logits is not None
        if columns == rows:
            raise UsageError("log_p, log_q or p_logits, q_logits are needed (either tells what both models say)")
        if temperature is not None:
            temperature = number("temperature", temperature, 0)
        if columns:
            if log_p is None or log_q is None:
                raise UsageError("log_p and log_q belong together (a recording is of two models); give both")
            if (at, top_k, top_p, min_p) != (None, None, None, 0):
                raise UsageError("at, top_k, top_p and min_p need p_logits and q_logits (logarithms are of one sampling)")
            p, lengths = _joined("log_p", log_p, 1)
            q, others = _joined("log_q", log_q, 1)
            _same_lengths("log_q", others, "log_p", lengths)
            labels = _labels(tokens, seq, lengths, "log_p")
            import numpy as np

            return cls(_core.recording_of_columns(text("name", name), p.astype(np.float64), q.astype(np.float64), *labels,
                                                  temperature))
        if p_logits is None or q_logits is None:
            raise UsageError("p_logits and q_logits belong together (a recording is of two models); give both")
        p, lengths = _joined("p_logits", p_logits, 2)
        q, others = _joined("q_logits", q_logits, 2)
        _same_lengths("q_logits", others, "p_logits", lengths)
        labels = _labels(tokens, seq, lengths, "p_logits")
        return cls(_core.recording_of_rows(text("name", name), p, q, *labels, temperature,
                                           **_sampling(at, top_k, top_p, min_p), threads=threads_of(threads)))

    @classmethod
    def read(cls, *paths: str | os.PathLike[str], temperature: float | None = None, at: float | None = None,
             top_k: int | None = None, top_p: float | None = None, min_p: float = 0,
             threads: int | None = None) -> Recording:
        """A recording of one or two files, whatever `draftgauge measure` takes."""
        if not paths:
            raise UsageError("no file is named (there is nothing to read)")
        if temperature is not None:
            temperature = number("temperature", temperature, 0)
        return cls(_core.recording_of_files([path(one) for one in paths], temperature,
                                            **_sampling(at, top_k, top_p, min_p), threads=threads_of(threads)))


def recording_of(given: Any) -> Recording:
    """A Recording, or the one of a file."""
    if isinstance(given, Recording):
        return given
    if files := counter_files(given):
        raise InputError(f"{files[0]}: it is what an engine prints of its rounds (it has no probabilities); counters and choose_gamma "
                         "read it")
    if not isinstance(given, (str, os.PathLike)):
        raise UsageError(f"recording is a {type(given).__name__} (it is a Recording or a file's path)")
    return Recording.read(given)


def counter_files(given: Any) -> list[str] | None:
    """The paths of an engine's counters; None where it is anything else."""
    paths = list(given) if isinstance(given, (list, tuple)) else [given]
    if not paths or not all(isinstance(one, (str, os.PathLike)) for one in paths):
        return None
    files = [path(one) for one in paths]
    return files if all(_core.holds_counters(one) for one in files) else None


def _sampling(at: Any, top_k: Any, top_p: Any, min_p: Any) -> dict[str, Any]:
    return {"at": None if at is None else number("at", at, 0),
            "top_k": None if top_k is None else whole("top_k", top_k, 0, 2**32 - 1),
            "top_p": None if top_p is None else number("top_p", top_p, 0, 1), "min_p": number("min_p", min_p, 0, 1)}


def _joined(name: str, value: Any, dimensions: int) -> tuple[np.ndarray, list[int]]:
    """One array of all texts, and how many places each has."""
    import numpy as np

    ragged = not is_array(value) and isinstance(value, Iterable)
    parts = list(value) if ragged else [value]
    if ragged and parts and dimensions == 1 and not any(is_array(one) or isinstance(one, Iterable) for one in parts):
        ragged, parts = False, [np.array([_real(f"{name}[{i}]", one) for i, one in enumerate(parts)])]
    if not parts:
        raise InputError(f"{name} is empty (there is nothing to measure)")
    found = [real_array(f"{name}[{i}]" if ragged else name, one) for i, one in enumerate(parts)]
    if not ragged and found[0].ndim == dimensions + 1:  # a batch
        texts, places = found[0].shape[:2]
        return found[0].reshape(texts * places, *found[0].shape[2:]), [places] * texts
    for i, one in enumerate(found):
        at = f"{name}[{i}]" if len(found) > 1 else name
        if one.ndim != dimensions:
            raise InputError(f"{at} has shape {list(one.shape)} (it is {['', 'one number', 'a row of logits'][dimensions]} "
                             "for each place of a text)")
        if one.shape[1:] != found[0].shape[1:]:
            raise InputError(f"{at} has rows of {one.shape[1]} tokens and {name}[0] of {found[0].shape[1]} (all rows are "
                             "over one vocabulary)")
    return found[0] if len(found) == 1 else np.concatenate(found), [len(one) for one in found]


def _real(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name} is {value!r} (it is the logarithm of a probability)") from None


def _same_lengths(name: str, found: list[int], other: str, wanted: list[int]) -> None:
    if found != wanted:
        raise InputError(f"{name} has {_places(found)} and {other} has {_places(wanted)} (both models say something of each "
                         "place)")


def _places(lengths: list[int]) -> str:
    return f"{lengths[0]} places" if len(lengths) == 1 else f"{len(lengths)} texts of {lengths[:8]} places"


def _labels(tokens: Any, seq: Any, lengths: list[int], beside: str) -> tuple[Any, Any]:
    import numpy as np

    if seq is not None and len(lengths) > 1:
        raise UsageError(f"seq and a list of texts in {beside} cannot be given together (each says which text it is)")
    texts = _whole_array("seq", seq, lengths) if seq is not None else None
    if seq is None and len(lengths) > 1:
        texts = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    return None if tokens is None else _whole_array("tokens", tokens, lengths), texts


def _whole_array(name: str, value: Any, lengths: list[int]) -> np.ndarray:
    import numpy as np

    if not is_array(value) and (isinstance(value, str) or not isinstance(value, Iterable)):
        raise InputError(f"{name} is {value!r} (it has a whole number for each place)")
    parts = [value] if is_array(value) else list(value)
    nested = not is_array(value) and any(is_array(one) or isinstance(one, (list, tuple)) for one in parts)
    found = [array(f"{name}[{i}]", one) for i, one in enumerate(parts)] if nested else [array(name, value if is_array(value) else parts)]
    for i, one in enumerate(found):
        if one.dtype.kind not in "iu" and one.size:
            raise InputError(f"{name} has dtype {one.dtype} (it has whole numbers)")
        if one.ndim != 1 and (nested or list(one.shape) != [len(lengths), *lengths[:1]]):
            raise InputError(f"{name}{f'[{i}]' * nested} has shape {list(one.shape)} and the recording {_places(lengths)} (each place has one)")
    if nested:
        _same_lengths(name, [len(one) for one in found], "the recording", lengths)
    joined = np.concatenate([one.ravel() for one in found]).astype(np.int64)
    if len(joined) != sum(lengths):
        raise InputError(f"{name} has {len(joined)} entries for {sum(lengths)} places (each has one)")
    return joined
