"""What results have in common: fields by name, JSON, tables for notebooks and pandas."""

from __future__ import annotations

import dataclasses
import html
import json
import math
import operator
import warnings
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

from ._errors import UsageError, printable


class Interval(NamedTuple):
    """An estimate, and the interval that covers the truth with this probability."""

    value: float
    low: float | None
    high: float | None
    confidence: float

    def __str__(self) -> str:
        return f"{self.value:.5g} [{self.low:.5g}, {self.high:.5g}]" if self.low is not None else f"{self.value:.5g}"

    def __float__(self) -> float:
        return float(self.value)


def interval(found: Any) -> Interval | None:
    return None if found is None else Interval(*found)


def renamed(old: str, new: str) -> Any:
    """A field by the name that it had a version ago; `new` may be of a field of a field."""

    def get(self: Any) -> Any:
        warnings.warn(f"{type(self).__name__}.{old} is now {new}", DeprecationWarning, stacklevel=2)
        return operator.attrgetter(new)(self)

    return property(get, doc=f"The former name of {new}.")


def plain(value: Any) -> Any:
    """As JSON has it: the names and forms that the program prints."""
    if isinstance(value, Interval):
        return value._asdict()
    if isinstance(value, Fraction):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        out = {}
        for field in dataclasses.fields(value):
            one = getattr(value, field.name)
            out[field.name] = plain(one)
            if isinstance(one, Fraction):
                out[field.name + "_float"] = float(one)
        return out
    if isinstance(value, dict):
        return {key if isinstance(key, str) else ",".join(map(str, key)): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, Rows)):
        return [plain(one) for one in value]
    return value.tolist() if hasattr(value, "tolist") else value


def dumped(value: Any, indent: int | None) -> str:
    """As JSON, which has no infinity and no NaN: null, as the program prints."""
    return json.dumps(_finite(plain(value)), indent=indent, ensure_ascii=False, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return list(map(_finite, value))
    return None if isinstance(value, float) and not math.isfinite(value) else value


def shown(value: Any) -> str:
    """In a cell of a table."""
    if value is None:
        return ""
    if isinstance(value, Interval):
        return str(value)
    if isinstance(value, Result):
        return ", ".join(f"{part.name} {shown(getattr(value, part.name))}"
                         for part in dataclasses.fields(value))  # type: ignore[arg-type]
    if isinstance(value, Fraction):
        return f"{value} ≈ {float(value):.6g}" if value.denominator > 1 else str(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return ", ".join(map(shown, value))
    return printable(str(value))


class Result:
    """A dataclass's fields as JSON, and as a table in notebooks."""

    #: Fields that are too long for a table.
    _long: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return dict(plain(self))

    def json(self, indent: int | None = 2) -> str:
        return dumped(self, indent)

    def to_pandas(self) -> Any:
        """A DataFrame of one line, but for what is too long for it."""
        return Rows([self]).to_pandas()

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(field.name)}</th>"
            f"<td style='text-align:left'>{html.escape(shown(getattr(self, field.name)))}</td></tr>"
            for field in dataclasses.fields(self) if field.name not in self._long)  # type: ignore[arg-type]
        return f"<table><caption>{html.escape(type(self).__name__)}</caption>{rows}</table>"


Row = TypeVar("Row")


class Rows(Sequence[Row], Generic[Row]):
    """Results of one kind, one a line."""

    def __init__(self, rows: Sequence[Row]):
        self._rows = tuple(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:
        return Rows(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and self._rows == other._rows

    def __repr__(self) -> str:
        return f"Rows([{', '.join(map(repr, self._rows))}])"

    def to_dict(self) -> list[dict[str, Any]]:
        return list(plain(self))

    def json(self, indent: int | None = 2) -> str:
        return dumped(self, indent)

    def to_pandas(self) -> Any:
        """A DataFrame, without what is a table of its own; of an interval the columns NAME, NAME_low and NAME_high,
        of a result within NAME_PART."""
        import pandas

        lines = []
        for row in self._rows:
            line: dict[str, Any] = {}
            for field in dataclasses.fields(row):  # type: ignore[arg-type]
                if field.name in getattr(row, "_long", ()):
                    continue
                value = getattr(row, field.name)
                if isinstance(value, Interval):
                    line |= {field.name: value.value, field.name + "_low": value.low, field.name + "_high": value.high}
                elif isinstance(value, Result):
                    line |= {f"{field.name}_{part.name}": getattr(value, part.name)
                             for part in dataclasses.fields(value)}  # type: ignore[arg-type]
                else:
                    line[field.name] = value
            lines.append(line)
        return pandas.DataFrame(lines)

    def chart(self) -> Any:
        """What rows of this kind show together."""
        make = getattr(self._rows[0], "_chart_of", None) if self._rows else None
        if make is None:
            kind = f"rows of {type(self._rows[0]).__name__}" if self._rows else "no rows"
            raise UsageError(f"there is no chart of {kind} (rows of Theory have one)")
        return make(self._rows)

    def _repr_html_(self) -> str:
        if not self._rows:
            return "<table></table>"
        names = [field.name for field in dataclasses.fields(self._rows[0])]  # type: ignore[arg-type]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(shown(getattr(row, name)))}</td>" for name in names) + "</tr>"
                       for row in self._rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
