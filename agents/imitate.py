"""A head start: the policy learns what the scripted player does before it plays itself (behavioural cloning).

Where a match is long and the scripted player plays well, self-play from nothing takes hours to get as far.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from agents.config import TrainConfig
from tennis_envs.batch import MatchBatch

_MATCHES, _STEPS = 1024, 64  # played side by side; decisions of each between two rounds of learning
ROUND = _MATCHES * _STEPS
"""Decisions of a round."""


class Imitation:
    """Matches of the scripted player against itself (half of them alone against the automa, if the pool has one), and a
    policy that learns from them round by round.

    The matches stray now and then to a random action, so that the policy also learns what to do thereafter
    (S. Ross and D. Bagnell, 2010, on why it must). The learning rate falls to a twentieth over the rounds.
    """

    def __init__(self, model: MaskablePPO, config: TrainConfig, imitated: int = 0) -> None:
        self.config, self.policy, self.imitated = config, model.policy, imitated
        seed = config.seed + imitated
        modes = ({}, {"mode": "solo"}) if config.pool.automa else ({},)
        self._batches = [
            MatchBatch(config.game, _MATCHES // len(modes), seed=seed, **{**config.options, **mode}) for mode in modes
        ]
        self._rng = np.random.default_rng(seed)
        self._optimizer = torch.optim.Adam(self.policy.parameters())

    def round(self) -> float:
        """Watch and learn; how often the policy's likeliest action was the scripted player's, 0 to 1."""
        settings = self.config.imitate
        for group in self._optimizer.param_groups:
            group["lr"] = settings.learning_rate * max(0.05, 1 - self.imitated / settings.decisions)
        views, masks, chosen = self._watch(settings.stray)
        self.imitated += ROUND
        agreed = 0.0
        for rows in np.array_split(self._rng.permutation(ROUND), max(1, ROUND // self.config.ppo.batch_size)):
            agreed += self._learn(*(torch.from_numpy(array[rows]) for array in (views, masks, chosen)))
        return agreed / ROUND

    def _watch(self, stray: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Views, masks and what the scripted player would do (int64), of so many decisions of each match."""
        views, masks, chosen = [], [], []
        for batch in self._batches * _STEPS:
            actions = batch.player_actions("scripted")
            views.append(batch.observation.copy())
            masks.append(batch.action_mask.copy())
            chosen.append(actions.astype(np.int64))
            batch.step(np.where(self._rng.random(len(actions)) < stray, batch.random_actions(), actions))
        return np.concatenate(views), np.concatenate(masks), np.concatenate(chosen)

    def _learn(self, views: Any, masks: Any, chosen: Any) -> float:
        """One step of the optimizer; in how many of the rows the policy would have done the same."""
        latent = self.policy.mlp_extractor.forward_actor(views)
        logits = self.policy.action_net(latent).masked_fill(masks == 0, -1e8)
        self._optimizer.zero_grad()
        torch.nn.functional.cross_entropy(logits, chosen).backward()
        self._optimizer.step()
        return float((logits.argmax(dim=1) == chosen).sum())
