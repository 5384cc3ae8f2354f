"""A game for tests of players with weights: who throws the higher number wins, and each may throw a second time."""

import numpy as np

from tennis_envs.core.chance import roll
from tennis_envs.core.game import STATE_HEAD, Encoder, Game, record_type
from tennis_envs.core.jit import njit
from tennis_envs.core.layout import Actions, Feature, Features
from tennis_envs.core.options import Options
from tennis_envs.core.player import Teachable, Weight, Weights

FACES = 10
ACTIONS = Actions("keep", "again")
KEEP, AGAIN = ACTIONS.index("keep"), ACTIONS.index("again")
RULES = np.dtype([("faces", "i1")])
STATE = record_type([*STATE_HEAD, ("thrown", "i1", (2,))])
FLAT = Features(Feature("thrown"), Feature("to_move"))


def rules_record(options):
    rules = np.zeros(1, RULES)
    rules["faces"] = FACES
    return rules


@njit
def setup(rules, state, chance):
    state.winner = -1
    state.thrown[0] = roll(chance, rules.faces)


@njit
def legal(rules, state, mask):
    mask[KEEP] = state.over == 0
    mask[AGAIN] = state.over == 0


@njit
def apply(rules, state, chance, action):
    seat = np.int64(state.seat)
    if action == AGAIN:
        state.thrown[seat] = roll(chance, rules.faces)
    if seat == 0:
        state.seat = 1
        state.thrown[1] = roll(chance, rules.faces)
        return
    state.winner = 0 if state.thrown[0] > state.thrown[1] else 1
    if state.thrown[0] == state.thrown[1]:
        state.winner = roll(chance, 2)
    state.lead += 1 if state.winner == 0 else -1
    state.over = 1


@njit
def observe(rules, state, seat, out):
    out[0] = state.thrown[seat] / 9
    out[1] = state.seat == seat


@njit
def redeal(rules, state, seat, chance):
    if state.over == 0 and seat == 1:
        state.thrown[0] = roll(chance, rules.faces)


WEIGHTS = Weights(Weight("least", value=0.5, step=1.0), Weight("idle", 2, labels=("one", "other")))
LEAST, ROOM = WEIGHTS.start("least"), len(WEIGHTS)


@njit
def careful(rules, state, mask, chance, mind):
    """Throws again below "least"; about half the faces is best."""
    return AGAIN if state.thrown[np.int64(state.seat)] < mind[ROOM] else KEEP


@njit
def prepare(rules, mind):
    mind[ROOM] = mind[LEAST]


@njit
def hasty(rules, state, mask, chance):
    return KEEP


GAME = Game(
    name="darts",
    title="Darts",
    version=0,
    options=Options,
    actions=ACTIONS,
    encoders={name: Encoder(FLAT, observe) for name in ("flat", "full")},
    rules_type=RULES,
    state_type=STATE,
    rules=rules_record,
    setup=setup,
    apply=apply,
    legal=legal,
    redeal=redeal,
    describe=lambda options, state, seat: f"thrown {state.thrown[seat]}",
    players={"scripted": Teachable(careful, WEIGHTS, 1, prepare), "hasty": hasty},
)
