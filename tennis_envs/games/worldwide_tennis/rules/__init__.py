"""Worldwide Tennis's rules, by the rulebook's chapters; R and D numbers are those of this folder's README.

A phase below `OVER` waits for a decision of `state.seat`; those above it run by themselves.
"""

import numpy as np

from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.scoring import other
from tennis_envs.games.worldwide_tennis.actions import (
    ACCEPT,
    CHALLENGE,
    DISCARD,
    FOCUS,
    GIVE_UP,
    GO_BACK,
    GO_TO_NET,
    PLAY,
    PLAY_SAFE,
    PLAYER,
    RECOVER,
    ROLL,
    SERVE,
    SIDE_BACKHAND,
    SIDE_FOREHAND,
    SPIN,
    STARS,
    STAY,
    TAKE,
    TAKE_NONE,
    TARGET,
)
from tennis_envs.games.worldwide_tennis.rules.between import (
    ask_for_card,
    deal_hidden,
    deal_playable,
    end_point,
    next_to_change,
    refresh,
    setup_match,
    take,
    trim,
)
from tennis_envs.games.worldwide_tennis.rules.bits import write_holds
from tennis_envs.games.worldwide_tennis.rules.cards import (
    affordable,
    answers_lob_at_net,
    discard,
    hand,
    playable,
)
from tennis_envs.games.worldwide_tennis.rules.point import (
    aimed,
    cast,
    challenge,
    choose_serve,
    made,
    may_go_back,
    may_go_to_net,
    miss,
    move,
    moved,
    play,
    reach,
    ready,
    receive,
    serve_to,
    spend_stars,
    start_point,
    to_die,
    win_point,
)
from tennis_envs.games.worldwide_tennis.rules.solo import virtual_serve, virtual_stroke
from tennis_envs.games.worldwide_tennis.state import (
    AIM,
    AIMED,
    BACKHAND,
    CHOOSE,
    DIE,
    DOUBT,
    ENDS,
    FOREHAND,
    GAMBLE,
    MADE,
    MOVED,
    NET,
    OVER,
    PAY,
    POINT,
    POSITION,
    REACH,
    READY,
    RECEIVE,
    SERVES,
    SERVING,
    SIDE,
    SPINNING,
    STARRING,
    STROKE,
    STROKES,
    TAKING,
    TRIM,
    VIRTUAL_SERVE,
    VIRTUAL_STROKE,
    WON,
)

TRIES = 64  # deals that `redeal` tries before it puts a card that fits among the hidden ones


@njit
def apply(rules, state, chance, action):
    """Take a legal action, and go on with all that follows by itself, up to the next decision or the end."""
    phase = np.int64(state.phase)
    if action == GIVE_UP:
        win_point(state, other(np.int64(state.striker)))
    elif phase == STROKE:
        play(rules, state, action - PLAY)
    elif phase == TRIM:
        trim(rules, state, action - DISCARD)
    elif phase == POSITION:
        move(rules, state, action)
    elif phase == SERVING:
        choose_serve(rules, state, action - SERVE)
    elif phase == SPINNING:
        state.spin = action - SPIN
        to_die(rules, state)
    elif phase == AIM:
        state.target = action - TARGET
        state.phase = AIMED
    elif phase == STARRING:
        spend_stars(state, action - STARS)
    else:
        _seldom(rules, state, chance, action)
    while state.phase > OVER:
        _go_on(rules, state, chance)


@njit
def _seldom(rules, state, chance, action):
    """The actions of the phases that come seldom."""
    if action >= TAKE:
        take(state, action - TAKE)
        next_to_change(rules, state)
    elif action >= DISCARD:
        if state.phase == PAY:
            discard(state, np.int64(state.striker), action - DISCARD)
            state.phase = MOVED
        else:
            reach(state, action - DISCARD)
    elif action >= PLAY:
        play(rules, state, action - PLAY)
    elif action >= PLAYER:
        state.player[state.seat] = action - PLAYER
        ask_for_card(rules, state, chance)
    elif action >= SIDE_FOREHAND:
        serve_to(rules, state, FOREHAND if action == SIDE_FOREHAND else BACKHAND)
    elif action == ROLL:
        state.asked = 1
        to_die(rules, state)
    elif action == PLAY_SAFE:
        state.phase = MADE
    elif action == CHALLENGE:
        challenge(rules, state, chance)
    elif action == ACCEPT:
        miss(state)
    elif action == RECOVER:
        refresh(rules, state, chance, 1, 0)
    elif action == FOCUS:
        refresh(rules, state, chance, 0, 2)
    else:
        next_to_change(rules, state)


@inlined
def _go_on(rules, state, chance):
    """The phases that run by themselves, in the order in which they follow each other: most of them at one go."""
    if rules.solo:
        if state.phase == VIRTUAL_SERVE:
            virtual_serve(rules, state, chance)
        elif state.phase == VIRTUAL_STROKE:
            virtual_stroke(rules, state, chance)
    if state.phase == DIE:
        cast(rules, state, chance)
    if state.phase == MADE:
        made(rules, state)
    if state.phase == AIMED:
        aimed(rules, state)
    if state.phase == MOVED:
        moved(rules, state)
    if state.phase == RECEIVE:
        receive(rules, state)
    if state.phase == READY:
        ready(rules, state)
    if state.phase == WON:
        end_point(rules, state, chance)
    if state.phase == POINT:
        start_point(rules, state, chance)


@njit
def setup(rules, state, chance):
    """R6. From a record of zeros to the first decision."""
    setup_match(rules, state, chance)
    while state.phase > OVER:
        _go_on(rules, state, chance)


@inlined
def legal(rules, state, mask):
    """What the seat to move may do, phase by phase."""
    for action in range(len(mask)):
        mask[action] = 0
    seat, phase = np.int64(state.seat), np.int64(state.phase)
    if phase == STROKE:
        mask[GIVE_UP] = 1
        _allow(mask, PLAY, hand(state, seat) & playable(rules, state, seat))
    elif phase == POSITION:
        mask[STAY] = 1
        mask[GO_TO_NET] = may_go_to_net(rules, state)
        mask[GO_BACK] = may_go_back(rules, state)
    elif phase == AIM:
        for zone in range(NET):
            mask[TARGET + zone] = rules.deck[seat].targets[state.card, zone]
    elif phase == STARRING:
        most = 2 if state.card >= STROKES else 3
        for stars in range(4):
            mask[STARS + stars] = stars <= min(most, np.int64(state.stars[seat]))
    elif phase == SERVING:
        for serve in range(SERVES):
            mask[SERVE + serve] = state.fault != STROKES + serve
    elif phase == SPINNING:
        for spin in range(3):
            mask[SPIN + spin] = rules.deck[seat].takes_spin[state.card - STROKES, spin]
    elif phase == REACH:
        mask[GIVE_UP] = 1
        _allow(mask, DISCARD, hand(state, seat))
        if answers_lob_at_net(rules, state):
            _allow(mask, PLAY, hand(state, seat) & rules.deck[seat].smashes & affordable(rules, state, seat))
    elif phase == PAY or phase == TRIM:
        _allow(mask, DISCARD, hand(state, seat))
    elif phase == TAKING:
        mask[TAKE_NONE] = 1
        _allow(mask, TAKE, state.discarded[seat])
    elif phase == GAMBLE:
        mask[ROLL] = 1
        mask[PLAY_SAFE] = 1
    elif phase == DOUBT:
        mask[CHALLENGE] = 1
        mask[ACCEPT] = 1
    elif phase == ENDS:
        mask[RECOVER] = 1
        mask[FOCUS] = 1
    elif phase == SIDE:
        mask[SIDE_FOREHAND] = 1
        mask[SIDE_BACKHAND] = 1
    elif phase == CHOOSE:
        for card in range(rules.players + 1):
            mask[PLAYER + card] = card == 0 or state.player[other(seat)] != card


@inlined
def _allow(mask, first, cards):
    """One action a card, from `first` on: those of a set are legal."""
    write_holds(cards, mask[first : first + STROKES])


@njit
def redeal(rules, state, seat, chance):
    """D32. Deal the opponent's hidden cards anew; if he is asked for a stroke, he holds one that fits."""
    player = other(seat)
    if rules.solo or state.hidden[player] == 0:
        return
    for _ in range(TRIES):
        deal_hidden(state, chance, player)
        if state.phase != STROKE or state.seat != player or hand(state, player) & playable(rules, state, player):
            return
    deal_playable(rules, state, chance, player)
