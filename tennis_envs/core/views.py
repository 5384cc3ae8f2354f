"""Writing features of an observation."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload


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
