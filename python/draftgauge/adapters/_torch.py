"""torch's random numbers, seeded or dictated."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .._batch import Batch

if TYPE_CHECKING:
    import numpy as np


@contextmanager
def seeded(rng: np.random.Generator) -> Iterator[None]:
    """torch's generator of the CPU, which is as it was afterwards: what else runs in the process draws from it, too."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(int(rng.integers(2**63)))
        yield


@contextmanager
def randomness(batch: Batch) -> Iterator[None]:
    """torch's generator seeded by the batch. Where the batch has coins they are what torch.rand and rand_like return, in order of
    their calls, the last coin is what torch.multinomial draws by, and the race what Tensor.exponential_ fills in."""
    from unittest import mock  # which takes a tenth of a second

    import torch

    if batch.coins is None:
        with seeded(batch.rng):
            yield
        return
    count, places = batch.coins.shape
    coins = torch.from_numpy(batch.coins)
    taken = 0

    def rand(*size: Any, dtype: Any = None, **_: Any) -> Any:
        nonlocal taken
        shape = torch.Size(size[0] if len(size) == 1 and not isinstance(size[0], int) else size)
        each, left = divmod(shape.numel(), count)
        if left or taken + each >= places:
            raise RuntimeError(f"torch.rand is asked for {list(shape)} where {places - 1 - taken} coins of {count} rounds are left")
        taken += each
        part = coins[:, taken - each:taken].reshape(shape)
        return part.to(dtype or torch.get_default_dtype(), copy=True).contiguous()  # as kernels take it

    def rand_like(tensor: Any, dtype: Any = None, **_: Any) -> Any:
        return rand(tensor.shape, dtype=dtype or tensor.dtype)

    def multinomial(weights: Any, num_samples: int = 1, *_: Any, **__: Any) -> Any:
        if num_samples != 1:
            raise RuntimeError(f"torch.multinomial is asked for {num_samples} tokens where one coin is left")
        if not (weights.isfinite() & (weights >= 0)).all():  # as torch does
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        sums = weights.double().cumsum(-1)
        found = (sums <= coins[:, -1:].reshape(*weights.shape[:-1], 1) * sums[..., -1:]).sum(-1, keepdim=True)
        return found.clamp(max=weights.shape[-1] - 1)

    def exponential_(tensor: Any, *_: Any, **__: Any) -> Any:
        race: Any = batch.race
        return tensor.copy_(torch.from_numpy(race).reshape(tensor.shape))

    with seeded(batch.rng), mock.patch.multiple(torch, rand=rand, rand_like=rand_like, multinomial=multinomial), \
            mock.patch.object(torch.Tensor, "exponential_", exponential_):
        yield
