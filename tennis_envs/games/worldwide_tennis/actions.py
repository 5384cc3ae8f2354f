"""Worldwide Tennis's actions."""

from tennis_envs.core.layout import Actions
from tennis_envs.games.worldwide_tennis.components import MAX_PLAYERS, SERVES, STROKES

CARD_NUMBERS = range(1, STROKES + 1)

ACTIONS = Actions(
    "give up",
    "roll",
    "play safe",
    "challenge",
    "accept",
    "stay",
    "net",
    "back",
    "recover",
    "focus",
    "take none",
    serve=range(STROKES + 1, STROKES + SERVES + 1),
    spin=("none", "topspin", "slice"),
    stars=range(4),
    target=("forehand", "neutral", "backhand"),
    side=("forehand", "backhand"),
    player=range(MAX_PLAYERS + 1),
    play=CARD_NUMBERS,
    discard=CARD_NUMBERS,
    take=CARD_NUMBERS,
)

GIVE_UP = ACTIONS.index("give up")
ROLL = ACTIONS.index("roll")
PLAY_SAFE = ACTIONS.index("play safe")
CHALLENGE = ACTIONS.index("challenge")
ACCEPT = ACTIONS.index("accept")
STAY = ACTIONS.index("stay")
GO_TO_NET = ACTIONS.index("net")
GO_BACK = ACTIONS.index("back")
RECOVER = ACTIONS.index("recover")
FOCUS = ACTIONS.index("focus")
TAKE_NONE = ACTIONS.index("take none")
SERVE = ACTIONS.start("serve")  # SERVE + n, serve n of five
SPIN = ACTIONS.start("spin")
STARS = ACTIONS.start("stars")  # STARS + n spends n
TARGET = ACTIONS.start("target")  # TARGET + zone
SIDE_FOREHAND = ACTIONS.index("side forehand")
SIDE_BACKHAND = ACTIONS.index("side backhand")
PLAYER = ACTIONS.start("player")  # PLAYER + n, the box's player card n; 0 is none
PLAY = ACTIONS.start("play")  # PLAY + c, card number c + 1
DISCARD = ACTIONS.start("discard")
TAKE = ACTIONS.start("take")
