"""The exact solution of single points: against sums by hand, a second model, the match itself, and play."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from benchmarks.passing_shot_point import (
    Optimum,
    Resources,
    legal,
    match_chance,
    play,
    point_loss,
    report,
    solve_point,
    start,
    step,
)
from tennis_envs import Match
from tennis_envs.core.jit import DISABLED, njit
from tennis_envs.games.passing_shot import GAME
from tennis_envs.games.passing_shot.rolls import FACES
from tennis_envs.opponents import RandomOpponent, ScriptedOpponent
from tennis_envs.testing.solve import LOST, ROOT, explore

LEVELS = ("beginner", "experienced", "veteran", "star")
compiled_only = pytest.mark.skipif(DISABLED, reason="a whole level takes compiled rules")


def few(server: int, receiver: int, **has: int) -> tuple[Resources, Resources]:
    return Resources(server, **has), Resources(receiver, **has)


def test_one_die_each_by_hand() -> None:
    # A die shows a Ball on 3 sides, Out, Net and Energy on 1 each. For the striker who must match 1:
    # y, when the opponent has no die left: a Ball, or Energy removed, wins at once.
    y = Fraction(1, 2) + Fraction(1, 6)
    # x, when he has one: a Ball passes the same task on; Energy removed leaves him with none. x = (1 - x)/2 + (1 - y)/6
    x = (Fraction(1, 2) + (1 - y) / 6) / Fraction(3, 2)
    # z, on the serve or against a 0: a Ball sets the task; Energy is better kept, which passes the same task on.
    z = ((1 - x) / 2 + Fraction(1, 6)) / (1 + Fraction(1, 6))
    assert (x, y, z) == (Fraction(10, 27), Fraction(2, 3), Fraction(26, 63))
    assert 1 - z > 1 - y  # so Energy is indeed better kept
    point = solve_point(*few(1, 1), level="beginner")
    assert point.value == pytest.approx(float(z), abs=1e-12)


def basic_game(mine: int, theirs: int) -> float:
    """A second model of the basic match, apart from the package: the server's chance to win a point."""
    throws = {n: _throws(n) for n in range(max(mine, theirs) + 1)}
    value = {(a, b, need): 0.5 for a in throws for b in throws for need in range(max(throws) + 1)}
    for _ in range(200):
        change = 0.0
        for a, b, need in value:
            new = 0.0
            for (hits, outs, nets, energy), chance in throws[a].items():
                if a == 0 or hits < outs or hits < nets:
                    continue
                worth = [0.0]
                for removed in range(energy + 1):
                    if hits + removed >= need:
                        worth.append(1 - value[b, a - removed, hits + removed] if b else 1.0)
                new += chance * max(worth)
            change = max(change, abs(new - value[a, b, need]))
            value[a, b, need] = new
        if change < 1e-15:
            break
    return value[mine, theirs, 0]


def _throws(dice: int) -> dict[tuple[int, ...], float]:
    faces = product("BBBONE", repeat=dice)
    count = Counter(tuple(throw.count(face) for face in "BONE") for throw in faces)
    return {throw: ways / 6**dice for throw, ways in count.items()}


@pytest.mark.parametrize("dice", [(2, 1), (2, 3), pytest.param((5, 5), marks=compiled_only)])
def test_second_model_of_the_basic_game(dice: tuple[int, int]) -> None:
    assert solve_point(*few(*dice), level="beginner").value == pytest.approx(basic_game(*dice), abs=1e-11)


@njit
def _append(code, field):
    return (code * 31 + field + 2) % 144115188075855859


def raw_key(rules, state):
    """All in the record that the rules may read within a point, nothing merged (a hash by a prime near 2**57)."""
    code = np.int64(1)
    code = _append(code, state.phase)
    code = _append(code, state.seat)
    code = _append(code, state.striker)
    code = _append(code, state.stroke)
    code = _append(code, state.need)
    code = _append(code, state.roll.pro_face)
    code = _append(code, state.call)
    code = _append(code, state.roll.energy)
    code = _append(code, state.roll.pro_energy)
    code = _append(code, state.roll.worth)
    for player in range(2):
        code = _append(code, state.dice[player])
        code = _append(code, state.tired[player])
        code = _append(code, state.spent[player])
        code = _append(code, state.pro[player])
        code = _append(code, state.hawk_eyes[player])
        code = _append(code, state.concentration[player])
    for face in range(FACES):
        code = _append(code, state.roll.table[face])
    return code


SMALLER = (  # the level with some rules left out, so that the unmerged graph stays below two million positions
    (few(3, 3), {"level": "experienced"}),
    (few(4, 2), {"level": "veteran"}),
    (few(4, 3, concentration=0), {"level": "star", "energy": False}),
    (few(3, 2, concentration=0), {"level": "star", "professional": False}),
    (few(2, 2, concentration=0), {"level": "star", "winner": False, "net": False}),
)


@compiled_only
@pytest.mark.parametrize("resources, options", SMALLER)
def test_merged_positions_change_no_value(resources: tuple[Resources, Resources], options: dict) -> None:
    point = solve_point(*resources, **options)
    game = replace(GAME, apply=step, legal=legal)
    raw = explore(game, point.options, start(point.options, *resources), raw_key)
    assert len(raw) > 2 * len(point.graph)
    fine = raw.solve()
    assert fine.value[ROOT] == pytest.approx(point.value, abs=1e-11)
    merged = point.graph.find(raw.states[ROOT:])
    assert (merged != LOST).all()
    np.testing.assert_allclose(fine.value[ROOT:], point.solution.value[merged], atol=1e-11)


@compiled_only
@pytest.mark.parametrize("level", LEVELS)
def test_bellman(level: str) -> None:
    graph, solution = (point := solve_point(level=level)).graph, point.solution
    assert ((graph.option_start[ROOT + 1 :] - graph.option_start[ROOT:-1]) > 0).all()
    chances = np.add.reduceat(graph.probabilities, graph.edge_start[:-1])
    np.testing.assert_allclose(chances, 1, atol=1e-12)
    best = np.maximum.reduceat(solution.option_value, graph.option_start[ROOT:-1])
    np.testing.assert_allclose(solution.value[ROOT:], best, atol=2e-12)
    assert 0.5 < point.value < 0.6


@compiled_only
@pytest.mark.parametrize("level", LEVELS)
def test_values_hold_in_the_match_itself(level: str) -> None:
    point, checked, seed = solve_point(level=level), 0, 0
    while checked < 100:
        match = Match(GAME, seed=seed, **point.options.model_dump())
        seed += 1
        while not match.over:
            worth = point.action_values(match.state)
            assert [match.action_index(name) for name in worth] == match.legal_actions()
            for name, value in worth.items():
                if not match.chance_events(name):
                    after = match.clone()
                    after.apply(name)
                    assert value == pytest.approx(_worth(point, after, match.seat), abs=1e-11)
                    checked += 1
            match.apply(point.best(match.state))


def _worth(point, match: Match, seat: int) -> float:
    if match.over:
        return float(match.winner == seat)
    value = max(point.action_values(match.state).values())
    return value if match.seat == seat else 1 - value


@compiled_only
@pytest.mark.parametrize("level", LEVELS)
def test_no_player_beats_the_optimum(level: str) -> None:
    point = solve_point(level=level)
    for player in (ScriptedOpponent(), RandomOpponent(0)):
        found = report(point, player)
        assert found.loss_serving > 1e-4 and found.loss_receiving > 1e-4
        assert found.serving < point.value and found.receiving < 1 - point.value
    serving, receiving = point.worst_case(ScriptedOpponent())
    found = report(point, ScriptedOpponent())
    assert found.loss == pytest.approx(point_loss(ScriptedOpponent(), level), abs=1e-12)
    assert serving <= found.serving + 1e-11 and receiving <= found.receiving + 1e-11


@compiled_only
@pytest.mark.parametrize("level", ("experienced", "star"))
def test_losses_of_choices_add_up_to_the_points_lost(level: str) -> None:
    point = solve_point(level=level)
    nodes = np.arange(ROOT, len(point.graph) + ROOT)
    choices = [np.concatenate([[-1], point.player(ScriptedOpponent(), role)(nodes)]) for role in range(2)]
    best, found = point.solution.choice, report(point, ScriptedOpponent())
    for pair, expected in (
        ((choices[0], best), found.serving),
        ((best, choices[1]), 1 - found.receiving),
        (choices, found.itself),
    ):
        assert point.graph.evaluate(*pair)[ROOT, 0] == pytest.approx(expected, abs=1e-10)


@compiled_only
def test_the_optimum_loses_nothing() -> None:
    point = solve_point(level="veteran")
    assert point_loss(Optimum(point), "veteran") == pytest.approx(0, abs=1e-10)
    assert point_loss(point.solution.actions, "veteran") == pytest.approx(0, abs=1e-10)
    assert point_loss(lambda **options: ScriptedOpponent(), "veteran") == pytest.approx(
        point_loss(ScriptedOpponent(), "veteran"), abs=1e-12
    )


@compiled_only
def test_an_illegal_choice_is_told() -> None:
    point = solve_point(level="veteran")
    with pytest.raises(ValueError, match="'serve first' is not legal"):
        point_loss(np.zeros_like(point.solution.actions), "veteran")


@pytest.mark.parametrize("dice", [0, 6])
def test_dice_that_nobody_has(dice: int) -> None:
    with pytest.raises(ValueError, match="must be 1 to 5"):
        solve_point(*few(dice, 5), level="beginner")


@compiled_only
@pytest.mark.parametrize("level", LEVELS)
def test_points_without_a_choice(level: str) -> None:
    """In matches, which are not passed over, as often as the graph says."""
    point, points = solve_point(level=level), 20_000
    match = Match("passing_shot", format="point", first_server="player_0", level=level, seed=0)
    ended = np.zeros(2, np.int64)
    for seed in range(points):
        match.reset(seed)
        if match.over:
            ended[match.winner] += 1
    for count, chance in zip(ended, point.undecided(), strict=True):
        assert abs(count / points - chance) < 4.5 * np.sqrt(chance * (1 - chance) / points)


@compiled_only
@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
def test_play_agrees(level: str) -> None:
    point, points = solve_point(level=level), 400_000
    found = report(point, ScriptedOpponent())
    for seed, (serving, receiving, expected) in enumerate(
        (
            (None, None, point.value),
            (ScriptedOpponent(), None, found.serving),
            (None, ScriptedOpponent(), 1 - found.receiving),
        )
    ):
        played = play(point, serving, receiving, points, seed)
        assert abs(played.serving - expected) < 4 * np.sqrt(expected * (1 - expected) / points)
        if serving is not None:
            assert abs(played.loss[0] - found.loss_serving) < 4 * played.error[0]
            assert played.loss[1] == pytest.approx(0, abs=1e-9)


def test_match_chance() -> None:
    assert match_chance(0.5, 0.5) == pytest.approx(0.5)
    assert match_chance(0.62, 0.41) + match_chance(1 - 0.41, 1 - 0.62) == pytest.approx(1)
    # With equal chances on either serve a game is won with 0.7357 at 0.6, a set and a match by the same sums again.
    assert match_chance(0.6, 0.6) > match_chance(0.55, 0.6) > match_chance(0.55, 0.55) > 0.5
    assert match_chance(0.6, 0.6, sets=3) > match_chance(0.6, 0.6)
