"""Named tables: what an action number means, and what stands where in an observation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np


class Actions:
    """The actions of a game: named segments, each with any number of axes.

    `Actions("roll", winner=range(6), play=(CARDS, BOXES))` numbers the actions 0, 1, … in that order and names them
    "roll", "winner 0", … "play lob FH". A rules module takes its constants from `start`.
    """

    def __init__(self, *plain: str, **segments: Sequence | tuple[Sequence, ...]) -> None:
        self.segments: dict[str, tuple[int, tuple[int, ...]]] = {}  # name -> first action, shape
        self.names: list[str] = []
        for name in plain:
            self._add(name, ())
        for name, axes in segments.items():
            self._add(name, axes if isinstance(axes, tuple) and not isinstance(axes[0], (str, int)) else (axes,))
        self._index = {name: i for i, name in enumerate(self.names)}
        if len(self._index) != len(self.names):
            raise ValueError("two actions have the same name")

    def _add(self, name: str, axes: Sequence[Sequence]) -> None:
        self.segments[name] = (len(self.names), tuple(len(axis) for axis in axes))
        for index in np.ndindex(*self.segments[name][1]):
            self.names.append(" ".join([name, *(str(axis[i]) for axis, i in zip(axes, index, strict=True))]))

    def __len__(self) -> int:
        return len(self.names)

    def start(self, segment: str) -> int:
        """The first action of a segment."""
        return self.segments[segment][0]

    def name(self, action: int) -> str:
        """The action in words; ValueError if there is no such action."""
        if not 0 <= action < len(self.names):
            raise ValueError(f"action {action} does not exist: actions are 0 to {len(self.names) - 1}.")
        return self.names[action]

    def index(self, name: str) -> int:
        """The number of a named action; ValueError if there is none of that name."""
        try:
            return self._index[name]
        except KeyError:
            raise ValueError(f"no action is called {name!r}: the names are {', '.join(self.names)}.") from None


@dataclass(frozen=True)
class Feature:
    """One named stretch of an observation."""

    name: str
    size: int = 1
    low: float = 0.0
    high: float = 1.0
    about: str = ""
    labels: Sequence[str] = field(default=())  # one a value, for one-hot features


class Features:
    """The layout of an observation: named features in order."""

    def __init__(self, *features: Feature) -> None:
        self.features = features
        self._start: dict[str, int] = {}
        size = 0
        for feature in features:
            if feature.name in self._start:
                raise ValueError(f"two features are called {feature.name!r}")
            self._start[feature.name] = size
            size += feature.size
        self.size = size

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Feature]:
        return iter(self.features)

    def start(self, name: str) -> int:
        """Where a feature begins."""
        try:
            return self._start[name]
        except KeyError:
            raise ValueError(f"no feature is called {name!r}: the names are {', '.join(self._start)}.") from None

    def __getitem__(self, name: str) -> slice:
        """The slice of an observation that holds a feature."""
        start = self.start(name)
        size = next(feature.size for feature in self.features if feature.name == name)
        return slice(start, start + size)

    @property
    def sizes(self) -> dict[str, int]:
        """The size of every feature by its name, in order: what a trained agent has to know of the views that it reads."""
        return {feature.name: feature.size for feature in self.features}

    @property
    def low(self) -> np.ndarray:
        """Lower bounds, float32, shape (size,)."""
        return np.concatenate([np.full(f.size, f.low, np.float32) for f in self.features])

    @property
    def high(self) -> np.ndarray:
        """Upper bounds, float32, shape (size,)."""
        return np.concatenate([np.full(f.size, f.high, np.float32) for f in self.features])

    def read(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """An observation cut into its named features."""
        return {feature.name: observation[self[feature.name]] for feature in self.features}

    def table(self) -> str:
        """The layout as a Markdown table."""
        rows = ["| feature | place | range | meaning |", "|---|---|---|---|"]
        for f in self.features:
            start = self._start[f.name]
            place = str(start) if f.size == 1 else f"{start}–{start + f.size - 1}"
            about = f.about + (f": {', '.join(f.labels)}" if f.labels else "")
            bound = "–".join(str(int(x)) if math.isclose(x, int(x)) else f"{x:g}" for x in (f.low, f.high))
            rows.append(f"| `{f.name}` | {place} | {bound} | {about} |")
        return "\n".join(rows)
