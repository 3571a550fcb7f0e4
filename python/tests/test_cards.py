"""Docstrings say of an argument what the program's help says of the option."""

import inspect
import pathlib
import re
import subprocess
import sys

import pytest

import draftgauge as dg
from draftgauge._cards import CARDS

ROOT = pathlib.Path(__file__).resolve().parents[2]
FUNCTIONS = {"simulate": dg.simulate, "exact": dg.exact, "verify": dg.verify, "theory": dg.theory, "measure": dg.study,
             "gamma": dg.choose_gamma, "tree": dg.choose_tree}


def test_the_cards_are_the_helps(tmp_path):
    subprocess.run([sys.executable, ROOT / "python/cards", tmp_path / "cards.py"], check=True)
    assert (tmp_path / "cards.py").read_text() == (ROOT / "python/draftgauge/_cards.py").read_text(), "run python/cards"


@pytest.mark.parametrize("words", [["--help"], ["-"], ["a", "b"]])
def test_words_that_are_no_file_are_refused(words, tmp_path):
    done = subprocess.run([sys.executable, ROOT / "python/cards", *words], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr, list(tmp_path.iterdir())) == (1, "usage: cards [FILE]\n", [])


@pytest.mark.parametrize("command", FUNCTIONS)
def test_every_argument_that_the_program_has_is_in_the_docstring(command):
    function = FUNCTIONS[command]
    page = (ROOT / "docs/commands" / f"{command}.md").read_text()
    options = {name.replace("-", "_") for name in re.findall(r"^\| (?:-\w, )?--([a-z-]+)", page, re.MULTILINE)}
    said = re.findall(r"^((?:\w+, )*\w+)  ", inspect.getdoc(function), re.MULTILINE)
    described = {name for names in said for name in names.split(", ")}
    assert options & set(inspect.signature(function).parameters) <= described
    assert set(CARDS[command]) <= set(inspect.signature(function).parameters)
    assert not re.search(r"--[a-z]", inspect.getdoc(function).replace(f"`draftgauge {command} --help`", ""))


def test_a_card_is_whole():
    said = " ".join(inspect.getdoc(dg.simulate).split())
    assert "As `draftgauge simulate --help` says them:" in said
    assert "rounds_per_trial " in said and "rounds in a row that make one trial where contexts depend on each other" in said
    assert "for rules that take several; they span a tree" in said
