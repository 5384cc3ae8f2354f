"""Work for the calling thread and helpers that wait for the next piece of it."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any


class Helpers:
    """`count` threads beside the calling one, woken for every piece of work: in half the time that an executor takes for it.

    They end with `close`, or when nothing refers to this object any more.
    """

    def __init__(self, count: int) -> None:
        self._tasks: list[SimpleQueue] = [SimpleQueue() for _ in range(count)]
        for tasks in self._tasks:
            Thread(target=_help, args=(tasks,), name="MatchBatch helper", daemon=True).start()
        self.close = weakref.finalize(self, _end, self._tasks)

    def together(self, work: Callable[[int], Any]) -> None:
        """Call `work(thread)` in every thread at once; `thread` is 0 for the calling one, the only one after `close`.

        What `work` raises is raised here, once no thread is at work.
        """
        helpers = self._tasks if self.close.alive else []
        ended: SimpleQueue = SimpleQueue()
        for thread, tasks in enumerate(helpers, 1):
            tasks.put((work, thread, ended))
        try:
            work(0)
        finally:
            errors = [ended.get() for _ in helpers]
        for error in errors:
            if error is not None:
                raise error


def _help(tasks: SimpleQueue) -> None:
    while (task := tasks.get()) is not None:
        work, thread, ended = task
        try:
            work(thread)
        except BaseException as error:
            ended.put(error)
        else:
            ended.put(None)
        del task, work, ended  # or a thread that waits would keep the batch alive


def _end(helpers: list[SimpleQueue]) -> None:
    for tasks in helpers:
        tasks.put(None)
