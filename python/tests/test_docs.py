"""The Python blocks of the docs run, and print what stands there."""

import contextlib
import io
import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def run(page):
    """What the page's blocks define, and what they print otherwise than the page says."""
    names, wrong = {}, []
    for code, printed in re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", (DOCS / page).read_text(), re.DOTALL):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, names)  # noqa: S102: the page is ours
        if out.getvalue() != printed:
            wrong.append(out.getvalue())
    return names, wrong


def test_python():
    names, wrong = run("python.md")
    assert wrong == []
    with pytest.raises(AssertionError, match="nearest known bug: faulty/residual-from-target"):
        names["test_sampler"]()


def test_adding_a_rule():
    names, wrong = run("adding-a-rule.md")
    assert wrong == [] and "cautious" in names
