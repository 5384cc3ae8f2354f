"""Matches between opponents, with seats mirrored, and how sure the result is."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tennis_envs.batch import MatchBatch
from tennis_envs.core.game import Game
from tennis_envs.opponents import AutomaOpponent, Opponent

_Z = 1.959964  # of the normal distribution, for 95 %


@dataclass(frozen=True)
class Result:
    """What `matches` matches brought the first of two opponents."""

    matches: int
    wins: int
    draws: int = 0
    """Matches that were cut off; they count as half a win."""

    @property
    def rate(self) -> float:
        """The share of matches won."""
        return (self.wins + self.draws / 2) / self.matches if self.matches else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval for the rate (E. B. Wilson, 1927)."""
        n = self.matches
        if n == 0:
            return 0.0, 1.0
        centre = (self.rate + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z / (1 + _Z**2 / n) * math.sqrt(self.rate * (1 - self.rate) / n + _Z**2 / (4 * n**2))
        return max(0.0, centre - half), min(1.0, centre + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:.1%} ({low:.1%} to {high:.1%})"

    def __add__(self, other: Result) -> Result:
        return Result(self.matches + other.matches, self.wins + other.wins, self.draws + other.draws)


def play_matches(
    game: str | Game,
    first: Opponent,
    second: Opponent,
    matches: int,
    *,
    seed: int | None = None,
    tick: Callable[[int], None] | None = None,
    **options: Any,
) -> Result:
    """`matches` matches (an even number), half of them with `first` at the even seats, half at the odd ones.

    Both halves meet the same streams of chance. With `second` the automa, `first` has the only seat in all of them.
    `tick(n)` is called when n more matches have ended.
    """
    if isinstance(second, AutomaOpponent):
        seed = int(np.random.SeedSequence(seed).generate_state(1)[0])
        return _play_side(game, first, second, 0, matches, seed, tick, {"mode": "solo", **options})
    if matches < 2 or matches % 2:
        raise ValueError(f"matches cannot be {matches}: seats are mirrored, so it must be an even number above 0.")
    seed = int(np.random.SeedSequence(seed).generate_state(1)[0])
    total = Result(0, 0)
    for side in range(2):
        total += _play_side(game, first, second, side, matches // 2, seed, tick, options)
    return total


def _play_side(
    game: str | Game,
    first: Opponent,
    second: Opponent,
    side: int,
    count: int,
    seed: int,
    tick: Callable[[int], None] | None,
    options: dict[str, Any],
) -> Result:
    """One match a row, with `first` deciding for team `side`."""
    batch = MatchBatch(game, count, seed=seed, **options)
    rows = np.arange(count, dtype=np.int32)
    wins = draws = 0
    while len(rows):
        mine = batch.seat[rows] % 2 == side
        for player, asked in ((first, rows[mine]), (second, rows[~mine])):
            if len(asked):
                batch.step(player.act_batch(batch, asked), asked)
        ended = rows[batch.done[rows]]
        if len(ended):
            winner = batch.final_states["winner"][ended]
            cut = batch.truncated[ended]
            wins += int(((winner == side) & ~cut).sum())
            draws += int(cut.sum())
            rows = rows[~batch.done[rows]]
            if tick is not None:
                tick(len(ended))
    return Result(count, wins, draws)
