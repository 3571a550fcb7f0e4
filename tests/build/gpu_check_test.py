#!/usr/bin/env python3
"""gpu/check/run without a device, and on one that is played by scripts.

    tests/build/gpu_check_test.py SOURCE_DIR PROGRAM
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, PROGRAM = (pathlib.Path(word).resolve() for word in sys.argv[1:3])

STAND_IN = r"""#!/bin/sh
case $1 in
  --version) exit 0 ;;
  list) printf 'name,summary\nthrust-cuda,on a device\ncuda,kernels\n'; exit 0 ;;
esac
what=$1
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then echo "{\"command\": \"$what\"}" > "$2"; fi
  shift
done
exit %s
"""


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)


class GpuCheck(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(SOURCE / "gpu/check/run", self.folder)

    def run_check(self, *words):
        return subprocess.run([self.folder / "run", *words], capture_output=True, text=True)

    def stand_in(self, program_exit, tests_exit):
        script(self.folder / "draftgauge", STAND_IN % program_exit)
        script(self.folder / "test_gpu", f"#!/bin/sh\nexit {tests_exit}\n")

    def test_without_a_device(self):
        names = subprocess.run([PROGRAM, "list", "backends", "--format", "csv"], capture_output=True, text=True).stdout
        if "\nthrust-cuda," in names:
            self.skipTest("there is a device")
        (self.folder / "draftgauge").symlink_to(PROGRAM)
        done = self.run_check()
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"^there is no CUDA device to check \(--backend cuda: here cpu \(.+\)\) run this")
        self.assertFalse((self.folder / "gpu-check.json").exists())

    def test_results_are_one_json_file(self):
        self.stand_in(0, 0)
        done = self.run_check("5", "results.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        results = json.loads((self.folder / "results.json").read_text())
        self.assertEqual(results["schema"], "draftgauge/gpu-check")
        self.assertTrue(all(step["passed"] for step in results["steps"]))
        names = [step["name"] for step in results["steps"]]
        self.assertEqual(names[:3], ["known answers of Philox on the device",
                                     "equality of all backends over all cases", "certificate"])
        self.assertEqual(names[-1], "bench")
        self.assertEqual((results["verify"]["command"], results["bench"]["command"]), ("verify", "bench"))

    def test_a_failure_is_told(self):
        self.stand_in(0, 1)
        done = self.run_check("5")
        self.assertEqual(done.returncode, 1)
        steps = json.loads((self.folder / "gpu-check.json").read_text())["steps"]
        self.assertFalse(steps[0]["passed"])
        self.assertTrue(steps[-1]["passed"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
