"""Tables and progress on the terminal: with rich where it is installed, else plain tables and no progress."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any


def in_progress(things: Sequence[Any], title: str) -> Iterator[Any]:
    """The same things, one after the other; on stderr, how many are done. Nothing is drawn while one is at work."""
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ImportError:
        yield from things
        return
    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as progress:
        task = progress.add_task(title, total=len(things))
        for thing in things:
            yield thing
            progress.update(task, advance=1, refresh=True)


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table; all but the first column to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    try:
        from rich.console import Console
        from rich.table import Table
    except ImportError:
        widths = [max(len(row[i]) for row in [list(columns), *cells]) for i in range(len(columns))]
        print(f"\n{title}")
        for row in [list(columns), *cells]:
            first, *others = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            print("  ".join([first, *(cell.strip().rjust(len(cell)) for cell in others)]))
        return
    table = Table(title=title, title_justify="left", title_style="bold")
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i else "left", overflow="fold")
    for row in cells:
        table.add_row(*row)
    console = Console()
    console.print(table) if console.is_terminal else Console(width=160).print(table)
