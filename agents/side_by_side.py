"""Environments of one game side by side, as one: matches against a pool beside matches alone against the automa."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from tennis_envs.sb3 import TennisVecEnv


class SideBySide(VecEnv):
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

    def has_attr(self, attr_name: str) -> bool:
        """Whether there is such an attribute."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: int | Sequence[int] | None = None) -> list[Any]:
        """An attribute of this environment, once a match."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Sequence[int] | None = None) -> None:
        """Set an attribute of this environment; the matches share it."""
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: int | Sequence[int] | None = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method; `action_masks` gives each match its row."""
        result = getattr(self, method_name)(*method_args, **method_kwargs)
        rows = list(self._get_indices(indices))
        if isinstance(result, np.ndarray) and len(result) == self.num_envs:
            return [result[row] for row in rows]
        return [result for _ in rows]

    def env_is_wrapped(self, wrapper_class: type, indices: int | Sequence[int] | None = None) -> list[bool]:
        """No match is wrapped."""
        return [False for _ in self._get_indices(indices)]
