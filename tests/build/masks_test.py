"""Whether the compiler reads more of a mask than it stored.   usage: masks_test.py PROGRAM

GCC 12 stores a mask of 16 lanes that finds no register as two bytes, and may read eight where the code widens it: what
lies beside them is then taken for lanes. bits_of (sim/fast/lanes.inl) avoids that; this looks whether it happened.
"""
import re
import subprocess
import sys

STORED = {"b": 1, "w": 2, "d": 4}
KEEPS = re.compile(r"kmov([bwd]) +%k\d,(\S*\(%r[sb]p\))")
READS = re.compile(r"\b(movz?[bw]?[lq]?) +(\S*\(%r[sb]p\)),%(\w+)")
WRITES = re.compile(r",(\S*\(%r[sb]p\))\s*$")


def width(mnemonic, register):
    """Bytes that a move reads from memory."""
    if mnemonic.startswith("movz"):
        return {"b": 1, "w": 2}[mnemonic[4]]
    return 4 if re.match(r"e|r\d+d$", register) else 8


def misread(lines):
    """(function, store, read) of masks read wider than they were stored, in the order of the listing."""
    function, kept = None, {}
    for line in lines:
        if head := re.match(r"[0-9a-f]+ <(.*)>:", line):
            function, kept = head[1], {}
        elif store := KEEPS.search(line):
            kept[store[2]] = STORED[store[1]], line.strip()
        else:
            read = READS.search(line)
            if read and read[2] in kept and width(read[1], read[3]) > kept[read[2]][0]:
                yield function, kept[read[2]][1], line.strip()
            if write := WRITES.search(line):
                kept.pop(write[1], None)


SAMPLE = """
0000000000001000 <sample>:
    1000:	kmovw  %k5,0x40(%rsp)
    1004:	movzwl 0x40(%rsp),%eax
    1008:	kmovd  %k1,0x48(%rsp)
    100c:	mov    0x48(%rsp),%r13d
    1010:	mov    0x40(%rsp),%rsi
    1014:	mov    %rax,0x40(%rsp)
    1018:	mov    0x40(%rsp),%rsi
""".splitlines()

found = list(misread(SAMPLE))
if [read.split(":")[0] for _, _, read in found] != ["1010"]:
    sys.exit(f"of the sample, one read is wrong: {found}")
listing = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", sys.argv[1]], capture_output=True, text=True,
                         check=True).stdout.splitlines()
masks = sum("kmov" in line for line in listing)
wrong = list(misread(listing))
for function, store, read in wrong:
    print(f"{function}: {store} -> {read}")
print(f"{masks} moves of masks, {len(wrong)} of them read wider than they were stored")
sys.exit(1 if wrong else 0)
