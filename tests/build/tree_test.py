"""Rules that hold for the tree as a whole:  tree_test.py ROOT

Each rule is a function that yields what is wrong with a tree. It is run on the project, where it must find nothing,
and on a small tree that breaks it, where it must find exactly the break.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()

# What each layer may include of ours.
LAYERS = {
    "sim": {"sim"},
    "analysis": {"sim", "analysis"},
    "gpu": {"sim", "gpu"},
    "bench": {"sim", "analysis", "bench"},
    "apps": {"sim", "analysis", "gpu", "bench", "apps"},
    "python": {"sim", "analysis", "python"},
}
# The folders of a layer from the ground up ("." holds what lies in the layer itself): each includes only itself and those
# before it. Lists of entries (list.h, list.inc) are read by what serves all entries, wherever the entries lie.
ORDER = {
    "sim": "base chance draft rows model task recordings recordings/formats sources drafters policies schedules play fast batch rules lossy faulty faulty/around",
    "analysis": "sequence exact theory stats batch proof ceiling frontier recordings recordings/logprobs recordings/costs cards replay audit texts "
                "texts/estimators trees adapting adapting/policies choose families engines counters greedy load scheduling why open "
                "store ranks verifier . tables figures report",
    "gpu": "kernels thrust .",
    "apps": "output cli options counters recording gamma tree task measure exact simulate theory table figure bench sweep verify why "
            "report inspect .",
}
# Folders that only their own sources may reach into.
OURS = set(LAYERS) | {"tests", "fuzz", "data", "docs"}
FOLDERS = ["sim", "analysis", "gpu", "apps", "data", "tests", "bench", "docs", "cmake", "fuzz", "python"]
README_LINES = {"docs": 40}  # which is an index
MOST_STEMS = 24  # files of one name side by side; more hide what a folder is about


# Texts that people paste or read in answers, which no layer translates.
MEANT = {("sim/sources/by_hand.cc", "--p"), ("sim/sources/by_hand.cc", "--q"), ("sim/rules/gbv.h", "--tree")}


def files(root):
    """The files under version control, or about to be; without git, all that are not built."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, capture_output=True, check=False)
    if listed.returncode == 0 and (root / ".git").exists():
        paths = [root / name for name in listed.stdout.decode().split("\0") if name]
    else:
        paths = [path for path in root.rglob("*") if not re.match(r"\.git$|build|out$", path.relative_to(root).parts[0])]
    return sorted(path for path in paths if path.is_file() and not path.is_symlink())


def wrong_includes(root):
    for path in files(root):
        name = path.relative_to(root)
        if name.parts[0] not in LAYERS or path.suffix not in {".h", ".inl", ".cc", ".cu"}:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            include = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
            if not include:
                continue
            target = pathlib.PurePosixPath(include[1])
            folder = target.parts[0]
            if '"' in line and (len(target.parts) == 1 or folder not in OURS):
                yield f"{name}:{number}: {include[1]} is not spelt from the root of the tree"
            elif folder in OURS and len(target.parts) > 1 and folder not in LAYERS[name.parts[0]]:
                yield f"{name}:{number}: {name.parts[0]} may not include {folder} ({include[1]})"


def includes_upward(root):
    heights = {(f"{layer}/{folder}" if folder != "." else layer): height
               for layer, order in ORDER.items() for height, folder in enumerate(order.split())}
    for path in files(root):
        name = path.relative_to(root)
        folder = name.parent.as_posix()
        if name.parts[0] not in ORDER or path.suffix not in {".h", ".inl", ".cc", ".cu"}:
            continue
        if folder not in heights:
            yield f"{name}: ORDER does not say where {folder} stands"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            include = re.match(r'\s*#\s*include "([^"]+)/([^"/]+)"', line)
            if include and include[1].split("/")[0] == name.parts[0] and include[2] not in {"list.h", "list.inc"}:
                if heights.get(include[1], -1) > heights[folder]:
                    yield f"{name}:{number}: {folder} stands below {include[1]} ({include[2]})"


def described_folders(root):
    """The top level, and every folder of sources but those of a command, which one sentence of apps/README.md describes."""
    sources = {path.relative_to(root).parent for path in files(root)
               if path.relative_to(root).parts[0] in LAYERS and path.suffix in {".h", ".inl", ".cc", ".cu", ".py"}}
    below = {folder.as_posix() for folder in sources
             if len(folder.parts) > 1 and not (root / folder / f"{folder.name}_command.cc").exists()}
    return [*FOLDERS, *sorted(below - {"python/tests"})]


def wrong_readmes(root):
    for folder in described_folders(root):
        readme, most = root / folder / "README.md", README_LINES.get(folder, 8)
        if not readme.is_file():
            yield f"{folder}: no README.md"
        elif not 0 < len(readme.read_text().splitlines()) <= most:
            yield f"{folder}/README.md: not 1 to {most} lines"


def holds_a_file_an_entry(root, folder):
    """Beside a list of them; but the entries of apps/cli are folders."""
    return folder != "apps/cli" and any((root / folder / name).is_file() for name in ["list.inc", f"{pathlib.Path(folder).name}.txt"])


def crowded_folders(root):
    stems = {}
    for path in files(root):
        name = path.relative_to(root)
        if name.parts[0] in LAYERS and path.suffix in {".h", ".inl", ".cc", ".cu"}:
            stems.setdefault(name.parent.as_posix(), set()).add(name.name.split(".")[0])
    for folder, found in sorted(stems.items()):
        if len(found) > MOST_STEMS and not holds_a_file_an_entry(root, folder):
            yield f"{folder}: {len(found)} files of different names side by side, more than {MOST_STEMS}"


# Words that the field does not use, and what it says. Put together here, so that this file does not hold them.
FORMER = {"like" "liest": "most likely", "fore" "told": "predicted", "chosen" "_anew": "per_round_oracle",
          "riv" "al": "runner-up", "Wag" "er": "BettingTest", "Fo" "ld": "SamplingParameters", "muse" "um": "faulty rules",
          "Turned" " round": "inverted", "La" "ws": "PairTables", "La" "wsView": "PairTablesView",
          "Text" "Scores": "TextTrace", "Cand" "idates": "Children", "Row" "Figures": "RowStatistics",
          "Chain" "Program": "ThresholdTables"}


def flags_in_libraries(root):
    """A library is called from C++ and Python, too: its messages have inputs in backquotes (sim/base/error.h)."""
    ours = set()
    for path in files(root):
        if path.relative_to(root).parts[0] == "apps" and path.suffix == ".cc":
            ours.update(re.findall(r'\.name = "(--[a-z][a-z0-9-]*)"', path.read_text()))
    literal = re.compile(r'"(?:[^"\\]|\\.)*"')
    for path in files(root):
        name = path.relative_to(root)
        if name.parts[0] not in {"sim", "analysis"} or path.suffix not in {".h", ".inl", ".cc"}:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.lstrip().startswith("//"):
                continue
            for flag in re.findall(r"--[a-z][a-z0-9-]*", " ".join(literal.findall(line))):
                if flag in ours and (name.as_posix(), flag) not in MEANT:
                    yield f"{name}:{number}: {flag} is an option of the program: write `{flag[2:]}`"


def former_words(root):
    pattern = re.compile(r"(?<![A-Za-z0-9])(" + "|".join(FORMER) + r")(?![A-Za-z0-9])")  # parts of names, too
    for path in files(root):
        name = path.relative_to(root)
        if path.suffix not in {".h", ".inl", ".cc", ".cu", ".md", ".json", ".py"}:
            continue
        if name.as_posix() == "CHANGELOG.md" or name.parts[0] == "data" or name.parts[:2] == ("tests", "data"):
            continue  # what was, and what others wrote
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for word in pattern.findall(line):
                yield f"{name}:{number}: '{word}': say {FORMER[word]}"


def json_in_the_front_door(root):
    """Who includes analysis/draftgauge.h gets plain data, and no library of JSON with it."""
    seen, waiting = set(), ["analysis/draftgauge.h"]
    while waiting:
        name = waiting.pop()
        if name in seen or not (root / name).is_file():
            continue
        seen.add(name)
        text = (root / name).read_text()
        if "<nlohmann/" in text:
            yield f"{name}: analysis/draftgauge.h reaches it, and it includes nlohmann"
        waiting += re.findall(r'#include "([^"]+)"', text)


def machine_paths(root):
    """Paths that exist on one machine only. Put together here, so that this file does not hold them."""
    pattern = re.compile(rb"(?<![\w.~$}-])/(?:" + b"|".join([b"work", b"farm", b"root", b"home"]) + rb")/")
    for path in files(root):
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
            if pattern.search(line):
                yield f"{path.relative_to(root)}:{number}: a path of one machine"


def twin_types(root):
    """Types of one name in one namespace, defined in several files: two programs in one, if both are linked."""
    defined = re.compile(r"(?:struct|class|enum class|enum) (?:alignas\(\w+\) )?(\w+)(?: final)?(?: : [^;]*| \{.*)?$")
    seen = {}
    for path in files(root):
        name = path.relative_to(root)
        if name.parts[0] not in LAYERS or path.suffix not in {".h", ".inl", ".cc", ".cu"}:
            continue
        rooms = []  # the namespaces that a line is in; "" has no name, and is its file's own
        for line in path.read_text().splitlines():
            if opened := re.match(r"(?:inline )?namespace ([\w:]*) ?\{", line):
                rooms.append(opened[1])
            elif line.startswith("}  // namespace"):
                rooms.pop()
            elif "" not in rooms and (found := defined.match(line)):
                first = seen.setdefault(("::".join(rooms), found[1]), name)
                if first != name:
                    yield f"{name}: {found[1]} is also a type in {first}"


def twin_constants(root):
    """Constants of one name and namespace in several headers: the linker keeps one, and which differs between builds."""
    seen = {}
    for path in files(root):
        name = path.relative_to(root)
        if name.parts[0] not in {*LAYERS, "tests"} or path.suffix not in {".h", ".inl"}:
            continue
        rooms = []
        for line in path.read_text().splitlines():
            if opened := re.match(r"(?:inline )?namespace ([\w:]*) ?\{", line):
                rooms.append(opened[1])
            elif line.startswith("}  // namespace"):
                rooms.pop()
            elif found := re.match(r"inline (?:constexpr )?[\w:<>, ]+?(?: const)? (\w+)(?:\[.*\])*(?: =|\{|;)", line):
                first = seen.setdefault(("::".join(rooms), found[1]), name)
                if first != name:
                    yield f"{name}: {found[1]} is also a constant in {first}"


def broken_links(root):
    for path in files(root):
        if path.suffix != ".md":
            continue
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", path.read_text()):
            if not (path.parent / target).exists():
                yield f"{path.relative_to(root)}: there is no {target}"


def stale_comments(root):
    """Paths that a comment of C++ names: where a file was moved the comment is left behind."""
    ours = r"(?<![\w./-])(?:" + "|".join(FOLDERS) + r")/[\w./-]*\.(?:h|cc|cu|inl|inc|py|md)\b"
    for path in files(root):
        if path.suffix not in {".h", ".inl", ".cc", ".cu"}:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for named in re.findall(ours, line[line.find("//"):] if "//" in line else ""):
                if not (root / named).exists() and not named.endswith("/list.h"):  # which is written by the build
                    yield f"{path.relative_to(root)}:{number}: there is no {named}"


def differing_versions(root):
    """The project's version, which four files must each spell out for the tools that read them."""
    spelt = {"CMakeLists.txt": r"^project\(draftgauge VERSION ([\d.]+)", "CITATION.cff": r"^version: ([\d.]+)$",
             "pyproject.toml": r'^version = "([\d.]+)"$', "python/draftgauge/__init__.py": r'^__version__ = "([\d.]+)"$'}
    found = {name: (re.search(form, (root / name).read_text(), re.M) or [None, "none"])[1] for name, form in spelt.items()}
    for name, version in found.items():
        if version != found["CMakeLists.txt"]:
            yield f"{name}: version {version}, and CMakeLists.txt says {found['CMakeLists.txt']}"


def unusable_names(root):
    """Names of tests in which a bracket is not closed: CMake's list then has that test and all after it as one entry. And
    names that the test program would take for an option."""
    for path in files(root):
        if path.suffix == ".cc":
            for name in re.findall(r'^TEST_CASE\("((?:[^"\\]|\\.)*)"', path.read_text(), re.M):
                if name.count("[") != name.count("]"):
                    yield f"{path.relative_to(root)}: a bracket is not closed in '{name}'"
                if name.startswith("-"):
                    yield f"{path.relative_to(root)}: '{name}' would be an option"


def long_tests(root):
    most = 450
    for path in files(root):
        name = path.relative_to(root)
        if "tests" in name.parts and path.suffix in {".h", ".cc", ".py"} and (lines := len(path.read_text().splitlines())) > most:
            yield f"{name}: {lines} lines, more than {most}"


class Tree(unittest.TestCase):
    maxDiff = None

    def check(self, rule, broken, expected):
        self.assertEqual([], list(rule(ROOT)))
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in broken.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            self.assertEqual(expected, list(rule(root)))

    def test_includes(self):
        self.check(wrong_includes, {
            "sim/a.h": '#include <vector>\n#include "analysis/b.h"\n',
            "sim/b.cc": '#include "a.h"\n#include "sim/rules/list.h"\n',
            "analysis/b.h": '#include "sim/a.h"\n#  include <gpu/c.h>\n',
            "gpu/c.inl": '#include "analysis/b.h"\n#include <thrust/reduce.h>\n',
            "apps/d.cc": '#include "sim/a.h"\n#include "analysis/b.h"\n#include "gpu/c.h"\n#include "tests/e.h"\n',
            "tests/e.cc": '#include "apps/d.h"\n',
        }, [
            "analysis/b.h:2: analysis may not include gpu (gpu/c.h)",
            "apps/d.cc:4: apps may not include tests (tests/e.h)",
            "gpu/c.inl:1: gpu may not include analysis (analysis/b.h)",
            "sim/a.h:2: sim may not include analysis (analysis/b.h)",
            "sim/b.cc:1: a.h is not spelt from the root of the tree",
        ])

    def test_order_of_folders(self):
        self.check(includes_upward, {
            "sim/base/a.h": '#include "sim/chance/b.h"\n#include "sim/rules/list.h"\n#include "sim/base/c.h"\n',
            "sim/chance/b.h": '#include "sim/base/a.h"\n#include <vector>\n',
            "sim/attic/d.h": "",
            "gpu/e.cc": '#include "gpu/thrust/f.h"\n#include "sim/chance/b.h"\n',
            "gpu/thrust/f.h": '#include "gpu/g.h"\n',
        }, ["gpu/thrust/f.h:1: gpu/thrust stands below gpu (g.h)", "sim/attic/d.h: ORDER does not say where sim/attic stands",
            "sim/base/a.h:1: sim/base stands below sim/chance (b.h)"])

    def test_readmes(self):
        tree = {f"{folder}/README.md": "What lives here.\n" for folder in FOLDERS}
        tree["gpu/README.md"] = "line\n" * 9
        tree["sim/README.md"] = ""
        del tree["docs/README.md"]
        tree |= {"sim/one/a.h": "", "apps/draw/draw_command.cc": ""}
        self.check(wrong_readmes, tree, [
            "sim/README.md: not 1 to 8 lines", "gpu/README.md: not 1 to 8 lines", "docs: no README.md", "sim/one: no README.md"])

    def test_versions(self):
        self.check(differing_versions, {
            "CMakeLists.txt": "project(draftgauge VERSION 1.2.3 LANGUAGES CXX)\n",
            "CITATION.cff": "version: 1.2.3\n",
            "pyproject.toml": 'version = "1.2.2"\n',
            "python/draftgauge/__init__.py": "",
        }, ["pyproject.toml: version 1.2.2, and CMakeLists.txt says 1.2.3",
            "python/draftgauge/__init__.py: version none, and CMakeLists.txt says 1.2.3"])

    def test_machine_paths(self):
        home = "/".join(["", "home", "somebody"])
        self.check(machine_paths, {
            "a.txt": f"kept in\n{home}/data\n",
            "b.txt": f"build{home}/x ..{home}/y https://example.org{home}/z\n",
            "build/c.txt": home + "/d\n",
        }, ["a.txt:2: a path of one machine"])

    def test_crowded_folders(self):
        lists = {"sim/rules/rules.txt": "", "analysis/tables/list.inc": "", "apps/cli/list.inc": ""}
        self.check(crowded_folders, lists | {f"{folder}/{i}.h": "" for folder in ["apps", "apps/cli", "sim/rules", "analysis/tables"]
                                             for i in range(25)},
                   [f"{folder}: 25 files of different names side by side, more than 24" for folder in ["apps", "apps/cli"]])

    def test_json_in_the_front_door(self):
        self.check(json_in_the_front_door,
                   {"analysis/draftgauge.h": '#include "analysis/a.h"\n', "analysis/a.h": "#include <nlohmann/json.hpp>\n"},
                   ["analysis/a.h: analysis/draftgauge.h reaches it, and it includes nlohmann"])

    def test_lengths(self):
        self.check(long_tests, {"tests/sim/a_test.cc": "\n" * 451, "tests/b.h": "\n" * 450, "sim/c.cc": "\n" * 999},
                   ["tests/sim/a_test.cc: 451 lines, more than 450"])

    def test_words(self):
        word = "like" "liest"
        self.check(former_words, {"sim/a.h": f"// the {word} token\n// {word}_p\n", "CHANGELOG.md": f"{word} is gone"},
                   [f"sim/a.h:1: '{word}': say most likely", f"sim/a.h:2: '{word}': say most likely"])

    def test_flags(self):
        option = '{.name = "--gamma", .kind = count}'
        self.check(flags_in_libraries,
                   {"apps/a.cc": option, "sim/b.cc": '// --gamma\nf("--gamma is 0", "--delta");\n', "gpu/c.cc": '"--gamma"'},
                   ["sim/b.cc:2: --gamma is an option of the program: write `gamma`"])

    def test_types(self):
        def within(room, text):
            return f"namespace {room} {{\n{text}}}  // namespace {room}\n"
        self.check(twin_types, {
            "analysis/a.h": within("draftgauge", "struct Amount {\n};\nstruct Size;\n"),
            "apps/b.h": within("draftgauge", "class Amount : public Size {\n};\n"),
            "apps/c.cc": within("draftgauge", "namespace {\nstruct Amount {\n};\n}  // namespace\n"),
            "sim/d.h": within("draftgauge::rules", "enum class Amount { none };\n"),
        }, ["apps/b.h: Amount is also a type in analysis/a.h"])

    def test_constants(self):
        within = "namespace {}{{\n{}}}  // namespace\n".format
        self.check(twin_constants, {
            "tests/a.h": within("draftgauge ", 'inline std::string const data = "a";\ninline int sum(int a) {\n}\n'),
            "tests/b.h": within("draftgauge ", 'inline std::string const data = "b";\ninline int sum(long a) {\n}\n'),
            "sim/c.h": within("draftgauge ", "inline constexpr int most = 1;\n"),
            "analysis/d.h": within("draftgauge::analysis ", "inline constexpr int most{2};\n"),
            "gpu/e.h": within("draftgauge ", "inline constexpr std::array<int, 2> most{2, 3};\n"),
        }, ["sim/c.h: most is also a constant in gpu/e.h", "tests/b.h: data is also a constant in tests/a.h"])

    def test_names_of_tests(self):
        self.check(unusable_names,
                   {"tests/a.cc": 'TEST_CASE("in [0, 1)") {\n}\nTEST_CASE("in [0, 1]", "[slow]") {\n}\nTEST_CASE("--a") {\n}\n'},
                   ["tests/a.cc: a bracket is not closed in 'in [0, 1)'", "tests/a.cc: '--a' would be an option"])

    def test_links(self):
        self.check(broken_links, {
            "README.md": "[a](docs/a.md) [b](docs/b.md#part) [out](https://example.org/c.md) [here](#part)\n",
            "docs/a.md": "[b](b.md) [up](../README.md)\n",
        }, ["README.md: there is no docs/b.md", "docs/a.md: there is no b.md"])

    def test_comments(self):
        self.check(stale_comments, {
            "sim/a.h": "int a;  ///< as sim/b.h has it, and sim/a.h\n// https://example.org/sim/c.h\n// sim/rules/list.h\n",
            "tests/a_test.cc": '#include "sim/a.h"\n  // see analysis/x/d.cc, docs/e.md, vllm/docs/f.md.\n',
        }, ["sim/a.h:1: there is no sim/b.h", "tests/a_test.cc:2: there is no analysis/x/d.cc",
            "tests/a_test.cc:2: there is no docs/e.md"])


if __name__ == "__main__":
    unittest.main()
