"""TC Tennis: strategy cards and dice between tennis champions of all eras (rules v1.0)."""

from tennis_envs.core.game import Game
from tennis_envs.games.tc_tennis.actions import ACTIONS
from tennis_envs.games.tc_tennis.observation import ENCODERS
from tennis_envs.games.tc_tennis.options import TCTennisOptions
from tennis_envs.games.tc_tennis.players import PLAYERS
from tennis_envs.games.tc_tennis.rules import apply, legal, setup
from tennis_envs.games.tc_tennis.rules.hidden import redeal
from tennis_envs.games.tc_tennis.state import RULES, STATE, rules_record
from tennis_envs.games.tc_tennis.text import describe, narrate

GAME = Game(
    name="tc_tennis",
    title="TC Tennis",
    version=0,
    options=TCTennisOptions,
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
