"""The program that does every row's work: the manifest's benchmarks and kernels, by a cross compiler."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cmaketool
from benchmarks.cycles import tools
from cmaketool import catalogue, names, plan
from cmaketool import manifest as manifests

__all__ = ["COMPILERS", "build"]

COMPILERS = {
    "gcc-12": ("aarch64-linux-gnu-gcc-12",),
    "clang-19": ("clang-19", "--target=aarch64-linux-gnu"),
}
_MESSAGES = Path(__file__).with_name("messages.c")
_SUPPORT = Path(cmaketool.__file__).parent / "bench" / "support"  # the header of benchmarks


def build(kernels: Path, compiler: str, folder: Path) -> Path:
    """Build the static program messages.c into `folder`, with -O2, and return where it is.

    `kernels` is the folder of kernels.yml, `compiler` one of COMPILERS. Raises CyclesError; for the manifest,
    CmaketoolError.
    """
    made = plan.resolve(manifests.load(kernels / "kernels.yml"), catalogue.load())
    choosing = [names.generated_file(made.name, part) for part in ("cpu.c", "dispatch.c")]
    own = [source for kernel in made.kernels for source in kernel.sources]
    files = [made.root / file for file in (*own, *made.portable_sources, *choosing, *made.benchmarks)]
    flags = [f"-D{kernel.definition}" for kernel in made.kernels]
    flags += [f"-I{place}" for place in (kernels / "include", kernels, _SUPPORT)]
    command = [*COMPILERS[compiler], "-std=c11", "-O2", *flags]
    folder.mkdir(parents=True, exist_ok=True)

    def compiled(file: Path) -> str:
        output = folder / f"{file.stem}.o"
        tools.output([*command, "-c", str(file), "-o", str(output)])
        return str(output)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, (*files, _MESSAGES)))
    program = folder / "messages"
    tools.output([*command, "-static", *objects, "-o", str(program)])
    return program
