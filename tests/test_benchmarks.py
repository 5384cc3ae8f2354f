"""The benchmarks measure what they say."""

from __future__ import annotations

import builtins
import os
import time
from dataclasses import replace

import numpy as np
import pytest

import tennis_envs
from benchmarks import passing_shot_point, tables, throughput
from benchmarks.cores import Cores
from benchmarks.throughput import Contender, Targets
from tennis_envs.core.jit import DISABLED

GAME = "passing_shot"
compiled_only = pytest.mark.skipif(DISABLED, reason="rates of plain Python say nothing")


def steady(rate: float) -> throughput.Turn:
    return lambda seconds: {"step": rate, "pick": 2 * rate, "all": rate}


def contender(group: str, name: str, rate: float) -> Contender:
    made = Contender(group, name, steady(rate), "nothing")
    made.measure(0, by_wall=True)
    return made


def judged(**changes: float) -> dict[str, bool]:
    rate = {
        "batch": 13e6,
        "pig": 0.4e6,
        "match": 0.3e6,
        "aec": 0.3e6,
        "idle": 1.7e7,
        "busy": 8e6,
        "warm": 1.0,
        "cold": 20.0,
    }
    rate |= changes
    found = [
        contender("MatchBatch", "star, 64 matches", rate["batch"] / 2),
        contender("MatchBatch", "star, 1,024 matches", rate["batch"]),
        contender("MatchBatch", "beginner, 64 matches", 10 * rate["batch"]),
        contender("Match", "apply + mask + observe", rate["match"]),
        contender("AEC", "raw_env", rate["aec"]),
        contender("OpenSpiel", "hanabi", 1e5),
        contender("OpenSpiel", "pig", rate["pig"]),
    ]
    threads = [
        contender("idle", "1 thread", 1e7),
        contender("idle", "2 threads", rate["idle"]),
        contender("one core busy", "1 thread", 1e7),
        contender("one core busy", "2 threads", rate["busy"]),
    ]
    starts = {"warm": [rate["warm"]], "cold": [rate["cold"]]}
    rows = throughput.judge(found, threads, starts, throughput.TARGETS[GAME])
    return {row["what"]: row["met"] for row in rows}


def test_every_target_can_be_missed() -> None:
    assert len(judged()) == 8 and all(judged().values())
    for change, what in (
        ({"batch": 11.9e6}, "MatchBatch"),
        ({"pig": 0.6e6}, "times OpenSpiel"),
        ({"match": 0.2e6}, "apply + mask"),
        ({"aec": 0.2e6}, "AEC"),
        ({"warm": 1.6}, "warm"),
        ({"cold": 31.0}, "cold"),
        ({"idle": 1.5e7}, "two threads against one"),
        ({"busy": 6.9e6}, "two threads against one, one core busy"),
    ):
        missed = [row for row, met in judged(**change).items() if not met]
        assert len(missed) == 1 and missed[0].startswith(what), (change, missed)


def test_other_modes_have_their_own_target() -> None:
    found = [
        contender("MatchBatch, solo", "easy, 64 matches", 4e6),
        contender("MatchBatch, solo", "easy, 1,024 matches", 6e6),
        contender("MatchBatch, solo", "hard, 64 matches", 5.5e6),
        contender("MatchBatch, doubles", "doubles, 64 matches", 9e6),
    ]
    rows = list(throughput._other_modes(found, Targets(batch=8e6, cold=40, other_modes=5e6)))
    assert [(row[0].split(",")[1].split("(")[0].strip(), row[1], row[2]) for row in rows] == [
        ("solo", 5.5e6, 5e6),
        ("doubles", 9e6, 5e6),
    ]


def test_the_speed_of_the_reference_machine() -> None:
    """Twice as slow a machine: rates double there, times halve, ratios stay."""
    half = [contender("OpenSpiel", name, rate / 2) for name, rate in throughput.REFERENCE.items()]
    assert throughput.speed_of_machine(half) == pytest.approx(0.5)
    assert throughput.speed_of_machine([]) is None
    for kind, value, scaled in ((throughput.RATE, 7.0, 14.0), (throughput.TIME, 7.0, 3.5), (throughput.RATIO, 7.0, 7.0)):
        verdict = throughput._judged("what", value, 10.0, kind, 0.5)
        assert verdict["at_reference"] == scaled
        assert verdict["met"] == (kind == throughput.TIME) and verdict["met_at_reference"] == (kind != throughput.RATIO)


def test_rates_are_of_cpu_time() -> None:
    def asleep_for_half(seconds: float) -> dict[str, float]:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        time.sleep(seconds)
        return {"all": 100.0}

    measured = Contender("group", "name", asleep_for_half, "nothing")
    measured.measure(0.1)
    assert measured.shares[0] < 0.6
    assert measured.rates["all"][0] == pytest.approx(100 / measured.shares[0])


class Told(Cores):
    """Cores of which is told how free they are, look by look."""

    def __init__(self, wait: float, *looks: tuple[float, ...]) -> None:
        super().__init__(wait=wait)
        self._told = list(looks)

    def look(self) -> dict[int, float]:
        told = getattr(self, "_told", None) or [(1.0, 1.0)]
        return dict(enumerate(told.pop(0)))

    def look_at_two(self) -> list[float]:
        return list(self.look().values())


def test_cores_are_waited_for_a_little() -> None:
    assert Told(10, (0.5, 0.6), (0.5, 0.95)).take(2) == 1.0, "two free cores, seen at the third look"
    assert Told(0, (0.5, 0.6), (1.0, 1.0)).take(2) == 0.5
    clock = time.perf_counter()
    assert Told(0.1, *[(0.5, 0.6)] * 100).take(2) == 0.5
    assert 0.1 <= time.perf_counter() - clock < 1


def test_no_core_is_more_than_free() -> None:
    cores = Cores()
    cores._fastest = [2.0, 3.0, 4.0]
    assert [cores._share(seconds) for seconds in (2.0, 3.0, 4.0, 6.0)] == [1.0, 1.0, 0.75, 0.5]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="a process cannot choose its core here")
def test_one_core_is_chosen_and_left() -> None:
    usual, cores = os.sched_getaffinity(0), Cores()
    try:
        assert 0 < cores.take() <= 1
        assert len(os.sched_getaffinity(0)) == 1
        assert 0 < cores.leave() <= 1
        assert os.sched_getaffinity(0) == usual
        assert set(cores.look()) == usual
        assert os.sched_getaffinity(0) == usual
    finally:
        os.sched_setaffinity(0, usual)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="a process cannot choose its core here")
def test_two_cores_are_looked_at_while_both_work() -> None:
    usual, cores = os.sched_getaffinity(0), Cores(wait=0)
    before = set(_children())
    assert len(cores.look_at_two()) == min(2, len(usual))
    assert all(0 < free <= 1 for free in cores.look_at_two())
    assert 0 < cores.take(2) <= 1 and 0 < cores.leave(2) <= 1
    assert os.sched_getaffinity(0) == usual
    if len(usual) > 1:
        assert len(set(_children()) - before) == 1, "one partner, however often"
        cores._partner.stdin.close()
        assert cores._partner.wait(10) == 0, "which ends with its parent"


class Given(Told):
    """Cores that are so free before and after every turn."""

    def __init__(self, before: tuple[float, ...], after: tuple[float, ...], patience: float = 0) -> None:
        super().__init__(0)
        self.patience, self._before, self._after = patience, iter(before), iter(after)

    def take(self, count: int = 1) -> float:
        return next(self._before)

    def leave(self, count: int = 1) -> float:
        return next(self._after)


def turn_of(*rates: float) -> throughput.Turn:
    """One rate after the other; the first is for the warm-up."""
    told = iter((0.0, *rates))
    return lambda seconds: {"all": next(told)}


@pytest.mark.parametrize(
    ("before", "after", "free"),
    [
        ((1, 1, 1, 1, 1), (1, 0.9, 1, 0.5, 0.6), (9, 7, 5)),
        ((1, 0.5, 1, 1, 0.9), (1, 1, 1, 1, 1), (9, 5, 4, 1)),
        ((1, 0.5, 0.5, 1, 0.5), (1, 1, 1, 1, 1), None),
    ],
)
def test_free_rounds_count_whatever_their_rates(before, after, free, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throughput, "FULL_SHARE", 0)  # these turns take no time
    measured = Contender("group", "name", turn_of(9, 7, 5, 4, 1), "nothing")
    throughput._rounds([measured], 5, 0.0, True, Given(before, after))
    assert measured.only_free == (free is not None)
    assert measured.median("all") == np.median(free or (9, 7, 5, 4, 1))


def test_who_lacks_free_rounds_takes_more_turns_and_all_count_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throughput, "FULL_SHARE", 0)

    def pair() -> list[Contender]:
        return [Contender("group", name, turn_of(*range(1, 9)), "nothing") for name in "ab"]

    free = (1, 1, 1, 0.5, 1, 1, 0.5, 1)  # by turns: a b, b a, a b, and then b until it has three
    patient = pair()
    throughput._rounds(patient, 3, 0.0, True, Given(free, (1,) * 8, patience=60))
    assert [sum(c.free) for c in patient] == [2 + 1, 3] and [len(c.free) for c in patient] == [5, 3]
    assert all(c.only_free for c in patient)
    impatient = pair()
    throughput._rounds(impatient, 3, 0.0, True, Given(free, (1,) * 8))
    assert [len(c.free) for c in impatient] == [3, 3] and not any(c.only_free for c in impatient)


def test_turns_are_interleaved() -> None:
    order = []

    def noted(name: str) -> throughput.Turn:
        return lambda seconds: order.append(name) or {"all": 1.0}

    pair = [Contender("group", name, noted(name), "nothing") for name in "ab"]
    throughput._rounds(pair, 2, 0.0, by_wall=True)
    assert order == ["a", "b", "a", "b", "b", "a"]  # warmed up, then a round, then a round the other way about


@compiled_only
def test_batch_turn_counts_decisions() -> None:
    turn = throughput.batch_turn(GAME, 64, level="beginner")
    turn(0.001)  # compiles
    clock = time.perf_counter()
    rates = turn(0.05)
    assert 0 < rates["all"] < rates["step"]
    assert 1 / rates["all"] == pytest.approx(1 / rates["step"] + 1 / rates["pick"])
    assert time.perf_counter() - clock > 0.05


def test_recorded_matches_replay_to_their_end() -> None:
    for seed, actions in throughput.recorded(GAME, 1, level="beginner", format="game"):
        match = tennis_envs.Match(GAME, seed=seed, level="beginner", format="game")
        for action in actions:
            assert not match.over
            match.apply(action)
        assert match.over


def test_default_level_comes_first() -> None:
    levels = [entry["level"] for entry in throughput.variants_of(GAME)]
    assert levels[0] == "star" and sorted(levels) == ["beginner", "experienced", "star", "veteran"]
    assert [throughput.told(options) for options in throughput.variants_of("sweet_spot")[:2]] == ["default", "doubles"]


def test_busy_core_ends() -> None:
    before = set(_children())
    with throughput.busy_core():
        started = set(_children()) - before
        assert started
    assert not set(_children()) & started


def _children() -> list[str]:
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return file.read().split()


@compiled_only
def test_first_steps_in_a_fresh_process() -> None:
    imported, single, batch = throughput.first_steps(GAME)
    assert 0 < imported < single < batch


def test_open_spiel_turn() -> None:
    pytest.importorskip("pyspiel")
    assert throughput.open_spiel_turn("pig")(0.02)["all"] > 100


def test_cheap_choice_is_legal_and_uniform() -> None:
    mask = np.array([0, 1, 0, 1, 1], np.int8)
    draws = iter(np.linspace(0, 1, 300, endpoint=False))
    picked = [throughput.pick_legal(mask, lambda: next(draws)) for _ in range(300)]
    assert [picked.count(action) for action in range(5)] == [0, 100, 0, 100, 100]


@pytest.mark.parametrize("rich", [True, False])
def test_tables(rich: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    if rich:
        pytest.importorskip("rich")
    else:
        found = builtins.__import__

        def without_rich(name: str, *rest: object) -> object:
            if name.startswith("rich"):
                raise ImportError(name)
            return found(name, *rest)

        monkeypatch.setattr(builtins, "__import__", without_rich)
    tables.print_table("A title", ["what", "rate"], [["batch", "12.5 M"], ["match", "3"]])
    printed = capsys.readouterr().out
    assert all(word in printed for word in ("A title", "what", "rate", "batch", "12.5 M", "match"))
    assert ("│" in printed) == rich


@compiled_only
def test_exact_point_on_the_terminal(capsys: pytest.CaptureFixture) -> None:
    passing_shot_point.main(["--level", "veteran", "--dice", "4", "5", "--play", "0"])
    printed = capsys.readouterr().out
    point = passing_shot_point.solve_point(replace(passing_shot_point.FULL, dice=4), passing_shot_point.FULL, level="veteran")
    assert f"{point.value:.6f}" in printed and "scripted" in printed and "second serve" in printed
