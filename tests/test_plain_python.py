"""The tests of the rules once more, without the compiler."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tennis_envs

TESTS = Path(__file__).parent
RULES = ["core/test_scoring.py", "core/test_chance.py", "core/test_dice.py"] + [
    str(path.relative_to(TESTS))
    for game in tennis_envs.games()
    for path in sorted(TESTS.glob(f"games/{game}/test_*.py"))
    if path.stem in ("test_examples", "test_rules", "test_odds")
]


@pytest.mark.parametrize("file", RULES)
def test_uncompiled(file):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(TESTS / file)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout
