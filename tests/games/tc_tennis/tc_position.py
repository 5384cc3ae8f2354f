"""Positions of TC Tennis laid out by hand, and dice by their faces."""

from __future__ import annotations

from typing import Any

import numpy as np

import tennis_envs
from tennis_envs.games.tc_tennis.components import EVENTS, STROKES, load_components
from tennis_envs.games.tc_tennis.rules.board import redraw
from tennis_envs.games.tc_tennis.state import (
    ALL_BOXES,
    BONUS,
    CAN_CHALLENGE,
    CHALLENGING,
    HELD,
    KEEPING,
    NOTHING,
    OFFENSE,
    RALLIES,
    TRACK,
)

NAMES = [card.name for card in load_components().card]


def dice(*faces: int) -> list[int]:
    """A tape of dice."""
    return [face - 1 for face in faces]


def kind(name: str) -> int:
    """The entry of a card."""
    return NAMES.index(name)


def bits(*strokes: str) -> int:
    """Strokes as bits."""
    return sum(1 << STROKES.index(stroke) for stroke in strokes)


class Table(tennis_envs.Match):
    """A match whose position may be changed by hand: what the rules keep beside it follows."""

    def refresh(self) -> None:
        redraw(self.rules, self.state)
        super().refresh()

    def apply(self, action: int | str) -> None:
        redraw(self.rules, self.state)
        super().apply(action)


def match(**options: Any) -> Table:
    """A match with all cards in the draw pile and no challenge left; Laver against Tilden by default."""
    given = {"level": "standard", "champion_0": "Rod Laver", "champion_1": "Bill Tilden", "surface": "hard", **options}
    m = Table("tc_tennis", seed=1, **given)
    state = m.state
    state.deck[:] = m.rules.copies
    state.hand[:] = 0
    state.box[:] = NOTHING
    state.shown[:] = 0
    state.placed[:] = 0
    state.known[:] = 0
    state.board[:, CAN_CHALLENGE] = 0
    state.board[:, TRACK] = 0
    state.step = 0
    return m


def give(m: tennis_envs.Match, seat: int, *names: str) -> None:
    """Cards from the draw pile into a hand."""
    for name in names:
        m.state.deck[kind(name)] -= 1
        m.state.hand[seat, kind(name)] += 1


def lay(m: tennis_envs.Match, seat: int, stroke: str, *names: str, shown: bool = False) -> None:
    """Cards from the draw pile into a box, whether they fit or not."""
    box = STROKES.index(stroke)
    for name in names:
        slot = 0 if m.state.box[seat, box, 0] == NOTHING else 1
        m.state.deck[kind(name)] -= 1
        m.state.box[seat, box, slot] = kind(name)
        m.state.shown[seat, box, slot] = shown


def tactic(m: tennis_envs.Match, seat: int, name: str) -> None:
    """A tactic from the draw pile into play."""
    m.state.deck[kind(name)] -= 1
    m.state.tactic[seat] = kind(name)


def end_set(m: tennis_envs.Match, rallies: int) -> None:
    """An End Set card from the draw pile into play."""
    m.state.deck[kind(f"End Set After {rallies}")] -= 1
    m.state.end_set = kind(f"End Set After {rallies}")


def discarded(m: tennis_envs.Match, *names: str) -> None:
    """Cards from the draw pile onto the discards, the last on top."""
    for name in names:
        m.state.deck[kind(name)] -= 1
        m.state.discard[m.state.discards] = kind(name)
        m.state.discards += 1


def resolve(m: tennis_envs.Match, seat: int, *strokes: str) -> None:
    """Strokes that a player has resolved."""
    m.state.resolved[seat] = bits(*strokes)


def hold(m: tennis_envs.Match, seat: int, *events: str) -> None:
    """Markers from the cup to a player."""
    for event in events:
        m.state.cup[EVENTS.index(event)] -= 1
        m.state.board[seat, HELD + EVENTS.index(event)] += 1


def next_turn(m: tennis_envs.Match, seat: int, black: tuple[int, int], blue: int, tape: list[int] | None = None) -> None:
    """The opponent ends his turn, and `seat` rolls these dice (and what else is on the tape)."""
    state = m.state
    state.active = state.seat = 1 - seat
    state.phase = BONUS
    m.refresh()
    m.tape = [*dice(*black, blue), *(tape or [])]
    m.apply("pass")


def end_of_rally(m: tennis_envs.Match, momentum: int, seat: int = 0, stroke: str = "T") -> None:
    """A rally in the turn of `seat` has just left the marker at `momentum`; one "pass" and it is over."""
    state = m.state
    state.active = seat
    state.seat = 1 - seat
    state.board[1 - seat, CAN_CHALLENGE] = 1
    state.phase = CHALLENGING
    state.asked = 2
    state.declared[:] = STROKES.index(stroke)
    state.momentum = momentum
    m.refresh()


def last_rally(m: tennis_envs.Match, momentum: int, seat: int = 0) -> None:
    """The same with all other strokes resolved: the set ends."""
    m.state.resolved[:] = ALL_BOXES & ~bits("T")
    m.state.common[RALLIES] = 6
    end_of_rally(m, momentum, seat)


def draw_events(m: tennis_envs.Match, seat: int, first: str, second: str) -> None:
    """A player looks at two markers."""
    state = m.state
    state.active = state.seat = seat
    state.phase = KEEPING
    for i, event in enumerate((first, second)):
        state.cup[EVENTS.index(event)] -= 1
        state.drawn[i] = EVENTS.index(event)
    m.refresh()


def from_deck(m: tennis_envs.Match, count: int) -> list[int]:
    """A tape of draws of Offense cards that the draw pile can give, so that a planning follows."""
    kinds = np.flatnonzero((m.state.deck > 0) & (m.rules.kind == OFFENSE))
    return [int(k) for k in kinds[:count]]


def names(m: tennis_envs.Match) -> set[str]:
    """The legal actions by name."""
    return {m.action_name(action) for action in m.legal_actions()}


def legal_of(m: tennis_envs.Match, segment: str) -> set[str]:
    """What is legal of a segment, without its name."""
    return {name.removeprefix(segment + " ") for name in names(m) if name.startswith(segment + " ")}
