"""Passing Shot's actions."""

from tennis_envs.core.layout import Actions

ACTIONS = Actions(
    "serve first",
    "receive first",
    "roll",
    "net",
    "hawk-eye",
    "concede",
    "concentrate",
    "accept",
    "risk",
    "remove",
    "remove pro",
    "pair",
    "pair pro",
    "recover",
    "recover pro",
    "recover by pro",
    "play on",
    "stamina",
    "stamina pro",
    winner=range(1, 6),
    ensure=range(1, 4),
)

SERVE_FIRST = ACTIONS.index("serve first")
RECEIVE_FIRST = ACTIONS.index("receive first")
ROLL = ACTIONS.index("roll")
GO_TO_NET = ACTIONS.index("net")
HAWK_EYE = ACTIONS.index("hawk-eye")
CONCEDE = ACTIONS.index("concede")
CONCENTRATE = ACTIONS.index("concentrate")
ACCEPT = ACTIONS.index("accept")
RISK = ACTIONS.index("risk")
REMOVE = ACTIONS.index("remove")  # an ordinary Energy die leaves for the point
REMOVE_PRO = ACTIONS.index("remove pro")  # the Pro die does, showing Energy
PAIR = ACTIONS.index("pair")  # two Energy results, ordinary ones first
PAIR_PRO = ACTIONS.index("pair pro")  # both results of the Pro die
RECOVER = ACTIONS.index("recover")  # an ordinary die comes back for an ordinary result
RECOVER_PRO = ACTIONS.index("recover pro")  # the Pro die comes back for an ordinary result
RECOVER_BY_PRO = ACTIONS.index("recover by pro")  # an ordinary die comes back for a result of the Pro die
PLAY_ON = ACTIONS.index("play on")
STAMINA = ACTIONS.index("stamina")  # ordinary dice are given up
STAMINA_PRO = ACTIONS.index("stamina pro")  # the Pro die is one of those given up
WINNER = ACTIONS.start("winner") - 1  # WINNER + n calls n Balls
ENSURE = ACTIONS.start("ensure") - 1  # ENSURE + n throws n dice
