"""What a manifest may say: the one model behind loading, the plan and the JSON Schema.

Annotations are evaluated (no `from __future__ import annotations`): reader.py builds the loader from them
and schema.py the JSON Schema.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from cmaketool import prototypes
from cmaketool.manifest.kinds import Doc, NonEmpty, Text

__all__ = [
    "Benchmarks",
    "Cpu",
    "Definitions",
    "Family",
    "Includes",
    "Kernel",
    "KernelFlags",
    "Manifest",
    "Midr",
    "Option",
    "Policy",
    "Requires",
    "Test",
    "Tooth",
    "Variant",
    "When",
]

CIdentifier = Annotated[str, Text(r"[A-Za-z_][A-Za-z0-9_]*", "a C identifier")]
Lower = Annotated[str, Text(r"[a-z][a-z0-9_]*", "a name of a-z, 0-9 and _ that begins with a letter")]
OptionName = Annotated[str, Text(r"[A-Z][A-Z0-9_]*", "a name of A-Z, 0-9 and _ that begins with a letter")]
FeatureName = Annotated[str, Text(r"[a-z][a-z0-9_.]*", "a feature as its vendor names it, in lower case")]
RelativePath = Annotated[str, Text(r"[^\n\x00]+", "a path")]
Version = Annotated[str, Text(r"[0-9]+(?:\.[0-9]+)*", "a version, such as 12 or 8.10", numeric=True)]
Definition = Annotated[
    str, Text(r"[A-Za-z_][A-Za-z0-9_]*(?:=[A-Za-z0-9_.]*)?", "NAME or NAME=VALUE of letters, digits, _ and .")
]
Flag = Annotated[str, Text(r"[-/][A-Za-z0-9_=+,.:/-]+", "one compiler flag of letters, digits and _=+,.:/-")]
Sentence = Annotated[str, Text(r'[^\x00-\x1f\x7f"\\$;\[\]]+', 'one line of text without " \\ $ ; [ and ]')]
Function = Annotated[
    str, Text(r"[A-Za-z_][^\x00-\x1f\x7f\"\\;{}]*", "a C identifier, or a prototype without its semicolon")
]
Header = Annotated[
    str, Text(r"[A-Za-z0-9_][A-Za-z0-9_+.-]*(?:/[A-Za-z0-9_+.-]+)*", "a header's path, as #include takes it")
]
Number = Annotated[str, Text(r"(?:0[xX][0-9a-fA-F]+|[0-9]+)", "a number such as 0x41", numeric=True)]
SomeText = Annotated[str, Text(r"[\s\S]+", "some text")]
AnyText = Annotated[str, Text(r"[\s\S]*", "text")]
CompilerName = Literal["gcc", "clang", "appleclang", "clang-cl", "msvc", "zig"]
ArchitectureName = Literal["arm64", "arm64ec", "x86_64"]
IsaName = Literal["arm64", "x86_64"]

# Each method that dataclass generates costs a part of the program's start; nothing needs these three.
_record = dataclass(slots=True, eq=False, repr=False)
_FORBID = {"extra": "forbid"}  # pydantic's word for "unknown keys are errors", in the JSON Schema


@_record
class Definitions:
    """Compile definitions (NAME or NAME=VALUE) that a target gets when a kernel of the option is built."""

    __pydantic_config__: ClassVar = _FORBID
    public: tuple[Definition, ...] = ()
    private: tuple[Definition, ...] = ()


@_record
class Includes:
    """Include folders, relative to the root, that a target gets together with the kernels."""

    __pydantic_config__: ClassVar = _FORBID
    public: tuple[RelativePath, ...] = ()
    private: tuple[RelativePath, ...] = ()


@_record
class Requires:
    """Where an option's kernels may be built at all. Left out: every compiler, the kernels' architectures."""

    __pydantic_config__: ClassVar = _FORBID
    compilers: Annotated[tuple[CompilerName, ...], NonEmpty()] | None = None
    architectures: Annotated[tuple[ArchitectureName, ...], NonEmpty()] | None = None


@_record
class Option:
    """One CMake cache variable, <PREFIX>_<OPTION>, with the values OFF, ON and AUTO."""

    __pydantic_config__: ClassVar = _FORBID
    help: Sentence
    default: Literal["OFF", "ON", "AUTO"] = "AUTO"
    requires: Requires = field(default_factory=Requires)
    conflicts: Annotated[
        tuple[CIdentifier, ...], Doc("CMake variables that must be false for this option to be ON")
    ] = ()
    definitions: Definitions = field(default_factory=Definitions)


@_record
class KernelFlags:
    """Per-source compile flags, for sources that carry no target attribute of their own.

    `features: true` takes the catalogue's flags for the kernel's features; `extra` adds flags by compiler.
    """

    __pydantic_config__: ClassVar = _FORBID
    features: bool = False
    extra: Mapping[CompilerName, tuple[Flag, ...]] = field(default_factory=dict)


@_record
class Kernel:
    """C sources for one instruction set and a set of its features, supplying symbols."""

    __pydantic_config__: ClassVar = _FORBID
    option: OptionName
    architecture: IsaName
    features: Annotated[tuple[FeatureName, ...], NonEmpty()]
    sources: Annotated[tuple[RelativePath, ...], NonEmpty()]
    symbols: Annotated[tuple[CIdentifier, ...], NonEmpty()]
    mnemonics: Annotated[
        Mapping[CIdentifier, Annotated[tuple[Lower, ...], NonEmpty()]],
        Doc("symbol: instructions that it, or what it calls in its object, must hold"),
    ] = field(default_factory=dict)
    minimum: Annotated[
        Mapping[CompilerName, Version], Doc("compiler: the oldest version that builds this kernel")
    ] = field(default_factory=dict)
    flags: KernelFlags = field(default_factory=KernelFlags)
    probe: Annotated[SomeText, Doc("C at file scope that must compile too")] | None = None


@_record
class Variant:
    """One way to supply a family: a kernel, or (portable) sources that are always built."""

    __pydantic_config__: ClassVar = _FORBID
    name: Lower
    kernel: Lower | None = None
    sources: tuple[RelativePath, ...] = ()
    policy: Annotated[Lower, Doc("taken only where this policy holds")] | None = None


@_record
class Family:
    """What callers see. A variant supplies each function under the name <function>_<variant>.

    Functions given as C prototypes get a generated definition, which calls the first variant whose features
    the CPU has; `headers` declare them, their types and the variants.
    """

    __pydantic_config__: ClassVar = _FORBID
    functions: Annotated[tuple[Function, ...], NonEmpty()]
    variants: Annotated[tuple[Variant, ...], NonEmpty(), Doc("in order of preference")]
    headers: tuple[Header, ...] = ()

    @property
    def dispatched(self) -> bool:
        """Whether dispatchers are generated."""
        return any(map(prototypes.is_prototype, self.functions))

    @property
    def concerns_dispatch(self) -> bool:
        """Whether anything here is for dispatchers."""
        return bool(self.headers) or self.dispatched or any(variant.policy for variant in self.variants)


@_record
class Midr:
    """Arm cores by their main ID register: an implementer (0x41) and its parts (0xd08). No parts: all."""

    __pydantic_config__: ClassVar = _FORBID
    implementer: Number
    parts: Annotated[tuple[Number, ...], NonEmpty()] = ()


@_record
class When:
    """Where a policy holds without being asked for: any of these."""

    __pydantic_config__: ClassVar = _FORBID
    always: bool = False
    apple: Annotated[bool, Doc("Apple's 64-bit Arm cores")] = False
    midr: Annotated[tuple[Midr, ...], Doc("the core that asks, on Linux")] = ()


@_record
class Policy:
    """What is worth using, beside what the CPU has; only where it has all `features`."""

    __pydantic_config__: ClassVar = _FORBID
    help: Sentence
    architecture: IsaName
    features: Annotated[tuple[FeatureName, ...], NonEmpty()]
    when: When = field(default_factory=When)
    unless: Annotated[
        tuple[Midr, ...], Doc("a deny list: not where any core of the machine is one of these")
    ] = ()


@_record
class Cpu:
    """What is generated for run time: detection, policies, the override, and the dispatchers of families."""

    __pydantic_config__: ClassVar = _FORBID
    unknown_system: Annotated[
        Literal["error", "none"], Doc("an unknown operating system: #error, or a CPU without features")
    ] = "error"
    policies: Mapping[Lower, Policy] = field(default_factory=dict)


@_record
class Test:
    """A program that checks known answers; called with `--variant NAME`, it speaks TAP."""

    __test__: ClassVar = False  # no pytest class
    __pydantic_config__: ClassVar = _FORBID
    sources: Annotated[tuple[RelativePath, ...], NonEmpty()]
    protocol: Literal["TAP"] = "TAP"


@_record
class Benchmarks:
    """C sources that define `cmaketool_bench_cases` of cmaketool_bench.h, for `cmaketool bench`."""

    __pydantic_config__: ClassVar = _FORBID
    sources: Annotated[tuple[RelativePath, ...], NonEmpty()]


@_record
class Tooth:
    """A kernel broken on purpose.

    `search`, found exactly once in `file`, becomes `replace`, and the named check of the named test must
    print a wrong value.
    """

    __pydantic_config__: ClassVar = _FORBID
    kernel: Lower
    file: RelativePath
    search: SomeText
    replace: AnyText
    test: Lower
    check: SomeText


@_record
class Manifest:
    """A kernels.yml."""

    __pydantic_config__: ClassVar = _FORBID
    schema: Literal[1]
    name: Annotated[Lower, Doc("of generated files and functions")]
    options: Annotated[Mapping[OptionName, Option], NonEmpty()]
    kernels: Annotated[Mapping[Lower, Kernel], NonEmpty()]
    prefix: Annotated[CIdentifier, Doc("of every generated name; default: name")] | None = None
    root: Annotated[RelativePath, Doc("what paths are relative to, itself relative to the manifest")] = "."
    include: Includes = field(default_factory=Includes)
    cpu: Annotated[Cpu, Doc("run-time detection, also generated where a family has prototypes")] | None = None
    families: Mapping[Lower, Family] = field(default_factory=dict)
    tests: Mapping[Lower, Test] = field(default_factory=dict)
    benchmarks: Annotated[Benchmarks | None, Doc("what each variant of the families costs")] = None
    teeth: Mapping[Lower, Tooth] = field(default_factory=dict)

    @property
    def decides(self) -> bool:
        """Whether something is decided at run time, for which C is generated."""
        return self.cpu is not None or any(family.dispatched for family in self.families.values())
