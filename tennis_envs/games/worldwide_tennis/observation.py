"""What a seat sees of Worldwide Tennis, as numbers: all but the opponent's hidden cards and the order of the decks."""

import numpy as np

from tennis_envs.core.game import Encoder
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.layout import Feature, Features
from tennis_envs.core.scoring import MAX_SETS, other
from tennis_envs.games.worldwide_tennis.components import KINDS, MAX_PLAYERS, RISKS, SERVES, STROKES, SURFACES, ZONES
from tennis_envs.games.worldwide_tennis.rules.bits import holds, size, write_signs
from tennis_envs.games.worldwide_tennis.rules.cards import hand, hand_size, need
from tennis_envs.games.worldwide_tennis.rules.point import is_virtual
from tennis_envs.games.worldwide_tennis.state import (
    DOUBT,
    GAMBLE,
    HAND,
    NO_CARD,
    NOT_CHOSEN,
    OVER,
    PHASES,
    SLICE,
    STARRING,
    TOKENS,
    TOPSPIN,
)

_KIND_LABELS = (*KINDS, "serve")
_PLAYER_LABELS = ("none", *(f"card {i}" for i in range(1, MAX_PLAYERS + 1)))
_SERVE_LABELS = tuple(str(STROKES + 1 + i) for i in range(SERVES))
# What counts as 1; powers of two, so that scaling is exact.
_POINTS, _GAMES, _SETS, _STARS, _HAND, _NEED, _EFFORT, _STROKE_COUNT, _PENALTIES = 16, 8, 4, 8, 16, 32, 64, 16, 8

_SHARED = (
    Feature("to_move", about="1 if this seat decides"),
    Feature("phase", len(PHASES), about="what is decided", labels=PHASES),
    Feature("striking", about="1 if the serve or stroke is this seat's"),
    Feature("my_zone", len(ZONES), about="where this seat stands", labels=ZONES),
    Feature("their_zone", len(ZONES), about="where the opponent stands", labels=ZONES),
    Feature("my_stars", about=f"of {_STARS}"),
    Feature("their_stars", about=f"of {_STARS}"),
    Feature("my_tokens", about=f"challenges, of {TOKENS}"),
    Feature("their_tokens", about=f"challenges, of {TOKENS}"),
    Feature("my_hand", about=f"cards in hand, of {_HAND}, at most 1"),
    Feature("their_hand", about=f"cards in hand, of {_HAND}, at most 1; the virtual opponent's never run out: {HAND}"),
    Feature("my_player", MAX_PLAYERS + 1, about="player card", labels=_PLAYER_LABELS),
    Feature("their_player", MAX_PLAYERS + 1, about="player card", labels=_PLAYER_LABELS),
    Feature("surface", len(SURFACES), about="the court", labels=SURFACES),
    Feature("ball_kind", len(_KIND_LABELS), about="the ball to answer", labels=_KIND_LABELS),
    Feature("ball_risk", len(RISKS), about="its colour", labels=RISKS),
    Feature("ball_zone", len(ZONES), about="where it lands", labels=ZONES),
    Feature("ball_adds", low=-1, about=f"what it adds to the reply on this surface, of {_NEED}"),
    Feature("ball_spin", 2, about="its spin", labels=("topspin", "slice")),
    Feature("drawn_in", about="1 if the striker came in for a drop shot"),
    Feature("card_kind", len(_KIND_LABELS), about="the card being played", labels=_KIND_LABELS),
    Feature("card_difficulty", about="its difficulty, of 32"),
    Feature("card_spin", 2, about="its spin", labels=("topspin", "slice")),
    Feature("card_need", low=-1, about=f"what the d20 must show, of {_NEED}, while a roll is in question"),
    Feature("fault", SERVES, about="the first serve that missed", labels=_SERVE_LABELS),
    Feature("strokes", about=f"in this rally, of {_STROKE_COUNT}, at most 1"),
    Feature("effort", about=f"sum of their difficulties, of {_EFFORT}, at most 1"),
    Feature("penalty", about=f"of the virtual opponent, of {_PENALTIES}, at most 1"),
    Feature("serving", about="1 if this seat serves"),
    Feature("tiebreak", about="1 in a tie-break"),
    Feature("my_points", about=f"in the game or tie-break, of {_POINTS}, at most 1"),
    Feature("their_points", about=f"in the game or tie-break, of {_POINTS}, at most 1"),
    Feature("points_lead", low=-1, about="difference of these points, of 4, between -1 and 1"),
    Feature("my_games", about="in the set, of 8"),
    Feature("their_games", about="in the set, of 8"),
    Feature("my_sets", about="of 4"),
    Feature("their_sets", about="of 4"),
    Feature("my_cards", STROKES, low=-1, about="card by card: 1 in hand, 0 in the deck, -1 played, discarded or removed"),
    Feature("their_cards", STROKES, low=-1, about="1 known to be in hand, 0 in the deck or hidden in hand, -1 as above"),
)

FLAT = Features(*_SHARED)
FULL = Features(
    *_SHARED,
    Feature("their_hidden", STROKES, about="1 if the card is hidden in the opponent's hand"),
    Feature("my_hidden", STROKES, about="1 if the card is in hand and the opponent does not know it"),
    Feature("my_table", STROKES, about="1 if the card lies on the table"),
    Feature("their_table", STROKES, about="1 if the card lies on the table"),
    Feature("ends", about="1 after an odd number of changes of ends"),
    Feature("opener", about="1 if this seat served first in the game or tie-break"),
    Feature("played", 2 * MAX_SETS, about="games of the finished sets, of 8", labels=("my", "their") * MAX_SETS),
    Feature("lead", low=-1, about="points won less points lost, of 256, between -1 and 1"),
)

(
    _TO_MOVE, _PHASE, _STRIKING, _MY_ZONE, _THEIR_ZONE, _MY_STARS, _THEIR_STARS, _MY_TOKENS, _THEIR_TOKENS, _MY_HAND,
    _THEIR_HAND, _MY_PLAYER, _THEIR_PLAYER, _SURFACE, _BALL_KIND, _BALL_RISK, _BALL_ZONE,
    _BALL_ADDS, _BALL_SPIN, _DRAWN_IN, _CARD_KIND, _CARD_DIFFICULTY, _CARD_SPIN, _CARD_NEED, _FAULT,
    _STROKES_PLAYED, _EFFORTS, _PENALTY, _SERVING, _TIEBREAK, _MY_POINTS, _THEIR_POINTS, _POINTS_LEAD,
    _MY_GAMES, _THEIR_GAMES,
    _MY_SETS, _THEIR_SETS, _MY_CARDS, _THEIR_CARDS,
) = (FLAT.start(feature.name) for feature in FLAT)  # fmt: skip
(_THEIR_HIDDEN, _MY_HIDDEN, _MY_TABLE, _THEIR_TABLE, _ENDS, _OPENER, _PLAYED, _LEAD) = (
    FULL.start(feature.name) for feature in list(FULL)[len(_SHARED) :]
)


@inlined
def observe(rules, state, seat, out):
    """The view of `seat`, its own side first."""
    for place in range(len(out)):
        out[place] = 0
    them = other(seat)
    out[_TO_MOVE] = seat == state.seat and state.phase != OVER
    out[_PHASE + np.int64(state.phase)] = 1
    out[_STRIKING] = state.striker == seat
    out[_MY_ZONE + np.int64(state.zone[seat])] = 1
    out[_THEIR_ZONE + np.int64(state.zone[them])] = 1
    out[_MY_STARS] = state.stars[seat] / _STARS
    out[_THEIR_STARS] = state.stars[them] / _STARS
    out[_MY_TOKENS] = state.tokens[seat] / TOKENS
    out[_THEIR_TOKENS] = state.tokens[them] / TOKENS
    if state.player[seat] != NOT_CHOSEN:
        out[_MY_PLAYER + np.int64(state.player[seat])] = 1
    if state.player[them] != NOT_CHOSEN:
        out[_THEIR_PLAYER + np.int64(state.player[them])] = 1
    out[_SURFACE + np.int64(state.surface)] = 1
    _cards(rules, state, seat, out)
    _ball(rules, state, out)
    _card(rules, state, out)
    out[_DRAWN_IN] = state.drawn_in
    if state.fault != NO_CARD:
        out[_FAULT + np.int64(state.fault) - STROKES] = 1
    out[_STROKES_PLAYED] = min(1.0, state.strokes / _STROKE_COUNT)
    out[_EFFORTS] = min(1.0, state.effort / _EFFORT)
    out[_PENALTY] = min(1.0, state.penalty / _PENALTIES)
    _score(state.score, seat, out)


@inlined
def _cards(rules, state, seat, out):
    """Where both players' cards are, as far as `seat` can tell."""
    them = other(seat)
    held, known = hand(state, seat), state.shown[them]
    write_signs(held, ~(state.in_deck[seat] | held), out[_MY_CARDS : _MY_CARDS + STROKES])
    write_signs(known, ~(state.in_deck[them] | hand(state, them)), out[_THEIR_CARDS : _THEIR_CARDS + STROKES])
    out[_MY_HAND] = min(1.0, size(held) / _HAND)
    out[_THEIR_HAND] = min(1.0, (HAND if is_virtual(rules, them) else hand_size(state, them)) / _HAND)


@inlined
def _ball(rules, state, out):
    """The ball to answer."""
    if state.ball == NO_CARD:
        return
    deck = rules.deck[other(np.int64(state.striker))]
    out[_BALL_KIND + np.int64(deck.kind[state.ball])] = 1
    out[_BALL_RISK + np.int64(deck.risk[state.ball])] = 1
    out[_BALL_ZONE + np.int64(state.ball_zone)] = 1
    out[_BALL_ADDS] = deck.adds[state.surface, state.ball] / _NEED
    out[_BALL_SPIN] = state.ball_spin == TOPSPIN
    out[_BALL_SPIN + 1] = state.ball_spin == SLICE


@inlined
def _card(rules, state, out):
    """The card being played."""
    card = np.int64(state.card)
    if card == NO_CARD:
        return
    striker = np.int64(state.striker)
    deck = rules.deck[striker]
    out[_CARD_KIND + np.int64(deck.kind[card])] = 1
    out[_CARD_DIFFICULTY] = deck.difficulty[card] / _NEED
    out[_CARD_SPIN] = state.spin == TOPSPIN
    out[_CARD_SPIN + 1] = state.spin == SLICE
    if state.phase == STARRING or state.phase == GAMBLE or state.phase == DOUBT:
        out[_CARD_NEED] = min(1.0, max(-1.0, need(rules, state) / _NEED))


@inlined
def _score(score, seat, out):
    """The score, own side first."""
    them = other(seat)
    out[_SERVING] = score.server == seat
    out[_TIEBREAK] = score.tiebreak
    out[_MY_POINTS] = min(1.0, score.points[seat] / _POINTS)
    out[_THEIR_POINTS] = min(1.0, score.points[them] / _POINTS)
    out[_POINTS_LEAD] = min(1.0, max(-1.0, (score.points[seat] - score.points[them]) / 4))
    out[_MY_GAMES] = score.games[seat] / _GAMES
    out[_THEIR_GAMES] = score.games[them] / _GAMES
    out[_MY_SETS] = score.sets[seat] / _SETS
    out[_THEIR_SETS] = score.sets[them] / _SETS


@njit
def observe_full(rules, state, seat, out):
    """The whole state as `seat` would tell it: for a centralised critic."""
    observe(rules, state, seat, out)
    them = other(seat)
    for card in range(STROKES):
        out[_THEIR_HIDDEN + card] = holds(state.hidden[them], card)
        out[_MY_HIDDEN + card] = holds(state.hidden[seat], card)
        out[_MY_TABLE + card] = holds(state.on_table[seat], card)
        out[_THEIR_TABLE + card] = holds(state.on_table[them], card)
    out[_ENDS] = state.score.ends
    out[_OPENER] = state.score.opener == seat
    for played in range(MAX_SETS):
        out[_PLAYED + 2 * played] = state.score.played[played, seat] / _GAMES
        out[_PLAYED + 2 * played + 1] = state.score.played[played, them] / _GAMES
    out[_LEAD] = min(1.0, max(-1.0, state.lead / 256))


ENCODERS = {"flat": Encoder(FLAT, observe), "full": Encoder(FULL, observe_full)}
