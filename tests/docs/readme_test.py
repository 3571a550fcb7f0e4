"""Runs every command of the README's and the pages' examples as it stands there.   usage: readme_test.py PROGRAM SOURCE_DIR"""
import pathlib
import shlex
import subprocess
import sys

program, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
lines = []
for page, least in ("README.md", 10), ("docs/proofs.md", 3), ("docs/real-models.md", 6):
    found = [line for line in (source / page).read_text().splitlines() if line.startswith("draftgauge ")]
    if len(found) < least:
        sys.exit(f"{page} has {len(found)} examples: fewer than it should, or their form has changed")
    lines += found
for line in lines:
    done = subprocess.run([program, *shlex.split(line)[1:]], cwd=source, capture_output=True, text=True)
    if done.returncode != 0 or not done.stdout:
        sys.exit(f"{line} exits with {done.returncode}: {done.stderr}")
print(f"{len(lines)} examples ran")
