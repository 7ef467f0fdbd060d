"""YAML nodes to the classes of model.py, every fault noted, in one pass.

For each type a reading function is made once, from its annotations. What cannot be read is noted and replaced
by a blank ("", (), {}), so that the checks that follow can look at the rest; they pass over blanks, and a
manifest with faults never leaves the loader.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable, Hashable, Mapping
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from cmaketool.diagnostics import near_miss
from cmaketool.manifest.faults import Faults, place_of
from cmaketool.manifest.kinds import NonEmpty, Text
from cmaketool.manifest.nodes import is_nothing

__all__ = ["Reader", "reader"]

Reader = Callable[[Node, str, Faults], Any]
_TRUTH = {"true": True, "false": False}
_INSTEAD = {  # what people write for the words that are asked for
    "no": "OFF", "false": "OFF", "n": "OFF", "off": "OFF", "yes": "ON", "true": "ON", "y": "ON", "on": "ON",
    "auto": "AUTO",
}  # fmt: skip


@functools.cache
def reader(kind: Any) -> Reader:  # noqa: PLR0911  one return a kind
    """Return the function that reads a `kind` (a class of model.py or an annotation in it)."""
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _class_reader(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _annotated_reader(arguments[0], arguments[1:])
    if origin in (Union, types.UnionType):  # X | None: None is what an absent key gives, never a value
        return reader(arguments[0])
    if origin is tuple:
        return _list_reader(arguments[0])
    if origin is Mapping:
        return _mapping_reader(arguments[0], arguments[1])
    if origin is Literal:
        return _choice_reader(arguments)
    if kind is bool:
        return _choice_reader(("true", "false"), _TRUTH)
    raise TypeError(f"no way to read {kind}")


def _shape(node: Node) -> str:
    if isinstance(node, MappingNode):
        return "a mapping"
    if isinstance(node, SequenceNode):
        return "a list"
    return "nothing" if is_nothing(node) else f"'{_short(node.value)}'"


def _short(text: str) -> str:
    line, *more = text.splitlines() or [""]
    line = "".join(one if one.isprintable() else f"\\x{ord(one):02x}" for one in line)
    return line[:60] + ("..." if more or len(line) > 60 else "")


def _wrong_shape(node: Node, label: str, wanted: str, faults: Faults) -> None:
    faults.add(place_of(node), "wrong-shape", f"{label}: expected {wanted}, found {_shape(node)}")


def _blank(kind: Any) -> Any:
    origin = get_origin(kind)
    if origin is Annotated:
        return _blank(get_args(kind)[0])
    return {tuple: (), Mapping: {}}.get(origin, "")


def _annotated_reader(kind: Any, constraints: tuple[Any, ...]) -> Reader:
    read = None
    for constraint in constraints:
        if isinstance(constraint, Text):
            read = _text_reader(constraint)
        elif isinstance(constraint, NonEmpty):
            read = _non_empty(reader(kind))
    return read or reader(kind)


def _non_empty(read: Reader) -> Reader:
    def read_some(node: Node, label: str, faults: Faults) -> Any:
        value = read(node, label, faults)
        if not node.value and isinstance(node, CollectionNode):
            faults.add(place_of(node), "empty", f"{label}: expected at least one entry")
        return value

    return read_some


def _text_reader(text: Text) -> Reader:
    fits, wanted = text.pattern.fullmatch, text.wanted

    def read_text(node: Node, label: str, faults: Faults) -> Any:
        if not isinstance(node, ScalarNode) or is_nothing(node):
            _wrong_shape(node, label, wanted, faults)
            return ""
        if not fits(node.value):
            message = f"{label}: '{_short(node.value)}' is not {wanted}"
            faults.add(place_of(node), "wrong-value", message)
        return node.value

    return read_text


def _choice_reader(choices: tuple[Any, ...], values: Mapping[str, Any] | None = None) -> Reader:
    known = values or {str(choice): choice for choice in choices}
    *most, last = known
    wanted = f"{', '.join(most)} or {last}" if most else last

    def read_choice(node: Node, label: str, faults: Faults) -> Any:
        if not isinstance(node, ScalarNode) or is_nothing(node):
            _wrong_shape(node, label, wanted, faults)
            return ""
        if node.value in known:
            return known[node.value]
        message = f"{label}: '{_short(node.value)}' is not {wanted}"
        instead = _INSTEAD.get(node.value.lower())
        hint = f"write {instead}" if instead in known else near_miss(node.value, list(known))
        faults.add(place_of(node), "wrong-value", message, hint)
        return node.value

    return read_choice


def _list_reader(item: Any) -> Reader:
    read = reader(item)

    def read_list(node: Node, label: str, faults: Faults) -> Any:
        if not isinstance(node, SequenceNode):
            _wrong_shape(node, label, "a list", faults)
            return ()
        return tuple([read(entry, label, faults) for entry in node.value])

    return read_list


def _keys(node: MappingNode, faults: Faults) -> dict[str, tuple[Node, Node]]:
    """Return key text -> (key, value); the first of several equal keys counts, the others are faults."""
    found: dict[str, tuple[Node, Node]] = {}
    for key, value in node.value:
        if not isinstance(key, ScalarNode):
            faults.add(place_of(key), "key-shape", f"a key must be text, found {_shape(key)}")
        elif key.value in found:
            line, _ = place_of(found[key.value][0])
            message = f"key '{_short(key.value)}' stands twice"
            faults.add(place_of(key), "duplicate-key", message, f"the first is in line {line}")
        else:
            found[key.value] = key, value
    return found


def _mapping_reader(key_kind: Any, value_kind: Any) -> Reader:
    read_key, read_value = reader(key_kind), reader(value_kind)

    def read_mapping(node: Node, label: str, faults: Faults) -> Any:
        if not isinstance(node, MappingNode):
            _wrong_shape(node, label, "a mapping", faults)
            return {}
        values = {}
        for name, (key, value) in _keys(node, faults).items():
            read_key(key, f"key of {label}", faults)
            values[name] = read_value(value, name, faults)
        return values

    return read_mapping


def _class_reader(kind: type) -> Reader:
    fields = dataclasses.fields(kind)
    readers: dict[str, Reader] = {one.name: reader(cast("Hashable", one.type)) for one in fields}
    blanks = {
        one.name: _blank(one.type)
        for one in fields
        if one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING
    }

    def read_class(node: Node, label: str, faults: Faults) -> Any:
        if not isinstance(node, MappingNode):
            _wrong_shape(node, label, "a mapping", faults)
            return kind(**blanks)
        values: dict[str, Any] = {}
        meant = ""
        for name, (key, value) in _keys(node, faults).items():
            read = readers.get(name)
            if read is None:
                hint = near_miss(name, list(readers))
                meant += hint or ""
                hint = hint or f"known: {', '.join(readers)}"
                faults.add(place_of(key), "unknown-key", f"unknown key '{_short(name)}' in {label}", hint)
            else:
                values[name] = read(value, name, faults)
        for name in blanks:
            if name not in values and f"'{name}'" not in meant:
                faults.add(place_of(node), "missing-key", f"{label}: key '{name}' is missing")
        return kind(**(blanks | values))

    return read_class
