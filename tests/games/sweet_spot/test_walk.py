"""Random play of every mode with Sweet Spot's own truths checked in each position."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import tennis_envs
from tennis_envs import Match
from tennis_envs.core.jit import DISABLED
from tennis_envs.games.sweet_spot.state import (
    BESIDE,
    DARK_BESIDE,
    DARK_RETURN,
    FULL,
    KEEPING,
    NO_FORCE,
    NOTHING,
    OVER,
    TRIM,
    rules_record,
)
from tennis_envs.testing.walk import Statistics, walk
from tests.games.sweet_spot.table import counted, field, kind, rally

MODES: dict[str, dict[str, Any]] = {
    "singles": {},
    "doubles": {"mode": "doubles"},
    "easy": {"mode": "solo", "automa": "easy"},
    "normal": {"mode": "solo", "automa": "normal"},
    "hard": {"mode": "solo", "automa": "hard"},
    "plain": {"avatars": "none", "toss": "random", "format": "game"},
    "dealt": {"mode": "doubles", "avatars": "random", "format": "point"},
}
DECISIONS, SAMPLES = (200, 10) if DISABLED else (60_000, 300)


def invariants(options: Any, state: np.void) -> None:
    """Every card is somewhere, stamina and hands are within bounds, nothing weighs on a ball that is not there."""
    rules = rules_record(options)[0]
    cards = state["players"]["hand"].sum(axis=0).astype(int) + state["pile"] + state["open"]
    if state["kept"] != NOTHING:
        cards[state["kept"]] += 1
    if state["dark"] & DARK_RETURN:
        cards[state["hit_kind"]] += 1
    if state["dark"] & DARK_BESIDE:
        cards[state["hit_beside"]] += 1
    if state["phase"] == BESIDE and rules["hidden"][state["play_kind"]]:
        cards[state["play_kind"]] += 1
    assert (cards == rules["copies"]).all(), "a card is missing or there twice"
    for part in ("hand", "pile", "open", "table"):
        assert (field(state, part) >= 0).all(), f"{part} holds less than no card"
    assert (state["table"] <= state["open"]).all(), "a card lies on the table that is not turned up"
    for name, value in counted(options, state, rules).items():
        assert (field(state, name) == value).all(), f"{name} does not agree with the cards"
    assert ((state["players"]["stamina"] >= 0) & (state["players"]["stamina"] <= FULL)).all(), "stamina leaves 0 to 10"
    hands = state["players"]["hand"].sum(axis=1)
    assert (hands <= rules["hand"] + (2 if state["phase"] == TRIM else 0)).all(), "a hand is too large"
    assert state["kept"] == NOTHING or state["phase"] == KEEPING, "cards are set aside outside the end of a round"
    asked = state["players"]["services"].astype(int) + state["players"]["tactics"]
    assert (asked >= 0).all() and (asked <= np.maximum(0, rules["hand"] - hands)).all(), "more cards are asked for than fit"
    points, rounds = state["score"]["points"], state["score"]["games"]
    assert points.max() < 4 and rounds.max() <= 2, "a point or a round too many"
    if state["strokes"] == 0 and state["phase"] != OVER:
        assert state["force"] == NO_FORCE and not state["dark"] and not state["table"].any(), "a rally has not been cleared"
    if state["dark"]:
        assert state["ball"] >= 7, "a hidden card lies on a ball that is not in play (D21)"
    if rules["seats"] == 2:
        assert not state["players"]["hand"][2:].any(), "an empty chair holds cards"


@functools.cache
def walked(mode: str) -> Statistics:
    return walk("sweet_spot", DECISIONS, seed=11, samples=SAMPLES, invariants=invariants, **MODES[mode])


@pytest.mark.parametrize("mode", MODES)
def test_the_walk(mode: str) -> None:
    seen = walked(mode)
    assert seen.decisions >= DECISIONS
    assert DISABLED or seen.matches > 0
    assert max(seen.lengths, default=0) < 1500


@pytest.mark.soak
@pytest.mark.skipif(DISABLED, reason="too slow in plain Python")
@pytest.mark.parametrize("mode", ["singles", "doubles", "easy", "normal", "hard"])
def test_a_million_random_decisions(mode: str) -> None:
    seen = walk("sweet_spot", 1_000_000, seed=12, samples=500, invariants=invariants, **MODES[mode])
    print(seen)
    assert seen.decisions >= 1_000_000
    assert seen.matches > 1000
    assert set(seen.never_legal(tennis_envs.game("sweet_spot"))) <= _of_other_modes(mode)


def _of_other_modes(mode: str) -> set[str]:
    """Actions that only other modes have: hands of eight have less room, doubles chooses a server, the automa tosses no coin."""
    if mode == "doubles":
        return {"services 9", "services 10", "tactics 9", "tactics 10"}
    server = {"server myself", "server partner"}
    return server if mode == "singles" else server | {"serve first", "receive first"}


@pytest.mark.skipif(DISABLED, reason="too few decisions in plain Python")
def test_every_action_is_legal_somewhere() -> None:
    game = tennis_envs.game("sweet_spot")
    met = {name for mode in MODES for name in walked(mode).legal}
    assert set(game.actions.names) - met == set()


@pytest.mark.skipif(DISABLED, reason="too few decisions in plain Python")
def test_every_card_gets_played() -> None:
    taken = {name for mode in MODES for name, n in walked(mode).taken.items() if n}
    game = tennis_envs.game("sweet_spot")
    for segment in ("serve", "play", "add", "react", "use", "power", "avatar"):
        start, (size,) = game.actions.segments[segment]
        for action in range(start, start + size):
            assert game.actions.name(action) in taken


def test_a_redeal_covers_every_card_that_could_lie_face_down() -> None:
    match = rally(20, [["Slice", "Top Spin Feint", "Chip"], ["Block"] * 2])
    match.apply("play Slice")
    match.apply("add Top Spin Feint")
    found = set()
    for seed in range(60):
        other = match.clone()
        other.redeal(1, seed=seed)
        found.add(int(other.state["hit_beside"]))
        assert other.state["ball"] == match.state["ball"]
        assert other.state["shift"] == other.rules["modifier"][other.state["hit_beside"], 0]
        mine = match.clone()
        mine.redeal(0, seed=seed)
        assert mine.state["hit_beside"] == match.state["hit_beside"]
        assert (mine.state["players"]["hand"][0] == match.state["players"]["hand"][0]).all()
    # every hidden Tactic that costs 1, and nothing else
    assert found == {kind("Top Spin Feint"), kind("Under Spin Feint"), kind("Disguised Drive")}


def test_a_redeal_keeps_backs_and_changes_hands() -> None:
    match = Match("sweet_spot", seed=8, mode="doubles", avatars="none", toss="random")
    match.apply("server myself")
    hands = match.state["players"]["hand"].copy()
    changed = np.zeros(4, int)
    for seed in range(20):
        other = match.clone()
        other.redeal(2, seed=seed)
        for seat in range(4):
            changed[seat] += (other.state["players"]["hand"][seat] != hands[seat]).any()
            for deck in (slice(0, 9), slice(9, 22), slice(22, None)):
                assert other.state["players"]["hand"][seat, deck].sum() == hands[seat, deck].sum()
    assert changed[2] == 0
    assert (changed[[0, 1, 3]] == 20).all()
