"""Pools of dice against a plain count of all faces."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from tennis_envs.core.chance import RECORDED
from tennis_envs.core.dice import pool, row_of, throw
from tennis_envs.core.kernels import new_chance

FACES = (1, 2, 1, 0, 2)


@pytest.mark.parametrize("dice", range(5))
def test_a_pool_counts_every_throw(dice):
    table = pool(4, FACES)[0]
    sides = [kind for kind, count in enumerate(FACES) for _ in range(count)]
    counted = Counter(tuple(throw.count(kind) for kind in range(5)) for throw in product(sides, repeat=dice))
    rows = table["rows"][dice]
    found = {tuple(table["counts"][dice, row].tolist()): int(table["weights"][dice, row]) for row in range(rows)}
    assert found == counted and table["total"][dice] == 6**dice
    assert Counter(table["urn"][dice, : 6**dice].tolist()) == dict(enumerate(table["weights"][dice, :rows].tolist()))


def test_row_of_finds_every_row_and_refuses_the_rest():
    table = pool(3, FACES)
    for row in range(table["rows"][0, 3]):
        assert row_of(table, table["counts"][0, 3, row].tolist()) == row
    with pytest.raises(ValueError, match="these dice cannot show"):
        row_of(table, (0, 0, 0, 1, 2))


def test_a_throw_is_one_event_and_no_dice_are_none():
    table = pool(3, FACES).view(np.recarray)[0]
    chance = new_chance(stream=4).view(np.recarray)[0]
    chance.mode = RECORDED
    assert throw(chance, table, 0) == 0 and chance.draws == 0
    row = throw(chance, table, 3)
    assert chance.draws == 1 and 0 <= row < table.rows[3]
