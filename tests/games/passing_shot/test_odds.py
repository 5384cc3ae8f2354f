"""Exact odds over the tape's explicit chance, as fractions, against a plain count of all faces."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from scripted_dice import legal, phase, rally, start

from tennis_envs import Match
from tennis_envs.games.passing_shot.rules import successes
from tennis_envs.games.passing_shot.text import dice


def serves(thrown: int = 5, **options):
    """Each way in which the first serve with so many dice can fall: its probability and the match it leads to.

    After a valid serve without Energy comes a return that stops the match, so that the serve's total can be read.
    """
    match = Match("passing_shot", seed=0, **{"format": "point", "first_server": "toss", "surface": "clay", **options})
    match.state.seat = 0
    match.state.dice[0] = thrown
    match.refresh()
    events = match.chance_events("serve first")
    total = sum(weight for _, weight in events)
    for outcome, weight in events:
        future = match.clone()
        future.tape = [outcome, *dice("B B E O N")]
        future.apply("serve first")
        yield Fraction(weight, total), future


def total_of(match: Match) -> int:
    """What the serve was worth."""
    return successes(match.state) if match.seat == 0 else int(match.state.need)


@pytest.mark.parametrize(
    ("thrown", "valid"),
    [
        (5, Fraction(3227, 3888)),
        (4, Fraction(131, 162)),
        (3, Fraction(43, 54)),
        (2, Fraction(7, 9)),
        (1, Fraction(2, 3)),
    ],
)
def test_valid_rolls(thrown, valid):
    found = list(serves(thrown, level="beginner"))
    assert sum(p for p, _ in found) == 1
    assert sum(p for p, match in found if not match.over) == valid


def test_balls_of_a_valid_roll():
    odds = Counter()
    for p, match in serves(level="beginner"):
        if not match.over:
            odds[total_of(match)] += p
    counted = Counter()
    for faces in product("BBBONE", repeat=5):
        if faces.count("B") >= max(faces.count("O"), faces.count("N")):
            counted[faces.count("B")] += Fraction(1, 6**5)
    assert odds == counted
    given = {balls: round(float(p / sum(odds.values())), 3) for balls, p in odds.items() if balls}
    assert given == {1: 0.049, 2: 0.349, 3: 0.377, 4: 0.188, 5: 0.038}


def test_aces_and_rolls_without_a_ball():
    found = list(serves(level="experienced"))
    assert sum(p for p, match in found if match.over) == Fraction(1, 32)
    assert sum(p for p, match in found if not match.over and phase(match) == "re-roll") == Fraction(1, 32)


def test_valid_rolls_with_an_out_can_be_challenged():
    """0.465, as a fraction."""
    found = [(p, match) for p, match in serves(level="beginner", hawk_eye=True) if not match.over]
    odds = Fraction(0)
    for p, match in found:
        if match.seat == 0:
            future = match.clone()
            future.tape = dice("B B E O N")
            future.apply("play on")
            while not future.over and future.seat == 0:
                future.apply("play on")
            match = future
        odds += p * ("hawk-eye" in legal(match))
    counted = sum(
        Fraction(1, 6**5) for faces in product("BBBONE", repeat=5) if 0 < faces.count("O") <= faces.count("B") >= faces.count("N")
    )
    assert odds == counted
    assert round(float(odds), 3) == 0.465


def test_half_of_all_challenges_succeed():
    match = start("B B B B O", hawk_eye=True)
    futures = list(match.futures("hawk-eye"))
    assert sum(p for p, _ in futures) == 1
    assert sum(p for p, future in futures if future.winner == 1) == Fraction(1, 2)
    assert sorted(match.chance_events("hawk-eye")) == [(1, 3), (2, 1), (3, 1), (4, 1)]


@pytest.mark.parametrize("thrown", [1, 2, 3])
def test_an_ensured_serve_fails_without_a_ball(thrown):
    match = start("B B O O O", level="experienced", concentration=False)
    lost = Fraction(0)
    for outcome, weight in match.chance_events(f"ensure {thrown}"):
        future = match.clone()
        future.tape = [outcome, *dice("B B B E N")]
        future.apply(f"ensure {thrown}")
        lost += Fraction(weight, 6**thrown) * future.over
    assert lost == Fraction(1, 2**thrown)


def test_the_courts_own_ball_is_one_side_of_three():
    match = start("B B O O O", level="experienced", surfaces=True)
    weights = dict(match.chance_events("ensure 1"))
    assert [weights[dice(face, surfaces=True)[0]] for face in ("Bc", "B", "O", "N", "E")] == [1, 2, 1, 1, 1]
    assert sum(weights.values()) == 6


@pytest.mark.parametrize("called", [3, 4, 5])
def test_a_called_winner(called):
    futures = list(rally("B B B N O").futures(f"winner {called}"))
    assert sum(p for p, _ in futures) == 1
    hit = sum(p for p, future in futures if future.over and future.winner == 0)
    counted = Fraction(0)
    for faces in product("BBBONE", repeat=5):
        balls = faces.count("B")
        good = balls == called and balls >= 2 * max(faces.count("O"), faces.count("N"))
        counted += Fraction(good or balls == 5, 6**5)
    assert hit == counted


def test_a_roll_at_the_net():
    futures = list(rally("B B B N O", concentration=False).futures("net"))
    assert sum(p for p, _ in futures) == 1
    lost = sum(p for p, future in futures if future.over and future.winner == 1)
    counted = Fraction(0)
    for faces in product("BBBONE", repeat=5):
        balls, outs, nets, energies = (faces.count(face) for face in "BONE")
        good = balls >= max(outs, nets) and balls + nets >= 2 * outs
        counted += Fraction(not (good and (energies > 0 or balls + nets >= 3)), 6**5)
    assert lost == counted


def test_futures_leave_the_match_as_it_is():
    match = rally("B B B N O")
    before = match.state.tobytes(), match.decisions, match.mask().tobytes()
    assert sum(1 for _ in match.futures("roll")) == 56  # multisets of five dice and four faces
    assert (match.state.tobytes(), match.decisions, match.mask().tobytes()) == before
