"""How a recorder ends: an error, worded "problem (why it matters) suggestion", becomes a line and an exit status."""
import pathlib
import sys

import package  # noqa: F401: where draftgauge is
from draftgauge._errors import InputError, UsageError, printable  # noqa: F401: recorders have them from here


def require_numpy() -> None:
    """Ends the program with a line where numpy is missing. Called before what needs it is imported."""
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        print(f"{pathlib.Path(sys.argv[0]).name}: numpy is missing ({error}): pip install numpy", file=sys.stderr)
        sys.exit(3)


def run(main) -> None:
    """Runs a program: 2 where the request makes no sense as written, 3 where a file or a model is bad or a package missing."""
    try:
        main()
    except (UsageError, InputError) as error:
        print(f"{pathlib.Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        sys.exit(2 if isinstance(error, UsageError) else 3)
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
