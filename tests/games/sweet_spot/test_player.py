"""The scripted player follows the tips and only does what is legal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tennis_envs
from tennis_envs import Match, MatchBatch
from tennis_envs.core.jit import DISABLED
from tests.games.sweet_spot.table import rally

MODES: list[dict[str, Any]] = [
    {},
    {"mode": "doubles"},
    *({"mode": "solo", "automa": automa} for automa in ("easy", "normal", "hard")),
    {"avatars": "none", "format": "game"},
]


def choice(match: Match) -> str:
    """What the scripted player does."""
    opponent = tennis_envs.opponents.opponent("scripted", game="sweet_spot")
    return match.action_name(opponent.act(match))


@pytest.mark.parametrize("options", MODES, ids=str)
def test_it_plays_whole_matches(options: dict[str, Any]) -> None:
    rows = 1 if DISABLED else 64
    batch = MatchBatch("sweet_spot", rows, seed=3, **options)
    ended = 0
    for _ in range(600 if DISABLED else 1500):
        batch.step(batch.player_actions("scripted"))  # raises if an action is illegal
        ended += int(batch.done.sum())
        if ended >= rows:
            return
    raise AssertionError(f"only {ended} of {rows} matches have ended")


def test_it_beats_random_play() -> None:
    rows, wins, ended = (4 if DISABLED else 100), 0, 0
    batch = MatchBatch("sweet_spot", rows, seed=5)
    mine = np.arange(rows) % 2
    while ended < 2 * rows:
        actions = batch.random_actions().copy()
        own = np.flatnonzero(batch.seat == mine)
        if len(own):
            actions[own] = batch.player_actions("scripted", own.astype(np.int32))
        batch.step(actions)
        ended += int(batch.done.sum())
        wins += int((batch.reward[batch.done, mine[batch.done]] > 0).sum())
    assert wins >= 0.9 * ended


def test_it_aims_for_11() -> None:
    match = rally(16, [["Flat Drive", "Passing Shot", "Slice", "Moon Ball"], ["Slice"]])
    assert choice(match) == "play Passing Shot"


def test_it_wins_where_it_can_and_with_the_cheapest_card() -> None:
    match = rally(9, [["Sledgehammer", "Flat Drive", "Slice"], ["Slice"]])
    assert choice(match) == "play Flat Drive"


def test_it_jams_a_low_ball() -> None:
    match = rally(12, [["Passing Shot", "Jamming Feint", "Down the Line"], ["Slice"]])
    assert choice(match) in ("play Passing Shot", "play Down the Line")
    match.apply(choice(match))
    assert choice(match) == "add Jamming Feint"


def test_it_saves_and_reacts() -> None:
    match = rally(8, [["Passing Shot", "Slice"], ["Stretch", "Slice"]])
    match.apply("play Passing Shot")
    assert choice(match) == "play Stretch"
    match = rally(8, [["Passing Shot", "Slice"], ["Too Much", "Slice"]])
    match.apply("play Passing Shot")
    assert choice(match) == "react Too Much"
    match = rally(17, [["Moon Ball", "Shank", "Slice"], ["Slice", "Focused Control"]])
    match.apply("play Moon Ball")
    match.apply("add Shank")
    assert choice(match) == "react Focused Control"


def test_it_does_not_look_at_hidden_cards() -> None:
    match = rally(20, [["Slice", "Top Spin Feint", "Chip"], ["Block", "Flat Drive", "Passing Shot", "Slice"]])
    match.apply("play Slice")
    match.apply("add Top Spin Feint")
    seen = {choice(match)}
    for seed in range(12):
        other = match.clone()
        other.redeal(1, seed=seed)
        seen.add(choice(other))
    assert len(seen) == 1


def test_a_server_keeps_service_cards() -> None:
    batch = MatchBatch("sweet_spot", 2 if DISABLED else 50, seed=9)
    faults = 0
    for _ in range(150 if DISABLED else 1000):
        batch.step(batch.player_actions("scripted"))
        faults += int((batch.states["fault"] != 0).sum())
    assert faults == 0
