"""What kernels are measured against: yardsticks.yml, checked."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, model_validator

__all__ = ["Accept", "Cycles", "Instructions", "Row", "Run", "Yardsticks", "load"]

FILE = Path(__file__).with_name("yardsticks.yml")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Run(_Strict):
    """What is run: a case of the manifest's benchmarks, by one variant."""

    case: str
    variant: str


class Instructions(_Strict):
    """Instructions per byte; None: not known, or no target."""

    portable_c: float | None
    assembly: float
    target: float | None


class Cycles(_Strict):
    """Cycles per byte, by column; `target` is a factor of the assembly's."""

    bound: tuple[float | None, ...]
    assembly: tuple[float | None, ...]
    target: float | Literal["better"]


class Accept(_Strict):
    """The least that is accepted, as a factor: of the target's instructions or of the assembly's cycles."""

    instructions: float | None = None
    cycles: float | None = None


class Row(_Strict):
    """One kernel at one kind of work."""

    name: str
    run: Run
    instructions: Instructions
    cycles: Cycles
    accept: Accept


class Yardsticks(_Strict):
    """All rows, for messages of `message` bytes, and the CPUs of their columns as llvm-mca names them."""

    message: int
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @model_validator(mode="after")
    def _columns_are_filled(self) -> Yardsticks:
        for row in self.rows:
            gaps = [[number is None for number in line] for line in (row.cycles.bound, row.cycles.assembly)]
            if gaps[0] != gaps[1] or len(gaps[0]) != len(self.columns):
                raise ValueError(f"{row.name}: one bound and one assembly for each of {self.columns}")
            if (row.accept.instructions is None) == (row.accept.cycles is None):
                raise ValueError(f"{row.name}: accepted by instructions or by cycles")
            if row.accept.instructions is not None and row.instructions.target is None:
                raise ValueError(f"{row.name}: accepted by instructions, without a target of them")
        return self


def load(file: Path = FILE) -> Yardsticks:
    """Read and check the file. Raises pydantic's ValidationError."""
    return Yardsticks.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))
