"""Train an agent: `python train.py configs/passing_shot.yaml [--set ppo.learning_rate=0.0005] [--fresh]`."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

for library in ("OPENBLAS", "MKL", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")  # small matrices are many times slower with threads

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

try:
    import typer
    from rich.console import Console

    from agents.config import ConfigError, load_config
    from agents.evaluate import evaluate, measure, show, write_agent
    from agents.trainer import Training
    from agents.tuning import Tuning
except ImportError as error:
    sys.exit(f'training needs more packages ({error.name} is missing): pip install "tennis-envs[cli,train]"')


def main(
    config_file: Annotated[Path, typer.Argument(metavar="CONFIG", help="a file of configs/")],
    changes: Annotated[list[str] | None, typer.Option("--set", help="change a setting: key=value")] = None,
    fresh: Annotated[bool, typer.Option(help="forget an unfinished run and begin anew")] = False,
    runs: Annotated[Path, typer.Option(help="where unfinished runs are kept")] = HERE / "runs",
    out: Annotated[Path, typer.Option(help="where finished agents go")] = HERE / "agents" / "trained",
) -> None:
    """Train by self-play, evaluate, save the agent and its card. Ctrl-C keeps what was learned; call again to go on."""
    console = Console()
    try:
        config = load_config(config_file, changes)
        run = runs / config.game / config.name
        if fresh and run.exists():
            shutil.rmtree(run)
        training = (Tuning if config.tune.matches else Training)(config, run)
    except (ConfigError, ValueError) as error:
        console.print(f"[red]{error}[/red]", highlight=False)
        raise typer.Exit(2) from None
    if training.seconds:
        console.print(f"going on with the run in {run} ({training.told} so far)", highlight=False)
    try:
        training.run()
    except KeyboardInterrupt:
        console.print(f"stopped; saved in {run}. The same command goes on from there.", highlight=False)
        raise typer.Exit(130) from None
    agent = training.agent()
    results = evaluate(config, agent, training.first())
    measures = {name: round(value, 5) for name, value in measure(config, agent).items()}
    folder = out / config.game / config.name
    write_agent(folder, config, agent, results, {**training.facts, "measures": measures})
    shutil.rmtree(run)
    show(config, results, console)
    for name, value in measures.items():
        console.print(f"{name}: {value}", highlight=False)
    console.print(f"learned from {training.told}, {training.seconds:.0f} seconds in all", highlight=False)
    console.print(f"saved in {folder}", highlight=False)
    console.print(f"play against it: tennis-envs play {config.game} --opponent trained/{config.name}", highlight=False)


if __name__ == "__main__":
    typer.run(main)
