"""Many matches at once as a Gymnasium vector environment."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from tennis_envs.aec import observation_box
from tennis_envs.core.game import Game
from tennis_envs.opponents import Opponent
from tennis_envs.solo import SoloBatch


class TennisVectorEnv(VectorEnv):
    """`gymnasium.make_vec("tennis_envs/PassingShot-v0", num_envs=1024, vectorization_mode="vector_entry_point", …)`.

    One seat against a batched opponent. Matches restart in the step in which they end (SAME_STEP): `infos["final_obs"]`
    holds the last observations, `infos["action_mask"]` int8 (n, actions) always belongs to the observations returned.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        opponent: str | Opponent | None = None,
        seat: int | str = "random",
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            raise ValueError("the vector environment draws nothing: render_mode must be None.")
        self.num_envs = num_envs
        self.solo = SoloBatch(game, num_envs, opponent=opponent, seat=seat, threads=threads, **options)
        """The matches, the seats and the opponent."""
        batch = self.solo.batch
        self.single_observation_space = observation_box(batch.game, batch.options.encoder)
        self.single_action_space = spaces.Discrete(len(batch.game.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin all matches anew; `options` are not used."""
        super().reset(seed=seed)
        self.solo.reset(seed)
        return self.solo.observation.copy(), self._infos()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take one decision in every match; ValueError, and nothing has changed, if one is illegal."""
        solo = self.solo
        solo.step(actions)
        infos = self._infos()
        if solo.done.any():
            infos["final_obs"] = solo.final_observation.copy()
            infos["_final_obs"] = solo.done.copy()
            infos["won"], infos["_won"] = solo.won & solo.done, solo.done.copy()
        terminated = solo.done & ~solo.truncated
        return solo.observation.copy(), solo.reward.astype(np.float64), terminated, solo.truncated.copy(), infos

    def _infos(self) -> dict[str, Any]:
        everyone = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self.solo.action_mask.copy(),
            "_action_mask": everyone,
            "seat": self.solo.seat.copy(),
            "_seat": everyone.copy(),
        }

    def action_masks(self) -> np.ndarray:
        """The legal actions, bool (n, actions)."""
        return self.solo.action_mask.astype(bool)

    def close_extras(self, **kwargs: Any) -> None:
        """End the helper threads."""
        self.solo.batch.close()
