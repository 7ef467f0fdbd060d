"""Dispatchers in C: the choice of each family, the functions that callers see, and what is told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cmaketool import names
from cmaketool.render.environment import WIDTH, continued, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cmaketool.plan import Plan, PlannedFamily, PlannedVariant
    from cmaketool.prototypes import Prototype

__all__ = ["Dispatcher", "counters", "dispatchers", "selection", "told"]


class Dispatcher(NamedTuple):
    """One function: `fill` fills the word for it and calls it `again`; `cases` call the variants."""

    declarator: str
    fill: str
    again: str
    cases: str
    filled: str


def selection(family: PlannedFamily, plan: Plan) -> dict[str, str]:
    """Return the lines of the function that chooses a variant of `family`, by number from 1."""
    *first, last = enumerate(family.variants, 1)
    conditions = [_condition(variant, plan) for _, variant in first]
    lines = []
    for (number, variant), condition in zip(first, conditions, strict=True):
        test = [
            f"    if ({plan.upper}_CPU_HAS(word, {_needs(variant, plan)})) {{",
            f"        return {number};",
            "    }",
        ]
        lines += _guard(test, condition) if len(set(conditions)) > 1 else test
    return {
        "family": family.name,
        "numbered": ", ".join(f"{number} {variant.name}" for number, variant in [*first, last]),
        "select": names.select_function(plan.prefix, family.name),
        "condition": fold(" || ".join(dict.fromkeys(conditions))),
        "tests": "\n".join(lines),
        "last": str(last[0]),
    }


def dispatchers(family: PlannedFamily, plan: Plan) -> Iterator[Dispatcher]:
    """Yield the functions of `family` that callers see."""
    noinline = names.cpu_macro(plan.prefix, "noinline")
    for index, prototype in enumerate(family.prototypes):
        result = "" if prototype.returns.endswith("*") else " "
        fill = f"{names.cpu_function(plan.prefix, 'fill')}_for_{prototype.name}"
        parameters = prototype.parameters or ("void",)
        lines = []
        for number, variant in enumerate(family.variants, 1):
            call = f"{names.call_macro(plan.prefix)}({variant.symbols[index]}, ("
            case = [f"    case {number}:", *_return(prototype, call, "))")]
            lines += _guard(case, _condition(variant, plan))
        yield Dispatcher(
            declarator=_listed(f"{prototype.returns}{result}{prototype.name}(", parameters, ")"),
            fill=_listed(f"static {noinline} {prototype.returns}{result}{fill}(", parameters, ")"),
            again=_return(prototype, f"{prototype.name}(", ")", indent="    ")[0].lstrip(),
            cases="\n".join(lines),
            filled="\n".join(_return(prototype, f"{fill}(", ")")),
        )


def counters(plan: Plan) -> str:
    """Return the rows of the table of counters."""
    lines: list[str] = []
    for family in plan.dispatched:
        for variant in family.variants:
            rows = [f'    {{"{symbol}", 0}},' for symbol in variant.symbols]
            lines += _guard(rows, _condition(variant, plan))
    return "\n".join(lines)


def told(plan: Plan) -> str:
    """Return the statements that add each family's choice to the report."""
    lines = []
    for family in plan.dispatched:
        words = ", ".join(f'"{variant.name}"' for variant in family.variants)
        start = f'    add_selected(&to, "{family.name}",'
        rest = f"(const char *const[]){{{words}}}[{names.select_function(plan.prefix, family.name)}() - 1]);"
        lines.append(continued(start, rest))
    return "\n".join(lines) or '    add(&to, " none");'


def _condition(variant: PlannedVariant, plan: Plan) -> str:
    """Return when a variant can be taken at all, as a condition in C; "" for always."""
    if variant.kernel is not None:
        return names.build_macro(plan.prefix, variant.kernel)
    return f"defined({names.cpu_macro(plan.prefix, variant.policy)})" if variant.policy else ""


def _needs(variant: PlannedVariant, plan: Plan) -> str:
    kernel = [names.needs_macro(plan.prefix, variant.kernel)] if variant.kernel else []
    policy = [names.cpu_macro(plan.prefix, variant.policy)] if variant.policy else []
    return " | ".join([*kernel, *policy])


def _guard(lines: Sequence[str], condition: str) -> list[str]:
    return [f"#if {condition}", *lines, "#endif"] if condition else list(lines)


def _return(prototype: Prototype, call: str, end: str, indent: str = " " * 8) -> list[str]:
    """Return the statements that return what a call with the prototype's arguments returns."""
    if prototype.returns_nothing:
        return [_listed(f"{indent}{call}", prototype.arguments, f"{end};"), f"{indent}return;"]
    return [_listed(f"{indent}return {call}", prototype.arguments, f"{end};")]


def _listed(start: str, items: Sequence[str], end: str) -> str:
    """Return `items` with commas between `start` and `end`, as many a line as fit, below one another.

    Where `start` leaves too little room for one of them, they begin on the next line.
    """
    if not items:
        return start + end
    words = [f"{item}," for item in items[:-1]] + [items[-1] + end]
    longest = max(map(len, words))
    indent = " " * (len(start) - len(start.lstrip()) + 4)
    if len(start) + longest > WIDTH >= len(indent) + longest:
        return f"{start}\n" + _filled(indent, words, indent)
    return _filled(start, words, " " * len(start))


def _filled(start: str, words: Sequence[str], indent: str) -> str:
    lines = [start + words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(indent + word)
        else:
            lines[-1] += f" {word}"
    return "\n".join(lines)
