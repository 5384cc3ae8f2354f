"""Trained agents: weights as NumPy arrays and a card that says what they are. No torch is needed to play."""

from __future__ import annotations

import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from tennis_envs.batch import MatchBatch
from tennis_envs.core.game import Game
from tennis_envs.core.kernels import kernels
from tennis_envs.core.layout import Feature, Features
from tennis_envs.core.player import Teachable
from tennis_envs.match import Match
from tennis_envs.opponents.basic import ScriptedOpponent

_FAR_BELOW = np.float32(-1e9)
_PLACES = (Path(__file__).parents[1] / "trained", Path(__file__).parents[2] / "agents" / "trained")  # wheel, repository


def trained_folders(game: str) -> dict[str, Path]:
    """The trained agents that are installed for a game: name -> folder."""
    return {
        card.parent.name: card.parent
        for place in _PLACES
        for card in sorted((place / game).glob("*/card.json"))
        if (card.parent / "weights.npz").exists()
    }


class Policy:
    """A multi-layer perceptron with rectified linear units and one logit an action."""

    def __init__(self, weights: list[np.ndarray], biases: list[np.ndarray]) -> None:
        self.weights = [np.ascontiguousarray(w, np.float32) for w in weights]  # shapes (inputs, outputs)
        self.biases = [np.ascontiguousarray(b, np.float32) for b in biases]

    def logits(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Logits, float32 (n, actions), far below zero where `mask` (n, actions) is 0."""
        x = observation
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            x = np.maximum(x @ weight + bias, 0)
        x = x @ self.weights[-1] + self.biases[-1]
        return np.where(mask.astype(bool), x, _FAR_BELOW)

    def save(self, path: Path) -> None:
        """Write the weights as a .npz file."""
        layers = {f"weight_{i}": w for i, w in enumerate(self.weights)} | {f"bias_{i}": b for i, b in enumerate(self.biases)}
        np.savez_compressed(path, **layers)

    @classmethod
    def load(cls, path: Path) -> Policy:
        """Read what `save` wrote; ValueError if the file is not a policy."""
        try:
            with np.load(path) as file:
                count = len(file.files) // 2
                weights, biases = ([file[f"{kind}_{i}"] for i in range(count)] for kind in ("weight", "bias"))
                policy = cls(weights, biases)
            policy.check()
        except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
            raise ValueError(f"{path} does not hold the weights of a policy: {str(error).rstrip('.')}.") from None
        return policy

    def check(self) -> None:
        """ValueError if the layers do not fit together or hold something that is not a number."""
        if not self.weights:
            raise ValueError("it has no layers")
        for weight, bias in zip(self.weights, self.biases, strict=True):
            if weight.ndim != 2 or bias.shape != weight.shape[1:]:
                raise ValueError(f"a layer has weights of shape {weight.shape} and biases of shape {bias.shape}")
            if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
                raise ValueError("a weight is not a finite number")
        for before, after in zip(self.weights[:-1], self.weights[1:], strict=True):
            if before.shape[1] != after.shape[0]:
                raise ValueError(f"a layer of {before.shape[1]} units is followed by one that takes {after.shape[0]}")


class PolicyOpponent:
    """Plays a policy; greedily, or by drawing from its probabilities."""

    def __init__(self, policy: Policy, encoder: str = "flat", *, greedy: bool = True, seed: int | None = None) -> None:
        self.policy, self.encoder, self.greedy = policy, encoder, greedy
        self.reseed(seed)

    def reseed(self, seed: int | None) -> None:
        """Begin the random stream of play that is not greedy anew."""
        self._rng = np.random.default_rng(seed)

    def save(self, path: Path) -> None:
        """Write the policy as a .npz file."""
        self.policy.save(path)

    def act(self, match: Match) -> int:
        """The policy's action."""
        observation = match.observe_as(self.encoder, match.seat)
        return int(self._choose(observation[None], match.mask()[None])[0])

    def act_batch(self, batch: MatchBatch, rows: np.ndarray) -> np.ndarray:
        """The policy's actions for many matches."""
        if batch.options.encoder == self.encoder:
            observation = batch.observation[rows]
        else:
            observation = batch.observe(batch.seat[rows], rows, self.encoder)
        return self._choose(observation, batch.action_mask[rows])

    def _choose(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        logits = self.policy.logits(observation, mask)
        if not self.greedy:
            # Gumbel's trick: the largest of logit + noise is a draw from the softmax
            logits = np.where(mask.astype(bool), logits + self._rng.gumbel(size=logits.shape).astype(np.float32), logits)
        return logits.argmax(axis=1).astype(np.int32)


class TrainedOpponent:
    """A trained agent from its folder, `weights.npz` and `card.json`: a network, or a scripted player with learned weights."""

    def __init__(self, folder: str | Path, game: Game, *, greedy: bool = True, seed: int | None = None) -> None:
        folder = Path(folder)
        self.card = _read_card(folder)
        if self.card.get("game") != game.name:
            raise ValueError(f"the agent in {folder} plays {self.card.get('game')!r}, not {game.name!r}.")
        if self.card.get("version") != game.version:
            raise ValueError(
                f"the agent in {folder} was trained for version {self.card.get('version')} of {game.name}; "
                f"this package has version {game.version}."
            )
        player = self.card.get("player")
        self._player: PolicyOpponent | ScriptedOpponent
        if player is None:
            self._player = _network(folder, game, self.card, greedy, seed)
        else:
            self._player = _learned(folder, game, player, seed)

    def reseed(self, seed: int | None) -> None:
        """Begin the random stream of play that is not certain anew."""
        self._player.reseed(seed)

    def act(self, match: Match) -> int:
        """The agent's action."""
        return self._player.act(match)

    def act_batch(self, batch: MatchBatch, rows: np.ndarray) -> np.ndarray:
        """The agent's actions for many matches."""
        return self._player.act_batch(batch, rows)


def _network(folder: Path, game: Game, card: dict[str, Any], greedy: bool, seed: int | None) -> PolicyOpponent:
    encoder = card.get("encoder", "flat")
    features = kernels(game, encoder).features
    places = _places(folder, game, card.get("features"), features)
    policy = Policy.load(folder / "weights.npz")
    inputs, outputs = len(features), len(game.actions)
    if policy.weights[0].shape[0] != inputs or policy.weights[-1].shape[1] != outputs:
        raise ValueError(f"the weights in {folder} do not fit {game.name}: {inputs} features, {outputs} actions.")
    policy.weights[0] = np.ascontiguousarray(policy.weights[0][places])
    return PolicyOpponent(policy, encoder, greedy=greedy, seed=seed)


def _places(folder: Path, game: Game, read: Any, shown: Features) -> np.ndarray:
    """Where the network finds each number of a view: it reads features by name, in its own order."""
    if not isinstance(read, dict):
        raise ValueError(f"the card in {folder} does not tell which features the network reads (`features`: name and size).")
    differ = sorted(name for name, size in {**read, **shown.sizes}.items() if read.get(name) != size or name not in shown.sizes)
    if differ:
        raise ValueError(f"the agent in {folder} does not read what {game.name} shows: {', '.join(differ)} differ.")
    own = Features(*(Feature(name, size) for name, size in read.items()))
    return np.concatenate([np.arange(len(own))[own[name]] for name in shown.sizes])


def _learned(folder: Path, game: Game, player: str, seed: int | None) -> ScriptedOpponent:
    teachable = [name for name, known in game.players.items() if isinstance(known, Teachable)]
    if player not in teachable:
        raise ValueError(
            f"the agent in {folder} is the player {player!r} with learned weights; the players of {game.name} that have "
            f"weights: {', '.join(teachable) or 'none'}."
        )
    path = folder / "weights.npz"
    try:
        with np.load(path) as file:
            weights = file["weights"]
        game.players[player].mind(weights)
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{path} does not hold the weights of a player: {str(error).rstrip('.')}.") from None
    return ScriptedOpponent(player, seed, weights)


def _read_card(folder: Path) -> dict[str, Any]:
    try:
        card = json.loads((folder / "card.json").read_text())
    except (OSError, ValueError) as error:
        raise ValueError(f"{folder} is not the folder of a trained agent: {error}.") from None
    if not isinstance(card, dict):
        raise ValueError(f"{folder} is not the folder of a trained agent: its card is not an object.")
    return card
