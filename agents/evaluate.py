"""The table at the end of a training run, and the agent's card."""

from __future__ import annotations

import functools
import json
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import tennis_envs
from agents.config import TrainConfig, find
from tennis_envs.arena import Result, play_matches
from tennis_envs.core.game import Game
from tennis_envs.opponents import Opponent, ScriptedOpponent, opponent
from tennis_envs.opponents.trained import PolicyOpponent

_PACKAGES = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium", "pettingzoo")


def evaluate(config: TrainConfig, agent: Opponent, first: Opponent) -> dict[str, Result]:
    """Matches against random, the scripted players and the agent's first checkpoint, seats mirrored, and alone.

    Alone against the automa, the scripted player's result stands beside the agent's.
    """
    options = config.match_options
    game = tennis_envs.game(config.game)
    others: dict[str, Opponent] = {name: opponent(name, game, seed=config.seed, **options) for name in ("random", *game.players)}
    if not isinstance(first, ScriptedOpponent):
        others["first checkpoint"] = first
    matches = config.evaluation.matches
    results = {}
    with Progress() as progress:
        task = progress.add_task("evaluating", total=matches * (len(others) + 2 * len(config.evaluation.solo)))

        def meet(first: Opponent, second: Opponent, options: dict[str, Any]) -> Result:
            tick = functools.partial(progress.advance, task)
            return play_matches(game, first, second, matches, seed=config.seed + 1, tick=tick, **options)

        for name, other in others.items():
            results[name] = meet(agent, other, options)
        for alone in config.evaluation.solo:
            told = ", ".join(str(value) for value in alone.values())
            options = config.solo_options(alone)
            automa = opponent("automa", game, **options)
            results[f"automa ({told})"] = meet(agent, automa, options)
            scripted = opponent("scripted", game, seed=config.seed, **options)
            results[f"scripted player against automa ({told})"] = meet(scripted, automa, options)
    return results


def measure(config: TrainConfig, agent: Opponent) -> dict[str, float]:
    """The further numbers that the configuration asks for."""
    return {name: find(path)(agent, **config.match_options) for name, path in config.evaluation.measures.items()}


def results_table(title: str, results: dict[str, Result]) -> Table:
    """The results as a table."""
    table = Table(title=title)
    for heading in ("against", "matches", "won", "95 % interval"):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    for name, result in results.items():
        low, high = result.interval
        table.add_row(name, str(result.matches), f"{result.rate:.1%}", f"{low:.1%} to {high:.1%}")
    return table


def write_agent(
    folder: Path,
    config: TrainConfig,
    agent: PolicyOpponent | ScriptedOpponent,
    results: dict[str, Result],
    training: dict[str, Any],
) -> None:
    """The agent's folder: weights and card. An agent that stands there is replaced only once the new one is written."""
    folder.mkdir(parents=True, exist_ok=True)
    game = tennis_envs.game(config.game)
    card = {
        "game": config.game,
        "version": game.version,
        "name": config.name,
        **({"player": agent.player} if isinstance(agent, ScriptedOpponent) else _views(game, agent.encoder)),
        "options": game.parse(**config.match_options).model_dump(),
        "config": json.loads(config.model_dump_json()),
        "seed": config.seed,
        **training,
        "results": {
            name: {"matches": r.matches, "won": round(r.rate, 4), "interval": [round(x, 4) for x in r.interval]}
            for name, r in results.items()
        },
        "versions": {
            "tennis-envs": tennis_envs.__version__,
            "python": platform.python_version(),
            **{name: version(name) for name in _PACKAGES},
        },
    }
    agent.save(folder / "weights.partial.npz")
    (folder / "card.partial.json").write_text(json.dumps(card, indent=1) + "\n")
    (folder / "weights.partial.npz").replace(folder / "weights.npz")
    (folder / "card.partial.json").replace(folder / "card.json")


def _views(game: Game, encoder: str) -> dict[str, Any]:
    """What a network reads, so that it is understood when features move."""
    return {"encoder": encoder, "features": game.encoder(encoder).features.sizes}


def show(config: TrainConfig, results: dict[str, Result], console: Console) -> None:
    """Print the table."""
    told = ", ".join(f"{key} {value}" for key, value in config.match_options.items())
    console.print(results_table(f"{config.game}: {config.name} ({told or 'default options'})", results))
