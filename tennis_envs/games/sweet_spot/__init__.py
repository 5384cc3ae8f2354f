"""Sweet Spot, a card game for two, four or one (rules: README.md in this folder)."""

from tennis_envs.core.game import Game
from tennis_envs.games.sweet_spot.actions import ACTIONS
from tennis_envs.games.sweet_spot.observation import ENCODERS
from tennis_envs.games.sweet_spot.options import SweetSpotOptions
from tennis_envs.games.sweet_spot.players import PLAYERS
from tennis_envs.games.sweet_spot.rules.match import apply, legal, setup
from tennis_envs.games.sweet_spot.rules.redeal import redeal
from tennis_envs.games.sweet_spot.state import RULES, STATE, rules_record
from tennis_envs.games.sweet_spot.text import describe, narrate

_SEATS = {"versus": 2, "doubles": 4, "solo": 1}

GAME = Game(
    name="sweet_spot",
    title="Sweet Spot",
    version=0,
    options=SweetSpotOptions,
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
    narrate=narrate,
    players=PLAYERS,
    seats=lambda options: _SEATS[options.mode],
)
