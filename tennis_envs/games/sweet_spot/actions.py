"""Sweet Spot's actions, named after the cards of the reference edition."""

from __future__ import annotations

from tennis_envs.core.layout import Actions
from tennis_envs.games.sweet_spot.components import CHOICES, reference
from tennis_envs.games.sweet_spot.deck import moves

_REFERENCE = reference()
HAND = 10  # cards in the largest hand

ACTIONS = Actions(
    "serve first",
    "receive first",
    "leave",
    "alone",
    "let stand",
    "done",
    avatar=[avatar.name for avatar in _REFERENCE.avatar],
    server=["myself", "partner"],
    serve=[card.name for card in _REFERENCE.service],
    play=[move.label for move in moves(_REFERENCE, "return")],
    add=[move.label for move in moves(_REFERENCE, "accompany")],
    react=[move.label for move in moves(_REFERENCE, "react")],
    use=[move.label for move in moves(_REFERENCE, "after_rally")],
    power=range(1, CHOICES + 1),
    discard=[card.name for card in _REFERENCE.cards],
    keep=[card.name for card in _REFERENCE.cards],
    services=range(HAND + 1),
    tactics=range(HAND + 1),
)

SERVE_FIRST = ACTIONS.index("serve first")
RECEIVE_FIRST = ACTIONS.index("receive first")
LEAVE = ACTIONS.index("leave")  # the ball: to the partner, or for good
ALONE = ACTIONS.index("alone")  # the Return goes without an accompanying card
LET_STAND = ACTIONS.index("let stand")  # the opponent's reaction
DONE = ACTIONS.index("done")
AVATAR = ACTIONS.start("avatar")
SERVER = ACTIONS.start("server")  # SERVER is this seat, SERVER + 1 its partner
SERVE = ACTIONS.start("serve")
PLAY = ACTIONS.start("play")  # a Return card, or a Tactic with the Return symbol
ADD = ACTIONS.start("add")  # an accompanying card
REACT = ACTIONS.start("react")
USE = ACTIONS.start("use")  # a card for after a rally
POWER = ACTIONS.start("power")  # the avatar's ability, with its first, second, … modifier
DISCARD = ACTIONS.start("discard")
KEEP = ACTIONS.start("keep")
TAKE_SERVICES = ACTIONS.start("services")  # + how many of the cards to draw are Service cards
TAKE_TACTICS = ACTIONS.start("tactics")  # + how many are Tactic cards; the rest are Returns
