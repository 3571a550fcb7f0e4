"""Plays while something goes wrong, at random times: what is lost, and what is counted twice.

usage: faults_test.py PROGRAM SOURCE_DIR TIMES

Each fault happens TIMES times. What this machine cannot do is named as left out. A trial is lost where it was in the store or in
what a run printed, and the runs that follow do not have it.
"""
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import mpi_jobs
import store_hits

program, source, times = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
chance = random.Random(17)
SIGNALS = {"SIGKILL": signal.SIGKILL, "SIGTERM": signal.SIGTERM, "SIGINT": signal.SIGINT, "SIGHUP": signal.SIGHUP}
rows = []


def expect(said, what):
    if not said:
        sys.exit(what)


def tell(fault, found, trials, said=""):
    """One line as soon as it is known."""
    rows.append(found)
    print(f"{fault:<52} {found.hits:>5} {trials:>9} {found.lost:>6} {found.twice:>6}  {said}", flush=True)


def left_out(fault, why):
    print(f"{fault:<52} left out: {why}", flush=True)


def hit(fault, work, how, folder, count=None):
    place = folder / re.sub(r"\W", "_", fault)
    place.mkdir()
    found = store_hits.endure(work, count or times, how, place, seed=len(rows))
    tell(fault, found, work.trials(), f"in {found.runs} runs to the end, {found.torn} unfinished lines")


def sweep(folder):
    file = folder / "tasks.toml"
    file.write_text('source = ["markov:vocab=64,concentration=1", "zipf:vocab=500"]\nrule = ["token", "block"]\n'
                    'gamma = [2, 4]\nrounds = "200k"\n')
    return store_hits.Work(program, ["sweep", str(file), "--threads", "1"])


def two_on_one_store(work, folder):
    """Of several at once one plays; each other says so and changes nothing. Then the one is killed, and they start again."""
    store, refused, held, found = folder / "shared.jsonl", 0, 0, store_hits.Hits()
    while True:
        runs = [work.start(store) for _ in range(3)]
        if found.hits < times:
            time.sleep(chance.uniform(0, .5 * work.seconds))
            for run in runs:
                run.kill()
        ends = [(*store_hits.end_of(run), run.returncode) for run in runs]
        for out, err, status in ends:
            expect(status in (0, 3, -signal.SIGKILL), f"one of three at a store exits with {status}: {err}")
            refused += status == 3
            expect(status != 3 or ("another draftgauge is writing to this store" in err and out == ""), f"one of three: {out} {err}")
        done = [out for out, _, status in ends if status == 0]
        if done:
            work.check(done[0], store, held, found)
            break
        found.hits += 1
        held = found.look(work, store, held, "")
    tell("three processes at one store, all killed", found, work.trials(), f"{refused} refused")


def ended_by_store(folder, store, words, reason, before=(), meanwhile=None):
    """A run without an end whose store fails: it says why, and shows what it played, which plays again to the same counts. The trials."""
    line = [*before, program, *words, "--rounds", "1T", "--time", "60s", "--store", str(store), "--format", "json"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder) as run:
        if meanwhile:
            meanwhile(run)
        out, err = run.communicate(timeout=120)
    expect(run.returncode == 3 and reason in err, f"a store that fails: exit {run.returncode}, {err}")
    found = json.loads(out)
    expect(found["stopping"]["ended_by"] == "store", f"ended by {found['stopping']}")
    again = store_hits.document(program, [*words, "--range", f"0..{found['trials']}", "--format", "json"])
    expect(again["tokens"] == found["tokens"] and again["accepted_histogram"] == found["accepted_histogram"],
           "what was played before a store failed differs from the same trials played again")
    return found["trials"]


TASK = ["simulate", "markov:vocab=4", "--rule", "block", "--gamma", "3", "--threads", "1"]


def folder_goes(folder):
    trials, found = 0, store_hits.Hits()
    for i in range(times):
        place = folder / f"gone{i}"
        place.mkdir()

        def remove(run, place=place):
            while not any(place.iterdir()) and run.poll() is None:
                time.sleep(.01)
            time.sleep(chance.uniform(0, 1))
            shutil.rmtree(place)
        trials += ended_by_store(folder, place / "store.jsonl", TASK, "was deleted during the run (what it held is lost)", meanwhile=remove)
        found.hits += 1
    tell("the store's folder is deleted during the run", found, trials, "each run says so, and its result has all that was played")


def full_disk(folder):
    """A file system of a few pages, that the run alone sees; what it held is copied out behind it."""
    trials, kept, found = 0, 0, store_hits.Hits()
    place = folder / "full"
    place.mkdir()
    if subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "-o", "size=4k", "none", str(place)], capture_output=True).returncode != 0:
        return left_out("a disk that is full", "this user may mount nothing here")
    for i in range(times):
        script = (f'mount -t tmpfs -o size={4 * chance.randint(1, 4)}k none "$0" && cd "$0" && "$@"; status=$?; '
                  f'cat s.jsonl >../full{i}.jsonl; exit $status')
        trials += ended_by_store(folder, "s.jsonl", TASK, "cannot be written (No space left on device)",
                                 before=["unshare", "-rm", "sh", "-c", script, str(place)])
        held, twice, torn = store_hits.trials_in(folder / f"full{i}.jsonl")
        expect(held > 0 and not torn, "a full disk leaves a store without rows, or with a torn one")
        kept += held
        found.hits += 1
        found.twice += twice
    tell("a disk that is full", found, trials, f"{kept} of them in the stores, all in the results")


def pages(folder):
    """A page that is there stays whole or is replaced whole; only kill -9 may leave its beginnings beside it."""
    words = [program, "report", "--alpha", ".8", "--cost", ".05", "-o", "page.html"]
    start = time.monotonic()
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    seconds, whole, ended, all_hits = time.monotonic() - start, (folder / "page.html").read_bytes(), 0, store_hits.Hits()
    for i in range(times):
        name = list(SIGNALS)[i % len(SIGNALS)]
        (folder / "page.html").write_text("before")
        run = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, 1.1 * seconds))
        run.send_signal(SIGNALS[name])
        ended += run.wait(timeout=60) != 0
        found = (folder / "page.html").read_bytes()
        expect(found in (b"before", whole), f"{name} leaves a page of {len(found)} bytes")
        left = [each for each in os.listdir(folder) if each != "page.html"]
        expect(not left or name in ("SIGKILL", "SIGHUP", "SIGTERM"), f"{name} leaves {left}")
        for each in left:
            (folder / each).unlink()
        all_hits.hits += 1
    tell("signals during report", all_hits, 0, f"{ended} ended by them; each page as before, or whole")


def ranks(folder):
    launcher = mpi_jobs.Launcher(program)
    faults = "a rank of MPI killed", "a rank of MPI stopped, and going on", "a rank of MPI stopped for good"
    if launcher.missing:
        for fault in faults:
            left_out(fault, launcher.missing)
        return
    work = store_hits.simulation(program, lambda words: launcher.line(3, *words, "--mpi"))
    work.seconds += 1  # to start

    def at_a_rank(strike, least=0):
        def strike_one(job, _):
            there = {rank: pid for rank, pid in mpi_jobs.ranks_of(job).items() if rank >= least}
            if not there or job.poll() is not None:
                return False
            try:
                strike(there[chance.choice(sorted(there))])
            except ProcessLookupError:
                return False
            return True
        return strike_one

    def stop_for_a_while(pid):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(chance.uniform(.1, 1))
        os.kill(pid, signal.SIGCONT)

    def stop_for_good(pid):
        """While MPI starts and behind the end, it is MPI and its launcher that wait for the rank, until it is killed."""
        os.kill(pid, signal.SIGSTOP)

        def end():
            with contextlib.suppress(OSError):
                if pathlib.Path(f"/proc/{pid}/stat").read_text().split()[2] == "T":
                    os.kill(pid, signal.SIGKILL)
        threading.Timer(15, end).start()

    hit(faults[0], work, at_a_rank(lambda pid: os.kill(pid, signal.SIGKILL)), folder)
    hit(faults[1], work, at_a_rank(stop_for_a_while), folder)
    # Each such run takes five seconds more, for which the others wait.
    hit(faults[2], work, at_a_rank(stop_for_good, least=1), folder, count=min(times, 4))


def main(folder):
    print(f"{'fault':<52} {'times':>5} {'trials':>9} {'lost':>6} {'twice':>6}", flush=True)
    work, tasks = store_hits.simulation(program), sweep(folder)
    for name, number in SIGNALS.items():
        hit(f"{name} during simulate --store", work, store_hits.sends(number), folder)
    hit("simulate --store stopped, and going on", work, store_hits.stops, folder)
    for name, number in SIGNALS.items():
        hit(f"{name} during sweep --store", tasks, store_hits.sends(number), folder)
    two_on_one_store(work, folder)
    folder_goes(folder)
    full_disk(folder)
    page_folder = folder / "pages"
    page_folder.mkdir()
    pages(page_folder)
    ranks(folder)
    lost, twice = sum(found.lost for found in rows), sum(found.twice for found in rows)
    print(f"{sum(found.hits for found in rows)} faults of {len(rows)} kinds: {lost} trials lost, {twice} counted twice")
    return lost + twice > 0


with tempfile.TemporaryDirectory() as name:
    failed = main(pathlib.Path(name))
sys.exit(failed)
