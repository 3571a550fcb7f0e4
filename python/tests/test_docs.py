"""The Python blocks of the docs run, and print what stands there."""

import ast
import builtins
import contextlib
import inspect
import io
import operator
import pathlib
import re

import pytest

import draftgauge as dg

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


def test_history():
    assert run("history.md")[1] == []


def blocks(page):
    """What needs more than there is here: models, projects."""
    return re.findall(r"```py\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)


@pytest.mark.parametrize("page, given", [("python.md", {"target", "draft", "tokenizer"}), ("audits.md", set())])
def test_what_is_not_run_has_its_imports_and_names_what_there_is(page, given):
    names = run(page)[0] | {"__builtins__": builtins}
    known = {*names, *given, *dir(builtins)}
    for tree in map(ast.parse, blocks(page)):
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                known |= {one.asname or one.name for one in node.names}
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                known.add(node.id)
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert used <= known, ast.unparse(tree)
        for node in ast.walk(tree):
            chain = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
            if chain.startswith(("dg.", "draftgauge.", "adapters.")) and "(" not in chain:
                operator.attrgetter(chain.partition(".")[2])(dg.adapters if chain.startswith("adapters.") else dg)
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("dg.audit", "draftgauge.audit"):
                assert {one.arg for one in node.keywords} <= {*inspect.signature(dg.audit).parameters}
    assert blocks(page)


def test_adding_a_rule():
    names, wrong = run("adding-a-rule.md")
    assert wrong == [] and "cautious" in names
