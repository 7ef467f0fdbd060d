"""The words of a compiler's or linker's command: what to change to make something else of them.

In the spelling of GNU's programs, or of Microsoft's (`/FoX`, `/out:X`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

__all__ = ["linking", "preprocessing", "redirected", "without_errors"]

_PRODUCT = re.compile(r"[-/](?:Fo:?|(?i:OUT):)(?=.)")
# What is written beside the product: databases for the debugger, and an import library.
_ASIDE = re.compile(r"([-/](?:Fd:?|(?i:PDB|IMPLIB):))(?:.+?)(\.\w+)?")


def _product(words: Sequence[str]) -> tuple[int, str]:
    """Return where the product is named, and what stands before its name in that word.

    Raises ValueError if it is not named.
    """
    if "-o" in words[:-1]:
        return words.index("-o") + 1, ""
    for at, word in enumerate(words):
        match = _PRODUCT.match(word)
        if match is not None:
            return at, match[0]
    raise ValueError("it does not say what it makes")


def redirected(words: Sequence[str], product: Path) -> list[str]:
    """Return the command that makes `product`, and nothing in the place of anything else.

    Raises ValueError for one that does not say what it makes.
    """
    at, prefix = _product(words)
    found = [_ASIDE.fullmatch(word) if prefix else None for word in words]
    changed = [
        f"{aside[1]}{product}{aside[2] or ''}" if aside else word
        for word, aside in zip(words, found, strict=True)
    ]
    changed[at] = f"{prefix}{product}"
    return changed


def without_errors(words: Iterable[str]) -> list[str]:
    """Return the command that takes warnings for no more than that."""
    return [word for word in words if not re.match(r"-Werror|[-/]WX$", word)]


def preprocessing(words: Sequence[str]) -> list[str]:
    """Return the compile command that only preprocesses, to standard output. Raises ValueError."""
    at, prefix = _product(words)
    left = [*words[: at if prefix else at - 1], *words[at + 1 :]]
    left[next(place for place, word in enumerate(left) if word in {"-c", "/c"})] = "-E"
    return left


def linking(words: Sequence[str], product: Path, instead: dict[str, Path]) -> list[str]:
    """Return the command that links `product`, of other objects: name in the command -> object.

    Those that the command does not name, since they come from a library, stand before all that it does.
    Raises ValueError for a command that links nothing.
    """
    bare = [word for word in words if not word.startswith("-Wl,--dependency-file")]
    if "vs_link_exe" in bare and "--" in bare:  # CMake's program that calls the linker, and others
        bare = bare[bare.index("--") + 1 :]
    changed = redirected(bare, product)
    if any(word in instead for word in changed):
        return [str(instead.get(word, word)) for word in changed]
    at = _product(changed)[0] + 1
    return [*changed[:at], *map(str, instead.values()), *changed[at:]]
