"""Worldwide Tennis's options: the advanced rules are one each, and the two levels are presets of them."""

from __future__ import annotations

import functools
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from tennis_envs.core.components import ComponentsError
from tennis_envs.core.options import Options
from tennis_envs.games.worldwide_tennis.components import Box, load


@functools.cache
def box(path: str) -> Box:
    """The components that an options' `components` names."""
    return load(path or None)


class WorldwideTennisOptions(Options):
    """What can be chosen before a match."""

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "warm_up": {"stars": False, "spin": False},
        "advanced": {"stars": True, "spin": True},
    }

    VARIANTS: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "challenges": True,
            "player_0": "choose",
            "player_1": "choose",
            "ends": "tennis",
            "surface": "random",
        },
        {"player_0": "random", "player_1": "random", "format": "set", "reward": "point"},
        {"format": "tiebreak"},
        {"mode": "solo", "challenges": True, "player_0": "choose", "format": "set", "surface": "random"},
        {"mode": "solo", "level": "warm_up", "format": "tiebreak"},
    )

    level: Literal["warm_up", "advanced"] = Field("advanced", description="a preset of `stars` and `spin`, R25")
    mode: Literal["versus", "solo"] = Field("versus", description="two players, or one against the virtual opponent, R30")
    format: Literal["point", "game", "tiebreak", "set", "best_of_3", "best_of_5"] = Field(
        "best_of_3", description="what wins the match, R4"
    )
    first_server: Literal["random", "player_0", "player_1"] = Field("random", description="who serves first, D24")
    surface: Literal["clay", "hard", "grass", "indoor", "random"] = Field("hard", description="the court, R6")
    stars: bool = Field(True, description="R26 stars are printed on cards and make rolls easier")
    spin: bool = Field(True, description="R27 topspin and slice")
    challenges: bool = Field(False, description="R28")
    player_0: str = Field("none", description="R29 seat 0's player card: a name, none, choose or random")
    player_1: str = Field("none", description="R29 the same for seat 1")
    ends: Literal["literal", "tennis"] = Field("literal", description="D12 when ends are changed in a set")
    components: str = Field("", description="a components file; empty: the reference edition")

    @model_validator(mode="after")
    def _player_cards(self) -> WorldwideTennisOptions:
        """R29. Player cards must be in the box, and one is nobody's twice; the virtual opponent has none."""
        try:
            names = [player.name for player in box(self.components).player]
        except ComponentsError as error:
            raise ValueError(str(error)) from None
        for option, name in (("player_0", self.player_0), ("player_1", self.player_1)):
            if name not in ("none", "choose", "random", *names):
                raise ValueError(f"option {option!r} cannot be {name!r}: it must be none, choose, random, {', '.join(names)}")
        if self.player_0 == self.player_1 and self.player_0 in names:
            raise ValueError(f"player card {self.player_0!r} cannot be in both players' hands")
        if self.mode == "solo" and self.player_1 != "none":
            raise ValueError("the virtual opponent has no player card: option 'player_1' must be none in solo mode")
        return self
