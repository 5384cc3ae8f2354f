"""Hands, decks and what a card needs: R10 to R13, R22 to R27."""

import numpy as np

from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.scoring import other
from tennis_envs.games.worldwide_tennis.rules.bits import EVERY, one, pick_card, size
from tennis_envs.games.worldwide_tennis.state import (
    ANYWHERE,
    BLUE,
    LOB,
    MOST_PRICE,
    MOST_STARS,
    NET,
    NO_CARD,
    ORANGE,
    SLICE,
    STROKES,
    VIRTUAL,
    WINNER,
)


@inlined
def hand(state, player):
    """The cards in a player's hand."""
    return state.hidden[player] | state.shown[player]


@inlined
def hand_size(state, player):
    """Cards in hand."""
    return size(hand(state, player))


@inlined
def discard(state, player, card):
    """A card goes from hand to the discards."""
    leave_hand(state, player, card)
    state.discarded[player] |= one(card)


@inlined
def leave_hand(state, player, card):
    """A card is taken from a hand."""
    others = ~one(card)
    state.hidden[player] &= others
    state.shown[player] &= others


@njit
def take_top(state, chance, player, pile):
    """R19, R32, D23, D32. Take the top card of the pile with these cards; an empty pile is made anew from its discards.

    Whoever sees a player's deck run out knows his whole hand: it is all that lies nowhere else.
    """
    if state.in_deck[player] & pile == 0:
        state.in_deck[player] |= state.discarded[player] & pile
        state.discarded[player] &= ~pile
        state.shown[player] |= state.hidden[player]
        state.hidden[player] = 0
    card = pick_card(chance, state.in_deck[player] & pile)
    state.in_deck[player] &= ~one(card)
    return card


@njit
def draw(state, chance, player, cards):
    """R19. Draw from one's deck, unseen by the opponent."""
    for _ in range(cards):
        card = take_top(state, chance, player, EVERY)
        state.hidden[player] |= one(card)


@inlined
def clear_table(rules, state):
    """R20, R24. The cards played go to the discards, winners back to the hand."""
    for player in range(2):
        played, winners = state.on_table[player], rules.deck[player].winners
        state.shown[player] |= played & winners
        state.discarded[player] |= played & ~winners
        state.on_table[player] = 0


@inlined
def is_kind(rules, player, card, kind):
    """Whether a player's card is of a kind; no card is of none."""
    return (card != NO_CARD) & (rules.deck[player].kind[max(0, card)] == kind)


@inlined
def answers_lob_at_net(rules, state):
    """R17. Whether the striker stands at the net under a lob."""
    striker = np.int64(state.striker)
    return (state.zone[striker] == NET) & is_kind(rules, other(striker), np.int64(state.ball), LOB)


@inlined
def stars_for(rules, state, player, card):
    """R22, R29, R39. What it costs a player to play a card, in stars."""
    return 0 if plays_for_nothing(rules, state, player) else np.int64(rules.deck[player].price[card])


@inlined
def plays_for_nothing(rules, state, player):
    """R29, R39. Whether a player pays no star for any card."""
    return (rules.card[max(0, np.int64(state.player[player]))].free_drop_shot != 0) | ((rules.solo != 0) & (player == VIRTUAL))


@inlined
def standing(state, player):
    """R22, D16. The start zone that a player's next stroke must have."""
    return ANYWHERE if state.drawn_in else np.int64(state.zone[player])


@inlined
def affordable(rules, state, player):
    """R22. The cards for whose price a player has the stars."""
    free = plays_for_nothing(rules, state, player)
    return rules.deck[player].priced[MOST_PRICE if free else min(MOST_PRICE, np.int64(state.stars[player]))]


@inlined
def playable(rules, state, player):
    """R11, R22, D30. The cards that where the players stand and the stars allow, wherever they are; smashes apart."""
    opponent_at_net = 1 if state.zone[other(player)] == NET else 0
    fits = rules.deck[player].playable[standing(state, player), opponent_at_net]
    return fits & affordable(rules, state, player)


@inlined
def sliced(state, player):
    """R27, D28. Whether slice works on the ball that a player answers."""
    return state.ball_spin == SLICE and (state.zone[player] != NET or state.drawn_in != 0)


@inlined
def roll_is_due(rules, state, player, card):
    """R12, R27. Whether a stroke must be rolled for."""
    ball, risk = rules.deck[other(player)].risk[state.ball], rules.deck[player].risk[card]
    if ball != BLUE:
        return True
    return risk != BLUE and (risk != ORANGE or sliced(state, player))


@inlined
def stroke_need(rules, state, player, card):
    """R13, R24, R27, R29, R36, D46. What a d20 must show for a stroke when no star is spent."""
    mine, theirs = rules.deck[player], rules.deck[other(player)]
    ability = rules.card[state.player[player]]
    kind = mine.kind[card]
    need = np.int64(mine.difficulty[card]) + np.int64(theirs.adds[state.surface, state.ball]) - np.int64(ability.ease[kind])
    if kind == WINNER:
        need -= state.effort
    if mine.risk[card] != BLUE and sliced(state, player):
        need += 2
    if state.ball >= STROKES:
        need -= ability.return_by
    if player == VIRTUAL:
        need += state.penalty
    return need


@inlined
def serve_need(rules, state, player, serve, spin):
    """R7, R27, R29. What a d20 must show for a serve with a spin when no star is spent."""
    deck = rules.deck[player]
    price = 0 if rules.card[state.player[player]].free_serve_spin else np.int64(deck.spin_price[serve, spin])
    return np.int64(deck.difficulty[STROKES + serve]) + price


@inlined
def need(rules, state):
    """R26. What a d20 must show for the card being played, stars spent."""
    player, card = np.int64(state.striker), np.int64(state.card)
    if card >= STROKES:
        return serve_need(rules, state, player, card - STROKES, np.int64(state.spin)) - rules.star_serve[state.spent]
    return stroke_need(rules, state, player, card) - rules.star_rally[state.spent]


@inlined
def gain_stars(rules, state, player, stars):
    """D9, D43. Add stars up to the player's tokens."""
    most = most_stars(rules, state, player)
    state.stars[player] = min(most, state.stars[player] + stars)


@inlined
def most_stars(rules, state, player):
    """D9, D43. A player's star tokens."""
    return max(MOST_STARS, np.int64(rules.card[state.player[player]].stars))
