"""Training: from a configuration to an agent that plays."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
import typer
import yaml

import tennis_envs
import train as script
from agents import evaluate as evaluation
from agents.config import ConfigError, PoolConfig, TrainConfig, load_config
from agents.evaluate import write_agent
from agents.export import to_policy
from agents.imitate import ROUND
from agents.pool import LATEST, PAST, SCRIPTED, OpponentPool
from agents.trainer import Training
from tennis_envs import MatchBatch, opponent
from tennis_envs.arena import Result, play_matches
from tennis_envs.opponents.trained import Policy, PolicyOpponent

ROOT = Path(tennis_envs.__file__).parents[1]
GAME = "passing_shot"
TINY = {
    "game": GAME,
    "name": "tiny",
    "steps": 600,
    "options": {"level": "beginner", "format": "game"},
    "ppo": {"num_envs": 8, "n_steps": 16, "batch_size": 64, "n_epochs": 1, "hidden": [8, 8]},
    "pool": {"snapshot_every": 2},
    "evaluation": {"matches": 10},
}


def config(**changes: object) -> TrainConfig:
    return TrainConfig.model_validate({**TINY, **changes})


def policies(count: int) -> list[Policy]:
    inputs, outputs = len(tennis_envs.game(GAME).features), len(tennis_envs.game(GAME).actions)
    rng = np.random.default_rng(0)
    return [Policy([rng.normal(size=(inputs, outputs))], [np.zeros(outputs)]) for _ in range(count)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.yaml"
    path.write_text(yaml.safe_dump(TINY))
    return path


def command(file: Path, *more: str) -> list[str]:
    places = ["--runs", str(file.parent / "runs"), "--out", str(file.parent / "out")]
    return [sys.executable, str(ROOT / "train.py"), str(file), *places, *more]


def train(file: Path, *more: str) -> str:
    """What the command prints."""
    done = subprocess.run(
        command(file, *more),
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
        cwd=file.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0 and "Traceback" not in said, said
    return said


# Configurations


def test_the_configurations_of_the_repository_are_valid():
    found = sorted((ROOT / "configs").glob("*.yaml"))
    assert {path.stem for path in found} >= set(tennis_envs.games())
    for path in found:
        assert load_config(path).game == path.stem


def test_settings_can_be_changed(file):
    changes = ["ppo.learning_rate=0.5", "ppo.hidden=[4]", "steps=null", "minutes=2", "options.format=set"]
    changed = load_config(file, changes)
    assert (changed.ppo.learning_rate, changed.ppo.hidden, changed.steps, changed.minutes) == (0.5, (4,), None, 2)
    assert changed.options == {"level": "beginner", "format": "set"} and changed.ppo.num_envs == 8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("ppo.lerning_rate=1", "there is no setting ppo.lerning_rate"),
        ("wind=1", "there is no setting wind"),
        ("ppo.learning_rate=fast", "ppo.learning_rate: "),
        ("ppo.learning_rate=-1", "ppo.learning_rate: "),
        ("ppo.hidden=[0]", "ppo.hidden"),
        ("ppo.hidden", "is not a change: write key=value"),
        ("ppo.hidden=[4", "is not YAML"),
        ("steps.more=3", "steps is not a group of settings"),
        ("steps=null", "give either minutes or steps"),
        ("minutes=1", "give either minutes or steps"),
        ("game=chess", "no game is called 'chess'"),
        ("options.format=decade", "option 'format' cannot be 'decade'"),
        ("evaluation.options.wind=1", "has no option 'wind'"),
        ("evaluation.matches=11", "evaluation.matches: "),
        ("name=../../elsewhere", "name: "),
    ],
)
def test_a_wrong_setting_is_one_sentence(file, change, message):
    with pytest.raises(ConfigError) as raised:
        load_config(file, [change])
    assert message in str(raised.value) and "\n" not in str(raised.value) and str(raised.value).endswith(".")


@pytest.mark.parametrize("text", ["[1, 2]", "", "game: [", "game: \x00", "just words"])
def test_a_file_that_is_no_configuration(tmp_path, text):
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"is not YAML|must hold a mapping"):
        load_config(path)
    for absent in (tmp_path / "absent.yaml", tmp_path):
        with pytest.raises(ConfigError, match="cannot read the configuration"):
            load_config(absent)


# The pool


def test_the_pool_draws_by_shares():
    pool = OpponentPool(PoolConfig(latest=0.5, past=0.3, scripted=0.2, active=3), 20_000, "flat", seed=1)
    rows = np.arange(20_000)
    assert (pool._member_of == SCRIPTED).all()  # nobody else is there yet
    first, *others = policies(3)
    pool.update(first)
    pool.draw(rows)
    assert set(np.unique(pool._member_of)) == {LATEST, SCRIPTED}
    assert abs((pool._member_of == LATEST).mean() - 5 / 7) < 0.02
    for other in others:
        pool.snapshot(other)
    pool.draw(rows)
    shares = [(pool._member_of == member).mean() for member in (LATEST, SCRIPTED, PAST, PAST + 1)]
    assert np.abs(np.array(shares) - [0.5, 0.2, 0.15, 0.15]).max() < 0.02 and abs(sum(shares) - 1) < 1e-12


def test_every_match_is_decided_by_its_member():
    pool = OpponentPool(PoolConfig(), 90, "flat", seed=1)
    one, two = policies(2)
    pool.update(one)
    pool.snapshot(two)
    batch = MatchBatch(GAME, 90, seed=0)
    pool._member_of[:] = np.repeat([LATEST, SCRIPTED, PAST], 30)
    rows = np.arange(90, dtype=np.int32)[::-1].copy()
    asked = []

    class Noting:
        def __init__(self, number: int) -> None:
            self.number = number

        def act_batch(self, batch: MatchBatch, rows: np.ndarray) -> np.ndarray:
            asked.append((self.number, sorted(rows.tolist())))
            return np.full(len(rows), 100 + self.number, np.int32)

    pool._members = [Noting(LATEST), Noting(SCRIPTED), Noting(PAST)]
    actions = pool.act_batch(batch, rows)
    assert asked == [(m, list(range(30 * m, 30 * m + 30))) for m in range(3)]
    assert actions.tolist() == [100 + row // 30 for row in rows]


def test_past_selves_that_win_are_met_more_often():
    pool = OpponentPool(PoolConfig(active=1), 100, "flat", seed=1)
    for policy in policies(3):
        pool.snapshot(policy)
    pool._member_of[:] = PAST + np.arange(100) % 2
    pool.record(np.arange(100), np.arange(100) % 2 == 0)  # the first is beaten always, the second never
    assert pool.scores[0][0] == pool.scores[0][1] > 20 and pool.scores[1][1] == 0 and pool.scores[2] == [0, 0]
    met = np.zeros(3)
    for _ in range(300):
        pool.choose_active()
        met[pool._active] += 1
    assert met[1] > met[2] > met[0]


def test_the_pool_survives_being_saved(tmp_path):
    pool = OpponentPool(PoolConfig(active=2), 10, "flat", seed=1)
    for policy in policies(4):
        pool.snapshot(policy)
    pool.scores = [[4.0, 1.0], [0.0, 0.0], [3.0, 3.0], [9.5, 2.25]]
    pool.save(tmp_path)
    loaded = OpponentPool(PoolConfig(active=2), 10, "flat", seed=1)
    loaded.load(tmp_path)
    assert loaded.scores == pool.scores and len(loaded.past) == len(loaded._members) - PAST == 4
    for one, other in zip(pool.past, loaded.past, strict=True):
        assert np.array_equal(one.weights[0], other.weights[0])


# A run


def test_the_exported_policy_is_the_one_that_learned(tmp_path):
    training = Training(config(), tmp_path)
    training._update()
    model = training.model.policy
    with torch.no_grad():
        model.action_net.weight.mul_(500)  # far from the uniform policy, which anything would agree with
    policy = to_policy(training.model)
    batch = MatchBatch(GAME, 300, seed=0, level="beginner")
    for _ in range(5):
        batch.step(batch.random_actions())
    with torch.no_grad():
        theirs = model.get_distribution(
            torch.as_tensor(batch.observation.copy()), action_masks=batch.action_mask.astype(bool)
        ).distribution.logits.numpy()
    ours = policy.logits(batch.observation, batch.action_mask).astype(np.float64)
    ours -= ours.max(axis=1, keepdims=True)
    ours -= np.log(np.exp(ours).sum(axis=1, keepdims=True))
    legal = batch.action_mask == 1
    assert np.abs(ours - theirs)[legal].max() < 1e-5
    assert np.ptp(ours[legal]) > 1


def test_a_whole_run(file):
    said = train(file, "--set", "evaluation.matches=20")
    folder = file.parent / "out" / GAME / "tiny"
    assert f"play against it: tennis-envs play {GAME} --opponent trained/tiny" in said
    assert sorted(path.name for path in folder.iterdir()) == ["card.json", "weights.npz"]
    assert not (file.parent / "runs" / GAME / "tiny").exists()
    card = json.loads((folder / "card.json").read_text())
    assert card["steps"] == 640 and card["past_selves"] == 3 and card["seed"] == 0  # whole rollouts of 8 times 16
    assert set(card["results"]) == {"random", "scripted", "first checkpoint"}
    for name, result in card["results"].items():
        assert result["matches"] == 20 and result["interval"][0] <= result["won"] <= result["interval"][1]
        assert re.search(rf"{name}\W+20\W+{100 * result['won']:.1f}%", said)
    assert card["options"]["level"] == "beginner" and card["config"]["evaluation"]["matches"] == 20
    assert card["versions"]["torch"] and card["version"] == tennis_envs.game(GAME).version
    player = opponent(folder, GAME, level="beginner")
    again = play_matches(GAME, player, opponent("random", GAME), 20, seed=1, level="beginner", format="game")
    assert round(again.rate, 4) == card["results"]["random"]["won"]


def test_a_wrong_setting_ends_before_anything_is_made(file, capsys):
    with pytest.raises(typer.Exit) as left:
        script.main(file, ["ppo.lerning_rate=1"], False, file.parent / "runs", file.parent / "out")
    assert left.value.exit_code == 2
    assert "there is no setting ppo.lerning_rate." in " ".join(capsys.readouterr().out.split())
    assert sorted(path.name for path in file.parent.iterdir()) == ["tiny.yaml"]


WATCHED = """
import pathlib
import train, typer
update = train.Training._update
def watched(training):
    update(training)
    if training.updates == 3:
        pathlib.Path({begun!r}).touch()
train.Training._update = watched
typer.run(train.main)
"""


def test_ctrl_c_keeps_what_was_learned_and_the_same_command_goes_on(file, capsys):
    begun = file.parent / "begun"
    running = subprocess.Popen(
        [sys.executable, "-c", WATCHED.format(begun=str(begun)), *command(file, "--set", "steps=100_000_000")[2:]],
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # jobs in the background ignore it
    )
    run = file.parent / "runs" / GAME / "tiny"
    try:
        limit = time.monotonic() + 240
        while running.poll() is None and time.monotonic() < limit and not begun.exists():
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        said, _ = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130 and "Traceback" not in said, said
    assert "The same command goes on from there" in said, said
    progress = json.loads((run / "progress.json").read_text())
    saved = progress["updates"]
    assert saved >= 3 and (run / progress["model"]).exists()
    kept = {path.name: path.read_bytes() for path in (run / "pool").glob("*.npz")}
    assert len(kept) == 1 + saved // 2

    with pytest.raises(typer.Exit) as left:
        script.main(file, ["ppo.n_epochs=2"], False, file.parent / "runs", file.parent / "out")
    said = " ".join(capsys.readouterr().out.split())
    assert left.value.exit_code == 2
    assert said.endswith("holds a run of another configuration or version of the game: finish it, or use --fresh.")
    assert json.loads((run / "progress.json").read_text()) == progress

    steps = 128 * (saved + 1)
    said = train(file, "--set", f"steps={steps}")
    assert f"{128 * saved:,} decisions of its own" in said
    card = json.loads((file.parent / "out" / GAME / "tiny" / "card.json").read_text())
    assert card["steps"] == steps and card["past_selves"] == 1 + (saved + 1) // 2


def test_a_resumed_run_goes_on_where_it_stopped(tmp_path):
    training = Training(config(), tmp_path)
    for _ in range(3):
        training._update()
    training.save()
    resumed = Training(config(steps=9000), tmp_path)  # the budget may change
    assert (resumed.updates, resumed.steps, resumed.seconds) == (3, 384, training.seconds)
    for one, other in zip(training.model.policy.parameters(), resumed.model.policy.parameters(), strict=True):
        assert torch.equal(one, other)
    one, other = (side.model.policy.optimizer.state_dict()["state"] for side in (training, resumed))
    assert one.keys() == other.keys() and all(torch.equal(one[k]["exp_avg"], other[k]["exp_avg"]) for k in one)
    assert resumed.pool.scores == training.pool.scores and len(resumed.pool.past) == 2
    for one, other in zip(training.pool.past, resumed.pool.past, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one.weights, other.weights, strict=True))
    assert np.array_equal(resumed.first().policy.weights[0], training.first().policy.weights[0])
    resumed._update()
    assert resumed.steps == 512 and len(resumed.pool.past) == 3
    with pytest.raises(ValueError, match="holds a run of another configuration or version of the game: finish it"):
        Training(config(seed=1), tmp_path)
    progress = tmp_path / "progress.json"
    progress.write_text(progress.read_text().replace('"version": ', '"version": 9'))
    with pytest.raises(ValueError, match="holds a run of another configuration or version of the game: finish it"):
        Training(config(), tmp_path)


def test_the_checkpoint_before_stays_until_the_new_one_is_whole(tmp_path, monkeypatch):
    training = Training(config(), tmp_path)
    training._update()
    training.save()
    training._update()

    def full(path: Path, **given: object) -> None:
        path.write_bytes(b"half of it")
        raise OSError("no space left on device")

    monkeypatch.setattr(training.model, "save", full)
    with pytest.raises(OSError):
        training.save()
    assert Training(config(), tmp_path).updates == 1


def test_an_agent_is_not_lost_when_evaluation_fails(file, monkeypatch):
    folder = file.parent / "out" / GAME / "tiny"
    folder.mkdir(parents=True)
    (folder / "card.json").write_text("{}")
    (folder / "weights.npz").write_bytes(b"precious")
    run = file.parent / "runs"

    def failing(*given: object) -> None:
        raise RuntimeError("evaluation failed")

    monkeypatch.setattr(script, "evaluate", failing)
    with pytest.raises(RuntimeError, match="evaluation failed"):
        script.main(file, changes=["steps=128"], fresh=False, runs=run, out=file.parent / "out")
    assert (folder / "weights.npz").read_bytes() == b"precious" and (folder / "card.json").read_text() == "{}"
    assert (run / GAME / "tiny" / "progress.json").exists()  # nor is the run: the same command goes on from it


def test_an_agent_is_not_lost_when_the_new_one_cannot_be_written(tmp_path, monkeypatch):
    (policy,) = policies(1)
    write_agent(tmp_path, config(), PolicyOpponent(policy), {"random": Result(10, 5)}, {"steps": 1})
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr(evaluation, "version", lambda name: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_agent(tmp_path, config(), PolicyOpponent(policies(2)[1]), {"random": Result(10, 5)}, {"steps": 2})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert opponent(tmp_path, GAME).card["steps"] == 1


@pytest.mark.learning
def test_a_minute_of_training_learns(tmp_path):
    """A policy that has learned nothing wins about half of its matches, whoever it meets."""
    given = load_config(ROOT / "configs" / f"{GAME}.yaml", ["minutes=null", "steps=1_000_000", "name=learning"])
    training = Training(given, tmp_path)
    untrained = training.first()
    training.run()
    agent = training.agent()
    options = {**given.options, **given.evaluation.options}

    def against(player: object, first: object = agent) -> Result:
        return play_matches(GAME, first, player, 200, seed=3, **options)

    won = {
        "random": against(opponent("random", GAME)),
        "untrained": against(untrained),
        "scripted": against(opponent("scripted", GAME)),
        "untrained against random": against(opponent("random", GAME), untrained),
    }
    print({name: str(result) for name, result in won.items()}, training._note())
    assert won["untrained against random"].interval[1] < 0.8  # the bar below is out of its reach
    assert won["random"].rate >= 0.95
    assert won["untrained"].rate >= 0.9


# A head start by imitation


def test_the_policy_learns_what_the_scripted_player_does(tmp_path: Path) -> None:
    ppo = {**TINY["ppo"], "hidden": [32, 32], "batch_size": 1024}
    training = Training(config(imitate={"decisions": 3 * ROUND, "learning_rate": 3e-3}, ppo=ppo), tmp_path / "run")
    judge = [p.detach().clone() for p in training.model.policy.value_net.parameters()]
    alike = list(training._imitate())
    assert len(alike) == 3 and training.imitated == 3 * ROUND and list(training._imitate()) == []
    assert alike[-1] > max(0.8, alike[0])
    assert all(torch.equal(a, b) for a, b in zip(judge, training.model.policy.value_net.parameters(), strict=True))
    greedy = PolicyOpponent(to_policy(training.model), greedy=True, seed=0)
    batch = MatchBatch(GAME, 500, seed=5, **TINY["options"])
    assert (greedy.act_batch(batch, np.arange(500, dtype=np.int32)) == batch.player_actions("scripted")).mean() > 0.8


def test_the_value_network_learns_first_and_then_the_policy(tmp_path: Path) -> None:
    training = Training(config(imitate={"decisions": 1}, ppo={**TINY["ppo"], "judge_updates": 2}), tmp_path / "run")
    list(training._imitate())
    policy = training.model.policy

    def parts() -> list[torch.Tensor]:
        return [policy.action_net.weight.detach().clone(), policy.value_net.weight.detach().clone()]

    before = parts()
    training._update()
    training._update()
    held = parts()
    assert torch.equal(before[0], held[0]) and not torch.equal(before[1], held[1])
    training._update()
    assert not torch.equal(held[0], parts()[0])


def test_a_head_start_is_kept_over_a_stop(tmp_path: Path) -> None:
    given = config(imitate={"decisions": 2 * ROUND})
    training = Training(given, tmp_path / "run")
    next(training._imitate())
    training.save()
    again = Training(given, tmp_path / "run")
    assert again.imitated == ROUND and again.updates == 0
    assert torch.equal(again.model.policy.action_net.weight, training.model.policy.action_net.weight)
    assert len(list(again._imitate())) == 1 and again.imitated == 2 * ROUND


def test_without_a_head_start_the_policy_learns_at_once(tmp_path: Path) -> None:
    training = Training(config(), tmp_path / "run")
    assert list(training._imitate()) == []
    before = training.model.policy.action_net.weight.detach().clone()
    training._update()
    assert not torch.equal(before, training.model.policy.action_net.weight)
