"""Compares what the pages show of answers with the answers.   usage: readme_test.py PROGRAM SOURCE_DIR

A sample is a command behind "$ " in a block, and the lines below it: all that the command prints, or what is left of it
where a line of "…" stands for any number of lines. That every example runs is held by tests/golden.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

program, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
os.environ.pop("COLUMNS", None)  # pages show answers as wide as they are without it


def samples(text):
    """Commands with the lines that a page shows below them."""
    for block in re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for sample in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *shown = sample.rstrip().split("\n")
            if command.startswith("draftgauge ") and shown:
                yield command, shown


def is_shown(shown, printed):
    """Whether these lines are all that was printed, but for what "…" stands for."""
    pattern = "".join(".*" if line == "…" else re.escape(line.rstrip()) + "\n" for line in shown)
    return re.fullmatch(pattern, printed, re.DOTALL)


compared = 0
for page in [source / "README.md", *sorted((source / "docs").glob("*.md"))]:
    for command, shown in samples(page.read_text()):
        done = subprocess.run([program, *shlex.split(command)[1:]], cwd=source, capture_output=True, text=True)
        printed = "".join(line.rstrip() + "\n" for line in done.stdout.rstrip().split("\n"))
        if not is_shown(shown, printed):
            sys.exit(f"{page.name} shows another answer than this of $ {command}\n{printed}{done.stderr}")
        compared += 1
if compared < 6:
    sys.exit(f"{compared} samples were found in the pages: fewer than there are, or their form has changed")
print(f"{compared} samples are what is printed")
