"""From a Stable-Baselines3 policy to plain arrays, which play without torch."""

from __future__ import annotations

from typing import Any

from torch import nn

from tennis_envs.opponents.trained import Policy


def to_policy(model: Any) -> Policy:
    """The actor of a (Maskable)PPO model with an MLP of rectified linear units."""
    layers = [layer for layer in model.policy.mlp_extractor.policy_net if isinstance(layer, nn.Linear)]
    layers.append(model.policy.action_net)
    weights = [layer.weight.detach().cpu().numpy().T.copy() for layer in layers]
    biases = [layer.bias.detach().cpu().numpy().copy() for layer in layers]
    return Policy(weights, biases)
