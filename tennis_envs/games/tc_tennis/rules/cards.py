"""Cards on their way between pile, hands, boxes and discards, and what the opponent knows of them (R3, R7, R8, D15)."""

import numpy as np

from tennis_envs.core.chance import pick, pick_urn, roll
from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.tc_tennis.components import CARDS, KINDS
from tennis_envs.games.tc_tennis.rules.board import (
    allow_end_sets,
    clear_box,
    draw_card,
    fill_urn,
    redraw_box,
    redraw_end_set,
    redraw_left,
    redraw_open,
    redraw_tactics,
    redraw_top,
    turn_card,
)
from tennis_envs.games.tc_tennis.state import (
    BOXES,
    CHECK_HAND,
    DEFENSE,
    END_SET,
    HALF_DIE,
    HAND_CARDS,
    NOTHING,
    PILE,
    SIGHT_GONE,
    SIGHT_KNOWN,
    SIGHT_MINE_KNOWN,
    SIGHT_WORN,
    SLOTS,
    TOP,
    WIDE,
    row,
)

_LAST_CLOCK = 127
_ONE = np.int8(1)


@inlined
def die(chance):
    """What a die shows."""
    return 1 + roll(chance, 6)


@inlined
def other(seat):
    """The opponent."""
    return seat ^ 1


@inlined
def own_worth(rules, kind):
    """Points that a card adds to its owner's stroke on average, its Love Die apart."""
    return rules.dice[row(kind)] * HALF_DIE + rules.score[row(kind)]


@inlined
def other_worth(rules, kind):
    """Points that it adds to the opponent's stroke: below 0 for a Defense card."""
    return rules.other_dice[row(kind)] * HALF_DIE + rules.other_score[row(kind)]


@inlined
def is_stroke_card(rules, kind):
    """Offense or Defense."""
    return rules.kind[kind] <= DEFENSE


@inlined
def fits(rules, kind, box):
    """R3. Whether an Offense or Defense card may lie in a box."""
    return (rules.boxes[kind] >> box) & 1 == 1


@inlined
def cards_in(state, seat, box):
    """How many cards lie in a box; the first slot is filled first."""
    return np.int64(state.box[seat, box, 0] != NOTHING) + np.int64(state.box[seat, box, 1] != NOTHING)


@inlined
def tick(state):
    """What is placed from now on may be a card that is in the hand now."""
    if state.clock < _LAST_CLOCK:
        state.clock += 1


@njit
def learn(state, seat, kind):
    """D15. The opponent has seen this card go into the hand of `seat`."""
    tick(state)
    if state.known[seat, kind] == 0:
        state.sight[other(seat), kind] += SIGHT_KNOWN
        state.sight[seat, kind] += SIGHT_MINE_KNOWN
    state.known[seat, kind] = state.clock


@njit
def learn_return(state, seat, box):
    """D39. The opponent has seen a card go into the hand of `seat`, but not which: it fits the box that it came from."""
    tick(state)
    state.returns[seat] |= 1 << box
    state.returned[seat, box] = state.clock


@njit
def _unlearn_returns(state, seat, boxes, since):
    """D39. A card comes to light that fits `boxes` and was hidden since `since`: it may be one that came back."""
    for box in range(BOXES):
        if (boxes >> box) & 1 and state.returned[seat, box] <= since:
            state.returns[seat] &= ~(1 << box)
            state.returned[seat, box] = 0


@inlined
def unlearn(rules, state, seat, kind, since):
    """D15, D39. A card comes to light; it was in the hand when the clock stood at `since`."""
    boxes = np.int64(state.returns[seat]) & np.int64(rules.boxes[kind])
    if boxes:
        _unlearn_returns(state, seat, boxes, since)
    if state.known[seat, kind] != 0:
        state.known[seat, kind] = 0
        state.sight[other(seat), kind] -= SIGHT_KNOWN
        state.sight[seat, kind] -= SIGHT_MINE_KNOWN


@inlined
def put_on_discards(state, kind):
    """A card goes on top of the discards."""
    state.discard[np.int64(state.discards)] = kind
    state.discards += 1
    state.common[TOP] = row(kind)
    see_gone(state, kind, SIGHT_GONE)


@inlined
def see_gone(state, kind, change):
    """A card goes to the discards, or comes from them."""
    state.sight[0, kind] += change
    state.sight[1, kind] += change


@njit
def pull(state, i):
    """A card leaves the discards, the order of the others stays."""
    see_gone(state, np.int64(state.discard[i]), -SIGHT_GONE)
    state.discards -= 1
    last = np.int64(state.discards)
    for j in range(i, last):
        state.discard[j] = state.discard[j + 1]
    state.discard[last] = 0
    redraw_top(state)


@njit
def refill(state):
    """R8. The draw pile has become empty: it takes the discards."""
    for i in range(state.discards):
        kind = np.int64(state.discard[i])
        state.deck[kind] += 1
        see_gone(state, kind, -SIGHT_GONE)
        state.discard[i] = 0
    state.discards = 0
    state.common[TOP] = 0
    fill_urn(state)


@inlined
def draw(rules, state, chance):
    """The player to move draws cards. At most 45 are ever out of pile and discards, so there is always one to draw."""
    seat = np.int64(state.seat)
    for _ in range(state.to_draw):
        left = np.int64(state.common[PILE])
        kind = pick_urn(chance, state.deck, left, state.urn)
        state.deck[kind] -= 1
        state.common[PILE] = left - 1
        narrow = np.int8(kind)
        for i in range(WIDE):  # the cards behind it move up; zeros follow the last
            after, here = state.urn[i + 1], state.urn[i]
            state.urn[i] = after if here >= narrow else here
        to_hand(rules, state, seat, kind)
        if state.end_sets_at_most[seat] != NOTHING:
            allow_end_sets(state, seat, min(np.int64(state.end_sets_at_most[seat]) + 1, CARDS))
        if left == 1:
            refill(state)
    state.phase = CHECK_HAND


@inlined
def to_hand(rules, state, seat, kind):
    """A card comes into the hand."""
    state.board[seat, HAND_CARDS] += 1
    state.hand[seat, kind] += 1
    if state.hand[seat, kind] == 1:
        state.fit[seat] += rules.fit[kind]
        state.fit_rows[seat] ^= rules.fit_row[kind]


@inlined
def leave_hand(rules, state, seat, kind):
    """A card leaves the hand, seen or unseen."""
    state.board[seat, HAND_CARDS] -= 1
    state.hand[seat, kind] -= 1
    if state.hand[seat, kind] == 0:
        state.fit[seat] -= rules.fit[kind]
        state.fit_rows[seat] ^= rules.fit_row[kind]
        _unwear(state, seat, kind)


@inlined
def _unwear(state, seat, kind):
    """R32. No copy in the hand goes after the set any more."""
    if (state.worn[kind] >> seat) & 1:
        state.worn[kind] &= ~(1 << seat)
        state.sight[seat, kind] -= SIGHT_WORN


@inlined
def show_from_hand(rules, state, seat, kind):
    """A card leaves the hand for all to see."""
    leave_hand(rules, state, seat, kind)
    unlearn(rules, state, seat, kind, _LAST_CLOCK)
    if state.end_sets_at_most[seat] > 0 and rules.kind[kind] == END_SET:
        allow_end_sets(state, seat, np.int64(state.end_sets_at_most[seat]) - 1)


@njit
def discard_from_hand(rules, state, seat, kind):
    """A card is discarded from the hand."""
    show_from_hand(rules, state, seat, kind)
    put_on_discards(state, kind)


@njit
def discard_at_random(rules, state, chance, seat):
    """R27. A card drawn from a hand is discarded."""
    size = np.int64(state.board[seat, HAND_CARDS])
    if size > 0:
        discard_from_hand(rules, state, seat, pick(chance, state.hand[seat], size))


@njit
def back_to_hand(rules, state, seat, kind):
    """A card that was in play goes to the hand again."""
    to_hand(rules, state, seat, kind)
    if rules.after_set[kind] and (state.worn[kind] >> seat) & 1 == 0:
        state.worn[kind] |= 1 << seat
        state.sight[seat, kind] += SIGHT_WORN


@inlined
def place(rules, state, seat, kind, box):
    """R3. A card goes face down from the hand into a box that has room."""
    leave_hand(rules, state, seat, kind)
    slot = np.int64(state.box[seat, box, 0] != NOTHING)
    state.box[seat, box, slot] = kind
    state.placed[seat, box, slot] = state.clock
    draw_card(rules, state, seat, box, slot, kind)


@njit
def clear_slot(rules, state, seat, box, slot):
    """A card leaves its box; the other one moves up."""
    if slot == 0:
        state.box[seat, box, 0] = state.box[seat, box, 1]
        state.shown[seat, box, 0] = state.shown[seat, box, 1]
        state.placed[seat, box, 0] = state.placed[seat, box, 1]
    state.box[seat, box, 1] = NOTHING
    state.shown[seat, box, 1] = 0
    state.placed[seat, box, 1] = 0
    redraw_box(rules, state, seat, box)


@inlined
def show_slot(rules, state, seat, box, slot):
    """A card in a box is turned face up."""
    if state.shown[seat, box, slot] == 0:
        kind = np.int64(state.box[seat, box, slot])
        state.shown[seat, box, slot] = 1
        unlearn(rules, state, seat, kind, np.int64(state.placed[seat, box, slot]))
        turn_card(rules, state, seat, box, slot, kind)


@inlined
def empty_box(rules, state, seat, box):
    """All cards in a box are discarded."""
    if state.box[seat, box, 0] == NOTHING:
        return
    for slot in range(SLOTS):
        kind = np.int64(state.box[seat, box, slot])
        if kind != NOTHING:
            if state.shown[seat, box, slot] == 0:
                unlearn(rules, state, seat, kind, np.int64(state.placed[seat, box, slot]))
            put_on_discards(state, kind)
        state.box[seat, box, slot] = NOTHING
        state.shown[seat, box, slot] = 0
        state.placed[seat, box, slot] = 0
    clear_box(state, seat, box)


@njit
def discard_tactic(rules, state, seat):
    """A tactic in play is discarded."""
    if state.tactic[seat] != NOTHING:
        put_on_discards(state, np.int64(state.tactic[seat]))
        set_tactic(rules, state, seat, NOTHING)


@inlined
def set_tactic(rules, state, seat, kind):
    """A tactic comes into play, or NOTHING."""
    state.tactic[seat] = kind
    redraw_tactics(rules, state)


@njit
def discard_end_set(rules, state):
    """The End Set card in play is discarded."""
    if state.end_set != NOTHING:
        put_on_discards(state, np.int64(state.end_set))
        state.end_set = NOTHING
        redraw_end_set(rules, state)


@njit
def clear_mats(rules, state, seat):
    """R30, R32, D11. Everything but the hands is discarded, `seat` first, and all strokes are open."""
    for i in range(2):
        player = seat ^ i
        for box in range(BOXES):
            empty_box(rules, state, player, box)
        discard_tactic(rules, state, player)
        state.resolved[player] = 0
        redraw_open(state, player)
    state.unresolved = BOXES
    discard_end_set(rules, state)
    redraw_left(state)


@njit
def discard_worn(rules, state, seat):
    """R32. Cards marked "discard after the set" that were played and are in hands again, `seat` first."""
    any_worn = np.int8(0)
    for kind in range(WIDE):
        any_worn |= state.worn[kind]
    for i in range(2 if any_worn else 0):
        player = seat ^ i
        for kind in range(KINDS):
            if (state.worn[kind] >> player) & 1:
                discard_from_hand(rules, state, player, kind)
                _unwear(state, player, kind)


@njit
def forget_clock(state, since):
    """No card lies in a box: what the opponent knows of a hand keeps, the clock starts again; cards came back at `since`."""
    for seat in range(2):
        for kind in range(KINDS):
            state.known[seat, kind] = min(state.known[seat, kind], _ONE)
        for box in range(BOXES):
            if state.returned[seat, box] > 0:
                state.returned[seat, box] = since
    state.clock = 1


@inlined
def face_down(state, seat, box, slot):
    """Whether a slot holds a card that the opponent has not seen there."""
    return (state.box[seat, box, slot] != NOTHING) & (state.shown[seat, box, slot] == 0)
