"""Loops over many rows, shared among the calling thread and helpers that wait for the next one."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Any


class Helpers:
    """`count` threads beside the calling one, woken for every loop: in half the time that an executor takes for it.

    They end with `close`, or when nothing refers to this object any more.
    """

    def __init__(self, count: int) -> None:
        self._tasks: list[SimpleQueue] = [SimpleQueue() for _ in range(count)]
        for tasks in self._tasks:
            Thread(target=_help, args=(tasks,), name="MatchBatch helper", daemon=True).start()
        self.close = weakref.finalize(self, _end, self._tasks)

    def share(self, work: Callable[[int, int, int], Any], total: int, chunk: int) -> None:
        """Call `work(thread, lo, hi)` for the chunks of 0 to `total`; `thread` is 0 for the calling one.

        Each thread has its own part of the rows, the same every time, because what it wrote last is still near its core. One
        that has done its part takes chunks of the others'. After `close`, the calling thread does all. What `work` raises
        is raised here, once no thread is at work.
        """
        helpers = self._tasks if self.close.alive else []
        parts = len(helpers) + 1
        starts = range(0, total, chunk)
        left = [deque(starts[len(starts) * k // parts : len(starts) * (k + 1) // parts]) for k in range(parts)]

        def job(thread: int) -> None:
            for lo in _taken(left, thread):
                work(thread, lo, min(lo + chunk, total))

        ended: SimpleQueue = SimpleQueue()
        for thread, tasks in enumerate(helpers, 1):
            tasks.put((job, thread, ended))
        try:
            job(0)
        finally:
            errors = [ended.get() for _ in helpers]
        for error in errors:
            if error is not None:
                raise error


def _taken(left: list[deque[int]], thread: int) -> Iterator[int]:
    """The chunks of `thread` from its first on, then those that the others have left, from their last back."""
    for turn in range(len(left)):
        part = left[(thread + turn) % len(left)]
        take = part.pop if turn else part.popleft
        try:
            while True:
                yield take()
        except IndexError:
            continue


def _help(tasks: SimpleQueue) -> None:
    while (task := tasks.get()) is not None:
        job, thread, ended = task
        try:
            job(thread)
        except BaseException as error:
            ended.put(error)
        else:
            ended.put(None)
        del task, job, ended  # or a thread that waits would keep the batch alive


def _end(helpers: list[SimpleQueue]) -> None:
    for tasks in helpers:
        tasks.put(None)
