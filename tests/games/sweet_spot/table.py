"""Positions to test from: a match whose rally stands exactly so, with the given cards in hand and all others in the piles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tennis_envs import Match
from tennis_envs.games.sweet_spot.components import reference
from tennis_envs.games.sweet_spot.rules.piles import deck_of, first_kind
from tennis_envs.games.sweet_spot.state import (
    ANSWER,
    AUTOMA_BACKS,
    DECKS,
    KINDS,
    NOTHING,
    OWNERS,
    PHASES,
    SEATS,
    tallies,
)

CARDS = [card.name for card in reference().cards]
AVATARS = [avatar.name for avatar in reference().avatar]
PLAIN = {"avatars": "none", "toss": "random"}


def kind(name: str) -> int:
    """The kind of a card or of an ability."""
    return KINDS + AVATARS.index(name) if name in AVATARS else CARDS.index(name)


def drawn(*names: str) -> list[int]:
    """The tape that draws these cards."""
    return [kind(name) - first_kind(deck_of(kind(name))) for name in names]


def hand(match: Match, seat: int) -> list[str]:
    """The cards that a player holds."""
    return [CARDS[k] for k, copies in enumerate(match.state["players"]["hand"][seat]) for _ in range(copies)]


def used(match: Match) -> list[str]:
    """The used cards, without those that still lie on the table."""
    cards = match.state["open"] - match.state["table"]
    return [CARDS[k] for k, copies in enumerate(cards) for _ in range(copies)]


def phase(match: Match) -> str:
    """What the seat to move has to decide."""
    return PHASES[match.state["phase"]]


def names(match: Match) -> list[str]:
    """The legal actions by name."""
    return [match.action_name(action) for action in match.legal_actions()]


def give(match: Match, hands: Sequence[Sequence[str]]) -> None:
    """Put exactly these cards into the hands, and all others into the piles."""
    state = match.state
    state["kept"] = NOTHING
    state["players"]["hand"] = 0
    for part in ("open", "table"):
        state[part] = 0
    for seat, cards in enumerate(hands):
        for card in cards:
            state["players"]["hand"][seat, kind(card)] += 1
    state["pile"] = match.rules["copies"] - state["players"]["hand"].sum(axis=0)
    assert (state["pile"] >= 0).all()
    settle(match)


def settle(match: Match) -> None:
    """Hands and piles have been changed by hand: what the rules count of them, and the mask, follow."""
    state, options = match.state, match.options
    for name, value in counted(options, state, match.rules).items():
        field(state, name)[...] = value
    match.refresh()


def field(state: np.void, name: str) -> np.ndarray:
    """A field of the state, or of all its players."""
    return state[name] if name in state.dtype.names else state["players"][name]


def counted(options: Any, state: np.void, rules: np.void) -> dict[str, np.ndarray]:
    """What the state says a second time, so that the rules need not count and views find it as they show it."""
    decks = [slice(first_kind(deck), first_kind(deck + 1)) for deck in range(DECKS)]
    players = state["players"]
    hands = players["hand"]
    backs = np.stack([hands[:, deck].sum(axis=1) for deck in decks], axis=1)
    if options.mode == "solo":
        backs[1] = (0, AUTOMA_BACKS, AUTOMA_BACKS)
    seats = {"versus": 2, "doubles": 4, "solo": 1}[options.mode]
    places = max(2, seats)
    abilities, serves = np.zeros((SEATS, len(AVATARS)), int), np.zeros((SEATS, SEATS), int)
    for seat in range(seats):
        for other in range(seats):
            if players["ready"][other]:
                abilities[seat, players["avatar"][other]] = OWNERS[(other - seat) % places]
        if state["server"] != NOTHING:
            serves[seat, (state["server"] - seat) % places] = 1
    return {
        "moves_held": ((hands > 0) * rules["moves"]).sum(axis=1),
        "backs": backs,
        "room": rules["hand"] - hands.sum(axis=1),
        "tally": tallies(state["pile"]),
        "abilities": abilities,
        "serves": serves,
    }


def rally(
    ball: int,
    hands: Sequence[Sequence[str]],
    *,
    seat: int = 0,
    hitter: int = 1,
    last: tuple[int, int] = (NOTHING, 1),
    by: str = "Slice",
    strokes: int = 4,
    stamina: int = 10,
    avatars: Sequence[str] = (),
    tape: Sequence[int] | None = None,
    **options: Any,
) -> Match:
    """A rally in which `hitter` has just brought the ball to `ball` with the card `by`, and `seat` is asked for the answer."""
    match = Match("sweet_spot", seed=5, **{**PLAIN, **options})
    state = match.state
    state["phase"], state["stage"], state["seat"] = ANSWER, 1, seat
    state["ball"], state["hitter"], state["last"], state["strokes"] = ball, hitter, last, strokes
    state["hit_kind"] = kind(by)
    state["hit_modifier"] = match.rules["modifier"][kind(by), 0]
    state["players"]["stamina"] = stamina
    if state["server"] == NOTHING:
        state["server"] = state["opener"] = state["score"]["server"]
    for player, avatar in enumerate(avatars):
        state["players"]["avatar"][player], state["players"]["ready"][player] = AVATARS.index(avatar), 1
    give(match, hands)
    if tape is not None:
        match.tape = list(tape)
    return match


def points(match: Match) -> list[int]:
    """The points of both teams."""
    return match.state["score"]["points"].tolist()


def play(match: Match, *actions: str) -> Match:
    """Take decisions by name."""
    for action in actions:
        match.apply(action)
    return match
