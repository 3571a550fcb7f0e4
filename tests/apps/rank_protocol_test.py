"""Runs bench/rank_protocol with few ranks:  rank_protocol_test.py BUILD_DIR"""
import json
import pathlib
import subprocess
import sys
import tempfile

program = pathlib.Path(sys.argv[1]) / "rank_protocol"


def rows(*words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{words}: exits with {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


for given in rows("10", "5", "50"), rows("3", "5", "50"):
    assert len(given) == 4 and all(row["complete"] and row["rows"] >= row["checkpoints"] > 0 for row in given), given
    assert given[0]["over_ideal"] < .2, given[0]
with tempfile.TemporaryDirectory() as folder:
    measured, *weathers = rows("10", "5", folder)
    assert measured["leader_us"] > 0 and measured["store_us"] > 0 and measured["rows_per_message"] > 0, measured
    assert len(weathers) == 4 and all(row["complete"] for row in weathers), weathers
    assert not list(pathlib.Path(folder).iterdir()), "a store is left behind"
wrong = subprocess.run([program, "0", "5"], capture_output=True, text=True)
assert wrong.returncode == 2 and wrong.stderr.startswith("rank_protocol: RANKS is 1 to 1000000"), wrong.stderr
print("10 ranks play all in every weather")
