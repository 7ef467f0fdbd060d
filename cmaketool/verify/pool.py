"""Works in threads: the costliest first, what a work leads to as soon as it ends, all ended on any fault."""

from __future__ import annotations

import heapq
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, TypeVar

from cmaketool import process

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Pool"]

_Product = TypeVar("_Product")


class Pool:
    """Runs works in `size` threads; the thread that calls `run` only waits, and does what follows."""

    def __init__(self, size: int) -> None:
        self._size = max(1, size)
        self._threads = ThreadPoolExecutor(max_workers=self._size, thread_name_prefix="cmaketool")
        self._waiting: list[tuple[float, int, Callable[[], Callable[[], None]]]] = []
        self._running: set[Future[Callable[[], None]]] = set()
        self._count = 0

    def add(
        self, work: Callable[[], _Product], following: Callable[[_Product], None], *, cost: float = 0.0
    ) -> None:
        """Do `work` in a thread, before all that cost less; then `following`, of what it made, in `run`'s.

        To be called before `run`, or by what follows a work.
        """

        def whole() -> Callable[[], None]:
            made = work()
            return lambda: following(made)

        self._count += 1
        heapq.heappush(self._waiting, (-cost, self._count, whole))

    def spread(self, works: Sequence[Callable[[], object]]) -> None:
        """Do `works` for a thread of the pool, which does itself what no other thread has begun."""
        offered = [(self._threads.submit(work), work) for work in works]
        begun = []
        for future, work in offered:
            if future.cancel():
                work()
            else:
                begun.append(future)
        for future in begun:
            future.result()

    def run(self) -> None:
        """Do everything. Whatever goes wrong is raised, and no process is left and no thread."""
        try:
            self._begin()
            while self._running:
                done, self._running = wait(self._running, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()()
                self._begin()
        except BaseException:
            process.cancel_all()
            self._threads.shutdown(wait=True, cancel_futures=True)
            process.resume()
            raise
        self._threads.shutdown()

    def _begin(self) -> None:
        """Start no more than there are threads: what is added later may cost more than what waits."""
        while self._waiting and len(self._running) < self._size:
            self._running.add(self._threads.submit(heapq.heappop(self._waiting)[2]))
