"""Files on disk, whole or not at all: write them, or hold generated ones against what would be written."""

from __future__ import annotations

import contextlib
import difflib
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.names import GENERATED_BY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["Difference", "check_replaceable", "compare", "replace", "write"]

_SUFFIXES = (".c", ".cmake", ".h")  # of everything generated
_FIRST_LINE_LIMIT = 1024  # bytes


class Difference(NamedTuple):
    """One file that is not as generated: `line` is the first that differs, from 1; `text` a unified diff."""

    name: str
    kind: Literal["changed", "missing", "stray"]
    summary: str
    text: str
    line: int | None = None


def write(folder: Path, files: Mapping[str, str]) -> list[str]:
    """Write those of `files` (name -> text) that differ from what `folder` holds, and return their names.

    Line ends alone are no difference. A file is either the old or the new one, whole, whatever happens: new
    text goes to temporary files beside it first, which are gone afterwards even after Ctrl-C. Raises
    CmaketoolError when something cannot be written, or would replace what nobody generated.
    """
    changed = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # A link stays one; what it points to is written.
        paths = {name: Path(os.path.realpath(folder / name)) for name in files}
        present = {name: _read(path) for name, path in paths.items()}
        _refuse_foreign(folder, present)
        with _staging() as staged:
            for name, text in files.items():
                if present[name] != text:
                    _stage(paths[name], text, staged)
                    changed.append(name)
    except OSError as error:
        raise _failure(folder, error) from error
    return changed


def replace(path: Path, text: str) -> None:
    """Write `text` to `path`, which is either the old file or the new one, whole, whatever happens.

    A link stays one; what is no file (a pipe, a device) is written to. Raises CmaketoolError when that
    fails.
    """
    try:
        if _is_stream(path):
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        with _staging() as staged:
            _stage(Path(os.path.realpath(path)), text, staged)
    except OSError as error:
        raise _irreplaceable(path, error) from error


def check_replaceable(path: Path) -> None:
    """Raise CmaketoolError if `replace` could not write `path`; nothing is changed."""
    try:
        if not _is_stream(path):
            handle, name = _temporary(Path(os.path.realpath(path)))
            os.close(handle)
            Path(name).unlink()
    except OSError as error:
        raise _irreplaceable(path, error) from error


def compare(folder: Path, files: Mapping[str, str], generated_by: str) -> list[Difference]:
    """Return how `folder` differs from `files` (name -> text), line ends apart, sorted by name.

    Stray is a file that says it is `generated_by` the same manifest and is not among `files`. Raises
    CmaketoolError when something cannot be read.
    """
    try:
        found = [_difference(folder, name, text) for name, text in files.items()]
        strays = [
            Difference(name, "stray", "this file is not generated any more", f"Only in {folder}: {name}\n")
            for name in _generated(folder, generated_by)
            if name not in files
        ]
    except OSError as error:
        raise _failure(folder, error) from error
    return sorted([*filter(None, found), *strays], key=lambda difference: difference.name)


def _refuse_foreign(folder: Path, present: Mapping[str, str | None]) -> None:
    """Raise CmaketoolError if there are files of these names that were written by hand."""
    foreign = [
        name
        for name, text in present.items()
        if text and text.strip() and GENERATED_BY not in text.partition("\n")[0]
    ]
    if foreign:
        raise CmaketoolError(
            *(
                Diagnostic(
                    message="this file would be replaced, and it was not generated",
                    rule="foreign-file",
                    file=str(folder / name),
                    remedy="move it away or delete it, give the manifest another name, or choose -o DIR",
                )
                for name in foreign
            )
        )


@contextlib.contextmanager
def _staging() -> Iterator[dict[Path, Path]]:
    """Give what `_stage` fills; at the end it all takes its place, or nothing of it is left."""
    staged: dict[Path, Path] = {}
    try:
        yield staged
        for path, temporary in staged.items():
            temporary.replace(path)
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)


def _is_stream(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def _temporary(path: Path) -> tuple[int, str]:
    return tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)


def _stage(path: Path, text: str, staged: dict[Path, Path]) -> None:
    handle, name = _temporary(path)
    staged[path] = Path(name)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
    staged[path].chmod(stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask())


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _read(path: Path) -> str | None:
    """Return the text of a file with LF line ends, None if there is none."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    return data.decode("utf-8", errors="backslashreplace").replace("\r\n", "\n")


def _difference(folder: Path, name: str, wanted: str) -> Difference | None:
    present = _read(folder / name)
    if present == wanted:
        return None
    old, new = (present or "").splitlines(keepends=True), wanted.splitlines(keepends=True)
    sources = "/dev/null" if present is None else f"{name} (as it is)", f"{name} (as generated)"
    text = "".join(_lines(difflib.unified_diff(old, new, *sources)))
    if present is None:
        return Difference(name, "missing", "this generated file is missing", text)
    pairs = zip(old, new, strict=False)
    line = next((number for number, (a, b) in enumerate(pairs, 1) if a != b), min(len(old), len(new)) + 1)
    return Difference(name, "changed", "this file is not as generated from here on", text, line)


def _lines(diff: Iterable[str]) -> Iterable[str]:
    for line in diff:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _generated(folder: Path, generated_by: str) -> Iterable[str]:
    """Name the files in `folder` whose first line says that they are generated by `generated_by`."""
    mark = generated_by.encode()
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.suffix in _SUFFIXES and path.is_file():
            with path.open("rb") as stream:
                if mark in stream.readline(_FIRST_LINE_LIMIT):
                    yield path.name


def _failure(folder: Path, error: OSError) -> CmaketoolError:
    return CmaketoolError(
        Diagnostic(
            message=f"{error.strerror or error}",
            rule="output-inaccessible",
            file=str(error.filename or folder),
            remedy="nothing was left half-written; make the folder writable or choose another with -o DIR",
        )
    )


def _irreplaceable(path: Path, error: OSError) -> CmaketoolError:
    remedy = "nothing was left half-written; name a file in a folder that is there and can be written to"
    return CmaketoolError(
        Diagnostic(f"{error.strerror or error}", "output-inaccessible", str(path), remedy=remedy)
    )
