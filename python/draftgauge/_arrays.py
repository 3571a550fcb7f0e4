"""Arrays from anywhere: NumPy, PyTorch, JAX, whatever has `__array__` or DLPack. NumPy is imported when the first one comes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import InputError

if TYPE_CHECKING:
    import numpy as np

#: How far from 1 the sum of a distribution may be for the precision that it was computed in.
SINGLE, HALF = 1e-5, 1e-2


def is_array(value: Any) -> bool:
    return hasattr(value, "__array__") or hasattr(value, "__dlpack__")


def _masked(value: Any) -> int:
    """Masked entries of an array, or of those in a list: np.asarray drops the mask, and takes what lies below it."""
    import numpy as np

    if np.ma.isMaskedArray(value):
        return int(np.ma.getmaskarray(value).sum())
    return sum(map(_masked, value)) if isinstance(value, (list, tuple)) else 0


def array(name: str, value: Any, instead: str = "each text without them, as .compressed() has it") -> np.ndarray:
    """The array as NumPy sees it, not copied where it need not be; bfloat16, which NumPy has not, as float32. instead: what to give where
    entries are masked."""
    import numpy as np

    if masked := _masked(value):
        entries = "entry" if masked == 1 else "entries"
        raise InputError(f"{name} has {masked} masked {entries} (a masked place has no number); give {instead}")
    found: Any
    try:
        only_dlpack = hasattr(value, "__dlpack__") and not hasattr(value, "__array__")
        found = np.from_dlpack(value) if only_dlpack else np.asarray(value)
    except (TypeError, RuntimeError, ValueError, BufferError, AttributeError) as problem:
        if not hasattr(value, "__dlpack__"):
            raise InputError(f"{name} is no array ({problem}); give one of NumPy, or with DLPack") from None
        try:
            found = _core.widened(value)
        except TypeError:
            raise InputError(f"{name} cannot be read ({problem}) copy it to the CPU as float32") from None
    if found.dtype.name == "bfloat16":  # of ml_dtypes
        found = found.astype(np.float32)
    return found  # type: ignore[no-any-return]


def real_array(name: str, value: Any, dimensions: int | None = None) -> np.ndarray:
    """A C-contiguous array of float64, float32 or float16; whole numbers become float64."""
    import numpy as np

    found = _real(name, value)
    if dimensions is not None and found.ndim != dimensions:
        raise InputError(f"{name} has shape {list(found.shape)} (it has {dimensions} dimensions)")
    return np.ascontiguousarray(found)


def readable(name: str, value: Any) -> tuple[Any, list[int], float | None]:
    """An array that the core reads where it lies, of float64, 32, 16 or bfloat16 and any strides; its shape; and its tolerance. A copy is
    made of whole numbers, of another byte order, of numbers that overlap, and of bfloat16 in NumPy's arrays, which no one can hand on."""
    import numpy as np

    shape = _core.bfloat16_shape(value) if hasattr(value, "__dlpack__") else None
    if shape is None:
        found = _real(name, value)
        if any(stride % found.itemsize for stride in found.strides):
            found = np.ascontiguousarray(found)
        return found, list(found.shape), tolerance(found)
    if 0 in shape:
        raise InputError(f"{name} is empty, of shape {shape} (there is nothing to work on)")
    return value, shape, HALF


def _real(name: str, value: Any) -> np.ndarray:
    """As it lies, of float64, float32 or float16."""
    import numpy as np

    found = array(name, value)
    if found.dtype.kind in "iu":
        found = found.astype(np.float64)
    if found.dtype.kind != "f" or found.dtype.itemsize > 8:
        raise InputError(f"{name} has dtype {found.dtype} (its numbers are real); give float64, float32 or float16")
    if found.size == 0:
        raise InputError(f"{name} is empty, of shape {list(found.shape)} (there is nothing to work on)")
    return found.astype(found.dtype.newbyteorder("="), copy=False)


def tolerance(found: np.ndarray) -> float | None:
    """Of rows that were normalised in less than double precision; None of doubles, which the library checks itself."""
    return {8: None, 4: SINGLE, 2: HALF}[found.dtype.itemsize]
