"""What a seat sees of TC Tennis, as numbers: its own cards, all that lies open, and what it remembers.

Most of it is kept in the state as rows of bytes (`rules/board.py`), which are only scaled here.
"""

import numpy as np

from tennis_envs.core.game import Encoder
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.layout import Feature, Features
from tennis_envs.core.views import write_flag
from tennis_envs.games.tc_tennis.components import EVENTS, KINDS, MOST_COPIES, RETAINED_EVENTS, STROKES, SURFACES
from tennis_envs.games.tc_tennis.rules.cards import other
from tennis_envs.games.tc_tennis.state import (
    BOXES,
    COURT,
    KEEPING,
    LAID,
    LOVE,
    LOVE_PLACES,
    MOMENTUM,
    OPEN,
    OVER,
    PER_SIGHT,
    PHASES,
    SLOTS,
    WIDE_COMMON,
    WIDE_LAID,
    WIDE_MINE,
    WIDE_SIGHT,
    WIDE_THEIRS,
)

_PLACES = tuple(f"{stroke} {slot}" for stroke in STROKES for slot in ("first", "second"))
_CHAMPION = ("RET", "DEF", "STR", "STA", "INJ", "Overall")
_COURT = ("strokes", "RET", "DEF")
assert len(_COURT) == COURT
_WORTH = 6.0  # bound of two cards' worth, in tens of points

# Scales as float32 factors: a product is several times faster than a quotient.
_QUARTER, _PER_RALLY, _PER_SIGHT = np.float32(1 / 4), np.float32(1 / 64), np.float32(PER_SIGHT)
_ONE = np.float32(1)


def _boxes(whose: str, hidden: str, worth: str, low: float) -> tuple[Feature, ...]:
    """The features of a side's boxes, as a part of `state.board` holds them."""
    return (
        Feature(f"{whose}_cards", BOXES * SLOTS, low, labels=_PLACES, about=f"0 no card, {hidden}"),
        Feature(
            f"{whose}_own_worth", BOXES, -_WORTH, _WORTH, labels=STROKES,
            about=f"tens of points that {worth} there are worth to this side's stroke",
        ),
        Feature(f"{whose}_other_worth", BOXES, -_WORTH, _WORTH, labels=STROKES, about="and to the other side's"),
    )  # fmt: skip


def _laid(whose: str) -> tuple[Feature, ...]:
    """Boxes as their player knows them."""
    return _boxes(whose, "else by entry counted from 1, of 74: above 0 face down, below 0 face up", "the cards", -1.0)


def _seen(whose: str) -> tuple[Feature, ...]:
    """Boxes as the opponent of their player knows them."""
    return _boxes(whose, "1/75 face down, else by entry counted from 2, of 75", "the cards face up", 0.0)


def _board(whose: str) -> tuple[Feature, ...]:
    """The features that `state.board` holds of one side, in its order."""
    return (
        Feature(
            f"{whose}_strokes", BOXES, high=2, labels=STROKES,
            about="0 resolved in this set, 1 not yet, 2 that of this rally or the box chosen for a card",
        ),
        Feature(
            f"{whose}_dice", BOXES, -6, 6, labels=STROKES,
            about="tens of points that each stroke's dice bring: rating, condition and markers, without Big Mo",
        ),
        Feature(f"{whose}_tactics", BOXES, -_WORTH, _WORTH, labels=STROKES, about="and the tactics in play, on average"),
        Feature(
            f"{whose}_champion", len(_CHAMPION), high=7, labels=_CHAMPION,
            about="on this court: RET and DEF as they stand now (beyond 1 is as 1), STA and INJ: 0 for A to 1 for D; "
            "STR of 5; Overall of 7",
        ),
        Feature(
            f"{whose}_courts", len(SURFACES) * COURT, high=3, labels=[f"{s} {r}" for s in SURFACES for r in _COURT],
            about="what each surface is to the champion: fifties of points that the seven strokes' dice bring together, RET, DEF",
        ),
        Feature(f"{whose}_entry", about="the champion, by entry counted from 1, of 24"),
        Feature(f"{whose}_tactic", about="in play, by entry counted from 1, of 74"),
        Feature(f"{whose}_injury", about="level, of 8"),
        Feature(f"{whose}_stamina", about="level, of 8"),
        Feature(f"{whose}_bad_results", high=20, about="of Stamina Checks in this match, of 5"),
        Feature(f"{whose}_strategy", about="steps left, of 5"),
        Feature(f"{whose}_challenge", about="marker left"),
        Feature(f"{whose}_strategized", about="in the last turn"),
        Feature(f"{whose}_hand_size", about="cards, of 10"),
        Feature(f"{whose}_plus", high=12, about="next_stroke markers at work"),
        Feature(f"{whose}_stamina_before", about="level before the last bad result, of 8"),
        Feature(f"{whose}_markers", len(RETAINED_EVENTS), high=6, about="kept, of 2", labels=RETAINED_EVENTS),
    )  # fmt: skip


# The match as a player tells it, as `state.board` begins
_MATCH = (
    Feature("momentum", low=-1, about="lead on the track, of 80, between -1 and 1"),
    Feature("close_lead", low=-1, about="the same, of 6, between -1 and 1"),
    Feature("rally_momentum", low=-1, about="lead when the last rally began, of 80, between -1 and 1"),
    Feature("sets", 2, about="won, of 3", labels=("my", "their")),
    Feature("scored", 2, about="in this rally, of 40, at most 1", labels=("my", "their")),
    Feature(
        "end_sets_at_most", 2, -1, 8, labels=("their", "my"),
        about="End Set cards that a player can have after showing that he had none, of 10; else -1/10",
    ),
    Feature("active", about="1 if it is this seat's turn"),
    Feature("first", about="1 if this seat began the set"),
    Feature("favourite", about="1 if this seat is the Favourite"),
    Feature("level", about="which game, of 2: Training, Standard, Tournament"),
    Feature("sets_to_win", about="of 3"),
    Feature("blue", about="the blue die, of 6"),
)  # fmt: skip

# The blocks are rows in the state, in this order
_SHARED = (
    Feature(
        "cards", KINDS, -1, MOST_COPIES,
        about="by entry: copies in hand, less 1/11 for each in the discards, 1/22 if the opponent was seen to take one and has "
        "not shown it since, 1/44 if he has seen this seat do so, 1/88 if a copy in hand goes after the set (R32)",
    ),
    *_board("their"),
    *_seen("their"),
    *_MATCH,
    *_laid("my"),
    *_board("my"),
    Feature("tiebreak", about="1 in a tie-break"),
    Feature("after_tiebreak", about="1 if the last set was decided by one"),
    Feature("rallies", about="played since the set began or the tie-break was last checked, of 7"),
    Feature("deck", about="cards in the draw pile, of 80"),
    Feature("placed", about="cards put down in this planning, of 2"),
    Feature("free", about="1 if any open stroke may be declared (must_rally)"),
    Feature("outwit_free", about="1 if the card that was just discarded at random may be taken by Outwit"),
    Feature("strokes_done", about="of the rally's two, of 2"),
    Feature("raised", high=12, about="tiebreak_roll markers at work"),
    Feature("stamina_result", about="of a check that may still be negated, of 8"),
    Feature(
        "markers_out", len(EVENTS), -1, 6, labels=EVENTS,
        about="out for the set, of 2, less 1/4 for those that this seat is choosing from",
    ),
    Feature("slot", about="the card that gives way in the chosen box: 0 none, 1/2 the first, 1 the second"),
    Feature("outwitted", about="the entry just taken by Outwit, counted from 1, of 74"),
    Feature("offered", BOXES, about="boxes that the black dice offer", labels=STROKES),
    Feature("double", about="1 if the black dice are alike"),
    Feature(
        "courts", len(SURFACES), high=1.5, labels=SURFACES,
        about="1 the court of play, and 1/2 for those that may not be chosen now (R40)",
    ),
    Feature("rallies_left", about="until the set ends or the tie-break is checked as things stand, of 7"),
    Feature("end_set", about="rallies on the End Set card in play, of 7"),
    Feature("top_discard", about="the card on top, by entry counted from 1, of 74"),
    Feature("phase", len(PHASES), about="what is decided", labels=PHASES),
    Feature(
        "love", LOVE_PLACES, about="Love Dice that struck this stroke",
        labels=("scorer's 1", "scorer's 2", "other's 1", "other's 2", "scorer's tactic", "other's tactic"),
    ),
    Feature("to_move", about="1 if this seat decides"),
)  # fmt: skip

FLAT = Features(*_SHARED)
FULL = Features(
    *_SHARED,
    Feature("seat", about="0 or 1: whose view this is"),
    Feature("lead", low=-1, about="rallies won less rallies lost, of 64, between -1 and 1"),
    Feature("their_hand", KINDS, -1, MOST_COPIES, about="where the opponent sees each card, as `cards`"),
    *_laid("all_their"),
    Feature("pile", KINDS, high=MOST_COPIES, about="copies in the draw pile"),
    Feature("all_drawn", len(EVENTS), about="markers that either seat is choosing from", labels=EVENTS),
)

_CARDS, _THEIRS, _MINE, _COMMON = (FLAT.start(name) for name in ("cards", "their_strokes", "momentum", "tiebreak"))
_OUT, _PHASE, _LOVE, _TO_MOVE = (FLAT.start(name) for name in ("markers_out", "phase", "love", "to_move"))
_SEAT, _LEAD, _THEIR_HAND, _THEIR_LAID, _PILE, _ALL_DRAWN = (
    FULL.start(name) for name in ("seat", "lead", "their_hand", "all_their_cards", "pile", "all_drawn")
)


# These write whole rows, some of them beyond a block's end: what follows must be written after them.


@inlined
def _write_cards(state, player, at, out):
    """Where a player sees each card."""
    for kind in range(WIDE_SIGHT):
        out[at + kind] = np.float32(state.hand[player, kind]) + np.float32(state.sight[player, kind]) * _PER_SIGHT


@inlined
def _write_board(rules, state, player, first, wide, at, out):
    """A player's side: `wide` places from the `first` on."""
    for place in range(wide):
        out[at + place] = np.float32(state.board[player, first + place]) * rules.board_scale[first + place]


@inlined
def _write_common(rules, state, out):
    """What is there once for both, and zeros for what is decided."""
    for place in range(WIDE_COMMON):
        out[_COMMON + place] = np.float32(state.common[place]) * rules.common_scale[place]


@inlined
def observe(rules, state, seat, out):
    """The view of `seat`."""
    _write_cards(state, seat, _CARDS, out)
    _write_board(rules, state, other(seat), OPEN, WIDE_THEIRS, _THEIRS, out)
    _write_board(rules, state, seat, MOMENTUM, WIDE_MINE, _MINE, out)
    _write_common(rules, state, out)
    phase = np.int64(state.phase)
    out[_PHASE + phase] = 1
    write_flag((seat == state.seat) & (phase != OVER), out, _TO_MOVE)
    if phase == LOVE:
        for place in range(LOVE_PLACES):
            out[_LOVE + place] = (state.love_hits >> place) & 1
    if (phase == KEEPING) & (seat == state.seat):
        out[_OUT + np.int64(state.drawn[0])] -= _QUARTER
        out[_OUT + np.int64(state.drawn[1])] -= _QUARTER


@njit
def observe_full(rules, state, seat, out):
    """The whole state as `seat` would tell it: for a centralised critic."""
    observe(rules, state, seat, out)
    them = other(seat)
    out[_SEAT] = seat
    out[_LEAD] = min(_ONE, max(-_ONE, np.float32(np.int64(state.lead) * (1 - 2 * seat)) * _PER_RALLY))
    _write_cards(state, them, _THEIR_HAND, out)
    _write_board(rules, state, them, LAID, WIDE_LAID, _THEIR_LAID, out)
    for kind in range(KINDS):
        out[_PILE + kind] = state.deck[kind]
    for event in range(len(EVENTS)):
        out[_ALL_DRAWN + event] = 0
    if state.phase == KEEPING:
        out[_ALL_DRAWN + np.int64(state.drawn[0])] = 1
        out[_ALL_DRAWN + np.int64(state.drawn[1])] = 1


ENCODERS = {"flat": Encoder(FLAT, observe), "full": Encoder(FULL, observe_full)}
