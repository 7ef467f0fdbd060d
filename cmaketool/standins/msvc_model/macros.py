"""The macros that Microsoft documents as predefined: cl's identity, in place of the compiler's underneath.

https://learn.microsoft.com/en-us/cpp/preprocessor/predefined-macros
"""

from __future__ import annotations

from cmaketool.standins.msvc_model.commandline import CommandLine  # noqa: TC001  typing takes long to import

__all__ = ["VERSION", "macro_options"]

VERSION = "19.44.35207"

# The compiler underneath is told to predefine nothing (-undef); these it has all the same.
_FOREIGN = (
    "__has_attribute", "__has_builtin", "__has_c_attribute", "__has_constexpr_builtin",
    "__has_cpp_attribute", "__has_declspec_attribute", "__has_embed", "__has_extension", "__has_feature",
    "__has_warning", "__is_identifier", "__is_target_arch", "__is_target_environment", "__is_target_os",
    "__is_target_variant_environment", "__is_target_variant_os", "__is_target_vendor",
    "__building_module", "__BASE_FILE__", "__FILE_NAME__", "__FLT_EVAL_METHOD__", "__INCLUDE_LEVEL__",
    "__STDC_EMBED_EMPTY__", "__STDC_EMBED_FOUND__", "__STDC_EMBED_NOT_FOUND__", "__STDC_UTF_16__",
    "__STDC_UTF_32__",
)  # fmt: skip

# Code for both is built as ARM64EC, so its macros are x64's and one more.
_ARCHITECTURES = {
    "arm64": {"_M_ARM64": "1", "__ARM_ARCH": "8"},
    "arm64ec": {"_M_ARM64EC": "1", "_M_AMD64": "100", "_M_X64": "100"},
    "x64": {"_M_AMD64": "100", "_M_X64": "100"},
}


def _by_option(line: CommandLine) -> dict[str, str]:
    """Return the macros that an option brings (those of /MD, /MT and /LD the compiler underneath knows)."""
    said = {
        "_MSC_EXTENSIONS": not line.has("Za"),
        "_CHAR_UNSIGNED": line.has("J"),
        "_M_FP_FAST": line.has("fp:fast"),
        "_M_FP_STRICT": line.has("fp:strict"),
        "_M_FP_PRECISE": not line.has("fp:fast", "fp:strict"),
        "__MSVC_RUNTIME_CHECKS": line.has("RTC1", "RTCc", "RTCs", "RTCsu", "RTCu"),
        "__AVX__": line.has("arch:AVX", "arch:AVX2", "arch:AVX512"),
        "__AVX2__": line.has("arch:AVX2", "arch:AVX512"),
        "__STDC__": bool(line.standard) or line.has("Za"),
    }
    return {name: "1" for name, there in said.items() if there}


def _by_standard(standard: str) -> dict[str, str]:
    """Return the macros of /std:c11 and later; without either, cl claims no standard."""
    if not standard:
        return {}
    absent = ("ATOMICS", "COMPLEX", "THREADS", "VLA")
    return {f"__STDC_NO_{name}__": "1" for name in absent}


def macro_options(architecture: str, line: CommandLine) -> list[str]:
    """Return the options that give clang-cl the macros of cl for `architecture` and the options of `line`."""
    major, minor, build = VERSION.split(".")
    defined = {
        "_MSC_VER": major + minor,
        "_MSC_FULL_VER": major + minor + build,
        "_MSC_BUILD": "1",
        "_MSC_EXECUTION_CHARACTER_SET": "65001" if line.has("utf-8") else "1252",
        "_MSVC_TRADITIONAL": "0" if line.standard or line.has("Zc:preprocessor") else "1",
        "_MSVC_WARNING_LEVEL": f"{line.level}L",
        "_WIN32": "1",
        "_WIN64": "1",
        "_INTEGRAL_MAX_BITS": "64",
        **_ARCHITECTURES[architecture],
        **_by_option(line),
        **_by_standard(line.standard),
    }
    undefined = [*_FOREIGN, *([] if line.standard else ["__STDC_VERSION__"])]
    options = ["-Xclang", "-undef", "-Wno-builtin-macro-redefined"]
    options += [f"/D{name}={value}" for name, value in defined.items()]
    return options + [f"/U{name}" for name in undefined]
