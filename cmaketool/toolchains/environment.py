"""What CMake would take from the environment and is not to: a leg's facts are those of neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NO_FLAGS", "NO_TOOLCHAIN"]

NO_TOOLCHAIN: Mapping[str, str] = {"CMAKE_TOOLCHAIN_FILE": ""}
NO_FLAGS: Mapping[str, str] = {"CFLAGS": "", "CPPFLAGS": "", "LDFLAGS": ""}
