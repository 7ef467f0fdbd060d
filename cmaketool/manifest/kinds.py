"""Constraints on a manifest's values: read by the loader, and by pydantic for the JSON Schema only.

The loader must start in milliseconds and pydantic alone takes two tenths of a second, so these classes speak
pydantic's protocol without importing it.
"""

import re
from typing import Any

__all__ = ["Doc", "NonEmpty", "Text"]


class Text:
    """Text that `pattern` must match in full; `wanted` ends the sentence "expected ...".

    `numeric`: what may look like a number to other readers of YAML, as 8.10 does; here it is text.
    """

    __slots__ = ("numeric", "pattern", "wanted")

    def __init__(self, pattern: str, wanted: str, *, numeric: bool = False) -> None:
        self.pattern = re.compile(pattern)
        self.wanted = wanted
        self.numeric = numeric

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> Any:
        return {"type": "str", "pattern": f"^{self.pattern.pattern}$"}

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> Any:
        schema = handler(core_schema)
        return {**schema, "type": ["string", "number"]} if self.numeric else schema


class NonEmpty:
    """A list or mapping with at least one entry."""

    __slots__ = ()

    def __get_pydantic_core_schema__(self, source: object, handler: Any) -> Any:
        return {**handler(source), "min_length": 1}


class Doc:
    """One line for people, in the JSON Schema."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> Any:
        return {**handler(core_schema), "description": self.text}
