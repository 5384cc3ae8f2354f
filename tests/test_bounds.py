"""No rules, view or player looks beyond the end of an array, or at a negative place: compiled code would not notice."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from levels import every_game

ROOT = Path(__file__).parents[1]

_WALK = """
import sys
from tennis_envs import MatchBatch, game
name = sys.argv[1]
for options in game(name).options.variants():
    batch = MatchBatch(name, 64, seed=1, **options)
    for _ in range(int(sys.argv[2])):
        batch.step(batch.random_actions())
    for player in game(name).players:
        for _ in range(50):
            batch.step(batch.player_actions(player))
    match = batch.match(0)
    for seat in range(match.seats):
        match.redeal(seat, seed=1)
"""


_LOOK = """
import sys
import numpy as np
from tennis_envs.core.jit import njit

@njit
def look(array, index):
    return array[index]

@njit
def entry(array, index):
    return look(array, index)

assert entry(np.arange(3), int(sys.argv[1])) == 2
"""


def checked(code: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess:
    """Run `code` as a file of its own, with indices checked."""
    file = folder / "checked.py"
    file.write_text(code)
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, file, *arguments], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.soak
@every_game
def test_every_index_is_in_bounds(game, tmp_path):
    done = checked(_WALK, game, "1000", folder=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("index", "error"), [(2, ""), (3, "IndexError"), (-1, "IndexError")])
def test_an_index_out_of_bounds_is_reported(index, error, tmp_path):
    done = checked(_LOOK, str(index), folder=tmp_path)
    assert error in done.stderr and (done.returncode == 0) == (not error), done.stderr
