"""What is raised. The extension raises these classes too."""
import re

# What a terminal obeys, what turns the reading direction or is no UTF-8, as sim/base/printable has it; lines and tabs stay.
_ACTS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """The text with such characters as \\x1b or \\u202e: messages quote files and servers, and tracebacks print them."""
    return _ACTS.sub(_written, text)


def _written(found: re.Match[str]) -> str:
    point = ord(found[0])
    if 0xDC80 <= point <= 0xDCFF:  # a byte of a file's name that is no UTF-8, as os.fsdecode has it
        point -= 0xDC00
    return ("\\x%02x" if point < 0x100 else "\\u%04x") % point


class Error(ValueError):
    """Something that the caller can mend."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*(printable(each) if isinstance(each, str) else each for each in arguments))


class UsageError(Error):
    """An argument outside its domain, or an unknown name."""


class InputError(Error):
    """A file, an array or a distribution that is not what it should be."""


class VerifierError(Error):
    """The verifier, or the drafter, raised; what it raised is the `__cause__`."""


for _one in (Error, UsageError, InputError, VerifierError):
    _one.__module__ = "draftgauge"  # where they are found, and named by tracebacks
