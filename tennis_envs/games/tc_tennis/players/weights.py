"""What the scripted player counts with: a few factors, and leanings by circumstances, all 0 before any training.

Each kind of choice has a leaning, points that are added to what speaks for it. A leaning is a sum over the circumstances of
a decision, each with a weight of its own: "rally" may count for more by so much with every point of the lead.
"""

import math

import numpy as np

from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.player import Weight, Weights
from tennis_envs.games.tc_tennis.components import EVENTS, KINDS, STROKES
from tennis_envs.games.tc_tennis.rules.cards import cards_in, other
from tennis_envs.games.tc_tennis.rules.rally import grade, lead_of, stroke_dice
from tennis_envs.games.tc_tennis.state import BOXES, CAN_CHALLENGE, HAND_CARDS, LEFT, NOTHING, TIEBREAK, TRACK

CIRCUMSTANCES = (
    "always",  # 1
    "lead",  # own, in tens of momentum, between -2 and 2
    "level",  # high when nobody leads
    "tie-break",  # 1 in one
    "rallies left",  # until the set ends or the tie-break is checked
    "dice",  # of one's open strokes, less the other's
    "strategy",  # steps left
    "hand",  # cards
    "their hand",
    "laid",  # cards in one's boxes that are open
    "their laid",
    "end set",  # 1 with an End Set card in play
    "their RET",
    "their DEF",
    "challenge",  # 1 with a marker left
    "their challenge",
    "lead by rallies left",  # products of two of them
    "level by rallies left",
    "lead by tie-break",
)
# A kind of choice, and how many there are of it
_PARTS = (
    "cards",  # what they are worth
    "dice",
    "tactic",
    "number",  # of its cards
    "theirs",  # of the cards in the opponent's box of the same stroke
    "hand",  # of the cards in hand that fit and find room
    # what it meets, in a reply
    "defence",  # what its cards take, by how good the opponent's stroke looks
    "cards met",  # what they are worth, by the number of the opponent's
    "dice met",
)
_OF_A_STROKE = len(_PARTS) + BOXES  # by these, and by which stroke it is
_LEANINGS = {
    "box": BOXES,  # a card in this box
    "first card": 1,
    "second card": 1,
    "third card": 1,  # in place of another
    "card gain": 1,  # by what placing it gains
    "tactic gain": 1,
    "end set gain": 1,
    "tactic": 1,
    "end set": 1,
    "concentrate": 1,
    "strategize": 1,
    "strategize on": 1,  # another card
    "outwit": 1,
    "read": 1,
    "events": 1,
    "rally": 1,
    "rally own": 1,  # by the cards in the box best filled among those offered
    "rally their": 1,
    "bonus": 1,
    "plan": 1,
    "hold card": 1,  # in hand
    "hold tactic": 1,
    "hold end set": 1,
    "stroke": _OF_A_STROKE,
    "reply": _OF_A_STROKE,
    "void": 1,
    "challenge": 1,
    "challenge luck": 1,  # by how much worse than expected the rally went
    "challenge last": 1,  # in the last rally of a set
    "keep": len(EVENTS),  # this marker
    "random discard": 1,
    "search": 1,
    "force": 1,
}
LEANINGS = sum(_LEANINGS.values())
(
    BOX, FIRST_CARD, SECOND_CARD, THIRD_CARD, CARD_GAIN, TACTIC_GAIN, END_SET_GAIN, PLAY_TACTIC, PLAY_END_SET, DRAWING,
    STRATEGIZING, STRATEGIZING_ON, OUTWITTING_IT, READING, EVENT_DRAW, RALLYING, RALLY_OWN, RALLY_THEIR, BONUS_ACTION, PLANNING,
    HOLD_CARD, HOLD_TACTIC, HOLD_END_SET, AS_STROKE, AS_REPLY, TO_VOID, TO_CHALLENGE, CHALLENGE_LUCK, CHALLENGE_LAST, EVENT,
    USE_RANDOM_DISCARD, SEARCHING, FORCING,
) = (
    sum(list(_LEANINGS.values())[:place]) for place in range(len(_LEANINGS))
)  # fmt: skip
BY_CARDS, BY_DICE, BY_TACTIC, BY_NUMBER, BY_THEIRS, BY_HAND, BY_DEFENCE, BY_CARDS_MET, BY_DICE_MET, BY_STROKE = range(10)


def _labels(name: str, size: int) -> list[str]:
    """What the leanings of a kind of choice are called."""
    if name == "keep":
        return [f"keep {event}" for event in EVENTS]
    if size == 1:
        return [name]
    strokes = [f"{name} {stroke}" for stroke in STROKES]
    return strokes if name == "box" else [f"{name} by {what}" for what in _PARTS] + strokes


_NAMES = [label for name, size in _LEANINGS.items() for label in _labels(name, size)]


def _factor(name: str, value: float, about: str) -> Weight:
    """A number that is tried a tenth up and down."""
    return Weight(name, value=value, step=0.1 * value, about=about)


WEIGHTS = Weights(
    _factor("own worth", 1.0, "of a card: what it brings one's own stroke"),
    _factor("other worth", 1.0, "and what it takes from the opponent's"),
    _factor("love", 1.0, "a card's Love Die"),
    _factor("tactic own", 1.0, "a tactic's effect on one's own strokes"),
    _factor("tactic other", 1.0, "and on the opponent's"),
    _factor("spread", 6.4, "standard deviation of a rally's gain"),
    _factor("set", 25.0, "points of momentum that a set is worth when it is close"),
    _factor("likely second", 1.3, "how much likelier a stroke with a card is to be resolved than one on average"),
    _factor("likely first", 0.9, "and one without"),
    _factor("likely least", 0.7, "the same whatever its rating"),
    _factor("likely rating", 0.06, "and by each half die of it"),
    _factor("hold tactic worth", 0.9, "a tactic in hand, by what it would bring now"),
    _factor("rally best", 1.0, "what speaks for the best stroke that may be declared, when deciding on a rally"),
    _factor("rally mean", 1.0, "and for an open stroke on average"),
    _factor("rally set", 12.5, "what a rally less in the set is worth"),
    Weight("rally act", step=0.2, about="what the best action is worth, when deciding on a rally"),
    _factor("hand size", 0.15, "what each card in hand takes from drawing another"),
    *(
        Weight(circumstance, LEANINGS, step=0.3 if circumstance == "always" else 0.2, labels=_NAMES, about="leanings")
        for circumstance in CIRCUMSTANCES
    ),
    Weight("play", KINDS, about="a card by its entry: placing or playing it"),
    Weight("hold", KINDS, about="and keeping it in hand"),
)
(
    OWN_WORTH, OTHER_WORTH, LOVE_FACTOR, TACTIC_OWN, TACTIC_OTHER, SPREAD, SET_WORTH, LIKELY_SECOND, LIKELY_FIRST, LIKELY_LEAST,
    LIKELY_RATING, HOLD_TACTIC_WORTH, RALLY_BEST, RALLY_MEAN, RALLY_SET, RALLY_ACT, HAND_SIZE,
) = range(17)  # fmt: skip
PLAY, HOLD = WEIGHTS.start("play"), WEIGHTS.start("hold")
_BY = WEIGHTS.start(CIRCUMSTANCES[0])  # the first circumstance's weights, one a leaning; the others' follow
# What the player notes down after the weights: leanings and boxes for a decision, worths for good
_NOTES = {
    "leanings": LEANINGS,
    "card worth": KINDS + 1,
    "love worth": KINDS + 1,
    "replaced": BOXES,
    "likely": BOXES,
    "extra": BOXES,
}
ROOM = sum(_NOTES.values())
_LEANING, CARD_WORTH, LOVE_WORTH, REPLACED, LIKELY, EXTRA_WORTH = (
    len(WEIGHTS) + sum(list(_NOTES.values())[:place]) for place in range(len(_NOTES))
)


@inlined
def leaning(mind, choice):
    """Points that the circumstances add to what speaks for a choice."""
    return mind[_LEANING + choice]


@njit
def consider(state, seat, mind):
    """Write down the leanings of a decision."""
    them = other(seat)
    lead = float(lead_of(state, seat))
    dice, laid, their_laid = 0, 0, 0
    for box in range(BOXES):
        if (state.resolved[seat] >> box) & 1 == 0:
            dice += stroke_dice(state, seat, box)
            laid += cards_in(state, seat, box)
        if (state.resolved[them] >> box) & 1 == 0:
            dice -= stroke_dice(state, them, box)
            their_laid += cards_in(state, them, box)
    ahead = min(2.0, max(-2.0, lead / 10.0))
    level = math.exp(-abs(lead) / 6.0) - 0.4
    tiebreak = float(state.common[TIEBREAK])
    left = (state.common[LEFT] - 3.0) / 3.0
    now = (
        1.0,
        ahead,
        level,
        tiebreak,
        left,
        dice / 8.0,
        (state.board[seat, TRACK] - 2.0) / 3.0,
        (state.board[seat, HAND_CARDS] - 4.0) / 3.0,
        (state.board[them, HAND_CARDS] - 4.0) / 3.0,
        (laid - 4.0) / 4.0,
        (their_laid - 4.0) / 4.0,
        1.0 if state.end_set != NOTHING else 0.0,
        grade(state, them, 0) - 1.5,
        grade(state, them, 1) - 1.5,
        float(state.board[seat, CAN_CHALLENGE]),
        float(state.board[them, CAN_CHALLENGE]),
        ahead * left,
        level * left,
        ahead * tiebreak,
    )
    for choice in range(LEANINGS):
        mind[_LEANING + choice] = 0
    for place in range(len(CIRCUMSTANCES)):
        weight = np.float32(now[place])
        for choice in range(LEANINGS):
            mind[_LEANING + choice] += weight * mind[_BY + place * LEANINGS + choice]
