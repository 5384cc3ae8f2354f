"""A game's cards and tables as data: TOML files checked by a pydantic model, and errors that name the entry."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError


class ComponentsError(ValueError):
    """A file of components that cannot be played with."""


class Entry(BaseModel):
    """What every table of a components file is: no key that it does not know, no value of another type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)


SOURCE = r"^(reconstructed|box|public P\d+|rulebook .+)$"
Source = Annotated[str, Field(pattern=SOURCE)]
"""Where an entry comes from: "rulebook 7.3.2", "public P1", "reconstructed", or "box" in a file typed in from one."""

_T = TypeVar("_T")
_Model = TypeVar("_Model", bound=BaseModel)
Several = Annotated[tuple[_T, ...], BeforeValidator(lambda value: tuple(value) if isinstance(value, list) else value)]
"""A TOML array as a tuple: `Several[Card]`."""


def load(path: str | Path, model: type[_Model]) -> _Model:
    """The components in a file; ComponentsError in one sentence if it cannot be read or played with."""
    path = Path(path)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ComponentsError(f"{path.name}: the file cannot be read ({getattr(error, 'strerror', None) or error}).") from None
    except tomllib.TOMLDecodeError as error:
        raise ComponentsError(f"{path.name}: this is not TOML: {error}.") from None
    return read(data, model, path.name)


def read(data: dict[str, Any], model: type[_Model], where: str) -> _Model:
    """The same for parsed TOML; `where` names the file in an error."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        raise ComponentsError(f"{where}: {_place(data, first['loc'])}{_sentence(first)}.") from None


def _place(data: Any, place: Sequence[str | int]) -> str:
    """What an error is about, in words: "return card 2 ('Passing Shot'): `cost`: "."""
    words = ""
    for step in place:
        inside = data[step] if _has(data, step) else None
        if isinstance(step, int):
            name = inside.get("name", inside.get("id")) if isinstance(inside, dict) else inside
            words += f" {step + 1}" + (f" ({name!r})" if name is not None else "")
        else:
            words += (": " if words else "") + f"`{step}`"
        data = inside
    return words + ": " if words else ""


def _has(data: Any, step: str | int) -> bool:
    if isinstance(data, dict):
        return step in data
    return isinstance(data, list) and isinstance(step, int) and step < len(data)


def _sentence(error: Any) -> str:
    """What is wrong, and what is allowed."""
    given = f" (it is {error['input']!r})" if isinstance(error["input"], (int, float, str)) else ""
    message = error["msg"].removeprefix("Value error, ")
    if error["type"] == "extra_forbidden":
        return "there is no such key"
    if error["type"] == "missing":
        return "it is missing"
    if error["type"] == "string_pattern_mismatch" and error["ctx"]["pattern"] == SOURCE:
        return f'it must be "reconstructed", "box", "public P<n>" or "rulebook <section>"{given}'
    if message.startswith("Input should be "):
        return "it must be " + message.removeprefix("Input should be ") + given
    return message
