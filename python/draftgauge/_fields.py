"""Arguments, checked where they come in: every message names the argument, what it is, and what it should be."""

from __future__ import annotations

import difflib
import functools
import inspect
import math
import operator
import os
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

from ._cards import CARDS
from ._errors import UsageError

#: The greatest whole number that options of 32 bits take.
INT_MAX = 2**31 - 1

Function = TypeVar("Function", bound=Callable[..., Any])


def whole(name: str, value: Any, least: int = 0, most: int = 2**63 - 1) -> int:
    """A whole number; 1e6 is one, True is none."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise UsageError(f"{name} is {value!r} (it is a whole number); give one such as {max(least, 1)}")
    if not least <= number <= most:
        raise UsageError(f"{name} {number} is out of range ({least} to {most})")
    return number


def number(name: str, value: Any, least: float = -math.inf, most: float = math.inf) -> float:
    """A finite number within bounds."""
    try:
        real = float(value)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{name} is {value!r} (it is a number)") from None
    if not math.isfinite(real) or not least <= real <= most:
        raise UsageError(f"{name} {real:g} is out of range ({least:g} to {most:g})")
    return real


def listed(name: str, value: Any, meaning: str) -> list[Any]:
    """Its entries: of a number, or an array of no dimensions, itself."""
    if isinstance(value, str) or not isinstance(value, Iterable) or getattr(value, "ndim", 1) == 0:
        return [value]
    found = list(value)
    if not found:
        raise UsageError(f"{name} is empty ({meaning})")
    return found


def span(name: str, value: Any) -> tuple[int, int]:
    """A first whole number and the one behind the last."""
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 2:
        raise UsageError(f"{name} is {value!r} (it is the first and the one behind the last); give two such as (0, 1000)")
    return whole(f"{name}[0]", value[0]), whole(f"{name}[1]", value[1])


def share(name: str, value: Any) -> float:
    """A number above 0 and below 1."""
    real = number(name, value)
    if not 0 < real < 1:
        raise UsageError(f"{name} {real:g} is out of range (above 0 and below 1)")
    return real


def choice(name: str, value: Any, known: Sequence[str]) -> str:
    if value not in known:
        raise UsageError(f"{name} is {value!r} (known are {', '.join(known)})")
    return str(value)


def known(function: str, given: Iterable[str], *takers: Callable[..., Any]) -> None:
    """Refuses arguments that none of the functions takes, as Python does, and names the nearest."""
    names = [name for taker in takers for name, one in inspect.signature(taker).parameters.items()
             if one.kind is not inspect.Parameter.VAR_KEYWORD]
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            raise TypeError(f"{function}() has no argument {name!r}" + (f" (did you mean {near[0]!r}?)" if near else
                                                                        f" (it takes {', '.join(names)})"))


def named(function: Function) -> Function:
    """The function, which names the nearest argument where it has none of a name."""

    @functools.wraps(function)
    def called(*arguments: Any, **given: Any) -> Any:
        known(function.__name__, given, function)
        return function(*arguments, **given)

    return cast(Function, called)


def carded(command: str) -> Callable[[Function], Function]:
    """The function, whose docstring ends with what the program's help says of those arguments that it does not speak of itself."""

    def with_cards(function: Function) -> Function:
        cards = CARDS[command]
        width = max(map(len, cards)) + 3
        lines = [textwrap.fill(meaning, 120, initial_indent=f"{name:<{width}}", subsequent_indent=" " * width)
                 for name, meaning in cards.items()]
        function.__doc__ = "\n".join([inspect.cleandoc(function.__doc__ or ""), "",
                                      f"As `draftgauge {command} --help` says them:", "", *lines])
        return function

    return with_cards


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{name} is {value!r} (it is a name)")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{name} {value} is no UTF-8 (names are text); give it another name") from None
    return value


def path(value: str | os.PathLike[str]) -> str:
    """A file's name."""
    return text("the file's name", os.fspath(value))


def threads(value: Any) -> int:
    return os.cpu_count() or 1 if value is None else whole("threads", value, 1, INT_MAX)


def progress(value: Any) -> Any:
    """None, True for a line on stderr, or a function of the amount done that may return False to stop."""
    if value is None or value is False:
        return None
    if value is True:
        import sys

        return lambda done: print(f"\r{done:,}", end="", file=sys.stderr, flush=True)
    if not callable(value):
        raise UsageError(f"progress is {value!r} (it is a function of the rounds done, or True)")
    return value
