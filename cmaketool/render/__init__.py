"""Plan -> {file name: text}. No I/O but reading the package's own templates."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from cmaketool import catalogue
from cmaketool.render.context import Context, context, generated_by
from cmaketool.render.environment import template
from cmaketool.render.runtime import runtime

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cmaketool.plan import Plan

__all__ = ["generated_by", "render"]

_NO_DIGEST = "0" * 16


def render(plan: Plan, destination: Path) -> dict[str, str]:
    """Return every generated file of `plan`, by file name, as text with LF line ends.

    `destination` is the folder that the files are meant for: the fragment finds the sources from there.
    Raises CmaketoolError for places that no relative path, or no text, can name.
    """
    known = catalogue.load()
    values = context(plan, destination, known)
    texts = {
        "module": values.module,
        "plan.name": plan.name,
        "plan.prefix": plan.prefix,
        "plan.upper": plan.upper,
    }
    fragment = f"{values.module}.cmake"
    files = {
        fragment: _text("kernels.cmake.j2", values, texts),
        f"{values.module}_config.h": _text("kernels_config.h.j2", values, texts),
        f"{values.module}_probe.c": _text("kernels_probe.c.j2", values, texts),
    }
    if plan.cpu is not None:
        texts |= {
            "context.generated_by": values.generated_by,
            "context.regenerate": values.regenerate,
            "plan.manifest": plan.manifest,
        }
        files |= runtime(plan, plan.cpu, known, texts)
    # Tells two generations of the files apart; worked out before it is written into the text that it is of.
    digest = hashlib.sha256("".join(files.values()).encode()).hexdigest()[: len(_NO_DIGEST)]
    files[fragment] = files[fragment].replace(_NO_DIGEST, digest, 1)
    return files


def _text(name: str, values: Context, constants: Mapping[str, str]) -> str:
    return template(name, constants).render(
        context=values, plan=values.plan, module=values.module, digest=_NO_DIGEST
    )
