"""For which devices a build compiles device code:  cuda_choice_test.py SOURCE

A stand-in for nvidia-smi says which devices there are; no nvcc is found, so that only the choice is tested."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1])
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(choice LANGUAGES NONE)
set(PROJECT_IS_TOP_LEVEL ${{TOP}})
include({SOURCE}/cmake/cuda.cmake)
message(STATUS "chosen: ${{DRAFTGAUGE_HAS_CUDA}} [${{CMAKE_CUDA_ARCHITECTURES}}]")
"""


class CudaChoice(unittest.TestCase):
    def chosen(self, wanted, devices=None, top="ON", more=()):
        """What is said of a build that wants `wanted`, on a machine with `devices` (None: without a driver)."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "CMakeLists.txt").write_text(PROJECT)
            tool = folder / "nvidia-smi"
            tool.write_text("#!/bin/sh\n" + ("exit 9\n" if devices is None else f"printf '{devices}'\n"))
            tool.chmod(0o755)
            done = subprocess.run(["cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build",
                                   f"-DDRAFTGAUGE_CUDA={wanted}", f"-DTOP={top}", *more], capture_output=True, text=True,
                                  env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "CUDACXX": "/no/nvcc"})
            self.assertEqual(done.returncode, 0, done.stderr)
            return next(line.split("chosen: ")[1] for line in done.stdout.splitlines() if "chosen: " in line)

    def test_auto_compiles_for_the_devices_at_hand(self):
        self.assertEqual(self.chosen("AUTO", "9.0\\n9.0\\n8.6\\n"), "OFF [90-real;86-real]")

    def test_auto_compiles_nothing_where_no_device_can_run_it(self):
        self.assertEqual(self.chosen("AUTO"), "OFF []")
        self.assertEqual(self.chosen("AUTO", "No devices were found\\n"), "OFF []")
        self.assertEqual(self.chosen("AUTO", "7.5\\n"), "OFF []")

    def test_auto_is_off_inside_another_project(self):
        self.assertEqual(self.chosen("AUTO", "9.0\\n", top="OFF"), "OFF []")

    def test_on_asks_for_no_device(self):
        self.assertEqual(self.chosen("ON"), "OFF [80-real;90]")

    def test_given_architectures_stay(self):
        given = ["-DCMAKE_CUDA_ARCHITECTURES=89-real"]
        self.assertEqual(self.chosen("AUTO", "9.0\\n", more=given), "OFF [89-real]")
        self.assertEqual(self.chosen("ON", more=given), "OFF [89-real]")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
