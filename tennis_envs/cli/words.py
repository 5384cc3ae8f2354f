"""What the commands say about a match."""

from __future__ import annotations

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from tennis_envs.match import Match


def seat_name(match: Match, seat: int, me: int | None = None) -> str:
    """A seat as the player in seat `me` calls it, or as everybody does."""
    if me is None:
        return f"player_{seat}"
    if seat == me:
        return "you"
    role = "opponent" if seat % 2 != me % 2 else "partner"
    return role if match.seats == 2 else f"{role} (seat {seat})"


def team_name(match: Match, team: int, me: int | None = None) -> str:
    """Team 0 or 1 in the same way."""
    if match.seats == 1:
        return ("you" if me is not None else "player_0") if team == 0 else "the computer player"
    if me is None:
        return " and ".join(seat_name(match, seat) for seat in range(team, match.seats, 2))
    ours = "you" if match.seats == 2 else "your team"
    theirs = "the opponent" if match.seats == 2 else "the other team"
    return ours if team == me % 2 else theirs


def show_position(console: Console, match: Match, view: int) -> None:
    """The position as seat `view` sees it, in a frame."""
    console.print(Panel(Text(match.describe(view)), title=match.game.title, title_align="left", border_style="green"))


def lead(match: Match) -> int:
    """Points won by team 0 less those won by team 1."""
    return int(match.state["lead"])


def tell_decision(console: Console, before: Match, after: Match, action: int | str, view: int, me: int | None) -> None:
    """One decision and what it brought, as seat `view` sees it."""
    names = [seat_name(before, seat, me) for seat in range(before.seats)]
    first, *rest = before.narrate(action, after.outcomes, view, names)
    if me is None:
        console.print(Text.assemble((f"{after.decisions:4d}. ", "dim"), (first, "bold")))
    else:
        console.print(Text(first[0].upper() + first[1:], "bold"))
    for line in rest:
        console.print(Text(f"      {line}", "cyan" if line.startswith("point to") else ""))


def tell_changes(console: Console, before: str, after: str) -> None:
    """The lines of a position that are new."""
    old = set(before.splitlines())
    for line in after.splitlines():
        if line not in old:
            console.print(Text(f"  {line}", "dim"))


def tell_end(console: Console, match: Match, me: int | None = None) -> None:
    """How the match ended, or that it did not."""
    if match.truncated:
        console.print(f"The match is cut off after {match.decisions} decisions; nobody has won.")
    elif match.winner is not None:
        name = team_name(match, match.winner, me)
        verb = "win" if name == "you" or " and " in name else "wins"
        name = name if me is None else name[0].upper() + name[1:]
        console.print(Text(f"{name} {verb} the match.", "bold"))
