"""TC Tennis's rules; R and D numbers are those of this game's README.

`apply` carries out one decision and then lets everything run that happens by itself, phase by phase, up to the next
decision or the end of the match.
"""

import numpy as np

from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.tc_tennis.actions import (
    CARD,
    CHALLENGE,
    DISCARD,
    DO_CARD,
    DO_CHALLENGE,
    DO_CONCENTRATE,
    DO_DISCARD,
    DO_DRAW_EVENTS,
    DO_KEEP,
    DO_OUTWIT,
    DO_PASS,
    DO_PREPARE,
    DO_READ,
    DO_STROKE,
    DO_SURFACE,
    DO_TAKE_BACK,
    DO_TAKE_TACTIC,
    DO_VOID,
    DROP,
    KEEP,
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
from tennis_envs.games.tc_tennis.rules.cards import draw, other
from tennis_envs.games.tc_tennis.rules.condition import negate, suffer
from tennis_envs.games.tc_tennis.rules.rally import (
    answer,
    ask_love,
    can_void,
    challenge,
    declare,
    ignore_love,
    offer_challenge,
    offer_voids,
    pass_void,
    rally_over,
    reveal,
    roll_strokes,
    set_stroke,
    void_from,
)
from tennis_envs.games.tc_tennis.rules.sets import (
    choose_surface,
    legal_plan,
    legal_surfaces,
    new_match,
    offer_plan,
    raise_tiebreak_roll,
    set_over,
    set_up,
)
from tennis_envs.games.tc_tennis.rules.turn import (
    before_roll,
    begin_turn,
    check_hand,
    check_markers,
    concentrate,
    discard_by_choice,
    draw_markers,
    force_end_set,
    give_way,
    keep,
    kept,
    legal_before,
    legal_discard,
    legal_drop,
    legal_end_sets,
    legal_keep,
    legal_place,
    legal_search,
    legal_strokes,
    legal_turn,
    offer_bonus,
    outwit,
    play_from_hand,
    prepare,
    put_in_box,
    read,
    roll_dice,
    spend,
    take_discard,
    take_tactic,
    use_force,
    use_random_discard,
    use_search,
    use_strategy_point,
)
from tennis_envs.games.tc_tennis.state import (
    ANSWER,
    ASK_CHALLENGE,
    ASK_LOVE,
    BEFORE,
    BEFORE_ROLL,
    BONUS,
    BOXES,
    CHALLENGING,
    CHECK_HAND,
    CHOOSE_SURFACE,
    DECLARE,
    DRAW,
    DRAW_MARKERS,
    DROPPING,
    END_TURN,
    EXTRA,
    FORCE,
    FORCED,
    KEEPING,
    KEPT,
    LIMIT,
    LOVE,
    NOTHING,
    OFFER_BONUS,
    OFFER_PLAN,
    OUTWIT_FREE,
    OUTWITTING,
    OVER,
    PLACE,
    PLAN,
    RALLY,
    RALLY_OVER,
    RARE,
    REPLY,
    RETURN,
    REVEAL,
    ROLL,
    ROLL_STROKES,
    SEARCH,
    SET_UP,
    SLOTS,
    STRATEGIZE,
    STROKING,
    TIEBREAKING,
    TRACK,
    TURN,
    VOIDING,
    VOIDS,
    WIND,
)


@njit
def setup(rules, state, chance):
    """R2. From a record of zeros to the first decision."""
    new_match(rules, state, chance)
    _run(rules, state, chance)


@inlined
def legal(rules, state, mask):
    """What the player to move may do."""
    seat = np.int64(state.seat)
    phase = np.int64(state.phase)
    if TURN <= phase <= EXTRA:
        legal_turn(rules, state, seat, phase, mask)  # writes all of it
        return
    for place in range(len(mask)):
        mask[place] = 0
    if phase == STRATEGIZE:
        mask[PASS] = 1
        legal_discard(state, seat, mask)
    elif phase == STROKING or phase == REPLY:
        legal_strokes(rules, state, seat, mask)
    elif phase == PLACE:
        legal_place(rules, state, seat, mask)
    elif phase == RETURN:
        for slot in range(SLOTS):
            mask[TAKE_BACK + slot] = 1
    elif phase == CHALLENGING:
        mask[PASS] = 1
        mask[CHALLENGE] = 1
    elif phase == PLAN:
        legal_plan(state, seat, mask)
    elif phase == OUTWITTING or phase == LIMIT:
        legal_discard(state, seat, mask)
    elif phase == VOIDING:
        mask[PASS] = 1
        for box in range(BOXES):
            for slot in range(SLOTS):
                if can_void(rules, state, seat, box, slot):
                    mask[VOID + SLOTS * box + slot] = 1
    elif phase == KEEPING:
        legal_keep(state, mask)
    elif phase == DROPPING:
        legal_drop(state, seat, mask)
    elif phase == BEFORE:
        legal_before(rules, state, seat, mask)
    elif phase == SEARCH:
        legal_search(rules, state, mask)
    elif phase == FORCED:
        legal_end_sets(rules, state, seat, mask)
    elif phase == LOVE:
        mask[PASS] = 1
        mask[USE_IGNORE] = 1
    elif phase == TIEBREAKING:
        mask[PASS] = 1
        mask[USE_TIEBREAK_ROLL] = 1
    elif phase == WIND:
        mask[PASS] = 1
        mask[USE_WIND] = 1
    elif phase == CHOOSE_SURFACE:
        legal_surfaces(state, mask)


# The seven kinds of action (R6)
_ACTIONS = (
    1 << DO_CONCENTRATE | 1 << DO_TAKE_TACTIC | 1 << DO_OUTWIT | 1 << DO_CARD | 1 << DO_DISCARD | 1 << DO_PREPARE | 1 << DO_READ
)  # fmt: skip


@inlined
def apply(rules, state, chance, choice):
    """One decision, and all that follows up to the next one or the end."""
    seat, phase = np.int64(state.seat), np.int64(state.phase)
    verb = np.int64(rules.verb[choice])
    # R5, R6, R20, R25. The action of a turn, a Bonus Action or the action that an event gives
    acting = (_ACTIONS >> verb) & (TURN <= phase) & (phase <= EXTRA) & 1
    state.board[seat, TRACK] -= acting & (phase == BONUS)
    state.common[OUTWIT_FREE] &= 1 - acting
    kind = NOTHING  # a card that goes into the chosen box
    if verb == DO_DISCARD:
        discard_by_choice(rules, state, seat, acting, choice - DISCARD)
    elif verb == DO_PREPARE:
        kind = prepare(state, seat, choice - PREPARE)
    elif verb == DO_STROKE:
        set_stroke(state, seat, choice - STROKE)
        if phase == REPLY:
            state.phase = REVEAL
        else:
            answer(state)
    elif verb == DO_PASS:
        state.to_draw = 1  # to end the Strategize action
        state.phase = rules.after_pass[phase]
        if phase == VOIDING:
            pass_void(state)
        elif phase == WIND:
            suffer(rules, state, seat)
            state.phase = state.then
    elif verb == DO_READ:
        read(rules, state, seat, choice - READ)
    elif verb == DO_CONCENTRATE:
        concentrate(rules, state, seat)
    elif verb == DO_CARD:
        if phase == PLACE:
            kind = choice - CARD
        elif phase == SEARCH:
            take_discard(rules, state, seat, choice - CARD)
        else:
            play_from_hand(rules, state, chance, seat, choice - CARD)
    elif verb == DO_CHALLENGE:
        challenge(state, seat)
    elif verb == DO_TAKE_TACTIC:
        take_tactic(rules, state, seat)
    elif verb == DO_OUTWIT:
        outwit(rules, state, seat)
    elif verb == DO_DRAW_EVENTS:
        state.phase = DRAW_MARKERS
    elif verb == DO_KEEP:
        keep(state, choice - KEEP)
    elif verb == DO_TAKE_BACK:
        kind = give_way(state, seat, choice - TAKE_BACK)
    elif verb == DO_SURFACE:
        choose_surface(rules, state, choice - SURFACE)
    elif verb == DO_VOID:
        void_from(rules, state, seat, (choice - VOID) // SLOTS, (choice - VOID) % SLOTS)
    else:
        _decide_event(rules, state, chance, seat, phase, choice)
    if kind != NOTHING:
        put_in_box(rules, state, seat, kind)
    if RALLY <= state.phase < RARE:
        _rally(rules, state, chance)
    _turn(rules, state, chance)
    if state.phase > OVER:  # seldom
        _run(rules, state, chance)


@njit
def _decide_event(rules, state, chance, seat, phase, choice):
    """R26, R27. A marker is used or dropped."""
    if choice == USE_STRATEGY:
        use_strategy_point(rules, state, seat)  # the same decision again, with one step more
    elif choice < USE_TIEBREAK_ROLL:
        spend(rules, state, seat, choice - DROP)
    elif choice == USE_SEARCH:
        use_search(rules, state, seat)
    elif choice == USE_FORCE:
        use_force(rules, state, seat)
    elif choice == USE_RANDOM:
        use_random_discard(rules, state, chance, seat)
    elif choice == USE_IGNORE:
        ignore_love(state, seat)
    elif choice == USE_TIEBREAK_ROLL:
        raise_tiebreak_roll(rules, state, seat)
    elif choice == USE_WIND:
        negate(state, seat)
        state.phase = state.then
    if phase == DROPPING:
        check_markers(rules, state, seat)


@njit
def _run(rules, state, chance):
    """Everything that happens by itself."""
    while state.phase > OVER:
        if state.phase >= RARE:
            _rare(rules, state, chance)
        elif state.phase >= RALLY:
            _rally(rules, state, chance)
        _turn(rules, state, chance)


@inlined
def _turn(rules, state, chance):
    """A turn from the end of an action to the roll."""
    if state.phase == DRAW:
        draw(rules, state, chance)
    if state.phase == CHECK_HAND:
        check_hand(rules, state)
    if state.phase == OFFER_BONUS:
        offer_bonus(state)
    if state.phase == END_TURN:
        begin_turn(rules, state, other(np.int64(state.active)))
    if state.phase == BEFORE_ROLL:
        before_roll(rules, state)
    if state.phase == ROLL:
        roll_dice(rules, state, chance)


@njit
def _rally(rules, state, chance):
    """A rally from top to bottom."""
    if state.phase == DECLARE:
        declare(state)
    if state.phase == ANSWER:
        answer(state)
    if state.phase == REVEAL:
        reveal(rules, state)
    if state.phase == VOIDS:
        offer_voids(rules, state)
    if state.phase == ROLL_STROKES:
        roll_strokes(rules, state, chance)
    if state.phase == ASK_CHALLENGE:
        offer_challenge(state)
    if state.phase == RALLY_OVER:
        rally_over(rules, state)


@njit
def _rare(rules, state, chance):
    """Setting up, events, the ends of sets, what a Love Die struck."""
    while state.phase >= RARE:
        if state.phase == SET_UP:
            set_up(rules, state, chance)
        elif state.phase == OFFER_PLAN:
            offer_plan(rules, state)
        elif state.phase == DRAW_MARKERS:
            draw_markers(state, chance)
        elif state.phase == KEPT:
            kept(rules, state, chance)
        elif state.phase == FORCE:
            force_end_set(rules, state)
        elif state.phase == ASK_LOVE:
            ask_love(state)
        else:
            set_over(rules, state, chance)
