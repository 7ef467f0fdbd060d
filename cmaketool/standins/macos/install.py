"""Puts the stand-in into a folder: scripts named as Apple's programs, and an SDK of headers."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

from cmaketool import catalogue
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.standins.msvc_model.tools import find_tools
from cmaketool.toolchains.files import write
from cmaketool.toolchains.programs import zig

__all__ = ["ARCHITECTURES", "PACKAGES", "VERSION", "install"]

ARCHITECTURES = (None,)  # it is one for all of Apple's
PACKAGES = "pip install 'cmaketool[verify]'; Debian: apt-get install clang-19 lld-19 llvm-19"
VERSION = "17.0.0.17000013"  # Apple's of Xcode 16.3, which is made from LLVM 19

_NAMES = ("ar", "lipo", "libtool_darwin", "install_name_tool")  # LLVM's
_IDENTITY = ("__clang_major__", "__clang_minor__", "__clang_patchlevel__", "__apple_build_version__")

# A word behind -Xarch_NAME is for that slice alone, and so is what comes behind it in the same way.
_CC = """\
#!/bin/sh
arm64=yes
case " $* " in *" -arch "*) arm64= ;; esac
last=
for word; do
  case $last in
    -arch) if [ "$word" = arm64 ]; then arm64=yes; fi ;;
    -Xarch_*) ;;
    *) case $word in {x86_flags}) only_x86=$word ;; esac ;;
  esac
  last=$word
done
if [ -n "$arm64" ] && [ -n "$only_x86" ]; then
  echo "clang: error: unsupported option '$only_x86' for target 'arm64-apple-macosx11.0.0'" >&2
  exit 1
fi
exec {clang} "$@"
"""
# `ar qc LIBRARY OBJECT...` makes a universal library where objects are universal.
_AR = """\
#!/bin/sh
case $1 in
  *[qr]*) library=$2; shift 2; exec {libtool} -static -no_warning_for_no_symbols -o "$library" "$@" ;;
  *) exec {ar} "$@" ;;
esac
"""


class _Tools(NamedTuple):
    clang: str
    ar: str
    lipo: str
    libtool: str
    install_name_tool: str


def _find_tools() -> _Tools | str:
    """Return the programs, all of the version that msvc-model takes, or in one sentence what is not there."""
    found = find_tools()
    if isinstance(found, str):
        return found
    suffix = Path(found.clang).name.removeprefix("clang")
    names = [f"llvm-{name.replace('_', '-')}{suffix}" for name in _NAMES]
    paths = [shutil.which(name) for name in names]
    missing = [name for name, path in zip(names, paths, strict=True) if path is None]
    if missing:
        return f"{', '.join(missing)} not on PATH, beside {Path(found.clang).name}"
    return _Tools(found.clang, *(str(path) for path in paths))


def _headers() -> Path | None:
    """Return the folder of macOS's headers in the ziglang package; its name differs by version."""
    program = zig()
    places = sorted(program.parent.glob("lib/libc/include/any-*-any")) if program else []
    return next((place for place in places if (place / "AvailabilityMacros.h").is_file()), None)


def _scripts(tools: _Tools, folder: Path) -> dict[str, str]:
    clang = [
        tools.clang,
        "--target=arm64-apple-macos11",
        f"-B{folder / 'bin'}",
        "-Wno-builtin-macro-redefined",
    ]
    for name, value in zip(_IDENTITY, VERSION.split("."), strict=True):
        clang += [f"-U{name}", f"-D{name}={value}"]
    known = catalogue.load()
    features = [known.feature("x86_64", name) for name in known.features("x86_64")]
    flags = sorted({f"-m{name}" for feature in features for name in feature.names["gnu"]})
    return {
        "cc": _CC.format(clang=shlex.join(clang), x86_flags=" | ".join(flags)),
        "ar": _AR.format(libtool=shlex.quote(tools.libtool), ar=shlex.quote(tools.ar)),
        "lipo": f'#!/bin/sh\nexec {shlex.quote(tools.lipo)} "$@"\n',
        "ranlib": "#!/bin/sh\n# libtool wrote the table of contents.\n",
        "install_name_tool": f'#!/bin/sh\nexec {shlex.quote(tools.install_name_tool)} "$@"\n',
    }


def install(folder: Path, architecture: None = None) -> None:  # noqa: ARG001
    """Put the stand-in into `folder`; `architecture` is None, as other stand-ins have some.

    Raises CmaketoolError, of the rule "standin-missing" where a part that it is made of is not there.
    """
    tools, headers = _find_tools(), _headers()
    if isinstance(tools, str) or headers is None:
        problem = tools if isinstance(tools, str) else "ziglang, whose headers it uses, is not installed"
        raise CmaketoolError(Diagnostic(f"macos: {problem}", "standin-missing", remedy=PACKAGES))
    root = folder.resolve()
    for name, text in _scripts(tools, root).items():
        write(root / "bin" / name, text, executable=True)
    link = root / "MacOSX.sdk" / "usr" / "include"
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.is_symlink() or link.readlink() != headers:
        link.unlink(missing_ok=True)
        link.symlink_to(headers)
