"""The environments' ids in Gymnasium's registry."""

from __future__ import annotations

import gymnasium

from tennis_envs.registry import env_ids


def register() -> None:
    """Register every game, once: `gymnasium.make("tennis_envs/PassingShot-v0")`."""
    for game, env_id in env_ids().items():
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point="tennis_envs.solo:SoloEnv",
                vector_entry_point="tennis_envs.vector:TennisVectorEnv",
                kwargs={"game": game},
                disable_env_checker=True,
                order_enforce=True,
            )
