"""An agent that hears what the scripted player would do."""

import json

import numpy as np
import pytest
import torch

from agents.advice import AdvisedVecEnv
from agents.config import ConfigError, load_config
from agents.evaluate import write_agent
from agents.export import to_policy
from agents.trainer import Training
from tennis_envs import Match, MatchBatch, opponent
from tennis_envs.opponents.trained import Policy, PolicyOpponent

GAME = "passing_shot"
SMALL = [
    "steps=256", "minutes=null", "ppo.num_envs=16", "ppo.n_steps=8", "ppo.batch_size=64", "ppo.hidden=[8]",
    "evaluation.measures={}", "advice.advisor=scripted", "advice.trust=3",
]  # fmt: skip


@pytest.fixture(scope="module")
def config():
    return load_config("configs/passing_shot.yaml", SMALL)


@pytest.fixture
def training(config, tmp_path):
    return Training(config, tmp_path / "run")


def test_the_last_feature_is_the_scripted_players_choice():
    env = AdvisedVecEnv(GAME, 8, advisor="scripted", seed=4, level="star", format="game")
    views = env.reset()
    over = 0
    for _ in range(60):
        batch = env.solo.batch
        assert (views[:, :-1] == batch.observation).all()
        advised = views[:, -1].astype(int)
        assert (advised == batch.player_actions("scripted")).all()
        assert env.observation_space.contains(views[0])
        env.step_async(batch.random_actions())
        views, _, dones, infos = env.step_wait()
        for row in np.flatnonzero(dones):
            over += 1
            assert infos[row]["terminal_observation"].shape == views[row].shape
            assert infos[row]["terminal_observation"][-1] == 0
    assert over


def test_before_it_has_learned_anything_it_plays_like_its_advisor(training):
    agent = PolicyOpponent(to_policy(training.model), advisor="scripted")
    batch = MatchBatch(GAME, 64, seed=1, level="star")
    rows = np.arange(64, dtype=np.int32)
    for _ in range(30):
        advised = batch.player_actions("scripted")
        assert (agent.act_batch(batch, rows) == advised).all()
        batch.step(advised)
    match = Match(GAME, seed=3, level="star")
    scripted = opponent("scripted", GAME)
    for _ in range(30):
        assert agent.act(match) == scripted.act(match)
        match.apply(scripted.act(match))


def test_it_plays_without_torch_as_with_it(training):
    views, masks = training.env.reset(), training.env.action_masks()
    policy = to_policy(training.model)
    assert policy.trust == 3
    logits = policy.logits(views[:, :-1], masks, views[:, -1].astype(int))
    distribution = training.model.policy.get_distribution(torch.from_numpy(views), action_masks=masks)
    ours = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    theirs = distribution.distribution.logits.detach().numpy()
    assert np.abs(np.where(masks, ours - theirs, 0)).max() < 1e-5


def test_it_learns_to_differ_and_goes_on_after_a_stop(config, training, tmp_path):
    before = to_policy(training.model)
    training.run()
    learned = to_policy(training.model)
    assert any((a != b).any() for a, b in zip(before.weights, learned.weights, strict=True))
    again = Training(config, tmp_path / "run")
    for saved, loaded in zip(learned.weights, to_policy(again.model).weights, strict=True):
        assert (saved == loaded).all()


def test_its_card_names_the_advisor(config, training, tmp_path):
    write_agent(tmp_path / "agent", config, to_policy(training.model), {}, {})
    agent = opponent(tmp_path / "agent", GAME)
    match = Match(GAME, seed=3, level="star")
    assert agent.act(match) == opponent("scripted", GAME).act(match)
    card = json.loads((tmp_path / "agent" / "card.json").read_text())
    assert card["advisor"] == "scripted"
    (tmp_path / "agent" / "card.json").write_text(json.dumps({**card, "advisor": "nobody"}))
    with pytest.raises(ValueError, match="listens to 'nobody', and passing_shot has scripted"):
        opponent(tmp_path / "agent", GAME)


def test_trust_is_saved_with_the_weights(tmp_path):
    Policy([np.ones((2, 3))], [np.zeros(3)], 2.5).save(tmp_path / "weights.npz")
    loaded = Policy.load(tmp_path / "weights.npz")
    view, mask = np.zeros((1, 2), np.float32), np.ones((1, 3), np.int8)
    assert loaded.logits(view, mask, np.array([1])).tolist() == [[0, 2.5, 0]]
    assert loaded.logits(view, mask).tolist() == [[0, 0, 0]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("advice.advisor=nobody", "advice.advisor cannot be 'nobody': it is one of scripted"),
        ("imitate.decisions=1000", "give either imitate or advice"),
        ("advice.trust=-1", "advice.trust"),
    ],
)
def test_a_wrong_setting_is_named(change, message):
    with pytest.raises(ConfigError, match=message):
        load_config("configs/passing_shot.yaml", [*SMALL, change])
