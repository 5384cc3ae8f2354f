"""What `describe` says: all that a seat may know, and nothing else."""

from __future__ import annotations

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
