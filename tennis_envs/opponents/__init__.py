"""Opponents: one protocol, so that random, scripted, trained and human players are interchangeable."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, get_args, runtime_checkable

import numpy as np

from tennis_envs.batch import MatchBatch
from tennis_envs.core.game import Game
from tennis_envs.match import Match
from tennis_envs.opponents.basic import AutomaOpponent, RandomOpponent, ScriptedOpponent
from tennis_envs.opponents.trained import TrainedOpponent, trained_folders
from tennis_envs.registry import game as find_game

__all__ = [
    "AutomaOpponent",
    "Opponent",
    "RandomOpponent",
    "ScriptedOpponent",
    "TrainedOpponent",
    "against",
    "opponent",
    "opponent_names",
]

AUTOMA = "automa"


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
    automa = [AUTOMA] if has_automa(game) else []
    return ["random", *game.players, *automa, *(f"trained/{name}" for name in trained_folders(game.name))]


def has_automa(game: Game) -> bool:
    """Whether the game's rules hold a computer player."""
    return "solo" in get_args(game.options.model_fields["mode"].annotation) if "mode" in game.options.model_fields else False


def opponent(name: str | Opponent, game: str | Game, seed: int | None = None, **options: Any) -> Opponent:
    """An opponent by name: "random", a scripted player, "automa", "trained/<name>", or the folder of a trained agent.

    `options` are those of the matches to be played; ValueError if the opponent does not know that game or encoder.
    """
    if not isinstance(name, (str, Path)):
        return name
    game = find_game(game)
    parsed = game.parse(**options)
    text = str(name)
    if text == "random":
        return RandomOpponent(seed)
    if text in game.players:
        return ScriptedOpponent(text, seed)
    if text == AUTOMA and has_automa(game):
        if parsed.mode != "solo":
            raise ValueError("the automa is met in solo mode: mode='solo'.")
        return AutomaOpponent()
    folder = Path(text)
    if text.startswith("trained/"):
        folder = trained_folders(game.name).get(text.removeprefix("trained/"), folder)
    if (folder / "card.json").exists():
        return TrainedOpponent(folder, game, seed=seed)
    known = ", ".join(opponent_names(game))
    raise ValueError(f"{game.name} has no opponent {text!r}: there are {known}, or the folder of a trained agent.")


def against(
    name: str | Opponent | None, game: str | Game, seed: int | None, options: dict[str, Any]
) -> tuple[Opponent, dict[str, Any]]:
    """The opponent for one seat, and the options of the matches: the automa brings mode="solo" with it.

    None is the automa in solo mode, and the scripted player in any other. ValueError if anybody but the automa is to be
    met in solo mode.
    """
    game = find_game(game)
    if name is None:
        name = AUTOMA if options.get("mode") == "solo" else "scripted"
    if isinstance(name, (str, Path)) and str(name) == AUTOMA and has_automa(game):
        options = {"mode": "solo", **options}
    found = opponent(name, game, seed, **options)
    if options.get("mode") == "solo" and not isinstance(found, AutomaOpponent):
        raise ValueError("in solo mode the opponent is the automa: opponent='automa'.")
    return found, options
