"""Preprocessed C: which file each line comes from, as the line markers in it say."""

from __future__ import annotations

import re

__all__ = ["files", "lines"]
# Imported by the stand-in for cl, which is started once for each file that is compiled: nothing slow here.

_MARKER = re.compile(r'#\s*(?:line\s+)?(\d+)\s+"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")


def _unescaped(path: str) -> str:
    """Return a path of a line marker, where bytes beyond ASCII may be in octal."""
    raw = _ESCAPE.sub(
        lambda found: bytes([int(found[1], 8)]) if len(found[1]) == 3 else found[1], path.encode()
    )
    return raw.decode(errors="replace")


def files(text: str) -> set[str]:
    """Return the names in the line markers of `text`; those of compilers' own making are no files."""
    found = (_MARKER.match(line) for line in text.splitlines() if line.startswith("#"))
    return {_unescaped(marker[2]) for marker in found if marker}


def lines(text: str) -> list[tuple[str, int, str]]:
    """Return file, number and text of each line of `text` that is not blank."""
    result = []
    where, number = "", 0
    for line in text.splitlines():
        marker = _MARKER.match(line)
        if marker:
            where, number = _unescaped(marker[2]), int(marker[1])
            continue
        if line and not line.isspace():
            result.append((where, number, line))
        number += 1
    return result
