"""Rows that several threads share, without a lock and without a word of Python until all are done."""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from tennis_envs.core.jit import DISABLED, inlined

_CACHE_LINE = 8  # int64: what two threads write should not lie in one


def counters(threads: int) -> np.ndarray:
    """How many rows have been taken of each thread's part, int64 (threads, 8), of which the first column counts; all 0.

    Every loop begins with zeros.
    """
    return np.zeros((threads, _CACHE_LINE), np.int64)


@inlined
def next_rows(taken, thread, total, chunk):
    """The next rows of `total` for a thread, at most `chunk` at once: the first and the one after the last, or twice `total`.

    Each thread has its own part of the rows, the same every time, because what it wrote last is still near its core. One
    that has done its part goes on with what the others have left.
    """
    threads = len(taken)
    for turn in range(threads):
        part = (thread + turn) % threads
        lo = total * part // threads + _take(taken, part, chunk)
        end = total * (part + 1) // threads
        if lo < end:
            return lo, min(lo + chunk, end)
    return total, total


if DISABLED:
    _lock = Lock()

    def _take(taken, part, amount):
        """Add to the counter of a part, as nobody else does meanwhile; what it was before."""
        with _lock:
            before = int(taken[part, 0])
            taken[part, 0] += amount
        return before

else:

    @intrinsic
    def _take(context: Any, taken: Any, part: Any, amount: Any) -> Any:
        """Add to the counter of a part, as nobody else does meanwhile; what it was before."""

        def emit(context, builder, signature, arguments):
            kind = signature.args[0]
            array = arrayobj.make_array(kind)(context, builder, arguments[0])
            first = context.get_constant(types.intp, 0)
            place = cgutils.get_item_pointer(context, builder, kind, array, [arguments[1], first])
            return builder.atomic_rmw("add", place, arguments[2], "monotonic")

        return types.int64(taken, types.int64, types.int64), emit
