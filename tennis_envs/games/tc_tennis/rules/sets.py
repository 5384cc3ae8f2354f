"""Setting up and ending sets, tie-breaks and the match (R1, R2, R4, R23, R29 to R32, R39, R40)."""

import numpy as np

from tennis_envs.core.chance import roll
from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.tc_tennis.actions import PASS, PREPARE, SURFACE
from tennis_envs.games.tc_tennis.components import CHAMPIONS, EVENTS, KINDS, SURFACES
from tennis_envs.games.tc_tennis.rules.board import (
    allow_end_sets,
    redraw_champions,
    redraw_court,
    redraw_courts,
    redraw_end_set,
    redraw_lead,
    redraw_left,
    redraw_match,
    redraw_open,
)
from tennis_envs.games.tc_tennis.rules.cards import (
    clear_mats,
    die,
    discard_worn,
    forget_clock,
    other,
)
from tennis_envs.games.tc_tennis.rules.condition import (
    check_aftereffects,
    check_injury,
    check_stamina,
    lost_strategy,
)
from tennis_envs.games.tc_tennis.rules.turn import begin_turn, drop_this_set, spend
from tennis_envs.games.tc_tennis.rules.words import above_zero, lane
from tennis_envs.games.tc_tennis.state import (
    AFTER_TIEBREAK,
    ALL_BOXES,
    BOXES,
    CAN_CHALLENGE,
    CHOOSE_SURFACE,
    DRAW,
    EARLIER_SET,
    HELD,
    NOTHING,
    OFFER_BONUS,
    OFFER_PLAN,
    OVER,
    PILE,
    PLACED_NOW,
    PLAN,
    RAISED,
    RALLIES,
    ROLL_FOR_TIEBREAK,
    SET_OVER,
    SET_UP,
    SLOTS,
    STEP_DRAW,
    STEP_DRAW_SECOND,
    STEP_INJURY,
    STEP_INJURY_SECOND,
    STEP_LAY_OUT,
    STEP_PLAN,
    STEP_PLAN_SECOND,
    STEP_STAMINA,
    STEP_STAMINA_SECOND,
    STEP_SURFACE,
    STRATEGIZED,
    STRATEGY_LIMIT,
    SURE_LEAD,
    SURFACE_ALL,
    SURFACE_RANDOM,
    TIEBREAK,
    TIEBREAK_ROLL,
    TIEBREAKING,
    TOURNAMENT,
    TRACK,
    TRAINING,
    WIDE,
)


@njit
def new_match(rules, state, chance):
    """R2. Champions, surface, Favourite and Underdog, deck and cup; the first set is about to be set up."""
    state.winner = NOTHING
    for seat in range(2):
        for box in range(BOXES):
            for slot in range(SLOTS):
                state.box[seat, box, slot] = NOTHING
        state.tactic[seat] = NOTHING
        allow_end_sets(state, seat, NOTHING)
        state.drawn[seat] = NOTHING
        state.declared[seat] = NOTHING
        state.injury[seat] = rules.brought[seat]
        state.champion[seat] = rules.champion[seat]
    for kind in range(KINDS):
        state.deck[kind] = rules.copies[kind]
    for event in range(len(EVENTS)):
        state.cup[event] = rules.markers[event]
    state.end_set = NOTHING
    state.loser = NOTHING
    state.box_chosen = NOTHING
    state.clock = 1
    _choose_champions(rules, state, chance)
    if rules.surface == SURFACE_ALL:
        state.surface = NOTHING
    elif rules.surface == SURFACE_RANDOM:
        state.surface = roll(chance, len(SURFACES))
    else:
        state.surface = rules.surface
    first, second = np.int64(rules.overall[state.champion[0]]), np.int64(rules.overall[state.champion[1]])
    if first == second:
        state.favourite = roll(chance, 2)
    else:
        state.favourite = 0 if first > second else 1
    state.first = other(np.int64(state.favourite))
    state.unresolved = BOXES
    for seat in range(2):
        redraw_open(state, seat)
        redraw_courts(rules, state, seat)
    redraw_match(rules, state)
    redraw_champions(rules, state)
    redraw_court(state)
    redraw_end_set(rules, state)
    for place in range(WIDE):
        state.urn[place] = rules.urn[place]
    state.common[PILE] = rules.pile
    state.step = STEP_SURFACE
    state.phase = SET_UP


@njit
def _choose_champions(rules, state, chance):
    """R2. Given, or drawn so that the two differ."""
    if state.champion[0] == NOTHING and state.champion[1] == NOTHING:
        state.champion[0] = roll(chance, CHAMPIONS)
    for seat in range(2):
        if state.champion[seat] == NOTHING:
            drawn = roll(chance, CHAMPIONS - 1)
            state.champion[seat] = drawn if drawn < state.champion[other(seat)] else drawn + 1


@njit
def set_up(rules, state, chance):
    """R2, R30, R32, R39. One step of setting up a set or a tie-break."""
    step = np.int64(state.step)
    state.step += 1
    first = np.int64(state.first)
    if step == STEP_SURFACE:
        if rules.surface == SURFACE_ALL:
            _offer_surface(rules, state)
    elif step == STEP_LAY_OUT:
        _lay_out(rules, state)
    elif step == STEP_DRAW or step == STEP_DRAW_SECOND:
        _deal(rules, state, first if step == STEP_DRAW else other(first))
    elif step == STEP_PLAN or step == STEP_PLAN_SECOND:
        state.common[PLACED_NOW] = 0
        state.seat = first if step == STEP_PLAN else other(first)
        state.phase = OFFER_PLAN
    elif step < STEP_INJURY_SECOND + 1:
        seat = first if step == STEP_STAMINA or step == STEP_INJURY else other(first)
        _housekeeping(rules, state, chance, seat, step <= STEP_STAMINA_SECOND)
    else:
        state.common[PLACED_NOW] = 0
        begin_turn(rules, state, first)


@njit
def _offer_surface(rules, state):
    """R40, D32. The Underdog, then the loser of the last set (or, by option, the winner of the fourth) chooses."""
    chooser = np.int64(state.first)
    if rules.winner_chooses_fifth and state.sets[0] + state.sets[1] == 4:
        chooser = other(np.int64(state.loser))
    only = NOTHING
    count = 0
    for surface in range(len(SURFACES)):
        if (state.surfaces >> surface) & 1 == 0:
            only = surface
            count += 1
    if count == 1:
        choose_surface(rules, state, only)
    else:
        state.seat = chooser
        state.phase = CHOOSE_SURFACE


@njit
def legal_surfaces(state, mask):
    """R40. None a second time before all four have been chosen."""
    for surface in range(len(SURFACES)):
        if (state.surfaces >> surface) & 1 == 0:
            mask[SURFACE + surface] = 1


@njit
def choose_surface(rules, state, surface):
    """R40. The court of the next set."""
    state.surface = surface
    redraw_champions(rules, state)
    state.surfaces |= 1 << surface
    if state.surfaces == (1 << len(SURFACES)) - 1:
        state.surfaces = 0
    redraw_court(state)
    state.phase = SET_UP


@njit
def _lay_out(rules, state):
    """R2, R30, R32. Strategy, challenges, momentum."""
    for seat in range(2):
        if state.common[TIEBREAK]:
            state.board[seat, TRACK] = min(STRATEGY_LIMIT, state.board[seat, TRACK] + 1)
        else:
            strategy = np.int64(rules.strategy[state.champion[seat], state.surface]) + lost_strategy(rules, state, seat)
            state.board[seat, TRACK] = max(0, strategy)
        state.board[seat, CAN_CHALLENGE] = 1
    state.momentum = 0
    redraw_lead(state)
    state.common[RALLIES] = 0
    redraw_left(state)


@njit
def _deal(rules, state, seat):
    """R2, R30, R32. The first hand, as many cards as the opponent's Overall; or some more."""
    state.seat = seat
    state.then = SET_UP
    state.phase = DRAW
    if state.common[TIEBREAK]:
        state.to_draw = 1
    elif state.loser == NOTHING:
        state.to_draw = rules.overall[state.champion[other(seat)]]
    else:
        state.to_draw = 3 if seat == state.first else 2


@njit
def offer_plan(rules, state):
    """R2. Up to two cards, if any fits anywhere."""
    seat = np.int64(state.seat)
    state.phase = SET_UP
    state.then = OFFER_PLAN
    if state.common[PLACED_NOW] < SLOTS and above_zero(state.fit[seat]) != 0:
        state.phase = PLAN


@njit
def legal_plan(state, seat, mask):
    """R2, R3. Boxes with room that a card in hand fits, or enough."""
    mask[PASS] = 1
    for box in range(BOXES):
        mask[PREPARE + box] = (lane(state.fit[seat], box) > 0) & (state.box[seat, box, SLOTS - 1] == NOTHING)


@njit
def _housekeeping(rules, state, chance, seat, stamina):
    """R34 to R36, R39. Checks before the first turn of a set, of the Tournament game."""
    if rules.level != TOURNAMENT or state.common[TIEBREAK]:
        return
    played = np.int64(state.sets[0]) + np.int64(state.sets[1])
    if stamina:
        if played == 0:
            check_aftereffects(rules, state, chance, seat)
        elif played >= 2:
            state.then = SET_UP
            check_stamina(rules, state, chance, seat)
    elif played >= 3:
        check_injury(rules, state, chance, seat)


@njit
def set_over(rules, state, chance):
    """R23, R27, R29, R31. Who has won, or is there a tie-break? More than the lead must be rolled for it."""
    lead = abs(np.int64(state.momentum))
    leader = 0 if state.momentum > 0 else 1
    asked = state.phase == ROLL_FOR_TIEBREAK
    if rules.level == TRAINING:
        if lead == 0:
            leader = _tied_winner(rules, state, chance)
    elif lead == 0:
        leader = NOTHING
    elif lead < SURE_LEAD:
        if not asked and not state.common[TIEBREAK] and state.board[other(leader), HELD + TIEBREAK_ROLL] > 0:
            state.seat = other(leader)
            state.phase = TIEBREAKING
            return
        rolled = die(chance) + np.int64(state.common[RAISED])
        state.common[RAISED] = 0
        if rolled > lead:
            leader = NOTHING
    _close(rules, state, leader)


@njit
def _tied_winner(rules, state, chance):
    """R23. Momentum 0 in the Training game."""
    first, second = rules.overall[state.champion[0]], rules.overall[state.champion[1]]
    if first != second:
        return 0 if first < second else 1
    if state.board[0, CAN_CHALLENGE] != state.board[1, CAN_CHALLENGE]:
        return 0 if state.board[0, CAN_CHALLENGE] else 1
    return roll(chance, 2)


@inlined
def raise_tiebreak_roll(rules, state, seat):
    """R27. A marker for the roll; another one may follow."""
    spend(rules, state, seat, TIEBREAK_ROLL)
    state.common[RAISED] += 1
    state.phase = SET_OVER


@njit
def _close(rules, state, winner):
    """R30 to R32, D25. A set is won, and perhaps the match; or (NOTHING) into a tie-break, on with it, or into a new one."""
    if winner == NOTHING:
        if state.common[TIEBREAK] and state.resolved[0] != ALL_BOXES:
            state.momentum = 0
            redraw_lead(state)
            state.common[RALLIES] = 0
            redraw_left(state)
            state.phase = OFFER_BONUS
            return
        state.common[TIEBREAK] = 1
    else:
        state.sets[winner] += 1
        if state.sets[winner] == rules.sets:
            redraw_match(rules, state)
            state.over = 1
            state.winner = winner
            state.phase = OVER
            return
        state.loser = other(winner)
        state.first = other(winner)
        redraw_match(rules, state)
        state.common[AFTER_TIEBREAK] = state.common[TIEBREAK]
        state.common[TIEBREAK] = 0
    state.board[0, STRATEGIZED] = 0
    state.board[1, STRATEGIZED] = 0
    clear_mats(rules, state, np.int64(state.active))
    state.phase = SET_UP
    if winner == NOTHING:
        forget_clock(state, 1)
        state.step = STEP_LAY_OUT
    else:
        discard_worn(rules, state, np.int64(state.active))
        forget_clock(state, EARLIER_SET)
        drop_this_set(rules, state)
        state.step = STEP_SURFACE
