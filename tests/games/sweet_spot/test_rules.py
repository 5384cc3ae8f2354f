"""Sweet Spot's rules and decisions by the numbers of its README."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tennis_envs import Match
from tennis_envs.games.sweet_spot.state import NO_FORCE, NOTHING
from tests.games.sweet_spot.table import (
    AVATARS,
    CARDS,
    PLAIN,
    drawn,
    give,
    hand,
    kind,
    names,
    phase,
    play,
    points,
    rally,
    settle,
    used,
)
from tests.games.sweet_spot.test_examples import edition, edition_without


def ball(match: Match) -> int:
    return int(match.state["ball"])


def stamina(match: Match, seat: int) -> int:
    return int(match.state["players"]["stamina"][seat])


# The match and its rounds


def test_r2_the_decks() -> None:
    match = Match("sweet_spot", seed=0, **PLAIN)
    copies = match.rules["copies"]
    assert [copies[:9].sum(), copies[9:22].sum(), copies[22:].sum()] == [20, 40, 40]


def test_r3_r5_d16_the_avatars_and_the_toss() -> None:
    match = Match("sweet_spot", tape=[1])
    assert (phase(match), match.seat) == ("avatar", 0)  # seat 1 has won the toss, so seat 0 picks first
    match.tape = None
    match.apply("avatar Kovic")
    assert match.seat == 1
    assert "avatar Kovic" not in names(match)
    match.apply("avatar Andre")
    assert (phase(match), match.seat, names(match)) == ("toss", 1, ["serve first", "receive first"])
    other = match.clone()
    match.apply("receive first")
    assert match.state["server"] == 0
    assert match.state["players"]["ready"][:2].tolist() == [1, 1]
    assert phase(match) in ("serve", "answer")
    other.apply("serve first")
    assert other.state["server"] == 1


def test_d20_the_winner_of_a_random_toss_serves() -> None:
    match = Match("sweet_spot", seed=0, **PLAIN)
    tape = match.outcomes
    assert match.state["server"] == tape[0]
    tape[0] = 1 - tape[0]
    assert Match("sweet_spot", tape=tape, **PLAIN).state["server"] == tape[0]


def test_d16_avatars_are_dealt_all_different() -> None:
    for seed in range(20):
        match = Match("sweet_spot", seed=seed, mode="doubles", avatars="random", toss="random")
        assert len(set(match.state["players"]["avatar"].tolist())) == 4
        assert match.state["players"]["ready"].tolist() == [1] * 4
    assert Match("sweet_spot", seed=0, **PLAIN).state["players"]["ready"].sum() == 0


def test_r8_the_serve() -> None:
    match = Match("sweet_spot", seed=0, **PLAIN)
    server = int(match.state["server"])
    give(match, [["Kick Serve", "Quick Serve", "Slice"]] * 2)
    assert names(match) == ["serve Kick Serve", "serve Quick Serve"]
    match.apply("serve Quick Serve")
    assert (ball(match), match.seat, phase(match)) == (17, 1 - server, "answer")
    assert all(not name.startswith("serve") for name in names(match))


def test_r9_no_second_return_and_one_accompanying_card() -> None:
    match = rally(20, [["Slice", "Chip", "Net Cord", "Heavy Spin"], ["Slice", "Block"]])
    match.apply("play Slice")
    assert names(match) == ["alone", "add Net Cord -1", "add Net Cord +1", "add Heavy Spin"]
    match.apply("add Net Cord -1")
    assert (match.seat, ball(match)) == (1, 16)
    assert (hand(match, 0), stamina(match, 0)) == (["Chip", "Heavy Spin"], 8)


def test_r10_giving_up_and_d13_nothing_to_play() -> None:
    match = rally(20, [["Slice", "Chip"], ["Moon Ball"]])
    match.apply("leave")
    assert points(match) == [0, 1]
    match = rally(20, [["Slice", "Chip"], ["Approach Shot", "Second Wind"]])
    match.apply("play Slice")
    assert points(match) == [1, 0]


def test_r1_the_other_side_serves_the_next_round() -> None:
    match = rally(8, [["Passing Shot"], ["Slice"]], stamina=5)
    match.state["score"]["points"][0] = 3
    match.state["server"] = match.state["score"]["server"] = match.state["score"]["opener"] = 0
    match.apply("play Passing Shot")
    assert match.state["score"]["games"].tolist() == [1, 0]
    assert match.state["server"] == 1
    assert (phase(match), match.seat) == ("keep", 1)  # seat 0 holds nothing and is not asked
    match.apply("done")
    assert match.state["players"]["stamina"][:2].tolist() == [10, 10]  # 4 + 4 + 2 and 5 + 4 + 2, at most ten


# After a rally


def between_rallies(hands: list[list[str]], stamina: int = 3, **options: str) -> Match:
    """After a rally that did not end the round: seat 0 served it and is asked first."""
    match = rally(20, hands, stamina=stamina, **options)
    match.state["server"] = match.state["score"]["server"] = match.state["score"]["opener"] = 0
    match.apply("leave")
    return match


def test_r14_the_steps_come_in_order_and_the_server_first() -> None:
    hands = [["Flat Serve", "Second Wind", "Slice", "Chip"], ["Change of Racket", "Block", "Loop", "Roller"]]
    match = between_rallies(hands)
    asked = []
    while phase(match) not in ("serve", "answer"):
        asked.append((phase(match), match.seat))
        wanted = {"after the rally": "use", "service cards": "services 2", "tactic cards": "tactics 3"}
        want = wanted.get(phase(match), "done")
        match.apply(next((name for name in names(match) if name.startswith(want)), "done"))
    assert asked[:2] == [("after the rally", 0), ("after the rally", 1)]
    assert asked[2:4] == [("discard", 0), ("discard", 1)]
    assert asked[4:] == [("service cards", 0), ("tactic cards", 0), ("service cards", 1), ("tactic cards", 1)]
    # Second Wind: 3 + 4, then 3 cards are left: + 1; seat 1: 3 cards left: + 1
    assert [stamina(match, 0), stamina(match, 1)] == [8, 4]
    new = Counter(hand(match, 0)) - Counter(["Flat Serve", "Slice", "Chip"])
    assert sum(new[card] for card in CARDS[:9]) == 2
    assert sum(new[card] for card in CARDS[22:]) == 3
    assert sum(new.values()) == 7


def test_r14_2_two_discards_before_the_stamina_is_counted() -> None:
    match = between_rallies([["Flat Serve", "Slice", "Chip", "Push"], []])
    play(match, "discard Chip", "discard Push")
    assert phase(match) == "service cards"
    assert stamina(match, 0) == 3 + 1  # two cards left, not four
    assert sorted(used(match)) == ["Chip", "Push"]


def test_change_of_racket_allows_more_discards() -> None:
    match = between_rallies([["Change of Racket", "Slice", "Chip", "Push", "Roller"], []])
    play(match, "use Change of Racket", *[f"discard {card}" for card in ("Slice", "Chip", "Push", "Roller")])
    assert phase(match) == "service cards"
    assert "services 10" in names(match)
    assert stamina(match, 0) == 4


def test_r14_5_the_mix_is_fixed_before_a_card_is_seen() -> None:
    match = between_rallies([["Flat Serve", "Slice"], ["Slice"]])
    play(match, "done", "done")
    before = hand(match, 0)
    match.apply("services 1")
    assert hand(match, 0) == before
    assert names(match) == [f"tactics {n}" for n in range(8)]


def test_d9_nobody_draws_before_all_have_said_what() -> None:
    match = between_rallies([["Flat Serve", "Slice"], ["Slice"]])
    play(match, "done", "done", "services 1", "tactics 3")
    assert (phase(match), match.seat) == ("service cards", 1)
    assert match.state["players"]["backs"][0].sum() == 2  # seat 0 has not drawn yet
    assert match.game.features.read(match.observe(1))["mix"][:3].tolist() == pytest.approx([0.1, 0.1, 0])
    seen = set()
    for seed in range(30):
        other = match.clone()
        other.redeal(1, seed=seed)
        seen.add((int(other.state["players"]["services"][0]), int(other.state["players"]["tactics"][0])))
        assert other.state["players"]["services"][0] + other.state["players"]["tactics"][0] <= 8  # as many as seat 0 has room for
        assert (other.observe(1) == match.observe(1)).all()
    assert len(seen) > 10
    play(match, "services 0", "tactics 0")
    assert match.state["players"]["backs"][0].sum() == 10 or match.state["strokes"] == 1


def test_d10_service_cards_that_two_have_asked_for() -> None:
    match = between_rallies([["Slice"], ["Slice"]])
    services = [name for name in CARDS[:9] for _ in range(match.rules["copies"][kind(name)])]
    give(match, [["Slice", *services[:9]], ["Slice", *services[9:18]]])
    match.state["players"]["backs"][:] = 0
    match.state["players"]["room"] = match.rules["hand"]  # so that there is room, as after a discard
    settle(match)
    for seat in (0, 1):
        for card in services[9 * seat : 9 * seat + 4]:
            match.state["players"]["hand"][seat, kind(card)] -= 1
            match.state["open"][kind(card)] += 1
    match.state["open"][:9] = 0
    match.state["pile"][:9] = 0
    match.state["pile"][kind("Weak Serve")] = 2
    settle(match)
    play(match, "done", "done", "services 4", "services 4")
    state = match.state
    assert state["players"]["backs"][:2].sum(axis=1).min() >= 9  # Returns came in their place; the server may have served already
    assert (state["players"]["hand"] >= 0).all()


def test_d10_no_more_than_there_are() -> None:
    match = between_rallies([["Slice"], ["Slice"]])
    play(match, "done")
    services = [name for name in CARDS[:9] for _ in range(match.rules["copies"][kind(name)])]
    give(match, [["Slice"], ["Slice", *services[2:]]])
    match.apply("done")
    assert names(match) == ["services 0", "services 1", "services 2"]


def test_r18_a_pile_is_rebuilt_only_when_it_is_empty() -> None:
    match = between_rallies([["Slice"], ["Slice"]])
    play(match, "done", "done")
    match.state["pile"][22:] = 0
    match.state["pile"][kind("Shank")] = 1
    match.state["open"][22:] = 0
    match.state["open"][kind("Dive")] = 1
    settle(match)
    play(match, "services 0", "tactics 2", "services 0", "tactics 0")
    assert {"Shank", "Dive"} <= set(hand(match, 0))
    match = between_rallies([["Slice"], ["Slice"]])
    play(match, "done", "done")
    match.state["pile"][22:] = 0
    match.state["pile"][kind("Shank")] = 1
    match.state["open"][22:] = 0
    match.state["open"][kind("Dive")] = 1
    settle(match)
    play(match, "services 0", "tactics 1", "services 0", "tactics 0")
    assert "Shank" in hand(match, 0)
    assert "Dive" not in hand(match, 0)


def test_d14_a_service_card_that_cannot_be_paid_is_none(tmp_path: Path) -> None:
    box = edition(tmp_path, **{"Flat Serve": "cost = 4"})
    for stamina, served in ((3, False), (4, True)):
        match = between_rallies([["Flat Serve", "Block"], []], components=box)
        match.apply("done")
        match.state["players"]["stamina"][0] = stamina
        play(match, "services 0", "tactics 0", "services 0", "tactics 0")
        assert (match.state["fault"] == 0) == served
        assert points(match) == ([0, 1] if served else [0, 2])
        assert match.state["players"]["stamina"][0] == (0 if served else stamina)


# Hidden cards


def test_r22_hidden_from_the_opponent_only() -> None:
    match = rally(20, [["Slice", "Top Spin Feint", "Chip"], ["Block", "Moon Ball"]])
    play(match, "play Slice", "add Top Spin Feint")
    assert (ball(match), match.state["shift"]) == (17, 2)
    see = match.game.features.read
    assert see(match.observe(1))["ball_value"] * 30 == pytest.approx(17)
    assert see(match.observe(0))["ball_value"] * 30 == pytest.approx(19)
    assert "Top Spin" not in match.describe(1)
    assert "truly 19" in match.describe(0)
    match.apply("play Block")
    assert (ball(match), match.state["shift"]) == (17, 0)  # 19 - 2
    assert match.state["table"][kind("Top Spin Feint")] == 1


def test_d3_a_hidden_card_that_is_in() -> None:
    hands = [["Flat Drive", "Disguised Drive", "Chip"], ["Moon Ball", "Slice", "Stretch"]]
    match = rally(15, hands)
    play(match, "play Flat Drive", "add Disguised Drive")  # looks like 8, is 3
    assert ball(match) == 8
    match.apply("play Moon Ball")  # spent without effect
    assert (ball(match), match.seat, names(match)) == (3, 1, ["leave", "play Stretch"])
    match.apply("play Stretch")
    assert (ball(match), match.seat) == (11, 0)
    match = rally(15, [["Flat Drive", "Disguised Drive", "Chip"], ["Moon Ball", "Slice"]])
    play(match, "play Flat Drive", "add Disguised Drive", "play Moon Ball")
    assert points(match) == [1, 0]


def test_d3_a_hidden_card_that_is_down() -> None:
    match = rally(15, [["Down the Line", "Disguised Drive", "Chip"], ["Moon Ball", "Slice"]])
    play(match, "play Down the Line", "add Disguised Drive", "play Moon Ball")  # looks like 11, is 6
    assert points(match) == [0, 1]
    assert sorted(used(match)) == ["Disguised Drive", "Down the Line", "Moon Ball"]


def test_d4_value_out_is_tested_again_by_the_true_ball() -> None:
    hands = [["Slice", "Under Spin Feint", "Chip"], ["Block", "Approach Shot", "Slice"]]
    match = rally(16, hands)
    play(match, "play Slice", "add Under Spin Feint")  # looks like 13, is 11
    play(match, "play Block", "add Approach Shot")  # looks like 11 out, is 9
    assert ball(match) == 9
    assert match.seat == 0
    match.apply("play Chip")
    assert ball(match) == 8  # not forced to -5


def test_d21_a_face_value_out_of_play_is_turned_up_at_once() -> None:
    match = rally(8, [["Down the Line", "Top Spin Feint"], ["Slice", "Block"]])
    play(match, "play Down the Line", "add Top Spin Feint")  # looks like 4; truly 6: DOWN
    assert points(match) == [0, 1]
    match = rally(9, [["Down the Line", "Top Spin Feint"], ["Slice", "Block"]])
    play(match, "play Down the Line", "add Top Spin Feint")  # 5 + 2 = 7
    assert (ball(match), match.state["dark"], match.seat) == (7, 0, 1)


def test_d22_a_hidden_return_shows_no_change(tmp_path: Path) -> None:
    box = edition(tmp_path, Loop="modifier = 3\nhidden = true")
    match = rally(12, [["Loop", "Slice"], ["Block", "Slice", "Too Much", "Loop"]], components=box)
    match.apply("play Loop")
    assert (ball(match), match.state["shift"], match.state["dark"]) == (12, 3, 1)
    assert "react Too Much" not in names(match)  # D23: its modifier is not known
    assert "play Loop" not in names(match)  # R22
    match.apply("play Block")
    assert ball(match) == 13


def test_r22_no_hidden_answer_to_a_card_that_has_been_turned_up() -> None:
    match = rally(9, [["Down the Line", "Top Spin Feint"], ["Loop", "Under Spin Feint", "Net Cord"]])
    play(match, "play Down the Line", "add Top Spin Feint", "play Loop")  # D21: 7, turned up at once
    assert names(match) == ["alone", "add Net Cord -1", "add Net Cord +1"]
    play(match, "alone")
    match = rally(9, [["Down the Line", "Chip"], ["Loop", "Under Spin Feint", "Net Cord"]])
    match.state["ball"] = 11
    match.refresh()
    play(match, "play Down the Line", "play Loop")  # no hidden card
    assert "add Under Spin Feint" in names(match)


# What cards do


def test_forced_returns_cost_and_ignore_modifiers() -> None:
    match = rally(18, [["Passing Shot", "Approach Shot", "Slice"], ["Moon Ball", "Net Cord", "Dive"]])
    play(match, "play Passing Shot", "add Approach Shot", "play Moon Ball", "add Net Cord +1")
    assert ball(match) == 13 - 5
    assert stamina(match, 1) == 10 - 1 - 1


def test_focused_control_answers_a_forced_return() -> None:
    match = rally(18, [["Passing Shot", "Approach Shot", "Slice"], ["Moon Ball", "Focused Control"]])
    play(match, "play Passing Shot", "add Approach Shot")
    assert "react Focused Control" in names(match)
    play(match, "react Focused Control", "play Moon Ball")
    assert ball(match) == 18
    assert stamina(match, 1) == 8
    match = rally(18, [["Passing Shot", "Slice"], ["Moon Ball", "Focused Control"]])
    match.apply("play Passing Shot")
    assert "react Focused Control" not in names(match)  # nothing to answer


def test_r22_brutaliser_drains() -> None:
    match = rally(17, [["Brutaliser", "Slice"], ["Moon Ball"]], stamina=5)
    match.apply("play Brutaliser")
    assert (ball(match), stamina(match, 0), stamina(match, 1)) == (10, 2, 3)


def test_return_ace_only_answers_a_serve() -> None:
    match = rally(20, [["Return Ace", "Slice"], ["Slice"]])
    assert "play Return Ace" not in names(match)
    match = rally(20, [["Return Ace", "Slice"], ["Slice"]], strokes=1, by="Flat Serve")
    match.apply("play Return Ace")
    assert points(match) == [1, 0]


def test_shank_wins_unless_cancelled() -> None:
    match = rally(17, [["Moon Ball", "Shank", "Slice"], ["Slice", "Moon Ball"]])
    play(match, "play Moon Ball", "add Shank")
    assert points(match) == [1, 0]
    match = rally(17, [["Moon Ball", "Shank", "Slice"], ["Slice", "Focused Control"]])
    play(match, "play Moon Ball", "add Shank")
    assert names(match) == ["leave", "react Focused Control"]
    play(match, "react Focused Control", "play Slice")
    assert (ball(match), points(match)) == (19, [0, 0])


def test_d12_a_saving_move_has_no_company_and_no_too_much() -> None:
    match = rally(8, [["Passing Shot", "Too Much"], ["Stretch", "Approach Shot", "Net Cord"]])
    play(match, "play Passing Shot", "play Stretch")
    assert (ball(match), match.seat) == (11, 0) or points(match) == [0, 1]
    assert "react Too Much" not in names(match)


def test_d12_a_box_may_give_a_saving_move_the_return_symbol(tmp_path: Path) -> None:
    box = edition(tmp_path, Stretch='play = ["return", "save"]')
    match = rally(8, [["Passing Shot", "Too Much"], ["Stretch", "Approach Shot", "Net Cord"]], components=box)
    play(match, "play Passing Shot", "play Stretch")
    assert {"alone", "add Approach Shot"} <= set(names(match))
    match.apply("alone")
    assert "react Too Much" in names(match)


def test_d23_too_much_makes_a_winner_fly_out() -> None:
    match = rally(8, [["Passing Shot"], ["Too Much", "Slice"]])
    match.apply("play Passing Shot")
    assert names(match) == ["leave", "react Too Much"]
    match.apply("react Too Much")  # 8 - 10
    assert points(match) == [0, 1]


def test_d23_too_much_on_a_ball_in_play() -> None:
    match = rally(16, [["Passing Shot", "Slice"], ["Too Much", "Slice", "Focused Control"]])
    play(match, "play Passing Shot", "react Too Much")  # 16 - 10 = 6
    assert points(match) == [0, 1]
    match = rally(16, [["Moon Ball", "Slice"], ["Too Much", "Slice"]], avatars=["Roger", "Steffi"])
    play(match, "play Moon Ball", "alone", "react Too Much")
    assert (ball(match), match.seat) == (26, 1)
    assert names(match) == ["leave", "play Slice"]


def test_d24_focused_control_answers_too_much() -> None:
    match = rally(8, [["Passing Shot", "Focused Control"], ["Too Much", "Slice"]])
    play(match, "play Passing Shot", "react Too Much")
    assert (match.seat, phase(match), names(match)) == (0, "counter", ["let stand", "react Focused Control"])
    match.clone().apply("let stand")
    match.apply("react Focused Control")
    assert points(match) == [1, 0]
    match = rally(8, [["Passing Shot", "Focused Control"], ["Too Much", "Slice"]])
    play(match, "play Passing Shot", "react Too Much", "let stand")
    assert points(match) == [0, 1]


def test_heavy_spin_taxes_and_wrong_foot_bars() -> None:
    match = rally(20, [["Slice", "Heavy Spin", "Chip"], ["Slice", "Dive", "Sledgehammer"]], stamina=5)
    play(match, "play Slice", "add Heavy Spin")
    assert names(match) == ["leave", "play Slice", "play Sledgehammer"]  # 1 + 2 and 3 + 2; Dive would be 4 + 2
    match.apply("play Slice")
    assert stamina(match, 1) == 2
    match = rally(20, [["Slice", "Wrong Foot", "Chip"], ["Slice", "Net Cord", "Block"]])
    play(match, "play Slice", "add Wrong Foot", "play Slice")
    assert match.seat == 0  # not asked for an accompanying card
    play(match, "play Chip", "play Block")
    assert phase(match) == "accompany"  # once only


# Avatars


def test_r11_once_a_match() -> None:
    match = rally(20, [["Slice", "Chip"], ["Slice", "Block"]], avatars=["Rafael", "Kovic"], stamina=3)
    match.apply("power 1")
    assert (stamina(match, 0), match.seat) == (3 + match.rules["gain"][kind("Rafael")], 0)
    assert "power 1" not in names(match)
    play(match, "play Slice", "power 1")  # Kovic: free for this rally
    match.apply("play Block")
    assert stamina(match, 1) == 3
    play(match, "leave")
    assert match.state["players"]["free"].sum() == 0


def test_roger_adds_and_serena_bars_and_taxes() -> None:
    match = rally(20, [["Slice", "Chip"], ["Slice", "Net Cord"]], avatars=["Roger", "Serena"])
    match.apply("play Slice")
    assert names(match) == ["alone", "power 1", "power 2", "power 3", "power 4"]
    match.apply("power 1")
    assert ball(match) == 15
    play(match, "play Slice", "power 1", "play Chip")
    assert stamina(match, 0) == 10 - 1 - 1 - 3


def test_andre_saves() -> None:
    match = rally(8, [["Passing Shot", "Chip"], ["Slice", "Block"]], avatars=["Roger", "Andre"])
    play(match, "play Passing Shot", "alone")
    assert names(match) == ["leave", "power 1"]
    match.apply("power 1")
    assert (ball(match), match.seat) == (11, 0)


def test_steffi_cancels() -> None:
    match = rally(17, [["Moon Ball", "Shank", "Slice"], ["Slice"]], avatars=["Roger", "Steffi"])
    play(match, "play Moon Ball", "add Shank")
    assert names(match) == ["leave", "power 1"]
    play(match, "power 1", "play Slice")
    assert ball(match) == 19
    match = rally(8, [["Passing Shot", "Chip"], ["Slice", "Too Much"]], avatars=["Steffi", "Roger"])
    play(match, "play Passing Shot", "react Too Much", "power 1")
    assert points(match) == [1, 0]


# Doubles


def test_r27_who_serves() -> None:
    match = Match("sweet_spot", seed=4, mode="doubles", **PLAIN)
    team = int(match.state["score"]["server"])
    assert (phase(match), match.seat, names(match)) == ("server", team, ["server myself", "server partner"])
    match.apply("server partner")
    assert match.state["server"] == team + 2
    # round 3 is the partner's of who served round 1, without a question
    later = rally(20, [["Slice"], [], [], []], mode="doubles", last=(2, 1))
    later.state["opener"] = 2
    later.state["score"]["games"] = (1, 0)
    later.state["score"]["points"][1] = 3
    later.state["server"] = later.state["score"]["server"] = later.state["score"]["opener"] = 1
    later.apply("leave")
    assert later.state["score"]["games"].tolist() == [1, 1]
    assert later.state["server"] == 0


def test_d33_d34_who_returns() -> None:
    match = Match("sweet_spot", seed=4, mode="doubles", **PLAIN)
    match.apply("server myself")
    server = match.seat
    give(match, [["Slice", "Passing Shot"]] * 4)
    match.state["players"]["hand"][server, [kind("Flat Serve"), kind("Body Serve")]] = 1
    settle(match)
    match.apply("serve Flat Serve")
    receiver = (1 - server % 2) % 2
    assert match.seat == receiver  # the first rally: the team's first player
    match.apply("leave")
    assert match.seat == receiver + 2  # at no extra cost
    match.apply("play Slice")
    assert stamina(match, receiver + 2) == 9
    assert match.seat == server  # has served, so he would switch in
    assert match.state["stage"] == 0
    match.apply("leave")
    assert match.seat == (server + 2) % 4
    match.apply("leave")
    assert match.seat == server  # D35: asked a last time
    before = stamina(match, server)
    match.apply("play Slice")
    assert stamina(match, server) == before - 1 - 2


def test_r28_two_extra_stamina_or_no_switching_in() -> None:
    hands = [["Slice", "Chip"], ["Slice", "Block"], ["Loop"], []]
    match = rally(20, hands, mode="doubles", last=(0, 1), stamina=2)
    match.state["stage"] = 0
    match.state["seat"] = 2
    match.state["stage"] = 1
    match.refresh()
    match.apply("leave")
    assert points(match) == [0, 1]  # seat 0 has 2, and needs 1 + 2
    match = rally(20, hands, mode="doubles", last=(0, 1), stamina=3, seat=2)
    match.apply("leave")
    assert (match.seat, match.state["stage"]) == (0, 2)


def test_d36_the_drain_hits_whose_turn_it_is() -> None:
    hands = [["Brutaliser"], ["Slice"], ["Chip"], ["Slice"]]
    match = rally(20, hands, mode="doubles", last=(2, 1), stamina=8)
    match.apply("play Brutaliser")
    assert match.state["players"]["stamina"].tolist() == [5, 8, 8, 6]


# Solo


def test_r29_r30_the_automa_serves_first_and_never_weakly() -> None:
    for seed in range(30):
        match = Match("sweet_spot", seed=seed, mode="solo", **PLAIN)
        assert match.state["server"] == 1
        assert match.state["strokes"] == 1
        assert ball(match) != 16
        assert match.seats == 1
    weak = 0
    for seed in range(200):
        weak += "Weak Serve" in used(Match("sweet_spot", seed=seed, mode="solo", **PLAIN))
    assert weak > 0


def test_r31_in_first() -> None:
    match = rally(9, [["Block", "Slice"]], mode="solo", tape=drawn("Down the Line", "Flat Drive", "Passing Shot"))
    match.apply("play Block")  # 7: -7 is 0, before -5, 2, and -4, 3
    assert points(match) == [0, 1]


def solo_tactics(*tactics: str, start: int = 17, **options: str) -> Match:
    """The automa finds no Return (Block and Roller from 16 reach no target) and turns up these Tactics."""
    tape = drawn("Block", "Roller", "Block", *tactics)
    saves = "Lunge" if "Stretch" in tactics else "Stretch"
    match = rally(start, [["Chip", "Slice", saves]], mode="solo", tape=tape, **options)
    return match.apply("play Chip") or match


def test_r32_shank_then_ace_then_strokes_in_order() -> None:
    match = solo_tactics("Dive", "Return Ace", "Shank")
    assert points(match) == [0, 1]  # nobody to cancel it
    match = solo_tactics("Dive", "Return Ace", "Lunge")
    assert (ball(match), names(match)) == (3, ["leave", "play Stretch"])
    match = solo_tactics("Dive", "Under Spin Feint", "Buggy Whip")  # 16 + 4 = 20, for 9 is no target
    assert ball(match) == 20
    match = solo_tactics("Sledgehammer", "Egg Shot", "Heavy Spin")
    assert points(match) == [1, 0]
    match = solo_tactics("Top Spin Feint", "Under Spin Feint", "Stretch")  # 18, 14 and 24
    assert ball(match) == 24


def test_d26_a_cancelled_shank_of_the_automa() -> None:
    tape = drawn("Block", "Roller", "Block", "Dive", "Shank", "Lunge")
    match = rally(17, [["Chip", "Slice", "Focused Control"]], mode="solo", tape=tape)
    match.apply("play Chip")
    assert names(match) == ["leave", "react Focused Control"]
    match.apply("react Focused Control")
    assert points(match) == [1, 0]


def test_d3_a_hidden_card_comes_before_the_shank_of_the_automa() -> None:
    tape = drawn("Loop", "Block", "Moon Ball", "Dive", "Shank", "Lunge")
    match = rally(16, [["Passing Shot", "Disguised Drive", "Focused Control"]], mode="solo", tape=tape)
    play(match, "play Passing Shot", "add Disguised Drive")  # looks like 11, is 6
    assert points(match) == [0, 1]
    tape = drawn("Slice", "Slice", "Block", "Dive", "Shank", "Heavy Spin", "Egg Shot", "Net Cord", "Heavy Spin")
    match = rally(15, [["Flat Drive", "Disguised Drive", "Chip"]], mode="solo", tape=tape)
    play(match, "play Flat Drive", "add Disguised Drive")  # looks like 8, is 3: the automa may only save it
    assert points(match) == [1, 0]


def test_r33_feints_are_returns_to_the_automa_whatever_the_box_says(tmp_path: Path) -> None:
    box = edition(tmp_path, **{"Top Spin Feint": "modifier = 5\nnext_return = 4", "Under Spin Feint": "modifier = -6"})
    box = edition_without(box, "hidden = true")
    tape = drawn("Flat Drive", "Passing Shot", "Loop", "Top Spin Feint", "Heavy Spin", "Egg Shot")
    for options in ({"components": box}, {"automa": "easy"}):
        match = rally(16, [["Chip", "Slice"]], mode="solo", tape=tape, **options)
        match.apply("play Chip")
        assert (ball(match), match.state["force"]) == (17, NO_FORCE)  # 15 + 2, and nothing is forced
    assert stamina(match, 1) == 9  # R36: it costs the easy automa what a Return costs


def test_r32_return_ace_whatever_its_condition(tmp_path: Path) -> None:
    box = edition(tmp_path, **{"Return Ace": "set_to = 3\nvalue_out = { at_least = 9 }"})
    match = solo_tactics("Dive", "Return Ace", "Lunge", components=box)
    assert (ball(match), names(match)) == (3, ["leave", "play Stretch"])


def test_r34_saving_moves_and_too_much() -> None:
    match = rally(8, [["Passing Shot", "Slice"]], mode="solo", tape=drawn("Too Much", "Lunge", "Stretch"))
    match.apply("play Passing Shot")
    assert (ball(match), match.seat) == (11, 0)  # D30: Stretch first
    match = rally(8, [["Passing Shot", "Slice"]], mode="solo", tape=drawn("Too Much", "Shank", "Egg Shot"))
    match.apply("play Passing Shot")
    assert points(match) == [0, 1]
    match = rally(8, [["Passing Shot", "Focused Control"]], mode="solo", tape=drawn("Too Much", "Shank", "Egg Shot"))
    match.apply("play Passing Shot")
    assert phase(match) == "counter"
    match.apply("react Focused Control")
    assert points(match) == [1, 0]
    match = rally(8, [["Passing Shot", "Slice"]], mode="solo", tape=drawn("Heavy Spin", "Shank", "Egg Shot"))
    match.apply("play Passing Shot")
    assert points(match) == [1, 0]


def test_d27_the_automa_under_a_forced_return() -> None:
    hands = [["Passing Shot", "Approach Shot", "Slice"]]
    match = rally(21, hands, mode="solo", tape=drawn("Loop", "Moon Ball", "Chip"))
    play(match, "play Passing Shot", "add Approach Shot")  # 16, forced to 11
    assert ball(match) == 11
    assert match.state["table"][kind("Loop")] == 1
    tape = drawn("Loop", "Moon Ball", "Chip", "Stretch", "Buggy Whip", "Dive")
    match = rally(18, hands, mode="solo", tape=tape)
    play(match, "play Passing Shot", "add Approach Shot")  # 13, forced to 8: no target
    assert points(match) == [1, 0]
    tape = drawn("Loop", "Moon Ball", "Chip", "Return Ace", "Buggy Whip", "Dive")
    match = rally(18, hands, mode="solo", tape=tape)
    play(match, "play Passing Shot", "add Approach Shot")
    assert points(match) == [0, 1]


def test_r37_the_hard_automa_cancels() -> None:
    hands = [["Passing Shot", "Approach Shot", "Slice"]]
    shown = drawn("Dive", "Shank", "Focused Control", "Egg Shot", "Lunge")
    match = rally(18, hands, mode="solo", automa="hard", tape=shown + drawn("Block", "Block", "Roller"))
    play(match, "play Passing Shot", "add Approach Shot")
    assert ball(match) == 11  # 13 - 2, not forced
    hands = [["Moon Ball", "Shank", "Slice"]]
    nothing = drawn("Dive", "Stretch", "Brutaliser", "Egg Shot", "Lunge")
    match = rally(18, hands, mode="solo", automa="hard", tape=nothing)
    play(match, "play Moon Ball", "add Shank")
    assert points(match) == [1, 0]
    match = rally(18, hands, mode="solo", automa="normal", tape=[])
    play(match, "play Moon Ball", "add Shank")
    assert points(match) == [1, 0]  # only in hard mode five are turned up


def test_r37_the_hard_automa_cancels_too_much() -> None:
    for automa, loser in (("hard", 0), ("normal", 1)):
        hands = [["Block", "Too Much", "Slice"]]
        tape = drawn("Passing Shot", "Roller", "Block")
        if automa == "hard":
            tape += drawn("Focused Control", "Shank", "Dive", "Egg Shot", "Lunge")
        match = rally(10, hands, mode="solo", automa=automa, tape=tape)
        match.apply("play Block")  # 8: the automa plays -5, IN
        assert names(match) == ["leave", "react Too Much"]
        match.apply("react Too Much")
        assert points(match) == [int(loser == 1), int(loser == 0)]


def test_r36_easy_costs_and_brutaliser() -> None:
    solo = {"mode": "solo", "automa": "easy"}
    match = rally(23, [["Brutaliser", "Slice"]], tape=drawn("Slice", "Roller", "Block"), **solo)
    match.state["players"]["stamina"][1] = 6
    match.apply("play Brutaliser")  # 16: -3 is 13
    assert (ball(match), stamina(match, 1)) == (13, 6 - 2 - 1)
    match = rally(23, [["Brutaliser", "Slice"]], mode="solo", tape=drawn("Slice", "Roller", "Block"))
    match.state["players"]["stamina"][1] = 6
    match.apply("play Brutaliser")
    assert stamina(match, 1) == 6


def test_d19_cards_turned_up_are_used() -> None:
    match = solo_tactics("Dive", "Under Spin Feint", "Buggy Whip")
    assert sorted(used(match)) == sorted(["Block", "Roller", "Block", "Dive", "Under Spin Feint"])
    assert match.state["table"][kind("Buggy Whip")] == 1


def test_r35_the_automa_is_judged_by_the_true_ball() -> None:
    tape = drawn("Slice", "Roller", "Block")
    match = rally(19, [["Slice", "Disguised Drive", "Chip"]], mode="solo", tape=tape)
    play(match, "play Slice", "add Disguised Drive")  # looks like 16, is 11; -3 wants 13, and it is 8
    assert (ball(match), match.seat) == (8, 0)


# Options


def test_formats() -> None:
    for format, count in (("point", 1), ("game", 4)):
        match = rally(8, [["Passing Shot"], ["Slice"]], format=format)
        match.state["score"]["points"][0] = count - 1
        match.apply("play Passing Shot")
        assert match.over
        assert match.winner == 0


def test_an_avatar_of_nobody_has_no_power() -> None:
    match = Match("sweet_spot", seed=0, **PLAIN)
    assert match.state["players"]["avatar"].tolist() == [NOTHING] * 4
    assert len(AVATARS) == 6
