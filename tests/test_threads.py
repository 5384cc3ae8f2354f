"""Helper threads: all at work at once, nothing lost, nobody left behind."""

from __future__ import annotations

import gc
import threading
import time

import pytest

from tennis_envs import MatchBatch
from tennis_envs.batch import ALONE
from tennis_envs.threads import Helpers

MANY = ALONE + 64  # rows for which helpers are woken


def helper_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "MatchBatch helper"}


def all_end(threads: set[threading.Thread]) -> bool:
    """Whether they all end, soon."""
    for thread in threads:
        thread.join(10)
    return not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_every_thread_works_at_the_same_time(count):
    helpers, all_there = Helpers(count), threading.Barrier(count + 1)
    for _ in range(20):
        seen: list[tuple[int, int]] = []

        def work(thread: int, seen: list[tuple[int, int]] = seen) -> None:
            all_there.wait(10)
            seen.append((thread, threading.get_ident()))

        helpers.together(work)
        assert sorted(thread for thread, _ in seen) == list(range(count + 1))
        assert dict(seen)[0] == threading.get_ident() and len({ident for _, ident in seen}) == count + 1
    helpers.close()


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_is_raised_when_all_have_ended(failing):
    helpers = Helpers(1)
    done = []

    def work(thread: int) -> None:
        if thread == failing:
            raise ZeroDivisionError(thread)
        time.sleep(0.05)
        done.append(thread)

    for turn in range(3):
        with pytest.raises(ZeroDivisionError, match=str(failing)):
            helpers.together(work)
        assert done == [1 - failing] * (turn + 1)
    threads: list[int] = []
    helpers.together(threads.append)
    assert sorted(threads) == [0, 1], "and the helpers go on"
    helpers.close()


def test_after_close_only_the_calling_thread_works():
    before = helper_threads()
    helpers = Helpers(3)
    ours = helper_threads() - before
    assert len(ours) == 3
    helpers.close()
    helpers.close()
    assert all_end(ours)
    threads: list[int] = []
    helpers.together(threads.append)
    assert threads == [0]


def test_the_helpers_of_a_batch_end_with_it():
    before = helper_threads()
    batch = MatchBatch("passing_shot", MANY, threads=3, seed=1)
    batch.step(batch.random_actions())
    ours = helper_threads() - before
    assert len(ours) == 2
    del batch
    gc.collect()
    assert all_end(ours)


def test_a_closed_batch_goes_on_as_it_would_have():
    one, closed = (MatchBatch("passing_shot", MANY, threads=threads, seed=1) for threads in (1, 2))
    closed.close()
    for _ in range(20):
        for batch in (one, closed):
            batch.step(batch.random_actions())
        assert (one.observation == closed.observation).all()


@pytest.mark.parametrize(("rows", "woken"), [(ALONE, 0), (ALONE + 1, 1)])
def test_helpers_are_woken_for_many_rows(monkeypatch, rows, woken):
    calls = []
    together = Helpers.together
    monkeypatch.setattr(Helpers, "together", lambda self, work: (calls.append(1), together(self, work)))
    batch = MatchBatch("passing_shot", MANY, threads=2, seed=1)
    calls.clear()
    batch.step(batch.random_actions()[:rows], range(rows))
    assert len(calls) == woken
    batch.player_actions("scripted", range(rows))
    assert len(calls) == 2 * woken
    batch.close()
