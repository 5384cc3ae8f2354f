"""One match in Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from tennis_envs.core import chance as chance_module
from tennis_envs.core.chance import CHANCE, DRAWS, TAPE
from tennis_envs.core.game import Game
from tennis_envs.core.jit import copied, records
from tennis_envs.core.kernels import ILLEGAL, OVER, kernels, new_chance
from tennis_envs.registry import game as find_game

_MAGIC = b"tennis_envs match 1\n"


class TapeEnded(Exception):
    """A scripted match needs an outcome that its tape does not hold. `events` lists (outcome, weight)."""

    def __init__(self, events: list[tuple[int, int]]) -> None:
        self.events = events
        super().__init__(f"the tape has ended; the next event has {len(events)} outcomes")


class Match:
    """One match of a game.

    `seed` makes chance reproducible; `Match(game, seed=s, index=i)` meets the same luck as row i of a `MatchBatch`
    with that seed. `tape` scripts chance instead: outcomes in the order in which the rules ask for them; a match
    whose tape has run out raises `TapeEnded` and stays as it was. All else are options of the game.

    Two matches are equal if game, rules and position are: chance to come and the count of decisions do not matter.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        seed: int | None = None,
        index: int = 0,
        tape: Sequence[int] | None = None,
        **options: Any,
    ) -> None:
        self.game = find_game(game)
        self.options = self.game.parse(**options)
        self._rules = records(self.game.rules(self.options))
        self._kernels = kernels(self.game, self.options.encoder)
        self._state = records(np.zeros(1, self.game.state_type))
        self._chance = new_chance(stream=chance_module.stream(seed, index))
        self._seats = self.game.seats(self.options)
        self.tape: list[int] | None = None if tape is None else list(tape)
        """Outcomes still to come; None for a match that samples."""
        self.decisions = 0
        """Decisions taken so far."""
        self._before = np.zeros(1, np.int64)
        self._buffers()
        self._begin()

    def _buffers(self) -> None:
        """Where the compiled loops leave mask and observation, and those rows as plain arrays."""
        self._mask = records(np.zeros(1, self._kernels.mask_type))
        self._view = records(np.zeros(1, self._kernels.view_type))
        self._legal = self._mask["legal"][0]
        self._features = self._view["features"][0]

    def _begin(self) -> None:
        if self.tape is None:
            status = self._kernels.setup(self._rules, self._state, self._chance, self._mask)
        else:
            status = self._by_tape(lambda state: self._kernels.setup(self._rules, state, self._chance, self._mask))
        self._take(status)

    def _take(self, status: int) -> None:
        """Note whose decision it is now and whether the match is over."""
        self._over = status >= OVER
        self._seat = status % OVER

    # Looking

    @property
    def seat(self) -> int:
        """The seat that decides next."""
        return self._seat

    @property
    def seats(self) -> int:
        """How many seats there are; seat s plays for team s % 2."""
        return self._seats

    @property
    def over(self) -> bool:
        """Whether the match has been won."""
        return self._over

    @property
    def truncated(self) -> bool:
        """Whether the match has gone on for `max_decisions` decisions without a winner."""
        return not self._over and self.decisions >= self.options.max_decisions

    @property
    def winner(self) -> int | None:
        """The team that won, None while nobody has."""
        return int(self._state["winner"][0]) if self.over and self._state["winner"][0] >= 0 else None

    @property
    def rewards(self) -> np.ndarray:
        """What the last decision brought each seat, float32, shape (seats,)."""
        if self.options.reward == "point":
            gain = float(self._state["lead"][0] - self._before[0])
        else:
            gain = 0.0 if self.winner is None else 1.0 - 2.0 * self.winner
        return np.array([gain if seat % 2 == 0 else -gain for seat in range(self._seats)], np.float32)

    @property
    def state(self) -> np.void:
        """The state record itself; writing to it changes the match (see also `refresh`)."""
        return self._state.view(np.recarray)[0]

    @property
    def rules(self) -> np.void:
        """The rules record: options and component tables."""
        return self._rules.view(np.recarray)[0]

    @property
    def outcomes(self) -> list[int]:
        """What chance brought in the last decision (or in the set-up): a tape that replays it."""
        draws = int(self._chance["draws"][0])
        if self._chance["fault"][0]:
            raise OverflowError(f"the last decision needed more than {DRAWS} chance events")
        return self._chance["outcome"][0, :draws].tolist()

    def legal_actions(self) -> list[int]:
        """The actions that are legal now; none once the match is over."""
        return self._legal.nonzero()[0].tolist()

    def mask(self) -> np.ndarray:
        """1 for each legal action, int8, shape (actions,)."""
        return self._legal.copy()

    def observe(self, seat: int) -> np.ndarray:
        """What `seat` may know, by the encoder that the options name; float32, shape (features,)."""
        return self._observe(seat, self._kernels)

    def observe_as(self, encoder: str, seat: int = 0) -> np.ndarray:
        """The same by another encoder: "full" gives the whole state."""
        return self._observe(seat, kernels(self.game, encoder))

    def _observe(self, seat: int, loops: Any) -> np.ndarray:
        if not 0 <= seat < self._seats:
            raise ValueError(f"seat {seat} does not exist: seats are 0 to {self._seats - 1}.")
        view = np.empty(1, loops.view_type)
        loops.observe_one(self._rules, self._state, seat, records(view))
        return view["features"][0]

    def describe(self, seat: int | None = None) -> str:
        """The position in words, as `seat` (by default the seat to move) sees it."""
        return self.game.describe(self.options, self.state, self.seat if seat is None else seat)

    def action_name(self, action: int) -> str:
        """An action in words."""
        return self.game.actions.name(action)

    def action_index(self, name: str) -> int:
        """The number of a named action."""
        return self.game.actions.index(name)

    # Playing

    def apply(self, action: int | str) -> None:
        """Take a legal action, by number or name. An illegal one raises ValueError and changes nothing."""
        number = self.game.actions.index(action) if isinstance(action, str) else int(action)
        if self.tape is None:
            status = self._kernels.apply(self._rules, self._state, self._chance, self._mask, self._before, number)
        else:
            status = self._by_tape(
                lambda state: self._kernels.apply(self._rules, state, self._chance, self._mask, self._before, number)
            )
        if status == ILLEGAL:
            raise ValueError(self._why_illegal(number))
        self._take(status)
        self.decisions += 1

    def decide(self, action: int) -> tuple[np.ndarray, np.ndarray]:
        """`apply`, then the observation and mask of the seat to move next: faster than three calls."""
        if self.tape is not None:
            self.apply(action)
            return self.observe(self.seat), self.mask()
        status = self._kernels.decide(
            self._rules, self._state, self._chance, self._mask, self._before, action, self._view
        )
        if status == ILLEGAL:
            raise ValueError(self._why_illegal(action))
        self._over = status >= OVER
        self._seat = status % OVER
        self.decisions += 1
        return self._features.copy(), self._legal.copy()

    def reset(self, seed: int | None = None) -> None:
        """Begin a new match with the same options; without a seed it goes on with the same stream of chance."""
        if seed is not None:
            self._chance["stream"] = chance_module.stream(seed)
        self._state.view(np.uint8)[:] = 0
        self.decisions, self._before[0] = 0, 0
        self._begin()

    def player_action(self, player: str, streams: np.ndarray) -> int:
        """What a scripted player of the game would do now; it may draw from `streams`, uint64, shape (1,)."""
        actions, first = np.empty(1, np.int32), np.zeros(1, np.int32)
        scratch = new_chance()
        self._kernels.player(player)(self._rules, self._state, self._mask, streams, scratch, first, actions)
        return int(actions[0])

    def _why_illegal(self, action: int) -> str:
        if self.over:
            return "the match is over: no action is legal."
        name = self.action_name(action)
        allowed = ", ".join(self.action_name(a) for a in self.legal_actions())
        return f"{name!r} is not legal now: seat {self.seat} may choose {allowed}."

    def _by_tape(self, play: Callable[[np.ndarray], int]) -> int:
        """Run `play` on a copy of the state by the tape; keep the copy only if the tape had every outcome."""
        state, saved = copied(self._state), [array.copy() for array in (self._chance, self._before, self._legal)]
        self._load(self.tape)
        status = play(state)
        fault = int(self._chance["fault"][0])
        if fault or self._chance["open"][0]:
            event = self._open_event()
            self._chance[...], self._before[:], self._legal[:] = saved
            if fault > 0:
                raise ValueError(f"outcome {self.tape[fault - 1]} at place {fault - 1} of the tape cannot happen there.")
            raise TapeEnded(event)
        if status != ILLEGAL:
            self._state = state
            del self.tape[: int(self._chance["draws"][0])]
        return status

    def _load(self, tape: Sequence[int]) -> None:
        record = self._chance
        record["mode"], record["given"] = TAPE, min(len(tape), DRAWS)
        record["draws"], record["open"], record["fault"] = 0, 0, 0
        record["outcome"][0, : min(len(tape), DRAWS)] = tape[:DRAWS]

    def _open_event(self) -> list[tuple[int, int]]:
        size = int(self._chance["open"][0])
        weights = self._chance["weights"][0, :size].tolist()
        return [(outcome, weight) for outcome, weight in enumerate(weights) if weight]

    # Chance, laid open

    def chance_events(self, action: int | str, tape: Sequence[int] = ()) -> list[tuple[int, int]]:
        """The next chance event after `action` and the outcomes in `tape`: (outcome, whole-number weight) each.

        Empty if the action with that tape needs no more chance. The match stays as it is.
        """
        probe = self.clone()
        probe.tape = list(tape)
        try:
            probe.apply(action)
        except TapeEnded as ended:
            return ended.events
        return []

    def futures(self, action: int | str) -> Iterator[tuple[Fraction, Match]]:
        """Every way in which chance can answer `action`: its exact probability, and the match that follows."""
        paths: list[tuple[Fraction, list[int]]] = [(Fraction(1), [])]
        while paths:
            probability, tape = paths.pop()
            future = self.clone()
            future.tape = list(tape)
            try:
                future.apply(action)
            except TapeEnded as ended:
                total = sum(weight for _, weight in ended.events)
                paths += [(probability * Fraction(w, total), [*tape, outcome]) for outcome, w in ended.events]
                continue
            yield probability, future

    def redeal(self, seat: int, seed: int | None = None) -> None:
        """Draw anew, in place, all that `seat` cannot know, and all chance to come; what it has seen still holds."""
        self._chance = new_chance(stream=chance_module.stream(seed))
        self._kernels.redeal(self._rules, self._state, self._chance, seat)
        self.tape = None

    # Copies

    def refresh(self) -> None:
        """Work out the mask again after writing to `state`."""
        self._take(self._kernels.legal(self._rules, self._state, self._mask))

    def clone(self, seed: int | None = None) -> Match:
        """An independent copy; with `seed`, one that meets other luck from here on."""
        new = object.__new__(Match)
        new.__dict__.update(self.__dict__)
        new._state, new._before = copied(self._state), self._before.copy()
        new._buffers()
        new._legal[:] = self._legal
        new._chance = copied(self._chance) if seed is None else new_chance(stream=chance_module.stream(seed))
        new.tape = None if self.tape is None else self.tape.copy()
        return new

    __copy__ = clone

    def __deepcopy__(self, memo: dict) -> Match:
        return self.clone()

    def to_bytes(self) -> bytes:
        """The whole match, its chance stream included, as bytes for `from_bytes`."""
        head = {
            "game": self.game.name,
            "version": self.game.version,
            "options": self.options.model_dump(),
            "decisions": self.decisions,
            "lead_before": int(self._before[0]),
            "tape": self.tape,
        }
        return _MAGIC + json.dumps(head).encode() + b"\n" + self._state.tobytes() + self._chance.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Match:
        """The match that `to_bytes` wrote; ValueError if these bytes are not one, or of another version."""
        if not data.startswith(_MAGIC):
            raise ValueError("these bytes are not a match of tennis_envs.")
        head_bytes, _, body = data[len(_MAGIC) :].partition(b"\n")
        head = json.loads(head_bytes)
        game = find_game(head["game"])
        if head["version"] != game.version:
            raise ValueError(f"this match is of {game.name} version {head['version']}, this package has {game.version}.")
        new = cls(game, seed=0, **head["options"])
        size = game.state_type.itemsize
        if len(body) != size + new._chance.nbytes:
            raise ValueError(f"this match of {game.name} is cut short or damaged.")
        new._state = records(np.frombuffer(body[:size], game.state_type).copy())
        new._chance = records(np.frombuffer(body[size:], CHANCE).copy())
        new.decisions, new._before[0], new.tape = head["decisions"], head["lead_before"], head["tape"]
        new.refresh()
        return new

    def __reduce__(self) -> tuple:
        return Match.from_bytes, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        mine, theirs = self._position(), other._position()
        return mine == theirs

    def _position(self) -> tuple[str, bytes, bytes]:
        return self.game.name, self._rules.tobytes(), self._state.tobytes()

    def __hash__(self) -> int:
        return hash((self.game.name, self._state.tobytes()))

    def __repr__(self) -> str:
        stage = f"won by team {self.winner}" if self.over else f"seat {self.seat} to move"
        return f"<Match {self.game.name}, {self.decisions} decisions, {stage}>"
