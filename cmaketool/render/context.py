"""What the templates see: the plan, with every derived name and condition worked out once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cmaketool import names
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.render.capabilities import slices
from cmaketool.render.runtime import runtime_sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import TypeAlias

    from cmaketool.catalogue import Catalogue
    from cmaketool.plan import Plan, PlannedKernel

__all__ = [
    "ArchitectureView",
    "Context",
    "IsaView",
    "KernelView",
    "Slice",
    "Table",
    "context",
    "generated_by",
]

# Architectures without kernels, tested in this order after the catalogue's, so that messages can name them.
_OTHERS = {
    "aarch64_be": "defined(__AARCH64EB__)",
    "aarch64_ilp32": "defined(__aarch64__)",
    "arm": "defined(__arm__) || defined(_M_ARM)",
    "x32": "defined(__x86_64__)",
    "i386": "defined(__i386__) || defined(_M_IX86)",
    "wasm64": "defined(__wasm64__)",
    "wasm32": "defined(__wasm__)",
    "riscv64": "defined(__riscv) && defined(__LP64__)",
    "riscv32": "defined(__riscv)",
    "ppc64le": "defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)",
    "ppc64": "defined(__powerpc64__)",
    "s390x": "defined(__s390x__)",
    "loongarch64": "defined(__loongarch64)",
}
# What CMAKE_SYSTEM_PROCESSOR calls them, in lower case, beside their own names.
_SPELLINGS = {
    "arm64": ("aarch64", "arm64e"),
    "x86_64": ("amd64", "x64", "em64t"),
    "arm": ("armv6", "armv6l", "armv7", "armv7-a", "armv7a", "armv7l", "armv8l"),
    "i386": ("i486", "i586", "i686", "x86"),
}

Values: TypeAlias = "tuple[str, ...]"


class Table(NamedTuple):
    """Rows of one kind, and the fields that few of them have."""

    fields: Values
    rows: tuple[tuple[str, Mapping[str, Values]], ...]  # name, value of each of `fields`
    others: tuple[tuple[str, Values], ...]  # NAME.FIELD, value; the empty ones too


class ArchitectureView(NamedTuple):
    """An architecture that the probe knows."""

    name: str
    condition: str
    spellings: tuple[str, ...]


class Slice(NamedTuple):
    """An architecture that some of the plan's kernels are for."""

    name: str
    macro: str
    condition: str


class KernelView(NamedTuple):
    """A kernel, as the templates write it."""

    plan: PlannedKernel
    condition: str  # in C: one of its slices
    default: str | None  # in C: its feature flags are needless; None: its sources have attributes instead
    pragmas: Mapping[str, str]  # front end -> text of target("...")
    probe: str


class IsaView(NamedTuple):
    """An instruction set's kernels, and the header that their probes need."""

    condition: str  # in C
    prologue: str
    kernels: tuple[KernelView, ...]


class Context(NamedTuple):
    """All of it."""

    plan: Plan
    module: str
    generated_by: str
    regenerate: str  # the command, to be run in the fragment's folder
    root: str  # from the fragment's folder to the plan's root: "", "/..", ...
    slices: tuple[Slice, ...]
    architectures: tuple[ArchitectureView, ...]  # every known one, in the order of testing
    lists: tuple[tuple[str, tuple[str, ...]], ...]  # of the table, and their values
    tables: tuple[Table, ...]
    isas: tuple[IsaView, ...]

    @property
    def kernels(self) -> tuple[KernelView, ...]:
        """All kernels, in the order of the plan."""
        views = {view.plan.name: view for isa in self.isas for view in isa.kernels}
        return tuple(views[kernel.name] for kernel in self.plan.kernels)


def generated_by(plan: Plan, destination: Path) -> str:
    """Return the first line of every file generated from `plan`'s manifest, comment marks apart.

    It names the manifest as seen from `destination`, where files of others of that name may lie. Raises
    CmaketoolError when no relative path leads there, or no text can name it.
    """
    return f"{names.GENERATED_BY} {_manifest(plan, destination)}; do not edit."


def context(plan: Plan, destination: Path, catalogue: Catalogue) -> Context:
    """Return what the templates see. Raises CmaketoolError as `generated_by` does."""
    isas = dict.fromkeys(kernel.isa for kernel in plan.kernels)
    known = {name: " ".join(entry.condition.split()) for name, entry in catalogue.architectures.items()}
    wanted = {name for kernel in plan.kernels for name in kernel.architectures}
    wanted |= {name for isa in _cpu_isas(plan) for name in slices(plan, isa, catalogue)}
    return Context(
        plan=plan,
        module=names.module(plan.name),
        generated_by=generated_by(plan, destination),
        regenerate=_regenerate(plan, destination),
        root=_root(plan, destination),
        slices=tuple(
            Slice(name, names.slice_macro(plan.prefix, name), known[name]) for name in known if name in wanted
        ),
        architectures=tuple(
            ArchitectureView(name, condition, (name, *_SPELLINGS.get(name, ())))
            for name, condition in (known | _OTHERS).items()
        ),
        lists=(
            ("_portable_sources", plan.portable_sources),
            ("_public_includes", plan.public_includes),
            ("_private_includes", plan.private_includes),
            ("_compilers", tuple(catalogue.compilers)),
            ("_zig_differs", tuple(_zig_differs(plan))),
            ("_generated_sources", runtime_sources(plan)),
            ("_generated_scope", ("PUBLIC",) if plan.cpu else ()),
            ("_options", tuple(option.name for option in plan.options)),
        ),
        tables=(_options(plan, catalogue), _kernels(plan, catalogue)),
        isas=tuple(_isa(isa, plan, catalogue) for isa in isas),
    )


def _cpu_isas(plan: Plan) -> set[str]:
    return {feature.isa for feature in plan.cpu.features} if plan.cpu else set()


def _isa(isa: str, plan: Plan, catalogue: Catalogue) -> IsaView:
    kernels = [kernel for kernel in plan.kernels if kernel.isa == isa]
    slices = dict.fromkeys(name for kernel in kernels for name in kernel.architectures)
    return IsaView(
        condition=_any_slice(plan, slices),
        prologue=catalogue.prologue(isa).rstrip("\n"),
        kernels=tuple(_kernel(kernel, plan, catalogue) for kernel in kernels),
    )


def _kernel(kernel: PlannedKernel, plan: Plan, catalogue: Catalogue) -> KernelView:
    macros = dict.fromkeys(
        macro for name in kernel.closure for macro in catalogue.feature(kernel.isa, name).macros
    )
    flagged = any(_feature_flags(kernel, compiler, catalogue) for compiler in catalogue.compilers)
    return KernelView(
        plan=kernel,
        condition=_any_slice(plan, kernel.architectures),
        default=" && ".join(f"defined({macro})" for macro in macros) if flagged else None,
        pragmas={frontend: text.replace('"', '\\"') for frontend, text in kernel.attribute.items()},
        probe=kernel.probe.rstrip("\n"),
    )


def _feature_flags(kernel: PlannedKernel, compiler: str, catalogue: Catalogue) -> tuple[str, ...]:
    """Return those of the kernel's flags that allow its features; the others are its own."""
    flags = catalogue.flags(kernel.isa, compiler, kernel.features)
    return flags if set(flags) <= set(kernel.flags.get(compiler, ())) else ()


def _options(plan: Plan, catalogue: Catalogue) -> Table:
    rows, others = [], []
    for option in plan.options:
        kernels = tuple(kernel.name for kernel in plan.kernels if kernel.option == option.name)
        rows.append((option.name, {"help": (option.help,), "default": (option.default,), "kernels": kernels}))
        every = set(option.compilers) == set(catalogue.compilers)
        others += [
            (f"{option.name}.compilers", () if every else option.compilers),
            (f"{option.name}.conflicts", option.conflicts),
            (f"{option.name}.public_definitions", option.public_definitions),
            (f"{option.name}.private_definitions", option.private_definitions),
        ]
    return Table(("help", "default", "kernels"), tuple(rows), tuple(others))


def _kernels(plan: Plan, catalogue: Catalogue) -> Table:
    rows, others = [], []
    for kernel in plan.kernels:
        cells = {
            "architectures": kernel.architectures,
            "definition": (kernel.definition,),
            "sources": kernel.sources,
        }
        rows.append((kernel.name, cells))
        for compiler in catalogue.compilers:
            features = _feature_flags(kernel, compiler, catalogue)
            extra = tuple(flag for flag in kernel.flags.get(compiler, ()) if flag not in features)
            minimum = (kernel.minimum[compiler],) if compiler in kernel.minimum else ()
            others += [
                (f"{kernel.name}.minimum.{compiler}", minimum),
                (f"{kernel.name}.feature_flags.{compiler}", features),
                (f"{kernel.name}.extra_flags.{compiler}", extra),
            ]
    return Table(("architectures", "definition", "sources"), tuple(rows), tuple(others))


def _any_slice(plan: Plan, architectures: tuple[str, ...] | dict[str, None]) -> str:
    text = " || ".join(names.slice_macro(plan.prefix, name) for name in architectures)
    return f"({text})" if len(architectures) > 1 else text


def _zig_differs(plan: Plan) -> Iterator[str]:
    """Name the options for which the table tells clang and zig apart."""
    for option in plan.options:
        kernels = [kernel for kernel in plan.kernels if kernel.option == option.name]
        if ("clang" in option.compilers) != ("zig" in option.compilers) or any(
            table.get("clang") != table.get("zig")
            for kernel in kernels
            for table in (kernel.flags, kernel.minimum)
        ):
            yield option.name


def _root(plan: Plan, destination: Path) -> str:
    way = _way(plan.folder / plan.root_from_folder, destination)
    return "" if way == "." else f"/{way}"


def _manifest(plan: Plan, destination: Path) -> str:
    way = _way(plan.folder / plan.manifest, destination)
    return way.replace("*/", "* /")  # which would end a comment in C


def _regenerate(plan: Plan, destination: Path) -> str:
    manifest = _manifest(plan, destination)
    word = f'"{manifest}"' if " " in manifest else manifest
    return f"cmaketool generate {word}" + (" -o ." if "/" in manifest else "")


def _way(target: Path, start: Path) -> str:
    """Return the relative path from `start` to `target`, both as they are named or both without links.

    Named, it holds where a link inside the tree leads elsewhere, as CMake follows none. If it is the longer
    one, the two were given by different names of one place, of which nothing may be left in the files.
    """
    try:
        named = os.path.relpath(target, start)
        real = os.path.relpath(os.path.realpath(target), os.path.realpath(start))
    except ValueError as error:  # Windows: two drives
        raise CmaketoolError(
            Diagnostic(
                message=f"no relative path leads from {start} to {target}",
                rule="output-unreachable",
                remedy="put the generated files on the drive that the sources are on",
            )
        ) from error
    way = min(named, real, key=lambda path: path.count(os.sep)).replace(os.sep, "/")
    if not way.isprintable():
        raise CmaketoolError(
            Diagnostic(
                message=f"the path {way!r} has a character that the generated files cannot hold",
                rule="unrepresentable",
                remedy="rename the file or folder",
            )
        )
    return way
