"""Kills `simulate --store` at random times and starts it again until it is done: nothing is lost or counted twice.

usage: store_kill_test.py PROGRAM KILLS

What a line torn at each of its bytes does is tested in store_test.cc; other faults than kills in faults_test.py.
"""
import pathlib
import signal
import sys
import tempfile

import store_hits

program, kills = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2])
work = store_hits.simulation(program)
with tempfile.TemporaryDirectory() as folder:
    found = store_hits.endure(work, kills, store_hits.sends(signal.SIGKILL), folder)
print(f"{found.hits} kills in {found.runs} runs of {work.trials()} trials, {found.torn} unfinished lines: {found.lost} trials lost, {found.twice} counted twice")
sys.exit(found.lost + found.twice > 0)
