"""The jinja2 environment, and what its templates need to write CMake and C."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

import jinja2

from cmaketool import resources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["WIDTH", "cmake_quote", "cmake_row", "cmake_set", "continued", "fold", "template"]

WIDTH = 110
_ROW_WIDTH = 120
_BARE = re.compile(r"[A-Za-z0-9_./+=:,@%^~-]+")


def cmake_quote(text: str) -> str:
    """Return `text` as one CMake argument, in quotes where it needs them."""
    if _BARE.fullmatch(text):
        return text
    return f'"{_escape(text)}"'


def _escape(text: str) -> str:
    """Return `text` fit to stand in quotes in CMake."""
    return re.sub(r'([\\"$])', r"\\\1", text)


def cmake_set(variable: str, values: Iterable[str], indent: str = "  ") -> str:
    """Return a `set()` of a list: on one line if that fits, else one value a line."""
    words = [cmake_quote(value) for value in values] or ['""']
    line = f"{indent}set({variable} {' '.join(words)})"
    if len(line) <= WIDTH or len(words) == 1:
        return line
    return "\n".join([f"{indent}set({variable}", *(f"{indent}  {word}" for word in words)]) + ")"


def cmake_row(command: str, name: str, cells: Mapping[str, tuple[str, ...]]) -> str:
    """Return a row of the table: `command` with a name and its fields, in their order, on one line.

    A field without values is empty. Where the line would be too long, its longest field follows as a `set()`.
    """
    left = dict(cells)
    below: list[str] = []
    while True:
        words = [cmake_quote(";".join(values)) for values in left.values()]
        line = f"  {command}({name} {' '.join(words)})"
        longest = max(left, key=lambda field: len(words[list(left).index(field)]))
        if len(line) <= _ROW_WIDTH or not left[longest]:
            return "\n".join([line, *below])
        below.insert(0, cmake_set(f"{name}.{longest}", left[longest]))
        left[longest] = ()


def _cmake_comment(text: str) -> str:
    """Return `text` fit for a bracket comment, which `]=...=]` would end."""
    return text.rstrip(".").replace("]=", "] =")


def fold(condition: str) -> str:
    """Return a preprocessor condition broken before its operators where it is longer than a line."""
    lines = [""]
    for part in re.split(r" (?=&& |\|\| )", condition):
        if lines[-1] and len(lines[-1]) + len(part) > WIDTH - 20:
            lines.append(part)
        else:
            lines[-1] = f"{lines[-1]} {part}".lstrip()
    return " \\\n    ".join(lines)


def continued(start: str, rest: str) -> str:
    """Return a statement of C on one line if that fits, else with `rest` on a second."""
    return f"{start} {rest}" if len(start) + len(rest) < WIDTH else f"{start}\n                 {rest}"


def _facts(values: Iterable[str], kind: str) -> str:
    """Return `values` in the form in which the fragment finds them in the probe's object."""
    return "".join(f"<{kind}:{value}>" for value in values)


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        autoescape=False,  # noqa: S701  CMake and C, not HTML
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "set": cmake_set,
        "comment": _cmake_comment,
        "escape": _escape,
        "facts": _facts,
        "fold": fold,
        "row": cmake_row,
    }
    return environment


def template(name: str, constants: Mapping[str, str]) -> jinja2.Template:
    """Return the packaged template `name`, with `{{ key }}` replaced for each key of `constants`.

    Names stand in the templates a hundred times. Put in before jinja2 compiles the text, they cost a third of
    what they cost as expressions, and compiling is a good part of the program's time.
    """
    text = resources.text("templates", name)
    for key, value in constants.items():
        text = text.replace("{{ " + key + " }}", value)
    return _environment().from_string(text)
