"""Runs the program on several ranks of MPI:  mpi_test.py PROGRAM SOURCE_DIR

Skipped (77) where there is no mpirun, or the program has no MPI.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from mpi_jobs import Launcher, end_of, rank_once_there, ranks_of, started

program, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
launcher = Launcher(program)
if launcher.missing:
    print(f"skipped: {launcher.missing}")
    sys.exit(77)
version, is_open_mpi, launched = launcher.version, launcher.is_open_mpi, launcher.line
mpirun, extra = launcher.mpirun, launcher.extra
if not re.fullmatch(r"[\w ]+ [\d.]+", version["mpi"]):
    sys.exit(f"no name and number of an MPI: {version['mpi']}")


def run(ranks, *words, status=0):
    line = launched(ranks, *words, "--mpi") if ranks else [program, *words]
    done = subprocess.run(line, cwd=source, capture_output=True, text=True, timeout=300)
    if done.returncode != status:
        sys.exit(f"{ranks} ranks: {' '.join(map(str, words))} exits with {done.returncode}: {done.stderr}")
    return done


def document(ranks, *words):
    found = json.loads(run(ranks, *words, "--format", "json").stdout)
    for name in "ranks", "backend", "stopping", "tables_bytes":
        found.pop(name, None)
    return found


def expect(said, what):
    if not said:
        sys.exit(what)


task = ["simulate", "markov:vocab=4", "--rule", "block", "--gamma", "3", "--positions", "2", "--threads", "1"]
for line in [[*task, "--range", "7..40007"], [*task, "--precision", ".01"],
             ["verify", "exact-alpha:vocab=4,alpha=.6", "--rounds", "200k"],
             ["sweep", "data/sweeps/rules.toml", "--shard", "2/5"]]:
    alone = document(0, *line)
    for ranks in (1, 2, 3, 4) if line[0] == "simulate" else (3,):
        expect(document(ranks, *line) == alone, f"{ranks} ranks differ from one process: {line}")

# The C interface alone is linked, and a library in a folder of the system by its name alone.
dynamic = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
expect("cxx.so" not in dynamic, f"the program needs MPI's C++ library: {dynamic}")
expect("runpath: [/usr/lib" not in dynamic and "rpath: [/usr/lib" not in dynamic, f"the program has a path: {dynamic}")

# One rank speaks, of mistakes too, and all end.
wrong = run(3, *task, "--rulle", "x", status=2)
expect(wrong.stderr.count("error: ") == 1, f"a mistake is told by several: {wrong.stderr}")
limited = json.loads(run(3, *task, "--rounds", "1T", "--time", "1s", "--format", "json").stdout)
expect(limited["stopping"]["ended_by"] == "time" and "missing" not in limited, f"--time leaves gaps: {limited}")
expect(limited["trials"] == limited["range"][1], "--time leaves gaps")

wrong = subprocess.run(launched(3, *task, "--mpi=true"), capture_output=True, text=True, timeout=300)
expect(wrong.returncode == 2 and wrong.stdout == "" and
       wrong.stderr.count("error: --mpi takes no value (it is a switch)\nhint: write --mpi alone\n") == 1, wrong.stderr)

# It prints what a file is to have, also where its launcher gives it a pseudo-terminal.
plain = run(2, *task).stdout
expect("\x1b" not in plain and "\r" not in plain, f"a rank's text is for a terminal: {plain}")
page = subprocess.run(launched(1, "help", "--man"), capture_output=True, text=True, timeout=300).stdout
expect(page == run(0, "help", "--man").stdout, f"a rank's page is for a terminal: {page[:200]}")

# What is not the same on all ranks is refused by name: seed, task, command, program.
alike = "hint: start the same program with the same options on all ranks\n"


def refused(message, other, start=(), ours=(*task, "--mpi"), rank_0=()):
    line = [mpirun, *extra, "-n", "1", *rank_0, program, *ours, ":", "-n", "1", *start, *other]
    done = subprocess.run(line, cwd=source, capture_output=True, text=True, timeout=300)
    expect(done.returncode != 0 and done.stdout == "" and f"error: {message}\n" in done.stderr,
           f"{other}: {done.stdout} {done.stderr}")


refused(f"rank 1 has seed 5, rank 0 has 1 (their trials are not of one sample)\n{alike}"[:-1],
        [program, *task, "--mpi", "--seed", "5"])
refused(f"rank 1: its command line has another --gamma (2 instead of rank 0's 3)\n{alike}"[:-1],
        [program, *task[:-5], "2", *task[-4:], "--mpi"])
refused(f"rank 1: its command line has another command (verify instead of rank 0's simulate)\n{alike}"[:-1],
        [program, "verify", *task[1:2], "--mpi"])
with tempfile.TemporaryDirectory() as folder:
    start = []
    for name, p in ("a", "1/3"), ("b", "2/3"):
        place = pathlib.Path(folder) / name
        place.mkdir()
        (place / "laws.json").write_text(json.dumps({"p": [[p, "1/3" if p == "2/3" else "2/3"]], "q": [["1/2", "1/2"]]}))
        start.append(["-wdir", str(place)])
    words = ["simulate", "laws.json", "--mpi"]
    refused("rank 1 has another task than rank 0 (what is read there differs from here)\n"
            "hint: give all ranks the same files", [program, *words], start=start[1], ours=words, rank_0=start[0])
    number = version["version"].encode()
    later = pathlib.Path(folder) / "draftgauge"
    later.write_bytes(program.read_bytes().replace(number + b"\0", number[:-1] + b"9\0"))
    later.chmod(0o755)
    said = subprocess.run([later, "--version", "--format", "json"], capture_output=True, text=True)
    if said.returncode == 0 and json.loads(said.stdout)["version"] != version["version"]:
        refused(f"rank 1 is draftgauge {number[:-1].decode()}9, rank 0 is {number.decode()} (their rounds may differ)\n"
                f"{alike}"[:-1], [later, *task, "--mpi"])
    else:
        print("left out: the program's version cannot be changed in its file")

# Without --mpi each plays everything, and one of them says so.
done = subprocess.run(launched(2, *task), cwd=source, capture_output=True, text=True, timeout=300)
expect(done.stderr.count("warning: 2 ranks each play everything and print it; add --mpi, and they share it") == 1,
       done.stderr)

# A launcher of another MPI, or srun without the plugin of this one, starts single ranks.
for variable in ["SLURM_STEP_NUM_TASKS", *(["PMI_SIZE"] if is_open_mpi else [])]:
    done = subprocess.run([program, *task, "--mpi"], capture_output=True, text=True, env={**os.environ, variable: "4"})
    expect(done.returncode == 2 and "the launcher started 4 ranks, and MPI knows of 1" in done.stderr, done.stderr)


def cut_short(by, *words, count=3, seconds=3):
    """What a job prints whose last rank is killed, or which hears Ctrl-C at its launcher, after so many seconds."""
    with started(launched(count, *words, "--mpi"), cwd=source) as job:
        victim = rank_once_there(job, count - 1)
        time.sleep(seconds)
        expect(victim and job.poll() is None, f"the job ended before it could be cut short: {words}")
        os.kill(victim, signal.SIGKILL) if by == "death" else job.send_signal(signal.SIGINT)
        out, err = end_of(job, f"{by}, {words}")
    expect(job.returncode == (137 if by == "death" and is_open_mpi else job.returncode) and job.returncode != 0,
           f"{by}: exits with {job.returncode}")
    return re.sub(r"\s+", " ", out), err


# No time at all is a mistake with its name.
none = run(2, *task, "--rounds", "1T", "--time", "0.0000001", status=3)
expect("error: the time was up before a trial was played (there is nothing to show)" in none.stderr, none.stderr)

# A job that is cut short says what was played, all of it, and what is missing.
if is_open_mpi:  # MPICH's launcher kills rank 0 at once
    by_rank = "Interrupted, by Ctrl-C or since a rank has ended"
    for by, count in ("death", 3), ("Ctrl-C", 2), ("Ctrl-C", 1):
        noted = by_rank if count > 1 else "Interrupted by Ctrl-C"
        out, err = cut_short(by, *task, "--rounds", "1T", "--backend", "serial", "--format", "json", count=count)
        found = json.loads(out[:out.rindex("}") + 1])
        begin, end = found["range"]
        gaps = sum(min(b, end) - a for a, b in found.get("missing", []) if a < end)
        expect(found["stopping"]["ended_by"] == "interrupt", f"{by}: {found['stopping']}")
        expect(begin == 0 and found["trials"] == end - gaps, f"{by}: {found['trials']} of {found['range']}, {gaps}")
        expect("missing" not in found or found["missing"][-1] == [end, 15625000000], f"{by}: {found.get('missing')}")

        out, err = cut_short(by, *task, "--rounds", "1T", "--backend", "serial", count=count)
        said = re.search(noted + r"; (.*?)\.( |$)", out)
        expect(said, f"{by}: {out} {err}")
        missing = re.search(r"Missing of what was asked: [\d., and more]*\.\.15625000000", out)
        expect(said[1] == "with --store what was played is kept, and the same command then plays the rest" if missing
               else re.fullmatch(r"--range 0\.\.\d+ plays these trials again", said[1]), f"{by}: {out}")

        out, err = cut_short(by, "verify", "exact-alpha:vocab=8,alpha=.8", "--rounds", "1T", count=count)
        expect(f"{noted}; 0 of 1 simulations were not played." in out, f"{by}: {out} {err}")
        lacks = re.search(r"token at .*: what was played of the trials of \d rounds 0\.\.\d+ lacks \d+\.\.\d+", out)
        again = re.search(r"token at .*: --range 0\.\.\d+ plays these trials again", out)
        expect(lacks or again, f"{by}: {out}")

        with tempfile.TemporaryDirectory() as folder:
            tasks = pathlib.Path(folder) / "tasks.toml"
            tasks.write_text('source = "markov:vocab=4"\ngamma = [2, 3]\nrounds = "1T"\n')
            out, err = cut_short(by, "sweep", tasks, count=count)
            expect(re.search(r"E\[N\] is greatest, .*, with γ 2: 2 tasks, trials missing of 2 ", out), f"{by}: {out}")
            expect(re.search(r"Trials are missing, which the same command with --store plays: γ 2: \d+\.\.", out), out)

# Of many simulations with little time those that were played are shown; the first line says that these are not all.
done = subprocess.run(launched(2, "verify", "--time", "4s", "--mpi"), cwd=source, capture_output=True, text=True, timeout=300)
said = re.sub(r"\s+", " ", done.stdout)
left = re.search(r"\d+ of \d+ simulations were not played: their share of the time was up while ranks made ready\.", said)
expect("Time was up after 4s" in said and bool(left) == ("of those that were played" in said), f"{said} {done.stderr}")

# A rank that stands still is late with a row that is too long to be sent unasked: the job ends all the same. One that
# stays so is left behind.
for goes_on, command, answer in (True, "verify", "holds"), (False, "simulate", "Time was up after 4s"):
    line = launched(3, command, "dirichlet:vocab=5000", "--rounds", "1T", "--time", "4s", "--mpi")
    with started(line, cwd=source) as job:
        stopped = rank_once_there(job, 2)
        expect(stopped, "the job ended before a rank could be stopped")
        time.sleep(2)
        os.kill(stopped, signal.SIGSTOP)
        if goes_on:
            time.sleep(3)
            os.kill(stopped, signal.SIGCONT)
        said = end_of(job, f"a rank stood still (it goes on: {goes_on})")[0]
        expect(answer in said, f"a rank that stood still leaves no result: {said}")

with tempfile.TemporaryDirectory() as folder:
    # A rank that is killed ends the job, and what had been played is in the store; the next run plays the rest.
    store = str(pathlib.Path(folder) / "store.jsonl")
    words = [*task, "--range", "0..1000000", "--backend", "serial", "--store", store]
    with started(launched(3, *words, "--mpi")) as job:
        for _ in range(600):
            time.sleep(.1)
            rows = pathlib.Path(store).read_text().count("\n") if os.path.exists(store) else 0
            if rows >= 2 or job.poll() is not None:
                break
        victim = ranks_of(job).get(2)
        expect(victim and job.poll() is None, "the job ended before a rank could be killed")
        os.kill(victim, signal.SIGKILL)
        out, err = end_of(job, "a rank was killed")
        expect(job.returncode == 137 if is_open_mpi else job.returncode != 0,
               f"a job whose rank was killed exits with {job.returncode}")
    if is_open_mpi:
        said = re.sub(r"\s+", " ", out)
        expect("Of the trials 0 came from the store" in said, f"{out} {err}")
        missing = re.search(r"Missing of what was asked: ([^;]*\.\.1000000)\. ", said)
        expect(("the same command plays the rest" in said) == bool(missing), out)
    whole = document(2, *words)
    expect(whole["store"]["trials_stored"] > 0, "nothing of the killed job was kept")
    alone = document(0, *words[:-2])
    stored = whole.pop("store")
    expect(whole == alone, "a job that was killed and run again differs from one process")
    print(f"of {alone['trials']} trials {stored['trials_stored']} were kept of the killed job")

    # A disk that is full ends the job with what was played, and so does a network file system that is gone. The first is a
    # file system of one page that this job alone sees, the second what strace tells rank 0.
    inside = [word for word in extra if word != "--allow-run-as-root"]
    if is_open_mpi:
        inside.append("--allow-run-as-root")
    words = ["simulate", *task[1:], "--rounds", "1T", "--time", "60s", "--format", "json", "--store", "./s.jsonl", "--mpi"]
    traced = ["strace", "-f", "-o", os.devnull, "-e", "trace=fsync", "-e", "inject=fsync:error=ESTALE:when=3+"]
    for kind, reason, rank_0, mount in ("full", "No space left on device", [], "mount -t tmpfs -o size=4k none ."), \
                                       ("gone", "Stale file handle", traced, "true"):
        place = pathlib.Path(folder) / kind
        place.mkdir()
        script = f'cd {place} && {mount} && cd {place} && "$@"; status=$?; cat s.jsonl >../{kind}.jsonl; exit $status'
        tries = ["unshare", "-rm", "sh", "-c", f"{mount}", "sh"]
        if subprocess.run(tries, cwd=place, capture_output=True).returncode != 0 or \
                subprocess.run([*rank_0, "true"], capture_output=True).returncode != 0:
            print(f"left out: a store's file system cannot be made {kind} here")
            continue
        done = subprocess.run(
            ["unshare", "-rm", "sh", "-c", script, "sh", mpirun, *inside, "-n", "1", *rank_0, program, *words, ":", "-n",
             "1", program, *words], capture_output=True, text=True, timeout=120)
        expect(done.returncode == 3, f"{kind}: exits with {done.returncode}: {done.stderr}")
        error = f"error: ./s.jsonl cannot be written ({reason})\nhint: give --store another place; what it holds stays\n"
        expect(done.stderr.count(error) == 1, f"{kind}: {done.stderr}")
        found = json.loads(done.stdout[:done.stdout.rindex("}\n") + 1])
        held = json.loads(run(0, "simulate", "--merge", f"{folder}/{kind}.jsonl", "--format", "json").stdout)
        expect(found["stopping"]["ended_by"] == "store" and found["ranks"] == 2, f"{kind}: {found}")
        expect(found["trials"] > held["trials"] > 0, f"{kind}: what was played is not shown")

print(f"1 to 4 ranks of {version['mpi']} play as one process")
