"""Errors that the person at the keyboard can mend, worded "problem (why it matters) suggestion"."""
import pathlib
import sys


class UsageError(Exception):
    """The request makes no sense as written; exit status 2."""


class InputError(Exception):
    """A file or a model is bad, or a package is missing; exit status 3."""


def require_numpy() -> None:
    """Ends the program with a line where numpy is missing. Called before what needs it is imported."""
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        print(f"{pathlib.Path(sys.argv[0]).name}: numpy is missing ({error}): pip install numpy", file=sys.stderr)
        sys.exit(3)


def run(main) -> None:
    """Runs a program; an error becomes a line and an exit status."""
    try:
        main()
    except (UsageError, InputError) as error:
        print(f"{pathlib.Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        sys.exit(2 if isinstance(error, UsageError) else 3)
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
