"""What a seat sees of Passing Shot, as numbers. All dice are public, so a seat sees everything."""

import numpy as np

from tennis_envs.core.game import Encoder
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.layout import Feature, Features
from tennis_envs.core.scoring import MAX_SETS, other
from tennis_envs.core.views import write_flag
from tennis_envs.games.passing_shot.rules import dice_left, is_ensured, is_winner, successes
from tennis_envs.games.passing_shot.state import (
    CALL_NET,
    DICE,
    EXCHANGE,
    FACES,
    HAWK_EYES,
    MOST,
    NO_FACE,
    OVER,
    PHASES,
    PRO_IN,
    STRETCH,
    STROKES,
    SURFACES,
)

_FACE_NAMES = ("Ball of the surface", "Ball", "Out", "Net", "Energy")
_DICE_LABELS = tuple(str(n) for n in range(DICE + 1))
_POINTS_SHOWN = 12  # points of a game or tie-break beyond which the feature stays at 1

# Scales as float32 factors: a product is several times faster than a quotient.
_PER_DIE, _PER_SUCCESS, _PER_HAWK_EYE = np.float32(1 / DICE), np.float32(1 / MOST), np.float32(1 / HAWK_EYES)
_PER_POINT, _PER_GAME, _PER_SET = np.float32(1 / _POINTS_SHOWN), np.float32(1 / 7), np.float32(1 / 3)
_PER_LEAD, _HALF, _QUARTER = np.float32(1 / 256), np.float32(1 / 2), np.float32(1 / 4)

_SHARED = (
    Feature("to_move", about="1 if this seat decides"),
    Feature("phase", len(PHASES), about="what is decided", labels=PHASES),
    Feature("stroke", len(STROKES), about="which stroke is played", labels=STROKES),
    Feature("striking", about="1 if the roll is this seat's"),
    Feature("my_dice", DICE + 1, about="dice in hand", labels=_DICE_LABELS),
    Feature("their_dice", DICE + 1, about="dice in the opponent's hand", labels=_DICE_LABELS),
    Feature("my_tired", about="ordinary dice given up, of 5"),
    Feature("their_tired", about="the opponent's"),
    Feature("my_spent", about="Energy dice removed for this point, of 5"),
    Feature("their_spent", about="the opponent's"),
    Feature("my_pro", 3, about="the Pro die is", labels=("in hand", "given up", "removed")),
    Feature("their_pro", 3, about="the opponent's", labels=("in hand", "given up", "removed")),
    Feature("need", MOST + 1, about="successes to match", labels=tuple(str(n) for n in range(MOST + 1))),
    Feature("table", FACES, about="ordinary dice of the last roll, of 5", labels=_FACE_NAMES),
    Feature("pro_face", FACES, about="the Pro die of the last roll", labels=_FACE_NAMES),
    Feature("call", 3, about="announced before it", labels=("Winner", "net", "ensure")),
    Feature("called", about="Balls called for a Winner, of 5"),
    Feature("successes", about="what the roll is worth so far, of 9"),
    Feature("short", about="successes missing while a roll is settled, of 9"),
    Feature("hold", about="chance that a roll of the striker's dice matches the ball, a die given up included"),
    Feature("hold_at_net", about="the same at the net, where no die is given up"),
    Feature("answer", about="chance that the other's roll matches what the roll is worth now"),
    Feature("energy", about="Energy results not yet used, of 5"),
    Feature("pro_energy", about="the same on the Pro die, of 2"),
    Feature("my_hawk_eyes", about="of 3"),
    Feature("their_hawk_eyes", about="of 3"),
    Feature("my_concentration", about="of 4, at most 1"),
    Feature("their_concentration", about="of 4, at most 1"),
    Feature("back", 2, about="dice that a seat may still recover between points, of 2", labels=("my", "their")),
    Feature("serving", about="1 if this seat serves"),
    Feature("tiebreak", about="1 in a tie-break"),
    Feature("my_points", about=f"in the game or tie-break, of {_POINTS_SHOWN}, at most 1"),
    Feature("their_points", about=f"in the game or tie-break, of {_POINTS_SHOWN}, at most 1"),
    Feature("points_lead", low=-1, about="difference of these points, of 4, between -1 and 1"),
    Feature("my_games", about="in the set, of 7"),
    Feature("their_games", about="in the set, of 7"),
    Feature("my_sets", about="of 3"),
    Feature("their_sets", about="of 3"),
)

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
    _TO_MOVE, _PHASE, _STROKE, _STRIKING, _MY_DICE, _THEIR_DICE, _MY_TIRED, _THEIR_TIRED, _MY_SPENT, _THEIR_SPENT, _MY_PRO,
    _THEIR_PRO, _NEED, _TABLE, _PRO_FACE, _CALL, _CALLED, _SUCCESSES, _SHORT, _HOLD, _HOLD_AT_NET, _ANSWER, _ENERGY,
    _PRO_ENERGY, _MY_HAWK_EYES, _THEIR_HAWK_EYES, _MY_CONCENTRATION, _THEIR_CONCENTRATION, _BACK, _SERVING, _TIEBREAK,
    _MY_POINTS, _THEIR_POINTS, _POINTS_LEAD, _MY_GAMES, _THEIR_GAMES, _MY_SETS, _THEIR_SETS,
) = (FLAT.start(feature.name) for feature in FLAT)  # fmt: skip
_SEAT, _SURFACE, _ENDS, _OPENER, _PLAYED, _LEAD = (FULL.start(feature.name) for feature in list(FULL)[len(_SHARED) :])


@inlined
def observe(rules, state, seat, out):
    """The view of `seat`: everything, its own side first."""
    for place in range(len(out)):
        out[place] = 0
    them = other(seat)
    score = state.score
    write_flag((seat == state.seat) & (state.phase != OVER), out, _TO_MOVE)
    out[_PHASE + state.phase] = 1
    out[_STROKE + state.stroke] = 1
    write_flag(state.striker == seat, out, _STRIKING)
    out[_MY_DICE + dice_left(state, seat)] = 1
    out[_THEIR_DICE + dice_left(state, them)] = 1
    out[_MY_TIRED] = state.tired[seat] * _PER_DIE
    out[_THEIR_TIRED] = state.tired[them] * _PER_DIE
    out[_MY_SPENT] = state.spent[seat] * _PER_DIE
    out[_THEIR_SPENT] = state.spent[them] * _PER_DIE
    if rules.professional:
        out[_MY_PRO + state.pro[seat] - 1] = 1
        out[_THEIR_PRO + state.pro[them] - 1] = 1
    out[_NEED + state.need] = 1
    for face in range(FACES):
        out[_TABLE + face] = state.table[face] * _PER_DIE
    write_flag(state.pro_face != NO_FACE, out, _PRO_FACE + max(0, state.pro_face))
    write_flag(is_winner(state.call), out, _CALL)
    write_flag(state.call == CALL_NET, out, _CALL + 1)
    write_flag(is_ensured(state.call), out, _CALL + 2)
    out[_CALLED] = np.float32(is_winner(state.call) * state.call) * _PER_DIE
    total = successes(state)
    out[_SUCCESSES] = np.float32(total) * _PER_SUCCESS
    settling = (state.phase == EXCHANGE) | (state.phase == STRETCH)
    out[_SHORT] = np.float32(settling * max(0, state.need - total)) * _PER_SUCCESS
    striker = np.int64(state.striker)
    pro, dice = np.int64(state.pro[striker] == PRO_IN), dice_left(state, striker)
    out[_HOLD] = rules.reply[pro, dice, state.need]
    out[_HOLD_AT_NET] = rules.reply_net[pro, dice, state.need]
    receiver = other(striker)
    pro, dice = np.int64(state.pro[receiver] == PRO_IN), dice_left(state, receiver)
    out[_ANSWER] = rules.reply[pro, dice, max(state.need, total)]
    out[_ENERGY] = state.energy * _PER_DIE
    out[_PRO_ENERGY] = state.pro_energy * _HALF
    out[_MY_HAWK_EYES] = state.hawk_eyes[seat] * _PER_HAWK_EYE
    out[_THEIR_HAWK_EYES] = state.hawk_eyes[them] * _PER_HAWK_EYE
    out[_MY_CONCENTRATION] = np.float32(min(4, state.concentration[seat])) * _QUARTER
    out[_THEIR_CONCENTRATION] = np.float32(min(4, state.concentration[them])) * _QUARTER
    out[_BACK] = state.back[seat] * _HALF
    out[_BACK + 1] = state.back[them] * _HALF
    write_flag(score.server == seat, out, _SERVING)
    out[_TIEBREAK] = score.tiebreak
    out[_MY_POINTS] = np.float32(min(_POINTS_SHOWN, score.points[seat])) * _PER_POINT
    out[_THEIR_POINTS] = np.float32(min(_POINTS_SHOWN, score.points[them])) * _PER_POINT
    out[_POINTS_LEAD] = np.float32(min(4, max(-4, score.points[seat] - score.points[them]))) * _QUARTER
    out[_MY_GAMES] = score.games[seat] * _PER_GAME
    out[_THEIR_GAMES] = score.games[them] * _PER_GAME
    out[_MY_SETS] = score.sets[seat] * _PER_SET
    out[_THEIR_SETS] = score.sets[them] * _PER_SET


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
