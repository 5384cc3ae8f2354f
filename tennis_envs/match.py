"""One match in Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from tennis_envs.core import chance
from tennis_envs.core.chance import DRAWS, RECORDED, TAPE
from tennis_envs.core.game import Game
from tennis_envs.core.jit import held, records
from tennis_envs.core.kernels import DECIDE, ILLEGAL, LOOK, OVER, REDEAL, SET_UP, Kernels, kernels, new_chance
from tennis_envs.core.shares import counters
from tennis_envs.registry import game as find_game

_MAGIC = b"tennis_envs match 1\n"
_FIRST_ROW = np.zeros(1, np.int32)


class TapeEnded(Exception):  # noqa: N818 - like StopIteration, it is no error
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
        self._rule_by(self.game.rules(self.options))
        self._kernels = kernels(self.game, self.options.encoder)
        self._single = self._kernels.single
        self._seats = self.game.seats(self.options)
        self.tape: list[int] | None = None if tape is None else list(tape)
        """Outcomes still to come; None for a match that samples."""
        self._hold(np.zeros(self._kernels.match_type.itemsize, np.uint8))
        self.reset(chance.stream(seed, index))

    def _rule_by(self, rules: np.ndarray) -> None:
        """Play by this rules record, shape (1,)."""
        self._rules = records(rules)
        self._held_rules = held(self._rules)

    def _hold(self, memory: np.ndarray) -> None:
        """Keep the match in `memory` (one record of `match_type`), with views of its parts."""
        self._memory = memory
        self._record = records(np.ndarray(1, self._kernels.match_type, memory))  # quicker than a view
        self._held = held(self._record)
        self._state, self._chance = self._record["state"], self._record["chance"]
        self._features, self._legal = self._record["features"][0], self._record["legal"][0]

    def _take(self, status: int) -> None:
        """Note whose decision it is now and whether the match is over."""
        self.seat = status % OVER
        """The seat that decides next."""
        self.over = status >= OVER
        """Whether the match has been won."""

    # Looking

    @property
    def seats(self) -> int:
        """How many seats there are; seat s plays for team s % 2."""
        return self._seats

    @property
    def truncated(self) -> bool:
        """Whether the match has gone on for `max_decisions` decisions without a winner."""
        return not self.over and self.decisions >= self.options.max_decisions

    @property
    def winner(self) -> int | None:
        """The team that won, None while nobody has."""
        return int(self._state["winner"][0]) if self.over and self._state["winner"][0] >= 0 else None

    @property
    def rewards(self) -> np.ndarray:
        """What the last decision brought each seat, float32, shape (seats,)."""
        if self.options.reward == "point":
            gain = float(self._state["lead"][0] - self._record["lead_before"][0])
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
        return self._features.copy() if seat == self.seat else self._observe(seat, self._kernels)

    def observe_as(self, encoder: str, seat: int = 0) -> np.ndarray:
        """The same by another encoder: "full" gives the whole state."""
        return self._observe(seat, kernels(self.game, encoder))

    def _observe(self, seat: int, loops: Kernels) -> np.ndarray:
        if not 0 <= seat < self._seats:
            raise ValueError(f"seat {seat} does not exist: seats are 0 to {self._seats - 1}.")
        view = records(np.empty(1, loops.view_type))
        loops.observe(self._rules, self._state, _FIRST_ROW, np.array([seat], np.int8), view)
        return view["features"][0]

    def describe(self, seat: int | None = None) -> str:
        """The position in words, as `seat` (by default the seat to move) sees it."""
        return self.game.describe(self.options, self.state, self.seat if seat is None else seat)

    def narrate(self, action: int | str, outcomes: Sequence[int], seat: int, names: Sequence[str]) -> list[str]:
        """What `action` would bring with these chance outcomes, line by line as `seat` sees it; the match stays as it is.

        `names` are what to call the seats. The first line tells the action.
        """
        number = self.game.actions.index(action) if isinstance(action, str) else int(action)
        if self.game.narrate is None:
            return [f"{names[self.seat]}: {self.action_name(number)}"]
        states = records(self._state.copy())
        return self.game.narrate(self.options, self._rules, states, number, list(outcomes), seat, names)

    def action_name(self, action: int) -> str:
        """An action in words."""
        return self.game.actions.name(action)

    def action_index(self, name: str) -> int:
        """The number of a named action."""
        return self.game.actions.index(name)

    # Playing

    def apply(self, action: int | str) -> None:
        """Take a legal action, by number or name. An illegal one raises ValueError and changes nothing."""
        if isinstance(action, str):
            action = self.game.actions.index(action)
        if self.tape is None:
            status = self._single(self._held_rules, self._held, DECIDE, action)
        else:
            status = self._by_tape(lambda: self._single(self._held_rules, self._held, DECIDE, action))
        if status == ILLEGAL:
            raise ValueError(self._why_illegal(int(action)))
        if status < OVER:
            self.seat = status
        else:
            self.seat, self.over = status - OVER, True
        self.decisions += 1

    def reset(self, stream: int | None = None) -> None:
        """Begin a new match with the same options, on a stream of chance, or on the present one where it stands."""
        saved = self._memory.copy()
        stream = self._chance["stream"][0] if stream is None else stream
        self._chance.view(np.uint8)[:] = 0
        self._chance["mode"], self._chance["stream"] = RECORDED, stream
        self._state.view(np.uint8)[:] = 0
        self._record["lead_before"] = self._record["lead_now"] = 0
        if self.tape is None:
            status = self._single(self._held_rules, self._held, SET_UP, 0)
        else:
            status = self._by_tape(lambda: self._single(self._held_rules, self._held, SET_UP, 0), saved)
        self.decisions = 0
        """Decisions taken so far."""
        self._take(status)

    def player_action(self, player: str, streams: np.ndarray, weights: np.ndarray | None = None) -> int:
        """What a scripted player of the game would do now; it may draw from `streams`, uint64, shape (1,).

        With other `weights` if it has some.
        """
        action, mask = np.empty(1, np.int32), records(np.zeros(1, self._kernels.mask_type))
        mask["legal"][0] = self._legal
        act, mind = self._kernels.player(player), self._kernels.mind(player, weights)
        act(self._rules, self._state, mask, streams, new_chance(), mind, _FIRST_ROW, action, counters(1), 0, 1)
        return int(action[0])

    def _why_illegal(self, action: int) -> str:
        if self.over:
            return "the match is over: no action is legal."
        name = self.action_name(action)
        allowed = ", ".join(self.action_name(a) for a in self.legal_actions())
        return f"{name!r} is not legal now: seat {self.seat} may choose {allowed}."

    def _by_tape(self, play: Callable[[], int], saved: np.ndarray | None = None) -> int:
        """Run `play` by the tape; go back to `saved` (by default to what is now) if the tape lacks an outcome."""
        saved = self._memory.copy() if saved is None else saved
        record, tape = self._chance, self.tape[:DRAWS]
        record["mode"], record["given"] = TAPE, len(tape)
        record["draws"], record["open"], record["fault"] = 0, 0, 0
        record["outcome"][0, : len(tape)] = tape
        status = play()
        record["mode"] = RECORDED
        fault = int(record["fault"][0])
        if fault > 0:
            self._memory[:] = saved
            raise ValueError(f"outcome {self.tape[fault - 1]} at place {fault - 1} of the tape cannot happen there.")
        if record["open"][0]:
            events = self._open_event()
            self._memory[:] = saved
            raise TapeEnded(events)
        if status != ILLEGAL:
            del self.tape[: int(record["draws"][0])]
        return status

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
        if not 0 <= seat < self._seats:
            raise ValueError(f"seat {seat} does not exist: seats are 0 to {self._seats - 1}.")
        self.tape = None
        self._chance.view(np.uint8)[:] = 0
        self._chance["mode"] = RECORDED
        self._chance["stream"] = chance.stream(seed)
        self._take(self._single(self._held_rules, self._held, REDEAL, seat))

    # Copies

    def refresh(self) -> None:
        """Work out mask and observation again after writing to `state`."""
        self._take(self._single(self._held_rules, self._held, LOOK, 0))

    def clone(self, seed: int | None = None) -> Match:
        """An independent copy; with `seed`, one that meets other luck from here on."""
        new = object.__new__(Match)
        new.__dict__.update(self.__dict__)
        new._hold(self._memory.copy())
        new.tape = None if self.tape is None else self.tape.copy()
        if seed is not None:
            new.tape = None
            new._chance["stream"] = chance.stream(seed)
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
            "tape": self.tape,
        }
        return _MAGIC + json.dumps(head).encode() + b"\n" + self._memory.tobytes()

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
        if len(body) != new._memory.nbytes:
            raise ValueError(f"this match of {game.name} is cut short or damaged.")
        new._memory[:] = np.frombuffer(body, np.uint8)
        new.decisions, new.tape = head["decisions"], head["tape"]
        new.refresh()
        return new

    def __reduce__(self) -> tuple:
        return Match.from_bytes, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return self._position() == other._position()

    def _position(self) -> tuple[str, bytes, bytes]:
        return self.game.name, self._rules.tobytes(), self._state.tobytes()

    def __hash__(self) -> int:
        return hash((self.game.name, self._state.tobytes()))

    def __repr__(self) -> str:
        stage = f"won by team {self.winner}" if self.over else f"seat {self.seat} to move"
        return f"<Match {self.game.name}, {self.decisions} decisions, {stage}>"
