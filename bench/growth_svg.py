#!/usr/bin/env python3
"""Draws what `draftgauge bench --growth --json FILE` found:  growth_svg.py FILE > FIGURE.svg

One panel for each dimension, rounds a second over its values, both logarithmic; a point's colour says what limits it.
"""

import html
import json
import math
import sys

WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 190, 70, 40, 90
COLOURS = {"random words": "#4269d0", "table reads": "#ff725c", "decisions": "#6c757d"}
LABELS = {"vocab": "vocabulary V", "gamma": "drafted positions γ", "threads": "threads", "contexts": "contexts (V = 128)"}


def short(value):
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def panel(name, rows, low, high, x0, y0):
    """low, high: powers of ten of the rates' axis."""
    first, last = math.log(rows[0]["value"]), math.log(max(rows[-1]["value"], 2 * rows[0]["value"]))
    x = lambda value: x0 + (math.log(value) - first) / (last - first) * WIDTH
    y = lambda rate: y0 + HEIGHT * (1 - (math.log10(rate) - low) / (high - low))
    out = []
    for power in range(low, high + 1):
        at = y(10 ** power)
        out.append(f'<path d="M{x0} {at:.1f}h{WIDTH}" stroke="#ddd"/>')
        out.append(f'<text x="{x0 - 6}" y="{at + 4:.1f}" text-anchor="end">{short(10 ** power)}</text>')
    line = " ".join(f"{x(row['value']):.1f},{y(row['rate']):.1f}" for row in rows)
    out.append(f'<polyline points="{line}" fill="none" stroke="#aaa"/>')
    for row in rows:
        at, title = x(row["value"]), f"{short(row['rate'])} rounds/s; tables in {row['place']}; {row['limit']}"
        out.append(f'<circle cx="{at:.1f}" cy="{y(row["rate"]):.1f}" r="4" fill="{COLOURS[row["limit"]]}">'
                   f"<title>{html.escape(title)}</title></circle>")
        out.append(f'<text x="{at:.1f}" y="{y0 + HEIGHT + 15}" text-anchor="middle">{row["value"]:g}</text>')
        out.append(f'<text x="{at:.1f}" y="{y(row["rate"]) - 9:.1f}" text-anchor="middle" fill="#888">'
                   f'{html.escape(row["place"])}</text>')
    out.append(f'<text x="{x0 + WIDTH / 2}" y="{y0 + HEIGHT + 34}" text-anchor="middle">{LABELS[name]}</text>')
    return out


def draw(document):
    rows = document["growth"]
    low = math.floor(math.log10(min(row["rate"] for row in rows)))
    high = math.ceil(math.log10(max(row["rate"] for row in rows)))
    width, height = 2 * (LEFT + WIDTH) + 30, TOP + 2 * (HEIGHT + GAP) - 10
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
           f'font-size="11">', f'<rect width="{width}" height="{height}" fill="white"/>']
    machine = f"{document['machine']['processor']}, {document['machine']['target']}"
    out.append(f'<text x="{LEFT}" y="18" font-size="13">rounds/s of token at α = 0.8 ({html.escape(machine)}); above '
               "each point the cache that its tables fit</text>")
    for i, (limit, colour) in enumerate(COLOURS.items()):
        out.append(f'<circle cx="{LEFT + 130 * i}" cy="30" r="4" fill="{colour}"/>'
                   f'<text x="{LEFT + 8 + 130 * i}" y="34">{limit}</text>')
    for i, name in enumerate(LABELS):
        here = sorted((row for row in rows if row["varied"] == name), key=lambda row: row["value"])
        out += panel(name, here, low, high, LEFT + i % 2 * (WIDTH + LEFT), TOP + 12 + i // 2 * (HEIGHT + GAP - 20))
    return "\n".join([*out, "</svg>"])


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(draw(json.load(file)))
