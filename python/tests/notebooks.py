"""Runs a notebook's cells without a display, and compares or writes what they print:  notebooks.py NOTEBOOK…"""

import ast
import contextlib
import io
import json
import os
import pathlib
import sys


def printed(path):
    """What each code cell prints, [(cell, text)]. The last expression of a cell is shown, as a notebook would, but not compared."""
    names, found = {}, []
    notebook = json.loads(path.read_text(encoding="utf-8"))
    before = pathlib.Path.cwd()
    os.chdir(path.parent)
    try:
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                continue
            tree = ast.parse("".join(cell["source"]))
            shown = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(tree, path.name, "exec"), names)
                if shown:
                    value = eval(compile(ast.Expression(shown.value), path.name, "eval"), names)
                    for one in ("_repr_mimebundle_", "_repr_html_"):
                        if hasattr(value, one):
                            getattr(value, one)()
            found.append((cell, out.getvalue()))
    finally:
        os.chdir(before)
    return notebook, found


def stored(cell):
    return "".join("".join(one["text"]) for one in cell["outputs"] if one["output_type"] == "stream")


def main(*paths):
    for path in map(pathlib.Path, paths):
        notebook, found = printed(path.resolve())
        for number, (cell, text) in enumerate(found, 1):
            cell["execution_count"] = number
            stream = {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
            cell["outputs"] = [stream] if text else []
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
