"""What all legs of one verification share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cmaketool.plan import Plan
    from cmaketool.verify.harness import Subject
    from cmaketool.verify.model import VerifyRequest
    from cmaketool.verify.progress import Progress

__all__ = ["Job"]


@dataclass(frozen=True, slots=True)
class Job:
    """The request, what it is about, what is configured for it, and who is told."""

    request: VerifyRequest
    plan: Plan
    subject: Subject
    progress: Progress
