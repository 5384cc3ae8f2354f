"""An agent that hears what the scripted player would do, and learns where to do otherwise.

The logit of the advised action is a constant and those of the others are a network's, so that it plays like the scripted player
before it has learned anything (residual policy learning: T. Silver et al., 2018; T. Johannink et al., 2019). Where matches are
long and that player plays well, self-play from nothing takes hours to get as far.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import MlpExtractor
from torch import nn

from tennis_envs.core.game import Game
from tennis_envs.sb3 import TennisVecEnv


class AdvisedVecEnv(TennisVecEnv):
    """Matches with one more feature, the last: the number of the action that a scripted player would choose."""

    def __init__(self, game: str | Game, num_envs: int, *, advisor: str, **given: Any) -> None:
        super().__init__(game, num_envs, **given)
        self.advisor = advisor
        box = self.observation_space
        low, high = np.append(box.low, 0), np.append(box.high, self.action_space.n - 1)
        self.observation_space = spaces.Box(low.astype(np.float32), high.astype(np.float32))

    def reset(self) -> np.ndarray:
        """Begin all matches anew, from the seed given to `seed` if there was one."""
        return self._with_advice(super().reset())

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Take the actions. Nobody is asked for advice on a match that is over: there the feature is 0."""
        views, rewards, dones, infos = super().step_wait()
        for row in np.flatnonzero(dones):
            infos[row]["terminal_observation"] = np.append(infos[row]["terminal_observation"], np.float32(0))
        return self._with_advice(views), rewards, dones, infos

    def _with_advice(self, views: np.ndarray) -> np.ndarray:
        return np.column_stack([views, self.solo.batch.player_actions(self.advisor).astype(np.float32)])


class AdvisedPolicy(MaskableActorCriticPolicy):
    """A policy for `AdvisedVecEnv`: `trust` is the advised action's logit."""

    def __init__(self, *given: Any, trust: float, **settings: Any) -> None:
        self.trust = trust
        super().__init__(*given, **settings)

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = _Network(self.features_dim - 1, self.net_arch, self.activation_fn, self.device)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = _Head(self.mlp_extractor.latent_dim_pi, int(self.action_space.n), self.trust)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class _Network(MlpExtractor):
    """The hidden layers; the advice goes past them as the last unit of what they hand on to the policy's head."""

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        return torch.cat([self.policy_net(features[:, :-1]), features[:, -1:]], dim=1)

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        return self.value_net(features[:, :-1])


class _Head(nn.Linear):
    """The logits, of which the advised one is `trust`."""

    def __init__(self, units: int, actions: int, trust: float) -> None:
        super().__init__(units, actions)
        self.trust = trust
        nn.init.orthogonal_(self.weight, gain=0.01)
        nn.init.zeros_(self.bias)

    def forward(self, latent: torch.Tensor) -> torch.Tensor:
        advised = latent[:, -1:].long()
        return super().forward(latent[:, :-1]).scatter(1, advised, self.trust)
