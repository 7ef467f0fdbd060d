"""What the whole suite reports, and what counts as a failure in CI."""

from __future__ import annotations

import os
import signal
import threading

import pytest

# A shell that runs the tests in the background has them, and all that they start, ignore Ctrl-C.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure() -> None:
    """Forget what the user lets libraries choose: programs that tests run are told by the tests alone."""
    for name in [name for name in os.environ if name.endswith("_CPU_FEATURES")]:
        del os.environ[name]


@pytest.hookimpl(tryfirst=True)  # before xdist, which reads the marks of groups then
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not for every push, unless -m or a name asks for it; share what a module builds once.

    Tests of a module that builds something for all of them stay with one worker of xdist: two would build it
    twice. So do those of all modules that build into the same worlds.
    """
    for marker in ("nightly", "wolfssl"):
        if marker not in config.option.markexpr and not any("::" in word for word in config.args):
            left_out = [item for item in items if item.get_closest_marker(marker)]
            config.hook.pytest_deselected(items=left_out)
            items[:] = [item for item in items if not item.get_closest_marker(marker)]
    for item in items:
        if isinstance(item, pytest.Function):
            fixtures = item._fixtureinfo.name2fixturedefs
            if any(found[-1].scope == "module" for found in fixtures.values()):
                group = "worlds" if "worlds" in fixtures else item.path.stem
                item.add_marker(pytest.mark.xdist_group(group))


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
