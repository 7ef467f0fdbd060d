"""What a leg file may say, and a leg once its tools are looked for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["ALL_RUNGS", "Emulator", "Facts", "LegFile", "Rung"]

Rung = Literal[
    "configured", "sources", "flags", "compiled", "symbols", "mnemonics", "leak", "answers", "teeth"
]
ALL_RUNGS: tuple[Rung, ...] = (
    "configured", "sources", "flags", "compiled", "symbols", "mnemonics", "leak", "answers", "teeth",
)  # fmt: skip


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Facts(_Strict):
    """What the compiler of a leg is. A test holds them against the compiler's own macros."""

    architectures: tuple[str, ...]  # slices: arm64, arm64ec, x86_64, or a name with no kernels
    family: str  # of the catalogue's compilers
    version: str | None = None  # None: read from the compiler when the leg is found
    features: tuple[str, ...] = ()  # that its default target allows, without any flag


class Emulator(_Strict):
    """How a program of the leg is run: `unicorn` in a process of our own, or a command prefix."""

    kind: Literal["none", "native", "unicorn", "command"] = "native"
    command: tuple[str, ...] = ()


class LegFile(_Strict):
    """One toolchain as data."""

    name: str
    stands_for: str = Field(description="one line for people")
    order: int = 100  # smaller first
    embedded: bool = False  # comes with `pip install cmaketool[verify]`
    compiler: tuple[str, ...]  # command; {zig} is the zig program of the ziglang package
    archiver: tuple[str, ...] = ()
    ranlib: tuple[str, ...] = ()
    cache: dict[str, str] = {}  # CMake cache entries for every configure
    system_name: str | None = None  # CMAKE_SYSTEM_NAME; None: a native build
    system_processor: str | None = None
    facts: Facts | Literal["from-compiler"]
    emulator: Emulator = Emulator()
    rungs: Annotated[tuple[Rung, ...], Field(min_length=1)] = ALL_RUNGS
    packages: str = Field(description="what to install when it is not found")
