#!/usr/bin/env python3
"""The NumPy baseline of the ingest rows of `draftgauge bench`: the same figures of pairs of rows, batched, one thread.

    OMP_NUM_THREADS=1 bench/ingest_numpy.py          # needs numpy; prints pairs of rows per second, best of several
"""

import time

import numpy as np

VOCAB, ROWS, TURNS = 49152, 64, 7


def figures(z_p, z_q):
    z_p, z_q = z_p.astype(np.float32), z_q.astype(np.float32)
    log_p = z_p - z_p.max(1, keepdims=True)
    log_q = z_q - z_q.max(1, keepdims=True)
    log_p -= np.log(np.exp(log_p).sum(1, keepdims=True))
    log_q -= np.log(np.exp(log_q).sum(1, keepdims=True))
    p, q = np.exp(log_p), np.exp(log_q)
    return (np.minimum(p, q).sum(1), (p * (log_p - log_q)).sum(1), (q * (log_q - log_p)).sum(1),
            -(p * log_p).sum(1), -(q * log_q).sum(1), p.argmax(1), q.argmax(1))


def main():
    random = np.random.default_rng(1)
    p = random.normal(0, 3, (ROWS, VOCAB)).astype(np.float32)
    q = p + random.normal(0, 1, (ROWS, VOCAB)).astype(np.float32)
    for dtype in (np.float32, np.float16):
        a, b = p.astype(dtype), q.astype(dtype)
        best = float("inf")
        for _ in range(TURNS):
            start = time.perf_counter()
            for i in range(0, ROWS, 16):
                figures(a[i:i + 16], b[i:i + 16])
            best = min(best, time.perf_counter() - start)
        print(f"numpy {np.__version__}, {np.dtype(dtype).name}, V={VOCAB}: {ROWS / best:.0f} pairs of rows/s")


if __name__ == "__main__":
    main()
