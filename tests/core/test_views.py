"""Writing to observations and masks: compiled as in plain Python."""

import numpy as np
import pytest

from tennis_envs.core.jit import njit
from tennis_envs.core.views import write_flag, write_word


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
