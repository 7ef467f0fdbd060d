"""A manifest file to its model, with every fault told at once."""

from __future__ import annotations

import contextlib
import gc
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from cmaketool import catalogue
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.manifest.checks import check
from cmaketool.manifest.context import Context
from cmaketool.manifest.faults import Faults, place_of
from cmaketool.manifest.model import Manifest
from cmaketool.manifest.nodes import compose, is_nothing
from cmaketool.manifest.reader import reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cmaketool.manifest.faults import Place

__all__ = ["LoadedManifest", "json_schema", "load"]


class LoadedManifest(NamedTuple):
    """A manifest without faults: `path` as given, `root` the absolute folder its paths are relative to."""

    model: Manifest
    path: Path
    root: Path


def load(path: Path) -> LoadedManifest:
    """Read the manifest at `path`.

    Raises CmaketoolError with one diagnostic for each fault, those of the YAML alone if it cannot be read.
    """
    with _no_collection():
        return _load(path)


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the garbage collector from walking a large manifest's nodes, none of which is garbage yet."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _load(path: Path) -> LoadedManifest:
    faults = Faults(str(path))
    data = _read(path)
    node = compose(data, faults)
    if node is not None and not isinstance(node, MappingNode):
        faults.add(place_of(node), "wrong-shape", "a manifest is a mapping", "begin with 'schema: 1'")
    faults.raise_if_any()
    assert node is not None  # noqa: S101  or there were faults
    model = reader(Manifest)(node, "the manifest", faults)
    folder = path.absolute().parent
    root = _root(folder, model.root)
    world = catalogue.load()
    check(
        Context(
            model, folder, root, catalogue=world, faults=faults, position=lambda *keys: _position(node, keys)
        )
    )
    faults.raise_if_any()
    return LoadedManifest(model, path, root)


def _root(folder: Path, root: str) -> Path:
    try:
        return Path(os.path.realpath(folder / root))
    except (OSError, ValueError):  # the checks say what is wrong with it
        return folder


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a manifest."""
    from cmaketool.manifest.schema import build  # noqa: PLC0415  needs pydantic, which is slow to import

    return build()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise CmaketoolError(
            Diagnostic(f"the manifest cannot be read: {why}", "unreadable", str(path))
        ) from error


def _position(node: Any, keys: tuple[str | int, ...]) -> Place:
    """Return line and column, from 1, of what stands under `keys` (names, and list indices from 0).

    They are followed as far as they go: to a written scalar, else to the key it would stand under.
    """
    place = (1, 1)
    for key in keys:
        if isinstance(node, MappingNode):
            pair = next(((name, value) for name, value in node.value if name.value == key), None)
            if pair is None:
                break
            name, node = pair
            place = place_of(name)
        elif isinstance(node, SequenceNode) and isinstance(key, int) and key < len(node.value):
            node = node.value[key]
            place = place_of(node)
    return place_of(node) if isinstance(node, ScalarNode) and not is_nothing(node) else place
