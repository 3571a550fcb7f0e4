"""The forms in which verifiers take rows and return tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .._arrays import real_array
from .._batch import Batch, Dictated, distributions
from .._errors import InputError

if TYPE_CHECKING:
    import numpy as np

Verifier = Callable[[Batch], "np.ndarray"]


#: Rounds of a call, of verifiers that take one round after another or whose kernels are interpreted: seconds, where all 65 536 of an audit
#: take half a minute and more, and `timeout` is of a call.
SLOW = 1 << 11


def slowly(verifier: Verifier, batch: int = SLOW) -> Verifier:
    """It says how many rounds it takes at once."""
    verifier.batch = batch  # type: ignore[attr-defined]
    return verifier


def table_of(rows: Any) -> np.ndarray:
    """[V, V] as float64: after each token the probabilities of the next."""
    found = real_array("rows", rows, 2)
    if found.shape[0] != found.shape[1]:
        raise InputError(f"rows has shape {list(found.shape)} (a table has a row for each token, and in it a number for each)")
    distributions("rows", found, ("row", "token"))
    return found.astype(float)


#: The logit of what p excludes where kernels subtract and multiply, of which -inf makes NaN: in float32 its probability is 0.
NEVER = -1e4


def log_rows(rows: np.ndarray) -> np.ndarray:
    """Logits of probabilities; of 0 it is -inf."""
    import numpy as np

    with np.errstate(divide="ignore"):
        return np.log(rows.astype(np.float64))


def finite_log_rows(rows: np.ndarray) -> np.ndarray:
    """As log_rows, in float32 and without -inf."""
    import numpy as np

    finite: np.ndarray = np.maximum(log_rows(rows), NEVER).astype(np.float32)
    return finite


def ragged(rows: np.ndarray) -> np.ndarray:
    """[B, n, …] as [B · n, …]: requests one after another."""
    return rows.reshape(-1, *rows.shape[2:])


def padded(tokens: Iterable[Iterable[int]], length: int) -> np.ndarray:
    """[B, length] of lists of tokens, −1 after the end of each."""
    import numpy as np

    lists = [list(one) for one in tokens]
    found = np.full((len(lists), length), -1, np.int64)
    for row, one in zip(found, lists):
        row[:len(one)] = one
    return found


def cut(tokens: np.ndarray, accepted: np.ndarray) -> np.ndarray:
    """−1 behind the token after so many accepted drafts: for verifiers that leave anything there."""
    import numpy as np

    found = np.asarray(tokens).astype(np.int64)
    return np.where(np.arange(found.shape[1]) <= np.asarray(accepted)[:, None], found, -1)


def inverse(rows: np.ndarray, coins: np.ndarray) -> np.ndarray:
    """[B] the token of weights [B, V] at each coin in (0, 1), by the running sum."""
    sums = rows.cumsum(-1)
    found: np.ndarray = (sums <= coins[:, None] * sums[:, -1:]).sum(-1)
    return found


def one_by_one(verifier: Callable[[Batch], Iterable[int]]) -> Verifier:
    """A verifier of batches of one that returns the tokens of the round; called with 2048 rounds at once, as its `batch` says."""

    def every(batch: Batch) -> np.ndarray:
        coins, race = batch.coins, batch.race
        found = []
        for i in range(len(batch.drafts)):
            at = slice(i, i + 1)
            given = Dictated(None if coins is None else coins[at], None if race is None else race[at])
            found.append(verifier(replace(batch, p=batch.p[at], q=batch.q[at], drafts=batch.drafts[at], base=batch.base[at],
                                          ids=batch.ids[at], texts=batch.texts[at], positions=batch.positions[at],
                                          dictated=given)))
        return padded(found, batch.positions.shape[1])

    return slowly(every)
