"""Helper threads: every row once, nothing lost, nobody left behind."""

from __future__ import annotations

import gc
import threading
import time

import pytest

from tennis_envs import MatchBatch
from tennis_envs.threads import Helpers


def helper_threads() -> int:
    return sum(thread.name == "MatchBatch helper" for thread in threading.enumerate())


def settles(count: int) -> bool:
    """Whether so many helper threads are left, soon."""
    end = time.monotonic() + 10
    while helper_threads() != count and time.monotonic() < end:
        time.sleep(0.01)
    return helper_threads() == count


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize(("total", "chunk"), [(1, 1), (7, 3), (1000, 1), (1000, 64), (3, 100)])
def test_every_row_is_taken_once(count, total, chunk):
    helpers = Helpers(count)
    for _ in range(20):
        taken: list[tuple[int, int, int]] = []
        helpers.share(lambda thread, lo, hi, taken=taken: taken.append((thread, lo, hi)), total, chunk)
        assert sorted(row for _, lo, hi in taken for row in range(lo, hi)) == list(range(total))
        assert all(hi - lo <= chunk and 0 <= thread <= count for thread, lo, hi in taken)
    helpers.close()


def test_a_thread_begins_with_its_own_part_and_takes_over_from_one_that_is_held_up():
    helpers, held_up = Helpers(1), threading.Event()
    taken: dict[int, list[int]] = {0: [], 1: []}

    def work(thread: int, lo: int, hi: int) -> None:
        taken[thread].append(lo)
        if thread == 1 and len(taken[1]) == 1:
            held_up.wait(10)
        if thread == 0 and lo == 5:
            held_up.set()
        while thread == 0 and lo == 0 and not taken[1]:
            time.sleep(0.001)

    helpers.share(work, 8, 1)
    helpers.close()
    assert taken[0][:4] == [0, 1, 2, 3]
    assert taken[1][0] == 4
    assert taken[0][4:] == [7, 6, 5]


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_is_raised_when_all_have_ended(failing):
    helpers = Helpers(1)
    done = []

    def work(thread: int, lo: int, hi: int) -> None:
        if thread == failing:
            raise ZeroDivisionError(thread)
        time.sleep(0.01)
        done.append(lo)

    for _ in range(3):
        with pytest.raises(ZeroDivisionError, match=str(failing)):
            for _ in range(100):  # a thread that is late may find nothing left for it
                helpers.share(work, 8, 1)
        before = len(done)
        time.sleep(0.05)
        assert len(done) == before
    rows: list[int] = []
    helpers.share(lambda thread, lo, hi: rows.append(lo), 8, 1)
    assert sorted(rows) == list(range(8)), "and the helpers go on"
    helpers.close()


def test_after_close_the_calling_thread_does_all():
    before = helper_threads()
    helpers = Helpers(3)
    assert helper_threads() == before + 3
    helpers.close()
    helpers.close()
    assert settles(before)
    threads = set()
    helpers.share(lambda thread, lo, hi: threads.add(thread), 100, 1)
    assert threads == {0}


def test_the_helpers_of_a_batch_end_with_it():
    gc.collect()
    before = helper_threads()
    batch = MatchBatch("passing_shot", 64, threads=3, seed=1)
    batch.step(batch.random_actions())
    assert helper_threads() == before + 2
    del batch
    gc.collect()
    assert settles(before)


def test_a_closed_batch_goes_on_as_it_would_have():
    one, closed = (MatchBatch("passing_shot", 64, threads=threads, seed=1) for threads in (1, 2))
    closed.close()
    for _ in range(20):
        for batch in (one, closed):
            batch.step(batch.random_actions())
        assert (one.observation == closed.observation).all()
