"""What the reference edition of TC Tennis must show, by scripted play: `python -m benchmarks.tc_tennis_measures`.

Every figure has its 95 % interval (Wilson), and the bounds that it should keep to.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import tennis_envs
from benchmarks.tables import print_table
from tennis_envs import MatchBatch
from tennis_envs.arena import Result, play_matches
from tennis_envs.games.tc_tennis.actions import CARD, CHALLENGE
from tennis_envs.games.tc_tennis.components import KINDS, SURFACES, load_components
from tennis_envs.games.tc_tennis.state import BONUS, END_SET, EXTRA, TIEBREAK, TURN

EQUAL = {"champion_0": "Rod Laver", "champion_1": "Rod Laver", "surface": "hard"}


@dataclass
class Tally:
    """What some matches brought."""

    ends: list[np.void] = field(default_factory=list)
    sets: int = 0
    tiebreaks: int = 0
    endless: int = 0
    """Tie-breaks that ran through all seven strokes."""
    challenged: int = 0
    """Sets with a challenge."""
    end_sets: Counter[int] = field(default_factory=Counter)
    """End Set cards played by a player who was ahead (1), level (0) or behind (-1)."""
    legal: np.ndarray = field(default_factory=lambda: np.zeros(0))
    taken: np.ndarray = field(default_factory=lambda: np.zeros(0))
    longest: int = 0


def play(matches: int, seed: int, player: str = "scripted", **options: Any) -> Tally:
    """Matches of a player against itself."""
    rows = min(matches, 256)
    batch = MatchBatch("tc_tennis", rows, seed=seed, **options)
    rules = batch.match(0).rules
    end_set = np.zeros(len(batch.game.actions), bool)
    end_set[CARD : CARD + KINDS] = rules.kind == END_SET
    tally = Tally(legal=np.zeros(len(end_set)), taken=np.zeros(len(end_set)))
    challenged = np.zeros(rows, bool)
    everyone = np.arange(rows)
    while len(tally.ends) < matches:
        states, mask = batch.states, batch.action_mask
        lead = states["momentum"].astype(int) * (1 - 2 * batch.seat.astype(int))
        own_turn = np.isin(states["phase"], (TURN, BONUS, EXTRA))
        tiebreak, sets = states["common"][:, TIEBREAK].copy(), states["sets"].sum(axis=1)
        resolved = states["resolved"][:, 0].copy()
        tally.legal += mask.sum(axis=0)
        actions = batch.random_actions() if player == "random" else batch.player_actions(player)
        tally.taken += np.bincount(actions, minlength=len(end_set))
        for sign in np.sign(lead[own_turn & end_set[actions]]).tolist():
            tally.end_sets[int(sign)] += 1
        challenged |= actions == CHALLENGE
        decisions = batch.decisions + 1
        batch.step(actions)
        done, after = batch.done, batch.states
        set_over = done | (after["sets"].sum(axis=1) > sets)
        tally.sets += int(set_over.sum())
        tally.challenged += int((set_over & challenged).sum())
        challenged[set_over] = False
        tally.tiebreaks += int((~set_over & (after["common"][:, TIEBREAK] > tiebreak)).sum())
        again = (
            (tiebreak == 1) & (after["common"][:, TIEBREAK] == 1) & ~set_over & (resolved != 0) & (after["resolved"][:, 0] == 0)
        )
        tally.endless += int(again.sum())
        for row in everyone[done]:
            tally.ends.append(batch.final_states[row].copy())
            tally.longest = max(tally.longest, int(decisions[row]))
    return tally


def shares(tally: Tally) -> dict[str, Result]:
    """Results of the Favourite, by the gap of Overall."""
    overall = np.array([champion.overall for champion in load_components().champion])
    found: dict[int, list[int]] = {}
    for end in tally.ends:
        gap = abs(int(overall[end["champion"][0]]) - int(overall[end["champion"][1]]))
        found.setdefault(gap, []).append(int(end["winner"] == end["favourite"]))
    return {gap: Result(len(wins), sum(wins)) for gap, wins in sorted(found.items())}


def favoured(tally: Tally, surface: str, quality: Any) -> Result:
    """How often the player with more of a quality wins on a surface, between champions of the same Overall."""
    components = load_components()
    court = SURFACES.index(surface)
    values = [quality(champion.court(court)) for champion in components.champion]
    overall = [champion.overall for champion in components.champion]
    matches = wins = 0
    for end in tally.ends:
        one, two = (int(champion) for champion in end["champion"])
        if end["surface"] == court and values[one] != values[two] and abs(overall[one] - overall[two]) <= 1:
            matches += 1
            wins += int(end["winner"] == (0 if values[one] > values[two] else 1))
    return Result(matches, wins)


def _row(name: str, result: Result, low: float, high: float) -> tuple[str, str, str, str, str]:
    ok = low <= result.rate <= high
    return name, str(result), f"{low:.1%} to {high:.1%}", str(result.matches), "yes" if ok else "NO"


def main() -> None:
    """Print every measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    n, seed = given.matches, given.seed
    rows = []
    equal = play(n, seed, **EQUAL)
    first = Result(len(equal.ends), sum(int(end["winner"] == 0) for end in equal.ends))
    rows.append(_row("equals: seat 0 wins", first, 0.4, 0.6))
    began = Result(len(equal.ends), sum(int(end["winner"] != end["favourite"]) for end in equal.ends))
    rows.append(_row("equals: who begins the first set wins", began, 0.4, 0.6))
    rows.append(_row("equals: sets with a tie-break", Result(equal.sets, equal.tiebreaks), 0.15, 0.30))
    rows.append(
        _row("equals: tie-breaks through all seven strokes, a match", Result(len(equal.ends), equal.endless), 0.005, 0.05)
    )
    rows.append(_row("equals: sets with a challenge", Result(equal.sets, equal.challenged), 0.5, 1.0))
    ahead, played = equal.end_sets[1], sum(equal.end_sets.values())
    rows.append(_row("equals: End Set cards played by who is ahead", Result(played, ahead), 0.5, 1.0))
    single = play(n, seed + 1, **EQUAL, format="set")
    began = Result(len(single.ends), sum(int(end["winner"] != end["favourite"]) for end in single.ends))
    rows.append(_row("equals: who begins wins a set", began, 0.4, 0.6))

    wide = play(2 * n, seed + 2)
    gaps = shares(wide)
    for gap in (1, 2, 3):
        if gap in gaps:
            rows.append(_row(f"the Favourite by {gap} wins", gaps[gap], 0.55, 0.75 if gap < 3 else 0.85))
    rising = all(gaps[a].rate < gaps[a + 1].rate for a in (1, 2) if a in gaps and a + 1 in gaps)
    rows.append(("the larger the gap the more", "", "rising", "", "yes" if rising else "NO"))

    def defence(court: Any) -> float:
        return -"ABCD".index(court.defense)

    def attack(court: Any) -> float:
        return sum(court.halves[i] for i in (0, 1, 4, 5))

    clay, grass = play(n, seed + 3, surface="clay"), play(n, seed + 4, surface="grass")
    results = {
        ("clay", "DEF"): favoured(clay, "clay", defence), ("grass", "DEF"): favoured(grass, "grass", defence),
        ("clay", "serve and volley"): favoured(clay, "clay", attack),
        ("grass", "serve and volley"): favoured(grass, "grass", attack),
    }  # fmt: skip
    rows.append(_row("on clay the better DEF wins", results["clay", "DEF"], 0.5, 1.0))
    rows.append(_row("on grass the better DEF wins", results["grass", "DEF"], 0.0, results["clay", "DEF"].rate))
    rows.append(_row("on grass the better serve and volley wins", results["grass", "serve and volley"], 0.5, 1.0))
    rows.append(_row("on clay it wins", results["clay", "serve and volley"], 0.0, results["grass", "serve and volley"].rate))

    scripted, random = (tennis_envs.opponent(name, game="tc_tennis", seed=seed) for name in ("scripted", "random"))
    rows.append(
        _row(
            "equals: scripted beats random",
            play_matches("tc_tennis", scripted, random, n, seed=seed, **EQUAL),
            0.9,
            1.0,
        )
    )
    rows.append(
        _row(
            "random champions: scripted beats random",
            play_matches("tc_tennis", scripted, random, n, seed=seed),
            0.9,
            1.0,
        )
    )
    print_table("TC Tennis, reference edition 1", ("measure", "share and 95 % interval", "bounds", "cases", "holds"), rows)

    lengths = []
    for level, options in {
        "training": {"level": "training"},
        "standard": {"level": "standard"},
        "tournament": {"level": "tournament", "format": "best_of_5"},
    }.items():  # fmt: skip
        for player in ("scripted", "random"):
            tally = play(max(256, n // 4), seed + 5, player, **options)
            mean = tally.taken.sum() / len(tally.ends)
            lengths.append((level, player, len(tally.ends), f"{mean:.0f}", tally.longest))
    print_table("Decisions a match", ("game", "player", "matches", "mean", "longest"), lengths)

    names = tennis_envs.game("tc_tennis").actions.names
    often = equal.legal > 0.002 * equal.legal.max()
    share = equal.taken / np.maximum(1, equal.legal)
    odd = [
        (names[a], f"{share[a]:.1%}", int(equal.legal[a]))
        for a in np.argsort(share)
        if often[a] and (share[a] > 0.6 or share[a] < 0.01)
    ]
    print_table(
        "Actions that the scripted player takes over 60 % or under 1 % of their chances",
        ("action", "taken", "chances"),
        odd,
    )
    assert math.isfinite(share.sum())


if __name__ == "__main__":
    main()
