"""A whole verification: the legs, their trees and teeth side by side, then the verdict."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import tempfile
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool import catalogue, process, toolchains
from cmaketool import manifest as manifests
from cmaketool import plan as plans
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.toolchains.programs import has_module
from cmaketool.verify import harness
from cmaketool.verify.job import Job
from cmaketool.verify.legrun import LegRun
from cmaketool.verify.model import RUNGS_UNTIL, LegReport, Outcome, VerifyRequest
from cmaketool.verify.setups import Setup
from cmaketool.verify.verdict import conclude

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cmaketool.plan import Plan
    from cmaketool.toolchains.model import LegFile
    from cmaketool.verify.harness import Subject
    from cmaketool.verify.progress import Progress

__all__ = ["verify"]


def verify(request: VerifyRequest, progress: Progress) -> Outcome:
    """Do all that `request` asks for.

    Raises CmaketoolError for input that cannot be used. On Ctrl-C every process is ended, the work folder is
    removed (unless it is to be kept), and KeyboardInterrupt goes on.
    """
    plan = plans.resolve(manifests.load(request.manifest), catalogue.load())
    chosen = _chosen(request)
    with _work_folder(request) as folder:
        reports, runs = _find_legs(request, plan, chosen, folder, progress)
        _Pool(request, runs).run()
    return conclude(request, plan, reports, runs)


def _chosen(request: VerifyRequest) -> list[LegFile]:
    """Return the legs to try. Raises CmaketoolError for a name that is no leg's."""
    chosen = list(toolchains.select(request.toolchains, manifest=request.manifest))
    for name in request.teeth or ():
        if toolchains.leg(name) not in chosen:
            message = f"teeth are asked for on {name}, which is not among the legs to verify"
            raise CmaketoolError(Diagnostic(message, "teeth-elsewhere", remedy=f"add it: --toolchain {name}"))
    return chosen


@contextlib.contextmanager
def _work_folder(request: VerifyRequest) -> Iterator[Path]:
    """Give an absolute folder, links resolved: kept if the user says so, else removed at the end."""
    keep = request.keep
    if keep is None:
        folder = _temporary(request.manifest)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return
    if keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
        message = f"'{keep}' is there and not an empty folder"
        raise CmaketoolError(Diagnostic(message, "work-folder-in-use", remedy="name a new folder for --keep"))
    yield _made(keep)


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fault = Diagnostic(f"'{folder}' cannot be made: {error.strerror}", "work-folder-unusable")
        raise CmaketoolError(fault) from error
    return folder.resolve()


def _temporary(manifest: Path) -> Path:
    """Make a folder, of the same name for the same manifest, so that zig finds its commands in its cache.

    Where there is one already, of another run or one that was killed, the name is a new one.
    """
    digest = hashlib.sha256(str(manifest.resolve()).encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()).resolve() / f"cmaketool-verify-{digest}"
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return Path(tempfile.mkdtemp(prefix="cmaketool-verify-")).resolve()
    return folder


def _subject(request: VerifyRequest, plan: Plan, folder: Path) -> Subject:
    if request.project is None:
        return harness.generated(plan, folder / "harness")
    assert request.target is not None  # noqa: S101  the command line asks for both
    return harness.own_project(plan, folder / "harness", request.project, request.target, request.defines)


def _tools(request: VerifyRequest) -> toolchains.Tools | toolchains.Missing:
    """Return cmake and ninja, or what is missing of all that the rungs asked for need."""
    modules = ("lief", "capstone") if "symbols" in RUNGS_UNTIL[request.until] else ()
    missing = [name for name in modules if not has_module(name)]
    found = toolchains.tools()
    if not isinstance(found, toolchains.Missing) and not missing:
        return found
    if isinstance(found, toolchains.Missing):
        missing.insert(0, found.what)
    return toolchains.Missing(None, ", ".join(missing), "pip install 'cmaketool[verify]'")


def _find_legs(
    request: VerifyRequest, plan: Plan, chosen: list[LegFile], folder: Path, progress: Progress
) -> tuple[list[LegReport], list[LegRun]]:
    """Look for the tools of each leg; return a report for each, and what can be run."""
    tools = _tools(request)
    reports: list[LegReport] = []
    runs: list[LegRun] = []
    job = None
    for file in chosen:
        named = bool(request.toolchains) or file.name in (request.teeth or ())
        found: toolchains.Leg | toolchains.Missing
        if isinstance(tools, toolchains.Missing):
            found = tools
        else:
            job = job or Job(request, plan, _subject(request, plan, folder), progress)
            found = toolchains.find(file, folder / file.name)
        if isinstance(found, toolchains.Missing):
            reports.append(
                LegReport(file.name, named, missing=f"not found: {found.what}", remedy=found.remedy)
            )
        elif job is not None and not isinstance(tools, toolchains.Missing):
            runs.append(LegRun(job, found, Setup(tools), folder / file.name, named=named))
            reports.append(runs[-1].report)
    return reports, runs


class _Pool:
    """Runs chains and teeth of all legs in `request.jobs` threads; the main thread only waits."""

    def __init__(self, request: VerifyRequest, runs: list[LegRun]) -> None:
        self._request, self._runs = request, runs
        self._pending: dict[Future[None], Callable[[], None]] = {}
        self._threads = ThreadPoolExecutor(max_workers=max(1, request.jobs), thread_name_prefix="verify")

    def run(self) -> None:
        """Run everything. Whatever goes wrong, no process is left and no thread."""
        try:
            for run in self._runs:
                self._begin(run)
            while self._pending:
                done, _ = wait(self._pending, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    following = self._pending.pop(future)
                    future.result()
                    following()
        except BaseException:
            process.cancel_all()
            self._threads.shutdown(wait=True, cancel_futures=True)
            process.resume()
            raise
        self._threads.shutdown()

    def _submit(self, work: Callable[[], None], following: Callable[[], None]) -> None:
        self._pending[self._threads.submit(work)] = following

    def _spread(self, works: Sequence[Callable[[], object]]) -> None:
        """Do `works` for a thread of the pool, which does itself what no other thread has begun."""
        begun = [self._threads.submit(work) for work in works]
        for future, work in zip(begun, works, strict=True):
            if future.cancel():
                work()
            else:
                future.result()

    def _begin(self, run: LegRun) -> None:
        if "answers" in RUNGS_UNTIL[self._request.until]:
            run.leg.start_warming(run.say)
        for chain in run.chains:
            self._submit(
                lambda chain=chain: run.run_chain(chain, self._spread),  # type: ignore[misc]
                lambda: self._chain_ended(run),
            )

    def _chain_ended(self, run: LegRun) -> None:
        """Begin the teeth as soon as there is a tree for them; compare the states once all are there."""
        wanted = run.leg.file.embedded if self._request.teeth is None else run.name in self._request.teeth
        for tooth, unit in run.teeth() if wanted else ():
            self._submit(lambda tooth=tooth, unit=unit: run.run_tooth(tooth, unit), lambda: None)  # type: ignore[misc]
        run.left -= 1
        if not run.left:
            run.compare()
