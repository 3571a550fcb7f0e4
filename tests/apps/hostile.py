"""Names that mean harm, and what shows whether they did any: what a terminal obeys, and what a shell runs.

The pieces are what file names, model names and keys of inputs have been seen to hold: quotes, substitutions, separators,
escape sequences, marks that turn the reading direction, options, globs, and bytes that are no text.
"""
import os
import pathlib
import random
import re
import subprocess

PIECES = [
    "'", '"', "\\", "$(touch bad)", "`touch bad`", "; touch bad;", "& touch bad &", "| tee bad", "> bad", ">>bad", "< /dev/null",
    "\n", "\ntouch bad\n", "\r", "\t", "\x1b[31m", "\x1b]0;bad\x07", "\x9b2J", "\udcff", "\udc9b", "\u202e", "\u2066",
    "\u061c", "\x7f", "\u2028", "\0", "-rf", "--output=bad", "*", "?", "[a]", "~", "!!", "!$", "#", "${PATH}", "$PATH", "{a,b}",
    "=ls", "%s%n", "%0a", "&&", "||", "(", ")", "<(ls)", "=1+2", "+1", "@SUM(1)", "|", "</script><script>bad()</script>",
    "<img src=x onerror=bad()>", "```", "\\end{verbatim}", "\\input{bad}", "größer", "日本", "model-7B", "draft-mtp", " ", "   ",
    "a", "'; touch bad; '", '"; touch bad; "', "'$(touch bad)'", "\\'; touch bad #", "\n#", "\\\n"]
WHOLE = ["-", "--", "-x", "--help", ".", "..", "~root", "$(touch bad)", "draft-$(touch bad);\x1b[31m", "a'b\"c`touch bad`", "'",
         "\\", "\n"]

# What acts on a terminal or hides the order of what is read: C0 but the line's end, DEL, C1, and the marks of direction.
ACTS = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def names(count, seed):
    """So many different names."""
    chance, found = random.Random(seed), dict.fromkeys(WHOLE)
    while len(found) < count:
        found["".join(chance.choices(PIECES, k=chance.randint(1, 5)))] = None
    return list(found)[:count]


def as_file_name(name):
    """The name, as far as a file may have it."""
    name = name.replace("\0", "\x01").replace("/", "\u2215")
    while len(os.fsencode(name)) > 180:
        name = name[:-1]
    return name if name not in ("", ".", "..") else "x" + name


def shown(output, where, csv=False):
    """Bytes that a program printed, as text that nothing but UTF-8 and no character that acts is in; CSV ends its lines by CR LF."""
    text = output.decode("utf-8")  # or raises
    found = ACTS.search(text.replace("\r\n", "\n") if csv else text)
    if found:
        raise SystemExit(f"{where}: {found[0]!r} is printed raw: …{text[max(0, found.start() - 60):found.end() + 20]!r}")
    return text


class Shell:
    """A shell in an empty folder, where the only programs are stand-ins that log their words."""

    STAND_INS = ("touch", "tee", "ls", "rm", "cat", "id", "sh", "curl", "engine", "draftgauge", "gunzip", "bunzip2", "unxz", "unzstd")

    def __init__(self, folder):
        self.programs, self.place, self.log = folder / "programs", folder / "empty", folder / "log"
        self.programs.mkdir()
        self.place.mkdir()
        for name in self.STAND_INS:
            stand_in = self.programs / name
            stand_in.write_text("#!/bin/sh\nprintf '%s\\0' \"${0##*/}\" \"$@\" '\n' >>\"$STAND_IN_LOG\"\n")
            stand_in.chmod(0o755)

    def run(self, script, where, shell="/bin/bash"):
        """The words of each program that the script starts. Nothing else may come of it."""
        self.log.write_bytes(b"")
        subprocess.run([shell, "-c", os.fsencode(script)], cwd=self.place, capture_output=True, timeout=60,
                       stdin=subprocess.DEVNULL,
                       env={"PATH": str(self.programs), "HOME": str(self.place), "STAND_IN_LOG": str(self.log)})
        left = os.listdir(self.place)
        if left:
            raise SystemExit(f"{where}: the pasted lines make {left}: {script!r}")
        calls = self.log.read_bytes().split(b"\0\n\0")[:-1]
        return [[os.fsdecode(word) for word in call.split(b"\0")] for call in calls]

    def paste(self, lines, where, programs=()):
        """Lines as printed: no program starts but those named. Returns the words of each call by bash; sh starts as many."""
        script = "\n".join(lines)
        calls = self.run(script, where)
        for found in calls, self.run(script, where, "/bin/sh"):
            if len(found) != len(calls) or any(call[0] not in programs for call in found):
                raise SystemExit(f"{where}: the pasted lines run {found}: {script!r}")
        return calls
