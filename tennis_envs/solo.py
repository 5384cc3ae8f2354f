"""One seat against an opponent: many matches at once (`SoloBatch`), or one as a Gymnasium environment (`SoloEnv`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces

from tennis_envs.aec import RENDER_MODES, check_render_mode, observation_box
from tennis_envs.batch import MatchBatch
from tennis_envs.core.chance import stream
from tennis_envs.core.game import Game
from tennis_envs.match import Match
from tennis_envs.opponents import Opponent, against
from tennis_envs.registry import game as find_game

_TRIES = 1000  # matches without a decision of its own that a seat waits for its first


def check_seat(seat: int | str, seats: int) -> None:
    """ValueError for a seat that does not exist."""
    if seat != "random" and (isinstance(seat, (str, bool)) or seat not in range(seats)):
        raise ValueError(f"seat cannot be {seat!r}: it is 'random' or 0 to {seats - 1}.")


class SoloBatch:
    """`num_envs` matches in which one seat is the learner's and an opponent decides for the others.

    After `reset` and each `step` it is the learner's decision in every match. A match that ends starts again at once
    (`done`, `truncated`, `reward` and `final_observation` are the old one's). A match that ends before the learner has
    had a decision is not an episode and is passed over. `seat="random"` draws the seat anew for every match. With
    `reward="point"`, points that are over before the learner's first decision come with the reward of that decision.
    Without `opponent` it is the scripted player, in solo mode the automa.

    - `observation` float32 (n, features), `action_mask` int8 (n, actions), `reward` float32 (n,), `done`, `truncated`
      bool (n,), `seat` int8 (n,): the learner's; `final_observation` float32 (n, features): valid where `done`
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        opponent: str | Opponent | None = None,
        seat: int | str = "random",
        seed: int | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.opponent, options = against(opponent, game, seed, options)
        """Whoever decides for the other seats; may be exchanged at any time."""
        self.batch = MatchBatch(game, num_envs, seed=seed, threads=threads, **options)
        """The matches."""
        check_seat(seat, self.batch.num_seats)
        self._seat_option = seat
        n = num_envs
        self.seat = np.zeros(n, np.int8)
        self.reward = np.zeros(n, np.float32)
        self.done = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.won = np.zeros(n, np.bool_)
        """Whether the learner's team won the match that ended last, bool (n,)."""
        self.final_observation = np.zeros_like(self.batch.observation)
        self.on_end: Callable[[np.ndarray, np.ndarray], None] | None = None
        """Called with the rows of matches that ended, and which of them were the learner's and won (nan: passed over)."""
        self._carried = np.zeros(n, np.float32)  # gained in a match before the learner's first decision in it
        self._rows = np.arange(n, dtype=np.int32)
        self._rng = np.random.default_rng(seed)
        self._reset(seed)

    @property
    def observation(self) -> np.ndarray:
        """What the learner may know, float32 (n, features), read-only."""
        return self.batch.observation

    @property
    def action_mask(self) -> np.ndarray:
        """1 is legal, int8 (n, actions), read-only."""
        return self.batch.action_mask

    def reset(self, seed: int | None = None) -> None:
        """Begin every match anew; the opponent plays up to the learner's first decision.

        Without a seed, luck follows from the last seed there was.
        """
        if seed is None:
            seed = int(self._rng.integers(2**63))
        self._rng = np.random.default_rng(seed)
        self._reset(seed)

    def _reset(self, seed: int | None) -> None:
        self.batch.reset(seed)
        self._draw_seats(self._rows)
        self.done[:] = True  # what comes before the learner's first decision is carried over to it
        self._carried[:] = 0
        self._let_opponent_play(self._rows)
        self._clear()

    def _clear(self) -> None:
        self.reward[:] = 0
        self.done[:] = False
        self.truncated[:] = False

    def _draw_seats(self, rows: np.ndarray) -> None:
        if self._seat_option == "random":
            self.seat[rows] = self._rng.integers(self.batch.num_seats, size=len(rows))
        else:
            self.seat[rows] = self._seat_option

    def step(self, actions: np.ndarray) -> None:
        """Take the learner's decision in every match; ValueError, and nothing has changed, if one is illegal."""
        learner = self.seat.copy()
        self.batch.step(actions)
        self._clear()
        self.reward[:], self._carried[:] = self._carried, 0
        self._collect(self._rows, learner)
        self._let_opponent_play(self._rows)

    def _let_opponent_play(self, rows: np.ndarray) -> None:
        """Play on until it is the learner's decision in each of `rows`."""
        batch = self.batch
        rows = rows[batch.seat[rows] != self.seat[rows]]
        passed = np.zeros(len(self._rows), np.int64)  # matches that ended without a decision of the learner
        while len(rows):
            learner = self.seat[rows]
            batch.step(self.opponent.act_batch(batch, rows), rows)
            self._collect(rows, learner)
            passed[rows] += batch.done[rows]
            if passed.max() > _TRIES:
                longest = batch.options.max_decisions
                raise ValueError(f"the learner had no decision in {_TRIES} matches: max_decisions={longest} is too few.")
            rows = rows[batch.seat[rows] != self.seat[rows]]

    def _collect(self, rows: np.ndarray, learner: np.ndarray) -> None:
        """Add up what the last decisions in `rows` brought the learner; note the matches that ended."""
        batch = self.batch
        fresh = ~self.done[rows]
        gained = batch.reward[rows, learner]
        self.reward[rows] += np.where(fresh, gained, 0)
        self._carried[rows] += np.where(fresh, 0, gained)
        ended = batch.done[rows]
        if ended.any():
            self._carried[rows[ended]] = 0
            first = ended & fresh
            over = rows[first]
            self.done[over] = True
            self.truncated[over] = batch.truncated[over]
            self.final_observation[over] = batch.observe_final(learner[first], over)
            finals = batch.final_states
            self.won[over] = finals["winner"][over] == learner[first] % 2
            self._draw_seats(rows[ended])
            if self.on_end is not None:
                self.on_end(rows[ended], np.where(fresh, self.won[rows], np.nan)[ended])


class SoloEnv(gymnasium.Env):
    """One seat against an opponent: `gymnasium.make("tennis_envs/PassingShot-v0", opponent="scripted", seat="random")`.

    Observations float32 (features,); `info["action_mask"]` int8 (actions,), for `action_space.sample(mask)`, and
    `action_masks()` bool, as sb3-contrib wants it. An illegal action raises ValueError and changes nothing; with
    `illegal_action="lose"` it forfeits the match (reward -1) instead. At the end `info["winner"]` names the team that won
    (None if the match was cut off); `info["seat"]` is always the seat played.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        game: str | Game,
        *,
        opponent: str | Opponent | None = None,
        seat: int | str = "random",
        illegal_action: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_render_mode(render_mode)
        if illegal_action not in ("raise", "lose"):
            raise ValueError(f"illegal_action cannot be {illegal_action!r}: it is 'raise' or 'lose'.")
        self._illegal_loses = illegal_action == "lose"
        self._forfeited = False
        self.game = find_game(game)
        self.render_mode = render_mode
        self.opponent, options = against(opponent, self.game, None, options)
        self.match = Match(self.game, **options)
        """The match itself."""
        check_seat(seat, self.match.seats)
        self._seat_option = seat
        self._carried = 0.0  # gained before this seat's first decision
        self._own_opponent = self.opponent is not opponent
        self.seat = 0
        """The seat played in this match."""
        self.observation_space = observation_box(self.game, self.match.options.encoder)
        self.action_space = spaces.Discrete(len(self.game.actions))

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a match and let the opponent play up to this seat's first decision; `options` are not used."""
        super().reset(seed=seed)
        if seed is not None and self._own_opponent:
            self.opponent.reseed(seed)
        self._forfeited = False
        seats = self.match.seats
        self.seat = int(self.np_random.integers(seats)) if self._seat_option == "random" else int(self._seat_option)
        self.match.reset(None if seed is None else stream(seed))
        self._carried = self._let_opponent_play()
        tries = 1
        while self.match.over or self.match.truncated:  # ended without a decision of ours: not an episode
            if tries == _TRIES:
                longest = self.match.options.max_decisions
                raise ValueError(f"seat {self.seat} had no decision in {tries} matches: max_decisions={longest} is too few.")
            self.match.reset()
            self._carried = self._let_opponent_play()
            tries += 1
        if self.render_mode == "human":
            self.render()
        return self.match.observe(self.seat), self._info()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take a decision; the opponent plays on to this seat's next one."""
        if self._illegal_loses and action not in self.match.legal_actions() and not self.match.over:
            self._forfeited = True
            return self.match.observe(self.seat), -1.0, True, False, self._info()
        self.match.apply(int(action))
        reward = self._carried + float(self.match.rewards[self.seat]) + self._let_opponent_play()
        self._carried = 0.0
        if self.render_mode == "human":
            self.render()
        return self.match.observe(self.seat), reward, self.match.over, self.match.truncated, self._info()

    def _let_opponent_play(self) -> float:
        gained = 0.0
        match = self.match
        while match.seat != self.seat and not match.over and not match.truncated:
            match.apply(self.opponent.act(match))
            gained += float(match.rewards[self.seat])
        return gained

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.match.mask(), "seat": self.seat}
        if self.match.over or self.match.truncated:
            info["winner"] = self.match.winner
        if self._forfeited:
            info["winner"], info["illegal_action"] = 1 - self.seat % 2, True
        return info

    def action_masks(self) -> np.ndarray:
        """The legal actions, bool (actions,)."""
        return self.match.mask().astype(bool)

    def state(self) -> np.ndarray:
        """The whole state, float32 (features of the "full" encoder)."""
        return self.match.observe_as("full", self.seat)

    def render(self) -> str | None:
        """The position in words: returned for "ansi", printed for "human"."""
        if self.render_mode is None:
            return None
        text = self.match.describe(self.seat)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None
