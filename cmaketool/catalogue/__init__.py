"""What the world knows of features and compilers: data in the .yml files beside this, and its loader."""

from __future__ import annotations

import functools
from typing import Any

import yaml

from cmaketool import resources
from cmaketool.catalogue.model import (
    APPLE_IMPLEMENTER,
    PROBE_PREFIX,
    Architecture,
    Catalogue,
    Compiler,
    Detection,
    Feature,
    Isa,
    Spelling,
)

__all__ = [
    "APPLE_IMPLEMENTER",
    "PROBE_PREFIX",
    "Architecture",
    "Catalogue",
    "Compiler",
    "Detection",
    "Feature",
    "Isa",
    "Spelling",
    "load",
]

_ISAS = ("arm64", "x86_64")


@functools.cache
def load() -> Catalogue:
    """Return the catalogue; it is read once."""
    world = _data("compilers")
    isas = {name: _isa(_data(name)) for name in _ISAS}
    return Catalogue(
        architectures={name: Architecture(name, **entry) for name, entry in world["architectures"].items()},
        compilers={name: Compiler(name, **entry) for name, entry in world["compilers"].items()},
        isas=isas,
        instructions=_instructions(isas),
    )


def _instructions(isas: dict[str, Isa]) -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for isa in isas.values():
        for feature in isa.features.values():
            for mnemonic in feature.mnemonics:
                found[mnemonic] = (*found.get(mnemonic, ()), (isa.name, feature.name))
    return found


def _data(name: str) -> dict[str, Any]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data: dict[str, Any] = yaml.load(resources.text("catalogue", f"{name}.yml"), Loader=loader)  # noqa: S506  safe
    return data


def _isa(data: dict[str, Any]) -> Isa:
    return Isa(
        name=data["isa"],
        prologue=data["prologue"],
        flags={compiler: Spelling(**entry) for compiler, entry in data["flags"].items()},
        attributes={frontend: Spelling(**entry) for frontend, entry in data["attributes"].items()},
        features={name: _feature(name, entry) for name, entry in data["features"].items()},
    )


def _feature(name: str, entry: dict[str, Any]) -> Feature:
    frozen = _frozen(entry)
    frozen["names"] = {vocabulary: tuple(words) for vocabulary, words in entry["names"].items()}
    frozen["mnemonics"] = frozenset(entry["mnemonics"].split())
    frozen["detection"] = Detection(**_frozen(entry["detection"]))
    return Feature(name=name, **frozen)


def _frozen(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
