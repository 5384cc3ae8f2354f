"""The rulebooks' own computer players as the opponent of every form of environment."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from levels import every_solo, formats
from pettingzoo.test import api_test

import tennis_envs
from tennis_envs import Match, MatchBatch, opponent, opponent_names
from tennis_envs.aec import env, raw_env
from tennis_envs.arena import play_matches
from tennis_envs.opponents import AutomaOpponent
from tennis_envs.registry import env_ids
from tennis_envs.sb3 import TennisVecEnv
from tennis_envs.solo import SoloBatch, SoloEnv

WITH_AUTOMA = [game for game in tennis_envs.games() if "automa" in opponent_names(game)]
every_automa = pytest.mark.parametrize("game", WITH_AUTOMA)


def test_which_games_have_one():
    assert WITH_AUTOMA == ["sweet_spot", "worldwide_tennis"]


@every_automa
def test_it_brings_the_solo_mode_with_it(game):
    for made in (
        SoloEnv(game, opponent="automa").match,
        SoloBatch(game, 2, opponent="automa").batch,
        raw_env(game, opponent="automa").match,
        gymnasium.make(env_ids()[game], opponent="automa").unwrapped.match,
    ):
        assert made.options.mode == "solo" and made.game.seats(made.options) == 1
    assert SoloEnv(game, mode="solo").opponent.__class__ is AutomaOpponent  # nobody else can be met there
    assert raw_env(game, opponent="automa").possible_agents == ["player_0"]


@every_automa
def test_the_same_match_in_every_form(game):
    """Seat 0 always takes its first legal action: one match, five ways."""
    given = {"format": formats(game)[1], "max_decisions": 3000, "reward": "point"}
    match = Match(game, seed=3, mode="solo", **given)
    gains = []
    while not match.over and not match.truncated:
        match.apply(match.legal_actions()[0])
        gains.append(float(match.rewards[0]))
    assert match.over and sum(gains) == int(match.state.lead) != 0
    alone = SoloEnv(game, opponent="automa", **given)
    _, info = alone.reset(seed=3)
    agent = env(game, opponent="automa", **given)
    agent.reset(seed=3)
    many = SoloBatch(game, 1, opponent="automa", seed=3, **given)
    for place, gain in enumerate(gains):
        last = place == len(gains) - 1
        action = int(info["action_mask"].argmax())
        _, reward, terminated, truncated, info = alone.step(action)
        assert (reward, terminated, truncated) == (gain, last, False)
        assert agent.last()[0]["action_mask"].argmax() == action == many.action_mask[0].argmax()
        agent.step(action)
        assert agent.rewards["player_0"] == gain and agent.terminations["player_0"] is last
        many.step(np.array([action]))
        assert many.reward[0] == gain and many.done[0] == last
    assert info["winner"] == match.winner == agent.infos["player_0"]["winner"]
    assert many.won[0] == (match.winner == 0)


@every_solo
def test_pettingzoo_has_nothing_to_say(game, level):
    given = {name: value for name, value in level.items() if name != "mode"}
    api_test(env(game, opponent="automa", **given), num_cycles=200)


@every_solo
def test_many_matches_and_learners(game, level):
    made = TennisVecEnv(game, 8, seed=1, **level)
    made.reset()
    rng, won = np.random.default_rng(0), []
    for _ in range(400):
        masks = made.action_masks()
        assert masks.any(axis=1).all() and (made.solo.seat == 0).all()
        _, reward, done, told = made.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in masks]))
        won += [info["won"] for info in told if info]
        assert np.array_equal(np.abs(reward) == 1, done)
    assert len(won) > 3


@every_automa
def test_the_arena_has_one_side(game):
    random, automa = opponent("random", game), opponent("automa", game, mode="solo")
    given = {"format": formats(game)[1]}
    result = play_matches(game, random, automa, 60, seed=2, **given)
    assert result == play_matches(game, random, automa, 60, seed=2, mode="solo", **given)
    batch = MatchBatch(game, 60, seed=int(np.random.SeedSequence(2).generate_state(1)[0]), mode="solo", **given)
    rows, wins = np.arange(60, dtype=np.int32), 0
    while len(rows):
        batch.step(batch.random_actions(rows), rows)
        wins += (batch.final_states["winner"][rows[batch.done[rows]]] == 0).sum()
        rows = rows[~batch.done[rows]]
    assert (result.matches, result.wins) == (60, wins)


@every_automa
def test_what_cannot_be(game):
    with pytest.raises(ValueError, match=r"^the automa is met in solo mode: mode='solo'[.]$"):
        opponent("automa", game)
    with pytest.raises(ValueError, match=r"^the automa is met in solo mode: mode='solo'[.]$"):
        SoloEnv(game, opponent="automa", mode="versus")
    for other in ("random", "scripted"):
        with pytest.raises(ValueError, match=r"^in solo mode the opponent is the automa: opponent='automa'[.]$"):
            SoloEnv(game, opponent=other, mode="solo")
    with pytest.raises(ValueError, match=r"^opponent cannot be 'scripted': every seat is an agent here, but for 'automa'[.]$"):
        raw_env(game, opponent="scripted")
    with pytest.raises(TypeError, match="the automa has no seat"):
        opponent("automa", game, mode="solo").act(Match(game, seed=0, mode="solo"))
    with pytest.raises(ValueError, match="seat cannot be 1: it is 'random' or 0 to 0"):
        SoloEnv(game, opponent="automa", seat=1)


def test_a_game_without_one():
    with pytest.raises(ValueError, match="passing_shot has no opponent 'automa': there are random, scripted"):
        SoloEnv("passing_shot", opponent="automa")
