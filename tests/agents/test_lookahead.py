"""An advised learner that finds out by playouts where to do otherwise."""

import numpy as np
import pytest
import torch

from agents.config import ConfigError, load_config
from agents.export import to_policy
from agents.lookahead import Lookahead
from agents.trainer import Training
from tennis_envs import MatchBatch, opponent
from tennis_envs.arena import play_matches
from tennis_envs.opponents.trained import PolicyOpponent

SMALL = [
    "steps=0", "minutes=null", "options.format=game", "options.reward=match", "ppo.num_envs=16", "ppo.hidden=[16]",
    "evaluation.measures={}", "evaluation.options={}", "advice.advisor=scripted", "lookahead.playouts=60000",
]  # fmt: skip


def config(*more: str):
    return load_config("configs/passing_shot.yaml", [*SMALL, *more])


def test_a_choice_gains_what_it_wins_more_often(tmp_path):
    """Against playing every choice out by itself, from the same positions."""
    training = Training(config("lookahead.futures=200"), tmp_path / "run")
    lookahead = Lookahead(training.model, training.config)
    views, position, action, gain = lookahead._look()
    batch = lookahead._batch
    few = np.flatnonzero((batch.action_mask.sum(axis=1) > 1) & (batch.action_mask.sum(axis=1) <= 7))
    assert (views[: len(few)] == batch.observation[few]).all()
    advised = batch.player_actions("scripted")
    looked = position < len(few)
    assert batch.action_mask[few[position[looked]], action[looked]].all()
    assert (action[looked] != advised[few[position[looked]]]).all()
    assert lookahead.played == 200 * (len(few) + looked.sum())
    rng = np.random.default_rng(9)
    own = 1 - 2 * (batch.seat[few].astype(int) % 2)

    def value(actions: np.ndarray) -> np.ndarray:
        wins = np.zeros(len(few))
        for _ in range(200):
            wins += batch.playouts("scripted", few, actions, rng.integers(2**63, size=len(few), dtype=np.uint64)) == 0
        return np.where(own > 0, wins / 200, 1 - wins / 200)

    other = advised[few].copy()
    other[position[looked]] = action[looked]  # the last other choice of each position
    again = value(other) - value(advised[few])
    last = dict(zip(position[looked], gain[looked], strict=True))
    told = np.array([last.get(place, 0.0) for place in range(len(few))])
    assert np.corrcoef(told, again)[0, 1] > 0.6
    assert abs(told.mean() - again.mean()) < 0.02


def test_where_there_are_many_choices_it_is_told_to_follow(tmp_path):
    training = Training(config("lookahead.choices=2"), tmp_path / "run")
    lookahead = Lookahead(training.model, training.config)
    _, position, _, gain = lookahead._look()
    choices = lookahead._batch.action_mask.sum(axis=1)
    elsewhere = position >= (choices == 2).sum()
    assert elsewhere.any() and (gain[elsewhere] == np.float32(-0.05)).all()
    assert set(np.round(gain[~elsewhere] * 4).astype(int)) <= set(range(-4, 5))  # two futures, wins and losses


def test_the_policy_differs_here_and_there_and_plays_no_worse(tmp_path):
    given = config("lookahead.playouts=600000", "lookahead.margin=0.01", "seed=3")
    training = Training(given, tmp_path / "run")
    rounds = list(training._look_ahead())
    assert training.played >= 600_000 and 0 < rounds[-1] < 0.5
    agent = PolicyOpponent(to_policy(training.model), advisor="scripted")
    batch = MatchBatch("passing_shot", 512, seed=5, **given.options)
    rows = np.arange(512, dtype=np.int32)
    differs = 0
    for _ in range(20):
        actions = agent.act_batch(batch, rows)
        differs += (actions != batch.player_actions("scripted")).sum()
        batch.step(actions)
    assert 0 < differs < 0.5 * 20 * 512
    result = play_matches("passing_shot", agent, opponent("scripted", "passing_shot"), 4000, seed=8, **given.options)
    assert result.rate > 0.47  # it has not unlearned what the scripted player knows


def test_it_goes_on_after_a_stop_and_ends_as_a_policy(tmp_path):
    training = Training(config(), tmp_path / "run")
    looks = training._look_ahead()
    next(looks)
    training.save()
    head = training.model.policy.action_net.weight.detach().clone()
    again = Training(config(), tmp_path / "run")
    assert again.played == training.played > 0 and again.updates == 0
    assert torch.equal(again.model.policy.action_net.weight, head)
    again.run()
    assert again.played >= 60_000 and again.updates == 0
    assert again.model.policy.action_net.weight.abs().max() > 50 * head.abs().max()  # logits now, not gains
    done = Training(config(), tmp_path / "run")
    assert list(done._head_start()) == []
    assert "playouts" in done.told and "of its own" not in done.told


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["advice.advisor=null"], "lookahead needs an advisor"),
        (["lookahead.playouts=0"], "steps=0 leaves nothing to learn from"),
        (["lookahead.margin=0"], "lookahead.margin"),
    ],
)
def test_a_wrong_setting_is_named(changes, message):
    with pytest.raises(ConfigError, match=message):
        config(*changes)
