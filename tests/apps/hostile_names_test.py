"""Hostile names in all that is read: no line to paste obeys one, and none reaches a terminal raw.

usage: hostile_names_test.py PROGRAM SOURCE_DIR [NAMES]

Each file of tests/data/counters, which are of every engine, is written anew with names (hostile.py) where engines write those of
models, requests and kinds of drafts, under a hostile file name. What the program prints of it in every format and says of
its mistakes is looked at, and the lines to paste are run by bash and sh, where every program is a stand-in.
"""
import html
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import hostile

program, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
count = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
FORMATS = ("text", "md", "csv", "json", "latex")
NAMES_A_FILE = 5
LISTED = json.loads(subprocess.run([program, "list", "engines", "--format", "json"], capture_output=True, check=True).stdout)
ENGINES = sorted({row["for"] for row in LISTED["engines"] if row["for"]})


def check(holds, what):
    if not holds:
        sys.exit(what)


def run(folder, *words, format="text"):
    """Exit status, standard output and errors; both are for a terminal."""
    done = subprocess.run([program, *words, "--format", format], cwd=folder, capture_output=True, timeout=120)
    where = " ".join(map(repr, words))
    # A page's own scripts, which no input is part of, may hold anything.
    out = re.sub(rb"<script>.*?</script>", b"", done.stdout, flags=re.S)
    return (done.returncode, hostile.shown(out, where, csv=format == "csv"), hostile.shown(done.stderr, where))


def in_label(name):
    return name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def in_json(name):
    return json.dumps(name, ensure_ascii=False)[1:-1]


# Where a text has names, what stands before and behind each, and how it is written there.
NAMED_IN_JSON = re.compile(r'("(?:model|model_id|id|x_request_id|request_id|backend|tokenizer_id|benchmark_name|category|host|'
                           r'server_url|prompt|content|text|finish_reason|worker_id|conversation_id|benchmark_phase)": ?")'
                           r'((?:[^"\\]|\\.)*)(")')
NAMED_IN_LABELS = re.compile(r'((?:model_name|engine|engine_type|finished_reason|kind)=")((?:[^"\\]|\\.)*)(")')
NAMED_IN_LOGS = re.compile(r'^()((?:\S*INFO|I|\[[^\]]*\]|srv|slot|statistics)?)()(?=[ ])', re.M)
KINDS = re.compile(r'(statistics +)([^:\n]*)(:)')
# As servers print it, no file of tests/data/counters has it.
STATISTICS = ("statistics draft-simple: #calls(b,g,a) = 2 134 134, #gen drafts = 134, #acc drafts = 109, #gen tokens = 536, "
              "#acc tokens = 354, #mean acc len = 3.64, #acc rate/pos = (0.813, 0.716, 0.619, 0.493), "
              "dur(b,g,a) = 0.004, 808.560, 0.264 ms\n") * 2


def templates():
    """Name and text of each file, and where names are in it."""
    yield "llama_statistics.log", STATISTICS, KINDS, lambda name: name
    for path in sorted((source / "tests/data/counters").iterdir()):
        if path.suffix not in (".json", ".jsonl", ".txt", ".log") or path.name.endswith(("_before.txt", "_T0.jsonl")):
            continue
        text = path.read_text()
        by_ending = {".txt": (NAMED_IN_LABELS, in_label), ".log": (NAMED_IN_LOGS, lambda name: name)}
        spots, write = by_ending.get(path.suffix, (NAMED_IN_JSON, in_json))
        yield path.name, text, spots, write


def command_for(name):
    """The first that reads the file as it is, of those that end with lines to paste."""
    if not (source / "tests/data/counters" / name).exists():
        return ["gamma", "--cost", ".05"]
    for words in (["gamma", "--cost", ".05"], ["gamma", "--cost", ".05", "--draft-length", "4"], ["measure", "--cost", ".05"],
                  ["measure", "--cost", ".05", "--draft-length", "4"]):
        if subprocess.run([program, words[0], name, *words[1:]], cwd=source / "tests/data/counters", capture_output=True).returncode == 0:
            return words
    return ["inspect"]


def renamed(text, spots, write, chosen, chance):
    """The text with `chosen` in as many places, and whether there are any."""
    places = list(spots.finditer(text))
    at = {place.start(): name for place, name in zip(chance.sample(places, min(len(places), len(chosen))), chosen)}
    return spots.sub(lambda m: m[1] + write(at[m.start()]) + m[3] if m.start() in at else m[0], text), bool(at)


def lines_to_paste(text):
    """What stands in text under "To set …", set in by two blanks."""
    section = re.search(r"^To set .*?\n\n((?:  .*\n)+)", text, re.M | re.S)
    return [line[2:] for line in section[1].splitlines()] if section else []


def engines(folder, shell):
    chance, pasted, refused = random.Random(11), dict.fromkeys(ENGINES, 0), 0
    left = hostile.names(count, 5)
    chance.shuffle(left)
    every = [(*template, command_for(template[0])) for template in templates()]
    used = turn = 0
    while left:
        name, text, spots, write, (command, *options) = every[turn % len(every)]
        # The reader that repeats a name is the one whose names are tried most.
        if turn % 3 == 0:
            name, text, spots, write, (command, *options) = every[0]
        engine, chosen = ENGINES[turn % len(ENGINES)], [left.pop() for _ in range(min(NAMES_A_FILE, len(left)))]
        text, _ = renamed(text, spots, write, chosen, chance)
        used += len(chosen)
        file = folder / (hostile.as_file_name(chosen[0]) + pathlib.Path(name).suffix)
        file.write_text(text, errors="surrogateescape")
        words = [command, "./" + file.name, *options]
        if command != "inspect" and turn % 3:
            words += ["--for", engine]
        turn += 1
        where = f"{name} with {chosen!r}"
        status, out, err = run(folder, *words)
        check(status in (0, 2, 3), f"{where}: exits with {status}: {err}")
        refused += status != 0
        if status == 0:
            run(folder, *words, format=FORMATS[1 + turn % 4])
        lines = lines_to_paste(out)
        if lines:
            pasted[engine] += 1
            # As they are nothing starts; behind a program's name it does, once a line.
            shell.paste(lines, where)
            calls = shell.paste(["engine " + line for line in lines if not line.startswith("#")], where, ["engine"])
            check(len(calls) == sum(not line.startswith("#") for line in lines), f"{where}: the pasted lines run {calls}: {lines}")
            for word in sum(calls, []):
                check(re.fullmatch(r'[A-Za-z0-9._/,:{}"\[\]=-]+', word), f"{where}: {word!r} is in a line to paste")
        file.unlink()
    print(f"{used} names in {turn} files: {refused} are refused, lines to paste for {pasted}")
    check(min(pasted.values()) > 0 and refused < turn / 2, "too few files are read")


def hints(folder, shell):
    """Commands that a hint names are run on the very file."""
    packed = {".csv.xz": (b"\xfd7zXZ\0", "unxz"), ".csv.zst": (b"\x28\xb5\x2f\xfd\0", "unzstd"), ".csv.bz2": (b"BZh9", "bunzip2")}
    for i, name in enumerate(hostile.names(max(40, count // 10), 6)):
        ending, (content, unpacker) = list(packed.items())[i % len(packed)]
        file = folder / (hostile.as_file_name(name) + ending)
        file.write_bytes(content)
        status, _, err = run(folder, "measure", "./" + file.name)
        check(status == 3 and "hint: unpack it first: " in err, f"{file.name!r}: {err}")
        calls = shell.paste([err.partition("hint: unpack it first: ")[2].rstrip("\n")], repr(name), [unpacker])
        check(calls == [[unpacker, "./" + file.name]], f"{file.name!r}: the hint runs {calls}")
        file.unlink()
    for name in hostile.names(40, 8):
        url = "https://host/" + hostile.as_file_name(name)
        _, _, err = run(folder, "measure", url)
        calls = shell.paste([err.partition("hint: fetch it first: ")[2].rstrip("\n")], repr(name), ["curl"])
        check(calls == [["curl", "-o", "page.txt", url]], f"{url!r}: the hint runs {calls}: {err}")


def keys_and_counts(folder, shell):
    """Drafts that a file's keys name, and files of counts that can be read in two ways: the hint has the very text."""
    for name in hostile.names(max(60, count // 10), 12):
        # The stand-in's log has no NUL in a word nor a line alone, and JSON no half of a pair.
        if name != "\n" and not re.search("[\0\udc80-\udcff]", name):
            lengths = {"acc_len": [2, 1, 3]}
            (folder / "lengths.jsonl").write_text(json.dumps({"acc_" + name: lengths, "acc_\U0010ffff": lengths}))
            _, _, err = run(folder, "gamma", "lengths.jsonl", "--cost", ".05")
            option = err.partition("hint: say which one, as ")[2].rstrip("\n")
            calls = shell.paste(["engine " + option], repr(name), ["engine"])
            check(calls == [["engine", "--draft-key", name]], f"{name!r}: the hint runs {calls}: {err}")
        file = folder / (hostile.as_file_name(name)[:20] + ".csv")
        file.write_text("3,0,1,2,0,1\n")
        status, _, err = run(folder, "gamma", "--accepted", "./" + file.name, "--cost", ".05")
        found = re.search("hint: write (.*) for the first, (.*) for the second", err)
        check(status == 2 and found, f"{file.name!r}: {err}")
        calls = shell.paste(["engine " + each for each in found.groups()], repr(name), ["engine"])
        check([call[2] for call in calls] == ["./" + file.name] * 2, f"{file.name!r}: the hint runs {calls}")
        file.unlink()
    (folder / "lengths.jsonl").unlink()


def pages(folder, shell):
    """A page's commands, pasted, have the very file; it holds no character that acts, and neither do other tables of it."""
    recording = (source / "data/smollm2/prune2_T1.tsv").read_text().splitlines(keepends=True)
    short = "".join(recording[:800])
    for name in hostile.names(10 + count // 50, 9)[10:]:
        file = folder / (hostile.as_file_name(name) + ".tsv")
        file.write_text(short)
        status, page, err = run(folder, "report", "./" + file.name, "--cost", ".1", "--title", name.replace("\0", "") or "x")
        check(status == 0, f"{file.name!r}: {err}")
        commands = [html.unescape(code) for code in re.findall(r"<code>(draftgauge [^<]*)</code>", page)]
        check(len(commands) > 3, f"{file.name!r}: the page has no commands")
        for call in shell.paste(commands, repr(name), ["draftgauge"]):
            check("./" + file.name in call, f"{file.name!r}: a pasted command has {call}")
        file.unlink()


def recordings(folder):
    """Tokens, keys, tensors, stores and sweeps: what the other readers show of a name."""
    chance = random.Random(3)
    all_names = hostile.names(30 + count // 20, 10)
    for i, name in enumerate(all_names):
        format, file_name = FORMATS[i % 5], hostile.as_file_name(name)
        some = [chance.choice(all_names) for _ in range(8)]
        rows = ["# temperature: 1", "# target: " + name.replace("\n", " "), "seq\tpos\ttoken\tlogp\tlogq\tpiece"]
        pieces = ['"' + each.replace('"', '""').replace("\n", " ") + '"' for each in some]
        rows += ["\t".join(map(str, [row // 10, row % 10, row, -.5 - row % 3, -.6 - row % 4, pieces[row % 8]])) for row in range(40)]
        file = folder / (file_name + ".tsv")
        file.write_text("\n".join(rows) + "\n", errors="surrogateescape")
        for words in (["inspect"], ["measure", "--cost", ".1"], ["figure", "leviathan-1"])[i % 3:][:1]:
            run(folder, words[0], "./" + file.name, *words[1:], format=format)
        file.unlink()
        tensor = {"dtype": some[0], "shape": [2, 2], "data_offsets": [0, 16]}
        header = json.dumps({name: tensor, "__metadata__": {some[1]: some[2]}}).encode()
        file = folder / (file_name + ".safetensors")
        file.write_bytes(len(header).to_bytes(8, "little") + header + bytes(16))
        run(folder, "inspect", "./" + file.name, format=format)
        file.unlink()
        file = folder / (file_name + ".json")
        file.write_text(json.dumps({name: some[3], "p": [[some[4]]], some[5]: []}))
        run(folder, "simulate", "./" + file.name, format=format)
        run(folder, "measure", "./" + file.name, format=format)
        file.unlink()
        file = folder / (file_name + ".toml")
        key, value = (json.dumps(each.replace("\x7f", "")) for each in some[6:])
        file.write_text(f'source = "zipf:vocab=4"\n{key} = {value}\n')
        run(folder, "sweep", "./" + file.name, "--store", "./" + file_name + ".jsonl", format=format)
        file.write_text('source = "zipf:vocab=4"\ngamma = 2\nrounds = 100\n')
        run(folder, "sweep", "./" + file.name, "--store", "./" + file_name + ".jsonl", format=format)
        run(folder, "simulate", "--merge", "./" + file_name + ".jsonl", format=format)
        file.unlink()
        for word in "simulate", "gamma", "figure", "tree":
            if name and "\0" not in name:
                run(folder, word, name, "--" + name, format=format)
    for left in folder.iterdir():
        if left.suffix != ".jsonl":
            sys.exit(f"{left.name!r} is left behind")


with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name)
    for place in "files", "shell":
        (scratch / place).mkdir()
    shell = hostile.Shell(scratch / "shell")
    engines(scratch / "files", shell)
    hints(scratch / "files", shell)
    keys_and_counts(scratch / "files", shell)
    pages(scratch / "files", shell)
    recordings(scratch / "files")
print("no name is obeyed, and none is printed raw")
