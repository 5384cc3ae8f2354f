"""Cards on their way between pile, hands, boxes and discards, and what the opponent knows of them (R3, R7, R8, D15)."""

import numpy as np

from tennis_envs.core.chance import pick, roll
from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.tc_tennis.components import CARDS, KINDS
from tennis_envs.games.tc_tennis.state import (
    BOXES,
    DEFENSE,
    END_SET,
    HALF_DIE,
    NOTHING,
    SLOTS,
)

_LAST_CLOCK = 127


@njit
def die(chance):
    """What a die shows."""
    return 1 + roll(chance, 6)


@inlined
def other(seat):
    """The opponent."""
    return 1 - seat


@njit
def hand_size(state, seat):
    """Cards in a hand."""
    total = 0
    for k in range(KINDS):
        total += state.hand[seat, k]
    return total


@inlined
def own_worth(rules, kind):
    """Points that a card adds to its owner's stroke on average, its Love Die apart."""
    return rules.dice[kind] * HALF_DIE + rules.score[kind]


@inlined
def other_worth(rules, kind):
    """Points that it adds to the opponent's stroke: below 0 for a Defense card."""
    return rules.other_dice[kind] * HALF_DIE + rules.other_score[kind]


@njit
def deck_size(state):
    """Cards in the draw pile."""
    total = 0
    for k in range(KINDS):
        total += state.deck[k]
    return total


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


@njit
def learn(state, seat, kind):
    """D15. The opponent has seen this card go into the hand of `seat`."""
    if state.clock < _LAST_CLOCK:
        state.clock += 1
    state.known[seat, kind] = state.clock


@njit
def put_on_discards(state, kind):
    """A card goes on top of the discards."""
    state.discard[state.discards] = kind
    state.discards += 1


@njit
def refill(state):
    """R8. The draw pile has become empty: it takes the discards."""
    for i in range(state.discards):
        state.deck[state.discard[i]] += 1
        state.discard[i] = 0
    state.discards = 0


@njit
def draw(state, chance, seat, count):
    """Draw cards. At most 45 are ever out of pile and discards, so there is always one to draw."""
    left = deck_size(state)
    for _ in range(count):
        kind = pick(chance, state.deck, left)
        state.deck[kind] -= 1
        state.hand[seat, kind] += 1
        if state.end_sets_at_most[seat] != NOTHING:
            state.end_sets_at_most[seat] = min(state.end_sets_at_most[seat] + 1, CARDS)
        left -= 1
        if left == 0:
            left = np.int64(state.discards)
            refill(state)


@inlined
def leave_hand(state, seat, kind):
    """A card leaves the hand, seen or unseen."""
    state.hand[seat, kind] -= 1
    if state.hand[seat, kind] == 0:
        state.worn[kind] &= ~(1 << seat)


@njit
def show_from_hand(rules, state, seat, kind):
    """A card leaves the hand for all to see."""
    leave_hand(state, seat, kind)
    state.known[seat, kind] = 0
    if rules.kind[kind] == END_SET and state.end_sets_at_most[seat] > 0:
        state.end_sets_at_most[seat] -= 1


@njit
def discard_from_hand(rules, state, seat, kind):
    """A card is discarded from the hand."""
    show_from_hand(rules, state, seat, kind)
    put_on_discards(state, kind)


@njit
def discard_at_random(rules, state, chance, seat):
    """R27. A card drawn from a hand is discarded."""
    size = hand_size(state, seat)
    if size > 0:
        discard_from_hand(rules, state, seat, pick(chance, state.hand[seat], size))


@njit
def back_to_hand(rules, state, seat, kind):
    """A card that was in play goes to the hand again."""
    state.hand[seat, kind] += 1
    if rules.after_set[kind]:
        state.worn[kind] |= 1 << seat


@inlined
def place(state, seat, kind, box):
    """R3. A card goes face down from the hand into a box that has room."""
    leave_hand(state, seat, kind)
    slot = cards_in(state, seat, box)
    state.box[seat, box, slot] = kind
    state.shown[seat, box, slot] = 0
    state.placed[seat, box, slot] = state.clock


@inlined
def clear_slot(state, seat, box, slot):
    """A card leaves its box; the other one moves up."""
    if slot == 0:
        state.box[seat, box, 0] = state.box[seat, box, 1]
        state.shown[seat, box, 0] = state.shown[seat, box, 1]
        state.placed[seat, box, 0] = state.placed[seat, box, 1]
    state.box[seat, box, 1] = NOTHING
    state.shown[seat, box, 1] = 0
    state.placed[seat, box, 1] = 0


@njit
def show_slot(state, seat, box, slot):
    """A card in a box is turned face up."""
    if state.shown[seat, box, slot] == 0:
        state.shown[seat, box, slot] = 1
        state.known[seat, state.box[seat, box, slot]] = 0


@njit
def discard_slot(state, seat, box, slot):
    """A card in a box is discarded."""
    show_slot(state, seat, box, slot)
    put_on_discards(state, state.box[seat, box, slot])
    clear_slot(state, seat, box, slot)


@njit
def empty_box(state, seat, box):
    """All cards in a box are discarded."""
    while state.box[seat, box, 0] != NOTHING:
        discard_slot(state, seat, box, 0)


@njit
def discard_tactic(state, seat):
    """A tactic in play is discarded."""
    if state.tactic[seat] != NOTHING:
        put_on_discards(state, state.tactic[seat])
        state.tactic[seat] = NOTHING


@njit
def discard_end_set(state):
    """The End Set card in play is discarded."""
    if state.end_set != NOTHING:
        put_on_discards(state, state.end_set)
        state.end_set = NOTHING


@njit
def clear_mats(state, seat):
    """R30, R32, D11. Everything but the hands is discarded, `seat` first, and all strokes are open."""
    for i in range(2):
        player = seat ^ i
        for box in range(BOXES):
            empty_box(state, player, box)
        discard_tactic(state, player)
        state.resolved[player] = 0
    discard_end_set(state)


@njit
def discard_worn(rules, state, seat):
    """R32. Cards marked "discard after the set" that were played and are in hands again, `seat` first."""
    for i in range(2):
        player = seat ^ i
        for kind in range(KINDS):
            if (state.worn[kind] >> player) & 1 and state.hand[player, kind] > 0:
                discard_from_hand(rules, state, player, kind)
    for kind in range(KINDS):
        state.worn[kind] = 0


@njit
def forget_clock(state):
    """No card lies in a box: what the opponent knows of a hand keeps, the clock starts again."""
    for seat in range(2):
        for kind in range(KINDS):
            if state.known[seat, kind] > 0:
                state.known[seat, kind] = 1
    state.clock = 1


@inlined
def face_down(state, seat, box, slot):
    """Whether a slot holds a card that the opponent has not seen there."""
    return (state.box[seat, box, slot] != NOTHING) & (state.shown[seat, box, slot] == 0)


@njit
def hidden_slots(state, seat):
    """Face-down cards of a player."""
    count = 0
    for box in range(BOXES):
        for slot in range(SLOTS):
            if face_down(state, seat, box, slot):
                count += 1
    return count
