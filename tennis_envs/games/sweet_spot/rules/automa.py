"""R29 to R37. The computer player: no hand, no choice, cards straight from the piles."""

import numpy as np

from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.sweet_spot.rules.piles import (
    draw,
    put_away,
    show,
    turn_up,
)
from tennis_envs.games.sweet_spot.rules.stroke import (
    ball_after,
    ball_of_automa,
    call_off,
    contains,
    double,
    fits,
    in_play,
    is_answer,
    is_lost,
    pay,
    reactions,
    serve,
    strike_of_automa,
    to_save,
    turn_over,
)
from tennis_envs.games.sweet_spot.state import (
    AIMED,
    COUNTER,
    EASY,
    FIRST_RETURN,
    HARD,
    JUDGE,
    NO_FORCE,
    NO_TARGET,
    NOTHING,
    RANKED,
    RETURN,
    SERVICE,
    TACTIC,
    TURNED,
)

HUMAN, AUTOMA = 0, 1  # seats, and teams
_RETURN_COST, _TACTIC_COST = 1, 2  # R36
_SHOWN, _SHOWN_TO_CANCEL = 3, 5  # R31, R37


@njit
def automa_serves(rules, state, chance):
    """R30, D31. The top Service card that is not weak; False if there is none at all."""
    while True:
        kind = draw(state, chance, SERVICE)
        if kind == NOTHING:
            return False
        if not rules.weak[kind] or not _is_strong_left(rules, state):
            break
        state.open[kind] += 1
    show(state, kind)
    serve(rules, state, AUTOMA, kind)
    return True


@inlined
def _is_strong_left(rules, state):
    """Whether the automa can yet draw a Service card that is not weak."""
    strong = 0
    for kind in range(FIRST_RETURN):
        strong += (rules.weak[kind] == 0) & (state.pile[kind] + state.open[kind] > 0)
    return strong > 0


@njit
def _place_of(state, kind):
    """Where among the cards turned up the first of a kind lies, NOTHING if there is none."""
    for place in range(TURNED):
        if state.turned[place] == kind:
            return place
    return NOTHING


@njit
def _rank(rules, state, kind, modifier):
    """R31, R35. The place among the targets of the ball that a card makes; NO_TARGET if it is none."""
    ball = ball_of_automa(rules, state, kind, modifier)
    if ball < 0 or ball >= RANKED or (rules.to_serve[kind] and state.strokes != 1):
        return NO_TARGET
    if rules.as_return[kind] == NO_FORCE and not fits(rules, kind, ball):
        return NO_TARGET
    return rules.rank[ball]


@njit
def _best_choice(rules, state, kind):
    """The best rank that a card can reach, and which of its modifiers does: the first of them if none does."""
    if rules.as_return[kind] != NO_FORCE:
        modifier = rules.as_return[kind]
        return _rank(rules, state, kind, modifier), modifier
    best, rank = 0, _rank(rules, state, kind, rules.modifier[kind, 0])
    for choice in range(1, np.int64(rules.choices[kind])):
        other = _rank(rules, state, kind, rules.modifier[kind, choice])
        if other < rank:
            best, rank = choice, other
    return rank, rules.modifier[kind, best]


@inlined
def _best_return(rules, state):
    """R31, D18, D27. Where among the Returns turned up the best one lies, NOTHING if none is any good, and its modifier."""
    best, best_rank, best_modifier = NOTHING, NO_TARGET, 0
    served, ball = np.int64(state.strokes == 1), min(AIMED - 1, state.ball)
    for place in range(_SHOWN):
        kind = state.turned[place]
        if kind == NOTHING:
            rank, modifier = NO_TARGET, 0
        elif state.force != NO_FORCE:
            rank, modifier = _best_choice(rules, state, kind)
        else:  # as a table says, to save the search
            rank = rules.aim_rank[served, kind - FIRST_RETURN, ball]
            modifier = rules.aim_modifier[served, kind - FIRST_RETURN, ball]
        better = rank < best_rank
        best, best_rank = place if better else best, min(rank, best_rank)
        best_modifier = modifier if better else best_modifier
    return best, best_modifier


@njit
def _plays(rules, state, place, modifier, stamina):
    """The card turned up at `place` returns the ball; gives the team that has won the point by it, or NOTHING."""
    if rules.automa == EASY:
        pay(state, AUTOMA, stamina + state.tax)
    state.play_kind = state.turned[place]
    state.play_modifier = modifier
    state.play_beside = NOTHING
    state.play_beside_modifier = 0
    put_away(state, place)
    return strike_of_automa(rules, state, AUTOMA)


@njit
def _may_use_tactics(rules, state):
    """R36."""
    return rules.automa != EASY or state.players[AUTOMA].stamina >= _TACTIC_COST


@njit
def automa_cancels(rules, state, chance):
    """R37. In hard mode five Tactics are turned up; a Focused Control among them is played: whether there was one."""
    if rules.automa != HARD:
        return False
    turn_up(state, chance, TACTIC, _SHOWN_TO_CANCEL)
    place = _place_of(state, rules.automa_cancels)
    put_away(state, place)
    return place != NOTHING


@inlined
def automa_turn(rules, state, chance):
    """R31 to R37. The automa answers the ball; gives the team that has won the point by it, or NOTHING."""
    if not state.reacted and is_answer(rules, state, rules.automa_cancels):
        state.reacted = 1
        if automa_cancels(rules, state, chance):
            call_off(rules, state, rules.automa_cancels)
    if state.wins:
        return HUMAN
    state.phase = JUDGE
    if to_save(state):
        return _save(rules, state, chance)
    if rules.automa == EASY and state.players[AUTOMA].stamina == 0:
        return HUMAN
    turn_up(state, chance, RETURN, _SHOWN)
    best, modifier = _best_return(rules, state)
    if best != NOTHING:
        return _plays(rules, state, best, modifier, _RETURN_COST)
    put_away(state, NOTHING)
    return _tactics(rules, state, chance) if _may_use_tactics(rules, state) else HUMAN


@njit
def _tactics(rules, state, chance):
    """R32. The automa looks for Shank, Return Ace and seven strokes among three Tactics, or gives the point up."""
    shown = turn_up(state, chance, TACTIC, _SHOWN)
    if contains(shown, rules.automa_wins):
        _shank(rules, state, _place_of(state, rules.automa_wins))
        return NOTHING
    if contains(shown, rules.automa_ace):
        state.force = NO_FORCE
        return _plays(rules, state, _place_of(state, rules.automa_ace), 0, _TACTIC_COST)
    for i in range(np.int64(rules.automa_strokes)):
        kind = rules.automa_stroke[i]
        if contains(shown, kind):
            rank, modifier = _best_choice(rules, state, kind)
            if rank < NO_TARGET:
                price = _TACTIC_COST if rules.as_return[kind] == NO_FORCE else _RETURN_COST  # R33
                return _plays(rules, state, _place_of(state, kind), modifier, price)
    put_away(state, NOTHING)
    return HUMAN


@njit
def _shank(rules, state, place):
    """R32, D3, D26. The point is the automa's unless the card is cancelled; hidden cards that end the rally come first."""
    if rules.automa == EASY:
        pay(state, AUTOMA, _TACTIC_COST)
    put_away(state, place)
    if state.dark:
        turn_over(state)
        if not in_play(state.ball):
            return
    state.hitter = AUTOMA
    state.hit_kind = NOTHING
    state.hit_modifier = 0
    state.hit_beside = rules.automa_wins
    state.hit_beside_modifier = 0
    state.force = NO_FORCE
    state.tax = 0
    state.bars = 0
    state.wins = 1
    state.reacted = 0


@njit
def _save(rules, state, chance):
    """R34, D30. The ball is IN: three Tactics may hold a saving move or a Too Much."""
    if state.saved or not _may_use_tactics(rules, state):
        return HUMAN
    state.saved = 1
    shown = turn_up(state, chance, TACTIC, _SHOWN)
    for i in range(np.int64(rules.automa_saves)):
        kind = rules.automa_save[i]
        if contains(shown, kind):
            for choice in range(np.int64(rules.choices[kind])):
                ball = ball_after(rules, state, kind, rules.modifier[kind, choice])
                if fits(rules, kind, ball) and not is_lost(ball):
                    return _plays(rules, state, _place_of(state, kind), rules.modifier[kind, choice], _TACTIC_COST)
    kind = rules.automa_reacts
    if not contains(shown, kind) or state.hit_modifier == 0:
        put_away(state, NOTHING)
        return HUMAN
    if rules.automa == EASY:
        pay(state, AUTOMA, _TACTIC_COST)
    put_away(state, _place_of(state, kind))
    state.reacted = 1
    state.reaction = kind
    if reactions(rules, state, HUMAN):
        state.seat = HUMAN
        state.phase = COUNTER
    else:
        state.reaction = NOTHING
        double(state)
    return NOTHING
