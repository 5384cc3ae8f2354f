"""Tennis scoring: points, games, sets, match, tie-breaks, who serves and at which end (ITF Rules of Tennis 5 to 10, 14)."""

from __future__ import annotations

import numpy as np

from tennis_envs.core.jit import inlined, njit

NOBODY = -1
MAX_SETS = 5

FORMAT = np.dtype(
    [
        ("game_points", "i1"),  # points that win a game
        ("game_lead", "i1"),  # by how many; 1 with a deciding point at deuce
        ("set_games", "i1"),  # games that win a set
        ("set_lead", "i1"),  # by how many
        ("tiebreak_at", "i1"),  # games each at which a tie-break is played; 0: the set is a tie-break; -1: never
        ("tiebreak_points", "i1"),  # points that win a tie-break
        ("tiebreak_lead", "i1"),
        ("sets", "i1"),  # sets that win the match
    ],
    align=True,
)

SCORE = np.dtype(
    [
        ("points", "i2", (2,)),  # in this game or tie-break
        ("games", "i1", (2,)),  # in this set
        ("sets", "i1", (2,)),
        ("server", "i1"),
        ("opener", "i1"),  # who served first in this game or tie-break
        ("tiebreak", "i1"),  # 1 while one is played
        ("ends", "i1"),  # 1 after an odd number of changes of ends
        ("played", "i1", (MAX_SETS, 2)),  # games of the finished sets
    ],
    align=True,
)

GAME, LOVE_GAME, SET, MATCH, ENDS = 1, 2, 4, 8, 16  # what a point brought, as bits


@inlined
def other(player):
    """The opponent."""
    return 1 - player


@njit
def start_match(format, score, server):
    """Love all; `server` serves first."""
    score.server = server
    score.opener = server
    score.tiebreak = format.tiebreak_at == 0


@inlined
def award(format, score, winner):
    """Give `winner` the point; return what it brought, as bits of GAME, LOVE_GAME, SET, MATCH and ENDS."""
    score.points[winner] += 1
    mine, theirs = score.points[winner], score.points[other(winner)]
    if score.tiebreak:
        if mine >= format.tiebreak_points and mine - theirs >= format.tiebreak_lead:
            return _win_game(format, score, winner, GAME)
        total = mine + theirs
        if total % 2 == 1:
            score.server = other(score.server)
        return _change_ends(score) if total % 6 == 0 else 0
    if mine >= format.game_points and mine - theirs >= format.game_lead:
        return _win_game(format, score, winner, GAME | LOVE_GAME if theirs == 0 else GAME)
    if mine == theirs and mine >= format.game_points:
        score.points[winner] -= 1  # back to deuce
        score.points[other(winner)] -= 1
    return 0


@njit
def _win_game(format, score, winner, events):
    """The game or tie-break is won: the serve passes on, and perhaps the set is won too."""
    was_tiebreak = score.tiebreak
    score.points[winner] = 0
    score.points[other(winner)] = 0
    score.games[winner] += 1
    score.server = other(score.opener)
    score.opener = score.server
    mine, theirs = score.games[winner], score.games[other(winner)]
    if (mine + theirs) % 2 == 1:
        events |= _change_ends(score)
    if was_tiebreak or (mine >= format.set_games and mine - theirs >= format.set_lead):
        return _win_set(format, score, winner, events | SET)
    score.tiebreak = mine == format.tiebreak_at and theirs == format.tiebreak_at
    return events


@inlined
def _win_set(format, score, winner, events):
    """The set is won, and perhaps the match."""
    finished = score.sets[0] + score.sets[1]
    for player in range(2):
        score.played[finished, player] = score.games[player]
        score.games[player] = 0
    score.sets[winner] += 1
    score.tiebreak = format.tiebreak_at == 0
    return events | MATCH if score.sets[winner] == format.sets else events


@njit
def _change_ends(score):
    """The players change ends."""
    score.ends = 1 - score.ends
    return ENDS


def set_format(format: np.ndarray, name: str, *, game_points: int = 4, game_lead: int = 2) -> None:
    """Fill a FORMAT record for "point", "game", "tiebreak", "set", "best_of_3" or "best_of_5"."""
    format["game_points"], format["game_lead"] = game_points, game_lead
    format["set_games"], format["set_lead"], format["tiebreak_at"] = 6, 2, 6
    format["tiebreak_points"], format["tiebreak_lead"] = 7, 2
    format["sets"] = {"best_of_3": 2, "best_of_5": 3}.get(name, 1)
    if name in ("point", "game"):
        format["set_games"], format["set_lead"], format["tiebreak_at"] = 1, 1, -1
    if name == "point":
        format["game_points"], format["game_lead"] = 1, 1
    if name == "tiebreak":
        format["tiebreak_at"] = 0


def points_text(format: np.void, score: np.void) -> str:
    """The score of the game as an umpire calls it, the server's first: "15-0", "deuce", "advantage server", "6-5"."""
    server = int(score["server"])
    mine, theirs = int(score["points"][server]), int(score["points"][1 - server])
    if score["tiebreak"] or format["game_points"] != 4:
        return f"{mine}-{theirs}"
    if format["game_lead"] == 2 and mine >= 3 and theirs >= 3:
        return "deuce" if mine == theirs else "advantage server" if mine > theirs else "advantage receiver"
    return f"{(0, 15, 30, 40)[mine]}-{(0, 15, 30, 40)[theirs]}"


def sets_text(score: np.void, over: bool = False) -> str:
    """The games of every set, player 0's first: "6-4 3-2"; once the match is over, of those that were played."""
    finished = int(score["sets"].sum())
    games = [f"{a}-{b}" for a, b in score["played"][:finished]]
    if over:
        return " ".join(games)
    return " ".join([*games, f"{score['games'][0]}-{score['games'][1]}"])
