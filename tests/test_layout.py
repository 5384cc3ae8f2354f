"""Where things stand: the same folder for every game, and imports that go one way."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tennis_envs
from tennis_envs.registry import games

PACKAGE = Path(tennis_envs.__file__).parent
ROOT = PACKAGE.parent
GAME_FILES = (
    "README.md",
    "__init__.py",
    "options.py",
    "state.py",
    "actions.py",
    "rules.py",
    "observation.py",
    "text.py",
    "players.py",
)

# Who may import whom: a layer may import itself and those before it. (`players` of a folder count as the folder.)
LAYERS = ("core", "games", "registry", "threads", "match", "batch", "", "agents")


def layer(module: str) -> int:
    """The place of a module in LAYERS."""
    parts = module.split(".")
    if parts[0] in ("agents", "train"):
        return LAYERS.index("agents")
    top = parts[1] if len(parts) > 1 else ""
    return LAYERS.index(top) if top in LAYERS[:-2] else LAYERS.index("")


def imports(path: Path) -> set[str]:
    """Every module of the suite that a file imports, also inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] in ("tennis_envs", "agents", "train")}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


SOURCES = [path for folder in (PACKAGE, ROOT / "agents") for path in sorted(folder.rglob("*.py"))]


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_imports_go_one_way(path):
    name = module_name(path)
    for imported in imports(path):
        assert layer(imported) <= layer(name), f"{name} imports {imported}"
        if name.startswith("tennis_envs.games."):
            same = imported.split(".")[2:3] == name.split(".")[2:3]
            assert same or not imported.startswith("tennis_envs.games."), f"{name} imports another game: {imported}"


def test_importing_the_package_brings_nothing_heavy():
    heavy = ("torch", "stable_baselines3", "pettingzoo", "pygame", "matplotlib", "rich", "typer")
    program = f"import sys, tennis_envs; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("game", games())
def test_every_game_has_the_same_folder(game):
    folder = PACKAGE / "games" / game
    missing = [
        name
        for name in GAME_FILES
        if not ((folder / name).exists() or (name in ("rules.py", "players.py") and (folder / name).with_suffix("").is_dir()))
    ]
    assert not missing


def test_every_folder_of_games_is_registered():
    folders = {path.name for path in (PACKAGE / "games").iterdir() if (path / "__init__.py").exists()}
    assert folders == set(games()) - {"toy"}


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_no_module_is_over_a_thousand_lines(path):
    assert len(path.read_text().splitlines()) <= 1000
