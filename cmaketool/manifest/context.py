"""What every check of a manifest needs: the manifest, where its parts stand, and how to say what is wrong."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cmaketool.diagnostics import near_miss
from cmaketool.manifest.paths import problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from cmaketool.catalogue import Catalogue
    from cmaketool.manifest.faults import Faults, Place
    from cmaketool.manifest.model import Manifest

    Key = str | int
    Position = Callable[..., Place]

_HINTS = 20  # a wrong root makes every file missing: no near misses for all of them

__all__ = ["Context"]


class Context:
    """What every check needs."""

    def __init__(
        self, manifest: Manifest, folder: Path, root: Path, *, catalogue: Catalogue, faults: Faults,
        position: Position,
    ) -> None:  # fmt: skip
        self.manifest = manifest
        self.folder = folder
        self.root = root
        self.catalogue = catalogue
        self.position = position
        self.decides = manifest.decides  # at run time, for which more names are generated
        self.root_is_fine = True  # if not, no file is looked for
        self.sources: dict[str, str] = {}  # source -> who has it
        self.symbols: dict[str, str] = {}  # symbol -> who supplies it
        self.headers: set[str] = set()  # those found
        self._hints = 0
        self._faults = faults
        self._told = faults.places()  # where reading the file found something: enough said there

    def add(self, keys: tuple[Key, ...], rule: str, message: str, remedy: str | None = None) -> None:
        """Report what is wrong with the part of the manifest under `keys`."""
        place = self.position(*keys)
        if place not in self._told:
            self._faults.add(place, rule, message, remedy)

    def knows(self, keys: tuple[Key, ...], what: str, name: str, known: Iterable[str]) -> bool:
        """Report `name` unless it is known or blank; say whether it is known."""
        known = list(known)
        if name and name not in known:
            hint = near_miss(name, known) or (f"known: {', '.join(known[:20])}" if known else "there is none")
            self.add(keys, f"unknown-{what}", f"there is no {what} '{name}'", hint)
        return name in known

    def no_repetition(self, keys: tuple[Key, ...], entries: Iterable[str]) -> None:
        """Report what stands in the list under `keys` for the second time."""
        seen: set[str] = set()
        for index, entry in enumerate(entries):
            if entry in seen and entry:
                self.add((*keys, index), "duplicate", f"'{entry}' stands twice in '{keys[-1]}'")
            seen.add(entry)

    def path_is_fine(self, keys: tuple[Key, ...], path: str) -> bool:
        """Report a path that cannot be carried or leaves the root."""
        wrong = problem(path)
        if wrong is None and (path == ".." or path.startswith("../")):
            wrong = f"path '{path}' leaves the root", "move 'root' up, or the file below it"
        if wrong:
            self.add(keys, "path", *wrong)
        return wrong is None

    def check_features(self, keys: tuple[Key, ...], isa: str, features: tuple[str, ...]) -> bool:
        """Check a list of features of one instruction set; say whether all are known."""
        known = self.catalogue.features(isa)
        self.no_repetition(keys, features)
        for index, feature in enumerate(features):
            if feature and feature not in known:
                elsewhere = [
                    other for other in self.catalogue.isas if feature in self.catalogue.features(other)
                ]
                message = f"{isa} has no feature '{feature}'" + (f"; {elsewhere[0]} has" if elsewhere else "")
                hint = near_miss(feature, list(known)) or f"known: {', '.join(known)}"
                self.add((*keys, index), "unknown-feature", message, hint)
        return all(feature in known for feature in features)

    def check_files(self, keys: tuple[Key, ...], paths: tuple[str, ...]) -> None:
        """Check a list of source files: each a C file below the root, each once."""
        self.no_repetition(keys, paths)
        for index, path in enumerate(paths):
            if not path or not self.path_is_fine((*keys, index), path):
                continue
            if self.check_file((*keys, index), path) and not path.endswith(".c"):
                # CMake lists a header among a target's sources and silently compiles nothing.
                message = f"'{path}' is no C source: it would not be compiled as one"
                self.add(
                    (*keys, index), "source-kind", message, "list files named *.c; what they include is found"
                )

    def check_file(self, keys: tuple[Key, ...], path: str) -> bool:
        """Say whether there is such a file, and report it if not."""
        if not self.root_is_fine:
            return False
        full = f"{self.root}/{path}"  # a thousand Path objects would take a tenth of the time there is
        if os.path.isfile(full):  # noqa: PTH113
            return True
        if os.path.isdir(full):  # noqa: PTH112
            self.add(keys, "missing-file", f"'{path}' is a folder", "name its files")
        else:
            self.add(keys, "missing-file", f"there is no file '{path}' under the root", self._beside(full))
        return False

    def _beside(self, full: str) -> str | None:
        self._hints += 1
        folder, name = os.path.split(full)
        try:
            return near_miss(name, sorted(os.listdir(folder))) if self._hints <= _HINTS else None  # noqa: PTH208
        except OSError:
            return None

    def claim(self, claimed: dict[str, str], keys: tuple[Key, ...], name: str, owner: str) -> None:
        """Enter a source or symbol under its one owner."""
        first = claimed.setdefault(name, owner)
        if first != owner and name:
            what = "source" if claimed is self.sources else "symbol"
            message = f"{what} '{name}' belongs to {first} already"
            self.add(keys, f"duplicate-{what}", message, f"each {what} has one owner")
