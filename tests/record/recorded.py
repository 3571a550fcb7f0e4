"""What the tests of the recorders share: the clone that they are called with, files read again, and a folder with toys."""
import contextlib
import csv
import io
import json
import math
import pathlib
import struct
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "data" / "record"))
import numpy  # noqa: E402

import toy  # noqa: E402
from draftgauge.record import parts  # noqa: E402


def columns_of(path):
    """The '# key: value' lines of a .tsv, and its rows."""
    lines = path.read_text().splitlines()
    head = dict(line[2:].split(": ", 1) for line in lines if line.startswith("#"))
    return head, list(csv.DictReader([line for line in lines if not line.startswith("#")], delimiter="\t"))


def texts_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def tensors_of(path):
    """The metadata and tensors of a .safetensors file; its offsets must cover the data without gaps."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    metadata, at, tensors = header.pop("__metadata__"), 0, {}
    for name, described in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        kind = {"F16": "<f2", "F32": "<f4", "I32": "<i4", "I64": "<i8"}[described["dtype"]]
        begin, end = described["data_offsets"]
        assert begin == at, name
        flat = numpy.frombuffer(data[8 + length + begin : 8 + length + end], kind)
        tensors[name] = flat.reshape(described["shape"])
        at = end
    assert 8 + length + at == len(data) and length % 8 == 0
    return metadata, tensors


def softmax(logits, temperature=1.0):
    """Probabilities as a list, by sums that are exact to the last digit."""
    weights = [math.exp((float(z) - float(max(logits))) / temperature) for z in logits]
    return [weight / math.fsum(weights) for weight in weights]


class Folder(unittest.TestCase):
    """A test that has a folder with prompts, and records toys there."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.prompts = self.folder / "prompts.txt"
        self.prompts.write_text('# of no law\na bb ccc\n\n{"messages": [{"role": "user", "content": "x"}]}\n'
                                '"a text with\\nlines"\n{"prompt_tokens": [3, 4]}\n')

    def words(self, out="out", target="1", draft="a=2", **options):
        given = {"--prompts": self.prompts, "--max-tokens": 30, **options}
        return ["--target", target, "--draft", draft, "--out", str(self.folder / out),
                *(str(word) for option, value in given.items() if value is not None for word in (option, value))]

    def record(self, *words, **options):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return toy.main([*self.words(**options), *words])

    def stop_before_the_files(self, out="out"):
        """A recording with all its parts and nothing made of them."""
        def stop(*_):
            raise KeyboardInterrupt

        with unittest.mock.patch.object(parts.Store, "write_files", stop), self.assertRaises(KeyboardInterrupt):
            self.record(out=out)

    def columns(self, name, out="out"):
        return columns_of(self.folder / out / name)
