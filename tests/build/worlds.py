"""Builds the C that is generated for tests/manifests/policies for systems that are not here.

A system is chosen by its predefined macros, and answered by the small headers and the driver of
tests/fake_world; its programs run here, or under qemu.
"""

from __future__ import annotations

import functools
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from cmaketool import catalogue, manifest, plan, render
from tests.support import ROOT, require_tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from cmaketool.plan import Plan

__all__ = [
    "COMPILERS",
    "GENERATED",
    "MANIFEST",
    "PAIRS",
    "STANDARDS",
    "STRICT",
    "SYSTEMS",
    "ZIG",
    "Answer",
    "Compiler",
    "Decision",
    "Program",
    "Worlds",
    "bits",
    "decode",
    "planned",
    "shared",
]

FAKES = ROOT / "tests" / "fake_world"
MANIFEST = ROOT / "tests" / "manifests" / "policies" / "kernels.yml"
GENERATED = ("policies_cpu.c", "policies_dispatch.c", "policies_report.c", "policies_info.c")
STANDARDS = ("c99", "c11")
STRICT = (
    "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wmissing-prototypes", "-Werror",
)  # fmt: skip
ZIG = (sys.executable, "-m", "ziglang", "cc")
LIMIT = 120  # seconds, for any one command


def _include(name: str) -> tuple[str, str]:
    return "-include", str(FAKES / name / f"{name}.h")


_NOT_LINUX = ("-U__linux__", "-U__linux", "-Ulinux", "-U__gnu_linux__")


class Compiler(NamedTuple):
    """A compiler for one instruction set, and what runs its programs."""

    name: str
    isa: str
    command: tuple[str, ...]
    runner: tuple[str, ...] = ()


class System(NamedTuple):
    """An operating system, or a compiler as odd as one: its flags, and the folders of its headers."""

    name: str
    flags: tuple[str, ...]
    headers: tuple[str, ...] = ()


COMPILERS = {
    one.name: one
    for one in (
        Compiler("gcc-arm64", "arm64", ("aarch64-linux-gnu-gcc",), ("qemu-aarch64",)),
        Compiler("clang-arm64", "arm64", ("clang-19", "--target=aarch64-linux-gnu"), ("qemu-aarch64",)),
        Compiler("gcc-x86_64", "x86_64", ("gcc",)),
        Compiler("clang-x86_64", "x86_64", ("clang-19", "--target=x86_64-linux-gnu")),
    )
}
SYSTEMS = {
    one.name: one
    for one in (
        System("linux", (), ("linux",)),
        System("android", ("-D__ANDROID__",), ("linux",)),
        System("apple", (*_NOT_LINUX, "-D__APPLE__"), ("apple",)),
        System("windows", (*_NOT_LINUX, "-D_WIN32"), ("windows",)),
        System("freebsd", (*_NOT_LINUX, "-D__FreeBSD__=14"), ("bsd",)),
        System("openbsd", (*_NOT_LINUX, "-D__OpenBSD__"), ("bsd",)),
        System("unknown", _NOT_LINUX),
        System("cl", (*_NOT_LINUX, "-D_WIN32", *_include("cl"), "-Wno-unknown-pragmas"), ("windows", "cl")),
        System("other", _include("other"), ("linux",)),
    )
}
# GCC's stddef.h looks for FreeBSD's headers; only for arm64 does C without extensions suffice; of the systems
# that nobody knows, only those on x86-64 can be asked.
PAIRS = [
    (compiler, system)
    for compiler in COMPILERS.values()
    for system in SYSTEMS
    if (system != "freebsd" or compiler.command[0] == "clang-19")
    and (system != "other" or compiler.isa == "arm64")
    and (system != "unknown" or compiler.isa == "x86_64")
]


class Answer(NamedTuple):
    """What a program said: its lines, and those on standard error."""

    lines: list[str]
    errors: list[str]

    def words(self, name: str) -> list[int]:
        """Return the words that the driver printed as NAME=..."""
        return [int(line.split("=")[1], 16) for line in self.lines if line.startswith(f"{name}=")]

    @property
    def decisions(self) -> list[Decision]:
        """What the driver's `decide` printed, in order."""
        return [Decision.read(line) for line in self.lines if line.startswith("decide ")]

    @property
    def report(self) -> dict[str, str]:
        """The lines of the (last) report by what they are of: compiled, detected, ..."""
        lines = [line.split(": ", 2) for line in self.lines if line.startswith("policies: ")]
        return {name: text for _, name, text in lines}

    @property
    def calls(self) -> list[dict[str, str]]:
        """Which variant each family's call came to, by family, for each `call`."""
        lines = [line.split()[1:] for line in self.lines if line.startswith("call ")]
        return [dict(word.split("=") for word in line) for line in lines]


class Decision(NamedTuple):
    """A pol_cpu_decision; `override` as the header numbers it."""

    detected: int
    decided: int
    override: int

    @classmethod
    def read(cls, line: str) -> Decision:
        """Read the driver's line."""
        given = dict(word.split("=") for word in line.split()[1:])
        return cls(int(given["detected"], 16), int(given["decided"], 16), int(given["override"]))


class Program(NamedTuple):
    """The driver with one rendering of the generated C."""

    isa: str
    path: Path
    runner: tuple[str, ...]

    def ask(
        self,
        *commands: str,
        runner: Sequence[str] | None = None,
        text: str = "",
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Answer:
        """Run it; `text` is its standard input, `folder` where it runs, `environment` replaces all of it."""
        runner = self.runner if runner is None else runner
        if runner:
            require_tool(runner[0])
        done = subprocess.run(
            (*runner, self.path, *commands),
            input=text.encode(),
            capture_output=True,
            cwd=folder,
            env={} if environment is None else dict(environment),
            timeout=LIMIT,
            check=False,
        )
        errors = done.stderr.decode("latin-1")
        assert done.returncode == 0, f"{commands}: exit {done.returncode}\n{done.stdout!r}\n{errors}"
        return Answer(done.stdout.decode("latin-1").splitlines(), errors.splitlines())


@functools.cache
def planned(unknown_system: str = "error") -> Plan:
    """Return the plan of tests/manifests/policies, as if its `cpu` said that of unknown systems."""
    found = plan.resolve(manifest.load(MANIFEST), catalogue.load())
    assert found.cpu is not None
    return found._replace(cpu=found.cpu._replace(unknown_system=unknown_system))


@functools.cache
def bits(isa: str) -> dict[str, int]:
    """Return the bits of the capability word by the names of features and policies."""
    cpu = planned().cpu
    assert cpu is not None
    features = {one.name: one.bit for one in cpu.features if one.isa == isa}
    return features | {one.name: one.bit for one in cpu.policies if one.isa == isa}


def decode(isa: str, word: int) -> set[str]:
    """Return the names whose bits stand in a filled word, which must have no bit without a name."""
    known = bits(isa)
    assert word & 1, f"{word:#x} is not marked as filled"
    assert word >> (1 + len(known)) == 0, f"{word:#x} has a bit that stands for nothing"
    return {name for name, bit in known.items() if word >> bit & 1}


_KERNELS = [f"-D{one.definition}" for one in planned().kernels]


class Worlds:
    """Renders once, and builds each variation once, in `folder`."""

    def __init__(self, folder: Path, unknown_system: str = "error") -> None:
        self.folder = folder
        self._programs: dict[tuple[object, ...], Program] = {}
        self._objects: dict[tuple[object, ...], list[Path]] = {}
        self.sources = self.render("generated", unknown_system)

    def render(self, name: str, unknown_system: str) -> Path:
        """Write what is generated into a folder of that name; return it."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        for file, text in render.render(planned(unknown_system), folder).items():
            (folder / file).write_text(text, encoding="utf-8", newline="\n")
        return folder

    def includes(self, system: str, isa: str) -> list[str]:
        """Return the flags by which the generated C finds its own headers and those of the fake system."""
        fakes = [*SYSTEMS[system].headers, *(["x86_64"] if isa == "x86_64" else [])]
        return [*self.own_includes(), *(word for name in fakes for word in ("-isystem", str(FAKES / name)))]

    def own_includes(self) -> list[str]:
        """Return the flags by which the generated C finds its own headers."""
        return [f"-I{self.sources}", f"-I{MANIFEST.parent}"]

    def program(
        self, compiler: str, system: str = "linux", *flags: str, real: bool = False, static: bool = True
    ) -> Program:
        """Return the driver with all generated C, compiled by `compiler` for `system`.

        `flags` are for the generated C, sanitizers among them for all else too; `real` leaves out all that is
        fake, so that the machine itself answers.
        """
        key = (compiler, system, flags, real, static)
        if key not in self._programs:
            one = COMPILERS[compiler]
            path = self.folder / f"{compiler}-{system}-{len(self._programs)}"
            sanitizers = tuple(flag for flag in flags if flag.startswith("-fsanitize="))
            objects = self._decisions(one, system, flags, path, real=real) + self._others(one, sanitizers)
            how = [*sanitizers, *(["-static"] if static else []), "-pthread"]
            run([*one.command, *how, *map(str, objects), "-o", str(path)])
            self._programs[key] = Program(one.isa, path, one.runner)
        return self._programs[key]

    def _decisions(
        self, compiler: Compiler, system: str, flags: Iterable[str], stem: Path, *, real: bool
    ) -> list[Path]:
        """Compile what is generated."""
        includes = self.own_includes() if real else self.includes(system, compiler.isa)
        fake = [] if real else [*_include("asm"), *SYSTEMS[system].flags]
        command = [*compiler.command, "-std=c11", "-O1", "-g", *STRICT, *includes, *_KERNELS, *fake, *flags]
        return [compiled(command, self.sources / name, stem) for name in GENERATED[:-1]]

    def _others(self, compiler: Compiler, sanitizers: tuple[str, ...]) -> list[Path]:
        """Compile the driver, kernels and portable variants, once for all systems."""
        key = (compiler.name, sanitizers)
        if key not in self._objects:
            stem = self.folder / f"{compiler.name}-{len(self._objects)}"
            command = [
                *compiler.command,
                "-std=gnu11",
                "-O1",
                "-g",
                "-Wall",
                "-Wextra",
                "-Werror",
                *sanitizers,
            ]
            sources = (FAKES / "driver.c", *sorted(MANIFEST.parent.glob("*.c")))
            self._objects[key] = [
                compiled([*command, *self.own_includes(), *_KERNELS], source, stem) for source in sources
            ]
        return self._objects[key]


@functools.cache
def shared(folder: Path) -> Worlds:
    """Return what all modules share that are run together, `folder` being where they all write."""
    (folder / "worlds").mkdir()
    return Worlds(folder / "worlds")


def compiled(command: Sequence[str], source: Path, stem: Path) -> Path:
    """Compile `source` to an object whose name begins as `stem`; return it."""
    output = stem.with_name(f"{stem.name}-{source.stem}.o")
    run([*command, "-c", str(source), "-o", str(output)])
    return output


def run(command: Sequence[str]) -> None:
    """Run a compiler, which must be there and succeed."""
    require_tool(command[0])
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"
