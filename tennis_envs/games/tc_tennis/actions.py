"""TC Tennis's actions. Cards bear the reference edition's names; another edition's entry of the same number counts."""

from tennis_envs.core.layout import Actions
from tennis_envs.games.tc_tennis.components import EVENTS, RETAINED_EVENTS, STROKES, SURFACES, load_components

USABLE_EVENTS = (
    "tiebreak_roll", "search_discards", "force_end_set", "strategy_point", "ignore_love", "random_discard",
    "second_wind",
)  # fmt: skip
SLOTS = ("first", "second")
CARD_NAMES = tuple(card.name for card in load_components().card)

ACTIONS = Actions(
    "pass",
    "concentrate",
    "take tactic back",
    "outwit",
    "draw events",
    "challenge",
    card=CARD_NAMES,
    discard=CARD_NAMES,
    surface=SURFACES,
    stroke=STROKES,
    prepare=STROKES,
    take_back=SLOTS,
    read=(STROKES, SLOTS),
    void=(STROKES, SLOTS),
    keep=EVENTS,
    drop=RETAINED_EVENTS,
    use=USABLE_EVENTS,
)

# What kind of action it is: its segment
VERBS = tuple(ACTIONS.segments)
(
    DO_PASS, DO_CONCENTRATE, DO_TAKE_TACTIC, DO_OUTWIT, DO_DRAW_EVENTS, DO_CHALLENGE, DO_CARD, DO_DISCARD, DO_SURFACE,
    DO_STROKE, DO_PREPARE, DO_TAKE_BACK, DO_READ, DO_VOID, DO_KEEP, DO_DROP, DO_USE,
) = range(len(VERBS))  # fmt: skip

PASS = ACTIONS.index("pass")
CONCENTRATE = ACTIONS.index("concentrate")
TAKE_TACTIC = ACTIONS.index("take tactic back")
OUTWIT = ACTIONS.index("outwit")
DRAW_EVENTS = ACTIONS.index("draw events")
CHALLENGE = ACTIONS.index("challenge")
SURFACE = ACTIONS.start("surface")  # SURFACE + s chooses it for the next set
STROKE = ACTIONS.start("stroke")  # STROKE + b declares it
PREPARE = ACTIONS.start("prepare")  # PREPARE + b: a card will go into that box
TAKE_BACK = ACTIONS.start("take_back")  # which of two cards leaves a full box
READ = ACTIONS.start("read")  # READ + 2b + slot, in the opponent's boxes
VOID = ACTIONS.start("void")  # VOID + 2b + slot, from one's own boxes
KEEP = ACTIONS.start("keep")  # KEEP + e of the markers drawn
DROP = ACTIONS.start("drop")  # DROP + e of three markers kept
USE = ACTIONS.start("use")  # USE + u, the place of an event in USABLE_EVENTS
CARD = ACTIONS.start("card")  # CARD + k: play it from the hand, or take it in a search of the discards
DISCARD = ACTIONS.start("discard")  # DISCARD + k from the hand

USE_TIEBREAK_ROLL, USE_SEARCH, USE_FORCE, USE_STRATEGY, USE_IGNORE, USE_RANDOM, USE_WIND = range(USE, USE + len(USABLE_EVENTS))
