"""Worldwide Tennis: Guillaume Luton's card game of singles tennis."""

from tennis_envs.core.game import Game
from tennis_envs.games.worldwide_tennis.actions import ACTIONS
from tennis_envs.games.worldwide_tennis.observation import ENCODERS
from tennis_envs.games.worldwide_tennis.options import WorldwideTennisOptions
from tennis_envs.games.worldwide_tennis.players import PLAYERS
from tennis_envs.games.worldwide_tennis.rules import apply, legal, redeal, setup
from tennis_envs.games.worldwide_tennis.state import RULES, STATE, rules_record
from tennis_envs.games.worldwide_tennis.text import describe


def _seats(options: WorldwideTennisOptions) -> int:
    return 1 if options.mode == "solo" else 2


GAME = Game(
    name="worldwide_tennis",
    title="Worldwide Tennis",
    version=0,
    options=WorldwideTennisOptions,
    actions=ACTIONS,
    encoders=ENCODERS,
    rules_type=RULES,
    state_type=STATE,
    rules=rules_record,
    setup=setup,
    apply=apply,
    legal=legal,
    redeal=redeal,
    describe=describe,
    players=PLAYERS,
    seats=_seats,
)
