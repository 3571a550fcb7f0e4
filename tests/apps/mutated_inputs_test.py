"""Mutated inputs in all readers: whatever a file holds, the program answers or refuses it in words.

usage: mutated_inputs_test.py PROGRAM SOURCE_DIR [--count N] [--seed S] [--first N] [--keep FOLDER]

Every seed of fuzz/seeds and every small file of tests/data and data is mutated (mutations.py), and a command that reads such a
file runs on it. A run fails if a signal ends it, if it takes 20 s of CPU or 2 GiB, if it ends with a status that no command has,
reports a mistake of its own, prints what a terminal obeys, or prints JSON that is none. Its input then stays in FOLDER. Run N of
a seed is the same each time.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading

import hostile
import mutations

SECONDS, BYTES = 20, 2 << 30
STATUSES = (0, 1, 2, 3, 4)
MISTAKES = (b"please report", b"mistake in draftgauge", b"not enough memory", b"terminate called", b"runtime error:")
LARGEST_TEXT, LARGEST = 12_000, 300_000

# F stands for the mutated file, G for another one of its kind, T for what the file holds, as a word, and S for a sound store.
RECORDING = ["inspect F", "measure F --cost .1", "measure F G --cost .1", "gamma F --cost .1", "gamma F", "why F --cost .1 --gamma 4",
             "figure survival F", "report F --cost .1", "measure F --tree kary:2,2 --cost .1", "measure F G --temperature .7",
             "table yours F G", "gamma F G --cost .1 --estimator replay"]
COUNTERS = ["inspect F", "inspect F G", "measure F --cost .1", "measure F --cost .1 --draft-length 4", "gamma F --cost .1",
            "gamma F --cost .1 --draft-length 4", "gamma F G --cost .1 --for llama.cpp", "why F --cost .1", "why F G --cost .1",
            "report F --cost .1", "measure data/smollm2_prune2_24_columns.tsv --log F --cost .1"]
ROWS = ["inspect F", "measure F --cost .1", "measure F G", "simulate F --gamma 2 --rounds 100", "tree F --nodes 4", "gamma F --cost .1",
        "exact F --gamma 1", "report F --cost .1", "measure G --floor F", "measure F G --rows 1..3 --shift 1 --temperature .5",
        "figure rule-acceptance F", "figure tree F"]
LAWS = ["simulate F --gamma 2 --rounds 100", "verify F --gamma 1 --rounds 100", "exact F --gamma 1", "tree F --nodes 4"]
COSTS = ["inspect F", "gamma --alpha .8 --cost F", "gamma --alpha .8 --cost .1 --verify-cost F", "gamma --survival .8,.7 --cost F",
         "measure data/smollm2_prune2_24_columns.tsv --cost F"]
LOADS = ["inspect F", "gamma --alpha .8 --load F", "gamma --alpha .8 --load F --load-draft G", "figure batch-gamma --alpha .8 --load F",
         "gamma F"]
COUNTS = ["gamma --accepted F --cost .1", "gamma --accepted-histogram F", "gamma --accepted-rounds F --cost .1"]
TREES = ["simulate zipf:vocab=8 --rule recursive --tree F --rounds 100", "simulate zipf:vocab=8 --rule recursive --tree T --rounds 100"]
CARDS = ["measure docs/cards/print.txt --format-card F", "inspect F --format-card F"]
STORES = ["simulate zipf:vocab=3 --gamma 5 --rounds 100 --store F", "simulate --merge F", "simulate --merge F G",
          "sweep data/sweeps/rules.toml --merge F"]
SWEEPS = ["sweep F --merge S", "sweep F --plan"]
SPECS = ["simulate T --gamma 2 --rounds 100", "inspect T", "tree T --nodes 4"]
NUMBERS = ["theory --alpha T", "theory --alpha .8 --gamma T", "gamma --alpha T --cost .1", "gamma --alpha .8 --cost T", "gamma --survival T",
           "gamma --accepted T", "exact --p T --q T --gamma 1", "theory --alpha .8 --gamma 3 --seed T"]
COMMANDS = {"columns": RECORDING, "logprobs": RECORDING, "recordings": RECORDING, "smollm2": RECORDING, "data": RECORDING, "gzip": RECORDING,
            "npz": ROWS, "npy": ROWS, "safetensors": ROWS, "kld": ROWS, "rows": ROWS, "laws_json": LAWS, "json_text": LAWS + COSTS,
            "counters": COUNTERS, "card": CARDS, "engine_log": COUNTERS, "cost_file": COSTS, "load": LOADS, "request_counts": COUNTS, "tree_text": TREES,
            "store_line": STORES, "toml": SWEEPS, "sweeps": SWEEPS, "source_spec": SPECS, "number_list": NUMBERS}
ENDINGS = {"npz": ".npz", "npy": ".npy", "safetensors": ".safetensors", "kld": ".kld", "gzip": ".gz", "toml": ".toml", "card": ".toml", "laws_json": ".json",
           "json_text": ".json"}
PAGE = 0.02  # of the runs that could make a page do: it takes a second

Seed = collections.namedtuple("Seed", "kind ending data")


def seeds(source):
    """Each file with its kind, which says what reads it; of a long text the beginning."""
    found = []
    for path in sorted([*source.glob("fuzz/seeds/*/*"), *source.glob("tests/data/*/*"), *source.glob("data/**/*")]):
        kind = path.parent.name.removesuffix("_fuzz")
        if kind not in COMMANDS or not path.is_file() or path.suffix in (".md", ".py"):
            continue
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if mutations.is_text(data) and len(data) > LARGEST_TEXT:
            data = data[:data.rfind(b"\n", 0, LARGEST_TEXT) + 1]
        if kind == "store_line":
            data = mutations.sealed(data)
        if 0 < len(data) <= LARGEST:
            found.append(Seed(kind, path.suffix or ENDINGS.get(kind, ""), data))
    return found


class Runs:
    """What is run, each by its number alone."""

    def __init__(self, program, source, folder, keep, seed):
        self.program, self.source, self.folder, self.keep, self.seed = program, source, folder, keep, seed
        self.seeds = seeds(source)
        self.of_kind = {kind: [each for each in self.seeds if each.kind == kind] for kind in COMMANDS}
        self.reads = {}
        empty = [kind for kind, found in self.of_kind.items() if not found]
        if empty:
            sys.exit(f"there is no seed of {empty}")
        (folder / "store").write_bytes(mutations.sealed(b"".join(each.data for each in self.of_kind["store_line"])))

    def run(self, words):
        return subprocess.run([self.program, *words, "--threads", "1"], cwd=self.source, capture_output=True, timeout=600,
                              stdin=subprocess.DEVNULL)

    def words(self, command, name, seeds, contents):
        """The words of a command, whose files, the mutated one first, are written."""
        files = {letter: self.folder / f"{name}{letter}{seed.ending}" for letter, seed in zip("FG", seeds)}
        for file, data in zip(files.values(), contents):
            file.write_bytes(data)
        stand = {**files, "S": self.folder / "store", "T": os.fsdecode(contents[0].replace(b"\0", b"")[:5000])}
        return [str(stand.get(word, word)) for word in command.split()], files.values()

    def takes(self, command, seeds):
        """Whether the command reads the seeds as they are."""
        key = command, seeds
        if key not in self.reads:
            words, files = self.words(command, f"sound{threading.get_ident()}", seeds, [each.data for each in seeds])
            self.reads[key] = self.run(words).returncode in (0, 1)
            for file in files:
                file.unlink(missing_ok=True)
        return self.reads[key]

    def made(self, number):
        """The words of one run, its files, and the format that it prints."""
        chance = random.Random(f"{self.seed} {number}")
        for _ in range(chance.choice((1, 10, 10, 10))):  # one of four may be a command that reads no such file
            seed = chance.choice(self.of_kind[chance.choice(list(COMMANDS))])
            command = chance.choice(COMMANDS[seed.kind])
            seeds = (seed, chance.choice(self.of_kind[seed.kind])) if "G" in command.split() else (seed,)
            if (not command.startswith("report") or chance.random() < PAGE) and self.takes(command, seeds):
                break
        other = chance.choice(self.seeds if chance.random() < .3 else self.of_kind[seed.kind]).data
        contents = [mutations.mutated(seed.data, chance, other)]
        contents += [mutations.mutated(each.data, chance, other) if chance.random() < .3 else each.data for each in seeds[1:]]
        if seed.kind == "store_line" and chance.random() < .8:
            contents = [mutations.sealed(each) for each in contents]
        words, files = self.words(command, number, seeds, contents)
        if words[0] in ("report", "figure"):  # what they print into a pipe is a page, and a specification
            return words, files, "page" if words[0] == "report" else "json"
        format = chance.choice(("text", "text", "json", "md", "csv", "latex"))
        return [*words, "--format", format], files, format

    def one(self, number):
        """What is wrong with a run; and its status."""
        words, files, format = self.made(number)
        try:
            done = self.run(words)
        except subprocess.TimeoutExpired:
            return self.failed(number, words, files, "does not end"), None
        wrong = self.wrong(done, format)
        if wrong:
            return self.failed(number, words, files, wrong), done.returncode
        for file in files:
            file.unlink(missing_ok=True)
        return None, done.returncode

    def wrong(self, done, format):
        """What is wrong with how a run ended; None where nothing is."""
        if done.returncode not in STATUSES:
            return f"exits with {done.returncode}: {done.stderr[-300:]!r}"
        for mistake in MISTAKES:
            if mistake in done.stdout + done.stderr:
                return f"says {mistake.decode()!r}: {done.stderr[-300:]!r}"
        refused = done.returncode in (2, 3) and not done.stdout
        if not done.stdout + done.stderr or refused and not done.stderr.startswith(b"error: ") and b"\nerror: " not in done.stderr:
            return f"exits with {done.returncode} and says {done.stderr[-300:]!r}"
        # A page's own scripts, which no input is part of, may hold anything.
        out = re.sub(rb"<script>.*?</script>", b"", done.stdout, flags=re.S) if format == "page" else done.stdout
        try:
            hostile.shown(out, "standard output", csv=format == "csv")
            hostile.shown(done.stderr, "errors")
            if format == "json" and done.stdout:
                mutations.read_json(done.stdout)
        except (SystemExit, ValueError) as found:
            return str(found)
        return None

    def failed(self, number, words, files, what):
        """What to say of a run; its files are kept."""
        self.keep.mkdir(parents=True, exist_ok=True)
        for file in files:
            if file.exists():
                file.replace(self.keep / file.name)
                words = [str(self.keep / file.name) if word == str(file) else word for word in words]
        return f"run {number}: draftgauge {' '.join(map(repr, words))}\n  {what}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first run, to repeat one")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("mutated-inputs"))
    asked = parser.parse_args()
    # Each child inherits the limits. This program, which may take longer, survives the first, as a signal.
    signal.signal(signal.SIGXCPU, lambda *_: None)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    statuses, failures = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(asked.program.resolve(), asked.source.resolve(), pathlib.Path(folder), asked.keep.resolve(), asked.seed)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for wrong, status in pool.map(runs.one, range(asked.first, asked.first + asked.count)):
                statuses[status] += 1
                if wrong:
                    print(wrong, flush=True)
                    failures.append(wrong)
                if statuses.total() % 10_000 == 0:
                    print(f"{statuses.total()} of {asked.count}, {len(failures)} fail", flush=True)
    ends = ", ".join(f"{number} exit with {status}" for status, number in sorted(statuses.items(), key=str))
    print(f"{asked.count} mutated inputs: {ends}")
    if failures:
        sys.exit(f"{len(failures)} fail")


if __name__ == "__main__":
    main()
