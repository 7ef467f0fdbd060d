"""Generate and verify the CMake and C that wire instruction-set kernels into a library."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
