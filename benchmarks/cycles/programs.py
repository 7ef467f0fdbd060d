"""Programs that each do one row's work, built from the kernels' sources by a cross compiler."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.cycles import tools
from cmaketool import catalogue, plan
from cmaketool import manifest as manifests

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.cycles.yardsticks import Run
    from cmaketool.plan import Plan

__all__ = ["COMPILERS", "build"]

COMPILERS = {
    "gcc-12": ("aarch64-linux-gnu-gcc-12",),
    "clang-19": ("clang-19", "--target=aarch64-linux-gnu"),
}
_MESSAGES = Path(__file__).with_name("messages.c")
_ARCHIVER = "aarch64-linux-gnu-ar"


class _Sources(NamedTuple):
    """What is compiled of the kernels in `folder`."""

    folder: Path
    files: tuple[str, ...]
    flags: tuple[str, ...]


def build(kernels: Path, compiler: str, runs: Iterable[Run], folder: Path) -> dict[Run, Path]:
    """Build a static program for each of `runs` into `folder`, with -O2, and return where they are.

    `kernels` is the folder of kernels.yml, `compiler` one of COMPILERS. Raises CyclesError; for the manifest,
    CmaketoolError.
    """
    runs = list(dict.fromkeys(runs))
    made = plan.resolve(manifests.load(kernels / "kernels.yml"), catalogue.load())
    there = {(family.name, variant.name) for family in made.families for variant in family.variants}
    for run in runs:
        if (run.family, run.variant) not in there:
            raise tools.CyclesError(f"{kernels / 'kernels.yml'}: {run.family} has no variant {run.variant}")
    sources = _sources(kernels, made, {run.family for run in runs})
    command = [*COMPILERS[compiler], "-std=c11", "-O2", *sources.flags]
    folder.mkdir(parents=True, exist_ok=True)

    def compiled(name: str) -> str:
        output = folder / (name.replace("/", "_") + ".o")
        tools.output([*command, "-c", str(kernels / name), "-o", str(output)])
        return str(output)

    def linked(run: Run) -> Path:
        program = folder / f"{run.work}_{run.variant}"
        words = [f"-DFAMILY_{run.family.upper()}", f"-DVARIANT={run.variant}", f"-DWORK={run.work}"]
        tools.output([*command, "-static", *words, str(_MESSAGES), str(archive), "-o", str(program)])
        return program

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, sources.files))
        archive = folder / "kernels.a"
        tools.output([_ARCHIVER, "rcs", str(archive), *objects])
        return dict(zip(runs, pool.map(linked, runs), strict=True))


def _sources(kernels: Path, made: Plan, families: set[str]) -> _Sources:
    """Return the sources of all variants of `families`, and of what those are made of."""
    by_name = {kernel.name: kernel for kernel in made.kernels}
    chosen = [variant for family in made.families if family.name in families for variant in family.variants]
    used = [by_name[variant.kernel] for variant in chosen if variant.kernel is not None]
    files = [file for variant in chosen for file in variant.sources]
    files += [file for kernel in used for file in kernel.sources]
    definitions = [f"-D{kernel.definition}" for kernel in used]
    return _Sources(
        kernels, tuple(dict.fromkeys(files)), (f"-I{kernels / 'include'}", f"-I{kernels}", *definitions)
    )
