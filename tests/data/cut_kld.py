"""Cuts two .kld files of one text down to the first rows of their first chunk, and says what is in them:

  cut_kld.py TARGET.kld DRAFT.kld OUT_TARGET.kld OUT_DRAFT.kld

The pieces have n_ctx 8, so that 3 rows stay as they were. Needs numpy. It made tests/data/rows/real_target.kld
and real_draft.kld from files that llama-perplexity --kl-divergence-base of llama.cpp (as in llama-cpp-python 0.3.36)
wrote for SmolLM2-135M-Instruct, Q4_1 (Apache-2.0), and for the same model without its layers 14 and 17. The figures
that it prints stand in tests/sim/recordings/kld_test.cc.
"""
import struct
import sys

import numpy as np

N_CTX = 8


def read(path):
    data = open(path, "rb").read()
    n_ctx, n_vocab, n_chunk = struct.unpack_from("<8x3i", data)
    tokens = np.frombuffer(data, "<i4", n_ctx * n_chunk, 20)
    return n_ctx, n_vocab, tokens, data[20 + 4 * len(tokens):]


def cut(source, target):
    n_ctx, n_vocab, tokens, rows = read(source)
    first, new_first = n_ctx // 2, N_CTX // 2
    kept = N_CTX - 1 - new_first
    size = 8 + 2 * (n_vocab + n_vocab % 2)
    start = first - new_first
    with open(target, "wb") as out:
        out.write(b"_logits_" + struct.pack("<3i", N_CTX, n_vocab, 1))
        out.write(tokens[start:start + N_CTX].tobytes() + rows[:kept * size])


def laws(path):
    """Per row: the stored probabilities, the codes, and the token that followed."""
    n_ctx, n_vocab, tokens, rows = read(path)
    size = 8 + 2 * (n_vocab + n_vocab % 2)
    for r in range(len(rows) // size):
        scale, least = struct.unpack_from("<2f", rows, r * size)
        codes = np.frombuffer(rows, "<u2", n_vocab, r * size + 8)
        yield np.exp(least + scale * codes.astype(float)), codes, tokens[n_ctx // 2 + r + 1]


def main():
    cut(sys.argv[1], sys.argv[3])
    cut(sys.argv[2], sys.argv[4])
    print("token  sum p    sum q    floored p  floored q  at 0: p  q  beta stored  beta renormalised  -ln p   -ln q")
    for (p, code_p, token), (q, code_q, _) in zip(laws(sys.argv[3]), laws(sys.argv[4])):
        print(token, *(f"{x:.12f}" for x in (p.sum(), q.sum(), p[code_p == 0].sum(), q[code_q == 0].sum())),
              (code_p == 0).sum(), (code_q == 0).sum(), f"{np.minimum(p, q).sum():.12f}",
              f"{np.minimum(p / p.sum(), q / q.sum()).sum():.12f}",
              f"{-np.log(p[token]):.9f} {-np.log(q[token]):.9f}")


main()
