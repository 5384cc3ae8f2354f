"""Seven boxes in one whole number, eight bits each: added, compared and written with one instruction, not box by box."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from tennis_envs.core.jit import inlined
from tennis_envs.games.tc_tennis.state import BOXES

LANE = 8  # bits a box
_ONES = sum(1 << LANE * box for box in range(BOXES))
_BELOW = 127 * _ONES


@inlined
def lane(word, box):
    """The number of a box."""
    return (word >> LANE * box) & 255


@inlined
def above_zero(word):
    """1 for each box whose number (at most 128) is above 0, else 0."""
    return (word + _BELOW) >> 7 & _ONES


def write_word(word, out, place):
    """The numbers of eight boxes, one after the other, to bytes of `out`."""
    for box in range(8):
        out[place + box] = (int(word) >> LANE * box) & 255


@intrinsic
def _store_word(context, word, out, place):
    def emit(context, builder, signature, arguments):
        data = builder.gep(context.make_array(signature.args[1])(context, builder, arguments[1]).data, [arguments[2]])
        builder.store(arguments[0], builder.bitcast(data, ir.IntType(64).as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(types.int64, out, types.int64), emit


@overload(write_word)
def _write_word(word, out, place):
    return lambda word, out, place: _store_word(np.int64(word), out, np.int64(place))
