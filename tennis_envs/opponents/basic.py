"""Opponents that need no learning: uniformly random, and a game's scripted players."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tennis_envs.batch import MatchBatch
from tennis_envs.core.chance import streams
from tennis_envs.match import Match

_APART = 2**32  # of all streams of a seed, one that no match meets


class RandomOpponent:
    """Any legal action, each equally likely."""

    def __init__(self, seed: int | None = None) -> None:
        self.reseed(seed)

    def reseed(self, seed: int | None) -> None:
        """Begin the random stream of `act` anew."""
        self._rng = np.random.default_rng(seed)

    def act(self, match: Match) -> int:
        """A random legal action."""
        legal = match.legal_actions()
        return legal[self._rng.integers(len(legal))]

    def act_batch(self, batch: MatchBatch, rows: np.ndarray) -> np.ndarray:
        """Random legal actions, from the streams of the batch."""
        return batch.random_actions(rows)


class AutomaOpponent:
    """The computer player of a solo mode: part of the rules, so that it is never asked."""

    def reseed(self, seed: int | None) -> None:
        """It draws from the match's own chance."""

    def act(self, match: Match) -> int:
        """There is no seat that it decides for."""
        raise TypeError("the automa has no seat: its moves are part of the rules.")

    def act_batch(self, batch: MatchBatch, rows: np.ndarray) -> np.ndarray:
        """There is no seat that it decides for."""
        raise TypeError("the automa has no seat: its moves are part of the rules.")


class ScriptedOpponent:
    """A scripted player of the game, with other `weights` if it counts with some."""

    def __init__(self, player: str = "scripted", seed: int | None = None, weights: np.ndarray | None = None) -> None:
        self.player, self.weights = player, weights
        self.reseed(seed)

    def reseed(self, seed: int | None) -> None:
        """Begin the random stream of `act` anew."""
        self._streams = streams(seed, 1, first=_APART)

    def save(self, path: Path) -> None:
        """Write the weights as a .npz file; ValueError if the player has none but its own."""
        if self.weights is None:
            raise ValueError(f"the player {self.player!r} has no weights but its own to save.")
        np.savez_compressed(path, weights=self.weights)

    def act(self, match: Match) -> int:
        """What the scripted player does."""
        return match.player_action(self.player, self._streams, self.weights)

    def act_batch(self, batch: MatchBatch, rows: np.ndarray) -> np.ndarray:
        """The same for many matches, by a compiled loop."""
        return batch.player_actions(self.player, rows, self.weights)
