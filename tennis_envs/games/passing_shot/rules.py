"""Passing Shot's rules, in the rulebook's order; R numbers are those of this folder's README."""

import numpy as np

from tennis_envs.core.chance import pick_urn, roll
from tennis_envs.core.dice import throw
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.scoring import (
    GAME,
    LOVE_GAME,
    MATCH,
    NOBODY,
    SET,
    award,
    other,
    start_match,
)
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
    RECEIVE_FIRST,
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
from tennis_envs.games.passing_shot.rolls import AT_NET, BALL, BALL_ON, DICE, NO_FACE, WINNER_CALLED
from tennis_envs.games.passing_shot.state import (
    CALL_ENSURE,
    CALL_NET,
    CALLED_ROLL,
    EXCHANGE,
    FORCED_ROLL,
    HAWK_EYES,
    HIT,
    HIT_BACK,
    JUDGE,
    MOST_TO_ENSURE,
    NEXT_POINT,
    NO_CALL,
    OVER,
    PRO_IN,
    PRO_NONE,
    PRO_SPENT,
    PRO_TIRED,
    RALLY,
    RECOVERY,
    REROLL,
    RETURN,
    ROLL_AGAIN,
    SECOND,
    SECOND_SERVE,
    SERVE,
    SERVER_RANDOM,
    SERVER_TOSS,
    SETTLE,
    SIDES,
    STRETCH,
    STROKE,
    SURFACE_RANDOM,
    TOSS,
)

# What a roll shows


@inlined
def dice_left(state, player):
    """The dice that a player can throw, the Pro die included."""
    return state.dice[player] + np.int64(state.pro[player] == PRO_IN)


@inlined
def balls(state):
    """Tennis Balls of the last roll, without any modification."""
    return np.int64(state.roll.balls)


@inlined
def successes(state):
    """R3, R18, R20, R21. What the last roll is worth now."""
    return np.int64(state.roll.worth)


@inlined
def valid(state):
    """R4, R17, R18, R21. Whether the last roll is good for what was announced."""
    way = WINNER_CALLED * is_winner(state.call) + AT_NET * (state.call == CALL_NET)  # else PLAIN
    return (state.roll.valid >> way) & 1


@inlined
def is_ensured(call):
    """Whether a call announces an ensured serve: CALL_ENSURE + n with n dice."""
    return call > CALL_ENSURE


@inlined
def is_winner(call):
    """Whether a call announces a Winner."""
    return 0 < call <= DICE


# What may be decided


@inlined
def can_challenge(rules, state, player):
    """R19. The player about to reply may ask for the Hawk-Eye when the roll shows an Out; never against an ensured serve."""
    return rules.hawk_eye & (state.hawk_eyes[player] > 0) & (not is_ensured(state.call)) & (state.roll.outs > 0)


@inlined
def can_ensure(rules, state, player):
    """R15, R21. The Pro die is never thrown to ensure a serve."""
    return state.dice[player] > 0 and not (rules.professional and rules.pro_bars_ensure)


@inlined
def can_call_winner(rules, state, player):
    """R17. With four or five dice, in a rally, if so many Balls can fall."""
    dice = dice_left(state, player)
    return rules.winner & (state.stroke == RALLY) & (dice >= DICE - 1) & (state.need <= dice)


@inlined
def short_by(state):
    """The successes that are missing."""
    return np.int64(state.need) - successes(state)


@inlined
def can_give_up(state):
    """R12. The missing successes can come from ordinary dice that show Out or Net."""
    return state.roll.lost >= short_by(state)


@inlined
def can_give_up_pro(state):
    """R12, R21. The same with the Pro die among them, where it is worth one."""
    return (state.roll.pro_lost > 0) & (state.roll.lost + 1 >= short_by(state))


@inlined
def can_use_energy(state):
    """R6, R13, R21. Whether any Energy result is left that is good for something."""
    roll = state.roll
    return (roll.energy > 0) | (roll.pro_energy == 2) | (roll.pro_energy > 0) & (state.tired[state.striker] > 0)


@inlined
def _legal_energy(rules, state, mask):
    """R6, R13, R21. Each Energy result is used once: remove its die, pair it with another, or recover a die."""
    player = state.striker
    energy, pro_energy = np.int64(state.roll.energy), np.int64(state.roll.pro_energy)
    mask[REMOVE] = energy > 0
    mask[REMOVE_PRO] = pro_energy == 2
    if rules.energy:
        mask[PAIR] = (energy >= 2) | (energy == 1) & (pro_energy == 1)
        mask[PAIR_PRO] = pro_energy == 2
        mask[RECOVER] = (energy > 0) & (state.tired[player] > 0)
        mask[RECOVER_PRO] = (energy > 0) & (state.pro[player] == PRO_TIRED)
        mask[RECOVER_BY_PRO] = (pro_energy > 0) & (state.tired[player] > 0)
    mask[PLAY_ON] = 1


@inlined
def _legal_stroke(rules, state, mask):
    """R17 to R19. Before a return or a rally stroke: challenge, roll, come to the net, or call a Winner."""
    player = state.striker
    dice = dice_left(state, player)
    mask[HAWK_EYE] = can_challenge(rules, state, player)
    mask[CONCEDE] = dice == 0
    mask[ROLL] = dice > 0
    mask[GO_TO_NET] = rules.net & (state.stroke == RALLY) & (dice > 0)
    may_call = can_call_winner(rules, state, player)
    for called in range(1, DICE + 1):
        mask[WINNER + called] = may_call & (called >= state.need) & (called <= dice)


@inlined
def legal(rules, state, mask):
    """Which actions the seat to move may choose."""
    for action in range(len(mask)):
        mask[action] = 0
    phase = state.phase
    if phase == EXCHANGE:
        _legal_energy(rules, state, mask)
    elif phase == STROKE:
        _legal_stroke(rules, state, mask)
    elif phase == SECOND:
        mask[RISK] = 1
        for dice in range(1, min(MOST_TO_ENSURE, state.dice[state.striker]) + 1):
            mask[ENSURE + dice] = 1
    elif phase == STRETCH:
        mask[STAMINA] = can_give_up(state)
        mask[STAMINA_PRO] = can_give_up_pro(state)
        mask[CONCEDE] = 1
    elif phase == REROLL:
        mask[CONCENTRATE] = 1
        mask[ACCEPT] = 1
    elif phase == TOSS:
        mask[SERVE_FIRST] = 1
        mask[RECEIVE_FIRST] = 1
    elif phase == RECOVERY:
        mask[RECOVER] = 1
        mask[RECOVER_PRO] = 1
    elif phase == HIT:
        mask[HAWK_EYE] = 1
        mask[CONCEDE] = 1


# How a match goes


@njit
def setup(rules, state, chance):
    """R1, R2. The court, the dice and the toss."""
    state.winner = NOBODY
    state.surface = roll(chance, SURFACE_RANDOM) if rules.surface == SURFACE_RANDOM else rules.surface
    for player in range(2):
        state.dice[player] = DICE - 1 if rules.professional else DICE
        state.pro[player] = PRO_IN if rules.professional else PRO_NONE
        state.hawk_eyes[player] = HAWK_EYES if rules.hawk_eye else 0
        state.concentration[player] = 1 if rules.concentration else 0
    state.roll.pro_face = NO_FACE
    state.call = NO_CALL
    if rules.first_server == SERVER_TOSS:
        state.seat = roll(chance, 2)
        state.phase = TOSS
        return
    start_match(rules.format, state.score, roll(chance, 2) if rules.first_server == SERVER_RANDOM else rules.first_server)
    _next_point(state)
    _run(rules, state, chance)


@inlined
def apply(rules, state, chance, action):
    """Take a decision and play on to the next one."""
    decide(rules, state, chance, action)
    _run(rules, state, chance)


@inlined
def _run(rules, state, chance):
    """Play on through all that leaves no choice."""
    while state.phase >= NEXT_POINT:
        play_on(rules, state, chance)


@inlined
def decide(rules, state, chance, action):
    """Take a decision, up to the next one or to a roll that leaves no choice. One chain over the actions compiles to one jump."""
    player, rolled = np.int64(state.seat), state.roll
    if action == ROLL or action == RISK:
        state.stroke = SECOND_SERVE if action == RISK else state.stroke
        state.phase = FORCED_ROLL
    elif action == PLAY_ON:
        state.phase = SETTLE
    elif action == REMOVE:  # R6, R13: Energy results are used up
        rolled.energy -= 1
        state.dice[player] -= 1
        state.spent[player] += 1
        rolled.worth += 1
    elif action == REMOVE_PRO:
        rolled.pro_energy = 0
        state.pro[player] = PRO_SPENT
        rolled.worth += 2
    elif action == PAIR:
        ordinary = min(2, rolled.energy)
        rolled.energy -= ordinary
        rolled.pro_energy -= 2 - ordinary
        rolled.worth += 1
    elif action == PAIR_PRO:
        rolled.pro_energy = 0
        rolled.worth += 1
    elif action == RECOVER_BY_PRO:
        rolled.pro_energy -= 1
        _take_back(state, player, False)
    elif action == RECOVER or action == RECOVER_PRO:
        _take_back(state, player, action == RECOVER_PRO)
        if state.phase == RECOVERY:
            _recover(state)
        else:
            rolled.energy -= 1
    elif action == GO_TO_NET or WINNER < action <= WINNER + DICE:
        state.call = CALL_NET if action == GO_TO_NET else action - WINNER
        state.phase = CALLED_ROLL
    elif action == HAWK_EYE:
        _challenge(rules, state, chance, player)
    elif ENSURE < action <= ENSURE + MOST_TO_ENSURE:
        state.stroke = SECOND_SERVE
        state.call = CALL_ENSURE + action - ENSURE
        state.phase = CALLED_ROLL
    elif action == STAMINA or action == STAMINA_PRO:
        _give_up_dice(state, action == STAMINA_PRO)
    elif action == CONCEDE:
        _win_point(rules, state, other(player))
    elif action == CONCENTRATE:
        state.concentration[player] -= 1
        state.phase = ROLL_AGAIN
    elif action == ACCEPT:
        state.phase = JUDGE
    else:
        start_match(rules.format, state.score, player if action == SERVE_FIRST else other(player))
        _next_point(state)
    _resolve(rules, state)


@inlined
def play_on(rules, state, chance):
    """R3. Roll every die in hand; to ensure a serve those announced, to concentrate the same again."""
    player = state.striker
    dice, with_pro = np.int64(state.dice[player]), state.pro[player] == PRO_IN
    if state.phase == ROLL_AGAIN:
        dice, with_pro = np.int64(state.roll.thrown), state.roll.pro_face != NO_FACE
    elif state.phase != CALLED_ROLL:
        state.call = NO_CALL
    elif is_ensured(state.call):
        dice, with_pro = np.int64(state.call - CALL_ENSURE), False
    _throw(rules, state, chance, dice, with_pro)
    _look(rules, state)
    _resolve(rules, state)


@inlined
def _resolve(rules, state):
    """What a roll, or a decision after it, leads to without further chance."""
    if state.phase == EXCHANGE and not can_use_energy(state):
        state.phase = SETTLE
    if state.phase == JUDGE:
        _judge(rules, state)
    if state.phase == SETTLE:
        _settle(rules, state)
    if state.phase == HIT_BACK:
        _hit_back(rules, state)


@inlined
def _throw(rules, state, chance, dice, with_pro):
    """Throw so many ordinary dice, and the Pro die or not."""
    row = throw(chance, rules.pool, dice)
    pro_face = _roll_die(rules, chance) if with_pro else NO_FACE
    state.roll = rules.rolls[dice, row, 1 + pro_face]
    if state.call == CALL_NET:
        state.roll.worth += state.roll.net_play


@inlined
def _roll_die(rules, chance):
    """One die alone: what it shows."""
    return pick_urn(chance, rules.faces, SIDES, rules.face)


@inlined
def _look(rules, state):
    """R14, R16. Five Balls win at once; a roll without a Ball may be rolled again."""
    player = state.striker
    hits = balls(state)
    if rules.aces and hits == DICE:
        _win_point(rules, state, player)
    elif hits == 0 and state.concentration[player] > 0:
        state.phase = REROLL
        state.seat = player
    else:
        state.phase = JUDGE


@inlined
def _judge(rules, state):
    """R4, R5, R15, R17. Is the roll good, and did a Winner come off?"""
    player = state.striker
    if is_ensured(state.call):
        if balls(state) == 0:
            _win_point(rules, state, other(player))
        else:
            state.phase = SETTLE
    elif not valid(state):
        if state.stroke == SERVE and rules.second_serve:
            _offer_second_serve(rules, state)
        else:
            _win_point(rules, state, other(player))
    elif is_winner(state.call) and balls(state) == state.call:
        if can_challenge(rules, state, other(player)):
            state.phase = HIT
            state.seat = other(player)
        else:
            _win_point(rules, state, player)
    elif state.roll.energy + state.roll.pro_energy > 0:
        state.phase = EXCHANGE
        state.seat = player
    else:
        state.phase = SETTLE


@inlined
def _offer_second_serve(rules, state):
    """R15. Ensure or risk; where nothing can be ensured, risk."""
    if can_ensure(rules, state, state.striker):
        state.phase = SECOND
        state.seat = state.striker
    else:
        state.stroke = SECOND_SERVE
        state.phase = FORCED_ROLL


@inlined
def _settle(rules, state):
    """R5, R12. Enough to keep the point alive, or dice to give up for it, or the point is lost."""
    player = state.striker
    if (state.stroke <= SECOND_SERVE) | (short_by(state) <= 0):
        state.phase = HIT_BACK
    elif rules.stamina and state.call != CALL_NET and (can_give_up(state) or can_give_up_pro(state)):
        state.phase = STRETCH
        state.seat = player
    else:
        _win_point(rules, state, other(player))


@inlined
def _give_up_dice(state, with_pro):
    """R12. One die out of play for each missing success."""
    player = state.striker
    short = short_by(state)
    ordinary = short - 1 if with_pro else short
    if with_pro:
        state.pro[player] = PRO_TIRED
    state.dice[player] -= ordinary
    state.tired[player] += ordinary
    state.roll.worth += short
    state.phase = HIT_BACK


@inlined
def _hit_back(rules, state):
    """R5, R11. The opponent must match the total, with whatever dice are left to him."""
    serve = state.stroke == SERVE or state.stroke == SECOND_SERVE
    player = other(state.striker)
    state.need = successes(state)
    state.stroke = RETURN if serve else RALLY
    state.striker = player
    dice = dice_left(state, player)
    choice = (not serve) & (dice > 0) & (rules.net | can_call_winner(rules, state, player))
    if choice or can_challenge(rules, state, player):
        state.phase = STROKE
        state.seat = player
    elif dice > 0:
        state.phase = FORCED_ROLL
    else:
        _win_point(rules, state, other(player))


@njit
def _challenge(rules, state, chance, player):
    """R19. The point hangs on one die: only a Ball says that the stroke was in, and costs the Hawk-Eye."""
    face = _roll_die(rules, chance)
    if face == BALL_ON or face == BALL:
        state.hawk_eyes[player] -= 1
        _win_point(rules, state, other(player))
    else:
        _win_point(rules, state, player)


# Between points


@njit
def _win_point(rules, state, winner):
    """R7 to R10. Score the point; Energy dice come back, and with each game, set or love game what it brings."""
    events = award(rules.format, state.score, winner)
    state.lead += 1 if winner == 0 else -1
    for player in range(2):
        state.dice[player] += state.spent[player]
        state.spent[player] = 0
        if state.pro[player] == PRO_SPENT:
            state.pro[player] = PRO_IN
        state.back[player] = 2 if events & GAME else 1
        if events & SET and rules.hawk_eye:
            state.hawk_eyes[player] = HAWK_EYES
    if events & LOVE_GAME and rules.concentration:
        state.concentration[winner] += 1
    if events & MATCH:
        state.over = 1
        state.winner = winner
        state.phase = OVER
    else:
        _recover(state)


@inlined
def _recover(state):
    """R12. Dice given up come back; which, is asked only where not all do and the Pro die is one of them."""
    if (state.tired[0] | state.tired[1]) == 0 and state.pro[0] != PRO_TIRED and state.pro[1] != PRO_TIRED:
        state.back[0] = 0
        state.back[1] = 0
        _next_point(state)
        return
    for player in range(2):
        while state.back[player] > 0:
            pro_tired = state.pro[player] == PRO_TIRED
            if pro_tired and state.tired[player] > 0 and state.back[player] <= state.tired[player]:
                state.phase = RECOVERY
                state.seat = player
                return
            if pro_tired or state.tired[player] > 0:
                _take_back(state, player, pro_tired)
            else:
                state.back[player] = 0
    _next_point(state)


@inlined
def _next_point(state):
    """R3. The server is to roll for a point."""
    state.phase = NEXT_POINT
    state.stroke = SERVE
    state.striker = state.score.server
    state.need = 0


@njit
def _take_back(state, player, pro):
    """A die given up for stamina comes back into the hand."""
    if pro:
        state.pro[player] = PRO_IN
    else:
        state.tired[player] -= 1
        state.dice[player] += 1
    if state.back[player] > 0:
        state.back[player] -= 1


@njit
def redeal(rules, state, seat, chance):
    """All dice are public: there is nothing to draw anew."""
