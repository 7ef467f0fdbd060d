r"""msvc-model: a stand-in for Microsoft's cl, where cl cannot be run.

It is clang in cl's place: CMake takes it for MSVC, its objects are COFF of the right machine, and it refuses
what cl does not know. It is called msvc-model everywhere, and never MSVC.

Use
    from cmaketool.standins.msvc_model.install import install
    installed = install(folder, "arm64")          # or "arm64ec", "x64"
puts everything into the folder, in a second or two, and at once if it is there already:
    bin/cl, link, lib, rc, mt    wrappers: cl runs `cl.py`, the others LLVM's programs of the same version
    include/                     the model of arm64_neon.h (with arm64_neon_names.h, made from evidence.yml),
                                 intrin.h, windows.h, and a small C library's headers (LLP64)
    lib/                         that C library as msvcrt.lib and its like, kernel32.lib, and empty libraries
                                 that CMake's programs link; not for ARM64EC

The legs msvc-model-arm64, -arm64ec and -x64 are made of it: toolchain files for CMake, which takes it for
MSVC 19.44.35207 with MSVC=1 and MSVC_C_ARCHITECTURE_ID ARM64, ARM64EC (from CMake 3.20) or x64. What other
compilers preprocess by `-E -P` is `/EP` here.

Names without evidence
    `evidence.yml` has every intrinsic of the header, with its prototype and the public code built with cl
    that uses it. For a kernel that was compiled, `evidence.unproven(evidence.names_in(text, folder))`,
    `text` being what `cl OPTIONS /E SOURCE` prints, are the names for "PASS, unproven on cl". A name that is
    not in that file does not compile.

Programs
    .exe files for ARM64 and x64 import from KERNEL32.dll only, and of that at most ExitProcess,
    GetCommandLineA, GetEnvironmentVariableA, GetLastError, GetStdHandle, IsProcessorFeaturePresent, ReadFile,
    SetLastError, VirtualAlloc, VirtualProtect and WriteFile (`runtime/kernel32.def`). No thread-local
    storage, no exceptions, no stack probes: whoever loads one must give it its whole stack. Files are not
    translated between \n and \r\n.

Limits
    - An undeclared function is an error here; cl in C only warns (C4013) until the link.
    - So are pointers to other types, which are warnings of cl. Other warnings are clang's, by clang's names.
    - cl's optimiser and its faults are not modelled, nor its traditional preprocessor, nor
      /Zc:arm64-aliased-neon-types-.
    - Vectors cross calls that are not inlined in general registers here, in vector registers with cl: objects
      of the two do not mix.
    - C only. Not on Windows.

The modules that `cl` imports (`commandline`, `macros`, `strictness`) import nothing that takes long: they
start once for each file that is compiled.
"""

from __future__ import annotations

__all__: list[str] = []
