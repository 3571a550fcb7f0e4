"""The program of an installed package finds what is installed with it, wherever that was moved to."""

import os
import pathlib
import shutil
import subprocess

import pytest

from draftgauge import _program

PACKAGE = _program.path().parents[1]


@pytest.fixture
def moved(tmp_path):
    if not _program.path().is_file():
        pytest.skip("NO PROGRAM in this package (it was left out of the build)")
    place = tmp_path / "there" / PACKAGE.name
    for folder in ("bin", "share"):
        shutil.copytree(PACKAGE / folder, place / folder)
    libraries = f"{PACKAGE.name}.libs"  # what a repaired wheel brings for other systems
    if (PACKAGE.parent / libraries).exists():
        shutil.copytree(PACKAGE.parent / libraries, place.parent / libraries)
    return place


def run(place, *arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DRAFTGAUGE_")}
    return subprocess.run([place / "bin" / "draftgauge", *arguments], capture_output=True, text=True, cwd=place, env=environment,
                          check=False)


def test_a_program_that_was_moved_finds_its_recordings(moved):
    done = run(moved, "figure", "survival", "--format", "csv")
    assert done.returncode == 0 and done.stdout, done.stderr
    shutil.rmtree(moved / "share")
    done = run(moved, "figure", "survival", "--format", "csv")
    if not pathlib.Path("/usr/share/draftgauge/data").exists():  # of a Debian package
        assert done.returncode == 3 and done.stderr.startswith(
            "error: /usr/share/draftgauge/data/smollm2/prune2_T1.tsv is not there"), done.stderr


def test_a_program_installed_by_pip_says_what_draws(moved):
    (moved / "__init__.py").touch()
    nothing = {"DRAFTGAUGE_RENDERER": "none", "PATH": os.environ["PATH"]}
    done = subprocess.run([moved / "bin" / "draftgauge", "figure", "leviathan-2", "-o", "x.svg"], capture_output=True, text=True,
                          cwd=moved, env=nothing, check=False)
    assert done.returncode == 3
    assert done.stderr.endswith("hint: pip install vl-convert-python beside the package draftgauge\n")
