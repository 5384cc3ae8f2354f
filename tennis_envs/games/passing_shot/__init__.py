"""Passing Shot: a dice game of tennis for two (revised rules of 3 February 2012)."""

from tennis_envs.core.game import Game
from tennis_envs.games.passing_shot.actions import ACTIONS
from tennis_envs.games.passing_shot.observation import ENCODERS
from tennis_envs.games.passing_shot.options import PassingShotOptions
from tennis_envs.games.passing_shot.players import PLAYERS
from tennis_envs.games.passing_shot.rules import apply, legal, redeal, setup
from tennis_envs.games.passing_shot.state import RULES, STATE, rules_record
from tennis_envs.games.passing_shot.text import describe, narrate

GAME = Game(
    name="passing_shot",
    title="Passing Shot",
    version=0,
    options=PassingShotOptions,
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
)
