"""Pools of like dice, thrown as one chance event whose outcomes are multisets of faces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np

from tennis_envs.core.chance import SAMPLED, pick_urn_on_record, roll
from tennis_envs.core.jit import inlined, seldom


def _rows(dice: int, kinds: int) -> list[tuple[int, ...]]:
    """Every way in which `dice` dice can show `kinds` kinds of face, as counts a kind."""
    throws = combinations_with_replacement(range(kinds), dice)
    return [tuple(throw.count(kind) for kind in range(kinds)) for throw in throws]


def pool_type(max_dice: int, kinds: int, sides: int) -> np.dtype:
    """The record type of the tables for pools of up to `max_dice` dice: `sides` sides that show `kinds` kinds of face."""
    rows = len(_rows(max_dice, kinds))
    return np.dtype(
        [
            ("rows", "i4", (max_dice + 1,)),  # outcomes of a pool of so many dice
            ("total", "i4", (max_dice + 1,)),  # sum of their weights
            ("weights", "i4", (max_dice + 1, rows)),
            ("urn", "u1", (max_dice + 1, sides**max_dice)),  # the rows, each as often as its weight
            ("counts", "i1", (max_dice + 1, rows, kinds)),  # how often each kind shows
        ],
        align=True,
    )


def pool(max_dice: int, faces: Sequence[int]) -> np.ndarray:
    """Tables for dice on which kind k stands on `faces[k]` sides; shape (1,). Likely outcomes come first."""
    kinds = len(faces)
    table = np.zeros(1, pool_type(max_dice, kinds, sum(faces)))
    for dice in range(max_dice + 1):
        weighted = []
        for row in _rows(dice, kinds):
            ways = factorial(dice) // prod(factorial(count) for count in row)
            weight = ways * prod(side**count for side, count in zip(faces, row, strict=True))
            if weight:
                weighted.append((weight, row))
        weighted.sort(key=lambda entry: (-entry[0], entry[1]))
        table["rows"][0, dice] = len(weighted)
        table["total"][0, dice] = sum(faces) ** dice
        for i, (weight, row) in enumerate(weighted):
            table["weights"][0, dice, i] = weight
            table["counts"][0, dice, i] = row
        urn = np.repeat(np.arange(len(weighted)), [weight for weight, _ in weighted])
        table["urn"][0, dice, : len(urn)] = urn
    return table


@inlined
def throw(chance, pool, dice):
    """Throw `dice` like dice as one event; the outcome is a row of `pool.counts[dice]`."""
    if dice == 0:
        return 0
    if chance.mode == SAMPLED:
        return np.int64(pool.urn[dice, roll(chance, pool.total[dice])])
    return _throw_on_record(chance, pool, dice)


@seldom
def _throw_on_record(chance, pool, dice):
    """`throw` by the tape, or written down."""
    return pick_urn_on_record(chance, pool.weights[dice][: pool.rows[dice]], pool.total[dice], pool.urn[dice])


def row_of(table: np.ndarray, counts: Sequence[int]) -> int:
    """The outcome under which a pool shows `counts` (for tapes); ValueError if such dice cannot fall so."""
    dice = sum(counts)
    rows = table["counts"][0, dice, : table["rows"][0, dice]]
    match = np.flatnonzero((rows == np.asarray(counts)).all(axis=1))
    if not len(match):
        raise ValueError(f"these dice cannot show the counts {tuple(counts)}")
    return int(match[0])
