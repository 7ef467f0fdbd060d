"""What the templates of run time see: bits, systems' questions and dispatchers, as lines of C."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cmaketool import names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cmaketool.catalogue import Catalogue
    from cmaketool.plan import (
        Plan,
        PlannedCpu,
        PlannedFamily,
        PlannedFeature,
        PlannedMidr,
        PlannedPolicy,
        PlannedVariant,
    )
    from cmaketool.prototypes import Prototype

__all__ = [
    "BitView",
    "CaseView",
    "FamilyView",
    "FunctionView",
    "IsaBits",
    "Runtime",
    "VariantView",
    "runtime",
]

WIDTH = 110
_APPLE_IMPLEMENTER = 0x61


class BitView(NamedTuple):
    """A feature or a policy."""

    name: str
    macro: str
    number: int
    needs: str  # in C: the bits that it cannot stand without
    help: str = ""
    policy: bool = False


class IsaBits(NamedTuple):
    """One instruction set's part of the word. Texts are lines of C, "" for none; masks are "0" for none."""

    name: str
    condition: str  # in C: one of its slices
    features: tuple[BitView, ...]
    policies: tuple[BitView, ...]
    kernels: tuple[tuple[str, str], ...]  # the macro of what a kernel needs, and its value
    hwcap: str
    apple_always: str
    sysctl: str
    windows: str
    cpuid: str
    ymm: bool
    always: str
    apple: str
    when: str
    unless: str
    deniable: str

    @property
    def cores(self) -> bool:
        """Whether anything depends on which core it is."""
        return bool(self.when or self.unless)


class VariantView(NamedTuple):
    """A variant: `number` is its place, from 1; without `condition` it is always compiled in."""

    number: int
    name: str
    symbols: tuple[str, ...]
    condition: str
    needs: str


class CaseView(NamedTuple):
    """What a dispatcher does with one answer."""

    label: str
    condition: str
    call: str


class FunctionView(NamedTuple):
    """A dispatcher, and what it calls while the word is not filled."""

    declarator: str
    fill: str
    again: str
    cases: tuple[CaseView, ...]


class FamilyView(NamedTuple):
    """A dispatched family."""

    name: str
    select: str
    variants: tuple[VariantView, ...]
    functions: tuple[FunctionView, ...]
    report: str

    @property
    def numbered(self) -> str:
        """The variants with their numbers."""
        return ", ".join(f"{variant.number} {variant.name}" for variant in self.variants)

    @property
    def conditional(self) -> tuple[VariantView, ...]:
        """All but the last."""
        return self.variants[:-1]

    @property
    def last(self) -> VariantView:
        """The one that needs nothing."""
        return self.variants[-1]

    @property
    def condition(self) -> str:
        """In C: there is something to choose from."""
        return " || ".join(dict.fromkeys(variant.condition for variant in self.conditional))


class Runtime(NamedTuple):
    """All of it."""

    isas: tuple[IsaBits, ...]
    families: tuple[FamilyView, ...]
    headers: tuple[str, ...]
    line: int  # bytes that hold the longest complaint

    @property
    def policies(self) -> bool:
        """Whether there is any."""
        return any(isa.policies for isa in self.isas)

    @property
    def arm64(self) -> IsaBits | None:
        """The part of 64-bit Arm."""
        return next((isa for isa in self.isas if isa.name == "arm64"), None)

    @property
    def x86_64(self) -> IsaBits | None:
        """The part of x86-64."""
        return next((isa for isa in self.isas if isa.name == "x86_64"), None)


def runtime(plan: Plan, cpu: PlannedCpu, catalogue: Catalogue) -> Runtime:
    """Return what the templates of run time see."""
    isas = dict.fromkeys(feature.isa for feature in cpu.features)
    bits = {one.name: one.macro for one in cpu.features} | {one.name: one.macro for one in cpu.policies}
    return Runtime(
        isas=tuple(_isa(isa, plan, cpu, catalogue) for isa in isas),
        families=tuple(_family(family, plan, bits) for family in plan.dispatched),
        headers=tuple(dict.fromkeys(header for family in plan.dispatched for header in family.headers)),
        line=256 + sum(len(name) + 1 for name in bits),
    )


def slices(plan: Plan, isa: str, catalogue: Catalogue) -> tuple[str, ...]:
    """Return the architectures that have `isa`'s bits: those of its kernels, or all if it has none."""
    known = [name for name, one in catalogue.architectures.items() if one.isa == isa]
    wanted = {name for kernel in plan.kernels if kernel.isa == isa for name in kernel.architectures}
    return tuple(name for name in known if name in wanted or not wanted)


def _isa(isa: str, plan: Plan, cpu: PlannedCpu, catalogue: Catalogue) -> IsaBits:
    features = [one for one in cpu.features if one.isa == isa]
    policies = [one for one in cpu.policies if one.isa == isa]
    macros = {one.name: one.macro for one in features} | {one.name: one.macro for one in policies}
    sysctl = {
        one.macro: _any_sysctl(one)
        for one in features
        if one.detection.apple and not one.detection.apple_always
    }
    hwcap = {
        one.macro: f"(hwcap & (1UL << {one.detection.hwcap})) != 0"
        for one in features
        if one.detection.hwcap is not None
    }
    windows = {
        one.macro: " && ".join(f"IsProcessorFeaturePresent({number})" for number in one.detection.windows)
        for one in features
        if one.detection.windows
    }
    return IsaBits(
        name=isa,
        condition=" || ".join(names.slice_macro(plan.prefix, name) for name in slices(plan, isa, catalogue)),
        features=tuple(BitView(one.name, one.macro, one.bit, _mask(macros, one.implies)) for one in features),
        policies=tuple(
            BitView(
                one.name,
                one.macro,
                one.bit,
                _mask(macros, one.features),
                one.help.replace("*/", "* /"),
                policy=True,
            )
            for one in policies
        ),
        kernels=tuple(
            (names.needs_macro(plan.prefix, one.name), _mask(macros, catalogue.reduced(isa, one.features)))
            for one in plan.kernels
            if one.isa == isa
        ),
        hwcap=_found(hwcap),
        apple_always=_mask(macros, [one.name for one in features if one.detection.apple_always]),
        sysctl=_found(sysctl),
        windows=_found(windows),
        cpuid=_cpuid(features),
        ymm=any(one.detection.ymm for one in features),
        always=_mask(macros, [one.name for one in policies if one.always]),
        apple=_mask(macros, [one.name for one in policies if one.apple])
        if any(one.apple for one in policies)
        else "",
        when="\n".join(line for one in policies for line in _when(one)),
        unless="\n".join(line for one in policies for line in _cores(one.unless, one.macro)),
        deniable=_mask(macros, [one.name for one in policies if one.unless]),
    )


def _mask(macros: Mapping[str, str], wanted: Iterable[str]) -> str:
    return " | ".join(macros[name] for name in wanted) or "0"


def _any_sysctl(feature: PlannedFeature) -> str:
    return " || ".join(f'confirmed("{name}")' for name in feature.detection.apple)


def _found(conditions: Mapping[str, str]) -> str:
    """Return statements that add bits to `found`, by macro and condition; each question is asked once."""
    bits: dict[str, list[str]] = {}
    for macro, condition in conditions.items():
        bits.setdefault(condition, []).append(macro)
    return "\n".join(_add(condition, " | ".join(macros)) for condition, macros in bits.items())


def _add(condition: str, mask: str) -> str:
    line = f"    found |= {condition} ? {mask} : 0;"
    return (
        line
        if len(line) <= WIDTH
        else f"    found |= {condition}\n                 ? {mask}\n                 : 0;"
    )


def _cpuid(features: Sequence[PlannedFeature]) -> str:
    asked = {one.macro: one.detection for one in features if one.detection.cpuid}
    ymm = any(one.ymm for one in asked.values())
    leaves = sorted({one.cpuid[0] for one in asked.values() if one.cpuid} | ({1} if ymm else set()))
    lines = [f"    const registers leaf{leaf:x} = cpuid({leaf:#x});" for leaf in leaves]
    if ymm:
        lines.append("    const int ymm = has_ymm(leaf1.ecx);")
    conditions = {}
    for macro, one in asked.items():
        if one.cpuid:
            leaf, register, bit = one.cpuid
            condition = f"(leaf{leaf:x}.{register} & (UINT32_C(1) << {bit})) != 0"
            conditions[macro] = f"{condition} && ymm" if one.ymm else condition
    return "\n".join([*lines, _found(conditions)])


def _when(policy: PlannedPolicy) -> list[str]:
    apple = [f"    {{0xff000000, {_APPLE_IMPLEMENTER << 24:#010x}, {policy.macro}}},"] if policy.apple else []
    return [*apple, *_cores(policy.midr, policy.macro)]


def _cores(given: Iterable[PlannedMidr], macro: str) -> list[str]:
    lines = []
    for one in given:
        base = one.implementer << 24
        lines += [f"    {{0xff00fff0, {base | part << 4:#010x}, {macro}}}," for part in one.parts] or [
            f"    {{0xff000000, {base:#010x}, {macro}}},"
        ]
    return lines


def _family(family: PlannedFamily, plan: Plan, macros: Mapping[str, str]) -> FamilyView:
    variants = tuple(_variant(number, one, plan, macros) for number, one in enumerate(family.variants, 1))
    select = names.select_function(plan.prefix, family.name)
    return FamilyView(
        name=family.name,
        select=select,
        variants=variants,
        functions=tuple(
            _function(prototype, index, variants, plan) for index, prototype in enumerate(family.prototypes)
        ),
        report=_report(family, select),
    )


def _variant(number: int, variant: PlannedVariant, plan: Plan, macros: Mapping[str, str]) -> VariantView:
    kernel = next((one for one in plan.kernels if one.name == variant.kernel), None)
    policy = macros[variant.policy] if variant.policy else None
    needs = [
        *([names.needs_macro(plan.prefix, kernel.name)] if kernel else []),
        *([policy] if policy else []),
    ]
    return VariantView(
        number=number,
        name=variant.name,
        symbols=variant.symbols,
        condition=kernel.build_macro if kernel else f"defined({policy})" if policy else "",
        needs=" | ".join(needs),
    )


def _report(family: PlannedFamily, select: str) -> str:
    words = ", ".join(f'"{variant.name}"' for variant in family.variants)
    start, rest = (
        f'    add_selected(&to, "{family.name}",',
        f"(const char *const[]){{{words}}}[{select}() - 1]);",
    )
    line = f"{start} {rest}"
    return line if len(line) <= WIDTH else f"{start}\n                 {rest}"


def _function(prototype: Prototype, index: int, variants: Sequence[VariantView], plan: Plan) -> FunctionView:
    fill = f"{names.cpu_function(plan.prefix, 'fill')}_for_{prototype.name}"
    arguments = ", ".join(prototype.arguments)
    cases = [
        CaseView("case 0", "", _call(prototype, f"{fill}({arguments})")),
        *(
            CaseView(
                "default" if variant is variants[-1] else f"case {variant.number}",
                variant.condition,
                _call(prototype, f"{names.call_macro(plan.prefix)}({variant.symbols[index]}, ({arguments}))"),
            )
            for variant in variants
        ),
    ]
    return FunctionView(
        declarator=_declarator(prototype, prototype.name),
        fill=_declarator(prototype, fill, f"static {plan.upper}_CPU_NOINLINE "),
        again=_call(prototype, f"{prototype.name}({arguments})", again=True).strip(),
        cases=tuple(cases),
    )


def _call(prototype: Prototype, call: str, *, again: bool = False) -> str:
    if prototype.returns_nothing:
        return f"        {call};" + ("" if again else "\n        return;")
    return f"        return {call};"


def _declarator(prototype: Prototype, name: str, before: str = "") -> str:
    """Return `type name(parameters)`, its parameters folded below one another where a line is full."""
    space = "" if prototype.returns.endswith("*") else " "
    start = f"{before}{prototype.returns}{space}{name}("
    lines = [start]
    for parameter in prototype.parameters or ("void",):
        word = f"{parameter}, "
        if len(lines[-1]) + len(word) - 1 > WIDTH and lines[-1].strip() and lines[-1] != start:
            lines.append(" " * len(start))
        lines[-1] += word
    text = "\n".join(line.rstrip() for line in lines)
    return (text.removesuffix(",") + ")").removeprefix(before)
