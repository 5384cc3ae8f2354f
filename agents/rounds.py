"""A long run in rounds: its progress shown, saved every minute, and stopped without loss."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

_SECONDS_BETWEEN_CHECKPOINTS = 60


def follow(game: str, rounds: Iterator[tuple[str, float]], save: Callable[[], None], done: float) -> None:
    """Go through `rounds`, each of which tells how it goes and how much is done, 0 to 1; `done` is so at the beginning.

    Ctrl-C saves and raises KeyboardInterrupt.
    """
    saved = time.monotonic()
    columns = (
        TextColumn("training {task.fields[game]}"),
        BarColumn(),
        TextColumn("{task.percentage:.0f} %  {task.fields[note]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns) as progress:
        task = progress.add_task("", total=1.0, completed=done, game=game, note="")
        try:
            for note, so_far in rounds:
                progress.update(task, completed=so_far, note=note)
                if time.monotonic() - saved > _SECONDS_BETWEEN_CHECKPOINTS:
                    save()
                    saved = time.monotonic()
        except KeyboardInterrupt:
            save()
            raise
    save()
