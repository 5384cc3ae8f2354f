"""What tests are parametrised over: every game, and every game at every level."""

from __future__ import annotations

from typing import Any, get_args

import pytest

import tennis_envs

LEVELS = [(name, level) for name in tennis_envs.games() for level in tennis_envs.game(name).options.PRESETS or [None]]
every_level = pytest.mark.parametrize(("game", "level"), LEVELS)
every_game = pytest.mark.parametrize("game", tennis_envs.games())


def options(level: str | None) -> dict[str, Any]:
    """The options that choose a level."""
    return {} if level is None else {"level": level}


def formats(game: str) -> list[str]:
    """How long matches can be, the shortest first."""
    return list(get_args(tennis_envs.game(game).options.model_fields["format"].annotation))
