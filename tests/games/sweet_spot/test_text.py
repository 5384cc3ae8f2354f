"""What `describe` says: all that a seat may know, and nothing else."""

from __future__ import annotations

import random

import pytest

from tennis_envs import Match
from tennis_envs.core.jit import DISABLED
from tests.games.sweet_spot.table import drawn, phase, play, rally


def test_used_cards_and_the_server_are_named() -> None:
    match = rally(20, [["Slice", "Chip", "Push"], ["Block", "Roller"]])
    match.state["server"] = 1
    play(match, "play Slice", "play Block", "leave")
    text = match.describe(0)
    assert "used: Slice, Block" in text
    assert "0-15 (seat 1 serves)" in text or "15-0 (seat 1 serves)" in text
    assert "hand: Chip, Push" in text
    assert "Roller" not in text  # the other hand


def test_doubles_names_who_hit_last() -> None:
    match = rally(20, [["Slice"], ["Block"], ["Loop"], ["Chip"]], mode="doubles", last=(2, 1))
    lines = match.describe(0).split("\n")
    assert [line for line in lines if "hit last of the team" in line] == [lines[2], lines[3]]


def test_cards_turned_up_are_gone_with_the_next_serve() -> None:
    match = rally(9, [["Block", "Slice"]], mode="solo", tape=drawn("Down the Line", "Flat Drive", "Passing Shot"))
    play(match, "play Block")
    assert "turned up last" not in match.describe(0)
    match.tape = None
    while phase(match) != "answer":
        match.apply(match.legal_actions()[0])
    if match.state["strokes"] == 1:
        assert "turned up last" not in match.describe(0)


def test_the_rounds_at_the_end() -> None:
    match = rally(8, [["Passing Shot"], ["Slice"]])
    match.state["score"]["games"] = (1, 1)
    match.state["score"]["points"][0] = 3
    match.apply("play Passing Shot")
    assert match.over
    assert match.describe(0).startswith("rounds 2-1")
    assert match.game.features.read(match.observe(0))["rounds"].tolist() == [1, 0.5]


def told(match: Match, action: str, seat: int) -> list[str]:
    """What `seat` is told of an action, which is taken."""
    before = match.clone()
    match.apply(action)
    return before.narrate(action, match.outcomes, seat, [f"seat {player}" for player in range(match.seats)])


def test_a_rally_is_told() -> None:
    match = rally(20, [["Slice", "Chip"], ["Block"]])
    assert told(match, "play Slice", 0) == ["seat 0: play Slice", "ball 17; hit by seat 0 with Slice -3"]
    match.state["server"] = 1
    lines = told(match, "leave", 0)
    assert lines[0] == "seat 1: leave"
    assert lines[1] in ("point to seat 0: rounds 0-0, 0-15", "point to seat 0: rounds 0-0, 15-0")


def test_a_hidden_card_is_not_told_until_it_is_turned_up() -> None:
    for seat, name in ((0, "add Disguised Drive"), (1, "add a hidden card")):
        match = rally(20, [["Slice", "Disguised Drive"], ["Block"]])
        match.apply("play Slice")
        lines = told(match, "add Disguised Drive", seat)
        assert lines[0] == f"seat 0: {name}"
        assert ("Disguised Drive" in "".join(lines)) == (seat == 0)
        assert "turned up: Disguised Drive" in told(match, "leave", seat)


def test_draws_are_told_to_who_draws_and_counted_for_the_other() -> None:
    match = rally(20, [["Slice"], ["Block"]])
    match.state["server"] = 0
    play(match, "leave", "done", "done", "services 1", "tactics 1")
    match.apply("services 0")
    before = match.clone()
    match.apply("tactics 0")
    for seat in (0, 1):
        lines = before.narrate("tactics 0", match.outcomes, seat, ["you", "opponent"])
        mine = [line for line in lines if line.startswith("you drew ")]
        theirs = [line for line in lines if line.startswith("opponent drew ")]
        assert len(mine) == len(theirs) == 1
        assert (mine if seat else theirs)[0].count("Return") >= 1
        assert lines[0] == f"opponent: {'tactics 0' if seat else 'tactic cards to draw'}"


def test_the_automa_is_told() -> None:
    hand, tape = ["Block", "Slice", "Chip"], drawn("Down the Line", "Flat Drive", "Passing Shot")
    assert told(rally(20, [hand], mode="solo", tape=tape), "play Block", 0) == [
        "seat 0: play Block",
        "ball 11; hit by the automa with Flat Drive -7",
        "turned up last: Down the Line, Flat Drive, Passing Shot",
    ]
    lost = told(rally(9, [hand], mode="solo", tape=tape), "play Block", 0)
    assert lost[1].startswith("point to the automa: ")


@pytest.mark.parametrize("options", [{}, {"mode": "doubles"}, {"mode": "solo"}])
def test_every_decision_can_be_told_to_every_seat(options: dict[str, str]) -> None:
    match = Match("sweet_spot", seed=3, **options)
    chosen = random.Random(3)
    for _ in range(20 if DISABLED else 200):
        if match.over:
            break
        before, action = match.clone(), chosen.choice(match.legal_actions())
        state = before.to_bytes()
        match.apply(action)
        for seat in range(match.seats):
            lines = before.narrate(action, match.outcomes, seat, [f"seat {player}" for player in range(match.seats)])
            assert lines[0].startswith(f"seat {before.seat}: ")
        assert before.to_bytes() == state
