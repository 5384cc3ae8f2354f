"""What an action is worth, found by playing the point to its end many times."""

from __future__ import annotations

import time
from dataclasses import dataclass

from tennis_envs.arena import Result
from tennis_envs.cli.words import lead
from tennis_envs.match import Match
from tennis_envs.opponents import Opponent

_SECONDS = 1.0
_TRIES = 1000
_LONGEST = 300  # decisions of one try
_NOTHING = Result(0, 0)


@dataclass
class Worth:
    """How often the point was won after an action."""

    action: int
    result: Result = _NOTHING


def worth_of_actions(match: Match, guide: Opponent, seconds: float = _SECONDS, tries: int = _TRIES) -> list[Worth]:
    """For each legal action, how often its seat wins the point if everybody then plays like `guide`.

    What the seat cannot know is dealt anew for every try, so nothing secret shows; all actions meet the same deals.
    """
    seat = match.seat
    found = [Worth(action) for action in match.legal_actions()]
    deadline = time.monotonic() + seconds
    for deal in range(tries):
        for worth in found:
            future = match.clone()
            future.redeal(seat, seed=deal)
            gain = _play_point(future, worth.action, guide)
            if gain != 0:
                worth.result += Result(1, int((gain > 0) == (seat % 2 == 0)))
        if time.monotonic() > deadline:
            break
    return found


def _play_point(match: Match, action: int, guide: Opponent) -> int:
    """Take `action` and play on until a point is won: by how much the lead of team 0 has grown, 0 if it never does."""
    before = lead(match)
    match.apply(action)
    for _ in range(_LONGEST):
        if match.over or lead(match) != before:
            break
        match.apply(guide.act(match))
    return lead(match) - before
