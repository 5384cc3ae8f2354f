"""The README is true: its examples run, its files exist, its commands are there."""

import re
from pathlib import Path

import pytest

import tennis_envs
from tennis_envs.registry import env_ids

ROOT = Path(tennis_envs.__file__).parents[1]
TEXT = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def test_there_is_an_example_for_each_skin():
    code = "\n".join(BLOCKS)
    for skin in ("Match(", "passing_shot_v0.env(", "gymnasium.make(", "gymnasium.make_vec(", "MatchBatch(", "TennisVecEnv("):
        assert skin in code


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_example_runs(block):
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})


def test_links_lead_somewhere():
    for link in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / link).exists(), link


def test_every_game_is_in_the_table():
    for game in env_ids():
        assert f"tennis_envs/games/{game}/README.md" in TEXT


def test_make_targets_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"make ([a-z]+)", TEXT)) - {"s"} <= targets
