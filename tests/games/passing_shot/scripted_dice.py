"""Matches of Passing Shot whose dice are written down."""

from typing import Any

from tennis_envs import Match
from tennis_envs.games.passing_shot.text import dice


def start(*rolls: str, **options: Any) -> Match:
    """A match of one point that player 0 serves, with these rolls to come; veteran level unless options say more."""
    options = {"level": "veteran", "format": "point", "first_server": "player_0", "surface": "clay", **options}
    probe = Match("passing_shot", seed=0, **options)
    match = Match("passing_shot", tape=_tape(probe, rolls), **options)
    assert match.tape == [], "not every roll was thrown"
    return match


def play(match: Match, action: str, *rolls: str) -> Match:
    """Take a decision; these rolls follow it, no more and no fewer."""
    match.tape = _tape(match, rolls)
    match.apply(action)
    assert match.tape == [], "not every roll was thrown"
    return match


def _tape(match: Match, rolls: tuple[str, ...]) -> list[int]:
    return [outcome for roll in rolls for outcome in dice(roll, surfaces=match.options.surfaces)]


def legal(match: Match) -> set[str]:
    """The names of the legal actions."""
    return {match.action_name(action) for action in match.legal_actions()}


def phase(match: Match) -> str:
    """What is being decided."""
    from tennis_envs.games.passing_shot.state import PHASES

    return PHASES[match.state.phase]


def rally(need: str = "B B B N O", **options: Any) -> Match:
    """The serve is returned by the roll `need`, and the server is to strike."""
    match = start("B B O O N", need, **options)
    assert (match.seat, phase(match)) == (0, "stroke")
    return match
