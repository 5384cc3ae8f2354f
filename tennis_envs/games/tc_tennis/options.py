"""TC Tennis's options."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from tennis_envs.core.options import Options
from tennis_envs.games.tc_tennis.components import load_components

RANDOM = "random"


class TCTennisOptions(Options):
    """What can be chosen before a match."""

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {"training": {"format": "set"}, "standard": {}, "tournament": {}}
    VARIANTS: ClassVar[tuple[dict[str, Any], ...]] = ({"level": "tournament", "format": "best_of_5", "surface": "all"},)

    level: Literal["training", "standard", "tournament"] = Field(
        "standard", description="the Training, Standard or Tournament game"
    )
    mode: Literal["versus"] = Field("versus", description="two players")
    format: Literal["set", "best_of_3", "best_of_5"] = Field(
        "best_of_3", description="what wins the match; the Training game is a set"
    )
    surface: Literal["clay", "grass", "hard", "indoor", "random", "all"] = Field(
        "random", description='the court; "all" is the all-surface match R40, best of five'
    )
    champion_0: str = Field(RANDOM, description='the champion of player 0, by name, or "random"')
    champion_1: str = Field(RANDOM, description='the champion of player 1, by name, or "random"')
    fifth_surface: Literal["loser", "winner"] = Field(
        "loser", description="R40, D32 who of the fourth set chooses the fifth set's surface"
    )
    stage: Literal["early", "late"] = Field(
        "late", description="R34 split STA ratings: the lesser grade early, the higher one late"
    )
    injury_0: int = Field(0, ge=0, le=7, description="R36 the injury that player 0 brings from an earlier match, as a level")
    injury_1: int = Field(0, ge=0, le=7, description="R36 the same for player 1")
    components: str | None = Field(
        None, description="a file with other cards, champions and tables; none is the reference edition"
    )

    @model_validator(mode="after")
    def _check(self) -> TCTennisOptions:
        if self.level == "training" and "format" in self.model_fields_set and self.format != "set":
            raise ValueError("the Training game is a single set: format='set'")
        if self.surface == "all" and self.format != "best_of_5":
            raise ValueError("the all-surface match is over five sets: format='best_of_5'")
        if self.level != "tournament" and (self.injury_0 or self.injury_1):
            raise ValueError("injuries belong to the Tournament game: level='tournament'")
        if self.level != "tournament" and self.stage != "late":
            raise ValueError("stamina belongs to the Tournament game: level='tournament'")
        if self.surface != "all" and self.fifth_surface != "loser":
            raise ValueError("nobody chooses a fifth surface without an all-surface match: surface='all'")
        components = load_components(self.components)
        for name in (self.champion_0, self.champion_1):
            if name != RANDOM:
                components.champion_index(name)
        levels = len(components.injury.level)
        if max(self.injury_0, self.injury_1) >= levels:
            raise ValueError(f"the injury table knows levels 0 to {levels - 1}")
        return self
