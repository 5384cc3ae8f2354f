"""Four tennis tabletop games as fast, exact reinforcement-learning environments."""

from tennis_envs.batch import MatchBatch
from tennis_envs.core.options import OptionError
from tennis_envs.match import Match, TapeEnded
from tennis_envs.registry import game, games

__version__ = "0.1.0"
__all__ = ["Match", "MatchBatch", "OptionError", "TapeEnded", "game", "games"]
