"""What holds for every game at every level."""

import copy
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tennis_envs
from tennis_envs import Match, MatchBatch
from tennis_envs.core.chance import streams
from tennis_envs.core.jit import DISABLED
from tennis_envs.core.player import Teachable
from tennis_envs.testing import checks, playthrough, walk

ROOT = Path(tennis_envs.__file__).parents[1]
LEVELS = [(name, level) for name in tennis_envs.games() for level in tennis_envs.game(name).options.variants()]
every_level = pytest.mark.parametrize(("game", "level"), LEVELS, ids=str)
every_game = pytest.mark.parametrize("game", tennis_envs.games())


def options(level: dict) -> dict:
    return dict(level)


@every_level
def test_a_random_walk_keeps_every_invariant(game, level):
    seen = walk(game, 20_000, seed=1, samples=100, **options(level))
    assert seen.decisions >= 20_000 and seen.matches > 0 and seen.checked == 100
    assert set(seen.taken) <= set(seen.legal)


@pytest.mark.soak
@every_level
def test_a_million_random_decisions_keep_every_invariant(game, level):
    seen = walk(game, 1_000_000, seed=2, samples=2000, **options(level))
    print(seen)
    assert seen.decisions >= 1_000_000 and seen.matches > 100


@pytest.mark.soak
@every_game
def test_every_action_is_legal_somewhere(game):
    legal = set()
    for given in tennis_envs.game(game).options.variants():
        legal |= set(walk(game, 300_000, seed=3, samples=0, **given).legal)
    assert not set(tennis_envs.game(game).actions.names) - legal


@every_level
def test_a_batch_is_its_matches_one_by_one(game, level):
    checks.batch_is_singles(game, 4, matches=8, **options(level))


@every_level
def test_a_batch_does_not_depend_on_size_threads_or_order(game, level):
    checks.batch_is_independent(game, 5, steps=2 if DISABLED else 100, **options(level))


@every_level
def test_compiled_code_and_plain_python_agree(game, level):
    checks.compiled_is_plain(game, 6, matches=3, steps=80, **options(level))


@every_game
def test_another_process_plays_the_same(game):
    checks.processes_agree(game, 7)


@every_level
def test_a_match_is_cut_off_at_max_decisions(game, level):
    batch = MatchBatch(game, 8, seed=0, max_decisions=5, **options(level))
    match = Match(game, seed=0, max_decisions=5, **options(level))
    for step in range(1, 6):
        actions = batch.random_actions()
        match.apply(int(actions[0]))
        batch.step(actions)
        assert batch.truncated.all() == batch.done.all() == match.truncated == (step == 5)
    assert (batch.reward == 0).all() and (batch.decisions == 0).all() and not match.over


@every_level
def test_point_rewards_add_up(game, level):
    match = Match(game, seed=1, **{**options(level), "reward": "point"})
    total = np.zeros(match.seats)
    while not match.over:
        match.apply(match.legal_actions()[match.decisions % len(match.legal_actions())])
        total += match.rewards
    assert total[0] == match.state.lead
    assert all(total[seat] == (-1) ** seat * total[0] for seat in range(match.seats))


@every_game
def test_copies_of_a_batch_go_on_alike(game):
    batch = MatchBatch(game, 5, seed=3)
    for _ in range(30):
        batch.step(batch.random_actions())
    twin = copy.deepcopy(batch)
    for _ in range(30):
        for one in (batch, twin):
            one.step(one.random_actions())
        for name, array in batch.get_state().items():
            assert array.tobytes() == twin.get_state()[name].tobytes(), name


@every_game
def test_an_illegal_step_of_a_batch_changes_nothing(game):
    batch = MatchBatch(game, 4, seed=3)
    before = {name: array.tobytes() for name, array in batch.get_state().items()}
    actions = batch.action_mask.argmax(axis=1)
    wrong = actions.copy()
    wrong[2] = batch.action_mask[2].argmin()
    for bad in (wrong, np.where(np.arange(4) == 3, -1, actions), np.where(np.arange(4) == 3, 10_000, actions)):
        before = {name: array.tobytes() for name, array in batch.get_state().items()}
        with pytest.raises(ValueError, match=r"not legal in match [23]: seat"):
            batch.step(bad)
        assert {name: array.tobytes() for name, array in batch.get_state().items()} == before


@every_level
def test_scripted_players_decide_by_what_their_seat_may_know(game, level):
    """The same choice, whatever the cards are that the seat cannot see; of a player with weights, with any weights."""
    rng = np.random.default_rng(4)
    match, again = Match(game, seed=2, **level), streams(1, 1)
    players = tennis_envs.game(game).players
    for name, player in players.items():
        weights = None
        if isinstance(player, Teachable):
            weights = player.weights.values + player.weights.steps * rng.normal(size=len(player.weights))
        for seed in range(100 if DISABLED else 3000):
            if match.over:
                match.reset()
            other = match.clone()
            other.redeal(match.seat, seed=seed)
            action = match.player_action(name, again.copy(), weights)
            assert other.player_action(name, again.copy(), weights) == action, match.describe()
            match.apply(action if rng.random() < 0.9 else int(rng.choice(match.legal_actions())))


@every_game
@pytest.mark.parametrize("threads", [1, 2])
def test_playouts_end_as_the_same_play_step_by_step(game, threads):
    batch, twin = (MatchBatch(game, 24, seed=3, threads=threads) for _ in range(2))
    for _ in range(30):
        actions = batch.random_actions()
        for one in (batch, twin):
            one.step(actions)
    before = {name: array.tobytes() for name, array in batch.get_state().items()}
    first = batch.random_actions()
    luck = streams(11, 24)
    winners = batch.playouts("scripted", np.arange(24), first, luck)
    twice = batch.playouts("scripted", np.repeat(np.arange(24), 2), np.repeat(first, 2), np.repeat(luck, 2))
    assert (twice.reshape(24, 2) == winners[:, None]).all()
    after = {name: array.tobytes() for name, array in batch.get_state().items()}
    assert {name for name in before if before[name] != after[name]} == {"choices"}  # of random_actions

    saved = twin.get_state()
    twin.set_state({**saved, "streams": luck, "decisions": 0 * saved["decisions"]})
    rows, actions = np.arange(24, dtype=np.int32), first
    while len(rows):
        twin.step(actions, rows)
        rows = rows[~twin.done[rows]]
        actions = twin.player_actions("scripted", rows)
    assert (twin.final_states["winner"] == winners).all() and len(set(winners)) == 2
    with pytest.raises(ValueError, match="not legal in match 3"):
        batch.playouts("scripted", [3], [-1], luck[:1])


@every_game
def test_the_arrays_of_a_batch_are_read_only_views(game):
    batch = MatchBatch(game, 4, seed=3)
    arrays = [batch.observation, batch.action_mask, batch.seat, batch.reward, batch.done, batch.truncated]
    with pytest.raises(ValueError):
        batch.observation[0] = 0
    for _ in range(5):
        batch.step(batch.random_actions())
    now = [batch.observation, batch.action_mask, batch.seat, batch.reward, batch.done, batch.truncated]
    assert all(a is b for a, b in zip(arrays, now, strict=True))
    assert [array.dtype for array in now] == [np.float32, np.int8, np.int8, np.float32, np.bool_, np.bool_]


@every_game
def test_bytes_of_another_version_are_refused(game):
    data = Match(game, seed=0).to_bytes()
    for wrong, message in (
        (data.replace(b'"version": ', b'"version": 9'), "is of .* version 9"),
        (data[:-1], "cut short or damaged"),
        (b"something else", "not a match"),
    ):
        with pytest.raises(ValueError, match=message):
            Match.from_bytes(wrong)


@pytest.mark.parametrize("path", playthrough.files(ROOT / playthrough.FOLDER), ids=lambda path: path.stem)
def test_playthroughs(path):
    playthrough.check(path)


@every_game
def test_every_game_has_playthroughs_of_every_level(game):
    heads = [json.loads(path.open().readline()) for path in playthrough.files(ROOT / playthrough.FOLDER / game)]
    levels = {head["options"].get("level") for head in heads}
    assert heads and levels >= set(tennis_envs.game(game).options.PRESETS)


# The package of tests itself, with a game from outside and with bugs planted in it


@pytest.fixture(scope="module")
def planted() -> dict:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "toy.py")], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("bug", "message"),
    [
        ("leak", "sees a redeal of what it cannot know, in to_move"),
        ("bounds", "the feature 'pot' as 1.2.*, outside 0 to 1"),
        ("reader writes", "looking at a .* changed"),
        ("observation at random", "another observation|looking at a match changed it"),
        ("full view is blind", "the full encoder gives one view of two positions"),
        ("nobody can act", "nobody can act"),
        ("legal after the end", "over, but something is legal"),
        ("mask of twos", "0 and 1"),
        ("endless", "did not end within max_decisions"),
        ("hidden luck", "differ"),
        ("nobody wins", "without a winner"),
        ("redeal moves the turn", "redeal"),
        ("redeal of one's own hand", "sees a redeal of what it cannot know, in hand"),
        ("description tells", "the description for seat . tells"),
        ("description writes", "looking at a match changed it"),
    ],
)
def test_the_walk_finds_a_planted_bug(planted, bug, message):
    import re

    assert planted[bug] is not None and re.search(message, planted[bug]), planted[bug]


def test_a_game_from_outside_passes_every_check(tmp_path, monkeypatch):
    import toy

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "tests")]))
    seen = walk(toy.GAME, 3000, samples=50, invariants=toy_invariants)
    assert seen.never_legal(toy.GAME) == []
    checks.check_all("toy", module="toy")
    path = tmp_path / "toy.jsonl"
    playthrough.write(path, toy.GAME, seed=1)
    playthrough.check(path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:-1], lines[-1].replace('"winner": ', '"winner": 1')]))
    with pytest.raises(AssertionError, match="ends with"):
        playthrough.check(path)


def toy_invariants(options, state):
    assert 0 <= state.pot <= 6 and (state.hand >= 0).all()


def test_a_games_own_invariants_are_checked():
    import toy

    def never(options, state):
        assert state.pot < 2, "too much in the pot"

    with pytest.raises(AssertionError, match="too much in the pot"):
        walk(toy.GAME, 2000, samples=200, invariants=never)
