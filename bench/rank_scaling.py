"""Times one process and ranks of MPI in turns:  rank_scaling.py PROGRAM [ROUNDS [TURNS]]

Prints one JSON object a line: the best turn of each, by the clock and in CPU seconds of all that was started, and both as
ratios to one process. `weak` plays twice the rounds on two ranks. Ratios compare; times are those of this machine and day.
"""
import json
import os
import platform
import resource
import subprocess
import sys
import time

program = sys.argv[1]
rounds = int(float(sys.argv[2])) if len(sys.argv) > 2 else 20_000_000
turns = int(sys.argv[3]) if len(sys.argv) > 3 else 4
mpirun = ["mpirun", "--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
task = ["simulate", "markov:vocab=64", "--rule", "block", "--gamma", "5", "--backend", "serial", "--threads", "1"]


def line(ranks, times):
    words = [program, *task, "--rounds", str(times * rounds), "--format", "json"]
    return [*mpirun, "-n", str(ranks), *words, "--mpi"] if ranks else words


def timed(words):
    def cpu():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    clock, before = time.monotonic(), cpu()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - clock, cpu() - before


kinds = {"one process": (0, 1), "one rank": (1, 1), "strong, two ranks": (2, 1), "weak, two ranks": (2, 2)}
best = {}
for _ in range(turns):
    for kind, (ranks, times) in kinds.items():
        clock, cpu = timed(line(ranks, times))
        known = best.get(kind, (clock, cpu))
        best[kind] = (min(known[0], clock), min(known[1], cpu))
print(json.dumps({"machine": platform.processor() or platform.machine(), "cores": os.cpu_count(), "turns": turns,
                  "load": os.getloadavg()[0]}))
alone = best["one process"]
for kind, (ranks, times) in kinds.items():
    clock, cpu = best[kind]
    print(json.dumps({"kind": kind, "rounds": times * rounds, "clock_s": round(clock, 2), "cpu_s": round(cpu, 2),
                      "rounds_a_second_to_one_process": round(times * alone[0] / clock, 3),
                      "cpu_a_round_to_one_process": round(cpu / times / alone[1], 3)}))
