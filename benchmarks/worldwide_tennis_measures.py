"""What the reference edition of Worldwide Tennis must show when it is played, on each surface, with 95 % intervals.

    python -m benchmarks.worldwide_tennis_measures
    python -m benchmarks.worldwide_tennis_measures --player trained/advanced --points 50000 --only clay hard

The named player plays both sides. Where a measure compares two choices, a few decisions are taken by lot, so that the
two are compared in like positions; these are "going to the net", winners, drop shots and lobs.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.tables import print_table
from tennis_envs.arena import Result, play_matches
from tennis_envs.batch import MatchBatch
from tennis_envs.games.worldwide_tennis import GAME
from tennis_envs.games.worldwide_tennis.actions import ACTIONS, GO_TO_NET, PLAY, SERVE, STARS, STAY
from tennis_envs.games.worldwide_tennis.components import KINDS, SERVES, STROKES, SURFACES
from tennis_envs.games.worldwide_tennis.options import box
from tennis_envs.games.worldwide_tennis.rules.bits import size
from tennis_envs.games.worldwide_tennis.state import (
    NET,
    NO_CARD,
    POSITION,
    SERVING,
    SPINNING,
    STARRING,
    STROKE,
    rules_record,
)
from tennis_envs.opponents import opponent

ROWS = 512
HARD = 4  # the least difficulty of a stroke that counts as difficult before a winner
VOLLEYS, FEW = 3, 1  # cards for the net in a hand of volleys, and at most in a hand of baseline strokes
BY_LOT = {
    "winner": 0.05,
    "drop_shot": 0.1,
    "drop_volley": 0.1,
    "lob": 0.3,
}  # how often a stroke of a kind is played by lot
NET_BY_LOT = 0.2

# What is counted for the seat that did it, to be compared with who won the point.
EVENTS = (
    "stroke", "drop shot", "lob", "first serve in", "second serve in", "net, volleys", "stay, volleys", "net, baseline",
    "stay, baseline",
)  # fmt: skip
(STRUCK, DROPPED, LOBBED, FIRST_IN, SECOND_IN, NET_V, STAY_V, NET_B, STAY_B) = range(len(EVENTS))


class Counts:
    """What some thousand points were like."""

    def __init__(self) -> None:
        self.points = self.aces = self.strokes = self.strokes_squared = self.no_card = self.server_won = 0
        self.matches = self.seat_0 = 0
        self.serves = np.zeros((2, 2), np.int64)  # [first or second, missed or in]
        self.chosen = np.zeros((2, SERVES), np.int64)  # [first or second, serve]
        self.winners = np.zeros((3, 2), np.int64)  # [difficult strokes before: 0, 1, 2 and more; missed or scored]
        self.done, self.won = np.zeros(len(EVENTS), np.int64), np.zeros(len(EVENTS), np.int64)
        self.played = np.zeros((2, STROKES), np.int64)
        self.taken, self.legal = np.zeros(len(ACTIONS), np.int64), np.zeros(len(ACTIONS), np.int64)

    def share(self, event: int) -> Result:
        """How often whoever did something won the point."""
        return Result(int(self.done[event]), int(self.won[event]))


def play_points(player: str, points: int, seed: int, **options: Any) -> Counts:
    """Play so many points, the same player on both sides, and count."""
    counts = Counts()
    batch = MatchBatch(GAME, ROWS, seed=seed, **options)
    who = opponent(player, GAME, seed=seed, **options)
    luck = np.random.default_rng(seed)
    tables = rules_record(batch.options)[0]["deck"]
    pending = np.zeros((ROWS, 2, len(EVENTS)), np.int64)
    strokes, hard = np.zeros(ROWS, np.int64), np.zeros(ROWS, np.int64)
    rows = np.arange(ROWS)
    while counts.points < points:
        before = np.array(batch.states)
        seat = batch.seat.astype(np.int64)
        actions = who.act_batch(batch, rows.astype(np.int32)).copy()
        _by_lot(before, batch.action_mask, tables, seat, actions, luck, pending, rows)
        counts.taken += np.bincount(actions, minlength=len(ACTIONS))
        counts.legal += (batch.action_mask > 0).sum(axis=0)
        struck = (actions >= PLAY) & (actions < PLAY + STROKES)
        card = np.where(struck, actions - PLAY, before["card"])
        strokes += struck
        np.add.at(counts.played, (seat[struck], card[struck]), 1)
        pending[rows[struck], seat[struck], STRUCK] += 1
        kind = np.where(card >= 0, tables["kind"][seat, np.maximum(card, 0)], -1)
        for event, names in ((DROPPED, ("drop_shot", "drop_volley")), (LOBBED, ("lob",))):
            chosen = struck & np.isin(kind, [KINDS.index(name) for name in names])
            pending[rows[chosen], seat[chosen], event] += 1
        batch.step(actions)
        after = np.array(batch.states)
        after[batch.done] = batch.final_states[batch.done]
        gain = after["lead"].astype(np.int64) - before["lead"]
        over = gain != 0
        winner = np.where(gain > 0, 0, 1)
        _serves(counts, before, after, actions, over, winner, seat, pending, rows)
        serving = np.isin(before["phase"], (SERVING, SPINNING, STARRING)) & (before["ball"] == NO_CARD)
        serving &= (before["card"] >= STROKES) | (before["phase"] == SERVING)
        scored = over & (kind == KINDS.index("winner"))
        np.add.at(counts.winners, (np.minimum(hard[scored], 2), (winner == seat)[scored].astype(int)), 1)
        counts.aces += int((over & serving & (winner == seat)).sum())
        rolled = _missed(before, actions, struck, serving)
        want = over & ~serving & ~scored & ((winner == seat) | ~rolled)
        counts.no_card += int(want.sum())
        more = ~over & (after["strokes"] > before["strokes"])
        hard += more & (tables["difficulty"][seat, np.maximum(card, 0)] >= HARD)
        ended = rows[over]
        counts.points += len(ended)
        counts.strokes += int(strokes[over].sum())
        counts.strokes_squared += int((strokes[over] ** 2).sum())
        counts.server_won += int((winner == before["score"]["server"])[over].sum())
        counts.done += pending[ended].sum(axis=(0, 1))
        counts.won += pending[ended, winner[over]].sum(axis=0)
        pending[ended] = 0
        strokes[over] = hard[over] = 0
        counts.matches += int(batch.done.sum())
        counts.seat_0 += int((batch.final_states["winner"][batch.done] == 0).sum())
    return counts


def _missed(before: np.ndarray, actions: np.ndarray, struck: np.ndarray, serving: np.ndarray) -> np.ndarray:
    """Whether a decision was the last before a stroke's roll: a lost point is then a miss, else the want of a card."""
    stars = (before["phase"] == STARRING) & (actions >= STARS) & ~serving
    return struck | stars


def _by_lot(
    state: np.ndarray, mask: np.ndarray, tables: np.ndarray, seat: np.ndarray, actions: np.ndarray,
    luck: np.random.Generator, pending: np.ndarray, rows: np.ndarray,
) -> None:  # fmt: skip
    """Take a few decisions by lot: rare strokes, and whether to go to the net."""
    stroke = state["phase"] == STROKE
    for kind, chance in BY_LOT.items():
        cards = tables["kind"][0, :STROKES] == KINDS.index(kind)
        legal = mask[:, PLAY : PLAY + STROKES] * cards
        chosen = stroke & (legal.sum(axis=1) > 0) & (luck.random(len(rows)) < chance)
        actions[chosen] = PLAY + legal.argmax(axis=1)[chosen]
    choice = (state["phase"] == POSITION) & (mask[:, GO_TO_NET] == 1) & (luck.random(len(rows)) < NET_BY_LOT)
    go = luck.random(len(rows)) < 0.5
    actions[choice] = np.where(go, GO_TO_NET, STAY)[choice]
    held = state["hidden"][rows, seat] | state["shown"][rows, seat]
    for_net = np.array([size(cards) for cards in held & tables["playable"][0, NET, 0]])
    for wanted, event_go, event_stay in ((for_net >= VOLLEYS, NET_V, STAY_V), (for_net <= FEW, NET_B, STAY_B)):
        for event, chosen in ((event_go, choice & wanted & go), (event_stay, choice & wanted & ~go)):
            pending[rows[chosen], seat[chosen], event] += 1


def _serves(
    counts: Counts, before: np.ndarray, after: np.ndarray, actions: np.ndarray, over: np.ndarray, winner: np.ndarray,
    seat: np.ndarray, pending: np.ndarray, rows: np.ndarray,
) -> None:  # fmt: skip
    """Serves that were in or missed in this step."""
    serve = (before["ball"] == NO_CARD) & np.isin(before["phase"], (SERVING, SPINNING, STARRING))
    serve &= (before["card"] >= STROKES) | ((actions >= SERVE) & (actions < SERVE + SERVES))
    second = (before["fault"] != NO_CARD).astype(np.int64)
    choice = (actions >= SERVE) & (actions < SERVE + SERVES)
    np.add.at(counts.chosen, (second[choice], actions[choice] - SERVE), 1)
    missed = serve & ((~over & (after["fault"] != before["fault"])) | (over & (winner != seat)))
    inside = serve & ~missed & (over | (after["phase"] == POSITION))
    for good, which in ((0, missed), (1, inside)):
        np.add.at(counts.serves, (second[which], good), 1)
    for number, event in ((0, FIRST_IN), (1, SECOND_IN)):
        chosen = inside & (second == number)
        pending[rows[chosen], seat[chosen], event] += 1


def _rate(result: Result) -> str:
    low, high = result.interval
    return f"{result.rate:.1%} ({low:.1%} to {high:.1%})"


def _mean(total: float, squares: float, n: int) -> str:
    mean = total / n
    half = 1.96 * math.sqrt(max(0.0, squares / n - mean**2) / n)
    return f"{mean:.2f} ± {half:.2f}"


def surface_rows(counts: Counts) -> Iterator[tuple[str, str]]:
    """The measures of one surface."""
    points = counts.points
    yield "strokes a point", _mean(counts.strokes, counts.strokes_squared, points)
    yield "aces", _rate(Result(points, counts.aces))
    yield "points won by the server", _rate(Result(points, counts.server_won))
    for number, name in enumerate(("first", "second")):
        shares = counts.chosen[number] / max(1, counts.chosen[number].sum())
        yield f"{name} serves 61 to 65", " ".join(f"{share:.0%}" for share in shares)
        yield f"{name} serve in", _rate(Result(int(counts.serves[number].sum()), int(counts.serves[number, 1])))
        yield f"point won after a {name} serve that is in", _rate(counts.share(FIRST_IN + number))
    for number, name in enumerate(("no", "one", "two or more")):
        yield (
            f"winner after {name} difficult strokes",
            _rate(Result(int(counts.winners[number].sum()), int(counts.winners[number, 1]))),
        )
    for event in (STRUCK, DROPPED, LOBBED, NET_V, STAY_V, NET_B, STAY_B):
        yield f"point won after: {EVENTS[event]}", _rate(counts.share(event))
    yield "points given up for want of a card", _rate(Result(points, counts.no_card))
    yield (
        "cards never played",
        str(sorted({int(card) + 1 for _, card in zip(*np.nonzero(counts.played == 0), strict=True)})),
    )


def action_rows(counts: Counts) -> Iterator[tuple[str, str]]:
    """How often the player takes each kind of action when it is legal."""
    for name, (first, shape) in ACTIONS.segments.items():
        size = math.prod(shape)
        if name in ("discard", "take", "player"):
            continue
        shares = [f"{counts.taken[a] / counts.legal[a]:.0%}" if counts.legal[a] else "-" for a in range(first, first + size)]
        yield name, " ".join(shares)


def round_robin(player: str, matches: int, seed: int) -> list[tuple[str, Result]]:
    """Every player card against every other, seats mirrored, in tie-breaks."""
    names = [entry.name for entry in box("").player]
    won = {name: Result(0, 0) for name in names}
    for one, two in itertools.combinations(names, 2):
        options = {"format": "tiebreak", "surface": "random"}
        for first, second in ((one, two), (two, one)):
            result, *_ = one_match_each(player, matches // 2, seed, player_0=first, player_1=second, **options)
            won[first] += result
            won[second] += Result(result.matches, result.matches - result.wins)
    return list(won.items())


def one_match_each(player: str, rows: int, seed: int, **options: Any) -> tuple[Result, int, int]:
    """The first match of every row: how many seat 0 wins, and the sums of points and of their squares."""
    batch = MatchBatch(GAME, rows, seed=seed, **options)
    who = opponent(player, GAME, seed=seed, **options)
    points, won = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    left = np.arange(rows, dtype=np.int32)
    while len(left):
        before = batch.states["lead"][left]
        batch.step(who.act_batch(batch, left), left)
        after = np.where(batch.done[left], batch.final_states["lead"][left], batch.states["lead"][left])
        points[left] += before != after
        won[left[batch.done[left]]] = batch.final_states["winner"][left[batch.done[left]]] == 0
        left = left[~batch.done[left]]
    return Result(rows, int(won.sum())), int(points.sum()), int((points**2).sum())


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default="scripted")
    parser.add_argument("--points", type=int, default=30_000)
    parser.add_argument("--matches", type=int, default=200, help="between two player cards, and against random play")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=[*SURFACES, "length", "players", "solo", "random"])
    given = parser.parse_args()
    surfaces = [surface for surface in SURFACES if surface in given.only]
    counted = {s: play_points(given.player, given.points, given.seed, surface=s, format="tiebreak") for s in surfaces}
    if surfaces:
        columns = [list(surface_rows(counted[s])) for s in surfaces]
        rows = [[names[0][0], *(value for _, value in names)] for names in zip(*columns, strict=True)]
        print_table(f"Worldwide Tennis, {given.player} on both sides, tie-breaks", ["measure", *surfaces], rows)
        print_table(f"Actions taken of those legal, {surfaces[0]}", ["action", "share"], list(action_rows(counted[surfaces[0]])))
    if "length" in given.only:
        rows = []
        for format in ("tiebreak", "set", "best_of_3", "best_of_5"):
            result, points, squares = one_match_each(given.player, ROWS, given.seed, surface="random", format=format)
            rows.append([format, _mean(points, squares, result.matches), result.matches, _rate(result)])
        print_table("Length", ["format", "points a match", "matches", "won by seat 0"], rows)
    if "solo" in given.only:
        rows = []
        for surface in SURFACES:
            for who in dict.fromkeys((given.player, "scripted", "random")):
                options = {"mode": "solo", "format": "best_of_3", "surface": surface}
                result, *_ = one_match_each(who, ROWS, given.seed, **options)
                rows.append([surface, who, _rate(result)])
        print_table("Whole matches against the virtual opponent", ["surface", "player", "won"], rows)
    if "players" in given.only:
        rows = [[name, _rate(result)] for name, result in round_robin(given.player, given.matches, given.seed)]
        print_table("Player cards, round robin of tie-breaks", ["card", "won"], rows)
    if "random" in given.only:
        rows = []
        for level, mode in (("advanced", "versus"), ("warm_up", "versus")):
            options = {"level": level, "mode": mode, "format": "best_of_3", "surface": "random"}
            who, other = (opponent(name, GAME, seed=given.seed, **options) for name in (given.player, "random"))
            rows.append([level, _rate(play_matches(GAME, who, other, given.matches, seed=given.seed, **options))])
        print_table(f"{given.player} against random, whole matches", ["level", "won"], rows)


if __name__ == "__main__":
    main()
