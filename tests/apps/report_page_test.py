"""What `draftgauge report` writes, in a headless Chromium.   usage: report_page_test.py PROGRAM SOURCE_DIR [PICTURES]

Each check loads a page as a reader would: with and without scripts, on a phone, with the sliders moved. Pictures for
people's eyes are written to the folder PICTURES.
"""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import chromium

SKIPPED = 77
if not chromium.program():
    print("skipped: there is no Chromium to open pages with (apt-get install chromium-headless-shell)")
    sys.exit(SKIPPED)

program, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
recording = "data/smollm2/prune2_T1.tsv"
HOSTILE = ["</script><script>alert(1)</script>", "</noscript><img src=x onerror=alert(2)>", "<!--<script>",
           "\"'><b id=bad>",
           "]]>&lt;{{title}}", "\u202e\x1b[31m"]


def run(*words):
    done = subprocess.run([program, *words], cwd=source, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"draftgauge {' '.join(words)} exits with {done.returncode}: {done.stderr}")
    return done.stdout


def report(path, *words):
    run("report", *words, "-o", str(path))
    return path


def check(holds, what):
    if not holds:
        sys.exit(f"report: {what}")


def live(browser):
    return browser.ask("typeof draftgauge_ready !== 'undefined'")


def ready(browser):
    return browser.ask("draftgauge_ready.then(() => new Promise(done => setTimeout(done, 100)))")


def overflow(browser):
    """How many pixels of the page lie right of the screen."""
    return browser.ask("document.documentElement.scrollWidth - innerWidth")


def move(browser, slider, value):
    browser.ask(f"(() => {{const s = document.getElementById('{slider}'); s.value = {value};"
                "s.dispatchEvent(new Event('input', {bubbles: true}));"
                "return new Promise(done => setTimeout(done, 100));})()")


def marks(browser):
    return browser.ask("[...document.querySelectorAll('#explore svg :is(path, line)')]"
                       ".map(path => path.getAttribute('d') + path.getAttribute('transform')).join()")


def numbers_cut_off(browser):
    """How many numbers at the axes of the sliders' charts are outside of them."""
    return browser.ask("[...document.querySelectorAll('#explore svg .role-axis-label text')].filter(text => {"
                       "const box = text.getBoundingClientRect(), all = text.ownerSVGElement.getBoundingClientRect();"
                       "return box.left < all.left - 1 || box.right > all.right + 1;}).length")


def close(found, expected):
    return abs(found / expected - 1) < 1e-12


def same_formulas(browser):
    """The sliders' formulas against the program's own, over a grid."""
    alphas, gammas, costs = [0, .3, .5, .8, .9999, 1], [1, 2, 5, 16], [0, .05, .5, 1.5]
    for cost, bonus in itertools.product(costs, [True, False]):
        words = ["theory", "--alpha", ",".join(map(str, alphas)), "--gamma", ",".join(map(str, gammas)),
                 "--cost", str(cost), "--format", "json"] + ([] if bonus else ["--no-bonus"])
        rows = json.loads(run(*words))["rows"]
        setting = {"cost": cost, "verify": 0, "overhead": 0, "curve": None, "bonus": bonus}
        page_says = browser.ask(
            f"{json.dumps(rows)}.map(({{alpha, gamma}}) => [theory.expected_tokens(alpha, gamma, {json.dumps(bonus)}),"
            f" theory.speedup({{...{json.dumps(setting)}, alpha}}, gamma)])")
        for row, (tokens, speedup) in zip(rows, page_says, strict=True):
            check(close(tokens, row["mean_tokens"]) and close(speedup, row["speedup"]),
                  f"the page has {tokens}, {speedup}, the program {row}")
    # Verification that is not free: v(n) = 1 + w (n − 1), and as measured.
    slope, overhead = .2, .3
    curve = [1 + slope * n for n in range(33)]
    words = ["gamma", "--alpha", ".8", "--cost", ".1", "--verify-cost", f"1:1,33:{curve[32]}",
             "--overhead", str(overhead), "--most", "32", "--format", "json"]
    program_says = json.loads(run(*words))
    for form in {"verify": slope, "curve": None}, {"verify": 0, "curve": curve}:
        setting = json.dumps({"alpha": .8, "cost": .1, "overhead": overhead, "bonus": True, **form})
        speedups = browser.ask(f"Array.from({{length: 33}}, (_, gamma) => theory.speedup({setting}, gamma))")
        for row in program_says["curve"]:
            check(close(speedups[row["gamma"]], row["speedup"]), f"S of {form} is {speedups}, not {row}")
        best = browser.ask(f"theory.best_gamma({json.dumps(speedups)})")
        check(best == program_says["best_gamma"], f"the page's best γ is {best}, not {program_says['best_gamma']}")


def sliders(browser, page):
    browser.open(page)
    if not live(browser):
        print("static: the program was built without vl-convert-python, so that no sliders are there to test")
        check("This page is static" in page.read_text(), "a static page does not say that it is")
        return
    ready(browser)
    check(numbers_cut_off(browser) == 0, "numbers at an axis are cut off")
    before, said = marks(browser), browser.ask("document.getElementById('answer').textContent")
    for slider, value in ("alpha", .3), ("gamma", 2), ("cost", .7), ("verify", .4), ("overhead", .5):
        move(browser, slider, value)
        check(marks(browser) != before, f"the slider {slider} moves nothing")
        now = browser.ask("document.getElementById('answer').textContent")
        check(now != said, f"the slider {slider} changes no number")
        before, said = marks(browser), now
    check("At γ = 2 the formula promises 1.39 tokens a round" in said, f"after the sliders the page says: {said}")
    browser.ask("document.getElementById('reset').click()")
    same_formulas(browser)
    # What the sliders start with is what the page says in words.
    browser.open(page)
    ready(browser)
    shown = browser.ask("document.getElementById('answer').textContent")
    table = json.loads(run("measure", recording, "--cost", ".1", "--gamma", "1..16", "--format", "json"))
    best = table["best_gamma"]
    check(f"there γ = {best} is best with {table['best_speedup']:.2f}×" in shown, f"{shown} does not name γ = {best}")


def tree(browser, page):
    """The tree grows with its slider, one node a step, and says what that is worth."""
    browser.open(page)
    if not live(browser):
        return
    ready(browser)
    for nodes in 25, 8, 1:
        browser.ask("(() => {const slider = document.querySelector('#tree input[type=range]');"
                    f"slider.value = {nodes}; slider.dispatchEvent(new Event('input', {{bubbles: true}}));"
                    "return new Promise(done => setTimeout(done, 100));})()")
        drawn = browser.ask("document.querySelectorAll('#tree .mark-symbol path').length")
        check(drawn == nodes, f"of {nodes} nodes {drawn} are drawn")
        shown = browser.ask("document.querySelector('#tree svg').textContent")
        check(f"{nodes} node" in shown, f"a tree of {nodes} nodes says: {shown}")
    check("1 node: 1.00 tokens, S = 1.00" in shown, f"plain decoding says: {shown}")


def without_scripts(browser, page):
    browser.open(page, scripts=False)
    text = browser.ask("document.body.innerText")
    for words in ("Summary", "A draft is kept with probability", "SHA-256", "draftgauge report",
                  "Speed-up by draft length"):
        check(words in text, f"without scripts the page lacks '{words}'")
    shown = browser.ask("getComputedStyle(document.getElementById('explore')).display")
    check(shown == "none", "dead sliders are shown")


def on_screens(browser, pages):
    for page, width, scripts in itertools.product(pages, (360, 1280), (True, False)):
        browser.open(page, width=width, scripts=scripts)
        if scripts and live(browser):
            ready(browser)
        check(overflow(browser) <= 0,
              f"{page.name} is {overflow(browser)} pixels too wide for {width}, scripts: {scripts}")


def tooltip_of_recording(browser, name):
    """What is shown when the mouse rests on a recorded point, of which a point of the formula may hide some."""
    points = browser.ask("(() => {const chart = document.getElementById('explore-tokens');"
                         "chart.scrollIntoView({behavior: 'instant', block: 'center'});"
                         "return [...chart.querySelectorAll('.mark-symbol path')].map(point => {"
                         "const box = point.getBoundingClientRect();"
                         "return [box.x + box.width / 2, box.y + box.height / 2];});})()")
    for x, y in points:
        for step in 9, 0:
            browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + step, y=y)
        shown = browser.ask("new Promise(done => setTimeout(done, 50))"
                            ".then(() => document.getElementById('vg-tooltip-element')?.textContent)")
        if shown and name in shown:
            return shown
    return None


def forbidden(browser):
    """Were there markup of others in spite of all, the browser would run none of it, nor send anything away."""
    before = len(browser.messages)
    ran = browser.ask("""(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = "a script"';
      document.head.append(script);
      document.body.insertAdjacentHTML('beforeend', `<img src="https://host/x"><img src="x" onerror="window.ran = 'a handler'">
        <a id="run" href="javascript:window.ran = 'a link'">a</a><b id="styled" style="display: none">b</b><base href="https://host/">`);
      document.getElementById('run').click();
      try { window.ran = new Function('return "text"')(); } catch {}
      return new Promise(done => setTimeout(() => done([window.ran ?? null, document.baseURI,
        getComputedStyle(document.getElementById('styled')).display]), 200));
    })()""")
    check(ran[0] is None and ran[1].startswith("file:") and ran[2] == "inline", f"the page's policy lets {ran} run")
    said = browser.messages[before:]
    check(len(said) >= 5 and all("Content Security Policy" in each for each in said), f"the console says {said}")
    del browser.messages[before:]


def hostile(browser, folder):
    """Text of others in every place where it can stand: tokens, the file's name, the title."""
    lines = ["# temperature: 1", "# target: " + HOSTILE[0], "seq\tpos\ttoken\tlogp\tlogq\tpiece"]
    for row in range(240):
        piece = HOSTILE[row % len(HOSTILE)].replace('"', '""')
        lines.append("\t".join(map(str, [row // 40, row % 40, row, -.5 - row % 3, -.6 - row % 4, f'"{piece}"'])))
    path = folder / ("".join(HOSTILE[3:5]).replace("/", "") + ".tsv")
    path.write_text("\n".join(lines) + "\n")
    page = report(folder / "hostile.html", str(path), "--cost", ".1", "--title", " ".join(HOSTILE))
    for scripts in True, False:
        browser.open(page, scripts=scripts)
        if scripts and live(browser):
            ready(browser)
            check(tooltip_of_recording(browser, path.name), "no tooltip shows the recording's name as it is")
        check(browser.ask("document.getElementById('bad') === null && document.querySelectorAll('img').length === 0"),
              f"text became markup, scripts: {scripts}")
        # What a terminal would obey is shown as \x1b; all else stands as it was.
        check(browser.ask("document.querySelector('h1').textContent").startswith(" ".join(HOSTILE[:5])),
              "a title is not shown as it is")
        if scripts:
            forbidden(browser)
    opened, closed = page.read_text().count("<script"), page.read_text().count("</script>")
    check(opened == closed, f"text opened or closed a script: {opened}, {closed}")


# Presses "Save as" and waits for the address that it makes, with the text behind one that is not in the address itself.
SAVE = """(async () => {
  const plain = URL.createObjectURL;
  let text = null;
  URL.createObjectURL = (blob) => { text = blob.text(); return plain.call(URL, blob); };
  const link = [...document.getElementById('%s').querySelectorAll('.vega-actions a')].find(a => a.download.endsWith('%s'));
  link.dispatchEvent(new MouseEvent('mousedown', {cancelable: true}));
  for (let i = 0; i < 100 && !/^(data|blob):/.test(link.href); ++i) await new Promise(done => setTimeout(done, 50));
  URL.createObjectURL = plain;
  return [link.href, await text];
})()"""
# How many pixels have each colour, red, green, blue and opacity.
COLOURS = """(async () => {
  const image = new Image();
  image.src = %s;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const data = context.getImageData(0, 0, image.width, image.height).data, found = {};
  for (let i = 0; i < data.length; i += 4) {
    const colour = data.slice(i, i + 4).join();
    found[colour] = (found[colour] ?? 0) + 1;
  }
  return found;
})()"""


def saved(browser, page):
    """What "Save as" gives has the page's colours, also of what the sliders say, and no names of them."""
    series = {"light": {"explore-speedup": ((0, 114, 178), (213, 94, 0)), "survival": ((0, 114, 178),)},
              "dark": {"explore-speedup": ((86, 180, 233), (230, 159, 0)), "survival": ((86, 180, 233),)}}
    for scheme, charts in series.items():
        browser.open(page, scheme=scheme)
        if not live(browser):
            return
        ready(browser)
        for chart, colours in charts.items():
            url, _ = browser.ask(SAVE % (chart, "png"))
            check(url.startswith("data:image/png"), f"{chart} is saved as {url[:60]}")
            found = browser.ask(COLOURS % json.dumps(url))
            check(all(colour.endswith(",255") for colour in found), f"{chart}.png has no ground")
            for colour in colours:
                count = found.get(",".join(map(str, (*colour, 255))), 0)
                check(count > 50, f"{chart}.png has {count} pixels of {colour} in {scheme}")
            url, text = browser.ask(SAVE % (chart, "svg"))
            text = text or urllib.parse.unquote(url)
            check("<svg" in text and "var(--" not in text, f"{chart}.svg names colours that only the page knows")
            for colour in colours:
                check("#%02x%02x%02x" % colour in text, f"{chart}.svg lacks {colour} in {scheme}")


def without_vega(browser, page, folder):
    """Where the charts' script fails, the pictures stay and no sliders are offered."""
    browser.open(page)
    if not live(browser):
        return
    text = page.read_text()
    first = text.index("<script>")
    broken = folder / "broken.html"
    broken.write_text(text[:first] + text[text.index("</script>", first) + len("</script>"):])
    browser.open(broken)
    check(browser.ask("getComputedStyle(document.getElementById('explore')).display") == "none", "dead sliders")
    hidden = browser.ask("[...document.querySelectorAll('.plate .picture')].filter(each => each.clientHeight < 50).length")
    shown = browser.ask("document.querySelectorAll('.plate .picture').length")
    check(hidden == 0, f"{hidden} pictures are not seen without Vega")
    if shown == 0:
        print("no pictures: there is no renderer")
    browser.open(page)
    ready(browser)
    check(browser.ask("[...document.querySelectorAll('.plate .picture')].every(each => each.clientHeight === 0)"),
          "a picture is shown beside its chart")


def main(folder):
    page = report(folder / "page.html", recording, "--cost", ".1")
    several = report(folder / "several.html", recording, "data/smollm2/q2k_T1.tsv", "--alpha", ".6,.8", "--cost",
                     "data/smollm2/costs_2threads.jsonl", "--cost-draft", "prune2")
    formulas = report(folder / "formulas.html", "--alpha", ".8", "--cost", ".05")
    trees = report(folder / "trees.html", "--accept", ".7732,.1039,.0402,.0206,.0128,.0081,.0064,.0043", "--cost", ".05",
                   "--verify-cost", "1:1,2:1.01")
    for path in page, several, formulas, trees:
        check(path.stat().st_size <= 1_500_000, f"{path.name} has {path.stat().st_size} bytes")
    with chromium.Chromium(seconds=600) as browser:
        sliders(browser, page)
        tree(browser, trees)
        saved(browser, page)
        without_vega(browser, page, folder)
        without_scripts(browser, page)
        on_screens(browser, (page, several, formulas, trees))
        hostile(browser, folder)
        check(not browser.messages, f"the console says {browser.messages}")
        shown = (page, several, trees) if pictures else ()
        for path, width, scheme in itertools.product(shown, (390, 1280), ("light", "dark")):
            browser.open(path, width=width, scheme=scheme)
            ready(browser)
            browser.picture(pictures / f"{path.stem}-{width}-{scheme}.png")
            browser.pdf(pictures / f"{path.stem}.pdf")
        if pictures:
            browser.open(page, scripts=False)
            browser.picture(pictures / "page-static.png")
    print("pages hold")


with tempfile.TemporaryDirectory() as scratch:
    main(pathlib.Path(scratch))
