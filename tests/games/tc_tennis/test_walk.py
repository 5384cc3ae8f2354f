"""Random play of TC Tennis: what must hold in every position, of every game."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tennis_envs.core.jit import records
from tennis_envs.games.tc_tennis import GAME
from tennis_envs.games.tc_tennis.components import EVENTS, KINDS
from tennis_envs.games.tc_tennis.rules.board import redraw
from tennis_envs.games.tc_tennis.state import (
    BOXES,
    DROPPING,
    HAND_LIMIT,
    HELD,
    KEEPING,
    LIMIT,
    MARKER_LIMIT,
    NOTHING,
    OUT,
    OUTWITTING,
    OVER,
    RETAINED,
    SLOTS,
    STRATEGY_LIMIT,
    TRACK,
    rules_record,
)
from tennis_envs.testing.walk import walk

GAMES = {
    "training": {"level": "training"},
    "standard": {"level": "standard"},
    "best_of_5": {"level": "standard", "format": "best_of_5"},
    "tournament": {"level": "tournament", "format": "best_of_5", "injury_0": 2},
    "all-surface": {"level": "tournament", "format": "best_of_5", "surface": "all"},
    "mirror": {"champion_0": "Stan Smith", "champion_1": "Stan Smith", "surface": "grass", "reward": "point"},
}


def invariants(options, state) -> None:
    """The game's own truths."""
    rules = rules_record(options)[0]
    again = state.copy()
    redraw(records(rules_record(options))[0], again)
    assert again.tobytes() == state.tobytes(), "a board, a pile or a count does not follow from the position"
    cards = state.deck.astype(int) + state.hand[:, :KINDS].astype(int).sum(axis=0)
    in_play = [*state.box.ravel(), *state.tactic, state.end_set, *state.discard[: state.discards]]
    for kind, count in Counter(int(kind) for kind in in_play if kind != NOTHING).items():
        cards[kind] += count
    assert (cards == rules["copies"]).all(), "a card was lost or made"
    assert not state.discard[state.discards :].any()
    markers = state.cup.astype(int) + state.common[OUT : OUT + len(EVENTS)]
    markers[:RETAINED] += state.board[:, HELD : HELD + RETAINED].sum(axis=0)
    if state.phase == KEEPING:
        markers += np.bincount(state.drawn, minlength=len(markers))
    assert (markers == rules["markers"]).all(), "a marker was lost or made"
    assert state.deck.sum() > 0, "an empty draw pile was not refilled (R8)"
    hands = state.hand.sum(axis=1)
    in_between = state.phase in (LIMIT, OUTWITTING)
    assert all(hands[seat] <= HAND_LIMIT or (in_between and seat == state.seat) for seat in range(2)), "too many cards in hand"
    held = state.board[:, HELD : HELD + RETAINED].sum(axis=1)
    assert all(held[seat] <= MARKER_LIMIT + (state.phase == DROPPING) for seat in range(2)), "too many markers"
    assert (state.board[:, TRACK] >= 0).all() and (state.board[:, TRACK] <= STRATEGY_LIMIT).all()
    assert int(state.resolved[0]).bit_count() == int(state.resolved[1]).bit_count() or state.phase == OVER
    for seat in range(2):
        for box in range(BOXES):
            first, second = (int(state.box[seat, box, slot]) for slot in range(SLOTS))
            assert first != NOTHING or second == NOTHING, "a gap in a box"
            for slot, kind in enumerate((first, second)):
                if kind == NOTHING:
                    assert not state.shown[seat, box, slot]
                else:
                    assert rules["boxes"][kind] >> box & 1, "a card in a box that it does not fit"
                    assert not int(state.resolved[seat]) >> box & 1, "a card on a stroke that is resolved"
        hidden = set(np.flatnonzero(state.hand[seat]).tolist())
        hidden |= {int(k) for k, shown in zip(state.box[seat].ravel(), state.shown[seat].ravel(), strict=True) if not shown}
        assert set(np.flatnonzero(state.known[seat]).tolist()) <= hidden, "a card is known where it is not"
        for box in range(BOXES):
            if int(state.returns[seat]) >> box & 1:
                since = state.returned[seat, box]
                laid = state.box[seat][(state.shown[seat] == 0) & (state.placed[seat] >= since)].tolist()
                may_be = [k for k in [*np.flatnonzero(state.hand[seat]).tolist(), *laid] if k != NOTHING]
                assert any(rules["boxes"][k] >> box & 1 for k in may_be), "a card that came back is not hidden any more"
            else:
                assert state.returned[seat, box] == 0
        at_most = int(state.end_sets_at_most[seat])
        end_sets = int(state.hand[seat, :KINDS][rules["rallies"] > 0].sum())
        assert at_most == NOTHING or end_sets <= at_most, "more End Set cards than the opponent allows for"


@pytest.mark.parametrize("name", GAMES)
def test_random_play(name):
    seen = walk("tc_tennis", 20_000, seed=1, samples=12, invariants=invariants, **GAMES[name])
    assert seen.matches > 20


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_a_million_random_decisions(name):
    seen = walk("tc_tennis", 1_000_000, seed=2, samples=200, invariants=invariants, **GAMES[name])
    assert seen.matches > 1000
    if name == "all-surface":  # everything there is
        assert seen.never_legal(GAME) == []
        assert len([a for a in seen.legal if a.startswith("card ")]) == KINDS
