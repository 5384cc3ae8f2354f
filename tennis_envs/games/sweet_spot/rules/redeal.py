"""Redealing: what a seat cannot know (other hands, cards face down) is drawn anew, true to all that it has seen."""

import numpy as np

from tennis_envs.core.chance import pick, roll
from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.sweet_spot.rules.piles import count_pile, deck_of, draw, draw_into_hand
from tennis_envs.games.sweet_spot.rules.stroke import cost, fits
from tennis_envs.games.sweet_spot.state import (
    ADDS,
    BESIDE,
    DARK_BESIDE,
    DARK_RETURN,
    DECKS,
    KINDS,
    NOTHING,
    PLAYS,
    SERVICE,
    SERVICE_COUNT,
    TACTIC_COUNT,
)


@njit
def redeal(rules, state, seat, chance):
    """R7, R22. Everybody keeps as many cards of each deck as he has; a card face down keeps its deck and its cost."""
    if rules.solo:
        return  # nobody else holds cards, and piles have no order
    if state.phase == SERVICE_COUNT or state.phase == TACTIC_COUNT:
        _ask_others_anew(rules, state, seat, chance)
    for other in range(np.int64(rules.seats)):
        if other != seat:
            _put_back_hand(state, other)
    kept = state.kept
    if kept != NOTHING and state.seat != seat:
        _put_back(state, kept)
    if state.dark and state.hitter != seat:
        _redeal_last_return(rules, state, chance)
    if state.phase == BESIDE and state.seat != seat and rules.hidden[state.play_kind]:
        _redeal_return_in_the_making(rules, state, chance)
    for deck in range(DECKS):
        count_pile(state, deck)
    for other in range(np.int64(rules.seats)):
        if other != seat:
            for deck in range(DECKS):
                cards = np.int64(state.players[other].backs[deck])
                state.players[other].backs[deck] = 0
                state.players[other].room += cards
                draw_into_hand(rules, state, chance, other, deck, cards)
    if kept != NOTHING and state.seat != seat:
        state.kept = draw(state, chance, deck_of(kept))


@njit
def _ask_others_anew(rules, state, seat, chance):
    """D9. What the others have asked for and not yet drawn is hidden as well."""
    services_left = np.int64(rules.deck_size[SERVICE])
    for player in range(np.int64(rules.seats)):
        services_left -= state.players[player].backs[SERVICE]
    for turn in range(np.int64(state.turn) + 1):
        player = (state.server + turn) % rules.seats
        if player == seat or (state.fault and player != state.server):
            continue
        room = max(0, np.int64(state.players[player].room))
        if turn < state.turn or state.phase == TACTIC_COUNT:
            state.players[player].services = roll(chance, min(room, services_left) + 1)
        if turn < state.turn:
            state.players[player].tactics = roll(chance, room - state.players[player].services + 1)


@inlined
def _put_back(state, kind):
    """A card goes back into its pile."""
    state.pile[kind] += 1


@inlined
def _take_out(state, kind):
    """A certain card leaves its pile."""
    state.pile[kind] -= 1


@njit
def _put_back_hand(state, seat):
    """Put a hand back into the piles; how many cards of each deck it was remains."""
    for kind in range(KINDS):
        state.pile[kind] += state.players[seat].hand[kind]
        state.players[seat].hand[kind] = 0
    state.moves_held[seat] = 0


@njit
def _looks_like(rules, state, seat, kind, other):
    """Whether a card face down could as well be another, to those who see its back and what was paid for it."""
    return (
        rules.hidden[kind] == rules.hidden[other]
        and rules.to_serve[kind] == rules.to_serve[other]
        and deck_of(kind) == deck_of(other)
        and cost(rules, state, seat, kind) == cost(rules, state, seat, other)
    )


@njit
def _redeal_last_return(rules, state, chance):
    """R22, R25. The cards face down of the last return: any that its player could have played."""
    seat = state.hitter
    kind, beside = state.hit_kind, state.hit_beside
    if state.dark & DARK_RETURN:
        _put_back(state, kind)
    if state.dark & DARK_BESIDE:
        _put_back(state, beside)
    fixed = state.shift
    if state.dark & DARK_RETURN:
        fixed -= state.hit_modifier
    if state.dark & DARK_BESIDE:
        fixed -= state.hit_beside_modifier
    weights = np.zeros(PLAYS * ADDS, np.int64)
    total = 0
    for play in range(PLAYS):
        for add in range(ADDS):
            weight = _ways(rules, state, seat, kind, beside, play, add, fixed)
            weights[play * ADDS + add] = weight
            total += weight
    choice = pick(chance, weights, total)
    play, add = choice // ADDS, choice % ADDS
    state.shift = fixed
    if state.dark & DARK_RETURN:
        state.hit_kind = rules.play_kind[play]
        state.hit_modifier = rules.play_modifier[play]
        state.shift += state.hit_modifier
        _take_out(state, state.hit_kind)
    if state.dark & DARK_BESIDE:
        state.hit_beside = rules.add_kind[add]
        state.hit_beside_modifier = rules.add_modifier[add]
        state.shift += state.hit_beside_modifier
        _take_out(state, state.hit_beside)


@njit
def _ways(rules, state, seat, kind, beside, play, add, fixed):
    """In how many ways the cards face down can be those of two slots; where none lies face down, only slot 0 counts."""
    ways = 1
    shift = fixed
    own_kind, own_beside = kind, beside
    if state.dark & DARK_RETURN:
        own_kind = rules.play_kind[play]
        if own_kind == NOTHING or not _looks_like(rules, state, seat, kind, own_kind):
            return 0
        ways *= np.int64(state.pile[own_kind])
        shift += rules.play_modifier[play]
    elif play > 0:
        return 0
    if state.dark & DARK_BESIDE:
        own_beside = rules.add_kind[add]
        if own_beside == NOTHING or not _looks_like(rules, state, seat, beside, own_beside):
            return 0
        ways *= np.int64(state.pile[own_beside]) - (1 if own_beside == own_kind and state.dark & DARK_RETURN else 0)
        shift += rules.add_modifier[add]
    elif add > 0:
        return 0
    out = state.ball + shift
    if not fits(rules, own_kind, out) or (own_beside != NOTHING and not fits(rules, own_beside, out)):
        return 0
    return ways


@njit
def _redeal_return_in_the_making(rules, state, chance):
    """R22. A hidden Return whose player is choosing what goes beside it."""
    seat, kind = state.seat, state.play_kind
    _put_back(state, kind)
    weights = np.zeros(PLAYS, np.int64)
    total = 0
    for play in range(PLAYS):
        own = rules.play_kind[play]
        if own != NOTHING and _looks_like(rules, state, seat, kind, own):
            weights[play] = state.pile[own]
            total += weights[play]
    play = pick(chance, weights, total)
    state.play_kind = rules.play_kind[play]
    state.play_modifier = rules.play_modifier[play]
    _take_out(state, state.play_kind)
