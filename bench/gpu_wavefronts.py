#!/usr/bin/env python3
"""Wavefronts of shared memory that a warp's 32 rounds ask for, of the rows of bench/cases.h, by drawing them.

    bench/gpu_wavefronts.py [--warps N]

A warp's access takes as many wavefronts as the fullest of the 32 banks of 4 bytes has words for it; of 8 bytes, whose words are
in two banks each, as many as the fullest of 16 pairs (an H200 reads 256 B and 8 KiB at random in 2.1 and 4.8 wavefronts, as this
says, and not in 3.9 and 6.1, as if 16 lanes went at a time). Lanes that read one word share it; lanes that count in one cell wait for each other, as do
those that count in cells of one bank. All lanes read the step of each position, γ = 5, whether their round goes on or not;
tokens are counted where α = .8 accepts them, and are taken to be equally likely: where they are not, more lanes meet. So the
figures are at the least, but for what is left open.
"""

import argparse
import random

LANES, BANKS, GAMMA, ALPHA = 32, 32, 5, .8


def mean(wavefronts, warps):
    return sum(wavefronts() for _ in range(warps)) / warps


def fullest(words, of=BANKS):
    banks = [0] * of
    for word in words:
        banks[word % of] += 1
    return max(banks)


def reads_of_steps(entries):
    return fullest({random.randrange(entries) for _ in range(LANES)}, BANKS // 2)


def reads_of_words(entries):
    return fullest({random.randrange(entries) for _ in range(LANES)})


def counts(cells, share):
    return fullest(random.randrange(cells) for _ in range(LANES) if random.random() < share)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warps", type=int, default=50_000, help="that are drawn for each figure (50000)")
    warps = parser.parse_args().warps
    random.seed(1)
    print(f"{'':24} {'step':>6} {'pick':>6} {'counts':>7} {'of a warp':>9}")
    for vocab in (32, 1024, 4096):
        step, pick = (mean(lambda read=read: read(vocab), warps) for read in (reads_of_steps, reads_of_words))
        each = [mean(lambda i=i: counts(vocab, ALPHA ** (i + 1)), warps) for i in range(GAMMA)]
        length, lost, last = 1, mean(lambda: counts(vocab, 1 - ALPHA), warps), mean(lambda: counts(vocab, 1), warps)
        for name, tokens in (("", None), ("histograms", sum(each) + last), ("first tokens", each[0] + lost)):
            counted = length + (tokens or 0)
            total = GAMMA * step + (pick if tokens else 0) + counted
            print(f"V={vocab:<6} {name:15} {step:6.2f} {pick if tokens else 0:6.2f} {counted:7.2f} {total:9.1f}")


if __name__ == "__main__":
    main()
