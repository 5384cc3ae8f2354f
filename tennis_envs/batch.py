"""Many matches in arrays: what every vector form is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tennis_envs.core import chance as chance_module
from tennis_envs.core.game import Game
from tennis_envs.core.jit import records
from tennis_envs.core.kernels import (
    REWARDS,
    SETTINGS,
    kernels,
    new_chance,
)
from tennis_envs.core.shares import counters
from tennis_envs.match import Match
from tennis_envs.registry import game as find_game
from tennis_envs.threads import Helpers

ALONE = 1024  # so many rows the calling thread does alone: to wake another takes as long as it would save
_CHUNK = 256  # rows that a thread takes at once


class MatchBatch:
    """`num_matches` matches of one game, stepped together; both seats, whoever is to move.

    The arrays below are filled in place and read-only; a match that ends starts again in the same step, and then
    `observation`, `action_mask` and `seat` are the new match's, `reward`, `done` and `truncated` the old one's.

    - `observation` float32 (n, features): what the seat to move may know
    - `action_mask` int8 (n, actions): 1 is legal
    - `seat` int8 (n,): who is to move
    - `reward` float32 (n, seats): what the last decision brought each seat
    - `done` bool (n,): the match was won or cut off; `truncated` bool (n,): it was cut off at `max_decisions`

    Row i meets the luck of stream i of `seed`, whatever `num_matches`, `threads` and the order of steps are. Where
    more than 1,024 rows (`ALONE`) step or ask a player, all threads work: for fewer it is not worth waking another. A match
    that is won before anybody has decided (one point, won by the first serve) is passed over.
    """

    def __init__(self, game: str | Game, num_matches: int, *, seed: int | None = None, threads: int = 1, **options: Any) -> None:
        if num_matches < 1:
            raise ValueError(f"num_matches cannot be {num_matches}: it must be at least 1.")
        if threads < 1:
            raise ValueError(f"threads cannot be {threads}: it must be at least 1.")
        self.game = find_game(game)
        self.options = self.game.parse(**options)
        self.num_matches = n = num_matches
        self.threads = threads
        self.num_seats = self.game.seats(self.options)
        self._kernels = kernels(self.game, self.options.encoder)
        self._rules = records(self.game.rules(self.options))
        self._settings = records(np.zeros(1, SETTINGS))
        self._settings["max_decisions"] = self.options.max_decisions
        self._settings["reward"] = REWARDS.index(self.options.reward)
        self._states, self._finals, self._blank = (records(np.zeros(size, self.game.state_type)) for size in (n, n, 1))
        self._decisions = np.zeros(n, np.int32)
        self._views = records(np.zeros(n, self._kernels.view_type))
        self._masks = records(np.zeros(n, self._kernels.mask_type))
        self._observation, self._mask = self._views["features"], self._masks["legal"]
        self._seat = np.zeros(n, np.int8)
        self._reward = np.zeros((n, self.num_seats), np.float32)
        self._done = np.zeros(n, np.bool_)
        self._truncated = np.zeros(n, np.bool_)
        self._all_rows = np.arange(n, dtype=np.int32)
        self._chances = [new_chance() for _ in range(threads)]
        self._taken = [counters(count) for count in (1, threads)]  # for the calling thread alone, and for all together
        self._helpers = Helpers(threads - 1) if threads > 1 else None
        self.observation, self.action_mask, self.seat, self.reward, self.done, self.truncated = (
            _read_only(array) for array in (self._observation, self._mask, self._seat, self._reward, self._done, self._truncated)
        )
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin every match anew, from the streams of `seed`."""
        self._streams = chance_module.streams(seed, self.num_matches)
        self._choices = self._streams ^ np.uint64(0x5DEECE66D)  # the streams of random_actions
        self._reward[:] = 0
        self._done[:] = False
        self._truncated[:] = False
        self._play(self._all_rows, self._all_rows, begin=True)

    def step(self, actions: np.ndarray, rows: np.ndarray | None = None) -> None:
        """Take one decision in every match, or in `rows` only (int32 or int64, no row twice).

        `actions` are integers, one a row. If any is illegal, ValueError names the first and no match has changed.
        """
        rows = self._all_rows if rows is None else np.ascontiguousarray(rows, np.int32)
        actions = np.ascontiguousarray(actions, np.int32)
        self._check(rows, actions)
        self._play(rows, actions, begin=False)

    def _check(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """ValueError unless `actions[k]` is legal in match `rows[k]`."""
        if actions.shape != rows.shape:
            raise ValueError(f"{len(rows)} actions are needed, one a match, not an array of shape {actions.shape}.")
        if rows is not self._all_rows and len(rows) and not 0 <= rows.min() <= rows.max() < self.num_matches:
            raise ValueError(f"rows must be 0 to {self.num_matches - 1}.")
        wrong = self._kernels.first_illegal(self._mask, rows, actions)
        if wrong >= 0:
            raise ValueError(self._why_illegal(int(rows[wrong]), int(actions[wrong])))

    def _play(self, rows: np.ndarray, actions: np.ndarray, begin: bool) -> None:
        """Legal `actions` in the matches `rows`; with `begin`, start these anew instead."""
        step = self._kernels.step

        def play(thread: int, taken: np.ndarray) -> None:
            step(
                self._rules, self._settings, self._states, self._finals, self._blank, self._streams, self._decisions,
                self._chances[thread], rows, actions, self._masks, self._views, self._seat, self._reward, self._done,
                self._truncated, taken, thread, _CHUNK, begin,
            )  # fmt: skip

        self._in_threads(play, alone=len(rows) <= ALONE)

    def _in_threads(self, play: Callable[[int, np.ndarray], None], alone: bool) -> None:
        """Run `play(thread, taken)` in every thread at once, or in the calling one `alone`; `taken` is for `next_rows`."""
        alone = alone or self._helpers is None
        taken = self._taken[0 if alone else 1]
        taken.fill(0)
        if alone:
            play(0, taken)
        else:
            self._helpers.together(lambda thread: play(thread, taken))

    def _why_illegal(self, row: int, action: int) -> str:
        allowed = ", ".join(self.game.actions.name(a) for a in np.flatnonzero(self._mask[row]))
        known = 0 <= action < len(self.game.actions)
        name = repr(self.game.actions.name(action)) if known else str(action)
        return f"action {name} is not legal in match {row}: seat {self._seat[row]} may choose {allowed}."

    def random_actions(self, rows: np.ndarray | None = None, out: np.ndarray | None = None) -> np.ndarray:
        """A uniformly random legal action for every match (or for `rows`), int32; each match has a stream for them."""
        rows = self._all_rows if rows is None else np.ascontiguousarray(rows, np.int32)
        actions = np.empty(len(rows), np.int32) if out is None else out
        self._kernels.random_actions(self._mask, self._choices, self._chances[0], rows, actions)
        return actions

    def player_actions(self, player: str, rows: np.ndarray | None = None, weights: np.ndarray | None = None) -> np.ndarray:
        """What a scripted player of the game does in every match (or in `rows`, no row twice), int32.

        With other `weights` if it has some.
        """
        rows = self._all_rows if rows is None else np.ascontiguousarray(rows, np.int32)
        actions = np.empty(len(rows), np.int32)
        act = self._kernels.player(player)

        def decide(thread: int, taken: np.ndarray) -> None:
            mind = self._kernels.mind(player, weights)
            act(
                self._rules, self._states, self._masks, self._choices, self._chances[thread], mind, rows, actions,
                taken, thread, _CHUNK,
            )  # fmt: skip

        self._in_threads(decide, alone=len(rows) <= ALONE)
        return actions

    def playouts(
        self, player: str, rows: np.ndarray, actions: np.ndarray, luck: np.ndarray, weights: np.ndarray | None = None
    ) -> np.ndarray:
        """Who wins if match `rows[k]` goes on with `actions[k]` and then by a scripted player in every seat.

        A row may stand there many times; `luck` uint64 (rows,) starts the chance of each, and equal luck is the same
        chance. With other `weights` if the player has some. Returns teams, int8 (rows,), -1 for a match cut off at
        `max_decisions`. The batch stays as it is.
        ValueError if an action is illegal.
        """
        rows, actions = np.ascontiguousarray(rows, np.int32), np.ascontiguousarray(actions, np.int32)
        luck = np.ascontiguousarray(luck, np.uint64)
        self._check(rows, actions)
        winners = np.empty(len(rows), np.int8)
        playout = self._kernels.playout(player)

        def play(thread: int, taken: np.ndarray) -> None:
            future, mask = records(np.zeros(1, self.game.state_type)), records(np.zeros(1, self._kernels.mask_type))
            mind, longest = self._kernels.mind(player, weights), self.options.max_decisions
            playout(
                self._rules, self._states, rows, actions, luck, self._chances[thread], future, mask, mind, longest, winners,
                taken, thread,
            )  # fmt: skip

        self._in_threads(play, alone=len(rows) <= 1)
        return winners

    def observe(self, seats: np.ndarray, rows: np.ndarray | None = None, encoder: str | None = None) -> np.ndarray:
        """The view that `seats[k]` has of match `rows[k]`, float32 (rows, features); by another encoder if named."""
        return self._observe(self._states, seats, rows, encoder)

    def observe_final(self, seats: np.ndarray, rows: np.ndarray, encoder: str | None = None) -> np.ndarray:
        """The same of the match that ended last in each of `rows`, as it ended."""
        return self._observe(self._finals, seats, rows, encoder)

    def _observe(self, states: np.ndarray, seats: np.ndarray, rows: np.ndarray | None, encoder: str | None) -> np.ndarray:
        loops = self._kernels if encoder is None else kernels(self.game, encoder)
        rows = self._all_rows if rows is None else np.ascontiguousarray(rows, np.int32)
        views = records(np.empty(len(rows), loops.view_type))
        loops.observe(self._rules, states, rows, np.ascontiguousarray(seats, np.int8), views)
        return views["features"]

    @property
    def states(self) -> np.ndarray:
        """The state records, shape (n,), read-only."""
        return _read_only(self._states.view(np.recarray))

    @property
    def final_states(self) -> np.ndarray:
        """The state in which the last match of each row ended, shape (n,), read-only."""
        return _read_only(self._finals.view(np.recarray))

    @property
    def decisions(self) -> np.ndarray:
        """Decisions taken so far in each match, int32 (n,), read-only."""
        return _read_only(self._decisions)

    def match(self, row: int) -> Match:
        """A copy of one match, to look at or to go on with alone."""
        given = self.options.model_dump()
        match = Match(self.game, seed=0, **given)
        match._state.view(np.uint8)[:] = self._states[row : row + 1].view(np.uint8)
        match._chance["stream"] = self._streams[row]
        match.decisions = int(self._decisions[row])
        match._record["lead_now"] = self._states["lead"][row] if match.decisions else 0
        match.refresh()
        return match

    def get_state(self) -> dict[str, np.ndarray]:
        """All that the batch consists of, copied; `set_state` brings it back."""
        return {name: getattr(self, "_" + name).copy() for name in _SAVED}

    def set_state(self, saved: dict[str, np.ndarray]) -> None:
        """Go back to what `get_state` gave."""
        for name in _SAVED:
            getattr(self, "_" + name)[...] = saved[name]

    def close(self) -> None:
        """End the helper threads; the calling thread can go on alone."""
        if self._helpers is not None:
            self._helpers.close()

    def __getstate__(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "num_matches": self.num_matches,
            "threads": self.threads,
            "options": self.options.model_dump(),
            "saved": self.get_state(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["game"], state["num_matches"], seed=0, threads=state["threads"], **state["options"])
        self.set_state(state["saved"])

    def __deepcopy__(self, memo: dict) -> MatchBatch:
        new = object.__new__(MatchBatch)
        new.__setstate__(self.__getstate__())
        return new


_SAVED = (
    "states", "finals", "streams", "choices", "decisions", "observation", "mask", "seat", "reward", "done", "truncated",
)  # fmt: skip


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
