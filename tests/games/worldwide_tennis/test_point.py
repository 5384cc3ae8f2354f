"""Serve, rally and special cards by their R and D numbers."""

from __future__ import annotations

import pytest

from tests.games.worldwide_tennis.court import (
    ATTACK,
    BACKHAND_RALLY,
    DROP_SHOT,
    DROP_VOLLEY,
    FOREHAND_RALLY,
    LOB,
    PASSING,
    SMASH,
    VOLLEY,
    WINNER,
    card,
    dice,
    dry_match,
    facing,
    fits,
    hand,
    hold,
    legal,
    match,
    phase,
    pile,
    play,
    put,
    result,
    rolls,
    serve_in,
    successes,
    zone,
)

PLAIN = {"stars": False, "spin": False}


# Serve


def test_r7_an_ace_wins_from_its_number_on_and_stars_do_not_move_it():
    m = dry_match(spin=False)
    card(m, 0, 65, difficulty=12, ace=18)
    play(m, "serve 65")
    for stars in range(3):
        outcomes = [result(m, f"stars {stars}", die) for die in range(1, 21)]
        assert outcomes.count("won") == 3 and outcomes[17:] == ["won"] * 3


def test_d5_a_serve_that_is_not_in_is_no_ace():
    m = dry_match(**PLAIN)
    card(m, 0, 65, difficulty=19, ace=18)
    assert [result(m, "serve 65", die) for die in (18, 19)] == ["fault", "won"]


@pytest.mark.parametrize("first", range(61, 66))
def test_r8_d3_the_second_serve_is_another_card(first):
    m = dry_match(**PLAIN)
    play(m, f"serve {first}", tape=dice(1))
    assert legal(m) == [f"serve {serve}" for serve in range(61, 66) if serve != first]


def test_d2_a_serve_counts_as_the_ball_with_its_colour_and_surface():
    m = dry_match(**PLAIN, surface="grass")
    card(m, 0, 65, adds=[0, 0, 6, 0], risk="red")
    card(m, 0, 61, risk="blue")
    card(m, 1, FOREHAND_RALLY, difficulty=4)
    hold(m, 1, [FOREHAND_RALLY])
    easy = m.clone()
    serve_in(easy, 61)
    assert not rolls(easy, f"play {FOREHAND_RALLY}")
    serve_in(m, 65)
    assert successes(m, f"play {FOREHAND_RALLY}") == list(range(10, 21))


def test_d14_the_server_may_follow_to_the_net():
    m = dry_match(**PLAIN)
    play(m, "serve 61", tape=dice(14))
    assert legal(m) == ["stay", "net"] and m.seat == 0
    play(m, "net")
    assert zone(m, 0) == "net" and m.seat == 1


@pytest.mark.parametrize(("spin", "price"), [("none", 0), ("topspin", 1), ("slice", 2)])
def test_r27_a_serve_takes_one_spin_at_its_price(spin, price):
    m = dry_match(stars=False)
    play(m, "serve 63")
    assert legal(m) == ["spin none", "spin topspin", "spin slice"]
    assert successes(m, f"spin {spin}") == list(range(8 + price, 21))
    play(m, f"spin {spin}", tape=dice(14))
    play(m, "stay")
    assert m.state["ball_spin"] == ["none", "topspin", "slice"].index(spin)


def test_r27_a_serve_card_without_a_spin_is_not_asked_for_it():
    m = dry_match(stars=False)
    m.rules["deck"][0]["takes_spin"][0] = 1, 0, 0
    assert rolls(m, "serve 61")
    m.rules["deck"][0]["takes_spin"][1] = 1, 0, 1
    play(m, "serve 62")
    assert legal(m) == ["spin none", "spin slice"]


def test_d8_stars_are_asked_for_only_where_the_roll_could_fail():
    m = dry_match()
    m.state["stars"][0] = 1
    play(m, "serve 61", "spin none")
    assert legal(m) == ["stars 0", "stars 1"]
    m.state["stars"][0] = 0
    facing(m, ATTACK, [FOREHAND_RALLY])
    assert rolls(m, f"play {FOREHAND_RALLY}")
    m.state["stars"][0] = 4
    card(m, 1, ATTACK, adds=1)
    card(m, 0, FOREHAND_RALLY, difficulty=0)
    assert rolls(m, f"play {FOREHAND_RALLY}")
    card(m, 1, ATTACK, adds=2)
    assert not rolls(m, f"play {FOREHAND_RALLY}")
    play(m, f"play {FOREHAND_RALLY}")
    assert phase(m) == "stars"


# Move


def land(m, lands: str, *, stands: str, cards, ball: int = 2, their_zone: str = "neutral", spin: str = "none") -> None:
    """Let the opponent's ball land in a zone while seat 0, holding `cards`, stands in another."""
    zones = ["forehand", "neutral", "backhand", "net"]
    hold(m, 0, cards)
    hold(m, 1, [3, 4, 5])
    state = m.state
    state["striker"] = state["seat"] = 1
    state["zone"][:] = zones.index(stands), zones.index(their_zone)
    state["ball"], state["ball_spin"], state["card"], state["target"] = -1, 0, ball - 1, zones.index(lands)
    state["spin"] = ["none", "topspin", "slice"].index(spin)
    state["phase"] = 10
    m.refresh()
    play(m, "stay")


@pytest.mark.parametrize(
    ("stands", "lands", "free"),
    [
        ("forehand", "forehand", True),
        ("forehand", "neutral", True),
        ("neutral", "forehand", True),
        ("neutral", "backhand", True),
        ("backhand", "neutral", True),
        ("forehand", "backhand", False),
        ("backhand", "forehand", False),
    ],
)
def test_r10_a_step_is_free_and_crossing_costs_a_card(stands, lands, free):
    m = dry_match(**PLAIN)
    land(m, lands, stands=stands, cards=[37, FOREHAND_RALLY, BACKHAND_RALLY])
    if free:
        assert phase(m) == "stroke" and zone(m, 0) == lands
        return
    assert phase(m) == "reach"
    assert legal(m) == ["give up", f"discard {FOREHAND_RALLY}", f"discard {BACKHAND_RALLY}", "discard 37"]
    assert result(m, "give up") == "lost"
    play(m, f"discard {FOREHAND_RALLY}")
    assert zone(m, 0) == lands and phase(m) == "stroke"
    assert pile(m, 0, "discarded") == [FOREHAND_RALLY]


def test_d15_a_price_with_an_empty_hand_loses_the_point():
    m = dry_match(**PLAIN)
    lead = int(m.state["lead"])
    land(m, "backhand", stands="forehand", cards=[])
    assert m.state["lead"] == lead - 1


def test_r10_the_last_card_may_be_paid_but_then_nothing_is_left_to_play():
    m = dry_match(**PLAIN)
    land(m, "backhand", stands="forehand", cards=[37])
    assert result(m, "discard 37") == "lost"


@pytest.mark.parametrize("lands", ["forehand", "neutral", "backhand"])
def test_r16_at_the_net_every_ball_is_taken_there(lands):
    m = dry_match(**PLAIN)
    land(m, lands, stands="net", cards=[VOLLEY, FOREHAND_RALLY])
    assert zone(m, 0) == "net" and legal(m) == ["give up", f"play {VOLLEY}"]


def test_r17_a_lob_over_the_net_player():
    m = dry_match(**PLAIN)
    land(m, "forehand", stands="net", cards=[SMASH, VOLLEY, FOREHAND_RALLY], ball=LOB)
    assert phase(m) == "reach"
    assert legal(m) == [
        "give up", f"play {SMASH}", f"discard {FOREHAND_RALLY}", f"discard {VOLLEY}", f"discard {SMASH}",
    ]  # fmt: skip
    back = m.clone()
    play(back, f"discard {VOLLEY}")
    assert zone(back, 0) == "forehand" and legal(back) == ["give up", f"play {FOREHAND_RALLY}"]
    card(m, 0, SMASH, difficulty=4)
    card(m, 1, LOB, adds=5)
    assert successes(m, f"play {SMASH}") == list(range(9, 21))
    play(m, f"play {SMASH}", tape=dice(20))
    assert phase(m) == "target"


def test_r17_no_way_to_the_net_right_after_answering_a_lob():
    m = dry_match(**PLAIN)
    land(m, "forehand", stands="net", cards=[VOLLEY, FOREHAND_RALLY, 3], ball=LOB)
    card(m, 0, FOREHAND_RALLY, targets=["neutral"])
    m.state["stars"][0] = 1
    play(m, f"discard {VOLLEY}", f"play {FOREHAND_RALLY}", tape=dice(20))
    assert legal(m) == ["stay", "back"]


def test_d30_a_smash_is_for_lobs_only():
    m = dry_match(**PLAIN)
    land(m, "forehand", stands="net", cards=[SMASH, VOLLEY])
    assert legal(m) == ["give up", f"play {VOLLEY}"]
    land(m, "forehand", stands="neutral", cards=[SMASH, FOREHAND_RALLY], ball=LOB)
    assert legal(m) == ["give up", f"play {FOREHAND_RALLY}"]


# Stroke and target


def test_r11_only_cards_that_start_where_the_player_stands():
    m = dry_match(**PLAIN)
    cards = [FOREHAND_RALLY, 7, BACKHAND_RALLY, ATTACK, VOLLEY]
    for where in ("forehand", "neutral", "backhand", "net"):
        facing(m, 2, cards, zone=where)
        starts = [number for number in cards if fits(m, 0, number, where)]
        assert legal(m) == ["give up", *(f"play {n}" for n in starts)]
    facing(m, 2, cards, zone="net")
    assert legal(m) == ["give up", f"play {VOLLEY}"]


def test_r14_several_targets_are_asked_for_one_is_not():
    m = dry_match(**PLAIN)
    facing(m, 2, [3, 9])
    card(m, 0, 3, targets=["forehand", "backhand"])
    card(m, 0, 9, targets=["backhand"])
    both = m.clone()
    play(both, "play 3")
    assert legal(both) == ["target forehand", "target backhand"]
    play(both, "target backhand", "stay")
    assert both.state["ball_zone"] == 2 and both.seat == 1
    play(m, "play 9")
    assert phase(m) == "position"
    play(m, "stay")
    assert m.state["ball_zone"] == 2


def test_d27_the_target_does_not_matter_against_a_net_player_but_for_a_lob():
    m = dry_match(**PLAIN)
    hold(m, 1, [VOLLEY, 49])
    facing(m, 2, [3, LOB], their_zone="net")
    card(m, 0, 3, targets=["forehand", "backhand"])
    lob = m.clone()
    play(m, "play 3")
    assert phase(m) == "position"
    if rolls(lob, f"play {LOB}"):
        play(lob, f"play {LOB}", tape=dice(20))
    assert legal(lob) == ["target forehand", "target backhand"]


@pytest.mark.parametrize(("number", "where"), [(PASSING, "net"), (LOB, "net"), (DROP_SHOT, "neutral")])
def test_d31_r22_some_strokes_need_the_opponent_in_a_place(number, where):
    m = dry_match(**PLAIN)
    for their_zone in ("neutral", "forehand", "backhand", "net"):
        facing(m, 2, [number, 3], their_zone=their_zone)
        assert (f"play {number}" in legal(m)) == ((their_zone == "net") == (where == "net"))


# After the stroke


def strike(m, stands: str, *, number: int = 3, ball: int = 2, spin: str = "none", stars: int = 0, cards=(6, 7), their="neutral"):
    """Let seat 0 make a stroke from a zone and come to the choice of its place."""
    card(m, 0, number, targets=["neutral"], start=[stands], risk="blue", spin="none", difficulty=0)
    card(m, 1, ball, risk="blue")
    hold(m, 1, [VOLLEY, 49, 4, 14])
    facing(m, ball, [number, *cards], zone=stands, spin=spin, their_zone=their)
    m.state["stars"][0] = stars
    m.refresh()
    play(m, f"play {number}")


@pytest.mark.parametrize("stands", ["forehand", "backhand"])
def test_r15_from_a_side_back_to_neutral_for_a_star(stands):
    m = dry_match(stars=False)
    strike(m, stands, stars=1)
    assert legal(m) == ["stay", "net", "back"]
    play(m, "back")
    assert zone(m, 0) == "neutral" and m.state["stars"][0] == 0
    strike(m, stands, stars=0)
    assert legal(m) == ["stay", "net"]
    play(m, "net")
    assert zone(m, 0) == "net" and len(hand(m, 0)) == 2


def test_r15_from_the_net_back_to_neutral_for_a_card():
    m = dry_match(stars=False)
    strike(m, "net")
    assert legal(m) == ["stay", "back"]
    play(m, "back")
    assert phase(m) == "payment" and legal(m) == ["discard 6", "discard 7"]
    play(m, "discard 7")
    assert zone(m, 0) == "neutral" and hand(m, 0) == [6] and m.seat == 1
    strike(m, "net", cards=(6,))
    play(m, "back")
    assert hand(m, 0) == [] and m.seat == 1  # the last card is paid without asking


def test_d15_without_cards_nobody_goes_back_from_the_net():
    m = dry_match(stars=False)
    strike(m, "net", cards=())
    assert m.seat == 1 and zone(m, 0) == "net"


def test_r15_not_to_the_net_where_the_opponent_is():
    m = dry_match(stars=False)
    strike(m, "forehand", stars=1, their="net")
    assert legal(m) == ["stay", "back"]
    strike(m, "neutral", their="net")
    assert m.seat == 1 and zone(m, 0) == "neutral"


def test_r27_after_topspin_the_net_costs_a_card():
    m = dry_match(stars=False)
    strike(m, "forehand", spin="topspin")
    play(m, "net")
    assert zone(m, 0) == "net" and phase(m) == "payment" and m.seat == 0
    play(m, "discard 6")
    assert hand(m, 0) == [7] and m.seat == 1
    strike(m, "forehand", spin="topspin", cards=())
    assert m.seat == 1 and zone(m, 0) == "forehand"


def test_r27_topspin_is_on_the_card_that_is_played():
    m = dry_match(stars=False)
    facing(m, 2, [5])
    card(m, 0, 5, targets=["neutral"], spin="topspin", start=["forehand"])
    play(m, "play 5", "stay")
    assert m.state["ball_spin"] == 1
    m = dry_match(**PLAIN)
    facing(m, 2, [5])
    card(m, 0, 5, targets=["neutral"], spin="topspin", start=["forehand"])
    play(m, "play 5", "stay")
    assert m.state["ball_spin"] == 0


def test_r27_d28_at_the_net_slice_is_ignored_unless_the_player_was_drawn_in():
    m = dry_match(stars=False)
    card(m, 0, VOLLEY, difficulty=4)
    card(m, 1, 2, adds=2, risk="blue")
    card(m, 0, 49, risk="orange")
    for spin, drawn_in, needed in (("none", False, 6), ("slice", False, 6), ("slice", True, 8)):
        facing(m, 2, [VOLLEY, 49], zone="net", spin=spin, drawn_in=drawn_in)
        assert successes(m, f"play {VOLLEY}") == list(range(needed, 21))
        assert rolls(m, "play 49") == drawn_in


# Special cards


def test_r22_a_drop_shot_costs_a_star_and_draws_the_opponent_in():
    m = dry_match(spin=False, stars=False)
    hold(m, 1, [2, 17, VOLLEY, SMASH])
    facing(m, 2, [DROP_SHOT, 3])
    m.state["stars"][0] = 1
    m.refresh()
    play(m, f"play {DROP_SHOT}", tape=dice(20))
    assert m.state["stars"][0] == 0 and pile(m, 0, "on_table") == [DROP_SHOT]
    assert phase(m) == "position" and legal(m) == ["stay", "net"]
    play(m, "stay")
    assert phase(m) == "reach" and m.seat == 1 and zone(m, 1) == "neutral"
    assert legal(m) == ["give up", "discard 2", "discard 17", f"discard {VOLLEY}", f"discard {SMASH}"]
    play(m, "discard 2")
    assert zone(m, 1) == "net"
    assert legal(m) == ["give up", "play 17", f"play {VOLLEY}"]  # any start zone, but a smash is for lobs
    card(m, 1, 17, targets=["neutral"], difficulty=0)
    card(m, 1, 18, targets=["neutral"])
    play(m, "play 17", tape=dice(20))
    play(m, "stay")
    hold(m, 1, [18, VOLLEY])
    card(m, 1, 17, risk="blue")
    play(m, "play 3")
    assert m.seat == 1 and legal(m) == ["give up", f"play {VOLLEY}"]  # the free start zone was for one stroke


def test_r22_no_drop_shot_without_a_star_or_against_a_net_player():
    m = dry_match(**PLAIN)
    for stars, their_zone, allowed in ((0, "neutral", False), (1, "net", False), (1, "backhand", True)):
        facing(m, 2, [DROP_SHOT, 3], their_zone=their_zone)
        m.state["stars"][0] = stars
        m.refresh()
        assert (f"play {DROP_SHOT}" in legal(m)) == allowed


def test_r23_d20_a_drop_volley_brings_both_to_the_net():
    m = dry_match(**PLAIN)
    hold(m, 1, [2, 17, VOLLEY])
    facing(m, 2, [DROP_VOLLEY, VOLLEY], zone="net")
    m.state["stars"][0] = 1
    m.refresh()
    play(m, f"play {DROP_VOLLEY}", "stay", tape=dice(20))
    play(m, "discard 2")
    assert zone(m, 0) == zone(m, 1) == "net"
    facing(m, 2, [DROP_VOLLEY, VOLLEY], zone="net", their_zone="net")
    assert legal(m) == ["give up", f"play {VOLLEY}"]


def test_d7_a_winner_rolls_even_against_blue():
    m = dry_match(**PLAIN)
    facing(m, 2, [WINNER])
    card(m, 1, 2, risk="blue", adds=0)
    assert rolls(m, f"play {WINNER}")
    assert successes(m, f"play {WINNER}") == []  # 22 cannot be rolled


@pytest.mark.parametrize(
    ("effort", "adds", "spin", "needed"),
    [(10, 0, "none", 12), (10, 3, "none", 15), (10, 3, "slice", 17), (30, 2, "none", 1)],
)
def test_d6_the_difficulty_of_a_winner(effort, adds, spin, needed):
    m = dry_match(stars=False)
    facing(m, 2, [WINNER], effort=effort, spin=spin)
    card(m, 1, 2, adds=adds)
    assert successes(m, f"play {WINNER}") == list(range(needed, 21))


@pytest.mark.parametrize("die", [11, 12])
def test_r24_d44_a_winner_returns_to_the_hand_and_earns_a_star_when_it_succeeds(die):
    m = dry_match(spin=False)
    m.state["stars"][0] = 2
    facing(m, 2, [WINNER, 3], effort=10)
    card(m, 1, 2, adds=0)
    play(m, f"play {WINNER}", "stars 0", tape=dice(die))
    assert hand(m, 0) == [3, WINNER] and WINNER in pile(m, 0, "shown")
    assert m.state["stars"][0] == (3 if die == 12 else 2)
    assert m.state["lead"] == (1 if die == 12 else -1)


def test_d9_a_stroke_that_succeeds_earns_its_stars_and_one_that_fails_does_not():
    m = dry_match(spin=False)
    card(m, 0, 3, stars=1, difficulty=9, targets=["neutral"])
    card(m, 1, 2, risk="red", adds=0)
    for die, stars in ((9, 3), (8, 2)):
        facing(m, 2, [3])
        m.state["stars"][0] = 2
        m.refresh()
        future = m.clone()
        play(future, "play 3", "stars 0", tape=dice(die))
        assert future.state["stars"][0] == stars


def test_r25_d33_a_warm_up_has_no_stars_on_cards_no_spin_and_no_spending():
    m = dry_match(level="warm_up")
    assert not m.options.stars and not m.options.spin and m.state["stars"].tolist() == [4, 4]
    assert rolls(m, "serve 65")
    card(m, 0, 3, stars=1, spin="slice", targets=["neutral"])
    facing(m, 2, [3, WINNER], effort=20)
    card(m, 1, 2, adds=0, risk="blue")
    winner = m.clone()
    play(winner, f"play {WINNER}", tape=dice(20))
    assert winner.state["stars"][0] == 4 and winner.state["lead"] == 1
    m.state["stars"][0] = 2
    play(m, "play 3", "stay")
    assert m.state["stars"][0] == 2 and m.state["ball_spin"] == 0


def test_r24_effort_counts_both_players_strokes_but_no_serve():
    m = dry_match(**PLAIN)
    for seat, number, difficulty in ((1, 3, 4), (0, 3, 6)):
        card(m, seat, number, difficulty=difficulty, start=["forehand"], targets=["forehand"])
        hold(m, seat, [number, 6])
    serve_in(m)
    assert m.state["effort"] == 0
    play(m, "play 3", "stay")
    assert m.state["effort"] == 4
    play(m, "play 3", "stay")
    assert m.state["effort"] == 10 and m.state["strokes"] == 2


# Challenges


def test_d19_a_first_fault_that_was_challenged_in_vain_is_followed_by_the_second_serve():
    m = dry_match(challenges=True, **PLAIN)
    play(m, "serve 64", tape=dice(9))
    assert phase(m) == "challenge" and m.seat == 0
    vain = m.clone()
    play(vain, "challenge", tape=[0])
    assert phase(vain) == "serve" and len(legal(vain)) == 4 and vain.state["tokens"].tolist() == [1, 2]
    play(m, "challenge", tape=[1])
    assert phase(m) == "serve" and len(legal(m)) == 5 and m.state["tokens"].tolist() == [2, 2]
    play(m, "serve 64", tape=dice(9))
    play(m, "accept")
    assert phase(m) == "serve" and len(legal(m)) == 4 and m.state["tokens"].tolist() == [2, 2]


def test_r28_no_challenge_without_tokens_or_two_short():
    m = dry_match(challenges=True, **PLAIN)
    assert result(m, "serve 64", 8) == "fault"
    m.state["tokens"][0] = 0
    play(m, "serve 64", tape=dice(9))
    assert phase(m) == "serve"


def test_r28_tokens_come_back_after_a_set():
    m = dry_match(challenges=True, **PLAIN)
    m.state["tokens"][:] = 0, 1
    m.state["score"]["games"][:] = 0, 5
    m.state["score"]["points"][:] = 0, 1
    play(m, "serve 61", "serve 62", tape=dice(1, 1))
    assert m.state["score"]["sets"].tolist() == [0, 1] and m.state["tokens"].tolist() == [2, 2]


def test_d18_a_replayed_point_discards_what_was_played_and_draws_nothing():
    m = match(challenges=True, spin=False)
    m.state["stars"][0] = 4
    facing(m, ATTACK, [3, WINNER])
    card(m, 1, ATTACK, adds=6)
    card(m, 0, 3, difficulty=9)
    put(m, 1, "on_table", [ATTACK])
    m.refresh()
    play(m, "play 3", "stars 1", "challenge", tape=[10, 1])
    assert phase(m) == "serve" and m.state["stars"][0] == 3
    assert hand(m, 0) == [WINNER] and pile(m, 0, "discarded") == [3] and pile(m, 1, "discarded") == [ATTACK]


# In words


def test_the_position_in_words_holds_what_a_player_decides_by():
    m = dry_match(spin=True)
    facing(m, ATTACK, [WINNER, 3], spin="slice", effort=9)
    m.state["strokes"] = 3
    put(m, 1, "discarded", [7, 12])
    m.refresh()
    text = m.describe(0)
    assert "ball of opponent: 25 forehand attack (orange 5) with slice to forehand, adds 4" in text
    assert "strokes so far: 3, their difficulties 9 in all" in text
    assert "  discarded: 7 12" in text.splitlines()
    play(m, f"play {WINNER}")
    text = m.describe(0)
    assert "you playing 33 winner (red 22)" in text and f"needs {22 - 9 + 4 + 2} on the d20" in text
    play(m, "stars 0", tape=dice(1))
    assert phase(m) == "serve" and "playing" not in m.describe(0)


def test_between_points_the_point_before_is_no_longer_told():
    m = dry_match(**PLAIN)
    hold(m, 0, range(1, 14))
    play(m, "serve 61", "serve 62", tape=dice(1, 1))
    text = m.describe(1)
    assert phase(m) == "hand limit" and "(opponent first)" in text
    assert "ball" not in text and "serve" not in text.replace("serving", "") and " in neutral" not in text
