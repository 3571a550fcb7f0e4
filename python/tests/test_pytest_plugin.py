"""The plugin's fixture audits with the run's seed and a share of its false alarm."""

import numpy  # noqa: F401: a run within this process forgets what it loads, and NumPy is loaded once
import pytest

pytest_plugins = ["pytester"]

TESTS = """
import pathlib, sys
sys.path.insert(0, {tests!r})
import verifiers

def test_right(lossless):
    found = lossless(verifiers.by_coins)
    again = lossless(verifiers.token, gamma=1, tv=.1)
    assert (found.seed, again.seed) == ({seed}, {seed})
    assert again.plan.false_alarm == found.plan.false_alarm / 2 == {share} / 4

def test_wrong(lossless):
    lossless(verifiers.residual_from_p, tv=.1)

def test_without():
    pass
"""


@pytest.fixture
def run(pytester, request):
    def of(*arguments, seed=1, share=1e-6 / 2):
        pytester.makepyfile(TESTS.format(tests=str(request.path.parent), seed=seed, share=share))
        known = request.config.pluginmanager.hasplugin("draftgauge")  # installed with the package, or not
        return pytester.runpytest_inprocess(*([] if known else ["-p", "draftgauge._pytest"]), *arguments)

    return of


def test_the_fixture(run):
    found = run()
    found.assert_outcomes(passed=2, failed=1)
    found.stdout.fnmatch_lines([">*lossless(verifiers.residual_from_p, tv=.1)"])  # the test's own line, and none of ours
    assert "trial = Trial(" not in found.stdout.str()
    found.stdout.fnmatch_lines(["*nearest known bug: faulty/residual-from-target*", "*= audits of verifiers =*",
                                "*test_right: lossless: TV *", "*test_right: lossless within TV 0.1: *",
                                "seed 1 (--draftgauge-seed); false alarm 1e-06 of all 2 tests together"])


def test_seed_and_false_alarm_are_the_runs(run):
    run("--draftgauge-seed=7", "--draftgauge-false-alarm=1e-3", "-k", "right", seed=7, share=1e-3).assert_outcomes(
        passed=1, deselected=2)


@pytest.mark.parametrize("argument, message", [
    ("--draftgauge-seed=x", "*--draftgauge-seed is 'x' (it is a whole number)*"),
    ("--draftgauge-false-alarm=2", "*--draftgauge-false-alarm 2 is out of range (above 0 and below 1)*"),
])
def test_bad_options(run, argument, message):
    run(argument).stderr.fnmatch_lines([message])


def test_false_alarm_is_not_the_tests(pytester, run):
    pytester.makepyfile(test_own="def test(lossless):\n    lossless(print, false_alarm=.1)")
    run().stdout.fnmatch_lines(["*false_alarm and the fixture lossless cannot be given together*"])


def test_a_test_that_was_not_counted_has_no_share(pytester, run):
    pytester.makepyfile(test_own="""
import pytest

def test_dynamic(request):
    request.getfixturevalue("lossless")

@pytest.mark.usefixtures("lossless")
def test_marked(request):
    request.getfixturevalue("lossless")
""")
    found = run("-k", "dynamic or marked")
    found.assert_outcomes(passed=1, failed=1, deselected=3)
    found.stdout.fnmatch_lines(["*UsageError: lossless was asked for by request.getfixturevalue (the false alarm is shared out among *"])
