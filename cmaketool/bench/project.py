"""The program that runs benchmarks: the manifest's sources, the kernels that the leg can build, a main."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cmaketool import names, outputs, render, resources
from cmaketool.diagnostics import CmaketoolError, Diagnostic, ExitCode
from cmaketool.toolchains.environment import NO_FLAGS
from cmaketool.verify.harness import Subject, quoted
from cmaketool.verify.job import Job
from cmaketool.verify.model import VerifyRequest
from cmaketool.verify.progress import Quiet
from cmaketool.verify.tree import Tree
from cmaketool.verify.units import units

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.plan import Plan
    from cmaketool.process import Result
    from cmaketool.toolchains import Leg
    from cmaketool.verify.setups import Setup
    from cmaketool.verify.steps import Steps
    from cmaketool.verify.tree import Snapshot

__all__ = ["Program", "build"]

_SUPPORT = ("cmaketool_bench.h", "main.c")
_PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project({name}_bench LANGUAGES C)
add_executable({target} main.c
    {sources})
target_include_directories({target} PRIVATE "${{CMAKE_CURRENT_SOURCE_DIR}}")
include({fragment})
{name}_target_kernels({target})
"""


@dataclass(frozen=True, slots=True)
class Program:
    """The built program, and the kernels that it holds."""

    path: Path
    kernels: frozenset[str]


def build(plan: Plan, jobs: int, leg: Leg, setup: Setup, steps: Steps) -> Program:
    """Write, configure and build the project in the folder of `steps`, with `jobs` commands at once.

    Raises CmaketoolError, with what CMake or the compiler said, where one of these fails, and what
    process.run does.
    """
    subject = _written(plan, steps.folder / "project")
    asked = VerifyRequest(manifest=plan.folder / plan.manifest, jobs=jobs)
    tree = Tree(steps.folder / "build", Job(asked, plan, subject, Quiet()), leg, setup, steps)
    configured = tree.configure("AUTO", {option.variable: "AUTO" for option in plan.options})
    if configured.returncode != 0:
        raise _failed("cannot be configured", configured.errors or configured.output, configured)
    snapshot = tree.read()
    assert snapshot is not None  # noqa: S101  its target is ours
    leg.warm()
    log = tree.build("AUTO", snapshot, tests=False)
    if not log.ok:
        raise _failed("does not build", log.text)
    return Program(snapshot.target.artifacts[0], _kernels(plan, snapshot))


def _written(plan: Plan, folder: Path) -> Subject:
    fragment = folder / "fragment"
    fragment.mkdir(parents=True)
    outputs.write(fragment, render.render(plan, fragment))
    target = f"{plan.name}_bench_program"
    text = _PROJECT.format(
        name=plan.name,
        target=target,
        sources="\n    ".join(quoted((plan.root / source).as_posix()) for source in plan.benchmarks),
        fragment=quoted((fragment / f"{names.module(plan.name)}.cmake").as_posix()),
    )
    files = {"CMakeLists.txt": text, **{name: resources.text("bench/support", name) for name in _SUPPORT}}
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8", newline="\n")
    return Subject(folder, target, (), {}, NO_FLAGS)


def _kernels(plan: Plan, snapshot: Snapshot) -> frozenset[str]:
    compiled = snapshot.objects.keys()
    return frozenset(unit.name for unit in units(plan) if unit.kernel and compiled >= {*unit.sources})


def _failed(what: str, said: str, result: Result | None = None) -> CmaketoolError:
    if result is not None and result.timed_out:
        message = f"the benchmark program {what} in {result.seconds:.0f} s"
    else:
        lines = [line for line in said.splitlines() if line.strip()]
        first = next(
            (at for at, line in enumerate(lines) if "error" in line.lower()), max(len(lines) - 12, 0)
        )
        message = "\n  ".join([f"the benchmark program {what}:", *lines[first : first + 12]])
    return CmaketoolError(Diagnostic(message, "benchmark-program"), code=ExitCode.FAILED)
