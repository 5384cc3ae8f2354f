"""The Gymnasium environments: one match, and many at once."""

from __future__ import annotations

import copy
import math
import os
import pickle
import random
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from levels import every_game, every_versus, formats, lasting

import tennis_envs
from tennis_envs import Match, MatchBatch
from tennis_envs.core.chance import stream
from tennis_envs.opponents import RandomOpponent, ScriptedOpponent, opponent_names
from tennis_envs.registry import env_ids
from tennis_envs.sb3 import TennisVecEnv
from tennis_envs.solo import SoloBatch, SoloEnv
from tennis_envs.vector import TennisVectorEnv

ROOT = Path(tennis_envs.__file__).parents[1]


def play(made: SoloEnv, seed: int | None, rng: np.random.Generator, limit: int = 10**6) -> list[tuple]:
    """A match by random legal actions: all that `reset` and `step` gave."""
    observation, info = made.reset(seed=seed)
    told = [(observation.tobytes(), info["action_mask"].tobytes(), info["seat"])]
    for _ in range(limit):
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = made.step(action)
        told.append((observation.tobytes(), info["action_mask"].tobytes(), reward, terminated, truncated))
        if terminated or truncated:
            break
    return told


# Making one


@every_versus
def test_the_checker_has_nothing_to_say(game, level):
    for render_mode in (None, "ansi"):
        made = gymnasium.make(env_ids()[game], illegal_action="lose", render_mode=render_mode, **level)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(made.unwrapped)


USE = """
made = gymnasium.make("{id}", opponent="random", format="{format}")
observation, info = made.reset(seed=1)
assert observation in made.observation_space
for _ in range(5):
    observation, reward, terminated, truncated, info = made.step(made.action_space.sample(info["action_mask"]))
    if terminated or truncated:
        observation, info = made.reset()
print("played", type(made.unwrapped).__name__)
"""


@every_game
@pytest.mark.parametrize("imported", [True, False])
def test_make_in_a_fresh_process(game, imported, tmp_path):
    name = env_ids()[game]
    code = "import gymnasium\n" + ("import tennis_envs\n" if imported else "")
    code += USE.format(id=name if imported else f"tennis_envs:{name}", format=formats(game)[-1])
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "played SoloEnv\n"


@every_game
def test_make_gives_the_options_on(game):
    made = gymnasium.make(env_ids()[game], opponent="random", seat=1, format=formats(game)[0], max_decisions=77)
    match = made.unwrapped.match
    assert (match.options.format, match.options.max_decisions) == (formats(game)[0], 77)
    made.reset(seed=1)
    made.reset()
    assert match.options.max_decisions == 77 and made.unwrapped.seat == 1
    with pytest.raises(ValueError, match=f"{game} has no option 'formt'"):
        gymnasium.make(env_ids()[game], formt="set")
    with pytest.raises(ValueError, match="render_mode cannot be 'rgb_array': it is None, 'ansi' or 'human'"):
        SoloEnv(game, render_mode="rgb_array")
    with pytest.raises(ValueError, match="illegal_action cannot be 'ignore': it is 'raise' or 'lose'"):
        SoloEnv(game, illegal_action="ignore")


@every_game
@pytest.mark.parametrize("seat", [2, -1, "left", True, None])
def test_a_seat_that_does_not_exist(game, seat):
    for make in (SoloEnv, lambda game, **given: SoloBatch(game, 2, **given)):
        with pytest.raises(ValueError, match=f"seat cannot be {seat!r}: it is 'random' or 0 to 1"):
            make(game, seat=seat)


# One match


@every_versus
@pytest.mark.parametrize("seat", [0, 1, "random"])
@pytest.mark.parametrize("reward", ["match", "point"])
def test_the_seat_is_paid_and_shown_its_own(game, level, seat, reward):
    given = {**lasting(game, level, 1), "reward": reward}
    made = SoloEnv(game, opponent="random", seat=seat, **given)
    rng, seats = np.random.default_rng(0), set()
    for seed in range(24):
        observation, info = made.reset(seed=seed)
        seats.add(info["seat"])
        sign = 1 - 2 * (made.seat % 2)
        total, ended = 0.0, False
        while not ended:
            assert made.match.seat == made.seat == info["seat"] and "winner" not in info
            assert np.array_equal(observation, made.match.observe(made.seat)) and observation in made.observation_space
            assert info["action_mask"].dtype == np.int8 and np.array_equal(info["action_mask"], made.match.mask())
            assert made.action_masks().dtype == bool and np.array_equal(made.action_masks(), info["action_mask"])
            observation, gain, terminated, truncated, info = made.step(rng.choice(np.flatnonzero(info["action_mask"])))
            assert (type(gain), type(terminated), type(truncated)) == (float, bool, bool)
            total += gain
            ended = terminated or truncated
        assert terminated and not truncated and info["winner"] == made.match.winner
        won = info["winner"] == made.seat % 2
        assert total == (sign * int(made.match.state.lead) if reward == "point" else 2 * won - 1)
    assert seats == (set(range(made.match.seats)) if seat == "random" else {seat})


@every_versus
def test_a_match_is_truncated_at_max_decisions(game, level):
    made = SoloEnv(game, opponent="random", max_decisions=8, **lasting(game, level, -1))
    told = play(made, 0, np.random.default_rng(0))
    assert told[-1][3:] == (False, True) and made.match.decisions == 8 and made._info()["winner"] is None
    assert [step[2] for step in told[1:]] == [0.0] * (len(told) - 1)


@every_versus
@pytest.mark.parametrize("name", ["scripted", "random"])
def test_seeds_and_what_follows_them(game, level, name):
    given = {**lasting(game, level, 1), "opponent": name}

    def matches() -> list[list[tuple]]:
        made, rng = SoloEnv(game, **given), np.random.default_rng(0)
        played = [play(made, seed, rng) for seed in (5, None, None)]
        return [*played, play(made, 5, np.random.default_rng(0))]

    first, second, third, again = matches()
    assert matches() == [first, second, third, again]
    assert again == first and len({str(first), str(second), str(third)}) == 3


@every_game
def test_the_opponents_luck_is_not_the_matchs(game):
    assert int(ScriptedOpponent("scripted", seed=3)._streams[0]) != stream(3)


@every_game
def test_opponents_by_name_and_as_objects(game):
    for name in opponent_names(game):
        assert play(SoloEnv(game, opponent=name, format=formats(game)[0]), 1, np.random.default_rng(0))

    class First:
        """Plays the first legal action."""

        asked = 0

        def act(self, match: Match) -> int:
            self.asked += 1
            return match.legal_actions()[0]

    first = First()
    made = SoloEnv(game, opponent=first, format=formats(game)[1], seat=1)
    told = play(made, 1, np.random.default_rng(0))
    assert made.opponent is first and first.asked == made.match.decisions - (len(told) - 1) > 0
    with pytest.raises(ValueError, match=f"{game} has no opponent 'nobody': there are random, scripted"):
        SoloEnv(game, opponent="nobody")


@every_game
def test_an_opponent_given_as_an_object_keeps_its_stream(game):
    mine = RandomOpponent(seed=5)
    made = SoloEnv(game, opponent=mine)
    before = mine._rng.bit_generator.state
    made.reset(seed=1)
    assert mine._rng.bit_generator.state == before or made.match.decisions > 0
    mine._rng.bit_generator.state = before
    assert mine.act(Match(game, seed=0)) == RandomOpponent(seed=5).act(Match(game, seed=0))


@every_versus
def test_an_illegal_action_raises_and_changes_nothing(game, level):
    made = SoloEnv(game, opponent="random", **level)
    play(made, 3, np.random.default_rng(0), limit=5)
    before = made.match.to_bytes()
    for action in (int(made.match.mask().argmin()), np.int64(made.match.mask().argmin()), -1, len(made.game.actions)):
        with pytest.raises(ValueError, match=r"is not legal now: seat|does not exist"):
            made.step(action)
        assert made.match.to_bytes() == before
    made.step(made.match.legal_actions()[0])


@every_versus
@pytest.mark.parametrize("seat", [0, 1])
def test_an_illegal_action_can_lose_the_match(game, level, seat):
    made = SoloEnv(game, opponent="random", seat=seat, illegal_action="lose", **level)
    for seed in (3, None):
        play(made, seed, np.random.default_rng(0), limit=5)
        for action in (int(made.match.mask().argmin()), np.int64(made.match.mask().argmin()), -1):
            observation, reward, terminated, truncated, info = made.step(action)
            assert (reward, terminated, truncated) == (-1.0, True, False)
            assert info["winner"] == 1 - seat and info["illegal_action"] is True
            assert observation in made.observation_space
    _, info = made.reset()
    assert "winner" not in info and "illegal_action" not in info and made.match.decisions >= 0
    assert "illegal_action" not in made.step(made.match.legal_actions()[0])[4]


def ends_early(game: str) -> dict[str, Any]:
    """Matches that may end before seat 1 has decided anything: one point, and player 0 serves if that can be said."""
    given: dict[str, Any] = {"format": formats(game)[0], "seat": 1, "opponent": "scripted"}
    if "first_server" in tennis_envs.game(game).options.model_fields:
        given["first_server"] = "player_0"
    return given


@every_game
def test_a_match_without_a_decision_is_passed_over(game, monkeypatch):
    made = SoloEnv(game, **ends_early(game))
    begun, reset = [], made.match.reset
    monkeypatch.setattr(made.match, "reset", lambda *stream: (begun.append(1), reset(*stream)))
    for seed in range(150):
        observation, info = made.reset(seed=seed)
        assert info["action_mask"].any() and made.match.seat == 1 and not made.match.over and "winner" not in info
        assert np.array_equal(observation, made.match.observe(1))
    assert len(begun) > 150 or game != "passing_shot", "no match ended before the first decision: this test tests nothing"


@every_game
def test_rendering(game, capsys):
    made = SoloEnv(game, render_mode="ansi", seat=1)
    made.reset(seed=0)
    assert made.render() == made.match.describe(1) and capsys.readouterr().out == ""
    made = SoloEnv(game, render_mode="human", seat=1)
    made.reset(seed=0)
    assert capsys.readouterr().out == made.match.describe(1) + "\n\n"
    made.step(made.match.legal_actions()[0])
    assert capsys.readouterr().out == made.match.describe(1) + "\n\n"
    made.close()


@every_game
def test_a_copy_goes_on_alike(game):
    made = SoloEnv(game, opponent="random", format=formats(game)[1])
    play(made, 4, np.random.default_rng(0), limit=6)
    for twin in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert twin.match == made.match and twin.match.to_bytes() == made.match.to_bytes() and twin.seat == made.seat
        theirs = play(twin, None, np.random.default_rng(1))
        kept = copy.deepcopy(made)
        assert play(kept, None, np.random.default_rng(1)) == theirs


# Many matches


class Middle:
    """The legal action in the middle, whatever the position: an opponent without chance."""

    def act(self, match: Match) -> int:
        legal = match.legal_actions()
        return legal[len(legal) // 2]

    def act_batch(self, batch: MatchBatch, rows: np.ndarray) -> np.ndarray:
        masks = (np.flatnonzero(mask) for mask in batch.action_mask[rows])
        return np.array([legal[len(legal) // 2] for legal in masks], np.int32)


class ByHand:
    """Row `row` of one seat against `Middle`, by single matches; `seats` are those drawn for them."""

    def __init__(self, game: str, seed: int, row: int, seats: list[int], **given: Any) -> None:
        self.match, self.other, self.seats = Match(game, seed=seed, index=row, **given), Middle(), seats
        self._begin()

    def _begin(self) -> None:
        while self.match.over:
            self.match.reset()
        self.seat = self.seats.pop(0)
        self.carried = self._opponent()
        if self.ended:
            self.restart()

    def restart(self) -> None:
        self.match.reset()
        self._begin()

    def _opponent(self) -> float:
        gained = 0.0
        while self.match.seat != self.seat and not self.ended:
            self.match.apply(self.other.act(self.match))
            gained += float(self.match.rewards[self.seat])
        return gained

    @property
    def ended(self) -> bool:
        return self.match.over or self.match.truncated

    def step(self, action: int) -> float:
        self.match.apply(action)
        carried, self.carried = self.carried, 0.0
        return carried + float(self.match.rewards[self.seat]) + self._opponent()


@every_versus
@pytest.mark.parametrize("seat", [0, 1, "random"])
@pytest.mark.parametrize("form", ["vector", "sb3"])
@pytest.mark.parametrize("length", [0, 1])
def test_many_matches_are_single_matches(game, level, seat, form, length, monkeypatch):
    rows, seed = 5, 11
    given = {**lasting(game, level, length), "reward": "point", "max_decisions": 15 if length else 20_000}
    seats: list[list[int]] = [[] for _ in range(rows)]
    draw = SoloBatch._draw_seats

    def noted(self: SoloBatch, drawn: np.ndarray) -> None:
        draw(self, drawn)
        for row in drawn:
            seats[row].append(int(self.seat[row]))

    monkeypatch.setattr(SoloBatch, "_draw_seats", noted)
    if form == "vector":
        many = gymnasium.make_vec(
            env_ids()[game],
            num_envs=rows,
            vectorization_mode="vector_entry_point",
            seat=seat,
            opponent=Middle(),
            **given,
        )
    else:
        many = TennisVecEnv(game, rows, seat=seat, opponent=Middle(), **given)
        many.seed(seed)
    for drawn in seats:
        drawn.clear()
    if form == "vector":
        observation, infos = many.reset(seed=seed)
    else:
        observation = many.reset()
    solo = many.solo
    hands = [ByHand(game, seed, row, seats[row], **given) for row in range(rows)]
    finished = cut = 0
    for step in range(250):
        mask = many.action_masks()
        for row, hand in enumerate(hands):
            assert np.array_equal(mask[row], hand.match.mask()), (step, row)
            assert observation[row].tobytes() == hand.match.observe(hand.seat).tobytes(), (step, row)
            assert solo.seat[row] == hand.seat
        if form == "vector":
            assert infos["action_mask"].dtype == np.int8 and np.array_equal(infos["action_mask"], mask)
        actions = np.array([np.flatnonzero(row)[step % row.sum()] for row in mask])
        if form == "vector":
            observation, rewards, terminated, truncated, infos = many.step(actions)
            done = terminated | truncated
            finals = infos.get("final_obs")
        else:
            observation, rewards, done, told = many.step(actions)
            truncated = np.array([info.get("TimeLimit.truncated", False) for info in told])
            finals = [info.get("terminal_observation") for info in told]
        for row, hand in enumerate(hands):
            gain = hand.step(int(actions[row]))
            assert rewards[row] == gain and done[row] == hand.ended and truncated[row] == hand.match.truncated
            if not hand.ended:
                continue
            finished, cut = finished + 1, cut + bool(truncated[row])
            assert finals[row].tobytes() == hand.match.observe(hand.seat).tobytes()
            won = hand.match.winner == hand.seat % 2
            assert (infos["won"][row] if form == "vector" else told[row]["won"]) == won
            hand.restart()
    assert (finished > 10 and cut > 0 if length else finished > 0 and cut == 0) and not any(seats)
    many.close()


@every_game
def test_the_form_of_what_a_vector_gives(game):
    many = gymnasium.make_vec(
        env_ids()[game], num_envs=6, vectorization_mode="vector_entry_point", opponent="random", format=formats(game)[0]
    )
    assert isinstance(many, TennisVectorEnv) and many.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observation, infos = many.reset(seed=0)
    assert observation in many.observation_space and set(infos) == {"action_mask", "_action_mask", "seat", "_seat"}
    kept = observation.copy(), infos["action_mask"].copy()
    shapes = None
    for _ in range(40):
        before = observation, infos["action_mask"], infos["seat"]
        copies = [array.copy() for array in before]
        actions = many.action_space.sample(mask=tuple(infos["action_mask"]))
        observation, rewards, terminated, truncated, infos = many.step(actions)
        assert observation in many.observation_space
        shapes = [(array.dtype, array.shape) for array in (rewards, terminated, truncated)]
        assert shapes == [(np.float64, (6,)), (np.bool_, (6,)), (np.bool_, (6,))]
        assert ("final_obs" in infos) == (terminated | truncated).any()
        if "final_obs" in infos:
            assert np.array_equal(infos["_final_obs"], terminated | truncated)
        assert all(np.array_equal(array, then) for array, then in zip(before, copies, strict=True))
    assert shapes is not None
    first, again = many.reset(seed=0)
    assert np.array_equal(first, kept[0]) and np.array_equal(again["action_mask"], kept[1])
    with pytest.raises(ValueError, match="render_mode must be None"):
        TennisVectorEnv(game, 2, render_mode="ansi")


@every_versus
def test_the_seeds_of_many_matches(game, level):
    def trace(many: TennisVectorEnv, seed: int | None) -> list[bytes]:
        observation, infos = many.reset(seed=seed)
        told = [observation.tobytes(), infos["seat"].tobytes()]
        for step in range(40):
            actions = np.array([np.flatnonzero(row)[step % row.sum()] for row in infos["action_mask"]])
            observation, rewards, *_, infos = many.step(actions)
            told += [observation.tobytes(), rewards.tobytes(), infos["seat"].tobytes()]
        return told

    given = {"opponent": "random", **lasting(game, level, 1)}
    one, two = (TennisVectorEnv(game, 7, **given) for _ in range(2))
    played = [[trace(many, seed) for seed in (1, None, 2, 1, None)] for many in (one, two)]
    assert played[0] == played[1]
    first, after, other, again, after_again = played[0]
    assert first == again and after == after_again and len({str(t) for t in (first, after, other)}) == 3


@every_game
def test_an_illegal_action_changes_no_match(game):
    many = TennisVectorEnv(game, 4)
    _, infos = many.reset(seed=0)
    before = {name: array.tobytes() for name, array in many.solo.batch.get_state().items()}
    actions = infos["action_mask"].argmax(axis=1)
    actions[2] = infos["action_mask"][2].argmin()
    with pytest.raises(ValueError, match="is not legal in match 2: seat"):
        many.step(actions)
    assert {name: array.tobytes() for name, array in many.solo.batch.get_state().items()} == before


@every_game
def test_many_matches_pass_over_those_without_a_decision(game):
    solo = SoloBatch(game, 64, seed=0, **ends_early(game))
    batch, step = solo.batch, solo.batch.step
    ended = np.zeros(1, int)

    def counting(actions: np.ndarray, rows: np.ndarray | None = None) -> None:
        step(actions, rows)
        ended[0] += batch.done.sum() if rows is None else batch.done[rows].sum()

    batch.step = counting
    episodes = 0
    for _ in range(60):
        assert (batch.seat == 1).all() and solo.action_mask.any(axis=1).all()
        solo.step(batch.random_actions())
        episodes += solo.done.sum()
        assert np.array_equal(np.abs(solo.reward) == 1, solo.done)
        assert np.array_equal(solo.reward[solo.done] == 1, solo.won[solo.done])
    assert 0 < episodes < ended[0] or (game != "passing_shot" and 0 < episodes == ended[0])


@every_game
def test_nobody_elses_random_numbers_are_touched(game):
    random.seed(1)
    np.random.seed(1)
    before = random.getstate(), str(np.random.get_state())
    play(SoloEnv(game, opponent="random", format=formats(game)[0]), 1, np.random.default_rng(0))
    many = TennisVectorEnv(game, 3, opponent="random")
    _, infos = many.reset(seed=1)
    many.step(infos["action_mask"].argmax(axis=1))
    assert (random.getstate(), str(np.random.get_state())) == before


def tails(wins: int, matches: int) -> float:
    """How likely a fair coin is to land at least as far from the middle, exactly."""
    far = abs(wins - matches / 2)
    return sum(math.comb(matches, k) for k in range(matches + 1) if abs(k - matches / 2) >= far) / 2**matches


def vector_wins(game: str, per_row: int, rows: int, **given: Any) -> int:
    """Wins of random play in the first matches of every row."""
    solo = SoloBatch(game, rows, seed=7, **given)
    ended, wins = np.zeros(rows, int), 0
    while (ended < per_row).any():
        solo.step(solo.batch.random_actions())
        counted = solo.done & (ended < per_row)
        wins += int((solo.won & counted).sum())
        ended += counted
    return wins


@every_versus
def test_random_play_wins_half_against_random_play(game, level):
    given = {**lasting(game, level, -2)}
    assert tails(vector_wins(game, 4, 256, opponent="random", **given), 1024) > 1e-4
    made, rng, wins = SoloEnv(game, opponent="random", **given), np.random.default_rng(0), 0
    for seed in range(40):
        play(made, seed, rng)
        wins += made.match.winner == made.seat % 2
    assert tails(wins, 40) > 1e-4


@every_game
def test_one_match_and_many_have_the_same_law(game):
    given = {"opponent": "scripted", "format": formats(game)[1], "seat": "random"}
    count = 400
    many = vector_wins(game, 4, count // 4, **given)
    made, rng, one = SoloEnv(game, **given), np.random.default_rng(0), 0
    for seed in range(count):
        play(made, seed, rng)
        one += made.match.winner == made.seat % 2
    both = many + one
    splits = range(max(0, both - count), min(both, count) + 1)
    likely = [math.comb(count, k) * math.comb(count, both - k) for k in splits]
    here = math.comb(count, one) * math.comb(count, many)
    assert sum(p for p in likely if p <= here) / sum(likely) > 1e-4, (one, many)  # Fisher's exact test


@every_game
def test_messages_are_one_sentence(game):
    for bad in ({"opponent": "nobody"}, {"seat": 9}, {"format": "decade"}, {"wind": 3}, {"illegal_action": "no"}):
        with pytest.raises(ValueError) as raised:
            SoloEnv(game, **bad)
        assert re.fullmatch(r"[^\n]+\.", str(raised.value)), raised.value
