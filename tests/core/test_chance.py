"""The one source of randomness: exactly uniform, seeded, and scripted by tape."""

from collections import Counter

import numpy as np
import pytest

from tennis_envs import Match, MatchBatch, TapeEnded
from tennis_envs.core import chance
from tennis_envs.core.chance import CHANCE, RECORDED, SAMPLED, TAPE, pick, pick_marked, pick_urn, roll, stream, streams
from tennis_envs.core.kernels import new_chance


def plain(function):
    """The Python function behind a compiled one."""
    return getattr(function, "py_func", function)


def scripted(*outcomes: int) -> np.record:
    record = new_chance().view(np.recarray)[0]
    record.mode, record.given = TAPE, len(outcomes)
    record.outcome[: len(outcomes)] = outcomes
    return record


def sampled(start: int = 0) -> np.record:
    return new_chance(stream=start).view(np.recarray)[0]


def test_the_stream_is_splitmix64():
    """Against the published outputs for seed 1234567; of each draw the upper half is used."""
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    record = sampled(1234567)
    assert [roll(record, 2**31 - 1) for _ in published] == [((x >> 32) * (2**31 - 1)) >> 32 for x in published]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 40, 1000, 1_000_003, 2**31 - 1])
def test_a_roll_is_exactly_uniform(n, monkeypatch):
    """Of the 2**32 draws, each result takes equally many: its block begins and ends where it must."""
    draws: list[int] = []
    monkeypatch.setattr(chance, "_next", lambda record: draws.pop(0))
    uniform = plain(chance._uniform)
    per_result = 2**32 // n
    rejected = 2**32 - per_result * n
    for k in {0, min(1, n - 1), n // 2, n - 1}:
        first = -(-(k * 2**32 + rejected) // n)
        last = ((k + 1) * 2**32 - 1) // n
        assert last - first + 1 == per_result
        for draw in (first, last):
            draws[:] = [draw, -1]
            assert uniform(None, n) == k and draws == [-1]
        if first * n - n >= k * 2**32:  # the draw before gives the same result, and is thrown away
            draws[:] = [first - 1, last, -1]
            assert uniform(None, n) == k and draws == [-1]


@pytest.mark.parametrize("weights", [(1,), (3, 1, 1, 1), (0, 5, 0, 2, 0), (1, 0, 0, 7)])
@pytest.mark.parametrize("by_urn", [False, True])
@pytest.mark.parametrize("mode", [SAMPLED, RECORDED])
def test_a_pick_gives_each_index_its_weight(weights, by_urn, mode, monkeypatch):
    left: list[int] = []
    monkeypatch.setattr(chance, "_uniform", lambda record, n: left.pop(0))
    monkeypatch.setattr(chance, "pick_urn_on_record", plain(chance.pick_urn_on_record))
    total = sum(weights)
    found = Counter()
    for value in range(total):
        left[:] = [value]
        record = sampled()
        record.mode = mode
        if by_urn:
            urn = np.repeat(np.arange(len(weights)), weights)
            outcome = plain(pick_urn)(record, np.array(weights), total, urn)
        else:
            outcome = plain(pick)(record, np.array(weights), total)
        assert mode == SAMPLED or (record.outcome[0] == outcome and record.draws == 1)
        found[outcome] += 1
    assert found == Counter({index: weight for index, weight in enumerate(weights) if weight})


def test_a_tape_is_read_in_order_and_draws_nothing():
    record = scripted(4, 0, 2)
    assert [roll(record, 6), roll(record, 1), pick(record, np.array([0, 1, 1]), 2)] == [4, 0, 2]
    assert (record.draws, record.fault, record.open, record.stream) == (3, 0, 0, 0)


@pytest.mark.parametrize("event", [lambda c: roll(c, 6), lambda c: pick(c, np.array([2, 0, 1]), 3)])
@pytest.mark.parametrize("outcome", [-1, 6, 1])
def test_an_impossible_outcome_is_noted_with_its_place(event, outcome):
    record = scripted(0, outcome)
    event(record)
    result = event(record)
    possible = event(scripted(outcome)) == outcome
    assert record.fault == (0 if possible else 2)
    assert possible or result == 0


def test_a_tape_that_runs_out_reports_the_first_event_it_cannot_answer():
    record = scripted(3)
    roll(record, 6)
    pick(record, np.array([4, 0, 1]), 5)
    roll(record, 2)
    assert (record.open, record.total) == (3, 5)
    assert record.weights[:3].tolist() == [4, 0, 1]
    record = scripted()
    roll(record, 7)
    assert (record.open, record.total) == (7, 7) and record.weights[:7].tolist() == [1] * 7


def test_a_match_says_what_its_tape_lacks_and_stays_as_it_was():
    match = Match("passing_shot", tape=[0], level="beginner")
    before = match.state.tobytes(), match.mask().tobytes(), match.decisions
    with pytest.raises(TapeEnded) as ended:
        match.apply("serve first")
    assert (match.state.tobytes(), match.mask().tobytes(), match.decisions) == before and match.tape == []
    assert sum(weight for _, weight in ended.value.events) == 6**5
    assert ended.value.events == match.chance_events("serve first")
    match.tape = [5000]
    with pytest.raises(ValueError, match="outcome 5000 at place 0 of the tape cannot happen"):
        match.apply("serve first")
    assert (match.state.tobytes(), match.mask().tobytes(), match.decisions) == before and match.tape == [5000]


def test_a_set_up_by_tape_can_end_too():
    with pytest.raises(TapeEnded) as ended:
        Match("passing_shot", tape=[], level="beginner")
    assert ended.value.events == [(0, 1), (1, 1)]


def test_outcomes_are_a_tape_that_replays():
    sampled_match = Match("passing_shot", seed=11, format="game")
    twin = Match("passing_shot", tape=sampled_match.outcomes, format="game")
    while not sampled_match.over:
        assert twin == sampled_match
        action = sampled_match.legal_actions()[-1]
        sampled_match.apply(action)
        twin.tape = sampled_match.outcomes
        twin.apply(action)
        assert twin.tape == []
    assert twin == sampled_match


def test_streams():
    assert streams(5, 4).tolist() == [stream(5, i) for i in range(4)]
    assert streams(5, 2, first=2).tolist() == streams(5, 4)[2:].tolist()
    assert len({stream(seed, i) for seed in range(100) for i in range(100)}) == 10_000
    assert stream(None) != stream(None)


def test_a_match_has_the_luck_of_its_row():
    batch = MatchBatch("passing_shot", 3, seed=9)
    for row in range(3):
        copy, alone = batch.match(row), Match("passing_shot", seed=9, index=row)
        for _ in range(20):
            assert copy == alone
            action = alone.legal_actions()[0]
            copy.apply(action)
            alone.apply(action)
            assert copy.outcomes == alone.outcomes


def test_nothing_else_is_random():
    import random

    before = random.getstate(), np.random.get_state()[1].tobytes()
    batch = MatchBatch("passing_shot", 8, seed=None)
    for _ in range(50):
        batch.step(batch.random_actions())
    assert (random.getstate(), np.random.get_state()[1].tobytes()) == before


def test_the_chance_record_has_no_gaps():
    from tennis_envs.core.game import has_gaps

    assert not has_gaps(CHANCE)


def test_pick_marked_gives_each_marked_place_of_a_range_one_chance(monkeypatch):
    marks = np.array([2, 1, 2, 0, 2, 1, 2, 2], np.int8)
    left: list[int] = []
    monkeypatch.setattr(chance, "_uniform", lambda record, n: left.pop(0) if n == 3 else -1)
    found = []
    for value in range(3):
        left[:] = [value]
        record = sampled()
        record.mode = RECORDED
        found.append(int(plain(pick_marked)(record, marks, 2, 1, 7)))
        assert record.outcome[0] == found[-1] and record.draws == 1
    assert found == [2, 4, 6]
    record = sampled()
    assert plain(pick_marked)(record, marks, 3, 0, 8) == -1 and record.draws == 0


def test_pick_marked_by_tape_and_beyond_its_end():
    marks = np.array([2, 1, 2, 0, 2, 1, 2, 2], np.int8)
    record = scripted(4, 1)
    assert plain(pick_marked)(record, marks, 2, 1, 7) == 4 and record.fault == 0
    assert plain(pick_marked)(record, marks, 2, 1, 7) == 2 and record.fault == 2  # 1 is not marked
    plain(pick_marked)(record, marks, 2, 1, 7)
    assert (record.open, record.total) == (8, 3)
    assert record.weights[:8].tolist() == [0, 0, 1, 0, 1, 0, 1, 0]
