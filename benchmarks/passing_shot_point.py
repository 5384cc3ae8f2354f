"""Single points of Passing Shot, solved exactly: the yardstick for every player.

    python -m benchmarks.passing_shot_point --level star
    python -m benchmarks.passing_shot_point --level veteran --dice 3 5 --opponent random

Player 0 serves with given dice, Hawk-Eyes and Concentration; nothing after the point counts.
"""

from __future__ import annotations

import argparse
import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.tables import print_table
from tennis_envs.batch import MatchBatch
from tennis_envs.core.scoring import other, start_match
from tennis_envs.games.passing_shot import GAME
from tennis_envs.games.passing_shot.actions import ACTIONS, ROLL
from tennis_envs.games.passing_shot.rolls import DICE, NO_FACE
from tennis_envs.games.passing_shot.rules import can_challenge, decide, play_on, short_by, successes, valid
from tennis_envs.games.passing_shot.rules import legal as rules_legal
from tennis_envs.games.passing_shot.state import (
    CALL_NET,
    CALLED_ROLL,
    EXCHANGE,
    FORCED_ROLL,
    HAWK_EYES,
    HIT,
    NEXT_POINT,
    NO_CALL,
    PHASES,
    PRO_IN,
    PRO_NONE,
    PRO_TIRED,
    RALLY,
    REROLL,
    RETURN,
    ROLL_AGAIN,
    SECOND,
    SECOND_SERVE,
    SERVE,
    STRETCH,
    STROKE,
    SURFACE_RANDOM,
)
from tennis_envs.match import Match
from tennis_envs.opponents import opponent
from tennis_envs.testing.solve import ROOT, Graph, Reach, Solution, explore

# The graph: the rules, one roll at a time


def step(rules, state, chance, action):
    """One decision, or one roll that leaves no choice: no more chance than that of one roll."""
    if state.phase >= NEXT_POINT:
        play_on(rules, state, chance)
    else:
        decide(rules, state, chance, action)
    if state.phase >= NEXT_POINT:
        state.seat = state.striker


def legal(rules, state, mask):
    """The rules' mask; where a roll leaves no choice, to roll."""
    rules_legal(rules, state, mask)
    if state.phase >= NEXT_POINT:
        mask[ROLL] = 1


def position_key(rules, state):
    """What can still matter in this point, as one number; seats are named from the one to move, scores left out.

    Once a roll is answered, only its total and whether it can be challenged count; once it holds, no longer what it had
    to match. A Hawk-Eye that is not the last counts like the last, because the first ends the point.
    """
    phase = np.int64(state.phase)
    if phase == HIT:  # either answer ends the point
        return phase
    mover = np.int64(state.seat)
    code = phase
    for turn in range(2):
        player = mover if turn == 0 else other(mover)
        code = code << 3 | np.int64(state.dice[player])
        code = code << 3 | np.int64(state.tired[player])
        code = code << 2 | np.int64(state.pro[player])
        code = code << 5 | np.int64(state.concentration[player])
        code = code << 1 | np.int64(state.hawk_eyes[player] > 0)
    stroke = np.int64(state.stroke)
    serve = stroke <= SECOND_SERVE
    if phase != STROKE or not (rules.winner or rules.net):
        stroke = stroke if serve else np.int64(RETURN)
    need = np.int64(state.need)
    a, b, c, d = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    if phase == STROKE:
        c = np.int64(can_challenge(rules, state, mover))
    elif phase == CALLED_ROLL:
        a = np.int64(state.call) + 1
    elif phase == REROLL or phase == ROLL_AGAIN:
        b = np.int64(state.roll.thrown)
        a = np.int64(state.call) + 1
        c = np.int64(state.roll.pro_face != NO_FACE)
        d = np.int64(valid(state))
    elif phase == EXCHANGE or phase == STRETCH:
        need = np.int64(successes(state))
        stroke = stroke if serve else np.int64(RETURN)
        a = np.int64(0) if serve else max(np.int64(0), short_by(state))
        if a > 0 and rules.stamina and state.call != CALL_NET:
            b = min(a, np.int64(state.roll.lost)) << 1 | np.int64(state.roll.pro_lost)
        c = np.int64(can_challenge(rules, state, other(mover)))
        d = np.int64(state.roll.energy) << 2 | np.int64(state.roll.pro_energy)
    code = code << 5 | need
    code = code << 2 | stroke
    code = code << 4 | a
    code = code << 4 | b
    code = code << 1 | c
    return code << 5 | d


# A point


@dataclass(frozen=True)
class Resources:
    """What a player begins the point with; ordinary dice that are missing have been given up for stamina."""

    dice: int = DICE
    """In hand, the Pro die included."""
    pro: bool = True
    """Whether the Pro die is in hand, at a level that has one; else it has been given up."""
    hawk_eyes: int = HAWK_EYES
    concentration: int = 1


FULL = Resources()


def start(options: Any, server: Resources = FULL, receiver: Resources = FULL) -> np.ndarray:
    """The position before the serve of player 0, shape (1,)."""
    states = np.zeros(1, GAME.state_type).view(np.recarray)
    state = states[0]
    state.winner, state.phase, state.stroke, state.call, state.roll.pro_face = -1, FORCED_ROLL, SERVE, NO_CALL, NO_FACE
    rules = GAME.rules(options).view(np.recarray)[0]
    start_match(rules.format, state.score, 0)
    state.surface = 0 if rules.surface == SURFACE_RANDOM else rules.surface
    for player, has in enumerate((server, receiver)):
        ordinary = has.dice - (options.professional and has.pro)
        most = DICE - options.professional
        if not 0 <= ordinary <= most or has.dice == 0:
            raise ValueError(f"{has.dice} dice in hand cannot be: it must be 1 to 5, the Pro die included.")
        state.dice[player], state.tired[player] = ordinary, most - ordinary
        state.pro[player] = PRO_NONE if not options.professional else PRO_IN if has.pro else PRO_TIRED
        state.hawk_eyes[player] = has.hawk_eyes if options.hawk_eye else 0
        state.concentration[player] = has.concentration if options.concentration else 0
    return states


class Point:
    """A point and its exact solution.

    A player is an opponent (`act` or `act_batch`), or an array with an action for every node, or None for the optimum.
    An opponent is asked once about every node that its play reaches, by one of the positions merged there, with the
    score at love all. One that draws lots, or minds what cannot matter, is better measured by `play`.
    """

    def __init__(self, options: Any, server: Resources = FULL, receiver: Resources = FULL) -> None:
        self.options, self.server, self.receiver = options, server, receiver
        game = replace(GAME, apply=step, legal=legal)
        self.graph: Graph = explore(game, options, start(options, server, receiver), position_key)
        self.solution: Solution = self.graph.solve()
        self.value = float(self.solution.value[ROOT])
        """The probability that the server wins the point if both play optimally."""

    def undecided(self) -> tuple[float, float]:
        """The chances that the server wins, and loses, the point before anybody has a choice."""
        come, value = self.graph.arrivals(self.graph.states["phase"] >= NEXT_POINT), self.solution.value
        won = self.value - (come[:, 0] * value + come[:, 1] * (1 - value)).sum()
        return float(won), float(1 - come.sum() - won)

    def action_values(self, state: np.void | np.ndarray) -> dict[str, float]:
        """What each legal action is worth to the seat to move in a position of a match, by name."""
        values = self.solution.action_values(np.asarray(state))
        return {ACTIONS.name(action): value for action, value in values.items()}

    def best(self, state: np.void | np.ndarray) -> str:
        """An optimal action in a position of a match, by name."""
        values = self.action_values(state)
        return max(values, key=values.get)

    def player(self, policy: Any, role: int) -> Callable[[np.ndarray], np.ndarray] | None:
        """The options that a player chooses in nodes, as server (role 0) or receiver (1); None is the optimum."""
        if policy is None:
            return None
        graph = self.graph

        def choose(nodes: np.ndarray) -> np.ndarray:
            options = graph.option_start[nodes].copy()
            asked = np.flatnonzero(graph.option_start[nodes + 1] - options > 1)
            if len(asked):
                options[asked] = self._chosen(policy, nodes[asked], role)
            return options

        return choose

    def _chosen(self, policy: Any, nodes: np.ndarray, role: int) -> np.ndarray:
        actions = policy[nodes] if isinstance(policy, np.ndarray) else self._ask(policy, nodes, role)
        return self.graph.options_for(nodes, actions)

    def _ask(self, policy: Any, nodes: np.ndarray, role: int) -> np.ndarray:
        """The actions of an opponent in the positions of nodes, as they look to the server or to the receiver."""
        actions = np.empty(len(nodes), np.int32)
        for first in range(0, len(nodes), _ASKED_AT_ONCE):
            some = nodes[first : first + _ASKED_AT_ONCE]
            batch = self._batch(some, role)
            if hasattr(policy, "act_batch"):
                chosen = policy.act_batch(batch, np.arange(len(some), dtype=np.int32))
            else:
                chosen = [policy.act(batch.match(row)) for row in range(len(some))]
            actions[first : first + len(some)] = chosen
        return actions

    def _batch(self, nodes: np.ndarray, role: int) -> MatchBatch:
        graph = self.graph
        batch = MatchBatch(GAME, len(nodes), seed=0, **self.options.model_dump())
        saved = batch.get_state()
        saved["states"][:] = graph.states[nodes]
        seats = saved["states"]["seat"].copy()
        saved["states"]["score"]["server"] = seats if role == 0 else 1 - seats
        saved["states"]["score"]["opener"] = saved["states"]["score"]["server"]
        saved["seat"][:] = seats
        saved["mask"][:] = 0
        counts = graph.option_start[nodes + 1] - graph.option_start[nodes]
        rows = np.repeat(np.arange(len(nodes)), counts)
        firsts = np.repeat(graph.option_start[nodes] - np.cumsum(counts) + counts, counts)
        saved["mask"][rows, graph.option_action[firsts + np.arange(len(rows))]] = 1
        batch.set_state(saved)
        saved["observation"][:] = batch.observe(seats)
        batch.set_state(saved)
        return batch

    def reach(self, serving: Any = None, receiving: Any = None) -> Reach:
        """How play of two players visits the nodes, and what it costs each of them against optimal choices."""
        return self.solution.reach(self.player(serving, 0), self.player(receiving, 1))

    def worst_case(self, policy: Any) -> tuple[float, float]:
        """How often a player wins the point, as server and as receiver, against the best answer to its play."""
        nodes = np.arange(ROOT, len(self.solution.value))
        choices = []
        for role in range(2):
            choice = self.solution.choice.copy()
            choice[nodes] = self.player(policy, role)(nodes)
            choices.append(choice)
        serving = self.graph.evaluate(choices[0], None)[ROOT, 0]
        receiving = 1 - self.graph.evaluate(None, choices[1])[ROOT, 0]
        return float(serving), float(receiving)


_ASKED_AT_ONCE = 1 << 16


@dataclass(frozen=True)
class Report:
    """How a player does in one point, exactly."""

    serving: float
    """The probability that it wins the point as the server against optimal play."""
    receiving: float
    """The same as the receiver."""
    loss_serving: float
    """How much less that is than the optimum would win."""
    loss_receiving: float
    loss_itself: tuple[float, float]
    """What its choices cost, as server and as receiver, where it plays both."""
    itself: float
    """The probability that the server wins where it plays both."""
    decisions: float
    """Decisions with a choice, per point, against optimal play; mean of both sides."""

    @property
    def loss(self) -> float:
        """The loss per point, mean of both sides."""
        return (self.loss_serving + self.loss_receiving) / 2

    @property
    def loss_per_decision(self) -> float:
        """The loss per decision."""
        return self.loss / self.decisions if self.decisions else 0.0


def report(point: Point, policy: Any) -> Report:
    """How a player does against optimal play and against itself."""
    serving, receiving, both = point.reach(policy, None), point.reach(None, policy), point.reach(policy, policy)
    loss_serving, loss_receiving = float(serving.loss[0]), float(receiving.loss[1])
    return Report(
        serving=point.value - loss_serving,
        receiving=1 - point.value - loss_receiving,
        loss_serving=loss_serving,
        loss_receiving=loss_receiving,
        loss_itself=(float(both.loss[0]), float(both.loss[1])),
        itself=point.value - float(both.loss[0]) + float(both.loss[1]),
        decisions=float(serving.decisions[0] + receiving.decisions[1]) / 2,
    )


@functools.lru_cache(maxsize=4)
def _solved(options: Any, server: Resources, receiver: Resources) -> Point:
    return Point(options, server, receiver)


def solve_point(server: Resources = FULL, receiver: Resources = FULL, **options: Any) -> Point:
    """The exact solution of a point served by player 0, kept for the next call with the same rules and resources."""
    return _solved(GAME.parse(**{**options, "format": "point", "first_server": "player_0"}), server, receiver)


def point_loss(opponent_factory_or_opponent: Any, level: str = "star", **options: Any) -> float:
    """The average loss of a player per point against the exact optimum; mean of both sides, all dice in hand.

    A factory is called with the options of the match. How the player is asked is said at `Point`.
    """
    point = solve_point(level=level, **options)
    player = opponent_factory_or_opponent
    if not isinstance(player, np.ndarray) and not hasattr(player, "act") and not hasattr(player, "act_batch"):
        player = player(**point.options.model_dump())
    serving, receiving = point.reach(player, None), point.reach(None, player)
    return float(serving.loss[0] + receiving.loss[1]) / 2


class Optimum:
    """The optimum of a point as an opponent; KeyError in a position that cannot follow that point's beginning."""

    def __init__(self, point: Point) -> None:
        self._graph, self._actions = point.graph, point.solution.actions

    def act(self, match: Match) -> int:
        """An optimal action."""
        return int(self._act(np.atleast_1d(np.asarray(match.state)))[0])

    def act_batch(self, batch: MatchBatch, rows: np.ndarray) -> np.ndarray:
        """Optimal actions for many matches."""
        return self._act(np.asarray(batch.states)[rows])

    def _act(self, states: np.ndarray) -> np.ndarray:
        nodes = self._graph.find(states)
        if not nodes.all():
            raise KeyError("this position cannot follow the beginning of the point")
        return self._actions[nodes].astype(np.int32)


@dataclass(frozen=True)
class Played:
    """What players did in points really played."""

    points: int
    serving: float
    """The part of the points that the server won."""
    loss: np.ndarray
    """What the choices of the server and of the receiver cost a point, by exact values."""
    error: np.ndarray
    """Standard error of each."""


def play(point: Point, serving: Any, receiving: Any, points: int, seed: int = 0) -> Played:
    """Play so many points, all dice in hand, and weigh every choice by the exact values; None is the optimum.

    Points that end before anybody has a choice are passed over by `MatchBatch`; their share is added, which is exact.
    """
    if point.server != FULL or point.receiver != FULL:
        raise ValueError("only points that begin with all dice in hand can be played.")
    players = [Optimum(point) if player is None else player for player in (serving, receiving)]
    batch = MatchBatch(GAME, points, seed=seed, **point.options.model_dump())
    solution, graph = point.solution, point.graph
    loss, won = np.zeros((points, 2)), np.zeros(points, bool)
    going = np.arange(points, dtype=np.int32)
    while len(going):
        actions = np.empty(len(going), np.int32)
        for seat in range(2):
            here = batch.seat[going] == seat
            if here.any():
                actions[here] = players[seat].act_batch(batch, going[here])
        nodes = graph.find(np.asarray(batch.states)[going])
        options = graph.options_for(nodes, actions)
        loss[going, batch.seat[going]] += solution.value[nodes] - solution.option_value[options]
        batch.step(actions, going)
        done = batch.done[going]
        won[going[done]] = batch.final_states["winner"][going[done]] == 0
        going = going[~done]
    won_at_once, lost_at_once = point.undecided()
    decided = 1 - won_at_once - lost_at_once
    error = decided * loss.std(axis=0) / np.sqrt(points)
    return Played(points, won_at_once + decided * float(won.mean()), decided * loss.mean(axis=0), error)


def match_chance(serving: float, receiving: float, sets: int = 2) -> float:
    """The chance to win a match by the chances to win a point on either serve, as if points were independent."""

    def game(p: float) -> float:
        q = 1 - p
        return p**4 * (1 + 4 * q + 10 * q**2) + 20 * p**3 * q**3 * p**2 / (p**2 + q**2)

    @functools.cache
    def tiebreak(mine: int, theirs: int, i_open: bool) -> float:
        if max(mine, theirs) >= 7 and abs(mine - theirs) >= 2:
            return float(mine > theirs)
        if mine == theirs == 6:  # one point on either serve until both go to the same player
            both, neither = serving * receiving, (1 - serving) * (1 - receiving)
            return both / (both + neither)
        i_serve = i_open == ((mine + theirs + 1) // 2 % 2 == 0)
        p = serving if i_serve else receiving
        return p * tiebreak(mine + 1, theirs, i_open) + (1 - p) * tiebreak(mine, theirs + 1, i_open)

    @functools.cache
    def match(won: int, lost: int, mine: int, theirs: int, i_serve: bool) -> float:
        if max(won, lost) == sets:
            return float(won > lost)
        if max(mine, theirs) == 7 or (max(mine, theirs) == 6 and abs(mine - theirs) >= 2):
            return match(won + (mine > theirs), lost + (mine < theirs), 0, 0, i_serve)
        p = tiebreak(0, 0, i_serve) if mine == theirs == 6 else game(serving) if i_serve else game(receiving)
        lose = match(won, lost, mine, theirs + 1, not i_serve)
        return p * match(won, lost, mine + 1, theirs, not i_serve) + (1 - p) * lose

    return (match(0, 0, 0, 0, True) + match(0, 0, 0, 0, False)) / 2


# On the terminal


def _nothing_spent(point: Point, also: tuple[str, ...] = ()) -> np.ndarray:
    """Which nodes have the dice, and what `also` names, of the beginning."""
    states = point.graph.states
    same = [(states[name] == states[name][ROOT]).all(axis=1) for name in ("dice", "tired", "pro", *also)]
    return np.logical_and.reduce(same)


def _worth(point: Point, node: int) -> list[tuple[str, float]]:
    """The actions of a node and what they are worth, the best first."""
    options = point.graph.options_of(node)
    names = (ACTIONS.name(int(point.graph.option_action[option])) for option in options)
    return sorted(zip(names, point.solution.option_value[options], strict=True), key=lambda pair: -pair[1])


def stroke_table(point: Point) -> list[list[str]]:
    """What to do with all dice in hand, by the need and by whether the ball can be challenged."""
    states, rows = point.graph.states, set()
    for node in np.flatnonzero((states["phase"] == STROKE) & _nothing_spent(point, ("concentration",))):
        (best, value), *others = _worth(point, node)
        ball = "rally" if states["stroke"][node] == RALLY else "return"
        challenge = "yes" if "hawk-eye" in (best, *(name for name, _ in others)) else "no"
        text = ", ".join(f"{name} {value:.4f}" for name, value in others)
        rows.add((int(states["need"][node]), ball, challenge, best, f"{value:.4f}", text))
    return [list(map(str, row)) for row in sorted(rows)]


def serve_table(point: Point) -> list[list[str]]:
    """What to do about a first serve that failed, all dice in hand."""
    states, rows = point.graph.states, set()
    failed = np.isin(states["phase"], (REROLL, SECOND)) & (states["stroke"] == SERVE)
    for node in np.flatnonzero(failed & _nothing_spent(point)):
        (best, value), *others = _worth(point, node)
        server, receiver = states["concentration"][node]
        text = ", ".join(f"{name} {value:.4f}" for name, value in others)
        rows.add((PHASES[states["phase"][node]], int(server), int(receiver), best, f"{value:.4f}", text))
    return [list(map(str, row)) for row in sorted(rows)]


def _player_rows(name: str, point: Point, policy: Any) -> list[str]:
    r = report(point, policy)
    best_serving, best_receiving = 1 - r.receiving, 1 - r.serving
    return [
        name, f"{r.serving:.4f}", f"{r.receiving:.4f}", f"{r.itself:.4f}",
        f"{r.loss_serving:.4f}", f"{r.loss_receiving:.4f}", f"{r.loss:.4f}", f"{r.loss_per_decision:.4f}",
        f"{100 * match_chance(best_serving, best_receiving):.1f} %",
    ]  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    """Solve a point and print it."""
    parser = argparse.ArgumentParser(description="Exact single points of Passing Shot.")
    parser.add_argument("--level", default="star", help="beginner, experienced, veteran or star")
    parser.add_argument("--surface", default="clay")
    both = {"type": int, "nargs": 2, "metavar": ("SERVER", "RECEIVER")}
    parser.add_argument("--dice", default=(DICE, DICE), help="in hand, the Pro die included", **both)
    parser.add_argument("--hawk-eyes", default=(HAWK_EYES, HAWK_EYES), **both)
    parser.add_argument("--concentration", default=(1, 1), **both)
    parser.add_argument("--opponent", nargs="*", default=["scripted"], help="by name, or a folder")
    parser.add_argument("--play", type=int, default=0, metavar="POINTS", help="also play points and weigh them")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    server, receiver = (
        Resources(dice, hawk_eyes=hawk_eyes, concentration=concentration)
        for dice, hawk_eyes, concentration in zip(given.dice, given.hawk_eyes, given.concentration, strict=True)
    )
    began = time.perf_counter()
    point = solve_point(server, receiver, level=given.level, surface=given.surface)
    print(f"{given.level}: {point.graph!r}, solved in {time.perf_counter() - began:.1f} s")
    print(f"The server wins {point.value:.6f} of the points if both play optimally.")
    columns = ["need", "ball", "challenge", "best", "wins", "others"]
    print_table("The striker's choice, nothing spent", columns, stroke_table(point))
    columns = ["after a failed serve", "server's concentration", "receiver's", "best", "wins", "others"]
    print_table("The serve, no dice spent", columns, serve_table(point))
    named = {name: opponent(name, "passing_shot", seed=given.seed, level=given.level) for name in given.opponent}
    columns = [
        "player", "serving", "receiving", "itself: server",
        "loss serving", "receiving", "mean", "a decision", "optimum's best of 3",
    ]  # fmt: skip
    rows = [_player_rows(name, point, player) for name, player in named.items()]
    print_table("Players: points won against the optimum, exactly; the last column takes points for independent", columns, rows)
    for name, player in named.items() if given.play else ():
        serving = play(point, player, None, given.play, given.seed)
        receiving = play(point, None, player, given.play, given.seed + 1)
        print(
            f"{name} in {given.play:,} points each: "
            f"serving it wins {serving.serving:.4f} and loses {serving.loss[0]:.4f} ± {serving.error[0]:.4f}, "
            f"receiving {1 - receiving.serving:.4f} and {receiving.loss[1]:.4f} ± {receiving.error[1]:.4f}"
        )


if __name__ == "__main__":
    main()
