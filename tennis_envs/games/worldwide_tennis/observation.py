"""What a seat sees of Worldwide Tennis, as numbers: all but the opponent's hidden cards and the order of the decks."""

import numpy as np

from tennis_envs.core.game import Encoder
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.layout import Feature, Features
from tennis_envs.core.scoring import MAX_SETS, SCORE, other
from tennis_envs.core.views import paired, scaled, write_flag
from tennis_envs.games.worldwide_tennis.components import KINDS, MAX_PLAYERS, RISKS, SERVES, STROKES, SURFACES, ZONES
from tennis_envs.games.worldwide_tennis.rules.bits import size, write_signs
from tennis_envs.games.worldwide_tennis.rules.cards import hand, need
from tennis_envs.games.worldwide_tennis.rules.point import is_virtual
from tennis_envs.games.worldwide_tennis.state import (
    DOUBT,
    GAMBLE,
    HAND,
    MOST_NEEDED,
    NOT_CHOSEN,
    OVER,
    PHASES,
    STARRING,
    STATE,
    TOKENS,
)

_KIND_LABELS = (*KINDS, "serve")
_PLAYER_LABELS = ("none", *(f"card {i}" for i in range(1, MAX_PLAYERS + 1)))
_SERVE_LABELS = tuple(str(STROKES + 1 + i) for i in range(SERVES))
# What counts as 1; powers of two, so that scaling is exact.
_POINTS, _GAMES, _SETS, _STARS, _HAND, _EFFORT, _STROKE_COUNT, _PENALTIES, _LEADS = 16, 8, 4, 8, 16, 64, 16, 8, 4
_NEED = MOST_NEEDED
_ROLLING = 1 << STARRING | 1 << GAMBLE | 1 << DOUBT  # the phases in which a roll is in question

_write_resources = paired(STATE, {"stars": _STARS, "tokens": TOKENS})
_write_rally = scaled(STATE, {"strokes": _STROKE_COUNT, "effort": _EFFORT}, capped=True)
_write_points = paired(SCORE, {"points": _POINTS}, capped=True)
_write_sets = paired(SCORE, {"games": _GAMES, "sets": _SETS})

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
    Feature("points_lead", low=-1, about=f"difference of these points, of {_LEADS}, between -1 and 1"),
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
# A spin is marked from the place before on: that is then overwritten, and no spin needs no question.
_BEFORE_BALL_SPIN, _BEFORE_CARD_SPIN = _BALL_ADDS, _CARD_DIFFICULTY
(_THEIR_HIDDEN, _MY_HIDDEN, _MY_TABLE, _THEIR_TABLE, _ENDS, _OPENER, _PLAYED, _LEAD) = (
    FULL.start(feature.name) for feature in list(FULL)[len(_SHARED) :]
)


@inlined
def observe(rules, state, seat, out):
    """The view of `seat`, its own side first.

    Written without branches: what chance decides a processor cannot foresee. Where there is nothing to show, a 0 is written.
    """
    for place in range(_STROKES_PLAYED):  # what comes after is written in any case
        out[place] = 0
    them = other(seat)
    write_flag((seat == state.seat) & (state.phase != OVER), out, _TO_MOVE)
    out[_PHASE + np.int64(state.phase)] = 1
    write_flag(state.striker == seat, out, _STRIKING)
    out[_MY_ZONE + np.int64(state.zone[seat])] = 1
    out[_THEIR_ZONE + np.int64(state.zone[them])] = 1
    _write_resources(state, seat, out, _MY_STARS)
    if state.player[seat] != NOT_CHOSEN:
        out[_MY_PLAYER + np.int64(state.player[seat])] = 1
    if state.player[them] != NOT_CHOSEN:
        out[_THEIR_PLAYER + np.int64(state.player[them])] = 1
    out[_SURFACE + np.int64(state.surface)] = 1
    _cards(rules, state, seat, out)
    _ball(rules, state, out)
    _card(rules, state, out)
    out[_DRAWN_IN] = state.drawn_in
    fault = np.int64(state.fault) - STROKES
    write_flag(fault >= 0, out, _FAULT + max(0, fault))
    _write_rally(state, out, _STROKES_PLAYED)
    out[_PENALTY] = _part(min(_PENALTIES, np.int64(state.penalty)), _PENALTIES)
    _score(state.score, seat, out)


@inlined
def _part(amount, whole):
    """An amount as a part of a power of two: exact."""
    return np.float32(amount) * np.float32(1 / whole)


@inlined
def _cards(rules, state, seat, out):
    """Where both players' cards are, as far as `seat` can tell."""
    them = other(seat)
    held, known, theirs = hand(state, seat), state.shown[them], hand(state, them)
    write_signs(held, ~(state.in_deck[seat] | held), out[_MY_CARDS : _MY_CARDS + STROKES])
    write_signs(known, ~(state.in_deck[them] | theirs), out[_THEIR_CARDS : _THEIR_CARDS + STROKES])
    out[_MY_HAND] = _part(min(_HAND, size(held)), _HAND)
    out[_THEIR_HAND] = _part(min(_HAND, max(size(theirs), HAND * is_virtual(rules, them))), _HAND)


@inlined
def _ball(rules, state, out):
    """The ball to answer; without a ball there is no spin either."""
    seen = rules.deck[other(np.int64(state.striker))].seen[1 + np.int64(state.ball)]
    out[_BALL_KIND + np.int64(seen.kind)] = seen.there
    out[_BALL_RISK + np.int64(seen.risk)] = seen.there
    out[_BALL_ZONE + np.int64(state.ball_zone)] = seen.there
    out[_BEFORE_BALL_SPIN + np.int64(state.ball_spin)] = 1
    out[_BALL_ADDS] = seen.adds[state.surface]


@inlined
def _card(rules, state, out):
    """The card being played; without a card there is no spin either."""
    seen = rules.deck[np.int64(state.striker)].seen[1 + np.int64(state.card)]
    out[_CARD_KIND + np.int64(seen.kind)] = seen.there
    out[_BEFORE_CARD_SPIN + np.int64(state.spin)] = 1
    out[_CARD_DIFFICULTY] = seen.difficulty
    if (_ROLLING >> np.int64(state.phase)) & 1:
        out[_CARD_NEED] = _part(min(_NEED, max(-_NEED, need(rules, state))), _NEED)


@inlined
def _score(score, seat, out):
    """The score, own side first."""
    them = other(seat)
    mine, theirs = np.int64(score.points[seat]), np.int64(score.points[them])
    write_flag(score.server == seat, out, _SERVING)
    out[_TIEBREAK] = score.tiebreak
    _write_points(score, seat, out, _MY_POINTS)
    out[_POINTS_LEAD] = _part(min(_LEADS, max(-_LEADS, mine - theirs)), _LEADS)
    _write_sets(score, seat, out, _MY_GAMES)


@njit
def observe_full(rules, state, seat, out):
    """The whole state as `seat` would tell it: for a centralised critic."""
    observe(rules, state, seat, out)
    them = other(seat)
    write_signs(state.hidden[them], 0, out[_THEIR_HIDDEN : _THEIR_HIDDEN + STROKES])
    write_signs(state.hidden[seat], 0, out[_MY_HIDDEN : _MY_HIDDEN + STROKES])
    write_signs(state.on_table[seat], 0, out[_MY_TABLE : _MY_TABLE + STROKES])
    write_signs(state.on_table[them], 0, out[_THEIR_TABLE : _THEIR_TABLE + STROKES])
    out[_ENDS] = state.score.ends
    out[_OPENER] = state.score.opener == seat
    for played in range(MAX_SETS):
        out[_PLAYED + 2 * played] = state.score.played[played, seat] / _GAMES
        out[_PLAYED + 2 * played + 1] = state.score.played[played, them] / _GAMES
    out[_LEAD] = min(1.0, max(-1.0, state.lead / 256))


ENCODERS = {"flat": Encoder(FLAT, observe), "full": Encoder(FULL, observe_full)}
