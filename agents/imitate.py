"""A head start: the policy learns what the scripted player does before it plays itself (behavioural cloning).

Where a match is long and the scripted player plays well, self-play from nothing takes hours to get as far.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from rich.progress import Progress
from sb3_contrib import MaskablePPO

from agents.config import TrainConfig
from tennis_envs.batch import MatchBatch

_MATCHES, _STEPS = 1024, 64  # played side by side; decisions of each between two rounds of learning


def imitate(model: MaskablePPO, config: TrainConfig) -> float:
    """Let the policy see `config.imitate.decisions` decisions of the scripted player; how often it agreed at the end, 0 to 1.

    The matches that it sees stray now and then to a random action, so that it also learns what to do thereafter
    (S. Ross and D. Bagnell, 2010, on why it must).
    """
    settings, policy = config.imitate, model.policy
    batch = MatchBatch(config.game, _MATCHES, seed=config.seed, **config.options)
    rng = np.random.default_rng(config.seed)
    optimizer = torch.optim.Adam(policy.parameters(), lr=settings.learning_rate)
    rounds = max(1, settings.decisions // (_MATCHES * _STEPS))
    agreed = 0.0
    with Progress() as progress:
        for turn in progress.track(range(rounds), description="imitating the scripted player"):
            for group in optimizer.param_groups:
                group["lr"] = settings.learning_rate * (1 - 0.95 * turn / rounds)
            seen = _watch(batch, settings.stray, rng)
            agreed = _learn(policy, optimizer, seen, config.ppo.batch_size, rng)
    batch.close()
    return agreed


def _watch(batch: MatchBatch, stray: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Views, masks and what the scripted player would do, of so many decisions of each match."""
    views, masks, chosen = [], [], []
    for _ in range(_STEPS):
        actions = batch.player_actions("scripted")
        views.append(batch.observation.copy())
        masks.append(batch.action_mask.copy())
        chosen.append(actions)
        batch.step(np.where(rng.random(len(actions)) < stray, batch.random_actions(), actions))
    return np.concatenate(views), np.concatenate(masks), np.concatenate(chosen)


def _learn(policy: Any, optimizer: torch.optim.Optimizer, seen: tuple, size: int, rng: np.random.Generator) -> float:
    """One pass over what was seen; how often the policy's likeliest action was the scripted player's."""
    views, masks, chosen = seen
    agreed = 0.0
    for rows in np.array_split(rng.permutation(len(chosen)), max(1, len(chosen) // size)):
        latent = policy.mlp_extractor.forward_actor(torch.from_numpy(views[rows]))
        logits = policy.action_net(latent).masked_fill(torch.from_numpy(masks[rows] == 0), -1e8)
        target = torch.from_numpy(chosen[rows].astype(np.int64))
        loss = torch.nn.functional.cross_entropy(logits, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        agreed += float((logits.argmax(dim=1) == target).sum())
    return agreed / len(chosen)
