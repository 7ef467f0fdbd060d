"""Options that several commands take."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.decorators import FC

__all__ = ["as_json", "jobs", "keep", "manifest", "quiet", "toolchain_file", "words"]


def words(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    """Return the words between commas, each once; None without the option. A callback of click's."""
    if value is None:
        return None
    found = tuple(dict.fromkeys(word.strip() for word in value.split(",") if word.strip()))
    if not found:  # an empty variable in a script must not turn into "all"
        raise click.BadParameter("nothing is named")
    return found


manifest = click.argument("manifest", type=click.Path(path_type=Path), required=False)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of tables.")
quiet = click.option("-q", "--quiet", is_flag=True, help="Say nothing until the end.")


def toolchain_file(help: str, *, multiple: bool = False) -> Callable[[FC], FC]:  # noqa: A002  as click calls it
    """Make --toolchain-file: `toolchain_file`, or with several `toolchain_files`."""
    return click.option(
        "--toolchain-file",
        "toolchain_files" if multiple else "toolchain_file",
        type=click.Path(path_type=Path, dir_okay=False, exists=True),
        multiple=multiple,
        metavar="FILE",
        help=help,
    )


def jobs(more: str = "") -> Callable[[FC], FC]:
    """Make --jobs; `more` is what else there is to say of it."""
    return click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=1),
        default=os.cpu_count() or 1,
        help=f"Commands to run at the same time{more}.  [default: the number of processors]",
    )


def keep(more: str = "") -> Callable[[FC], FC]:
    """Make --keep; `more` is what else there is to say of it."""
    return click.option(
        "--keep",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help=f"Work in DIR and leave everything there{more}.",
    )
