"""Whether a core is free: others may use it, or the other half of it, without the system saying so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

FREE = 0.85  # of the best speed; a core whose other half is used has about half of it
_WORDS = [str(7919 * i % 100_003) for i in range(300)]
_LOOPS, _LOOPS_TOGETHER = 9, 51
_PAUSE, _FIRST_LOOKS = 0.02, 0.2  # s


def _seconds(loops: int = _LOOPS) -> float:
    """How long a fixed piece of plain Python takes now; with so many loops less than 1 ms in all."""
    found = []
    for _ in range(loops):
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
        self._partner: subprocess.Popen | None = None
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
        return {core: self._share(taken) for core, taken in seconds.items()}

    def look_at_two(self) -> list[float]:
        """How free the two freest cores are while both are at work: they may be halves of one. One number for one core."""
        freest = sorted(self.look().items(), key=lambda each: -each[1])[:2]
        if len(freest) < 2:
            return [free for _, free in freest]
        if self._partner is None:
            self._partner = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.cores"],
                cwd=Path(__file__).parents[1], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
        (mine, _), (other, _) = freest
        print(other, file=self._partner.stdin, flush=True)
        os.sched_setaffinity(0, {mine})
        seconds = [_seconds(_LOOPS_TOGETHER), float(self._partner.stdout.readline())]
        self._spread()
        return [self._share(taken) for taken in seconds]

    def take(self, count: int = 1) -> float:
        """Wait a little (`wait` seconds) for one free core, and stay on it, or for two. How free the last of them is."""
        end = perf_counter() + self.wait
        while True:
            looks = self.look() if count == 1 else dict(enumerate(self.look_at_two()))
            if not looks:
                return 1.0
            core = max(looks, key=looks.get)
            free = looks[core] if count == 1 else min(looks.values())
            if free >= FREE or perf_counter() >= end:
                break
            sleep(_PAUSE)
        if count == 1:
            os.sched_setaffinity(0, {core})
        return free

    def leave(self, count: int = 1) -> float:
        """How free they still are."""
        if not self._all:
            return 1.0
        if count == 1:
            free = self._share(_seconds())
            self._spread()
            return free
        return min(self.look_at_two())

    def _share(self, seconds: float) -> float:
        """How free a core is that took so long; a single look may be even shorter than the median of the shortest."""
        return min(1.0, median(self._fastest) / seconds)

    def _spread(self) -> None:
        if self._all:
            os.sched_setaffinity(0, self._all)


def _answer() -> None:
    """The partner of `look_at_two`: for every core that it is told, the time of the loop there. It ends with its parent."""
    for line in sys.stdin:
        os.sched_setaffinity(0, {int(line)})
        print(_seconds(_LOOPS_TOGETHER), flush=True)


if __name__ == "__main__":
    _answer()
