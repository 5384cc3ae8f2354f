"""Turns, actions and events (R5 to R8, R20, R21, R25 to R28)."""

import numpy as np

from tennis_envs.core.chance import pick
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.views import write_word
from tennis_envs.games.tc_tennis.actions import (
    CARD,
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
    TAKE_TACTIC,
    USE_FORCE,
    USE_RANDOM,
    USE_SEARCH,
    USE_STRATEGY,
)
from tennis_envs.games.tc_tennis.components import EVENTS, KINDS
from tennis_envs.games.tc_tennis.rules.board import (
    allow_end_sets,
    redraw_champions,
    redraw_end_set,
    show_dice,
)
from tennis_envs.games.tc_tennis.rules.cards import (
    back_to_hand,
    clear_slot,
    die,
    discard_at_random,
    discard_end_set,
    discard_from_hand,
    discard_tactic,
    learn,
    learn_return,
    other,
    place,
    pull,
    put_on_discards,
    set_tactic,
    show_from_hand,
    show_slot,
    to_hand,
)
from tennis_envs.games.tc_tennis.rules.condition import check_injury, check_stamina, recover
from tennis_envs.games.tc_tennis.rules.rally import declare, open_strokes, options
from tennis_envs.games.tc_tennis.rules.words import above_zero, lane
from tennis_envs.games.tc_tennis.state import (
    ACTIVE,
    BEFORE,
    BEFORE_ROLL,
    BLUE,
    BONUS,
    BOXES,
    CHECK_HAND,
    CLEAR_TACTICS,
    DECLARE,
    DOUBLE,
    DRAW,
    DROPPING,
    END_SET,
    END_TURN,
    EXTRA,
    FACE_DOWN,
    FORCE,
    FORCE_END_SET,
    FORCED,
    FREE,
    GROUND_STROKES,
    HAND_CARDS,
    HAND_LIMIT,
    HELD,
    INJURY_CHECK,
    KEEPING,
    KEPT,
    LIMIT,
    MARKER_LIMIT,
    MUST_RALLY,
    NEXT_STROKE,
    NOTHING,
    OFFER_BONUS,
    OFFER_PLAN,
    OPEN,
    OUT,
    OUTWIT_FREE,
    OUTWITTED,
    OUTWITTING,
    PLACE,
    PLACED_NOW,
    RANDOM_DISCARD,
    RETAINED,
    RETURN,
    ROLL,
    SEARCH,
    SEARCH_DISCARDS,
    SEEN,
    SLOT_CHOSEN,
    SLOTS,
    STAMINA_CHECK,
    STRATEGIZE,
    STRATEGIZED,
    STRATEGY_LIMIT,
    STRATEGY_POINT,
    TACTIC,
    TOP,
    TRACK,
    TRAINING,
    TURN,
    TWO_CARDS,
    VOLLEYS,
    WIDE,
    row,
)

# The loops over all cards are written so that compilers turn them into a few wide instructions: bytes stay bytes, and
# rows are padded. In a mask they write zeros beyond their segment, so what follows there must be written after them.
_ONE = np.int8(1)

# What may be done


@inlined
def legal_place(rules, state, seat, mask):
    """R3. Cards in hand that fit the chosen box."""
    box = np.int64(state.box_chosen)
    for kind in range(WIDE):
        mask[CARD + kind] = min(state.hand[seat, kind], rules.fitting[box, kind], _ONE)


@inlined
def legal_discard(state, seat, mask):
    """Any card in hand, but not the one that was just taken by Outwit (D13)."""
    for kind in range(WIDE):
        mask[DISCARD + kind] = min(state.hand[seat, kind], _ONE)
    taken = np.int64(state.common[OUTWITTED]) - 1
    if taken != NOTHING:
        mask[DISCARD + taken] = state.hand[seat, taken] > 1


@inlined
def can_outwit(rules, state, seat):
    """R6, R27, D13. Whether Outwit is allowed."""
    allowed = state.board[other(seat), STRATEGIZED] | state.common[OUTWIT_FREE]
    takeable = rules.takeable[np.int64(state.common[TOP])]
    return (allowed != 0) & (takeable != 0) & (state.board[seat, HAND_CARDS] > 0)


@inlined
def legal_turn(rules, state, seat, phase, mask):
    """R5, R20, R25. A turn: an action, on a blue 5 also a rally, on a double also events. A Bonus Action, or the turn ends."""
    if phase != BONUS or state.board[seat, TRACK] > 0:
        _legal_actions(rules, state, seat, (phase == TURN) & (state.board[seat, BLUE] == 5), mask)
    else:
        for action in range(len(mask)):
            mask[action] = 0
    mask[PASS] = phase == BONUS
    mask[DRAW_EVENTS] = phase == TURN and may_draw_events(rules, state)
    legal_strategy_point(state, seat, mask)


@inlined
def _legal_actions(rules, state, seat, rally, mask):
    """R6, R28. The seven kinds of action, and a rally; playing a card from the hand and discarding name it at once."""
    for action in range(CARD):
        mask[action] = 0
    for action in range(DISCARD + KINDS, len(mask)):
        mask[action] = 0
    for kind in range(WIDE):
        mask[CARD + kind] = min(state.hand[seat, kind], rules.open_play[kind])
    for kind in range(WIDE):
        mask[DISCARD + kind] = min(state.hand[seat, kind], _ONE)
    mask[CONCENTRATE] = 1
    mask[TAKE_TACTIC] = state.tactic[seat] != NOTHING
    mask[OUTWIT] = can_outwit(rules, state, seat)
    them = other(seat)
    write_word(state.down[them, 0], mask, READ)
    write_word(state.down[them, 1], mask, READ + 8)
    write_word(rules.spread[options(state, seat) * rally], mask, STROKE)
    write_word(above_zero(state.fit[seat]) & rules.spread[open_strokes(state, seat)], mask, PREPARE)


@inlined
def legal_strategy_point(state, seat, mask):
    """R27. A step of strategy may be gained at any time of one's own turn, never above five."""
    if state.board[seat, HELD + STRATEGY_POINT] > 0 and state.board[seat, TRACK] < STRATEGY_LIMIT:
        mask[USE_STRATEGY] = 1


@njit
def _cup_size(state):
    """Markers in the cup."""
    total = 0
    for event in range(len(EVENTS)):
        total += state.cup[event]
    return total


@inlined
def may_draw_events(rules, state):
    """R25. A double, not with blue 6, in the Standard and Tournament games."""
    return state.common[DOUBLE] and rules.level > TRAINING and _cup_size(state) > 0


@inlined
def legal_strokes(rules, state, seat, mask):
    """R9. The strokes that may be declared."""
    write_word(rules.spread[options(state, seat)], mask, STROKE)


@njit
def legal_search(rules, state, mask):
    """R27. Any card of the discards but those with the no-draw symbol; whether there are any."""
    found = False
    for i in range(state.discards):
        kind = np.int64(state.discard[i])
        if not rules.no_draw[kind]:
            mask[CARD + kind] = 1
            found = True
    return found


@njit
def _can_search(rules, state):
    """Whether the discards hold a card that may be taken."""
    for i in range(state.discards):
        if not rules.no_draw[np.int64(state.discard[i])]:
            return True
    return False


@njit
def legal_before(rules, state, seat, mask):
    """R27. Markers that are played before the roll."""
    mask[PASS] = 1
    if state.board[seat, HELD + SEARCH_DISCARDS] > 0 and _can_search(rules, state):
        mask[USE_SEARCH] = 1
    if state.board[seat, HELD + FORCE_END_SET] > 0:
        mask[USE_FORCE] = 1
    if state.board[seat, HELD + RANDOM_DISCARD] > 0:
        mask[USE_RANDOM] = 1


@njit
def legal_end_sets(rules, state, seat, mask):
    """R27. The End Set cards in hand."""
    for kind in range(KINDS):
        if state.hand[seat, kind] > 0 and rules.kind[kind] == END_SET:
            mask[CARD + kind] = 1


@inlined
def legal_keep(state, mask):
    """R25. One of the two markers drawn."""
    for i in range(2):
        mask[KEEP + np.int64(state.drawn[i])] = 1


@njit
def legal_drop(state, seat, mask):
    """R26. One of three markers goes, or a strategy_point is used, which also makes room."""
    for event in range(RETAINED):
        if state.board[seat, HELD + event] > 0:
            mask[DROP + event] = 1
    legal_strategy_point(state, seat, mask)


# Before the roll, the roll


@inlined
def begin_turn(rules, state, seat):
    """R5. A new turn; the dice of the last one lie there until these are rolled."""
    state.active = seat
    state.board[seat, ACTIVE] = 1
    state.board[other(seat), ACTIVE] = 0
    state.board[seat, STRATEGIZED] = 0
    state.phase = BEFORE_ROLL


@inlined
def before_roll(rules, state):
    """R27. A player with a marker for this moment is asked."""
    seat = np.int64(state.active)
    state.phase = ROLL
    others = state.board[seat, HELD + FORCE_END_SET] + state.board[seat, HELD + RANDOM_DISCARD]
    if others + state.board[seat, HELD + SEARCH_DISCARDS] > 0 and (others > 0 or _can_search(rules, state)):
        state.seat = seat
        state.phase = BEFORE
        show_dice(rules, state, 0, 0, 0)


@inlined
def roll_dice(rules, state, chance):
    """R5. Two black dice and a blue one."""
    seat = np.int64(state.active)
    first = die(chance)
    second = die(chance)
    blue = die(chance)
    state.then = OFFER_BONUS
    show_dice(rules, state, first, second, blue)
    if blue == 6:
        declare(state)
    elif state.board[seat, HAND_CARDS] > 0 or _has_alternative(state, seat) or blue == 5 or may_draw_events(rules, state):
        state.seat = seat
        state.phase = TURN
    else:
        concentrate(rules, state, seat)


@njit
def _has_alternative(state, seat):
    """D36. Whether a player can do anything but Concentrate."""
    if state.board[seat, HAND_CARDS] > 0 or state.tactic[seat] != NOTHING:
        return True
    if state.board[seat, HELD + STRATEGY_POINT] > 0 and state.board[seat, TRACK] < STRATEGY_LIMIT:
        return True
    for slot in range(BOXES * SLOTS):
        if state.board[other(seat), SEEN + slot] == FACE_DOWN:
            return True
    return False


@njit
def spend(rules, state, seat, event):
    """R26. A kept marker is used or dropped: out for the set."""
    state.board[seat, HELD + event] -= 1
    state.common[OUT + event] += 1
    _redraw_after(rules, state, event)


@inlined
def _redraw_after(rules, state, event):
    """R27. Markers for ground strokes or volleys change the dice of strokes."""
    if event == GROUND_STROKES or event == VOLLEYS:
        redraw_champions(rules, state)


@njit
def use_search(rules, state, seat):
    """R27. Look for a card in the discards."""
    spend(rules, state, seat, SEARCH_DISCARDS)
    found = NOTHING
    several = False
    for i in range(state.discards):
        kind = np.int64(state.discard[i])
        if not rules.no_draw[kind] and kind != found:
            several = found != NOTHING
            if several:
                break
            found = kind
    state.then = BEFORE_ROLL
    if several:
        state.phase = SEARCH
    else:
        take_discard(rules, state, seat, found)


@njit
def take_discard(rules, state, seat, kind):
    """R27. The topmost copy of a card comes out of the discards into the hand."""
    i = np.int64(state.discards) - 1
    while state.discard[i] != kind:
        i -= 1
    pull(state, i)
    to_hand(rules, state, seat, kind)
    learn(state, seat, kind)
    state.phase = CHECK_HAND


@njit
def use_force(rules, state, seat):
    """R27. The opponent must play an End Set card."""
    spend(rules, state, seat, FORCE_END_SET)
    state.then = BEFORE_ROLL
    state.phase = FORCE


@njit
def force_end_set(rules, state):
    """R27, D21. He plays his only one, chooses, or is known to have none."""
    seat = other(np.int64(state.active))
    found = NOTHING
    several = False
    for kind in range(KINDS):
        if state.hand[seat, kind] > 0 and rules.kind[kind] == END_SET:
            several = found != NOTHING
            if several:
                break
            found = kind
    state.phase = BEFORE_ROLL
    if several:
        state.seat = seat
        state.phase = FORCED
    elif found == NOTHING:
        allow_end_sets(state, seat, 0)
    else:
        play_end_set(rules, state, seat, found)


@njit
def use_random_discard(rules, state, chance, seat):
    """R27, D22. The opponent loses a card; an action before the dice."""
    spend(rules, state, seat, RANDOM_DISCARD)
    state.common[OUTWIT_FREE] = state.board[other(seat), HAND_CARDS] > 0
    discard_at_random(rules, state, chance, other(seat))
    state.then = BEFORE_ROLL
    if _has_alternative(state, seat):
        state.phase = EXTRA
    else:
        state.common[OUTWIT_FREE] = 0
        concentrate(rules, state, seat)


# Actions


@inlined
def discard_by_choice(rules, state, seat, acting, kind):
    """R6, R7. A card is discarded to begin or to end the Strategize action, for a card taken by Outwit, or above seven."""
    strategizing = acting | (state.phase == STRATEGIZE)
    discard_from_hand(rules, state, seat, kind)
    state.common[OUTWITTED] = 0
    state.board[seat, STRATEGIZED] |= acting
    state.to_draw = 2 - acting
    state.phase = DRAW if strategizing else CHECK_HAND
    if acting & (state.board[seat, HAND_CARDS] > 0):
        state.phase = STRATEGIZE


@inlined
def play_from_hand(rules, state, chance, seat, kind):
    """R6, R28, R37. Change Tactic or Tempo; a tactic that acts on the player's condition is discarded at once."""
    if rules.kind[kind] != TACTIC:
        play_end_set(rules, state, seat, kind)
    else:
        discard_tactic(rules, state, seat)
        show_from_hand(rules, state, seat, kind)
        if rules.remedy[kind]:
            put_on_discards(state, kind)
            recover(rules, state, chance, seat, kind)
        else:
            set_tactic(rules, state, seat, kind)
    state.phase = state.then


@inlined
def read(rules, state, seat, slot):
    """R6. A card of the opponent is turned face up."""
    show_slot(rules, state, other(seat), slot >> 1, slot & 1)
    state.phase = state.then


@inlined
def take_tactic(rules, state, seat):
    """R6. The tactic in play goes back to the hand."""
    kind = np.int64(state.tactic[seat])
    set_tactic(rules, state, seat, NOTHING)
    back_to_hand(rules, state, seat, kind)
    learn(state, seat, kind)
    state.phase = CHECK_HAND


@njit
def concentrate(rules, state, seat):
    """R6, R27. Draw a card, or two with the marker for it."""
    state.to_draw = 1
    if state.board[seat, HELD + TWO_CARDS] > 0:
        spend(rules, state, seat, TWO_CARDS)
        state.to_draw = 2
    state.seat = seat
    state.phase = DRAW


@inlined
def outwit(rules, state, seat):
    """R6, D13. The top card of the discards for another one."""
    top = np.int64(state.discards) - 1
    kind = np.int64(state.discard[top])
    pull(state, top)
    to_hand(rules, state, seat, kind)
    state.common[OUTWITTED] = row(kind)
    learn(state, seat, kind)
    state.phase = CHECK_HAND


@inlined
def _only_discard(state, seat):
    """The only kind of card that may be discarded, NOTHING if there are several."""
    taken = np.int64(state.common[OUTWITTED]) - 1
    left_out = np.int64(0)  # the card taken, where it is the only copy
    if taken != NOTHING and state.hand[seat, taken] == 1:
        left_out = row(taken)
    several = lane(state.fit[seat], BOXES) - (left_out > 0) != 1
    return NOTHING if several else (lane(state.fit_rows[seat], BOXES) ^ left_out) - 1


@njit
def play_end_set(rules, state, seat, kind):
    """R28. Change Tempo."""
    discard_end_set(rules, state)
    show_from_hand(rules, state, seat, kind)
    state.end_set = kind
    redraw_end_set(rules, state)


@inlined
def prepare(state, seat, box):
    """R6, D16. A card will go into this box: the only one that fits, else NOTHING; if two lie there, first which one comes
    back."""
    state.box_chosen = box
    state.board[seat, OPEN + box] = 2
    full = state.box[seat, box, SLOTS - 1] != NOTHING
    state.phase = RETURN if full else PLACE
    return NOTHING if full else only_fit(state, seat, box)


@inlined
def give_way(state, seat, slot):
    """D16. The card in this slot comes back to the hand for the only one that fits, or for NOTHING yet."""
    state.common[SLOT_CHOSEN] = 1 + slot
    state.phase = PLACE
    return only_fit(state, seat, np.int64(state.box_chosen))


@inlined
def only_fit(state, seat, box):
    """D36. The only card in the hand that fits a box, NOTHING if there are several."""
    return lane(state.fit_rows[seat], box) - 1 if lane(state.fit[seat], box) == 1 else NOTHING


@inlined
def put_in_box(rules, state, seat, kind):
    """R3, R6. The card goes into the chosen box, and one that had to give way comes back to the hand."""
    box = np.int64(state.box_chosen)
    slot = np.int64(state.common[SLOT_CHOSEN]) - 1
    if slot == NOTHING:
        place(rules, state, seat, kind, box)
    else:
        back = np.int64(state.box[seat, box, slot])
        seen = state.shown[seat, box, slot] != 0
        clear_slot(rules, state, seat, box, slot)
        place(rules, state, seat, kind, box)
        back_to_hand(rules, state, seat, back)
        if seen:
            learn(state, seat, back)
        else:
            learn_return(state, seat, box)
        state.common[SLOT_CHOSEN] = 0
    state.box_chosen = NOTHING
    state.board[seat, OPEN + box] = 1
    state.common[PLACED_NOW] += state.then == OFFER_PLAN
    state.phase = state.then


@inlined
def check_hand(rules, state):
    """R6, R7. A card for the one taken by Outwit; down to seven; then on."""
    seat = np.int64(state.seat)
    state.phase = state.then
    if (state.board[seat, HAND_CARDS] > HAND_LIMIT) | (state.common[OUTWITTED] != 0):
        _discard_only(rules, state, seat)


@njit
def _discard_only(rules, state, seat):
    """D36. The only kind of card that may be discarded is; of several the player chooses."""
    only = _only_discard(state, seat)
    if only == NOTHING:
        state.phase = OUTWITTING if state.common[OUTWITTED] else LIMIT
    else:
        discard_from_hand(rules, state, seat, only)
        state.common[OUTWITTED] = 0
        state.phase = CHECK_HAND


@inlined
def offer_bonus(state):
    """R20, R21. After the action or rally."""
    seat = np.int64(state.active)
    if state.board[seat, TRACK] > 0 or state.board[seat, HELD + STRATEGY_POINT] > 0:
        state.seat = seat
        state.phase = BONUS
        state.then = OFFER_BONUS
    else:
        state.phase = END_TURN


@njit
def use_strategy_point(rules, state, seat):
    """R27. One step of strategy."""
    spend(rules, state, seat, STRATEGY_POINT)
    state.board[seat, TRACK] += 1


# Events


@njit
def draw_marker(state, chance):
    """A marker out of the cup."""
    event = pick(chance, state.cup, _cup_size(state))
    state.cup[event] -= 1
    return event


@njit
def draw_markers(state, chance):
    """R25, D17. Two markers, or the last one."""
    state.drawn[0] = draw_marker(state, chance)
    state.drawn[1] = state.drawn[0]
    if _cup_size(state) > 0:
        state.drawn[1] = draw_marker(state, chance)
        if state.drawn[1] != state.drawn[0]:
            state.phase = KEEPING
            return
        state.cup[state.drawn[1]] += 1
    state.phase = KEPT


@njit
def keep(state, event):
    """R25. One is kept, the other goes back."""
    back = state.drawn[0] if state.drawn[1] == event else state.drawn[1]
    state.cup[back] += 1
    state.drawn[0] = event
    state.phase = KEPT


@njit
def kept(rules, state, chance):
    """R26, R27, R38. A marker to keep lies with its player; another acts at once."""
    seat = np.int64(state.active)
    event = np.int64(state.drawn[0])
    state.drawn[0] = NOTHING
    state.drawn[1] = NOTHING
    state.seat = seat
    state.phase = OFFER_BONUS
    if event < RETAINED:
        state.board[seat, HELD + event] += 1
        _redraw_after(rules, state, event)
        check_markers(rules, state, seat)
        return
    state.common[OUT + event] += 1
    if event == CLEAR_TACTICS:
        for i in range(2):
            discard_tactic(rules, state, seat ^ i)
        discard_end_set(rules, state)
    elif event == MUST_RALLY:
        state.common[FREE] = 1
        state.phase = DECLARE
    elif event == STAMINA_CHECK:
        state.then = OFFER_BONUS
        check_stamina(rules, state, chance, other(seat))
    elif event == INJURY_CHECK:
        check_injury(rules, state, chance, other(seat))


@njit
def check_markers(rules, state, seat):
    """R26. Two at most."""
    kinds = 0
    total = 0
    last = NOTHING
    for event in range(RETAINED):
        total += state.board[seat, HELD + event]
        if state.board[seat, HELD + event] > 0:
            kinds += 1
            last = event
    state.phase = OFFER_BONUS
    if total > MARKER_LIMIT:
        if kinds == 1:
            spend(rules, state, seat, last)
        else:
            state.phase = DROPPING


@njit
def drop_this_set(rules, state):
    """D17. Markers for "this set" go back to the cup, and so do those that were played (R32)."""
    for event in range(NEXT_STROKE, VOLLEYS + 1):
        for seat in range(2):
            state.cup[event] += state.board[seat, HELD + event]
            state.board[seat, HELD + event] = 0
    for event in range(len(EVENTS)):
        state.cup[event] += state.common[OUT + event]
        state.common[OUT + event] = 0
    redraw_champions(rules, state)
