"""What a seat sees of TC Tennis, as numbers: its own cards, all that lies open, and what it remembers of the opponent's."""

import numpy as np

from tennis_envs.core.game import Encoder
from tennis_envs.core.jit import njit
from tennis_envs.core.layout import Feature, Features
from tennis_envs.games.tc_tennis.components import EVENTS, KINDS, RETAINED_EVENTS, STROKES, SURFACES
from tennis_envs.games.tc_tennis.rules.cards import deck_size, hand_size, other
from tennis_envs.games.tc_tennis.rules.rally import LOVE_PLACES, grade, lead_of, options, stroke_dice
from tennis_envs.games.tc_tennis.state import (
    ALL_BOXES,
    BIG_MO,
    BOXES,
    KEEPING,
    LEVELS,
    NOTHING,
    OVER,
    PHASES,
    RETAINED,
    SLOTS,
    SURFACE_ALL,
    TRAINING,
)

_CARD = ("lies there", "face up", "for its owner", "for the opponent", "Love Die", "entry")
_PER_CARD = len(_CARD)
_TACTIC = ("for its owner", "for the opponent", "Love Die", "entry", *("own " + s for s in STROKES), *("other " + s for s in STROKES))
_PLACES = tuple(f"{stroke} {slot}" for stroke in STROKES for slot in ("first", "second"))
_SLOT_LABELS = tuple(f"{place} {what}" for place in _PLACES for what in _CARD)
_DICE_LABELS = tuple(str(n) for n in range(1, 7))

# Scales as factors: a product is several times faster than a quotient.
_PER_SET, _PER_RALLY, _PER_SPACE, _PER_LEAD, _PER_STEP, _PER_GRADE = 1 / 3, 1 / 7, 1 / 40, 1 / 6, 1 / 5, 1 / 3
_PER_HALF, _PER_ENTRY, _PER_HAND, _PER_DECK, _PER_POINT, _PER_LEVEL, _PER_COPY = 1 / 10, 1 / KINDS, 1 / 10, 1 / 80, 1 / 40, 1 / 7, 1 / 3
_WORTH = 1 / 10  # of a point of score
_HALF_DIE = 1.875  # points that half a die more is worth, on average over the steps

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
    Feature("blue", 6, about="the blue die", labels=_DICE_LABELS),
    Feature("overall", 2, about="of 7", labels=("my", "their")),
    Feature("my_strokes", BOXES, about="half dice before any card, of 10", labels=STROKES),
    Feature("their_strokes", BOXES, about="the opponent's", labels=STROKES),
    Feature("grades", 4, about="0 for A to 1 for D as they stand now", labels=("my RET", "my DEF", "their RET", "their DEF")),
    Feature("ratings", 6, about="STR of 5; STA and INJ from 0 for A to 1 for D", labels=("my STR", "my STA", "my INJ", "their STR", "their STA", "their INJ")),
    Feature("my_open", BOXES, about="strokes not yet resolved", labels=STROKES),
    Feature("their_open", BOXES, about="the opponent's", labels=STROKES),
    Feature("my_cards", BOXES * SLOTS * _PER_CARD, -1, about="cards in one's own boxes", labels=_SLOT_LABELS),
    Feature("their_cards", BOXES * SLOTS * _PER_CARD, -1, about="the opponent's, of face-down cards only that they lie there", labels=_SLOT_LABELS),
    Feature("my_tactic", len(_TACTIC), -1, about="in play", labels=_TACTIC),
    Feature("their_tactic", len(_TACTIC), -1, about="the opponent's", labels=_TACTIC),
    Feature("end_set", about="rallies on the End Set card in play, of 7"),
    Feature("my_hand", KINDS, about="copies by entry of the components file, of 3, at most 1"),
    Feature("their_known", KINDS, about="1 for a card that the opponent was seen to take and has not shown since"),
    Feature("discards", KINDS, about="copies in the discards, of 3, at most 1"),
    Feature("top_discard", about="its entry, counted from 1, of 74"),
    Feature("hand_size", 2, about="cards, of 10, at most 1", labels=("my", "their")),
    Feature("deck", about="cards in the draw pile, of 80"),
    Feature("end_sets_at_most", about="End Set cards that the opponent can have after showing that he had none, of 10; else 1"),
    Feature("my_markers", len(RETAINED_EVENTS), about="markers kept, of 2", labels=RETAINED_EVENTS),
    Feature("their_markers", len(RETAINED_EVENTS), about="the opponent's", labels=RETAINED_EVENTS),
    Feature("markers_out", len(EVENTS), about="out for the set, of 2, at most 1", labels=EVENTS),
    Feature("drawn", len(EVENTS), about="markers that this seat is choosing from", labels=EVENTS),
    Feature("my_declared", BOXES, about="in this rally", labels=STROKES),
    Feature("their_declared", BOXES, about="the opponent's", labels=STROKES),
    Feature("free", about="1 if any open stroke may be declared (must_rally)"),
    Feature("scored", 2, about="in this rally, of 40, at most 1", labels=("my", "their")),
    Feature("plus", 2, about="1 if next_stroke is at work", labels=("my", "their")),
    Feature("second_stroke", about="1 when the active player's stroke of the rally is done"),
    Feature("love", LOVE_PLACES, about="Love Dice that struck this stroke", labels=("scorer's 1", "scorer's 2", "other's 1", "other's 2", "scorer's tactic", "other's tactic")),
    Feature("box", BOXES, about="chosen for a card", labels=STROKES),
    Feature("slot", SLOTS, about="the card that gives way there", labels=("first", "second")),
    Feature("placed", about="cards put down in this planning, of 2"),
    Feature("outwitted", about="the entry just taken by Outwit, counted from 1, of 74"),
    Feature("raised", about="1 if the tie-break roll is raised"),
    Feature("condition", 6, about="levels of 7, bad results of 5, at most 1", labels=("my stamina", "my injury", "my bad results", "their stamina", "their injury", "their bad results")),
    Feature("stamina_result", about="of a check that may still be negated, of 7"),
)  # fmt: skip

_FULL_CARD = ("for its owner", "for the opponent", "entry")
FLAT = Features(*_SHARED)
FULL = Features(
    *_SHARED,
    Feature("seat", about="0 or 1: whose view this is"),
    Feature("lead", low=-1, about="rallies won less rallies lost, of 64, between -1 and 1"),
    Feature("their_hand", KINDS, about="copies, of 3, at most 1"),
    Feature("their_hidden", BOXES * SLOTS * len(_FULL_CARD), -1, about="the cards in the opponent's boxes, face down or up",
            labels=tuple(f"{place} {what}" for place in _PLACES for what in _FULL_CARD)),
    Feature("pile", KINDS, about="copies in the draw pile, of 3, at most 1"),
    Feature("all_drawn", len(EVENTS), about="markers that either seat is choosing from", labels=EVENTS),
    Feature("known", KINDS, about="1 for a card that the opponent knows this seat to have"),
)  # fmt: skip

(
    _TO_MOVE, _PHASE, _ACTIVE, _FIRST, _FAVOURITE, _LEVEL, _SETS_TO_WIN, _SETS, _SURFACE, _USED, _TIEBREAK, _AFTER_TIEBREAK,
    _RALLIES, _RALLIES_LEFT, _MOMENTUM, _CLOSE, _RALLY_MOMENTUM, _BIG_MO, _STRATEGY, _CHALLENGE, _STRATEGIZED, _OFFERED,
    _DOUBLE, _BLUE, _OVERALL, _MY_STROKES, _THEIR_STROKES, _GRADES, _RATINGS, _MY_OPEN, _THEIR_OPEN, _MY_CARDS, _THEIR_CARDS,
    _MY_TACTIC, _THEIR_TACTIC, _END_SET, _MY_HAND, _THEIR_KNOWN, _DISCARDS, _TOP, _HAND_SIZE, _DECK, _AT_MOST, _MY_MARKERS,
    _THEIR_MARKERS, _OUT, _DRAWN, _MY_DECLARED, _THEIR_DECLARED, _FREE, _SCORED, _PLUS, _SECOND_STROKE, _LOVE, _BOX, _SLOT,
    _PLACED, _OUTWITTED, _RAISED, _CONDITION, _RESULT,
) = (FLAT.start(feature.name) for feature in FLAT)  # fmt: skip
_SEAT, _LEAD, _THEIR_HAND, _THEIR_HIDDEN, _PILE, _ALL_DRAWN, _KNOWN = (
    FULL.start(feature.name) for feature in list(FULL)[len(_SHARED) :]
)


@njit
def _clip(x):
    """Between -1 and 1."""
    return min(1.0, max(-1.0, x))


@njit
def own_worth(rules, kind):
    """Points that a card adds to its owner's stroke on average, its Love Die apart."""
    return rules.dice[kind] * _HALF_DIE + rules.score[kind]


@njit
def other_worth(rules, kind):
    """Points that it adds to the opponent's stroke: below 0 for a Defense card."""
    return rules.other_dice[kind] * _HALF_DIE + rules.other_score[kind]


@njit
def _write_slots(rules, state, owner, mine, at, out):
    """The cards in a player's boxes."""
    for box in range(BOXES):
        for slot in range(SLOTS):
            kind = np.int64(state.box[owner, box, slot])
            if kind != NOTHING:
                place = at + (SLOTS * box + slot) * _PER_CARD
                out[place] = 1
                out[place + 1] = state.shown[owner, box, slot]
                if mine or state.shown[owner, box, slot]:
                    out[place + 2] = _clip(own_worth(rules, kind) * _WORTH)
                    out[place + 3] = _clip(other_worth(rules, kind) * _WORTH)
                    out[place + 4] = rules.love_faces[kind] != 0
                    out[place + 5] = (kind + 1) * _PER_ENTRY


@njit
def _write_tactic(rules, kind, at, out):
    """A tactic in play."""
    if kind != NOTHING:
        out[at] = _clip(own_worth(rules, kind) * _WORTH)
        out[at + 1] = _clip(other_worth(rules, kind) * _WORTH)
        out[at + 2] = rules.love_faces[kind] != 0
        out[at + 3] = (kind + 1) * _PER_ENTRY
        for box in range(BOXES):
            out[at + 4 + box] = (rules.strokes[kind] >> box) & 1
            out[at + 4 + BOXES + box] = (rules.against[kind] >> box) & 1


@njit
def _write_bits(bits, at, out):
    """One number a stroke."""
    for box in range(BOXES):
        out[at + box] = (bits >> box) & 1


@njit
def rallies_left(rules, state):
    """R1, R28, R31. Rallies until the set ends or the tie-break is checked, as things stand."""
    limit = BOXES
    if state.tiebreak:
        limit = 3 if state.end_set == NOTHING else 2
    elif rules.level > TRAINING and state.end_set != NOTHING:
        limit = np.int64(rules.rallies[state.end_set])
    unresolved = 0
    for box in range(BOXES):
        unresolved += 1 - ((state.resolved[0] >> box) & 1)
    return max(min(unresolved, 1), min(limit - np.int64(state.rallies), unresolved))


@njit
def observe(rules, state, seat, out):
    """The view of `seat`, its own side first."""
    for place in range(len(out)):
        out[place] = 0
    them = other(seat)
    on_court = state.surface != NOTHING
    out[_TO_MOVE] = seat == state.seat and state.phase != OVER
    out[_PHASE + np.int64(state.phase)] = 1
    out[_ACTIVE] = state.active == seat
    out[_FIRST] = state.first == seat
    out[_FAVOURITE] = state.favourite == seat
    out[_LEVEL + np.int64(rules.level)] = 1
    out[_SETS_TO_WIN] = rules.sets * _PER_SET
    if on_court:
        out[_SURFACE + np.int64(state.surface)] = 1
    if rules.surface == SURFACE_ALL:
        for surface in range(len(SURFACES)):
            out[_USED + surface] = (state.surfaces >> surface) & 1
    out[_TIEBREAK] = state.tiebreak
    out[_AFTER_TIEBREAK] = state.after_tiebreak
    out[_RALLIES] = state.rallies * _PER_RALLY
    out[_RALLIES_LEFT] = rallies_left(rules, state) * _PER_RALLY
    lead = lead_of(state, seat)
    out[_MOMENTUM] = _clip(lead * _PER_SPACE)
    out[_CLOSE] = _clip(lead * _PER_LEAD)
    out[_RALLY_MOMENTUM] = _clip((state.momentum_before if seat == 0 else -state.momentum_before) * _PER_SPACE)
    for i in range(2):
        player = seat if i == 0 else them
        champion = np.int64(state.champion[player])
        out[_SETS + i] = state.sets[player] * _PER_SET
        out[_BIG_MO + i] = (lead if i == 0 else -lead) >= BIG_MO
        out[_STRATEGY + i] = state.strategy[player] * _PER_STEP
        out[_CHALLENGE + i] = state.challenge[player]
        out[_STRATEGIZED + i] = state.strategized[player]
        out[_OVERALL + i] = rules.overall[champion] * _PER_RALLY
        out[_HAND_SIZE + i] = min(1.0, hand_size(state, player) * _PER_HAND)
        out[_SCORED + i] = min(1.0, state.scored[player] * _PER_POINT)
        out[_PLUS + i] = min(1, state.plus[player])
        out[_CONDITION + 3 * i] = state.stamina[player] * _PER_LEVEL
        out[_CONDITION + 3 * i + 1] = state.injury[player] * _PER_LEVEL
        out[_CONDITION + 3 * i + 2] = min(1.0, state.bad_results[player] * _PER_STEP)
        _write_bits(ALL_BOXES & ~np.int64(state.resolved[player]), _MY_OPEN if i == 0 else _THEIR_OPEN, out)
        if on_court:
            out[_GRADES + 2 * i] = grade(rules, state, player, 0) * _PER_GRADE
            out[_GRADES + 2 * i + 1] = grade(rules, state, player, 1) * _PER_GRADE
            out[_RATINGS + 3 * i] = rules.strategy[champion, state.surface] * _PER_STEP
            out[_RATINGS + 3 * i + 1] = rules.stamina_grade[champion, state.surface, 0 if rules.early else 1] * _PER_GRADE
            out[_RATINGS + 3 * i + 2] = rules.injury_grade[champion, state.surface] * _PER_GRADE
            strokes = _MY_STROKES if i == 0 else _THEIR_STROKES
            for stroke in range(BOXES):
                out[strokes + stroke] = min(1.0, max(0, stroke_dice(rules, state, player, stroke)) * _PER_HALF)
        if state.declared[player] != NOTHING:
            out[(_MY_DECLARED if i == 0 else _THEIR_DECLARED) + np.int64(state.declared[player])] = 1
        for event in range(RETAINED):
            out[(_MY_MARKERS if i == 0 else _THEIR_MARKERS) + event] = min(1.0, state.held[player, event] * 0.5)
    if state.black[0] > 0:
        _write_bits(options(state, seat), _OFFERED, out)
        out[_DOUBLE] = state.black[0] == state.black[1]
        out[_BLUE + np.int64(state.blue) - 1] = 1
    _write_slots(rules, state, seat, True, _MY_CARDS, out)
    _write_slots(rules, state, them, False, _THEIR_CARDS, out)
    _write_tactic(rules, np.int64(state.tactic[seat]), _MY_TACTIC, out)
    _write_tactic(rules, np.int64(state.tactic[them]), _THEIR_TACTIC, out)
    if state.end_set != NOTHING:
        out[_END_SET] = rules.rallies[state.end_set] * _PER_RALLY
    for kind in range(KINDS):
        out[_MY_HAND + kind] = min(1.0, state.hand[seat, kind] * _PER_COPY)
        out[_THEIR_KNOWN + kind] = state.known[them, kind] > 0
    for i in range(state.discards):
        place = _DISCARDS + np.int64(state.discard[i])
        out[place] = min(1.0, out[place] + _PER_COPY)
    if state.discards > 0:
        out[_TOP] = (state.discard[state.discards - 1] + 1) * _PER_ENTRY
    out[_DECK] = deck_size(state) * _PER_DECK
    out[_AT_MOST] = 1.0 if state.end_sets_at_most[them] == NOTHING else min(1.0, state.end_sets_at_most[them] * _PER_HAND)
    for event in range(len(EVENTS)):
        out[_OUT + event] = min(1.0, state.out[event] * 0.5)
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
    out[_PLACED] = state.placed_now * 0.5
    out[_OUTWITTED] = (state.outwitted + 1) * _PER_ENTRY
    out[_RAISED] = min(1, state.raise_roll)
    out[_RESULT] = state.result * _PER_LEVEL


@njit
def observe_full(rules, state, seat, out):
    """The whole state as `seat` would tell it: for a centralised critic."""
    observe(rules, state, seat, out)
    them = other(seat)
    out[_SEAT] = seat
    out[_LEAD] = _clip((state.lead if seat == 0 else -state.lead) / 64)
    for kind in range(KINDS):
        out[_THEIR_HAND + kind] = min(1.0, state.hand[them, kind] * _PER_COPY)
        out[_PILE + kind] = min(1.0, state.deck[kind] * _PER_COPY)
        out[_KNOWN + kind] = state.known[seat, kind] > 0
    for box in range(BOXES):
        for slot in range(SLOTS):
            kind = np.int64(state.box[them, box, slot])
            if kind != NOTHING:
                place = _THEIR_HIDDEN + (SLOTS * box + slot) * len(_FULL_CARD)
                out[place] = _clip(own_worth(rules, kind) * _WORTH)
                out[place + 1] = _clip(other_worth(rules, kind) * _WORTH)
                out[place + 2] = (kind + 1) * _PER_ENTRY
    if state.phase == KEEPING:
        out[_ALL_DRAWN + np.int64(state.drawn[0])] = 1
        out[_ALL_DRAWN + np.int64(state.drawn[1])] = 1


ENCODERS = {"flat": Encoder(FLAT, observe), "full": Encoder(FULL, observe_full)}
