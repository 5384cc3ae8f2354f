"""The compiled loops: one game's rules over one match or over the rows of a batch.

Built once a game and encoder, and cached on disk under the game's sources (`jit.py`). All arrays are C-contiguous and
of exactly the dtypes named here; `Match` and `MatchBatch` own them. Masks and observations are arrays of records with
one array field: a row taken from such an array costs no reference count, which is an atomic operation, and its
length is known to the compiler.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np

from tennis_envs.core.chance import CHANCE, SAMPLED, TAPE, roll
from tennis_envs.core.game import Game, record_type
from tennis_envs.core.jit import compiled, entry, game_folder, held, record_of, records
from tennis_envs.core.layout import Features
from tennis_envs.core.player import Teachable
from tennis_envs.core.shares import next_rows

SETTINGS = np.dtype([("max_decisions", "i4"), ("reward", "i4")], align=True)


def mask_type(game: Game) -> np.dtype:
    """A row of masks: one int8 an action."""
    return np.dtype([("legal", "i1", (len(game.actions),))])


def view_type(features: Features) -> np.dtype:
    """A row of observations: float32 features."""
    return np.dtype([("features", "f4", (len(features),))])


def match_type(game: Game, encoder: str) -> np.dtype:
    """A match by itself: its state, its chance, and what its seat to move may choose and sees."""
    return record_type(
        [
            ("state", game.state_type),
            ("chance", CHANCE),
            ("lead_before", "i8"),  # `state.lead` before the last decision, or before the match began
            ("lead_now", "i8"),  # after it
            ("features", "f4", (len(game.encoders[encoder].features),)),
            ("legal", "i1", (len(game.actions),)),
        ]
    )


REWARDS = ("match", "point")
REWARD_AT_END = REWARDS.index("match")

ILLEGAL = -1
OVER = 64  # loops over a single match return the seat to move, plus OVER once the match has ended, or ILLEGAL


SET_UP, DECIDE, REDEAL, LOOK = range(4)  # what the loop over a single match can be asked for


def _make_single(game: Game, encoder: str) -> Callable:
    rules_setup, rules_apply, rules_legal, rules_redeal = game.setup, game.apply, game.legal, game.redeal
    rules_observe = game.encoders[encoder].observe
    rules_of, match_of = record_of(game.rules_type), record_of(match_type(game, encoder))

    def single(held_rules, held_match, job, number):
        """One job on one match, then its mask, and what the seat to move sees.

        SET_UP: from a state of zeros to the first decision. DECIDE: action `number`; ILLEGAL, and nothing changed, if it is
        not allowed. REDEAL: draw anew what seat `number` cannot know. Returns the seat to move, plus OVER if the match has ended.
        """
        rules, match = rules_of(held_rules), match_of(held_match)
        if job == DECIDE:
            if number < 0 or number >= len(match.legal) or match.legal[number] == 0:
                return ILLEGAL
            match.lead_before = match.lead_now
            match.chance.draws = 0
            rules_apply(rules, match.state, match.chance, number)
            match.lead_now = match.state.lead
        elif job == SET_UP:
            rules_setup(rules, match.state, match.chance)
        elif job == REDEAL:
            rules_redeal(rules, match.state, number, match.chance)
        rules_legal(rules, match.state, match.legal)
        rules_observe(rules, match.state, np.int64(match.state.seat), match.features)
        return int(match.state.seat) + OVER * int(match.state.over)

    return single


def _make_observe(game: Game, encoder: str) -> Callable:
    rules_observe = game.encoders[encoder].observe

    def observe(rules, states, rows, seats, views):
        """Write what `seats[k]` sees of match `rows[k]` into `views[k]`."""
        for k in range(len(rows)):
            rules_observe(rules[0], states[rows[k]], np.int64(seats[k]), views[k].features)

    return observe


def _make_step(game: Game, encoder: str) -> Callable:
    rules_setup, rules_apply, rules_legal = game.setup, game.apply, game.legal
    rules_observe = game.encoders[encoder].observe

    def step(
        rules, settings, states, finals, blank, streams, decisions, chances,
        rows, actions, masks, views, seat, reward, done, truncated, taken, thread, chunk, begin,
    ):  # fmt: skip
        """One legal decision in each of the matches `rows`; a match that ends starts again at once.

        With `begin` there is no decision: these matches start anew, each from its own stream. This thread takes `chunk` rows
        after `chunk` rows, as long as there are some that no other has taken.
        """
        chance = chances[0]
        by_point = settings[0].reward != REWARD_AT_END
        longest = settings[0].max_decisions
        seats = reward.shape[1]
        while True:
            lo, hi = next_rows(taken, thread, len(rows), chunk)
            if lo == hi:
                break
            for k in range(lo, hi):
                i = np.int64(rows[k])
                state = states[i]
                chance.stream = streams[i]
                chance.draws = 0
                gain = np.float32(0)
                ended = begin
                if not begin:
                    # a point may be over before the first decision
                    before = np.int64(state.lead) if by_point and decisions[i] else 0
                    rules_apply(rules[0], state, chance, np.int64(actions[k]))
                    decisions[i] += 1
                    if by_point:
                        gain = np.float32(state.lead - before)
                    ended = (state.over != 0) | (decisions[i] >= longest)
                    done[i] = ended
                    truncated[i] = False
                    if ended:
                        truncated[i] = state.over == 0
                        if not by_point and state.winner >= 0:
                            gain = np.float32(1 - 2 * np.int64(state.winner))
                        finals[i] = states[i]
                if ended:
                    decisions[i] = 0
                    state.over = 1
                    while state.over:  # a match that is won before anybody has decided is passed over
                        states[i] = blank[0]
                        rules_setup(rules[0], state, chance)
                reward[i, 0] = gain
                if seats > 1:
                    reward[i, 1] = -gain
                for s in range(2, seats):
                    reward[i, s] = -gain if s & 1 else gain
                streams[i] = chance.stream
                seat[i] = state.seat
                rules_legal(rules[0], state, masks[i].legal)
                rules_observe(rules[0], state, np.int64(state.seat), views[i].features)

    return step


def _thinker(game: Game, player: str) -> tuple[Callable, Callable]:
    """A scripted player as the loops ask it: prepare(rules, mind), and decide(rules, state, mask, chance, mind)."""
    rules_player = game.players[player]
    if isinstance(rules_player, Teachable):
        return rules_player.prepare, rules_player.act

    def prepare(rules, mind):
        """A player without weights."""

    def decide(rules, state, mask, chance, mind):
        """A player without weights."""
        return rules_player(rules, state, mask, chance)

    name = f"{game.name}.{player}"
    return (
        compiled(prepare, f"{name}.prepare", _folder(game), forceinline=True),
        compiled(decide, f"{name}.decide", _folder(game), forceinline=True),
    )


def _make_player(game: Game, player: str) -> Callable:
    prepare, decide = _thinker(game, player)

    def act(rules, states, masks, streams, chances, mind, rows, actions, taken, thread, chunk):
        """What a scripted player does in the matches `rows`; it may draw from `streams`.

        This thread takes `chunk` rows after `chunk` rows, as long as there are some that no other has taken.
        """
        prepare(rules[0], mind)
        chance = chances[0]
        while True:
            lo, hi = next_rows(taken, thread, len(rows), chunk)
            if lo == hi:
                break
            for k in range(lo, hi):
                i = rows[k]
                chance.stream = streams[i]
                chance.draws = 0
                actions[k] = decide(rules[0], states[i], masks[i].legal, chance, mind)
                streams[i] = chance.stream

    return act


def _make_playout(game: Game, player: str) -> Callable:
    rules_apply, rules_legal = game.apply, game.legal
    prepare, decide = _thinker(game, player)

    def playout(rules, states, rows, actions, streams, chances, futures, masks, mind, longest, winners, taken, thread):
        """Play copies of the matches `rows` to the end: `actions[k]` first, then what the player does for every seat.

        This thread takes one row after another, as long as there are some that no other has taken. `futures` and `masks`
        are room for one match. Writes the team that wins, -1 after `longest` decisions without one.
        """
        prepare(rules[0], mind)
        chance = chances[0]
        state, mask = futures[0], masks[0]
        while True:
            lo, hi = next_rows(taken, thread, len(rows), 1)
            if lo == hi:
                break
            for k in range(lo, hi):
                futures[0] = states[rows[k]]
                chance.stream = streams[k]
                action = np.int64(actions[k])
                left = longest
                while True:
                    chance.draws = 0
                    rules_apply(rules[0], state, chance, action)
                    left -= 1
                    if state.over or left <= 0:
                        break
                    rules_legal(rules[0], state, mask.legal)
                    action = decide(rules[0], state, mask.legal, chance, mind)
                winners[k] = state.winner if state.over else -1

    return playout


def _make_trial(game: Game, player: str) -> Callable:
    rules_setup, rules_apply, rules_legal = game.setup, game.apply, game.legal
    prepare, decide = _thinker(game, player)

    def trial(rules, blank, streams, chances, futures, masks, weights, steps, signs, mind, rival, longest, results, lo, hi):
        """Play matches lo to hi twice, with the same luck: by weights a step away, as `signs` say, and a step the other way.

        The player tried is team 0 in every second match, and meets itself with the mind `rival`. `futures`, `masks` and
        `mind` are room for one match. Writes 1 where it wins, -1 where it loses, 0 after `longest` decisions.
        """
        prepare(rules[0], rival)
        chance = chances[0]
        state, mask = futures[0], masks[0]
        for k in range(lo, hi):
            team = k & 1
            for way in range(2):
                for w in range(len(weights)):
                    mind[w] = weights[w] + (1 - 2 * way) * signs[k, w] * steps[w]
                prepare(rules[0], mind)
                futures[0] = blank[0]
                chance.stream = streams[k]
                chance.draws = 0
                rules_setup(rules[0], state, chance)
                left = longest
                while state.over == 0 and left > 0:
                    rules_legal(rules[0], state, mask.legal)
                    own = (state.seat & 1) == team
                    action = np.int64(decide(rules[0], state, mask.legal, chance, mind if own else rival))
                    chance.draws = 0
                    rules_apply(rules[0], state, chance, action)
                    left -= 1
                won = state.winner == team
                results[k, way] = (2 * won - 1) if state.over else 0

    return trial


def _make_expand(game: Game) -> Callable:
    rules_apply = game.apply

    def expand(rules, states, chances, action, leaves, weights):
        """Every way in which chance can answer `action`: positions and probabilities, from place 1 on.

        Walks the tree of chance events depth first, by tape. Returns how many there are; those for which there is no
        room are counted, not kept. -1 if an event has more outcomes, or a path more events, than `chances` can hold.
        """
        chance = chances[0]
        path = chances[1:]  # one record an event on the tape: the outcome tried now, all weights and their total
        count = 0
        depth = 0
        while True:
            leaves[0] = states[0]
            chance.mode = TAPE
            chance.given = depth
            chance.draws = 0
            chance.open = 0
            for d in range(depth):
                chance.outcome[d] = path[d].outcome[0]
            rules_apply(rules[0], leaves[0], chance, action)
            if chance.open > 0:
                if depth >= len(path) or chance.open > len(chance.weights):
                    return -1
                path[depth] = chance
                path[depth].outcome[0] = -1
                depth += 1
            else:
                count += 1
                if count < len(leaves):
                    leaves[count] = leaves[0]
                    weights[count] = 1.0
                    for d in range(depth):
                        weights[count] *= path[d].weights[path[d].outcome[0]] / path[d].total
            while depth > 0:
                event = path[depth - 1]
                event.outcome[0] += 1
                while event.outcome[0] < event.open and event.weights[event.outcome[0]] == 0:
                    event.outcome[0] += 1
                if event.outcome[0] < event.open:
                    break
                depth -= 1
            if depth == 0:
                return count

    return expand


def _first_illegal(mask, rows, actions):
    """The first k whose action is not legal in match rows[k], -1 if there is none."""
    for k in range(len(rows)):
        action = actions[k]
        if action < 0 or action >= mask.shape[1] or mask[rows[k], action] == 0:
            return k
    return -1


def _random_actions(mask, streams, chances, rows, actions):
    """A uniformly random legal action for each of the matches `rows`, each drawn from its own stream."""
    chance = chances[0]
    for k in range(len(rows)):
        i = rows[k]
        legal = 0
        for a in range(mask.shape[1]):
            legal += mask[i, a]
        chance.stream = streams[i]
        chance.draws = 0
        left = roll(chance, legal)
        streams[i] = chance.stream
        action = 0
        while mask[i, action] == 0 or left > 0:
            left -= mask[i, action]
            action += 1
        actions[k] = action


def _folder(game: Game) -> Path:
    """The folder whose sources decide over the cache of the game's loops."""
    return game_folder(getattr(game.apply, "py_func", game.apply))


class Kernels:
    """The compiled entry points of one game and encoder, compiled (or loaded) when first used."""

    def __init__(self, game: Game, encoder: str) -> None:
        self._game, self._encoder = game, encoder
        self._by_player: dict[tuple[str, str], Callable] = {}
        self.features = game.encoders[encoder].features
        self.view_type = view_type(self.features)
        self.mask_type = mask_type(game)
        self.match_type = match_type(game, encoder)
        i1, i4, u8, f4 = numba.int8, numba.int32, numba.uint64, numba.float32
        rules, state = (numba.from_dtype(dtype)[::1] for dtype in (game.rules_type, game.state_type))
        chance, settings = (numba.from_dtype(dtype)[::1] for dtype in (CHANCE, SETTINGS))
        mask, view = (numba.from_dtype(kind)[::1] for kind in (self.mask_type, self.view_type))
        flag, whole, taken = numba.boolean[::1], numba.int64, numba.int64[:, ::1]
        weights, mind = numba.float64[::1], numba.float32[::1]
        self._signatures: dict[str, tuple] = {
            "single": (whole, whole, whole, whole),
            "observe": (rules, state, i4[::1], i1[::1], view),
            "step": (
                rules, settings, state, state, state, u8[::1], i4[::1], chance,
                i4[::1], i4[::1], mask, view, i1[::1], f4[:, ::1], flag, flag, taken, whole, whole, numba.boolean,
            ),
            "player": (rules, state, mask, u8[::1], chance, mind, i4[::1], i4[::1], taken, whole, whole),
            "playout": (
                rules, state, i4[::1], i4[::1], u8[::1], chance, state, mask, mind, whole, i1[::1], taken, whole,
            ),
            "trial": (
                rules, state, u8[::1], chance, state, mask, weights, weights, i1[:, ::1], mind, mind, whole, i1[:, ::1],
                whole, whole,
            ),
            "expand": (rules, state, chance, whole, state, numba.float64[::1]),
            "first_illegal": (i1[:, ::1], i4[::1], i4[::1]),
            "random_actions": (i1[:, ::1], u8[::1], chance, i4[::1], i4[::1]),
        }  # fmt: skip

    def _entry(self, function: Callable, signature: str, name: str) -> Callable:
        long = signature != "single"  # what is done at once need not let other threads run meanwhile
        return entry(compiled(function, name, _folder(self._game), nogil=long), self._signatures[signature], self._game.title)

    def __getattr__(self, name: str) -> Any:
        if name in _SHARED:
            kernel = _shared(name, self._signatures[name])
        elif name == "expand":
            kernel = self._entry(_make_expand(self._game), name, f"{self._game.name}.{name}")
        elif name in _BY_ENCODER:
            made = _BY_ENCODER[name](self._game, self._encoder)
            kernel = self._entry(made, name, f"{self._game.name}.{name}.{self._encoder}")
        else:
            raise AttributeError(name)
        setattr(self, name, kernel)
        return kernel

    def after(self, rules: np.ndarray, states: np.ndarray, action: int, outcomes: Sequence[int]) -> np.void:
        """The position that a decision and these outcomes of chance lead to, as a record; `states` stays as it is."""
        matches = np.zeros(1, self.match_type)
        matches["state"], matches["legal"][0, action] = states, 1
        chance = matches["chance"]
        chance["mode"], chance["given"] = TAPE, len(outcomes)
        chance["outcome"][0, : len(outcomes)] = outcomes
        self.single(held(rules), held(records(matches)), DECIDE, action)
        return matches["state"].view(np.recarray)[0]

    def player(self, name: str) -> Callable:
        """The loop of a scripted player of the game."""
        return self._of_player("player", _make_player, name)

    def playout(self, name: str) -> Callable:
        """The loop that plays matches to the end by a scripted player."""
        return self._of_player("playout", _make_playout, name)

    def trial(self, name: str) -> Callable:
        """The loop that tries other weights of a scripted player."""
        return self._of_player("trial", _make_trial, name)

    def mind(self, name: str, weights: np.ndarray | None = None) -> np.ndarray:
        """What a scripted player counts with: these weights, or its own. ValueError if it has none to replace."""
        player = self._game.players[name]
        if isinstance(player, Teachable):
            return player.mind(weights)
        if weights is not None:
            raise ValueError(f"the player {name!r} of {self._game.name} has no weights to replace.")
        return np.zeros(0, np.float32)

    def _of_player(self, signature: str, make: Callable, name: str) -> Callable:
        key = signature, name
        if key not in self._by_player:
            self._by_player[key] = self._entry(make(self._game, name), signature, f"{self._game.name}.{signature}.{name}")
        return self._by_player[key]


_BY_ENCODER = {
    "single": _make_single,
    "observe": _make_observe,
    "step": _make_step,
}


@functools.cache
def _shared(name: str, signature: tuple) -> Callable:
    """A loop that no game's rules take part in."""
    function = _SHARED[name]
    return entry(compiled(function, f"core.{name}", game_folder(function)), signature, "the shared loops")


_SHARED = {"first_illegal": _first_illegal, "random_actions": _random_actions}


@functools.cache
def kernels(game: Game, encoder: str) -> Kernels:
    """The kernels of a game, made once."""
    game.encoder(encoder)
    return Kernels(game, encoder)


def new_chance(count: int = 1, stream: int = 0) -> np.ndarray:
    """Chance records, shape (count,), in sampled mode."""
    chances = np.zeros(count, CHANCE)
    chances["mode"] = SAMPLED
    chances["stream"] = stream
    return records(chances)
