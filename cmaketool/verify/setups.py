"""Setups: with which CMake, generator and configuration each leg is configured and built."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from cmaketool import toolchains
from cmaketool.diagnostics import CmaketoolError, Diagnostic, near_miss
from cmaketool.toolchains.programs import Make, Missing, cmake_named, make

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cmaketool.toolchains import Tools
    from cmaketool.verify.model import VerifyRequest

__all__ = ["GENERATORS", "MAKEFILES", "MULTI_CONFIG", "NINJA", "Setup", "setups"]

NINJA, MULTI_CONFIG, MAKEFILES = "Ninja", "Ninja Multi-Config", "Unix Makefiles"
GENERATORS = (NINJA, MULTI_CONFIG, MAKEFILES)

_RELEASE = "Release"
_CONFIGURATIONS = ("Debug", _RELEASE, "RelWithDebInfo", "MinSizeRel")  # that CMake has flags for


@dataclass(frozen=True, slots=True)
class Setup:
    """One CMake with one of its generators and one configuration, as CMake calls both.

    `label` says what tells it from the other setups of a verification: empty where there is no other. `make`
    is there, or missing, for makefiles alone.
    """

    tools: Tools
    generator: str = NINJA
    configuration: str = _RELEASE
    label: str = ""
    make: Make | Missing | None = None

    @property
    def folder(self) -> str:
        """Its folder in a leg's: none where there is but one."""
        return re.sub(r"[^A-Za-z0-9._]+", "-", self.label).strip("-")

    @property
    def missing(self) -> Missing | None:
        """What is missing of it, if anything is."""
        return self.make if isinstance(self.make, Missing) else None

    @property
    def program(self) -> Path:
        """What builds a tree."""
        return self.make.program if isinstance(self.make, Make) else self.tools.ninja

    @property
    def about(self) -> str:
        """What is used, for people."""
        builds = f"{self.generator} {self.tools.ninja_version}"
        if isinstance(self.make, Make):
            builds = f"GNU make {self.make.version}" if self.make.version else str(self.make.program)
        usual = "" if self.configuration == _RELEASE else f", {self.configuration}"
        return f"CMake {self.tools.cmake_version}, {builds}{usual}"

    @property
    def arguments(self) -> tuple[str, ...]:
        """What the first configure of a tree is told of it."""
        given = ("-G", self.generator, f"-DCMAKE_MAKE_PROGRAM={self.program}")
        if self.generator != MULTI_CONFIG:
            return (*given, f"-DCMAKE_BUILD_TYPE={self.configuration}")
        usual = _CONFIGURATIONS[:3]
        several = usual if self.configuration in usual else (*usual, self.configuration)
        return (*given, f"-DCMAKE_CONFIGURATION_TYPES={';'.join(several)}")

    @property
    def among(self) -> str | None:
        """The configuration, where a tree has several."""
        return self.configuration if self.generator == MULTI_CONFIG else None


def setups(request: VerifyRequest) -> tuple[Setup, ...] | Missing:
    """Return every combination that is asked for, or what of CMake and Ninja is missing for all.

    Raises CmaketoolError for a CMake that is not there or too old, and for a configuration that the generated
    project does not have.
    """
    _check(request)
    programs = dict.fromkeys(cmake_named(text) for text in request.cmakes)
    found = [toolchains.tools(program) for program in programs or (None,)]
    tools = [one for one in found if not isinstance(one, Missing)]
    if len(tools) < len(found):
        return next(one for one in found if isinstance(one, Missing))
    generators = tuple(dict.fromkeys(request.generators)) or (NINJA,)
    configurations = tuple(dict.fromkeys(request.configurations)) or (_RELEASE,)
    makes = {MAKEFILES: make()} if MAKEFILES in generators else {}
    return tuple(
        Setup(
            one,
            generator,
            configuration,
            ", ".join(
                [
                    *([_cmake(one, tools)] if len(tools) > 1 else []),
                    *([generator] if len(generators) > 1 else []),
                    *([configuration] if len(configurations) > 1 else []),
                ]
            ),
            makes.get(generator),
        )
        for one, generator, configuration in product(tools, generators, configurations)
    )


def _check(request: VerifyRequest) -> None:
    """Raise CmaketoolError for configurations that only a project of the user's can give a meaning."""
    for name in request.configurations if request.project is None else ():
        if name not in _CONFIGURATIONS:
            remedy = near_miss(name, list(_CONFIGURATIONS)) or f"known: {', '.join(_CONFIGURATIONS)}"
            message = f"CMake has no configuration {name!r} without a project that makes one"
            raise CmaketoolError(Diagnostic(message, "unknown-configuration", remedy=remedy))


def _cmake(tools: Tools, every: Sequence[Tools]) -> str:
    """Return what tells one CMake from the others: its version, and which of several of that version."""
    twins = [one for one in every if one.cmake_version == tools.cmake_version]
    return f"CMake {tools.cmake_version}" + (f" no. {twins.index(tools) + 1}" if len(twins) > 1 else "")
