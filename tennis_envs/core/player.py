"""Scripted players whose numbers training can change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Weight:
    """A named stretch of the numbers that a player counts with."""

    name: str
    size: int = 1
    value: float = 0.0
    """What each is before any training."""
    step: float = 0.3
    """How far training tries each, up and down: enough to change some of the choices that hang on it."""
    labels: Sequence[str] = field(default=())
    about: str = ""


class Weights:
    """All numbers that a player counts with, in order."""

    def __init__(self, *weights: Weight) -> None:
        self.weights = weights
        self.names: list[str] = []
        """One a number: the weight's name, and a label or a place where it has several."""
        self._start: dict[str, int] = {}
        for weight in weights:
            if weight.name in self._start:
                raise ValueError(f"two weights are called {weight.name!r}")
            if weight.labels and len(weight.labels) != weight.size:
                raise ValueError(f"{weight.name} has {weight.size} numbers and {len(weight.labels)} labels")
            self._start[weight.name] = len(self.names)
            labels = weight.labels or (range(weight.size) if weight.size > 1 else ("",))
            self.names.extend(f"{weight.name} {label}".rstrip() for label in labels)

        self.values = np.concatenate([np.full(weight.size, weight.value) for weight in weights])
        """What the numbers are before any training, float64, shape (numbers,)."""
        self.steps = np.concatenate([np.full(weight.size, weight.step) for weight in weights])
        """How far training tries each, float64, shape (numbers,)."""

    def __len__(self) -> int:
        return len(self.names)

    def start(self, name: str) -> int:
        """Where a weight begins."""
        return self._start[name]


@dataclass(frozen=True, eq=False)
class Teachable:
    """A scripted player that counts with weights; † compiled, and plain Python as well."""

    act: Callable
    """† act(rules, state, mask, chance, mind) gives an action: `mind` holds the weights and, after them, `room`."""
    weights: Weights
    room: int
    """Numbers that the player may note down."""
    prepare: Callable
    """† prepare(rules, mind): note down what follows from the weights alone."""

    def mind(self, weights: np.ndarray | None = None) -> np.ndarray:
        """What `act` counts with, float32, shape (weights + room,): these weights, or those before any training.

        ValueError if their number is wrong or one is not finite.
        """
        values = self.weights.values if weights is None else np.asarray(weights, np.float64)
        if values.shape != (len(self.weights),):
            raise ValueError(f"the player counts with {len(self.weights)} weights, not with an array of shape {values.shape}.")
        if not np.isfinite(values).all():
            raise ValueError(f"{self.weights.names[int(np.isfinite(values).argmin())]} is not a finite number.")
        return np.concatenate([values, np.zeros(self.room)]).astype(np.float32)
