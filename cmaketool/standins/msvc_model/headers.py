"""The part of the model's header that is made from the evidence: which names there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool.standins.msvc_model.evidence import intrinsics

if TYPE_CHECKING:
    from cmaketool.standins.msvc_model.evidence import Intrinsic

__all__ = ["names_header"]

_HEAD = "/* The intrinsics that the model lets code use, made from evidence.yml. */\n"


def _macro(intrinsic: Intrinsic) -> str:
    arguments = list(intrinsic.prototype.arguments)
    passed = list(arguments)
    if intrinsic.immediate is not None:
        name, least, greatest = intrinsic.immediate
        passed[arguments.index(name)] = f"MM_IMMEDIATE({name}, {least}, {greatest})"
    head = f"#define {intrinsic.name}({', '.join(arguments)})"
    return f"{head} mm_{intrinsic.name}({', '.join(passed)})\n"


def names_header() -> str:
    """Return the text of arm64_neon_names.h: each name as a macro for its function in arm64_neon.h."""
    return _HEAD + "".join(_macro(intrinsic) for intrinsic in intrinsics().values())
