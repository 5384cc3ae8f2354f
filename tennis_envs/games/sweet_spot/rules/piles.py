"""R2, R6, R14.5, R18. Piles, hands and used cards. A pile has no order: the next card is any of those it can hold."""

import numpy as np

from tennis_envs.core.chance import SAMPLED, pick, roll
from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.sweet_spot.state import (
    DECKS,
    EVERY,
    FIRST_RETURN,
    FIRST_TACTIC,
    KINDS,
    NOTHING,
    RETURN,
    SERVICE,
    TACTIC,
    TALLY_KINDS,
    TALLY_WORDS,
    TURNED,
    WIDTH,
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
def held(state, seat):
    """How many cards a player holds."""
    return state.backs[seat, SERVICE] + state.backs[seat, RETURN] + state.backs[seat, TACTIC]


@inlined
def take(rules, state, seat, deck, kind):
    """R7. A card of a deck comes into a hand."""
    state.hand[seat, kind] += 1
    state.moves_held[seat] |= rules.moves[kind]
    state.backs[seat, deck] += 1


@inlined
def let_go(rules, state, seat, kind):
    """A card leaves a hand."""
    state.hand[seat, kind] -= 1
    last = np.int64(state.hand[seat, kind] == 0)
    state.moves_held[seat] &= ~(rules.moves[kind] * last)
    state.backs[seat, deck_of(kind)] -= 1


@inlined
def show(state, kind):
    """D11. A card is turned up on the table, where it stays until the rally is over."""
    state.open[kind] += 1
    state.table[kind] += 1


@njit
def count_pile(state, deck):
    """Write down the running totals of a pile: how many cards it has of this kind and of those before it."""
    kind, end, total = first_kind(deck), first_kind(deck + 1), 0
    for word in range(TALLY_WORDS):
        totals = 0
        for place in range(TALLY_KINDS):
            if kind < end:
                total += np.int64(state.pile[kind])
            totals |= total << (8 * place)
            kind += 1
        state.tally[deck, word] = totals


@inlined
def pile_size(state, deck):
    """How many cards a pile has: the last of its running totals."""
    return state.tally[deck, TALLY_WORDS - 1] >> (8 * (TALLY_KINDS - 1))


@njit
def _rebuild(state, deck):
    """R18. The used cards of a deck become its pile, which is empty; what lies on the table stays there."""
    for kind in range(first_kind(deck), first_kind(deck + 1)):
        state.pile[kind] = state.open[kind] - state.table[kind]
        state.open[kind] = state.table[kind]
    count_pile(state, deck)


@inlined
def _take_card_at(state, deck, place):
    """The kind of the card at a place of a pile, were the pile sorted; it leaves the running totals.

    All totals of a word are compared with the place at once: a byte of 128 + place less a total keeps its high bit if the
    place comes after all cards of that kind. Every total that keeps it not counts the card, and is one less without it.
    """
    limits = place * EVERY | 128 * EVERY
    passed = 0
    for word in range(TALLY_WORDS):
        before = (limits - state.tally[deck, word]) >> 7 & EVERY
        state.tally[deck, word] -= EVERY ^ before
        passed += before
    bytes_added = ((passed & 0xFFFFFFFF) + (passed >> 32)) * 0x01010101 >> 24 & 255
    return first_kind(deck) + bytes_added


@inlined
def draw(state, chance, deck):
    """R18. The top card of a pile, which is rebuilt from the used cards when it is empty; NOTHING if it stays so."""
    if pile_size(state, deck) == 0:
        _rebuild(state, deck)
        if pile_size(state, deck) == 0:
            return NOTHING
    if chance.mode == SAMPLED:  # what `pick` does, in a straight line
        kind = _take_card_at(state, deck, roll(chance, pile_size(state, deck)))
        state.pile[kind] -= 1
        return kind
    low, high = first_kind(deck), first_kind(deck + 1)
    kind = low + pick(chance, state.pile[low:high], pile_size(state, deck))
    state.pile[kind] -= 1
    count_pile(state, deck)
    return kind


@njit
def draw_into_hand(rules, state, chance, seat, deck, cards):
    """R7. Draw cards into a hand."""
    for _ in range(cards):
        kind = draw(state, chance, deck)
        if kind != NOTHING:
            take(rules, state, seat, deck, kind)


@njit
def turn_up(state, chance, deck, cards):
    """R31, D19. The automa turns up cards, which leave the pile for `state.turned`; their kinds, as bits."""
    for i in range(TURNED):
        state.turned[i] = NOTHING
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
def discard_hand(state, seat):
    """R16.2. A whole hand is used."""
    for kind in range(WIDTH):
        state.open[kind] += state.hand[seat, kind]
        state.hand[seat, kind] = 0
    state.moves_held[seat] = 0
    for deck in range(DECKS):
        state.backs[seat, deck] = 0
