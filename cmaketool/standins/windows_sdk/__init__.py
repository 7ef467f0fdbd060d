r"""windows-sdk: what real clang needs to build ARM64 Windows programs where there is no Windows SDK.

Headers and libraries are those of msvc-model's small C library; the compiler is clang as it is.

Use
    from cmaketool.standins.windows_sdk.install import install
    install(folder, "arm64")
puts into the folder
    bin/clang-cl           clang with cl's command line
    bin/clang              clang with its own command line, for the same ABI
    bin/link, lib, rc, mt  LLVM's, as msvc-model names them; `link` finds the libraries
    include/               the C library's headers; arm_neon.h, intrin.h and the like are clang's own
    lib/                   the C library as msvcrt.lib and its like, kernel32.lib, and empty libraries

Limits
    - C only, and of the C library what kernels, their detection and their tests use.
    - Neither security cookies nor probes of the stack, as for msvc-model: the library has no code for them.
"""

from __future__ import annotations

__all__: list[str] = []
