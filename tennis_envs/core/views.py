"""Writing to observations and masks: what compilers do not find by themselves."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

LANE = 8  # bits of each number in a word


def write_flag(flag, out, place):
    """1 or 0 to one feature of `out`, without a branch: `out[place] = a == b` would be compiled to one."""
    out[place] = flag


@intrinsic
def _store_flag(context, flag, out, place):
    """`write_flag` by the bits of a float, because x86 chooses between two floats by a jump."""

    def emit(context, builder, signature, arguments):
        word = ir.IntType(32)
        bits = builder.select(builder.trunc(arguments[0], ir.IntType(1)), word(0x3F800000), word(0))
        data = builder.gep(context.make_array(signature.args[1])(context, builder, arguments[1]).data, [arguments[2]])
        builder.store(bits, builder.bitcast(data, word.as_pointer()))
        return context.get_dummy_value()

    return types.void(types.int64, out, types.int64), emit


@overload(write_flag)
def _write_flag(flag, out, place):
    return lambda flag, out, place: _store_flag(np.int64(flag), out, np.int64(place))


def write_word(word, out, place):
    """The eight numbers that `word` holds in eight bits each, the lowest first, to bytes of `out`: one store."""
    for i in range(8):
        out[place + i] = (int(word) >> LANE * i) & 255


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
