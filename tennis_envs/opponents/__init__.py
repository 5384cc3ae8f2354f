"""Opponents: one protocol, so that random, scripted, trained and human players are interchangeable."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from tennis_envs.batch import MatchBatch
from tennis_envs.core.game import Game
from tennis_envs.match import Match
from tennis_envs.opponents.basic import RandomOpponent, ScriptedOpponent
from tennis_envs.opponents.trained import TrainedOpponent, trained_folders
from tennis_envs.registry import game as find_game

__all__ = ["Opponent", "RandomOpponent", "ScriptedOpponent", "TrainedOpponent", "opponent", "opponent_names"]


@runtime_checkable
class Opponent(Protocol):
    """Whoever decides for a seat."""

    def act(self, match: Match) -> int:
        """A legal action for the seat to move."""

    def act_batch(self, batch: MatchBatch, rows: np.ndarray) -> np.ndarray:
        """Legal actions for the seats to move in the matches `rows`, int32 (rows,)."""


def opponent_names(game: str | Game) -> list[str]:
    """The names that `opponent` knows for a game."""
    game = find_game(game)
    return ["random", *game.players, *(f"trained/{name}" for name in trained_folders(game.name))]


def opponent(name: str | Opponent, game: str | Game, seed: int | None = None, **options: Any) -> Opponent:
    """An opponent by name: "random", a scripted player, "trained/<name>", or the folder of a trained agent.

    `options` are those of the matches to be played; ValueError if the opponent does not know that game or encoder.
    """
    if not isinstance(name, (str, Path)):
        return name
    game = find_game(game)
    game.parse(**options)
    text = str(name)
    if text == "random":
        return RandomOpponent(seed)
    if text in game.players:
        return ScriptedOpponent(text, seed)
    folder = Path(text)
    if text.startswith("trained/"):
        folder = trained_folders(game.name).get(text.removeprefix("trained/"), folder)
    if (folder / "card.json").exists():
        return TrainedOpponent(folder, game, seed=seed)
    known = ", ".join(opponent_names(game))
    raise ValueError(f"{game.name} has no opponent {text!r}: there are {known}, or the folder of a trained agent.")
