"""The PettingZoo environments."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import random
import re
import warnings
from collections import Counter
from typing import Any

import cloudpickle
import numpy as np
import pytest
from levels import every_game, every_level, formats, lasting
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import tennis_envs
from tennis_envs import Match, MatchBatch
from tennis_envs.aec import env, raw_env

every_form = pytest.mark.parametrize("make", [raw_env, env])


def choose(rng: np.random.Generator, mask: np.ndarray) -> int:
    """A random legal action."""
    return int(rng.choice(np.flatnonzero(mask)))


def go_on(made: Any, rng: np.random.Generator, limit: int = 10**6) -> list[tuple]:
    """Play on by random legal actions, dead steps included; all that `last` told."""
    told = []
    for _ in range(limit):
        if not made.agents:
            break
        observation, reward, terminated, truncated, info = made.last()
        done = terminated or truncated
        told.append(
            (
                made.agent_selection,
                observation["observation"].tobytes(),
                observation["action_mask"].tobytes(),
                reward,
                terminated,
                truncated,
                info.get("winner"),
            )
        )
        made.step(None if done else choose(rng, info["action_mask"]))
    return told


def started(make: Any, game: str, seed: int = 0, decisions: int = 0, **given: Any) -> Any:
    """An environment some way into a match."""
    made = make(game, **given)
    made.reset(seed=seed)
    go_on(made, np.random.default_rng(seed), decisions)
    return made


# PettingZoo's own checks

ABOUT_DICTS = {  # said of every observation that is a dict, though PettingZoo's form of masks asks for one
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


@every_level
@every_form
def test_api(game, level, make):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        api_test(make(game, **level), num_cycles=500)
    assert {str(warning.message) for warning in said} <= ABOUT_DICTS


@every_level
def test_seeds(game, level):
    seed_test(lambda: env(game, **level), num_cycles=200)


@every_level
def test_parallel_api(game, level):
    parallel_api_test(turn_based_aec_to_parallel(env(game, **level)), num_cycles=100)


@every_level
def test_the_parallel_form_plays_the_same_match(game, level):
    given = {**lasting(game, level, 1), "reward": "point"}
    parallel, turns = turn_based_aec_to_parallel(env(game, **given)), raw_env(game, **given)
    parallel.reset(seed=4)
    turns.reset(seed=4)
    rng = np.random.default_rng(4)
    while turns.agents and not any(turns.terminations.values()):
        agent = turns.agent_selection
        action = choose(rng, turns.observe(agent)["action_mask"])
        told = parallel.step({name: action if name == agent else 0 for name in parallel.agents})
        turns.step(action)
        for name in turns.possible_agents:
            theirs, ours = told[0][name], turns.observe(name)
            assert theirs["observation"].tobytes() == ours["observation"].tobytes()
            assert theirs["action_mask"].tobytes() == ours["action_mask"].tobytes()
            assert (told[1][name], told[2][name]) == (turns.rewards[name], turns.terminations[name])
    assert turns.match.over and parallel.agents == []


# The course of a match


@every_level
@every_form
@pytest.mark.parametrize("reward", ["match", "point"])
def test_every_agent_ends_with_its_own_reward(game, level, make, reward):
    for seed in range(3):
        made = make(game, reward=reward, **lasting(game, level, 1))
        made.reset(seed=seed)
        match = made.unwrapped.match
        told = go_on(made, np.random.default_rng(seed))
        last = told[-match.seats :]
        assert made.agents == [] and match.over and match.winner in (0, 1)
        assert sorted(step[0] for step in last) == made.possible_agents
        assert not any(step[4] or step[5] for step in told[: -match.seats])
        assert all(step[4] is True and step[5] is False and step[6] == match.winner for step in last)
        total = Counter()
        for agent, _, _, gain, *_ in told:
            assert type(gain) is float
            total[agent] += gain
        lead = int(match.state.lead) if reward == "point" else 1 - 2 * match.winner
        assert [total[agent] for agent in made.possible_agents] == [
            lead if seat % 2 == 0 else -lead for seat in range(match.seats)
        ]


@every_level
def test_rewards_are_zero_sum_in_every_step(game, level):
    made = started(raw_env, game, reward="point", **lasting(game, level, 1))
    rng = np.random.default_rng(1)
    paid = before = 0
    while not any(made.terminations.values()):
        made.step(choose(rng, made.infos[made.agent_selection]["action_mask"]))
        gains = [made.rewards[agent] for agent in made.possible_agents]
        assert len(gains) == 1 or sum(gains) == 0  # in solo mode nobody has the other side's
        assert gains[0] == int(made.match.state.lead) - before
        before = int(made.match.state.lead)
        paid += gains[0] != 0
    assert paid > 0


@every_level
@every_form
@pytest.mark.parametrize("reward", ["match", "point"])
def test_a_match_is_truncated_at_max_decisions(game, level, make, reward):
    made = make(game, max_decisions=5, reward=reward, **lasting(game, level, -1))
    made.reset(seed=0)
    told = go_on(made, np.random.default_rng(0))
    seats = made.unwrapped.match.seats
    assert len(told) == 5 + seats and made.agents == []
    assert all(step[5] is False for step in told[:5])
    assert sorted(step[0] for step in told[5:]) == made.possible_agents
    assert all(step[4] is False and step[5] is True and step[6] is None for step in told[5:])
    if reward == "match":
        assert {step[3] for step in told} == {0.0}


@every_level
def test_a_match_won_before_anybody_decides_is_passed_over(game, level):
    given = {**lasting(game, level, 0)}
    if "first_server" in tennis_envs.game(game).options.model_fields:
        given["first_server"] = "player_0"
    made = raw_env(game, **given)
    early = 0
    for seed in range(60):
        made.reset(seed=seed)
        early += Match(game, seed=seed, **given).over
        assert made.last()[0]["action_mask"].any() and not any(made.terminations.values())
    batch = MatchBatch(game, 60, seed=0, **given)
    for _ in range(50):
        assert batch.action_mask.any(axis=1).all()
        batch.step(batch.random_actions())
    assert early > 0 or game != "passing_shot", "no match ended so early: this test tests nothing"


@every_game
def test_loops_that_users_write_all_end(game):
    made = env(game, format=formats(game)[0])
    made.reset(seed=1)
    for agent in made.agent_iter():
        observation, _, terminated, truncated, _ = made.last()
        done = terminated or truncated
        made.step(None if done else made.action_space(agent).sample(observation["action_mask"]))
    made.reset(seed=1)
    while made.agents and not any(made.terminations.values()):
        made.step(made.action_space(made.agent_selection).sample(made.last()[0]["action_mask"]))
    assert all(made.terminations.values()) and {info["winner"] for info in made.infos.values()} <= {0, 1}
    made.reset(seed=2)
    assert made.agents == made.possible_agents and not any(made.terminations.values())


@every_level
def test_masks_and_observations_at_every_decision(game, level):
    made = started(raw_env, game, **lasting(game, level, 0))
    space = {agent: made.observation_space(agent) for agent in made.possible_agents}
    for _ in range(300):
        mover = made.agent_selection
        for agent in made.possible_agents:
            observation, info = made.observe(agent), made.infos[agent]
            assert observation in space[agent]
            mask = observation["action_mask"]
            assert isinstance(mask, np.ndarray) and mask.dtype == info["action_mask"].dtype == np.int8
            assert mask.tobytes() == info["action_mask"].tobytes()
            assert mask.any() == (agent == mover and not any(made.terminations.values()))
        assert made.state() in made.state_space
        if any(made.terminations.values()):
            made.reset()
            continue
        assert np.array_equal(made.observe(mover)["observation"], made.match.observe(made.match.seat))
        made.step(made.action_space(mover).sample(made.observe(mover)["action_mask"]))


@every_level
def test_the_mask_is_what_the_rules_accept(game, level):
    made = started(raw_env, game, seed=6, **level)
    rng = np.random.default_rng(6)
    for _ in range(60):
        mask = made.last()[0]["action_mask"]
        for action, legal in enumerate(mask):
            trial = made.match.clone()
            if legal:
                trial.apply(action)
            else:
                with pytest.raises(ValueError, match="is not legal now"):
                    trial.apply(action)
        made.step(choose(rng, mask))
        if made.match.over:
            made.reset()


@every_level
@every_form
def test_looking_changes_nothing(game, level, make):
    made = started(make, game, 3, 40, render_mode="ansi", **level)
    match = made.unwrapped.match
    before = match.to_bytes()
    selected, rewards, infos = made.agent_selection, dict(made.rewards), copy.deepcopy(made.infos)
    first = [made.observe(agent)["observation"].tobytes() for agent in made.possible_agents]
    for _ in range(3):
        assert [made.observe(agent)["observation"].tobytes() for agent in made.possible_agents] == first
        made.state()
        made.render()
        made.last()
    made.observe(made.possible_agents[0])["observation"][:] = -1  # an observation belongs to whoever asked
    assert [made.observe(agent)["observation"].tobytes() for agent in made.possible_agents] == first
    assert match.to_bytes() == before
    assert (made.agent_selection, made.rewards) == (selected, rewards)
    assert all(np.array_equal(made.infos[agent]["action_mask"], infos[agent]["action_mask"]) for agent in made.agents)


@every_form
@every_game
def test_what_never_changes(game, make):
    made = make(game)
    spaces = [(made.observation_space(agent), made.action_space(agent)) for agent in made.possible_agents]
    for seed in range(20):
        made.reset(seed=seed, options={"nobody": "knows this"})
        assert all(
            made.observation_space(agent) is box and made.action_space(agent) is actions
            for agent, (box, actions) in zip(made.possible_agents, spaces, strict=True)
        )
        assert made.agents == made.possible_agents
    assert all(re.fullmatch("[a-z]+_[0-9]+", agent) for agent in made.possible_agents)
    title = f"{game}_v{tennis_envs.game(game).version}"
    assert made.metadata["name"] == title and made.metadata["is_parallelizable"] is False
    module = getattr(tennis_envs, title)
    assert type(module.raw_env()) is raw_env and type(module.env()) is type(env(game))


# Seeds


@every_level
@every_form
def test_seeds_and_what_follows_them(game, level, make):
    given = {**lasting(game, level, 1)}

    def three_matches() -> list[list[tuple]]:
        made, rng, played = make(game, **given), np.random.default_rng(0), []
        for seed in (5, None, None):
            made.reset(seed=seed)
            played.append(go_on(made, rng))
        made.reset(seed=5)
        return [*played, go_on(made, np.random.default_rng(0))]

    first, second, third, again = three_matches()
    assert three_matches() == [first, second, third, again]
    assert again == first
    assert len({str(first), str(second), str(third)}) == 3


@every_game
def test_without_a_seed_matches_differ(game):
    opening = set()
    for _ in range(6):
        made = raw_env(game)
        made.reset()
        opening.add(str(go_on(made, np.random.default_rng(0), 60)))
    assert len(opening) > 1


@every_level
def test_a_match_of_the_environment_is_a_match(game, level):
    made = raw_env(game, **level)
    made.reset(seed=8)
    match = Match(game, seed=8, **level)
    for _ in range(50):
        assert made.match.to_bytes() == match.to_bytes()
        action = match.legal_actions()[0]
        match.apply(action)
        made.step(action)
        if match.over:
            break


@every_level
def test_options_outlive_resets(game, level):
    given = {**lasting(game, level, 0), "reward": "point", "max_decisions": 77, "encoder": "full"}
    made = raw_env(game, **given)
    rules, chosen = made.match.rules.tobytes(), made.match.options
    assert all(getattr(chosen, name) == value for name, value in given.items())
    for seed in (1, None, 2, None):
        made.reset(seed=seed, options={"format": "best_of_5"})
        go_on(made, np.random.default_rng(0))
        assert made.match.options == chosen and made.match.rules.tobytes() == rules


@every_game
def test_nobody_elses_random_numbers_are_touched(game):
    random.seed(1)
    np.random.seed(1)
    before = random.getstate(), str(np.random.get_state())
    made = env(game, format=formats(game)[0])
    for seed in (3, None):
        made.reset(seed=seed)
        go_on(made, np.random.default_rng(0))
    assert (random.getstate(), str(np.random.get_state())) == before


# Copies

COPIES = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda made: pickle.loads(pickle.dumps(made)),
    "cloudpickle": lambda made: cloudpickle.loads(cloudpickle.dumps(made)),
}


@every_level
@every_form
@pytest.mark.parametrize("way", COPIES)
def test_a_copy_goes_on_alike_and_apart(game, level, make, way):
    made = started(make, game, 9, 30, reward="point", **level)
    twin = COPIES[way](made)
    assert twin.unwrapped.game is made.unwrapped.game
    theirs = go_on(twin, np.random.default_rng(1), 50)
    twin.reset()
    fresh = go_on(twin, np.random.default_rng(2), 50)
    assert go_on(made, np.random.default_rng(1), 50) == theirs  # the twin's matches have not moved it
    made.reset()
    assert go_on(made, np.random.default_rng(2), 50) == fresh


@every_game
def test_a_copy_of_a_match_that_is_over(game):
    made = started(raw_env, game, format=formats(game)[0])
    while not any(made.terminations.values()):
        made.step(made.match.legal_actions()[0])
    for way in COPIES.values():
        twin = way(made)
        assert len(go_on(twin, np.random.default_rng(0))) == twin.match.seats and twin.agents == []


def play_elsewhere(made: Any) -> list[tuple]:
    """Runs in another process."""
    return go_on(made, np.random.default_rng(1), 50)


@every_game
def test_another_process_goes_on_with_an_environment(game):
    made = started(env, game, 9, 30, render_mode="ansi")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(play_elsewhere, (made,))
    assert there == play_elsewhere(made)


# What a user can get wrong, and rendering


@every_level
@every_form
def test_an_illegal_action_raises_and_changes_nothing(game, level, make):
    made = started(make, game, 2, 25, **level)
    inside = made.unwrapped
    illegal = int(np.flatnonzero(made.last()[0]["action_mask"] == 0)[0])
    beyond = len(inside.game.actions)
    before = inside.match.to_bytes(), made.agent_selection, str(made.rewards), str(made.infos), str(made.last())
    for action in (illegal, np.int32(illegal)):
        with pytest.raises(ValueError, match="is not legal now: seat"):
            made.step(action)
    error, outside = (ValueError, "does not exist") if make is raw_env else (AssertionError, "not in action space")
    for action, message in ((-1, outside), (beyond, outside), (None, "None is only|not in action space")):
        with pytest.raises(error, match=message):
            made.step(action)
    after = inside.match.to_bytes(), made.agent_selection, str(made.rewards), str(made.infos), str(made.last())
    assert after == before
    made.step(np.int32(np.flatnonzero(made.last()[0]["action_mask"])[0]))
    assert inside.match.decisions == 26


@every_form
@every_game
def test_an_agent_that_is_done_takes_none(game, make):
    made = started(make, game, max_decisions=1)
    made.step(made.unwrapped.match.legal_actions()[0])
    with pytest.raises((ValueError, AssertionError)):
        made.step(0)


@every_form
@every_game
def test_rendering(game, make, capsys):
    made = started(make, game, 1, 10, render_mode="ansi")
    assert made.render() == made.unwrapped.match.describe() and len(made.render()) > 20
    assert capsys.readouterr().out == ""
    made = started(make, game, 1, 10, render_mode="human")
    printed = capsys.readouterr().out
    assert made.unwrapped.match.describe() in printed and printed.count("\n\n") == 11  # once a position
    assert made.render() is None and capsys.readouterr().out == made.unwrapped.match.describe() + "\n\n"
    made.close()
    made = started(make, game, 1, 10)
    assert made.render() is None and capsys.readouterr().out == ""
    with pytest.raises(ValueError, match="render_mode cannot be 'rgb_array': it is None, 'ansi' or 'human'"):
        make(game, render_mode="rgb_array")
