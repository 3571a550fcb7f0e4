"""Jobs of MPI and the processes of their ranks, for tests that stop, kill and count them."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time


class Launcher:
    """mpirun of the MPI that a program has; `missing` says why there is none."""

    def __init__(self, program):
        self.program = program
        said = subprocess.run([program, "--version", "--format", "json"], capture_output=True, check=True).stdout
        self.version = json.loads(said)
        self.mpi = self.version["mpi"]
        self.is_open_mpi = self.mpi.startswith("Open MPI")
        named = "mpirun.openmpi" if self.is_open_mpi else "mpirun.mpich"  # Debian has both
        self.mpirun = shutil.which(named) or shutil.which("mpirun")
        self.extra = ["--oversubscribe"] if self.is_open_mpi else []
        if self.is_open_mpi and os.geteuid() == 0:
            self.extra.append("--allow-run-as-root")
        self.missing = ""
        if self.mpirun is None or self.mpi == "none":
            self.missing = f"mpirun is {self.mpirun}, and the program's MPI is {self.mpi}"
            return
        os.environ.setdefault("OMPI_MCA_rmaps_base_oversubscribe", "1")
        if subprocess.run([self.mpirun, *self.extra, "-n", "2", "true"], capture_output=True, timeout=60).returncode != 0:
            self.missing = "mpirun starts nothing here (a container without a network, say)"

    def line(self, ranks, *words):
        return [self.mpirun, *self.extra, "-n", str(ranks), self.program, *words]


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


def ranks_of(job):
    """The processes of a job's ranks, by rank. One that just starts, or has ended, has no rank to be read."""
    found = {}
    for pid in children(job.pid):
        with contextlib.suppress(OSError):
            for entry in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                if entry.startswith((b"OMPI_COMM_WORLD_RANK=", b"PMI_RANK=")):
                    found[int(entry.split(b"=")[1])] = pid
    return found


def rank_once_there(job, rank):
    """The process of a rank, or None if the job ends before there is one."""
    for _ in range(300):
        if (pid := ranks_of(job).get(rank)) is not None or job.poll() is not None:
            return pid
        time.sleep(.1)
    sys.exit("the ranks do not start")


@contextlib.contextmanager
def started(line, **how):
    """A job that has ended when the block is left: Popen alone would wait for its trillion rounds after a failed check."""
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how) as job:
        try:
            yield job
        except BaseException:
            for pid in [*children(job.pid), job.pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            raise


def end_of(job, what):
    """Its output, once it has ended of itself."""
    try:
        return job.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        sys.exit(f"a job does not end: {what}")
