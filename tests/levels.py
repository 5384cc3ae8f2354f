"""What tests of the environments are parametrised over: every game, and every level and mode of it."""

from __future__ import annotations

from typing import Any, get_args

import pytest

import tennis_envs
from tennis_envs import OptionError


def _name(options: dict[str, Any]) -> str:
    return "-".join(str(value) for value in options.values()) or "default"


def _seats(game: str, options: dict[str, Any]) -> int:
    found = tennis_envs.game(game)
    return found.seats(found.parse(**options))


def _unlike(game: str) -> list[dict[str, Any]]:
    """Variants of a game that differ in level or mode; test_every_game.py goes through all of them."""
    found: dict[tuple, dict[str, Any]] = {}
    for given in tennis_envs.game(game).options.variants():
        options = tennis_envs.game(game).parse(**given)
        level = {name: value for name, value in given.items() if name != "reward"}  # tests choose the rewards themselves
        found.setdefault((getattr(options, "level", None), options.mode), level)
    return list(found.values())


_LEVELS = [(game, level) for game in tennis_envs.games() for level in _unlike(game)]


def _over(levels: list[tuple[str, dict[str, Any]]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("game", "level"), [pytest.param(g, o, id=f"{g}-{_name(o)}") for g, o in levels])


every_level = _over(_LEVELS)
every_versus = _over([(game, level) for game, level in _LEVELS if _seats(game, level) > 1])
every_solo = _over([(game, level) for game, level in _LEVELS if _seats(game, level) == 1])
every_game = pytest.mark.parametrize("game", tennis_envs.games())


def formats(game: str) -> list[str]:
    """How long matches can be, the shortest first."""
    return list(get_args(tennis_envs.game(game).options.model_fields["format"].annotation))


def lasting(game: str, level: dict[str, Any], length: int) -> dict[str, Any]:
    """The options of a variant with the format of that place in `formats`, unless the variant has one of its own."""
    options = {"format": formats(game)[length], **level}
    try:
        tennis_envs.game(game).parse(**options)
    except OptionError:
        return dict(level)
    return options
