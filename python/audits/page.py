"""The table in docs/audits.md: what is between its two marks is made by a script, and nothing else is."""

from __future__ import annotations

import pathlib

BEGIN, END = "<!-- made by python/audits/run -->\n", "<!-- end -->\n"


def held(page: pathlib.Path, table: str, write: bool) -> str | None:
    """What is to be said where the page has another table. It is written over only if that is asked: a check changes no file."""
    before, _, rest = page.read_text().partition(BEGIN)
    was, _, after = rest.partition(END)
    if was == table:
        return None
    if write:
        page.write_text(before + BEGIN + table + END + after)
        return f"{page.name} has changed: look at what a new version emits"
    return f"{page.name} has another table: look at what a new version emits, and give --write to have it written"
