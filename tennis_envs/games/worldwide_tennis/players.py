"""A scripted player with a sense of position, card supply and risk; it looks one exchange ahead."""

import numpy as np

from tennis_envs.core.chance import roll
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.scoring import other
from tennis_envs.games.worldwide_tennis.actions import (
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
from tennis_envs.games.worldwide_tennis.rules.bits import holds, one, size
from tennis_envs.games.worldwide_tennis.rules.cards import (
    answers_lob_at_net,
    hand,
    hand_size,
    roll_is_due,
    serve_need,
    stars_for,
    stroke_need,
)
from tennis_envs.games.worldwide_tennis.state import (
    AIM,
    ANYWHERE,
    BACKHAND,
    BLUE,
    DOUBT,
    ENDS,
    FOREHAND,
    GAMBLE,
    LOB,
    MOST_STARS,
    NET,
    NEUTRAL,
    NEVER,
    NO_CARD,
    NO_SPIN,
    PAY,
    POSITION,
    REACH,
    SERVES,
    SERVING,
    SIDE,
    SLICE,
    SPINNING,
    STARRING,
    STROKE,
    STROKES,
    TAKING,
    TOPSPIN,
    TRIM,
    WINNER,
)

_STAR = 0.035  # what a star is worth, in points
_CARD = 0.02  # what making the opponent pay a card is worth
_EVEN = 0.5  # what a rally is worth to whoever hits next but one, with a card for every ball
_REPLY = 2.5  # difficulty of a usual reply from the back
_VOLLEY = 3.5  # and from the net
_NO_ROLL = 0.96  # chance that a blue ball comes back
_LOB_BACK = 0.6  # chance that a lob does
_SHORT_HAND = 2  # cards missing beyond which a player recovers
_STARS_TO_TAKE = 3  # stars with which one is paid for a discard
_FULL_NET = 2  # volleys with which a player may follow to the net


@inlined
def _odds(needed):
    """The chance that a d20 shows at least `needed`."""
    return min(1.0, max(0.0, (21 - needed) / 20))


@njit
def _supply(rules, state, player, zone, without):
    """How many cards but one a player holds for a ball that he takes in a zone."""
    opponent_at_net = 1 if state.zone[other(player)] == NET else 0
    return size(rules.deck[player].playable[zone, opponent_at_net] & hand(state, player) & ~one(without))


@njit
def _cover(rules, state, player, zone, without):
    """How safely a player in a zone has a card for the next ball, 0 to 1."""
    if zone == NET:
        return min(1.0, 0.7 * _supply(rules, state, player, NET, without))
    cover = 0.0
    for there in range(NET):
        cards = _supply(rules, state, player, there, without)
        crossing = there != zone and there != NEUTRAL and zone != NEUTRAL
        worth = min(1.0, 0.7 + 0.15 * cards) if cards > 0 else 0.0
        cover += worth - (0.15 if crossing else 0.0)
    return cover / 3


@njit
def _comes_back(rules, state, player, card, spin):
    """The chance that the opponent answers a stroke or serve of a player."""
    deck = rules.deck[player]
    them = other(player)
    adds = np.int64(deck.adds[state.surface, card])
    kind = deck.kind[card]
    if kind == LOB:
        return _LOB_BACK
    if card < STROKES and deck.targets[card, NET]:
        return _odds(_REPLY + adds) if hand_size(state, them) > 1 else 0.0
    if state.zone[them] == NET:
        return _odds(_VOLLEY + adds)
    slice_cost = 0.02 if spin == SLICE else 0.0
    if deck.risk[card] == BLUE:
        return _NO_ROLL - slice_cost
    return _odds(_REPLY + adds) - slice_cost


@njit
def _after(rules, state, player, card, spin):
    """What a stroke is worth once it has succeeded."""
    back = _comes_back(rules, state, player, card, spin)
    without = card if card < STROKES else NO_CARD
    return 1 - back + back * _EVEN * _cover(rules, state, player, np.int64(state.zone[player]), without)


@njit
def _stroke_worth(rules, state, player, card, stars, rolled):
    """What a stroke is worth with stars spent, the stars not counted."""
    deck = rules.deck[player]
    winner = deck.kind[card] == WINNER
    spin = np.int64(deck.spin[card]) if rules.spin else NO_SPIN
    won = 1.0 if winner else _after(rules, state, player, card, spin)
    if not rolled:
        return won
    needed = stroke_need(rules, state, player, card) - rules.star_rally[stars]
    on = np.int64(rules.card[state.player[player]].winning[deck.kind[card]])
    at_once = _odds(max(on, needed))
    return at_once + (_odds(needed) - at_once) * won


@njit
def _best_stroke(rules, state, player, mask):
    """The card worth most, by itself and by the stars that it may need; giving up if nothing can succeed."""
    best, value = GIVE_UP, 0.0
    stars = np.int64(state.stars[player]) if rules.stars else 0
    for card in range(STROKES):
        if mask[PLAY + card]:
            price = stars_for(rules, state, player, card)
            due = roll_is_due(rules, state, player, card)
            worth = 0.0
            for spent in range(min(3, stars - price) + 1 if due else 1):
                worth = max(worth, _stroke_worth(rules, state, player, card, spent, due) - _STAR * spent)
            worth += _STAR * (rules.deck[player].stars[card] * rules.stars - price)
            if worth > value:
                best, value = PLAY + card, worth
    return best


@njit
def _stars(rules, state, player):
    """How many stars to spend on the roll that is due."""
    card = np.int64(state.card)
    serve = card >= STROKES
    most = min(2 if serve else 3, np.int64(state.stars[player]))
    after = _after(rules, state, player, card, np.int64(state.spin)) if serve else 0.0
    fallback = _fallback(rules, state, player, card - STROKES) if serve else 0.0
    best, value = 0, -1.0
    for spent in range(most + 1):
        if serve:
            worth = _served(rules, state, player, card - STROKES, np.int64(state.spin), spent, after, fallback)
        else:
            worth = _stroke_worth(rules, state, player, card, spent, True) - _STAR * spent
        if worth > value:
            best, value = spent, worth
    return STARS + best


@njit
def _served(rules, state, player, serve, spin, stars, after, fallback):
    """What a serve is worth, stars paid: `after` is the worth of one that is in, `fallback` what a fault leaves."""
    deck = rules.deck[player]
    needed = serve_need(rules, state, player, serve, spin) - rules.star_serve[stars]
    ace = np.int64(deck.ace[serve])
    if ace < NEVER:
        ace -= rules.card[state.player[player]].ace_by
    inside = _odds(needed)
    at_once = _odds(max(ace, needed))
    worth = at_once + (inside - at_once) * after + (1 - inside) * fallback - _STAR * stars
    return worth + (_CARD * inside if spin == TOPSPIN else 0.0)


@njit
def _fallback(rules, state, player, serve):
    """What is left after a fault with a serve: the best second serve, or nothing."""
    value = 0.0
    if state.fault == NO_CARD:
        for second in range(SERVES):
            if second != serve:
                after = _after(rules, state, player, STROKES + second, NO_SPIN)
                value = max(value, _served(rules, state, player, second, NO_SPIN, 0, after, 0.0))
    return value


@njit
def _serve_worth(rules, state, player, serve, spin):
    """What a serve is worth with the stars that serve it best."""
    after = _after(rules, state, player, STROKES + serve, spin)
    fallback = _fallback(rules, state, player, serve)
    most = min(2, np.int64(state.stars[player])) if rules.stars else 0
    value = -1.0
    for spent in range(most + 1):
        value = max(value, _served(rules, state, player, serve, spin, spent, after, fallback))
    return value


@njit
def _best_serve(rules, state, player, mask):
    """The serve worth most."""
    best, value = 0, -1.0
    for serve in range(SERVES):
        if mask[SERVE + serve]:
            worth = _serve_worth(rules, state, player, serve, NO_SPIN)
            if worth > value:
                best, value = serve, worth
    return SERVE + best


@njit
def _best_spin(rules, state, player, mask):
    """The spin worth most on the serve that was chosen."""
    best, value = 0, -1.0
    for spin in range(3):
        if mask[SPIN + spin]:
            worth = _serve_worth(rules, state, player, np.int64(state.card) - STROKES, spin)
            if worth > value:
                best, value = spin, worth
    return SPIN + best


@njit
def _keep(rules, state, player, card):
    """What a card is worth in hand: more if few others are played from the same zones."""
    deck = rules.deck[player]
    kind = deck.kind[card]
    worth = 0.1 * np.int64(deck.stars[card]) + 0.02 * np.int64(deck.adds[state.surface, card])
    held = hand(state, player) & ~one(card)
    for zone in range(NET + 1):
        fits = deck.playable[zone, 0] | deck.playable[zone, 1]
        if holds(fits, card):
            worth += (0.5 if zone == NET else 1.0) / (1 + size(fits & held))
    return worth + (2.0 if kind == WINNER else 0.0)


@njit
def _worst(rules, state, player, mask):
    """The card that is missed least."""
    best, value = DISCARD, 1e9
    for card in range(STROKES):
        if mask[DISCARD + card]:
            worth = _keep(rules, state, player, card)
            if worth < value:
                best, value = DISCARD + card, worth
    return best


@njit
def _reach(rules, state, player, mask):
    """Smash a lob; else pay for the ball if there is a card for it."""
    if answers_lob_at_net(rules, state):
        for card in range(STROKES):
            if mask[PLAY + card]:
                return PLAY + card
    paid = _worst_but_last(rules, state, player, mask)
    zone = ANYWHERE if state.ball_zone == NET else np.int64(state.ball_zone)
    return paid if _supply(rules, state, player, zone, paid - DISCARD) > 0 else GIVE_UP


@njit
def _worst_but_last(rules, state, player, mask):
    """The card that is missed least, but not the only one for this ball."""
    zone = ANYWHERE if state.ball_zone == NET else np.int64(state.ball_zone)
    best, value = DISCARD, 1e9
    for card in range(STROKES):
        if mask[DISCARD + card]:
            worth = _keep(rules, state, player, card)
            if _supply(rules, state, player, zone, card) == 0:
                worth += 100
            if worth < value:
                best, value = DISCARD + card, worth
    return best


@njit
def _position(rules, state, player, mask):
    """Where the next ball is best taken."""
    card, here = np.int64(state.card), np.int64(state.zone[player])
    stay = _cover(rules, state, player, here, NO_CARD)
    if here == NET and _supply(rules, state, player, NET, NO_CARD) > 0:
        stay += 0.1
    best, value = STAY, stay
    if mask[GO_TO_NET] and _supply(rules, state, player, NET, NO_CARD) >= _FULL_NET:
        hard = np.int64(rules.deck[player].adds[state.surface, card]) / 20
        worth = 0.8 + hard
        if worth > value:
            best, value = GO_TO_NET, worth
    if mask[GO_BACK]:
        worth = _cover(rules, state, player, NEUTRAL, NO_CARD) - (0.05 if here == NET else 2 * _STAR)
        if worth > value:
            best, value = GO_BACK, worth
    return best


@njit
def _target(state, player, mask):
    """Away from where the opponent stands, and not to the middle."""
    there = np.int64(state.zone[other(player)])
    best, value = TARGET, -1.0
    for zone in range(NET):
        if mask[TARGET + zone]:
            worth = 0.0 if zone == NEUTRAL else 2.0 if zone != there and there != NEUTRAL else 1.0
            if worth > value:
                best, value = TARGET + zone, worth
    return best


@njit
def _take(rules, state, player, mask):
    """The best discard, if stars are plenty."""
    best, value = TAKE_NONE, 0.0
    if state.stars[player] < _STARS_TO_TAKE:
        return best
    for card in range(STROKES):
        if mask[TAKE + card]:
            worth = _keep(rules, state, player, card)
            if worth > value:
                best, value = TAKE + card, worth
    return best


@njit
def scripted(rules, state, mask, chance):
    """Sensible tennis: every choice by what it is worth about one exchange ahead."""
    phase, player = np.int64(state.phase), np.int64(state.seat)
    if phase == STROKE:
        return _best_stroke(rules, state, player, mask)
    if phase == POSITION:
        return _position(rules, state, player, mask)
    if phase == AIM:
        return _target(state, player, mask)
    if phase == STARRING:
        return _stars(rules, state, player)
    if phase == SERVING:
        return _best_serve(rules, state, player, mask)
    if phase == SPINNING:
        return _best_spin(rules, state, player, mask)
    if phase == REACH:
        return _reach(rules, state, player, mask)
    if phase == PAY or phase == TRIM:
        return _worst(rules, state, player, mask)
    if phase == TAKING:
        return _take(rules, state, player, mask)
    if phase == GAMBLE:
        rolled = _stroke_worth(rules, state, player, np.int64(state.card), 0, True)
        return ROLL if rolled > _stroke_worth(rules, state, player, np.int64(state.card), 0, False) else PLAY_SAFE
    if phase == DOUBT:
        return CHALLENGE
    if phase == ENDS:
        missing = rules.card[state.player[player]].hand - hand_size(state, player)
        return RECOVER if missing > _SHORT_HAND or state.stars[player] >= MOST_STARS else FOCUS
    if phase == SIDE:
        forehands = _supply(rules, state, player, FOREHAND, NO_CARD)
        return SIDE_FOREHAND if forehands >= _supply(rules, state, player, BACKHAND, NO_CARD) else SIDE_BACKHAND
    legal = 0
    for action in range(PLAYER, PLAYER + 1 + rules.players):
        legal += mask[action]
    left = roll(chance, legal)
    action = PLAYER
    while mask[action] == 0 or left > 0:
        left -= mask[action]
        action += 1
    return action


PLAYERS = {"scripted": scripted}
