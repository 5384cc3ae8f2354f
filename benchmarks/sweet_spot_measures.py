"""The measures of Sweet Spot's reference edition, taken from play: `python -m benchmarks.sweet_spot_measures`.

Every line gives a value with its 95 % interval, and whether it is what the rulebook's advice says.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Any

import numpy as np

import tennis_envs
from tennis_envs.core.chance import roll
from tennis_envs.core.game import Game
from tennis_envs.core.jit import compiled, game_folder, njit, records
from tennis_envs.core.kernels import mask_type, new_chance
from tennis_envs.games.sweet_spot.actions import ADD, ALONE, PLAY, POWER, REACT, USE
from tennis_envs.games.sweet_spot.components import reference
from tennis_envs.games.sweet_spot.players import HABITS
from tennis_envs.games.sweet_spot.state import (
    ANSWER,
    AVATARS,
    BESIDE,
    COUNTER,
    FIRST_TACTIC,
    NO_FORCE,
    NOTHING,
    RETURN,
)

LOWEST, HIGHEST = 7, 26
BALLS = HIGHEST - LOWEST + 1
APPROACH, JAM = -5, -3
LONG = 6  # strokes of a long rally
MANY = 64  # strokes kept of one rally
RANDOM = "random"

TALLY = np.dtype(
    [
        ("received", "i8", (BALLS, 2)),  # [ball, the receiver has won the point]
        ("plain", "i8", (BALLS, 2)),  # [ball, the one who left it has won], nothing laid on the next return
        ("approach", "i8", (BALLS, 2)),  # the same with a forced -5
        ("jam", "i8", (BALLS, 2)),  # the same with a forced -3
        ("decided", "i8", (2,)),  # points by whether their last stroke had a Tactic
        ("few_returns", "i8", (2,)),  # long rallies, by whether the side with fewer Returns has won
        ("less_stamina", "i8", (2,)),  # the same for the side with less stamina
        ("rallies", "i8"),
        ("strokes", "i8"),
        ("served", "i8", (2,)),  # points by whether the serving side has won
        ("matches", "i8", (2,)),  # by the winning team
        ("avatars", "i8", (AVATARS, 2)),  # matches by whether the avatar's player has won
        ("legal", "i8", (len(tennis_envs.game("sweet_spot").actions),)),
        ("taken", "i8", (len(tennis_envs.game("sweet_spot").actions),)),
    ],
    align=True,
)


def _make_play(game: Game, players: tuple[str, str]) -> Callable:
    setup, apply, legal = game.setup, game.apply, game.legal
    first, second = (game.players.get(name) for name in players)
    first_random, second_random = (name == RANDOM for name in players)
    first = first or game.players["scripted"]
    second = second or game.players["scripted"]

    def play(rules, states, blank, chances, masks, tallies, matches):
        """Play matches between two players, who change sides after each, and count what happens in them."""
        state, chance, mask, tally = states[0], chances[0], masks[0].legal, tallies[0]
        ball, leaver, kind_of = np.zeros(MANY, np.int64), np.zeros(MANY, np.int64), np.zeros(MANY, np.int64)
        with_tactic = np.zeros(2, np.int64)
        for number in range(matches):
            states[0] = blank[0]
            setup(rules[0], state, chance)
            kept, strokes, few, tired = 0, 0, -1, -1
            while not state.over:
                legal(rules[0], state, mask)
                seat, phase = np.int64(state.seat), np.int64(state.phase)
                one = (seat + number) % 2 == 0 or rules[0].solo == 1
                if first_random if one else second_random:
                    choices = 0
                    for a in range(len(mask)):
                        choices += mask[a]
                    left = roll(chance, choices)
                    action = 0
                    while mask[action] == 0 or left > 0:
                        left -= mask[action]
                        action += 1
                elif one:
                    action = first(rules[0], state, mask, chance)
                else:
                    action = second(rules[1], state, mask, chance)
                if one:
                    for a in range(len(mask)):
                        tally.legal[a] += mask[a]
                    tally.taken[action] += 1
                if phase == ANSWER and PLAY <= action < ADD:
                    with_tactic[seat % 2] = rules[0].play_kind[action - PLAY] >= FIRST_TACTIC
                elif phase == BESIDE and action != ALONE:
                    with_tactic[seat % 2] = 1
                elif (phase == ANSWER or phase == COUNTER) and REACT <= action < POWER and not USE <= action < POWER:
                    with_tactic[seat % 2] = 1
                lead, before = np.int64(state.lead), np.int64(state.strokes)
                team_serving = np.int64(state.score.server)
                if phase == ANSWER and before == LONG and few == -1:
                    few, tired = _weaker(rules[0], state)
                chance.draws = 0
                apply(rules[0], state, chance, action)
                now = np.int64(state.lead)
                if now == lead:
                    if state.strokes != before and state.strokes > 0:
                        strokes = np.int64(state.strokes)
                        if state.dark == 0 and state.ball >= LOWEST and not state.wins and kept < MANY:
                            ball[kept] = min(HIGHEST, np.int64(state.ball)) - LOWEST
                            leaver[kept] = state.hitter % 2
                            kind_of[kept] = 0 if state.force == NO_FORCE else state.force
                            kept += 1
                    continue
                winner = 0 if now > lead else 1
                strokes = max(strokes, before) + (1 if phase == ANSWER or phase == BESIDE else 0)
                tally.rallies += 1
                tally.strokes += strokes
                tally.decided[with_tactic[winner]] += 1
                tally.served[1 if winner == team_serving else 0] += 1
                if strokes > LONG and few >= 0:
                    tally.few_returns[1 if few == winner else 0] += 1
                if strokes > LONG and tired >= 0:
                    tally.less_stamina[1 if tired == winner else 0] += 1
                for i in range(kept):
                    left_wins = 1 if leaver[i] == winner else 0
                    if kind_of[i] == 0:
                        tally.received[ball[i], 1 - left_wins] += 1
                        tally.plain[ball[i], left_wins] += 1
                    elif kind_of[i] == APPROACH:
                        tally.approach[ball[i], left_wins] += 1
                    elif kind_of[i] == JAM:
                        tally.jam[ball[i], left_wins] += 1
                kept, strokes, few, tired = 0, 0, -1, -1
                with_tactic[:] = 0
                if state.strokes > 0 and state.ball >= LOWEST:  # the next serve needed no decision
                    ball[0], leaver[0], kind_of[0] = min(HIGHEST, np.int64(state.ball)) - LOWEST, state.hitter % 2, 0
                    kept, strokes = 1, np.int64(state.strokes)
            winner = np.int64(state.winner)
            tally.matches[(winner + number) % 2 if not rules[0].solo else winner] += 1
            for seat in range(max(2, rules[0].seats)):
                if state.players[seat].avatar != NOTHING:
                    tally.avatars[state.players[seat].avatar, 1 if winner == seat % 2 else 0] += 1

    return play


@njit
def _weaker(rules, state):
    """The side with at least two Returns less, and the side with at least two stamina less; -1 if neither is."""
    returns, stamina = np.zeros(2, np.int64), np.zeros(2, np.int64)
    for seat in range(max(1, rules.seats)):
        stamina[seat % 2] += state.players[seat].stamina
        returns[seat % 2] += state.players[seat].backs[RETURN]
    few, tired = -1, -1
    if abs(returns[0] - returns[1]) >= 2:
        few = 0 if returns[0] < returns[1] else 1
    if abs(stamina[0] - stamina[1]) >= 2:
        tired = 0 if stamina[0] < stamina[1] else 1
    return few, tired


def play(
    matches: int,
    players: tuple[str, str] = ("scripted", "scripted"),
    seed: int = 0,
    first_habits: dict[str, Any] | None = None,
    second_habits: dict[str, Any] | None = None,
    **options: Any,
) -> np.void:
    """Play matches, whose winner is 0 where the first player has won; either may have other habits than usual."""
    game = tennis_envs.game("sweet_spot")
    folder = game_folder(getattr(game.apply, "py_func", game.apply))
    loop = compiled(_make_play(game, players), f"sweet_spot.measures.{'.'.join(players)}", folder)
    rules = records(np.repeat(game.rules(game.parse(**options)), 2))
    for record, habits in zip(rules, (first_habits, second_habits), strict=True):
        for name, value in (habits or {}).items():
            if name == "receive":
                record["receive"] = value
            else:
                record["habit"][list(HABITS).index(name)] = value
    states, blank = records(np.zeros(1, game.state_type)), records(np.zeros(1, game.state_type))
    tally = records(np.zeros(1, TALLY))
    loop(rules, states, blank, new_chance(1, seed + 1), records(np.zeros(1, mask_type(game))), tally, matches)
    return tally[0]


def share(counts: np.ndarray) -> tuple[float, float]:
    """The share of the second count, and half its 95 % interval."""
    total = int(counts.sum())
    if not total:
        return math.nan, math.nan
    p = counts[1] / total
    return p, 1.96 * math.sqrt(p * (1 - p) / total) + 0.5 / total


def _verdict(holds: bool) -> str:
    return "holds" if holds else "DOES NOT HOLD"


def _line(name: str, counts: np.ndarray, wanted: str = "", holds: bool | None = None) -> None:
    p, width = share(counts)
    verdict = "" if holds is None else f"  {_verdict(holds)}"
    print(f"{name:48s} {p:.3f} ± {width:.3f}  (of {int(counts.sum())}) {wanted}{verdict}")


def _received(tally: np.void) -> None:
    """What every ball is worth to receive: 11 least, 7 to 10 most, and 16 most of 11 to 20, their intervals apart."""
    print("The receiver's chance to win the point, by the ball")
    for i in range(BALLS):
        _line(f"  {LOWEST + i}", tally["received"][i])
    low, high = {}, {}
    for ball in range(LOWEST, 21):
        p, width = share(tally["received"][ball - LOWEST])
        low[ball], high[ball] = p - width, p + width
    far = range(11, 21)
    print("11 is the lowest of 7 to 20:", _verdict(all(high[11] < low[ball] for ball in low if ball != 11)))
    print("7, 8, 9 and 10 are the highest of 7 to 20:", _verdict(min(low[b] for b in range(7, 11)) > max(high[b] for b in far)))
    print("16 is the highest of 11 to 20:", _verdict(all(high[ball] < low[16] for ball in far if ball != 16)))


def _forced(tally: np.void) -> None:
    """Approach Shots and Jamming Feints beat the same ball left without them."""
    for name, kind, balls in (("an Approach Shot", "approach", (13, 12, 11)), ("a Jamming Feint", "jam", (9, 8, 7))):
        for ball in balls:
            p, width = share(tally[kind][ball - LOWEST])
            plain, plain_width = share(tally["plain"][ball - LOWEST])
            wanted = f"without {plain:.3f} ± {plain_width:.3f}"
            _line(f"leaving {ball} with {name} wins", tally[kind][ball - LOWEST], wanted, p - width > plain + plain_width)


def _rallies(tally: np.void) -> None:
    """Tactics decide, few Returns and little stamina lose long rallies, rallies have 3 to 8 strokes."""
    p, width = share(tally["decided"])
    _line("points whose last stroke had a Tactic", tally["decided"], "wanted > 0.5", p - width > 0.5)
    for name, kind in (("fewer Returns", "few_returns"), ("less stamina", "less_stamina")):
        p, width = share(tally[kind])
        _line(f"long rallies won by the side with {name}", tally[kind], "wanted < 0.5", p + width < 0.5)
    mean = tally["strokes"] / tally["rallies"]
    print(f"strokes a rally: {mean:.2f} (wanted 3 to 8)  {_verdict(3 <= mean <= 8)}")
    p, width = share(tally["served"])
    _line("points won by the serving side", tally["served"], "wanted 0.4 to 0.6", 0.4 < p - width and p + width < 0.6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=40_000)
    parser.add_argument("--actions", action="store_true", help="also how often each action is taken where it is legal")
    arguments = parser.parse_args()
    matches = arguments.matches
    tally = play(matches)
    _received(tally)
    _forced(tally)
    _rallies(tally)
    dealt = play(matches // 2, avatars="random")
    for avatar, card in enumerate(reference().avatar):
        _line(f"matches won with {card.name}, avatars dealt", dealt["avatars"][avatar])
    won = play(matches // 10, ("scripted", RANDOM))["matches"][::-1]
    _line("scripted beats random", won, "wanted >= 0.9", share(won)[0] - share(won)[1] >= 0.9)
    for automa in ("easy", "normal", "hard"):
        solo = play(matches // 4, mode="solo", automa=automa)
        _line(f"scripted beats the {automa} automa", solo["matches"][::-1])
    doubles = play(matches // 4, mode="doubles")
    _line("doubles: points won by the serving side", doubles["served"])
    print(f"doubles: strokes a rally: {doubles['strokes'] / doubles['rallies']:.2f}")
    if arguments.actions:
        for a, name in enumerate(tennis_envs.game("sweet_spot").actions.names):
            legal, taken = int(tally["legal"][a]), int(tally["taken"][a])
            print(f"  {name:28s} {taken / max(1, legal):.3f} of {legal}")


if __name__ == "__main__":
    main()
