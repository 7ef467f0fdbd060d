"""The programs that the stand-in is made of: clang and its companions, all of one version."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import NamedTuple

from cmaketool import process

__all__ = ["PACKAGES", "Tools", "find_tools"]

PACKAGES = "Debian: apt-get install clang-19 lld-19 llvm-19"
_OLDEST = 19  # the first that makes objects for ARM64EC as CMake wants them
_SUFFIXES = ("-19", "")  # Debian's names, then everybody's


class Tools(NamedTuple):
    """Paths of programs."""

    clang: str
    link: str
    lib: str
    rc: str
    mt: str
    dlltool: str


_NAMES = Tools("clang", "lld-link", "llvm-lib", "llvm-rc", "llvm-mt", "llvm-dlltool")


def _version(clang: str) -> int:
    said = re.search(r"clang version (\d+)", process.run([clang, "--version"], timeout=30).output)
    return int(said[1]) if said else 0


def find_tools() -> Tools | str:
    """Return the programs of the first complete set on PATH, or in one sentence what is not there."""
    problem = "clang-19 is not on PATH"
    for suffix in _SUFFIXES:
        paths = {name: shutil.which(name + suffix) for name in _NAMES}
        missing = [name + suffix for name, path in paths.items() if path is None]
        clang = paths["clang"]
        if clang is None:
            continue
        if missing:
            problem = f"{', '.join(missing)} not on PATH, beside {Path(clang).name}"
        elif _version(clang) < _OLDEST:
            problem = f"{clang} is older than clang {_OLDEST}"
        else:
            return Tools(*(str(path) for path in paths.values()))
    return problem
