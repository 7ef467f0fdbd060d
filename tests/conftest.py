"""What the whole suite reports, and what counts as a failure in CI."""

from __future__ import annotations

import functools
import os
import signal
import threading
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

# A shell that runs the tests in the background has them, and all that they start, ignore Ctrl-C.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure() -> None:
    """Forget what the user lets libraries choose: programs that tests run are told by the tests alone."""
    for name in [name for name in os.environ if name.endswith("_CPU_FEATURES")]:
        del os.environ[name]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not for every push, unless -m or a name asks for it."""
    for marker in ("nightly", "wolfssl"):
        if marker not in config.option.markexpr and not any("::" in word for word in config.args):
            left_out = [item for item in items if item.get_closest_marker(marker)]
            config.hook.pytest_deselected(items=left_out)
            items[:] = [item for item in items if not item.get_closest_marker(marker)]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Keep tests of a module that builds something for all of them with one worker: two would build it twice.

    So do those of all modules that build into the same worlds. What xdist 3.8 makes of its marks for this,
    pytest 9.2 does not see.
    """
    if config.getoption("dist") != "load":  # what -n asks for
        return None
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415  for those who have it

    @functools.cache
    def shared(file: str) -> str | None:
        text = (config.rootpath / file).read_text(encoding="utf-8")
        if "-> Worlds:" in text:
            return "worlds"
        return file if 'scope="module"' in text else None

    class Scheduling(LoadScopeScheduling):  # type: ignore[misc]  # untyped
        def _split_scope(self, nodeid: str) -> str:
            return shared(nodeid.partition("::")[0]) or nodeid

    return Scheduling(config, log)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many known answers each variant was held against."""
    lines = [
        str(value)
        for report in terminalreporter.stats.get("passed", [])
        for name, value in getattr(report, "user_properties", [])
        if name == "vectors"
    ]
    if lines:
        terminalreporter.section("known answers")
        for line in sorted(lines):
            terminalreporter.write_line(line)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI all that can be installed is there: a test that did not run is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
