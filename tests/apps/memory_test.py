"""A recording of any size is measured in constant memory.   usage: memory_test.py PROGRAM

The two arrays are zeros, equal laws, over 1 GB in all. They are holes in a file of the current folder, since a folder
for temporary files may itself be memory. What the program keeps is 32 MB behind its place in each array and its own
needs, about 80 MB in all. Pages of the file count as much as any other: a pass that lets none go has over 1 GB.
"""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

program = str(pathlib.Path(sys.argv[1]).resolve())
most, rows, tokens = 200 << 20, 8448, 1 << 15
size = rows * tokens * 2
arrays = {name: {"dtype": "F16", "shape": [rows, tokens], "data_offsets": [begin, begin + size]}
          for name, begin in (("target_logits", 0), ("draft_logits", size))}
header = json.dumps(arrays).encode()

with tempfile.TemporaryDirectory(dir=".") as folder:
    path = pathlib.Path(folder) / "zeros.safetensors"
    with path.open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + 2 * size)
    done = subprocess.run([program, "measure", str(path), "--format", "text", "--quiet"],
                          capture_output=True, text=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
if done.returncode != 0 or "α = 1.0000" not in done.stdout or f"{rows} positions" not in done.stdout:
    sys.exit(f"measure exits with {done.returncode}: {done.stdout}{done.stderr}")
if peak > most:
    sys.exit(f"{peak >> 20} MB were resident for recordings of {2 * size >> 20} MB, more than {most >> 20} MB")
print(f"{peak >> 20} MB were resident for recordings of {2 * size >> 20} MB")
