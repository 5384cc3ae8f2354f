"""TC Tennis's two records: the rules (options and tables) and the state of a match."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np

from tennis_envs.core.game import STATE_HEAD, record_type
from tennis_envs.core.jit import inlined
from tennis_envs.games.tc_tennis.actions import ACTIONS
from tennis_envs.games.tc_tennis.components import (
    CARDS,
    CHAMPIONS,
    EVENTS,
    GRADES,
    KINDS,
    MOST_COPIES,
    MOST_LEVELS,
    MOST_VOIDS,
    RESULTS,
    STROKES,
    SURFACES,
    Components,
    load_components,
)
from tennis_envs.games.tc_tennis.options import RANDOM, TCTennisOptions

BOXES = len(STROKES)
SERVE_1, SERVE_2, FOREHAND, BACKHAND, FOREHAND_VOLLEY, BACKHAND_VOLLEY, TOUCH = range(BOXES)
ALL_BOXES = (1 << BOXES) - 1
SLOTS = 2  # cards a box holds
HAND_LIMIT = 7
STRATEGY_LIMIT = 5
MARKER_LIMIT = 2
BIG_MO = 20
SURE_LEAD = 6  # decides a set
LEVELS = ("training", "standard", "tournament")
TRAINING, STANDARD, TOURNAMENT = range(3)
OFFENSE, DEFENSE, TACTIC, END_SET = range(4)  # kinds of card
CARD_KINDS = ("offense", "defense", "tactic", "end_set")
KEEP_DICE, LOSE_HIGHEST, LOSE_HALF = range(3)  # what a Love Die may take
NOTHING = -1  # no card, no stroke, no marker, no surface, no limit
EARLIER_SET = -1  # of a card that came back to the hand: it has outlasted the end of a set
SURFACE_RANDOM, SURFACE_ALL = len(SURFACES), len(SURFACES) + 1

(
    TIEBREAK_ROLL, NEXT_STROKE, GROUND_STROKES, VOLLEYS, TWO_CARDS, SEARCH_DISCARDS, FORCE_END_SET,
    STRATEGY_POINT, IGNORE_LOVE, RANDOM_DISCARD, SECOND_WIND, CLEAR_TACTICS, MUST_RALLY, STAMINA_CHECK,
    INJURY_CHECK,
) = range(len(EVENTS))  # fmt: skip
RETAINED = CLEAR_TACTICS  # events below it are kept, the others act at once

# Phases: one kind of decision each ...
PHASES = (
    "surface", "plan", "place", "take back", "before the roll", "search", "forced end set", "turn", "bonus",
    "extra action", "strategize", "outwit", "hand limit", "keep", "drop", "stroke", "reply", "void", "love",
    "challenge", "tie-break roll", "second wind", "over",
)  # fmt: skip
(
    CHOOSE_SURFACE, PLAN, PLACE, RETURN, BEFORE, SEARCH, FORCED, TURN, BONUS, EXTRA, STRATEGIZE, OUTWITTING,
    LIMIT, KEEPING, DROPPING, STROKING, REPLY, VOIDING, LOVE, CHALLENGING, TIEBREAKING, WIND, OVER,
) = range(len(PHASES))  # fmt: skip
# ... and what happens by itself, between two decisions
(
    DRAW, CHECK_HAND, OFFER_BONUS, END_TURN, BEFORE_ROLL, ROLL,
    DECLARE, ANSWER, REVEAL, VOIDS, ROLL_STROKES, ASK_CHALLENGE, RALLY_OVER,
    SET_UP, OFFER_PLAN, DRAW_MARKERS, KEPT, FORCE, ASK_LOVE, SET_OVER, ROLL_FOR_TIEBREAK,
) = range(OVER + 1, OVER + 22)  # fmt: skip
RALLY = DECLARE  # the phases of a rally begin here
RARE = SET_UP

# Steps of setting up a set or a tie-break
(
    STEP_SURFACE, STEP_LAY_OUT, STEP_DRAW, STEP_DRAW_SECOND, STEP_PLAN, STEP_PLAN_SECOND, STEP_STAMINA,
    STEP_STAMINA_SECOND, STEP_INJURY, STEP_INJURY_SECOND, STEP_PLAY,
) = range(11)  # fmt: skip

HALF_DIE = 1.875  # points that half a die more is worth, on average
COURT = 3  # numbers that tell what a surface is to a champion

# Places of `board`, a player's side in bytes that the observation scales (`rules/board.py`): the match as he tells it, his
# boxes as he knows them, what everybody sees, and his boxes as his opponent knows them. He sees the row up to `SEEN`, his
# opponent from `OPEN` on.
_BOARD = {
    "momentum": 1,  # his lead on the track, at most TRACK_END either way
    "close_lead": 1,  # the same, at most SURE_LEAD
    "rally_momentum": 1,  # his lead when the last rally began
    "sets": 2,  # won: his own, the opponent's
    "scored": 2,  # in this rally, at most MOST_SCORED: his own, the opponent's
    "end_sets": 2,  # `end_sets_at_most`: the opponent's, his own
    "active": 1,  # 1: his turn
    "first": 1,  # 1: he began the set
    "favourite": 1,  # 1: he is the Favourite
    # no matter whose row
    "level": 1,
    "sets_to_win": 1,
    "blue": 1,  # the blue die, 0 before the roll: it stands here and nowhere else
    # his side
    "laid": BOXES * SLOTS,  # 0 no card, 1 + entry face down, below 0 face up
    "laid_own": BOXES,  # half points that the cards in each box are worth to this player's stroke
    "laid_other": BOXES,  # ... and to the opponent's
    "open": BOXES,  # 0 resolved in this set, 1 not yet, 2 the stroke of this rally or the box chosen for a card
    "dice": BOXES,  # half dice of each stroke before any card
    "touch": BOXES,  # half points that the tactics in play are worth to it
    "champion": 6,  # RET and DEF as they stand, not yet bounded by D; STR, STA, INJ, Overall
    "courts": len(SURFACES) * COURT,  # half dice of the seven strokes together, RET and DEF on every surface
    "entry": 1,  # 1 + the champion's entry
    "tactic": 1,  # 1 + entry
    "injury": 1,  # level
    # what stands here and nowhere else
    "stamina": 1,  # level
    "bad_results": 1,  # of Stamina Checks in this match
    "strategy": 1,  # steps left on the track
    "challenge": 1,  # markers
    "strategized": 1,  # in the player's last turn
    "hand": 1,  # cards
    "plus": 1,  # next_stroke markers at work
    "stamina_before": 1,  # the level before the last bad result
    "held": RETAINED,  # markers kept
    # follows from the rest
    "seen": BOXES * SLOTS,  # 0 no card, FACE_DOWN, or FACE_DOWN + 1 + entry
    "seen_own": BOXES,  # half points that the cards face up in each box are worth to this player's stroke
    "seen_other": BOXES,  # ... and to the opponent's
}
FACE_DOWN = 1
TRACK_END, MOST_SCORED = 80, 40  # as far as they are shown
BOARD = sum(_BOARD.values())
(
    MOMENTUM, CLOSE_LEAD, RALLY_MOMENTUM, SETS, SCORED, END_SETS, ACTIVE, FIRST, FAVOURITE, LEVEL, SETS_TO_WIN, BLUE,
    LAID, LAID_OWN, LAID_OTHER, OPEN, DICE, TOUCH, CHAMPION, COURTS, ENTRY, TACTIC_UP, INJURED, STAMINA, BAD_RESULTS, TRACK,
    CAN_CHALLENGE, STRATEGIZED, HAND_CARDS, PLUS, STAMINA_BEFORE, HELD, SEEN, SEEN_OWN, SEEN_OTHER,
) = (
    sum(list(_BOARD.values())[:place]) for place in range(len(_BOARD))
)  # fmt: skip
# Places of `common`
_COMMON = {
    "tiebreak": 1,  # 1 while one is played
    "after_tiebreak": 1,  # 1 if the last set was decided by one
    "rallies": 1,  # in this set, or since the marker was last checked in the tie-break
    "pile": 1,  # cards in the draw pile
    "placed": 1,  # cards put down in this planning
    "free": 1,  # 1: any open stroke (must_rally)
    "outwit_free": 1,  # 1: the card that a random_discard has just brought may be taken by Outwit
    "stage": 1,  # 0 the active player's stroke of the rally, 1 the other's (2: both are done)
    "raised": 1,  # tiebreak_roll markers at work
    "result": 1,  # of a Stamina Check that may still be negated
    "out": len(EVENTS),  # markers out for the rest of the set
    "slot": 1,  # the card in the chosen box that goes back to the hand: 0 none, 1 the first, 2 the second
    "outwitted": 1,  # 1 + entry of the card just taken by Outwit
    # what follows from the rest
    "offered": BOXES,  # 1: the black dice offer this box
    "double": 1,  # 1: they are alike
    "courts": len(SURFACES),  # 2 the court of play, 1 more if it may not be chosen now (R40)
    "left": 1,  # rallies until the set ends or the tie-break is checked, as things stand
    "end_set": 1,  # rallies on the End Set card in play, 0 without one
    "top": 1,  # 1 + entry of the card on top of the discards
}
COMMON = sum(_COMMON.values())
(
    TIEBREAK, AFTER_TIEBREAK, RALLIES, PILE, PLACED_NOW, FREE, OUTWIT_FREE, STAGE, RAISED, RESULT, OUT, SLOT_CHOSEN,
    OUTWITTED, OFFERED, DOUBLE, COURT_OF_PLAY, LEFT, END_SET_RALLIES, TOP,
) = (
    sum(list(_COMMON.values())[:place]) for place in range(len(_COMMON))
)  # fmt: skip


LOVE_PLACES = 6  # the scorer's two cards, the opponent's two, the scorer's tactic, the opponent's (D8)
DECIDED = len(PHASES) + LOVE_PLACES + 1  # zeros behind `common`: features of what is decided


def _padded(size: int, lanes: int) -> int:
    """Rows that are looped over as a whole have a length that processors' wide instructions divide."""
    return -(-size // lanes) * lanes


# Compilers turn short loops into single steps instead, so none is shorter than 64. Bytes are taken by 32, features by 8.
WIDE = _padded(KINDS, 32)
WIDE_MINE, WIDE_THEIRS, WIDE_LAID, WIDE_COMMON = SEEN, _padded(BOARD - OPEN, 8), 64, COMMON + DECIDED
assert WIDE_MINE % 8 == WIDE_COMMON % 8 == 0  # these two end where the next block or the observation does
WIDE_SIGHT = _padded(KINDS, 8)
WIDE_BOARD = OPEN + WIDE_THEIRS  # a row may be read from OPEN on
# What counts in `sight`: a copy in the discards; once for a card that the opponent was seen to take, that he has seen this
# player take, and that goes after the set (R32)
SIGHT_GONE, SIGHT_KNOWN, SIGHT_MINE_KNOWN, SIGHT_WORN = -8, -4, -2, -1
PER_SIGHT = 1 / (-SIGHT_GONE * (MOST_COPIES + 1))

TABLE = np.dtype(
    [
        ("column", "i1", (len(RESULTS),)),  # of each result of two dice
        ("columns", "i1"),
        ("cell", "i1", (len(GRADES), len(RESULTS))),  # level by row and column
        ("levels", "i1"),
        ("strategy", "i1", (MOST_LEVELS,)),  # steps, negative
        ("defense", "i1", (MOST_LEVELS,)),  # grades that RET and DEF fall
        ("dice", "i1", (MOST_LEVELS,)),  # half dice for every stroke, negative
        # shifts, columns to the right or rows down; 0 where a table does not have it
        ("after_tiebreak", "i1"),
        ("fifth_set", "i1"),
        ("bad_stamina", "i1"),  # for every bad result
        ("injured_rows", "i1"),
        ("aftereffects", "i1", (6,)),
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("level", "i1"),
        ("sets", "i1"),  # that win the match
        ("surface", "i1"),
        ("winner_chooses_fifth", "i1"),
        ("verb", "i1", (len(ACTIONS),)),  # of each action, its place in VERBS
        ("after_pass", "i1", (OVER,)),  # what goes on when a player passes in each phase
        ("early", "i1"),
        ("champion", "i1", (2,)),  # NOTHING: drawn
        ("brought", "i1", (2,)),  # injuries from an earlier match
        # cards, by entry
        ("copies", "i1", (KINDS,)),  # in the deck at this level
        ("urn", "i1", (WIDE,)),  # the same cards one by one, in order
        ("pile", "i1"),  # how many
        ("kind", "i1", (KINDS,)),
        ("strokes", "i1", (KINDS,)),  # bits: boxes it fits, or own strokes it touches
        ("against", "i1", (KINDS,)),  # bits: opponent's strokes it touches
        ("boxes", "i1", (KINDS,)),  # bits: boxes it fits; none for a tactic or an End Set card
        # words hold eight bits a box: `rules/words.py`
        ("fit", "i8", (KINDS,)),  # word: 1 for a box that it fits, and in the eighth place
        ("fitting", "i1", (BOXES, WIDE)),  # of each box: 1 for a card that fits it, else 0
        ("fit_row", "i8", (KINDS,)),  # word: its row for a box that it fits, and in the eighth place
        ("spread", "i8", (ALL_BOXES + 1,)),  # bits as a word
        # by the black dice as one number, 7 * first + second, 0 before the roll
        ("offered", "i1", (49,)),  # R9. Bits: boxes that they offer
        ("offer", "i8", (49,)),  # the same as a word, and 1 in the eighth place for a double
        ("open_play", "i1", (WIDE,)),  # 1: tactic or End Set card
        ("dice", "i1", (KINDS + 1,)),  # half dice; here and below, a table of KINDS + 1 rows is read by `row(kind)`
        ("score", "i1", (KINDS + 1,)),
        ("other_dice", "i1", (KINDS + 1,)),
        ("other_score", "i1", (KINDS + 1,)),
        ("touches", "i1", (KINDS + 1, 2)),  # bits: own strokes that it touches, a card in a box any; the opponent's
        ("love_faces", "i1", (KINDS + 1,)),  # bits
        ("love_other", "i1", (KINDS,)),  # 1: it strikes the opponent's stroke
        ("love_strikes", "i1", (KINDS + 1, 2)),  # bits: own strokes that its Love Die strikes, the opponent's
        ("love_dice", "i1", (KINDS,)),
        ("love_score", "i1", (KINDS,)),
        ("love_lose", "i1", (KINDS,)),
        ("voids", "i1", (KINDS, MOST_VOIDS)),
        ("voided", "i1", (KINDS + 1,)),  # 1: some card names it
        ("no_draw", "i1", (KINDS,)),
        ("takeable", "i1", (KINDS + 1,)),  # 1: Outwit may take it
        ("after_set", "i1", (KINDS,)),  # discarded after the set if played
        ("rallies", "i1", (KINDS,)),  # of an End Set card
        ("remedy", "i1", (KINDS,)),  # discarded at once
        ("restores", "i1", (KINDS,)),
        ("heals", "i1", (KINDS, 6)),
        # champions, by surface
        ("overall", "i1", (CHAMPIONS,)),
        ("rating", "i1", (CHAMPIONS, len(SURFACES), BOXES)),  # half dice
        ("defense", "i1", (CHAMPIONS, len(SURFACES), 2)),  # grades of RET and DEF
        ("stamina_grade", "i1", (CHAMPIONS, len(SURFACES), 2)),  # the lesser, the higher
        ("injury_grade", "i1", (CHAMPIONS, len(SURFACES))),
        ("strategy", "i1", (CHAMPIONS, len(SURFACES))),
        ("markers", "i1", (len(EVENTS),)),  # in the cup at this level
        # half points that a card is worth, by `row(kind)`
        ("own_worth", "i1", (KINDS + 1,)),  # to its owner's stroke
        ("other_worth", "i1", (KINDS + 1,)),  # to the opponent's
        # R10 to R16. What a card in the rally's boxes or a tactic does to each stroke, as `_effect` packs it, by `row(kind)`
        ("own_effect", "i4", (BOXES, KINDS + 1)),  # to its owner's
        ("other_effect", "i4", (BOXES, KINDS + 1)),
        ("own_touch", "i1", (KINDS + 1, BOXES)),  # the same of a tactic for each stroke that it touches
        ("other_touch", "i1", (KINDS + 1, BOXES)),
        ("board_scale", "f4", (WIDE_BOARD,)),  # of each place in an observation
        ("common_scale", "f4", (WIDE_COMMON,)),
        ("stamina", TABLE),
        ("injury", TABLE),
    ],
    align=True,
)

STATE = record_type(
    [
        *STATE_HEAD,
        ("momentum", "i2"),  # positive on player 0's side
        ("momentum_before", "i2"),  # where the rally began
        ("phase", "i1"),
        ("then", "i1"),  # what goes on after a decision inside an action
        ("to_draw", "i1"),  # cards that the player to move draws next
        ("step", "i1"),  # of setting up
        ("active", "i1"),  # whose turn it is
        ("first", "i1"),  # who began the set
        ("favourite", "i1"),
        ("champion", "i1", (2,)),
        ("surface", "i1"),
        ("surfaces", "i1"),  # bits: chosen since all four were free
        ("sets", "i1", (2,)),
        ("loser", "i1"),  # of the last set, NOTHING before
        ("resolved", "i1", (2,)),  # bits
        ("unresolved", "i1"),  # strokes that are open to each player
        ("black", "i1", (2,)),
        ("offered", "i1"),  # bits: boxes that the black dice offer, none before the roll
        # cards: entries of the components file
        ("deck", "i1", (KINDS,)),  # copies in the draw pile
        ("urn", "i1", (WIDE + 1,)),  # the same cards one by one, in order
        ("hand", "i1", (2, WIDE)),
        # words hold eight bits a box (`rules/words.py`), and in the eighth place the same of the whole hand
        ("fit", "i8", (2,)),  # different cards in the hand that fit it
        ("fit_rows", "i8", (2,)),  # their rows, joined by exclusive or: of a single card, its row
        ("down", "i8", (2, SLOTS)),  # 1 for a card face down: eight bits a slot, box after box
        ("box", "i1", (2, BOXES, SLOTS)),
        ("shown", "i1", (2, BOXES, SLOTS)),  # face up
        ("placed", "i1", (2, BOXES, SLOTS)),  # the clock when it was put there
        ("common", "i1", (WIDE_COMMON,)),  # what is there once for both
        ("board", "i1", (2, WIDE_BOARD)),  # a side as it is seen; most of it follows from the rest: `rules/board.py`
        ("tactic", "i1", (2,)),
        ("end_set", "i1"),
        ("discard", "i1", (CARDS,)),  # from the bottom
        ("discards", "i1"),
        ("sight", "i1", (2, WIDE_SIGHT)),  # where a player sees each card outside his hand (`rules/board.py`)
        ("worn", "i1", (WIDE,)),  # bit 1 << seat: taken back after having been played in this set
        # what the opponent knows of a player's hidden cards
        ("known", "i1", (2, KINDS)),  # the clock when he saw it go into the hand, 0 if he does not know of it
        ("returns", "i1", (2,)),  # bits: boxes from which a card unseen came back to the hand and may still be hidden
        ("returned", "i1", (2, BOXES)),  # the clock when it did; EARLIER_SET before this set
        ("clock", "i1"),  # counts such moments in this set
        ("end_sets_at_most", "i1", (2,)),  # in hand, after being shown to have none; else NOTHING
        # inside a decision
        ("box_chosen", "i1"),
        # markers
        ("cup", "i1", (len(EVENTS),)),
        ("drawn", "i1", (2,)),
        # rally
        ("declared", "i1", (2,)),
        ("asked", "i1"),  # players asked so far
        ("passes", "i1"),
        ("love_place", "i1"),  # card whose Love Die comes next (D8)
        ("love_hits", "i1"),  # bits by place: results that count
        ("scored", "i2", (2,)),  # in this rally
        # condition
        ("injury", "i1", (2,)),
    ]
)


@inlined
def row(kind):
    """The row of a card in the tables that have one for no card too: NOTHING is row 0."""
    return kind + 1


# What a card does to a stroke is one number, so that several are added at once: half dice, points and Love Dice that strike,
# twelve bits each; a sum begins at NO_EFFECT, where dice and points stand at EFFECT_ZERO, so that none is below 0
EFFECT_BITS = 12
EFFECT_ZERO, EFFECT_MASK = 1 << EFFECT_BITS - 1, (1 << EFFECT_BITS) - 1
NO_EFFECT = EFFECT_ZERO | EFFECT_ZERO << EFFECT_BITS


def _effect(dice: int, score: int, love: int) -> int:
    return dice + (score << EFFECT_BITS) + (love << 2 * EFFECT_BITS)


def _bits(places: tuple[int, ...]) -> int:
    return sum(1 << place for place in places)


def _fill_cards(record: np.void, components: Components, level: int) -> None:
    index = {card.name: i for i, card in enumerate(components.card)}
    record["voids"][:] = NOTHING
    for i, card in enumerate(components.card):
        kind = CARD_KINDS.index(card.kind)
        in_deck = level == TOURNAMENT or not card.tournament
        if kind == END_SET and level == TRAINING:
            in_deck = False
        record["copies"][i] = card.copies if in_deck else 0
        record["kind"][i] = kind
        record["strokes"][i], record["against"][i] = _bits(card.boxes), _bits(card.targets)
        record["boxes"][i] = _bits(card.boxes) if kind <= DEFENSE else 0
        record["fit"][i] = record["spread"][record["boxes"][i]] | 1 << 8 * BOXES
        record["fitting"][:, i] = [record["boxes"][i] >> box & 1 for box in range(BOXES)]
        record["fit_row"][i] = record["fit"][i] * row(i)
        record["open_play"][i] = kind > DEFENSE
        record["dice"][row(i)], record["score"][row(i)] = 2 * card.dice, card.score
        record["other_dice"][row(i)], record["other_score"][row(i)] = 2 * card.opponent_dice, card.opponent_score
        record["touches"][row(i)] = (ALL_BOXES, ALL_BOXES) if kind <= DEFENSE else (_bits(card.boxes), _bits(card.targets))
        if card.love:
            record["love_faces"][row(i)] = _bits(tuple(face - 1 for face in card.love.faces))
            record["love_other"][i] = struck = card.love.on == "opponent"
            record["love_strikes"][row(i), int(struck)] = record["touches"][row(i), int(struck)]
            record["love_dice"][i], record["love_score"][i] = 2 * card.love.dice, card.love.score
            record["love_lose"][i] = ("", "highest", "half").index(card.love.lose)
        for place, name in enumerate(card.voids):
            record["voids"][i, place] = index[name]
            record["voided"][row(index[name])] = 1
        record["no_draw"][i], record["after_set"][i] = card.no_draw, card.discard_after_set
        record["takeable"][row(i)] = not card.no_draw
        record["rallies"][i] = card.rallies or 0
        record["remedy"][i], record["restores"][i] = card.remedy, card.restores_stamina
        record["heals"][i] = card.heals or [0] * 6


def _fill_worth(record: np.void) -> None:
    for i in range(KINDS):
        own = 2 * (HALF_DIE * record["dice"][row(i)] + record["score"][row(i)])
        other = 2 * (HALF_DIE * record["other_dice"][row(i)] + record["other_score"][row(i)])
        record["own_worth"][row(i)], record["other_worth"][row(i)] = np.rint((own, other))
        for box in range(BOXES):
            if record["strokes"][i] >> box & 1:
                record["own_touch"][row(i), box] = np.rint(own)
            if record["against"][i] >> box & 1:
                record["other_touch"][row(i), box] = np.rint(other)
    for i, stroke in np.ndindex(KINDS, BOXES):
        for which, name in enumerate(("own_effect", "other_effect")):
            prefix = ("", "other_")[which]
            if record["touches"][row(i), which] >> stroke & 1:
                dice, score = int(record[prefix + "dice"][row(i)]), int(record[prefix + "score"][row(i)])
                love = int(record["love_strikes"][row(i), which]) >> stroke & 1
                record[name][stroke, row(i)] = _effect(dice, score, love)


def _fill_scales(record: np.void) -> None:
    scale = record["board_scale"]
    scale[MOMENTUM:LAID] = [
        1 / TRACK_END, 1 / SURE_LEAD, 1 / TRACK_END, 1 / 3, 1 / 3, 1 / MOST_SCORED, 1 / MOST_SCORED, 1 / 10, 1 / 10,
        1, 1, 1, 1 / 2, 1 / 3, 1 / 6,
    ]  # fmt: skip
    scale[LAID:LAID_OWN] = 1 / KINDS
    scale[LAID_OWN:OPEN] = 1 / 20
    scale[OPEN:DICE] = 1
    scale[DICE:TOUCH] = HALF_DIE / 10
    scale[TOUCH:CHAMPION] = 1 / 20
    scale[CHAMPION:COURTS] = 1 / 3, 1 / 3, 1 / STRATEGY_LIMIT, 1 / 3, 1 / 3, 1 / HAND_LIMIT
    scale[COURTS:ENTRY] = [HALF_DIE / 50, 1 / 3, 1 / 3] * len(SURFACES)
    scale[ENTRY:HELD] = (
        1 / CHAMPIONS, 1 / KINDS, 1 / MOST_LEVELS, 1 / MOST_LEVELS, 1 / 5, 1 / STRATEGY_LIMIT, 1, 1, 1 / 10, 1,
        1 / MOST_LEVELS,
    )  # fmt: skip
    scale[HELD:SEEN] = 1 / 2
    scale[SEEN:SEEN_OWN] = 1 / (KINDS + FACE_DOWN)
    scale[SEEN_OWN:BOARD] = 1 / 20
    scale = record["common_scale"]
    scale[:OUT] = 1, 1, 1 / BOXES, 1 / CARDS, 1 / SLOTS, 1, 1, 1 / 2, 1, 1 / MOST_LEVELS
    scale[OUT:SLOT_CHOSEN] = 1 / 2
    scale[SLOT_CHOSEN:OFFERED] = 1 / 2, 1 / KINDS
    scale[OFFERED:COURT_OF_PLAY] = 1
    scale[COURT_OF_PLAY:LEFT] = 1 / 2
    scale[LEFT:COMMON] = 1 / BOXES, 1 / BOXES, 1 / KINDS


def _fill_champions(record: np.void, components: Components) -> None:
    for i, champion in enumerate(components.champion):
        record["overall"][i] = champion.overall
        for surface in range(len(SURFACES)):
            court = champion.court(surface)
            record["rating"][i, surface] = court.halves
            record["defense"][i, surface] = GRADES.index(court.ret), GRADES.index(court.defense)
            record["stamina_grade"][i, surface] = court.stamina
            record["injury_grade"][i, surface] = GRADES.index(court.inj)
            record["strategy"][i, surface] = court.strategy


def _fill_tables(record: np.void, components: Components) -> None:
    for name in ("stamina", "injury"):
        table, target = getattr(components, name), record[name]
        target["column"] = table.columns
        target["columns"] = len(table.last)
        for row, levels in enumerate(table.rows):
            target["cell"][row, : len(levels)] = levels
        target["levels"] = len(table.level)
        for i, level in enumerate(table.level):
            target["strategy"][i], target["defense"][i], target["dice"][i] = (
                level.strategy,
                level.defense,
                2 * level.dice,
            )
        for shift, amount in table.shifts.model_dump().items():
            target[shift] = amount
    record["injury"]["aftereffects"] = components.injury.aftereffects


def _fill_flow(record: np.void) -> None:
    for verb, (start, shape) in enumerate(ACTIONS.segments.values()):
        record["verb"][start : start + math.prod(shape)] = verb
    after = record["after_pass"]
    after[[BONUS, STRATEGIZE, CHALLENGING, PLAN]] = END_TURN, DRAW, ASK_CHALLENGE, SET_UP
    after[[VOIDING, BEFORE, LOVE, TIEBREAKING]] = VOIDS, ROLL, ASK_LOVE, ROLL_FOR_TIEBREAK


@functools.cache
def rules_record(options: TCTennisOptions) -> np.ndarray:
    """The rules record of some options, shape (1,)."""
    components = load_components(options.components)
    rules = np.zeros(1, RULES)
    record = rules[0]
    level = LEVELS.index(options.level)
    record["level"] = level
    record["sets"] = {"set": 1, "best_of_3": 2, "best_of_5": 3}[options.format]
    record["surface"] = [*SURFACES, "random", "all"].index(options.surface)
    record["winner_chooses_fifth"] = options.fifth_surface == "winner"
    record["early"] = options.stage == "early"
    _fill_flow(record)
    for seat, name in enumerate((options.champion_0, options.champion_1)):
        record["champion"][seat] = NOTHING if name == RANDOM else components.champion_index(name)
    record["brought"] = options.injury_0, options.injury_1
    _fill_scales(record)
    record["spread"] = [sum((bits >> box & 1) << 8 * box for box in range(BOXES)) for bits in range(ALL_BOXES + 1)]
    for first, second in itertools.product(range(1, 7), repeat=2):
        offered = (1 << first | 1 << second | 1 << first + second) >> 1 & ALL_BOXES
        record["offered"][7 * first + second] = offered
        record["offer"][7 * first + second] = record["spread"][offered] | (first == second) << 8 * BOXES
    _fill_cards(record, components, level)
    deck = np.repeat(np.arange(KINDS), record["copies"])
    record["urn"][: len(deck)], record["pile"] = deck, len(deck)
    _fill_worth(record)
    _fill_champions(record, components)
    for event in components.event:
        if level == TOURNAMENT or (level == STANDARD and event.colour == "green"):
            record["markers"][EVENTS.index(event.effect)] = event.copies
    _fill_tables(record, components)
    return rules
