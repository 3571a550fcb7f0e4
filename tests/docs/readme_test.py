"""Runs every command of the README's and the pages' examples as it stands there.   usage: readme_test.py PROGRAM SOURCE_DIR"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

program, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
lines = []
for page, least in ("README.md", 10), ("docs/proofs.md", 3), ("docs/real-models.md", 6), ("docs/certificates.md", 2):
    found = [line for line in (source / page).read_text().splitlines() if line.startswith("draftgauge ")]
    if len(found) < least:
        sys.exit(f"{page} has {len(found)} examples: fewer than it should, or their form has changed")
    lines += found
with tempfile.TemporaryDirectory() as scratch:
    for line in lines:
        words, written = shlex.split(line, comments=True)[1:], None
        if "-o" in words:  # what an example writes is of no use here
            place = words.index("-o") + 1
            words[place] = written = f"{scratch}/{words[place]}"
        done = subprocess.run([program, *words], cwd=source, capture_output=True, text=True)
        # With --time the clock decides how much is played: a busy machine may leave a check inconclusive.
        said = re.search(r"# exits with (\d+)$", line)
        sound = (int(said[1]),) if said else (0, 4) if "--time" in words else (0,)
        if done.returncode not in sound or not (pathlib.Path(written).exists() if written else done.stdout):
            sys.exit(f"{line} exits with {done.returncode}: {done.stderr}")
print(f"{len(lines)} examples ran")
