"""A learner that meets the pool and, in other matches, the game's automa."""

from __future__ import annotations

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks

from agents.config import ConfigError, TrainConfig, load_config
from agents.side_by_side import SideBySide
from agents.trainer import Training
from tennis_envs.sb3 import TennisVecEnv

GAME = "worldwide_tennis"
OPTIONS = {"level": "warm_up", "format": "game", "reward": "point"}


def parts() -> list[TennisVecEnv]:
    return [
        TennisVecEnv(GAME, 3, opponent="scripted", seed=5, **OPTIONS),
        TennisVecEnv(GAME, 2, opponent="automa", seed=6, **OPTIONS),
    ]


def test_it_is_its_parts_one_after_the_other():
    both, alone = SideBySide(parts()), parts()
    assert both.num_envs == 5
    views = both.reset(), np.concatenate([part.reset() for part in alone])
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(60):
        assert (views[0] == views[1]).all()
        masks = get_action_masks(both)
        assert (masks == np.concatenate([part.action_masks() for part in alone])).all()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        one = both.step(actions)
        two = [part.step(own) for part, own in zip(alone, (actions[:3], actions[3:]), strict=True)]
        for k in (1, 2):
            assert (one[k] == np.concatenate([step[k] for step in two])).all()
        assert ["episode" in info for info in one[3]] == one[2].tolist()
        ended += one[2].sum()
        views = one[0], np.concatenate([step[0] for step in two])
    assert ended > 5


@pytest.mark.parametrize(("automa", "alone"), [(0, 0), (1, 4), (100, 7)])
def test_the_automa_has_its_share_of_the_matches(tmp_path, automa, alone):
    config = TrainConfig.model_validate(
        {
            "game": GAME,
            "steps": 32,
            "options": OPTIONS,
            "ppo": {"num_envs": 8, "n_steps": 4, "batch_size": 16, "n_epochs": 1, "hidden": [8]},
            "pool": {"latest": 0.5, "past": 0.2, "scripted": 0.3, "automa": automa},
        }
    )
    training = Training(config, tmp_path / "run")
    training.run()
    sizes = [part.num_envs for part in getattr(training.env, "parts", [training.env])]
    assert sizes == ([8 - alone, alone] if alone else [8]) and training.steps == 32
    if alone:
        assert [part.solo.batch.options.mode for part in training.env.parts] == ["versus", "solo"]
    assert Training(config, tmp_path / "run").updates == 1  # goes on where it stopped


def test_a_game_without_an_automa_has_no_share_for_it(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text("game: passing_shot\nsteps: 1\npool:\n  automa: 0.5\n")
    with pytest.raises(ConfigError, match="mode"):
        load_config(path)
