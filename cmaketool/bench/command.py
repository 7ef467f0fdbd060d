"""`cmaketool bench`: parse, call, print."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cmaketool import resources
from cmaketool.bench.model import SIZES, BenchRequest
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.verify.signals import ended_by_signals

if TYPE_CHECKING:
    from cmaketool.bench.model import Measured, Outcome

__all__ = ["bench"]

_TOLERANCES = {"instructions": 1.0, "nanoseconds": 10.0}  # percent
_LARGEST = 1 << 26  # bytes of a message
_EXAMPLES = """\b
Examples (one line each):
  cmaketool bench kernels.yml
  cmaketool bench kernels.yml --family aes_ctr,sha256 --sizes 64,16384
  cmaketool bench kernels.yml --json > before.json
  cmaketool bench kernels.yml --compare before.json --tolerance 0.5
  cmaketool bench kernels.yml --toolchain native --plot native.svg
"""


def _words(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    if value is None:
        return ()
    words = tuple(dict.fromkeys(word.strip() for word in value.split(",") if word.strip()))
    if not words:  # an empty variable in a script must not turn into "all"
        raise click.BadParameter("nothing is named")
    return words


def _sizes(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...]:
    words = _words(context, parameter, value)
    wrong = [word for word in words if not (word.isascii() and word.isdigit() and 0 < int(word) <= _LARGEST)]
    if wrong:
        raise click.BadParameter(f"'{wrong[0]}' is no number of bytes from 1 to {_LARGEST}")
    return tuple(sorted({int(word) for word in words})) or SIZES


@click.command(epilog=_EXAMPLES)
@click.argument("manifest", type=click.Path(path_type=Path), required=False)
@click.option(
    "--family",
    "families",
    callback=_words,
    metavar="NAME[,NAME]",
    help="Families, or cases of theirs (aes_gcm/encrypt).  [default: all]",
)
@click.option(
    "--toolchain", metavar="LEG", help="The leg; native: time, on this machine.  [default: the embedded one]"
)
@click.option(
    "--toolchain-file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="A CMake toolchain file of yours, in place of a leg.",
)
@click.option(
    "--config",
    "configuration",
    default="Release",
    show_default=True,
    metavar="NAME",
    help="The configuration to build: Release, RelWithDebInfo (-O2), MinSizeRel, Debug.",
)
@click.option(
    "--sizes",
    callback=_sizes,
    metavar="BYTES[,BYTES]",
    help=f"Bytes of the messages.  [default: {','.join(map(str, SIZES))}]",
)
@click.option(
    "--compare",
    "earlier",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Show what changed since an earlier --json, and exit 1 if something takes more.",
)
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0),
    metavar="PERCENT",
    help="How much more is no failure.  [default: 1 of instructions, 10 of time]",
)
@click.option(
    "--plot", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Draw it all, as SVG."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of tables.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    help="Commands to run at the same time; time is measured by one.  [default: the number of processors]",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Work in DIR and leave everything there.",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing until the end.")
def bench(
    manifest: Path | None,
    earlier: Path | None,
    plot: Path | None,
    *,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Measure what each variant of the families of MANIFEST takes for a byte, at several sizes.

    In the emulator that is a number of instructions, exact and the same on every machine; on this machine
    (--toolchain native) it is time. Checksums show that all variants of a case did the same work. Default
    MANIFEST: the bundled one.

    Exits 0 when that is so, 1 when variants differ, a case failed, or --compare found more than is tolerated,
    2 for wrong input, 3 when the toolchain is not here.
    """
    from cmaketool.bench import engine, progress, results, table  # noqa: PLC0415  slow to import

    tolerance = options.pop("tolerance")
    _check(tolerance, earlier, plot, options)
    before = results.read(earlier) if earlier is not None else None
    request = BenchRequest(manifest if manifest is not None else resources.bundled_manifest(), **options)
    with ended_by_signals(), progress.progress(quiet=quiet) as speaker:
        outcome = engine.bench(request, speaker)
    if earlier is not None and before is not None:
        outcome = _compared(outcome, earlier, before, tolerance, request)
    if plot is not None:
        _draw(outcome, plot)
    click.echo(results.as_json(outcome) if as_json else table.as_text(outcome, _styled), nl=False)
    return int(outcome.code)


def _check(tolerance: float | None, earlier: Path | None, plot: Path | None, options: dict[str, Any]) -> None:
    """Raise for what cannot be meant, or not be done at the end, before anything is measured."""
    if options["toolchain"] is not None and options["toolchain_file"] is not None:
        raise click.UsageError("--toolchain and --toolchain-file exclude one another")
    if tolerance is not None and earlier is None:
        raise click.UsageError("--tolerance is for --compare")
    if plot is not None and not plot.absolute().parent.is_dir():
        raise click.UsageError(f"there is no folder for --plot {plot}")


def _compared(
    outcome: Outcome, earlier: Path, before: Measured, tolerance: float | None, request: BenchRequest
) -> Outcome:
    from cmaketool.bench.compare import compare  # noqa: PLC0415

    if tolerance is None:
        tolerance = _TOLERANCES[outcome.measured.unit]
    comparison = compare(earlier, before, outcome.measured, tolerance, request.families)
    return dataclasses.replace(outcome, comparison=comparison)


def _draw(outcome: Outcome, path: Path) -> None:
    from cmaketool.bench.plot import as_svg  # noqa: PLC0415

    try:
        path.write_text(as_svg(outcome.measured), encoding="utf-8", newline="\n")
    except OSError as error:
        fault = Diagnostic(f"the plot cannot be written: {error.strerror}", "output-inaccessible", str(path))
        raise CmaketoolError(fault) from error


def _styled(text: str, style: str) -> str:
    """Colour a text; click leaves colours out where output is piped."""
    if "NO_COLOR" in os.environ:
        return text
    return click.style(text, dim=True) if style == "dim" else click.style(text, fg=style)
