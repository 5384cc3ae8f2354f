"""Four tennis tabletop games as fast, exact reinforcement-learning environments."""

from typing import Any

from tennis_envs.batch import MatchBatch
from tennis_envs.core.options import OptionError
from tennis_envs.match import Match, TapeEnded
from tennis_envs.opponents import opponent, opponent_names
from tennis_envs.registration import register as _register
from tennis_envs.registry import game, games

__version__ = "0.1.0"
__all__ = ["Match", "MatchBatch", "OptionError", "TapeEnded", "game", "games", "opponent", "opponent_names"]

_register()


def __getattr__(name: str) -> Any:
    """The PettingZoo environments, `passing_shot_v0` and so on, made when asked for."""
    from tennis_envs.aec import env_module

    return env_module(name)
