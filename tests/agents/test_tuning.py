"""Learned weights of a scripted player: how they are tried, found, stopped, saved and loaded."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import darts
import numpy as np
import pytest

import tennis_envs
from agents.config import ConfigError, TrainConfig, load_config
from agents.evaluate import evaluate, write_agent
from agents.tuning import Tuning
from tennis_envs import MatchBatch, opponent, registry
from tennis_envs.arena import play_matches
from tennis_envs.core.player import Weight, Weights
from tennis_envs.opponents import ScriptedOpponent, TrainedOpponent

ROOT = Path(tennis_envs.__file__).parents[1]
TC = {"level": "standard", "format": "set"}


@pytest.fixture(autouse=True)
def _darts(monkeypatch):
    monkeypatch.setitem(registry._added, "darts", darts.GAME)


def config(game: str = "darts", **changes: object) -> TrainConfig:
    tune = {"matches": 40_000, "pairs": 500, "rate": 4.0, "threads": 1}
    given = {"game": game, "name": "tuned", "tune": {**tune, **changes}, "evaluation": {"matches": 200}}
    return TrainConfig.model_validate({**given, "options": TC if game == "tc_tennis" else {}})


def tuned(tmp_path: Path, **changes: object) -> Tuning:
    run = Tuning(config(**changes), tmp_path / "run")
    run.run()
    return run


# Weights


def test_weights_are_named_and_in_order():
    weights = Weights(Weight("draw", value=2.0, step=0.5), Weight("box", 3), Weight("stroke", 2, labels=("FH", "BH")))
    assert weights.names == ["draw", "box 0", "box 1", "box 2", "stroke FH", "stroke BH"] and len(weights) == 6
    assert (weights.start("box"), weights.start("stroke")) == (1, 4)
    assert weights.values.tolist() == [2, 0, 0, 0, 0, 0] and weights.steps[:2].tolist() == [0.5, 0.3]
    with pytest.raises(ValueError, match="two weights are called 'box'"):
        Weights(Weight("box"), Weight("box"))
    with pytest.raises(ValueError, match="stroke has 3 numbers and 2 labels"):
        Weights(Weight("stroke", 3, labels=("FH", "BH")))


def test_a_mind_is_the_weights_and_room():
    player = darts.GAME.players["scripted"]
    assert player.mind().tolist() == [0.5, 0, 0, 0] and player.mind().dtype == np.float32
    assert player.mind([3, 1, 2]).tolist() == [3, 1, 2, 0]
    with pytest.raises(ValueError, match=r"counts with 3 weights, not with an array of shape \(2,\)"):
        player.mind([1, 2])
    with pytest.raises(ValueError, match="idle one is not a finite number"):
        player.mind([1, np.nan, 2])


def test_other_weights_decide_otherwise():
    batch = MatchBatch("darts", 200, seed=1)
    assert (batch.player_actions("scripted")[batch.states["thrown"][:, 0] > 0] == darts.KEEP).all()
    assert (batch.player_actions("scripted", weights=[10, 0, 0]) == darts.AGAIN).all()
    match = batch.match(0)
    assert ScriptedOpponent(weights=np.array([10.0, 0, 0])).act(match) == darts.AGAIN
    assert ScriptedOpponent(weights=np.array([0.0, 0, 0])).act(match) == darts.KEEP
    with pytest.raises(ValueError, match="the player 'hasty' of darts has no weights to replace"):
        batch.player_actions("hasty", weights=[1, 2, 3])
    wins = batch.playouts(
        "scripted", np.arange(200), np.full(200, darts.AGAIN), np.arange(200, dtype=np.uint64), weights=[10, 0, 0]
    )
    assert not np.array_equal(
        wins, batch.playouts("scripted", np.arange(200), np.full(200, darts.AGAIN), np.arange(200, dtype=np.uint64))
    )


# Trials


@pytest.mark.parametrize("game", ["darts", "tc_tennis"])
@pytest.mark.parametrize("itself", [False, True])
def test_trials_end_as_the_same_play_step_by_step(game, itself, tmp_path):
    """What the compiled loop plays at once, played by opponents: weights, signs, seats and luck are what they should be."""
    run, pairs = Tuning(config(game, threads=2), tmp_path), 8
    rng = np.random.default_rng(2)
    far = {"darts": 4.0, "tc_tennis": 0.5}[game]
    run.weights = run.weights + far * run.player.weights.steps * abs(rng.normal(size=len(run.weights)))
    size = 2 * far * run.player.weights.steps
    signs = rng.integers(0, 2, (pairs, len(size)), dtype=np.int8) * 2 - 1
    with ThreadPoolExecutor(2) as pool:
        results = run.play(pool, 7, size, signs, run.weights if itself else None)
    rival = ScriptedOpponent(weights=run.weights if itself else None)
    for k in range(pairs):
        for way in range(2):
            learner = ScriptedOpponent(weights=run.weights + (1 - 2 * way) * signs[k] * size)
            batch = MatchBatch(game, pairs, seed=7, **run.config.options)
            row = np.array([k], np.int32)
            while not batch.done[k]:
                player = learner if batch.seat[k] == k % 2 else rival
                batch.step(player.act_batch(batch, row), row)
            assert results[k, way] == batch.reward[k, k % 2], (k, way)
    assert len(np.unique(results)) == 2


def test_a_run_finds_the_better_number(tmp_path):
    """Thrown anew below half of the faces: what pays, and no more than that."""
    run = tuned(tmp_path)
    assert run.matches == 40_000 and run.fraction == 1
    assert 4 < run.weights[darts.LEAST] < 7, run.weights
    won = play_matches("darts", run.agent(), run.first(), 4000, seed=3)
    assert won.interval[0] > 0.55, won
    assert run.recent > 0.1


def test_against_itself_it_learns_too(tmp_path):
    run = tuned(tmp_path, against_itself=1.0)
    assert 4 < run.weights[darts.LEAST] < 7 and run.recent == 0


def test_threads_change_nothing(tmp_path):
    one, two = (tuned(tmp_path / str(threads), threads=threads, matches=8000) for threads in (1, 2))
    assert np.array_equal(one.weights, two.weights) and one.weights[0] != 0.5


# Runs


def test_a_resumed_run_is_the_uninterrupted_one(tmp_path):
    whole = tuned(tmp_path / "whole")
    run = Tuning(config(), tmp_path / "stopped")
    rounds = run._rounds()
    for _ in range(13):
        next(rounds)
    rounds.close()
    run.save()
    again = Tuning(config(), tmp_path / "stopped")
    assert again.rounds == 13 and again.seconds == run.seconds
    again.run()
    assert np.array_equal(again.weights, whole.weights) and again.recent == whole.recent
    with pytest.raises(ValueError, match="holds a run of another configuration"):
        Tuning(config(rate=1.0), tmp_path / "stopped")


def test_an_interrupted_run_is_saved(tmp_path, monkeypatch):
    run = Tuning(config(), tmp_path / "run")
    play = run.play

    def until_the_fifth(*given):
        if run.rounds == 5:
            raise KeyboardInterrupt
        return play(*given)

    monkeypatch.setattr(run, "play", until_the_fifth)
    with pytest.raises(KeyboardInterrupt):
        run.run()
    again = Tuning(config(), tmp_path / "run")
    assert again.rounds == 5 and np.array_equal(again.weights, run.weights) and again.weights[0] != 0.5


def test_the_checkpoint_before_stays_until_the_new_one_is_whole(tmp_path, monkeypatch):
    run = Tuning(config(), tmp_path / "run")
    run.save()
    kept = (tmp_path / "run" / "progress.json").read_text()
    run.weights[0] = 9
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        run.save()
    assert (tmp_path / "run" / "progress.json").read_text() == kept


def test_the_agent_and_its_card(tmp_path):
    run = tuned(tmp_path, matches=8000)
    results = evaluate(run.config, run.agent(), run.first())
    assert set(results) == {"random", "scripted", "hasty"}  # the first checkpoint is the scripted player
    folder = tmp_path / "agent"
    write_agent(folder, run.config, run.agent(), results, run.facts)
    card = json.loads((folder / "card.json").read_text())
    assert card["player"] == "scripted" and card["matches"] == 8000 and card["results"]["random"]["matches"] == 200
    agent = opponent(folder, "darts", seed=1)
    assert isinstance(agent, TrainedOpponent)
    batch = MatchBatch("darts", 300, seed=5)
    rows = np.arange(300, dtype=np.int32)
    assert np.array_equal(agent.act_batch(batch, rows), run.agent().act_batch(batch, rows))
    assert not np.array_equal(agent.act_batch(batch, rows), run.first().act_batch(batch, rows))
    agent.reseed(3)
    assert agent.act(batch.match(2)) == agent.act_batch(batch, rows)[2]
    with pytest.raises(ValueError, match="has no weights but its own to save"):
        run.first().save(folder / "weights.npz")


@pytest.mark.learning
def test_a_minute_of_tuning_learns(tmp_path):
    """Single sets of TC Tennis: half of them are won by weights that have learned nothing."""
    run = Tuning(config("tc_tennis", matches=600_000, pairs=2000, rate=2.0, threads=2), tmp_path)
    run.run()
    won = play_matches("tc_tennis", run.agent(), run.first(), 20_000, seed=3, **run.config.options)
    print(won)
    assert won.interval[0] > 0.51


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"player": "hasty"}, "is the player 'hasty' with learned weights; the players of darts that have weights: scripted."),
        ({"player": "nobody"}, "is the player 'nobody' with learned weights"),
        (np.zeros(2), "counts with 3 weights, not with an array of shape (2,)"),
        (np.array([1, np.inf, 0]), "idle one is not a finite number"),
        (None, "does not hold the weights of a player"),
    ],
)
def test_a_damaged_agent_is_one_sentence(damage, message, tmp_path):
    card = {"game": "darts", "version": 0, "player": "scripted"} | (damage if isinstance(damage, dict) else {})
    (tmp_path / "card.json").write_text(json.dumps(card))
    np.savez(tmp_path / "weights.npz", weights=damage if isinstance(damage, np.ndarray) else np.zeros(3))
    if damage is None:
        np.savez(tmp_path / "weights.npz", other=np.zeros(3))
    with pytest.raises(ValueError) as raised:
        opponent(tmp_path, "darts")
    assert message in str(raised.value) and "\n" not in str(raised.value) and str(raised.value).endswith(".")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["steps=100"], "give either tune.matches or steps"),
        (["minutes=1"], "give either tune.matches or minutes"),
        (["tune.matches=0"], "give either minutes or steps"),
        (["tune.player=nobody"], "tune.player cannot be 'nobody': it is one of scripted"),
        (["game=passing_shot", "options={}", "evaluation={}"], "the player 'scripted' of passing_shot counts with no numbers"),
        (["tune.pairs=0"], "tune.pairs: "),
        (["tune.last_step=2"], "tune.last_step: "),
    ],
)
def test_a_wrong_setting_is_one_sentence(changes, message):
    with pytest.raises(ConfigError) as raised:
        load_config(ROOT / "configs" / "tc_tennis.yaml", changes)
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_the_command_stops_goes_on_and_ends_with_an_agent(tmp_path):
    """TC Tennis by train.py, with a budget of seconds."""
    command = [
        sys.executable, str(ROOT / "train.py"), str(ROOT / "configs" / "tc_tennis.yaml"),
        "--runs", str(tmp_path / "runs"), "--out", str(tmp_path / "out"),
        "--set", "tune.matches=6000", "--set", "tune.pairs=100", "--set", "evaluation.matches=20",
    ]  # fmt: skip
    environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1"}
    running = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    time.sleep(1)
    progress = tmp_path / "runs" / "tc_tennis" / "standard" / "progress.json"
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=300)[0]
    if running.returncode == 130:
        assert progress.exists() and "The same command goes on from there" in said
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 0 and "Traceback" not in said, said
    assert "play against it: tennis-envs play tc_tennis --opponent trained/standard" in said
    assert "learned from 6,000 matches" in said
    card = json.loads((tmp_path / "out" / "tc_tennis" / "standard" / "card.json").read_text())
    assert card["player"] == "scripted" and card["matches"] == 6000 and set(card["results"]) == {"random", "scripted"}
