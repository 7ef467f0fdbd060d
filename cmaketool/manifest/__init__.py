"""What the user wrote: the model, loading with positions, the JSON Schema."""

from __future__ import annotations

from cmaketool.manifest.loading import LoadedManifest, json_schema, load

__all__ = ["LoadedManifest", "json_schema", "load"]
