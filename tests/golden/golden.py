"""Compares what the program prints with the transcripts of this folder:  golden.py PROGRAM SOURCE_DIR [--rewrite]

examples/COMMAND.txt holds the answer to every example of README.md and docs/. refusals/COMMAND.txt holds its own command
lines, each with the message that refuses it. A transcript is what a shell shows: the command line behind "$ ", what is
printed, lines of stderr behind "! ", files that were written behind "+ ", and the exit status where it is not 0. Answers
that depend on the machine or its clock are run and shown as "…". Each difference is printed and ends with 1; --rewrite
writes the files anew, for `git diff` to show.
"""
import concurrent.futures
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

PROGRAM, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
GOLDEN = SOURCE / "tests" / "golden"
COLUMNS = "100"
PROGRESS = r"draftgauge [a-z]+: (.*/s(, |$)|drawing figures$)"  # which only a busy machine shows
READERS_OWN = r"there is no such file|there is no rule 'cautious'"  # examples of files and rules that a reader makes


def examples():
    """The example commands of the pages by their command, each line once; a comment behind one is none of it."""
    found = {}
    for page in [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]:
        blocks = re.findall(r"^```\w*\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
        for line in re.findall(r"^(?:\$ )?(draftgauge .*)", "\n".join(blocks), re.MULTILINE):
            try:
                words = shlex.split(line, comments=True)[1:]
            except ValueError:  # of a sentence, not of a shell
                continue
            if not words or not re.fullmatch(r"[a-z]+", words[0]):
                continue
            line = re.sub(r"\s+# .*", "", line).rstrip()
            lines = found.setdefault(words[0], [])
            if line not in lines:
                lines.append(line)
    return found


def varies(words):
    """Whether an answer depends on the machine or its clock."""
    return words[0] == "bench" or words[:2] == ["list", "backends"] or "--time" in words


def refusals():
    return {path.stem: re.findall(r"^\$ (draftgauge.*)", path.read_text(), re.MULTILINE)
            for path in sorted((GOLDEN / "refusals").glob("*.txt"))}


def answer(line):
    """The transcript of a command line, run where the pages mean it to be run; what it writes is thrown away."""
    words = shlex.split(line)[1:]
    with tempfile.TemporaryDirectory() as folder:
        for entry in SOURCE.iterdir():
            if entry.name in ("README.md", "data", "docs", "tests"):
                (pathlib.Path(folder) / entry.name).symlink_to(entry)
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8", "COLUMNS": COLUMNS,
                       "DRAFTGAUGE_DATA": str(SOURCE / "data")}
        done = subprocess.run([PROGRAM, *words], cwd=folder, env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)
        written = sorted(path.name for path in pathlib.Path(folder).iterdir() if not path.is_symlink())
    if varies(words) and done.returncode in (0, 4):
        return f"$ {line}\n…\n"
    text = f"$ {line}\n{done.stdout}"
    said = re.sub(r"[\d.]+ MiB", "… MiB", done.stderr)  # a page's size follows every change of its texts
    text += "".join(f"! {line}\n" for line in said.splitlines() if not re.match(PROGRESS, line))
    text += "".join(f"+ {name}\n" for name in written)
    return text + (f"exit status {done.returncode}\n" if done.returncode else "")


def main():
    rewrite = "--rewrite" in sys.argv[3:]
    wanted = [(kind, name, line) for kind, lines in (("examples", examples()), ("refusals", refusals()))
              for name in sorted(lines) for line in lines[name]]
    files = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (kind, name, _), text in zip(wanted, pool.map(answer, (line for _, _, line in wanted))):
            files.setdefault(GOLDEN / kind / f"{name}.txt", []).append(text)
    for path, texts in files.items():
        for text in texts if path.parent.name == "examples" else []:
            if re.search(r"^exit status [23]$", text, re.MULTILINE) and not re.search(READERS_OWN, text):
                sys.exit(f"An example of the pages fails:\n{text}")
    different = 0
    stale = set((GOLDEN / "examples").glob("*.txt")) - files.keys()
    for path in sorted(files.keys() | stale):
        new = "\n".join(files.get(path, []))
        old = path.read_text() if path.exists() else ""
        if new == old:
            continue
        different += 1
        if not rewrite:
            name = str(path.relative_to(SOURCE))
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, "the program"))
        elif new:
            path.parent.mkdir(exist_ok=True)
            path.write_text(new)
        else:
            path.unlink()
    print(f"{len(wanted)} command lines, {different} files " + ("written" if rewrite else "differ"))
    if different and not rewrite:
        sys.exit("If the new texts are meant: make golden, then read git diff tests/golden")


if __name__ == "__main__":
    main()
