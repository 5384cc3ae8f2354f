"""A scripted player that spends dice by what the reply probabilities are worth, and the tables that it reads."""

from __future__ import annotations

import numpy as np

from tennis_envs.core.jit import njit
from tennis_envs.core.scoring import other
from tennis_envs.games.passing_shot.actions import (
    ACCEPT,
    CONCEDE,
    CONCENTRATE,
    ENSURE,
    GO_TO_NET,
    HAWK_EYE,
    PAIR,
    PAIR_PRO,
    PLAY_ON,
    RECOVER,
    RECOVER_BY_PRO,
    RECOVER_PRO,
    REMOVE,
    REMOVE_PRO,
    RISK,
    ROLL,
    SERVE_FIRST,
    STAMINA,
    STAMINA_PRO,
    WINNER,
)
from tennis_envs.games.passing_shot.rolls import DICE, FACES, NO_FACE
from tennis_envs.games.passing_shot.rules import (
    balls,
    dice_left,
    is_winner,
    short_by,
    successes,
    valid,
)
from tennis_envs.games.passing_shot.state import (
    CALL_NET,
    EXCHANGE,
    HIT,
    MOST,
    NO_CALL,
    PRO_IN,
    REROLL,
    SECOND,
    SECOND_SERVE,
    SERVE,
    SIDES,
    STATE,
    STRETCH,
    STROKE,
    TOSS,
)

_HAWK_EYE_WORKS = 0.5  # three of the six sides are not a Ball
_PRICE_OF_A_DIE = 0.05  # of a point, for a die that is still missing in the next one
_WORTH_A_STRETCH = 0.1  # the least chance to win the point for which dice are given up
_DICE_TO_STRETCH = 1  # that a player is thought to give up for one ball
_DICE_TO_RISK = 4  # with fewer dice a second serve is ensured


@njit
def odds(rules, state):
    """Fill the tables of the rules record: how likely a roll of so many dice holds, or a called Winner hits."""
    for pro in range(2):
        for dice in range(pro, DICE + 1):
            for row in range(rules.pool.rows[dice - pro]):
                weight = rules.pool.weights[dice - pro, row] / rules.pool.total[dice - pro]
                if pro == 0:
                    state.roll = rules.rolls[dice, row, 1 + NO_FACE]
                    _add_roll(rules, state, pro, dice, weight)
                else:
                    for face in range(FACES):
                        state.roll = rules.rolls[dice - pro, row, 1 + face]
                        _add_roll(rules, state, pro, dice, weight * rules.faces[face] / SIDES)


@njit
def _add_roll(rules, state, pro, dice, weight):
    """Add one way to roll, of probability `weight`, to each table where it counts."""
    energy = state.roll.energy + state.roll.pro_energy
    lost = state.roll.lost + state.roll.pro_lost
    stretch = min(lost, _DICE_TO_STRETCH) if rules.stamina else 0
    for call in range(NO_CALL, CALL_NET + 1):
        state.call = call
        if not valid(state):
            continue
        most = successes(state) + energy + (state.roll.net_play if call == CALL_NET else stretch)
        for need in range(rules.reply.shape[2]):
            if is_winner(call) and balls(state) == call:
                rules.hit[pro, dice, need, call] += weight
            elif most >= need and call == NO_CALL:
                rules.reply[pro, dice, need] += weight
            elif most >= need and call == CALL_NET:
                rules.reply_net[pro, dice, need] += weight
            elif most >= need:
                rules.miss[pro, dice, need, call] += weight


def fill_odds(rules: np.ndarray) -> None:
    """Fill the odds of a rules record, shape (1,)."""
    scratch = np.zeros(1, STATE).view(np.recarray)
    odds(rules.view(np.recarray)[0], scratch[0])


@njit
def _reply(rules, state, player, need, fewer):
    """The chance that `player`, with `fewer` dice less than now, returns a ball that needs `need`."""
    pro = 1 if state.pro[player] == PRO_IN else 0
    dice = min(DICE, max(0, dice_left(state, player) - fewer))
    return rules.reply[min(pro, dice), dice, min(need, MOST + 1)]


@njit
def _worth(rules, state, need, fewer):
    """About the chance to win the point for the striker of a ball that needs `need`, once `fewer` of his dice are gone.

    As if the rally went on with the same need and the same dice until somebody misses.
    """
    theirs = _reply(rules, state, other(state.striker), need, 0)
    mine = _reply(rules, state, state.striker, need, fewer)
    return (1 - theirs) / (1 - theirs * mine)


@njit
def _worth_of_roll(rules, state, total, energy, fewer):
    """The same for a roll of `total` of which `energy` results can still be removed; 0 if the point is lost."""
    need = int(state.need)
    if state.stroke == SERVE or state.stroke == SECOND_SERVE or total >= need:
        return _worth(rules, state, total, fewer)
    missing = need - total
    if missing <= energy:
        return _worth(rules, state, need, fewer + missing)
    if rules.stamina and state.call != CALL_NET and missing - energy <= state.roll.lost:
        return _worth(rules, state, need, fewer + missing) - _PRICE_OF_A_DIE * (missing - energy)
    return 0.0


@njit
def _stroke(rules, state, mask):
    """The announcement, or the challenge, that wins the point most often."""
    player = state.striker
    need = int(state.need)
    pro = 1 if state.pro[player] == PRO_IN else 0
    dice = dice_left(state, player)
    carry = _worth(rules, state, need, 0)
    best, value = CONCEDE, 0.0
    if mask[ROLL]:
        best, value = ROLL, rules.reply[pro, dice, need] * carry
    if mask[GO_TO_NET] and rules.reply_net[pro, dice, need] * carry > value:
        best, value = GO_TO_NET, rules.reply_net[pro, dice, need] * carry
    for called in range(1, DICE + 1):
        if mask[WINNER + called]:
            chance = rules.hit[pro, dice, need, called] + rules.miss[pro, dice, need, called] * carry
            if chance > value:
                best, value = WINNER + called, chance
    if mask[HAWK_EYE] and value < _HAWK_EYE_WORKS:
        best = HAWK_EYE
    return best


@njit
def _energy(rules, state, mask):
    """The use of the next Energy result that leaves the point likeliest to be won."""
    total, ordinary, pro = successes(state), int(state.roll.energy), int(state.roll.pro_energy)
    removable = ordinary + (2 if pro == 2 else 0)
    best, value = PLAY_ON, _worth_of_roll(rules, state, total, 0, 0)
    if mask[REMOVE]:
        worth = _worth_of_roll(rules, state, total + 1, removable - 1, 1)
        if worth > value:
            best, value = REMOVE, worth
    if mask[REMOVE_PRO]:
        worth = _worth_of_roll(rules, state, total + 2, removable - 2, 1)
        if worth > value:
            best, value = REMOVE_PRO, worth
    if mask[PAIR]:
        worth = _worth_of_roll(rules, state, total + 1, max(0, removable - 2), 0)
        if worth >= value:
            best, value = PAIR, worth
    if mask[PAIR_PRO]:
        worth = _worth_of_roll(rules, state, total + 1, removable - 2, 0)
        if worth >= value:
            best, value = PAIR_PRO, worth
    if mask[RECOVER_PRO] or mask[RECOVER] or mask[RECOVER_BY_PRO]:
        worth = _worth_of_roll(rules, state, total, max(0, removable - 1), -1) + _PRICE_OF_A_DIE
        if worth > value:
            return RECOVER_PRO if mask[RECOVER_PRO] else RECOVER if mask[RECOVER] else RECOVER_BY_PRO
    return best


@njit
def scripted(rules, state, mask, chance):
    """Sensible tennis: every choice by the chance that a roll of so many dice holds (about one exchange ahead)."""
    phase = state.phase
    if phase == TOSS:
        return SERVE_FIRST
    if phase == STROKE:
        return _stroke(rules, state, mask)
    if phase == HIT:
        return HAWK_EYE
    if phase == REROLL:
        return ACCEPT if state.stroke == SERVE and rules.second_serve else CONCENTRATE
    if phase == SECOND:
        player = state.striker
        return RISK if dice_left(state, player) >= _DICE_TO_RISK else ENSURE + min(3, int(state.dice[player]))
    if phase == EXCHANGE:
        return _energy(rules, state, mask)
    if phase == STRETCH:
        short = short_by(state)
        missing_next = max(0, int(state.tired[state.striker]) + short - 1)
        if _worth(rules, state, state.need, short) - _PRICE_OF_A_DIE * missing_next < _WORTH_A_STRETCH:
            return CONCEDE
        return STAMINA if mask[STAMINA] else STAMINA_PRO
    return RECOVER_PRO


PLAYERS = {"scripted": scripted}
