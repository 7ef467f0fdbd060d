"""`cmaketool bench`: parse, call, print."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from cmaketool import console, options, resources
from cmaketool.bench.model import SIZES, BenchRequest, Earlier
from cmaketool.verify.signals import ended_by_signals

__all__ = ["bench"]

_LARGEST = 1 << 26  # bytes of a message
_EXAMPLES = """\b
Examples (one line each):
  cmaketool bench kernels.yml
  cmaketool bench kernels.yml --family aes_ctr,sha256 --sizes 64,16384
  cmaketool bench kernels.yml --json > before.json
  cmaketool bench kernels.yml --compare before.json --tolerance 0.5
  cmaketool bench kernels.yml --toolchain native --plot native.svg
"""


def _sizes(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...]:
    words = options.words(context, parameter, value) or ()
    wrong = [word for word in words if not (word.isascii() and word.isdigit() and 0 < int(word) <= _LARGEST)]
    if wrong:
        raise click.BadParameter(f"'{wrong[0]}' is no number of bytes from 1 to {_LARGEST}")
    return tuple(sorted({int(word) for word in words})) or SIZES


def _tolerance(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):  # with nan nothing is ever more, nor with inf
        raise click.BadParameter(f"{value} is no number of percent")
    return value


@click.command(epilog=_EXAMPLES)
@options.manifest
@click.option(
    "--family",
    "families",
    callback=options.words,
    metavar="NAME[,NAME]",
    help="Families, or cases of theirs (aes_gcm/encrypt).  [default: all]",
)
@click.option(
    "--toolchain", metavar="LEG", help="The leg; native: time, on this machine.  [default: the embedded one]"
)
@options.toolchain_file("A CMake toolchain file of yours, in place of a leg.")
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
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Show what changed since an earlier --json, and exit 1 if something takes more.",
)
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0),
    callback=_tolerance,
    metavar="PERCENT",
    help="How much more is no failure.  [default: 1 of instructions, 10 of time]",
)
@click.option(
    "--plot", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Draw it all, as SVG."
)
@options.as_json
@options.jobs("; time is measured by one")
@options.keep()
@options.quiet
def bench(
    manifest: Path | None,
    file: Path | None,
    plot: Path | None,
    tolerance: float | None,
    *,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Measure what each variant of the families of MANIFEST takes for a byte, at several sizes.

    In the emulator that is a number of instructions, exact and the same on every machine; on this machine
    (--toolchain native) it is time. Checksums show that all variants of a case did the same work. Default
    MANIFEST: the bundled one.

    Exits 0 when that is so, 1 when variants differ, a case failed, nothing was measured, or --compare found
    more than is tolerated, 2 for wrong input, 3 when the toolchain is not here.
    """
    from cmaketool import outputs  # noqa: PLC0415  slow to import, as what follows
    from cmaketool.bench import engine, progress, results, table  # noqa: PLC0415

    if given["toolchain"] is not None and given["toolchain_file"] is not None:
        raise click.UsageError("--toolchain and --toolchain-file exclude one another")
    if tolerance is not None and file is None:
        raise click.UsageError("--tolerance is for --compare")
    if plot is not None:
        outputs.check_replaceable(plot)  # before anything is measured
    earlier = Earlier(file, results.read(file), tolerance) if file is not None else None
    families = given.pop("families") or ()
    source = manifest if manifest is not None else resources.bundled_manifest()
    request = BenchRequest(source, families, earlier=earlier, **given)
    with ended_by_signals(), progress.progress(quiet=quiet) as listener:
        outcome = engine.bench(request, listener)
    console.show(results.as_json(outcome) if as_json else table.as_text(outcome, console.styled))
    if plot is not None:
        from cmaketool.bench.plot import as_svg  # noqa: PLC0415

        outputs.replace(plot, as_svg(outcome.measured))
    return int(outcome.code)
