"""What is kept of a recording while it is made: one file a text, whole or not there, and the files made of them, after
which the parts, a second copy of all rows, are removed.

FOLDER/parts/T1_0003.npz is text 3 at temperature 1. A part is written beside its place and renamed into it, so that a
program killed at any moment leaves whole parts only; the next run makes those that are missing. recording.json says
what was written once all is.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import shutil
import struct
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy

from .._errors import InputError
from . import laws
from .lines import read_json

Array = numpy.ndarray[Any, Any]

COLUMNS = ["seq", "pos", "token", *laws.FIGURES]
WHOLE = {"seq", "pos", "token", "argmax_q_hit", "rank_q", "argmax_q", "argmax_p_hit"}


@dataclasses.dataclass
class Part:
    """A text of T tokens: `about` it (a line of texts_T….jsonl), figures [T, columns] for each draft, and full rows
    [kept, V] of the target and of each draft."""

    about: dict[str, Any]
    figures: list[Array]
    rows: list[Array]


class Store:
    """A folder of one recording. Throws InputError for a folder that holds another one."""

    def __init__(self, folder: pathlib.Path, settings: dict[str, Any]):
        self.folder, self.settings = folder, settings
        self.described = folder / "recording.json"
        folder.mkdir(parents=True, exist_ok=True)
        self.written: dict[str, Any] | None = None
        if self.described.exists():
            before = read_json(str(self.described), self.described.read_text())
            self.written = before.get("written")
            changed = [key for key in settings if before.get(key) != settings[key]]
            if changed:
                raise InputError(f"{folder} holds another recording (it differs in: {', '.join(changed)}): give "
                                 "another folder, or remove this one")
        else:
            replace_with(self.described, json.dumps(settings, indent=1).encode() + b"\n")
        if self.written is None:
            (folder / "parts").mkdir(exist_ok=True)

    def is_complete(self, columns: list[str] | None, digits: int) -> bool:
        """Whether an earlier run has written all files, like this. Throws InputError where it wrote them otherwise, or
        one of them is gone: the parts that they were made of are no more."""
        if self.written is None:
            return False
        if [self.written["columns"], self.written["digits"]] != [columns, digits]:
            raise InputError(f"{self.folder} is complete, with other columns or digits (what it was made of is "
                             "removed by then): give another folder")
        for name in self.written["files"]:
            if not (self.folder / name).exists():
                raise InputError(f"{self.folder / name} is gone (it was written when the recording was complete): "
                                 "remove the folder, and record again")
        self.remove_parts()  # a run that was stopped at the very end may have left some
        return True

    def complete(self, files: list[pathlib.Path], columns: list[str] | None, digits: int) -> None:
        """All files are written: notes which, and removes the parts."""
        self.written = {"columns": columns, "digits": digits, "files": [file.name for file in files]}
        replace_with(self.described, json.dumps({**self.settings, "written": self.written}, indent=1).encode() + b"\n")
        self.remove_parts()

    def remove_parts(self) -> None:
        if (self.folder / "parts").exists():
            shutil.rmtree(self.folder / "parts")

    def path(self, temperature: float, text: int) -> pathlib.Path:
        return self.folder / "parts" / f"T{shortest(temperature)}_{text:04}.npz"

    def has(self, temperature: float, text: int) -> bool:
        return self.path(temperature, text).exists()

    def add(self, temperature: float, text: int, part: Part) -> None:
        arrays: dict[str, Any] = {f"figures{i:03}": array for i, array in enumerate(part.figures)}
        arrays |= {f"rows{i:03}": array for i, array in enumerate(part.rows)}
        path = self.path(temperature, text)
        partial = path.with_suffix(".partial")
        with partial.open("wb") as file:
            numpy.savez(file, about=numpy.frombuffer(json.dumps(part.about).encode(), numpy.uint8), **arrays)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)

    def part(self, temperature: float, text: int) -> Part:
        path = self.path(temperature, text)
        try:
            with numpy.load(path, allow_pickle=False) as arrays:
                names = sorted(arrays.files)
                return Part(read_json("about", arrays["about"].tobytes().decode()),
                            [arrays[name] for name in names if name.startswith("figures")],
                            [arrays[name] for name in names if name.startswith("rows")])
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise InputError(f"{path} cannot be read ({error}): remove it, and run the same command again") from None

    def write(self, temperatures: list[float], texts: int, drafts: list[str], columns: list[str] | None,
              digits: int) -> Iterator[pathlib.Path]:
        """Every file, after which the recording is complete."""
        files = []
        for temperature in temperatures:
            for path in self.write_files(temperature, texts, drafts, columns, digits):
                files.append(path)
                yield path
        self.complete(files, columns, digits)

    def write_files(self, temperature: float, texts: int, drafts: list[str], columns: list[str] | None,
                    digits: int) -> Iterator[pathlib.Path]:
        """Columns and full rows for each draft, and the texts, of one temperature."""
        label = f"T{shortest(temperature)}"
        parts = [self.part(temperature, text) for text in range(texts)]
        lines = "".join(json.dumps(part.about) + "\n" for part in parts)
        yield replace_with(self.folder / f"texts_{label}.jsonl", lines.encode())
        for number, draft in enumerate(drafts):
            tables = [(part.about, part.figures[number]) for part in parts]
            head = self.origin(temperature, draft) | truncation(self.settings, temperature)
            text = table(head, tables, temperature, columns, digits)
            yield replace_with(self.folder / f"{draft}_{label}.tsv", text.encode())
            if any(len(part.rows[0]) for part in parts):
                path = self.folder / f"{draft}_{label}_rows.safetensors"
                of_text = {"temperature": shortest(temperature), **truncation(self.settings, temperature)}
                metadata = self.origin(temperature, draft) | {
                    key.replace("-", "_") + "_of_text": value for key, value in of_text.items()}
                write_rows(path, parts, number + 1, self.settings["rows"][0], metadata)
                yield path

    def origin(self, temperature: float, draft: str) -> dict[str, str]:
        """Where a file comes from, as its head or metadata say it."""
        settings = self.settings
        words = {"temperature": shortest(temperature), "target": in_words(settings["target"]),
                 "draft": f"{draft}, {in_words(settings['drafts'][draft])}", "texts": settings["texts"]}
        for key in ("source", "laws", "seed", "max tokens", "tokens a pass", "tools"):
            words[key] = in_words(settings[key])
        return words


def truncation(settings: dict[str, Any], temperature: float) -> dict[str, str]:
    """top-k and top-p that cut the laws, where they did; the law of the largest logit is not cut."""
    return {key: shortest(settings[key]) for key in ("top-k", "top-p") if temperature and key in settings}


def shortest(number: float) -> str:
    """The shortest decimal that reads as this number: .8, 1, and no other number's name."""
    short = f"{number:g}"
    return short if float(short) == number else repr(float(number))


def in_words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)


def table(origin: dict[str, str], tables: list[tuple[dict[str, Any], Any]], temperature: float, columns: list[str] | None,
          digits: int) -> str:
    """The lines of a .tsv: '# key: value' for its origin, the names of the columns, and one for each token."""
    present = COLUMNS + ["beta_t1"] * (temperature == 0)
    chosen = [name for name in columns or present if name in present]
    lines = [f"# {key}: {value}" for key, value in origin.items()] + ["\t".join(chosen)]
    places = [present.index(name) for name in chosen]
    formats = [("%d" if name in WHOLE else f"%.{digits}g") for name in chosen]
    for about, figures in tables:
        for position, (token, row) in enumerate(zip(about["tokens"], figures)):
            values = [about["seq"], position, token, *row]
            lines.append("\t".join(style % values[place] for style, place in zip(formats, places)))
    return "\n".join(lines) + "\n"


def write_rows(path: pathlib.Path, parts: list[Part], draft: int, first: int, origin: dict[str, str]) -> None:
    """Full rows as .safetensors: row i of both tensors is the law of tokens[i], `position` of text `sequence`."""
    kept = [part for part in parts if len(part.rows[0])]
    positions = numpy.concatenate([first + numpy.arange(len(part.rows[0])) for part in kept])
    sequences = numpy.repeat([part.about["seq"] for part in kept], [len(part.rows[0]) for part in kept])
    tokens = numpy.concatenate([part.about["tokens"][first : first + len(part.rows[0])] for part in kept])
    kind = "F16" if kept[0].rows[0].dtype == numpy.float16 else "F32"
    shape = [len(tokens), kept[0].rows[0].shape[1]]
    size = shape[0] * shape[1] * kept[0].rows[0].itemsize
    small = {"tokens": tokens.astype("<i8"), "sequence": sequences.astype("<i4"), "position": positions.astype("<i4")}
    kinds = {"tokens": "I64", "sequence": "I32", "position": "I32"}
    header: dict[str, dict[str, Any]] = {"__metadata__": {**origin, "logits": "raw, before temperature"}}
    at = 0
    for name, array in small.items():
        header[name] = {"dtype": kinds[name], "shape": [len(array)], "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    for name in ("target_logits", "draft_logits"):
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # tensors begin at a multiple of 8 bytes
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in small.values():
            file.write(array.tobytes())
        for model in (0, draft):
            for part in kept:
                file.write(part.rows[model].astype({"F16": "<f2", "F32": "<f4"}[kind]).tobytes())
    partial.replace(path)


def replace_with(path: pathlib.Path, content: bytes) -> pathlib.Path:
    """The file with this content, or what it was before."""
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(content)
    partial.replace(path)
    return path
