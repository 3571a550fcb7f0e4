#!/usr/bin/env python3
"""Compiled sm_90 instructions per round of each kernel that plays rounds of one length (gpu/kernels), without a device.

    bench/gpu_instructions.py PROGRAM [--cuobjdump PATH] [--markdown]

Counted are the instructions of the loop over trials, whose body is one round a thread, as cuobjdump shows them. Such a loop
has no branch around a position: a warp goes through all γ positions as long as one of its 32 rounds does, which of γ = 5
and α = .8 is always, though a round needs 3.362 of them in the mean. So nothing is weighted. Not counted are blocks that
only a round reaches which the tables leave open (they are dominated by the one that puts it in the queue); how often
that is, and what settling costs, is in bench/results/gpu.md. Needs cuobjdump: of the CUDA toolkit, or of the Python
wheel nvidia-cuda-cuobjdump.
"""

import argparse
import collections
import importlib.util
import os
import re
import shutil
import subprocess
import sys

ARCH = "sm_90"
FLAGS = ("wide", "matches", "tokens", "rows", "shared")
KERNEL = re.compile(r"ChainKernelILb(\d)ELb(\d)ELb(\d)ELb(\d)ELb(\d)ELi(\d+)E")
FUNCTION = re.compile(r"^\s+Function : (\S+)")
LINE = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;\s+/\*")
BRANCH = re.compile(r"^(?:@(!?U?P\w+) )?(BRA|BRX|JMP|EXIT|RET|CALL|BREAK)\b.*?(?:0x([0-9a-f]+))?$")
PHILOX = "-0x2daee0ad"       # the first multiplier, as a signed number
TAKES_A_NUMBER = "SR_LTMASK"  # lanes of a warp that add to one counter and want what was there: the queue
# Pipes of an SM that issue less than an instruction a cycle and quarter: those of integers and logic.
ALU = ("LOP3", "ISETP", "SEL", "SHF", "IADD3", "VIADD", "VIMNMX", "PRMT", "LEA", "PLOP3", "MOV", "VIADDMNMX")


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


def loop_of(blocks, successors):
    """The blocks of the smallest loop in which Philox is computed and rounds are counted, and its head."""
    best = None
    before = collections.defaultdict(list)
    for block, to in successors.items():
        for t in to:
            before[t].append(block)
    for block, to in successors.items():
        for head in to:
            if head > block:
                continue  # not backwards
            loop, left = {head}, [block]
            while left:
                b = left.pop()
                if b not in loop:
                    loop.add(b)
                    left += before[b]
            text = [t for b in loop for t in blocks[b]]
            if any(PHILOX in t for t in text) and any("ATOMS" in t for t in text):
                if best is None or len(text) < len([t for b in best[1] for t in blocks[b]]):
                    best = head, loop
    return best


def reached_without(head, loop, successors, without):
    seen, left = set(), [head]
    while left:
        b = left.pop()
        if b in seen or b not in loop or b in without:
            continue
        seen.add(b)
        left += successors[b]
    return seen


def count(code):
    blocks, successors = blocks_of(code)
    found = loop_of(blocks, successors)
    if not found:
        return None
    head, loop = found
    queue = {b for b in loop if any(TAKES_A_NUMBER in t for t in blocks[b])}
    hot = reached_without(head, loop, successors, queue)
    text = [t for b in hot for t in blocks[b]]
    names = [re.sub(r"^@!?U?P\w+ ", "", t).split()[0].split(".")[0] for t in text]
    return len(text), sum(n in ALU for n in names), sum(t.find(PHILOX) >= 0 for t in text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cuobjdump")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    done = subprocess.run([cuobjdump(args.cuobjdump), "-sass", "-arch", ARCH, args.program], capture_output=True,
                          text=True)
    if done.returncode != 0:
        sys.exit(f"cuobjdump exits with {done.returncode}: {done.stderr}")
    rows = []
    for name, code in functions(done.stdout).items():
        m = KERNEL.search(name)
        if not m or m[6] == "0":
            continue
        kind = [flag for flag, on in zip(FLAGS, m.groups()) if on == "1"]
        if counted := count(code):
            rows.append((" ".join(kind) or "none", *counted[:2]))
    if not rows:
        sys.exit(f"{args.program} has no kernels for {ARCH} (nothing can be counted) build it with CUDA")
    rows.sort()
    if args.markdown:
        print("| kernel | instructions a round | of them integers and logic |\n| :--- | ---: | ---: |")
    for row in rows:
        print("| {} | {} | {} |".format(*row) if args.markdown else "{:<28} {:>4} {:>4}".format(*row))


if __name__ == "__main__":
    main()
