"""What cards, strokes, markers and courts are worth to the scripted player, in points of momentum."""

import math

import numpy as np

from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.tc_tennis.components import KINDS
from tennis_envs.games.tc_tennis.players.weights import (
    AS_REPLY,
    AS_STROKE,
    BOX,
    BY_CARDS,
    BY_CARDS_MET,
    BY_DEFENCE,
    BY_DICE,
    BY_DICE_MET,
    BY_HAND,
    BY_NUMBER,
    BY_STROKE,
    BY_TACTIC,
    BY_THEIRS,
    CARD_WORTH,
    EVENT,
    EXTRA_WORTH,
    HOLD,
    HOLD_CARD,
    HOLD_END_SET,
    HOLD_TACTIC,
    HOLD_TACTIC_WORTH,
    LIKELY,
    LIKELY_FIRST,
    LIKELY_LEAST,
    LIKELY_RATING,
    LIKELY_SECOND,
    LOVE_FACTOR,
    LOVE_WORTH,
    OTHER_WORTH,
    OWN_WORTH,
    PLAY,
    REPLACED,
    SET_WORTH,
    SPREAD,
    TACTIC_OTHER,
    TACTIC_OWN,
    leaning,
)
from tennis_envs.games.tc_tennis.rules.cards import cards_in, fits, other, other_worth, own_worth
from tennis_envs.games.tc_tennis.rules.rally import grade, in_rally, lead_of, love_card, stroke_dice, tactic_touches
from tennis_envs.games.tc_tennis.rules.words import lane
from tennis_envs.games.tc_tennis.state import (
    BOXES,
    CLEAR_TACTICS,
    END_SET,
    FORCE_END_SET,
    GROUND_STROKES,
    HALF_DIE,
    IGNORE_LOVE,
    INJURY_CHECK,
    LEFT,
    LOSE_HALF,
    LOSE_HIGHEST,
    MUST_RALLY,
    NEXT_STROKE,
    NOTHING,
    RALLIES,
    RANDOM_DISCARD,
    REPLY,
    SEARCH_DISCARDS,
    SECOND_WIND,
    SERVE_2,
    SLOTS,
    STAMINA,
    STAMINA_BEFORE,
    STAMINA_CHECK,
    STRATEGY_POINT,
    SURE_LEAD,
    TACTIC,
    TIEBREAK,
    TIEBREAK_ROLL,
    TWO_CARDS,
    VOLLEYS,
    row,
)

_HIGHEST_DIE = 5.0  # points that the highest of several dice shows
_HALF_LOST = 2.2  # points of a half die lost, or of a die halved
_USUAL_DICE = 9.0  # points of a stroke's dice


@njit
def prepare(rules, mind):
    """Note down what follows from the weights alone: what cards are worth, and their Love Dice."""
    for kind in range(KINDS):
        love = _love_worth(rules, kind) * mind[LOVE_FACTOR]
        mind[LOVE_WORTH + row(kind)] = love
        worth = mind[OWN_WORTH] * own_worth(rules, kind) - mind[OTHER_WORTH] * other_worth(rules, kind)
        mind[CARD_WORTH + row(kind)] = worth + (-love if rules.love_other[kind] else love)
    mind[LOVE_WORTH + row(NOTHING)] = 0
    mind[CARD_WORTH + row(NOTHING)] = 0


@njit
def _love_worth(rules, kind):
    """Points that a card's Love Die is worth to the stroke that it strikes."""
    effect = rules.love_dice[kind] * HALF_DIE + rules.love_score[kind]
    if rules.love_lose[kind] == LOSE_HIGHEST:
        effect -= _HIGHEST_DIE
    if rules.love_lose[kind] == LOSE_HALF:
        effect -= _HALF_LOST
    return _count(np.int64(rules.love_faces[row(kind)])) * effect / 6.0


@inlined
def love_worth(mind, kind):
    """The same by the player's weights; 0 for NOTHING."""
    return mind[LOVE_WORTH + row(kind)]


@inlined
def card_worth(mind, kind):
    """Points that an Offense or Defense card is worth in a rally; 0 for NOTHING."""
    return mind[CARD_WORTH + row(kind)]


@njit
def _count(bits):
    """Bits set."""
    count = 0
    while bits:
        count += bits & 1
        bits >>= 1
    return count


@inlined
def rallies_left(state):
    """Rallies until the set ends or the tie-break is checked, as things stand."""
    return np.int64(state.common[LEFT])


@njit
def _share(rules, state):
    """The part of the open strokes that will be resolved before the set ends, as things stand."""
    unresolved = np.int64(state.unresolved)
    return rallies_left(state) / max(1, unresolved)


@njit
def tactic_worth(rules, state, mind, seat, kind):
    """Points that a tactic is worth over the strokes still to come."""
    if kind == NOTHING:
        return 0.0
    if rules.remedy[kind]:
        worth = 6.0 * (state.board[seat, STAMINA] - state.board[seat, STAMINA_BEFORE]) if rules.restores[kind] else 0.0
        healed = 0
        for face in range(6):
            healed += min(rules.heals[kind, face], state.injury[seat])
        return worth + healed
    mine = _count(rules.strokes[kind] & ~np.int64(state.resolved[seat]))
    theirs = _count(rules.against[kind] & ~np.int64(state.resolved[other(seat)]))
    love = love_worth(mind, kind)
    per_own = own_worth(rules, kind) + (0.0 if rules.love_other[kind] else love)
    per_other = -other_worth(rules, kind) - (love if rules.love_other[kind] else 0.0)
    return (mind[TACTIC_OWN] * mine * per_own + mind[TACTIC_OTHER] * theirs * per_other) * _share(rules, state)


@njit
def win_chance(mind, lead, rallies):
    """How likely a lead holds over so many rallies, between equals."""
    if rallies <= 0:
        return 1.0 if lead >= SURE_LEAD else 0.0 if lead <= -SURE_LEAD else 0.5 + lead / (2.0 * SURE_LEAD + 2)
    return 0.5 + 0.5 * math.erf(lead / (mind[SPREAD] * math.sqrt(2.0 * rallies)))


@njit
def end_set_worth(rules, state, mind, seat, kind):
    """Points that an End Set card is worth on the table."""
    lead = lead_of(state, seat)
    now = rallies_left(state)
    unresolved = np.int64(state.unresolved)
    limit = (2 if state.common[TIEBREAK] else np.int64(rules.rallies[kind])) - np.int64(state.common[RALLIES])
    then = max(1, min(limit, unresolved))
    return (win_chance(mind, lead, then) - win_chance(mind, lead, now)) * mind[SET_WORTH]


@njit
def consider_boxes(rules, state, mind, seat):
    """Note down for each box what a card there gives way, how likely its stroke is still resolved, and what else counts."""
    share = _share(rules, state)
    for box in range(BOXES):
        first, second = np.int64(state.box[seat, box, 0]), np.int64(state.box[seat, box, 1])
        full = second != NOTHING
        mind[REPLACED + box] = min(card_worth(mind, first), card_worth(mind, second)) if full else 0.0
        likely = share
        if share < 1.0:
            likely *= mind[LIKELY_SECOND] if first != NOTHING else mind[LIKELY_FIRST]
            likely = min(1.0, likely * (mind[LIKELY_LEAST] + mind[LIKELY_RATING] * stroke_dice(state, seat, box)))
        mind[LIKELY + box] = likely
        mind[EXTRA_WORTH + box] = 0.01 * box + leaning(mind, BOX + box)


@inlined
def place_worth(mind, kind, box):
    """Points that a card gains in a box, by the place it takes and how likely the stroke is still resolved."""
    return (card_worth(mind, kind) - mind[REPLACED + box]) * mind[LIKELY + box] + mind[EXTRA_WORTH + box] + mind[PLAY + kind]


@njit
def best_box(rules, state, mind, seat, kind):
    """The open box in which a card gains most, and what it gains; NOTHING if it fits none."""
    best, gain = NOTHING, 0.0
    for box in range(BOXES):
        if (state.resolved[seat] >> box) & 1 == 0 and fits(rules, kind, box):
            worth = place_worth(mind, kind, box)
            if best == NOTHING or worth > gain:
                best, gain = box, worth
    return best, gain


@njit
def hold_worth(rules, state, mind, seat, kind):
    """Points that a card in hand may still bring: what is worth keeping."""
    if rules.kind[kind] == END_SET:
        return 0.9 + mind[HOLD + kind] + leaning(mind, HOLD_END_SET) if state.hand[seat, kind] < 2 else 0.1
    if rules.kind[kind] == TACTIC:
        in_play = tactic_worth(rules, state, mind, seat, np.int64(state.tactic[seat]))
        gain = mind[HOLD_TACTIC_WORTH] * (tactic_worth(rules, state, mind, seat, kind) - in_play)
        return max(0.2, gain + mind[HOLD + kind] + leaning(mind, HOLD_TACTIC))
    box, gain = best_box(rules, state, mind, seat, kind)
    return hold_stroke_card(mind, kind, box, gain)


@inlined
def hold_stroke_card(mind, kind, box, gain):
    """The same of an Offense or Defense card, of which the best box is known, and what it gains there."""
    if box == NOTHING:
        return 0.05 * card_worth(mind, kind)
    return max(0.0, gain + mind[HOLD + kind] + leaning(mind, HOLD_CARD))


@njit
def stroke_worth(rules, state, mind, seat, box):
    """What speaks for resolving a stroke now: its cards, and its rating as far as not all will be resolved."""
    cards = card_worth(mind, np.int64(state.box[seat, box, 0])) + card_worth(mind, np.int64(state.box[seat, box, 1]))
    dice = HALF_DIE * stroke_dice(state, seat, box)
    tactic = tactic_touches(rules, state, seat, True, box)
    touch = own_worth(rules, tactic) + love_worth(mind, tactic) if tactic != NOTHING else 0.0
    worth = cards + (1.15 - _share(rules, state)) * (dice + touch)
    them = other(seat)
    theirs = cards_in(state, them, box) if (state.resolved[them] >> box) & 1 == 0 else 0
    reply = state.phase == REPLY
    by = AS_REPLY if reply else AS_STROKE
    worth += 0.3 * leaning(mind, by + BY_CARDS) * cards
    worth += 0.3 * leaning(mind, by + BY_DICE) * (dice - _USUAL_DICE)
    worth += 0.3 * leaning(mind, by + BY_TACTIC) * touch
    worth += leaning(mind, by + BY_NUMBER) * (cards_in(state, seat, box) - 1.0)
    worth += leaning(mind, by + BY_THEIRS) * theirs
    room = SLOTS - cards_in(state, seat, box)
    worth += leaning(mind, by + BY_HAND) * min(room, lane(state.fit[seat], box))
    if reply:
        met = cards_in(state, them, np.int64(state.declared[them])) - 1.0
        worth += 0.1 * leaning(mind, by + BY_DEFENCE) * _defence(rules, state, seat, box) * _threat(state, them)
        worth += 0.3 * met * (leaning(mind, by + BY_CARDS_MET) * cards + leaning(mind, by + BY_DICE_MET) * (dice - _USUAL_DICE))
    return worth + leaning(mind, by + BY_STROKE + box)


@njit
def _defence(rules, state, seat, box):
    """Points that the cards in a box take from the opponent's stroke."""
    points = 0.0
    for slot in range(SLOTS):
        if state.box[seat, box, slot] != NOTHING:
            points -= other_worth(rules, np.int64(state.box[seat, box, slot]))
    return points


@njit
def _threat(state, them):
    """Points by which the stroke that the opponent has declared looks better than usual: there is more to take from it."""
    stroke = np.int64(state.declared[them])
    return HALF_DIE * stroke_dice(state, them, stroke) + 2.0 * cards_in(state, them, stroke) - _USUAL_DICE


@njit
def expected(rules, state, mind, seat):
    """Points that a player's declared stroke scores on average, all cards known."""
    stroke = np.int64(state.declared[seat])
    them = other(seat)
    points = stroke_dice(state, seat, stroke) * HALF_DIE
    for place in range(6):
        kind = love_card(rules, state, seat, place)
        if kind != NOTHING:
            points += love_worth(mind, kind)
    for slot in range(SLOTS):
        kind = in_rally(state, seat, slot)
        if kind != NOTHING:
            points += own_worth(rules, kind)
        kind = in_rally(state, them, slot)
        if kind != NOTHING:
            points += other_worth(rules, kind)
    kind = tactic_touches(rules, state, seat, True, stroke)
    if kind != NOTHING:
        points += own_worth(rules, kind)
    kind = tactic_touches(rules, state, them, False, stroke)
    if kind != NOTHING:
        points += other_worth(rules, kind)
    ability = grade(state, them, 0 if stroke <= SERVE_2 else 1)
    points += -2.0 if ability == 0 else 2.0 if ability == 2 else 3.5 if ability == 3 else 0.0
    return max(0.0, points)


@njit
def _usual_event_worth(state, seat, event):
    """Points of a marker before any training."""
    if event == STRATEGY_POINT:
        return 2.0
    if event == RANDOM_DISCARD:
        return 3.5
    if event == TWO_CARDS:
        return 1.6
    if event == SEARCH_DISCARDS:
        return 3.0
    if event == NEXT_STROKE:
        return 2.0
    if event == IGNORE_LOVE:
        return 1.2
    if event == TIEBREAK_ROLL:
        return 1.0
    if event == SECOND_WIND:
        return 1.5
    if event == STAMINA_CHECK:
        return 2.8
    if event == INJURY_CHECK:
        return 2.4
    if event == FORCE_END_SET:
        return 0.8 if lead_of(state, seat) > 0 else 0.1
    if event == CLEAR_TACTICS:
        mine = 1.0 if state.tactic[seat] != NOTHING else 0.0
        theirs = 1.0 if state.tactic[other(seat)] != NOTHING else 0.0
        return 0.3 + 2.5 * (theirs - mine)
    if event == MUST_RALLY:
        mine = 0
        theirs = 0
        for box in range(BOXES):
            mine = max(mine, cards_in(state, seat, box))
            theirs = max(theirs, cards_in(state, other(seat), box))
        return 0.5 + 1.5 * (mine - theirs)
    if event == GROUND_STROKES or event == VOLLEYS:
        return 0.4
    return 0.0


@njit
def event_worth(state, mind, seat, event):
    """Points of a marker."""
    return _usual_event_worth(state, seat, event) + leaning(mind, EVENT + event)


@njit
def court_worth(rules, state, seat, surface):
    """Points by which a surface suits this player's champion better than the other's."""
    worth = 0.0
    for player in range(2):
        champion = np.int64(state.champion[player])
        opponent = np.int64(state.champion[other(player)])
        points = 0.0
        for stroke in range(BOXES):
            points += HALF_DIE * rules.rating[champion, surface, stroke]
            ability = rules.defense[opponent, surface, 0 if stroke <= SERVE_2 else 1]
            points += -2.0 if ability == 0 else 2.0 if ability == 2 else 3.5 if ability == 3 else 0.0
        worth += points if player == seat else -points
    return worth
