"""Runs the program on a pseudo-terminal as its users do: the progress line, and Ctrl-C.

usage: terminal_test.py PROGRAM SOURCE_DIR

What is printed then must be true: the range that an interrupted run names, played again, gives the same counts.
"""
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

try:
    for descriptor in pty.openpty():
        os.close(descriptor)
except OSError as error:
    # A sandbox without /dev/ptmx or devpts: nothing of a terminal can be seen there.
    print(f"skipped: this machine gives no pseudo-terminal ({error.strerror or error})")
    sys.exit(77)

program = str(pathlib.Path(sys.argv[1]).resolve())
task = ["simulate", "exact-alpha:vocab=8,alpha=0.6", "--gamma", "3"]


class Terminal:
    """The program with standard error on a terminal, and standard output in a pipe or there, too."""

    def __init__(self, words, out=subprocess.PIPE, columns=0, variables=None):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
        self.run = subprocess.Popen([program, *words], stdin=theirs, stdout=out or theirs, stderr=theirs, text=True,
                                    start_new_session=True,
                                    env={**environment, "TERM": "xterm", **(variables or {})}, preexec_fn=lambda: take_terminal(theirs))
        os.close(theirs)
        self.ours, self.shown = ours, ""

    def read(self, seconds):
        if select.select([self.ours], [], [], seconds)[0]:
            try:
                self.shown += os.read(self.ours, 4096).decode(errors="replace")
            except OSError:  # the other side is closed
                return False
        return True

    def wait_for(self, pattern):
        end = time.monotonic() + 30
        while not (found := re.search(pattern, self.shown)):
            if time.monotonic() > end:
                sys.exit(f"{pattern} does not come: {self.shown!r}")
            self.read(1)
        return found

    def press_ctrl_c(self):
        os.write(self.ours, b"\x03")

    def finish(self):
        """Exit status and standard output; what the terminal shows is read meanwhile."""
        end = time.monotonic() + 60
        while self.run.poll() is None:
            self.read(0.05)
            if time.monotonic() > end:
                sys.exit("the program does not end")
        out = self.run.stdout.read() if self.run.stdout else ""
        while select.select([self.ours], [], [], 0)[0] and self.read(0):
            pass
        os.close(self.ours)
        return self.run.returncode, out


def take_terminal(terminal):
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def check(holds, what):
    if not holds:
        sys.exit(what)


def counts(words):
    document = json.loads(subprocess.run([program, *words, "--format", "json"], check=True, capture_output=True,
                                         text=True).stdout)
    return document["accepted_histogram"]


# A table is as wide as the terminal, verdicts have colours; NO_COLOR and COLUMNS are heard; a pipe gets neither.
def shown_on(columns, **variables):
    terminal = Terminal(["verify", "markov:vocab=4", "--rounds", "20k"], out=None, columns=columns, variables=variables)
    status, _ = terminal.finish()
    check(status in (0, 4), f"exit {status}")
    return terminal.shown

def widest(text):
    return max(len(re.sub(r"\x1b\[\d+m", "", line)) for line in text.split("\r\n"))

narrow, wide = shown_on(90), shown_on(150)
check(widest(narrow) <= 90 < widest(wide) <= 150, f"{widest(narrow)} and {widest(wide)} columns")
check("\x1b[32mholds\x1b[0m" in wide, f"no colour: {wide!r}")
check("\x1b[" not in shown_on(100, NO_COLOR="1") and "\x1b[" not in shown_on(100, TERM="dumb"), "colours are shown to who wants none")
check(widest(shown_on(150, COLUMNS="95")) <= 95, "COLUMNS is not heard")

# The line of a run with a limit of time says the rate and the time left, and goes in the end.
terminal = Terminal([*task, "--time", "1500ms", "--format", "json"])
terminal.wait_for(r"\rtoken, γ = 3: \S+ rounds, \S+/s, [12]s left")
status, out = terminal.finish()
check(status == 0 and re.search(r"\r +\r$", terminal.shown), f"exit {status}, on the terminal: {terminal.shown!r}")
document = json.loads(out)
check(document["stopping"] == {"ended_by": "time", "time": 1.5}, f"stopping is {document['stopping']}")
begin, end = document["range"]
check(counts([*task, "--range", f"{begin}..{end}"]) == document["accepted_histogram"], "the range gives other counts")

# With both limits the nearer one says how much is left.
terminal = Terminal([*task, "--time", "1s", "--rounds", "1e15"])
terminal.wait_for(r"0 % of 1e\+03T rounds, \S+/s, 1s left")
check(terminal.finish()[0] == 0, "a run with both limits fails")

# A precision far away: the pilot tells how long it will take.
terminal = Terminal([*task, "--time", "2s", "--precision", "1e-6", "--format", "json"])
terminal.wait_for(r"0 % of \S+T rounds, \S+/s, [12]s left")
document = json.loads(terminal.finish()[1])
check(document["stopping"]["ended_by"] == "time" and not document["stopping"]["precision"]["reached"],
      f"stopping is {document['stopping']}")

# The first Ctrl-C ends the run with what was played.
for how in ([], ["--precision", "1e-6"]):
    terminal = Terminal([*task, "--rounds", "1e15", *how, "--format", "json"])
    terminal.wait_for(r"rounds, ")
    terminal.press_ctrl_c()
    status, out = terminal.finish()
    check(status == 130, f"exit {status} after Ctrl-C")
    document = json.loads(out)
    check(document["stopping"]["ended_by"] == "interrupt", f"stopping is {document['stopping']}")
    begin, end = document["range"]
    check(counts([*task, "--range", f"{begin}..{end}"]) == document["accepted_histogram"], "other counts")

terminal = Terminal(["verify", "zipf:vocab=8", "--gamma", "1,2,3", "--rounds", "1e15", "--format", "json"])
terminal.wait_for(r"token, γ = 1 \(1 of 3\): ")
terminal.press_ctrl_c()
status, out = terminal.finish()
check(status == 130, f"verify exits with {status} after Ctrl-C")
document = json.loads(out)
check(document["stopping"] == {"ended_by": "interrupt", "not_played": 2}, f"stopping is {document['stopping']}")
check({entry["gamma"] for entry in document["checks"]} == {1}, "checks of what was not played")

# What has nothing to say until it is done says so, and writes nothing.
with tempfile.TemporaryDirectory() as folder:
    place = pathlib.Path(folder) / "result.json"
    recording = f"{sys.argv[2]}/data/smollm2/prune2_T1.tsv"
    for words in (["bench", "--turns", "1000000", "--no-numpy", "--json", f"{folder}/bench.json"],
                  ["measure", recording, "--resamples", "1e5", "--coin-runs", "1e4"],
                  ["exact", "--for-all", "--rule", "block", "--gamma", "3", "--vocab", "4", "--points", "1e9"],
                  ["exact", "--rule", "block", "--gamma", "14", "--p", ".3,.7", "--q", ".6,.4"]):
        place.write_text("before")
        terminal = Terminal([*words, "-o", str(place)])
        time.sleep(1)
        check(terminal.run.poll() is None, f"{words[0]} was done too soon: {terminal.shown!r}")
        terminal.press_ctrl_c()
        status, out = terminal.finish()
        check(status == 130 and out == "", f"{words[0]} exits with {status} after Ctrl-C, and prints {out!r}")
        check(f"\ndraftgauge {words[0]}: interrupted: nothing was written" in terminal.shown.replace("\r", ""),
              f"{words[0]} says {terminal.shown!r}")
        check(place.read_text() == "before" and os.listdir(folder) == ["result.json"],
              f"{words[0]} left {os.listdir(folder)}")

# A page goes to a file or a pipe: its source is nothing for a terminal.
page = ["report", "--alpha", ".8", "--cost", ".05"]
terminal = Terminal(page, out=None)
status, _ = terminal.finish()
said = ("error: its result is an HTML page (a terminal would show its source)\nhint: give it a file: -o report.html, "
        "or read its words: --format md")
check(status == 2 and terminal.shown.replace("\r\n", "\n").strip() == said, f"exit {status}, on the terminal: {terminal.shown[:400]!r}")
piped = subprocess.run([program, *page], stdout=subprocess.PIPE, text=True)  # more than a pipe holds, so read at once
check(piped.returncode == 0 and piped.stdout.startswith("<!doctype html>"), f"in the pipe: {piped.stdout[:80]!r}")
terminal = Terminal([*page, "--format", "md"], out=None)
check(terminal.finish()[0] == 0 and "Drafting 8 tokens a round" in terminal.shown, f"words: {terminal.shown[:400]!r}")
with tempfile.TemporaryDirectory() as folder:
    terminal = Terminal([*page, "-o", f"{folder}/page.html"], out=None)
    check(terminal.finish()[0] == 0 and os.listdir(folder) == ["page.html"], f"-o: {terminal.shown[:400]!r}")
    said = terminal.shown.strip().rpartition("\r")[2]  # the line of the drawing is gone
    check(re.fullmatch(rf"draftgauge report: {folder}/page.html is written, [0-9.]+ .iB", said),
          f"-o says {terminal.shown!r}")
    terminal = Terminal([*page, "-o", f"{folder}/page.html", "--quiet"], out=None)
    check(terminal.finish()[0] == 0 and terminal.shown == "", f"-o --quiet says {terminal.shown!r}")

# A specification is for programs: a terminal gets what it says, a pipe gets it.
figure = ["figure", "leviathan-2", "--alpha", ".5", "--gamma", "3"]
terminal = Terminal(figure, out=None)
status, _ = terminal.finish()
check(status == 0 and re.search(r"γ = 3 +3 +0\.50 +1\.8750", terminal.shown)
      and "-o leviathan-2.svg draws it" in " ".join(terminal.shown.split()) and "$schema" not in terminal.shown,
      f"exit {status}, on the terminal: {terminal.shown[:800]!r}")
terminal = Terminal(["figure", "speedup-map"], out=None)
check(terminal.finish()[0] == 0 and len(terminal.shown.splitlines()) < 70 and "-o speedup-map.csv has all" in
      " ".join(terminal.shown.split()), f"a figure of many numbers: {terminal.shown[-400:]!r}")
check(json.loads(subprocess.run([program, *figure], stdout=subprocess.PIPE, text=True).stdout)["$schema"],
      "a pipe gets no specification")

# What takes longer than a moment says how far it is.
terminal = Terminal(["figure", "certificate", "--threads", "1"])
terminal.wait_for(r"\rfigure certificate: \d+ % of 20M steps, \S+/s, \S+ left")
check(terminal.finish()[0] == 0, "figure certificate fails")

# So does what another program draws, which here takes as long as the line is waited for.
with tempfile.TemporaryDirectory() as folder:
    renderer = pathlib.Path(folder) / "renderer"
    renderer.write_text(f"#!/bin/sh\nprintf . >&3\nwhile [ ! -e {folder}/go ]; do sleep .1; done\n"
                        r"printf 'ok 1\naok 1\nb'")
    renderer.chmod(0o700)
    os.environ["DRAFTGAUGE_RENDERER"] = str(renderer)
    terminal = Terminal(["figure", "leviathan-2", "leviathan-3", "-o", f"{folder}/out/"])
    terminal.wait_for(r"\rdrawing figures: 50 % of 2 pictures, \S+/s, \S+ left")
    (pathlib.Path(folder) / "go").touch()
    check(terminal.finish()[0] == 0 and re.search(r"\r +\r", terminal.shown), f"drawing ends so: {terminal.shown!r}")
    check((pathlib.Path(folder) / "out/leviathan-3.svg").read_text() == "b", "what was drawn is not there")
    (pathlib.Path(folder) / "go").unlink()
    terminal = Terminal(["report", "--alpha", ".8", "-o", f"{folder}/page.html"])
    terminal.wait_for(r"\rdrawing figures: \d+ % of \d+ pictures, ")
    (pathlib.Path(folder) / "go").touch()
    terminal.finish()  # of too few drawings: the renderer is named, as tests/apps/figure/figure_command_test.cc has it
    del os.environ["DRAFTGAUGE_RENDERER"]

# The second ends the program as always. One trial here takes long, so that the first is not yet heard.
terminal = Terminal(["simulate", "markov:vocab=64", "--rule", "block", "--gamma", "256",
                     "--rounds-per-trial", "1048576"])
time.sleep(1)
terminal.press_ctrl_c()
time.sleep(0.5)
check(terminal.run.poll() is None, "the first Ctrl-C ended a run in the middle of a trial")
terminal.press_ctrl_c()
status, out = terminal.finish()
check(status == -signal.SIGINT and out == "", f"exit {status} after the second Ctrl-C")

# Who ignores Ctrl-C, as a job in the background of a script does, is not interrupted.
quiet = subprocess.Popen([program, *task, "--time", "1s", "--quiet", "--format", "json"], stdout=subprocess.PIPE,
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
time.sleep(0.4)
quiet.send_signal(signal.SIGINT)
out, _ = quiet.communicate()
check(quiet.returncode == 0 and json.loads(out)["stopping"]["ended_by"] == "time", "an ignored Ctrl-C was heard")

print("progress and Ctrl-C are as they should be")
