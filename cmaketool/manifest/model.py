"""What a manifest may say: the one model behind validation, the plan and the JSON Schema."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = [
    "Definitions",
    "Family",
    "Includes",
    "Kernel",
    "KernelFlags",
    "Manifest",
    "Option",
    "Requires",
    "Test",
    "Tooth",
    "Variant",
]

CIdentifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Lower = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
OptionName = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$")]
RelativePath = Annotated[str, StringConstraints(min_length=1)]
Version = Annotated[str, StringConstraints(pattern=r"^[0-9]+(\.[0-9]+)*$")]
CompilerName = Literal["gcc", "clang", "appleclang", "clang-cl", "msvc", "zig"]
ArchitectureName = Literal["arm64", "arm64ec", "x86_64"]
IsaName = Literal["arm64", "x86_64"]
Definition = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*(=[A-Za-z0-9_.]*)?$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Definitions(_Strict):
    """Compile definitions (NAME or NAME=VALUE) that a target gets when a kernel of the option is built."""

    public: tuple[Definition, ...] = ()
    private: tuple[Definition, ...] = ()


class Includes(_Strict):
    """Include folders, relative to the root, that a target gets together with the kernels."""

    public: tuple[RelativePath, ...] = ()
    private: tuple[RelativePath, ...] = ()


class Requires(_Strict):
    """Where an option's kernels may be built at all. Left out: every known compiler, the kernels' own
    architecture."""

    compilers: tuple[CompilerName, ...] | None = None
    architectures: tuple[ArchitectureName, ...] | None = None


class Option(_Strict):
    """One CMake cache variable, <PREFIX>_<OPTION>, with the values OFF, ON and AUTO."""

    help: Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\n]*$")]
    default: Literal["OFF", "ON", "AUTO"] = "AUTO"
    requires: Requires = Requires()
    conflicts: tuple[CIdentifier, ...] = Field(
        default=(), description="CMake variables that must be false for this option to be ON"
    )
    definitions: Definitions = Definitions()


class KernelFlags(_Strict):
    """Per-source compile flags, for sources that carry no target attribute of their own.

    `features: true` takes the catalogue's flags for the kernel's features; `extra` adds flags by compiler.
    """

    features: bool = False
    extra: dict[CompilerName, tuple[str, ...]] = {}


class Kernel(_Strict):
    """C sources for one instruction set and a set of its features, supplying symbols."""

    option: OptionName
    architecture: IsaName
    features: Annotated[tuple[str, ...], Field(min_length=1)]
    sources: Annotated[tuple[RelativePath, ...], Field(min_length=1)]
    symbols: Annotated[tuple[CIdentifier, ...], Field(min_length=1)]
    mnemonics: dict[CIdentifier, Annotated[tuple[Lower, ...], Field(min_length=1)]] = Field(
        default={}, description="symbol: instructions that it, or what it calls in its object, must hold"
    )
    minimum: dict[CompilerName, Version] = Field(default={}, description="oldest compiler version that builds it")
    flags: KernelFlags = KernelFlags()
    probe: str | None = Field(default=None, description="C at file scope that must compile, beside the features'")


class Variant(_Strict):
    """One way to supply a family: a kernel, or (portable) sources that are always built."""

    name: Lower
    kernel: Lower | None = None
    sources: tuple[RelativePath, ...] = ()


class Family(_Strict):
    """What callers see. A variant supplies each function under the name <function>_<variant>."""

    functions: Annotated[tuple[CIdentifier, ...], Field(min_length=1)]
    variants: Annotated[tuple[Variant, ...], Field(min_length=1)] = Field(
        description="in order of preference"
    )


class Test(_Strict):
    """A program that checks known answers; called with `--variant NAME`, it speaks TAP."""

    sources: Annotated[tuple[RelativePath, ...], Field(min_length=1)]
    protocol: Literal["TAP"] = "TAP"


class Tooth(_Strict):
    """A kernel broken on purpose: `search`, found exactly once in `file`, becomes `replace`, and the named
    check of the named test must print a wrong value."""

    kernel: Lower
    file: RelativePath
    search: Annotated[str, StringConstraints(min_length=1)]
    replace: str
    test: Lower
    check: str


class Manifest(_Strict):
    """A kernels.yml."""

    schema_: Annotated[Literal[1], Field(alias="schema")]
    name: Lower
    prefix: CIdentifier | None = Field(default=None, description="of everything generated; default: name")
    root: RelativePath = Field(default=".", description="what paths are relative to, itself relative to the manifest")
    include: Includes = Includes()
    options: Annotated[dict[OptionName, Option], Field(min_length=1)]
    kernels: Annotated[dict[Lower, Kernel], Field(min_length=1)]
    families: dict[Lower, Family] = {}
    tests: dict[Lower, Test] = {}
    teeth: dict[Lower, Tooth] = {}
