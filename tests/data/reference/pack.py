"""Packs recorded traces for the tests of the estimators:  pack.py TRACES OUT

TRACES has smollm2/trace_smollm2-DRAFT_T{1,0.6,0}.tsv (one line a token, columns by name: seq, logp, logq, beta,
argmax_q_hit), reference.tsv, whose figures an independent program computed from them, and in samples/ the rounds of two
real speculative runs and the columns of the text that they emitted. SmolLM2-135M-Instruct (Apache-2.0) wrote the text.

Everything is little-endian. A number of texts (int32), their lengths (int32 each), then arrays over all tokens in turn:
    T1.bin, T0.6.bin     log p float32; for each of DRAFTS: log q float32, beta float32, hit uint8
    T0.bin               for each of DRAFTS: hit uint8
    audit_{token,block}.bin   log p float32, log q float32; then for each text: ended (uint8), rounds (int32), and the
                         tokens that each round emitted (uint8)
"""

import array
import csv
import json
import pathlib
import shutil
import sys

DRAFTS = ["prune2", "q2k", "prune8", "prune15", "trigram", "bigram", "unigram"]
RUNS = {"token": "smollm2-q2k_T1_g4", "block": "block_smollm2-prune2_T1_g4"}


def texts(path):
    """The lines of each sequence, in order."""
    found = {}
    with path.open(newline="") as lines:
        for line in csv.DictReader(lines, delimiter="\t"):
            found.setdefault(int(line["seq"]), []).append(line)
    return found


def numbers(kind, values):
    packed = array.array(kind, values)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def column(kind, found, name):
    convert = float if kind == "f" else int
    return numbers(kind, [convert(line[name]) for text in found.values() for line in text])


def head(found):
    return numbers("i", [len(found), *map(len, found.values())])


def trace(source, temperature):
    parts = []
    for draft in DRAFTS:
        found = texts(source / f"smollm2/trace_smollm2-{draft}_T{temperature}.tsv")
        if not parts:
            parts.append(head(found))
            if temperature != "0":
                parts.append(column("f", found, "logp"))
        if temperature != "0":
            parts += [column("f", found, "logq"), column("f", found, "beta")]
        parts.append(column("B", found, "argmax_q_hit"))
    return b"".join(parts)


def run(source, name):
    found = texts(source / f"samples/columns_real_{name}.tsv")
    rounds = {}
    for line in (source / f"samples/real_{name}.jsonl").read_text().splitlines():
        played = json.loads(line)
        rounds.setdefault(played["prompt"], []).append(played)
    parts = [head(found), column("f", found, "logp"), column("f", found, "logq")]
    for text in found:
        played = rounds[text]
        ended = any(one["eog"] for one in played)
        parts += [bytes([ended]), numbers("i", [len(played)]), bytes(len(one["emitted"]) for one in played)]
    return b"".join(parts)


source, out = map(pathlib.Path, sys.argv[1:3])
for temperature in ["1", "0.6", "0"]:
    (out / f"T{temperature}.bin").write_bytes(trace(source, temperature))
for rule, name in RUNS.items():
    (out / f"audit_{rule}.bin").write_bytes(run(source, name))
shutil.copyfile(source / "reference.tsv", out / "reference.tsv")
