"""The words of a compiler's or linker's command: what to change to make something else of them.

In the spelling of GNU's programs, or of Microsoft's (`/FoX`, `/out:X`).
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Command", "linking", "preprocessing", "redirected", "runs", "without_errors"]

_PRODUCT = re.compile(r"[-/](?:Fo:?|(?i:OUT):)(?=.)")
# What is written beside the product: databases for the debugger, and an import library.
_ASIDE = re.compile(r"([-/](?:Fd:?|(?i:PDB|IMPLIB):))(?:.+?)(\.\w+)?")


class Command(NamedTuple):
    """The words of a command, and the folder in which it is run, absolute."""

    words: list[str]
    folder: Path

    def names(self, word: str) -> Path:
        """Return the file that `word` would name."""
        return Path(os.path.normpath(self.folder / word))


def runs(words: Iterable[str], program: Path) -> bool:
    """Say whether the command runs `program`: itself, or through launchers that stand before it."""
    found = (shutil.which(word) for word in words if not word.startswith("-"))
    return any(path is not None and Path(path).resolve() == program.resolve() for path in found)


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
    """Return the compile command that only preprocesses, to standard output.

    Raises ValueError for one that does not say what it makes, or does more than to compile.
    """
    at, prefix = _product(words)
    left = [*words[: at if prefix else at - 1], *words[at + 1 :]]
    if not {"-c", "/c"} & {*left}:
        raise ValueError("it does not say that it only compiles")
    return ["-E" if word in {"-c", "/c"} else word for word in left]


def linking(command: Command, product: Path, instead: Mapping[Path, Path]) -> list[str]:
    """Return the words of the command that links `product`, of other objects: object -> other, all absolute.

    Those that the command does not name, since they come from a library, stand before all that it does.
    Raises ValueError for a command that links nothing.
    """
    bare = [word for word in command.words if not word.startswith("-Wl,--dependency-file")]
    if "vs_link_exe" in bare and "--" in bare:  # CMake's program that calls the linker, and others
        bare = bare[bare.index("--") + 1 :]
    changed = redirected(bare, product)
    if any(command.names(word) in instead for word in changed):
        return [str(instead.get(command.names(word), word)) for word in changed]
    at = _product(changed)[0] + 1
    return [*changed[:at], *map(str, instead.values()), *changed[at:]]
