"""`cmaketool verify`: parse, call, print."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cmaketool import resources
from cmaketool.verify.model import RUNGS_UNTIL, Verdict, VerifyRequest
from cmaketool.verify.setups import GENERATORS
from cmaketool.verify.signals import ended_by_signals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cmaketool.verify.progress import Progress

__all__ = ["verify"]

_COLOURS = {Verdict.PASS: "green", Verdict.FAIL: "red", Verdict.NOT_RUN: "yellow"}
_LEGS = "LEG[,LEG]"


def _names(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    names = tuple(name.strip() for name in value.split(",") if name.strip())
    if not names:  # an empty variable in a script must not turn into "all"
        raise click.BadParameter("no leg is named")
    return names


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
@click.argument("manifest", type=click.Path(path_type=Path), required=False)
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
    callback=_names,
    metavar=f"{_LEGS}|all",
    help="Legs that must run.  [default: the usual ones whose tools are found; see cmaketool toolchains]",
)
@click.option(
    "--toolchain-file",
    "toolchain_files",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    multiple=True,
    metavar="FILE",
    help="A CMake toolchain file of yours, as a leg that must run.  (*)",
)
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
    callback=_names,
    metavar=f"{_LEGS}|none",
    help="Legs on which kernels broken on purpose must be found.  [default: the embedded one]",
)
@click.option("--require", is_flag=True, help="Exit 3 if a leg that ran could show something and did not.")
@click.option("--expect-refused", is_flag=True, help="The manifest is to be refused on every leg.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of tables.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    help="Commands to run at the same time.  [default: the number of processors]",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Work in DIR and leave everything there, with the commands of each leg in steps.sh.",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing until the end.")
def verify(manifest: Path | None, target: str | None, project: Path | None, **options: Any) -> int:
    """Prove from what is really built that the kernels of MANIFEST are there and right.

    There when asked for, gone when not, refused where they cannot be had. Default MANIFEST: the bundled one.

    (*) May be given more than once: each leg is run with each CMake, generator and configuration, and a table
    shows them beside one another.

    Exits 0 when every kernel passed on a leg that builds it, 1 when something failed, 2 for wrong input, 3
    when something that was asked for was not shown.
    """
    from cmaketool.verify import engine, report  # noqa: PLC0415  slow to import

    gc.enable()
    atexit.unregister(gc.freeze)  # LIEF complains at the end of what was not collected
    if (project is None) != (target is None):
        raise click.UsageError("--project and --target go together")
    if options["defines"] and project is None:
        raise click.UsageError("-D is for --project")
    request = _request(manifest, project, target, options)
    with ended_by_signals(), _progress(quiet=options["quiet"]) as progress:
        outcome = engine.verify(request, progress)
    _print(report.as_json(outcome) if options["as_json"] else report.as_text(outcome, _styled))
    return int(outcome.code)


def _print(text: str) -> None:
    """Print `text`; a reader that has seen enough (head) does not change what came of it all."""
    try:
        click.echo(text, nl=False)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at the end


def _request(
    manifest: Path | None, project: Path | None, target: str | None, options: dict[str, Any]
) -> VerifyRequest:
    teeth = options["teeth"]
    return VerifyRequest(
        manifest=manifest if manifest is not None else resources.bundled_manifest(),
        project=project,
        target=target,
        defines=options["defines"],
        toolchains=options["toolchains"] or (),
        toolchain_files=options["toolchain_files"],
        cmakes=options["cmakes"],
        generators=options["generators"],
        configurations=options["configurations"],
        until=options["until"],
        jobs=options["jobs"],
        keep=options["keep"],
        teeth=() if teeth == ("none",) else teeth,
        require=options["require"],
        expect_refused=options["expect_refused"],
    )


def _styled(text: str, verdict: Verdict) -> str:
    """Colour a cell; click leaves the colour out where output is piped."""
    if "NO_COLOR" in os.environ:
        return text
    return click.style(text, fg=_COLOURS.get(verdict))


@contextlib.contextmanager
def _progress(*, quiet: bool) -> Iterator[Progress]:
    from cmaketool.verify.progress import Live, Plain, Quiet  # noqa: PLC0415

    if quiet or sys.stderr is None:
        yield Quiet()
    elif sys.stderr.isatty():
        with Live() as live:
            yield live
    else:
        yield Plain()
