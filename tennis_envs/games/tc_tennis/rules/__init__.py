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
    DRAW_EVENTS,
    DROP,
    KEEP,
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
from tennis_envs.games.tc_tennis.rules.cards import discard_from_hand, other
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
    roll_for_tiebreak,
    set_over,
    set_up,
)
from tennis_envs.games.tc_tennis.rules.turn import (
    action,
    before_roll,
    begin_turn,
    check_hand,
    check_markers,
    discard_for_outwit,
    draw_after_strategy,
    draw_markers,
    force_end_set,
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
    offer_place,
    play_end_set,
    prepare,
    put_in_box,
    roll_dice,
    spend,
    take_discard,
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
    OFFER_BONUS,
    OFFER_PLAN,
    OUTWIT_FREE,
    OUTWITTING,
    OVER,
    PLACE,
    PLAN,
    RALLY_OVER,
    RARE,
    REPLY,
    RETURN,
    REVEAL,
    ROLL,
    ROLL_FOR_TIEBREAK,
    ROLL_STROKES,
    SEARCH,
    SET_OVER,
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
    for place in range(len(mask)):
        mask[place] = 0
    seat = np.int64(state.seat)
    phase = np.int64(state.phase)
    if TURN <= phase <= EXTRA:
        legal_turn(rules, state, seat, phase, mask)
    elif phase == STRATEGIZE:
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


@njit
def apply(rules, state, chance, choice):
    """One decision, and all that follows up to the next one or the end."""
    _decide(rules, state, chance, np.int64(state.seat), np.int64(state.phase), choice)
    _run(rules, state, chance)


@inlined
def _decide(rules, state, chance, seat, phase, choice):
    """What the player to move has chosen."""
    if phase == TURN or phase == BONUS or phase == EXTRA:
        _decide_turn(rules, state, chance, seat, phase, choice)
    elif phase == STRATEGIZE:
        if choice != PASS:
            discard_from_hand(rules, state, seat, choice - DISCARD)
        draw_after_strategy(rules, state, chance, seat, 1 if choice == PASS else 2)
    elif phase == STROKING:
        set_stroke(state, seat, choice - STROKE)
        state.phase = ANSWER
    elif phase == REPLY:
        set_stroke(state, seat, choice - STROKE)
        state.phase = REVEAL
    elif phase == PLACE:
        put_in_box(rules, state, seat, choice - CARD)
    elif phase == RETURN:
        state.slot_chosen = choice - TAKE_BACK
        offer_place(rules, state, seat)
    elif phase == CHALLENGING:
        if choice == CHALLENGE:
            challenge(state, seat)
        else:
            state.phase = ASK_CHALLENGE
    elif phase == PLAN:
        if choice == PASS:
            state.phase = SET_UP
        else:
            prepare(rules, state, seat, choice - PREPARE)
    elif phase == OUTWITTING:
        discard_for_outwit(rules, state, seat, choice - DISCARD)
    elif phase == LIMIT:
        discard_from_hand(rules, state, seat, choice - DISCARD)
        state.phase = CHECK_HAND
    elif phase == VOIDING:
        if choice == PASS:
            pass_void(state)
        else:
            void_from(rules, state, seat, (choice - VOID) // SLOTS, (choice - VOID) % SLOTS)
    elif phase == KEEPING:
        keep(state, choice - KEEP)
    elif phase == DROPPING:
        if choice == USE_STRATEGY:
            use_strategy_point(rules, state, seat)
        else:
            spend(rules, state, seat, choice - DROP)
        check_markers(rules, state, seat)
    elif phase == BEFORE:
        if choice == USE_SEARCH:
            use_search(rules, state, seat)
        elif choice == USE_FORCE:
            use_force(rules, state, seat)
        elif choice == USE_RANDOM:
            use_random_discard(rules, state, chance, seat)
        else:
            state.phase = ROLL
    elif phase == SEARCH:
        take_discard(rules, state, seat, choice - CARD)
    elif phase == FORCED:
        play_end_set(rules, state, seat, choice - CARD)
        state.phase = BEFORE_ROLL
    elif phase == LOVE:
        if choice == USE_IGNORE:
            ignore_love(state, seat)
        else:
            state.phase = ASK_LOVE
    elif phase == TIEBREAKING:
        if choice == USE_TIEBREAK_ROLL:
            raise_tiebreak_roll(rules, state, chance, seat)
        else:
            state.phase = ROLL_FOR_TIEBREAK
    elif phase == WIND:
        if choice == USE_WIND:
            negate(state, seat)
        else:
            suffer(rules, state, seat)
        state.phase = state.then
    elif phase == CHOOSE_SURFACE:
        choose_surface(rules, state, choice - SURFACE)


@inlined
def _decide_turn(rules, state, chance, seat, phase, choice):
    """R5, R6, R20, R25, R27. The action of a turn, a Bonus Action or the action that an event gives."""
    if choice == USE_STRATEGY:
        use_strategy_point(rules, state, seat)  # the same decision again, with one step more
        return
    if choice == PASS:
        state.phase = END_TURN
        return
    if choice == DRAW_EVENTS:
        state.phase = DRAW_MARKERS
        return
    if STROKE <= choice < PREPARE:
        set_stroke(state, seat, choice - STROKE)
        state.phase = ANSWER
        return
    state.board[seat, TRACK] -= phase == BONUS
    state.then = BEFORE_ROLL if phase == EXTRA else OFFER_BONUS
    state.common[OUTWIT_FREE] = 0
    action(rules, state, chance, seat, choice)


@njit
def _run(rules, state, chance):
    """Everything that happens by itself: a turn and a rally from top to bottom, what is rarer before them."""
    while state.phase > OVER:
        if state.phase >= RARE:
            _rare(rules, state, chance, np.int64(state.phase))
        if state.phase == CHECK_HAND:
            check_hand(rules, state)
        if state.phase == RALLY_OVER:
            rally_over(rules, state)
        if state.phase == OFFER_BONUS:
            offer_bonus(state)
        if state.phase == END_TURN:
            begin_turn(rules, state, other(np.int64(state.active)))
        if state.phase == BEFORE_ROLL:
            before_roll(rules, state)
        if state.phase == ROLL:
            roll_dice(rules, state, chance)
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


@njit
def _rare(rules, state, chance, phase):
    """Setting up, events, the ends of sets, what a Love Die struck."""
    if phase == SET_UP:
        set_up(rules, state, chance)
    elif phase == OFFER_PLAN:
        offer_plan(rules, state)
    elif phase == DRAW_MARKERS:
        draw_markers(state, chance)
    elif phase == KEPT:
        kept(rules, state, chance)
    elif phase == FORCE:
        force_end_set(rules, state)
    elif phase == ASK_LOVE:
        ask_love(state)
    elif phase == SET_OVER:
        set_over(rules, state, chance)
    elif phase == ROLL_FOR_TIEBREAK:
        roll_for_tiebreak(rules, state, chance)
