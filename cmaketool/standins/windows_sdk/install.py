"""Puts the stand-in into a folder: msvc-model's library, its headers without those that model cl, clang."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from cmaketool import resources
from cmaketool.standins.msvc_model import install as msvc_model
from cmaketool.standins.msvc_model.cl import TRIPLES
from cmaketool.toolchains.files import write

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ARCHITECTURES", "install"]

ARCHITECTURES = ("arm64", "x64")

_LIBRARY_HEADERS = "standins/msvc_model/include"
_OWN_HEADERS = "standins/windows_sdk/include"
_OF_THE_COMPILER = ("arm64_neon.h", "arm_neon.h", "intrin.h")  # clang has its own
_PLAIN_CODE = ["-mno-stack-arg-probe"]


def _headers() -> dict[str, str]:
    texts = {}
    for folder, left_out in ((_LIBRARY_HEADERS, _OF_THE_COMPILER), (_OWN_HEADERS, ())):
        names = (name for name in resources.listing(folder, ".h") if name not in left_out)
        texts.update({name: resources.text(folder, name) for name in names})
    return texts


def install(folder: Path, architecture: str) -> None:
    """Put the stand-in for `architecture` (one of ARCHITECTURES) into `folder`; at once if it is there.

    Raises CmaketoolError, of the rule "standin-missing" where a program that it is made of is not on PATH.
    """
    library = msvc_model.install(folder / "msvc-model", architecture)
    root = folder.resolve()
    for name, text in _headers().items():
        write(root / "include" / name, text)
    target, headers = f"--target={TRIPLES[architecture]}", str(root / "include")
    commands = {
        # clang's own headers come first: the C library's are behind them, as the SDK's are.
        "clang-cl": ["--driver-mode=cl", target, "/X", "-imsvc", headers, "/GS-", *_PLAIN_CODE],
        "clang": [target, "-nostdlibinc", "-idirafter", headers, *_PLAIN_CODE],
    }
    for name, options in commands.items():
        text = f'#!/bin/sh\nexec {shlex.join([library.tools.clang, *options])} "$@"\n'
        write(root / "bin" / name, text, executable=True)
    for name in ("link", "lib", "rc", "mt"):
        text = (library.folder / "bin" / name).read_text(encoding="utf-8")
        write(root / "bin" / name, text, executable=True)
