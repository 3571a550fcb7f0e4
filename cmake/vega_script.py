"""Writes the scripts of Vega that vl-convert-python packs as one, for pages:  vega_script.py FILE

Leaves a file alone that is of this version already. Where this Python lacks the library it exits with 9.
"""
import importlib.metadata
import os
import pathlib
import sys

MISSING = 9

try:
    version = importlib.metadata.version("vl-convert-python")
except importlib.metadata.PackageNotFoundError:
    sys.exit(MISSING)
head = ("// Vega, Vega-Lite, Vega-Embed (https://vega.github.io), BSD-3-Clause, (c) University of Washington\n"
        f"// Interactive Data Lab, as vl-convert-python {version} packs them.\n")
path = pathlib.Path(sys.argv[1])
if not path.exists() or not path.read_text(encoding="utf-8").startswith(head):
    import vl_convert
    script = vl_convert.javascript_bundle(vl_version="6.1")
    # In a page the script ends where HTML says, whatever JavaScript thinks.
    for mark in "</script", "<script", "<!--":
        if mark in script.lower():
            sys.exit(f"vl-convert-python {version} holds {mark}, which would break a page")
    # Whole or not at all: what is cut off would pass for this version at the next build.
    made = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    made.write_text(head + '(() => {\n"use strict";\n' + script + "\n})();\n", encoding="utf-8")
    os.replace(made, path)
