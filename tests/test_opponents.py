"""Opponents: by name, by folder, and what they say when something is wrong with them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from levels import every_game, every_versus, lasting

import tennis_envs
from tennis_envs import Match, MatchBatch, opponent, opponent_names
from tennis_envs.opponents import Opponent, TrainedOpponent, trained
from tennis_envs.opponents.trained import Policy, PolicyOpponent

ROOT = Path(tennis_envs.__file__).parents[1]


def policy(game: str, seed: int = 0, hidden: int = 16, scale: float = 1.0) -> Policy:
    """One that has learned nothing."""
    known, rng = tennis_envs.game(game), np.random.default_rng(seed)
    sizes = [len(known.features), hidden, hidden, len(known.actions)]
    return Policy(
        [scale * rng.normal(size=size) for size in pairwise(sizes)],
        [rng.normal(size=size) for size in sizes[1:]],
    )


def write_agent(folder: Path, game: str, card: dict | None = None) -> Path:
    """A folder as training leaves it."""
    folder.mkdir(parents=True)
    policy(game).save(folder / "weights.npz")
    known = tennis_envs.game(game)
    told = {"game": game, "version": known.version, "encoder": "flat", "features": known.features.sizes}
    (folder / "card.json").write_text(json.dumps(told | (card or {})))
    return folder


@every_versus
def test_every_opponent_decides_legally(game, level, tmp_path):
    folder = write_agent(tmp_path / "agent", game)
    for name in [*sorted(set(opponent_names(game)) - {"automa"}), folder, str(folder)]:
        player = opponent(name, game, seed=1, **level)
        assert isinstance(player, Opponent)
        match = Match(game, seed=1, **level)
        for _ in range(200):
            if match.over:
                match.reset()
            action = player.act(match)
            assert action in match.legal_actions() and isinstance(action, int)
            match.apply(action)
        batch = MatchBatch(game, 40, seed=1, **level)
        rows = np.arange(0, 40, 2, dtype=np.int32)
        for _ in range(20):
            actions = player.act_batch(batch, rows)
            assert actions.dtype == np.int32 and actions.shape == rows.shape
            batch.step(actions, rows)  # raises if one is illegal


@every_versus
@pytest.mark.parametrize("greedy", [True, False])
def test_a_policy_is_never_illegal(game, level, greedy):
    player = PolicyOpponent(policy(game, scale=5.0), greedy=greedy, seed=0)  # logits far apart, most of them illegal
    batch = MatchBatch(game, 500, seed=1, **level)
    taken = set()
    for _ in range(21):
        rows = np.arange(500, dtype=np.int32)
        actions = player.act_batch(batch, rows)
        assert (batch.action_mask[rows, actions] == 1).all()
        taken |= set(actions.tolist())
        batch.step(actions)
    assert len(taken) >= 3


@every_versus
def test_one_match_and_many_are_decided_alike(game, level, tmp_path):
    for name in ("scripted", write_agent(tmp_path / "agent", game)):
        player = opponent(name, game, seed=1, **level)
        twin = opponent(name, game, seed=5, **level)
        batch = MatchBatch(game, 30, seed=2, **lasting(game, level, 1))
        drawn = alike = 0
        for _ in range(30):
            actions = player.act_batch(batch, np.arange(30, dtype=np.int32))
            for row in range(30):
                action = player.act(batch.match(row))
                if action != twin.act(batch.match(row)):  # drawn at random, by each from streams of its own
                    drawn += 1
                else:
                    alike += actions[row] == action
            batch.step(batch.random_actions())
        assert alike == 900 if drawn == 0 else alike > 600


@every_game
def test_a_policy_sees_by_its_own_encoder(game):
    player = PolicyOpponent(policy(game))
    rows = np.arange(12, dtype=np.int32)
    flat, full = (MatchBatch(game, 12, seed=2, encoder=encoder) for encoder in ("flat", "full"))
    for _ in range(20):
        actions = player.act_batch(flat, rows)
        assert np.array_equal(actions, player.act_batch(full, rows))
        assert actions.tolist() == [player.act(full.match(row)) for row in rows]
        flat.step(actions)
        full.step(actions)


@every_game
def test_a_policy_that_is_not_greedy_draws_from_its_probabilities(game):
    player = PolicyOpponent(policy(game, scale=0.2), greedy=False, seed=3)
    batch = MatchBatch(game, 400, seed=0)
    while batch.action_mask[0].sum() < 4:
        batch.step(batch.random_actions())
    observation, mask = (np.repeat(array[:1], 200_000, axis=0) for array in (batch.observation, batch.action_mask))
    logits = player.policy.logits(observation[:1], mask[:1])[0].astype(float)
    expected = np.exp(logits - logits.max())
    expected /= expected.sum()
    share = np.bincount(player._choose(observation, mask), minlength=len(expected)) / len(observation)
    assert (share[mask[0] == 0] == 0).all()
    assert (np.abs(share - expected) < 6 * np.sqrt(expected * (1 - expected) / len(observation)) + 1e-12).all()
    assert 0.01 < expected.max() < 0.99


@every_game
def test_seeds_of_opponents(game):
    match = Match(game, seed=1)
    while len(match.legal_actions()) < 4:
        match.apply(match.legal_actions()[0])

    def drawn(player: object) -> list[int]:
        return [player.act(match) for _ in range(40)]

    for make in (
        lambda seed: opponent("random", game, seed=seed),
        lambda seed: PolicyOpponent(policy(game, scale=0.1), greedy=False, seed=seed),
    ):
        player = make(1)
        first, second = drawn(player), drawn(player)
        player.reseed(1)
        assert first == drawn(make(1)) == drawn(player) and first not in (second, drawn(make(2)))


@every_game
def test_the_same_weights_after_saving(game, tmp_path):
    saved, batch = policy(game), MatchBatch(game, 20, seed=0)
    saved.save(tmp_path / "weights.npz")
    loaded = Policy.load(tmp_path / "weights.npz")
    assert np.array_equal(saved.logits(batch.observation, batch.action_mask), loaded.logits(batch.observation, batch.action_mask))
    logits = saved.logits(batch.observation, batch.action_mask)
    assert logits.dtype == np.float32 and (logits[batch.action_mask == 0] < -1e8).all()


def test_objects_pass_through():
    mine = object()
    assert opponent(mine, tennis_envs.games()[0]) is mine


@every_game
def test_installed_agents_have_names(game, tmp_path, monkeypatch):
    monkeypatch.setattr(trained, "_PLACES", (tmp_path / "wheel", tmp_path / "repository"))
    write_agent(tmp_path / "repository" / game / "second", game)
    write_agent(tmp_path / "wheel" / game / "first", game)
    (write_agent(tmp_path / "wheel" / game / "half", game) / "weights.npz").unlink()
    names = opponent_names(game)
    assert names[0] == "random" and "scripted" in names and names[-2:] == ["trained/first", "trained/second"]
    assert isinstance(opponent("trained/second", game), TrainedOpponent)


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:200])


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    middle = len(data) // 3
    data[middle : middle + 40] = bytes(255 - byte for byte in data[middle : middle + 40])
    path.write_bytes(bytes(data))


def without_layers(path: Path) -> None:
    np.savez_compressed(path, something=np.zeros(3))


def of_other_shapes(path: Path) -> None:
    loaded = Policy.load(path)
    loaded.weights[1] = loaded.weights[1][:-1]
    loaded.save(path)


def of_a_smaller_game(path: Path) -> None:
    loaded = Policy.load(path)
    loaded.weights[0] = loaded.weights[0][:-1]
    loaded.save(path)


def of_fewer_actions(path: Path) -> None:
    loaded = Policy.load(path)
    loaded.weights[-1], loaded.biases[-1] = loaded.weights[-1][:, 1:], loaded.biases[-1][1:]
    loaded.save(path)


def not_numbers(path: Path) -> None:
    loaded = Policy.load(path)
    loaded.weights[1][0, 0] = np.nan
    loaded.save(path)


@every_game
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (Path.unlink, "does not hold the weights of a policy"),
        (truncated, "does not hold the weights of a policy"),
        (flipped, "does not hold the weights of a policy"),
        (lambda path: path.write_bytes(b""), "does not hold the weights of a policy"),
        (lambda path: path.write_text("hello"), "does not hold the weights of a policy"),
        (without_layers, "does not hold the weights of a policy"),
        (of_other_shapes, "does not hold the weights of a policy"),
        (not_numbers, "does not hold the weights of a policy"),
        (of_a_smaller_game, "do not fit"),
        (of_fewer_actions, "do not fit"),
    ],
)
def test_damaged_weights(game, damage, message, tmp_path):
    folder = write_agent(tmp_path / "agent", game)
    opponent(folder, game)
    damage(folder / "weights.npz")
    with pytest.raises(ValueError) as raised:
        opponent(folder, game)
    assert message in str(raised.value) and re.fullmatch(r"[^\n]+\.", str(raised.value)), raised.value


@every_game
@pytest.mark.parametrize(
    ("card", "message"),
    [
        ({"game": "chess"}, "plays 'chess', not"),
        ({"version": 99}, "was trained for version 99 of"),
        ({"encoder": "smell"}, "has no encoder 'smell'"),
        ({"features": None}, "does not tell which features the network reads"),
        ({"features": {"phase": 1}}, "does not read what"),
        ("{", "is not the folder of a trained agent"),
        ("[]", "is not the folder of a trained agent"),
    ],
)
def test_cards_that_do_not_fit(game, card, message, tmp_path):
    folder = write_agent(tmp_path / "agent", game, card if isinstance(card, dict) else None)
    if isinstance(card, str):
        (folder / "card.json").write_text(card)
    with pytest.raises(ValueError) as raised:
        opponent(folder, game)
    assert message in str(raised.value) and re.fullmatch(r"[^\n]+\.", str(raised.value)), raised.value


@every_game
def test_a_network_finds_features_that_have_moved(game, tmp_path):
    folder = write_agent(tmp_path / "agent", game)
    features = tennis_envs.game(game).features
    moved = list(features.sizes.items())[::-1]
    order = np.concatenate([np.arange(len(features))[features[name]] for name, _ in moved])
    network = policy(game)
    network.weights[0] = network.weights[0][order]
    (tmp_path / "moved").mkdir()
    network.save(tmp_path / "moved" / "weights.npz")
    card = json.loads((folder / "card.json").read_text()) | {"features": dict(moved)}
    (tmp_path / "moved" / "card.json").write_text(json.dumps(card))
    batch = MatchBatch(game, 200, seed=3)
    for _ in range(30):
        batch.step(batch.random_actions())
    rows = np.arange(200, dtype=np.int32)
    before, after = (opponent(place, game).act_batch(batch, rows) for place in (folder, tmp_path / "moved"))
    assert len(set(before.tolist())) > 1 and np.array_equal(before, after)


@every_game
@pytest.mark.parametrize("name", ["nobody", "trained/nobody", "", "no/such/folder", "Scripted"])
def test_unknown_names(game, name):
    with pytest.raises(ValueError, match=f"^{game} has no opponent '{name}': there are random, scripted.*agent[.]$"):
        opponent(name, game)


@every_game
def test_an_opponent_refuses_options_that_the_game_does_not_have(game):
    with pytest.raises(ValueError, match="has no option 'wind'"):
        opponent("random", game, wind=3)
    with pytest.raises(ValueError, match="no game is called 'chess'"):
        opponent("random", "chess")


WITHOUT_TORCH = """
import sys
for name in ("torch", "stable_baselines3", "sb3_contrib"):
    sys.modules[name] = None
import numpy as np
import tennis_envs
player = tennis_envs.opponent({folder!r}, {game!r})
match = tennis_envs.Match({game!r}, seed=0)
for _ in range(30):
    match.apply(player.act(match))
batch = tennis_envs.MatchBatch({game!r}, 8, seed=0)
batch.step(player.act_batch(batch, np.arange(8, dtype=np.int32)))
print("played", [name for name in ("torch", "pygame", "matplotlib", "rich", "typer") if sys.modules.get(name)])
"""


@every_game
def test_a_trained_agent_plays_without_torch(game, tmp_path):
    code = WITHOUT_TORCH.format(folder=str(write_agent(tmp_path / "agent", game)), game=game)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "played []\n", done.stderr
