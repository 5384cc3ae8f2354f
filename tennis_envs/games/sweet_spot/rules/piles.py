"""R2, R6, R14.5, R18. Piles, hands and used cards. A pile has no order: the next card is any of those it can hold."""

import numpy as np

from tennis_envs.core.chance import pick
from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.sweet_spot.state import (
    FIRST_RETURN,
    FIRST_TACTIC,
    KINDS,
    NOTHING,
    RETURN,
    SERVICE,
    TACTIC,
    TURNED,
)


@inlined
def first_kind(deck):
    """The first kind of card of a deck; that of the deck after the last is the number of kinds."""
    return 0 if deck == SERVICE else FIRST_RETURN if deck == RETURN else FIRST_TACTIC if deck == TACTIC else KINDS


@inlined
def deck_of(kind):
    """The deck of a kind of card: what its back shows."""
    return SERVICE if kind < FIRST_RETURN else RETURN if kind < FIRST_TACTIC else TACTIC


@inlined
def count(cards, deck):
    """How many of some cards are of a deck."""
    total = 0
    for kind in range(first_kind(deck), first_kind(deck + 1)):
        total += np.int64(cards[kind])
    return total


@inlined
def held(state, seat):
    """How many cards a player holds."""
    total = 0
    for kind in range(KINDS):
        total += np.int64(state.hand[seat, kind])
    return total


@inlined
def left_in(state, deck):
    """How many cards can still be drawn from a deck, its used cards included."""
    return count(state.pile, deck) + count(state.used, deck)


@njit
def draw(state, chance, deck):
    """R18. The top card of a pile, which is rebuilt from the used cards when it is empty; NOTHING if it stays so."""
    low, high = first_kind(deck), first_kind(deck + 1)
    total = count(state.pile, deck)
    if total == 0:
        for kind in range(low, high):
            state.pile[kind] = state.used[kind]
            state.used[kind] = 0
        total = count(state.pile, deck)
        if total == 0:
            return NOTHING
    kind = low + pick(chance, state.pile[low:high], total)
    state.pile[kind] -= 1
    return kind


@njit
def draw_into_hand(state, chance, seat, deck, cards):
    """R7. Draw cards into a hand."""
    for _ in range(cards):
        kind = draw(state, chance, deck)
        if kind != NOTHING:
            state.hand[seat, kind] += 1


@njit
def turn_up(state, chance, deck, cards):
    """R31, D19. The automa turns up cards, which leave the pile for `state.turned`."""
    for i in range(TURNED):
        state.turned[i] = NOTHING
    for i in range(cards):
        state.turned[i] = draw(state, chance, deck)


@njit
def put_away(state, played):
    """D19. Of the cards turned up, the one at `played` goes to the table (none if NOTHING), the others are used."""
    for i in range(TURNED):
        kind = np.int64(state.turned[i])
        if kind == NOTHING:
            continue
        if i == played:
            state.table[kind] += 1
        else:
            state.used[kind] += 1


@njit
def clear_table(state):
    """D11. The cards of the rally are used."""
    for kind in range(KINDS):
        state.used[kind] += state.table[kind]
        state.table[kind] = 0
