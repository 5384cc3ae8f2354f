"""Knock-out tournaments of TC Tennis champions (its rule R41): winners go on, and so do their injuries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tennis_envs.games.tc_tennis.components import SURFACES, load_components
from tennis_envs.match import Match
from tennis_envs.opponents import Opponent

SIZES = (4, 8, 16)
ROUNDS = {2: "final", 4: "semifinal", 8: "quarterfinal", 16: "first round"}  # by champions left


@dataclass(frozen=True)
class Played:
    """One match of a draw."""

    round: str
    champions: tuple[str, str]
    winner: str
    surface: str
    sets: tuple[int, int]
    injuries: tuple[int, int]
    """Levels of injury after the match, in the order of `champions`."""


@dataclass(frozen=True)
class Tournament:
    """A whole draw."""

    draw: tuple[str, ...]
    matches: tuple[Played, ...]

    @property
    def winner(self) -> str:
        """The champion of champions."""
        return self.matches[-1].winner

    def __str__(self) -> str:
        lines = []
        for played in self.matches:
            one, two = played.champions
            score = f"{played.sets[0]}-{played.sets[1]}"
            lines.append(f"{played.round}: {one} v {two} on {played.surface}: {score}, {played.winner}")
        return "\n".join(lines)


def draw_champions(size: int, seed: int | None = None, components: str | None = None) -> list[str]:
    """Champions for a draw, at random; ValueError for a size that is no draw."""
    if size not in SIZES:
        raise ValueError(f"a draw cannot have {size} champions: it has {', '.join(map(str, SIZES))}.")
    names = [champion.name for champion in load_components(components).champion]
    return [str(name) for name in np.random.default_rng(seed).choice(names, size, replace=False)]


def play_tournament(
    champions: Sequence[str],
    players: Opponent | Mapping[str, Opponent],
    *,
    seed: int | None = None,
    tick: Callable[[Played], None] | None = None,
    **options: Any,
) -> Tournament:
    """Play a knock-out of 4, 8 or 16 different champions, neighbours in `champions` first.

    `players` is who plays all champions, or an opponent for each by name. `options` are those of the matches (the
    Tournament game, best of three, on `surface`); the lesser grade of a split stamina rating counts until the
    semifinal (R34), and a winner carries his injury into the next match (R36). `tick` is called after every match.
    """
    names = list(champions)
    if len(names) not in SIZES or len(set(names)) < len(names):
        raise ValueError(
            f"a draw is of {', '.join(map(str, SIZES))} different champions, not of {len(names)}: {', '.join(names)}."
        )
    for own in ("champion_0", "champion_1", "injury_0", "injury_1", "stage", "level"):
        if own in options:
            raise ValueError(f"the option {own!r} is the tournament's own.")
    by_name = players if isinstance(players, Mapping) else dict.fromkeys(names, players)
    missing = [name for name in names if name not in by_name]
    if missing:
        raise ValueError(f"nobody plays {', '.join(missing)}.")
    seeds = np.random.SeedSequence(seed).generate_state(len(names) - 1).tolist()
    injuries = dict.fromkeys(names, 0)
    matches: list[Played] = []
    left = names
    while len(left) > 1:
        stage = "late" if len(left) <= 4 else "early"
        winners = []
        for one, two in zip(left[::2], left[1::2], strict=True):
            match = Match(
                "tc_tennis", seed=seeds[len(matches)], level="tournament", stage=stage, champion_0=one, champion_1=two,
                injury_0=injuries[one], injury_1=injuries[two], **options,
            )  # fmt: skip
            played = _play(match, ROUNDS[len(left)], (one, two), by_name)
            injuries[one], injuries[two] = played.injuries
            matches.append(played)
            winners.append(played.winner)
            if tick is not None:
                tick(played)
        left = winners
    return Tournament(tuple(names), tuple(matches))


def _play(match: Match, round: str, champions: tuple[str, str], players: Mapping[str, Opponent]) -> Played:
    """One match to its end; one that is cut off goes to the player with more sets, or momentum."""
    while not (match.over or match.truncated):
        match.apply(players[champions[match.seat]].act(match))
    state = match.state
    ahead = (int(state.sets[0]) - int(state.sets[1]), int(state.momentum))
    winner = match.winner if match.over else int(ahead < (0, 0))
    return Played(
        round, champions, champions[winner], SURFACES[int(state.surface)],
        (int(state.sets[0]), int(state.sets[1])), (int(state.injury[0]), int(state.injury[1])),
    )  # fmt: skip
