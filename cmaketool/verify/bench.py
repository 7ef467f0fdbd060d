"""The tests of one built state: what their objects refer to, and whether their programs are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from cmaketool.plan import Plan
    from cmaketool.toolchains.model import Rung
    from cmaketool.verify.buildlog import BuildLog
    from cmaketool.verify.judge import Judge
    from cmaketool.verify.objectrungs import Reader
    from cmaketool.verify.tree import Snapshot

__all__ = ["Bench"]


class Bench:
    """Which test can try what is read from its objects: from the symbols that they need.

    `current(target)` says whether a program is built from what is there now.
    """

    def __init__(
        self,
        plan: Plan,
        reader: Reader,
        snapshot: Snapshot,
        *,
        log: BuildLog,
        current: Callable[[str], bool],
    ) -> None:
        self._plan, self._reader, self._snapshot, self._log = plan, reader, snapshot, log
        self._needs = {name: self._undefined(name) for name in snapshot.tests}
        self._built = {name: log.ok or current(test.name) for name, test in snapshot.tests.items()}

    def _undefined(self, test: str) -> frozenset[str]:
        files = self._snapshot.test_objects[test].values()
        items = [self._reader.read(file) for file in files if file.is_file()]
        known = {symbol for kernel in self._plan.kernels for symbol in kernel.symbols}
        for family in self._plan.families:
            known.update(family.functions, *(variant.symbols for variant in family.variants))
        bitcode = {name for item in items if item.is_bitcode for name in known if item.mentions(name)}
        return frozenset(bitcode.union(*(item.undefined for item in items)))

    def referring(self, symbols: Iterable[str]) -> tuple[str, ...]:
        """Return the tests that refer to one of `symbols`."""
        wanted = frozenset(symbols)
        return tuple(test for test, needs in self._needs.items() if needs & wanted)

    def program(self, test: str) -> Path:
        """Return the program of a test, which need not be there."""
        return self._snapshot.tests[test].artifacts[0]

    @property
    def libraries(self) -> tuple[Path, ...]:
        """The libraries that programs may load."""
        return self._snapshot.libraries

    def unbuilt(self, tests: Sequence[str]) -> list[str]:
        """Return those of `tests`, or of all where that is none, that have no program of what is there."""
        return [test for test in tests or self._built if not self._built[test]]

    def hindrance(self, judge: Judge, rung: Rung, tests: Sequence[str]) -> str:
        """Return why `tests`, which try a unit, tell nothing at `rung` that is its own; empty if they do."""
        if not self._plan.tests:
            return "the manifest lists no tests (--until objects asks for none)"
        if not self._snapshot.tests:
            why = "it is a program or a module, or CMake is older than 3.19"
            return f"no test can be linked with the target: {why}"
        unbuilt = self.unbuilt(())
        others = judge.failed_before(rung)
        if others and unbuilt and (not tests or any(test in unbuilt for test in tests)):
            return f"the test {unbuilt[0]} does not build, since {', '.join(others)} failed"
        return ""

    def about(self, tests: Iterable[str]) -> str:
        """Return what the build said about the objects and programs of `tests`, else all that it said."""
        return "".join(self._about(test) for test in tests)

    def _about(self, test: str) -> str:
        files = [*self._snapshot.test_objects[test].values(), self.program(test)]
        said = "".join(dict.fromkeys(self._log.about(file, self._snapshot.folder) for file in files))
        return said or self._log.text
