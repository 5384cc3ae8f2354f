"""Whether a core is free: others may use it, or the other half of it, without the system saying so."""

from __future__ import annotations

import os
from statistics import median
from time import perf_counter, sleep

FREE = 0.9
_WORDS = [str(7919 * i % 100_003) for i in range(300)]
_LOOPS = 9
_PAUSE = 0.02  # s


def _seconds() -> float:
    """How long a fixed piece of plain Python takes now; less than 1 ms in all."""
    found = []
    for _ in range(_LOOPS):
        start, counts = perf_counter(), {}
        for word in _WORDS:
            counts[word] = counts.get(word, 0) + len(word)
        found.append(perf_counter() - start)
    return median(found)


class Cores:
    """The cores of this process, and how free they are: 1 is as fast as one has ever been seen here.

    `patience` is how many seconds it may wait in all for cores to be free.
    """

    def __init__(self, patience: float = 0) -> None:
        self.patience = patience
        self._all = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self._best = float("inf")
        self.look()

    def look(self) -> dict[int, float]:
        """How free each core is now; empty where a process cannot choose its core."""
        seconds = {}
        for core in self._all:
            os.sched_setaffinity(0, {core})
            seconds[core] = _seconds()
        self._spread()
        self._best = min(self._best, *seconds.values()) if seconds else self._best
        return {core: self._best / taken for core, taken in seconds.items()}

    def take(self, count: int = 1) -> float:
        """Wait for `count` free cores; 1: stay on the freest. How free the last of them is."""
        while True:
            start = perf_counter()
            found = sorted(self.look().items(), key=lambda each: -each[1])[:count]
            if not found:
                return 1.0
            if found[-1][1] >= FREE or self.patience <= 0:
                break
            sleep(_PAUSE)
            self.patience -= perf_counter() - start
        if count == 1:
            os.sched_setaffinity(0, {found[0][0]})
        return found[-1][1]

    def leave(self, count: int = 1) -> float:
        """How free they still are."""
        if not self._all:
            return 1.0
        if count == 1:
            free = self._best / _seconds()
            self._spread()
            return free
        return sorted(self.look().values(), reverse=True)[count - 1]

    def _spread(self) -> None:
        if self._all:
            os.sched_setaffinity(0, self._all)
