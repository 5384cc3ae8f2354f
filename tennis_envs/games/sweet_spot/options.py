"""Sweet Spot's options."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from tennis_envs.core.components import ComponentsError
from tennis_envs.core.options import Options
from tennis_envs.games.sweet_spot.deck import check


class SweetSpotOptions(Options):
    """What can be chosen before a match."""

    VARIANTS: ClassVar[tuple[dict[str, Any], ...]] = (
        {},
        {"mode": "doubles"},
        *({"mode": "solo", "automa": automa} for automa in ("easy", "normal", "hard")),
    )

    mode: Literal["versus", "doubles", "solo"] = Field(
        "versus", description="two players, two teams of two, or one against the automa"
    )
    format: Literal["point", "game", "best_of_3"] = Field("best_of_3", description="R1 what wins the match; a game is one round")
    automa: Literal["easy", "normal", "hard"] = Field("normal", description="R29-R37 grade of the computer player in solo mode")
    avatars: Literal["choose", "random", "none"] = Field(
        "choose", description="R3 abilities picked by the players, dealt, or left out"
    )
    toss: Literal["choose", "random"] = Field("choose", description="R5 the winner of the toss decides who serves, or serves")
    components: str | None = Field(None, description="a file with the cards of your own box; the reference edition without")

    @field_validator("components")
    @classmethod
    def _playable(cls, path: str | None) -> str | None:
        try:
            check(path)
        except ComponentsError as error:
            raise ValueError(str(error).removesuffix(".")) from None
        return path
