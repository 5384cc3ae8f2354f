"""The options that every game spells alike, and errors that say what was wrong and what is allowed."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class OptionError(ValueError):
    """An option that does not exist, or a value that it does not take."""


class Options(BaseModel):
    """What every game's options begin with. A game adds its own; `PRESETS` maps a level to the rules that it switches on."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, strict=True)
    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {}
    VARIANTS: ClassVar[tuple[dict[str, Any], ...]] = ()
    """Sets of options beside the levels that it takes to meet every action."""

    reward: Literal["match", "point"] = Field("match", description="+1/-1 at the end of the match, or for every point")
    max_decisions: int = Field(20_000, ge=1, description="decisions after which a match is cut off (truncated)")
    encoder: str = Field("flat", description="which observation the environments give")

    @classmethod
    def variants(cls) -> list[dict[str, Any]]:
        """Option sets that together reach every rule: the levels and `VARIANTS`, or the defaults."""
        return [*({"level": level} for level in cls.PRESETS), *cls.VARIANTS] or [{}]


def parse(model: type[Options], game: str, given: dict[str, Any]) -> Options:
    """Build a game's options from keywords; OptionError (a ValueError) in one sentence if something is wrong.

    The chosen level's preset fills in whatever was not given.
    """
    for name in given:
        if name not in model.model_fields:
            allowed = ", ".join(model.model_fields)
            raise OptionError(f"{game} has no option {name!r}: its options are {allowed}.")
    try:
        level = model.model_validate(given).model_dump().get("level")
        return model.model_validate({**model.PRESETS.get(level, {}), **given})
    except ValidationError as error:
        first = error.errors()[0]
        if not first["loc"]:
            raise OptionError(f"{game}: {first['msg'].removeprefix('Value error, ')}.") from None
        name = str(first["loc"][0])
        raise OptionError(f"{game}: option {name!r} cannot be {first['input']!r}: {_allowed(first)}.") from None


def _allowed(error: dict[str, Any]) -> str:
    message = error["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    return f"it must be {message}" if error["msg"].startswith("Input should be ") else message
