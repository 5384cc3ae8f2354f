"""Sets of stroke cards as the bits of one integer: card c is in a set if bit c is 1."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from tennis_envs.core.chance import SAMPLED, _beyond, _note, _scripted, _uniform
from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.worldwide_tennis.components import STROKES

EVERY = (1 << STROKES) - 1


def size(cards: int) -> int:
    """How many cards are in a set."""
    return int(cards).bit_count()


@intrinsic
def _population_count(context, cards):
    def emit(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), emit


@overload(size)
def _size(cards):
    return lambda cards: _population_count(np.int64(cards))


@inlined
def one(card):
    """The set of one card; of none for NO_CARD."""
    return np.int64(1) << card if card >= 0 else np.int64(0)


@inlined
def holds(cards, card):
    """1 if a card is in a set."""
    return (cards >> card) & 1


@inlined
def pick_card(chance, cards):
    """A card of a set that has some, each equally likely."""
    if chance.mode == SAMPLED:
        return nth(cards, _uniform(chance, size(cards)))
    return _pick_on_record(chance, cards)


@njit
def _pick_on_record(chance, cards):
    """`pick_card` by the tape, or written down."""
    if _scripted(chance):
        card = np.int64(chance.outcome[chance.draws])
        if card < 0 or card >= STROKES or not holds(cards, card):
            chance.fault = chance.draws + 1
            card = nth(cards, 0)
        chance.draws += 1
        return card
    if _beyond(chance):
        chance.open = STROKES
        chance.total = size(cards)
        chance.weights[:STROKES] = 0
        left = cards
        while left != 0:  # not card by card: as vectors, that would weigh on all who draw and keep no record
            chance.weights[nth(left, 0)] = 1
            left &= left - 1
    return _note(chance, nth(cards, _uniform(chance, size(cards))))


@inlined
def nth(cards, number):
    """The card of a set before which there are `number` others, by halving and without a branch."""
    card = np.int64(0)
    for width in (32, 16, 8, 4, 2, 1):
        before = size(cards & ((np.int64(1) << width) - 1))
        beyond = np.int64(number >= before)
        number -= before * beyond
        cards >>= width * beyond
        card += width * beyond
    return card


def write_signs(ones, minus_ones, out):
    """Card by card: 1 for the cards of the one set, -1 for those of the other, 0 for the rest."""
    for card in range(STROKES):
        out[card] = holds(ones, card) - holds(minus_ones, card)


def write_holds(cards, out):
    """Card by card: 1 for those of the set, 0 for the rest."""
    for card in range(STROKES):
        out[card] = holds(cards, card)


@intrinsic
def _store_holds(context, cards, out):
    """`write_holds` as two vectors of bytes."""

    def emit(context, builder, signature, arguments):
        half, lanes = ir.IntType(32), ir.VectorType(ir.IntType(8), 32)
        data = context.make_array(signature.args[1])(context, builder, arguments[1]).data
        for first in (0, STROKES - 32):  # the two overlap
            cards = builder.trunc(builder.lshr(arguments[0], arguments[0].type(first)), half)
            held = builder.zext(builder.bitcast(cards, ir.VectorType(ir.IntType(1), 32)), lanes)
            builder.store(held, builder.bitcast(builder.gep(data, [half(first)]), lanes.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(types.int64, out), emit


@overload(write_holds)
def _write_holds(cards, out):
    return lambda cards, out: _store_holds(np.int64(cards), out)


@intrinsic
def _store_signs(context, ones, minus_ones, out):
    """`write_signs` by vectors: 32 cards as bytes, then eight at a time as floats."""

    def emit(context, builder, signature, arguments):
        half, eight = ir.IntType(32), ir.VectorType(ir.FloatType(), 8)
        data = context.make_array(signature.args[2])(context, builder, arguments[2]).data
        for first in (0, STROKES - 32):  # the two overlap
            plus, minus = (
                builder.bitcast(builder.trunc(builder.lshr(cards, cards.type(first)), half), ir.VectorType(ir.IntType(1), 32))
                for cards in arguments[:2]
            )
            lanes = ir.VectorType(ir.IntType(8), 32)
            signs = builder.add(builder.zext(plus, lanes), builder.sext(minus, lanes))
            for start in range(0, 32, 8):
                places = ir.Constant(ir.VectorType(half, 8), list(range(start, start + 8)))
                part = builder.shuffle_vector(signs, ir.Constant(lanes, ir.Undefined), places)
                place = builder.bitcast(builder.gep(data, [half(first + start)]), eight.as_pointer())
                builder.store(builder.sitofp(builder.sext(part, ir.VectorType(half, 8)), eight), place, align=4)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, out), emit


@overload(write_signs)
def _write_signs(ones, minus_ones, out):
    return lambda ones, minus_ones, out: _store_signs(np.int64(ones), np.int64(minus_ones), out)
