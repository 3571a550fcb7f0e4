#!/usr/bin/env python3
"""The columns that recorders write, of full rows that one of them kept:

  columns_of_rows.py ROWS.safetensors > COLUMNS.tsv

at the temperature and truncation that the text was written at. Texts are those runs of rows whose positions follow each
other. Needs numpy.
"""
import pathlib
import struct
import sys

from errors import InputError, UsageError, require_numpy, run

require_numpy()
import numpy  # noqa: E402

from draftgauge.record import laws, parts  # noqa: E402
from draftgauge.record.lines import read_json  # noqa: E402

KINDS = {"F16": "<f2", "F32": "<f4", "I32": "<i4", "I64": "<i8"}


def read_rows(path: pathlib.Path) -> tuple[dict, dict[str, numpy.ndarray]]:
    """The metadata of a .safetensors and its arrays."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = read_json(str(path), data[8 : 8 + length].decode())
    about = header.pop("__metadata__", {})
    arrays = {}
    for name, array in header.items():
        begin, end = array["data_offsets"]
        arrays[name] = numpy.frombuffer(data[8 + length + begin : 8 + length + end], KINDS[array["dtype"]])
        arrays[name] = arrays[name].reshape(array["shape"])
    return about, arrays


def columns_of(path: pathlib.Path) -> str:
    try:
        about, arrays = read_rows(path)
        temperature = float(about["temperature_of_text"])
    except (OSError, AttributeError, KeyError, TypeError, ValueError, struct.error) as error:
        raise InputError(f"{path}: these are no full rows that a recorder kept ({error!r})") from None
    sampling = laws.Sampling(temperature, int(about.get("top_k_of_text", 0)), float(about.get("top_p_of_text", 1)))
    tables, before = [], None
    for row, token in enumerate(arrays["tokens"]):
        here = int(arrays["sequence"][row]), int(arrays["position"][row])
        if before is None or here != (before[0], before[1] + 1):
            tables.append(({"seq": len(tables), "tokens": []}, []))
        tables[-1][0]["tokens"].append(int(token))
        p, q = (sampling.law(arrays[name][row]) for name in ("target_logits", "draft_logits"))
        tables[-1][1].append(laws.compare(p, q, int(token), temperature))
        before = here
    origin = {"temperature": f"{temperature:g}", "rows": path.name}
    for name, cut in (("top-k", sampling.top_k), ("top-p", sampling.top_p)):
        if temperature > 0 and f"{name.replace('-', '_')}_of_text" in about:
            origin[name] = f"{cut:g}"
    return parts.table(origin, tables, temperature, None, 9)


def main() -> None:
    if len(sys.argv) != 2:
        raise UsageError("one file is taken: columns_of_rows.py ROWS.safetensors")
    sys.stdout.write(columns_of(pathlib.Path(sys.argv[1])))


if __name__ == "__main__":
    run(main)
