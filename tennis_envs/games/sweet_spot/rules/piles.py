"""R2, R6, R14.5, R18. Piles, hands and used cards. A pile has no order: the next card is any of those it can hold."""

import numpy as np

from tennis_envs.core.chance import SAMPLED, pick, roll
from tennis_envs.core.jit import inlined, njit, seldom
from tennis_envs.games.sweet_spot.state import (
    DECKS,
    FIRST_RETURN,
    FIRST_TACTIC,
    KINDS,
    NOTHING,
    RETURN,
    SERVICE,
    TACTIC,
    TOTALS,
    TURNED,
)
from tennis_envs.games.sweet_spot.vectors import take_at


@inlined
def first_kind(deck):
    """The first kind of card of a deck; that of the deck after the last is the number of kinds."""
    return 0 if deck == SERVICE else FIRST_RETURN if deck == RETURN else FIRST_TACTIC if deck == TACTIC else KINDS


@inlined
def deck_of(kind):
    """The deck of a kind of card: what its back shows."""
    return SERVICE if kind < FIRST_RETURN else RETURN if kind < FIRST_TACTIC else TACTIC


@inlined
def held(rules, state, seat):
    """How many cards a player holds."""
    return rules.hand - state.players[seat].room


@inlined
def take(rules, state, seat, kind):
    """R7. A card comes into a hand."""
    player = state.players[seat]
    player.hand[kind] += 1
    player.backs[rules.deck[kind]] += 1
    player.room -= 1
    state.moves_held[seat] |= rules.moves[kind]


@inlined
def let_go(rules, state, seat, kind):
    """A card leaves a hand."""
    player = state.players[seat]
    player.hand[kind] -= 1
    player.backs[rules.deck[kind]] -= 1
    player.room += 1
    if player.hand[kind] == 0:
        state.moves_held[seat] &= ~rules.moves[kind]


@inlined
def show(state, kind):
    """D11. A card is turned up on the table, where it stays until the rally is over."""
    state.open[kind] += 1
    state.table[kind] += 1


@njit
def count_pile(state, deck):
    """Write down the running totals of a pile: how many cards it has of this kind and of those before it. Gives the last."""
    low, high, total = first_kind(deck), first_kind(deck + 1), 0
    for place in range(TOTALS):
        if low + place < high:
            total += np.int64(state.pile[low + place])
        state.tally[deck, place] = total
    return total


@njit
def _rebuild(state, deck):
    """R18. The used cards of a deck become its pile, which is empty; what lies on the table stays there. Gives its size."""
    for kind in range(first_kind(deck), first_kind(deck + 1)):
        state.pile[kind] = state.open[kind] - state.table[kind]
        state.open[kind] = state.table[kind]
    return count_pile(state, deck)


@inlined
def _lasts(state, chance, deck, cards):
    """Whether so many cards can be drawn in a straight line: from a pile that has them, and not on record."""
    return chance.mode == SAMPLED and state.tally[deck, TOTALS - 1] >= cards


@inlined
def _draw(state, chance, deck, first, size):
    """The top card of a pile of that size, of the kinds from `first` on: what `pick` does, in a straight line."""
    kind = first + take_at(state.tally[deck], roll(chance, size))
    state.pile[kind] -= 1
    return kind


@njit
def draw(state, chance, deck):
    """R18. The top card of a pile, which is rebuilt from the used cards when it is empty; NOTHING if it stays so."""
    size = np.int64(state.tally[deck, TOTALS - 1])
    if size == 0:
        size = _rebuild(state, deck)
        if size == 0:
            return NOTHING
    if chance.mode == SAMPLED:
        return _draw(state, chance, deck, first_kind(deck), size)
    return _draw_on_record(state, chance, deck, size)


@seldom
def _draw_on_record(state, chance, deck, size):
    """The same by the tape, or written down."""
    low, high = first_kind(deck), first_kind(deck + 1)
    kind = low + pick(chance, state.pile[low:high], size)
    state.pile[kind] -= 1
    count_pile(state, deck)
    return kind


@njit
def draw_into_hand(rules, state, chance, seat, deck, cards):
    """R7. Draw cards into a hand."""
    if not _lasts(state, chance, deck, cards):
        _draw_one_by_one(rules, state, chance, seat, deck, cards)
        return
    player, moves = state.players[seat], 0
    first, size = first_kind(deck), np.int64(state.tally[deck, TOTALS - 1])
    for left in range(size, size - cards, -1):
        kind = _draw(state, chance, deck, first, left)
        player.hand[kind] += 1
        moves |= rules.moves[kind]
    state.moves_held[seat] |= moves
    player.backs[deck] += cards
    player.room -= cards


@seldom
def _draw_one_by_one(rules, state, chance, seat, deck, cards):
    """The same from a pile that has to be rebuilt, or on record."""
    for _ in range(cards):
        kind = draw(state, chance, deck)
        if kind != NOTHING:
            take(rules, state, seat, kind)


@njit
def turn_up(state, chance, deck, cards):
    """R31, D19. The automa turns up cards, which leave the pile for `state.turned`; their kinds, as bits."""
    for i in range(TURNED):
        state.turned[i] = NOTHING
    if not _lasts(state, chance, deck, cards):
        return _turn_up_one_by_one(state, chance, deck, cards)
    kinds, first, size = 0, first_kind(deck), np.int64(state.tally[deck, TOTALS - 1])
    for i in range(cards):
        kind = _draw(state, chance, deck, first, size - i)
        state.turned[i] = kind
        kinds |= 1 << kind
    return kinds


@seldom
def _turn_up_one_by_one(state, chance, deck, cards):
    """The same from a pile that has to be rebuilt, or on record."""
    kinds = 0
    for i in range(cards):
        kind = draw(state, chance, deck)
        state.turned[i] = kind
        kinds |= np.int64(kind != NOTHING) << (kind & 63)
    return kinds


@njit
def put_away(state, played):
    """D19. Of the cards turned up, the one at `played` goes to the table (none if NOTHING), the others are used."""
    for i in range(TURNED):
        kind = state.turned[i]
        if kind != NOTHING:
            state.open[kind] += 1
            if i == played:
                state.table[kind] += 1


@njit
def discard_hand(rules, state, seat):
    """R16.2. A whole hand is used."""
    player = state.players[seat]
    for kind in range(KINDS):
        state.open[kind] += player.hand[kind]
        player.hand[kind] = 0
    for deck in range(DECKS):
        player.backs[deck] = 0
    player.room = rules.hand
    state.moves_held[seat] = 0
