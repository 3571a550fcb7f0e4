"""Kills `simulate --store` at random times and starts it again until it is done: nothing is lost or counted twice.

usage: store_kill_test.py PROGRAM KILLS

A run of about a second is killed after a time drawn uniformly up to 0.6 of what it takes, so that it takes several
starts, and the writing of rows is hit as often as its share of the time; what a line torn at each of its bytes does is
tested in store_test.cc.
"""
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

program, kills = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2])
task = ["simulate", "markov:vocab=64,concentration=1", "--rule", "block", "--gamma", "4", "--positions", "60",
        "--gram", "2", "--threads", "1", "--format", "json", "--quiet"]
own = ("store", "backend", "stopping")  # fields that say how the trials were come by
random.seed(4)


def document(words):
    return json.loads(subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout)


def trials_in(store):
    """Trials in the finished rows, which must not overlap; and whether a row is unfinished."""
    text = store.read_bytes() if store.exists() else b""
    finished, _, torn = text.rpartition(b"\n")
    ranges = sorted(json.loads(line)["range"] for line in finished.splitlines())
    for before, after in zip(ranges, ranges[1:]):
        if before[1] > after[0]:
            sys.exit(f"rows {before} and {after} overlap")
    return sum(end - begin for begin, end in ranges), torn != b""


start = time.monotonic()
plain = document([*task, "--time", "1s"])
whole = time.monotonic() - start
words = [*task, "--range", "0.." + str(plain["trials"])]

killed = torn_lines = finished_runs = 0
with tempfile.TemporaryDirectory() as folder:
    while killed < kills:
        store = pathlib.Path(folder) / f"{finished_runs}.jsonl"
        stored = 0
        while True:
            # The last store is finished in peace.
            limit = random.uniform(0, 0.6 * whole) if killed < kills else None
            run = subprocess.Popen([program, *words, "--store", str(store)], stdout=subprocess.PIPE, text=True)
            try:
                out, _ = run.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGKILL)
                out, _ = run.communicate()  # all of it where the run had just ended
            if run.returncode == -signal.SIGKILL:
                killed += 1
                before, (stored, torn) = stored, trials_in(store)
                torn_lines += torn
                if stored < before:
                    sys.exit(f"{before - stored} trials were lost")
                continue
            if run.returncode != 0:
                sys.exit(f"the run that followed a kill exits with {run.returncode}")
            break
        got = json.loads(out)
        if got["store"]["trials_stored"] != stored:
            sys.exit(f"{got['store']['trials_stored']} trials were taken from a store of {stored}")
        if trials_in(store) != (plain["trials"], False):
            sys.exit(f"the store holds other trials than the {plain['trials']} of the range")
        if {k: v for k, v in got.items() if k not in own} != {k: v for k, v in plain.items() if k not in own}:
            sys.exit("the result is another than without a store")
        finished_runs += 1
print(f"{killed} kills in {finished_runs} runs of {plain['trials']} trials, {torn_lines} unfinished lines: "
      "nothing lost or doubled")
