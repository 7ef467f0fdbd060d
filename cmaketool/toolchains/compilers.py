"""What a compiler is, by its own predefined macros: one preprocessor call answers all."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from cmaketool import catalogue, process
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.toolchains.model import Facts

__all__ = ["read_facts"]

# CMake's version of a compiler is made of these macros.
_FAMILIES = """\
#if defined(__apple_build_version__)
@family appleclang
@version __clang_major__ __clang_minor__ __clang_patchlevel__
#elif defined(__clang__) && defined(_MSC_VER)
@family clang-cl
@version __clang_major__ __clang_minor__ __clang_patchlevel__
#elif defined(__clang__)
@family clang
@version __clang_major__ __clang_minor__ __clang_patchlevel__
#elif defined(__GNUC__)
@family gcc
@version __GNUC__ __GNUC_MINOR__ __GNUC_PATCHLEVEL__
#else
@family other
@version 0
#endif
"""


def _questions() -> str:
    """Return C text whose preprocessed lines beginning with @ are the facts."""
    known = catalogue.load()
    lines = [_FAMILIES]
    for keyword, architecture in zip(
        ["if", *["elif"] * len(known.architectures)], known.architectures.values(), strict=False
    ):
        lines.append(f"#{keyword} {architecture.condition}\n@architecture {architecture.name}")
        lines += [
            f"#if {' && '.join(f'defined({macro})' for macro in feature.macros)}\n@feature {name}\n#endif"
            for name in known.features(architecture.isa)
            if (feature := known.feature(architecture.isa, name)).macros
        ]
    return "\n".join([*lines, "#else", "@architecture other", "#endif", ""])


def _family(program: str, said: str) -> str:
    """Return what a compiler is where its macros do not tell: two have the same, and zig has clang's."""
    if program == "zig":
        return "zig"
    return "clang" if said == "clang-cl" and not program.startswith("clang-cl") else said


@functools.cache
def read_facts(command: tuple[str, ...]) -> Facts:
    """Return what the compiler `command` (program and options) says it is; asked once in a process.

    Raises CmaketoolError when it cannot be run or does not preprocess.
    """
    with TemporaryDirectory() as folder:
        source = Path(folder) / "facts.c"
        source.write_text(_questions(), encoding="utf-8", newline="\n")
        result = process.run([*command, "-E", "-P", str(source)], timeout=60)
    if result.returncode != 0:
        message = f"{command[0]} does not preprocess: {result.errors.strip()[-500:]}"
        raise CmaketoolError(Diagnostic(message, "compiler-unusable"))
    said: dict[str, list[str]] = {}
    for key, value in re.findall(r"^@ ?(\w+) (.+)$", result.output, re.MULTILINE):
        said.setdefault(key, []).append(value.strip())
    family = _family(Path(command[0]).stem, said["family"][0].replace(" ", ""))
    return Facts(
        architectures=tuple(said["architecture"]),
        family=family,
        version=".".join(said["version"][0].split()),
        features=tuple(sorted(said.get("feature", ()))),
    )
