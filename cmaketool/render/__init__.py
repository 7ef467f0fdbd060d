"""Plan -> {file name: text}. No I/O but reading the package's own templates."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from cmaketool import catalogue, names
from cmaketool.render.context import Context, context, generated_by
from cmaketool.render.environment import template

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.plan import Plan

__all__ = ["generated_by", "render"]

_NO_DIGEST = "0" * 16


def render(plan: Plan, destination: Path) -> dict[str, str]:
    """Return every generated file of `plan`, by file name, as text with LF line ends.

    `destination` is the folder that the files are meant for: the fragment finds the sources from there.
    Raises CmaketoolError for places that no relative path, or no text, can name.
    """
    values = context(plan, destination, catalogue.load())
    fragment = f"{values.module}.cmake"
    files = {
        fragment: _text("kernels.cmake.j2", values),
        f"{values.module}_config.h": _text("kernels_config.h.j2", values),
        f"{values.module}_probe.c": _text("kernels_probe.c.j2", values),
    }
    for part in values.runtime_parts:
        files[names.generated_file(plan.name, part)] = _text(f"{part}.j2", values)
    # Tells two generations of the files apart; worked out before it is written into the text that it is of.
    digest = hashlib.sha256("".join(files.values()).encode()).hexdigest()[: len(_NO_DIGEST)]
    files[fragment] = files[fragment].replace(_NO_DIGEST, digest, 1)
    return files


def _text(name: str, values: Context) -> str:
    plan = values.plan
    constants = {
        "module": values.module,
        "plan.name": plan.name,
        "plan.prefix": plan.prefix,
        "plan.upper": plan.upper,
    }
    return template(name, constants).render(
        context=values, plan=plan, module=values.module, runtime=values.runtime, digest=_NO_DIGEST
    )
