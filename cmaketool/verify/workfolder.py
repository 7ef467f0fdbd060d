"""The folder that a run works in: kept if the user says so, else removed at its end."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool.diagnostics import CmaketoolError, Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["work_folder"]

# What CMake takes for more than a character of a path; the fragment says the same of its own folder.
_UNCARRIED = re.compile(r'[][;>"]|\$[A-Za-z]*[{<]')


@contextlib.contextmanager
def work_folder(command: str, manifest: Path, keep: Path | None) -> Iterator[Path]:
    """Give an absolute folder, links resolved, for `command` and `manifest`: `keep`, or one that is removed.

    Raises CmaketoolError where `keep` is not empty, cannot be made, or is a folder that CMake cannot carry.
    """
    if keep is None:
        folder = _temporary(command, manifest)
        try:
            _check_name(folder, "set TMPDIR to another folder")
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return
    if keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
        message = f"'{keep}' is there and not an empty folder"
        raise CmaketoolError(Diagnostic(message, "work-folder-in-use", remedy="name a new folder for --keep"))
    _check_name(keep.resolve(), "name another folder for --keep")
    yield _made(keep)


def _check_name(folder: Path, remedy: str) -> None:
    """Raise CmaketoolError for a folder in which CMake itself would fail, with much to read."""
    found = _UNCARRIED.search(re.sub(r"\[[^][]*\]", "", str(folder)))
    if found is not None:
        message = f"CMake cannot carry the '{found[0]}' of {folder}"
        raise CmaketoolError(Diagnostic(message, "work-folder-unusable", remedy=remedy))


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fault = Diagnostic(f"'{folder}' cannot be made: {error.strerror}", "work-folder-unusable")
        raise CmaketoolError(fault) from error
    return folder.resolve()


def _temporary(command: str, manifest: Path) -> Path:
    """Make a folder, always of the same name for a command and manifest: zig caches by the words of commands.

    Where there is one already, of another run or one that was killed, the name is a new one.
    """
    digest = hashlib.sha256(str(manifest.resolve()).encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()).resolve() / f"cmaketool-{command}-{digest}"
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return Path(tempfile.mkdtemp(prefix=f"cmaketool-{command}-")).resolve()
    return folder
