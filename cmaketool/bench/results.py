"""A measurement as JSON, and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cmaketool.bench.model import Measured, Row, Unit
from cmaketool.diagnostics import CmaketoolError, Diagnostic

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.bench.compare import Comparison
    from cmaketool.bench.model import Outcome

__all__ = ["SCHEMA", "as_json", "read"]

SCHEMA = 1


def as_json(outcome: Outcome) -> str:
    """Return the whole outcome as one document."""
    measured = outcome.measured
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "manifest": measured.manifest,
        "leg": measured.leg,
        "about": measured.about,
        "configuration": measured.configuration,
        "unit": measured.unit,
        "exit_code": int(outcome.code),
        "results": [
            {
                "case": row.case,
                "variant": row.variant,
                "size": row.size,
                "per_call": row.per_call,
                "per_byte": round(row.per_byte, 6),
                "checksum": row.checksum,
                "reference": row.reference,
            }
            for row in measured.rows
        ],
        "faults": list(outcome.faults),
        "notes": list(outcome.notes),
    }
    if outcome.comparison is not None:
        document["comparison"] = _comparison(outcome.comparison)
    return json.dumps(document, indent=2) + "\n"


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        "file": comparison.file,
        "leg": comparison.leg,
        "about": comparison.about,
        "tolerance": comparison.tolerance,
        "changes": [
            {
                "case": change.case,
                "variant": change.variant,
                "size": change.size,
                "before": change.before,
                "now": change.now,
                "verdict": change.verdict,
            }
            for change in comparison.changes
        ],
    }


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True)


class _Result(_Strict):
    case: str
    variant: str
    size: int = Field(gt=0)
    per_call: float = Field(ge=0, allow_inf_nan=False)
    checksum: str
    reference: bool


class _Document(_Strict):
    """What of a document is read; keys that are added later do not matter."""

    manifest: str
    leg: str
    about: str
    configuration: str
    unit: Unit
    results: list[_Result] = Field(min_length=1)


def read(path: Path) -> Measured:
    """Read what `as_json` made. Raises CmaketoolError for a file that is not there, or something else."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _fault(path, f"it cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise _fault(path, "it is no JSON") from error
    schema = found.get("schema") if isinstance(found, dict) else None
    if type(schema) is not int or schema != SCHEMA:  # true is 1 too
        raise _fault(path, f"its schema is {schema}, not {SCHEMA}" if schema else "it is of something else")
    try:
        document = _Document.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise _fault(path, f"{place}: {first['msg']}") from error
    rows = tuple(
        Row(one.case, one.variant, one.size, one.per_call, one.checksum, one.reference)
        for one in document.results
    )
    return Measured(
        document.manifest, document.leg, document.about, document.configuration, document.unit, rows
    )


def _fault(path: Path, reason: str) -> CmaketoolError:
    remedy = f"make one: cmaketool bench MANIFEST --json > {path}"
    return CmaketoolError(Diagnostic(f"no measurement: {reason}", "measurement", str(path), remedy=remedy))
