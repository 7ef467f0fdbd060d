"""Leg files: the bundled ones, those beside a manifest, and legs made of CMake toolchain files."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any

import yaml
from pydantic import ValidationError

from cmaketool import catalogue, resources
from cmaketool.diagnostics import CmaketoolError, Diagnostic, near_miss
from cmaketool.toolchains.model import RESERVED, LegFile

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Sequence
    from pathlib import Path

__all__ = ["SUFFIX", "leg", "legs", "read", "select", "users"]

SUFFIX = ".leg.yml"  # of leg files beside a manifest

_FOLDER = "toolchains/leg_files"


class _Loader(yaml.SafeLoader):
    """Takes no key twice, of which the last would count."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen = set[str]()
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            if key.value in seen:
                problem = f"{key.value!r} is there twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read(text: str, where: str) -> LegFile:
    """Return the leg that the YAML `text` of the file `where` describes.

    Raises CmaketoolError with everything that is wrong with it.
    """
    try:
        said = yaml.load(text, _Loader)  # noqa: S506  it is a SafeLoader
        if not isinstance(said, dict):
            message = "a leg file is a mapping of keys to values"
            raise CmaketoolError(Diagnostic(message, "leg-file", where, remedy="begin with 'name: ...'"))
        file = LegFile.model_validate(said)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
        message = str(getattr(error, "problem", None) or error)
        raise CmaketoolError(Diagnostic(message, "leg-file-yaml", where, line, column)) from error
    except ValidationError as error:
        faults = (
            Diagnostic(f"{_place(fault['loc'])}: {_plain(fault['msg'])}", "leg-file", where)
            for fault in error.errors()
        )
        raise CmaketoolError(*faults) from error
    wrong = (*_unknown_facts(file, where), *_unknown_features(file, where))
    if wrong:
        raise CmaketoolError(*wrong)
    return file


def _place(keys: tuple[int | str, ...]) -> str:
    return ".".join(map(str, keys)) or "leg"


def _plain(message: str) -> str:
    return message.removeprefix("Value error, ")


def _unknown_facts(file: LegFile, where: str) -> Iterator[Diagnostic]:
    """Find architectures and compilers that the catalogue does not have."""
    if file.facts == "from-compiler":
        return
    known = catalogue.load()
    architectures, families = [*known.architectures, "other"], list(known.compilers)
    said = [("architecture", name, architectures) for name in file.facts.architectures]
    for what, name, names in (*said, ("compiler", file.facts.family, families)):
        if name not in names:
            remedy = near_miss(name, names) or f"known: {', '.join(names)}"
            yield Diagnostic(f"facts: no {what} is named {name!r}", "leg-file", where, remedy=remedy)


def _unknown_features(file: LegFile, where: str) -> Iterator[Diagnostic]:
    """Find features of processors that the catalogue does not have for the leg's architectures."""
    known = catalogue.load()
    names = list(known.architectures) if file.facts == "from-compiler" else file.facts.architectures
    isas = {known.architectures[name].isa for name in names if name in known.architectures}
    features = {feature for isa in isas for feature in known.features(isa)}
    for at, processor in enumerate(file.emulator.processors):
        for name in sorted((processor.features or frozenset()) - features):
            message = f"emulator.processors.{at}.features: no feature is named {name!r}"
            remedy = near_miss(name, sorted(features)) or f"known: {', '.join(sorted(features))}"
            yield Diagnostic(message, "leg-file", where, remedy=remedy)


@functools.cache
def legs() -> tuple[LegFile, ...]:
    """Return the bundled legs in their order."""
    names = resources.listing(_FOLDER, ".yml")
    files = (read(resources.text(_FOLDER, name), name) for name in names)
    return tuple(sorted(files, key=lambda file: (file.order, file.name)))


def leg(name: str) -> LegFile:
    """Return the bundled leg `name`; raises CmaketoolError with a near miss."""
    return _named(name, {file.name: file for file in legs()})


def _named(name: str, known: dict[str, LegFile]) -> LegFile:
    if name not in known:
        message = f"no toolchain is named {name!r}"
        remedy = near_miss(name, list(known)) or f"known: {', '.join(known)}"
        raise CmaketoolError(Diagnostic(message, "unknown-toolchain", remedy=remedy))
    return known[name]


def users(manifest: Path | None, toolchain_files: Sequence[Path] = ()) -> tuple[LegFile, ...]:
    """Return the user's own legs: a leg for each toolchain file, then the leg files beside the manifest.

    A toolchain file makes a leg of its name, without .cmake. Raises CmaketoolError for files that cannot be
    read or are wrong, and for two legs of one name.
    """
    found = [_of_toolchain_file(path) for path in toolchain_files]
    beside = sorted(manifest.parent.glob(f"*{SUFFIX}")) if manifest is not None else []
    found += [_from_file(path) for path in beside]
    names = [file.name for file in (*legs(), *found)]
    for name in sorted({name for name in names if names.count(name) > 1}):
        message = f"two legs are named {name!r}"
        raise CmaketoolError(Diagnostic(message, "leg-name", remedy="name the one of yours otherwise"))
    return tuple(found)


def _of_toolchain_file(path: Path) -> LegFile:
    name = re.sub(r"[^A-Za-z0-9._+-]+", "-", path.name.removesuffix(".cmake")).strip("-._+") or "toolchain"
    if name in RESERVED:
        message = f"'{name}' means something else where legs are named"
        raise CmaketoolError(Diagnostic(message, "leg-name", str(path), remedy="name the file otherwise"))
    return LegFile(
        name=name,
        stands_for=f"what {path} says",
        toolchain_file=str(path.absolute()),
        facts="from-compiler",
        packages=f"what {path} names",
    )


def _from_file(path: Path) -> LegFile:
    try:
        file = read(path.read_text(encoding="utf-8"), str(path)).from_file(str(path))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise CmaketoolError(Diagnostic(f"cannot read it: {reason}", "leg-file", str(path))) from error
    if file.toolchain_file is None:
        return file
    return file.model_copy(update={"toolchain_file": str(path.absolute().parent / file.toolchain_file)})


def select(
    names: Collection[str] = (), *, manifest: Path | None = None, toolchain_files: Sequence[Path] = ()
) -> tuple[LegFile, ...]:
    """Return the legs that a command line asks for, in their order.

    `names` are names of legs, or `all`; every toolchain file is a leg that is asked for. With neither: the
    legs that are run by default, bundled or beside the manifest. Raises CmaketoolError for an unknown name,
    and what `users` does.
    """
    own = users(manifest, toolchain_files)
    known = {file.name: file for file in sorted((*legs(), *own), key=lambda file: (file.order, file.name))}
    wanted = {_named(name, known).name for name in names if name != "all"}
    if "all" in names:
        return tuple(known.values())
    wanted |= {file.name for file in own[: len(toolchain_files)]}
    return tuple(file for file in known.values() if (file.name in wanted if wanted else file.default))
