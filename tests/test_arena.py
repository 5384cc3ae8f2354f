"""Matches with mirrored seats, and intervals."""

from __future__ import annotations

import numpy as np
import pytest
from levels import every_game, every_versus, formats, lasting
from test_opponents import policy

from tennis_envs import Match, MatchBatch, opponent
from tennis_envs.arena import Result, play_matches
from tennis_envs.opponents.trained import PolicyOpponent


class Always:
    """Plays the first or the last legal action."""

    def __init__(self, last: bool) -> None:
        self.last = last
        self.seats: list[np.ndarray] = []

    def act(self, match: Match) -> int:
        return match.legal_actions()[-1 if self.last else 0]

    def act_batch(self, batch: MatchBatch, rows: np.ndarray) -> np.ndarray:
        self.seats.append(batch.seat[rows])
        mask = batch.action_mask[rows]
        return (mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1) if self.last else mask.argmax(axis=1)).astype(np.int32)


# Wilson's interval. Known values: Newcombe, Statistics in Medicine 17 (1998), table I (81/263, 15/148, 0/20, 1/29);
# half of 100 and all of 10 by the textbook formula with z = 1.96
@pytest.mark.parametrize(
    ("wins", "matches", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (50, 100, 0.4038, 0.5962),
        (10, 10, 0.7225, 1.0),
    ],
)
def test_wilsons_interval(wins, matches, low, high):
    assert Result(matches, wins).interval == pytest.approx((low, high), abs=6e-5)


def test_results():
    assert Result(0, 0).interval == (0.0, 1.0) and Result(0, 0).rate == 0.5
    assert Result(10, 4, 2).rate == 0.5 and Result(10, 4, 2).interval == Result(10, 5).interval
    assert Result(10, 4, 2) + Result(20, 3, 1) == Result(30, 7, 3)
    assert str(Result(100, 50)) == "50.0% (40.4% to 59.6%)"


_SHORT = {"passing_shot": 14}  # decisions in which some matches come to an end, and some do not


@every_game
@pytest.mark.parametrize("matches", [-2, 0, 1, 3, 101])
def test_seats_cannot_be_mirrored_in_an_odd_number(game, matches):
    first = opponent("random", game)
    with pytest.raises(ValueError, match=f"^matches cannot be {matches}: seats are mirrored.*above 0[.]$"):
        play_matches(game, first, first, matches)


@every_versus
def test_a_player_against_itself_is_exactly_even(game, level):
    """Both halves meet the same luck, so what is won at one side is lost at the other: exactly, whoever plays."""
    given = {**lasting(game, level, 1)}
    for make in (
        lambda: opponent("scripted", game),
        lambda: opponent("random", game),  # draws from the streams of the matches
        lambda: PolicyOpponent(policy(game)),
        lambda: Always(True),
    ):
        result = play_matches(game, make(), make(), 60, seed=4, **given)
        assert (result.matches, result.wins, result.draws) == (60, 30, 0)
    random = opponent("random", game)
    short = play_matches(game, random, random, 60, seed=4, **given, max_decisions=_SHORT.get(game, 150))
    assert 2 * short.wins + short.draws == 60
    assert 0 < short.draws < 60 or game != "passing_shot"


@every_versus
def test_first_and_second_are_told_apart(game, level):
    given = {**lasting(game, level, 1)}
    one = play_matches(game, Always(False), Always(True), 60, seed=4, **given)
    other = play_matches(game, Always(True), Always(False), 60, seed=4, **given)
    assert one.wins + other.wins == 60 and one.wins != 30
    scripted, random = opponent("scripted", game), opponent("random", game)
    assert play_matches(game, scripted, random, 200, seed=1, **given).interval[0] > 0.5
    assert play_matches(game, random, scripted, 200, seed=1, **given).interval[1] < 0.5


@every_versus
def test_the_matches_of_an_arena_by_hand(game, level):
    given = {**lasting(game, level, 1), "max_decisions": _SHORT.get(game, 150)}
    players = Always(False), Always(True)
    result = play_matches(game, *players, 40, seed=9, **given)
    seats = [set(np.concatenate(player.seats).tolist()) for player in players]
    every = set(range(MatchBatch(game, 1, **given).num_seats))
    assert seats == [every, every]
    seed = int(np.random.SeedSequence(9).generate_state(1)[0])
    wins = draws = 0
    for side in range(2):
        for row in range(20):
            match = Match(game, seed=seed, index=row, **given)
            while not match.over and not match.truncated:
                match.apply(players[0 if match.seat % 2 == side else 1].act(match))
            wins += match.winner == side
            draws += match.truncated
    assert result == Result(40, wins, draws)
    assert (0 < draws < 40 and wins > 0) or game != "passing_shot"


@every_game
def test_seeds_and_ticks(game):
    ticks: list[int] = []
    given = {"format": formats(game)[1]}
    random, scripted = opponent("random", game), opponent("scripted", game)
    one = play_matches(game, scripted, random, 50, seed=1, tick=ticks.append, **given)
    assert sum(ticks) == 50 and play_matches(game, scripted, random, 50, seed=1, **given) == one
    assert len({play_matches(game, random, scripted, 50, seed=seed, **lasting(game, {}, 0)) for seed in range(6)}) > 1


@every_game
def test_matches_cut_off_are_draws(game):
    random = opponent("random", game)
    result = play_matches(game, random, random, 10, seed=1, format=formats(game)[-1], max_decisions=2)
    assert result == Result(10, 0, 10) and result.rate == 0.5
