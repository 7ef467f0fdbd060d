"""What a leg file may say, and a leg once its tools are looked for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = ["ALL_RUNGS", "Emulator", "Facts", "LegFile", "Processor", "Rung", "StandIn"]

Rung = Literal[
    "configured", "sources", "flags", "compiled", "symbols", "mnemonics", "leak",
    "answers", "selected", "teeth",
]  # fmt: skip
ALL_RUNGS: tuple[Rung, ...] = (
    "configured", "sources", "flags", "compiled", "symbols", "mnemonics", "leak",
    "answers", "selected", "teeth",
)  # fmt: skip


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Facts(_Strict):
    """What the compiler of a leg is. They are held against the compiler's own macros when it is found."""

    architectures: tuple[str, ...]  # slices: arm64, arm64ec, x86_64; "other" has no kernels
    family: str  # of the catalogue's compilers
    version: str | None = None  # as CMake sees it (zig: its clang's), or how it begins; None: what it says
    features: tuple[str, ...] = ()  # that its default target allows, without any flag
    features_by_slice: dict[str, tuple[str, ...]] = {}  # instead of these where there are several slices

    def allowed(self, architecture: str) -> tuple[str, ...]:
        """Return the features that need no flag in one slice."""
        return self.features_by_slice.get(architecture, self.features)


class Processor(_Strict):
    """A CPU on which a leg's programs run; `words` choose it, behind the emulator's command."""

    name: str
    words: tuple[str, ...] = ()
    features: frozenset[str] | None = None  # of the catalogue, that it has; None: nobody knows


class Emulator(_Strict):
    """How a program of the leg is run: not at all, directly, behind a command, or in a process of our own.

    `unicorn` runs Linux programs for arm64, `unicorn-windows` Windows ones.
    """

    kind: Literal["none", "native", "unicorn", "unicorn-windows", "command"] = "native"
    command: tuple[str, ...] = ()
    processors: tuple[Processor, ...] = ()  # the first is taken if none is asked for; native: this machine's

    @model_validator(mode="after")
    def _complete(self) -> Emulator:
        if (self.kind == "command") != bool(self.command):
            raise ValueError("a command is what the kind command has, and no other")
        if (self.kind in {"none", "native"}) == bool(self.processors):
            raise ValueError("every emulator has processors, and a native leg the one of this machine")
        if len({processor.name for processor in self.processors}) < len(self.processors):
            raise ValueError("two processors have one name")
        return self


class StandIn(_Strict):
    """What is made for the leg: a model of a compiler or a system that is not here."""

    name: Literal["msvc-model", "windows-sdk", "macos"]
    architecture: str | None = None


class LegFile(_Strict):
    """One toolchain as data.

    Commands are found on PATH. `{zig}` stands for the zig program of the ziglang package, `{cc}` for the
    host's compiler, `{stand-in}` for the folder of the leg's stand-in. A command of several words becomes a
    wrapper script, since CMake before 3.20 takes none as a compiler. In `variables` and `root`, `{folder}` is
    the folder that the leg may write to.
    """

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+-]*$")]
    stands_for: str = Field(description="one line for people")
    limits: str | None = None  # of a stand-in, in one line: what it cannot show
    order: int = 100  # smaller first
    embedded: bool = False  # comes with `pip install cmaketool[verify]`
    default: bool = True  # False: run only when it is named, or by `all`
    stand_in: StandIn | None = None
    toolchain_file: str | None = None  # of the user's, in place of all that a toolchain file says
    compiler: tuple[str, ...] = ()
    cxx_compiler: tuple[str, ...] = ()  # for projects that have C++; left out when it is not there
    programs: dict[str, tuple[str, ...]] = {}  # other programs, by CMake variable
    target: str | None = None  # clang's --target, given to CMake as CMAKE_C_COMPILER_TARGET
    system_name: str | None = None  # CMAKE_SYSTEM_NAME; None: a native build
    system_processor: str | None = None  # CMAKE_SYSTEM_PROCESSOR
    root: str = "{folder}/root"  # where a cross build looks for libraries and headers, and nowhere else
    variables: dict[str, str] = {}  # further lines of the toolchain file
    links: bool = True  # False: it makes no programs, and CMake's checks make static libraries
    slow_first_link: str | None = None  # said while it builds the C library; CMake's checks do not link
    oldest_cmake: str | None = None  # where CMake must know the target
    facts: Facts | Literal["from-compiler"]
    emulator: Emulator = Emulator()
    rungs: Annotated[tuple[Rung, ...], Field(min_length=1)] = ALL_RUNGS
    packages: str = Field(description="what to install when it is not found")

    @model_validator(mode="after")
    def _one_source(self) -> LegFile:
        if bool(self.compiler) == (self.toolchain_file is not None):
            raise ValueError("it has a compiler, or a toolchain_file that names one")
        return self
