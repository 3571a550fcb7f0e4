"""The NumPy baseline of the ingest rows of `draftgauge bench`: the same figures of pairs of rows, batched, one thread.

Says its version, then for each number of pairs that it is sent the CPU seconds that these took.

    echo 64 | bench/ingest_numpy.py float32
"""

import sys
import time

import numpy as np

VOCAB, ROWS, BATCH = 49152, 64, 16


def figures(z_p, z_q):
    z_p, z_q = z_p.astype(np.float32), z_q.astype(np.float32)
    log_p = z_p - z_p.max(1, keepdims=True)
    log_q = z_q - z_q.max(1, keepdims=True)
    log_p -= np.log(np.exp(log_p).sum(1, keepdims=True))
    log_q -= np.log(np.exp(log_q).sum(1, keepdims=True))
    p, q = np.exp(log_p), np.exp(log_q)
    return (np.minimum(p, q).sum(1), (p * (log_p - log_q)).sum(1), (q * (log_q - log_p)).sum(1),
            -(p * log_p).sum(1), -(q * log_q).sum(1), p.argmax(1), q.argmax(1))


def main(dtype):
    print(np.__version__, flush=True)
    random = np.random.default_rng(1)
    p = random.normal(0, 3, (ROWS, VOCAB)).astype(np.float32)
    q = p + random.normal(0, 1, (ROWS, VOCAB)).astype(np.float32)
    p, q = p.astype(dtype), q.astype(dtype)
    at = 0
    for line in sys.stdin:
        left = int(line)
        start = time.process_time()
        while left > 0:
            some = min(left, BATCH)
            figures(p[at:at + some], q[at:at + some])
            at, left = (at + BATCH) % ROWS, left - some
        print(time.process_time() - start, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
