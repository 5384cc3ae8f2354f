"""The only source of randomness: two verbs, `roll` and `pick`, behind one gate.

*Sampled* mode draws from a SplitMix64 stream that belongs to one match, so a match never depends on how many others are
played beside it or in which order; *recorded* mode also writes the outcomes down. *Tape* mode reads scripted outcomes;
where the tape ends, the gate notes the weights of the event that it could not answer (and goes on by sampling, so that the
rules always come to an end): the caller throws that copy of the match away and knows the next chance event exactly.
"""

from __future__ import annotations

import secrets

import numpy as np

from tennis_envs.core.jit import DISABLED, inlined, njit, seldom

DRAWS = 256  # events that one decision may need and a tape can hold
OUTCOMES = 256  # outcomes that one event may have and a tape can report

SAMPLED, RECORDED, TAPE = range(3)  # drawn; drawn and written down; read

CHANCE = np.dtype(
    [
        ("stream", "u8"),
        ("mode", "i2"),
        ("given", "i2"),  # outcomes on the tape
        ("draws", "i2"),  # events so far
        ("fault", "i2"),  # 1 + the place on the tape of an outcome that cannot happen
        ("open", "i4"),  # outcomes of the first event beyond the tape's end, 0 if there was none
        ("total", "i4"),  # and the sum of its weights
        ("outcome", "i2", (DRAWS,)),  # what happened, event by event
        ("weights", "i4", (OUTCOMES,)),  # of the open event
    ],
    align=True,
)

_GAMMA = 0x9E3779B97F4A7C15
_MIX_1, _MIX_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_MASK = 0xFFFFFFFFFFFFFFFF


def mix(x: int) -> int:
    """SplitMix64's finaliser on Python integers."""
    x = ((x ^ (x >> 30)) * _MIX_1) & _MASK
    x = ((x ^ (x >> 27)) * _MIX_2) & _MASK
    return x ^ (x >> 31)


def stream(seed: int | None, index: int = 0) -> int:
    """The start of the stream of match `index` under `seed`; without a seed, one from the operating system."""
    if seed is None:
        return secrets.randbits(64)
    return mix((mix((seed + _GAMMA) & _MASK) + (index + 1) * _GAMMA) & _MASK)


def streams(seed: int | None, count: int, first: int = 0) -> np.ndarray:
    """The starts of `count` streams, uint64, shape (count,)."""
    seed = secrets.randbits(63) if seed is None else seed
    return np.array([stream(seed, first + i) for i in range(count)], np.uint64)


if DISABLED:

    def _next(chance):
        """The next 32 random bits."""
        state = (int(chance.stream) + _GAMMA) & _MASK
        chance.stream = state
        return mix(state) >> 32

else:

    @inlined
    def _next(chance):
        """The next 32 random bits."""
        x = chance.stream + np.uint64(_GAMMA)
        chance.stream = x
        x = (x ^ (x >> np.uint64(30))) * np.uint64(_MIX_1)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(_MIX_2)
        return np.int64((x ^ (x >> np.uint64(31))) >> np.uint64(32))


@inlined
def _uniform(chance, n):
    """Exactly uniform in [0, n), n < 2**31 (Lemire, "Fast Random Integer Generation in an Interval", 2019)."""
    product = _next(chance) * n
    low = product & 0xFFFFFFFF
    if low < n:
        threshold = 0x100000000 % n
        while low < threshold:
            product = _next(chance) * n
            low = product & 0xFFFFFFFF
    return product >> 32


@inlined
def _scripted(chance):
    """Whether the tape answers this event."""
    return chance.mode == TAPE and chance.draws < chance.given


@inlined
def _beyond(chance):
    """Whether this is the first event beyond the tape's end."""
    return chance.mode == TAPE and chance.draws >= chance.given and chance.open == 0


@inlined
def _note(chance, outcome):
    """Write down what happened."""
    if chance.draws < DRAWS:
        chance.outcome[chance.draws] = outcome
        chance.draws += 1
    else:
        chance.fault = -1
    return outcome


@inlined
def roll(chance, n):
    """An integer in [0, n), each equally likely."""
    if chance.mode == SAMPLED:
        return _uniform(chance, np.int64(n))
    return _roll_on_record(chance, n)


@seldom
def _roll_on_record(chance, n):
    """`roll` by the tape, or written down."""
    if _scripted(chance):
        outcome = np.int64(chance.outcome[chance.draws])
        if outcome < 0 or outcome >= n:
            chance.fault = chance.draws + 1
            outcome = np.int64(0)
        chance.draws += 1
        return outcome
    if _beyond(chance):
        chance.open = n
        chance.total = n
        for i in range(min(n, OUTCOMES)):
            chance.weights[i] = 1
    return _note(chance, _uniform(chance, np.int64(n)))


@inlined
def pick_urn(chance, weights, total, urn):
    """`pick` by one look-up: `urn[:total]` holds each index of `weights` as often as its weight says."""
    if chance.mode == SAMPLED:
        return np.int64(urn[_uniform(chance, np.int64(total))])
    return pick_urn_on_record(chance, weights, total, urn)


@seldom
def pick_urn_on_record(chance, weights, total, urn):
    """`pick_urn` by the tape, or written down."""
    if chance.mode == RECORDED:
        return _note(chance, np.int64(urn[_uniform(chance, np.int64(total))]))
    return pick(chance, weights, total)


@njit
def pick(chance, weights, total):
    """An index of `weights` (whole numbers whose sum is `total`), each in proportion to its weight."""
    if _scripted(chance):
        outcome = np.int64(chance.outcome[chance.draws])
        if outcome < 0 or outcome >= len(weights) or weights[outcome] <= 0:
            chance.fault = chance.draws + 1
            outcome = np.int64(0)
            while weights[outcome] <= 0:
                outcome += 1
        chance.draws += 1
        return outcome
    if _beyond(chance):
        chance.open = len(weights)
        chance.total = total
        for i in range(min(len(weights), OUTCOMES)):
            chance.weights[i] = weights[i]
    left = _uniform(chance, np.int64(total))
    outcome = np.int64(0)
    while left >= weights[outcome]:
        left -= weights[outcome]
        outcome += 1
    return outcome if chance.mode == SAMPLED else _note(chance, outcome)


@njit
def pick_marked(chance, marks, mark, first, last):
    """An index of `first` to `last - 1` where `marks` holds `mark`, each equally likely; -1, and no event, if none.

    For piles that one array of places tells apart: nothing is copied, and the search has no branches.
    """
    total = 0
    for i in range(first, last):
        total += marks[i] == mark
    if total == 0:
        return np.int64(-1)
    if _scripted(chance):
        outcome = np.int64(chance.outcome[chance.draws])
        if outcome < first or outcome >= last or marks[outcome] != mark:
            chance.fault = chance.draws + 1
            outcome = np.int64(first)
            while marks[outcome] != mark:
                outcome += 1
        chance.draws += 1
        return outcome
    if _beyond(chance):
        chance.open = len(marks)
        chance.total = total
        for i in range(min(len(marks), OUTCOMES)):
            chance.weights[i] = (i >= first) & (i < last) & (marks[i] == mark)
    left = _uniform(chance, np.int64(total))
    outcome = np.int64(first)
    passed = np.int64(0)
    for i in range(first, last):
        passed += marks[i] == mark
        outcome += passed <= left
    return outcome if chance.mode == SAMPLED else _note(chance, outcome)
