#!/usr/bin/env python3
"""gpu/check/run without a device, and on one that is played by scripts.

    tests/build/gpu_check_test.py SOURCE_DIR PROGRAM
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, PROGRAM = (pathlib.Path(word).resolve() for word in sys.argv[1:3])

# Each keeps the results as it finds them beside itself: `seen-N.json`.
SEE = r"""#!/bin/sh
here=$(dirname "$0")
[ ! -e "$FILE" ] || cp "$FILE" "$here/seen-$(ls "$here" | grep -c seen-).json"
"""
STAND_IN = SEE + r"""
case $1 in
  --version) exit 0 ;;
  list) printf 'name,summary\nthrust-cuda,on a device\ncuda,kernels\n'; exit 0 ;;
esac
what=$1
echo "$@" >> "$here/asked"
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then { [ "$what" = bench ] && echo "$ROWS" || echo "{\"command\": \"$what\"}"; } > "$2"; fi
  shift
done
"""
TESTS = SEE + 'echo "test_gpu $*" >> "$here/asked"\n'

BENCH = ["GPU probes", "GPU V=32", "GPU V=32, histograms", "GPU V=1024", "GPU V=4096", "GPU V=4096, histograms",
         "GPU V=49152, 64 contexts", "GPU certificate, V=32", "GPU V=32, γ=3", "GPU V=32, γ=8", "GPU V=32, matches",
         "GPU V=32, 16 rounds a trial", "GPU V=262144, 64 contexts", "GPU V=4096, tables in host memory",
         "GPU V=32, plain", "GPU V=32000, token, plain", "GPU V=32000, block, plain",
         "GPU V=32000, recursive, plain", "GPU V=32000, token, adaptive", "GPU V=32000, gbv",
         "GPU V=1024, settling"]
FIRST = ["known answers of Philox on the device", "context", "every kernel, short ranges",
         *(f"bench, {case}" for case in BENCH), "compute-sanitizer memcheck", "compute-sanitizer synccheck"]
SECOND = ["every kernel where rates are measured", "every kernel in many trials of one round",
          "every kernel in many trials of several rounds", "certificate", "compute-sanitizer racecheck",
          "equality of all backends over all cases", "compute-sanitizer initcheck"]
STEPS = FIRST + SECOND
# As `draftgauge bench --format json` writes them.
ROWS = """{
  "rows": [
    {
      "name": "GPU V=32: cuda",
      "rate": 103000000000.0,
      "unit": "rounds/s",
      "ratio": 52.5,
      "bound": 194000000000.0,
      "met": true,
      "note": "a device"
    }
  ]
}"""


def script(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


class GpuCheck(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp()) / "the check"  # a folder may have a space
        self.addCleanup(shutil.rmtree, self.folder.parent)
        self.caller = self.folder.parent / "caller"
        self.tools = self.folder.parent / "tools"
        for folder in self.folder, self.caller, self.tools:
            folder.mkdir()
        shutil.copy(SOURCE / "gpu/check/run", self.folder)

    def run_check(self, *words):
        paths = f"{self.tools}:{os.environ['PATH']}"
        return subprocess.run([self.folder / "run", *words], capture_output=True, text=True, cwd=self.caller,
                              env={**os.environ, "PATH": paths, "ROWS": ROWS,
                                   "FILE": str(self.caller / "gpu-check.json")})

    def stand_in(self, program="exit 0", tests="exit 0", sanitizer=None):
        script(self.folder / "draftgauge", STAND_IN + program)
        script(self.folder / "test_gpu", TESTS + tests)
        if sanitizer is not None:
            script(self.tools / "compute-sanitizer", "#!/bin/sh\n" + sanitizer)

    def results(self, name="gpu-check.json"):
        return json.loads((self.caller / name).read_text())

    def step(self, name):
        return next(step for step in self.results()["steps"] if step["name"] == name)

    def test_without_a_device(self):
        names = subprocess.run([PROGRAM, "list", "backends", "--format", "csv"], capture_output=True, text=True).stdout
        if "\nthrust-cuda," in names:
            self.skipTest("there is a device")
        (self.folder / "draftgauge").symlink_to(PROGRAM)
        done = self.run_check()
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"^there is no CUDA device to check \(--backend cuda: here cpu \(.+\)\) run this")
        self.assertEqual(list(self.caller.iterdir()), [])

    def test_the_steps_in_their_order(self):
        self.stand_in(sanitizer="shift 4; exec \"$@\"")
        done = self.run_check()
        self.assertEqual(done.returncode, 0, done.stderr)
        results = self.results()
        self.assertEqual(results["schema"], "draftgauge/gpu-check")
        self.assertEqual([step["name"] for step in results["steps"]], STEPS)
        self.assertEqual([step["passed"] for step in results["steps"]], [True] * len(STEPS))
        self.assertEqual(results["verify"]["command"], "verify")
        self.assertEqual([row["rows"][0]["rate"] for row in results["bench"]], [103e9] * len(BENCH))
        asked = (self.folder / "asked").read_text().splitlines()
        self.assertEqual([line for line in asked if "--time 120s --backend cuda" in line], [asked[-4]])
        self.assertEqual(asked[-3:], ["test_gpu -w NoTests [short]",
                                      "test_gpu -w NoTests backends:*",
                                      "test_gpu -w NoTests [short]"])
        self.assertIn("  GPU V=32: cuda: 1.03e+11 rounds/s, 52.5 times its baseline, 53 % of its bound, goal met\n",
                      done.stderr)

    def test_what_is_asked_for_is_there(self):
        self.stand_in(sanitizer="shift 4; exec \"$@\"")
        self.run_check()
        cases = "\n".join(path.read_text() for path in (SOURCE / "tests/gpu").glob("*.cc"))
        for line in (self.folder / "asked").read_text().splitlines():
            if found := re.fullmatch(r"test_gpu -w NoTests (.*)", line):
                self.assertRegex(cases, rf'TEST_CASE\("[^"]*", "{re.escape(found[1])}"' if found[1].startswith("[")
                                 else rf'TEST_CASE\(\s*"{re.escape(found[1].removesuffix("*"))}', line)

    def test_two_calls_are_the_whole(self):
        self.stand_in(sanitizer="shift 4; exec \"$@\"")
        for which, names, within in ("first", FIRST, 300), ("second", SECOND, 560), ("in many", SECOND[1:3], 560):
            self.assertEqual(self.run_check("--steps", which, f"{which}.json").returncode, 0)
            self.assertEqual([step["name"] for step in self.results(f"{which}.json")["steps"]], names)
            self.assertEqual(self.results(f"{which}.json")["within"], within)
        done = self.run_check("--steps", "nonsense")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no step is called 'nonsense' (nothing was checked) take first, second, all, or a part of a step's "
                      "name\n", done.stderr)

    def test_clocks_are_kept(self):
        self.stand_in(tests="sleep 1")
        script(self.tools / "nvidia-smi", "#!/bin/sh\ncase $* in *lms*) echo '1980, 2619, 300.5, 0x0000000000000000'; "
               "echo '1755, 2619, 690.1, 0x0000000000000004'; sleep 60 ;; *) echo 'A device, 580.1' ;; esac\n")
        self.assertEqual(self.run_check("--steps", "known answers").returncode, 0)
        self.assertEqual(self.step(STEPS[0])["clocks"],
                         {"sm_mhz": [1755, 1980], "memory_mhz": 2619, "watts": 690.1,
                          "reasons": ["0x0000000000000000", "0x0000000000000004"]})

    def test_a_name_that_no_test_has_is_a_failure(self):
        self.stand_in(tests="echo \"No test cases matched 'device: x'\"; exit 2")
        self.assertEqual(self.run_check("--steps", "known answers").returncode, 1)
        self.assertEqual(self.step(STEPS[0])["why"], "not on the device: No test cases matched 'device: x'")

    def test_results_are_whole_at_every_moment(self):
        self.stand_in(sanitizer="shift 4; exec \"$@\"")
        self.run_check()
        seen = [json.loads(file.read_text()) for file in self.folder.glob("seen-*.json")]
        self.assertEqual(sorted(len(each["steps"]) for each in seen), list(range(len(STEPS))))
        self.assertEqual({file.name for file in self.caller.iterdir()}, {"gpu-check.json"})

    def test_time_and_file_as_asked(self):
        self.stand_in(sanitizer="shift 4; exec \"$@\"")
        self.assertEqual(self.run_check("--certificate", "300", "other.json").returncode, 0)
        self.assertEqual([step["passed"] for step in self.results("other.json")["steps"]], [True] * len(STEPS))
        self.assertIn("--time 300s", (self.folder / "asked").read_text())

    def test_no_step_begins_when_time_is_up(self):
        self.stand_in()
        done = self.run_check("--within", "4")
        self.assertEqual(done.returncode, 4)
        self.assertTrue(done.stderr.endswith("results are in gpu-check.json, some steps were skipped\n"))
        self.assertFalse((self.folder / "asked").exists())
        self.assertEqual(self.step("certificate"), {"name": "certificate", "passed": None, "seconds": 0,
                                              "why": "no time was left"})

    def test_a_step_that_hangs_is_stopped(self):
        self.stand_in(tests="exec sleep 60")
        done = self.run_check("--within", "6")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(self.step(STEPS[0])["why"], "^stopped after [5-9] s, its time being up$")
        self.assertFalse(self.step(STEPS[0])["passed"])

    def test_a_failure_is_told(self):
        self.stand_in(tests="printf 'a \"quoted\\\\\" word\\nand more\\n'; exit 1")
        done = self.run_check()
        self.assertEqual(done.returncode, 1)
        step = self.step(STEPS[0])
        self.assertEqual((step["passed"], step["why"]), (False, "exit 1"))
        self.assertEqual(step["output"], 'a "quoted\\" word\nand more')
        self.assertTrue(self.step("bench, GPU V=32")["passed"])
        self.assertIn("  and more", done.stderr)

    def test_what_did_not_run_on_the_device_has_not_passed(self):
        self.stand_in(program="echo 'draftgauge: memory ran out (x): this runs as cpu' >&2")
        self.assertEqual(self.run_check().returncode, 1)
        self.assertEqual(self.step("certificate")["why"],
                         "not on the device: draftgauge: memory ran out (x): this runs as cpu")
        self.stand_in(tests="echo 'warning: not tested, as there is no device'")
        self.assertEqual(self.run_check().returncode, 1)
        self.assertEqual(self.step(STEPS[2])["why"], "not on the device: not tested, as there is no device")

    def test_without_the_sanitizer(self):
        if shutil.which("compute-sanitizer"):
            self.skipTest("it is here")
        self.stand_in()
        self.assertEqual(self.run_check().returncode, 4)
        self.assertEqual(self.step("compute-sanitizer racecheck")["why"], "it is not installed")

    def test_a_sanitizer_that_cannot_look_is_skipped(self):
        said = "========= Error: Device not supported. Please refer to the supported devices"
        blind = "  not tested, as there is no CUDA device"
        for text, code in (said, 1), (said, 0), (blind, 0):  # 0: the program ran, unseen by the tool
            self.stand_in(sanitizer=f"echo '{text}'; exit {code}")
            done = self.run_check()
            self.assertEqual(done.returncode, 4, done.stderr)
            step = self.step("compute-sanitizer racecheck")
            self.assertEqual((step["passed"], step["why"]), (None, text))

    def test_what_a_sanitizer_finds_is_a_failure(self):
        self.stand_in(sanitizer="echo 'Device not supported for X'; echo '== Invalid __global__ read'; exit 1")
        self.assertEqual(self.run_check().returncode, 1)
        step = self.step("compute-sanitizer memcheck")
        self.assertEqual((step["passed"], step["why"]), (False, "exit 1"))
        self.stand_in(sanitizer="echo 'Device not supported for X'; echo '  CHECK( a == b ) FAILED:'; exit 1")
        self.assertEqual(self.run_check().returncode, 1)

    def test_by_the_loader_where_the_c_library_is_old(self):
        self.stand_in()
        script(self.folder / "draftgauge", "#!/bin/sh\n[ -n \"$BY_LOADER\" ] || exit 1\n" + STAND_IN)
        script(self.folder / "loader/ld-linux-x86-64.so.2", "#!/bin/sh\nshift 2\nBY_LOADER=1 exec \"$@\"\n")
        done = self.run_check("--steps", "second")
        self.assertIn(done.returncode, (0, 4), done.stderr)

    def test_a_file_that_cannot_be_written_is_said_at_once(self):
        self.stand_in()
        done = self.run_check("no/such/folder/file.json")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"^no/such/folder/file.json cannot be written: .+ \(the results would be lost\) ")
        self.assertIn("../caller cannot be written: it is a folder (", self.run_check("../caller").stderr)
        self.assertFalse((self.folder / "asked").exists())

    def test_wrong_usage(self):
        for words, text in ((["--within", "soon"], "--within takes a number of seconds, not 'soon'"),
                            (["--certificate", "08"], "--certificate takes a number of seconds, not '08'"),
                            (["--within"], "--within takes a number of seconds, not ''"),
                            (["--fast"], "there is no option --fast (known: --steps WHICH, --within SECONDS, "
                             "--certificate SECONDS)"),
                            (["--steps"], "--steps takes first, second, all, or a part of a step's name, not ''")):
            done = self.run_check(*words)
            self.assertEqual((done.returncode, done.stderr.strip()), (2, text))

    def test_a_build_for_it_wants_nvcc(self):
        done = subprocess.run(["cmake", "-S", SOURCE, "-B", self.folder / "build", "-DDRAFTGAUGE_CUDA=REQUIRED"],
                              capture_output=True, text=True, env={**os.environ, "CUDACXX": "/no/nvcc"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("nvcc was not found (it compiles what runs on a CUDA device) install the CUDA Toolkit",
                      " ".join(done.stderr.split()))
        presets = json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"]
        gpu = next(preset for preset in presets if preset["name"] == "gpu")
        self.assertEqual(gpu["cacheVariables"]["DRAFTGAUGE_CUDA"], "REQUIRED")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
