r"""macos: a stand-in for Apple's compiler, which compiles for several architectures at once.

It is clang, which has that driver, with macOS's headers from the ziglang package and LLVM's lipo and libtool
in the place of Apple's. CMake takes it for AppleClang.

Use
    from cmaketool.standins.macos.install import install
    install(folder)
puts into the folder
    bin/cc            clang for arm64-apple-macos11, or for what -arch says, one or several
    bin/lipo          joins what it compiled for several
    bin/ar, ranlib    make static libraries of universal objects, as Apple's do
    MacOSX.sdk/       what CMAKE_OSX_SYSROOT is to be: the headers

As Apple's compiler does, and clang does not, it refuses -maes and the like, which only x86-64 has, where they
are for arm64 too: they belong behind -Xarch_x86_64.

Limits
    - It makes objects and static libraries. Nothing is linked, and nothing can be run.
    - It is LLVM's clang of the same age: Apple's changes to it are not there.
    - C only.
"""

from __future__ import annotations

__all__: list[str] = []
