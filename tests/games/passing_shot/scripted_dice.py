"""Matches of Passing Shot whose dice are written down."""

from typing import Any

from tennis_envs import Match
from tennis_envs.games.passing_shot.state import PHASES
from tennis_envs.games.passing_shot.text import dice


def start(*rolls: str, **options: Any) -> Match:
    """A match of one point that player 0 serves, with these rolls to come; veteran level unless options say more."""
    options = {"level": "veteran", "format": "point", "first_server": "player_0", "surface": "clay", **options}
    surfaces = Match("passing_shot", seed=0, **options).options.surfaces
    match = Match("passing_shot", tape=_tape(surfaces, rolls), **options)
    assert match.tape == [], "not every roll was thrown"
    return match


def play(match: Match, action: str, *rolls: str) -> Match:
    """Take a decision; these rolls follow it, no more and no fewer."""
    match.tape = _tape(match.options.surfaces, rolls)
    match.apply(action)
    assert match.tape == [], "not every roll was thrown"
    return match


def _tape(surfaces: bool, rolls: tuple[str, ...]) -> list[int]:
    return [outcome for roll in rolls for outcome in dice(roll, surfaces=surfaces)]


def put(match: Match, **fields: Any) -> Match:
    """Write to the state or its score: `dice=(3, 5)`, `games=(6, 6)`, and so on."""
    for name, value in fields.items():
        owner = match.state if name in match.state.dtype.names else match.state.score
        owner[name] = value
    match.refresh()
    return match


def legal(match: Match) -> set[str]:
    """The names of the legal actions."""
    return {match.action_name(action) for action in match.legal_actions()}


def phase(match: Match) -> str:
    """What is being decided."""
    return PHASES[match.state.phase]


def rally(need: str = "B B B N O", serve: str = "B B O O N", **options: Any) -> Match:
    """The serve is returned by the roll `need`, and the server is to strike."""
    match = start(serve, need, **options)
    assert (match.seat, phase(match)) == (0, "stroke")
    return match
