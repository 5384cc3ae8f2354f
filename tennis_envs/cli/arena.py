"""A round robin: every player against every other."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from tennis_envs.arena import Result, play_matches
from tennis_envs.core.game import Game
from tennis_envs.opponents import Opponent

# Matches are played side by side in chunks, each twice as wide as the one before. A chunk counts as a whole, so that an
# early stop favours no short match.
_FIRST_CHUNK, _WIDEST_CHUNK = 50, 1600
_NOTHING = Result(0, 0)


@dataclass
class Pairing:
    """What one player (by its place in the list) has reached against another so far."""

    first: int
    second: int
    result: Result = _NOTHING


def pairings(players: int, alone: bool = False) -> list[Pairing]:
    """Everybody against everybody else, nothing played yet; `alone`: everybody against the last one only, the automa."""
    if alone:
        return [Pairing(player, players - 1) for player in range(players - 1)]
    return [Pairing(a, b) for a, b in itertools.combinations(range(players), 2)]


def play_pairing(
    pairing: Pairing,
    players: list[Opponent],
    game: Game,
    matches: int,
    seed: int,
    options: dict[str, Any],
    tick: Callable[[int], None],
) -> None:
    """Play `matches` matches (an even number) into `pairing`, chunk by chunk; `tick(n)` hears of every n that end."""
    first, second = players[pairing.first], players[pairing.second]
    for chunk, size in enumerate(_chunks(matches)):
        pairing.result += play_matches(game, first, second, size, seed=seed + chunk, tick=tick, **options)


def _chunks(matches: int) -> Iterator[int]:
    width = _FIRST_CHUNK
    while matches > 0:
        yield min(width, matches)
        matches -= width
        width = min(2 * width, _WIDEST_CHUNK)


def pairings_table(names: list[str], played: list[Pairing]) -> Table:
    """The result of each pairing."""
    table = _table("Matches", "player", "against")
    for pairing in played:
        table.add_row(names[pairing.first], names[pairing.second], *_cells(pairing.result))
    return table


def standings_table(names: list[str], played: list[Pairing]) -> Table:
    """All matches of each player, the best first."""
    totals = [_NOTHING for _ in names]
    for pairing in played:
        totals[pairing.first] += pairing.result
        totals[pairing.second] += _of_the_other(pairing.result)
    table = _table("Standings", "player")
    for player in sorted(range(len(names)), key=lambda place: totals[place].rate, reverse=True):
        table.add_row(names[player], *_cells(totals[player]))
    return table


def _of_the_other(result: Result) -> Result:
    return Result(result.matches, result.matches - result.wins - result.draws, result.draws)


def _table(title: str, *who: str) -> Table:
    table = Table(*who, title=title, title_justify="left")
    for column in ("won", "lost", "cut off", "share won", "95 % interval"):
        table.add_column(column, justify="right")
    return table


def _cells(result: Result) -> tuple[str, ...]:
    counts = (str(result.wins), str(_of_the_other(result).wins), str(result.draws))
    if result.matches == 0:
        return *counts, "", ""
    low, high = result.interval
    return *counts, f"{result.rate:.1%}", f"{low:.1%} to {high:.1%}"
