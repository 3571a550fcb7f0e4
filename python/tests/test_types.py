"""Whoever uses the package is helped by its types."""

import pathlib
import subprocess
import sys

import pytest

USE = """
import draftgauge as dg
reveal_type(dg.simulate("markov:vocab=4").mean_tokens)
reveal_type(dg.theory(.8, 5).speedup)
reveal_type(dg.audit(lambda b: b.drafts).lossless)
reveal_type(dg.exact("markov:vocab=2").mean_accepted)
dg.simulate("markov:vocab=4", gamma="five")
"""


ROOT = pathlib.Path(__file__).resolve().parents[2]


def mypy(tmp_path, *arguments):
    pytest.importorskip("mypy", reason="NO MYPY: types are not checked")
    return subprocess.run([sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", "--cache-dir", tmp_path / "cache",
                           *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)


def test_the_package_is_strictly_typed(tmp_path):
    done = mypy(tmp_path, "-p", "draftgauge")
    assert done.stdout.startswith("Success: no issues found in "), done.stdout + done.stderr


def test_types(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    done = mypy(tmp_path, tmp_path / "use.py")
    said = [line.split(": ", 1)[1] for line in done.stdout.splitlines() if "use.py:" in line]
    assert [line for line in said if line.startswith("note: Revealed")] == [
        'note: Revealed type is "tuple[float, float | None, float | None, float, '
        'fallback=draftgauge._results.Interval] | None"',
        'note: Revealed type is "float"', 'note: Revealed type is "bool | None"', 'note: Revealed type is "fractions.Fraction"']
    assert [line for line in said if line.startswith("error")] == [
        'error: Argument "gamma" to "simulate" has incompatible type "str"; expected "int | None"  [arg-type]']
