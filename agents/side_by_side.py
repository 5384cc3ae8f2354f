"""Environments of one game side by side, as one: matches against a pool beside matches alone against the automa."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tennis_envs.sb3 import SharedVecEnv, TennisVecEnv


class SideBySide(SharedVecEnv):
    """The rows of the first part, then those of the second, and so on."""

    def __init__(self, parts: Sequence[TennisVecEnv]) -> None:
        self.parts = list(parts)
        self.render_mode = None
        sizes = [part.num_envs for part in self.parts]
        self._bounds = np.cumsum(sizes)[:-1]
        super().__init__(sum(sizes), self.parts[0].observation_space, self.parts[0].action_space)

    def reset(self) -> np.ndarray:
        """Begin all matches anew, each part from the seed of its first row if there is one."""
        for part, seeds in zip(self.parts, np.split(np.array(self._seeds, object), self._bounds), strict=True):
            part._seeds = list(seeds)
        self._reset_seeds()
        self._reset_options()
        return np.concatenate([part.reset() for part in self.parts])

    def step_async(self, actions: np.ndarray) -> None:
        """Note the actions."""
        for part, own in zip(self.parts, np.split(np.asarray(actions), self._bounds), strict=True):
            part.step_async(own)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Take them."""
        views, rewards, dones, infos = zip(*(part.step_wait() for part in self.parts), strict=True)
        return np.concatenate(views), np.concatenate(rewards), np.concatenate(dones), [info for part in infos for info in part]

    def action_masks(self) -> np.ndarray:
        """The legal actions, bool (n, actions)."""
        return np.concatenate([part.action_masks() for part in self.parts])

    def close(self) -> None:
        """End the helper threads."""
        for part in self.parts:
            part.close()
