"""Reads a configured build through CMake's File API, and its object files from compile_commands.json.

Works with CMake 3.18 and later. Source paths are absolute, with symbolic links of their folders resolved, so
that the paths of one tree compare equal wherever they come from.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cmaketool.diagnostics import CmaketoolError, Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "Codebase",
    "Source",
    "Target",
    "command_words",
    "object_file",
    "object_files",
    "objects_by_target",
    "query",
    "read",
    "settled",
    "split_command",
]

_CLIENT = "client-cmaketool"
_KINDS = ("codemodel-v2", "cache-v2")
_OBJECT_SUFFIXES = (".o", ".obj")


@dataclass(frozen=True, slots=True)
class Source:
    """A source of a target; `compiled` is False for headers, and for sources that a unity file includes.

    `fragments` are pieces of the command line as CMake gives them (each may hold several flags), `defines`
    are NAME or NAME=VALUE, `includes` absolute folders in their order.
    """

    path: Path
    compiled: bool
    language: str | None = None
    fragments: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    includes: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A target of the project: `type` as in CMake (EXECUTABLE...), `artifacts` absolute paths."""

    name: str
    type: str
    sources: tuple[Source, ...]
    artifacts: tuple[Path, ...] = ()
    ipo: bool = False


@dataclass(frozen=True, slots=True)
class Codebase:
    """One configuration of a configured build; `cache` maps names to values."""

    configuration: str  # empty when a single-config build has no CMAKE_BUILD_TYPE
    configurations: tuple[str, ...]
    targets: Mapping[str, Target]
    cache: Mapping[str, str] = field(default_factory=dict)


def query(build: Path) -> None:
    """Ask the next configure of the folder `build`, which need not exist, for a reply."""
    folder = build / ".cmake" / "api" / "v1" / "query" / _CLIENT
    folder.mkdir(parents=True, exist_ok=True)
    for kind in _KINDS:
        (folder / kind).touch()


def read(build: Path, configuration: str | None = None) -> Codebase:
    """Read the reply of the last configure of `build`.

    `configuration`: which of a multi-config build (default: its first). Raises CmaketoolError where there is
    no reply, where the last configure failed, and for an unknown configuration.
    """
    reply = build / ".cmake" / "api" / "v1" / "reply"
    answers = _load(_newest(build, reply)).get("reply", {}).get(_CLIENT, {})
    if "jsonFile" not in answers.get("codemodel-v2", {}):
        raise _error(f"'{build}' was configured without the File API's codemodel", "no-file-api", build)
    model = _load(reply / answers["codemodel-v2"]["jsonFile"])
    names = tuple(entry["name"] for entry in model["configurations"])
    if configuration is not None and configuration not in names:
        message = f"'{build}' has no configuration {configuration}: it has {', '.join(names)}"
        raise _error(message, "no-configuration", build)
    chosen = model["configurations"][names.index(configuration) if configuration is not None else 0]
    top = Path(model["paths"]["source"]), Path(model["paths"]["build"])
    targets = [_target(_load(reply / entry["jsonFile"]), *top) for entry in chosen["targets"]]
    return Codebase(
        chosen["name"],
        names,
        {target.name: target for target in sorted(targets, key=lambda target: target.name)},
        _cache(reply, answers.get("cache-v2", {})),
    )


def object_files(build: Path, target: str, configuration: str | None = None) -> Mapping[Path, Path]:
    """Return source -> object file, both absolute, of one target (which need not be built yet).

    Raises as `objects_by_target`. `configuration` as in `read`.
    """
    return objects_by_target(build, read(build, configuration), [target])[target]


def objects_by_target(
    build: Path, codebase: Codebase, targets: Iterable[str]
) -> Mapping[str, Mapping[Path, Path]]:
    """Return what `object_files` does of several targets of one `codebase`, which was read from `build`.

    Needs CMAKE_EXPORT_COMPILE_COMMANDS and a Ninja or Makefile generator; raises CmaketoolError without.
    """
    database = build / "compile_commands.json"
    if not database.is_file():
        remedy = "configure with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON and a Ninja or Makefile generator"
        raise _error(f"'{build}' has no compile_commands.json", "no-compile-commands", build, remedy)
    several = codebase.cache.get("CMAKE_GENERATOR") == "Ninja Multi-Config"
    within = [codebase.configuration] if several else []
    found: dict[str, dict[Path, Path]] = {target: {} for target in targets}
    for entry in _load(database):
        path = object_file(build, entry)
        if path is None or path.suffix not in _OBJECT_SUFFIXES:
            continue
        for target, objects in found.items():
            if _runs_through(path, ["CMakeFiles", f"{target}.dir", *within]):
                objects[settled(Path(entry["directory"], entry["file"]))] = path
    return found


def _error(message: str, rule: str, build: Path, remedy: str = "") -> CmaketoolError:
    return CmaketoolError(Diagnostic(message, rule, str(build), remedy=remedy or None))


def _load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100  without `..`, and links as they are


def settled(path: Path) -> Path:
    """Return an absolute path with the links of its folder resolved: how sources are named here."""
    return Path(os.path.realpath(path.parent), path.name)


def _newest(build: Path, reply: Path) -> Path:
    """Return the index of the last configure: the name that is lexicographically largest."""
    indexes = sorted(reply.glob("index-*.json"))
    errors = sorted(reply.glob("error-*.json"))
    if errors and (not indexes or _stamp(errors[-1]) > _stamp(indexes[-1])):
        raise _error(f"the last configure of '{build}' failed", "configure-failed", build)
    if not indexes:
        remedy = "configure it again after cmaketool has put its query there"
        raise _error(f"'{build}' holds no File API reply", "no-file-api", build, remedy)
    return indexes[-1]


def _stamp(path: Path) -> str:
    return path.name.partition("-")[2]


def _target(data: Any, source: Path, build: Path) -> Target:
    groups = data.get("compileGroups", [])
    return Target(
        data["name"],
        data["type"],
        tuple(_source(entry, groups, source) for entry in data.get("sources", [])),
        tuple(build / entry["path"] for entry in data.get("artifacts", [])),
        any(data.get(step, {}).get("lto", False) for step in ("link", "archive")) or _has_ipo_flags(groups),
    )


def _has_ipo_flags(groups: Any) -> bool:
    """An OBJECT library neither links nor archives, and -flto may be in anyone's flags."""
    parts = [part["fragment"] for group in groups for part in group.get("compileCommandFragments", [])]
    flags = [flag for flag in " ".join(parts).split() if re.match(r"(-flto\b|-fno-lto\b|[-/]GL-?$)", flag)]
    return bool(flags) and flags[-1] not in {"-fno-lto", "-GL-", "/GL-"}


def _source(entry: Any, groups: Any, top: Path) -> Source:
    path = settled(top / entry["path"])
    if "compileGroupIndex" not in entry:
        return Source(path, compiled=False)
    group = groups[entry["compileGroupIndex"]]
    return Source(
        path,
        True,
        group.get("language"),
        tuple(part["fragment"] for part in group.get("compileCommandFragments", [])),
        tuple(part["define"] for part in group.get("defines", [])),
        tuple(_absolute(Path(part["path"])) for part in group.get("includes", [])),
    )


def _cache(reply: Path, answer: Any) -> dict[str, str]:
    if "jsonFile" not in answer:
        return {}
    return {entry["name"]: entry["value"] for entry in _load(reply / answer["jsonFile"])["entries"]}


def command_words(entry: Any) -> list[str]:
    """Return the words of the command of an entry of compile_commands.json."""
    words: list[str] | None = entry.get("arguments")
    return words or split_command(entry["command"], windows=os.name == "nt")


def object_file(build: Path, entry: Any) -> Path | None:
    """Return the object file of an entry of compile_commands.json; None where it does not say.

    Its `output` (not written by older CMakes) counts from the top of the build, under Makefiles too; what
    stands after -o counts from the folder in which the command runs.
    """
    if "output" in entry:
        return _absolute(build / entry["output"])
    words = command_words(entry)
    for word, following in zip(words, [*words[1:], None], strict=True):
        if word == "-o" and following is not None:
            return _absolute(Path(entry["directory"], following))
        if re.match(r"[-/]Fo.", word):
            return _absolute(Path(entry["directory"], word[3:]))
    return None


def split_command(command: str, *, windows: bool) -> list[str]:
    """Split a command line by the rules of the host: the shell's, or those of Windows' C run time."""
    if not windows:
        return shlex.split(command)
    words, word, quoted, begun = [], "", False, False
    for backslashes, quote, space, other in re.findall(r'(\\*)(?:(")|(\s+|$)|([^\\"\s]+))', command):
        if quote:
            word += backslashes[: len(backslashes) // 2]
            if len(backslashes) % 2:
                word += '"'
            else:
                quoted, begun = not quoted, True
        elif space and quoted:
            word += backslashes + space
        elif other:
            word += backslashes + other
        else:
            word += backslashes
            if word or begun:
                words.append(word)
            word, begun = "", False
    return words


def _runs_through(path: Path, inside: list[str]) -> bool:
    """Say whether the folders `inside` follow one another in `path`."""
    parts = list(path.parts)[:-1]
    return any(parts[at : at + len(inside)] == inside for at in range(len(parts)))
