"""Could the target have written the text? How often honest texts are rejected, and which others are found.

Texts of a simulated pair: each position has its own logits over 64 tokens, peaked ones and flat ones, and a draft that is
the target with noise. Recorded as two columns (log p, log q), with the entropy of p beside them, and as full rows.
"""

import array
import json
import math
import os
import random
import struct

import common

NAME = "could the target have written the text?"
VOCAB = 64
TOKENS, MANY_TOKENS = 600, 3000
TEXTS = 4
FALSE_ALARM = 1e-4
HONEST, HONEST_SHORT, OTHERS = 200, 2000, 30  # recordings a row


def softmax(logits, temperature=1.0):
    top = max(logits)
    weights = [math.exp((z - top) / temperature) for z in logits]
    total = math.fsum(weights)
    return [w / total for w in weights]


class Recording:
    """Logits of both models and the text that a writer drew from the target's."""

    def __init__(self, seed, temperature=1.0, tokens=TOKENS):
        rng = random.Random(seed)
        self.target, self.draft, self.tokens = [], [], []
        for _ in range(tokens):
            scale = rng.choice((.7, 1.5, 3.0))
            z = [scale * -math.log(rng.expovariate(1)) for _ in range(VOCAB)]
            self.target.append(z)
            self.draft.append([x + rng.gauss(0, 1) for x in z])
            self.tokens.append(rng.choices(range(VOCAB), softmax(z, temperature))[0])

    def swapped(self):
        self.target, self.draft = self.draft, self.target
        return self

    def shifted(self, by):
        """Row i is the distribution of token i + by."""
        self.tokens = self.tokens[-by:] + self.tokens[:-by]
        return self

    def columns(self, path, entropy):
        with open(path, "w", encoding="utf-8") as file:
            file.write("# temperature: 1\nseq\tlogp\tlogq" + ("\tentropy_p" if entropy else "") + "\n")
            for i, (z, w, x) in enumerate(zip(self.target, self.draft, self.tokens)):
                p, q = softmax(z), softmax(w)
                row = [i * TEXTS // len(self.tokens), math.log(p[x]), math.log(q[x])]
                if entropy:
                    row.append(-math.fsum(each * math.log(each) for each in p if each > 0))
                file.write("\t".join(str(each) for each in row) + "\n")

    def rows(self, path):
        """Safetensors, as data/README.md has them."""
        parts = {"target_logits": ("F32", [len(self.tokens), VOCAB], flat("f", self.target)),
                 "draft_logits": ("F32", [len(self.tokens), VOCAB], flat("f", self.draft)),
                 "tokens": ("I64", [len(self.tokens)], array.array("q", self.tokens).tobytes()),
                 "sequence": ("I64", [len(self.tokens)],
                              array.array("q", [i * TEXTS // len(self.tokens)
                                                for i in range(len(self.tokens))]).tobytes())}
        header, data = {"__metadata__": {"temperature_of_text": "1"}}, b""
        for name, (dtype, shape, content) in parts.items():
            header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
            data += content
        text = json.dumps(header).encode()
        with open(path, "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text + data)


def flat(code, rows):
    return array.array(code, [x for row in rows for x in row]).tobytes()


def verdicts(program, folder, recording, forms):
    """Which of the forms the program rejects, and the cause it names for full rows."""
    found = {}
    for form in forms:
        path = os.path.join(folder, "rows.safetensors" if form == "rows" else "columns.tsv")
        if form == "rows":
            recording.rows(path)
        else:
            recording.columns(path, form == "entropy")
        document = program("inspect", path)
        said = document["recording" if form == "rows" else "scores"]["target_wrote_it"]
        found[form] = (said["rejected"], said["cause"] or "")
    return found


WORDS = {"columns": "two columns", "entropy": "with entropies", "rows": "full rows"}


def count(program, trials, make, forms, cause=""):
    """How often each form is rejected, of full rows with a cause that begins so."""
    wrong = dict.fromkeys(forms, 0)
    with common.folder() as folder:
        for trial in range(trials):
            for form, (rejected, said) in verdicts(program, folder, make(trial), forms).items():
                wrong[form] += rejected and (form != "rows" or cause in said)
    return wrong


def far(path):
    """Two columns of log p between -90 and -40."""
    rng = random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        file.write("# temperature: 1\nseq\tlogp\tlogq\n")
        for i in range(TOKENS):
            file.write(f"{i * TEXTS // TOKENS}\t{rng.uniform(-90, -40)}\t{rng.uniform(-90, -40)}\n")


def rows(program):
    all_forms = ("columns", "entropy", "rows")
    for form, wrong in count(program, HONEST, Recording, all_forms).items():
        yield common.Row(f"honest, {WORDS[form]}", FALSE_ALARM, wrong, HONEST)
    # So many that a false alarm of .005 would be seen: four are too many, and 2000 would have ten.
    short = count(program, HONEST_SHORT, lambda seed: Recording(10_000 + seed, tokens=40), all_forms)
    for form, wrong in short.items():
        yield common.Row(f"honest, 40 tokens, {WORDS[form]}", FALSE_ALARM, wrong, HONEST_SHORT)

    # Of 600 tokens only a gross temperature shows; nothing is promised of .9 and 1.1. Two columns see no temperature at
    # all, and the answer says so: what they reject is a mistake.
    power = {(.6, MANY_TOKENS): .95, (.8, MANY_TOKENS): .95, (.9, MANY_TOKENS): .7, (1.1, MANY_TOKENS): .6,
             (1.25, MANY_TOKENS): .95, (1.25, TOKENS): .8, (.9, TOKENS): None, (1.1, TOKENS): None}
    for (temperature, tokens), promised in power.items():
        def make(seed, temperature=temperature, tokens=tokens):
            return Recording(20_000 + seed, temperature, tokens)
        found = count(program, OTHERS, make, all_forms, "At T = ")
        for form, seen in found.items():
            what = f"T = {temperature:g}, {tokens} tokens, {WORDS[form]}"
            if form == "columns":
                yield common.Row(what, .01, seen, OTHERS, "at most", "cannot be seen")
            elif promised is None:
                yield common.Row(what, 0, seen, OTHERS, "counted")
            else:
                yield common.Row(what, promised, seen, OTHERS, "at least")
    with common.folder() as folder:
        path = os.path.join(folder, "far.tsv")
        far(path)
        rejected = program("inspect", path)["scores"]["target_wrote_it"]["rejected"]
    yield common.Row("log p from -90 to -40, two columns", 1, int(rejected), 1, "at least")
    for what, change, cause, forms in (
            ("p and q exchanged", Recording.swapped, "With the two models exchanged", all_forms),
            ("row i of token i + 1", lambda one: one.shifted(1), "With the tokens moved one row up", ("rows",)),
            ("row i of token i - 1", lambda one: one.shifted(-1), "With the tokens moved one row down", ("rows",))):
        found = count(program, OTHERS, lambda seed, change=change: change(Recording(30_000 + seed)), forms, cause)
        for form, seen in found.items():
            yield common.Row(f"{what}, {WORDS[form]}", .95, seen, OTHERS, "at least",
                             "and the cause is named" if form == "rows" else "")
