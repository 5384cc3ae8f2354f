"""A scripted player's numbers, tried out by the million.

Every match is played twice with the same luck, all numbers a step up or down by the toss of a coin and then the other way
round, against the player as it was or as it is by now. How often each way wins, summed over the coins, says where to go
(parameter-exploring policy gradients with symmetric samples: F. Sehnke et al., 2010; the coins: J. Spall, 1992). The engine
plays tens of thousands of such matches a second, which is what a few wins in a thousand take to be seen.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from agents.config import TrainConfig
from agents.rounds import follow
from tennis_envs.core.chance import streams
from tennis_envs.core.jit import records
from tennis_envs.core.kernels import kernels, new_chance
from tennis_envs.core.player import Teachable
from tennis_envs.opponents import ScriptedOpponent
from tennis_envs.registry import game as find_game

_CHUNK = 250  # matches that a thread takes at a time


class Tuning:
    """One run, kept in `folder` so that it can be stopped at any time and go on later."""

    def __init__(self, config: TrainConfig, folder: Path) -> None:
        self.config, self.folder = config, folder
        self.game = find_game(config.game)
        self.options = self.game.parse(**config.options)
        player = self.game.players[config.tune.player]
        assert isinstance(player, Teachable)
        self.player = player
        self.weights = player.weights.values.copy()
        """What the player counts with by now, float64."""
        self.pace = np.zeros_like(self.weights)
        """Wins a match by a step up of each number, averaged over the last rounds."""
        self.rounds = 0
        self.seconds = 0.0
        self.recent = 0.0
        """Wins less losses a match of late, of those that were tried, -1 to 1."""
        if (folder / "progress.json").exists():
            self._resume()

    @property
    def fraction(self) -> float:
        """How much of the budget is used up, 0 to 1."""
        return min(1.0, self.matches / self.config.tune.matches)

    @property
    def matches(self) -> int:
        """Matches played so far."""
        return 2 * self.rounds * self.config.tune.pairs

    @property
    def told(self) -> str:
        """What it has learned from, in words."""
        return f"{self.matches:,} matches ({self.matches / max(self.seconds, 1e-9):,.0f} a second)"

    @property
    def facts(self) -> dict[str, Any]:
        """The same for the agent's card."""
        return {"matches": self.matches, "seconds": round(self.seconds, 1)}

    def agent(self) -> ScriptedOpponent:
        """The player as it is by now."""
        return ScriptedOpponent(self.config.tune.player, self.config.seed, weights=self.weights)

    def first(self) -> ScriptedOpponent:
        """The player before any training."""
        return ScriptedOpponent(self.config.tune.player, self.config.seed)

    def run(self) -> None:
        """Train until the budget is used up; Ctrl-C keeps all that was learned and raises KeyboardInterrupt."""
        follow(self.config.game, self._rounds(), self.save, self.fraction)

    def _rounds(self) -> Iterator[tuple[str, float]]:
        """Round by round: how it goes, and how much is done."""
        with ThreadPoolExecutor(self.config.tune.threads) as pool:
            while self.fraction < 1:
                self._round(pool)
                yield f"{self.matches / 1e6:.1f} M matches, of late {self.recent:+.3f}", self.fraction

    def _round(self, pool: ThreadPoolExecutor) -> None:
        """Try, and go a little way; nothing has changed if it is interrupted."""
        start = time.monotonic()
        settings = self.config.tune
        rng = np.random.default_rng((self.config.seed, self.rounds))
        size = self.player.weights.steps * (1 - (1 - settings.last_step) * self.fraction)
        signs = rng.integers(0, 2, (settings.pairs, len(size)), dtype=np.int8) * 2 - 1
        rival = self.weights if rng.random() < settings.against_itself else None
        results = self.play(pool, int(rng.integers(2**63)), size, signs, rival)
        first, second = results[:, 0] > results[:, 1], results[:, 0] < results[:, 1]  # which way won more
        gain = (signs[first].sum(axis=0, dtype=np.int64) - signs[second].sum(axis=0, dtype=np.int64)) / len(signs)
        pace = settings.momentum * self.pace + (1 - settings.momentum) * gain
        rate = 2 * settings.rate * (1 - self.fraction)
        self.weights, self.pace = self.weights + rate * self.player.weights.steps * pace, pace
        if rival is None:
            self.recent += 0.1 * (float(results.mean()) - self.recent)
        self.rounds += 1
        self.seconds += time.monotonic() - start

    def play(
        self, pool: ThreadPoolExecutor, seed: int, size: np.ndarray, signs: np.ndarray, rival: np.ndarray | None
    ) -> np.ndarray:
        """Matches with the weights `size` away from the present ones, as `signs` say, and with those on the other side.

        `rival` are the weights of whom they are played against; none are those before any training. Returns 1 won, -1 lost,
        0 cut off: int8, shape (len(signs), 2).
        """
        results = np.zeros((len(signs), 2), np.int8)
        luck = streams(seed, len(signs))
        loops = kernels(self.game, self.options.encoder)
        trial = loops.trial(self.config.tune.player)
        rules = records(self.game.rules(self.options))

        def play(first: int) -> None:
            blank, future = (records(np.zeros(1, self.game.state_type)) for _ in range(2))
            mask, mind, other = records(np.zeros(1, loops.mask_type)), self.player.mind(), self.player.mind(rival)
            last, longest = min(first + _CHUNK, len(signs)), self.options.max_decisions
            trial(
                rules, blank, luck, new_chance(), future, mask, self.weights, size, signs, mind, other, longest, results,
                first, last,
            )  # fmt: skip

        for _ in pool.map(play, range(0, len(signs), _CHUNK)):
            pass
        return results

    def save(self) -> None:
        """Write a checkpoint; the one before stays until the new one is whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        progress = {
            "rounds": self.rounds,
            "seconds": self.seconds,
            "recent": self.recent,
            "weights": self.weights.tolist(),
            "pace": self.pace.tolist(),
            "config": self._identity(),
        }
        partial = self.folder / "progress.json.partial"
        partial.write_text(json.dumps(progress))
        os.replace(partial, self.folder / "progress.json")

    def _identity(self) -> dict[str, Any]:
        """What must not change between a stop and a resumption."""
        given = json.loads(self.config.model_dump_json(exclude={"evaluation"}))
        return {**given, "version": self.game.version, "weights": len(self.weights)}

    def _resume(self) -> None:
        progress = json.loads((self.folder / "progress.json").read_text())
        if progress["config"] != self._identity():
            raise ValueError(
                f"{self.folder} holds a run of another configuration or version of the game: finish it, or use --fresh."
            )
        for name in ("rounds", "seconds", "recent"):
            setattr(self, name, progress[name])
        self.weights, self.pace = np.array(progress["weights"]), np.array(progress["pace"])
