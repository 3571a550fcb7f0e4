"""Inputs that are wrong in the ways that files are: cut, flipped, spliced, with numbers beyond all bounds, keys gone or twice."""
import gzip
import hashlib
import io
import json
import re
import zipfile

NUMBERS = [b"0", b"-1", b"-0", b"1.5", b".5", b"1e-320", b"1e308", b"1e999", b"-1e999", b"nan", b"NaN", b"inf", b"-Infinity", b"0x10",
           b"2147483648", b"4294967295", b"9007199254740993", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808",
           b"18446744073709551616", b"1" * 400, b"1e400000000", b"1/0", b"", b"null", b"true", b'"1"', b"[]", b"{}"]
TEXTS = [b"\0", b"\x1b[31m", b"\xff", b"\xc2\x9b", "\u202e".encode(), b"\r", b"\n", b"\t", b'"', b"\\", b",", b":", b"`word`", b"{}",
         b"\xef\xbb\xbf", b"\xed\xa0\x80", b"%s%n", b"x" * 70000, b"-->", b"</script>"]
EDGES = [0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 1 << 40]
NUMBER = re.compile(rb"-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
MEMBER = re.compile(rb'"[^"\\\n]*"\s*:\s*(?:"[^"\\\n]*"|[-\w.]+|\[[^][{}]*\]|\{[^{}]*\})\s*,?')
CELL = re.compile(rb"[^,\t\n]+")


def some_slice(data, chance, most=4096):
    begin = chance.randrange(len(data) + 1)
    return begin, min(len(data), begin + chance.randint(1, chance.choice((4, 64, most))))


def flip(data, chance, other):
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8))):
        at = chance.randrange(len(out))
        out[at] = chance.choice((out[at] ^ 1 << chance.randrange(8), chance.randrange(256)))
    return bytes(out)


def overwrite(data, chance, other):
    size = chance.choice((1, 2, 4, 8))
    at = chance.randrange(len(data))
    value = (chance.choice(EDGES) & (1 << 8 * size) - 1).to_bytes(size, chance.choice(("little", "little", "big")))
    return data[:at] + value + data[at + size:]


def cut(data, chance, other):
    return data[:chance.randrange(len(data))]


def behead(data, chance, other):
    return data[chance.randrange(min(len(data), 200)):]


def repeat(data, chance, other):
    begin, end = some_slice(data, chance)
    at = chance.randrange(len(data) + 1)
    return data[:at] + data[begin:end] * chance.choice((1, 1, 2, 50)) + data[at:]


def remove(data, chance, other):
    begin, end = some_slice(data, chance)
    return data[:begin] + data[end:]


def splice(data, chance, other):
    begin, end = some_slice(other, chance)
    at = chance.randrange(len(data) + 1)
    return chance.choice((data[:at] + other[begin:], data[:at] + other[begin:end] + data[at:], data + other))


def of_match(pattern, made):
    """Something else at one place, or at a few, where the pattern is found."""
    def change(data, chance, other):
        places = list(pattern.finditer(data))
        for place in sorted(chance.sample(places, min(len(places), chance.choice((1, 1, 2, 5)))), key=lambda m: -m.start()):
            data = data[:place.start()] + made(place[0], chance) + data[place.end():]
        return data
    return change


def nudged(text, chance):
    """A digit changed, so that most readers take it."""
    digits = [i for i in range(len(text)) if text[i:i + 1].isdigit()]
    at = chance.choice(digits)
    return text[:at] + b"%d" % chance.randrange(10) + text[at + 1:]


def nested(text, chance):
    depth = chance.choice((3, 40, 99, 101, 5000))
    begin, end = chance.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"[", b"")))
    return begin * depth + text + end * depth


def shuffle(data, chance, other):
    lines = data.splitlines(keepends=True)
    a, b = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[a], lines[b] = chance.choice(((lines[b], lines[a]), (lines[a], lines[a]), (b"", lines[b])))
    return b"".join(lines)


def insert(data, chance, other):
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(TEXTS) + data[at:]


number = of_match(NUMBER, lambda _, chance: chance.choice(NUMBERS))
nudge = of_match(NUMBER, nudged)
no_member = of_match(MEMBER, lambda text, chance: b"")
twice = of_match(MEMBER, lambda text, chance: text.rstrip(b",") + b"," + text)
deep = of_match(NUMBER, nested)
cell = of_match(CELL, lambda text, chance: chance.choice(NUMBERS + TEXTS))
ANY = [flip, flip, overwrite, cut, behead, repeat, remove, splice, insert]
TEXTUAL = [number, number, number, nudge, nudge, nudge, nudge, no_member, no_member, twice, deep, cell, shuffle]


def is_text(data):
    return b"\0" not in data[:512]


def changed(data, chance, other):
    """One change, or a few, of any kind."""
    for _ in range(chance.choice((1, 1, 1, 3))):
        if data:
            data = chance.choice(ANY + TEXTUAL * 3 if is_text(data) else ANY)(data, chance, other)
    return data


def of_zip(data, chance, other):
    """A file of an archive changed, whose checksums are right."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    at = chance.randrange(len(members))
    members[at] = (members[at][0], mutated(members[at][1], chance, other))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def of_header(data, chance, other):
    """The header of a .safetensors changed, with the length that it has."""
    size = int.from_bytes(data[:8], "little")
    header = changed(data[8:8 + size], chance, other)
    return len(header).to_bytes(8, "little") + header + data[8 + size:]


def of_npy(data, chance, other):
    size = int.from_bytes(data[8:10], "little")
    header = changed(data[10:10 + size], chance, other)[:65535]
    return data[:8] + len(header).to_bytes(2, "little") + header + data[10 + size:]


def mutated(data, chance, other):
    """The data with what a reader finds behind checksums and lengths changed as often as these themselves."""
    if chance.random() < .6:
        try:
            if data.startswith(b"PK\3\4"):
                return of_zip(data, chance, other)
            if data.startswith(b"\x93NUMPY\1"):
                return of_npy(data, chance, other)
            if data[8:9] == b"{":
                return of_header(data, chance, other)
        except (zipfile.BadZipFile, NotImplementedError, ValueError):
            pass
    data = changed(data, chance, other)
    return gzip.compress(data, 1) if chance.random() < .02 else data


def sealed(data):
    """Each line as a row of a store, whose checksum is right."""
    return b"".join(b'%s,"checksum":"%s"}\n' % (line, hashlib.sha256(line).hexdigest()[:16].encode()) for line in data.splitlines())


def once(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def read_json(text):
    """What programs read of a document: each key once, and no number that JSON has not."""
    def refused(name):
        raise ValueError(f"{name} is no JSON")
    return json.loads(text, object_pairs_hook=once, parse_constant=refused)
