"""Rows that threads share: each taken once, whoever is late."""

from __future__ import annotations

from threading import Barrier

import numpy as np
import pytest

from tennis_envs.core.jit import DISABLED, njit
from tennis_envs.core.shares import counters, next_rows
from tennis_envs.threads import Helpers

MANY, ROUNDS = (3000, 3) if DISABLED else (100_000, 30)


@njit
def take(taken, thread, total, chunk):
    return next_rows(taken, thread, total, chunk)


@njit
def take_all(taken, thread, total, chunk, takers):
    """Add one to `takers` (threads, total) for every row that this thread gets."""
    while True:
        lo, hi = next_rows(taken, thread, total, chunk)
        if lo == hi:
            return
        for row in range(lo, hi):
            takers[thread, row] += 1


def all_rows(taken: np.ndarray, thread: int, total: int, chunk: int) -> list[tuple[int, int]]:
    found = []
    while (rows := take(taken, thread, total, chunk)) != (total, total):
        found.append(rows)
    return found


@pytest.mark.parametrize(
    ("threads", "total", "chunk", "found"),
    [
        (1, 5, 2, [(0, 2), (2, 4), (4, 5)]),
        (1, 4, 4, [(0, 4)]),
        (1, 0, 4, []),
        (2, 10, 3, [(5, 8), (8, 10), (0, 3), (3, 5)]),
        (3, 10, 2, [(3, 5), (5, 6), (6, 8), (8, 10), (0, 2), (2, 3)]),
        (3, 2, 2, [(0, 1), (1, 2)]),
        (4, 1, 9, [(0, 1)]),
    ],
)
def test_a_thread_takes_its_own_part_first_and_then_what_the_others_left(threads, total, chunk, found):
    thread = 1 if threads > 1 else 0
    taken = counters(threads)
    assert all_rows(taken, thread, total, chunk) == found
    assert not any(all_rows(taken, other, total, chunk) for other in range(threads)), "nothing is left for anybody"


def test_two_threads_in_turns_meet_in_no_row():
    taken, found = counters(2), []
    for thread in (0, 1, 0, 1, 1, 0):
        found.append(take(taken, thread, 12, 2))
    assert found == [(0, 2), (6, 8), (2, 4), (8, 10), (10, 12), (4, 6)]
    assert take(taken, 0, 12, 2) == take(taken, 1, 12, 2) == (12, 12)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(("total", "chunk"), [(1, 1), (MANY, 1), (MANY - 1, 3), (MANY, 64)])
def test_every_row_is_taken_once(count, total, chunk):
    helpers, start = Helpers(count), Barrier(count + 1)
    for _ in range(ROUNDS):
        taken, takers = counters(count + 1), np.zeros((count + 1, total), np.int64)

        def work(thread: int, taken: np.ndarray = taken, takers: np.ndarray = takers) -> None:
            start.wait(10)
            take_all(taken, thread, total, chunk, takers)

        helpers.together(work)
        assert (takers.sum(axis=0) == 1).all()
    helpers.close()
