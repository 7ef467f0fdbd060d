"""The capability word in C: its bits, how each system is asked for them, and the policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool import names
from cmaketool.catalogue import APPLE_IMPLEMENTER
from cmaketool.render.environment import WIDTH, continued, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cmaketool.catalogue import Catalogue
    from cmaketool.plan import Plan, PlannedCpu, PlannedFeature, PlannedMidr, PlannedPolicy

__all__ = ["capabilities", "slices"]

_BY_CORE = ("when", "unless")


def slices(plan: Plan, isa: str, catalogue: Catalogue) -> tuple[str, ...]:
    """Return the architectures that have the bits of `isa`: those of its kernels, or all if it has none."""
    known = [name for name, one in catalogue.architectures.items() if one.isa == isa]
    wanted = {name for kernel in plan.kernels if kernel.isa == isa for name in kernel.architectures}
    return tuple(name for name in known if name in wanted or not wanted)


def capabilities(plan: Plan, cpu: PlannedCpu, catalogue: Catalogue) -> tuple[dict[str, str], dict[str, bool]]:
    """Return what the templates put in, lines of C by name, and what they choose by.

    Lines of an instruction set without features, or for what the manifest does not use, are blank.
    """
    arm64, x86_64 = _Isa("arm64", plan, cpu, catalogue), _Isa("x86_64", plan, cpu, catalogue)
    lines = _arm64(arm64)
    texts = {
        "table_end": "    {NULL, 0, 0, 0}," if cpu.policies else "    {NULL, 0, 0},",
        "complaint_size": str(
            256 + sum(len(name) + 1 for name in (plan.name, plan.prefix, *arm64.macros, *x86_64.macros))
        ),
        "auxiliary.condition": _needs_auxiliary(
            plan, arm64.condition if any(lines[name] for name in ("hwcap", *_BY_CORE)) else ""
        ),
        "x86_64.if": "elif" if arm64.features else "if",
        "x86_64.if_policies": "elif" if arm64.policies else "if",
        "x86_64.cpuid": _cpuid(x86_64.features),
    }
    choices = {f"uses_{name}": bool(text) for name, text in lines.items()} | {
        "uses_cores": any(lines[name] for name in _BY_CORE),
        "uses_ymm": any(one.detection.ymm for one in x86_64.features),
        "has_policies": bool(cpu.policies),
        "has_no_policies": not cpu.policies,
        "unknown_is_none": cpu.unknown_system == "none",
        "unknown_is_error": cpu.unknown_system == "error",
    }
    texts |= {f"arm64.{name}": text for name, text in lines.items()}
    for one in (arm64, x86_64):
        texts |= one.texts(plan, catalogue)
        choices |= {f"has_{one.name}": bool(one.features), f"has_{one.name}_policies": bool(one.policies)}
    return texts, choices


class _Isa:
    """One instruction set's bits: features and policies of the plan, and their macros by name."""

    def __init__(self, name: str, plan: Plan, cpu: PlannedCpu, catalogue: Catalogue) -> None:
        self.name = name
        self.features: Sequence[PlannedFeature] = [one for one in cpu.features if one.isa == name]
        self.policies: Sequence[PlannedPolicy] = [one for one in cpu.policies if one.isa == name]
        self.macros = {one.name: one.macro for one in self.features}
        self.macros |= {one.name: one.macro for one in self.policies}
        self.condition = " || ".join(
            names.slice_macro(plan.prefix, architecture) for architecture in slices(plan, name, catalogue)
        )
        self.flag = bool(cpu.policies)  # the table says of each bit whether it is a policy's

    def mask(self, wanted: Iterable[str]) -> str:
        """Return all bits of those names in C."""
        return " | ".join(self.macros[name] for name in wanted) or "0"

    def texts(self, plan: Plan, catalogue: Catalogue) -> dict[str, str]:
        """Return what any instruction set has."""
        found = {
            "condition": self.condition,
            "word": "\n".join(self._word(plan, catalogue)),
            "table": "\n".join(self._table()),
            "always": self.mask(one.name for one in self.policies if one.always),
        }
        return {f"{self.name}.{name}": text for name, text in found.items()}

    def _word(self, plan: Plan, catalogue: Catalogue) -> list[str]:
        lines = [f"/* Features of {self.name}. */"]
        lines += [f"#define {one.macro} (UINT32_C(1) << {one.bit})" for one in self.features]
        if self.policies:
            lines += [
                "",
                "/* Policies: what is worth using, where the features that it is about are there. */",
            ]
        for policy in self.policies:
            lines += [*_comment(policy.help), f"#define {policy.macro} (UINT32_C(1) << {policy.bit})"]
        kernels = [one for one in plan.kernels if one.isa == self.name]
        if kernels:
            lines += ["", "/* What each kernel needs; what that implies stands with it. */"]
        for kernel in kernels:
            needs = self.mask(catalogue.reduced(self.name, kernel.features))
            lines.append(f"#define {names.needs_macro(plan.prefix, kernel.name)} ({needs})")
        return lines

    def _table(self) -> list[str]:
        rows = [(one.name, one.implies, "0") for one in self.features]
        rows += [(one.name, one.features, "1") for one in self.policies]
        return [
            f'    {{"{name}", {self.macros[name]}, {self.mask(needs)}{f", {flag}" if self.flag else ""}}},'
            for name, needs, flag in rows
        ]


def _comment(text: str) -> list[str]:
    """Return `text` as a comment of as many lines as it takes."""
    lines = ["/*"]
    for word in [*text.split(), "*/"]:
        if len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(" *")
        lines[-1] += f" {word}"
    return lines


def _needs_auxiliary(plan: Plan, arm64: str) -> str:
    """Return when the auxiliary vector is read; `arm64` is when the CPU is asked about there, if ever."""
    override = f"!defined({names.no_override_macro(plan.prefix)})"
    return fold(
        f"defined(__linux__) && ({override} || {arm64})" if arm64 else f"defined(__linux__) && {override}"
    )


def _arm64(isa: _Isa) -> dict[str, str]:
    """Return the lines that ask each system, and those of policies."""
    detections = {one.macro: one.detection for one in isa.features}
    hwcap = {
        macro: f"(hwcap & (1UL << {one.hwcap})) != 0"
        for macro, one in detections.items()
        if one.hwcap is not None
    }
    sysctl = {
        macro: " || ".join(f'confirmed("{name}")' for name in one.apple)
        for macro, one in detections.items()
        if one.apple and not one.apple_always
    }
    windows = {
        macro: " && ".join(f"IsProcessorFeaturePresent({number})" for number in one.windows)
        for macro, one in detections.items()
        if one.windows
    }
    apple = [one.name for one in isa.policies if one.apple]
    return {
        "hwcap": _questions(hwcap),
        "sysctl": _questions(sysctl),
        "windows": _questions(windows),
        "unasked": isa.mask(one.name for one in isa.features if one.detection.always),
        "apple_unasked": isa.mask(
            one.name for one in isa.features if one.detection.always or one.detection.apple_always
        ),
        "apple": isa.mask(apple) if apple else "",
        "when": "\n".join(line for one in isa.policies for line in _when(one)),
        "unless": "\n".join(line for one in isa.policies for line in _cores(one.unless, one.macro)),
        "deniable": isa.mask(one.name for one in isa.policies if one.unless),
    }


def _cpuid(features: Sequence[PlannedFeature]) -> str:
    """Return the lines that ask CPUID, once for each leaf."""
    asked = [(one.macro, *one.detection.cpuid, one.detection.ymm) for one in features if one.detection.cpuid]
    ymm = any(one[-1] for one in asked)
    leaves = {leaf for _, leaf, _, _, _ in asked} | ({1} if ymm else set())
    lines = [f"    const registers leaf{leaf:x} = cpuid({leaf:#x});" for leaf in sorted(leaves)]
    if ymm:
        lines.append("    const int ymm = has_ymm(leaf1.ecx);")
    conditions = {
        macro: f"(leaf{leaf:x}.{register} & (UINT32_C(1) << {bit})) != 0{' && ymm' if needs_ymm else ''}"
        for macro, leaf, register, bit, needs_ymm in asked
    }
    return "\n".join([*lines, _questions(conditions)])


def _questions(conditions: Mapping[str, str]) -> str:
    """Return statements that add to `found` each macro whose condition holds, asking each question once."""
    macros: dict[str, list[str]] = {}
    for macro, condition in conditions.items():
        macros.setdefault(condition, []).append(macro)
    lines = []
    for condition, bits in macros.items():
        lines.append(continued(f"    found |= {condition}", f"? {' | '.join(bits)} : 0;"))
    return "\n".join(lines)


def _when(policy: PlannedPolicy) -> list[str]:
    apple = [_core(APPLE_IMPLEMENTER, None, policy.macro)] if policy.apple else []
    return [*apple, *_cores(policy.midr, policy.macro)]


def _cores(given: Iterable[PlannedMidr], macro: str) -> list[str]:
    return [_core(one.implementer, part, macro) for one in given for part in one.parts or (None,)]


def _core(implementer: int, part: int | None, macro: str) -> str:
    mask = 0xFF000000 if part is None else 0xFF00FFF0
    return f"    {{{mask:#010x}, {implementer << 24 | (part or 0) << 4:#010x}, {macro}}},"
