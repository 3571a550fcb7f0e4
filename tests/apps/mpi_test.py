"""Runs the program on several ranks of MPI:  mpi_test.py PROGRAM SOURCE_DIR

Skipped (77) where there is no mpirun, or the program has no MPI.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import shutil
import sys
import tempfile
import time

program, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
version = json.loads(subprocess.run([program, "--version", "--format", "json"], capture_output=True, check=True).stdout)
is_open_mpi = version["mpi"].startswith("Open MPI")
mpirun = shutil.which("mpirun.openmpi" if is_open_mpi else "mpirun.mpich") or shutil.which("mpirun")  # Debian has both
if mpirun is None or version["mpi"] == "none":
    print(f"skipped: mpirun is {mpirun}, and the program's MPI is {version['mpi']}")
    sys.exit(77)
if not re.fullmatch(r"[\w ]+ [\d.]+", version["mpi"]):
    sys.exit(f"no name and number of an MPI: {version['mpi']}")
extra = ["--oversubscribe"] if is_open_mpi else []
if is_open_mpi and os.geteuid() == 0:
    extra.append("--allow-run-as-root")
os.environ.setdefault("OMPI_MCA_rmaps_base_oversubscribe", "1")
if subprocess.run([mpirun, *extra, "-n", "2", "true"], capture_output=True, timeout=60).returncode != 0:
    print("skipped: mpirun starts nothing here (a container without a network, say)")
    sys.exit(77)


def launched(ranks, *words):
    return [mpirun, *extra, "-n", str(ranks), program, *words]


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

# Another seed on one rank is refused by name.
two = [mpirun, *extra, "-n", "1", program, *task, "--mpi", ":", "-n", "1", program, *task, "--mpi", "--seed", "5"]
done = subprocess.run(two, capture_output=True, text=True, timeout=300)
expect("rank 1 has seed 5, rank 0 has 1 (their trials are not of one sample)" in done.stderr, done.stderr)

# Without --mpi each plays everything, and one of them says so.
done = subprocess.run(launched(2, *task), cwd=source, capture_output=True, text=True, timeout=300)
expect(done.stderr.count("warning: 2 ranks each play everything and print it; add --mpi, and they share it") == 1,
       done.stderr)

# A launcher of another MPI, or srun without the plugin of this one, starts single ranks.
for variable in ["SLURM_STEP_NUM_TASKS", *(["PMI_SIZE"] if is_open_mpi else [])]:
    done = subprocess.run([program, *task, "--mpi"], capture_output=True, text=True, env={**os.environ, variable: "4"})
    expect(done.returncode == 2 and "the launcher started 4 ranks, and MPI knows of 1" in done.stderr, done.stderr)


def children(parent):
    """The ranks' processes below a launcher."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,comm="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    below = {parent}
    while True:
        more = {int(pid) for pid, above, _ in rows if int(above) in below} - below
        if not more:
            return [int(pid) for pid, _, name in rows if int(pid) in below and name.startswith("draftgauge")]
        below |= more


def rank_of(pid):
    for entry in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
        if entry.startswith((b"OMPI_COMM_WORLD_RANK=", b"PMI_RANK=")):
            return int(entry.split(b"=")[1])
    return -1


# No time at all is a mistake with its name.
none = run(2, *task, "--rounds", "1T", "--time", "0.0000001", status=3)
expect("error: the time was up before a trial was played (there is nothing to show)" in none.stderr, none.stderr)

# A rank that stands still is late with a row that is too long to be sent unasked: the job ends all the same. One that
# stays so is left behind.
for goes_on, command, answer in (True, "verify", "holds"), (False, "simulate", "Time was up after 4s"):
    line = launched(3, command, "dirichlet:vocab=5000", "--rounds", "1T", "--time", "4s", "--mpi")
    with subprocess.Popen(line, cwd=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as job:
        ranks = {}
        while 2 not in ranks and job.poll() is None:
            time.sleep(.1)
            ranks = {rank_of(pid): pid for pid in children(job.pid)}
        expect(2 in ranks, "the job ended before a rank could be stopped")
        time.sleep(2)
        os.kill(ranks[2], signal.SIGSTOP)
        if goes_on:
            time.sleep(3)
            os.kill(ranks[2], signal.SIGCONT)
        try:
            said = job.communicate(timeout=60)[0]
        except subprocess.TimeoutExpired:
            for pid in ranks.values():
                os.kill(pid, signal.SIGKILL)
            sys.exit(f"the job does not end after a rank stood still (it goes on: {goes_on})")
        expect(answer in said, f"a rank that stood still leaves no result: {said}")

with tempfile.TemporaryDirectory() as folder:
    # A rank that is killed ends the job, and what had been played is in the store; the next run plays the rest.
    store = str(pathlib.Path(folder) / "store.jsonl")
    words = [*task, "--range", "0..2000000", "--backend", "serial", "--store", store]
    with subprocess.Popen(launched(3, *words, "--mpi"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as job:
        victim = None
        for _ in range(600):
            time.sleep(.1)
            rows = pathlib.Path(store).read_text().count("\n") if os.path.exists(store) else 0
            ranks = {rank_of(pid): pid for pid in children(job.pid)}
            if rows >= 2 and 2 in ranks:
                victim = ranks[2]
                break
            if job.poll() is not None:
                break
        expect(victim, "the job ended before a rank could be killed")
        os.kill(victim, signal.SIGKILL)
        job.wait(timeout=60)
        expect(job.returncode != 0, "a job whose rank was killed exits with 0")
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

    # Ctrl-C at the launcher: rank 0 says what was played.
    result = pathlib.Path(folder) / "result.json"
    line = launched(2, *task, "--rounds", "1T", "--backend", "serial", "--format", "json", "-o", str(result), "--mpi")
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as job:
        time.sleep(5)
        job.send_signal(signal.SIGINT)
        job.wait(timeout=60)
    expect(result.exists(), "Ctrl-C at the launcher leaves no result")
    found = json.loads(result.read_text())
    gaps = sum(b - a for a, b in found.get("missing", []))
    expect(found["stopping"]["ended_by"] == "interrupt" and found["trials"] == found["range"][1] - gaps,
           f"Ctrl-C: {found}")
print(f"1 to 4 ranks of {version['mpi']} play as one process")
