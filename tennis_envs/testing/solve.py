"""Exact values of two-seat zero-sum games by explicit chance: every reachable position, up to the end of a stage.

`explore` lays out the graph of positions that can follow a root until `ended` says that the stage (a point, say) is
over. Positions with the same `key` are one node, so the key says which fields of a state can matter. Positions may
repeat: `Graph.solve` narrows a lower and an upper bound of every value until they meet, which they do where play ends
with probability 1 whatever the players do.

All values belong to the seat to move: its probability to win the stage. A key that looks at seats relative to the
one to move therefore merges mirrored positions, and one that names seats is as sound, only larger.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from tennis_envs.core import kernels as loops
from tennis_envs.core.game import Game
from tennis_envs.core.jit import compiled, game_folder, records
from tennis_envs.core.kernels import mask_type, new_chance

BEST = -1  # in place of an option: the one with the greatest value
LOST = 0  # the node of a stage that the seat to move has lost; seen from the other seat, it is won
ROOT = 1
LEAVES = 2048  # ways in which chance may answer one action
EVENTS = 16  # chance events on one path
SWEEPS = 10_000  # after which bounds that have not met never will

_DONE, _NODES, _OPTIONS, _EDGES = range(4)  # places among the counters
_FINISHED, _FULL, _TOO_WIDE = range(3)


def point_ended(before, after):
    """1 or -1 if team 0 or team 1 has won a point meanwhile, 0 if none has been won."""
    return np.sign(np.int64(after.lead) - np.int64(before.lead))


@dataclass(frozen=True)
class Reach:
    """How often play visits each node, and what it costs."""

    visits: np.ndarray
    """Expected visits a stage, float64 (nodes, 2): with the root's seat to move, and with the other."""
    choice: np.ndarray
    """The option taken, int64 (2, nodes); -1 where play never comes."""
    decisions: np.ndarray
    """Expected decisions with more than one legal action, of the root's seat and of the other."""
    loss: np.ndarray
    """Expected sum, over those decisions, of the best option's value less the value of the one taken."""


class Graph:
    """Positions (nodes), their legal actions (options) and the ways in which chance answers those (edges)."""

    def __init__(self, game: Game, options: Any, root: np.ndarray, key: FunctionType, ended: FunctionType) -> None:
        self.game, self.options = game, options
        self.rules = records(game.rules(options))
        self._explore, self._find, self._rehash = _explorers(game, key, ended)
        self._lay_out(records(root.copy()))

    def _lay_out(self, root: np.ndarray) -> None:
        counters = np.array([1, 1, 0, 0], np.int64)
        room = len(self.game.actions) * LEAVES  # one position can add no more
        nodes, self._table = room + 4096, np.zeros(1 << 17, np.int32)
        states, keys = np.zeros(nodes, root.dtype), np.zeros(nodes, np.int64)
        marks, slots, option_start = (np.zeros(nodes + 1, np.int64) for _ in range(3))
        option_action, edge_start = np.zeros(nodes, np.int16), np.zeros(nodes + 1, np.int64)
        edges, probabilities = np.zeros(2 * nodes, np.int64), np.zeros(2 * nodes)
        states[ROOT] = root[0]
        masks = records(np.zeros(1, mask_type(self.game)))
        leaves, weights = records(np.zeros(LEAVES + 1, root.dtype)), np.zeros(LEAVES + 1)
        chances = new_chance(EVENTS + 1)
        while True:
            end = self._explore(
                self.rules, records(states), masks, chances, leaves, weights, keys, self._table, marks, slots,
                option_start, option_action, edge_start, edges, probabilities, counters,
            )  # fmt: skip
            if end == _TOO_WIDE:
                raise OverflowError(f"an action has more than {LEAVES} answers, or a path more than {EVENTS} events")
            if end == _FINISHED:
                break
            if counters[_NODES] + room >= len(states):
                states, keys = _grown(states), _grown(keys)
                marks, slots, option_start = _grown(marks), _grown(slots), _grown(option_start)
            if counters[_OPTIONS] + room >= len(option_action):
                option_action, edge_start = _grown(option_action), _grown(edge_start)
            if counters[_EDGES] + room >= len(edges):
                edges, probabilities = _grown(edges), _grown(probabilities)
            if 2 * (counters[_NODES] + room) >= len(self._table):
                self._table = np.zeros(2 * len(self._table), np.int32)
                self._rehash(keys, counters[_NODES], self._table)
        _, nodes, options, edge_count = counters.tolist()
        option_start[nodes], edge_start[options] = options, edge_count
        self.states = records(states[:nodes].copy())
        """A position of every node; node 0 (`LOST`) has none."""
        self._keys = keys[:nodes].copy()
        self.option_start = option_start[: nodes + 1].copy()
        """The options of node n are `option_start[n]` to `option_start[n + 1] - 1`."""
        self.option_action = option_action[:options].copy()
        """The action of every option."""
        self.edge_start, self.edges = edge_start[: options + 1].copy(), edges[:edge_count].copy()
        """Option o has edges `edge_start[o]` to `edge_start[o + 1] - 1`: twice the node, and 1 if the seat changes."""
        self.probabilities = probabilities[:edge_count].copy()

    def __len__(self) -> int:
        return len(self._keys) - 1

    def __repr__(self) -> str:
        return f"<Graph of {len(self):,} positions, {len(self.option_action):,} actions, {len(self.edges):,} outcomes>"

    def find(self, states: np.ndarray) -> np.ndarray:
        """The nodes of positions, int64; 0 for those that cannot be reached from the root."""
        found = np.zeros(len(states), np.int64)
        self._find(self.rules, records(np.ascontiguousarray(states)), self._keys, self._table, found)
        return found

    def options_of(self, node: int) -> range:
        """The options of a node."""
        return range(int(self.option_start[node]), int(self.option_start[node + 1]))

    def options_for(self, nodes: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """The options of nodes by their actions, int64; ValueError if one is illegal or a node is `LOST`."""
        options, ends = self.option_start[nodes].copy(), self.option_start[nodes + 1]
        looking = np.arange(len(nodes))
        while len(looking):
            if (options[looking] >= ends[looking]).any():
                wrong = looking[np.flatnonzero(options[looking] >= ends[looking])[0]]
                name = self.game.actions.name(int(actions[wrong]))
                raise ValueError(f"action {name!r} is not legal in node {nodes[wrong]}.")
            looking = looking[self.option_action[options[looking]] != actions[looking]]
            options[looking] += 1
        return options

    def choose(self, actions: np.ndarray) -> np.ndarray:
        """The options of all nodes by an action for each (that of node 0 counts for nothing), for `evaluate`."""
        nodes = np.arange(ROOT, len(self.option_start) - 1)
        return np.concatenate([[BEST], self.options_for(nodes, np.asarray(actions)[ROOT:])])

    def evaluate(self, *choices: np.ndarray | None, tolerance: float = 1e-12) -> np.ndarray:
        """The value of every node, float64 (nodes, 2): the root's seat plays `choices[0]`, the other `choices[1]`.

        Column 0 has the root's seat to move, column 1 the other. None is a best response (with two: optimal play); a
        single None gives optimal play, whoever moves, in one column.
        """
        nodes = len(self.option_start) - 1
        best = np.full(nodes, BEST, np.int64)
        choice = np.stack([best if c is None else c for c in choices])
        bounds = np.zeros((nodes, len(choices), 2))
        bounds[ROOT:, :, 1] = 1
        for _ in range(SWEEPS):
            graph = self.option_start, self.edge_start, self.edges, self.probabilities
            width = _sweep(*graph, choice, bounds, tolerance)
            if width <= tolerance:
                return bounds.mean(axis=2)
        raise ArithmeticError(f"after {SWEEPS} sweeps some value is known to {width:.1e} only: play may never end")

    def arrivals(self, passed: np.ndarray, tolerance: float = 1e-12) -> np.ndarray:
        """How likely play from the root first comes to each node that is not `passed`, float64 (nodes, 2).

        Column 0 has the root's seat to move, column 1 the other. Nodes that are `passed` go on by their first option; what is
        missing from a sum of 1 is play that has ended on the way.
        """
        choice = np.where(passed, self.option_start[:-1], BEST)
        pending, visits = np.zeros((len(passed), 2)), np.zeros((len(passed), 2))
        pending[ROOT, 0] = 1
        while pending[passed].sum() > tolerance:
            edges = self.option_start, self.edge_start, self.edges, self.probabilities
            _push(*edges, np.stack([choice, choice]), pending, visits)
        return np.where(passed[:, None], 0, pending)

    def solve(self, tolerance: float = 1e-12) -> Solution:
        """Optimal play: every value to within `tolerance`."""
        return Solution(self, self.evaluate(None, tolerance=tolerance)[:, 0])


class Solution:
    """Optimal play on a graph."""

    def __init__(self, graph: Graph, value: np.ndarray) -> None:
        self.graph, self.value = graph, value
        self.option_value = np.zeros(len(graph.option_action))
        """What each option is worth to the seat to move, if both play on optimally."""
        _weigh(graph.edge_start, graph.edges, graph.probabilities, value, self.option_value)
        self.choice = np.zeros(len(value), np.int64)
        """An optimal option of every node; the first of several."""
        _choose_best(graph.option_start, self.option_value, self.choice)

    @property
    def actions(self) -> np.ndarray:
        """An optimal action in every node, int16."""
        return self.graph.option_action[self.choice]

    def action_values(self, state: np.ndarray) -> dict[int, float]:
        """What each legal action is worth in a position; KeyError if it cannot be reached."""
        node = int(self.graph.find(np.atleast_1d(state))[0])
        if node == LOST:
            raise KeyError("this position cannot be reached from the root")
        return {int(self.graph.option_action[o]): float(self.option_value[o]) for o in self.graph.options_of(node)}

    def reach(self, *players: Callable[[np.ndarray], np.ndarray] | None, tolerance: float = 1e-12) -> Reach:
        """Follow play of the root's seat against the other from the root, until less than `tolerance` of it goes on.

        A player is a function from nodes to options, asked once about every node that it reaches; None is the optimum.
        """
        graph, nodes = self.graph, len(self.value)
        choice = np.full((2, nodes), BEST, np.int64)
        pending, visits = np.zeros((nodes, 2)), np.zeros((nodes, 2))
        pending[ROOT, 0] = 1
        while pending.sum() > tolerance:
            for player, function in enumerate(players):
                new = np.flatnonzero((pending[:, player] > 0) & (choice[player] == BEST))
                if len(new):
                    choice[player, new] = self.choice[new] if function is None else function(new)
            _push(graph.option_start, graph.edge_start, graph.edges, graph.probabilities, choice, pending, visits)
        many = (np.diff(graph.option_start) > 1)[:, None]
        taken = np.where(choice == BEST, self.choice, choice)
        lost = (self.value - self.option_value[taken]).T
        return Reach(visits, choice, (visits * many).sum(axis=0), (visits * lost).sum(axis=0))


def explore(game: Game, options: Any, root: np.ndarray, key: FunctionType, ended: FunctionType = point_ended) -> Graph:
    """The graph of all positions that can follow `root` (a state record, shape (1,), with a decision to take).

    `key(rules, state)` gives a whole number from 0 to 2**63 - 1; two positions may share one only if they have the same
    legal actions, and these the same consequences. `ended(before, after)` is 1 or -1 where a decision has ended the
    stage and team 0 or team 1 has won it, else 0. Both are plain functions, compiled here with the rules.
    A decision may not run on through rolls without end: a game whose rules do so gives its single steps as `apply`.
    """
    return Graph(game, options, root, key, ended)


def _grown(array: np.ndarray) -> np.ndarray:
    return np.concatenate([array, np.zeros_like(array)])


def _explorers(game: Game, key: FunctionType, ended: FunctionType) -> tuple[Callable, Callable, Callable]:
    """The loops that lay out and search a graph, cached under the sources of core, the game and what is given."""
    folders = Path(loops.__file__).parent, game_folder(getattr(game.setup, "py_func", game.setup))
    ruling = _digest(Path(__file__), *folders, _source(game.apply), _source(game.legal))
    digest = _digest(_source(key), _source(ended), first=ruling)

    def build(function: Any, name: str, stamp: str = digest) -> Any:
        if not isinstance(function, FunctionType):
            return function  # compiled already
        return compiled(function, f"{game.name}.solve.{name}.{stamp}", game_folder(function))

    game = replace(game, apply=build(game.apply, "apply", ruling), legal=build(game.legal, "legal", ruling))
    expand = build(loops._make_expand(game), "expand", ruling)
    name = getattr(key, "py_func", key).__qualname__, getattr(ended, "py_func", ended).__qualname__
    key = build(key, f"{name[0]}")
    grow = _make_explore(game, key, build(ended, f"{name[1]}"), expand)
    find = build(_make_find(key), f"find.{name[0]}")
    return build(grow, ".".join(("explore", *name))), find, build(_rehash, "rehash", ruling)


def _source(function: Any) -> Path:
    return Path(inspect.getfile(getattr(function, "py_func", function)))


def _digest(*places: Path, first: str = "") -> str:
    """A hash over Python sources: files, and all below folders."""
    files = [f for place in places for f in ([place] if place.is_file() else sorted(place.rglob("*.py")))]
    return hashlib.sha256(first.encode() + b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def _loop(function: FunctionType) -> Any:
    return compiled(function, f"testing.solve.{function.__name__}", game_folder(function))


@_loop
def _place(code):
    """Where in a table to look for a key first; all bits of the key count."""
    return ((code ^ (code >> 31)) & 0x7FFFFFFF) * 0x5851F42D >> 20


def _make_explore(game: Game, key: Callable, ended: Callable, expand: Callable) -> Callable:
    rules_legal = game.legal

    def explore(
        rules, states, masks, chances, leaves, weights, keys, table, marks, slots,
        option_start, option_action, edge_start, edges, probabilities, counters,
    ):  # fmt: skip
        """Expand the nodes from counters[_DONE] on; stop early, to be called again, where room may run short."""
        last = len(table) - 1
        legal = masks[0].legal
        room = len(legal) * (len(leaves) - 1)
        done, nodes, options, count = counters[_DONE], counters[_NODES], counters[_OPTIONS], counters[_EDGES]
        if nodes == ROOT:
            keys[ROOT] = key(rules[0], states[ROOT])
            place = _place(keys[ROOT]) & last
            table[place] = ROOT
            nodes += 1
        end = _FINISHED
        while done < nodes:
            short = nodes + room >= len(states) or options + room >= len(option_action) or count + room >= len(edges)
            if short or 2 * (nodes + room) > last:
                end = _FULL
                break
            option_start[done] = options
            rules_legal(rules[0], states[done], legal)
            for action in range(len(legal)):
                if legal[action] == 0:
                    continue
                option_action[options] = action
                edge_start[options] = count
                answers = expand(rules, states[done : done + 1], chances, action, leaves, weights)
                if answers < 0 or answers >= len(leaves):
                    end = _TOO_WIDE
                    break
                for k in range(1, answers + 1):
                    won = ended(states[done], leaves[k])
                    seat = np.int64(states[done].seat)
                    if won != 0:
                        child = np.int64(LOST)
                        flip = np.int64((won > 0) == (seat % 2 == 0))
                    else:
                        code = key(rules[0], leaves[k])
                        place = _place(code) & last
                        while table[place] != 0 and keys[table[place]] != code:
                            place = (place + 1) & last
                        child = np.int64(table[place])
                        if child == 0:
                            child = nodes
                            nodes += 1
                            table[place] = child
                            keys[child] = code
                            states[child] = leaves[k]
                        flip = np.int64(leaves[k].seat % 2 != seat % 2)
                    edge = 2 * child + flip
                    slot = slots[child]
                    if marks[child] == options + 1 and edges[slot] == edge:
                        probabilities[slot] += weights[k]
                    else:
                        marks[child] = options + 1
                        slots[child] = count
                        edges[count] = edge
                        probabilities[count] = weights[k]
                        count += 1
                options += 1
            done += 1
        counters[_DONE], counters[_NODES], counters[_OPTIONS], counters[_EDGES] = done, nodes, options, count
        return end

    return explore


def _make_find(key: Callable) -> Callable:
    def find(rules, states, keys, table, found):
        """The node of each position, 0 if it has none."""
        last = len(table) - 1
        for i in range(len(states)):
            code = key(rules[0], states[i])
            place = _place(code) & last
            while table[place] != 0 and keys[table[place]] != code:
                place = (place + 1) & last
            found[i] = table[place]

    return find


def _rehash(keys, nodes, table):
    """Enter every node into an empty table."""
    last = len(table) - 1
    for node in range(ROOT, nodes):
        place = _place(keys[node]) & last
        while table[place] != 0:
            place = (place + 1) & last
        table[place] = node


@_loop
def _sweep(option_start, edge_start, edges, probabilities, choice, bounds, tolerance):
    """Narrow the bounds of every node once, from the last discovered to the first; return the widest that is left."""
    players = choice.shape[0]
    widest = 0.0
    for node in range(len(option_start) - 2, LOST, -1):
        for player in range(players):
            if bounds[node, player, 1] - bounds[node, player, 0] <= tolerance / 2:
                continue
            first, end = option_start[node], option_start[node + 1]
            if choice[player, node] != BEST:
                first = choice[player, node]
                end = first + 1
            low, high = 0.0, 0.0
            for option in range(first, end):
                option_low, option_high = 0.0, 0.0
                for e in range(edge_start[option], edge_start[option + 1]):
                    child = edges[e] >> 1
                    if edges[e] & 1:
                        option_low += probabilities[e] * (1 - bounds[child, players - 1 - player, 1])
                        option_high += probabilities[e] * (1 - bounds[child, players - 1 - player, 0])
                    else:
                        option_low += probabilities[e] * bounds[child, player, 0]
                        option_high += probabilities[e] * bounds[child, player, 1]
                low = max(low, option_low)
                high = max(high, option_high)
            bounds[node, player, 0] = low
            bounds[node, player, 1] = high
            widest = max(widest, high - low)
    return widest


@_loop
def _weigh(edge_start, edges, probabilities, value, option_value):
    """What each option is worth by the values of the nodes."""
    for option in range(len(option_value)):
        worth = 0.0
        for e in range(edge_start[option], edge_start[option + 1]):
            child = value[edges[e] >> 1]
            worth += probabilities[e] * (1 - child if edges[e] & 1 else child)
        option_value[option] = worth


@_loop
def _choose_best(option_start, option_value, choice):
    """The first option of the greatest value in every node."""
    for node in range(ROOT, len(choice)):
        choice[node] = option_start[node]
        for option in range(option_start[node] + 1, option_start[node + 1]):
            if option_value[option] > option_value[choice[node]]:
                choice[node] = option


@_loop
def _push(option_start, edge_start, edges, probabilities, choice, pending, visits):
    """Let the pending play go on from every node whose option is known, in order of discovery."""
    for node in range(ROOT, len(option_start) - 1):
        for player in range(2):
            mass = pending[node, player]
            option = choice[player, node]
            if mass == 0 or option == BEST:
                continue
            pending[node, player] = 0
            visits[node, player] += mass
            for e in range(edge_start[option], edge_start[option + 1]):
                child = edges[e] >> 1
                if child != LOST:
                    pending[child, 1 - player if edges[e] & 1 else player] += mass * probabilities[e]
