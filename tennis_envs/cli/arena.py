"""A round robin: every player against every other, each match twice with the seats changed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.table import Table

from tennis_envs.batch import MatchBatch
from tennis_envs.core.game import Game
from tennis_envs.opponents import Opponent

_CHUNK = 256  # matches side by side
_Z = 1.959964  # 95 %


def wilson(wins: int, matches: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share of `wins` in `matches`."""
    if matches == 0:
        return 0.0, 1.0
    share, spread = wins / matches, _Z * _Z / matches
    centre = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return max(0.0, centre - half), min(1.0, centre + half)


@dataclass
class Pairing:
    """What two players (by their places in the list) have won against each other so far."""

    first: int
    second: int
    wins: list[int]  # of the first, of the second
    cut_off: int = 0

    @property
    def finished(self) -> int:
        """Matches that have ended."""
        return sum(self.wins) + self.cut_off


def pairings(players: int) -> list[Pairing]:
    """Everybody against everybody else, nothing played yet."""
    return [Pairing(a, b, [0, 0]) for a, b in itertools.combinations(range(players), 2)]


def play_pairing(
    pairing: Pairing,
    players: list[Opponent],
    game: Game,
    matches: int,
    seed: int,
    options: dict[str, Any],
    ended: Callable[[int], None],
) -> None:
    """Play `matches` (an even number) matches into `pairing`; `ended(n)` hears of every n that end."""
    for chunk, size in enumerate(_chunks(matches // 2)):
        for swapped in (False, True):
            batch = MatchBatch(game, size, seed=seed + chunk, **options)
            _play_batch(batch, players, pairing, swapped, ended)


def _chunks(total: int) -> Iterator[int]:
    for start in range(0, total, _CHUNK):
        yield min(_CHUNK, total - start)


def _play_batch(
    batch: MatchBatch, players: list[Opponent], pairing: Pairing, swapped: bool, ended: Callable[[int], None]
) -> None:
    """Every match of a batch once: a row whose match has ended is left alone."""
    teams = [players[pairing.first], players[pairing.second]]
    if swapped:
        teams.reverse()
    rows = np.arange(batch.num_matches, dtype=np.int32)
    while len(rows):
        actions = np.empty(len(rows), np.int32)
        team = batch.seat[rows] % 2
        for side, player in enumerate(teams):
            mine = team == side
            if mine.any():
                actions[mine] = player.act_batch(batch, rows[mine])
        batch.step(actions, rows)
        over = batch.done[rows]
        if over.any():
            _count(batch, rows[over], pairing, swapped)
            ended(int(over.sum()))
            rows = rows[~over]


def _count(batch: MatchBatch, rows: np.ndarray, pairing: Pairing, swapped: bool) -> None:
    winners = batch.final_states["winner"][rows]
    cut_off = batch.truncated[rows] | (winners < 0)
    pairing.cut_off += int(cut_off.sum())
    for team in range(2):
        pairing.wins[team ^ swapped] += int((winners[~cut_off] == team).sum())


def pairings_table(names: list[str], played: list[Pairing]) -> Table:
    """The result of each pairing."""
    table = Table(title="Matches", title_justify="left")
    for column in ("player", "against"):
        table.add_column(column)
    for column in ("won", "lost", "cut off", "share won", "95 % interval"):
        table.add_column(column, justify="right")
    for pairing in played:
        won, lost = pairing.wins
        counts = (str(won), str(lost), str(pairing.cut_off))
        table.add_row(names[pairing.first], names[pairing.second], *counts, *_share(won, lost))
    return table


def standings_table(names: list[str], played: list[Pairing]) -> Table:
    """All matches of each player, the best first."""
    won, lost = [0] * len(names), [0] * len(names)
    for pairing in played:
        for player, side in ((pairing.first, 0), (pairing.second, 1)):
            won[player] += pairing.wins[side]
            lost[player] += pairing.wins[1 - side]
    table = Table(title="Standings", title_justify="left")
    table.add_column("player")
    for column in ("won", "lost", "share won", "95 % interval"):
        table.add_column(column, justify="right")
    order = sorted(range(len(names)), key=lambda p: won[p] / max(1, won[p] + lost[p]), reverse=True)
    for player in order:
        table.add_row(names[player], str(won[player]), str(lost[player]), *_share(won[player], lost[player]))
    return table


def _share(won: int, lost: int) -> tuple[str, str]:
    if won + lost == 0:
        return "", ""
    low, high = wilson(won, won + lost)
    return f"{won / (won + lost):.1%}", f"{low:.1%} to {high:.1%}"
