"""A scripted player: it counts every choice in points of momentum and takes the best."""

import math

import numpy as np

from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.player import Teachable
from tennis_envs.games.tc_tennis.actions import (
    CARD,
    CHALLENGE,
    CONCENTRATE,
    DISCARD,
    DRAW_EVENTS,
    DROP,
    KEEP,
    OUTWIT,
    PASS,
    PREPARE,
    READ,
    STROKE,
    SURFACE,
    TAKE_BACK,
    USE_FORCE,
    USE_IGNORE,
    USE_RANDOM,
    USE_SEARCH,
    USE_STRATEGY,
    USE_TIEBREAK_ROLL,
    USE_WIND,
    VOID,
)
from tennis_envs.games.tc_tennis.components import KINDS, SURFACES
from tennis_envs.games.tc_tennis.players.weights import (
    BONUS_ACTION,
    CARD_GAIN,
    CHALLENGE_LAST,
    CHALLENGE_LUCK,
    DRAWING,
    END_SET_GAIN,
    EVENT_DRAW,
    FIRST_CARD,
    FORCING,
    HAND_SIZE,
    OUTWITTING_IT,
    PLANNING,
    PLAY,
    PLAY_END_SET,
    PLAY_TACTIC,
    RALLY_ACT,
    RALLY_BEST,
    RALLY_MEAN,
    RALLY_OWN,
    RALLY_SET,
    RALLY_THEIR,
    RALLYING,
    READING,
    ROOM,
    SEARCHING,
    SPREAD,
    STRATEGIZING,
    STRATEGIZING_ON,
    TACTIC_GAIN,
    TO_CHALLENGE,
    TO_VOID,
    USE_RANDOM_DISCARD,
    WEIGHTS,
    consider,
    leaning,
)
from tennis_envs.games.tc_tennis.players.worth import (
    best_box,
    card_worth,
    consider_boxes,
    court_worth,
    end_set_worth,
    event_worth,
    expected,
    hold_stroke_card,
    hold_worth,
    love_worth,
    place_worth,
    prepare,
    rallies_left,
    stroke_worth,
    tactic_worth,
    win_chance,
)
from tennis_envs.games.tc_tennis.rules.cards import cards_in, is_stroke_card, other
from tennis_envs.games.tc_tennis.rules.rally import lead_of, love_card
from tennis_envs.games.tc_tennis.state import (
    BEFORE,
    BONUS,
    BOXES,
    CHALLENGING,
    CHOOSE_SURFACE,
    DROPPING,
    EXTRA,
    FORCED,
    HAND_CARDS,
    HAND_LIMIT,
    HELD,
    KEEPING,
    LIMIT,
    LOVE,
    NOTHING,
    OUTWITTING,
    PLACE,
    PLAN,
    REPLY,
    RETAINED,
    RETURN,
    SEARCH,
    SLOTS,
    STAGE,
    STRATEGIZE,
    STROKING,
    SURE_LEAD,
    TACTIC,
    TIEBREAKING,
    TRACK,
    TURN,
    TWO_CARDS,
    VOIDING,
    WIND,
)

_FACE_DOWN = 2.3  # points that an opponent's face-down card is worth
_DRAW = 1.5  # points of a card from the pile, to be placed later
_JUNK = 1.1  # points of another card for one without a use
_JUNK_WORTH = 0.6  # points below which a card has none
_READ = -3.0  # points of a look at a card: knowledge is never worth an action
_PLAY_FIRST = 0.6  # a card placed now counts before the next rally
_RALLY_GAIN = 1.5  # points by which a rally must be better than another action


@njit
def _least(rules, state, mind, seat, mask):
    """The discard that costs least, and what it costs."""
    best, cost = NOTHING, 0.0
    for kind in range(KINDS):
        if mask[DISCARD + kind]:
            worth = hold_worth(rules, state, mind, seat, kind)
            if best == NOTHING or worth < cost:
                best, cost = DISCARD + kind, worth
    return best, cost


@njit
def _best_stroke(rules, state, mind, seat, mask):
    """The stroke to declare, and what speaks for it."""
    best, worth = NOTHING, 0.0
    for box in range(BOXES):
        if mask[STROKE + box]:
            value = stroke_worth(rules, state, mind, seat, box)
            if best == NOTHING or value > worth:
                best, worth = STROKE + box, value
    return best, worth


@njit
def _mean_stroke(rules, state, mind, seat):
    """What speaks for an open stroke on average."""
    total, count = 0.0, 0
    for box in range(BOXES):
        if (state.resolved[seat] >> box) & 1 == 0:
            total += stroke_worth(rules, state, mind, seat, box)
            count += 1
    return total / max(1, count)


@njit
def _rally_gain(rules, state, mind, seat, mask):
    """Points by which a rally now is better for this player than one later."""
    them = other(seat)
    _, worth = _best_stroke(rules, state, mind, seat, mask)
    gain = mind[RALLY_BEST] * worth - mind[RALLY_MEAN] * _mean_stroke(rules, state, mind, seat)
    down = 0
    for box in range(BOXES):
        if (state.resolved[them] >> box) & 1 == 0:
            down = max(down, cards_in(state, them, box) if mask[STROKE + box] else 0)
    mine = 0
    for box in range(BOXES):
        if mask[STROKE + box]:
            mine = max(mine, cards_in(state, seat, box))
    gain += (mine - down) * _FACE_DOWN * 0.5
    gain += mine * leaning(mind, RALLY_OWN) - down * leaning(mind, RALLY_THEIR) + leaning(mind, RALLYING)
    lead = lead_of(state, seat)
    left = rallies_left(state)
    return gain + (win_chance(mind, lead, left - 1) - win_chance(mind, lead, left)) * mind[RALLY_SET]


@inlined
def _grown(mind, choice):
    """A factor that is 1 before any training."""
    return 1.0 + 0.2 * leaning(mind, choice)


@njit
def _act(rules, state, mind, seat, mask):
    """The best action of a turn and its points."""
    size = np.int64(state.board[seat, HAND_CARDS])
    best, gain = CONCENTRATE, _DRAW if size < HAND_LIMIT else 0.0
    gain += leaning(mind, DRAWING) - mind[HAND_SIZE] * size
    if state.board[seat, HELD + TWO_CARDS] > 0 and size < HAND_LIMIT - 1:
        gain += 1.2
    tactic = tactic_worth(rules, state, mind, seat, np.int64(state.tactic[seat]))
    junk, least, cost = 0, NOTHING, 0.0
    for kind in range(KINDS):
        if state.hand[seat, kind] > 0:
            choice, worth, keep = NOTHING, 0.0, 0.0
            if is_stroke_card(rules, kind):
                box, value = best_box(rules, state, mind, seat, kind)
                keep = hold_stroke_card(mind, kind, box, value)
                if box != NOTHING:
                    choice, worth = PREPARE + box, value * _grown(mind, CARD_GAIN) + _PLAY_FIRST
                    worth += leaning(mind, FIRST_CARD + cards_in(state, seat, box))
            else:
                keep = hold_worth(rules, state, mind, seat, kind)
                choice, worth = CARD + kind, mind[PLAY + kind]
                if rules.kind[kind] == TACTIC:
                    worth += (tactic_worth(rules, state, mind, seat, kind) - tactic) * _grown(mind, TACTIC_GAIN)
                    worth += leaning(mind, PLAY_TACTIC)
                else:
                    worth += end_set_worth(rules, state, mind, seat, kind) * _grown(mind, END_SET_GAIN)
                    worth += leaning(mind, PLAY_END_SET)
            if choice != NOTHING and worth > gain and mask[choice]:
                best, gain = choice, worth
            if keep < _JUNK_WORTH:
                junk += np.int64(state.hand[seat, kind])
            if least == NOTHING or keep < cost:
                least, cost = kind, keep
    worth = _JUNK * min(2, junk) + leaning(mind, STRATEGIZING)
    if junk > 0 and mask[DISCARD + least] and worth > gain:
        best, gain = DISCARD + least, worth
    if mask[OUTWIT]:
        worth = hold_worth(rules, state, mind, seat, np.int64(state.discard[state.discards - 1])) - max(0.0, cost)
        worth += leaning(mind, OUTWITTING_IT)
        if worth > gain:
            best, gain = OUTWIT, worth
    worth = _READ + leaning(mind, READING)
    if worth > gain:
        for place in range(BOXES * SLOTS):
            if mask[READ + place]:
                return READ + place, worth
    return best, gain


@njit
def _turn(rules, state, mind, seat, mask):
    """An action, a rally or events."""
    if mask[USE_STRATEGY]:
        return USE_STRATEGY
    best, gain = _act(rules, state, mind, seat, mask)
    events = 2.5 + leaning(mind, EVENT_DRAW)
    if mask[DRAW_EVENTS] and gain < events:
        best, gain = DRAW_EVENTS, events
    stroke, _ = _best_stroke(rules, state, mind, seat, mask)
    if stroke != NOTHING and _rally_gain(rules, state, mind, seat, mask) > _RALLY_GAIN + mind[RALLY_ACT] * gain:
        return stroke
    return best


@njit
def _bonus(rules, state, mind, seat, mask):
    """A Bonus Action if it is worth the step of strategy."""
    if mask[USE_STRATEGY]:
        return USE_STRATEGY
    best, gain = _act(rules, state, mind, seat, mask)
    plenty = 2 * state.board[seat, TRACK] >= rallies_left(state)
    return best if gain > (1.0 if plenty else 2.0) + leaning(mind, BONUS_ACTION) else PASS


@njit
def _challenge(rules, state, mind, seat):
    """A challenge if another roll is likely to be worth more than the marker."""
    before = np.int64(state.momentum_before) if seat == 0 else -np.int64(state.momentum_before)
    mean = before + expected(rules, state, mind, seat) - expected(rules, state, mind, other(seat))
    lead = lead_of(state, seat)
    left = rallies_left(state) - 1
    if left <= 0:
        again = 0.5 + 0.5 * math.erf((mean - 1.0) / (mind[SPREAD] * math.sqrt(2.0)))
        return CHALLENGE if again > win_chance(mind, lead, 0) + 0.02 + 0.05 * leaning(mind, CHALLENGE_LAST) else PASS
    luck = (mean - lead) * _grown(mind, CHALLENGE_LUCK)
    return CHALLENGE if luck > 3.0 + 0.6 * left + leaning(mind, TO_CHALLENGE) else PASS


@njit
def _love(rules, state, mind, seat):
    """Whether a Love Die's result hurts this player enough."""
    place = np.int64(state.love_place) - 1
    active = np.int64(state.active)
    scorer = active if state.common[STAGE] == 0 else other(active)
    kind = love_card(rules, state, scorer, place)
    effect = love_worth(mind, kind)
    return USE_IGNORE if (effect < 0) == (scorer == seat) else PASS


@njit
def _best_card(rules, state, mind, seat, mask, first, worth_of):
    """The legal card of a segment that is worth most: 0 in a box, 1 kept in hand, 2 as an End Set card."""
    best, gain = NOTHING, 0.0
    for kind in range(KINDS):
        if mask[first + kind]:
            if worth_of == 0:
                worth = place_worth(mind, kind, np.int64(state.box_chosen))
            elif worth_of == 1:
                worth = hold_worth(rules, state, mind, seat, kind)
            else:
                worth = end_set_worth(rules, state, mind, seat, kind)
            if best == NOTHING or worth > gain:
                best, gain = first + kind, worth
    return best, gain


@njit
def _before(rules, state, mind, seat, mask):
    """Markers before the roll, as soon as they are worth something."""
    if mask[USE_RANDOM] and 1.0 + leaning(mind, USE_RANDOM_DISCARD) > 0:
        return USE_RANDOM
    if mask[USE_SEARCH]:
        best = 0.0
        for i in range(state.discards):
            kind = np.int64(state.discard[i])
            if not rules.no_draw[kind]:
                best = max(best, hold_worth(rules, state, mind, seat, kind))
        if best > 2.5 + leaning(mind, SEARCHING):
            return USE_SEARCH
    safe = lead_of(state, seat) >= SURE_LEAD + 2 + 3 * leaning(mind, FORCING)
    if mask[USE_FORCE] and safe and state.end_set == NOTHING:
        return USE_FORCE
    return PASS


@njit
def _plan(rules, state, mind, seat, mask):
    """The best placement, if any."""
    best, gain = PASS, leaning(mind, PLANNING)
    for kind in range(KINDS):
        if state.hand[seat, kind] > 0 and is_stroke_card(rules, kind):
            box, worth = best_box(rules, state, mind, seat, kind)
            if box != NOTHING and worth > gain and mask[PREPARE + box]:
                best, gain = PREPARE + box, worth
    return best


@njit
def act(rules, state, mask, chance, mind):
    """Sensible play: cards where they count, rallies and End Set cards when ahead, challenges after bad luck."""
    phase = np.int64(state.phase)
    seat = np.int64(state.seat)
    consider(state, seat, mind)
    if phase <= LIMIT:  # cards are placed, or weighed in the hand
        consider_boxes(rules, state, mind, seat)
    if phase == TURN:
        return _turn(rules, state, mind, seat, mask)
    if phase == BONUS:
        return _bonus(rules, state, mind, seat, mask)
    if phase == EXTRA:
        return _act(rules, state, mind, seat, mask)[0]
    if phase == STROKING or phase == REPLY:
        return _best_stroke(rules, state, mind, seat, mask)[0]
    if phase == PLACE:
        return _best_card(rules, state, mind, seat, mask, CARD, 0)[0]
    if phase == SEARCH:
        return _best_card(rules, state, mind, seat, mask, CARD, 1)[0]
    if phase == FORCED:
        return _best_card(rules, state, mind, seat, mask, CARD, 2)[0]
    if phase == RETURN:
        box = np.int64(state.box_chosen)
        first, second = np.int64(state.box[seat, box, 0]), np.int64(state.box[seat, box, 1])
        return TAKE_BACK if card_worth(mind, first) <= card_worth(mind, second) else TAKE_BACK + 1
    if phase == PLAN:
        return _plan(rules, state, mind, seat, mask)
    if phase == CHALLENGING:
        return _challenge(rules, state, mind, seat)
    if phase == STRATEGIZE:
        best, cost = _least(rules, state, mind, seat, mask)
        return best if cost < _JUNK_WORTH + leaning(mind, STRATEGIZING_ON) else PASS
    if phase == OUTWITTING or phase == LIMIT:
        return _least(rules, state, mind, seat, mask)[0]
    if phase == VOIDING:
        for place in range(BOXES * SLOTS):
            if mask[VOID + place] and 1.0 + leaning(mind, TO_VOID) > 0:
                return VOID + place
    if phase == KEEPING:
        first, second = np.int64(state.drawn[0]), np.int64(state.drawn[1])
        return KEEP + (first if event_worth(state, mind, seat, first) >= event_worth(state, mind, seat, second) else second)
    if phase == DROPPING:
        if mask[USE_STRATEGY]:
            return USE_STRATEGY
        best, least = NOTHING, 0.0
        for event in range(RETAINED):
            if mask[DROP + event] and (best == NOTHING or event_worth(state, mind, seat, event) < least):
                best, least = DROP + event, event_worth(state, mind, seat, event)
        return best
    if phase == BEFORE:
        return _before(rules, state, mind, seat, mask)
    if phase == LOVE:
        return _love(rules, state, mind, seat)
    if phase == TIEBREAKING:
        return USE_TIEBREAK_ROLL
    if phase == WIND:
        return USE_WIND
    if phase == CHOOSE_SURFACE:
        best, gain = NOTHING, 0.0
        for surface in range(len(SURFACES)):
            if mask[SURFACE + surface]:
                worth = court_worth(rules, state, seat, surface)
                if best == NOTHING or worth > gain:
                    best, gain = SURFACE + surface, worth
        return best
    return PASS


PLAYERS = {"scripted": Teachable(act, WEIGHTS, ROOM, prepare)}
