"""What a Linux program finds on its stack: arguments, environment and the auxiliary vector."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from cmaketool.toolchains.aarch64_memory import PAGE, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cmaketool.toolchains.aarch64_elf import Image
    from cmaketool.toolchains.aarch64_memory import Memory

__all__ = ["STACK_SIZE", "put_stack"]

STACK_SIZE = 8 << 20


def put_stack(
    memory: Memory, image: Image, arguments: Sequence[str], environment: Sequence[str], hwcap: int
) -> int:
    """Make the stack of the program `image`; return its address.

    `arguments` begins with the program's name, `environment` holds NAME=VALUE texts, `hwcap` is AT_HWCAP.
    """
    memory.map(SYSTEM.stop - STACK_SIZE, STACK_SIZE, 3)
    top = SYSTEM.stop - PAGE

    def put(data: bytes) -> int:
        nonlocal top
        top -= len(data)
        memory.write(top, data)
        return top

    names = [put(text.encode("utf-8", "surrogateescape") + b"\0") for text in arguments]
    variables = [put(text.encode("utf-8", "surrogateescape") + b"\0") for text in environment]
    random = put(bytes(range(16)))
    auxiliary = (
        (3, image.header_table), (4, 56), (5, image.header_count), (6, PAGE), (7, 0), (8, 0),
        (9, image.entry), (11, 1000), (12, 1000), (13, 1000), (14, 1000), (16, hwcap), (17, 100), (23, 0),
        (25, random), (26, 0), (31, names[0]), (0, 0),
    )  # fmt: skip
    words = [len(names), *names, 0, *variables, 0, *(word for pair in auxiliary for word in pair)]
    stack = (top - 8 * len(words)) & -16
    memory.write(stack, struct.pack(f"<{len(words)}Q", *words))
    return stack
