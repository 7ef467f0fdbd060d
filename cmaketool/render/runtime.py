"""What is generated for run time: the capability word, dispatchers, report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool import names
from cmaketool.render.capabilities import capabilities
from cmaketool.render.dispatchers import counters, dispatchers, selection, told
from cmaketool.render.substitution import fill

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cmaketool.catalogue import Catalogue
    from cmaketool.plan import Plan, PlannedCpu

__all__ = ["runtime", "runtime_sources"]


def runtime_sources(plan: Plan) -> tuple[str, ...]:
    """Name the generated sources that belong to a target."""
    dispatch = ("dispatch.c",) if plan.dispatched else ()
    parts = ("cpu.c", *dispatch, "report.c") if plan.cpu else ()
    return tuple(names.generated_file(plan.name, part) for part in parts)


def runtime(
    plan: Plan, cpu: PlannedCpu, catalogue: Catalogue, texts: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield name and text of each file. `texts` are names that every template may put in."""
    lines, choices = capabilities(plan, cpu, catalogue)
    lines |= texts
    parts = ["cpu.h", "cpu.c", "report.c", "info.c"]
    if plan.dispatched:
        lines |= _dispatch(plan, lines)
        parts[2:2] = ["dispatch.h", "dispatch.c"]
    choices["has_dispatchers"] = bool(plan.dispatched)
    lines |= {
        "compiled": "\n".join(
            f'#if {kernel.build_macro}\n    "{kernel.name}",\n#endif' for kernel in plan.kernels
        ),
        "report_asks": "dispatch" if plan.dispatched else "cpu",
        "selected": told(plan),
    }
    for part in parts:
        yield names.generated_file(plan.name, part), fill(f"{part}.j2", lines, choices)


def _dispatch(plan: Plan, texts: Mapping[str, str]) -> dict[str, str]:
    """Return what the files of the dispatchers put in."""
    families, functions = [], []
    for family in plan.dispatched:
        chosen = {**texts, **selection(family, plan)}
        choices = {"has_kernels": bool(chosen["tests"])}
        families.append(fill("dispatch_family.h.j2", chosen, choices))
        functions += [
            fill("dispatch_function.c.j2", {**chosen, **one._asdict()}, {})
            for one in dispatchers(family, plan)
        ]
    headers = dict.fromkeys(header for family in plan.dispatched for header in family.headers)
    return {
        "families": "".join(families).rstrip("\n") + "\n",
        "functions": "".join(functions).rstrip("\n"),
        "includes": "".join(f'\n#include "{header}"' for header in headers) + ("\n" if headers else ""),
        "counters": counters(plan),
    }
