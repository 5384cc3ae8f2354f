"""What a seat sees of TC Tennis, as numbers: its own cards, all that lies open, and what it remembers.

Most of it is kept in the state as bytes (`rules/board.py`), which are only scaled here.
"""

import numpy as np

from tennis_envs.core.game import Encoder
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.layout import Feature, Features
from tennis_envs.games.tc_tennis.components import EVENTS, KINDS, MOST_COPIES, RETAINED_EVENTS, STROKES, SURFACES
from tennis_envs.games.tc_tennis.rules.cards import other
from tennis_envs.games.tc_tennis.rules.rally import LOVE_PLACES, lead_of
from tennis_envs.games.tc_tennis.state import (
    BOXES,
    KEEPING,
    LEVELS,
    NOTHING,
    OVER,
    PHASES,
    RALLIES,
    SIGHT_HELD,
    SLOTS,
    SURFACE_ALL,
    TIEBREAK,
    TRAINING,
    WIDE,
    WIDE_BOARD,
    WIDE_COMMON,
    WIDE_LAID,
)

_PLACES = tuple(f"{stroke} {slot}" for stroke in STROKES for slot in ("first", "second"))
_CHAMPION = ("RET", "DEF", "STR", "STA", "INJ", "Overall")
_COURT = (*STROKES, "RET", "DEF", "STR", "STA", "INJ")
_WORTH = 6.0  # bound of two cards' worth, in tens of points

# Scales as float32 factors: a product is several times faster than a quotient.
_HALF, _THIRD, _SIXTH = np.float32(1 / 2), np.float32(1 / 3), np.float32(1 / 6)
_SEVENTH, _TENTH, _PER_SPACE, _PER_RALLY = np.float32(1 / 7), np.float32(1 / 10), np.float32(1 / 40), np.float32(1 / 64)
_PER_ENTRY, _PER_TRACK = np.float32(1 / KINDS), np.float32(1 / 80)
_PER_SIGHT = np.float32(1 / SIGHT_HELD)
_ONE = np.float32(1)


def _board(whose: str) -> tuple[Feature, ...]:
    """The features that `state.board` holds of one side, in its order."""
    return (
        Feature(f"{whose}_open", BOXES, about="1 for strokes not yet resolved", labels=STROKES),
        Feature(
            f"{whose}_dice", BOXES, -3, 3, labels=STROKES,
            about="tens of points that each stroke's dice bring: rating, condition and markers, without Big Mo",
        ),
        Feature(f"{whose}_tactics", BOXES, -_WORTH, _WORTH, labels=STROKES, about="and the tactics in play, on average"),
        Feature(
            f"{whose}_boxes", BOXES * SLOTS, labels=_PLACES,
            about="0 no card, 1/75 face down, else the entry of the card face up, counted from 2, of 75",
        ),
        Feature(
            f"{whose}_up_own", BOXES, -_WORTH, _WORTH, labels=STROKES,
            about="tens of points that the cards face up there are worth to this side's stroke",
        ),
        Feature(f"{whose}_up_other", BOXES, -_WORTH, _WORTH, labels=STROKES, about="and to the other side's"),
        Feature(
            f"{whose}_champion", len(_CHAMPION), labels=_CHAMPION,
            about="RET and DEF as they stand now, STA and INJ: 0 for A to 1 for D; STR of 5; Overall of 7",
        ),
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
        Feature(
            f"{whose}_courts", len(SURFACES) * len(_COURT), high=3, labels=[f"{s} {r}" for s in SURFACES for r in _COURT],
            about="the champion's ratings on every surface: strokes in tens of points, the rest as on the court of play",
        ),
    )  # fmt: skip


# The first five blocks are rows of bytes in the state, in this order
_SHARED = (
    Feature(
        "cards", KINDS, -1, MOST_COPIES,
        about="by entry: copies in hand, less 1/11 for each in the discards, 1/22 if the opponent was seen to take one and has "
        "not shown it since, 1/44 if he has seen this seat do so, 1/88 if a copy in hand goes after the set (R32)",
    ),
    Feature("my_cards", BOXES * SLOTS, about="one's own cards by entry, counted from 1, of 74", labels=_PLACES),
    Feature(
        "my_own_worth", BOXES, -_WORTH, _WORTH, labels=STROKES,
        about="tens of points that one's cards there are worth to one's stroke",
    ),
    Feature("my_other_worth", BOXES, -_WORTH, _WORTH, about="and to the opponent's", labels=STROKES),
    *_board("my"),
    *_board("their"),
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
    Feature("markers_out", len(EVENTS), high=6, about="out for the set, of 2", labels=EVENTS),
    Feature("to_move", about="1 if this seat decides"),
    Feature("phase", len(PHASES), about="what is decided", labels=PHASES),
    Feature("active", about="1 if it is this seat's turn"),
    Feature("first", about="1 if this seat began the set"),
    Feature("favourite", about="1 if this seat is the Favourite"),
    Feature("level", len(LEVELS), about="which game", labels=LEVELS),
    Feature("sets_to_win", about="of 3"),
    Feature("sets", 2, about="won, of 3", labels=("my", "their")),
    Feature("surface", len(SURFACES), about="the court", labels=SURFACES),
    Feature("surfaces_used", len(SURFACES), about="courts that may not be chosen now (R40)", labels=SURFACES),
    Feature("rallies_left", about="until the set ends or the tie-break is checked as things stand, of 7"),
    Feature("momentum", low=-1, about="lead on the track, of 80, between -1 and 1"),
    Feature("close_lead", low=-1, about="the same, of 6, between -1 and 1"),
    Feature("rally_momentum", low=-1, about="lead when the last rally began, of 80, between -1 and 1"),
    Feature("offered", BOXES, about="boxes that the black dice offer", labels=STROKES),
    Feature("double", about="1 if the black dice are alike"),
    Feature("blue", about="the blue die, of 6"),
    Feature("end_set", about="rallies on the End Set card in play, of 7"),
    Feature("top_discard", about="the card on top, by entry counted from 1, of 74"),
    Feature(
        "end_sets_at_most", 2, labels=("their", "my"),
        about="End Set cards that a player can have after showing that he had none, of 10; else 1",
    ),
    Feature("drawn", len(EVENTS), about="markers that this seat is choosing from", labels=EVENTS),
    Feature("my_declared", BOXES, about="in this rally", labels=STROKES),
    Feature("their_declared", BOXES, about="the opponent's", labels=STROKES),
    Feature("scored", 2, about="in this rally, of 40, at most 1", labels=("my", "their")),
    Feature(
        "love",
        LOVE_PLACES,
        about="Love Dice that struck this stroke",
        labels=("scorer's 1", "scorer's 2", "other's 1", "other's 2", "scorer's tactic", "other's tactic"),
    ),
    Feature("box", BOXES, about="chosen for a card", labels=STROKES),
    Feature("slot", SLOTS, about="the card that gives way there", labels=("first", "second")),
    Feature("outwitted", about="the entry just taken by Outwit, counted from 1, of 74"),
)  # fmt: skip

FLAT = Features(*_SHARED)
FULL = Features(
    *_SHARED,
    Feature("seat", about="0 or 1: whose view this is"),
    Feature("lead", low=-1, about="rallies won less rallies lost, of 64, between -1 and 1"),
    Feature("their_hand", KINDS, -1, MOST_COPIES, about="where the opponent sees each card, as `cards`"),
    Feature("their_cards", BOXES * SLOTS, about="the opponent's cards, as one's own", labels=_PLACES),
    Feature("their_own_worth", BOXES, -_WORTH, _WORTH, about="to his strokes", labels=STROKES),
    Feature("their_other_worth", BOXES, -_WORTH, _WORTH, about="to this seat's", labels=STROKES),
    Feature("pile", KINDS, high=MOST_COPIES, about="copies in the draw pile"),
    Feature("all_drawn", len(EVENTS), about="markers that either seat is choosing from", labels=EVENTS),
)

_CARDS, _LAID, _MY_BOARD, _THEIR_BOARD, _COMMON = (
    FLAT.start(name) for name in ("cards", "my_cards", "my_open", "their_open", "tiebreak")
)
(
    _TO_MOVE, _PHASE, _ACTIVE, _FIRST, _FAVOURITE, _LEVEL, _SETS_TO_WIN, _SETS, _SURFACE, _USED, _RALLIES_LEFT,
    _MOMENTUM, _CLOSE, _RALLY_MOMENTUM, _OFFERED, _DOUBLE, _BLUE, _END_SET, _TOP, _AT_MOST, _DRAWN, _MY_DECLARED,
    _THEIR_DECLARED, _SCORED, _LOVE, _BOX, _SLOT, _OUTWITTED,
) = (
    FLAT.start(name)
    for name in (
        "to_move", "phase", "active", "first", "favourite", "level", "sets_to_win", "sets", "surface", "surfaces_used",
        "rallies_left", "momentum", "close_lead", "rally_momentum", "offered", "double", "blue", "end_set",
        "top_discard", "end_sets_at_most", "drawn", "my_declared", "their_declared", "scored", "love", "box", "slot",
        "outwitted",
    )
)  # fmt: skip
_END = len(FLAT)
_SEAT, _LEAD, _THEIR_HAND, _THEIR_LAID, _PILE, _ALL_DRAWN = (
    FULL.start(name)
    for name in (
        "seat", "lead", "their_hand", "their_cards", "pile", "all_drawn",
    )
)  # fmt: skip


@inlined
def _clip(x):
    """Between -1 and 1."""
    return min(_ONE, max(-_ONE, x))


# These write whole rows, beyond a block's end: what follows must be written after them.


@inlined
def _write_board(rules, state, player, at, out):
    """A side as everybody sees it."""
    for place in range(WIDE_BOARD):
        out[at + place] = np.float32(state.board[player, place]) * rules.board_scale[place]


@inlined
def _write_laid(rules, state, player, at, out):
    """A side's boxes as its player knows them."""
    for place in range(WIDE_LAID):
        out[at + place] = np.float32(state.laid[player, place]) * rules.laid_scale[place]


@inlined
def _write_sight(state, player, at, out):
    """Where a player sees each card."""
    for kind in range(WIDE):
        out[at + kind] = np.float32(state.sight[player, kind]) * _PER_SIGHT


@inlined
def _write_rows(rules, state, seat, them, out):
    """The blocks that are rows of bytes in the state."""
    _write_sight(state, seat, _CARDS, out)
    _write_laid(rules, state, seat, _LAID, out)
    _write_board(rules, state, seat, _MY_BOARD, out)
    _write_board(rules, state, them, _THEIR_BOARD, out)
    for place in range(WIDE_COMMON):
        out[_COMMON + place] = np.float32(state.common[place]) * rules.common_scale[place]


@inlined
def _end_sets(state, player):
    """D21. End Set cards that a player can have, of 10, as far as the opponent knows."""
    at_most = np.int64(state.end_sets_at_most[player])
    return _ONE if at_most == NOTHING else min(_ONE, np.float32(at_most) * _TENTH)


@inlined
def rallies_left(rules, state):
    """R1, R28, R31. Rallies until the set ends or the tie-break is checked, as things stand."""
    limit = BOXES
    if state.common[TIEBREAK]:
        limit = 3 if state.end_set == NOTHING else 2
    elif rules.level > TRAINING and state.end_set != NOTHING:
        limit = np.int64(rules.rallies[np.int64(state.end_set)])
    unresolved = np.int64(state.unresolved)
    return max(min(unresolved, 1), min(limit - state.common[RALLIES], unresolved))


@njit
def observe(rules, state, seat, out):
    """The view of `seat`, its own side first."""
    them = other(seat)
    _write_rows(rules, state, seat, them, out)
    for place in range(_TO_MOVE, _END):
        out[place] = 0
    out[_TO_MOVE] = (seat == state.seat) & (state.phase != OVER)
    out[_PHASE + np.int64(state.phase)] = 1
    out[_ACTIVE] = state.active == seat
    out[_FIRST] = state.first == seat
    out[_FAVOURITE] = state.favourite == seat
    out[_LEVEL + np.int64(rules.level)] = 1
    out[_SETS_TO_WIN] = np.float32(rules.sets) * _THIRD
    if state.surface != NOTHING:
        out[_SURFACE + np.int64(state.surface)] = 1
    if rules.surface == SURFACE_ALL:
        for surface in range(len(SURFACES)):
            out[_USED + surface] = (state.surfaces >> surface) & 1
    out[_RALLIES_LEFT] = np.float32(rallies_left(rules, state)) * _SEVENTH
    lead = np.float32(lead_of(state, seat))
    out[_MOMENTUM] = _clip(lead * _PER_TRACK)
    out[_CLOSE] = _clip(lead * _SIXTH)
    out[_RALLY_MOMENTUM] = _clip(np.float32(np.int64(state.momentum_before) * (1 - 2 * seat)) * _PER_TRACK)
    out[_SETS] = np.float32(state.sets[seat]) * _THIRD
    out[_SETS + 1] = np.float32(state.sets[them]) * _THIRD
    out[_SCORED] = min(_ONE, np.float32(state.scored[seat]) * _PER_SPACE)
    out[_SCORED + 1] = min(_ONE, np.float32(state.scored[them]) * _PER_SPACE)
    if state.declared[seat] != NOTHING:
        out[_MY_DECLARED + np.int64(state.declared[seat])] = 1
    if state.declared[them] != NOTHING:
        out[_THEIR_DECLARED + np.int64(state.declared[them])] = 1
    if state.black[0] > 0:
        first, second = np.int64(state.black[0]), np.int64(state.black[1])
        out[_OFFERED + first - 1] = 1
        out[_OFFERED + second - 1] = 1
        if first + second <= BOXES:
            out[_OFFERED + first + second - 1] = 1
        out[_DOUBLE] = first == second
        out[_BLUE] = np.float32(state.blue) * _SIXTH
    if state.end_set != NOTHING:
        out[_END_SET] = np.float32(rules.rallies[np.int64(state.end_set)]) * _SEVENTH
    if state.discards > 0:
        out[_TOP] = np.float32(state.discard[np.int64(state.discards) - 1] + 1) * _PER_ENTRY
    out[_AT_MOST] = _end_sets(state, them)
    out[_AT_MOST + 1] = _end_sets(state, seat)
    if state.phase == KEEPING and state.seat == seat:
        out[_DRAWN + np.int64(state.drawn[0])] = 1
        out[_DRAWN + np.int64(state.drawn[1])] = 1
    if state.love_hits:
        for place in range(LOVE_PLACES):
            out[_LOVE + place] = (state.love_hits >> place) & 1
    if state.box_chosen != NOTHING:
        out[_BOX + np.int64(state.box_chosen)] = 1
    if state.slot_chosen != NOTHING:
        out[_SLOT + np.int64(state.slot_chosen)] = 1
    out[_OUTWITTED] = np.float32(state.outwitted + 1) * _PER_ENTRY


@njit
def observe_full(rules, state, seat, out):
    """The whole state as `seat` would tell it: for a centralised critic."""
    observe(rules, state, seat, out)
    them = other(seat)
    out[_SEAT] = seat
    out[_LEAD] = _clip(np.float32(np.int64(state.lead) * (1 - 2 * seat)) * _PER_RALLY)
    _write_sight(state, them, _THEIR_HAND, out)
    _write_laid(rules, state, them, _THEIR_LAID, out)
    for kind in range(KINDS):
        out[_PILE + kind] = state.deck[kind]
    for event in range(len(EVENTS)):
        out[_ALL_DRAWN + event] = 0
    if state.phase == KEEPING:
        out[_ALL_DRAWN + np.int64(state.drawn[0])] = 1
        out[_ALL_DRAWN + np.int64(state.drawn[1])] = 1


ENCODERS = {"flat": Encoder(FLAT, observe), "full": Encoder(FULL, observe_full)}
