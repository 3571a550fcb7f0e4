"""The pytest plugin: a fixture `lossless`, with one seed and one false alarm for all tests together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from ._errors import UsageError
from ._fields import share, whole

if TYPE_CHECKING:
    from ._audit import Audit


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("draftgauge", "audits of verifiers (draftgauge)")
    group.addoption("--draftgauge-false-alarm", default="1e-6", metavar="P",
                    help="the probability that any of the tests with `lossless` fails though all verifiers are right")
    group.addoption("--draftgauge-seed", default="1", metavar="N", help="the seed of the audits of `lossless`")


class Session:
    """What the tests with `lossless` share."""

    def __init__(self, config: pytest.Config):
        try:
            self.false_alarm = share("--draftgauge-false-alarm", config.getoption("--draftgauge-false-alarm"))
            seed = config.getoption("--draftgauge-seed")
            self.seed = whole("--draftgauge-seed", int(seed) if str(seed).isdigit() else seed)
        except UsageError as problem:
            raise pytest.UsageError(str(problem)) from None
        self.tests: set[str] = set()  #: that name the fixture
        self.lines: list[str] = []


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_session] = Session(config)


_session = pytest.StashKey[Session]()


def pytest_collection_finish(session: pytest.Session) -> None:
    session.config.stash[_session].tests = {item.nodeid for item in session.items
                                            if "lossless" in getattr(item, "fixturenames", ())}


@pytest.fixture
def lossless(request: pytest.FixtureRequest) -> Callable[..., Audit]:
    """draftgauge.testing.assert_lossless with the run's seed and a share of its false alarm: each test has an equal one, of which
    its first call takes half, its second a quarter, and so on."""
    shared = request.config.stash[_session]
    if request.node.nodeid not in shared.tests:
        raise UsageError("lossless was asked for by request.getfixturevalue (the false alarm is shared out among the tests that name "
                         "it, before the first runs); name it as an argument, or by pytest.mark.usefixtures")
    left = shared.false_alarm / len(shared.tests)

    def check(verifier: Any, *arguments: Any, **named: Any) -> Audit:
        nonlocal left
        if "false_alarm" in named:
            raise UsageError("false_alarm and the fixture lossless cannot be given together (--draftgauge-false-alarm is shared out "
                             "among all tests); use draftgauge.testing.assert_lossless")
        __tracebackhide__ = True
        from .testing import assert_lossless

        left /= 2
        found = assert_lossless(verifier, *arguments, **{"seed": shared.seed, **named, "false_alarm": left})
        shared.lines.append(f"{request.node.nodeid}: {found.verdict}")
        return found

    return check


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    shared = config.stash[_session]
    if shared.lines:
        terminalreporter.section("audits of verifiers")
        for line in shared.lines:
            terminalreporter.line(line)
        terminalreporter.line(f"seed {shared.seed} (--draftgauge-seed); false alarm {shared.false_alarm:g} of all "
                              f"{len(shared.tests)} tests together")
