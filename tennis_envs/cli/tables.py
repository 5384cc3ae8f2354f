"""A game's options, actions and observations as tables, made from the data that the game itself uses."""

from __future__ import annotations

import types
import typing
from pathlib import Path
from typing import Any, Literal

from rich.table import Table

import tennis_envs
from tennis_envs.core.game import Game
from tennis_envs.core.jit import game_folder


def rules_text(game: Game) -> str:
    """The numbered rules: the README.md in the folder of the game; ValueError if it has none."""
    path: Path = game_folder(getattr(game.apply, "py_func", game.apply)) / "README.md"
    if not path.is_file():
        raise ValueError(f"{game.name} has no README.md with its rules in {path.parent}.")
    return path.read_text(encoding="utf-8")


def games_table() -> Table:
    """All games."""
    table = Table()
    table.add_column("game", no_wrap=True)
    table.add_column("title", no_wrap=True)
    for column in ("seats", "actions", "features"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("levels")
    for name in tennis_envs.games():
        game = tennis_envs.game(name)
        sizes = (game.seats(game.parse()), len(game.actions), len(game.features))
        table.add_row(name, game.title, *map(str, sizes), ", ".join(_levels(game)))
    return table


def _levels(game: Game) -> list[str]:
    field = game.options.model_fields.get("level")
    return [] if field is None else [str(value) for value in typing.get_args(field.annotation)]


def options_table(game: Game) -> Table:
    """Every option: what it takes, its default, its meaning."""
    table = Table("option", "values", "default", "meaning", title=f"{game.title}: options", title_justify="left")
    for name, field in game.options.model_fields.items():
        table.add_row(name, _values(field.annotation), _yaml(field.default), field.description or "")
    return table


def presets_table(game: Game) -> Table | None:
    """What each level switches on; None for a game without presets."""
    presets = game.options.PRESETS
    if not presets:
        return None
    table = Table("option", *presets, title=f"{game.title}: what each level sets", title_justify="left")
    for name in dict.fromkeys(name for preset in presets.values() for name in preset):
        default = game.options.model_fields[name].default
        table.add_row(name, *(_yaml(preset.get(name, default)) for preset in presets.values()))
    return table


def _values(kind: Any) -> str:
    """What an option takes, in words."""
    origin = typing.get_origin(kind)
    if origin is Literal:
        return ", ".join(_yaml(value) for value in typing.get_args(kind))
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_values(part) for part in typing.get_args(kind))
    words = {bool: "true, false", int: "whole number", float: "number", str: "text", type(None): "null"}
    return words.get(kind, str(kind))


def _yaml(value: Any) -> str:
    """A value as `--set` takes it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def actions_table(game: Game) -> Table:
    """Every action by its segment."""
    table = Table(title=f"{game.title}: actions", title_justify="left")
    table.add_column("numbers", justify="right", no_wrap=True)
    table.add_column("names")
    for start, shape in game.actions.segments.values():
        size = 1
        for length in shape:
            size *= length
        numbers = str(start) if size == 1 else f"{start} to {start + size - 1}"
        table.add_row(numbers, ", ".join(game.actions.names[start : start + size]))
    return table


def observation_table(game: Game, encoder: str) -> Table:
    """Where everything stands in an observation."""
    features = game.encoder(encoder).features
    table = Table(title=f"{game.title}: observation {encoder!r}, {len(features)} numbers", title_justify="left")
    table.add_column("places", justify="right", no_wrap=True)
    table.add_column("feature")
    table.add_column("range", no_wrap=True)
    table.add_column("meaning")
    for feature in features:
        start = features.start(feature.name)
        places = str(start) if feature.size == 1 else f"{start} to {start + feature.size - 1}"
        about = feature.about + (f": {', '.join(feature.labels)}" if feature.labels else "")
        table.add_row(places, feature.name, f"{feature.low:g} to {feature.high:g}", about)
    return table
