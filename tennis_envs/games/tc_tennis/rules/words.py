"""Seven boxes in one whole number, eight bits each: added, compared and written with one instruction, not box by box."""

from tennis_envs.core.jit import inlined
from tennis_envs.core.views import LANE
from tennis_envs.games.tc_tennis.state import BOXES

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
