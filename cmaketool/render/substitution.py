"""Templates with nothing but names and choices: jinja2's syntax, without the time that compiling takes.

Compiling the C of run time would cost a seventh of what `generate` may take. A test holds this to what jinja2
makes of the same templates; whatever else of jinja2 stands in one is an error here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cmaketool import resources

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["choose", "fill"]

_NAME = re.compile(r"\{\{ ([a-z0-9_.]+) \}\}")
# Lines from an `if` to its `endif`, with no other `if` between them.
_CHOICE = re.compile(
    r"^\{% if ([a-z0-9_]+) %\}\n((?:(?!\{% if ).*\n)*?)\{% endif %\}\n",
    re.MULTILINE,
)


def fill(template: str, texts: Mapping[str, str], choices: Mapping[str, bool]) -> str:
    """Return the packaged `template` with every `{% if choice %}` decided and every `{{ text }}` put in.

    What is put in is not looked at again. Raises KeyError for a name that is in neither mapping, ValueError
    for statements and comments of jinja2 other than these.
    """
    text = choose(resources.text("templates", template), choices)
    found = re.search(r"\{[%#].*", text)
    if found is not None:
        raise ValueError(f"{template} holds more than names and choices: {found[0]}")
    return _NAME.sub(lambda found: texts[found[1]], text)


def choose(text: str, choices: Mapping[str, bool]) -> str:
    """Return `text` with the lines of every `{% if choice %}` kept or dropped; inner ones first."""
    before = ""
    while before != text:
        before = text
        text = _CHOICE.sub(lambda found: found[2] if choices[found[1]] else "", text)
    return text
