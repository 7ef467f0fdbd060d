"""What a kernel uses of which nothing shows that Microsoft's compiler takes it.

Asked only of the stand-in for cl, which takes more names than public code that is built with cl is known to
use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool.verify.compilecommands import Commands
from cmaketool.verify.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cmaketool.toolchains import Leg
    from cmaketool.verify.judge import Judge
    from cmaketool.verify.steps import Steps
    from cmaketool.verify.tree import Snapshot
    from cmaketool.verify.units import Unit

__all__ = ["WORDS", "on_cl", "said"]

WORDS = "unproven on cl"


def on_cl(
    judge: Judge, leg: Leg, units: Iterable[Unit], snapshot: Snapshot, steps: Steps
) -> dict[str, tuple[str, ...]]:
    """Return, by unit, the intrinsics without evidence that its sources use, as they are compiled here.

    Nothing for legs that are no stand-in for cl. A unit that compiles and cannot be looked through
    is NOT RUN. Raises CmaketoolError, and what process.run does.
    """
    stand_in = leg.file.stand_in
    if leg.stand_in is None or stand_in is None or stand_in.name != "msvc-model":
        return {}
    from cmaketool.standins.msvc_model import evidence  # noqa: PLC0415  reads a table

    commands = Commands(snapshot.folder, steps)
    found = {}
    for unit in units:
        used = set[str]()
        for source in unit.sources:
            text = commands.preprocessed(snapshot.objects[source])
            if text is not None:
                used |= evidence.names_in(text, leg.stand_in)
            elif unit.name not in judge.failed_before("symbols"):
                reason = "what it uses of cl cannot be told, its preprocessing failed"
                judge.say(unit.name, "compiled", Verdict.NOT_RUN, reason)
        found[unit.name] = evidence.unproven(used)
    return {name: names for name, names in found.items() if names}


def said(names: Sequence[str]) -> str:
    """Say of intrinsics that nothing shows cl to take them; nothing of none."""
    return f"{WORDS}: {', '.join(names)}" if names else ""
