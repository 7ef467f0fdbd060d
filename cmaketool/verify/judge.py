"""Collects what the rungs say of one state, and keeps a kernel that failed a rung from the later ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool.verify.model import RUNGS_UNTIL, Finding, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cmaketool.toolchains.model import Rung
    from cmaketool.verify.model import Until

__all__ = ["Judge"]


class Judge:
    """Findings of one state of one leg.

    `shows` are the rungs that the leg can show; one that it cannot is `-`. `command` is given to each FAIL.
    """

    def __init__(self, leg: str, state: str, until: Until, shows: Iterable[Rung]) -> None:
        self.leg, self.state = leg, state
        self.findings: list[Finding] = []
        self.command = ""
        self._asked = RUNGS_UNTIL[until]
        self._shows = frozenset(shows)
        self._failed: dict[str, Rung] = {}

    def asked(self, rung: Rung) -> bool:
        """Say whether the rung is asked for and the leg can show it."""
        return rung in self._asked and rung in self._shows

    def stands(self, kernel: str, rung: Rung) -> bool:
        """Say whether `rung` is worth looking at for `kernel`; notes what it is instead if not."""
        if rung not in self._asked:
            return False
        if rung not in self._shows:
            self.say(kernel, rung, Verdict.NOT_SHOWN, "the leg cannot show it")
            return False
        if kernel in self._failed:
            self.say(kernel, rung, Verdict.NOT_RUN, f"{self._failed[kernel]} failed before it")
            return False
        return True

    def failed_before(self, rung: Rung) -> list[str]:
        """Return who failed another rung than `rung`."""
        return [kernel for kernel, failed in self._failed.items() if failed != rung]

    def say(
        self,
        kernel: str | None,
        rung: Rung,
        verdict: Verdict,
        reason: str = "",
        *,
        detail: str = "",
        command: str = "",
    ) -> None:
        """Note a verdict."""
        if verdict is Verdict.FAIL:
            command = command or self.command
            if kernel is not None:
                self._failed.setdefault(kernel, rung)
        else:
            command = ""
        self.findings.append(Finding(self.leg, self.state, kernel, rung, verdict, reason, detail, command))

    def conclude(
        self, kernel: str, rung: Rung, faults: Iterable[str], passed: str = "", *, detail: str = ""
    ) -> bool:
        """Note FAIL with all `faults`, or PASS when there are none; return whether it passed."""
        reasons = list(dict.fromkeys(faults))
        if reasons:
            self.say(kernel, rung, Verdict.FAIL, "; ".join(reasons), detail=detail)
        else:
            self.say(kernel, rung, Verdict.PASS, passed)
        return not reasons
