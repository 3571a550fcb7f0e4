"""Runs every command of the README's examples as it stands there.   usage: readme_test.py PROGRAM SOURCE_DIR"""
import pathlib
import shlex
import subprocess
import sys

program, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
lines = [line for line in (source / "README.md").read_text().splitlines() if line.startswith("draftgauge ")]
if len(lines) < 10:
    sys.exit(f"the README has {len(lines)} examples: fewer than it should, or their form has changed")
for line in lines:
    done = subprocess.run([program, *shlex.split(line)[1:]], cwd=source, capture_output=True, text=True)
    if done.returncode != 0 or not done.stdout:
        sys.exit(f"{line} exits with {done.returncode}: {done.stderr}")
print(f"{len(lines)} examples ran")
