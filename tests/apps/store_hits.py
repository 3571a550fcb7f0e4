"""Runs with a store that are hit at random times and started again until they are done: what is lost or counted twice.

A run of about a second is hit after a time drawn uniformly up to 0.6 of what it takes, so that it takes several starts,
and the writing of rows is hit as often as its share of the time.
"""
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

# Fields that say how trials were come by.
OWN = ("store", "backend", "stopping", "ranks", "inputs")


def document(program, words):
    return json.loads(subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout)


def trials_in(store):
    """Of the finished rows the trials, and those that two rows hold; and whether a row is unfinished."""
    finished, _, torn = (store.read_bytes() if store.exists() else b"").rpartition(b"\n")
    ranges = collections.defaultdict(list)
    for line in finished.splitlines():
        row = json.loads(line)
        ranges[row["id"], row["seed"]].append(row["range"])
    held = twice = 0
    for of in ranges.values():
        behind = 0
        for begin, end in sorted(of):
            held += max(0, end - max(begin, behind))
            twice += max(0, min(end, behind) - begin)
            behind = max(behind, end)
    return held, twice, torn != b""


class Work:
    """What is played, and what comes of it where nothing happens; `store` is asked for where it stands in the words."""

    def __init__(self, program, words, launched=None):
        self.program, self.words = program, [*words, "--format", "json", "--quiet"]
        self.launched = launched or (lambda words: [program, *words])
        start = time.monotonic()
        self.plain = document(program, self.words)
        self.seconds = time.monotonic() - start

    def trials(self, document=None):
        document = document or self.plain
        return sum(task["trials"] for task in document.get("tasks", [document]))

    def start(self, store):
        return subprocess.Popen(self.launched([*self.words, "--store", str(store)]), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, start_new_session=True)

    def check(self, out, store, held, found):
        """The result of a run that says that it is done, and what it lacks of the trials, or has twice."""
        got = json.loads(out[:out.rindex("}") + 1])
        whole, twice, torn = trials_in(store)
        found.lost += self.trials() - whole
        found.twice += twice
        taken = got.get("store", {}).get("trials_stored", held)
        if taken != held or torn:
            sys.exit(f"{taken} trials were taken from a store of {held}, and its last line is {'torn' if torn else 'whole'}")
        if {k: v for k, v in got.items() if k not in OWN} != {k: v for k, v in self.plain.items() if k not in OWN}:
            sys.exit(f"the result is another than without a store: lost {found.lost}, counted twice {found.twice}")


class Hits:
    """How often runs were hit, and what came of it: trials that a store, or a result, had and that were not there later; trials
    that a store has twice."""

    def __init__(self):
        self.hits = self.runs = self.torn = self.lost = self.twice = 0

    def look(self, work, store, before, out):
        """After a hit: the trials that the store holds."""
        held, twice, torn = trials_in(store)
        try:
            said = work.trials(json.loads(out[:out.rindex("}") + 1]))
        except ValueError:  # nothing was printed, or a part
            said = 0
        self.torn += torn
        self.twice += twice
        self.lost += max(0, max(before, said) - held)
        return held


def end_of(run):
    """Its output, once it has ended of itself."""
    try:
        return run.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        sys.exit(f"a run does not end: {' '.join(map(str, run.args))}")


def endure(work, hits, hit, folder, seed=4):
    """Hits the work until it was hit so often and is done. hit(run, store) says whether it did anything."""
    chance, found = random.Random(seed), Hits()
    while found.hits < hits:
        store = pathlib.Path(folder) / f"{found.runs}.jsonl"
        held = 0
        while True:
            # The last store is finished in peace.
            limit = chance.uniform(0, 0.6 * work.seconds) if found.hits < hits else None
            run, was_hit = work.start(store), False
            try:
                out, err = run.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                was_hit = hit(run, store)
                out, err = end_of(run)
            found.hits += was_hit
            if run.returncode == 0:
                work.check(out, store, held, found)
                break
            if not was_hit:
                sys.exit(f"a run that nothing happened to exits with {run.returncode}: {err}")
            held = found.look(work, store, held, out)
        found.runs += 1
    return found


def sends(number):
    """A hit by a signal."""
    def hit(run, _):
        run.send_signal(number)
        return True
    return hit


def stops(run, _):
    """Stopped for a while, and goes on."""
    run.send_signal(signal.SIGSTOP)
    time.sleep(.2)
    run.send_signal(signal.SIGCONT)
    return True


def simulation(program, launched=None):
    """About a second of trials of one task."""
    task = ["simulate", "markov:vocab=64,concentration=1", "--rule", "block", "--gamma", "4", "--positions", "60",
            "--gram", "2", "--threads", "1"]
    second = document(program, [*task, "--time", "1s", "--format", "json", "--quiet"])
    return Work(program, [*task, "--range", f"0..{second['trials']}"], launched)
