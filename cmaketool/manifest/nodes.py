"""Bytes to YAML nodes in which every scalar is text, with the parts of YAML that surprise refused by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml
from yaml.nodes import Node, ScalarNode

if TYPE_CHECKING:
    from cmaketool.manifest.faults import Faults, Place

__all__ = ["compose", "is_nothing"]

_IMPLICIT = ""  # the tag of every node whose author wrote none
# What may be an anchor, an alias or a tag: a closer look pays. They begin a value; a pointer in C does not.
_SIGNS = "&*!"
_SUSPECT = re.compile(r"(?:\A|[-?:\[{,\n\r\x85\u2028\u2029])[ \t]*[&*!]")
_LARGEST = 2 << 20  # bytes: some eight thousand kernels, and a few seconds of a closer look
_CLOSER_LOOKS = 20  # a file with more anchors than this is answered with these
_Fast: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _TextLoader(_Fast):  # type: ignore[misc, valid-type]
    """A safe loader that resolves nothing: `on`, `8.10` and `010` stay the text they are."""

    def resolve(self, kind: type[Node], value: str | None, implicit: object) -> str:  # noqa: ARG002
        return _IMPLICIT

    def descend_resolver(self, current_node: object, current_index: object) -> None:
        """Do nothing: there are no path resolvers."""

    def ascend_resolver(self) -> None:
        """Do nothing: there are no path resolvers."""


def is_nothing(node: Node) -> bool:
    """Say whether nothing was written here (`key:` and no more), as against '' or ~."""
    return isinstance(node, ScalarNode) and not node.value and not node.style


def compose(data: bytes, faults: Faults) -> Node | None:
    """Return the root node of a manifest, or None after adding why there is none to `faults`."""
    if len(data) > _LARGEST:
        message = f"the manifest has {len(data)} bytes; more than {_LARGEST} are not read"
        faults.add((1, 1), "too-large", message, "divide it into several")
        return None
    text = _decode(data, faults)
    if text is None or not _plain_yaml(text, faults):
        return None
    loader = _TextLoader(text)
    try:
        node: Node | None = loader.get_single_node()
    except yaml.YAMLError as error:
        _report(error, text, faults)
        return None
    finally:
        loader.dispose()
    if node is None:
        faults.add((1, 1), "empty-manifest", "the manifest is empty", "begin with 'schema: 1'")
    return node


def _decode(data: bytes, faults: Faults) -> str | None:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        place = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        faults.add(place, "encoding", message, "save the manifest as UTF-8")
        return None


def _plain_yaml(text: str, faults: Faults) -> bool:
    """Refuse anchors, aliases and tags: they make one line mean many, or run what the file says."""
    if not any(sign in text for sign in _SIGNS) or not _SUSPECT.search(text):
        return True
    found = 0
    try:
        for token in yaml.scan(text, Loader=_Fast):
            what = _unwanted(token)
            if what is None:
                continue
            rule, message, remedy = what
            faults.add(_mark(token.start_mark), rule, message, remedy)
            found += 1
            if found == _CLOSER_LOOKS:
                break
    except yaml.YAMLError:
        pass  # composing meets the same error and reports it
    return not found


def _unwanted(token: yaml.Token) -> tuple[str, str, str] | None:
    if isinstance(token, yaml.AnchorToken):
        return "anchor", f"anchor '&{token.value}' is not allowed", "write the value where it is needed"
    if isinstance(token, yaml.AliasToken):
        return "anchor", f"alias '*{token.value}' is not allowed", "write the value where it is needed"
    if isinstance(token, yaml.TagToken):
        handle, suffix = token.value
        return "tag", f"tag '{handle or ''}{suffix}' is not allowed", "every value is text: leave the tag out"
    return None


def _mark(mark: yaml.Mark) -> Place:
    return mark.line + 1, mark.column + 1


def _report(error: yaml.YAMLError, text: str, faults: Faults) -> None:
    """Put PyYAML's words into a diagnostic; where they say little, into better ones."""
    if isinstance(error, yaml.reader.ReaderError):
        before = text[: error.position]
        place = before.count("\n") + 1, len(before) - before.rfind("\n")
        code = error.character if isinstance(error.character, int) else ord(error.character[:1] or "\0")
        faults.add(place, "yaml-syntax", f"character U+{code:04X} is not allowed in YAML")
        return
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    place = _mark(mark) if mark else (1, 1)
    words = (getattr(error, "context", None), getattr(error, "problem", None))
    problem = " ".join(str(part) for part in words if part)
    if isinstance(error, yaml.composer.ComposerError) and "single document" in problem:
        faults.add(place, "several-documents", "a second document begins here", "a manifest is one document")
    elif mark and _character(text, mark) == "\t":
        faults.add(place, "yaml-syntax", "a tab cannot indent or separate in YAML", "use spaces")
    else:
        faults.add(place, "yaml-syntax", f"this is not YAML: {problem}")


def _character(text: str, mark: yaml.Mark) -> str:
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    return line[mark.column : mark.column + 1]
