"""`cmaketool toolchains`: parse, call, print."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

__all__ = ["toolchains"]

_EXAMPLES = """\b
Examples:
  cmaketool toolchains
  cmaketool toolchains msvc-model-arm64
  cmaketool toolchains --toolchain-file arm64.cmake --json
"""


@click.command(epilog=_EXAMPLES)
@click.argument("names", metavar="[LEG]...", nargs=-1)
@click.option(
    "--toolchain-file",
    "toolchain_files",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="A CMake toolchain file of yours, as a leg of its name. May be given more than once.",
)
@click.option(
    "--manifest",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="List the leg files (*.leg.yml) beside it too.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")
def toolchains(
    names: tuple[str, ...], toolchain_files: tuple[Path, ...], manifest: Path | None, *, as_json: bool
) -> None:
    """List the toolchains that `verify` knows: found or not, what each can show, what to install.

    With names of legs, or toolchain files, say all there is to say of these.
    """
    from cmaketool.toolchains import listing, loader  # noqa: PLC0415  slow to import

    asked = names or (() if toolchain_files else ("all",))
    found = listing.look(loader.select(asked, manifest=manifest, toolchain_files=toolchain_files))
    if as_json:
        click.echo(listing.as_json(found), nl=False)
        return
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else listing.WIDTH
    text = listing.as_descriptions if names or toolchain_files else listing.as_table
    click.echo(text(found, max(width, listing.NARROWEST)), nl=False)
