"""`cmaketool verify`: parse, call, print."""

from __future__ import annotations

import atexit
import gc
from pathlib import Path
from typing import Any

import click

from cmaketool import console, options, resources
from cmaketool.verify.model import RUNGS_UNTIL, Verdict, VerifyRequest
from cmaketool.verify.setups import GENERATORS
from cmaketool.verify.signals import ended_by_signals

__all__ = ["verify"]

_COLOURS = {Verdict.PASS: "green", Verdict.FAIL: "red", Verdict.NOT_RUN: "yellow"}
_LEGS = "LEG[,LEG]"
_EXAMPLES = """\b
Examples (one line each):
  cmaketool verify kernels.yml --until sources
  cmaketool verify kernels.yml --project . --target mylib --toolchain native
  cmaketool verify kernels.yml --toolchain-file arm64.cmake --config Debug
  cmaketool verify kernels.yml --toolchain all --until sources
      --cmake /opt/cmake-3.18 --cmake /opt/cmake-3.31 --cmake cmake
  cmaketool verify kernels.yml --generator "Ninja Multi-Config"
      --generator "Unix Makefiles" --config Debug --config Release
"""


@click.command(epilog=_EXAMPLES)
@options.manifest
@click.option(
    "--project",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="Verify this CMake project's own tree.  [default: a generated one]",
)
@click.option("--target", metavar="NAME", help="The project's target that takes the kernels.")
@click.option(
    "-D", "defines", multiple=True, metavar="VAR=VALUE", help="Cache entry for the project's configure."
)
@click.option(
    "--toolchain",
    "toolchains",
    callback=options.words,
    metavar=f"{_LEGS}|all",
    help="Legs that must run.  [default: the usual ones whose tools are found; see cmaketool toolchains]",
)
@options.toolchain_file("A CMake toolchain file of yours, as a leg that must run.  (*)", multiple=True)
@click.option(
    "--cmake",
    "cmakes",
    multiple=True,
    metavar="PATH",
    help="The CMake to use: a program, its folder, or its name on PATH.  (*)",
)
@click.option(
    "--generator",
    "generators",
    type=click.Choice(GENERATORS, case_sensitive=False),
    multiple=True,
    metavar="NAME",
    help=f"{', '.join(GENERATORS[:-1])} or {GENERATORS[-1]}.  [default: {GENERATORS[0]}]  (*)",
)
@click.option(
    "--config",
    "configurations",
    multiple=True,
    metavar="NAME",
    help="The configuration to build: Debug, MinSizeRel, or one of the project's.  [default: Release]  (*)",
)
@click.option(
    "--until",
    type=click.Choice(list(RUNGS_UNTIL)),
    default="run",
    show_default=True,
    help="How far to go: configure only, to the sources and flags, to the objects, or to the end.",
)
@click.option(
    "--teeth",
    callback=options.words,
    metavar=f"{_LEGS}|none",
    help="Legs on which kernels broken on purpose must be found.  [default: the embedded one]",
)
@click.option("--require", is_flag=True, help="Exit 3 if a leg that ran could show something and did not.")
@click.option("--expect-refused", is_flag=True, help="The manifest is to be refused on every leg.")
@options.as_json
@options.jobs()
@options.keep(", with the commands of each leg in steps.sh")
@options.quiet
def verify(manifest: Path | None, target: str | None, project: Path | None, **given: Any) -> int:
    """Prove from what is really built that the kernels of MANIFEST are there and right.

    There when asked for, gone when not, refused where they cannot be had. Default MANIFEST: the bundled one.

    (*) May be given more than once: each leg is run with each CMake, generator and configuration, and a table
    shows them beside one another.

    Exits 0 when every kernel passed on a leg that builds it, 1 when something failed, 2 for wrong input, 3
    when something that was asked for was not shown.
    """
    from cmaketool.verify import engine, progress, report  # noqa: PLC0415  slow to import

    gc.enable()
    atexit.unregister(gc.freeze)  # LIEF complains at the end of what was not collected
    if (project is None) != (target is None):
        raise click.UsageError("--project and --target go together")
    if given["defines"] and project is None:
        raise click.UsageError("-D is for --project")
    request = _request(manifest, project, target, given)
    with ended_by_signals(), progress.progress(quiet=given["quiet"]) as listener:
        outcome = engine.verify(request, listener)
    console.show(report.as_json(outcome) if given["as_json"] else report.as_text(outcome, _styled))
    return int(outcome.code)


def _request(
    manifest: Path | None, project: Path | None, target: str | None, given: dict[str, Any]
) -> VerifyRequest:
    teeth = given["teeth"]
    return VerifyRequest(
        manifest=manifest if manifest is not None else resources.bundled_manifest(),
        project=project,
        target=target,
        defines=given["defines"],
        toolchains=given["toolchains"] or (),
        toolchain_files=given["toolchain_files"],
        cmakes=given["cmakes"],
        generators=given["generators"],
        configurations=given["configurations"],
        until=given["until"],
        jobs=given["jobs"],
        keep=given["keep"],
        teeth=() if teeth == ("none",) else teeth,
        require=given["require"],
        expect_refused=given["expect_refused"],
    )


def _styled(text: str, verdict: Verdict) -> str:
    return console.styled(text, _COLOURS.get(verdict))
