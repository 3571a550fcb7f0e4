"""The script that pages embed, as the build makes it.   usage: vega_script_test.py CMAKE SOURCE_DIR

Pythons that lack vl-convert-python, or fail for another reason, are played by shell scripts.
"""
import pathlib
import subprocess
import sys
import tempfile

cmake, source = sys.argv[1], pathlib.Path(sys.argv[2])


def made(folder, body):
    """(exit status, what is said, what is in the file) with a Python that does this."""
    python, script = folder / "python", folder / "vega.js"
    if body is not None:
        python.write_text("#!/bin/sh\n" + body)
        python.chmod(0o755)
    done = subprocess.run([cmake, f"-DRENDERER={python}", f"-DSCRIPT={script}", "-P",
                           source / "cmake" / "vega_script.cmake"], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr, script.read_text() if script.exists() else None


def check(holds, what):
    if not holds:
        sys.exit(f"vega_script: {what}")


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    for without in None, "exit 9\n":  # no such Python, or not its library
        status, said, text = made(folder, without)
        check(status == 0 and text == "" and "pages of draftgauge report will be static" in said, f"{status}: {said}")
        (folder / "vega.js").unlink()
    status, said, text = made(folder, "echo it broke >&2; exit 1\n")
    check(status != 0 and "it broke" in said and text is None, f"a failure is hidden: {status}, {said!r}, {text!r}")
    status, said, text = made(folder, 'printf script >"$2"\n')
    check((status, text) == (0, "script"), f"{status}: {said}")

    # A Python whose library packs half a script and then fails leaves none.
    library = folder / "vl_convert_python-1.dist-info"
    library.mkdir()
    (library / "METADATA").write_text("Metadata-Version: 2.1\nName: vl-convert-python\nVersion: 1\n")
    (folder / "vl_convert.py").write_text("def javascript_bundle(vl_version):\n    return '\\ud800'\n")
    for bundle, expected in ("return '\\ud800'", None), ("return 'draw()'", "draw()"):
        (folder / "vl_convert.py").write_text(f"def javascript_bundle(vl_version):\n    {bundle}\n")
        target = folder / "out" / "vega.js"
        target.parent.mkdir(exist_ok=True)
        done = subprocess.run([sys.executable, source / "cmake" / "vega_script.py", target], capture_output=True,
                              env={"PYTHONPATH": scratch, "PYTHONDONTWRITEBYTECODE": "1"})
        check((done.returncode == 0) == (expected is not None), done.stderr)
        found = target.read_text() if target.exists() else None
        check(found is None if expected is None else expected in found, f"{bundle} leaves {found!r}")
