"""The virtual opponent: R30 to R40."""

import numpy as np

from tennis_envs.core.chance import roll
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.scoring import other
from tennis_envs.games.worldwide_tennis.rules.bits import holds, nth, one
from tennis_envs.games.worldwide_tennis.rules.cards import (
    answers_lob_at_net,
    is_kind,
    playable,
    roll_is_due,
    stroke_need,
    take_top,
)
from tennis_envs.games.worldwide_tennis.rules.point import may_go_to_net, win_point
from tennis_envs.games.worldwide_tennis.state import (
    BACKHAND,
    FOREHAND,
    LOB,
    MOVED,
    NET,
    NEUTRAL,
    NO_CARD,
    NO_SPIN,
    PILE_SETS,
    PILE_VOLLEY,
    SMASH,
    STROKES,
    TOPSPIN,
    VIRTUAL,
    VIRTUAL_SERVE,
    WINNER,
)


@njit
def virtual_serve(rules, state, chance):
    """R31, D35. Its serve of difficulty 10, or 4 after a fault; a d6 for the spin, then the d20."""
    deck = rules.deck[VIRTUAL]
    second = np.int64(state.fault != NO_CARD)
    needed, serve = np.int64(rules.virtual_needs[second]), np.int64(rules.virtual_serves[second])
    state.card = STROKES + serve
    state.last[VIRTUAL] = state.card
    state.spin = NO_SPIN
    if rules.spin:
        state.spin = roll(chance, 6) // 2  # NO_SPIN, TOPSPIN, SLICE
    die = roll(chance, 20) + 1
    if die >= needed:
        if die >= deck.ace[serve]:
            win_point(state, VIRTUAL)
            return
        if die == 15 or die == 16:
            state.zone[VIRTUAL] = NET
        state.target = state.zone[other(VIRTUAL)]
        state.phase = MOVED
    elif state.fault == NO_CARD:
        state.fault = state.card
        state.phase = VIRTUAL_SERVE
    else:
        win_point(state, other(VIRTUAL))


@njit
def virtual_stroke(rules, state, chance):
    """R32 to R38. It comes to the ball, turns up a card and plays it."""
    if answers_lob_at_net(rules, state):
        card = _smash(rules, state, chance)
        if card != NO_CARD:
            _strike(rules, state, chance, card)
            return
    _reach(rules, state)
    for _ in range(2):
        card = _turn_up(rules, state, chance)
        if holds(playable(rules, state, VIRTUAL), card):
            _strike(rules, state, chance, card)
            return
        state.discarded[VIRTUAL] |= one(card)
    win_point(state, other(VIRTUAL))


@inlined
def _smash(rules, state, chance):
    """R38. Its smash against a lob, ready or turned up; NO_CARD if there is none."""
    card = NO_CARD
    if state.shown[VIRTUAL] != 0:
        card = nth(state.shown[VIRTUAL], 0)
        state.shown[VIRTUAL] = 0
    else:
        card = take_top(state, chance, VIRTUAL, PILE_SETS[PILE_VOLLEY])
        if not is_kind(rules, VIRTUAL, card, SMASH):
            state.discarded[VIRTUAL] |= one(card)
            card = NO_CARD
    return card


@inlined
def _reach(rules, state):
    """R36, D38. It goes to the ball; what a player would pay for makes its strokes harder."""
    here, there = np.int64(state.zone[VIRTUAL]), np.int64(state.ball_zone)
    if here == NET:
        if not answers_lob_at_net(rules, state):
            return
        state.penalty += 1
    elif there == NET:
        state.penalty += 1
        state.drawn_in = 1
    elif here != there and here != NEUTRAL and there != NEUTRAL:
        state.penalty += 1
    state.zone[VIRTUAL] = there


@inlined
def _pile(rules, state):
    """R32. The pile from which it plays."""
    at_net, opponent_at_net = np.int64(state.zone[VIRTUAL] == NET), np.int64(state.zone[other(VIRTUAL)] == NET)
    return rules.piles[at_net, opponent_at_net, state.ball_zone]


@inlined
def _turn_up(rules, state, chance):
    """R32, R38. The top card of its pile; a smash stays ready and another card is turned up."""
    pile = _pile(rules, state)
    card = take_top(state, chance, VIRTUAL, pile)
    if is_kind(rules, VIRTUAL, card, SMASH):
        state.shown[VIRTUAL] |= one(card)
        card = take_top(state, chance, VIRTUAL, pile)
    return card


@njit
def _strike(rules, state, chance, card):
    """R12, R13, R33, R34, R36, R37. It plays the card: winners score, others roll if a roll is due."""
    deck = rules.deck[VIRTUAL]
    state.card = card
    state.last[VIRTUAL] = card
    state.discarded[VIRTUAL] |= one(card)
    state.spin = deck.spin[card] if rules.spin else NO_SPIN
    if deck.kind[card] == WINNER:
        win_point(state, VIRTUAL)
        return
    die = 0
    if roll_is_due(rules, state, VIRTUAL, card):
        die = roll(chance, 20) + 1
        if die < stroke_need(rules, state, VIRTUAL, card):
            win_point(state, other(VIRTUAL))
            return
    state.strokes += 1
    state.effort += deck.difficulty[card]
    _aim(rules, state, chance, card, die)
    if deck.to_net[card] and may_go_to_net(rules, state):
        state.penalty += state.ball_spin == TOPSPIN
        state.zone[VIRTUAL] = NET
    state.phase = MOVED


@inlined
def _aim(rules, state, chance, card, die):
    """R33, D36, D27. Even is forehand, odd backhand, of the die just rolled or a new one."""
    deck = rules.deck[VIRTUAL]
    state.target = deck.target[card]
    taken_anywhere = state.zone[other(VIRTUAL)] == NET and deck.kind[card] != LOB
    if not deck.aims[card] or taken_anywhere:
        return
    if die == 0:
        die = roll(chance, 20) + 1
    wished = FOREHAND if die % 2 == 0 else BACKHAND
    state.target = wished if deck.targets[card, wished] else NEUTRAL
