"""The JSON Schema of a manifest, made by pydantic from the model the loader reads with."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from cmaketool.manifest.model import Manifest

__all__ = ["build"]


def build() -> dict[str, Any]:
    """Return the schema; a key that may be left out must have a value when it is written."""
    schema = _without_null(TypeAdapter(Manifest).json_schema())
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _without_null(part: Any) -> Any:
    if isinstance(part, list):
        return [_without_null(one) for one in part]
    if not isinstance(part, dict):
        return part
    items = ((key, value) for key, value in part.items() if (key, value) != ("default", None))
    kept = {key: _without_null(value) for key, value in items}
    options = [one for one in kept.get("anyOf", []) if one != {"type": "null"}]
    if len(options) == 1:
        del kept["anyOf"]
        return {**options[0], **kept}
    return kept
