"""Many small numbers at once, in a few vector instructions: what compilers do not find by themselves."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from tennis_envs.games.sweet_spot.state import DECKS, KINDS, PLAYER, SEATS, TOTALS

BITS = 64  # of a word
_LANES = 8  # features written at once
_BYTE, _WORD, _SINGLE = ir.IntType(8), ir.IntType(64), ir.FloatType()


def _vector(kind: ir.Type, count: int) -> ir.VectorType:
    return ir.VectorType(kind, count)


def _bytes_at(context: Any, builder: Any, kind: types.Array, array: Any, place: Any, count: int) -> Any:
    """A pointer to `count` bytes of an array as a vector."""
    data = builder.gep(context.make_array(kind)(context, builder, array).data, [place])
    return builder.bitcast(data, _vector(_BYTE, count).as_pointer())


def _choose(builder: Any, numbers: Any, places: Sequence[int]) -> Any:
    """Those of a vector, and zeros for the places after its end."""
    chosen = ir.Constant(_vector(ir.IntType(32), len(places)), [min(place, numbers.type.count) for place in places])
    return builder.shuffle_vector(numbers, ir.Constant(numbers.type, None), chosen)


def _show(context: Any, builder: Any, array: types.Array, numbers: Any, ones: Sequence[int], out: Any, place: Any) -> None:
    """Store each number as a part of its one."""
    vector = _vector(_SINGLE, len(ones))
    parts = ir.Constant(vector, [_SINGLE(float(np.float32(1 / one))) for one in ones])
    shown = builder.fmul(builder.sitofp(numbers, vector), parts)
    data = builder.gep(context.make_array(array)(context, builder, out).data, [place])
    builder.store(shown, builder.bitcast(data, vector.as_pointer()), align=4)


# Masks


def write_bits(bits, out, place):
    """The bits of a word, the lowest first, to 64 bytes of `out`."""
    for i in range(BITS):
        out[place + i] = (int(bits) >> i) & 1


@intrinsic
def _store_bits(context, bits, out, place):
    def emit(context, builder, signature, arguments):
        flags = builder.bitcast(arguments[0], _vector(ir.IntType(1), BITS))
        data = _bytes_at(context, builder, signature.args[1], *arguments[1:], BITS)
        builder.store(builder.zext(flags, data.type.pointee), data, align=1)
        return context.get_dummy_value()

    return types.void(types.int64, out, types.int64), emit


@overload(write_bits)
def _write_bits(bits, out, place):
    return lambda bits, out, place: _store_bits(np.int64(bits), out, np.int64(place))


def write_held(hand, out, place):
    """1 for each kind of card that a hand holds."""
    for kind in range(KINDS):
        out[place + kind] = hand[kind] > 0


@intrinsic
def _store_held(context, hand, out, place):
    def emit(context, builder, signature, arguments):
        for count, first in ((32, 0), (16, KINDS - 16)):  # two vectors that overlap
            cards = builder.load(_bytes_at(context, builder, signature.args[0], arguments[0], _WORD(first), count), align=1)
            data = _bytes_at(context, builder, signature.args[1], arguments[1], builder.add(arguments[2], _WORD(first)), count)
            held = builder.icmp_signed(">", cards, ir.Constant(cards.type, None))
            builder.store(builder.zext(held, cards.type), data, align=1)
        return context.get_dummy_value()

    return types.void(hand, out, types.int64), emit


@overload(write_held)
def _write_held(hand, out, place):
    return lambda hand, out, place: _store_held(hand, out, np.int64(place))


# Piles


def take_at(totals, place):
    """The first of the running totals that is more than `place`; it and all after it are one less: a card has been taken."""
    after = totals > place
    totals[after] -= 1
    return np.int64(after.argmax())


@intrinsic
def _take_at(context, totals, place):
    def emit(context, builder, signature, arguments):
        data = _bytes_at(context, builder, signature.args[0], arguments[0], _WORD(0), TOTALS)
        vector = data.type.pointee
        undefined = ir.Constant(vector, ir.Undefined)
        first = builder.insert_element(undefined, builder.trunc(arguments[1], _BYTE), ir.IntType(32)(0))
        everywhere = builder.shuffle_vector(first, undefined, ir.Constant(_vector(ir.IntType(32), TOTALS), [0] * TOTALS))
        before = builder.load(data, align=1)
        after = builder.icmp_signed(">", before, everywhere)
        builder.store(builder.add(before, builder.sext(after, vector)), data, align=1)
        return builder.zext(builder.cttz(builder.bitcast(after, ir.IntType(TOTALS)), ir.IntType(1)(1)), _WORD)

    return types.int64(totals, types.int64), emit


@overload(take_at)
def _overload_take_at(totals, place):
    return lambda totals, place: _take_at(totals, np.int64(place))


# Views


# What everybody sees of the players, in table order: stamina, whose cards cost nothing, and the backs of all but the first.
_SHOWN = [("stamina", 0, range(SEATS), 10), ("free", 0, range(SEATS), 1)]
_SHOWN += [("backs", deck, [place], 10) for place in range(1, SEATS) for deck in range(DECKS)]
_COLUMNS = [(place, PLAYER.fields[name][1] + column, one) for name, column, places, one in _SHOWN for place in places]
_COLUMNS += _COLUMNS[-1:] * (-len(_COLUMNS) % _LANES)  # whole vectors: what is at the end is written over


def _write_table(players, out, place):
    """Show the players, one's own first; an empty place as zeros."""
    for k, (seat, offset, one) in enumerate(_COLUMNS):
        number = np.frombuffer(players[seat].tobytes(), np.int8)[offset] if seat < len(players) else 0
        out[place + k] = np.float32(number) * np.float32(1 / one)


def _emit_table(context: Any, builder: Any, players: list[Any], array: types.Array, out: Any, place: Any) -> Any:
    words = ir.Constant(_vector(_WORD, len(players)), ir.Undefined)
    for i, player in enumerate(players):
        word = builder.load(builder.bitcast(player, _WORD.as_pointer()), align=1)
        words = builder.insert_element(words, word, ir.IntType(32)(i))
    numbers = builder.bitcast(words, _vector(_BYTE, 8 * len(players)))
    # Sixteen at a time, and no zeros at the end: x86 has an instruction to take a few bytes from the middle of a vector
    # (EXTRQ), which compilers choose for AMD processors, and which can take as long as all the rest of a view.
    for start in range(0, len(_COLUMNS), 2 * _LANES):
        columns = _COLUMNS[start : start + 2 * _LANES]
        chosen = _choose(builder, numbers, [8 * seat + offset for seat, offset, _ in columns])
        _show(context, builder, array, chosen, [one for *_, one in columns], out, builder.add(place, _WORD(start)))
    return context.get_dummy_value()


def write_two(own, other, out, place):
    """Show two players."""
    _write_table([own, other], out, place)


def write_four(own, left, partner, right, out, place):
    """Show four players."""
    _write_table([own, left, partner, right], out, place)


@intrinsic
def _store_two(context, own, other, out, place):
    def emit(context, builder, signature, arguments):
        return _emit_table(context, builder, arguments[:2], signature.args[2], *arguments[2:])

    return types.void(own, other, out, types.int64), emit


@intrinsic
def _store_four(context, own, left, partner, right, out, place):
    def emit(context, builder, signature, arguments):
        return _emit_table(context, builder, arguments[:4], signature.args[4], *arguments[4:])

    return types.void(own, left, partner, right, out, types.int64), emit


@overload(write_two)
def _write_two(own, other, out, place):
    return lambda own, other, out, place: _store_two(own, other, out, np.int64(place))


@overload(write_four)
def _write_four(own, left, partner, right, out, place):
    return lambda own, left, partner, right, out, place: _store_four(own, left, partner, right, out, np.int64(place))
