"""Every name that is derived from a manifest's names, each written once.

`prefix` is the manifest's (cmk); macros and cache variables take it in upper case (CMK).
"""

from __future__ import annotations

__all__ = [
    "DISPATCH",
    "build_macro",
    "call_macro",
    "count_macro",
    "cpu_beginning",
    "cpu_function",
    "cpu_macro",
    "cpu_reserved",
    "cpu_switches",
    "definition",
    "generated_file",
    "is_policy_name",
    "module",
    "needs_macro",
    "no_override_macro",
    "override_variable",
    "probe_function",
    "require_variable",
    "reserved",
    "select_function",
    "slice_macro",
    "symbol",
    "target_end_macro",
    "target_macro",
    "variable",
]

DISPATCH = "dispatch"  # asked of a test in place of a variant: what the dispatchers choose

# Words of the override, and what else follows <PREFIX>_CPU_ in generated macros: no policy can have these.
_CPU_WORDS = {"all", "features", "h", "has", "hidden", "noinline", "none", "ready", "sysfs"}
_CPU_BEGINNINGS = ("needs_", "no_", "override_")


def module(name: str) -> str:
    """Return what the generated files' names begin with, by the manifest's name: cmk_kernels."""
    return f"{name}_kernels"


def variable(prefix: str, option: str) -> str:
    """Return the cache variable of an option: CMK_AES."""
    return f"{prefix.upper()}_{option}"


def require_variable(prefix: str) -> str:
    """Return the variable that lists options which must not end up empty: CMK_REQUIRE."""
    return f"{prefix.upper()}_REQUIRE"


def definition(prefix: str, kernel: str) -> str:
    """Return the compile definition of a target that holds a kernel: CMK_KERNEL_AES_ARM64."""
    return f"{prefix.upper()}_KERNEL_{kernel.upper()}"


def build_macro(prefix: str, kernel: str) -> str:
    """Return the macro of the generated header that is 1 where a kernel is compiled: CMK_BUILD_AES_ARM64."""
    return f"{prefix.upper()}_BUILD_{kernel.upper()}"


def target_macro(prefix: str, kernel: str) -> str:
    """Return the macro that begins a kernel's target attribute: CMK_TARGET_AES_ARM64."""
    return f"{prefix.upper()}_TARGET_{kernel.upper()}"


def target_end_macro(prefix: str) -> str:
    """Return the macro that ends it: CMK_TARGET_END."""
    return f"{prefix.upper()}_TARGET_END"


def symbol(function: str, variant: str) -> str:
    """Return the symbol by which a variant supplies a family's function: cmk_aes_ctr_arm64."""
    return f"{function}_{variant}"


def probe_function(prefix: str, kernel: str) -> str:
    """Return the beginning of the names of a kernel's probe functions: cmk_probe_aes_arm64_."""
    return f"{prefix}_probe_{kernel}_"


def generated_file(name: str, part: str) -> str:
    """Return the name of a generated file of C, by its part (cpu.h, dispatch.c, ...): cmk_cpu.h."""
    return f"{name}_{part}"


def cpu_macro(prefix: str, name: str) -> str:
    """Return the macro of a feature's or policy's bit in the capability word: CMK_CPU_AES."""
    return f"{prefix.upper()}_CPU_{name.upper().replace('.', '_')}"


def needs_macro(prefix: str, kernel: str) -> str:
    """Return the macro of all the bits that a kernel needs: CMK_CPU_NEEDS_AES_ARM64."""
    return cpu_macro(prefix, f"needs_{kernel}")


def cpu_beginning(prefix: str) -> str:
    """Return what the C names of run time begin with, macros in upper case: cmk_cpu_."""
    return f"{prefix}_cpu_"


def cpu_switches(prefix: str) -> str:
    """Return what those begin with that a user may define: CMK_CPU_NO_."""
    return cpu_macro(prefix, "no_")


def is_policy_name(name: str) -> bool:
    """Say whether a policy may be called `name`, features apart."""
    return name not in _CPU_WORDS and not name.startswith(_CPU_BEGINNINGS)


def cpu_reserved(prefix: str) -> tuple[str, ...]:
    """Return the names generated for run time that belong to no feature, policy, kernel or family."""
    own = call_macro(prefix), count_macro(prefix), f"{prefix.upper()}_DISPATCH_H"
    return *own, *(cpu_macro(prefix, word) for word in sorted(_CPU_WORDS))


def cpu_function(prefix: str, what: str) -> str:
    """Return a generated function: cmk_cpu_features, cmk_cpu_decide, cmk_cpu_report, cmk_cpu_fill."""
    return f"{prefix}_cpu_{what}"


def override_variable(prefix: str) -> str:
    """Return the environment variable that takes capabilities away: CMK_CPU_FEATURES."""
    return cpu_macro(prefix, "features")


def no_override_macro(prefix: str) -> str:
    """Return the definition that leaves the environment variable out: CMK_CPU_NO_OVERRIDE."""
    return cpu_macro(prefix, "no_override")


def count_macro(prefix: str) -> str:
    """Return the definition of test builds, in which dispatchers count their calls: CMK_DISPATCH_COUNT."""
    return f"{prefix.upper()}_DISPATCH_COUNT"


def call_macro(prefix: str) -> str:
    """Return the macro by which dispatchers call, and count, a variant: CMK_CALL."""
    return f"{prefix.upper()}_CALL"


def select_function(prefix: str, family: str) -> str:
    """Return the generated function that chooses a family's variant: cmk_select_aes_ctr."""
    return f"{prefix}_select_{family}"


def slice_macro(prefix: str, architecture: str) -> str:
    """Return the macro of the generated header that is 1 in an architecture's slice: CMK_SLICE_ARM64."""
    return f"{prefix.upper()}_SLICE_{architecture.upper()}"


def reserved(prefix: str) -> tuple[str, ...]:
    """Return the generated names that belong to no option, kernel or architecture."""
    own = ("KERNELS_CONFIG_H", "PROBE_SLICE", "PROBE_SLICES")
    return require_variable(prefix), target_end_macro(prefix), *(f"{prefix.upper()}_{name}" for name in own)
