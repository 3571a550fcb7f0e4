"""Compiles every figure's specification in every style, which must draw no warning, and looks at what is drawn: a paper's
figure is a column wide, nothing is written outside of it, and legends have the colours of what they name.
usage: figure_specs_test.py PROGRAM RENDERER SOURCE_DIR

Exits with 77, skipped, where RENDERER is no Python that has vl_convert.
"""
import json
import pathlib
import re
import subprocess
import sys

program, renderer, source = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
# Not from the folder that the test runs in.
ELSEWHERE = "import sys; sys.path[:] = [place for place in sys.path if place]\n"
COMPILE = ELSEWHERE + """
import json, os, vl_convert
for spec in json.load(sys.stdin):
    os.write(2, b"--\\n")
    vl_convert.vegalite_to_vega(spec, show_warnings=True)
    print(json.dumps(vl_convert.vegalite_to_svg(spec)))
"""
WIDEST = {"paper": 238, "slides": 800, "dark": 800}
OF_SHAPES = ("#888", 1)  # of a legend that tells dashes or sizes apart


def drawn(specs):
    """Of each the drawing, and what the compiler says of it."""
    done = subprocess.run([renderer, "-c", COMPILE], input=json.dumps(specs), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"a specification cannot be drawn: {done.stderr}")
    return list(zip(map(json.loads, done.stdout.splitlines()), done.stderr.split("--\n")[1:], strict=True))


def shades(svg, groups):
    """The colours of what these groups of a drawing hold, each with its opacity."""
    found = set()
    for group in re.findall(rf'<g class="mark-[^"]*{groups}[^"]*"[^>]*>(.*?)</g>', svg):
        for tag in re.findall(r"<[^>]*>", group):
            opacity = re.search(r' opacity="([\d.]+)"', tag)
            found |= {(colour, float(opacity[1]) if opacity else 1)
                      for colour in re.findall(r' (?:fill|stroke)="([^"]+)"', tag)}
    return found


try:
    found = subprocess.run([renderer, "-c", ELSEWHERE + "import vl_convert"], capture_output=True).returncode == 0
except OSError:
    found = False
if not found:
    print(f"{renderer} has no vl_convert: skipped")
    sys.exit(77)

# A test that sees no warning where there is one proves nothing.
WRONG = {"data": {"values": [{"a": 1}]}, "mark": "rect", "encoding": {"shape": {"field": "a"}}}
if not drawn([WRONG])[0][1]:
    sys.exit("the compiler says nothing of a rectangle that is to have a shape")

count = 0
for style, widest in WIDEST.items():
    words = ["figure", "all", "--style", style, "--format", "json"]
    done = subprocess.run([program, *words], cwd=source, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"draftgauge {' '.join(words)} exits with {done.returncode}: {done.stderr}")
    figures = json.loads(done.stdout)["figures"]
    for figure, (svg, said) in zip(figures, drawn([figure["spec"] for figure in figures]), strict=True):
        if said:
            sys.exit(f"{figure['name']}, {style}: {said}")
        width, height = map(float, re.search(r'width="([\d.]+)" height="([\d.]+)"', svg).groups())
        if width > widest or height > 1.1 * width:
            sys.exit(f"{figure['name']}, {style}: {width:g} by {height:g} pixels")
        if re.search("NaN|undefined|null", re.sub(r'aria-\w+="[^"]*"', "", svg)):
            sys.exit(f"{figure['name']}, {style}: something is drawn nowhere")
        if strange := shades(svg, "role-legend-symbol") - shades(svg, "role-mark") - {OF_SHAPES}:
            sys.exit(f"{figure['name']}, {style}: no mark has the colours of its legend {sorted(strange)}")
        count += 1
print(f"{count} drawings")
