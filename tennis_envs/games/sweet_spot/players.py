"""A scripted player: it plays the return after which the opponent wins least often, and keeps a balanced hand.

All judgements come from what cards do, not from their names, so it plays any edition.
"""

import numpy as np

from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.sweet_spot.actions import (
    ADD,
    ALONE,
    AVATAR,
    DISCARD,
    DONE,
    KEEP,
    LEAVE,
    LET_STAND,
    PLAY,
    POWER,
    REACT,
    TAKE_SERVICES,
    TAKE_TACTICS,
    USE,
)
from tennis_envs.games.sweet_spot.actions import SERVE as SERVE_ACTION
from tennis_envs.games.sweet_spot.components import CHOICES
from tennis_envs.games.sweet_spot.rules.stroke import (
    addable,
    ball_after,
    contains,
    cost,
    fitting,
    in_play,
    is_in,
    powers_beside,
    surcharge,
)
from tennis_envs.games.sweet_spot.state import (
    ADDS,
    AFTER,
    ANSWER,
    AS_AFTER,
    AS_REACTION,
    AS_REFRESHMENT,
    AS_RETURN,
    AS_SAVE,
    BESIDE,
    COUNTER,
    DISCARDS,
    FIRST_ADD,
    FIRST_RETURN,
    FIRST_TACTIC,
    KEEPING,
    KINDS,
    NO_FORCE,
    NOTHING,
    PICK,
    PLAYS,
    REACTS,
    RECEIVED,
    SERVE,
    SERVICE,
    SERVICE_COUNT,
    SERVICES,
    TACTIC,
    TACTIC_COUNT,
    TRIM,
    USES,
)

_LOWEST, _HIGHEST = 7, 7 + RECEIVED - 1  # balls that the table tells apart

# The chance to win the point for whoever has to return a ball of 7, 8, … 26, measured in this player's own matches
# (benchmarks/sweet_spot_measures.py). It stands in the rules record, so that another deck can come with another table.
TO_RECEIVE = (
    0.75, 0.80, 0.72, 0.76, 0.46, 0.56, 0.48, 0.67, 0.55, 0.70,
    0.54, 0.62, 0.53, 0.59, 0.54, 0.53, 0.48, 0.57, 0.49, 0.60,
)  # fmt: skip
FAVOURITES = (3, 4, 1, 2, 5, 0)  # avatars, the best first

# How the player weighs things, in chances to win the point
HABITS = {
    "saved": 0.12,  # the chance that an IN ball is saved
    "answered": 0.3,  # the chance that a forced return or a winning card is cancelled
    "finish": 0.85,  # the chance to win with a card in hand that brings the ball IN
    "blind": 0.6,  # the chance to win with a hidden card that leaves the ball in play
    "stamina": 0.012,  # the price of one stamina
    "tired": 0.035,  # and of one of the last four
    "card": 0.06,  # the price of a card that is worth 1
    "ability": 0.1,  # the price of an ability
    "hopeless": 0.08,  # a smaller chance is not worth a card
    "cut_in": 0.8,  # in doubles, a chance that is not left to the partner
    "bar": 0.08,  # what it brings to bar an accompanying card
    "tax": 0.04,  # and to cost the opponent one stamina
    "tactics": 5.0,  # Tactic cards to hold
}
(
    _SAVED, _ANSWERED, _FINISH, _BLIND, _STAMINA, _TIRED, _CARD, _ABILITY, _HOPELESS, _CUT_IN, _BAR, _TAX, _TACTICS,
) = range(len(HABITS))  # fmt: skip
_LAST_STAMINA = 4
_SERVICES_TO_HOLD = 2


@inlined
def _receive(rules, ball):
    """The chance to win for the one who has to return a ball in play."""
    return np.float64(rules.receive[min(_HIGHEST, max(_LOWEST, ball)) - _LOWEST])


@njit
def _leaves(rules, ball):
    """The chance to win for the one who brings the ball there."""
    if in_play(ball):
        return 1.0 - _receive(rules, ball)
    return 1.0 - rules.habit[_SAVED] if is_in(ball) else 0.0


@njit
def _worth(rules, state, seat, kind):
    """What a card is worth in the hand, about 0 to 1."""
    if kind < FIRST_RETURN:
        if state.server != seat or rules.cost[kind] > state.players[seat].stamina:
            return 0.0
        return 1.2 - _receive(rules, np.int64(rules.ball[kind]))
    ways = rules.ways[kind]
    if rules.to_serve[kind]:
        return 0.1 if state.server == seat else 0.8
    if rules.wins[kind] or rules.next_return[kind] != NO_FORCE:
        return 0.8
    if rules.doubles[kind] or ways & AS_SAVE:
        return 0.65
    if rules.cancels[kind] != 0:
        return 0.5
    if ways & AS_AFTER:
        return 0.4 if rules.gain[kind] > 0 else 0.1
    if kind >= FIRST_TACTIC:
        return 0.5
    down = -rules.modifier[kind, 0]
    return 0.5 if down == 5 or down == 7 or down == 3 else 0.4 if down <= -4 else 0.3


@inlined
def _price(rules, state, seat, kind):
    """What it costs to play a card: its stamina and its worth."""
    unit = rules.habit[_TIRED] if state.players[seat].stamina <= _LAST_STAMINA else rules.habit[_STAMINA]
    return unit * cost(rules, state, seat, kind) + rules.habit[_CARD] * _worth(rules, state, seat, kind)


@njit
def _after_forced(rules, state, seat, kind, ball, stamina):
    """The chance to win for the one who forced a return of his Return `kind` to `ball`, with `stamina` left."""
    if not in_play(ball):
        return rules.habit[_SAVED] if is_in(ball) else 1.0
    for slot in range(PLAYS):
        other = np.int64(rules.play_kind[slot])
        if other == NOTHING or state.players[seat].hand[other] - (other == kind) <= 0 or rules.cost[other] > stamina:
            continue
        if rules.ways[other] & AS_RETURN and not rules.to_serve[other] and is_in(ball + rules.play_modifier[slot]):
            return np.float64(rules.habit[_FINISH])
    return 1.0 - rules.habit[_FINISH] + 0.1


@njit
def _with(rules, state, seat, kind, ball, beside, modifier, stamina):
    """The chance to win with a Return that leaves the ball at `ball` and a card beside it."""
    out = ball if state.force != NO_FORCE else ball + modifier
    if rules.hidden[beside] and state.force == NO_FORCE:
        if in_play(ball):
            return np.float64(rules.habit[_BLIND]) if in_play(out) else _leaves(rules, out)
        return _leaves(rules, out)
    if not in_play(out):
        return _leaves(rules, out)
    if rules.wins[beside]:
        return 1.0 - rules.habit[_ANSWERED]
    value = 1.0 - _receive(rules, out)
    if rules.next_return[beside] != NO_FORCE:
        forced = _after_forced(rules, state, seat, kind, out + rules.next_return[beside], stamina - rules.cost[beside])
        value = rules.habit[_ANSWERED] * value + (1.0 - rules.habit[_ANSWERED]) * forced
    return value + rules.habit[_TAX] * (rules.tax[beside] + rules.drain[beside]) + rules.habit[_BAR] * rules.bars[beside]


@njit
def _beside(rules, state, seat, kind, ball, stamina, chosen):
    """The best that can go beside a Return: its chance to win (less its price), or with `chosen` its action."""
    moves = fitting(rules, state, addable(rules, state, seat, stamina), kind, ball)
    best, action = _leaves(rules, ball), ALONE
    if rules.wins[kind] and in_play(ball):
        best = 1.0 - rules.habit[_ANSWERED]
    if in_play(ball):
        best += rules.habit[_TAX] * rules.drain[kind]
    for slot in range(ADDS):
        if contains(moves, FIRST_ADD + slot):
            beside = np.int64(rules.add_kind[slot])
            value = _with(rules, state, seat, kind, ball, beside, np.int64(rules.add_modifier[slot]), stamina)
            value -= _price(rules, state, seat, beside)
            if value > best:
                best, action = value, ADD + slot
    if state.players[seat].ready:
        power = KINDS + np.int64(state.players[seat].avatar)
        choices = powers_beside(rules, state, seat, kind, ball)
        for choice in range(CHOICES):
            if contains(choices, choice):
                value = _with(rules, state, seat, kind, ball, power, np.int64(rules.modifier[power, choice]), stamina)
                value -= rules.habit[_ABILITY]
                if value > best:
                    best, action = value, POWER + choice
    return np.float64(action) if chosen else best


@njit
def _return(rules, state, seat, kind, modifier):
    """The chance to win with a Return and the best beside it, less the price."""
    ball = ball_after(rules, state, kind, modifier)
    stamina = np.int64(state.players[seat].stamina) - surcharge(rules, state, seat) - cost(rules, state, seat, kind)
    return _beside(rules, state, seat, kind, ball, stamina, False) - _price(rules, state, seat, kind)


@njit
def _reaction(rules, state, seat, kind, best):
    """The chance to win by a reaction, if the best return wins with a chance of `best`."""
    if rules.doubles[kind]:
        ball = np.int64(state.ball) + state.hit_modifier
        if not in_play(ball) and not is_in(ball):
            return 1.0 - rules.habit[_ANSWERED]
        return _receive(rules, ball) if in_play(ball) else 0.0
    if state.wins:
        return _receive(rules, np.int64(state.ball))
    if state.force == NO_FORCE:
        return best + 0.02 * (state.tax + state.bars)
    return _receive(rules, np.int64(state.ball)) if in_play(np.int64(state.ball)) else 0.0


@njit
def _answer(rules, state, seat, mask):
    """The best return, reaction or ability; or leave a ball that cannot be won."""
    best, action = 0.0, LEAVE
    for slot in range(PLAYS):
        if mask[PLAY + slot]:
            kind = np.int64(rules.play_kind[slot])
            value = _return(rules, state, seat, kind, np.int64(rules.play_modifier[slot]))
            if value > best:
                best, action = value, PLAY + slot
    for choice in range(CHOICES):
        if mask[POWER + choice]:
            power = KINDS + np.int64(state.players[seat].avatar)
            if rules.ways[power] & AS_REFRESHMENT:
                if state.players[seat].stamina <= _LAST_STAMINA and state.strokes > 2:
                    return POWER
            elif rules.ways[power] & AS_REACTION:
                value = _reaction(rules, state, seat, power, best) - rules.habit[_ABILITY]
                if value > best:
                    best, action = value, POWER
            else:
                value = (
                    _leaves(rules, ball_after(rules, state, power, np.int64(rules.modifier[power, choice])))
                    - rules.habit[_ABILITY]
                )
                if value > best:
                    best, action = value, POWER + choice
    for slot in range(REACTS):
        if mask[REACT + slot]:
            kind = np.int64(rules.react_kind[slot])
            value = _reaction(rules, state, seat, kind, best) - _price(rules, state, seat, kind)
            if value > best:
                best, action = value, REACT + slot
    if rules.seats == 4 and state.stage == 0 and best < rules.habit[_CUT_IN]:
        return LEAVE
    return action if best > rules.habit[_HOPELESS] else LEAVE


@njit
def _least(rules, state, seat, mask, first):
    """The card that is worth least, of those that `mask` allows from action `first` on."""
    worst, least = NOTHING, 9.0
    services = np.int64(state.players[seat].backs[SERVICE])
    for kind in range(KINDS):
        if mask[first + kind]:
            worth = _worth(rules, state, seat, kind)
            if kind < FIRST_RETURN and state.server == seat:
                worth += 0.5 if services <= _SERVICES_TO_HOLD else -0.5
            if worth < least:
                worst, least = kind, worth
    return worst


@njit
def _discard(rules, state, seat, mask):
    """Cards that do nothing for this player go; the rest is worth its half of a stamina."""
    kind = _least(rules, state, seat, mask, DISCARD)
    if not mask[DONE]:
        return DISCARD + kind
    useless = _worth(rules, state, seat, kind) < 0.15
    if kind < FIRST_RETURN and state.server == seat:
        useless = useless and np.int64(state.players[seat].backs[SERVICE]) > _SERVICES_TO_HOLD
    return DISCARD + kind if useless else DONE


@njit
def _keep(rules, state, seat, mask):
    """The two best Tactics stay."""
    best, most = NOTHING, 0.6
    for kind in range(FIRST_TACTIC, KINDS):
        if mask[KEEP + kind] and _worth(rules, state, seat, kind) > most:
            best, most = kind, _worth(rules, state, seat, kind)
    return DONE if best == NOTHING else KEEP + best


@njit
def _serve(rules, mask):
    """The ball that is worst to receive."""
    best, least = NOTHING, 9.0
    for kind in range(SERVICES):
        if mask[SERVE_ACTION + kind] and _receive(rules, np.int64(rules.ball[kind])) < least:
            best, least = kind, _receive(rules, np.int64(rules.ball[kind]))
    return LEAVE if best == NOTHING else SERVE_ACTION + best


@njit
def scripted(rules, state, mask, chance):
    """The tips of the rulebook, a balanced hand, an eye on the stamina."""
    phase, seat = np.int64(state.phase), np.int64(state.seat)
    if phase == ANSWER:
        return _answer(rules, state, seat, mask)
    if phase == BESIDE:
        kind = np.int64(state.play_kind)
        ball = ball_after(rules, state, kind, state.play_modifier)
        action = np.int64(_beside(rules, state, seat, kind, ball, np.int64(state.players[seat].stamina), True))
        return action if mask[action] else _first(mask)
    if phase == DISCARDS:
        return _discard(rules, state, seat, mask)
    if phase == TRIM:
        return DISCARD + _least(rules, state, seat, mask, DISCARD)
    if phase == SERVICE_COUNT:
        wanted = _SERVICES_TO_HOLD - np.int64(state.players[seat].backs[SERVICE]) if state.server == seat else 0
        most = 0
        while mask[TAKE_SERVICES + most + 1] and most < wanted:
            most += 1
        return TAKE_SERVICES + most
    if phase == TACTIC_COUNT:
        wanted = np.int64(rules.habit[_TACTICS]) - np.int64(state.players[seat].backs[TACTIC])
        most = 0
        while mask[TAKE_TACTICS + most + 1] and most < wanted:
            most += 1
        return TAKE_TACTICS + most
    if phase == KEEPING:
        return _keep(rules, state, seat, mask)
    if phase == SERVE:
        return _serve(rules, mask)
    if phase == COUNTER:
        for slot in range(REACTS):
            if mask[REACT + slot]:
                return REACT + slot
        return POWER if mask[POWER] else LET_STAND
    if phase == AFTER:
        for slot in range(USES):
            if mask[USE + slot] and rules.gain[rules.use_kind[slot]] > 0 and state.players[seat].stamina <= 6:
                return USE + slot
        return DONE
    if phase == PICK:
        place = 0
        while not mask[AVATAR + rules.favourite[place]]:
            place += 1
        return AVATAR + rules.favourite[place]
    return _first(mask)


@inlined
def _first(mask):
    """The first legal action: serve, serve oneself, pick the first avatar that is left."""
    action = 0
    while not mask[action]:
        action += 1
    return action


PLAYERS = {"scripted": scripted}
