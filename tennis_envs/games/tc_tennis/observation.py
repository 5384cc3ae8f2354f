"""What a seat sees of TC Tennis, as numbers: its own cards, all that lies open, and what it remembers."""

import numpy as np

from tennis_envs.core.game import Encoder
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.layout import Feature, Features
from tennis_envs.games.tc_tennis.components import EVENTS, KINDS, MOST_COPIES, RETAINED_EVENTS, STROKES, SURFACES
from tennis_envs.games.tc_tennis.rules.cards import deck_size, other
from tennis_envs.games.tc_tennis.rules.rally import LOVE_PLACES, base_dice, grade, lead_of, options
from tennis_envs.games.tc_tennis.state import (
    ALL_BOXES,
    BACKHAND,
    BACKHAND_VOLLEY,
    BIG_MO,
    BOXES,
    FOREHAND,
    FOREHAND_VOLLEY,
    GROUND_STROKES,
    HALF_DIE,
    KEEPING,
    LEVELS,
    NOTHING,
    OVER,
    PHASES,
    RETAINED,
    SLOTS,
    SURFACE_ALL,
    TRAINING,
    VOLLEYS,
)

_PLACES = tuple(f"{stroke} {slot}" for stroke in STROKES for slot in ("first", "second"))
_CHAMPION = ("RET", "DEF", "STR", "STA", "INJ", "Overall")

# Scales as float32 factors: a product is several times faster than a quotient.
_THIRD, _FIFTH, _SEVENTH, _TENTH = np.float32(1 / 3), np.float32(1 / 5), np.float32(1 / 7), np.float32(1 / 10)
_PER_SPACE, _SIXTH, _PER_ENTRY, _PER_CARD = (
    np.float32(1 / 40),
    np.float32(1 / 6),
    np.float32(1 / KINDS),
    np.float32(1 / 80),
)
_HALF, _PER_RALLY = np.float32(1 / 2), np.float32(1 / 64)
_ONE = np.float32(1)
_COPIES_SHOWN = MOST_COPIES + 0.5
_PER_HALF = np.float32(HALF_DIE / 40)  # in points of 40

_SHARED = (
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
    Feature("tiebreak", about="1 in a tie-break"),
    Feature("after_tiebreak", about="1 if the last set was decided by one"),
    Feature("rallies", about="played since the set began or the tie-break was last checked, of 7"),
    Feature("rallies_left", about="until the set ends or the tie-break is checked as things stand, of 7"),
    Feature("momentum", low=-1, about="lead on the track, of 40, between -1 and 1"),
    Feature("close_lead", low=-1, about="the same, of 6, between -1 and 1"),
    Feature("rally_momentum", low=-1, about="lead when the last rally began, of 40, between -1 and 1"),
    Feature("big_mo", 2, about="1 with a lead of 20 or more", labels=("my", "their")),
    Feature("strategy", 2, about="steps left, of 5", labels=("my", "their")),
    Feature("challenge", 2, about="marker left", labels=("my", "their")),
    Feature("strategized", 2, about="in the last turn", labels=("my", "their")),
    Feature("offered", BOXES, about="strokes that this seat may declare with these dice", labels=STROKES),
    Feature("double", about="1 if the black dice are alike"),
    Feature("blue", about="the blue die, of 6"),
    Feature(
        "my_champion",
        len(_CHAMPION),
        about="RET and DEF as they stand now, STA and INJ: 0 for A to 1 for D; STR of 5; Overall of 7",
        labels=_CHAMPION,
    ),
    Feature("their_champion", len(_CHAMPION), about="the opponent's", labels=_CHAMPION),
    Feature(
        "my_strokes",
        BOXES,
        -1,
        2,
        about="points of 40 that each scores on average before the cards in boxes and RET or DEF",
        labels=STROKES,
    ),
    Feature("their_strokes", BOXES, -1, 2, about="the opponent's", labels=STROKES),
    Feature("my_open", BOXES, about="strokes not yet resolved", labels=STROKES),
    Feature("their_open", BOXES, about="the opponent's", labels=STROKES),
    Feature("my_cards", BOXES * SLOTS, about="one's own cards by entry, counted from 1, of 74", labels=_PLACES),
    Feature("my_shown", BOXES * SLOTS, about="1 where they are face up", labels=_PLACES),
    Feature("their_cards", BOXES * SLOTS, about="1 where the opponent's cards lie", labels=_PLACES),
    Feature("their_shown", BOXES * SLOTS, about="those that are face up, by entry", labels=_PLACES),
    Feature(
        "my_own_worth",
        BOXES,
        -2,
        2,
        about="points of 10 that one's cards there are worth to one's stroke",
        labels=STROKES,
    ),
    Feature("my_other_worth", BOXES, -2, 2, about="and to the opponent's", labels=STROKES),
    Feature(
        "their_own_worth",
        BOXES,
        -2,
        2,
        about="the same of the opponent's cards that are face up, to his stroke",
        labels=STROKES,
    ),
    Feature("their_other_worth", BOXES, -2, 2, about="and to this seat's", labels=STROKES),
    Feature("tactic", 2, about="in play, by entry", labels=("my", "their")),
    Feature("end_set", about="rallies on the End Set card in play, of 7"),
    Feature("my_hand", KINDS, high=_COPIES_SHOWN, about="copies by entry of the components file"),
    Feature(
        "seen",
        KINDS,
        high=_COPIES_SHOWN,
        about="copies in the discards; a half for a card that the opponent was seen to take and has not shown",
    ),
    Feature("top_discard", about="the card on top, by entry"),
    Feature("hand_size", 2, about="cards, of 10, at most 1", labels=("my", "their")),
    Feature("deck", about="cards in the draw pile, of 80"),
    Feature(
        "end_sets_at_most",
        about="End Set cards that the opponent can have after showing that he had none, of 10; else 1",
    ),
    Feature("my_markers", len(RETAINED_EVENTS), high=6, about="markers kept, of 2", labels=RETAINED_EVENTS),
    Feature("their_markers", len(RETAINED_EVENTS), high=6, about="the opponent's", labels=RETAINED_EVENTS),
    Feature("markers_out", len(EVENTS), high=6, about="out for the set, of 2", labels=EVENTS),
    Feature("drawn", len(EVENTS), about="markers that this seat is choosing from", labels=EVENTS),
    Feature("my_declared", BOXES, about="in this rally", labels=STROKES),
    Feature("their_declared", BOXES, about="the opponent's", labels=STROKES),
    Feature("free", about="1 if any open stroke may be declared (must_rally)"),
    Feature("scored", 2, about="in this rally, of 40, at most 1", labels=("my", "their")),
    Feature("plus", 2, high=12, about="next_stroke markers at work", labels=("my", "their")),
    Feature("second_stroke", about="1 when the active player's stroke of the rally is done"),
    Feature(
        "love",
        LOVE_PLACES,
        about="Love Dice that struck this stroke",
        labels=("scorer's 1", "scorer's 2", "other's 1", "other's 2", "scorer's tactic", "other's tactic"),
    ),
    Feature("box", BOXES, about="chosen for a card", labels=STROKES),
    Feature("slot", SLOTS, about="the card that gives way there", labels=("first", "second")),
    Feature("placed", about="cards put down in this planning, of 2"),
    Feature("outwitted", about="the entry just taken by Outwit, counted from 1, of 74"),
    Feature("raised", high=12, about="tiebreak_roll markers at work"),
    Feature(
        "my_condition", 3, about="levels of 7, bad results of 5, at most 1", labels=("stamina", "injury", "bad results")
    ),
    Feature("their_condition", 3, about="the opponent's", labels=("stamina", "injury", "bad results")),
    Feature("stamina_result", about="of a check that may still be negated, of 7"),
)

FLAT = Features(*_SHARED)
FULL = Features(
    *_SHARED,
    Feature("seat", about="0 or 1: whose view this is"),
    Feature("lead", low=-1, about="rallies won less rallies lost, of 64, between -1 and 1"),
    Feature("their_hand", KINDS, high=_COPIES_SHOWN, about="copies"),
    Feature(
        "their_hidden",
        BOXES * SLOTS,
        about="the cards in the opponent's boxes, face down or up, by entry",
        labels=_PLACES,
    ),
    Feature("pile", KINDS, high=_COPIES_SHOWN, about="copies in the draw pile"),
    Feature("all_drawn", len(EVENTS), about="markers that either seat is choosing from", labels=EVENTS),
    Feature("known", KINDS, about="1 for a card that the opponent knows this seat to have"),
    Feature("my_end_sets_at_most", about="what the opponent knows of this seat's End Set cards, as above"),
    Feature("their_offered", BOXES, about="strokes that the opponent may declare with these dice", labels=STROKES),
)

(
    _TO_MOVE, _PHASE, _ACTIVE, _FIRST, _FAVOURITE, _LEVEL, _SETS_TO_WIN, _SETS, _SURFACE, _USED, _TIEBREAK,
    _AFTER_TIEBREAK, _RALLIES, _RALLIES_LEFT, _MOMENTUM, _CLOSE, _RALLY_MOMENTUM, _BIG_MO, _STRATEGY,
    _CHALLENGE, _STRATEGIZED, _OFFERED, _DOUBLE, _BLUE, _MY_CHAMPION, _THEIR_CHAMPION, _MY_STROKES,
    _THEIR_STROKES, _MY_OPEN, _THEIR_OPEN, _MY_CARDS, _MY_SHOWN, _THEIR_CARDS, _THEIR_SHOWN, _MY_OWN, _MY_OTHER,
    _THEIR_OWN, _THEIR_OTHER, _TACTIC, _END_SET, _MY_HAND, _SEEN, _TOP, _HAND_SIZE, _DECK, _AT_MOST,
    _MY_MARKERS, _THEIR_MARKERS, _OUT, _DRAWN, _MY_DECLARED, _THEIR_DECLARED, _FREE, _SCORED, _PLUS,
    _SECOND_STROKE, _LOVE, _BOX, _SLOT, _PLACED, _OUTWITTED, _RAISED, _MY_CONDITION, _THEIR_CONDITION, _RESULT,
) = (FLAT.start(feature.name) for feature in FLAT)  # fmt: skip
_SEAT, _LEAD, _THEIR_HAND, _THEIR_HIDDEN, _PILE, _ALL_DRAWN, _KNOWN, _MY_AT_MOST, _THEIR_OFFERED = (
    FULL.start(feature.name) for feature in list(FULL)[len(_SHARED) :]
)


@inlined
def _clip(x):
    """Between -1 and 1."""
    return min(_ONE, max(-_ONE, x))


@inlined
def _write_bits(bits, at, out):
    """One number a stroke."""
    for box in range(BOXES):
        out[at + box] = (bits >> box) & 1


@inlined
def _write_side(rules, state, player, out, i, champion_at, strokes_at, open_at, markers_at, declared_at, condition_at):
    """What lies open on one side, and its champion."""
    champion = np.int64(state.champion[player])
    them = other(player)
    out[_SETS + i] = state.sets[player] * _THIRD
    out[_BIG_MO + i] = lead_of(state, player) >= BIG_MO
    out[_STRATEGY + i] = state.strategy[player] * _FIFTH
    out[_CHALLENGE + i] = state.challenge[player]
    out[_STRATEGIZED + i] = state.strategized[player]
    out[_SCORED + i] = min(_ONE, state.scored[player] * _PER_SPACE)
    out[_PLUS + i] = state.plus[player]
    out[condition_at] = state.stamina[player] * _SEVENTH
    out[condition_at + 1] = state.injury[player] * _SEVENTH
    out[condition_at + 2] = min(_ONE, state.bad_results[player] * _FIFTH)
    _write_bits(ALL_BOXES & ~np.int64(state.resolved[player]), open_at, out)
    out[champion_at + 5] = rules.overall[champion] * _SEVENTH
    row = np.int64(state.tactic[player]) + 1
    out[_TACTIC + i] = rules.entry_view[row]
    if state.surface != NOTHING:
        surface = np.int64(state.surface)
        out[champion_at] = grade(rules, state, player, 0) * _THIRD
        out[champion_at + 1] = grade(rules, state, player, 1) * _THIRD
        out[champion_at + 2] = rules.strategy[champion, surface] * _FIFTH
        out[champion_at + 3] = rules.stamina_grade[champion, surface, 1 - rules.early] * _THIRD
        out[champion_at + 4] = rules.injury_grade[champion, surface] * _THIRD
        base = base_dice(rules, state, player) * _PER_HALF
        theirs = np.int64(state.tactic[them]) + 1
        for stroke in range(BOXES):
            points = rules.rating[champion, surface, stroke] * _PER_HALF + base
            out[strokes_at + stroke] = points + rules.own_touch[row, stroke] + rules.other_touch[theirs, stroke]
        ground = (state.held[0, GROUND_STROKES] + state.held[1, GROUND_STROKES]) * _PER_HALF
        volleys = (state.held[0, VOLLEYS] + state.held[1, VOLLEYS]) * _PER_HALF
        out[strokes_at + FOREHAND] += ground
        out[strokes_at + BACKHAND] += ground
        out[strokes_at + FOREHAND_VOLLEY] += volleys
        out[strokes_at + BACKHAND_VOLLEY] += volleys
    for event in range(RETAINED):
        out[markers_at + event] = state.held[player, event] * _HALF
    if state.declared[player] != NOTHING:
        out[declared_at + np.int64(state.declared[player])] = 1


@inlined
def _write_cards(rules, state, seat, them, out):
    """The cards in boxes, one's own and what is seen of the opponent's."""
    for box in range(BOXES):
        first, second = np.int64(state.box[seat, box, 0]) + 1, np.int64(state.box[seat, box, 1]) + 1
        place = SLOTS * box
        if first:
            out[_MY_CARDS + place] = rules.entry_view[first]
            out[_MY_CARDS + place + 1] = rules.entry_view[second]
            out[_MY_SHOWN + place] = state.shown[seat, box, 0]
            out[_MY_SHOWN + place + 1] = state.shown[seat, box, 1]
            out[_MY_OWN + box] = rules.own_view[first] + rules.own_view[second]
            out[_MY_OTHER + box] = rules.other_view[first] + rules.other_view[second]
        first, second = np.int64(state.box[them, box, 0]) + 1, np.int64(state.box[them, box, 1]) + 1
        if first:
            out[_THEIR_CARDS + place] = 1
            out[_THEIR_CARDS + place + 1] = second != 0
            first *= state.shown[them, box, 0]
            second *= state.shown[them, box, 1]
            out[_THEIR_SHOWN + place] = rules.entry_view[first]
            out[_THEIR_SHOWN + place + 1] = rules.entry_view[second]
            out[_THEIR_OWN + box] = rules.own_view[first] + rules.own_view[second]
            out[_THEIR_OTHER + box] = rules.other_view[first] + rules.other_view[second]


@inlined
def _end_sets(state, player):
    """D21. End Set cards that a player can have, of 10, as far as the opponent knows."""
    at_most = np.int64(state.end_sets_at_most[player])
    return _ONE if at_most == NOTHING else min(_ONE, at_most * _TENTH)


@njit
def rallies_left(rules, state):
    """R1, R28, R31. Rallies until the set ends or the tie-break is checked, as things stand."""
    limit = BOXES
    if state.tiebreak:
        limit = 3 if state.end_set == NOTHING else 2
    elif rules.level > TRAINING and state.end_set != NOTHING:
        limit = np.int64(rules.rallies[state.end_set])
    unresolved = BOXES
    for box in range(BOXES):
        unresolved -= (state.resolved[0] >> box) & 1
    return max(min(unresolved, 1), min(limit - state.rallies, unresolved))


@njit
def observe(rules, state, seat, out):
    """The view of `seat`, its own side first."""
    for place in range(len(out)):
        out[place] = 0
    them = other(seat)
    out[_TO_MOVE] = (seat == state.seat) & (state.phase != OVER)
    out[_PHASE + np.int64(state.phase)] = 1
    out[_ACTIVE] = state.active == seat
    out[_FIRST] = state.first == seat
    out[_FAVOURITE] = state.favourite == seat
    out[_LEVEL + np.int64(rules.level)] = 1
    out[_SETS_TO_WIN] = rules.sets * _THIRD
    if state.surface != NOTHING:
        out[_SURFACE + np.int64(state.surface)] = 1
    if rules.surface == SURFACE_ALL:
        for surface in range(len(SURFACES)):
            out[_USED + surface] = (state.surfaces >> surface) & 1
    out[_TIEBREAK] = state.tiebreak
    out[_AFTER_TIEBREAK] = state.after_tiebreak
    out[_RALLIES] = state.rallies * _SEVENTH
    out[_RALLIES_LEFT] = rallies_left(rules, state) * _SEVENTH
    lead = lead_of(state, seat)
    out[_MOMENTUM] = _clip(lead * _PER_SPACE)
    out[_CLOSE] = _clip(lead * _SIXTH)
    out[_RALLY_MOMENTUM] = _clip(np.int64(state.momentum_before) * (1 - 2 * seat) * _PER_SPACE)
    _write_side(
        rules, state, seat, out, 0, _MY_CHAMPION, _MY_STROKES, _MY_OPEN, _MY_MARKERS, _MY_DECLARED, _MY_CONDITION
    )
    _write_side(
        rules,
        state,
        them,
        out,
        1,
        _THEIR_CHAMPION,
        _THEIR_STROKES,
        _THEIR_OPEN,
        _THEIR_MARKERS,
        _THEIR_DECLARED,
        _THEIR_CONDITION,
    )
    _write_cards(rules, state, seat, them, out)
    if state.black[0] > 0:
        _write_bits(options(state, seat), _OFFERED, out)
        out[_DOUBLE] = state.black[0] == state.black[1]
        out[_BLUE] = state.blue * _SIXTH
    if state.end_set != NOTHING:
        out[_END_SET] = rules.rallies[state.end_set] * _SEVENTH
    mine = 0
    theirs = 0
    for kind in range(KINDS):
        out[_MY_HAND + kind] = state.hand[seat, kind]
        mine += state.hand[seat, kind]
        theirs += state.hand[them, kind]
    for kind in range(KINDS):
        out[_SEEN + kind] = (state.known[them, kind] > 0) * _HALF
    for i in range(state.discards):
        out[_SEEN + np.int64(state.discard[i])] += _ONE
    if state.discards > 0:
        out[_TOP] = rules.entry_view[np.int64(state.discard[state.discards - 1]) + 1]
    out[_HAND_SIZE] = min(_ONE, mine * _TENTH)
    out[_HAND_SIZE + 1] = min(_ONE, theirs * _TENTH)
    out[_DECK] = deck_size(state) * _PER_CARD
    out[_AT_MOST] = _end_sets(state, them)
    for event in range(len(EVENTS)):
        out[_OUT + event] = state.out[event] * _HALF
    if state.phase == KEEPING and state.seat == seat:
        out[_DRAWN + np.int64(state.drawn[0])] = 1
        out[_DRAWN + np.int64(state.drawn[1])] = 1
    out[_FREE] = state.free
    out[_SECOND_STROKE] = state.stage > 0
    for place in range(LOVE_PLACES):
        out[_LOVE + place] = (state.love_hits >> place) & 1
    if state.box_chosen != NOTHING:
        out[_BOX + np.int64(state.box_chosen)] = 1
    if state.slot_chosen != NOTHING:
        out[_SLOT + np.int64(state.slot_chosen)] = 1
    out[_PLACED] = state.placed_now * _HALF
    out[_OUTWITTED] = (state.outwitted + 1) * _PER_ENTRY
    out[_RAISED] = state.raise_roll
    out[_RESULT] = state.result * _SEVENTH


@njit
def observe_full(rules, state, seat, out):
    """The whole state as `seat` would tell it: for a centralised critic."""
    observe(rules, state, seat, out)
    them = other(seat)
    out[_SEAT] = seat
    out[_LEAD] = _clip(np.int64(state.lead) * (1 - 2 * seat) * _PER_RALLY)
    for kind in range(KINDS):
        out[_THEIR_HAND + kind] = state.hand[them, kind]
        out[_PILE + kind] = state.deck[kind]
        out[_KNOWN + kind] = state.known[seat, kind] > 0
    for box in range(BOXES):
        for slot in range(SLOTS):
            out[_THEIR_HIDDEN + SLOTS * box + slot] = rules.entry_view[np.int64(state.box[them, box, slot]) + 1]
    out[_MY_AT_MOST] = _end_sets(state, seat)
    if state.black[0] > 0:
        _write_bits(options(state, them), _THEIR_OFFERED, out)
    if state.phase == KEEPING:
        out[_ALL_DRAWN + np.int64(state.drawn[0])] = 1
        out[_ALL_DRAWN + np.int64(state.drawn[1])] = 1


ENCODERS = {"flat": Encoder(FLAT, observe), "full": Encoder(FULL, observe_full)}
