"""Writing to observations and masks: compiled as in plain Python."""

import numpy as np
import pytest

from tennis_envs.core.jit import njit, records
from tennis_envs.core.views import paired, scaled, write_flag, write_word


@njit
def flag(state, out, place):
    write_flag(state == 3, out, place)


@njit
def word(number, out, place):
    write_word(number, out, place)


@pytest.mark.parametrize("write", [flag, getattr(flag, "py_func", flag)])
def test_a_flag_is_one_or_zero(write):
    out = np.full(4, 7, np.float32)
    write(3, out, 1)
    write(2, out, 2)
    assert out.tolist() == [7, 1, 0, 7]


@pytest.mark.parametrize("write", [word, getattr(word, "py_func", word)])
def test_a_word_is_eight_bytes_the_lowest_first(write):
    out = np.full(11, 9, np.int8)
    write(sum(value << 8 * i for i, value in enumerate((1, 0, 127, 2, 0, 5, 1, 100))), out, 2)
    assert out.tolist() == [9, 9, 1, 0, 127, 2, 0, 5, 1, 100, 9]


PAIRS = {"ready": 1, "stamina": 5, "lead": 4}
BOARD = np.dtype(
    [
        ("other", "i1"),
        ("ready", "i1", (2,)),
        ("stamina", "i1", (2,)),
        ("lead", "i1", (2,)),
        ("dice", "i1", (5,)),
        ("points", "i2", (2,)),
    ],
    align=True,
)
write_pairs, write_capped_pairs = paired(BOARD, PAIRS), paired(BOARD, PAIRS, capped=True)
write_points, write_dice = paired(BOARD, {"points": 12}), scaled(BOARD, {"dice": 5}, capped=True)


@njit
def board(boards, seat, out):
    write_pairs(boards[0], seat, out, 1)
    write_capped_pairs(boards[0], seat, out, 7)
    write_points(boards[0], seat, out, 13)
    write_dice(boards[0], out, 15)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("write", [board, getattr(board, "py_func", board)])
def test_neighbouring_fields_are_shown_as_parts_and_pairs_with_one_s_own_number_first(write, seat):
    boards = np.zeros(1, BOARD)
    boards["ready"], boards["stamina"], boards["lead"] = (0, 1), (5, 2), (-9, 3)
    boards["dice"], boards["points"] = (0, 5, -5, 10, -128), (300, -6)
    out = np.full(21, 7, np.float32)
    write(records(boards), seat, out)
    parts = [(0, 1), (1, 0.4), (-2.25, 0.75)]
    capped = [(0, 1), (1, 0.4), (-1, 0.75)]
    mine_first = [pair[:: 1 - 2 * seat] for pair in (*parts, *capped, (25, -0.5))]
    expected = np.array([7, *np.ravel(mine_first), 0, 1, -1, 1, -1, 7], np.float32)
    assert np.array_equal(out, expected)


@pytest.mark.parametrize("fields", [{"ready": 1, "lead": 1}, {"dice": 1, "points": 1}])
def test_fields_that_are_no_neighbours_or_differ_in_size_are_refused(fields):
    with pytest.raises(ValueError, match="does not follow"):
        paired(BOARD, fields)
