"""The cards of an edition in their slots: kinds of card, and moves (one for every modifier that a card offers)."""

from __future__ import annotations

from dataclasses import dataclass

from tennis_envs.core.components import load
from tennis_envs.games.sweet_spot.components import (
    Card,
    Edition,
    Effect,
    Play,
    reference,
    slots,
)

_STROKES = {"return": ("return", "save")}


@dataclass(frozen=True)
class Move:
    """One way to play a card."""

    label: str
    name: str
    modifier: int


def moves(edition: Edition, play: Play) -> list[Move]:
    """All moves of an edition that are played in one way; a saving move is one more return."""
    ways = set(_STROKES.get(play, (play,)))
    return [
        Move(label, card.name, modifier)
        for card in edition.return_ + edition.tactic
        if ways & set(card.play)
        for label, modifier in zip(card.labels, card.modifier, strict=True)
    ]


def kinds(edition: Edition) -> dict[int, Card | Effect]:
    """The cards of an edition by their kind: the number of their slot. Avatars come after the cards."""
    placed: dict[int, Card | Effect] = {}
    start = 0
    for deck, cards in edition.decks.items():
        names = [card.name for card in reference().decks[deck]]
        for slot, card in zip(slots(names, [card.name for card in cards], f"{deck} cards"), cards, strict=True):
            placed[start + slot] = card
        start += len(names)
    return placed


def placed_moves(edition: Edition, play: Play) -> dict[int, Move]:
    """The moves of an edition by their slot."""
    labels = [move.label for move in moves(reference(), play)]
    own = moves(edition, play)
    return dict(zip(slots(labels, [move.label for move in own], f"moves to {play}"), own, strict=True))


def edition_of(path: str | None) -> Edition:
    """The edition that a path names; the reference edition without one."""
    return reference() if path is None else load(path, Edition)


def check(path: str | None) -> None:
    """ComponentsError if a file cannot be read or its cards have no place."""
    edition = edition_of(path)
    kinds(edition)
    for play in ("return", "accompany", "react", "after_rally"):
        placed_moves(edition, play)
