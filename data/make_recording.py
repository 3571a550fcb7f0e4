#!/usr/bin/env python3
"""Cuts consecutive rows out of a recording of two models' logits, and out of the table of figures beside it.

usage: make_recording.py SOURCE.safetensors FIRST COUNT OUTPUT.safetensors

SOURCE.tsv must lie beside SOURCE.safetensors; OUTPUT.tsv is written beside OUTPUT.safetensors. Standard library only.
"""
import csv
import hashlib
import json
import pathlib
import struct
import sys

SIZES = {"F16": 2, "I32": 4, "I64": 8}
TENSORS = ["tokens", "sequence", "position", "draft_logits", "target_logits"]
COLUMNS = ["token", "logp_f16", "logq_f16", "beta_f16"]
LICENCE = "Apache-2.0 (SmolLM2-135M-Instruct and what is derived from it)"


def cut(source: pathlib.Path, first: int, count: int, output: pathlib.Path) -> None:
    data = source.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    body = memoryview(data)[8 + length :]
    described, pieces, at = {}, [], 0
    for name in TENSORS:
        begin, end = header[name]["data_offsets"]
        rows, *rest = header[name]["shape"]
        stride = (end - begin) // rows
        assert stride == SIZES[header[name]["dtype"]] * (rest[0] if rest else 1), name
        if first < 0 or count < 1 or first + count > rows:
            sys.exit(f"{source}: it has the rows 0 to {rows - 1} (asked for {count} from {first})")
        pieces.append(body[begin + first * stride : begin + (first + count) * stride])
        described[name] = {"dtype": header[name]["dtype"], "shape": [count, *rest],
                           "data_offsets": [at, at + len(pieces[-1])]}
        at += len(pieces[-1])
    metadata = dict(header["__metadata__"])
    metadata["licence"] = LICENCE
    metadata["cut"] = f"rows {first} to {first + count - 1} of {source.name}"
    metadata["cut_from_sha256"] = hashlib.sha256(data).hexdigest()
    text = json.dumps({"__metadata__": dict(sorted(metadata.items())), **described}, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # tensors begin at a multiple of 8 bytes
    output.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(pieces))


def cut_figures(source: pathlib.Path, first: int, count: int, output: pathlib.Path) -> None:
    with source.open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))[first : first + count]
    lines = ["\t".join(["row", *COLUMNS])]
    lines += ["\t".join([str(i), *(row[c] for c in COLUMNS)]) for i, row in enumerate(rows)]
    output.write_text("\n".join(lines) + "\n")


def main() -> None:
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    source, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[4])
    first, count = int(sys.argv[2]), int(sys.argv[3])
    cut(source, first, count, output)
    cut_figures(source.with_suffix(".tsv"), first, count, output.with_suffix(".tsv"))


if __name__ == "__main__":
    main()
