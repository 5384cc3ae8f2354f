"""Stable-Baselines3 and sb3-contrib on the environments."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
import torch
from levels import every_game, every_versus, formats, lasting
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor

from tennis_envs.registry import env_ids
from tennis_envs.sb3 import TennisVecEnv
from tennis_envs.solo import SoloEnv

torch.set_num_threads(1)  # more only spin when another process is busy


class Watched(TennisVecEnv):
    """Notes for every action whether the mask that the learner saw allowed it."""

    def step_async(self, actions: np.ndarray) -> None:
        mask = self.action_masks()
        self.allowed = [*getattr(self, "allowed", []), mask[np.arange(self.num_envs), actions]]
        super().step_async(actions)


def learner(made: object, **given: object) -> MaskablePPO:
    """A small one."""
    small = {"n_steps": 32, "batch_size": 128, "n_epochs": 1, "seed": 0, "device": "cpu"}
    return MaskablePPO("MlpPolicy", made, policy_kwargs={"net_arch": [16]}, **{**small, **given})


@every_versus
def test_the_checker_has_nothing_to_say(game, level):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(SoloEnv(game, illegal_action="lose", opponent="random", **level))


@every_versus
@pytest.mark.parametrize("monitored", [False, True])
def test_a_rollout_of_maskable_ppo(game, level, monitored):
    made = Watched(game, 16, opponent="random", **lasting(game, level, 0))
    model = learner(VecMonitor(made) if monitored else made)
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    rollouts = 2 if game == "passing_shot" else 6  # whole sets of TC Tennis
    model.learn(rollouts * 32 * 16)
    allowed = np.array(made.allowed)
    assert allowed.shape == (rollouts * 32, 16) and allowed.all()
    after = list(model.policy.parameters())
    assert any(not np.array_equal(a.numpy(), b.detach().numpy()) for a, b in zip(before, after, strict=True))
    assert len(model.ep_info_buffer) > 3 and {episode["r"] for episode in model.ep_info_buffer} <= {-1.0, 1.0}


@every_game
def test_what_the_learner_predicts_is_legal(game):
    made = TennisVecEnv(game, 32, opponent="random")
    model = learner(made)
    observation = made.reset()
    for step in range(60):
        masks = get_action_masks(made)
        assert masks.dtype == bool and masks.shape == (32, made.action_space.n)
        assert np.array_equal(masks, made.solo.action_mask)
        actions, _ = model.predict(observation, action_masks=masks, deterministic=step % 2 == 0)
        observation, *_ = made.step(actions)  # raises if one is illegal
    with pytest.raises(ValueError, match="is not legal in match"):
        for _ in range(60):
            observation, *_ = made.step(model.predict(observation)[0])


@every_game
def test_monitored_matches_are_summed_up_alike(game):
    made = TennisVecEnv(game, 8, opponent="random", format=formats(game)[1], reward="point", max_decisions=40)
    watched = VecMonitor(made)
    watched.seed(3)
    watched.reset()
    total, length, ended = np.zeros(8), np.zeros(8, int), []
    own, step_wait = [], made.step_wait

    def noting() -> tuple:
        result = step_wait()
        own.extend(dict(info["episode"]) for info in result[3] if "episode" in info)
        return result

    made.step_wait = noting
    for _ in range(150):
        _, rewards, dones, infos = watched.step(made.solo.batch.random_actions())
        total += rewards
        length += 1
        for row in np.flatnonzero(dones):
            episode = infos[row]["episode"]
            ended.append((episode["r"], episode["l"]))
            assert ended[-1] == (total[row], length[row])
            assert infos[row]["terminal_observation"] in made.observation_space
            assert isinstance(infos[row]["TimeLimit.truncated"], bool)
            total[row], length[row] = 0, 0
        assert all("terminal_observation" not in infos[row] for row in np.flatnonzero(~dones))
    assert len(ended) > 10 and [(episode["r"], episode["l"]) for episode in own] == ended


@every_game
def test_the_seeds_of_a_vec_env(game):
    def trace(made: TennisVecEnv) -> list[bytes]:
        told = []
        for _ in range(2):
            told.append(made.reset().tobytes())
            for _ in range(30):
                told.append(b"".join(array.tobytes() for array in made.step(made.action_masks().argmax(axis=1))[:3]))
        return told

    def seeded(seed: int) -> TennisVecEnv:
        made = TennisVecEnv(game, 4, opponent="random")
        made.seed(seed)
        return made

    assert trace(TennisVecEnv(game, 4, seed=3, opponent="random")) == trace(TennisVecEnv(game, 4, seed=3, opponent="random"))
    assert trace(seeded(3)) == trace(seeded(3)) != trace(seeded(4))
    assert trace(TennisVecEnv(game, 4, opponent="random")) != trace(TennisVecEnv(game, 4, opponent="random"))
    one, two = (learner(TennisVecEnv(game, 4, opponent="random")).learn(256) for _ in range(2))
    assert all(
        np.array_equal(a.detach().numpy(), b.detach().numpy())
        for a, b in zip(one.policy.parameters(), two.policy.parameters(), strict=True)
    )


@every_game
def test_what_a_vec_env_answers(game):
    made = TennisVecEnv(game, 3, opponent="random")
    made.reset()
    assert is_masking_supported(made) and made.has_attr("action_masks") and not made.has_attr("nothing")
    rows = made.env_method("action_masks")
    assert len(rows) == 3 and np.array_equal(np.stack(rows), made.action_masks())
    assert np.array_equal(made.env_method("action_masks", indices=[2])[0], made.action_masks()[2])
    assert made.get_attr("num_envs") == [3, 3, 3] and made.get_attr("num_envs", 1) == [3]
    made.set_attr("note", 7)
    assert made.note == 7 and made.env_is_wrapped(ActionMasker) == [False] * 3
    made.close()


@every_game
@pytest.mark.parametrize("kind", [DummyVecEnv, SubprocVecEnv])
def test_single_matches_side_by_side(game, kind):
    name = env_ids()[game]
    given = {"start_method": "spawn"} if kind is SubprocVecEnv else {}
    made = kind([lambda: gymnasium.make(f"tennis_envs:{name}", opponent="random")] * 2, **given)
    try:
        made.seed(0)
        made.reset()
        assert is_masking_supported(made)
        for _ in range(10):
            masks = get_action_masks(made)
            assert masks.shape == (2, made.action_space.n) and masks.dtype == bool and masks.any(axis=1).all()
            made.step(masks.argmax(axis=1))
    finally:
        made.close()


@every_game
def test_maskable_ppo_on_one_match(game):
    made = SoloEnv(game, opponent="random", format=formats(game)[0])
    model = learner(made, n_steps=64, batch_size=64).learn(64)  # an illegal action would raise
    assert model.num_timesteps == 64
