"""The contract: what a game gives, and all that the rest of the suite knows of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tennis_envs.core.layout import Actions, Features
from tennis_envs.core.options import OptionError, Options, parse
from tennis_envs.core.player import Teachable

# Every state record begins with these fields; teams are 0 and 1, and seat s plays for team s % 2.
STATE_HEAD = [
    ("seat", "i1"),  # whose decision it is
    ("over", "i1"),  # 1 when the match has ended
    ("winner", "i1"),  # the team that won, -1 while nobody has
    ("lead", "i2"),  # points won by team 0 less those won by team 1, since the match began
]


def record_type(fields: list[tuple]) -> np.dtype:
    """An aligned record type whose gaps are fields too: NumPy copies no gaps, and equal records must have equal bytes."""
    aligned = np.dtype(fields, align=True)
    placed: list[tuple[str, np.dtype, int]] = []
    end = 0
    for name in aligned.names:
        kind, offset = aligned.fields[name][:2]
        if offset > end:
            placed.append((f"gap_{end}", np.dtype(("i1", (offset - end,))), end))
        placed.append((name, kind, offset))
        end = offset + kind.itemsize
    if aligned.itemsize > end:
        placed.append((f"gap_{end}", np.dtype(("i1", (aligned.itemsize - end,))), end))
    names, kinds, offsets = (list(column) for column in zip(*placed, strict=True))
    return np.dtype({"names": names, "formats": kinds, "offsets": offsets, "itemsize": aligned.itemsize}, align=True)


def has_gaps(kind: np.dtype) -> bool:
    """Whether some bytes of a record type belong to no field."""
    kind = kind.base
    if kind.names is None:
        return False
    parts = [kind.fields[name][0] for name in kind.names]
    return sum(part.itemsize for part in parts) != kind.itemsize or any(has_gaps(part) for part in parts)


@dataclass(frozen=True)
class Encoder:
    """One way to turn a position into numbers: `observe(rules, state, seat, out)` fills float32 `out` by `features`."""

    features: Features
    observe: Callable


@dataclass(frozen=True, eq=False)
class Game:
    """A game for the suite. Functions marked † are compiled and also run as plain Python."""

    name: str
    title: str
    version: int
    """Goes up with any change of rules, action numbers, observations or rewards."""
    options: type[Options]
    actions: Actions
    encoders: Mapping[str, Encoder]
    """At least "flat" (what the seat may know) and "full" (the whole state)."""
    rules_type: np.dtype
    state_type: np.dtype
    """Begins with STATE_HEAD; made by `record_type`."""
    rules: Callable[[Any], np.ndarray]
    """Options to a rules record, shape (1,)."""
    setup: Callable
    """† setup(rules, state, chance): from a record of zeros to the first decision."""
    apply: Callable
    """† apply(rules, state, chance, action): a legal action, and all that follows up to the next decision or the end."""
    legal: Callable
    """† legal(rules, state, mask): int8 mask over the actions; 1 is legal. All 0 only when the match is over."""
    redeal: Callable
    """† redeal(rules, state, seat, chance): draw anew all that `seat` cannot know, true to all that it has seen."""
    describe: Callable[[Any, np.void, int], str]
    """describe(options, state, seat): the position as `seat` sees it, as plain text."""
    narrate: Callable[[Any, np.ndarray, np.ndarray, int, list[int], int, Sequence[str]], list[str]] | None = None
    """narrate(options, rules, states, action, outcomes, seat, names): what an action brought, from the position before it
    and the outcomes of chance, line by line as `seat` sees it; `names` are those of the seats. Without it, its name is told."""
    players: Mapping[str, Callable | Teachable] = field(default_factory=dict)
    """† Scripted players by name: player(rules, state, mask, chance) gives an action. A `Teachable` one has weights besides."""
    seats: Callable[[Any], int] = lambda options: 2
    """How many seats these options have."""

    def __post_init__(self) -> None:
        if has_gaps(self.state_type):
            raise ValueError(f"the state record of {self.name} has gaps: make its type with record_type.")

    @property
    def features(self) -> Features:
        """The layout of the default ("flat") observation."""
        return self.encoders["flat"].features

    def parse(self, **given: Any) -> Options:
        """Validated options; OptionError in one sentence if one is wrong."""
        options = parse(self.options, self.name, given)
        self.encoder(options.encoder)
        return options

    def encoder(self, name: str) -> Encoder:
        """The encoder of that name; OptionError if there is none."""
        try:
            return self.encoders[name]
        except KeyError:
            known = ", ".join(self.encoders)
            raise OptionError(f"{self.name} has no encoder {name!r}: its encoders are {known}.") from None
