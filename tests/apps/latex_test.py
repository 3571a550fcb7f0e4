"""Every table as booktabs, through LaTeX.   usage: latex_test.py PROGRAM SOURCE_DIR; 77 where there is no LaTeX"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

program, source = (pathlib.Path(word).resolve() for word in sys.argv[1:])
ENGINES = {
    "pdflatex": ["-interaction=nonstopmode", "-halt-on-error"],
    "lualatex": ["-interaction=nonstopmode", "-halt-on-error"],
    "tectonic": ["--only-cached"],
}
FRAME = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{booktabs}
\begin{document}
%s
\end{document}
"""


def typeset(engine, text, folder):
    """Whether LaTeX takes the text, and what it says."""
    (folder / "all.tex").write_text(FRAME % text)
    done = subprocess.run([engine, *ENGINES[engine], "all.tex"], cwd=folder, capture_output=True, text=True,
                          errors="replace", timeout=300)
    log = folder / "all.log"
    said = done.stdout + (log.read_text(errors="replace") if log.exists() else "")
    return done.returncode == 0 and "Missing character" not in said, said


engine = next((name for name in ENGINES if shutil.which(name)), None)
if engine is None:
    print("no LaTeX here")
    sys.exit(77)

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    if not typeset(engine, "Nothing.", folder)[0]:
        print(f"{engine} lacks booktabs, or cannot run")
        sys.exit(77)
    recording = source / "data" / "smollm2" / "prune2_T1.tsv"
    subprocess.run([program, "table", "all", recording, "--format", "latex", "-o", folder / "tables"], check=True,
                   stdout=subprocess.DEVNULL)
    tables = sorted((folder / "tables").glob("*.tex"))
    listed = subprocess.run([program, "list", "tables", "--format", "csv"], check=True, capture_output=True, text=True)
    if len(tables) != len(listed.stdout.splitlines()) - 1:
        sys.exit(f"{len(tables)} files for the tables of: {listed.stdout}")
    texts = [path.read_text() for path in tables]
    for path, text in zip(tables, texts):
        if text.count("\\begin{tabular}") == 0 or "\\toprule" not in text:
            sys.exit(f"{path.name} holds no booktabs table")
    good, said = typeset(engine, "\n\\clearpage\n".join(texts), folder)
    if not good:
        sys.exit(f"{engine} refuses a table: {said[-3000:]}")
    # A check that takes anything proves nothing.
    if typeset(engine, texts[0].replace("\\toprule", "\\topprule"), folder)[0]:
        sys.exit(f"{engine} takes a rule that there is not")
    print(f"{len(tables)} tables by {engine}")
