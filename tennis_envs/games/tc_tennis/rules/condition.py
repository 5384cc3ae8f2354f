"""Stamina and injuries (R34 to R37)."""

import numpy as np

from tennis_envs.core.jit import njit
from tennis_envs.games.tc_tennis.rules.board import redraw_champion
from tennis_envs.games.tc_tennis.rules.cards import die
from tennis_envs.games.tc_tennis.state import (
    AFTER_TIEBREAK,
    BAD_RESULTS,
    HELD,
    OUT,
    RESULT,
    SECOND_WIND,
    STAMINA,
    STAMINA_BEFORE,
    STRATEGY_LIMIT,
    TRACK,
    WIND,
)


@njit
def lost_strategy(rules, state, seat):
    """R34, R35. Steps of strategy that stamina and injury cost, as a number below 0."""
    return np.int64(rules.stamina.strategy[state.board[seat, STAMINA]]) + np.int64(rules.injury.strategy[state.injury[seat]])


@njit
def _set_condition(rules, state, seat, stamina, injury):
    """D27. New levels; what they change in strategy counts at once."""
    before = lost_strategy(rules, state, seat)
    state.board[seat, STAMINA] = stamina
    state.injury[seat] = injury
    change = lost_strategy(rules, state, seat) - before
    state.board[seat, TRACK] = min(STRATEGY_LIMIT, max(0, state.board[seat, TRACK] + change))
    redraw_champion(rules, state, seat)


@njit
def _look_up(table, row, columns, first, second):
    """R34. The level that two dice (from 0), a row and shifts to the right give."""
    column = min(np.int64(table.column[6 * first + second]) + columns, np.int64(table.columns) - 1)
    return np.int64(table.cell[min(3, row), column])


@njit
def stamina_row(rules, state, seat):
    """R34, D28, D29. The grade that counts, a row lower for an injury."""
    row = np.int64(rules.stamina_grade[state.champion[seat], state.surface, 0 if rules.early else 1])
    return row + np.int64(rules.stamina.injured_rows) if state.injury[seat] > 0 else row


@njit
def stamina_shift(rules, state):
    """R34, D28. Columns to the right."""
    columns = np.int64(rules.stamina.after_tiebreak) if state.common[AFTER_TIEBREAK] else 0
    return columns + np.int64(rules.stamina.fifth_set) if state.sets[0] + state.sets[1] == 4 else columns


@njit
def check_stamina(rules, state, chance, seat):
    """R34, R38. A Stamina Check; True if a second_wind marker may still undo its result."""
    first = die(chance) - 1
    second = die(chance) - 1
    state.common[RESULT] = _look_up(rules.stamina, stamina_row(rules, state, seat), stamina_shift(rules, state), first, second)
    if state.common[RESULT] == 0:
        return False
    if state.board[seat, HELD + SECOND_WIND] > 0:
        state.seat = seat
        state.phase = WIND
        return True
    suffer(rules, state, seat)
    return False


@njit
def suffer(rules, state, seat):
    """R34, D27. A bad stamina result takes effect."""
    state.board[seat, BAD_RESULTS] = min(100, state.board[seat, BAD_RESULTS] + 1)
    state.board[seat, STAMINA_BEFORE] = state.board[seat, STAMINA]
    _set_condition(rules, state, seat, max(state.board[seat, STAMINA], state.common[RESULT]), state.injury[seat])
    state.common[RESULT] = 0


@njit
def negate(state, seat):
    """R38. The second_wind marker: it never happened."""
    state.board[seat, HELD + SECOND_WIND] -= 1
    state.common[OUT + SECOND_WIND] += 1
    state.common[RESULT] = 0


@njit
def injury_row(rules, state, seat):
    """R35, D28. The grade that counts, a row lower for an injury."""
    row = np.int64(rules.injury_grade[state.champion[seat], state.surface])
    return row + np.int64(rules.injury.injured_rows) if state.injury[seat] > 0 else row


@njit
def check_injury(rules, state, chance, seat):
    """R35. An Injury Check."""
    first = die(chance) - 1
    second = die(chance) - 1
    columns = np.int64(rules.injury.bad_stamina) * np.int64(state.board[seat, BAD_RESULTS])
    result = _look_up(rules.injury, injury_row(rules, state, seat), columns, first, second)
    if result > state.injury[seat]:
        _set_condition(rules, state, seat, state.board[seat, STAMINA], result)


@njit
def check_aftereffects(rules, state, chance, seat):
    """R36, D31. How an injury from an earlier match has come on."""
    if state.injury[seat] > 0:
        level = state.injury[seat] + np.int64(rules.injury.aftereffects[die(chance) - 1])
        _set_condition(rules, state, seat, state.board[seat, STAMINA], min(max(level, 0), np.int64(rules.injury.levels) - 1))


@njit
def recover(rules, state, chance, seat, kind):
    """R37. What a tactic does for its owner's condition."""
    if rules.restores[kind]:
        _set_condition(rules, state, seat, state.board[seat, STAMINA_BEFORE], state.injury[seat])
    heals = False
    for face in range(6):
        if rules.heals[kind, face] > 0:
            heals = True
    if heals and state.injury[seat] > 0:
        level = max(0, state.injury[seat] - np.int64(rules.heals[kind, die(chance) - 1]))
        _set_condition(rules, state, seat, state.board[seat, STAMINA], level)
