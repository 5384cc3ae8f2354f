"""The rulebook's examples and rules by their ids WT-T1 to WT-T21, chance by tape."""

from __future__ import annotations

from collections import Counter

import pytest

from tennis_envs.games.worldwide_tennis.components import BREAKDOWN, DECKS, load
from tennis_envs.games.worldwide_tennis.state import PILES
from tests.games.worldwide_tennis.court import (
    ATTACK,
    BACKHAND_RALLY,
    FOREHAND_RALLY,
    LOB,
    PLACES,
    SMASH,
    VOLLEY,
    WINNER,
    card,
    dice,
    dry_match,
    facing,
    hand,
    hold,
    legal,
    match,
    phase,
    pile,
    play,
    result,
    rolls,
    serve_in,
    successes,
    zone,
)

NO_STARS = {"stars": False}


def from_(lowest: int) -> list[int]:
    """The rolls from `lowest` up."""
    return list(range(max(1, lowest), 21))


def test_wt_t1_a_winner_after_strokes_of_5_and_3_needs_14():
    m = dry_match(**NO_STARS)
    for seat, number, difficulty in ((1, FOREHAND_RALLY, 5), (0, BACKHAND_RALLY, 3), (1, 2, 0)):
        card(m, seat, number, difficulty=difficulty, adds=0, spin="none", start=["forehand"], targets=["forehand"])
    hold(m, 1, [FOREHAND_RALLY, 2])
    hold(m, 0, [BACKHAND_RALLY, WINNER])
    serve_in(m)
    play(m, f"play {FOREHAND_RALLY}", "stay")
    assert m.seat == 0 and zone(m, 0) == "forehand"
    play(m, f"play {BACKHAND_RALLY}", "stay")
    assert m.state["effort"] == 8
    play(m, "play 2", "stay")
    assert successes(m, f"play {WINNER}") == from_(14)
    assert all(result(m, f"play {WINNER}", die) == "won" for die in from_(14))


@pytest.mark.parametrize("serve", [0, 1, 2, 3, 4])
def test_wt_t2_a_serve_of_difficulty_n_is_in_from_n(serve):
    m = dry_match(level="warm_up")
    difficulty = int(m.rules["deck"][0]["difficulty"][60 + serve])
    assert successes(m, f"serve {61 + serve}") == from_(difficulty)
    assert len(successes(m, f"serve {61 + serve}")) == 21 - difficulty


def test_wt_t3_two_misses_lose_the_point():
    m = dry_match(level="warm_up")
    assert result(m, "serve 65", 1) == "fault"
    play(m, "serve 65", tape=dice(1))
    assert m.seat == 0 and legal(m) == ["serve 61", "serve 62", "serve 63", "serve 64"]
    assert result(m, "serve 61", 3) == "lost" and result(m, "serve 61", 4) == "on"


def test_wt_t4_no_roll_for_blue_or_orange_against_blue():
    m = dry_match(**NO_STARS)
    facing(m, FOREHAND_RALLY, [FOREHAND_RALLY, ATTACK, 35])
    card(m, 1, FOREHAND_RALLY, risk="blue")
    m.state["stars"][0] = 1
    m.refresh()
    assert not rolls(m, f"play {FOREHAND_RALLY}")
    assert not rolls(m, f"play {ATTACK}")
    assert rolls(m, "play 35")


def test_wt_t5_slice_makes_orange_and_red_roll_and_harder_by_2():
    m = dry_match(**NO_STARS)
    facing(m, FOREHAND_RALLY, [FOREHAND_RALLY, ATTACK, 35], spin="slice")
    card(m, 1, FOREHAND_RALLY, adds=3)
    card(m, 0, ATTACK, difficulty=6)
    card(m, 0, 35, difficulty=5)
    m.state["stars"][0] = 1
    m.refresh()
    assert not rolls(m, f"play {FOREHAND_RALLY}")
    assert successes(m, f"play {ATTACK}") == from_(6 + 3 + 2)
    assert successes(m, "play 35") == from_(5 + 3 + 2)


@pytest.mark.parametrize("risk", ["orange", "red"])
@pytest.mark.parametrize("surface", [0, 1, 2, 3])
def test_wt_t6_against_orange_or_red_every_reply_rolls(risk, surface):
    m = dry_match(**NO_STARS, surface=("clay", "hard", "grass", "indoor")[surface])
    facing(m, ATTACK, [FOREHAND_RALLY, ATTACK])
    card(m, 1, ATTACK, risk=risk, adds=[2, 3, 5, 7])
    card(m, 0, FOREHAND_RALLY, difficulty=4)
    card(m, 0, ATTACK, difficulty=6)
    adds = (2, 3, 5, 7)[surface]
    assert successes(m, f"play {FOREHAND_RALLY}") == from_(4 + adds)
    assert successes(m, f"play {ATTACK}") == from_(6 + adds)


@pytest.mark.parametrize(("stars", "less"), [(0, 0), (1, 3), (2, 5), (3, 7)])
def test_wt_t7_stars_in_a_rally(stars, less):
    m = dry_match()
    m.state["stars"][0] = 4
    facing(m, ATTACK, [FOREHAND_RALLY])
    card(m, 1, ATTACK, adds=5)
    card(m, 0, FOREHAND_RALLY, difficulty=8, stars=0)
    play(m, f"play {FOREHAND_RALLY}")
    assert legal(m) == ["stars 0", "stars 1", "stars 2", "stars 3"]
    assert successes(m, f"stars {stars}") == from_(8 + 5 - less)
    play(m, f"stars {stars}", tape=dice(20))
    assert m.state["stars"][0] == 4 - stars


@pytest.mark.parametrize(("stars", "less"), [(0, 0), (1, 2), (2, 4)])
def test_wt_t8_stars_on_a_serve(stars, less):
    m = dry_match()
    play(m, "serve 64", "spin none")
    assert legal(m) == ["stars 0", "stars 1", "stars 2"]
    assert successes(m, f"stars {stars}") == from_(10 - less)


def test_wt_t9_sides_in_a_tiebreak():
    m = dry_match(format="tiebreak", level="warm_up")
    for served in ("forehand", "backhand", "forehand", "backhand"):
        server = int(m.state["score"]["server"])
        assert zone(m, 1 - server) == served and zone(m, server) == "neutral"
        play(m, "serve 61", "serve 62", tape=dice(1, 1))


def test_wt_t10_sides_in_a_game():
    m = dry_match(level="warm_up")
    assert phase(m) == "serve" and zone(m, 1) == "forehand"
    play(m, "serve 61", "serve 62", tape=dice(1, 1))
    assert phase(m) == "serve" and zone(m, 1) == "backhand"
    serve_in(m)
    play(m, "give up")
    assert m.state["score"]["points"].tolist() == [1, 1]
    assert phase(m) == "side" and m.seat == 1
    for side in ("forehand", "backhand"):
        future = m.clone()
        play(future, f"side {side}")
        assert zone(future, 1) == side and future.seat == 0 and phase(future) == "serve"


def test_wt_t11_at_one_point_each_the_next_wins_the_game():
    m = dry_match(level="warm_up")
    play(m, "serve 61", "serve 62", tape=dice(1, 1))
    serve_in(m)
    play(m, "give up", "side backhand", "serve 61", "serve 62", tape=dice(1, 1))
    assert m.state["score"]["games"].tolist() == [0, 1]
    assert m.state["score"]["points"].tolist() == [0, 0]
    assert m.state["score"]["server"] == 1


@pytest.mark.parametrize(
    ("games", "after", "tiebreak", "sets"),
    [
        ((5, 5), (5, 6), 0, (0, 0)),
        ((6, 5), (6, 6), 1, (0, 0)),
        ((5, 6), (0, 0), 0, (0, 1)),
        ((4, 5), (0, 0), 0, (0, 1)),
    ],
)
def test_wt_t12_sets_need_a_lead_of_two_and_a_tiebreak_follows_six_all(games, after, tiebreak, sets):
    m = dry_match(level="warm_up")
    m.state["score"]["games"][:] = games
    m.state["score"]["points"][:] = 0, 1
    play(m, "serve 61", "serve 62", tape=dice(1, 1))
    assert tuple(m.state["score"]["games"]) == after
    assert m.state["score"]["tiebreak"] == tiebreak
    assert tuple(m.state["score"]["sets"]) == sets


def test_wt_t12_the_tiebreak_goes_to_seven_by_two():
    m = dry_match(level="warm_up")
    m.state["score"]["games"][:] = 6, 6
    m.state["score"]["tiebreak"] = 1
    m.state["score"]["points"][:] = 6, 6
    play(m, "serve 61", "serve 62", tape=dice(1, 1))
    assert m.state["score"]["points"].tolist() == [6, 7]
    server = int(m.state["score"]["server"])
    if server == 0:
        play(m, "serve 61", "serve 62", tape=dice(1, 1))
    else:
        m.state["score"]["server"] = m.state["striker"] = m.state["seat"] = 0
        m.refresh()
        play(m, "serve 61", "serve 62", tape=dice(1, 1))
    assert m.state["score"]["sets"].tolist() == [0, 1] and m.state["score"]["games"].tolist() == [0, 0]


def test_wt_t13_a_fresh_match():
    m = match()
    marked = {0, 12, 24, 32, 37, 47}
    for seat in range(2):
        assert len(hand(m, seat)) == 12
        assert len(pile(m, seat, "in_deck")) == 48
        assert marked <= {number - 1 for number in hand(m, seat)}
        assert m.state["stars"][seat] == 4
    m.state["stars"][0] = 5
    facing(m, ATTACK, [5])
    card(m, 1, ATTACK, adds=0)
    play(m, "play 5", "stars 0", tape=dice(20))
    assert m.state["stars"][0] == 5  # a sixth star does not exist


def test_wt_t14_a_challenge_face_up_scores_a_winner_and_replays_anything_else():
    m = dry_match(challenges=True, stars=False)
    facing(m, FOREHAND_RALLY, [WINNER, 35], effort=10)
    card(m, 1, FOREHAND_RALLY, adds=0, risk="red")
    assert result(m, f"play {WINNER}", 10) == "lost"  # two short: no challenge
    play(m, f"play {WINNER}", tape=dice(11))
    assert phase(m) == "challenge" and m.seat == 0
    lead = int(m.state["lead"])
    play(m, "challenge", tape=[1])
    assert m.state["lead"] == lead + 1 and m.state["tokens"][0] == 2

    m = dry_match(challenges=True, stars=False)
    facing(m, FOREHAND_RALLY, [FOREHAND_RALLY, 2])
    card(m, 1, FOREHAND_RALLY, adds=5, risk="red")
    card(m, 0, FOREHAND_RALLY, difficulty=5)
    score = m.state["score"].tobytes()
    play(m, f"play {FOREHAND_RALLY}", "challenge", tape=[8, 1])
    assert m.state["score"].tobytes() == score and m.state["tokens"][0] == 2 and m.state["lead"] == 0
    assert phase(m) == "serve" and m.seat == 0 and len(legal(m)) == 5
    assert hand(m, 0) == [2] and pile(m, 0, "discarded") == [FOREHAND_RALLY]


def test_wt_t15_a_challenge_face_down_costs_the_token_and_the_point():
    m = dry_match(challenges=True, stars=False)
    facing(m, FOREHAND_RALLY, [FOREHAND_RALLY, 2])
    card(m, 1, FOREHAND_RALLY, adds=5, risk="red")
    card(m, 0, FOREHAND_RALLY, difficulty=5)
    play(m, f"play {FOREHAND_RALLY}", "challenge", tape=[8, 0])
    assert m.state["tokens"].tolist() == [1, 2] and m.state["lead"] == -1


@pytest.mark.parametrize(("die", "lands"), [(16, "forehand"), (17, "backhand")])
def test_wt_t16_the_virtual_target_by_parity(die, lands):
    m = dry_match(mode="solo", spin=False, stars=False)
    to_virtual(m, FOREHAND_RALLY, ball_risk="red")
    first, last = PILES[0]
    for number in range(first + 1, last + 1):
        card(m, 1, number, targets=["forehand", "backhand"])
    play(m, "stay", tape=[0, die - 1])
    assert ["forehand", "neutral", "backhand", "net"][m.state["ball_zone"]] == lands and m.seat == 0


def to_virtual(m, ball: int, ball_risk: str = "blue", lands: int = 0, my_zone: int = 1, adds: int = 0, **ball_values) -> None:
    """Let seat 0 have made stroke `ball`, about to end its turn, the virtual opponent in neutral."""
    hold(m, 0, [FOREHAND_RALLY, BACKHAND_RALLY, VOLLEY, 37])
    card(m, 0, ball, risk=ball_risk, adds=adds, **ball_values)
    state = m.state
    state["score"]["server"], state["striker"], state["seat"] = 0, 0, 0
    state["zone"][:] = my_zone, 1
    state["ball"], state["ball_spin"], state["card"], state["target"] = 0, 0, ball - 1, lands
    state["phase"] = 10
    m.refresh()


@pytest.mark.parametrize("die_6", range(1, 7))
def test_wt_t17_the_virtual_serve_spin_by_d6(die_6):
    m = dry_match(mode="solo", first_server="player_0")
    m.state["score"]["points"][:] = 0, 1
    m.state["score"]["games"][:] = 0, 0
    hold(m, 0, [FOREHAND_RALLY, BACKHAND_RALLY])
    play(m, "serve 61", "spin none", "stars 0", "serve 62", "spin none", "stars 0", tape=[0, 0, die_6 - 1, 11])
    assert m.state["score"]["server"] == 1 and m.seat == 0 and phase(m) == "stroke"
    assert m.state["ball_spin"] == (0, 0, 1, 1, 2, 2)[die_6 - 1]
    assert m.state["ball"] == 63 and zone(m, 1) == "neutral"


@pytest.mark.parametrize(("die", "where"), [(14, "neutral"), (15, "net"), (16, "net"), (17, "neutral")])
def test_wt_t17_the_virtual_server_comes_in_on_15_and_16(die, where):
    m = dry_match(mode="solo", first_server="player_0", level="warm_up")
    m.state["score"]["points"][:] = 0, 1
    hold(m, 0, [FOREHAND_RALLY, BACKHAND_RALLY])
    play(m, "serve 61", "serve 62", tape=[0, 0, die - 1])
    assert zone(m, 1) == where


def test_wt_t17_the_virtual_serves_are_10_then_4():
    m = dry_match(mode="solo", first_server="player_0", level="warm_up")
    m.state["score"]["points"][:] = 0, 1
    hold(m, 0, [FOREHAND_RALLY, BACKHAND_RALLY])
    for first, second, ball in ((10, None, 10), (9, 4, 4)):
        future = m.clone()
        play(future, "serve 61", "serve 62", tape=dice(1, 1, first, *([second] if second else [])))
        assert m.rules["deck"][1]["difficulty"][future.state["ball"]] == ball
    play(m, "serve 61", "serve 62", tape=dice(1, 1, 9, 3, 11))
    assert m.state["score"]["points"].tolist() == [1, 0] and m.state["lead"] == 0


def test_wt_t18_a_lob_at_the_net_without_a_smash_costs_a_card_or_the_point():
    m = dry_match(**NO_STARS)
    facing(m, LOB, [FOREHAND_RALLY, VOLLEY], zone="net", lands="forehand", their_zone="backhand")
    m.state["phase"] = 17
    reach_lob(m)
    assert legal(m) == ["give up", f"discard {FOREHAND_RALLY}", f"discard {VOLLEY}"]
    assert result(m, "give up") == "lost"
    play(m, f"discard {VOLLEY}")
    assert zone(m, 0) == "forehand" and phase(m) == "stroke" and legal(m) == ["give up", f"play {FOREHAND_RALLY}"]
    hold(m, 0, [SMASH, VOLLEY, FOREHAND_RALLY])
    reach_lob(m)
    assert f"play {SMASH}" in legal(m) and f"play {VOLLEY}" not in legal(m)


def reach_lob(m) -> None:
    """Put seat 0 at the net under the opponent's lob."""
    m.state["zone"][0], m.state["ball_zone"], m.state["ball"] = 3, 0, LOB - 1
    m.state["phase"] = 5
    m.refresh()


def test_wt_t19_no_card_for_the_ball_loses_the_point():
    m = dry_match(**NO_STARS)
    hold(m, 1, [BACKHAND_RALLY, VOLLEY])  # none is played from the forehand zone
    card(m, 1, BACKHAND_RALLY, start=["backhand"])
    play(m, "serve 61", "spin none", tape=dice(14))
    before = int(m.state["lead"])
    play(m, "stay")
    assert m.state["lead"] == before + 1


def test_wt_t20_a_hand_over_twelve_is_trimmed():
    m = match(**NO_STARS)
    m.rules["deck"]["draw"][:] = 0
    card(m, 0, 61, draw=3)
    hold(m, 0, range(1, 12))
    play(m, "serve 61", "spin none", tape=dice(14))
    play(m, "stay")
    play(m, "give up", tape=[20, 21, 22])
    assert phase(m) == "hand limit" and m.seat == 0 and len(hand(m, 0)) == 14
    assert legal(m) == [f"discard {number}" for number in hand(m, 0)]
    play(m, "discard 1", "discard 21")
    assert hand(m, 0) == [*range(2, 12), 22, 23] and pile(m, 0, "discarded") == [1, 21]
    assert phase(m) == "serve"


def test_wt_t21_the_number_ranges_and_the_breakdown_add_up():
    assert [last - first for first, last in PILES] == [12, 12, 13, 10, 13]
    assert sum(last - first for first, last in PILES) + 5 == 65
    assert sum(count for count, _ in BREAKDOWN.values()) == 60
    for deck in DECKS:
        strokes = load().strokes(deck)
        assert [number for number, _ in strokes] == list(range(1, 61))
        assert [serve.id for serve in load().serves(deck)] == [61, 62, 63, 64, 65]
        colours = Counter(stroke.risk for _, stroke in strokes)
        assert colours == {"blue": 27, "orange": 14, "red": 19}
        assert Counter(stroke.kind for _, stroke in strokes) == {kind: count for kind, (count, _) in BREAKDOWN.items()}


def test_cards_are_never_lost_in_these_examples():
    m = match()
    serve_in(m)
    play(m, "give up")
    assert all(pile(m, seat, "on_table") == [] for seat in range(2))
    assert all(sum(len(pile(m, seat, place)) for place in PLACES) == 60 for seat in range(2))
