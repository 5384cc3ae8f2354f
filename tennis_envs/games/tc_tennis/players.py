"""A scripted player: it counts every choice in points of momentum and takes the best."""

import math

import numpy as np

from tennis_envs.core.jit import inlined, njit
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
from tennis_envs.games.tc_tennis.rules.cards import (
    cards_in,
    fits,
    is_stroke_card,
    other,
    other_worth,
    own_worth,
)
from tennis_envs.games.tc_tennis.rules.rally import grade, in_rally, lead_of, love_card, stroke_dice, tactic_touches
from tennis_envs.games.tc_tennis.state import (
    BEFORE,
    BONUS,
    BOXES,
    CHALLENGING,
    CHOOSE_SURFACE,
    CLEAR_TACTICS,
    DROPPING,
    END_SET,
    EXTRA,
    FORCE_END_SET,
    FORCED,
    GROUND_STROKES,
    HALF_DIE,
    HAND_CARDS,
    HAND_LIMIT,
    HELD,
    IGNORE_LOVE,
    INJURY_CHECK,
    KEEPING,
    LEFT,
    LIMIT,
    LOSE_HALF,
    LOSE_HIGHEST,
    LOVE,
    MUST_RALLY,
    NEXT_STROKE,
    NOTHING,
    OUTWITTING,
    PLACE,
    PLAN,
    RALLIES,
    RANDOM_DISCARD,
    REPLY,
    RETAINED,
    RETURN,
    SEARCH,
    SEARCH_DISCARDS,
    SECOND_WIND,
    SERVE_2,
    SLOTS,
    STAGE,
    STAMINA,
    STAMINA_BEFORE,
    STAMINA_CHECK,
    STRATEGIZE,
    STRATEGY_POINT,
    STROKING,
    SURE_LEAD,
    TACTIC,
    TIEBREAK,
    TIEBREAK_ROLL,
    TIEBREAKING,
    TRACK,
    TURN,
    TWO_CARDS,
    VOIDING,
    VOLLEYS,
    WIND,
    row,
)

_HIGHEST_DIE = 5.0  # points that the highest of several dice shows
_HALF_LOST = 2.2  # points of a half die lost, or of a die halved
_FACE_DOWN = 2.3  # points that an opponent's face-down card is worth
_SPREAD = 6.4  # standard deviation of a rally's gain
_SET = 25.0  # points of momentum that a set is worth when it is close
_DRAW = 1.5  # points of a card from the pile, to be placed later
_JUNK = 1.1  # points of another card for one without a use
_PLAY_FIRST = 0.6  # a card placed now counts before the next rally
_RALLY_GAIN = 1.5  # points by which a rally must be better than another action


@njit
def _love_worth(rules, kind):
    """Points that a card's Love Die is worth to the stroke that it strikes."""
    faces = np.int64(rules.love_faces[row(kind)])
    count = 0
    while faces:
        count += faces & 1
        faces >>= 1
    effect = rules.love_dice[kind] * HALF_DIE + rules.love_score[kind]
    if rules.love_lose[kind] == LOSE_HIGHEST:
        effect -= _HIGHEST_DIE
    if rules.love_lose[kind] == LOSE_HALF:
        effect -= _HALF_LOST
    return count * effect / 6.0


@njit
def card_worth(rules, kind):
    """Points that an Offense or Defense card is worth in a rally."""
    love = _love_worth(rules, kind)
    return own_worth(rules, kind) - other_worth(rules, kind) + (-love if rules.love_other[kind] else love)


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
def tactic_worth(rules, state, seat, kind):
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
    love = _love_worth(rules, kind)
    per_own = own_worth(rules, kind) + (0.0 if rules.love_other[kind] else love)
    per_other = -other_worth(rules, kind) - (love if rules.love_other[kind] else 0.0)
    return (mine * per_own + theirs * per_other) * _share(rules, state)


@njit
def _win_chance(lead, rallies):
    """How likely a lead holds over so many rallies, between equals."""
    if rallies <= 0:
        return 1.0 if lead >= SURE_LEAD else 0.0 if lead <= -SURE_LEAD else 0.5 + lead / (2.0 * SURE_LEAD + 2)
    return 0.5 + 0.5 * math.erf(lead / (_SPREAD * math.sqrt(2.0 * rallies)))


@njit
def end_set_worth(rules, state, seat, kind):
    """Points that an End Set card is worth on the table."""
    lead = lead_of(state, seat)
    now = rallies_left(state)
    unresolved = np.int64(state.unresolved)
    limit = (2 if state.common[TIEBREAK] else np.int64(rules.rallies[kind])) - np.int64(state.common[RALLIES])
    then = max(1, min(limit, unresolved))
    return (_win_chance(lead, then) - _win_chance(lead, now)) * _SET


@njit
def _weakest(rules, state, seat, box):
    """Points of the weaker card in a box, a big number if there is room."""
    if cards_in(state, seat, box) < SLOTS:
        return -1.0
    return min(card_worth(rules, np.int64(state.box[seat, box, 0])), card_worth(rules, np.int64(state.box[seat, box, 1])))


@njit
def _place_worth(rules, state, seat, kind, box):
    """Points that a card gains in a box, by the place it takes and how likely the stroke is still resolved."""
    worth = card_worth(rules, kind)
    weakest = _weakest(rules, state, seat, box)
    if weakest >= 0:
        worth -= weakest
    likely = _share(rules, state)
    if likely < 1.0:
        rating = stroke_dice(state, seat, box)
        likely = min(1.0, likely * (1.3 if cards_in(state, seat, box) > 0 else 0.9) * (0.7 + 0.06 * rating))
    return worth * likely + 0.01 * box


@njit
def _best_box(rules, state, seat, kind):
    """The open box in which a card gains most, and what it gains; NOTHING if it fits none."""
    best, gain = NOTHING, 0.0
    for box in range(BOXES):
        if (state.resolved[seat] >> box) & 1 == 0 and fits(rules, kind, box):
            worth = _place_worth(rules, state, seat, kind, box)
            if best == NOTHING or worth > gain:
                best, gain = box, worth
    return best, gain


@njit
def _hold_worth(rules, state, seat, kind):
    """Points that a card in hand may still bring: what is worth keeping."""
    if rules.kind[kind] == END_SET:
        return 0.9 if state.hand[seat, kind] < 2 else 0.1
    if rules.kind[kind] == TACTIC:
        gain = tactic_worth(rules, state, seat, kind) - tactic_worth(rules, state, seat, np.int64(state.tactic[seat]))
        return max(0.2, 0.9 * gain)
    best, gain = _best_box(rules, state, seat, kind)
    return 0.05 * card_worth(rules, kind) if best == NOTHING else max(0.0, gain)


@njit
def _least(rules, state, seat, mask):
    """The discard that costs least, and what it costs."""
    best, cost = NOTHING, 0.0
    for kind in range(KINDS):
        if mask[DISCARD + kind]:
            worth = _hold_worth(rules, state, seat, kind)
            if best == NOTHING or worth < cost:
                best, cost = DISCARD + kind, worth
    return best, cost


@njit
def _stroke_worth(rules, state, seat, box):
    """What speaks for resolving a stroke now: its cards, and its rating as far as not all will be resolved."""
    worth = 0.0
    for slot in range(SLOTS):
        if state.box[seat, box, slot] != NOTHING:
            worth += card_worth(rules, np.int64(state.box[seat, box, slot]))
    tactic = tactic_touches(rules, state, seat, True, box)
    weight = 1.15 - _share(rules, state)
    worth += weight * HALF_DIE * stroke_dice(state, seat, box)
    if tactic != NOTHING:
        worth += weight * (own_worth(rules, tactic) + _love_worth(rules, tactic))
    return worth


@njit
def _best_stroke(rules, state, seat, mask):
    """The stroke to declare, and what speaks for it."""
    best, worth = NOTHING, 0.0
    for box in range(BOXES):
        if mask[STROKE + box]:
            value = _stroke_worth(rules, state, seat, box)
            if best == NOTHING or value > worth:
                best, worth = STROKE + box, value
    return best, worth


@njit
def _mean_stroke(rules, state, seat):
    """What speaks for an open stroke on average."""
    total, count = 0.0, 0
    for box in range(BOXES):
        if (state.resolved[seat] >> box) & 1 == 0:
            total += _stroke_worth(rules, state, seat, box)
            count += 1
    return total / max(1, count)


@njit
def _rally_gain(rules, state, seat, mask):
    """Points by which a rally now is better for this player than one later."""
    them = other(seat)
    _, worth = _best_stroke(rules, state, seat, mask)
    gain = worth - _mean_stroke(rules, state, seat)
    down = 0
    for box in range(BOXES):
        if (state.resolved[them] >> box) & 1 == 0:
            down = max(down, cards_in(state, them, box) if mask[STROKE + box] else 0)
    mine = 0
    for box in range(BOXES):
        if mask[STROKE + box]:
            mine = max(mine, cards_in(state, seat, box))
    gain += (mine - down) * _FACE_DOWN * 0.5
    lead = lead_of(state, seat)
    left = rallies_left(state)
    return gain + (_win_chance(lead, left - 1) - _win_chance(lead, left)) * _SET * 0.5


@njit
def _act(rules, state, seat, mask):
    """The best action of a turn and its points."""
    size = np.int64(state.board[seat, HAND_CARDS])
    best, gain = CONCENTRATE, _DRAW if size < HAND_LIMIT else 0.0
    gain -= 0.15 * size
    if state.board[seat, HELD + TWO_CARDS] > 0 and size < HAND_LIMIT - 1:
        gain += 1.2
    tactic = tactic_worth(rules, state, seat, np.int64(state.tactic[seat]))
    junk, least, cost = 0, NOTHING, 0.0
    for kind in range(KINDS):
        if state.hand[seat, kind] > 0:
            worth = 0.0
            choice = NOTHING
            if is_stroke_card(rules, kind):
                box, value = _best_box(rules, state, seat, kind)
                if box != NOTHING:
                    choice, worth = PREPARE + box, value + _PLAY_FIRST
            elif rules.kind[kind] == TACTIC:
                choice, worth = CARD + kind, tactic_worth(rules, state, seat, kind) - tactic
            else:
                choice, worth = CARD + kind, end_set_worth(rules, state, seat, kind)
            if choice != NOTHING and worth > gain and mask[choice]:
                best, gain = choice, worth
            keep = _hold_worth(rules, state, seat, kind)
            if keep < 0.6:
                junk += np.int64(state.hand[seat, kind])
            if least == NOTHING or keep < cost:
                least, cost = kind, keep
    if junk > 0 and mask[DISCARD + least] and _JUNK * min(2, junk) > gain:
        best, gain = DISCARD + least, _JUNK * min(2, junk)
    if mask[OUTWIT]:
        worth = _hold_worth(rules, state, seat, np.int64(state.discard[state.discards - 1])) - max(0.0, cost)
        if worth > gain:
            best, gain = OUTWIT, worth
    return best, gain


@njit
def _turn(rules, state, seat, mask):
    """An action, a rally or events."""
    if mask[USE_STRATEGY]:
        return USE_STRATEGY
    best, gain = _act(rules, state, seat, mask)
    if mask[DRAW_EVENTS] and gain < 2.5:
        best, gain = DRAW_EVENTS, 2.5
    stroke, _ = _best_stroke(rules, state, seat, mask)
    if stroke != NOTHING and _rally_gain(rules, state, seat, mask) > _RALLY_GAIN:
        return stroke
    return best


@njit
def _bonus(rules, state, seat, mask):
    """A Bonus Action if it is worth the step of strategy."""
    if mask[USE_STRATEGY]:
        return USE_STRATEGY
    best, gain = _act(rules, state, seat, mask)
    plenty = 2 * state.board[seat, TRACK] >= rallies_left(state)
    return best if gain > (1.0 if plenty else 2.0) else PASS


@njit
def _expected(rules, state, seat):
    """Points that a player's declared stroke scores on average, all cards known."""
    stroke = np.int64(state.declared[seat])
    them = other(seat)
    points = stroke_dice(state, seat, stroke) * HALF_DIE
    for place in range(6):
        kind = love_card(rules, state, seat, place)
        if kind != NOTHING:
            points += _love_worth(rules, kind)
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
def _challenge(rules, state, seat):
    """A challenge if another roll is likely to be worth more than the marker."""
    before = np.int64(state.momentum_before) if seat == 0 else -np.int64(state.momentum_before)
    mean = before + _expected(rules, state, seat) - _expected(rules, state, other(seat))
    lead = lead_of(state, seat)
    left = rallies_left(state) - 1
    if left <= 0:
        again = 0.5 + 0.5 * math.erf((mean - 1.0) / (_SPREAD * math.sqrt(2.0)))
        return CHALLENGE if again > _win_chance(lead, 0) + 0.02 else PASS
    return CHALLENGE if mean - lead > 3.0 + 0.6 * left else PASS


@njit
def _event_worth(state, seat, event):
    """Points of a marker."""
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
def _court_worth(rules, state, seat, surface):
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


@njit
def _love(rules, state, seat):
    """Whether a Love Die's result hurts this player enough."""
    place = np.int64(state.love_place) - 1
    active = np.int64(state.active)
    scorer = active if state.common[STAGE] == 0 else other(active)
    kind = love_card(rules, state, scorer, place)
    effect = _love_worth(rules, kind)
    return USE_IGNORE if (effect < 0) == (scorer == seat) else PASS


@njit
def _best_card(rules, state, seat, mask, first, worth_of):
    """The legal card of a segment that is worth most: 0 in a box, 1 kept in hand, 2 as an End Set card."""
    best, gain = NOTHING, 0.0
    for kind in range(KINDS):
        if mask[first + kind]:
            if worth_of == 0:
                worth = _place_worth(rules, state, seat, kind, np.int64(state.box_chosen))
            elif worth_of == 1:
                worth = _hold_worth(rules, state, seat, kind)
            else:
                worth = end_set_worth(rules, state, seat, kind)
            if best == NOTHING or worth > gain:
                best, gain = first + kind, worth
    return best, gain


@njit
def _before(rules, state, seat, mask):
    """Markers before the roll, as soon as they are worth something."""
    if mask[USE_RANDOM]:
        return USE_RANDOM
    if mask[USE_SEARCH]:
        best = 0.0
        for i in range(state.discards):
            kind = np.int64(state.discard[i])
            if not rules.no_draw[kind]:
                best = max(best, _hold_worth(rules, state, seat, kind))
        if best > 2.5:
            return USE_SEARCH
    if mask[USE_FORCE] and lead_of(state, seat) >= SURE_LEAD + 2 and state.end_set == NOTHING:
        return USE_FORCE
    return PASS


@njit
def _plan(rules, state, seat, mask):
    """The best placement, if any."""
    best, gain = PASS, 0.0
    for kind in range(KINDS):
        if state.hand[seat, kind] > 0 and is_stroke_card(rules, kind):
            box, worth = _best_box(rules, state, seat, kind)
            if box != NOTHING and worth > gain and mask[PREPARE + box]:
                best, gain = PREPARE + box, worth
    return best


@njit
def scripted(rules, state, mask, chance):
    """Sensible play: cards where they count, rallies and End Set cards when ahead, challenges after bad luck."""
    phase = np.int64(state.phase)
    seat = np.int64(state.seat)
    if phase == TURN:
        return _turn(rules, state, seat, mask)
    if phase == BONUS:
        return _bonus(rules, state, seat, mask)
    if phase == EXTRA:
        return _act(rules, state, seat, mask)[0]
    if phase == STROKING or phase == REPLY:
        return _best_stroke(rules, state, seat, mask)[0]
    if phase == PLACE:
        return _best_card(rules, state, seat, mask, CARD, 0)[0]
    if phase == SEARCH:
        return _best_card(rules, state, seat, mask, CARD, 1)[0]
    if phase == FORCED:
        return _best_card(rules, state, seat, mask, CARD, 2)[0]
    if phase == RETURN:
        box = np.int64(state.box_chosen)
        first, second = np.int64(state.box[seat, box, 0]), np.int64(state.box[seat, box, 1])
        return TAKE_BACK if card_worth(rules, first) <= card_worth(rules, second) else TAKE_BACK + 1
    if phase == PLAN:
        return _plan(rules, state, seat, mask)
    if phase == CHALLENGING:
        return _challenge(rules, state, seat)
    if phase == STRATEGIZE:
        best, cost = _least(rules, state, seat, mask)
        return best if cost < 0.6 else PASS
    if phase == OUTWITTING or phase == LIMIT:
        return _least(rules, state, seat, mask)[0]
    if phase == VOIDING:
        for place in range(BOXES * SLOTS):
            if mask[VOID + place]:
                return VOID + place
    if phase == KEEPING:
        first, second = np.int64(state.drawn[0]), np.int64(state.drawn[1])
        return KEEP + (first if _event_worth(state, seat, first) >= _event_worth(state, seat, second) else second)
    if phase == DROPPING:
        if mask[USE_STRATEGY]:
            return USE_STRATEGY
        best, least = NOTHING, 0.0
        for event in range(RETAINED):
            if mask[DROP + event] and (best == NOTHING or _event_worth(state, seat, event) < least):
                best, least = DROP + event, _event_worth(state, seat, event)
        return best
    if phase == BEFORE:
        return _before(rules, state, seat, mask)
    if phase == LOVE:
        return _love(rules, state, seat)
    if phase == TIEBREAKING:
        return USE_TIEBREAK_ROLL
    if phase == WIND:
        return USE_WIND
    if phase == CHOOSE_SURFACE:
        best, gain = NOTHING, 0.0
        for surface in range(len(SURFACES)):
            if mask[SURFACE + surface]:
                worth = _court_worth(rules, state, seat, surface)
                if best == NOTHING or worth > gain:
                    best, gain = SURFACE + surface, worth
        return best
    return PASS


PLAYERS = {"scripted": scripted}
