"""One point: serve, rally, challenge. R5, R7 to R18, R22 to R29."""

import numpy as np

from tennis_envs.core.chance import roll
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.scoring import other
from tennis_envs.games.worldwide_tennis.actions import GO_BACK, GO_TO_NET
from tennis_envs.games.worldwide_tennis.rules.bits import one
from tennis_envs.games.worldwide_tennis.rules.cards import (
    answers_lob_at_net,
    clear_table,
    discard,
    gain_stars,
    hand,
    hand_size,
    is_kind,
    leave_hand,
    need,
    playable,
    roll_is_due,
    stars_for,
)
from tennis_envs.games.worldwide_tennis.state import (
    AIM,
    AIMED,
    BACKHAND,
    DIE,
    DOUBT,
    FOREHAND,
    GAMBLE,
    LOB,
    MADE,
    MOVED,
    NET,
    NEUTRAL,
    NEVER,
    NO_CARD,
    NO_SPIN,
    PAY,
    POINT,
    POSITION,
    REACH,
    READY,
    RECEIVE,
    SERVING,
    SIDE,
    SLICE,
    SPINNING,
    STARRING,
    STROKE,
    STROKES,
    TOPSPIN,
    VIRTUAL,
    VIRTUAL_SERVE,
    VIRTUAL_STROKE,
    WINNER,
    WON,
)


@inlined
def is_virtual(rules, player):
    """R30. Whether a seat is the virtual opponent's."""
    return (rules.solo != 0) & (player == VIRTUAL)


@inlined
def win_point(state, player):
    """R18. The point is won."""
    state.point = player
    state.phase = WON


# Serve


@inlined
def start_point(rules, state, chance):
    """R5, R7. Clear the court; at a deciding point the receiver chooses the side."""
    server = np.int64(state.score.server)
    receiver = other(server)
    state.striker = server
    state.zone[server] = NEUTRAL
    state.ball = NO_CARD
    state.ball_spin = NO_SPIN
    state.card = NO_CARD
    state.spin = NO_SPIN
    state.spent = 0
    state.asked = 0
    state.drawn_in = 0
    state.fault = NO_CARD
    state.last[0] = NO_CARD
    state.last[1] = NO_CARD
    state.strokes = 0
    state.effort = 0
    state.penalty = 0
    played = state.score.points[0] + state.score.points[1]
    deciding = not state.score.tiebreak and rules.format.game_points > 1 and played == 2 * (rules.format.game_points - 1)
    if not deciding:
        serve_to(rules, state, BACKHAND if played % 2 == 1 else FOREHAND)
    elif is_virtual(rules, receiver):
        serve_to(rules, state, BACKHAND if roll(chance, 2) == 1 else FOREHAND)
    else:
        state.phase = SIDE
        state.seat = receiver


@inlined
def serve_to(rules, state, zone):
    """R7. The receiver takes his place; on to the serve."""
    server = np.int64(state.score.server)
    state.zone[other(server)] = zone
    state.phase = VIRTUAL_SERVE if is_virtual(rules, server) else SERVING
    state.seat = server


@inlined
def choose_serve(rules, state, serve):
    """R7, R27. A serve card is chosen; if it takes spin, that comes next."""
    player = np.int64(state.striker)
    state.card = STROKES + serve
    state.spin = NO_SPIN
    state.last[player] = state.card
    takes = rules.deck[player].takes_spin[serve]
    if rules.spin and (takes[TOPSPIN] or takes[SLICE]):
        state.phase = SPINNING
    else:
        to_die(rules, state)


@inlined
def to_die(rules, state):
    """R26, D8. A roll is due: first the stars, if there are any and the roll could fail."""
    state.spent = 0
    stars = (rules.stars != 0) & (state.stars[state.striker] > 0) and need(rules, state) > 1
    state.phase = STARRING if stars else DIE


@inlined
def spend_stars(state, stars):
    """R26. Stars are spent on the coming roll."""
    state.stars[state.striker] -= stars
    state.spent = stars
    state.phase = DIE


@inlined
def cast(rules, state, chance):
    """R7, R13, R24, R29. The d20."""
    player, card = np.int64(state.striker), np.int64(state.card)
    die, needed = roll(chance, 20) + 1, need(rules, state)
    ability = rules.card[state.player[player]]
    if die < needed:
        if rules.challenges and needed - die == 1 and state.tokens[player] > 0:
            state.phase = DOUBT
        else:
            miss(state)
    elif card >= STROKES:
        state.phase = MADE
        if die >= rules.deck[player].ace[card - STROKES] - ability.ace_by and rules.deck[player].ace[card - STROKES] < NEVER:
            gain(rules, state)
            win_point(state, player)
    elif die >= ability.winning[rules.deck[player].kind[card]]:
        gain(rules, state)
        win_point(state, player)
    else:
        state.phase = MADE


@inlined
def miss(state):
    """R8, R13. A first serve that misses is followed by a second; any other miss loses the point."""
    player = np.int64(state.striker)
    if state.card >= STROKES and state.fault == NO_CARD:
        state.fault = state.card
        state.card = NO_CARD
        state.spin = NO_SPIN
        state.spent = 0
        state.phase = SERVING
    else:
        win_point(state, other(player))


@njit
def challenge(rules, state, chance):
    """R28, D19. Toss a token: 1 is face up."""
    player = np.int64(state.striker)
    if roll(chance, 2) == 0:
        state.tokens[player] -= 1
        miss(state)
    elif is_kind(rules, player, np.int64(state.card), WINNER):
        gain(rules, state)
        win_point(state, player)
    else:
        clear_table(rules, state)
        state.phase = POINT


# Move and stroke


@inlined
def receive(rules, state):
    """R10, R16, R17, R22, D25. The receiver comes to the ball: free steps by themselves, the others at his choice."""
    player = np.int64(state.striker)
    here, there = np.int64(state.zone[player]), np.int64(state.ball_zone)
    state.seat = player
    if here == NET and not answers_lob_at_net(rules, state):
        state.phase = READY
    elif (
        here != NET
        and there != NET
        and (here == there or here == NEUTRAL or there == NEUTRAL or free_crossing(rules, state, player))
    ):
        state.zone[player] = there
        state.phase = READY
    elif hand_size(state, player) == 0:
        win_point(state, other(player))
    else:
        state.phase = REACH


@inlined
def free_crossing(rules, state, player):
    """R29. Whether a player may cross from side to side at no price."""
    return rules.card[state.player[player]].free_crossing != 0


@njit
def reach(state, card):
    """R10, R17, R22. A card is paid, and the player stands where the ball lands."""
    player = np.int64(state.striker)
    discard(state, player, card)
    state.drawn_in = state.ball_zone == NET
    state.zone[player] = state.ball_zone
    state.phase = READY


@inlined
def ready(rules, state):
    """R18. Whoever has no card for the ball loses the point."""
    player = np.int64(state.striker)
    if hand(state, player) & playable(rules, state, player):
        state.phase = STROKE
    else:
        win_point(state, other(player))


@njit
def play(rules, state, card):
    """R11, R12, R22, D21. A card is played."""
    player = np.int64(state.striker)
    deck = rules.deck[player]
    state.stars[player] -= stars_for(rules, state, player, card)
    leave_hand(state, player, card)
    state.on_table[player] |= one(card)
    state.card = card
    state.last[player] = card
    state.spin = deck.spin[card] if rules.spin else NO_SPIN
    state.spent = 0
    if roll_is_due(rules, state, player, card):
        to_die(rules, state)
    elif rules.card[state.player[player]].winning[deck.kind[card]] < NEVER:
        state.phase = GAMBLE
    else:
        state.phase = MADE


@inlined
def gain(rules, state):
    """R24, D9, D33. A stroke or serve that succeeds earns the stars on its card."""
    if rules.stars:
        gain_stars(rules, state, np.int64(state.striker), np.int64(rules.deck[state.striker].stars[state.card]))


@inlined
def made(rules, state):
    """R14, R24, D27. The stroke succeeds: a winner scores, any other needs a target."""
    player, card = np.int64(state.striker), np.int64(state.card)
    deck = rules.deck[player]
    gain(rules, state)
    if card >= STROKES:
        state.target = state.zone[other(player)]
        state.phase = AIMED
        return
    if deck.kind[card] == WINNER:
        win_point(state, player)
        return
    state.strokes += 1
    state.effort += deck.difficulty[card]
    state.target = deck.target[card]
    taken_anywhere = state.zone[other(player)] == NET and deck.kind[card] != LOB
    state.phase = AIM if deck.aims[card] and not taken_anywhere else AIMED


# After the stroke


@inlined
def may_go_to_net(rules, state):
    """R15, R17, R27, D29. Whether the striker may go to the net now."""
    player = np.int64(state.striker)
    apart = (state.zone[player] != NET) & (state.zone[other(player)] != NET)
    under_lob = is_kind(rules, other(player), np.int64(state.ball), LOB)
    return apart & (under_lob == 0) & ((state.ball_spin != TOPSPIN) | is_virtual(rules, player) | (hand(state, player) != 0))


@inlined
def may_go_back(rules, state):
    """R15, R29. Whether the striker may go to neutral now."""
    player = np.int64(state.striker)
    ability, zone = rules.card[max(0, np.int64(state.player[player]))], state.zone[player]
    from_net = (zone == NET) & ((ability.free_net_back != 0) | (hand(state, player) != 0))
    from_side = (zone != NET) & (zone != NEUTRAL) & ((ability.free_middle != 0) | (state.stars[player] > 0))
    return from_net | from_side


@inlined
def aimed(rules, state):
    """R15. The striker may change his place, if there is a choice."""
    state.phase = POSITION if may_go_to_net(rules, state) | may_go_back(rules, state) else MOVED


@inlined
def move(rules, state, action):
    """R15, R27, R29. The striker stays, goes to the net or goes to neutral, and pays for it with a card or a star."""
    player = np.int64(state.striker)
    ability, zone = rules.card[state.player[player]], np.int64(state.zone[player])
    forward, back = action == GO_TO_NET, action == GO_BACK
    from_net = back & (zone == NET)
    state.zone[player] = NET if forward else NEUTRAL if back else zone
    state.stars[player] -= back & (zone != NET) & (ability.free_middle == 0)
    state.phase = MOVED
    if (forward & (state.ball_spin == TOPSPIN)) | (from_net & (ability.free_net_back == 0)):
        pay_card(state, player)


@njit
def pay_card(state, player):
    """R15, R27. Pay a card; the last one without asking."""
    if hand_size(state, player) > 1:
        state.phase = PAY
        return
    state.discarded[player] |= hand(state, player)
    state.hidden[player] = 0
    state.shown[player] = 0
    state.phase = MOVED


@inlined
def moved(rules, state):
    """R9, R14. The ball is the other player's."""
    spin = max(NO_SPIN, np.int64(state.spin))  # not as it lies: read together with the card, just written, it would have to wait
    state.ball = state.card
    state.ball_spin = spin
    state.ball_zone = state.target
    state.card = NO_CARD
    state.spin = NO_SPIN
    state.spent = 0
    state.asked = 0
    state.drawn_in = 0
    state.striker = other(np.int64(state.striker))
    state.phase = VIRTUAL_STROKE if is_virtual(rules, np.int64(state.striker)) else RECEIVE
