"""What a leg file may say, and a leg once its tools are looked for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, model_validator

__all__ = ["ALL_RUNGS", "RESERVED", "Emulator", "Facts", "LegFile", "Processor", "Rung", "StandIn"]

Rung = Literal[
    "configured", "sources", "flags", "compiled", "symbols", "mnemonics", "leak",
    "answers", "selected", "teeth",
]  # fmt: skip
ALL_RUNGS: tuple[Rung, ...] = (
    "configured", "sources", "flags", "compiled", "symbols", "mnemonics", "leak",
    "answers", "selected", "teeth",
)  # fmt: skip

# What goes into a toolchain file as it is, or into one line for people.
_Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.+-]+$")]
_Line = Annotated[str, Field(pattern=r"^[^\r\n]+$")]
_Command = tuple[Annotated[str, Field(min_length=1)], ...]
RESERVED = ("all", "none")  # what the command line means by these is no leg
# What is written into a leg's own toolchain file.
_NOT_BESIDE = (
    "stand_in", "cxx_compiler", "programs", "target", "system_name", "system_processor", "root", "variables",
    "links", "slow_first_link",
)  # fmt: skip


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Facts(_Strict):
    """What the compiler of a leg is. They are held against the compiler's own macros when it is found."""

    # Slices: arm64, arm64ec, x86_64; "other" has no kernels.
    architectures: Annotated[tuple[str, ...], Field(min_length=1)]
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
    command: _Command = ()
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
    stands_for: _Line  # for people
    limits: _Line | None = None  # of a stand-in, in one line: what it cannot show
    order: int = 100  # smaller first
    embedded: bool = False  # comes with `pip install cmaketool[verify]`
    only_refuses: bool = False  # it cannot build the kernels that could be had on it
    default: bool = True  # False: run only when it is named, or by `all`
    stand_in: StandIn | None = None
    toolchain_file: str | None = None  # of the user's, in place of all that a toolchain file says
    compiler: _Command = ()
    cxx_compiler: _Command = ()  # for projects that have C++; left out when it is not there
    programs: dict[_Word, Annotated[_Command, Field(min_length=1)]] = {}  # other programs, by CMake variable
    target: _Word | None = None  # clang's --target, given to CMake as CMAKE_C_COMPILER_TARGET
    system_name: _Word | None = None  # CMAKE_SYSTEM_NAME; None: a native build
    system_processor: _Word | None = None  # CMAKE_SYSTEM_PROCESSOR
    root: str = "{folder}/root"  # where a cross build looks for libraries and headers, and nowhere else
    variables: dict[_Word, str] = {}  # further lines of the toolchain file
    links: bool = True  # False: it makes no programs, and CMake's checks make static libraries
    slow_first_link: str | None = None  # said while it builds the C library; CMake's checks do not link
    oldest_cmake: Annotated[str, Field(pattern=r"^\d+(\.\d+)+$")] | None = (
        None  # where CMake must know the target
    )
    facts: Facts | Literal["from-compiler"]
    emulator: Emulator = Emulator()
    rungs: Annotated[tuple[Rung, ...], Field(min_length=1)] = ALL_RUNGS
    packages: _Line  # what to install when it is not found
    _path: str | None = PrivateAttr(None)

    @property
    def path(self) -> str | None:
        """The user's file that says all this; None for a bundled leg, and one made of a toolchain file."""
        return self._path

    def from_file(self, path: str) -> LegFile:
        """Return the same leg, as read from the file `path`."""
        found = self.model_copy()
        found._path = path
        return found

    @model_validator(mode="after")
    def _one_source(self) -> LegFile:
        if bool(self.compiler) == (self.toolchain_file is not None):
            raise ValueError("it has a compiler, or a toolchain_file that names one")
        if self.toolchain_file is not None and (idle := [key for key in _NOT_BESIDE if self._says(key)]):
            raise ValueError(f"a toolchain_file says all of that itself: {', '.join(idle)}")
        return self

    @model_validator(mode="after")
    def _sensible(self) -> LegFile:
        if self.name in RESERVED:
            raise ValueError(f"{self.name!r} means something else where legs are named")
        if list(self.rungs) != [rung for rung in ALL_RUNGS if rung in self.rungs]:
            raise ValueError(f"rungs: each once, in this order: {', '.join(ALL_RUNGS)}")
        words = (
            word
            for command in (self.compiler, self.cxx_compiler, *self.programs.values())
            for word in command
        )
        if self.stand_in is None and any("{stand-in}" in word for word in (*words, *self.variables.values())):
            raise ValueError("{stand-in} is the folder of a stand_in, and there is none")
        return self

    def _says(self, key: str) -> bool:
        return bool(getattr(self, key) != type(self).model_fields[key].get_default())
