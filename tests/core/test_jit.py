"""The cache of machine code: never stale, and never compiled twice."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tennis_envs
from tennis_envs.core.jit import DISABLED, njit, records

RUN = """
import json
from numba.core import event

names = []

class Listener(event.Listener):
    def on_start(self, e):
        function = e.data["dispatcher"].py_func
        names.append(f"{function.__module__}.{function.__qualname__}")

    def on_end(self, e):
        pass

event.register("numba:compile", Listener())

import toy
from tennis_envs import Match, MatchBatch
from tennis_envs.games.quoits import GAME

match = Match(GAME, seed=3)
batch = MatchBatch(GAME, 4, seed=3)
batch.step(batch.random_actions())
batch.observe(batch.seat, encoder="full")
match.apply("raise")
print(json.dumps({"pot": int(match.state.pot), "compiled": sorted(set(names))}))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory) -> Path:
    """A copy of the package with a game of its own, `quoits`, whose `apply` calls a helper in another file."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(
        Path(tennis_envs.__file__).parent, root / "tennis_envs", ignore=shutil.ignore_patterns("__pycache__", "trained")
    )
    toy = Path(__file__).parents[1] / "toy.py"
    shutil.copy(toy, root / "toy.py")
    quoits = root / "tennis_envs" / "games" / "quoits"
    quoits.mkdir()
    source = toy.read_text().split("# One bug each")[0]
    source = source.replace("state.pot += 1", "state.pot = raised(state.pot)").replace('name="toy"', 'name="quoits"')
    (quoits / "__init__.py").write_text(f"from tennis_envs.games.quoits.helper import raised\n{source}")
    (quoits / "helper.py").write_text(HELPER)
    return root


HELPER = """
from tennis_envs.core.jit import njit


@njit
def raised(pot):
    return pot + 1
"""


def run(root: Path) -> dict:
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        "NUMBA_CACHE_DIR": str(root / "cache"),
        "NUMBA_DISABLE_JIT": "0",
    }
    done = subprocess.run([sys.executable, "-c", RUN], env=environment, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_cache_follows_the_sources(package):
    """One story in one copy, because every chapter needs the cache of the one before."""
    first = run(package)
    assert first["pot"] == 1
    assert any("games.quoits" in name for name in first["compiled"])
    assert any(name.startswith("tennis_envs.core.chance.") for name in first["compiled"])

    assert run(package) == {"pot": 1, "compiled": []}, "a second process compiles nothing"

    helper = package / "tennis_envs" / "games" / "quoits" / "helper.py"
    helper.write_text(HELPER.replace("pot + 1", "pot + 2"))
    edited = run(package)
    assert edited["pot"] == 2, "an edit in a called file is seen"
    assert not [name for name in edited["compiled"] if name.startswith("tennis_envs.core.chance.")], (
        "an edit in a game's folder leaves the shared functions compiled"
    )
    assert not [name for name in edited["compiled"] if name.endswith("._random_actions")]

    other = package / "tennis_envs" / "games" / "passing_shot" / "rules.py"
    other.write_text(other.read_text() + "\n# an edit in another game\n")
    assert run(package) == {"pot": 2, "compiled": []}, "an edit in one game leaves another compiled"

    core = package / "tennis_envs" / "core" / "chance.py"
    core.write_text(core.read_text() + "\n# an edit in the core\n")
    assert run(package)["compiled"], "an edit in the core reaches every game"

    helper.write_text(HELPER)
    assert run(package)["pot"] == 1, "and back"


INTERRUPTED = """
import os, sys
from pathlib import Path
from tennis_envs.core.jit import njit

left = int(sys.argv[1])

def dying(usual):
    def write(*given):
        global left
        usual(*given)
        left -= 1
        if left == 0:
            os._exit(9)
    return write

os.replace = dying(os.replace)
Path.replace = dying(Path.replace)

@njit
def answer(x):
    return x + 1

print(answer(1))
"""


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_a_crash_while_machine_code_is_saved_leaves_no_older_one_under_the_new_sources(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}
    script = tmp_path / "game.py"

    def answered(more: int, dies_after: int = 0) -> str | None:
        script.write_text(INTERRUPTED.replace("x + 1", f"x + {more}"))
        command = [sys.executable, str(script), str(dies_after)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 9), done.stderr
        return done.stdout.strip() or None

    assert answered(1) == "2"
    died = 0
    for saved in range(1, 4):
        more = 1 + saved
        died += answered(more, dies_after=saved) is None
        assert answered(more) == str(1 + more), f"after a crash once {saved} files were written"
    assert died > 0


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_the_cache_keeps_only_the_newest_sources(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    script = tmp_path / "game.py"
    kept = []
    for more in (1, 2):
        script.write_text(INTERRUPTED.replace("x + 1", f"x + {more}"))
        subprocess.run([sys.executable, str(script), "0"], env=environment, capture_output=True, check=True)
        kept.append({str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.nbc")})
    assert len(kept[0]) == len(kept[1]) > 0
    assert not kept[0] & kept[1]


APART = """
from tennis_envs.core.jit import inlined, njit, seldom

@seldom
def rare(x):
    return 3 * x + 1

@inlined
def between(x):
    return rare(x) if x > 5 else x

@njit
def outer(x):
    return between(x)

print(outer(7), outer(2))
calls = [line for line in next(iter(outer.inspect_llvm().values())).splitlines() if " call " in line]
print(any("rare" in line for line in calls), any("between" in line for line in calls))
"""


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_what_is_seldom_stays_a_call_and_what_is_inlined_does_not(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    script = tmp_path / "apart.py"
    script.write_text(APART)
    done = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["22 2", "True False"], done.stderr


THROW = np.dtype([("dice", "i1", (5,)), ("total", "i1")])
TABLE = np.dtype([("before", "i1"), ("throw", THROW), ("after", "i1")])


@njit
def put(tables, throws, which):
    tables[0].throw = throws[which]


def test_a_record_within_a_record_is_copied_whole():
    tables, throws = np.zeros(1, TABLE), np.zeros(3, THROW)
    throws["dice"], throws["total"] = np.arange(15).reshape(3, 5), [7, 8, 9]
    tables["before"], tables["after"] = 1, 2
    put(records(tables), records(throws), 1)
    throws["dice"] = 0
    assert tables["throw"]["dice"].tolist() == [[5, 6, 7, 8, 9]] and tables["throw"]["total"] == [8]
    assert (tables["before"], tables["after"]) == ([1], [2])
