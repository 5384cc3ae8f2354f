"""A person against an opponent, in the terminal."""

from __future__ import annotations

from collections.abc import Callable

from rich.columns import Columns
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tennis_envs.cli.hint import worth_of_actions
from tennis_envs.cli.words import show_position, tell_decision, tell_end
from tennis_envs.match import Match
from tennis_envs.opponents import Opponent, opponent

_HELP = (
    ("1, 2, …", "take the action with that number"),
    ("its name", "the same; the first letters do, if only one action begins so"),
    ("Enter", "take the only action there is"),
    ("h", "hint: what each action is worth, and what the scripted player would do"),
    ("p", "show the position again"),
    ("?", "this help"),
    ("q", "quit; a log is kept"),
)


class QuitError(Exception):
    """The person has had enough."""


def play(console: Console, match: Match, me: int, others: Opponent, apply: Callable[[int], None]) -> None:
    """Play `match` from seat `me`; `apply` takes (and perhaps logs) each decision. QuitError if the person leaves."""
    console.print(Text(f"You are seat {me}. Type a number; ? for help, h for a hint, q to quit.", "dim"))
    while not (match.over or match.truncated):
        before = match.clone()
        if match.seat == me:
            show_position(console, match, me)
            action = _ask(console, match)
        else:
            action = others.act(match)
        apply(action)
        tell_decision(console, before, match, action, me, me)
    show_position(console, match, me)
    tell_end(console, match, me)


def _ask(console: Console, match: Match) -> int:
    """The person's action."""
    legal = match.legal_actions()
    _show_actions(console, match)
    while True:
        try:
            answer = console.input("[bold]>[/bold] ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            console.print()
            raise QuitError from None
        if answer == "q":
            raise QuitError
        if answer == "?":
            _show_help(console)
        elif answer == "h":
            _show_hint(console, match)
        elif answer == "p":
            show_position(console, match, match.seat)
            _show_actions(console, match)
        else:
            found = _chosen(match, legal, answer)
            if isinstance(found, int):
                return found
            console.print(Text(found, "yellow"))


def _show_actions(console: Console, match: Match) -> None:
    names = map(match.action_name, match.legal_actions())
    labels = [Text.assemble((str(key), "bold cyan"), f" {name}") for key, name in enumerate(names, start=1)]
    console.print(Columns(labels, padding=(0, 3)))


def _chosen(match: Match, legal: list[int], answer: str) -> int | str:
    """The action that an answer means, or what is wrong with the answer."""
    if answer == "":
        return legal[0] if len(legal) == 1 else "Type the number of an action, or ? for help."
    if answer.isascii() and answer.isdigit():
        key = int(answer)
        return legal[key - 1] if 1 <= key <= len(legal) else f"The numbers are 1 to {len(legal)}."
    names = {match.action_name(action).lower(): action for action in legal}
    if answer in names:
        return names[answer]
    begin = [name for name in names if name.startswith(answer)]
    if len(begin) == 1:
        return names[begin[0]]
    if begin:
        return f"That can mean {', '.join(begin)}."
    return f"No action here is called {answer!r}; ? is for help."


def _show_help(console: Console) -> None:
    table = Table(box=None, show_header=False, padding=(0, 2))
    for key, meaning in _HELP:
        table.add_row(Text(key, "bold cyan"), meaning)
    table.add_row("", "tennis-envs rules GAME prints the rules, with --actions the names of all actions")
    console.print(table)


def _show_hint(console: Console, match: Match) -> None:
    name = "scripted" if "scripted" in match.game.players else "random"
    guide = opponent(name, game=match.game, seed=0, **match.options.model_dump())
    with console.status("thinking"):
        found = worth_of_actions(match, guide)
        choice = guide.act(match)
    scripted = name == "scripted"
    table = Table(box=None, padding=(0, 2))
    table.add_column("", justify="right")
    table.add_column("action")
    table.add_column("wins the point", justify="right")
    table.add_column("95 % interval", justify="right")
    table.add_column("")
    for key, worth in enumerate(found, start=1):
        row = [Text(str(key), "bold cyan"), match.action_name(worth.action), "", ""]
        if worth.result.matches:
            low, high = worth.result.interval
            row[2:] = [f"{worth.result.rate:.0%}", f"{low:.0%} to {high:.0%}"]
        table.add_row(*row, Text("the scripted player's choice" if scripted and worth.action == choice else "", "green"))
    console.print(table)
    how = "like the scripted player" if scripted else "at random"
    console.print(Text(f"The point played out, everybody {how}; what you cannot see is dealt anew each time.", "dim"))
