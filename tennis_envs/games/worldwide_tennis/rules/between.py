"""Set-up and what happens between points: R4, R6, R19 to R21, R28 to R30."""

import numpy as np

from tennis_envs.core.chance import roll
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.scoring import ENDS as ENDS_CHANGED
from tennis_envs.core.scoring import GAME, MATCH, SET, award, other, start_match
from tennis_envs.games.worldwide_tennis.rules.bits import EVERY, one, pick_card, size
from tennis_envs.games.worldwide_tennis.rules.cards import clear_table, discard, draw, gain_stars, hand_size, playable
from tennis_envs.games.worldwide_tennis.rules.point import is_virtual
from tennis_envs.games.worldwide_tennis.state import (
    CHANGE,
    CHOOSE,
    ENDS,
    NO_CARD,
    NOT_CHOSEN,
    OVER,
    PLAYER_CHOOSE,
    PLAYER_RANDOM,
    POINT,
    SERVER_RANDOM,
    SURFACE_RANDOM,
    SURFACES,
    TAKING,
    TOKENS,
    TRIM,
    TRIM_ENDS,
    TRIM_POINT,
)

# Set-up


@njit
def setup_match(rules, state, chance):
    """R6, R29. Surface and player cards; whoever may choose a card is asked before the deal."""
    state.winner = -1
    state.surface = roll(chance, len(SURFACES)) if rules.surface == SURFACE_RANDOM else rules.surface
    for player in range(2):
        given = rules.player[player]
        state.player[player] = NOT_CHOSEN if given >= PLAYER_CHOOSE else given
        state.in_deck[player] = EVERY
    for player in range(2):
        if rules.player[player] == PLAYER_RANDOM:
            state.player[player] = _random_card(rules, state, chance, player)
    ask_for_card(rules, state, chance)


@njit
def _random_card(rules, state, chance, player):
    """R29. Any player card but the opponent's."""
    taken = state.player[other(player)]
    others = rules.players - (taken > 0)
    if others == 0:
        return 0
    card = 1 + roll(chance, others)
    return card + 1 if 0 < taken <= card else card


@njit
def ask_for_card(rules, state, chance):
    """R29, D41. The next player who may choose a card does; then the cards are dealt."""
    for player in range(2):
        if state.player[player] == NOT_CHOSEN:
            state.phase = CHOOSE
            state.seat = player
            return
    _deal(rules, state, chance)


@inlined
def _deal(rules, state, chance):
    """R6, R29, R30. Stars, tokens, the marked cards in hand and the rest drawn."""
    for player in range(2):
        if is_virtual(rules, player):
            continue
        ability = rules.card[state.player[player]]
        state.stars[player] = ability.stars
        state.tokens[player] = TOKENS if rules.challenges else 0
        marked = rules.deck[player].marked & ~ability.out
        state.shown[player] = marked
        state.in_deck[player] &= ~(marked | ability.out)
        draw(state, chance, player, ability.hand - size(marked))
    first = roll(chance, 2) if rules.first_server == SERVER_RANDOM else np.int64(rules.first_server)
    start_match(rules.format, state.score, first)
    state.phase = POINT


# After a point


@njit
def end_point(rules, state, chance):
    """R18, R19, R20, R21, R28. Score, draw, discard; then what the players decide."""
    winner = np.int64(state.point)
    state.lead += 1 - 2 * winner
    games = state.score.games[0] + state.score.games[1]
    in_tiebreak = state.score.tiebreak != 0
    events = award(rules.format, state.score, winner)
    if events & MATCH:
        state.over = 1
        state.winner = winner
        state.phase = OVER
        return
    for player in range(2):
        if not is_virtual(rules, player) and state.last[player] != NO_CARD:
            draw(state, chance, player, rules.deck[player].draw[state.last[player]] + _extra(rules, state, player))
    clear_table(rules, state)
    if events & SET and rules.challenges:
        for player in range(2):
            state.tokens[player] = 0 if is_virtual(rules, player) else TOKENS
    state.change = _ends_change(rules, events, in_tiebreak, games)
    state.stage = TRIM_POINT
    go_on(rules, state)


@inlined
def _extra(rules, state, player):
    """R29. Cards drawn more."""
    return rules.card[state.player[player]].draw_by


@inlined
def _ends_change(rules, events, in_tiebreak, games):
    """R21, D12. Whether ends are changed now; `games` were played in the set before this point."""
    if in_tiebreak and not events & GAME:
        return events & ENDS_CHANGED != 0
    if rules.tennis_ends:
        return events & (ENDS_CHANGED | SET) != 0
    return events & GAME != 0 and games + 1 > 10 and (games + 1) % 2 == 1


@inlined
def _in_order(state, turn):
    """D41. Who serves next, then the other."""
    return np.int64(state.score.server) if turn == 0 else other(np.int64(state.score.server))


@inlined
def _over_limit(rules, state, player):
    """R20, R29. Whether a player must discard."""
    return not is_virtual(rules, player) and hand_size(state, player) > rules.card[state.player[player]].hand


@njit
def go_on(rules, state):
    """R20, R21, D11. Trim, change ends, trim again; then the next point."""
    if state.stage == TRIM_POINT:
        if _ask_to_trim(rules, state):
            return
        state.stage = CHANGE
        state.turn = 0
    if state.stage == CHANGE:
        while state.change and state.turn < 2:
            player = _in_order(state, np.int64(state.turn))
            if not is_virtual(rules, player):
                state.phase = ENDS
                state.seat = player
                return
            state.turn += 1
        state.stage = TRIM_ENDS
    if not _ask_to_trim(rules, state):
        state.phase = POINT


@inlined
def _ask_to_trim(rules, state):
    """R20. Ask the next player who holds too many cards, if there is one."""
    for turn in range(2):
        player = _in_order(state, turn)
        if _over_limit(rules, state, player):
            state.phase = TRIM
            state.seat = player
            return True
    return False


@njit
def refresh(rules, state, chance, cards, stars):
    """R21. Recover or focus; then the discards, if a star can be paid for one."""
    player = np.int64(state.seat)
    draw(state, chance, player, cards)
    gain_stars(rules, state, player, stars)
    if state.stars[player] > 0 and state.discarded[player] != 0:
        state.phase = TAKING
    else:
        next_to_change(rules, state)


@njit
def take(state, card):
    """R21, D32. Pay a star for a card from the discards."""
    player = np.int64(state.seat)
    state.stars[player] -= 1
    state.discarded[player] &= ~one(card)
    state.shown[player] |= one(card)


@njit
def next_to_change(rules, state):
    """R21. The other player's turn at the change of ends."""
    state.turn += 1
    go_on(rules, state)


@njit
def trim(rules, state, card):
    """R20. Discard down to the limit, card by card."""
    discard(state, np.int64(state.seat), card)
    go_on(rules, state)


# Hidden cards


@njit
def deal_hidden(state, chance, player):
    """D32. Put all that the opponent cannot tell apart back and deal as many hidden cards anew."""
    cards = size(state.hidden[player])
    state.in_deck[player] |= state.hidden[player]
    state.hidden[player] = 0
    draw(state, chance, player, cards)


@njit
def deal_playable(rules, state, chance, player):
    """Exchange a hidden card for one in the deck that fits the ball; there is one, or the player would not be asked."""
    fits = one(pick_card(chance, state.in_deck[player] & playable(rules, state, player)))
    given = one(pick_card(chance, state.hidden[player]))
    state.hidden[player] ^= given | fits
    state.in_deck[player] ^= given | fits
