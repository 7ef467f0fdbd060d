"""One build tree: configured with option values, read through the File API, built."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cmaketool import names
from cmaketool.toolchains.environment import NO_TOOLCHAIN
from cmaketool.verify import fileapi
from cmaketool.verify.buildtools import build_tool
from cmaketool.verify.compilecommands import Commands
from cmaketool.verify.harness import ASKING
from cmaketool.verify.steps import line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cmaketool.process import Result
    from cmaketool.toolchains import Leg
    from cmaketool.verify.buildlog import BuildLog
    from cmaketool.verify.job import Job
    from cmaketool.verify.setups import Setup
    from cmaketool.verify.steps import Steps

__all__ = ["Snapshot", "Tree"]

CONFIGURE_LIMIT = 300.0  # seconds
BUILD_LIMIT = 900.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a configured tree says it will build."""

    folder: Path
    codebase: fileapi.Codebase
    target: fileapi.Target
    objects: Mapping[Path, Path]  # source -> object file, of the target under test
    tests: Mapping[str, fileapi.Target]  # by the test's name
    test_objects: Mapping[str, Mapping[Path, Path]] = field(default_factory=dict)

    @property
    def libraries(self) -> tuple[Path, ...]:
        """The shared libraries of the tree, which its programs may load."""
        kinds = {"SHARED_LIBRARY", "MODULE_LIBRARY"}
        there = (target for target in self.codebase.targets.values() if target.type in kinds)
        return tuple(file for target in there for file in target.artifacts)

    def defines(self, macro: str) -> bool:
        """Say whether some source of the target under test is compiled with `macro`."""
        flag = re.compile(rf"(^|\s)[-/]D ?{re.escape(macro)}\b")
        return any(
            any(define.split("=")[0] == macro for define in source.defines)
            or any(flag.search(fragment) for fragment in source.fragments)
            for source in self.target.sources
        )


class Tree:
    """One build folder of a leg."""

    def __init__(self, folder: Path, job: Job, leg: Leg, setup: Setup, steps: Steps) -> None:
        self.folder = folder
        self._job, self._leg, self._setup, self._steps = job, leg, setup, steps
        self.build_tool = build_tool(setup, folder, steps)
        self._begun = False
        self._asking: set[Path] | None = None  # test sources; None: not known yet
        self.command = ""  # the last one, as a line

    def configure(self, state: str, values: Mapping[str, str]) -> Result:
        """Configure with option variables set to `values`; the first time with everything else too."""
        command = [str(self._setup.tools.cmake), "-S", str(self._job.subject.source), "-B", str(self.folder)]
        if not self._begun:
            fileapi.query(self.folder)
            command += [
                *self._setup.arguments,
                "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                *self._leg.configure_arguments,
                *self._job.subject.arguments,
                *self._launching(),
            ]
            self._begun = True
        if self._asking is not None:
            command.append(f"-D{ASKING}={';'.join(sorted(path.as_posix() for path in self._asking))}")
        command += [f"-D{variable}={value}" for variable, value in values.items()]
        self.command = line(command)
        name = f"{self.folder.name}: configure {state}"
        environment = {**NO_TOOLCHAIN, **self._job.subject.environment}
        return self._steps.run(name, command, timeout=CONFIGURE_LIMIT, environment=environment)

    def _launching(self) -> tuple[str, ...]:
        launcher = self._job.subject.launcher
        if not launcher or self._leg.facts.family == "zig":  # which keeps what it compiled, longer than a run
            return ()
        return (f"-DCMAKE_C_COMPILER_LAUNCHER={';'.join(launcher)}",)

    def read(self) -> Snapshot | None:
        """Return what was configured; None if the target under test is not there."""
        codebase = fileapi.read(self.folder, self._setup.among)
        target = codebase.targets.get(self._job.subject.target)
        if target is None:
            return None
        tests = {
            name: codebase.targets[program]
            for name, program in self._job.subject.tests.items()
            if program in codebase.targets
        }
        names_ = [target.name, *(test.name for test in tests.values())]
        objects = fileapi.objects_by_target(self.folder, codebase, names_)
        return Snapshot(
            self.folder,
            codebase,
            target,
            objects[target.name],
            tests,
            {name: objects[test.name] for name, test in tests.items()},
        )

    def targets(self) -> list[str]:
        """Return the names of the configured targets."""
        return sorted(fileapi.read(self.folder).targets)

    def learn(self, snapshot: Snapshot) -> None:
        """Note which test sources ask what is built: only they are compiled again when that changes.

        For a tree that is to be configured again; once is enough. Raises CmaketoolError, and what process.run
        does.
        """
        if self._asking is not None:
            return
        plan = self._job.plan
        private = (define.split("=")[0] for option in plan.options for define in option.private_definitions)
        header = f"{names.module(plan.name)}_config.h"
        words = (header, *(kernel.definition for kernel in plan.kernels), *private)
        commands = Commands(self.folder, self._steps)
        self._asking = {
            source
            for objects in snapshot.test_objects.values()
            for source, file in objects.items()
            if any(_mentions(part, words) for part in commands.parts(file) or {source})
        }

    def build(self, state: str, snapshot: Snapshot, *, tests: bool) -> BuildLog:
        """Build the target under test and, if asked, the tests, going on after faults."""
        targets = [snapshot.target.name, *((test.name for test in snapshot.tests.values()) if tests else ())]
        command = [str(self._setup.tools.cmake), "--build", str(self.folder), "--target", *targets]
        command += self.build_tool.arguments(self._job.request.jobs)
        # What compilers say is read: in English.
        environment = {**self.build_tool.environment, "LC_ALL": "C"}
        self.command = line(command)
        name = f"{self.folder.name}: build {state}"
        result = self._steps.run(name, command, timeout=BUILD_LIMIT, environment=environment, merged=True)
        return self.build_tool.log(result, self.command)


def _mentions(path: Path, words: tuple[str, ...]) -> bool:
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    return any(word in text for word in words)
