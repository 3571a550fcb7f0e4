"""Makes draftgauge.record of this tree importable. That part of the package is Python alone: nothing is compiled or installed."""
import pathlib
import sys
import types

if "draftgauge" not in sys.modules:
    package = types.ModuleType("draftgauge")
    package.__path__ = [str(pathlib.Path(__file__).resolve().parents[2] / "python" / "draftgauge")]
    sys.modules["draftgauge"] = package
