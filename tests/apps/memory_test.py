"""A recording of any size is measured in constant memory, and what is refused takes little.   usage: memory_test.py PROGRAM

The two arrays are zeros, equal laws, over 1 GB in all. They are holes in a file of the current folder, since a folder
for temporary files may itself be memory. What the program keeps is 32 MB behind its place in each array and its own
needs, about 80 MB in all. Pages of the file count as much as any other: a pass that lets none go has over 1 GB.

Refused are files of some kilobytes that stand for much: packed zeros, and lists of a sweep that multiply.
"""
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

program = str(pathlib.Path(sys.argv[1]).resolve())
most, rows, tokens = 200 << 20, 8448, 1 << 15
size = rows * tokens * 2
arrays = {name: {"dtype": "F16", "shape": [rows, tokens], "data_offsets": [begin, begin + size]}
          for name, begin in (("target_logits", 0), ("draft_logits", size))}
header = json.dumps(arrays).encode()



def write_npz(path):
    """Two arrays of zeros in float32."""
    shape = (1024, 1 << 15)
    head = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).encode() + b"\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("target_logits", "draft_logits"):
            with archive.open(name + ".npy", "w") as array:
                array.write(b"\x93NUMPY\1\0" + len(head).to_bytes(2, "little") + head)
                write_zeros(array, 4 * shape[0] * shape[1])


def write_gzip(path):
    with gzip.open(path, "wb") as file:
        file.write(b"seq\tpos\n")
        write_zeros(file, 200 << 20)


def write_zeros(file, count):
    """In pieces: what this program holds would count as its children's."""
    for _ in range(count >> 20):
        file.write(bytes(1 << 20))


def write_ranges(path):
    path.write_text("gamma = [" + ",".join(['"1..99999"'] * 1000) + "]\n")


def write_axes(path):
    path.write_text("".join(f'{key} = "1..300"\n' for key in ("start", "gamma", "candidates")))


def run(*words):
    """Exit status, what is printed, and the most bytes that were resident."""
    with tempfile.TemporaryFile() as printed:
        child = subprocess.Popen([program, *words], stdout=printed, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        return child.returncode, printed.read().decode(), used.ru_maxrss << 10


# What is refused; what its refusal says; the most that may be resident, which unpacked text is up to its limit; and the commands.
refused = [
    ("sweep.toml", write_ranges, "'gamma' has more than 100000 entries", 64 << 20, ["sweep"]),
    ("axes.toml", write_axes, "there are more than 100000 tasks", 64 << 20, ["sweep"]),
    ("bomb.npz", write_npz, "unpack to more than", 64 << 20, ["inspect", "measure", "simulate", "tree", "report"]),
    ("bomb.tsv.gz", write_gzip, "it unpacks to more than", most, ["inspect", "measure", "gamma"])]
with tempfile.TemporaryDirectory() as folder:
    for name, write, reason, allowed, commands in refused:
        path = pathlib.Path(folder) / name
        write(path)
        for command in commands:
            status, printed, peak = run(command, str(path))
            if status != 3 or reason not in printed:
                sys.exit(f"{command} {name} exits with {status}: {printed}")
            if peak > allowed:
                sys.exit(f"{peak >> 20} MB were resident to refuse {name}, more than {allowed >> 20} MB")
        print(f"{peak >> 20} MB were resident to refuse {name}, of {path.stat().st_size} bytes")

with tempfile.TemporaryDirectory(dir=".") as folder:
    path = pathlib.Path(folder) / "zeros.safetensors"
    with path.open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + 2 * size)
    status, printed, peak = run("measure", str(path), "--format", "text", "--quiet")
if status != 0 or "α = 1.0000" not in printed or f"{rows} positions" not in printed:
    sys.exit(f"measure exits with {status}: {printed}")
if peak > most:
    sys.exit(f"{peak >> 20} MB were resident for recordings of {2 * size >> 20} MB, more than {most >> 20} MB")
print(f"{peak >> 20} MB were resident for recordings of {2 * size >> 20} MB")
