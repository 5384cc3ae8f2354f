"""A fifth game, for tests of what the suite ships for fifth games; and the same game with bugs, one at a time.

Each of two players holds a secret number. In turn they raise, or call: then the higher number wins; ties are tossed.
"""

import json
from dataclasses import replace

import numpy as np

from tennis_envs import registry
from tennis_envs.core.chance import roll
from tennis_envs.core.game import STATE_HEAD, Encoder, Game, record_type
from tennis_envs.core.jit import njit
from tennis_envs.core.layout import Actions, Feature, Features
from tennis_envs.core.options import Options

HANDS, MOST = 4, 6
ACTIONS = Actions("raise", "call")
RAISE, CALL = ACTIONS.index("raise"), ACTIONS.index("call")
RULES = np.dtype([("most", "i1")])
STATE = record_type([*STATE_HEAD, ("hand", "i1", (2,)), ("pot", "i1")])
FLAT = Features(Feature("hand"), Feature("pot"), Feature("to_move"))
FULL = Features(*FLAT, Feature("theirs"), Feature("seat"))


def rules_record(options):
    rules = np.zeros(1, RULES)
    rules["most"] = MOST
    return rules


@njit
def setup(rules, state, chance):
    state.winner = -1
    state.hand[0] = roll(chance, HANDS)
    state.hand[1] = roll(chance, HANDS)


@njit
def legal(rules, state, mask):
    mask[RAISE] = state.over == 0 and state.pot < rules.most
    mask[CALL] = state.over == 0


@njit
def apply(rules, state, chance, action):
    if action == RAISE:
        state.pot += 1
        state.seat = 1 - state.seat
        return
    best = 0 if state.hand[0] > state.hand[1] else 1
    if state.hand[0] == state.hand[1]:
        best = roll(chance, 2)
    state.winner = best
    state.over = 1
    state.lead += 1 if best == 0 else -1


@njit
def observe(rules, state, seat, out):
    out[0] = state.hand[seat] / 3
    out[1] = state.pot / 6
    out[2] = state.seat == seat


@njit
def observe_full(rules, state, seat, out):
    observe(rules, state, seat, out)
    out[3] = state.hand[1 - seat] / 3
    out[4] = seat


@njit
def redeal(rules, state, seat, chance):
    if state.over == 0:
        state.hand[1 - seat] = roll(chance, HANDS)


def describe(options, state, seat):
    return f"you hold {state.hand[seat]}, raised {state.pot} times"


GAME = Game(
    name="toy",
    title="Toy",
    version=0,
    options=Options,
    actions=ACTIONS,
    encoders={"flat": Encoder(FLAT, observe), "full": Encoder(FULL, observe_full)},
    rules_type=RULES,
    state_type=STATE,
    rules=rules_record,
    setup=setup,
    apply=apply,
    legal=legal,
    redeal=redeal,
    describe=describe,
)
if GAME.name not in registry.games():
    registry.add(GAME)


# One bug each (only run in plain Python: the cache on disk does not tell variants of a function apart)


def leaky_observe(rules, state, seat, out):
    observe(rules, state, seat, out)
    out[2] = state.hand[1 - seat] / 3


def loud_observe(rules, state, seat, out):
    observe(rules, state, seat, out)
    out[1] = state.pot / 5


def writing_observe(rules, state, seat, out):
    observe(rules, state, seat, out)
    state.lead = 1 if state.lead == 0 else state.lead


def noisy_observe(rules, state, seat, out):
    observe(rules, state, seat, out)
    out[1] = np.random.random()


def blind_full(rules, state, seat, out):
    observe(rules, state, seat, out)
    out[3] = 0
    out[4] = seat


def stuck_legal(rules, state, mask):
    mask[RAISE] = 0
    mask[CALL] = state.over == 0 and state.pot == 0
    mask[RAISE] = state.pot == 0


def late_legal(rules, state, mask):
    mask[RAISE] = state.over == 0 and state.pot < rules.most
    mask[CALL] = 1


def two_legal(rules, state, mask):
    legal(rules, state, mask)
    mask[CALL] *= 2


def endless_apply(rules, state, chance, action):
    state.seat = 1 - state.seat
    state.pot = (state.pot + 1) % 3


_LUCK = np.random.default_rng(0)


def hidden_luck_apply(rules, state, chance, action):
    apply(rules, state, chance, action)
    state.pot = min(state.pot, _LUCK.integers(0, 7))


def nobody_wins_apply(rules, state, chance, action):
    apply(rules, state, chance, action)
    state.winner = -1


def lucky_redeal(rules, state, seat, chance):
    redeal(rules, state, seat, chance)
    state.seat = roll(chance, 2)


def forgetful_redeal(rules, state, seat, chance):
    state.hand[seat] = roll(chance, HANDS)


def telling_describe(options, state, seat):
    return f"{describe(options, state, seat)}, the other holds {state.hand[1 - seat]}"


def drawing_describe(options, state, seat):
    state.pot = 6 if state.pot == 5 else state.pot
    return describe(options, state, seat)


def _flat(function):
    return {"encoders": {**GAME.encoders, "flat": Encoder(FLAT, function)}}


BUGS = {
    "leak": _flat(leaky_observe),
    "bounds": _flat(loud_observe),
    "reader writes": _flat(writing_observe),
    "observation at random": _flat(noisy_observe),
    "full view is blind": {"encoders": {**GAME.encoders, "full": Encoder(FULL, blind_full)}},
    "nobody can act": {"legal": stuck_legal},
    "legal after the end": {"legal": late_legal},
    "mask of twos": {"legal": two_legal},
    "endless": {"apply": endless_apply},
    "hidden luck": {"apply": hidden_luck_apply},
    "nobody wins": {"apply": nobody_wins_apply},
    "redeal moves the turn": {"redeal": lucky_redeal},
    "redeal of one's own hand": {"redeal": forgetful_redeal},
    "description tells": {"describe": telling_describe},
    "description writes": {"describe": drawing_describe},
}


def main():
    """Print what the walk says of every bug, as JSON: null where it finds nothing."""
    from tennis_envs.testing import InvariantError, walk

    found = {}
    for number, (bug, change) in enumerate(BUGS.items()):
        try:
            walk(replace(GAME, name=f"toy_{number}", **change), 1000, seed=1, samples=60, max_decisions=50)
            found[bug] = None
        except InvariantError as broken:
            found[bug] = str(broken)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
