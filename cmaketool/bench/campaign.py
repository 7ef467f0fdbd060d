"""Which cases of which variants are measured, the measuring, and what the checksums say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cmaketool.bench.measure import measure
from cmaketool.bench.model import Measured, Outcome, cases
from cmaketool.diagnostics import CmaketoolError, Diagnostic, near_miss
from cmaketool.verify.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cmaketool.bench.measure import Measurement
    from cmaketool.bench.model import BenchRequest, Row
    from cmaketool.bench.program import BenchProgram
    from cmaketool.bench.progress import Progress
    from cmaketool.plan import Plan, PlannedVariant
    from cmaketool.toolchains import Leg

__all__ = ["Campaign", "disagreements"]


@dataclass(frozen=True, slots=True)
class _Work:
    """One case of one variant."""

    case: str
    variant: str
    reference: bool


class Campaign:
    """All that is measured with one program, which holds `kernels`."""

    def __init__(
        self, plan: Plan, request: BenchRequest, leg: Leg, program: BenchProgram, kernels: Collection[str]
    ) -> None:
        self._plan, self._request, self._leg = plan, request, leg
        self._program, self._kernels = program, kernels
        self._families = {family.name: family for family in plan.families}
        self._notes: list[str] = []
        self._left_out: list[str] = []

    def run(self, progress: Progress, tools: str) -> Outcome:
        """Measure everything; `tools` are what built the program, for people.

        Raises CmaketoolError for benchmarks that do not fit the manifest, or what was asked for, and what
        BenchProgram does.
        """
        works, faults = self._works()
        jobs = self._request.jobs if self._program.unit == "instructions" else 1
        done: dict[_Work, Measurement] = {}
        pool = Pool(jobs)
        for work in works:
            pool.add(
                lambda work=work: self._measure(work),  # type: ignore[misc]
                lambda result, work=work: self._note(done, work, result, progress, len(works)),  # type: ignore[misc]
            )
        pool.run()
        rows = [row for work in works for row in done[work].rows]
        faults += [refusal for work in works for refusal in done[work].refusals]
        faults += disagreements(rows)
        if not rows and not faults:
            faults.append(self._nothing())
        measured = Measured(
            str(self._request.manifest),
            self._leg.file.name,
            f"{self._leg.version}; {tools}",
            self._request.configuration,
            self._program.unit,
            tuple(rows),
        )
        return Outcome(measured, tuple(faults), (*self._notes, *self._left_out))

    def _nothing(self) -> str:
        """Say why nothing was measured, and what to do: no variant of what is asked for can be had."""
        remedy = "name a leg that has it (--toolchain), or another --family"
        return f"nothing was measured: {'; '.join(self._left_out)}; {remedy}"

    def _measure(self, work: _Work) -> Measurement:
        sizes = self._request.sizes
        return measure(self._program, work.case, work.variant, sizes, reference=work.reference)

    def _note(
        self, done: dict[_Work, Measurement], work: _Work, result: Measurement, progress: Progress, count: int
    ) -> None:
        done[work] = result
        progress.step(len(done), count, f"{work.case} {work.variant}")

    def _works(self) -> tuple[list[_Work], list[str]]:
        """Return what is to be measured, in the order of the families and their variants; and faults."""
        variants = dict.fromkeys(one.name for family in self._plan.families for one in family.variants)
        listed = self._program.cases(list(variants))
        self._check_listed(listed)
        order = [name for name in dict.fromkeys(case for case, _ in listed) if self._is_asked(name)]
        self._check_asked(order, [case for case, _ in listed])
        works, faults = [], []
        for family in self._plan.families:
            own = [case for case in order if case.partition("/")[0] == family.name]
            there = [one for one in family.variants if own and self._can_run(one)]
            for case in own:
                lacking = [one.name for one in there if (case, one.name) not in listed]
                faults += [
                    f"{case}: {name} is built, and the benchmarks have no such case" for name in lacking
                ]
                last = family.variants[-1].name
                works += [_Work(case, one.name, one.name == last) for one in there if one.name not in lacking]
        return works, faults

    def _is_asked(self, case: str) -> bool:
        asked = self._request.families
        return not asked or case in asked or case.partition("/")[0] in asked

    def _check_listed(self, listed: Sequence[tuple[str, str]]) -> None:
        for case, variant in listed:
            family = self._families.get(case.partition("/")[0])
            if family is None:
                message = f"the benchmarks have a case '{case}', and the manifest no family of that name"
                remedy = near_miss(case.partition("/")[0], list(self._families))
                raise CmaketoolError(Diagnostic(message, "unknown-family", remedy=remedy))
            if variant not in {one.name for one in family.variants}:
                message = f"the benchmarks have a case '{case}' of '{variant}', no variant of that family"
                raise CmaketoolError(Diagnostic(message, "unknown-variant"))

    def _check_asked(self, order: Sequence[str], every: Sequence[str]) -> None:
        asked = self._request.families
        for name in asked:
            if not any(name in (case, case.partition("/")[0]) for case in order):
                remedy = near_miss(name, list(dict.fromkeys(every)))
                message = f"the benchmarks have no case of '{name}'"
                raise CmaketoolError(Diagnostic(message, "unknown-case", remedy=remedy))
        named = {case.partition("/")[0] for case in every}
        left = [name for name in self._families if name not in named and not asked]
        if left:
            self._notes.append(f"without a benchmark: {', '.join(left)}")

    def _can_run(self, variant: PlannedVariant) -> bool:
        """Say whether `variant` is built, and runs on the CPU at hand; note why not."""
        kernel = next((one for one in self._plan.kernels if one.name == variant.kernel), None)
        if kernel is None:
            return True
        if kernel.name not in self._kernels:
            self._leave_out(f"{kernel.name}: not built on {self._leg.file.name}")
            return False
        features = self._leg.processors[0].features if self._program.unit == "nanoseconds" else None
        lacking = sorted(set(kernel.closure) - features) if features is not None else []
        if lacking:
            self._leave_out(f"{kernel.name}: this CPU has no {', '.join(lacking)}")
        return not lacking

    def _leave_out(self, note: str) -> None:
        if note not in self._left_out:
            self._left_out.append(note)


def disagreements(rows: Sequence[Row]) -> list[str]:
    """Return what the checksums of the variants of each case and size say against them."""
    faults = []
    for case, variants in cases(rows).items():
        sizes = dict.fromkeys(row.size for by_size in variants.values() for row in by_size.values())
        for size in sizes:
            sums = {name: by_size[size].checksum for name, by_size in variants.items() if size in by_size}
            if len(set(sums.values())) > 1:
                said = ", ".join(f"{name} {text}" for name, text in sums.items())
                faults.append(f"{case} at {size} bytes: the variants did not do the same work: {said}")
    return faults
