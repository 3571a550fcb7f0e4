"""p and q, from a name, a file, or arrays."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from . import _core
from ._arrays import is_array, readable
from ._core import PairTables as PairTables
from ._errors import InputError, UsageError
from ._fields import choice

#: How far from 1 the library lets a sum of doubles be.
DOUBLE = 1e-9
CONTEXTS = ("", "bag", "path", "markov")


def laws(source: Any = None, *, p: Any = None, q: Any = None, contexts: str = "", normalise: bool = False) -> PairTables:
    """The distributions of a model pair.

    source     what the program takes: "markov:vocab=6", "exact-alpha:vocab=32,alpha=.8", or a file
    p, q       instead: one row, or a row for each context, of an array, or of numbers, fractions.Fraction or texts "1/3";
               a float is the decimal that Python prints, so that .3 is 3/10
    contexts   how rows follow each other: "bag" (any row at each position), "markov" (the row of the token before; rows as
               tokens), "path" (one after another); if empty as the number of rows tells
    normalise  divide rows by their sums, instead of refusing sums other than 1; rows of float32, float16 and bfloat16 always are,
               where their sums are 1 in that precision

    Arrays of these types and of float64 are read where they lie, whatever their strides; what is kept of them is integers. Whole
    numbers, another byte order, and bfloat16 in NumPy's own arrays are copied first.
    """
    choice("contexts", contexts, CONTEXTS)
    if (source is None) == (p is None and q is None):
        raise UsageError("source and p, q cannot be given together, nor none of them (they name the laws); give one")
    if isinstance(source, PairTables):
        return source
    if isinstance(source, tuple) and len(source) == 2:
        p, q = source
    elif source is not None:
        if not isinstance(source, str):
            raise UsageError(f"laws is a {type(source).__name__} (it is a name or file, PairTables, or a pair of arrays)")
        return _core.laws_of_source(source, contexts, normalise)
    if p is None or q is None:
        raise UsageError("p and q belong together (a context is a pair of distributions); give both")
    if not is_array(p) and not is_array(q):
        rows = _texts("p", p), _texts("q", q)
        return _core.laws_of_texts(*rows, contexts, normalise)
    p, allowed_p = _rows("p", p)
    q, allowed_q = _rows("q", q)
    if normalise or allowed_p is allowed_q is None:
        return _core.laws_of_arrays(p, q, contexts, normalise)
    for name, rows, allowed in (("p", p, allowed_p), ("q", q, allowed_q)):  # each in its own precision, before both are divided
        _sum_to_one(name, rows, DOUBLE if allowed is None else allowed)
    return _core.laws_of_arrays(p, q, contexts, True)


def _rows(name: str, value: Any) -> tuple[Any, float | None]:
    """What the core reads, where it lies, and how far its sums may be off, if its numbers are less precise than doubles, so that each row
    is to be divided by its sum."""
    found, shape, allowed = readable(name, value)
    if len(shape) not in (1, 2):
        raise InputError(f"{name} has shape {shape} (it is one row, or a row for each context)")
    return found, allowed


def _sum_to_one(name: str, found: Any, allowed: float) -> None:
    sums: Any = _core.row_sums(found)
    for row in (abs(sums - 1) > allowed).nonzero()[0][:1]:
        kind = getattr(found, "dtype", "bfloat16")
        raise InputError(f"{name}, row {row} sums to {sums[row]:.6g} (probabilities of {str(kind).removeprefix('torch.')} sum to 1 "
                         f"within {allowed:g}) normalise it, or give normalise=True")


def _texts(name: str, value: Any) -> list[list[str]]:
    try:
        rows = list(value)
        if not rows or isinstance(rows[0], (int, float, str, Fraction)):
            rows = [rows]
        rows = [list(row) for row in rows]
    except TypeError:
        raise InputError(f"{name} is a {type(value).__name__} (it is a row of numbers, or a list of rows)") from None
    return [[_text(f"{name}, row {i}, token {x}", number) for x, number in enumerate(row)]
            for i, row in enumerate(rows)]


def _text(where: str, number: Any) -> str:
    if isinstance(number, str):
        return number
    if isinstance(number, (bool, complex)) or number is None:
        raise InputError(f"{where} is {number!r} (it is a probability); give a number, a Fraction or \"1/3\"")
    if isinstance(number, (int, Fraction)):
        return str(number)
    try:
        real = float(number)
    except (TypeError, ValueError):
        raise InputError(f"{where} is {number!r} (it is a probability); give a number, a Fraction or \"1/3\"") from None
    if real != real or real in (float("inf"), float("-inf")):
        raise InputError(f"{where} is {real} (a probability is a number from 0 to 1)")
    return repr(real)
