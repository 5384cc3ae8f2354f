"""The virtual opponent by its R and D numbers."""

from __future__ import annotations

import pytest

from tennis_envs.games.worldwide_tennis.components import KINDS
from tennis_envs.games.worldwide_tennis.state import PILES
from tests.games.worldwide_tennis.court import (
    FOREHAND_RALLY,
    LOB,
    SMASH,
    VOLLEY,
    WINNER,
    card,
    dry_match,
    hand,
    hold,
    match,
    phase,
    pile,
    play,
    put,
    serve_in,
    zone,
)

ZONES = ("forehand", "neutral", "backhand", "net")
PLAIN = {"mode": "solo", "stars": False, "spin": False}
MINE = [FOREHAND_RALLY, 7, 13, 37, VOLLEY]


def ball(
    m, lands: str = "forehand", *, mine: str = "neutral", theirs: str = "neutral", number: int = 2, spin: str = "none",
    penalty: int = 0, cards=MINE, adds: int = 0,
) -> None:  # fmt: skip
    """Let seat 0 be about to end its turn after card `number`, its ball landing in a zone."""
    hold(m, 0, cards)
    card(m, 0, number, adds=adds)
    state = m.state
    state["striker"] = state["seat"] = 0
    state["zone"][:] = ZONES.index(mine), ZONES.index(theirs)
    state["ball"], state["ball_spin"], state["card"], state["target"] = -1, 0, number - 1, ZONES.index(lands)
    state["spin"] = ("none", "topspin", "slice").index(spin)
    state["penalty"] = penalty
    state["phase"] = 10
    m.refresh()


def first_card(m) -> set[int]:
    """The numbers of the cards that the virtual opponent may turn up next."""
    return {outcome + 1 for outcome, _ in m.chance_events("stay")}


def all_blue(m) -> None:
    """Cards of the virtual opponent that never roll, with one target."""
    for number in range(1, 61):
        if m.rules["deck"][1]["kind"][number - 1] != KINDS.index("winner"):
            card(m, 1, number, risk="blue", targets=["forehand"], difficulty=4)


# R30, R32


def test_r30_d38_the_virtual_opponent_has_five_piles_and_nothing_else():
    m = match(mode="solo", challenges=True)
    assert m.seats == 1
    assert m.state["stars"].tolist() == [4, 0] and m.state["tokens"].tolist() == [2, 0]
    assert hand(m, 1) == [] and len(pile(m, 1, "in_deck")) == 60


@pytest.mark.parametrize(
    ("lands", "mine", "theirs", "numbers"),
    [
        ("forehand", "neutral", "neutral", range(1, 13)),
        ("backhand", "neutral", "neutral", range(13, 25)),
        ("neutral", "neutral", "forehand", range(25, 38)),
        ("forehand", "net", "neutral", range(38, 48)),
        ("neutral", "net", "neutral", range(38, 48)),
        ("forehand", "neutral", "net", range(48, 61)),
        ("forehand", "net", "net", range(48, 61)),
    ],
)
def test_r32_from_which_pile_it_plays(lands, mine, theirs, numbers):
    m = dry_match(**PLAIN)
    ball(m, lands, mine=mine, theirs=theirs)
    assert first_card(m) == set(numbers)


def test_r32_an_empty_pile_is_made_anew_from_its_own_discards():
    m = dry_match(**PLAIN)
    put(m, 1, "discarded", range(1, 25))
    ball(m, "forehand")
    assert first_card(m) == set(range(1, 13))
    put(m, 1, "in_deck", [5])
    assert first_card(m) == {5}


# R33, R34, R35


@pytest.mark.parametrize(
    ("targets", "even", "odd"),
    [
        (["forehand", "backhand"], "forehand", "backhand"),
        (["forehand", "neutral"], "forehand", "neutral"),
        (["neutral", "backhand"], "neutral", "backhand"),
        (["forehand", "neutral", "backhand"], "forehand", "backhand"),
        (["neutral"], "neutral", "neutral"),
    ],
)
def test_r33_d36_targets_by_parity(targets, even, odd):
    for rolled in (False, True):
        m = dry_match(**PLAIN)
        card(m, 0, 2, risk="red" if rolled else "blue")
        for number in range(1, 13):
            card(m, 1, number, targets=targets, difficulty=0)
        for die, where in ((8, even), (9, odd)):
            ball(m, "forehand")
            future = m.clone()
            tape = [0, die - 1] if rolled or len(targets) > 1 else [0]
            play(future, "stay", tape=tape)
            assert future.state["ball_zone"] == ZONES.index(where)


def test_r34_its_winner_scores_without_a_roll():
    m = dry_match(**PLAIN)
    ball(m, "neutral")
    play(m, "stay", tape=[WINNER - 1])
    assert m.state["lead"] == -1 and WINNER in pile(m, 1, "discarded")


def test_r35_a_card_that_it_cannot_play_is_replaced_once():
    m = dry_match(**PLAIN)
    all_blue(m)
    card(m, 1, 40, start=["forehand"])
    for number in (42, 43):
        card(m, 1, number, start=["backhand"])
    ball(m, "forehand", mine="net")
    second = m.clone()
    play(second, "stay", tape=[41, 39])
    assert second.state["ball"] == 39 and second.state["lead"] == 0
    assert {40, 42} <= set(pile(second, 1, "discarded"))
    play(m, "stay", tape=[41, 42])
    assert m.state["lead"] == 1


def test_d37_a_drop_volley_against_a_net_player_cannot_be_played():
    m = dry_match(**PLAIN)
    all_blue(m)
    ball(m, "forehand", mine="net", theirs="net")
    play(m, "stay", tape=[57, 47])
    assert m.state["ball"] == 47


def test_r39_it_plays_drop_shots_without_stars():
    m = dry_match(**PLAIN)
    card(m, 1, 35, difficulty=0)
    ball(m, "neutral")
    play(m, "stay", tape=[34, 19])
    assert m.state["ball"] == 34 and m.state["stars"][1] == 0
    assert phase(m) == "reach" and m.seat == 0


# R36, R37


@pytest.mark.parametrize(
    ("theirs", "lands", "number", "penalty"),
    [
        ("neutral", "forehand", 2, 0),
        ("forehand", "neutral", 2, 0),
        ("forehand", "backhand", 2, 1),
        ("backhand", "forehand", 2, 1),
        ("backhand", "net", 35, 1),
        ("net", "forehand", 2, 0),
    ],
)
def test_r36_what_a_player_would_pay_for_makes_its_strokes_harder(theirs, lands, number, penalty):
    m = dry_match(**PLAIN)
    for n in range(1, 61):
        card(m, 1, n, difficulty=3, targets=["forehand"], to_net=0)
    card(m, 0, number, risk="red")
    ball(m, lands, theirs=theirs, number=number, penalty=2, adds=4)
    top = {"forehand": 0, "backhand": 12, "neutral": 24, "net": 47}["net" if "net" in (theirs, lands) else lands]
    needed = 3 + 4 + 2 + penalty
    for die, lead in ((needed - 1, 1), (needed, 0)):
        future = m.clone()
        play(future, "stay", tape=[top, die - 1])
        assert future.state["lead"] == lead
        assert lead or future.state["penalty"] == 2 + penalty
        assert lead or zone(future, 1) == lands or theirs == "net"


def test_r36_the_penalty_is_for_one_rally():
    m = dry_match(**PLAIN)
    all_blue(m)
    ball(m, "forehand", theirs="backhand")
    play(m, "stay", tape=[0])
    assert m.state["penalty"] == 1
    play(m, "give up", tape=[5, 19] if m.state["score"]["server"] == 1 else [])
    assert m.state["penalty"] == 0


def test_d22_a_penalty_changes_nothing_where_no_roll_is_due():
    m = dry_match(**PLAIN)
    all_blue(m)
    card(m, 0, 2, risk="blue")
    ball(m, "forehand", penalty=30)
    play(m, "stay", tape=[0])
    assert m.state["lead"] == 0 and m.seat == 0


@pytest.mark.parametrize(
    ("mine", "number", "spin", "where", "penalty"),
    [("neutral", 2, "none", "net", 0), ("neutral", 2, "topspin", "net", 1)],
)
def test_r37_d38_it_follows_the_arrow_to_the_net(mine, number, spin, where, penalty):
    m = dry_match(mode="solo", stars=False)
    all_blue(m)
    card(m, 0, number, risk="blue")
    for n in range(1, 13):
        card(m, 1, n, to_net=1, spin="none")
    ball(m, "forehand", mine=mine, number=number, spin=spin)
    play(m, "stay", tape=[0])
    assert zone(m, 1) == where and m.state["penalty"] == penalty


def test_d38_not_to_a_net_where_the_player_is_nor_after_a_lob():
    m = dry_match(**PLAIN)
    all_blue(m)
    for n in range(1, 61):
        card(m, 1, n, to_net=1)
    card(m, 1, 40, start=["forehand"])
    card(m, 0, 2, risk="blue")
    ball(m, "forehand", mine="net")
    play(m, "stay", tape=[39])
    assert zone(m, 1) == "forehand"
    card(m, 0, LOB, risk="blue")
    ball(m, "forehand", theirs="net", number=LOB)
    play(m, "stay", tape=[47, 0])
    assert zone(m, 1) == "forehand" and m.state["ball"] == 0


# R38


def test_r38_a_smash_without_a_lob_stays_ready():
    m = dry_match(**PLAIN)
    all_blue(m)
    ball(m, "forehand", theirs="net")
    play(m, "stay", tape=[SMASH - 1, 47])
    assert SMASH in pile(m, 1, "shown") and m.state["ball"] == 47
    assert "smash ready" in m.describe(0)
    play(m, "give up", tape=[] if m.state["score"]["server"] == 0 else [5, 19])
    assert SMASH in pile(m, 1, "shown")  # D40


@pytest.mark.parametrize("ready", [True, False])
def test_r38_against_a_lob_it_smashes(ready):
    m = dry_match(**PLAIN)
    card(m, 1, SMASH, difficulty=3, targets=["forehand"])
    if ready:
        put(m, 1, "shown", [SMASH])
    for die, lead in ((7, 1), (8, 0)):
        ball(m, "backhand", theirs="net", number=LOB, adds=5)
        future = m.clone()
        play(future, "stay", tape=([] if ready else [SMASH - 1]) + [die - 1])
        assert future.state["lead"] == lead and SMASH in pile(future, 1, "discarded")
        assert lead or (future.state["ball"] == SMASH - 1 and zone(future, 1) == "net")


def test_r38_without_a_smash_the_card_is_lost_and_it_goes_back():
    m = dry_match(**PLAIN)
    all_blue(m)
    card(m, 0, LOB, risk="red")
    ball(m, "backhand", theirs="net", number=LOB)
    assert first_card(m) == set(range(48, 61))
    events = m.chance_events("stay", [47])
    assert {outcome + 1 for outcome, _ in events} == set(range(13, 25))
    play(m, "stay", tape=[47, 12, 19])
    assert 48 in pile(m, 1, "discarded") and zone(m, 1) == "backhand" and m.state["penalty"] == 1
    m = dry_match(**PLAIN)
    ball(m, "backhand", mine="net", theirs="net", number=LOB)
    events = m.chance_events("stay", [47])
    assert {outcome + 1 for outcome, _ in events} == set(range(38, 48))


# R31 and the rest of a solo match


def test_r31_its_ace_wins_and_two_faults_lose():
    m = dry_match(mode="solo", level="warm_up")
    m.rules["deck"][1]["ace"][3] = 19
    m.state["score"]["points"][:] = 0, 1
    hold(m, 0, MINE)
    for tape, lead in (([0, 0, 18, 11], -2), ([0, 0, 17], -1), ([0, 0, 8, 2, 11], 0)):
        future = m.clone()
        play(future, "serve 61", "serve 62", tape=tape)
        assert future.state["lead"] == lead


def test_r5_d48_the_virtual_receiver_takes_a_side_by_chance():
    for side, where in ((0, "forehand"), (1, "backhand")):
        m = dry_match(mode="solo", level="warm_up")
        m.state["score"]["points"][:] = 1, 0
        play(m, "serve 61", "serve 62", tape=[0, 0, side])
        assert zone(m, 1) == where and phase(m) == "serve"


def test_r5_against_the_virtual_server_the_player_chooses():
    m = dry_match(mode="solo", level="warm_up")
    m.state["score"]["points"][:] = 0, 1
    hold(m, 0, MINE)
    play(m, "serve 61", "serve 62", tape=[0, 0, 11])
    m.state["score"]["points"][:] = 0, 1
    play(m, "give up", tape=[])
    assert m.state["score"]["games"].tolist() == [0, 2] or phase(m) == "side"


def test_r40_the_player_may_challenge():
    m = dry_match(mode="solo", challenges=True, stars=False, spin=False)
    play(m, "serve 64", tape=[8])
    assert phase(m) == "challenge"


def test_r39_only_the_player_changes_ends_draws_and_trims():
    m = dry_match(**PLAIN)
    m.rules["deck"]["draw"][1] = 5
    m.state["score"]["games"][:] = 5, 5
    m.state["score"]["points"][:] = 1, 0
    hold(m, 0, [1, 2], [20])
    m.state["stars"][0] = 2
    serve_in_tape = [13]
    play(m, "serve 61", tape=serve_in_tape)
    all_blue(m)
    play(m, "stay", tape=[0])
    play(m, "give up", tape=[0])
    m.state["score"]["points"][:] = 1, 1
    play(m, "serve 61", "serve 62", tape=[0, 0])
    assert phase(m) == "change of ends" and m.seat == 0
    play(m, "focus")
    play(m, "take none", tape=[11])
    assert m.seat == 0 and len(pile(m, 1, "in_deck")) == 59 and hand(m, 1) == []


def test_serve_and_rally_with_the_virtual_opponent_pass_the_turn_only_to_the_player():
    m = dry_match(**PLAIN)
    all_blue(m)
    hold(m, 0, MINE)
    serve_in(m)
    assert m.seat == 0 and phase(m) in ("stroke", "reach")
    assert [last - first for first, last in PILES] == [12, 12, 13, 10, 13]


def test_the_virtual_opponent_is_seen_with_a_full_hand():
    for options in ({"mode": "solo"}, {}):
        m = match(**options)
        for held in ((), (2, 17)):
            if not options:
                hold(m, 1, held)
            seen = m.observe(0)[m.game.features["their_hand"]]
            assert seen == (12 if options else len(held)) / 16
