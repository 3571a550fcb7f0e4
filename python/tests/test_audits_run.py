"""python/audits/run fetches what has changed in its list, and finds the package, whatever the Python: with stand-ins of pip and python."""

import os
import pathlib
import shutil
import subprocess
import sys

import draftgauge

AUDITS = pathlib.Path(__file__).resolve().parents[1] / "audits"


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)


def test_run(tmp_path):
    shutil.copytree(AUDITS, tmp_path / "audits")
    build, log = tmp_path / "build", tmp_path / "log"
    for name in ("pip", "python"):
        script(build / "audits" / "env" / "bin" / name, f'echo {name} "$PYTHONPATH" "$@" >> "{log}"')
    place = os.path.dirname(os.path.dirname(draftgauge.__file__))
    script(build / "python-env" / "bin" / "python", f'PYTHONPATH="{place}" exec "{sys.executable}" "$@"')

    def fetched(listed, **more):
        (tmp_path / "audits" / "packages.txt").write_text(listed)
        log.unlink(missing_ok=True)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run([tmp_path / "audits" / "run", build], env={**environment, **more}, capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, done.stderr
        said = log.read_text()
        assert f"python {more.get('PYTHONPATH', build / 'audits' / 'package')} -m pytest " in said
        return [line.split()[-1] for line in said.splitlines() if line.startswith("pip") and ("==" in line)]

    assert fetched("a==1\nb[x]==2 one.py\n") == ["a==1", "b[x]==2"]
    assert (build / "audits" / "package" / "draftgauge").resolve() == pathlib.Path(draftgauge.__file__).parent.resolve()
    assert fetched("a==1\nb[x]==2 one.py\n") == []
    assert fetched("a==1\nb[x]==2 one.py two.py\n") == ["b[x]==2"]
    (build / "python-env" / "bin" / "python").unlink()
    assert fetched("a==1\n", PYTHONPATH=place) == []  # another package is named


def test_a_check_leaves_the_page_as_it_is(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(AUDITS)
    import page

    path = tmp_path / "audits.md"
    text = f"before\n{page.BEGIN}| old |\n{page.END}after\n"
    path.write_text(text)
    assert page.held(path, "| old |\n", False) is None
    assert page.held(path, "| new |\n", False) == (
        "audits.md has another table: look at what a new version emits, and give --write to have it written")
    assert path.read_text() == text
    assert page.held(path, "| new |\n", True) == "audits.md has changed: look at what a new version emits"
    assert path.read_text() == text.replace("old", "new") and page.held(path, "| new |\n", False) is None


def test_the_page_has_lines_as_the_script_writes_them():
    text, script = (AUDITS.parents[1] / "docs" / "audits.md").read_text(), (AUDITS / "table.py").read_text()
    made = text.partition("<!-- made by python/audits/run -->\n")[2].partition("<!-- end -->\n")[0].splitlines()
    assert not any("¹" in line for line in made)
    for line in made[2:]:
        name = line.split(" | ")[0].removeprefix("| ")
        assert f'    "{name}": (' in script
        assert "whole texts" not in name or line.endswith("| lossless |")  # no rule of ours has their rounds
