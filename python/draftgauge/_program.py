"""The program `draftgauge`, which the package carries."""

import os
import pathlib
import sys


def path() -> pathlib.Path:
    """Where the program is, also if this package was installed without it."""
    return pathlib.Path(__file__).parent / "bin" / "draftgauge"


def main() -> None:
    program = path()
    if not program.is_file():
        sys.exit("error: this installation of the package draftgauge has no program (it was left out of the build)\n"
                 "hint: install without DRAFTGAUGE_APPS=OFF, or build it with make")
    if _draws():
        os.environ.setdefault("DRAFTGAUGE_RENDERER", sys.executable)
    os.execv(program, [str(program), *sys.argv[1:]])


def _draws() -> bool:
    """Whether this Python can draw figures: draftgauge[figures] was installed."""
    import importlib.util

    return importlib.util.find_spec("vl_convert") is not None
