"""The rulebook's examples and rules by their ids (SS-T1 to SS-T19)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tennis_envs import Match
from tennis_envs.games.sweet_spot.components import REFERENCE
from tests.games.sweet_spot.table import PLAIN, drawn, hand, names, phase, play, points, rally, used


def edition(folder: Path, **changes: str) -> str:
    """The reference edition with other lines: `edition(tmp_path, Loop="modifier = 6")`."""
    text = REFERENCE.read_text()
    for card, line in changes.items():
        key = line.split(" = ")[0]
        head, tail = text.split(f'name = "{card}"', 1)
        lines = tail.split("\n")
        place = next(i for i, old in enumerate(lines) if old.startswith(f"{key} ="))
        lines[place] = line
        text = f'{head}name = "{card}"' + "\n".join(lines)
    path = folder / "box.toml"
    path.write_text(text)
    return str(path)


def edition_without(path: str, line: str) -> str:
    """The same file without a line."""
    box = Path(path)
    box.write_text(box.read_text().replace(f"{line}\n", ""))
    return path


@pytest.mark.parametrize(("left", "stamina", "after"), [(5, 3, 5), (8, 3, 7), (1, 3, 4), (0, 3, 4), (8, 9, 10)])
def test_ss_t1_stamina_by_the_cards_left(left: int, stamina: int, after: int) -> None:
    match = rally(20, [["Moon Ball", *["Flat Drive"] * 8][: left + 1], ["Block"]])
    match.state["players"]["stamina"][0] = stamina + 1
    play(match, "play Moon Ball", "leave")
    while phase(match) == "discard":
        match.apply("done")
    assert match.state["players"]["stamina"][0] == after


@pytest.mark.parametrize(
    ("before", "winner"),
    [(4, 1), (5, 0), (8, 0), (9, 1), (11, 1), (12, None)],
    ids=["-1 OUT", "0 IN", "3 IN", "4 DOWN", "6 DOWN", "7 in play"],
)
def test_ss_t2_judging_the_ball(before: int, winner: int | None) -> None:
    match = rally(before, [["Passing Shot"], ["Slice"]])
    match.apply("play Passing Shot")
    if winner is None:
        assert (phase(match), match.seat, match.state["ball"]) == ("answer", 1, 7)
    else:
        assert points(match) == [int(winner == 0), int(winner == 1)]


@pytest.mark.parametrize(("before", "usable"), [(15, False), (16, True), (21, True)])
def test_ss_t3_value_out(before: int, usable: bool) -> None:
    match = rally(before, [["Passing Shot", "Approach Shot"], ["Slice"]])
    match.apply("play Passing Shot")
    assert usable == (phase(match) == "accompany" and "add Approach Shot" in names(match))


def test_ss_t4_the_automa_believes_the_face_value() -> None:
    match = rally(15, [["Egg Shot", "Disguised Drive", "Slice"]], mode="solo", tape=drawn("Flat Drive", "Roller", "Chip"))
    play(match, "play Egg Shot", "add Disguised Drive")
    # from 15 only +2 reaches a target (17); from the true 10 it would have been -7 (3, IN)
    assert match.state["ball"] == 10 + 2
    assert sorted(used(match)) == ["Chip", "Flat Drive"]
    assert (phase(match), match.seat) == ("answer", 0)


def test_ss_t5_the_hidden_card_resolves_first() -> None:
    tape = drawn("Down the Line", "Chip", "Block")
    match = rally(15, [["Egg Shot", "Disguised Drive", "Slice"]], mode="solo", tape=tape)
    play(match, "play Egg Shot", "add Disguised Drive")
    assert points(match) == [1, 0]  # 15 - 4 looked like 11; truly 10 - 4 = 6 is DOWN


@pytest.mark.parametrize(("leaves", "after"), [(13, 8), (12, 7), (11, 6)])
def test_ss_t6_approach_shot(leaves: int, after: int) -> None:
    match = rally(leaves + 5, [["Passing Shot", "Approach Shot", "Slice"], ["Moon Ball", "Block"]])
    play(match, "play Passing Shot", "add Approach Shot")
    assert match.state["ball"] == leaves
    match.apply("play Moon Ball")
    if after == 6:
        assert points(match) == [1, 0]
    else:
        assert (match.state["ball"], match.seat, points(match)) == (after, 0, [0, 0])


@pytest.mark.parametrize("leaves", [9, 8, 7])
def test_ss_t7_jamming_feint(leaves: int) -> None:
    match = rally(leaves + 5, [["Passing Shot", "Jamming Feint", "Slice"], ["Moon Ball", "Block"]])
    play(match, "play Passing Shot", "add Jamming Feint", "play Moon Ball")
    assert points(match) == [1, 0]  # 6, 5 and 4 are DOWN


@pytest.mark.parametrize(("mode", "server", "other"), [("versus", [2, 6, 2], [0, 8, 2]), ("doubles", [2, 4, 2], [0, 6, 2])])
def test_ss_t8_first_hands(mode: str, server: list[int], other: list[int]) -> None:
    match = Match("sweet_spot", seed=3, mode=mode, **PLAIN)
    if mode == "doubles":
        match.apply("server partner")
    for seat in range(match.seats):
        cards = match.state["players"]["hand"][seat]
        assert [cards[:9].sum(), cards[9:22].sum(), cards[22:].sum()] == (server if seat == match.state["server"] else other)


def test_ss_t9_sudden_death() -> None:
    match = rally(8, [["Passing Shot"], ["Slice"]])
    match.state["score"]["points"] = 3
    match.apply("play Passing Shot")
    assert match.state["score"]["games"].tolist() == [1, 0]
    assert points(match) == [0, 0]


@pytest.mark.parametrize(("kept", "stamina", "cards"), [(2, 6, 12), (1, 6, 11), (0, 8, 10)])
def test_ss_t10_the_end_of_a_round(kept: int, stamina: int, cards: int) -> None:
    match = rally(8, [["Passing Shot", "Sledgehammer", "Dive", "Chip"], ["Slice"]], stamina=3)
    match.state["score"]["points"][0] = 3
    match.state["server"] = match.state["score"]["server"] = match.state["score"]["opener"] = 1
    match.apply("play Passing Shot")
    assert (phase(match), match.seat) == ("keep", 0)  # who serves next is asked first
    play(match, *["keep Sledgehammer", "keep Dive"][:kept])
    if kept < 2:
        match.apply("done")
    match.apply("done")  # the other keeps none
    assert match.state["players"]["stamina"][:2].tolist() == [stamina, 9]
    if kept:
        assert phase(match) == "trim"
        assert len(hand(match, 0)) == cards
        while phase(match) == "trim":
            match.apply(names(match)[-1])
    assert len(hand(match, 0)) == len(hand(match, 1)) == 10
    assert phase(match) == "serve"


def double_fault() -> Match:
    """A server who has filled his hand without a Service card."""
    match = rally(20, [["Slice"], ["Slice"]])
    match.state["server"] = match.state["score"]["server"] = match.state["score"]["opener"] = 0
    play(match, "leave", "done", "done", "services 0", "tactics 0", "services 0", "tactics 0")
    return match


def test_ss_t11_double_fault() -> None:
    match = double_fault()
    before = match.state["players"]["stamina"].tolist()
    assert points(match) == [0, 2]  # one point given up, one for the fault
    assert (phase(match), match.seat) == ("discard", 0)
    assert "done" not in names(match)  # D7: a full hand has no room for a Service card
    play(match, names(match)[0])
    assert "done" in names(match)
    play(match, "done", "services 1")
    assert match.state["players"]["stamina"].tolist() == before  # and nobody else discards, rests or refills
    assert points(match) == [0, 2]
    assert match.state["strokes"] == 1  # the only Service card has been served
    assert match.seat == 1


def test_ss_t11_the_fault_that_ends_the_round() -> None:
    match = rally(20, [["Slice"], ["Slice"]])
    match.state["server"] = match.state["score"]["server"] = match.state["score"]["opener"] = 0
    match.state["score"]["points"][1] = 2
    play(match, "leave", "done", "done", "services 0", "tactics 0", "services 0", "tactics 0")
    assert match.state["score"]["games"].tolist() == [0, 1]
    assert phase(match) == "keep"


def test_ss_t12_a_card_that_cannot_be_paid() -> None:
    match = rally(14, [["Sledgehammer", "Slice", "Passing Shot", "Approach Shot"], ["Slice"]], stamina=2)
    assert "play Sledgehammer" not in names(match)  # costs 3
    play(match, "play Slice")
    assert (match.seat, match.state["players"]["stamina"][0]) == (1, 1)  # 1 is left: Approach Shot, 2, is not offered
    match = rally(14, [["Sledgehammer", "Slice"], ["Slice"]], stamina=3)
    assert "play Sledgehammer" in names(match)


def test_ss_t13_switching_in_twice() -> None:
    hands = [["Loop", "Loop", "Push", "Roller"], ["Slice"] * 2 + ["Block"] * 2, ["Chip"], ["Half Volley"]]
    match = rally(20, hands, mode="doubles", last=(2, 1))
    play(match, "play Loop")  # partner 2 was last, so that is seat 0's turn: no extra
    assert match.state["players"]["stamina"][0] == 9
    while match.seat != 0:
        play(match, "play Half Volley -1" if match.seat == 3 else "leave")
    play(match, "play Loop")  # cuts in: 1 + 2
    assert match.state["players"]["stamina"][0] == 6
    while match.seat != 0:
        play(match, "play Slice" if match.seat == 1 else "leave")
    play(match, "play Push")  # and again
    assert match.state["players"]["stamina"][0] == 3
    assert match.state["last"][0] == 0


def test_ss_t14_two_rounds_win_the_match() -> None:
    match = rally(8, [["Passing Shot"], ["Slice"]])
    match.state["score"]["games"] = (1, 0)
    match.state["score"]["points"][0] = 3
    match.apply("play Passing Shot")
    assert match.over
    assert match.winner == 0


def test_ss_t14_the_third_round_is_served_by_the_first_side() -> None:
    match = Match("sweet_spot", seed=2, **PLAIN)
    first = int(match.state["server"])
    servers = []
    while not match.over:
        if phase(match) == "serve" and match.state["score"]["games"].sum() == len(servers):
            servers.append(match.seat)
        won = match.state["score"]["games"]
        if phase(match) == "answer":  # the side that has fewer rounds wins every point
            wanted = int(won[0] > won[1])
            match.apply("leave" if match.seat != wanted else names(match)[0])
        else:
            match.apply(names(match)[0])
        if len(servers) == 3:
            break
    assert servers == [first, 1 - first, first]


def test_ss_t15_the_automa_prefers_11_to_12_and_13() -> None:
    match = rally(13, [["Loop", "Slice"]], mode="solo", tape=drawn("Slice", "Down the Line", "Passing Shot"))
    match.apply("play Loop")  # 16
    assert match.state["ball"] == 11
    assert sorted(used(match)) == ["Down the Line", "Slice"]


def test_ss_t16_never_above_25(tmp_path: Path) -> None:
    box = edition(tmp_path, Loop="modifier = 6")
    tape = drawn("Loop", "Moon Ball", "Inside-Out")
    match = rally(15, [["Moon Ball", "Slice"]], mode="solo", tape=tape, components=box)
    match.apply("play Moon Ball")  # 20: +6 is too high, -6 leads to 14, +5 to 25
    assert match.state["ball"] == 25
    tape = drawn("Loop", "Inside-Out", "Loop") + drawn("Second Wind", "Second Wind", "Heavy Spin")
    match = rally(15, [["Moon Ball", "Slice"]], mode="solo", tape=tape, components=box)
    match.apply("play Moon Ball")
    assert points(match) == [1, 0]


def test_ss_t17_the_easy_automa_gets_tired() -> None:
    solo = {"mode": "solo", "automa": "easy"}
    match = rally(13, [["Loop", "Slice"]], tape=drawn("Loop", "Moon Ball", "Block"), **solo)
    match.state["players"]["stamina"][1] = 1
    match.apply("play Loop")  # with 1 left it may turn up no Tactics, and from 16 nothing here reaches a target but 19
    assert match.state["ball"] == 19
    assert match.state["players"]["stamina"][1] == 0
    match.apply("play Slice")
    assert points(match) == [1, 0]  # 0 left

    match = rally(13, [["Loop", "Slice"]], tape=drawn("Block", "Roller", "Block"), **solo)
    match.state["players"]["stamina"][1] = 1
    match.apply("play Loop")
    assert points(match) == [1, 0]

    match = rally(8, [["Passing Shot", "Slice"]], tape=[], **solo)
    match.state["players"]["stamina"][1] = 1
    match.apply("play Passing Shot")  # IN, and no saving move is looked for
    assert points(match) == [1, 0]

    match = Match("sweet_spot", seed=1, **solo, **PLAIN)
    match.state["players"]["stamina"][1] = 4
    match.apply("leave")
    while phase(match) != "answer":
        match.apply(names(match)[0])
    assert match.state["players"]["stamina"][1] == 10  # a new rally


def test_ss_t18_an_in_ball_without_a_saving_move() -> None:
    match = rally(8, [["Passing Shot"], ["Slice", "Block", "Moon Ball"]])
    match.apply("play Passing Shot")
    assert points(match) == [1, 0]
    match = rally(8, [["Passing Shot", "Moon Ball"], ["Slice", "Stretch"]])
    match.apply("play Passing Shot")
    assert names(match) == ["leave", "play Stretch"]
    match.apply("play Stretch")
    assert match.state["ball"] == 11
    assert points(match) == [0, 0]


def test_ss_t19_no_hidden_reply_to_a_hidden_card() -> None:
    match = rally(20, [["Slice", "Top Spin Feint"], ["Block", "Under Spin Feint", "Net Cord"]])
    play(match, "play Slice", "add Top Spin Feint", "play Block")
    assert phase(match) == "accompany"
    assert names(match) == ["alone", "add Net Cord -1", "add Net Cord +1"]
    match = rally(20, [["Slice", "Top Spin Feint"], ["Block", "Under Spin Feint", "Net Cord"]])
    play(match, "play Slice", "alone", "play Block")
    assert "add Under Spin Feint" in names(match)
