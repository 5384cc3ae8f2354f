"""A rally: strokes, reveal, voids, Love Dice, dice, momentum, challenges (R9 to R19, R22, R24)."""

import numpy as np

from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.tc_tennis.components import MOST_VOIDS
from tennis_envs.games.tc_tennis.rules.board import (
    redraw_lead,
    redraw_left,
    redraw_scored,
    set_length,
)
from tennis_envs.games.tc_tennis.rules.cards import (
    clear_slot,
    die,
    empty_box,
    other,
    put_on_discards,
    show_slot,
)
from tennis_envs.games.tc_tennis.state import (
    ALL_BOXES,
    ANSWER,
    ASK_CHALLENGE,
    ASK_LOVE,
    BIG_MO,
    BOXES,
    CAN_CHALLENGE,
    CHALLENGING,
    CHAMPION,
    DICE,
    EFFECT_BITS,
    EFFECT_MASK,
    EFFECT_ZERO,
    FREE,
    HELD,
    IGNORE_LOVE,
    LOSE_HALF,
    LOSE_HIGHEST,
    LOVE,
    LOVE_PLACES,
    NEXT_STROKE,
    NO_EFFECT,
    NOTHING,
    OFFER_BONUS,
    OPEN,
    OUT,
    PLUS,
    RALLIES,
    RALLY_OVER,
    REPLY,
    REVEAL,
    ROLL_STROKES,
    SERVE_2,
    SET_OVER,
    SLOTS,
    STAGE,
    STANDARD,
    STROKING,
    VOIDING,
    VOIDS,
    row,
)


@inlined
def open_strokes(state, seat):
    """Bits of the strokes that a player has not resolved."""
    return ALL_BOXES & ~np.int64(state.resolved[seat])


@inlined
def options(state, seat):
    """R9. Bits of the strokes that a player may declare."""
    unresolved = open_strokes(state, seat)
    offered = unresolved & np.int64(state.offered)
    return unresolved if state.common[FREE] or offered == 0 else offered


@inlined
def only_bit(bits):
    """The only stroke among bits, NOTHING if there are several."""
    if bits & (bits - 1):
        return NOTHING
    stroke = 0
    while bits >> (stroke + 1):
        stroke += 1
    return stroke


@inlined
def set_stroke(state, seat, stroke):
    """R9. A player has declared a stroke."""
    state.declared[seat] = stroke
    state.board[seat, OPEN + stroke] = 2


@inlined
def declare(state):
    """R9. The active player declares a stroke, unless only one is left to him."""
    seat = np.int64(state.active)
    stroke = only_bit(options(state, seat))
    if stroke == NOTHING:
        state.seat = seat
        state.phase = STROKING
    else:
        set_stroke(state, seat, stroke)
        state.phase = ANSWER


@inlined
def answer(state):
    """R9, R27. The opponent declares one of his, on a must_rally the same if it is open."""
    seat = other(np.int64(state.active))
    bits = options(state, seat)
    same = np.int64(state.declared[other(seat)])
    stroke = same if state.common[FREE] and (bits >> same) & 1 else only_bit(bits)
    if stroke == NOTHING:
        state.seat = seat
        state.phase = REPLY
    else:
        set_stroke(state, seat, stroke)
        state.phase = REVEAL


@inlined
def names(rules, voider, kind):
    """R14. Whether a card (or NOTHING) voids another one (or NOTHING) by name."""
    if voider == NOTHING or rules.voided[row(kind)] == 0:
        return False
    for i in range(MOST_VOIDS):
        if rules.voids[voider, i] == kind:
            return True
    return False


@inlined
def in_rally(state, seat, slot):
    """The card in a slot of the box that a player has declared."""
    return np.int64(state.box[seat, np.int64(state.declared[seat]), slot])


@inlined
def reveal(rules, state):
    """R10, R14, D3. The cards of both boxes are shown and void each other; markers for the next stroke go to work."""
    state.momentum_before = state.momentum
    voidable = False
    for seat in range(2):
        if state.board[seat, HELD + NEXT_STROKE] > 0:
            state.board[seat, PLUS] = state.board[seat, HELD + NEXT_STROKE]
            state.common[OUT + NEXT_STROKE] += state.board[seat, HELD + NEXT_STROKE]
            state.board[seat, HELD + NEXT_STROKE] = 0
        for slot in range(SLOTS):
            if in_rally(state, seat, slot) != NOTHING:
                show_slot(rules, state, seat, np.int64(state.declared[seat]), slot)
        voidable |= _voidable(rules, state, seat)
    if voidable:
        _void_each_other(rules, state)
    else:
        begin_strokes(state)


@inlined
def _voidable(rules, state, seat):
    """R14. Whether a player's cards in the rally bear a name that any card voids."""
    return rules.voided[row(in_rally(state, seat, 0))] + rules.voided[row(in_rally(state, seat, 1))] > 0


@njit
def _void_each_other(rules, state):
    """R14, D3. Cards of the rally that others in it name are discarded, the active player's first."""
    active = np.int64(state.active)
    doomed = 0  # bits 2 * seat + slot
    for seat in range(2):
        for slot in range(SLOTS):
            for theirs in range(SLOTS):
                if names(rules, in_rally(state, other(seat), theirs), in_rally(state, seat, slot)):
                    doomed |= 1 << (2 * seat + slot)
    for i in range(2 * SLOTS):
        seat, slot = active ^ (i >> 1), 1 - (i & 1)
        if (doomed >> (2 * seat + slot)) & 1:
            _void(rules, state, seat, slot)
    redraw_lead(state)
    state.passes = 0
    state.asked = 0
    state.phase = VOIDS


@inlined
def _void(rules, state, seat, slot):
    """R14. A card of the rally is discarded without effect."""
    put_on_discards(state, in_rally(state, seat, slot))
    clear_slot(rules, state, seat, np.int64(state.declared[seat]), slot)


@njit
def can_void(rules, state, seat, box, slot):
    """R14, D4. Whether a card in another of a player's boxes voids a card of the rally."""
    voider = np.int64(state.box[seat, box, slot])
    if box == state.declared[seat]:
        return False
    for theirs in range(SLOTS):
        if names(rules, voider, in_rally(state, other(seat), theirs)):
            return True
    return False


@njit
def has_void(rules, state, seat):
    """Whether any card in other boxes can void."""
    if not _voidable(rules, state, other(seat)):
        return False
    for box in range(BOXES):
        for slot in range(SLOTS):
            if can_void(rules, state, seat, box, slot):
                return True
    return False


@inlined
def offer_voids(rules, state):
    """D4. Both players in turn, until both have passed."""
    while state.passes < 2:
        seat = np.int64(state.active) if state.asked == 0 else other(np.int64(state.active))
        if has_void(rules, state, seat):
            state.seat = seat
            state.phase = VOIDING
            return
        pass_void(state)
    begin_strokes(state)


@inlined
def pass_void(state):
    """D4. Not this player."""
    state.passes += 1
    state.asked = 1 - state.asked
    state.phase = VOIDS


@njit
def void_from(rules, state, seat, box, slot):
    """R14. A card from another box is shown and voids what it names."""
    show_slot(rules, state, seat, box, slot)
    voider = np.int64(state.box[seat, box, slot])
    for theirs in range(SLOTS - 1, -1, -1):
        if names(rules, voider, in_rally(state, other(seat), theirs)):
            _void(rules, state, other(seat), theirs)
    state.passes = 0
    state.asked = 1 - state.asked
    state.phase = VOIDS


@inlined
def begin_strokes(state):
    """From where the rally began: the active player's stroke first."""
    state.momentum = state.momentum_before
    state.common[STAGE] = 0
    state.love_place = 0
    state.love_hits = 0
    state.phase = ROLL_STROKES


@inlined
def scorer(state):
    """Whose stroke is being rolled."""
    return np.int64(state.active) if state.common[STAGE] == 0 else other(np.int64(state.active))


@inlined
def love_card(rules, state, seat, place):
    """R15, D8. The card at a place whose Love Die strikes the stroke of `seat`, else NOTHING."""
    theirs = np.int64((place == 2) | (place == 3) | (place == 5))
    owner = seat ^ theirs
    kind = np.int64(state.tactic[owner]) if place >= 4 else in_rally(state, owner, place & 1)
    strikes = (np.int64(rules.love_strikes[row(kind), theirs]) >> np.int64(state.declared[seat])) & 1
    return row(kind) * strikes - 1


@inlined
def _strikes(rules, chance, kind):
    """R15. Whether a card's Love Die shows one of its faces."""
    return (rules.love_faces[row(kind)] >> die(chance) - 1) & 1


@njit
def _love_dice(rules, state, chance, seat):
    """R15. The Love Dice that strike the stroke of `seat`, from `love_place` on; True where a marker may change a result."""
    while state.love_place < LOVE_PLACES:
        place = np.int64(state.love_place)
        state.love_place += 1
        kind = love_card(rules, state, seat, place)
        if kind != NOTHING and _strikes(rules, chance, kind):
            state.love_hits |= 1 << place
            if state.board[0, HELD + IGNORE_LOVE] + state.board[1, HELD + IGNORE_LOVE] > 0:
                return True
    return False


@inlined
def roll_strokes(rules, state, chance):
    """R15, R17. Love Dice, then dice, for both strokes; stops where a marker may change a Love Die's result."""
    state.asked = 0
    state.phase = ASK_CHALLENGE
    while state.common[STAGE] < 2:
        seat = scorer(state)
        them, stroke = other(seat), np.int64(state.declared[seat])
        effects = NO_EFFECT + np.int64(rules.own_effect[stroke, row(np.int64(state.tactic[seat]))])
        effects += np.int64(rules.other_effect[stroke, row(np.int64(state.tactic[them]))])
        for slot in range(SLOTS):
            effects += np.int64(rules.own_effect[stroke, row(in_rally(state, seat, slot))])
            effects += np.int64(rules.other_effect[stroke, row(in_rally(state, them, slot))])
        if effects >> 2 * EFFECT_BITS > 0 and _love_dice(rules, state, chance, seat):
            state.phase = ASK_LOVE
            break
        score = _score(rules, state, chance, seat, effects)
        state.scored[seat] = score
        state.momentum += score * (1 - 2 * seat)
        state.common[STAGE] += 1
        state.love_place = 0
        state.love_hits = 0
    redraw_lead(state)
    redraw_scored(state)


@njit
def ask_love(state):
    """R27, D20. The active player first, then the other, may have a Love Die's result ignored."""
    while state.asked < 2:
        seat = np.int64(state.active) if state.asked == 0 else other(np.int64(state.active))
        state.asked += 1
        if state.board[seat, HELD + IGNORE_LOVE] > 0:
            state.seat = seat
            state.phase = LOVE
            return
    state.phase = ROLL_STROKES


@njit
def ignore_love(state, seat):
    """R27. The result that was rolled last has no effect."""
    state.board[seat, HELD + IGNORE_LOVE] -= 1
    state.common[OUT + IGNORE_LOVE] += 1
    state.love_hits &= ~(1 << (state.love_place - 1))
    state.phase = ROLL_STROKES


@inlined
def lead_of(state, seat):
    """The lead of a player on the momentum track, negative if he is behind."""
    return np.int64(state.momentum) * (1 - 2 * seat)


@inlined
def stroke_dice(state, seat, stroke):
    """R11, R18, R27, R34. Half dice of a stroke before any card: rating, condition, markers and Big Mo."""
    return np.int64(state.board[seat, DICE + stroke]) + np.int64(lead_of(state, seat) >= BIG_MO)


@inlined
def tactic_touches(rules, state, owner, mine, stroke):
    """R16. The tactic of `owner` if it touches this stroke, his own (`mine`) or the opponent's; else NOTHING."""
    kind = np.int64(state.tactic[owner])
    touched = (np.int64(rules.touches[row(kind), 0 if mine else 1]) >> stroke) & 1
    return row(kind) * touched - 1


@inlined
def grade(state, seat, which):
    """R24, R34, R35. A player's RET (0) or DEF (1) as it stands, from 0 for A to 3 for D."""
    return min(3, np.int64(state.board[seat, CHAMPION + which]))


@inlined
def _score(rules, state, chance, seat, effects):
    """R11 to R18, R24. The final score of a stroke."""
    stroke = np.int64(state.declared[seat])
    halves = stroke_dice(state, seat, stroke) + (effects & EFFECT_MASK) - EFFECT_ZERO
    if state.love_hits:
        total = _struck(rules, state, chance, seat, halves)
    else:
        total = throw(chance, max(2, halves), 0, 0)
    score = max(0, total + (effects >> EFFECT_BITS & EFFECT_MASK) - EFFECT_ZERO)
    if rules.level >= STANDARD:
        score = max(0, score + defense_die(chance, grade(state, other(seat), 0 if stroke <= SERVE_2 else 1)))
    return score + 2 * np.int64(state.board[seat, PLUS])


@njit
def _struck(rules, state, chance, seat, halves):
    """R15. What a stroke's dice bring with the effects of Love Dice."""
    points = np.int64(0)
    lost = np.int64(0)
    halved = np.int64(0)
    for place in range(LOVE_PLACES):
        if (np.int64(state.love_hits) >> place) & 1:
            kind = love_card(rules, state, seat, place)
            halves += rules.love_dice[kind]
            points += rules.love_score[kind]
            lost += rules.love_lose[kind] == LOSE_HIGHEST
            halved += rules.love_lose[kind] == LOSE_HALF
    return throw(chance, max(2, halves), lost, halved) + points


@inlined
def throw(chance, halves, lost, halved):
    """R11, R15, D7. Roll so many half dice; take away the highest full dice, and halve."""
    shown = np.int64(0)  # dice by face, eight bits each
    total = np.int64(0)
    face = np.int64(0)
    for _ in range((halves + 1) >> 1):
        face = die(chance)
        shown += np.int64(1) << (8 * face)
        total += face
    odd = halves & 1  # then the last one is half a die
    half = (1 + face) >> 1
    total -= odd * (face - half)
    if (lost > 0) | (halved > 0):
        total -= _taken(shown - (odd << (8 * face)), odd * half, lost, halved)
    return total


@njit
def _taken(shown, half, lost, halved):
    """R15, D7. What is taken away from full dice by face, and from half a die (0 if there is none), which is halved first."""
    total = np.int64(0)
    if half > 0 and halved > 0:
        halved -= 1
        total = half
    face = np.int64(6)
    while (lost > 0 or halved > 0) and face > 0:
        if (shown >> (8 * face)) & 255 == 0:
            face -= 1
        else:
            shown -= np.int64(1) << (8 * face)
            if lost > 0:
                total += face
                lost -= 1
            else:
                total += face // 2
                halved -= 1
    return total


@inlined
def defense_die(chance, grade):
    """R24. What a RET or DEF of A, B, C or D adds to the opponent's stroke."""
    if grade == 1:
        return 0
    face = die(chance)
    half = (1 + face) >> 1
    return face if grade == 3 else half if grade == 2 else -half


@inlined
def offer_challenge(state):
    """R22, D9. The active player first, then the other."""
    while state.asked < 2:
        seat = np.int64(state.active) if state.asked == 0 else other(np.int64(state.active))
        state.asked += 1
        if state.board[seat, CAN_CHALLENGE]:
            state.seat = seat
            state.phase = CHALLENGING
            return
    state.phase = RALLY_OVER


@inlined
def challenge(state, seat):
    """R22. Both strokes are rolled again from where the rally began."""
    state.board[seat, CAN_CHALLENGE] = 0
    begin_strokes(state)


@njit
def rally_over(rules, state):
    """R19, R28, R31. Cards go, strokes are resolved; is the set over?"""
    active = np.int64(state.active)
    for i in range(2):
        seat = active ^ i
        stroke = np.int64(state.declared[seat])
        if in_rally(state, seat, 0) != NOTHING:
            empty_box(rules, state, seat, stroke)
        state.resolved[seat] |= 1 << stroke
        state.board[seat, OPEN + stroke] = 0
        state.declared[seat] = NOTHING
        state.board[seat, PLUS] = 0
    gain = np.int64(state.scored[0]) - np.int64(state.scored[1])
    state.lead += 1 if gain > 0 else -1 if gain < 0 else 0
    state.scored[0] = 0
    state.scored[1] = 0
    redraw_scored(state)
    state.common[FREE] = 0
    state.common[RALLIES] += 1
    state.unresolved -= 1
    redraw_left(state)
    over = (state.common[RALLIES] >= set_length(state)) | (state.unresolved == 0)
    state.phase = SET_OVER if over else OFFER_BONUS
