"""Runs every command of the pages' examples as it stands there, and compares what a page shows of an answer with the
answer.   usage: readme_test.py PROGRAM SOURCE_DIR

A sample is a command behind "$ " in a block, and the lines below it: all that the command prints, or what is left of it
where a line of "…" stands for any number of lines.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

program, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
lines = []
pages = {"examples": 40, "proofs": 3, "real-models": 7, "certificates": 2, "scripting": 2, "trees": 10, "engines": 6, "load": 5}  # with how many, at least
for page, least in pages.items():
    page = f"docs/{page}.md"
    found = [line for line in (source / page).read_text().splitlines() if line.startswith("draftgauge ")]
    if len(found) < least:
        sys.exit(f"{page} has {len(found)} examples: fewer than it should, or their form has changed")
    lines += found
with tempfile.TemporaryDirectory() as scratch:
    for line in lines:
        words, written = shlex.split(line, comments=True)[1:], None
        for option in {"-o", "--figure", "--store"} & set(words):  # what an example writes is of no use here
            place = words.index(option) + 1
            words[place] = written = f"{scratch}/{words[place]}"
        done = subprocess.run([program, *words], cwd=source, capture_output=True, text=True)
        # With --time the clock decides how much is played: a busy machine may leave a check inconclusive.
        said = re.search(r"# exits with (\d+)$", line)
        sound = (int(said[1]),) if said else (0, 4) if "--time" in words else (0,)
        if done.returncode not in sound or not (pathlib.Path(written).exists() if written else done.stdout):
            sys.exit(f"{line} exits with {done.returncode}: {done.stderr}")
print(f"{len(lines)} examples ran")


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
