"""Writes real little manifests with their sources, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool import catalogue, manifest, plan

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["KERNELS", "MANIFEST", "planned", "write"]

# One option, one ARM64 kernel, one family with a portable variant, one test.
MANIFEST = """\
schema: 1
name: demo
options:
  AES: {help: AES by instruction}
kernels:
  aes_arm64:
    option: AES
    architecture: arm64
    features: [aes]
    sources: [aes_arm64.c]
    symbols: [demo_aes_arm64]
    mnemonics: {demo_aes_arm64: [aese, aesmc]}
families:
  aes:
    functions: [demo_aes]
    variants:
      - {name: arm64, kernel: aes_arm64}
      - {name: portable, sources: [aes_portable.c]}
tests:
  kat: {sources: [kat.c]}
"""

KERNELS: Mapping[str, str] = {
    "aes_arm64.c": """\
#include "demo_kernels_config.h"
#if DEMO_BUILD_AES_ARM64
#include <arm_neon.h>
DEMO_TARGET_AES_ARM64
void demo_aes_arm64(unsigned char *p);
void demo_aes_arm64(unsigned char *p) { vst1q_u8(p, vaesmcq_u8(vaeseq_u8(vld1q_u8(p), vld1q_u8(p + 16)))); }
DEMO_TARGET_END
#else
typedef int demo_nothing;
#endif
""",
    "aes_portable.c": """\
void demo_aes_portable(unsigned char *p);
void demo_aes_portable(unsigned char *p) { p[0] ^= 1; }
""",
    "kat.c": """\
#include <stdio.h>
int main(void) { return printf("1..1\\nok 1 - aes portable 1 vectors\\n") < 0; }
""",
}


def write(folder: Path, text: str = MANIFEST, files: Mapping[str, str] = KERNELS) -> Path:
    """Write a manifest and its files below `folder`; return the manifest's path."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")
    path = folder / "kernels.yml"
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def planned(folder: Path, text: str = MANIFEST, files: Mapping[str, str] = KERNELS) -> plan.Plan:
    """Write a manifest, load it and return its plan."""
    return plan.resolve(manifest.load(write(folder, text, files)), catalogue.load())
