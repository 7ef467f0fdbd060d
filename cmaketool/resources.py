"""The only way to packaged data: templates, catalogue, leg files, the bundled kernels.

An editable install maps top-level folders into the package, which importlib.resources follows
and `__file__` does not.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["bundled_manifest", "listing", "text"]


def _locate(folder: str) -> Traversable:
    return files("cmaketool." + folder.replace("/", "."))


def text(folder: str, name: str) -> str:
    """Return the UTF-8 text of `name` in the package folder `folder` (such as "templates")."""
    return _locate(folder).joinpath(name).read_text(encoding="utf-8")


def listing(folder: str, suffix: str) -> list[str]:
    """Return the sorted names in the package folder `folder` that end in `suffix`."""
    return sorted(entry.name for entry in _locate(folder).iterdir() if entry.name.endswith(suffix))


def bundled_manifest() -> Path:
    """Return the path of the bundled kernels' manifest."""
    return Path(str(_locate("kernels").joinpath("kernels.yml")))
