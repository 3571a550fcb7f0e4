"""Batches after each of which the library's bets against p are settled, so that a lossy verifier is known before all rounds are played."""

from __future__ import annotations

from collections.abc import Iterator

#: Rounds of the first batch where bets are settled after each.
FIRST = 512


def batches(rounds: int, batch: int, early: bool) -> Iterator[tuple[int, int]]:
    """Where each begins and ends: as large as all before it together, `batch` at most, if there is to be an early end."""
    begin = 0
    while begin < rounds:
        end = min(begin + (min(batch, max(FIRST, begin)) if early else batch), rounds)
        yield begin, end
        begin = end


def batch_count(rounds: int, batch: int, early: bool) -> int:
    """How many `batches` gives: too many to list, it may be."""
    count = begin = 0
    if early:  # those that grow are few
        for count, (_, begin) in enumerate(batches(rounds, batch, True), 1):
            if begin >= batch:
                break
    return count + -(-(rounds - begin) // batch)
