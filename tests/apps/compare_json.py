"""Whether two builds of the program give the same JSON on the pages' examples: a tool for changes of the texts alone.
usage: compare_json.py BEFORE AFTER SOURCE_DIR

Prints each place that differs as a path of keys, with both values; exits with 1 where there is one. What is timed is not
compared: bench, and whatever --time ends.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

before, after, source = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
environment = os.environ | {"DRAFTGAUGE_DATA": str(source / "data")}  # not where the program was built
TIMED = ("bench", "list", "help")  # rates; lists that grow; text alone


def commands():
    """The command lines of the pages, each once, as words."""
    seen = set()
    for page in [source / "README.md", *sorted((source / "docs").glob("*.md"))]:
        for line in page.read_text().splitlines():
            found = re.match(r"(?:\$ )?draftgauge (\S.*)", line)
            try:
                words = shlex.split(found[1], comments=True) if found else []
            except ValueError:  # of a sentence, not of a shell
                continue
            if not words or words[0].startswith("-") or words[0] in TIMED or "--time" in words:
                continue
            for option in ("-o", "--output", "--format"):
                if option in words:
                    place = words.index(option)
                    del words[place:place + 2]
            if tuple(words) not in seen:
                seen.add(tuple(words))
                yield [*words, "--format", "json"]


def answer(program, words):
    done = subprocess.run([program, *words], cwd=source, env=environment, capture_output=True, text=True)
    try:
        return {"status": done.returncode, "document": json.loads(done.stdout)}
    except json.JSONDecodeError:
        return {"status": done.returncode, "document": None}


def differences(old, new, path=""):
    if isinstance(old, dict) and isinstance(new, dict):
        if [key for key in old if key in new] != [key for key in new if key in old]:
            yield f"{path}: its members stand in another order"
        for key in sorted({*old, *new}):
            if key not in new or key not in old:
                yield f"{path}.{key}: {'gone' if key not in new else 'new'}"
            else:
                yield from differences(old[key], new[key], f"{path}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (one, other) in enumerate(zip(old, new)):
            yield from differences(one, other, f"{path}[{i}]")
    elif old != new:
        yield f"{path}: {json.dumps(old)[:100]} is now {json.dumps(new)[:100]}"


compared = different = 0
for words in commands():
    compared += 1
    for line in differences(answer(before, words), answer(after, words)):
        print(f"{shlex.join(words)}: {line}")
        different += 1
print(f"{compared} command lines, {different} differences")
sys.exit(different > 0 or compared == 0)
