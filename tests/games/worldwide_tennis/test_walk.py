"""Random play of every mode with the game's own invariants on."""

from __future__ import annotations

import functools
import itertools
import operator
from typing import Any

import numpy as np
import pytest

from tennis_envs import game
from tennis_envs.games.worldwide_tennis.rules.bits import EVERY
from tennis_envs.games.worldwide_tennis.state import (
    HAND,
    NET,
    OVER,
    PHASES,
    TRIM,
    rules_record,
)
from tennis_envs.testing import checks, walk
from tests.games.worldwide_tennis.court import PLACES

GAME = game("worldwide_tennis")
WALKS: dict[str, dict[str, Any]] = {str(options): options for options in GAME.options.variants()}
EVERYTHING, SOLO = str(GAME.options.VARIANTS[0]), str(GAME.options.VARIANTS[3])
DECISIONS = 10_000


def invariants(options: Any, state: np.void) -> None:
    """What is true of every position in which somebody decides, and at the end."""
    card = rules_record(options)[0]["card"]
    assert 0 <= state["phase"] <= OVER, "a forced phase was left to a player"
    if PHASES[state["phase"]] == "player card":
        return
    solo = options.mode == "solo"
    for seat in range(2):
        player = card[state["player"][seat]]
        places = [int(state[place][seat]) for place in PLACES]
        assert all(one & two == 0 for one, two in itertools.combinations(places, 2)), "a card is in two places"
        assert functools.reduce(operator.or_, places) == EVERY & ~int(player["out"]), "a card is nowhere, or came back"
        hand = _hand_size(state, seat)
        if solo and seat == 1:
            assert int(state["shown"][1]) & ~int(rules_record(options)[0]["deck"][1]["smashes"]) == 0
            assert not state["hidden"][1] and not state["on_table"][1], "the virtual opponent holds a card"
            assert state["stars"][1] == 0 and state["tokens"][1] == 0
            continue
        between = PHASES[state["phase"]] in ("hand limit", "change of ends", "discard pile") or state["over"]
        assert hand <= player["hand"] or between, "a hand over the limit"
        assert not between or state["over"] or not state["on_table"][seat], "a card stayed on the table"
        assert 0 <= state["stars"][seat] <= max(5, player["stars"])
        assert 0 <= state["tokens"][seat] <= (2 if options.challenges else 0)
    assert state["penalty"] == 0 or solo
    assert state["over"] or state["phase"] != TRIM or _over_limit(state, card), "asked to trim a hand within the limit"
    if (state["zone"] == NET).all():
        assert state["strokes"] > 0, "both at the net without a drop shot"
    points = state["score"]["points"]
    assert (points >= 0).all() and (state["score"]["tiebreak"] or points.max() < 2)
    assert HAND == 12


def _hand_size(state: np.void, seat: int) -> int:
    return (int(state["hidden"][seat]) | int(state["shown"][seat])).bit_count()


def _over_limit(state: np.void, card: np.ndarray) -> bool:
    seat = int(state["seat"])
    return _hand_size(state, seat) > card[state["player"][seat]]["hand"]


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_keeps_every_invariant(name):
    seen = walk(GAME.name, DECISIONS, seed=1, samples=30, invariants=invariants, **WALKS[name])
    assert seen.matches > 0


def test_every_action_is_legal_somewhere():
    legal: set[str] = set()
    for name in (EVERYTHING, SOLO):
        legal |= set(walk(GAME.name, 60_000, seed=2, samples=0, **WALKS[name]).legal)
    assert set(GAME.actions.names) == legal


@pytest.mark.parametrize("name", WALKS)
@pytest.mark.soak
def test_a_million_decisions_keep_every_invariant(name):
    seen = walk(GAME.name, 1_000_000, seed=5, samples=500, invariants=invariants, **WALKS[name])
    print(seen)


@pytest.mark.parametrize("name", [EVERYTHING, SOLO])
def test_compiled_and_plain_play_the_same(name):
    checks.compiled_is_plain("worldwide_tennis", 3, steps=40, **WALKS[name])


@pytest.mark.parametrize("name", [EVERYTHING, SOLO])
def test_a_batch_plays_its_matches_one_by_one(name):
    checks.batch_is_singles("worldwide_tennis", 4, matches=6, decisions=200, **WALKS[name])
