"""What a build printed, and what of that is about which object."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["BuildLog"]


@dataclass(frozen=True, slots=True)
class BuildLog:
    """A build's output, one text in `blocks` for each edge that said anything. `ok`: nothing failed."""

    ok: bool
    blocks: tuple[str, ...]
    text: str
    command: str
    timed_out: bool = False

    def about(self, object_file: Path, tree: Path) -> str:
        """Return what was printed while `object_file` of `tree` was made."""
        try:
            name = object_file.relative_to(tree).as_posix()
        except ValueError:
            name = object_file.as_posix()
        return "".join(block for block in self.blocks if name in block)

    def failed(self, object_file: Path, tree: Path) -> bool:
        """Say whether making `object_file` itself failed, not only something that is made of it."""
        name = object_file.relative_to(tree).as_posix()
        line_ = rf"^FAILED: (\[code=\S+\] )?{re.escape(name)} *$"
        return re.search(line_, self.text, re.MULTILINE) is not None
