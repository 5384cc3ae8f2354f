"""Passing Shot's options: each advanced rule is one, and the four levels are presets of them."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from tennis_envs.core.options import Options

_BASIC = dict.fromkeys(
    ("stamina", "energy", "aces", "second_serve", "concentration", "winner", "net", "hawk_eye", "surfaces", "professional"),
    False,
)
_EXPERIENCED = {**_BASIC, **dict.fromkeys(("stamina", "energy", "aces", "second_serve", "concentration"), True)}
_VETERAN = {**_EXPERIENCED, "winner": True, "net": True}


class PassingShotOptions(Options):
    """What can be chosen before a match."""

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "beginner": _BASIC,
        "experienced": _EXPERIENCED,
        "veteran": _VETERAN,
        "star": dict.fromkeys(_BASIC, True),
    }

    level: Literal["beginner", "experienced", "veteran", "star"] = Field("star", description="a preset of the rules below")
    mode: Literal["versus"] = Field("versus", description="two players")
    format: Literal["point", "game", "tiebreak", "set", "best_of_3", "best_of_5"] = Field(
        "best_of_3", description="what wins the match"
    )
    first_server: Literal["toss", "random", "player_0", "player_1"] = Field(
        "toss", description="the winner of the toss chooses, or who serves first is drawn or given"
    )
    surface: Literal["clay", "grass", "hard", "random"] = Field("clay", description="the court; counts with `surfaces`")
    stamina: bool = Field(True, description="R12 give up dice to reach the ball")
    energy: bool = Field(True, description="R13 Energy also pairs and recovers; without it, it can only be removed")
    aces: bool = Field(True, description="R14 five Balls win the point")
    second_serve: bool = Field(True, description="R15")
    concentration: bool = Field(True, description="R16")
    winner: bool = Field(True, description="R17")
    net: bool = Field(True, description="R18")
    hawk_eye: bool = Field(True, description="R19")
    surfaces: bool = Field(True, description="R20 a Ball of the court's own surface counts one and a half")
    professional: bool = Field(True, description="R21 one die is the Pro die, which counts double")
    pro_bars_ensure: bool = Field(False, description="R21 with `professional`, a second serve cannot be ensured at all")
