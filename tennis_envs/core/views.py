"""Writing to observations and masks: what compilers do not find by themselves."""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

LANE = 8  # bits of each number in a word
_TOGETHER = 8  # features that one instruction writes


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


def scaled(record: np.dtype, ones: dict[str, int], capped: bool = False) -> Callable:
    """A writer of fields that lie side by side: `write(state, out, place)` shows each number as a part of `ones[field]`.

    The fields of `record` are whole numbers of one size, or rows of them. With `capped`, parts lie between -1 and 1. ValueError
    if the fields do not follow each other in the record.
    """
    block = _Block(record, ones, capped)

    def write(state, out, place):
        for name, one in ones.items():
            for number in np.atleast_1d(state[name]):
                out[place] = block.part(number, one)
                place += 1

    @intrinsic
    def store(context, state, out, place):
        def emit(context, builder, signature, arguments):
            numbers = block.load(builder, arguments[0])
            block.store(context, builder, signature.args[1], numbers, *arguments[1:])
            return context.get_dummy_value()

        return types.void(state, out, types.int64), emit

    overload(write)(lambda state, out, place: lambda state, out, place: store(state, out, np.int64(place)))
    return write


def paired(record: np.dtype, ones: dict[str, int], capped: bool = False) -> Callable:
    """The same for fields that hold one number a seat: `write(state, seat, out, place)` shows one's own, then the other's."""
    block = _Block(record, ones, capped)

    def write(state, seat, out, place):
        for name, one in ones.items():
            out[place] = block.part(state[name][seat], one)
            out[place + 1] = block.part(state[name][1 - seat], one)
            place += 2

    @intrinsic
    def store(context, state, seat, out, place):
        def emit(context, builder, signature, arguments):
            numbers = block.swapped(builder, block.load(builder, arguments[0]), arguments[1])
            block.store(context, builder, signature.args[2], numbers, *arguments[2:])
            return context.get_dummy_value()

        return types.void(state, types.int64, out, types.int64), emit

    overload(write)(
        lambda state, seat, out, place: lambda state, seat, out, place: store(state, np.int64(seat), out, np.int64(place))
    )
    return write


class _Block:
    """Numbers side by side in a record, taken together: eight of them cost a handful of vector instructions."""

    def __init__(self, record: np.dtype, ones: dict[str, int], capped: bool) -> None:
        fields = [record.fields[name] for name in ones]
        self.bits = 8 * fields[0][0].base.itemsize
        self.offset = place = fields[0][1]
        self.capped = capped
        self.ones: list[int] = []
        for (kind, offset, *_), (name, one) in zip(fields, ones.items(), strict=True):
            if offset != place or 8 * kind.base.itemsize != self.bits or kind.base.kind != "i":
                raise ValueError(f"{name} does not follow the field before it, as a whole number of its size.")
            self.ones += [one] * (kind.itemsize // kind.base.itemsize)
            place += kind.itemsize

    def part(self, number: int, one: int) -> np.float32:
        """In plain Python."""
        return np.float32(min(one, max(-one, int(number))) if self.capped else number) * np.float32(1 / one)

    def _vector(self, kind: ir.Type) -> ir.VectorType:
        return ir.VectorType(kind, len(self.ones))

    def load(self, builder: Any, record: Any) -> Any:
        """All numbers."""
        first = builder.gep(builder.bitcast(record, ir.IntType(8).as_pointer()), [ir.IntType(64)(self.offset)])
        return builder.load(builder.bitcast(first, self._vector(ir.IntType(self.bits)).as_pointer()), align=1)

    def swapped(self, builder: Any, numbers: Any, seat: Any) -> Any:
        """Each pair the other way round for seat 1: rotated by the bits of one number, or by none."""
        pairs = ir.VectorType(ir.IntType(2 * self.bits), len(self.ones) // 2)
        bits = builder.mul(builder.trunc(seat, pairs.element), pairs.element(self.bits))
        shift = ir.Constant(pairs, ir.Undefined)
        for place in range(pairs.count):
            shift = builder.insert_element(shift, bits, ir.IntType(32)(place))
        whole = builder.bitcast(numbers, pairs)
        return builder.bitcast(builder.or_(builder.shl(whole, shift), builder.lshr(whole, shift)), numbers.type)

    def store(self, context: Any, builder: Any, array: types.Array, numbers: Any, out: Any, place: Any) -> None:
        """Their parts, as floats, eight at a time."""
        if self.capped:
            element = numbers.type.element
            most, least = (ir.Constant(numbers.type, [element(sign * one) for one in self.ones]) for sign in (1, -1))
            numbers = builder.select(builder.icmp_signed("<", numbers, most), numbers, most)
            numbers = builder.select(builder.icmp_signed(">", numbers, least), numbers, least)
        single = ir.FloatType()
        data = builder.gep(context.make_array(array)(context, builder, out).data, [place])
        for first in range(0, len(self.ones), _TOGETHER):
            ones = self.ones[first : first + _TOGETHER]
            lanes = ir.Constant(ir.VectorType(ir.IntType(32), len(ones)), [*range(first, first + len(ones))])
            some = builder.shuffle_vector(numbers, ir.Constant(numbers.type, ir.Undefined), lanes)
            vector = ir.VectorType(single, len(ones))
            parts = ir.Constant(vector, [single(float(np.float32(1 / one))) for one in ones])
            shown = builder.fmul(builder.sitofp(some, vector), parts)
            at = builder.gep(data, [ir.IntType(64)(first)])
            builder.store(shown, builder.bitcast(at, vector.as_pointer()), align=4)
