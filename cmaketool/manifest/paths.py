"""Which paths a manifest may hold: relative, in shortest form, in characters every build tool can carry.

Paths end up in quoted CMake arguments, CMake lists, generator expressions, Makefiles and ninja files. What
any of these, or a Windows file system, cannot carry is refused here rather than quoted there.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata

__all__ = ["problem"]

_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.+-]*)*")
_DRIVE = re.compile(r"[A-Za-z]:")
_ALSO = " _-.+,@=~()/"
_WHY = {
    ";": "separates the entries of a CMake list",
    "$": "begins a variable in CMake",
    '"': "ends a quoted CMake argument",
    "#": "begins a comment in Makefiles",
    "[": "hides the ';' of a CMake list",
    "]": "hides the ';' of a CMake list",
}


def problem(path: str) -> tuple[str, str | None] | None:
    """Return what is wrong with a path relative to some folder, and a remedy; None when nothing is.

    `..` is allowed only at the beginning: whether it may leave the folder is the caller's to say.
    """
    if _PLAIN.fullmatch(path):
        return None
    if _DRIVE.match(path):
        return f"path '{path}' has a drive letter", "paths are relative to the root"
    if path.startswith(("/", "\\")):
        return f"path '{path}' is absolute", "paths are relative to the root"
    if "\\" in path:
        return f"path '{path}' has a back-slash", f"write '{path.replace(chr(92), '/')}'"
    return _wrong_character(path) or _wrong_form(path)


def _wrong_character(path: str) -> tuple[str, None] | None:
    for character in path:
        if not _may_stand(character):
            name = character if character.isprintable() else f"U+{ord(character):04X}"
            why = _WHY.get(character, "not every build tool can carry")
            return f"path {path!r} has the character '{name}', which {why}", None
    return None


def _wrong_form(path: str) -> tuple[str, str | None] | None:
    normal = posixpath.normpath(path)
    if normal != path:
        return f"path '{path}' is not in its shortest form", f"write '{normal}'"
    if any(part != part.strip(" ") for part in path.split("/")):
        return f"path '{path}' has a part that begins or ends with a space", None
    return None


def _may_stand(character: str) -> bool:
    if character in _ALSO or character.isalnum():
        return True
    return unicodedata.category(character).startswith("M")
