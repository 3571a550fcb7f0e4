"""p and q in every form that they come in, and each way in which they can be wrong."""

import decimal
from fractions import Fraction

import numpy as np
import pytest

import draftgauge as dg
from conftest import ByDlpack

P, Q = [[.25, .75], [.5, .5]], [[.5, .5], [.125, .875]]


@pytest.mark.parametrize("make", [
    np.array, lambda rows: np.array(rows, np.float32), lambda rows: np.array(rows, np.float16),
    lambda rows: np.asfortranarray(rows), lambda rows: np.array(rows).repeat(2, axis=1)[:, ::2],
    lambda rows: np.array(rows, ">f8"), lambda rows: ByDlpack(np.array(rows)), lambda rows: rows, tuple,
    lambda rows: [[Fraction(one) for one in row] for row in rows],
    lambda rows: [[str(one) for one in row] for row in rows],
    lambda rows: [[decimal.Decimal(one) for one in row] for row in rows],
])
def test_forms(make):
    made = dg.laws(p=make(P), q=make(Q))
    assert made.p.tolist() == P and made.q.tolist() == Q and made.rounding == 0
    assert made.contexts == "Markov pair" and (made.rows, made.vocab) == (2, 2)


def test_a_float_is_the_decimal_that_is_printed():
    assert dg.exact(([.3, .7], [.6, .4]), gamma=1).output_law == [Fraction(3, 10), Fraction(7, 10)]
    assert dg.exact((np.array([.3, .7]), np.array([.6, .4])), gamma=1).output_law[0] == Fraction(3, 10)


def test_softmax_in_single_precision_is_taken():
    logits = np.random.default_rng(1).normal(size=(3, 1000)).astype(np.float32)
    rows = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    made = dg.laws(p=rows, q=rows, contexts="bag")
    assert np.allclose(made.p.sum(axis=1), 1, atol=1e-12) and made.contexts == "3 i.i.d. contexts"


def test_rows_of_two_precisions_are_each_held_to_their_own():
    single, double = np.array([.5, .5], np.float32), np.array([.5, .6])
    for p, q, name in ((single, double, "q"), (double, single, "p"), (single, [.5, .6], "q")):
        with pytest.raises(dg.InputError) as caught:
            dg.laws(p=p, q=q)
        assert str(caught.value) == (f"{name}, row 0 sums to 1.1 (probabilities of float64 sum to 1 within 1e-09) normalise it, or give "
                                     "normalise=True")
    assert dg.laws(p=single, q=double / 1.1).vocab == 2
    assert dg.laws(p=single * 3, q=double, normalise=True).p.tolist() == [[.5, .5]]


def test_normalise():
    assert dg.laws(p=[1, 3], q=[2, 2], normalise=True).p.tolist() == [[.25, .75]]


def test_whole_numbers():
    assert dg.laws(p=np.array([1, 0]), q=[0, 1]).p.tolist() == [[1, 0]]


def test_laws_are_laws():
    made = dg.laws("markov:vocab=3")
    assert dg.laws(made) is made and "markov:vocab=3" in repr(made)
    assert dg.simulate(made, rounds=100).source == made.description


@pytest.mark.parametrize("p, q, message", [
    ([.5, .6], [.5, .5], "p sums to 1.1 (a distribution sums to 1)"),
    (np.array([.5, .6]), [.5, .5], "p sums to 1.1 (a distribution sums to 1)"),
    (np.array([.5, .6], np.float32), [.5, .5], "p, row 0 sums to 1.1 (probabilities of float32 sum to 1 within 1e-05)"),
    (np.array([[.5, .5], [.4, .5]]), [[.5, .5]] * 2, "p, row 1 sums to 0.9"),
    (np.array([.5, np.nan]), [.5, .5], "p, token 1 is nan"),
    ([.5, float("nan")], [.5, .5], "p, row 0, token 1 is nan (a probability is a number from 0 to 1)"),
    (np.array([.5, np.inf]), [.5, .5], "p, token 1 is inf"),
    ([1.5, -.5], [.5, .5], "p, token 1 is -1/2"),
    (np.array([1.5, -.5]), [.5, .5], "p, token 1 is -1/2"),
    (np.array([]), [.5, .5], "p is empty, of shape [0]"),
    ([], [.5, .5], "p is empty"),
    (np.zeros((2, 2, 2)), [.5, .5], "p has shape [2, 2, 2] (it is one row, or a row for each context)"),
    (np.array([.5, .5 + 1j]), [.5, .5], "p has dtype complex128 (its numbers are real)"),
    (np.array([True, False]), [.5, .5], "p has dtype bool (its numbers are real)"),
    (np.array(["a", "b"]), [.5, .5], "p has dtype <U1 (its numbers are real)"),
    ([.5, .5], [.25, .25, .5], "q has 3 tokens, but p has 2 (all distributions are over one vocabulary)"),
    ([[.5, .5], [1]], [[.5, .5]] * 2, "p, row 1 has 1 tokens, but p, row 0 has 2"),
    ([[.5, .5]] * 2, [[.5, .5]], "p has 2 rows and q has 1 (each context needs both distributions)"),
    ([[.5, .5]] * 4, [[.5, .5]] * 4, "p, q: it has 4 rows of 2 tokens (1 row is one context"),
    ([.5, None], [.5, .5], "p, row 0, token 1 is None (it is a probability)"),
    ([.5, object()], [.5, .5], "p, row 0, token 1 is <object"),
    (["1/0", "1"], [.5, .5], "p, row 0, token 0: "),
    (3, [.5, .5], "p is a int (it is a row of numbers, or a list of rows)"),
])
def test_bad_arrays(p, q, message):
    with pytest.raises(dg.InputError) as caught:
        dg.laws(p=p, q=q)
    assert message in str(caught.value)


@pytest.mark.parametrize("arguments, message", [
    ({}, "source and p, q cannot be given together, nor none of them"),
    ({"source": "markov:vocab=3", "p": [1]}, "source and p, q cannot be given together"),
    ({"p": [1]}, "p and q belong together"),
    ({"source": 3}, "laws is a int (it is a name or file, PairTables, or a pair of arrays)"),
    ({"source": "markov:vocab=3", "contexts": "sack"}, "contexts is 'sack' (known are "),
    ({"source": "nope"}, "there is no source 'nope'"),
])
def test_bad_arguments(arguments, message):
    with pytest.raises(dg.UsageError) as caught:
        dg.laws(**arguments)
    assert message in str(caught.value)


def bfloat16(rows):
    """A DLPack capsule of bfloat16, as PyTorch gives one."""
    import ctypes

    bits = (np.asarray(rows, np.float32).view(np.uint32) >> 16).astype(np.uint16)

    class Tensor(ctypes.Structure):  # DLManagedTensor, dlpack.h
        _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                    ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                    ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.c_void_p),
                    ("byte_offset", ctypes.c_uint64), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]

    class Array:
        def __init__(self):
            self.shape = (ctypes.c_int64 * bits.ndim)(*bits.shape)
            self.tensor = Tensor(bits.ctypes.data, 1, 0, bits.ndim, 4, 16, 1, self.shape, None, 0, None, None)

        def __dlpack__(self, **_):
            new = ctypes.pythonapi.PyCapsule_New
            new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
            return new(ctypes.addressof(self.tensor), b"dltensor", None)

        def __dlpack_device__(self):
            return 1, 0

    return Array()


def test_bfloat16():
    from draftgauge._arrays import array

    found = array("p", bfloat16(P))
    assert found.tolist() == P and found.dtype == np.float32
    assert dg.laws(p=bfloat16(P), q=Q).p.tolist() == P
    rounded = [[.1, .2, .7]]  # whose upper halves of float32 do not sum to 1
    assert dg.laws(p=bfloat16(rounded), q=rounded).p[0] == pytest.approx([.1, .2, .7], abs=2e-3)
    for wrong, message in (([[.5, .6]], "p, row 0 sums to 1.09766 (probabilities of bfloat16 sum to 1 within 0.01) normalise it"),
                           (np.zeros((0, 2)), "p is empty, of shape [0, 2]"),
                           (np.zeros((1, 1, 2)), "p has shape [1, 1, 2] (it is one row, or a row for each context)")):
        with pytest.raises(dg.InputError) as caught:
            dg.laws(p=bfloat16(wrong), q=[.5, .5])
        assert str(caught.value).startswith(message)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_arrays_are_read_where_they_lie(dtype):
    import tracemalloc

    rows = np.random.default_rng(1).dirichlet(np.ones(256), 256).astype(dtype)
    wanted = dg.laws(p=rows, q=rows, normalise=True).p
    wide = np.zeros((256, 512), dtype)
    wide[:, ::2] = rows
    records = np.zeros(256, [("byte", np.int8), ("row", dtype, 256)])
    records["row"] = rows
    reversed_ = np.ascontiguousarray(rows[::-1, ::-1])[::-1, ::-1]
    for form, copied in ((rows, False), (np.asfortranarray(rows), False), (wide[:, ::2], False), (reversed_, False),
                         (rows.astype(rows.dtype.newbyteorder(">")), True), (records["row"], True)):
        if not copied:
            form.flags.writeable = False
        tracemalloc.start()
        made = dg.laws(p=form, q=form, normalise=True)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert np.array_equal(made.p, wanted)
        assert (peak > rows.nbytes) == copied
