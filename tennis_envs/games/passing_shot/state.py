"""Passing Shot's two records: the rules (options and tables) and the state of a match."""

from __future__ import annotations

import functools

import numpy as np

from tennis_envs.core.dice import pool, pool_type
from tennis_envs.core.game import STATE_HEAD, record_type
from tennis_envs.core.jit import copied
from tennis_envs.core.scoring import FORMAT, SCORE, set_format
from tennis_envs.games.passing_shot.options import PassingShotOptions
from tennis_envs.games.passing_shot.rolls import DICE, FACES, ROLL, rolls

MOST_TO_ENSURE = 3  # dice
SIDES = 6

TOSS, STROKE, HIT, REROLL, SECOND, EXCHANGE, STRETCH, RECOVERY, OVER = range(9)  # phases: one kind of decision each
PHASES = ("toss", "stroke", "winner hit", "re-roll", "second serve", "energy", "stamina", "recovery", "over")
# What comes next where nobody has a choice: passed through inside a decision, in this order.
NEXT_POINT, FORCED_ROLL, CALLED_ROLL, ROLL_AGAIN, JUDGE, SETTLE, HIT_BACK = range(9, 16)
SERVE, SECOND_SERVE, RETURN, RALLY = range(4)  # strokes
STROKES = ("serve", "second serve", "return", "rally")
NO_CALL, CALL_NET, CALL_ENSURE = -1, 6, 6  # announced before a roll; 1 to 5: a Winner; 6 + n: n dice to ensure

PRO_NONE, PRO_IN, PRO_TIRED, PRO_SPENT = range(4)  # where a player's Pro die is

SURFACES = ("clay", "grass", "hard")
SURFACE_RANDOM = len(SURFACES)
SERVER_TOSS, SERVER_RANDOM = 2, 3
HAWK_EYES = 3  # a set
MOST = 9  # successes: four Balls of the surface at three halves, and the Pro die at six

_POOL = pool_type(DICE, FACES, SIDES)

RULES = np.dtype(
    [
        ("format", FORMAT),
        ("stamina", "i1"),
        ("energy", "i1"),
        ("aces", "i1"),
        ("second_serve", "i1"),
        ("concentration", "i1"),
        ("winner", "i1"),
        ("net", "i1"),
        ("hawk_eye", "i1"),
        ("professional", "i1"),
        ("pro_bars_ensure", "i1"),
        ("surface", "i1"),
        ("first_server", "i1"),
        ("faces", "i4", (FACES,)),  # sides of a die that show each face
        ("face", "i1", (SIDES,)),  # what each side shows
        ("pool", _POOL),
        ("rolls", ROLL, (*_POOL["counts"].shape[:-1], 1 + FACES)),  # [ordinary dice, outcome of the pool, 1 + Pro die's face]
        ("reply", "f4", (2, DICE + 1, MOST + 2)),  # [Pro die in hand, dice, need]: chance that a roll holds (players.py)
        ("reply_net", "f4", (2, DICE + 1, MOST + 2)),  # the same at the net
        ("hit", "f4", (2, DICE + 1, MOST + 2, DICE + 1)),  # [.., called]: chance that a called Winner hits
        ("miss", "f4", (2, DICE + 1, MOST + 2, DICE + 1)),  # [.., called]: chance that it misses but holds
    ],
    align=True,
)

STATE = record_type(
    [
        *STATE_HEAD,
        ("score", SCORE),
        ("phase", "i1"),
        ("stroke", "i1"),
        ("striker", "i1"),  # whose roll it is
        ("need", "i1"),  # successes to match
        ("surface", "i1"),
        ("call", "i1"),  # what was announced before the last roll
        ("dice", "i1", (2,)),  # ordinary dice in hand
        ("pro", "i1", (2,)),  # where the Pro die is
        # Shown side by side (observation.py)
        ("tired", "i1", (2,)),  # ordinary dice given up for stamina
        ("spent", "i1", (2,)),  # ordinary Energy dice removed for this point
        ("hawk_eyes", "i1", (2,)),
        ("concentration", "i1", (2,)),
        ("back", "i1", (2,)),  # dice that a player may still recover between points
        ("roll", ROLL),  # the last roll, and what has become of it
    ]
)


@functools.cache
def _dice_tables(surfaces: bool, stamina: bool) -> np.ndarray:
    """A rules record, shape (1,), with nothing but the tables of the dice and their odds."""
    from tennis_envs.games.passing_shot.players import fill_odds

    rules = np.zeros(1, RULES)
    rules["faces"] = (1, 2, 1, 1, 1) if surfaces else (0, 3, 1, 1, 1)
    rules["face"] = np.repeat(np.arange(FACES), rules["faces"][0])
    rules["pool"] = pool(DICE, rules["faces"][0].tolist())
    rules["rolls"] = rolls(rules["pool"]["counts"])
    rules["stamina"] = stamina
    fill_odds(rules)
    return rules


@functools.cache
def rules_record(options: PassingShotOptions) -> np.ndarray:
    """The rules record of some options, shape (1,)."""
    rules = copied(_dice_tables(options.surfaces, options.stamina))
    record = rules[0]
    set_format(record["format"], options.format)
    for name in ("stamina", "energy", "aces", "second_serve", "concentration", "winner", "net", "hawk_eye"):
        record[name] = getattr(options, name)
    record["professional"], record["pro_bars_ensure"] = options.professional, options.pro_bars_ensure
    record["surface"] = [*SURFACES, "random"].index(options.surface)
    record["first_server"] = ("player_0", "player_1", "toss", "random").index(options.first_server)
    return rules
