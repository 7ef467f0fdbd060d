"""Where the faults of one manifest are gathered, so that all are told at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool.diagnostics import CmaketoolError, Diagnostic

if TYPE_CHECKING:
    from yaml.nodes import Node

__all__ = ["Faults", "Place", "place_of"]

Place = tuple[int, int]


def place_of(node: Node) -> Place:
    """Return line and column of a node, both from 1."""
    return node.start_mark.line + 1, node.start_mark.column + 1


class Faults:
    """Diagnostics of one file, in order of place."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._found: list[Diagnostic] = []

    def add(self, place: Place, rule: str, message: str, remedy: str | None = None) -> None:
        """Record a fault at `place` (line and column from 1)."""
        self._found.append(Diagnostic(message, rule, self.file, *place, remedy))

    def places(self) -> frozenset[Place]:
        """Return where something was found so far."""
        return frozenset((fault.line or 0, fault.column or 0) for fault in self._found)

    def raise_if_any(self) -> None:
        """Raise CmaketoolError with everything found, sorted by place."""
        if self._found:
            raise CmaketoolError(*sorted(self._found, key=lambda fault: (fault.line or 0, fault.column or 0)))
