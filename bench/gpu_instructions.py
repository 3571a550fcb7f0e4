#!/usr/bin/env python3
"""Compiled sm_90 instructions per round of each kernel that plays rounds (gpu/kernels), without a device.

    bench/gpu_instructions.py PROGRAM [--cuobjdump PATH] [--gamma N] [--markdown]

Counted are the instructions of the loop over rounds, whose body is one round a thread, as cuobjdump shows them. A kernel made
for one γ has no branch around a position: a warp goes through all γ positions as long as one of its 32 rounds does, which
of γ = 5 and α = .8 is always, though a round needs 3.362 of them in the mean. So nothing is weighted. Kernels of any γ
have a loop over positions within, a block of Philox each time: it is counted as often as γ asks for, and as if a warp took
every branch in it, so that their figures are at most. Not counted are blocks that only a round reaches which the tables
leave open (they are dominated by the one that puts it in the queue, or that calls what settles it); how often that is, and
what settling costs, is in bench/results/gpu.md.

Of the counts follow the cycles of a scheduler that a round of its warp takes: an instruction a cycle; two for one of
integers and logic, and two for a multiplication (each has a pipe of 16 lanes, CUDA Programming Guide, table of arithmetic
throughput for 9.0); 5.4 for a wide one, as an H200 takes (results/gpu.md), since that table does not name it. Spills are
loads and stores of local memory, generic loads such as do not know what kind of memory they read. Needs cuobjdump: of
the CUDA toolkit, or of the Python wheel nvidia-cuda-cuobjdump.
"""

import argparse
import collections
import dataclasses
import importlib.util
import os
import re
import shutil
import subprocess
import sys

ARCH = "sm_90"
FLAGS = ("wide", "matches", "tokens", "shared")
PATHS = ("", "rows", "walk")  # enum Path of sim/fast/round_sums.h
KERNEL = re.compile(r"RoundKernelILb(\d)ELb(\d)ELb(\d)ELNS_4PathE(\d)ELb(\d)ELi(\d+)E")
FUNCTION = re.compile(r"^\s+Function : (\S+)")
LINE = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;\s+/\*")
BRANCH = re.compile(r"^(?:@(!?U?P\w+) )?(BRA|BRX|JMP|EXIT|RET|CALL|BREAK)\b.*?(?:0x([0-9a-f]+))?$")
PHILOX = "-0x2daee0ad"       # the first multiplier, as a signed number
TAKES_A_NUMBER = "SR_LTMASK"  # lanes of a warp that add to one counter and want what was there: the queue
# Pipes of an SM that issue less than an instruction a cycle and quarter: those of integers and logic.
ALU = ("LOP3", "ISETP", "SEL", "SHF", "IADD3", "VIADD", "VIMNMX", "PRMT", "LEA", "PLOP3", "MOV", "VIADDMNMX")
WIDE = re.compile(r"IMAD\.(WIDE|HI)")
SPILL = re.compile(r"(LDL|STL)\b")
GENERIC = re.compile(r"(LD|ST|ATOM)(\.|$)")  # of the memory that an address happens to be in


def cuobjdump(given):
    if given:
        return given
    if found := shutil.which("cuobjdump"):
        return found
    spec = importlib.util.find_spec("nvidia")
    for folder in spec.submodule_search_locations if spec else []:
        for root, _, files in os.walk(folder):
            if "cuobjdump" in files:
                return os.path.join(root, "cuobjdump")
    sys.exit("there is no cuobjdump (it shows the compiled instructions) install the CUDA toolkit, or the wheel "
             "nvidia-cuda-cuobjdump")


def functions(text):
    """Instructions by function: lists of (address, text)."""
    found, here = {}, None
    for line in text.splitlines():
        if m := FUNCTION.match(line):
            here = found.setdefault(m[1], [])
        elif here is not None and (m := LINE.match(line)):
            here.append((int(m[1], 16), m[2]))
    return found


def blocks_of(code):
    """Basic blocks by their first address, and the addresses of each one's successors."""
    after = {a: code[i + 1][0] if i + 1 < len(code) else None for i, (a, _) in enumerate(code)}
    jumps = {}
    for address, text in code:
        if m := BRANCH.match(text):
            # `@P1 BRA P2, x` and `BRA P2, x` have two conditions: they may fall through too.
            certain = not m[1] and m[2] != "CALL" and not re.search(r"BRA (?:\.\w+ )?!?U?P\d", text)
            target = int(m[3], 16) if m[3] and m[2] == "BRA" else None
            jumps[address] = ([target] if target is not None else []) + ([] if certain else [after[address]])
    starts = {code[0][0]} | {t for to in jumps.values() for t in to} | {after[a] for a in jumps}
    starts.discard(None)
    blocks, successors, here = {}, {}, None
    for address, text in code:
        if address in starts:
            here = address
            blocks[here] = []
        blocks[here].append(text)
        if address in jumps:
            successors[here] = [t for t in jumps[address] if t is not None]
        elif after[address] in starts:
            successors[here] = [after[address]]
    return blocks, {b: successors.get(b, []) for b in blocks}


def reached(start, successors, within=None, without=()):
    seen, left = set(), [start]
    while left:
        b = left.pop()
        if b in seen or b in without or (within is not None and b not in within):
            continue
        seen.add(b)
        left += successors[b]
    return seen


def loops_of(blocks, successors):
    """Natural loops: sets of blocks by their heads, of what the kernel reaches without what it calls."""
    entry = next(iter(blocks))
    kernel = reached(entry, successors)
    before = collections.defaultdict(list)
    for block in kernel:
        for t in successors[block]:
            before[t].append(block)
    loops = {}
    for block in kernel:
        for head in successors[block]:
            if head != entry and block in reached(entry, successors, without={head}):
                continue  # a jump back to what does not dominate it: code that was moved out of the way
            loop = loops.setdefault(head, {head})
            left = [block]
            while left:
                b = left.pop()
                if b not in loop:
                    loop.add(b)
                    left += before[b]
    return loops


@dataclasses.dataclass
class Count:
    """Instructions of a warp."""
    all: int = 0
    alu: int = 0      # integers and logic
    multiplied: int = 0
    wide: int = 0     # of the multiplications
    philox: int = 0   # of the wide ones, those by Philox's first multiplier
    spills: int = 0
    generic: int = 0

    def cycles(self):
        """Of a scheduler, by what bounds it: instructions issued, or those of one pipe."""
        return {"issue": self.all, "integers": 2 * self.alu, "products": round(2 * self.multiplied + 3.4 * self.wide)}

    def __add__(self, other):
        return Count(*(a + b for a, b in zip(dataclasses.astuple(self), dataclasses.astuple(other))))


def instructions(blocks, chosen):
    count = Count()
    for text in (t for b in chosen for t in blocks[b]):
        name = re.sub(r"^@!?U?P\w+ ", "", text).split()[0]
        count += Count(1, name.split(".")[0] in ALU, name.startswith("IMAD"), bool(WIDE.match(name)), PHILOX in text,
                       bool(SPILL.match(name)), bool(GENERIC.match(name)))
    return count


def count(code, made_for, gamma, kind):
    """Of a round of `gamma` positions, by a kernel made for that many or, where `made_for` is 0, for any."""
    blocks, successors = blocks_of(code)
    loops = sorted(((len(loop), head, loop) for head, loop in loops_of(blocks, successors).items()
                    if any(PHILOX in t for b in loop for t in blocks[b])), key=lambda found: found[0])
    if len(loops) < (1 if made_for else 2):
        return None
    _, head, rounds = loops[0 if made_for else 1]
    aside = {b for b in rounds if any(TAKES_A_NUMBER in t or "CALL" in t for t in blocks[b])}
    hot = reached(head, successors, rounds, aside)
    if made_for:
        return instructions(blocks, hot)
    _, first, positions = loops[0]
    again = reached(first, successors, positions, aside)
    count = instructions(blocks, hot - again)
    # A position each time of a rule that picks and compares, else a block of Philox (sim/chance/layout.h).
    times = gamma if "matches" in kind else gamma // 2 + 1 if "wide" in kind else gamma // 4 + 1
    for _ in range(times):
        count += instructions(blocks, again)
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cuobjdump")
    parser.add_argument("--gamma", type=int, default=5, help="of kernels of any γ (5)")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    done = subprocess.run([cuobjdump(args.cuobjdump), "-sass", "-arch", ARCH, args.program], capture_output=True,
                          text=True)
    if done.returncode != 0:
        sys.exit(f"cuobjdump exits with {done.returncode}: {done.stderr}")
    rows = []
    for name, code in functions(done.stdout).items():
        if not (m := KERNEL.search(name)):
            continue
        path, made_for = PATHS[int(m[4])], int(m[6])
        flags = [flag for flag, on in zip(FLAGS, (m[1], m[2], m[3], m[5])) if on == "1"]
        kind = ["walk"] * (path == "walk") + flags
        if path == "rows":
            kind.insert(len(kind) - ("shared" in kind), "rows")
        if made_for not in (0, args.gamma):
            continue
        if counted := count(code, made_for, args.gamma, kind):
            limit, cycles = max(counted.cycles().items(), key=lambda found: found[1])
            rows.append((" ".join(kind) or "none", made_for or "any", counted.all, counted.alu,
                         f"{counted.multiplied} ({counted.wide})", counted.spills, counted.generic, cycles, limit))
    if not rows:
        sys.exit(f"{args.program} has no kernels for {ARCH} (nothing can be counted) build it with CUDA")
    rows.sort(key=str)
    if args.markdown:
        print("| kernel | γ | instructions a round | integers and logic | products (wide) | spills | generic loads | "
              "cycles | bound by |\n| :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: | :--- |")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |" if args.markdown else
              "{:<26} {:>4} {:>5} {:>5} {:>10} {:>4} {:>4} {:>5} {}".format(*row))


if __name__ == "__main__":
    main()
