"""What a seat cannot know, drawn anew: draw pile, the opponent's hand and face-down cards, markers just drawn."""

import numpy as np

from tennis_envs.core.chance import pick
from tennis_envs.core.jit import njit
from tennis_envs.games.tc_tennis.components import KINDS
from tennis_envs.games.tc_tennis.rules.board import redraw
from tennis_envs.games.tc_tennis.rules.cards import face_down, fits, is_stroke_card, other
from tennis_envs.games.tc_tennis.rules.rally import has_void
from tennis_envs.games.tc_tennis.rules.turn import draw_marker
from tennis_envs.games.tc_tennis.state import (
    BOXES,
    EARLIER_SET,
    END_SET,
    FORCED,
    HAND_CARDS,
    KEEPING,
    LIMIT,
    NOTHING,
    OUTWITTED,
    OUTWITTING,
    PLACE,
    PLAN,
    RETURN,
    SLOTS,
    VOIDING,
    row,
)

_ATTEMPTS = 100


@njit
def redeal(rules, state, seat, chance):
    """Draw anew all that `seat` cannot know, true to all that it has seen.

    What it has seen: how many cards lie where, that face-down cards fit their boxes, which cards went into the
    opponent's hand in the open and have not come to light since (D15), from which boxes an unseen card did (D39), how
    many End Set cards he can have (D21), and that whoever has to decide has a choice (D36). A deal that contradicts any
    of it is thrown away; if none is found, nothing changes.
    """
    them = other(seat)
    if state.phase == KEEPING and state.seat == them:
        _redraw_markers(state, chance)
    before = np.empty((2, KINDS), np.int8)  # draw pile and hand
    boxes = np.empty((BOXES, SLOTS), np.int8)
    for kind in range(KINDS):
        before[0, kind] = state.deck[kind]
        before[1, kind] = state.hand[them, kind]
    for box in range(BOXES):
        for slot in range(SLOTS):
            boxes[box, slot] = state.box[them, box, slot]
    size = np.int64(state.board[them, HAND_CARDS])
    for _ in range(_ATTEMPTS):
        dealt = _deal(rules, state, chance, them, size) and _has_choice(rules, state, them)
        if dealt and _deal_returns(rules, state, chance, them):
            redraw(rules, state)
            return
        for kind in range(KINDS):
            state.deck[kind] = before[0, kind]
            state.hand[them, kind] = before[1, kind]
        for box in range(BOXES):
            for slot in range(SLOTS):
                state.box[them, box, slot] = boxes[box, slot]


@njit
def _deal_returns(rules, state, chance, them):
    """D39. Which hidden card is the one that came back from each box, True if there is one; if it must go after the set, it is
    marked (R32)."""
    taken = np.zeros(KINDS, np.int8)
    worn = np.zeros(KINDS, np.int8)
    for box in range(BOXES):
        if (state.returns[them] >> box) & 1:
            kind = _returned(rules, state, chance, them, box, taken)
            if kind == NOTHING:
                return False
            taken[kind] += 1
            worn[kind] = state.hand[them, kind] > 0 and rules.after_set[kind] != 0
    for kind in range(KINDS):
        known = state.known[them, kind] > 0 and state.hand[them, kind] > 0 and (state.worn[kind] >> them) & 1
        state.worn[kind] &= ~(1 << them)
        if known or worn[kind]:
            state.worn[kind] |= 1 << them
    return True


@njit
def _returned(rules, state, chance, them, box, taken):
    """A hidden card that may have come back from a box and is not taken yet, NOTHING if there is none."""
    since = np.int64(state.returned[them, box])
    weights = np.zeros(KINDS, np.int8)
    for kind in range(KINDS):
        weights[kind] = state.hand[them, kind]
    for other_box in range(BOXES):
        for slot in range(SLOTS):
            if face_down(state, them, other_box, slot) and state.placed[them, other_box, slot] >= since:
                weights[state.box[them, other_box, slot]] += 1
    total = 0
    for kind in range(KINDS):
        outlasted = since == EARLIER_SET and rules.after_set[kind] != 0
        weights[kind] = 0 if outlasted or not fits(rules, kind, box) else max(0, weights[kind] - taken[kind])
        total += weights[kind]
    return pick(chance, weights, total) if total > 0 else np.int64(NOTHING)


@njit
def _redraw_markers(state, chance):
    """Two different markers out of the cup, as those that the opponent is looking at."""
    first, second = state.drawn[0], state.drawn[1]
    state.cup[first] += 1
    state.cup[second] += 1
    state.drawn[0] = draw_marker(state, chance)
    state.drawn[1] = draw_marker(state, chance)
    while state.drawn[0] == state.drawn[1]:
        state.cup[state.drawn[1]] += 1
        state.drawn[1] = draw_marker(state, chance)


@njit
def _deal(rules, state, chance, them, size):
    """One deal: cards known to be there first, then face-down cards, then the hand; False if it cannot be done."""
    pool = state.deck  # in place: what is left over stays in the draw pile
    for kind in range(KINDS):
        pool[kind] += state.hand[them, kind]
        state.hand[them, kind] = 0
    for box in range(BOXES):
        for slot in range(SLOTS):
            if face_down(state, them, box, slot):
                pool[state.box[them, box, slot]] += 1
    filled = 0  # bits of slots dealt so far
    for kind in range(KINDS):
        if state.known[them, kind] > 0:
            place = _place_known(rules, state, chance, them, kind, filled, size)
            if place == NOTHING:
                return False
            if place == BOXES * SLOTS:
                state.hand[them, kind] += 1
                size -= 1
            else:
                state.box[them, place // SLOTS, place % SLOTS] = kind
                filled |= 1 << place
            pool[kind] -= 1
    weights = np.zeros(KINDS, np.int8)
    for box in range(BOXES):
        for slot in range(SLOTS):
            if face_down(state, them, box, slot) and (filled >> (SLOTS * box + slot)) & 1 == 0:
                total = 0
                for kind in range(KINDS):
                    weights[kind] = pool[kind] if fits(rules, kind, box) else 0
                    total += weights[kind]
                if total == 0:
                    return False
                kind = pick(chance, weights, total)
                pool[kind] -= 1
                state.box[them, box, slot] = kind
    for _ in range(size):
        at_most = state.end_sets_at_most[them]
        if at_most == NOTHING or _end_sets(rules, state, them) < at_most:
            kind = pick(chance, pool, _total(pool))
        else:
            total = 0
            for kind in range(KINDS):
                weights[kind] = pool[kind] if rules.kind[kind] != END_SET else 0
                total += weights[kind]
            if total == 0:
                return False
            kind = pick(chance, weights, total)
        pool[kind] -= 1
        state.hand[them, kind] += 1
    return True


@njit
def _total(weights):
    """Cards in a pool."""
    total = 0
    for kind in range(KINDS):
        total += weights[kind]
    return total


@njit
def _place_known(rules, state, chance, them, kind, filled, size):
    """Where a card known to be hidden may be: a face-down slot filled since, or (BOXES * SLOTS) the hand."""
    weights = np.zeros(BOXES * SLOTS + 1, np.int8)
    total = np.int64(size)
    weights[BOXES * SLOTS] = size
    for box in range(BOXES):
        for slot in range(SLOTS):
            place = SLOTS * box + slot
            since = state.placed[them, box, slot] >= state.known[them, kind]
            if face_down(state, them, box, slot) and since and (filled >> place) & 1 == 0 and fits(rules, kind, box):
                weights[place] = 1
                total += 1
    return pick(chance, weights, total) if total > 0 else np.int64(NOTHING)


@njit
def _end_sets(rules, state, seat):
    """End Set cards in a hand."""
    total = 0
    for kind in range(KINDS):
        if rules.kind[kind] == END_SET:
            total += state.hand[seat, kind]
    return total


@njit
def _has_choice(rules, state, them):
    """D36. Whether the opponent, if he is to decide about hidden cards, really has something to decide."""
    if state.seat != them:
        return True
    if state.phase == VOIDING:
        return has_void(rules, state, them)
    kinds = 0
    for kind in range(KINDS):
        held = state.hand[them, kind] > (1 if state.common[OUTWITTED] == row(kind) else 0)
        if state.phase == PLACE or state.phase == RETURN:
            held = held and fits(rules, kind, state.box_chosen)
        elif state.phase == PLAN:
            held = held and is_stroke_card(rules, kind)
        elif state.phase == FORCED:
            held = held and rules.kind[kind] == END_SET
        kinds += held
    if state.phase == PLACE or state.phase == FORCED or state.phase == LIMIT or state.phase == OUTWITTING:
        return kinds >= 2
    return kinds >= 1 if state.phase == PLAN or state.phase == RETURN else True
