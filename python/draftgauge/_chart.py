"""Charts: Vega-Lite specifications that notebooks and Altair show."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ._errors import UsageError


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite specification, its data inside. Notebooks show it; `save` draws it with draftgauge[figures]."""

    spec: dict[str, Any]

    @classmethod
    def line(cls, points: Sequence[dict[str, Any]], x: str, y: str, x_title: str, y_title: str, band: bool = False) -> Chart:
        """A line with points; band: points have y_low and y_high, of which those without are left out."""
        across = {"field": x, "type": "quantitative", "title": x_title}
        up = {"field": y, "type": "quantitative", "title": y_title, "scale": {"zero": False}}
        layers: list[dict[str, Any]] = [{"mark": {"type": "line", "point": True}, "encoding": {"x": across, "y": up}}]
        if band and any(one.get(y + "_low") is not None for one in points):
            layers.insert(0, {"mark": {"type": "area", "opacity": .25},
                              "encoding": {"x": across, "y": {**up, "field": y + "_low"}, "y2": {"field": y + "_high"}}})
        return cls({"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "width": 420, "height": 260,
                    "data": {"values": list(points)}, "layer": layers})

    @classmethod
    def intervals(cls, points: Sequence[dict[str, Any]], x: str, y: str, x_title: str, vertical: float | None = None) -> Chart:
        """One line for each point, from above: its value, and the interval from x_low to x_high where it has one; vertical: a rule."""
        data = [{x + "_low": None, x + "_high": None, **one} for one in points]
        across = {"field": x, "type": "quantitative", "title": x_title}
        down = {"field": y, "type": "nominal", "title": None, "sort": None}
        layers: list[dict[str, Any]] = [
            {"mark": "rule", "encoding": {"y": down, "x": {**across, "field": x + "_low"}, "x2": {"field": x + "_high"}}},
            {"mark": {"type": "point", "filled": True}, "encoding": {"y": down, "x": across}}]
        if vertical is not None:
            layers.append({"mark": {"type": "rule", "strokeDash": [4, 4]}, "encoding": {"x": {"datum": vertical}}})
        return cls({"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "width": 420, "height": {"step": 16},
                    "data": {"values": data}, "layer": layers})

    def json(self, indent: int | None = 2) -> str:
        return json.dumps(self.spec, indent=indent, ensure_ascii=False)

    def svg(self) -> str:
        try:
            import vl_convert
        except ImportError:
            raise UsageError("a chart is drawn by vl-convert-python, which is not installed: pip install draftgauge[figures]") from None
        return str(vl_convert.vegalite_to_svg(self.json()))

    def save(self, path: str | os.PathLike[str]) -> None:
        """As .svg, or the specification as .json."""
        to = pathlib.Path(path)
        if to.suffix not in (".svg", ".json"):
            raise UsageError(f"{to.name} is no chart's name (known are .svg, .json)")
        to.write_text(self.svg() if to.suffix == ".svg" else self.json(), encoding="utf-8")

    def to_altair(self) -> Any:
        """An altair.Chart, to change or to lay beside others; altair is not installed with this package."""
        import altair

        return altair.Chart.from_dict(self.spec)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The specification for what shows Vega-Lite, and a drawing for what does not, where it can be drawn."""
        bundle: dict[str, Any] = {"application/vnd.vegalite.v5+json": self.spec, "text/plain": repr(self)}
        try:
            bundle["image/svg+xml"] = self.svg()
        except UsageError:
            pass  # notebooks then draw it themselves
        return bundle
