"""What a kernel uses of which nothing shows that Microsoft's compiler takes it.

Asked only of the stand-in for cl, which takes more names than public code that is built with cl is known to
use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool.verify.compilecommands import Commands

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cmaketool.toolchains import Leg
    from cmaketool.verify.steps import Steps
    from cmaketool.verify.tree import Snapshot
    from cmaketool.verify.units import Unit

__all__ = ["WORDS", "on_cl", "said"]

WORDS = "unproven on cl"


def on_cl(leg: Leg, units: Iterable[Unit], snapshot: Snapshot, steps: Steps) -> dict[str, tuple[str, ...]]:
    """Return, by unit, the intrinsics without evidence that its sources use, as they are compiled here.

    Nothing for legs that are no stand-in for cl. Raises CmaketoolError, and what process.run does.
    """
    stand_in = leg.file.stand_in
    if leg.stand_in is None or stand_in is None or stand_in.name != "msvc-model":
        return {}
    from cmaketool.standins.msvc_model import evidence  # noqa: PLC0415  reads a table

    commands = Commands(snapshot.folder, steps)
    found = {}
    for unit in units:
        texts = (commands.preprocessed(snapshot.objects[source]) for source in unit.sources)
        used = frozenset[str]().union(*(evidence.names_in(text, leg.stand_in) for text in texts))
        found[unit.name] = evidence.unproven(used)
    return {name: names for name, names in found.items() if names}


def said(names: Sequence[str]) -> str:
    """Say of intrinsics that nothing shows cl to take them; nothing of none."""
    return f"{WORDS}: {', '.join(names)}" if names else ""
