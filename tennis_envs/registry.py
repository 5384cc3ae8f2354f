"""The only list of games."""

from __future__ import annotations

import copyreg
import functools
import importlib

from tennis_envs import games as _folder  # loaded here, before `tennis_envs.games` becomes the function below
from tennis_envs.core.game import Game

# name -> its name in Gymnasium's and PettingZoo's registries
_GAMES = {
    "passing_shot": "PassingShot",
    "sweet_spot": "SweetSpot",
    "worldwide_tennis": "WorldwideTennis",
    "tc_tennis": "TCTennis",
}
_added: dict[str, Game] = {}


def games() -> tuple[str, ...]:
    """The names of all games."""
    return (*_GAMES, *_added)


@functools.cache
def _own(name: str) -> Game:
    return importlib.import_module(f"{_folder.__name__}.{name}").GAME


def game(name: str | Game) -> Game:
    """The game of that name; ValueError if there is none."""
    if isinstance(name, Game):
        return name
    if name in _added:
        return _added[name]
    if name not in _GAMES:
        raise ValueError(f"no game is called {name!r}: the games are {', '.join(games())}.")
    return _own(name)


def add(new: Game) -> Game:
    """Register a game from outside the package for this process; ValueError if its name is taken."""
    if new.name in games():
        raise ValueError(f"there is a game called {new.name!r} already.")
    _added[new.name] = new
    return new


def _reduced(known: Game) -> tuple:
    """A game goes into a pickle as its name, and a copy of it is the game itself."""
    if known.name in games() and game(known.name) is known:
        return game, (known.name,)
    return object.__reduce_ex__(known, 2)


copyreg.pickle(Game, _reduced)


def env_ids() -> dict[str, str]:
    """The environment id of every game of the package: "passing_shot" -> "tennis_envs/PassingShot-v0"."""
    return {name: f"tennis_envs/{title}-v0" for name, title in _GAMES.items()}
