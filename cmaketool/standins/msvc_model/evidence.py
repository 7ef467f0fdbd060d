"""Which NEON intrinsics the model has, and what is known of each under cl."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from cmaketool import prototypes, resources
from cmaketool.standins.msvc_model.strictness import user_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["Intrinsic", "Project", "intrinsics", "names_in", "projects", "unproven"]

_FOLDER = "standins/msvc_model"
_CALL = re.compile(r"\bmm_(v\w+)\(")
_IMMEDIATE = re.compile(r"const int (\w+)")


@dataclass(frozen=True, slots=True)
class Project:
    """Public code that is built with cl for Arm.

    `shows`: what says so. `since`: the first _MSC_VER that is known to build it, None where nothing says.
    """

    name: str
    url: str
    shows: str
    since: int | None


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """A name of the model's header.

    `prototype`: as cl takes it, `acle`: as the Arm C Language Extensions define it. `immediate`: the
    parameter that must be constant, with its least and greatest value. `seen`: projects and their files
    that use it.
    """

    name: str
    prototype: prototypes.Prototype
    acle: prototypes.Prototype
    immediate: tuple[str, int, int] | None
    seen: tuple[tuple[Project, str], ...]

    @property
    def since(self) -> int | None:
        """The first _MSC_VER that is known to take the name."""
        return min((project.since for project, _ in self.seen if project.since), default=None)


@functools.cache
def _data() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(resources.text(_FOLDER, "evidence.yml"))
    return loaded


@functools.cache
def projects() -> Mapping[str, Project]:
    """Return the projects whose code is the evidence, by name."""
    return {name: Project(name, **fields) for name, fields in _data()["projects"].items()}


def _intrinsic(entry: dict[str, Any]) -> Intrinsic:
    prototype = prototypes.parse(entry["c"])
    range_ = entry.get("immediate")
    return Intrinsic(
        name=prototype.name,
        prototype=prototype,
        acle=prototypes.parse(entry.get("acle", entry["c"])),
        immediate=(_IMMEDIATE.findall(entry["c"])[0], *range_) if range_ else None,
        seen=tuple((projects()[name], file) for name, file in entry["seen"].items()),
    )


@functools.cache
def intrinsics() -> Mapping[str, Intrinsic]:
    """Return the intrinsics of the model's header, by name."""
    return {found.name: found for found in map(_intrinsic, _data()["names"])}


def names_in(preprocessed: str, folder: Path) -> frozenset[str]:
    """Return the intrinsics that a source uses.

    `preprocessed`: its text as `cl /E` of the stand-in in `folder` prints it. What an #if leaves out does not
    count, what a user's macro expands to does.
    """
    known = intrinsics()
    lines = user_lines(preprocessed, f"{folder}/include/")
    return frozenset(name for _, _, line in lines for name in _CALL.findall(line) if name in known)


def unproven(names: Iterable[str]) -> tuple[str, ...]:
    """Return those of the `names` that no public code built with cl is known to use, sorted."""
    known = intrinsics()
    return tuple(sorted(name for name in set(names) if name not in known or not known[name].seen))
