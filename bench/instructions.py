#!/usr/bin/env python3
"""Instructions per round, the figure that does not depend on what else a machine does.

    bench/instructions.py PROGRAM                 # callgrind on AVX2, static counts of the loops that draw
    bench/instructions.py PROGRAM --loops TEXT    # the loops of the functions with this text in their names

Counted are the instructions of a run of many rounds less those of a run of few, over the difference in rounds, so that
start, tables and output cancel. valgrind runs AVX2 and not AVX-512; of that the instructions between the two ends of
each innermost loop are counted in the disassembly (objdump), not how often it runs. Needs valgrind and binutils.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

# name, source, further options. Not large histograms: a run merges them every tenth of a second, which under callgrind is
# after few rounds.
CASES = [("V=32", "exact-alpha:vocab=32,alpha=.8", []),
         ("V=32, histograms", "exact-alpha:vocab=32,alpha=.8", ["--positions", "6"]),
         ("V=64", "exact-alpha:vocab=64,alpha=.8", []),
         ("V=1024", "exact-alpha:vocab=1024,alpha=.8", []),
         ("V=1024, histograms", "exact-alpha:vocab=1024,alpha=.8", ["--positions", "6"]),
         ("V=32768", "exact-alpha:vocab=32768,alpha=.8", [])]
# So many that in both runs all tables are made early on: those of lanes are after a quarter of their entries in rounds.
FEW, MANY = 1_000_000, 3_000_000


def need(tool):
    if not shutil.which(tool):
        sys.exit(f"there is no {tool} (it counts the instructions) install valgrind and binutils")


def instructions(program, case, rounds):
    """Instructions of a whole run on one thread, by callgrind's own total."""
    _, source, options = case
    with tempfile.NamedTemporaryFile() as out:
        words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", program, "simulate", source,
                 "--gamma", "5", "--rounds", str(rounds), "--threads", "1", "--backend", "cpu", "--quiet", *options]
        done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "DRAFTGAUGE_TARGET": "avx2"})
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)} exits with {done.returncode}: {done.stderr}")
        found = re.search(r"Collected : (\d+)", done.stderr)
        if not found:
            sys.exit(f"callgrind does not say what it collected: {done.stderr}")
        return int(found[1])


def per_round(program, case):
    return (instructions(program, case, MANY) - instructions(program, case, FEW)) / (MANY - FEW)


LINE = re.compile(r"^\s+([0-9a-f]+):\s+(\S+)(?:\s+(.*))?$")


def functions(text):
    """(name, [(address, mnemonic, operands)]) of each function of objdump's disassembly."""
    name, body = None, []
    for line in text.splitlines():
        if head := re.match(r"^[0-9a-f]+ <(.*)>:$", line):
            if name:
                yield name, body
            name, body = head[1], []
        elif found := LINE.match(line):
            body.append((int(found[1], 16), found[2], found[3] or ""))
    if name:
        yield name, body


def innermost_loops(body):
    """[first, last] of each jump backwards within the function that holds no other such jump."""
    index = {address: i for i, (address, _, _) in enumerate(body)}
    loops = []
    for i, (_, mnemonic, operands) in enumerate(body):
        target = re.match(r"(?:0x)?([0-9a-f]+)\b", operands)
        if mnemonic.startswith("j") and target and index.get(int(target[1], 16), len(body)) <= i:
            loops.append((index[int(target[1], 16)], i))
    return [(a, b) for a, b in loops if not any((c, d) != (a, b) and a <= c and d <= b for c, d in loops)]


def kind_of(mnemonic, operands):
    if re.match(r"v?p?(gather|scatter)|vp?(gather|scatter)", mnemonic):
        return "gathers"
    if re.match(r"vpmul", mnemonic):
        return "multiplications"
    if re.match(r"vmov.*", mnemonic) and "(" in operands:
        return "loads and stores of vectors"
    if re.search(r"%[xyz]mm", operands):
        return "other vector"
    if re.match(r"k(mov|and|or|not|xor|test|unpck|shift|add)", mnemonic):
        return "masks"
    return "others"


def short_name(name):
    """Without parameters, namespaces' and templates' words: what a reader looks for in the source."""
    name = re.sub(r"\(anonymous namespace\)::|^draftgauge::|\[clone .*", "", name)
    while re.search(r"<[^<>]*>", name):
        name = re.sub(r"<[^<>]*>", "", name)
    return name.split("(")[0].split(" ")[-1][:60]


def loops(text, wanted, register):
    """(function, address, instructions, kinds of them) of the loops with such a register, of objdump's text."""
    for name, body in functions(text):
        if wanted not in name:
            continue
        for first, last in innermost_loops(body):
            inside = body[first:last + 1]
            if any(register in operands for _, _, operands in inside):
                counts = collections.Counter(kind_of(m, o) for _, m, o in inside)
                yield name, inside[0][0], len(inside), dict(counts.most_common())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--loops", metavar="TEXT", help="only the loops of functions with TEXT in their names")
    parser.add_argument("--jobs", type=int, default=1, help="runs of callgrind at a time")
    args = parser.parse_args()
    need("objdump")
    if args.loops is None:
        need("valgrind")
        print("| rounds of token at γ = 5, α = 0.8, AVX2 | instructions a round |\n| :--- | ---: |")
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for case, count in zip(CASES, pool.map(lambda case: per_round(args.program, case), CASES)):
                print(f"| {case[0]} | {count:.1f} |", flush=True)
        print()
    block = 0 if args.loops else 100  # multiplications of a group's blocks of random words: what rounds are made in
    text = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", args.program], capture_output=True, text=True,
                          check=True).stdout
    for target, space, register in ("AVX-512", "N_AVX3", "%zmm"), ("AVX2", "N_AVX2", "%ymm"):
        print(f"| innermost {target} loop of | at | instructions | of them |\n| :--- | ---: | ---: | :--- |")
        for name, address, count, kinds in loops(text, args.loops or "draftgauge", register):
            if space not in name or kinds.get("multiplications", 0) < block:
                continue
            of_them = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
            print(f"| {short_name(name)} | {address:x} | {count} | {of_them} |")
        print()


if __name__ == "__main__":
    main()
