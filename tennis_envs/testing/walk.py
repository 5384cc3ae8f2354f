"""Random legal play with every invariant on."""

from __future__ import annotations

import functools
import hashlib
import pickle
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tennis_envs import registry
from tennis_envs.batch import MatchBatch
from tennis_envs.core.chance import stream
from tennis_envs.core.game import Game
from tennis_envs.core.jit import DISABLED, records
from tennis_envs.core.kernels import new_chance
from tennis_envs.core.layout import Features
from tennis_envs.match import Match

_MOST_ROWS = 1024  # matches played side by side
_STEPS = 1000  # at least, so that matches come to an end
_TOLD_APART_PER_STEP = 8  # rows of each step whose "full" views are compared with all seats' views
_PLAY_ON = 3  # decisions played after a redeal

Invariants = Callable[[Any, np.void], None]
"""A game's own truths: invariants(options, state) raises AssertionError where one does not hold."""


class InvariantError(AssertionError):
    """An invariant that does not hold; `match` is the position in which it was found."""

    def __init__(self, what: str, match: Match | None = None) -> None:
        where = "" if match is None else f"\nin this position:\n{match.describe()}\n{match!r}"
        super().__init__(what + where)
        self.match = match


@dataclass
class Statistics:
    """What a walk met."""

    decisions: int = 0
    matches: int = 0
    checked: int = 0
    """Positions that had every check."""
    legal: Counter[str] = field(default_factory=Counter)
    """How often each action was legal."""
    taken: Counter[str] = field(default_factory=Counter)
    phases: Counter[int] = field(default_factory=Counter)
    """How often each value of the state's field `phase` came up, if it has one."""
    lengths: list[int] = field(default_factory=list)
    """Decisions of each finished match."""
    wins: Counter[int] = field(default_factory=Counter)
    """Matches won by each team."""

    def never_legal(self, game: Game) -> list[str]:
        """The actions that were legal nowhere."""
        return [name for name in game.actions.names if not self.legal[name]]

    def __str__(self) -> str:
        mean = sum(self.lengths) / max(1, len(self.lengths))
        longest = max(self.lengths, default=0)
        actions = ", ".join(f"{name} {self.taken[name]}/{self.legal[name]}" for name in self.legal)
        return (
            f"{self.decisions} decisions in {self.matches} finished matches (mean {mean:.0f}, longest {longest}), "
            f"{self.checked} positions checked in full; taken/legal: {actions}"
        )


def walk(
    game: str | Game,
    decisions: int,
    seed: int = 0,
    *,
    samples: int = 500,
    invariants: Invariants | None = None,
    **options: Any,
) -> Statistics:
    """Play at least `decisions` uniformly random legal decisions and check what must hold for every game.

    The bulk is one compiled `MatchBatch`. After *every* step, and for every match in it: the mask holds only 0 and 1
    and allows something; every seat's observation, by every encoder, is finite and within its bounds; looking changed
    no bit of any match, stream or mask; rewards are opposite for the two teams, and paid when they are due; a match
    that ended has a winner and came to its end before `max_decisions`. A million decisions take half a
    minute of one core.

    `samples` positions, spread over the walk and chosen so that rare actions are legal in many of them, and the ends
    of some matches, also have the checks of `check_match`, which take milliseconds each. In a few positions of each
    step, equal "full" views must mean equal views and masks of all seats. At the end the walk's first steps are played
    again by the same seed and must bring the same. In plain Python (NUMBA_DISABLE_JIT=1) the first row's first match
    is also played by the bare rules, without a mask or an observation ever made, and must come out the same.

    `invariants(options, state)` adds the game's own. A `Game` that the registry does not know is added to it.
    Raises `InvariantError` (an AssertionError), else returns what was met on the way.
    """
    game = known(game)
    rows = max(1, min(_MOST_ROWS, decisions // _STEPS))
    batch = MatchBatch(game, rows, seed=seed, **options)
    bulk = _Bulk(batch)
    luck = np.random.default_rng(seed)
    actions = len(game.actions)
    seen, met, taken = Statistics(), np.zeros(actions, np.int64), np.zeros(actions, np.int64)
    checked = np.zeros(actions, np.int64)
    steps = -(-decisions // rows)
    check_match(Match(game, seed=seed, **options), seed, invariants=invariants)
    unseen = Unseen(batch, seed)
    traces: list[str] = []
    for step in range(steps):
        bulk.check()
        met += (batch.action_mask > 0).sum(axis=0)
        if "phase" in game.state_type.names:
            seen.phases.update(batch.states["phase"].tolist())
        due = samples * (step + 1) // steps - samples * step // steps
        for _ in range(min(due, rows)):
            rare = (batch.action_mask / (1.0 + checked)).max(axis=1) + luck.random(rows) * 1e-6
            row = int(rare.argmax())
            checked += batch.action_mask[row]
            seen.checked += 1
            check_match(batch.match(row), int(luck.integers(2**31)), invariants=invariants)
        chosen = batch.random_actions()
        taken += np.bincount(chosen, minlength=actions)
        lasted = batch.decisions + 1
        unseen.follow(batch, int(chosen[0]))
        batch.step(chosen)
        _check_ends(batch, lasted, seen, step, invariants)
        if step < 8:
            traces.append(fingerprint(batch))
    seen.decisions = steps * rows
    seen.legal.update({name: int(n) for name, n in zip(game.actions.names, met, strict=True) if n})
    seen.taken.update({name: int(n) for name, n in zip(game.actions.names, taken, strict=True) if n})
    again = MatchBatch(game, rows, seed=seed, **options)
    for step, trace in enumerate(traces):
        again.step(again.random_actions())
        require(fingerprint(again) == trace, f"the same seed played differently the second time, in step {step}")
    return seen


class Unseen:
    """The first match of a batch's row 0 once more, by the bare rules: nobody ever looks at it.

    Only in plain Python, where the rules can be called one by one; compiled, the loops make mask and view each time.
    """

    def __init__(self, batch: MatchBatch, seed: int) -> None:
        self.game = batch.game
        self.rules = records(self.game.rules(batch.options))
        self.states = records(np.zeros(1, self.game.state_type))
        self.chances = new_chance(stream=stream(seed))
        self.playing = DISABLED
        if self.playing:
            self.game.setup(self.rules[0], self.states[0], self.chances[0])

    def follow(self, batch: MatchBatch, action: int) -> None:
        """Compare with row 0, and take the decision that it is about to take."""
        if not self.playing:
            return
        require(self.states[0].tobytes() == batch.states[0].tobytes(), "looking at a match changed it")
        self.chances["draws"] = 0
        self.game.apply(self.rules[0], self.states[0], self.chances[0], action)
        self.playing = not self.states["over"][0]


class _Bulk:
    """The checks that a whole batch passes at every step."""

    def __init__(self, batch: MatchBatch) -> None:
        self.batch = batch
        self.bounds = {name: _bounds(encoder.features) for name, encoder in batch.game.encoders.items()}
        self.told: dict[int, int] = {}
        self.turn = 0

    def check(self) -> None:
        batch = self.batch
        mask, seats = batch.action_mask, batch.num_seats
        require(((mask == 0) | (mask == 1)).all(), "a mask holds something other than 0 and 1")
        stuck = np.flatnonzero(mask.sum(axis=1) == 0)
        if len(stuck):
            raise InvariantError("nobody can act in a match that is not over", batch.match(int(stuck[0])))
        require(((batch.seat >= 0) & (batch.seat < seats)).all(), "a seat to move that does not exist")
        before = self._bits()
        views: dict[str, list[np.ndarray]] = {name: [] for name in self.bounds}
        for name, (low, high) in self.bounds.items():
            for seat in range(seats):
                view = batch.observe(np.full(batch.num_matches, seat, np.int8), encoder=name)
                self._within(view, low, high, name, seat)
                views[name].append(view)
        require(self._bits() == before, "looking at a batch changed a match, a stream or a mask")
        own = np.stack(views[batch.options.encoder], axis=1)[np.arange(batch.num_matches), batch.seat]
        require(same_bits(own, batch.observation), "a second look at the same position gave another observation")
        self._told_apart(views)

    def _bits(self) -> str:
        batch = self.batch
        return digest(*batch.get_state().values())

    def _within(self, view: np.ndarray, low: np.ndarray, high: np.ndarray, encoder: str, seat: int) -> None:
        require(view.dtype == np.float32, f"encoder {encoder} gives {view.dtype}, not float32")
        good = (view >= low) & (view <= high)
        if not good.all():  # NaN compares false
            row, place = (int(i) for i in np.argwhere(~good)[0])
            features = self.batch.game.encoders[encoder].features
            name = next(f.name for f in features if features[f.name].start <= place < features[f.name].stop)
            raise InvariantError(
                f"encoder {encoder!r} shows seat {seat} the feature {name!r} as {view[row, place]}, "
                f"outside {low[place]:g} to {high[place]:g}",
                self.batch.match(row),
            )

    def _told_apart(self, views: dict[str, list[np.ndarray]]) -> None:
        """Two positions with the same "full" view must look the same to every seat."""
        batch = self.batch
        if "full" not in views or "flat" not in views:
            return
        for _ in range(_TOLD_APART_PER_STEP):
            row = self.turn % batch.num_matches
            self.turn += 1
            whole = hash(views["full"][0][row].tobytes())
            parts = hash(b"".join(view[row].tobytes() for view in views["flat"]) + batch.action_mask[row].tobytes())
            if self.told.setdefault(whole, parts) != parts:
                raise InvariantError("the full encoder gives one view of two positions that a seat tells apart", batch.match(row))


def _check_ends(batch: MatchBatch, lasted: np.ndarray, seen: Statistics, step: int, invariants: Invariants | None) -> None:
    """What a step must leave behind: opposite rewards, and true ends."""
    reward, done = batch.reward, batch.done
    for seat in range(2, batch.num_seats):
        require((reward[:, seat] == reward[:, seat % 2]).all(), "partners were paid differently")
    if batch.num_seats > 1:
        require((reward[:, 0] == -reward[:, 1]).all(), "the two teams' rewards do not cancel out")
    require(not batch.truncated.any(), "a match did not end within max_decisions")
    by_point = batch.options.reward == "point"
    if not by_point:
        require((reward[~done] == 0).all(), "a reward was paid before the match was over")
    rows = np.flatnonzero(done)
    if not len(rows):
        return
    ends = batch.final_states[rows]
    require((ends["over"] == 1).all(), "a match is done, but its last state is not over")
    require(np.isin(ends["winner"], (0, 1)).all(), "a match ended without a winner")
    if not by_point:
        require((reward[rows, 0] == 1 - 2 * ends["winner"]).all(), "the winner was not paid")
    seen.matches += len(rows)
    seen.lengths += lasted[rows].tolist()
    seen.wins.update(ends["winner"].tolist())
    if step % 16 == 0 or seen.matches <= 16:
        ended = batch.match(int(rows[0]))
        for name in batch.game.state_type.names:
            ended.state[name] = ends[0][name]
        ended.refresh()
        check_match(ended, seed=step, invariants=invariants)


def check_match(match: Match, seed: int = 0, *, invariants: Invariants | None = None) -> None:
    """Every invariant of one position. The match is left as it is; raises `InvariantError` where one does not hold.

    Some action is legal unless the match is over; the mask allows exactly what `apply` accepts; an illegal action
    raises ValueError and changes nothing; looking (observe, legal, describe) writes nothing, to the position or to
    chance; observations are float32 within their bounds; a copy and the original do not touch each other; equal
    copies play on equally; bytes, pickle and equality hold; what `redeal` draws anew leaves the seat's observation,
    mask and description as they were, bit for bit, and can be played on.
    """
    if invariants is not None:
        _own_invariants(match, invariants)
    before = match.to_bytes()
    views = _look(match)
    if match.to_bytes() != before or _look(match) != views:
        raise InvariantError("looking at a match changed it", match)
    _check_mask(match)
    _check_actions(match, before)
    _check_copies(match, before, views)
    for seat in range(match.seats):
        _check_redeal(match, seat, seed, invariants)
    if match.to_bytes() != before:
        raise InvariantError("what happened to copies of a match changed it", match)


def _look(match: Match) -> tuple[bytes, ...]:
    """All that can be read of a match."""
    seen = [match.mask().tobytes(), repr(match.legal_actions()).encode(), repr(match).encode()]
    fresh = match.clone()
    fresh.refresh()
    if fresh.mask().tobytes() != seen[0]:
        raise InvariantError("the mask does not follow from the position", match)
    for seat in range(match.seats):
        seen += [match.observe(seat).tobytes(), match.describe(seat).encode()]
        for name, encoder in match.game.encoders.items():
            view = match.observe_as(name, seat)
            if view.shape != (len(encoder.features),) or view.dtype != np.float32:
                raise InvariantError(f"encoder {name!r} gives {view.dtype}{view.shape}", match)
            low, high = _bounds(encoder.features)
            if not ((view >= low) & (view <= high)).all():
                raise InvariantError(f"what encoder {name!r} shows seat {seat} leaves its bounds", match)
            seen.append(view.tobytes())
    return tuple(seen)


@functools.cache
def _bounds(features: Features) -> tuple[np.ndarray, np.ndarray]:
    return features.low, features.high


def _check_mask(match: Match) -> None:
    mask = match.mask()
    if mask.dtype != np.int8 or mask.shape != (len(match.game.actions),) or not np.isin(mask, (0, 1)).all():
        raise InvariantError("the mask is not an int8 of 0 and 1 for every action", match)
    if mask.any() == match.over:
        raise InvariantError("the match is over, but something is legal" if match.over else "nobody can act", match)
    if match.legal_actions() != np.flatnonzero(mask).tolist():
        raise InvariantError("legal_actions and the mask differ", match)


def _check_actions(match: Match, before: bytes) -> None:
    """The mask is exactly what `apply` accepts; equal copies play on equally and leave the original alone."""
    mask = match.mask()
    copy = match.clone()
    for action in (*range(-1, len(mask)), len(mask)):
        if 0 <= action < len(mask) and mask[action]:
            one, two = match.clone(), match.clone()
            one.apply(action)
            two.apply(match.action_name(action))
            if one.to_bytes() != two.to_bytes() or not np.array_equal(one.mask(), two.mask()):
                raise InvariantError(f"{match.action_name(action)!r} in two equal copies led to different positions", match)
            if one.decisions != match.decisions + 1:
                raise InvariantError("a decision was not counted", match)
            _check_mask(one)
            continue
        try:
            copy.apply(action)
        except ValueError:
            if copy.to_bytes() == before and np.array_equal(copy.mask(), mask):
                continue
            raise InvariantError(f"the refused action {action} changed the match", match) from None
        raise InvariantError(f"action {action} is not in the mask, but apply took it", match)


def _check_copies(match: Match, before: bytes, views: tuple[bytes, ...]) -> None:
    for how, copy in {
        "clone": match.clone(),
        "from_bytes": Match.from_bytes(before),
        "pickle": pickle.loads(pickle.dumps(match)),
    }.items():
        if copy != match or hash(copy) != hash(match) or copy.to_bytes() != before or _look(copy) != views:
            raise InvariantError(f"{how} gave a match that differs from the original", match)
        if not match.over:
            other = match.clone()
            for one in (copy, other):
                one.apply(one.legal_actions()[-1])
            if copy.to_bytes() != other.to_bytes():
                raise InvariantError(f"a match from {how} goes on differently", match)


def _check_redeal(match: Match, seat: int, seed: int, invariants: Invariants | None) -> None:
    dealt = match.clone()
    dealt.redeal(seat, seed=seed)
    dealt.refresh()
    flat = match.observe_as("flat", seat), dealt.observe_as("flat", seat)
    if not same_bits(*flat):
        places = match.game.features
        names = [f.name for f in places if not same_bits(*(view[places[f.name]] for view in flat))]
        raise InvariantError(f"seat {seat} sees a redeal of what it cannot know, in {', '.join(names)}", match)
    if (dealt.seat, dealt.over, dealt.winner) != (match.seat, match.over, match.winner):
        raise InvariantError("a redeal changed who is to move, or the end of the match", match)
    if match.seat == seat and not np.array_equal(match.mask(), dealt.mask()):
        raise InvariantError(f"a redeal changed what seat {seat} may do", match)
    if match.describe(seat) != dealt.describe(seat):
        raise InvariantError(f"the description for seat {seat} tells what it cannot know", match)
    if invariants is not None:
        _own_invariants(dealt, invariants)
    twin = match.clone()
    twin.redeal(seat, seed=seed)
    twin.refresh()
    for _ in range(_PLAY_ON):
        if dealt.to_bytes() != twin.to_bytes():
            raise InvariantError("two redeals by the same seed differ", match)
        _check_mask(dealt)
        if dealt.over:
            return
        action = dealt.legal_actions()[seed % len(dealt.legal_actions())]
        dealt.apply(action)
        twin.apply(action)


def _own_invariants(match: Match, invariants: Invariants) -> None:
    try:
        invariants(match.options, match.state)
    except AssertionError as error:
        raise InvariantError(f"the game's own invariants: {error}", match) from error


def known(game: str | Game) -> Game:
    """The game itself; one that the registry does not know is added to it."""
    if isinstance(game, Game) and game.name not in registry.games():
        registry.add(game)
    return registry.game(game)


def require(holds: Any, otherwise: str) -> None:
    """Raise `InvariantError` unless it holds (also under `python -O`)."""
    if not holds:
        raise InvariantError(otherwise)


def same_bits(one: np.ndarray, two: np.ndarray) -> bool:
    """Whether two arrays are the same bit for bit (so that -0.0 is not 0.0)."""
    return one.shape == two.shape and one.tobytes() == two.tobytes()


def digest(*arrays: np.ndarray) -> str:
    """A hash of the bytes of some arrays."""
    total = hashlib.blake2b(digest_size=16)
    for array in arrays:
        total.update(np.ascontiguousarray(array).view(np.uint8).data)
    return total.hexdigest()


def fingerprint(batch: MatchBatch) -> str:
    """A hash of all that a batch is and shows."""
    return digest(*batch.get_state().values(), batch.reward, batch.decisions)
