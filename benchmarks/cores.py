"""Whether a core is free: others may use it, or the other half of it, without the system saying so."""

from __future__ import annotations

import os
from statistics import median
from time import perf_counter, sleep

FREE = 0.85  # of the best speed; a core whose other half is used has about half of it
_WORDS = [str(7919 * i % 100_003) for i in range(300)]
_LOOPS = 9
_PAUSE, _FIRST_LOOKS = 0.02, 0.2  # s


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
    """The cores of this process, and how free they are: 1 is as fast as the fastest have been seen here.

    `patience` is how many seconds more a measurement may take for want of free cores.
    """

    def __init__(self, patience: float = 0, wait: float = 0.3) -> None:
        self.patience, self.wait = patience, wait
        self._all = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self._fastest: list[float] = []
        end = perf_counter() + _FIRST_LOOKS
        while perf_counter() < end:
            self.look()

    def look(self) -> dict[int, float]:
        """How free each core is now; empty where a process cannot choose its core."""
        seconds = {}
        for core in self._all:
            os.sched_setaffinity(0, {core})
            seconds[core] = _seconds()
        self._spread()
        self._fastest = sorted([*self._fastest, *seconds.values()])[:_LOOPS]
        return {core: median(self._fastest) / taken for core, taken in seconds.items()}

    def take(self, count: int = 1) -> float:
        """Wait a little (`wait` seconds) for `count` free cores; 1: stay on the freest. How free the last of them is."""
        end = perf_counter() + self.wait
        while True:
            found = sorted(self.look().items(), key=lambda each: -each[1])[:count]
            if not found:
                return 1.0
            if found[-1][1] >= FREE or perf_counter() >= end:
                break
            sleep(_PAUSE)
        if count == 1:
            os.sched_setaffinity(0, {found[0][0]})
        return found[-1][1]

    def leave(self, count: int = 1) -> float:
        """How free they still are."""
        if not self._all:
            return 1.0
        if count == 1:
            free = median(self._fastest) / _seconds()
            self._spread()
            return free
        return sorted(self.look().values(), reverse=True)[count - 1]

    def _spread(self) -> None:
        if self._all:
            os.sched_setaffinity(0, self._all)
