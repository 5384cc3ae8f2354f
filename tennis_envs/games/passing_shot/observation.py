"""What a seat sees of Passing Shot, as numbers. All dice are public, so a seat sees everything."""

import numpy as np

from tennis_envs.core.game import Encoder
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.layout import Feature, Features
from tennis_envs.core.scoring import MAX_SETS, SCORE, other
from tennis_envs.core.views import paired, scaled, write_flag
from tennis_envs.games.passing_shot.rolls import DICE, FACES, NO_FACE, ROLL
from tennis_envs.games.passing_shot.rules import dice_left, successes
from tennis_envs.games.passing_shot.state import (
    CALL_ENSURE,
    CALL_NET,
    EXCHANGE,
    HAWK_EYES,
    MOST,
    MOST_TO_ENSURE,
    NO_CALL,
    OVER,
    PHASES,
    PRO_IN,
    STATE,
    STRETCH,
    STROKES,
    SURFACES,
)

_FACE_NAMES = ("Ball of the surface", "Ball", "Out", "Net", "Energy")
_DICE_LABELS = tuple(str(n) for n in range(DICE + 1))
_POINTS_SHOWN = 12  # points of a game or tie-break beyond which the feature stays at 1

# Scales as float32 factors: a product is several times faster than a quotient.
_PER_SUCCESS, _PER_GAME, _PER_LEAD, _QUARTER = np.float32(1 / MOST), np.float32(1 / 7), np.float32(1 / 256), np.float32(1 / 4)

_write_sides = paired(STATE, {"tired": DICE, "spent": DICE, "hawk_eyes": HAWK_EYES, "concentration": 4, "back": 2}, capped=True)
_write_roll = scaled(ROLL, {"table": DICE, "worth": MOST, "energy": DICE, "pro_energy": 2})
_write_points = paired(SCORE, {"points": _POINTS_SHOWN}, capped=True)
_write_sets = paired(SCORE, {"games": 7, "sets": 3})

_SHARED = (
    Feature("to_move", about="1 if this seat decides"),
    Feature("phase", len(PHASES), about="what is decided", labels=PHASES),
    Feature("stroke", len(STROKES), about="which stroke is played", labels=STROKES),
    Feature("striking", about="1 if the roll is this seat's"),
    Feature("my_dice", DICE + 1, about="dice in hand", labels=_DICE_LABELS),
    Feature("their_dice", DICE + 1, about="dice in the opponent's hand", labels=_DICE_LABELS),
    # as `_write_sides` writes them
    Feature("my_tired", about="ordinary dice given up, of 5"),
    Feature("their_tired", about="the opponent's"),
    Feature("my_spent", about="Energy dice removed for this point, of 5"),
    Feature("their_spent", about="the opponent's"),
    Feature("my_hawk_eyes", about="of 3"),
    Feature("their_hawk_eyes", about="of 3"),
    Feature("my_concentration", about="of 4, at most 1"),
    Feature("their_concentration", about="of 4, at most 1"),
    Feature("back", 2, about="dice that a seat may still recover between points, of 2", labels=("my", "their")),
    Feature("my_pro", 3, about="the Pro die is", labels=("in hand", "given up", "removed")),
    Feature("their_pro", 3, about="the opponent's", labels=("in hand", "given up", "removed")),
    Feature("need", MOST + 1, about="successes to match", labels=tuple(str(n) for n in range(MOST + 1))),
    # as `_write_roll` writes them
    Feature("table", FACES, about="ordinary dice of the last roll, of 5", labels=_FACE_NAMES),
    Feature("successes", about="what the roll is worth so far, of 9"),
    Feature("energy", about="Energy results not yet used, of 5"),
    Feature("pro_energy", about="the same on the Pro die, of 2"),
    Feature("pro_face", FACES, about="the Pro die of the last roll", labels=_FACE_NAMES),
    Feature("call", 3, about="announced before it", labels=("Winner", "net", "ensure")),
    Feature("called", about="Balls called for a Winner, of 5"),
    Feature("short", about="successes missing while a roll is settled, of 9"),
    Feature("hold", about="chance that a roll of the striker's dice matches the ball, a die given up included"),
    Feature("hold_at_net", about="the same at the net, where no die is given up"),
    Feature("answer", about="chance that the other's roll matches what the roll is worth now"),
    Feature("serving", about="1 if this seat serves"),
    Feature("tiebreak", about="1 in a tie-break"),
    Feature("my_points", about=f"in the game or tie-break, of {_POINTS_SHOWN}, at most 1"),
    Feature("their_points", about=f"in the game or tie-break, of {_POINTS_SHOWN}, at most 1"),
    # as `_write_sets` writes them
    Feature("my_games", about="in the set, of 7"),
    Feature("their_games", about="in the set, of 7"),
    Feature("my_sets", about="of 3"),
    Feature("their_sets", about="of 3"),
    Feature("points_lead", low=-1, about="difference of the points, of 4, between -1 and 1"),
)

_CALLS_SHOWN = 4
_CALLS = np.zeros((CALL_ENSURE + MOST_TO_ENSURE + 1 - NO_CALL, _CALLS_SHOWN), np.float32)  # "call" and "called" for every call
for _called in range(1, DICE + 1):
    _CALLS[_called - NO_CALL] = 1, 0, 0, np.float32(_called) * np.float32(1 / DICE)
_CALLS[CALL_NET - NO_CALL, 1] = 1
_CALLS[CALL_ENSURE + 1 - NO_CALL :, 2] = 1

_PER_SHORT = np.zeros(len(PHASES), np.float32)  # what is missing counts while a roll is settled
_PER_SHORT[[EXCHANGE, STRETCH]] = _PER_SUCCESS

FLAT = Features(*_SHARED)
FULL = Features(
    *_SHARED,
    Feature("seat", about="0 or 1: whose view this is"),
    Feature("surface", len(SURFACES), about="the court", labels=SURFACES),
    Feature("ends", about="1 after an odd number of changes of ends"),
    Feature("opener", about="1 if this seat served first in the game or tie-break"),
    Feature("played", 2 * MAX_SETS, about="games of the finished sets, of 7", labels=("my", "their") * MAX_SETS),
    Feature("lead", low=-1, about="points won less points lost, of 256, between -1 and 1"),
)

(
    _TO_MOVE, _PHASE, _STROKE, _STRIKING, _MY_DICE, _THEIR_DICE, _SIDES, _MY_PRO, _THEIR_PRO, _NEED, _ROLL, _PRO_FACE, _CALL,
    _SHORT, _HOLD, _HOLD_AT_NET, _ANSWER, _SERVING, _TIEBREAK, _POINTS, _SETS, _POINTS_LEAD,
) = (
    FLAT.start(name)
    for name in (
        "to_move", "phase", "stroke", "striking", "my_dice", "their_dice", "my_tired", "my_pro", "their_pro", "need",
        "table", "pro_face", "call", "short", "hold", "hold_at_net", "answer", "serving", "tiebreak", "my_points",
        "my_games", "points_lead",
    )
)  # fmt: skip
_SEAT, _SURFACE, _ENDS, _OPENER, _PLAYED, _LEAD = (FULL.start(feature.name) for feature in list(FULL)[len(_SHARED) :])


@inlined
def observe(rules, state, seat, out):
    """The view of `seat`: everything, its own side first."""
    for place in range(len(out)):
        out[place] = 0
    them = other(seat)
    write_flag((seat == state.seat) & (state.phase != OVER), out, _TO_MOVE)
    out[_PHASE + state.phase] = 1
    out[_STROKE + state.stroke] = 1
    write_flag(state.striker == seat, out, _STRIKING)
    out[_MY_DICE + dice_left(state, seat)] = 1
    out[_THEIR_DICE + dice_left(state, them)] = 1
    _write_sides(state, seat, out, _SIDES)
    if rules.professional:
        out[_MY_PRO + state.pro[seat] - 1] = 1
        out[_THEIR_PRO + state.pro[them] - 1] = 1
    out[_NEED + state.need] = 1
    _write_roll(state.roll, out, _ROLL)
    write_flag(state.roll.pro_face != NO_FACE, out, _PRO_FACE + max(0, state.roll.pro_face))
    for place in range(_CALLS_SHOWN):
        out[_CALL + place] = _CALLS[state.call - NO_CALL, place]
    _write_odds(rules, state, out)
    score = state.score
    write_flag(score.server == seat, out, _SERVING)
    out[_TIEBREAK] = score.tiebreak
    _write_points(score, seat, out, _POINTS)
    _write_sets(score, seat, out, _SETS)
    out[_POINTS_LEAD] = np.float32(min(4, max(-4, score.points[seat] - score.points[them]))) * _QUARTER


@inlined
def _write_odds(rules, state, out):
    """What is missing, and the chances that a roll of either player's dice matches the ball."""
    need, total = np.int64(state.need), successes(state)
    out[_SHORT] = np.float32(max(0, need - total)) * _PER_SHORT[state.phase]
    striker = np.int64(state.striker)
    pro, dice = np.int64(state.pro[striker] == PRO_IN), dice_left(state, striker)
    out[_HOLD] = rules.reply[pro, dice, need]
    out[_HOLD_AT_NET] = rules.reply_net[pro, dice, need]
    receiver = other(striker)
    pro, dice = np.int64(state.pro[receiver] == PRO_IN), dice_left(state, receiver)
    out[_ANSWER] = rules.reply[pro, dice, max(need, total)]


@njit
def observe_full(rules, state, seat, out):
    """The whole state as `seat` would tell it: for a centralised critic."""
    observe(rules, state, seat, out)
    them = other(seat)
    out[_SEAT] = seat
    out[_SURFACE + state.surface] = 1
    out[_ENDS] = state.score.ends
    write_flag(state.score.opener == seat, out, _OPENER)
    for played in range(MAX_SETS):
        out[_PLAYED + 2 * played] = state.score.played[played, seat] * _PER_GAME
        out[_PLAYED + 2 * played + 1] = state.score.played[played, them] * _PER_GAME
    out[_LEAD] = np.float32(min(256, max(-256, state.lead))) * _PER_LEAD


ENCODERS = {"flat": Encoder(FLAT, observe), "full": Encoder(FULL, observe_full)}
