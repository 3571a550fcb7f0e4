"""Validates the JSON of every command's examples against docs/schema.   usage: schema_test.py PROGRAM SOURCE_DIR"""
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

import jsonschema

program, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
schemas = source / "docs" / "schema"
SHARED = ("envelope", "results")


def documents_of(words):
    """What the program prints for the words as JSON; a format or a file that an example names itself is left out."""
    for option in "--format", "-o":
        if option in words:
            at = words.index(option)
            words = words[:at] + words[at + 2:]
    done = subprocess.run([program, *words, "--format", "json"], cwd=source, capture_output=True, text=True)
    # With --time the clock decides how much is played: a busy machine may leave a check inconclusive.
    if done.returncode not in ((0, 4) if "--time" in words else (0,)):
        sys.exit(f"draftgauge {' '.join(words)} exits with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def validator_of(name):
    """The schema with those that others refer to copied into it: how references between files are followed differs by version."""
    def text_of(file, own):
        text = (schemas / f"{file}.json").read_text().replace('"#/', f'"#{own}/').replace(f'"{name}.json#', '"#')
        for other in SHARED:
            text = text.replace(f'"{other}.json#', f'"#/definitions/{other}').replace(f'"{other}.json"', f'"#/definitions/{other}"')
        return json.loads(text)

    schema = text_of(name, "")
    for other in SHARED:
        schema.setdefault("definitions", {})[other] = text_of(other, f"/definitions/{other}")
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


commands = documents_of(["help"])["commands"]
names = {command["name"] for command in commands} | {"version", "store", *SHARED}
files = {path.stem for path in schemas.glob("*.json")}
if names != files:
    sys.exit(f"commands without a schema: {sorted(names - files)}; schemas without a command: {sorted(files - names)}")

lines = [(command["name"], example["line"]) for command in commands for example in command["examples"]]
# What no example shows of gamma: settings of an interval, counts by request, rounds in their order, no costs.
lines += [("gamma", f"draftgauge gamma {words}") for words in (
    "--alpha .7..0.85 --cost .05 --for sglang",
    "--accepted '12,7,5,3,13;9,4,4,2,21' --cost .1 --for vllm",
    "--accepted-rounds '[3,0,2,4,1,0,3,3,2,0,1]' '[4,4,0,1,2]' --draft-length 4 --cost .05",
    "tests/data/counters/vllm_response.json",
    "--survival .8,.6,.5",
    "--alpha .8 --load tests/data/load/batch_table.csv")]
for name, line in [*lines, ("version", "draftgauge --version")]:
    document = documents_of(shlex.split(line)[1:])
    validator = validator_of(name)
    for error in validator.iter_errors(document):
        sys.exit(f"{line}: {'/'.join(map(str, error.absolute_path))}: {error.message}")
    # A schema that takes anything proves nothing: the document of another program must fail.
    if validator.is_valid({**document, "command": "another"}) or validator.is_valid({}):
        sys.exit(f"docs/schema/{name}.json accepts what {name} never prints")

# A file of rows that is no list of arrays has a part of its format's name, which no example shows.
document = documents_of(["inspect", "tests/data/rows/real_target.kld"])
validator_of("inspect").validate(document)
if validator_of("inspect").is_valid({**document, "kld": [{}]}):
    sys.exit("docs/schema/inspect.json accepts an empty kld")

# What simulate prints with a store, and the rows that the store holds.
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "store.jsonl"
    words = ["simulate", "zipf:vocab=3", "--positions", "1", "--store", str(path)]
    for line in [[*words, "--range", "0..10"], [*words, "--range", "20..30"], ["simulate", "--merge", str(path)]]:
        document = documents_of(line)
        validator_of("simulate").validate(document)
        for name in {"store", "merged"} & set(document):
            if validator_of("simulate").is_valid({**document, name: {}}):
                sys.exit(f"docs/schema/simulate.json accepts an empty {name}")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    if len(rows) < 2:
        sys.exit("two runs stored fewer than two rows")
    for row in rows:
        validator_of("store").validate(row)
        if row["task"] != document["task"]:
            sys.exit("a row's task is not the one that simulate prints")
        if validator_of("store").is_valid({**row, "tally": [0]}):
            sys.exit("docs/schema/store.json accepts a row that is never written")

print(f"{len(lines) + 1} documents of {len(commands) + 1} commands are valid")
