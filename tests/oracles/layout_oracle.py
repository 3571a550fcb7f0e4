"""Checks the layout's known answers by a second implementation:  layout_oracle.py KNOWN_ANSWERS.H

Follows the comment at the top of sim/chance/layout.h in Python's integers and fractions and shares no code with the engine, so
that comment, code and answers say the same. Exits with 1 and names the line where one disagrees.
"""

import re
import sys
from fractions import Fraction

MASK = 0xFFFFFFFF
REAL = {"real_flip": "flip", "given_pick": "owed_pick"}  # of doubles: whose stream they have
STREAMS = ["draft_pick", "flip", "verifier_pick", "weighted_pick", "context", "start", "owed_pick", "late_flip"]


def philox(counter, key):
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        a, b = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (b >> 32) ^ c1 ^ k0, b & MASK, (a >> 32) ^ c3 ^ k1, a & MASK
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return c0, c1, c2, c3


def words(seed, trial, round_, purpose, draw):
    return philox((trial & MASK, trial >> 32, round_ | draw >> 24 << 20, (draw * 256 + purpose) & MASK), (seed & MASK, seed >> 32))


class Uniform:
    """A number in [0, 1) of which the first digits are known, and further ones can be had."""

    def __init__(self, digits, width, more):
        self.low, self.width, self.more = digits, width, more

    def floor_times(self, n):
        """⌊U·n⌋, as soon as the digits settle it."""
        while True:
            first, last = self.low * n >> self.width, (self.low + 1) * n - 1 >> self.width
            if first == last:
                return first
            self.low, self.width = self.low << 32 | next(self.more), self.width + 32

    def below(self, threshold):
        while True:
            if Fraction(self.low + 1, 1 << self.width) <= threshold:
                return True
            if Fraction(self.low, 1 << self.width) >= threshold:
                return False
            self.low, self.width = self.low << 32 | next(self.more), self.width + 32


def answer(ask, k, seed, trial, round_, j, a, b):
    def at(purpose, slot):
        return words(seed, trial, round_, purpose, slot // 4)[slot % 4]

    def ties():
        for level in range(30):
            yield from words(seed, trial, round_, 16 + 8 * level + STREAMS.index(REAL.get(ask, ask)), j)

    wide = k > 10
    if ask in ("flip", "real_flip"):
        field = at(0, 2 + 2 * j) if wide else at(0, 1 + j) & 0xFFFF
        chance = Fraction(a, b) if ask == "flip" else Fraction(int(a / b * 2**53), 2**53)
        return int(Uniform(field, 32 if wide else 16, ties()).below(chance))
    if ask == "late_flip":
        return int(Uniform(at(8, j), 32, ties()).below(Fraction(a, b)))
    if ask in ("draft_pick", "verifier_pick"):
        if ask == "draft_pick":
            word = at(0, 1 + 2 * j) if wide else at(0, 1 + j)
        else:
            word = at(0, 0) if j == 0 else at(1, j - 1)
        field, width = (word, 32) if wide else (word >> 16, 16)
        bucket = field >> width - k
        threshold = (bucket * 0x9E3779B97F4A7C15 + 12345) % 2**64 % (a + 1)
        other = bucket * 40503 + 1 & (1 << k) - 1
        fraction = field & (1 << width - k) - 1
        return bucket if Uniform(fraction, width - k, ties()).below(Fraction(threshold, a)) else other
    if ask in ("weighted_pick", "owed_pick"):
        first = words(seed, trial, round_, 2 if ask == "weighted_pick" else 7, j)
        return int(Uniform(first[0] << 32 | first[1], 64, ties()).floor_times(a + b) >= a)
    if ask in ("given_pick", "share_pick"):
        first = words(seed, trial, round_, 7, j)
        digit = first[0] << 32 | first[1]
        if ask == "share_pick":
            return int((digit >> 11) / 2**53 * a)
        scale = 2.0**52 / (a + b)
        whole = [int(weight * scale) for weight in (a, b)]
        return int(Uniform(digit, 64, ties()).floor_times(sum(whole)) >= whole[0])
    if ask == "context":
        return Uniform(at(3, j), 32, ties()).floor_times(a)
    assert ask == "start" and round_ == 0
    return Uniform(words(seed, trial, 0, 4, 0)[0], 32, ties()).floor_times(a)


def main(path):
    wrong, layout_rows, word_rows = [], 0, 0
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        row = line.strip().rstrip(",")
        numbers = [int(text, 0) for text in re.findall(r"\b(?:0x[0-9a-f]+|\d+)\b", row)]
        if match := re.fullmatch(r"\{Ask::(\w+),.*\}", row):
            layout_rows += 1
            if answer(match[1], *numbers[:-1]) != numbers[-1]:
                wrong.append(f"{path}:{number}: the comment in sim/chance/layout.h gives {answer(match[1], *numbers[:-1])}")
        elif re.fullmatch(r"\{0x\w+, 0x\w+, \d+, \d+, \d+, \{\{.*\}\}\}", row):
            word_rows += 1
            if words(*numbers[:5]) != tuple(numbers[5:]):
                wrong.append(f"{path}:{number}: the comment in sim/chance/layout.h gives other words")
    print("\n".join(wrong) or f"{word_rows} rows of words and {layout_rows} answers agree")
    if wrong or word_rows < 10 or layout_rows < 100:  # a table that could not be read must not pass
        sys.exit(1)


main(sys.argv[1])
