"""Stable-Baselines3: many matches of one seat against a batched opponent as a `VecEnv`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from tennis_envs.aec import observation_box
from tennis_envs.core.game import Game
from tennis_envs.opponents import Opponent
from tennis_envs.solo import SoloBatch

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:  # pragma: no cover
    raise ImportError('this needs Stable-Baselines3: pip install "tennis-envs[train]"') from error


class SharedVecEnv(VecEnv):
    """What any `VecEnv` has in common whose matches live in one object instead of one environment each."""

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


class TennisVecEnv(SharedVecEnv):
    """One seat against a batched opponent, with `action_masks()` as sb3-contrib's MaskablePPO wants it.

    Infos of a match that ended hold `terminal_observation`, `TimeLimit.truncated`, `won` and `episode` (r and l).
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        opponent: str | Opponent | None = None,
        seat: int | str = "random",
        seed: int | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.solo = SoloBatch(game, num_envs, opponent=opponent, seat=seat, seed=seed, threads=threads, **options)
        """The matches, the seats and the opponent."""
        batch = self.solo.batch
        self.render_mode = None
        self._return = np.zeros(num_envs)
        self._length = np.zeros(num_envs, np.int64)
        self._actions = np.zeros(num_envs, np.int64)
        box = observation_box(batch.game, batch.options.encoder)
        super().__init__(num_envs, box, spaces.Discrete(len(batch.game.actions)))

    def reset(self) -> np.ndarray:
        """Begin all matches anew, from the seed given to `seed` if there was one."""
        given = [seed for seed in self._seeds if seed is not None]
        self.solo.reset(given[0] if given else None)
        self._return[:] = 0
        self._length[:] = 0
        self._reset_seeds()
        self._reset_options()
        return self.solo.observation.copy()

    def step_async(self, actions: np.ndarray) -> None:
        """Note the actions."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Take them."""
        solo = self.solo
        solo.step(self._actions)
        self._return += solo.reward
        self._length += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(solo.done):
            infos[row] = {
                "terminal_observation": solo.final_observation[row].copy(),
                "TimeLimit.truncated": bool(solo.truncated[row]),
                "won": bool(solo.won[row]),
                "episode": {"r": float(self._return[row]), "l": int(self._length[row])},
            }
            self._return[row] = 0
            self._length[row] = 0
        return solo.observation.copy(), solo.reward.copy(), solo.done.copy(), infos

    def action_masks(self) -> np.ndarray:
        """The legal actions, bool (n, actions)."""
        return self.solo.action_mask.astype(bool)

    def close(self) -> None:
        """End the helper threads."""
        self.solo.batch.close()
