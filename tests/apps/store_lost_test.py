"""Plays into a store that cannot be written any more: the run ends with what was played.   store_lost_test.py PROGRAM

A file may not grow beyond a limit, which is a full disk to who writes it; or every sync of it fails as that of a network
file system that is gone (strace makes it so; left out where it is not there or may not trace).
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

program = pathlib.Path(sys.argv[1]).resolve()
task = ["markov:vocab=4", "--rule", "block", "--gamma", "3", "--threads", "1"]


def expect(said, what):
    if not said:
        sys.exit(what)


def trials_in(store):
    rows = [json.loads(line)["range"] for line in store.read_text().splitlines()]
    return sum(end - begin for begin, end in rows)


def check(kind, before, reason, folder):
    store = folder / f"{kind}.jsonl"
    words = [program, "simulate", *task, "--rounds", "1T", "--time", "60s", "--store", store, "--format", "json"]
    done = subprocess.run([*before, *words], capture_output=True, text=True, timeout=120)
    error = f"error: {store} cannot be written ({reason})\nhint: give --store another place; what it holds stays\n"
    expect(done.returncode == 3 and done.stderr.endswith(error), f"{kind}: {done.returncode} {done.stderr}")
    found = json.loads(done.stdout)
    expect(found["stopping"]["ended_by"] == "store", f"{kind}: ended by {found['stopping']}")
    expect(found["trials"] == found["range"][1] > trials_in(store) > 0, f"{kind}: what was played is not shown")
    again = [program, "simulate", *task, "--range", f"0..{found['trials']}", "--store", store, "--format", "json"]
    whole = json.loads(subprocess.run(again, capture_output=True, check=True).stdout)
    expect(whole["store"]["trials_stored"] > 0, f"{kind}: what the store held is not used")
    expect(whole["tokens"] == found["tokens"], f"{kind}: played again it differs")
    sweep = folder / f"{kind}.toml"
    sweep.write_text('source = "zipf:vocab=4"\ngamma = [2, 3]\nrounds = "1T"\n')
    words = [program, "sweep", sweep, "--time", "60s", "--store", folder / f"{kind}_sweep.jsonl", "--format", "json"]
    done = subprocess.run([*before, *words], capture_output=True, text=True, timeout=120)
    found = json.loads(done.stdout)
    expect(done.returncode == 3 and f"cannot be written ({reason})" in done.stderr, f"{kind}: {done.stderr}")
    expect(found["ended_by"] == "store" and found["tasks"][0]["trials"] > 0, f"{kind}: {found}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    check("full", ["sh", "-c", 'trap "" XFSZ; ulimit -f 4; exec "$@"', "sh"], "File too large", folder)
    strace = [shutil.which("strace") or "no", "-f", "-o", os.devnull, "-e", "trace=fsync,ftruncate", "-e",
              "inject=fsync,ftruncate:error=ESTALE:when=3+"]
    try:
        subprocess.run([*strace, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        print("left out: strace is not there, or may not trace")
    else:
        check("gone", strace, "Stale file handle", folder)
print("a store that cannot be written ends a run with what was played")
