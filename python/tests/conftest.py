import json
import os
import pathlib
import subprocess

import pytest

from draftgauge import _program

ROOT = pathlib.Path(__file__).resolve().parents[2]


class ByDlpack:
    """An array that offers DLPack alone, as some libraries' do."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.fixture(scope="session")
def program():
    """What the program prints as JSON: that of DRAFTGAUGE_PROGRAM, else of the package."""
    path = os.environ.get("DRAFTGAUGE_PROGRAM") or _program.path()
    if not os.path.exists(path):
        pytest.skip("NO PROGRAM to compare with: name one in DRAFTGAUGE_PROGRAM")

    def run(*arguments):
        done = subprocess.run([path, *map(str, arguments), "--format", "json"], capture_output=True, text=True, cwd=ROOT,
                              check=False)
        assert done.returncode in (0, 1, 4), done.stderr
        return json.loads(done.stdout)

    return run
