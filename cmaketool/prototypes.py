"""C prototypes as manifests give them: in one line, without the semicolon."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Prototype", "PrototypeError", "is_prototype", "name_of", "parse"]

_FUNCTION = re.compile(
    r"(?P<returns>[A-Za-z_][\w\s*]*[\s*])(?P<name>[A-Za-z_]\w*)\s*\((?P<parameters>.*)\)\s*"
)
_PARAMETER = re.compile(r"[A-Za-z_][\w\s*]*[\s*](?P<name>[A-Za-z_]\w*)\s*(?:\[[^\[\]]*\]\s*)*")


class PrototypeError(ValueError):
    """Says in one sentence why no call can be written for a prototype."""


class Prototype(NamedTuple):
    """A function: its return type, and its parameters as declared and by name."""

    name: str
    returns: str
    parameters: tuple[str, ...]
    arguments: tuple[str, ...]

    @property
    def returns_nothing(self) -> bool:
        """Whether a call of it has no value."""
        return self.returns == "void"


def is_prototype(text: str) -> bool:
    """Say whether `text` is more than a function's name."""
    return "(" in text or not text.isidentifier()


def name_of(text: str) -> str:
    """Return the name of a function that is given as its name or as a prototype; blank if it has none."""
    found = re.search(r"([A-Za-z_]\w*)\s*\(", text)
    return found[1] if found else text if text.isidentifier() else ""


def parse(text: str) -> Prototype:
    """Read a prototype such as `int f(const char *text, size_t length)`.

    Raises PrototypeError for what is none, and for functions that no call can be written for: with parameters
    without a name, pointers to functions among them, or any number of arguments.
    """
    found = _FUNCTION.fullmatch(" ".join(text.split()))
    if found is None:
        raise PrototypeError("expected 'type name(parameters)'")
    given = found["parameters"].strip()
    if not given:
        raise PrototypeError("no parameters are written 'void'")
    parameters = tuple(one.strip() for one in given.split(",")) if given != "void" else ()
    return Prototype(
        name=found["name"],
        returns=found["returns"].strip(),
        parameters=parameters,
        arguments=tuple(_name(parameter) for parameter in parameters),
    )


def _name(parameter: str) -> str:
    found = _PARAMETER.fullmatch(parameter)
    if found is None:
        remedy = "give it a type and a name; for a pointer to a function, a typedef"
        raise PrototypeError(f"parameter '{parameter}' cannot be passed on: {remedy}")
    return found["name"]
