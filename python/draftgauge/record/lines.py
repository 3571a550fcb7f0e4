"""Files of one text a line, and the line that says how far a program is. Shared by all recorders; needs no package."""

from __future__ import annotations

import json
import numbers
import pathlib
import sys
import time
from collections.abc import Iterator
from typing import Any

from .._errors import InputError


def lines_of(path: pathlib.Path) -> Iterator[tuple[str, str]]:
    """Lines with where they are; not those that are empty or begin with #."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read ({error})") from None
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            yield f"{path}:{number}", line


def read_json(where: str, line: str) -> Any:
    """What a JSON text says. Throws InputError also for a key that stands twice, of which readers take one or the other."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise InputError(f"{where}: the key '{key}' stands twice in one object: keep one")
            found[key] = value
        return found

    try:
        return json.loads(line, object_pairs_hook=once)
    except InputError:
        raise
    except ValueError as error:  # a number of more than 4300 digits, too
        raise InputError(f"{where}: no JSON ({error}): {line[:60]!r}") from None
    except RecursionError:
        raise InputError(f"{where}: its JSON is nested too deeply to be read") from None


def is_tokens(value: Any, width: int) -> bool:
    return (isinstance(value, list) and len(value) > 0
            and all(isinstance(token, numbers.Integral) and not isinstance(token, bool) and 0 <= int(token) < width for token in value))


class Progress:
    """A line on standard error: rewritten where that is a terminal, else one for each text."""

    def __init__(self, texts: int):
        self.texts, self.done, self.new, self.tokens, self.start = texts, 0, 0, 0, time.monotonic()

    def text(self, label: str, tokens: int) -> None:
        """Of a text: so many tokens were made of it; none: it was there."""
        if tokens:
            self.made(label, tokens)
        else:
            self.found()

    def found(self) -> None:
        self.done += 1

    def made(self, label: str, tokens: int) -> None:
        self.done, self.new, self.tokens = self.done + 1, self.new + 1, self.tokens + tokens
        elapsed = time.monotonic() - self.start
        line = f"{label}: text {self.done} of {self.texts}, {self.tokens} tokens, {self.tokens / elapsed:.1f} tokens/s"
        if self.done < self.texts:
            left = elapsed / self.new * (self.texts - self.done)
            line += f", {left / 60:.0f} min left" if left >= 90 else f", {max(left, 1):.0f} s left"
        print(("\r\x1b[K" + line) if sys.stderr.isatty() else line + "\n", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.new and sys.stderr.isatty():
            print(file=sys.stderr)
