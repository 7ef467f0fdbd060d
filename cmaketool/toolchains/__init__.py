"""Legs: toolchains as data, looked for on this machine, and the emulators that run what they build.

Everything is imported when it is first asked for: the emulators are modules of this package and start often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cmaketool.toolchains.found import Invocation, Leg
    from cmaketool.toolchains.loader import leg, legs, read, select, users
    from cmaketool.toolchains.locate import find
    from cmaketool.toolchains.programs import Missing, Tools, tools

__all__ = [
    "Invocation",
    "Leg",
    "Missing",
    "Tools",
    "find",
    "leg",
    "legs",
    "read",
    "select",
    "tools",
    "users",
]

_HOMES = {
    "found": ("Invocation", "Leg"),
    "loader": ("leg", "legs", "read", "select", "users"),
    "locate": ("find",),
    "programs": ("Missing", "Tools", "tools"),
}


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415  see above

    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"cmaketool.toolchains.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
