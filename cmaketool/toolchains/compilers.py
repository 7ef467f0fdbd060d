"""What a compiler is, by its own predefined macros: one preprocessor call answers all, for each slice."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from cmaketool import catalogue, process
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.toolchains.model import Facts

__all__ = ["Dialect", "read_facts"]

Dialect = Literal["gnu", "msvc"]  # how a command line is spelt

# CMake's version of a compiler is made of these macros.
_FAMILIES = """\
#if defined(__apple_build_version__)
@family appleclang
@version __clang_major__ __clang_minor__ __clang_patchlevel__ __apple_build_version__
#elif defined(__clang__)
@family clang
@version __clang_major__ __clang_minor__ __clang_patchlevel__
#elif defined(_MSC_VER)
@family msvc
@version _MSC_FULL_VER _MSC_BUILD
#elif defined(__GNUC__)
@family gcc
@version __GNUC__ __GNUC_MINOR__ __GNUC_PATCHLEVEL__
#else
@family other
@version 0
#endif
"""
_PREPROCESS: dict[Dialect, list[str]] = {"gnu": ["-E", "-P"], "msvc": ["/nologo", "/EP"]}


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


def _is_zig(command: tuple[str, ...]) -> bool:
    """Say whether it is zig, which says that it is clang: by its name, or by a CPU that it alone knows."""
    if Path(command[0]).stem == "zig":
        return True
    question = [*command, "-Werror", "-mcpu=baseline", "-E", "-x", "c", "-"]
    return process.run(question, timeout=60).returncode == 0


def _family(said: str, command: tuple[str, ...], dialect: Dialect) -> str:
    """Return what a compiler is; clang's macros do not tell which front end it shows."""
    if said != "clang":
        return said
    if dialect == "msvc":
        return "clang-cl"
    return "zig" if _is_zig(command) else "clang"


def _version(words: list[str]) -> str:
    """Return a version as CMake has it; cl's is one number of nine digits and another."""
    if len(words) == 2 and len(words[0]) == 9:
        full = words[0]
        words = [full[:2], full[2:4], full[4:], words[1]]
    return ".".join(words)


def _ask(command: tuple[str, ...], dialect: Dialect) -> dict[str, list[str]]:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "facts.c"
        source.write_text(_questions(), encoding="utf-8", newline="\n")
        result = process.run([*command, *_PREPROCESS[dialect], str(source)], timeout=60)
    said: dict[str, list[str]] = {}
    for key, value in re.findall(r"^@ ?(\w+) (.+)$", result.output, re.MULTILINE):
        said.setdefault(key, []).append(value.strip())
    if result.returncode != 0 or "family" not in said:
        message = f"{command[0]} does not preprocess: {result.errors.strip()[-500:]}"
        raise CmaketoolError(Diagnostic(message, "compiler-unusable"))
    return said


@functools.cache
def read_facts(command: tuple[str, ...], dialect: Dialect = "gnu", apple: tuple[str, ...] = ()) -> Facts:
    """Return what the compiler `command` (program and options) says it is; asked once in a process.

    `apple` are the values of -arch in a build of several slices: each is asked alone, since no compiler
    preprocesses for several at once. Raises CmaketoolError when it cannot be run or does not preprocess.
    """
    slices: list[tuple[str, ...]] = [("-arch", name) for name in apple] or [()]
    answers = [_ask((*command, *words), dialect) for words in slices]
    features = {said["architecture"][0]: tuple(sorted(said.get("feature", ()))) for said in answers}
    several = len(features) > 1
    return Facts(
        architectures=tuple(features),
        family=_family(answers[0]["family"][0].replace(" ", ""), (*command, *slices[0]), dialect),
        version=_version(answers[0]["version"][0].split()),
        features=() if several else features[next(iter(features))],
        features_by_slice=features if several else {},
    )
