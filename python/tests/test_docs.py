"""The blocks of docs/python.md run, and print what stands there."""

import contextlib
import io
import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_the_page_prints_what_it_says():
    names, wrong = {}, []
    for code, printed in re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE.read_text(), re.DOTALL):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, names)  # noqa: S102: the page is ours
        if out.getvalue() != printed:
            wrong.append(out.getvalue())
    assert wrong == []
    with pytest.raises(AssertionError, match="nearest known bug: faulty/residual-from-target"):
        names["test_sampler"]()
