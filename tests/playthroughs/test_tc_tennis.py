"""TC Tennis's playthroughs reach a tie-break, conditions, and every phase but those that need a rare card or marker."""

from pathlib import Path

from tennis_envs.games.tc_tennis.state import (
    PHASES,
    STAMINA,
    TIEBREAK,
)
from tennis_envs.testing import playthrough

FILES = playthrough.files(Path(__file__).parent / "tc_tennis")
# Laid out by hand in tests/games/tc_tennis/test_rules.py: once in a thousand decisions of random play, or rarer.
BY_HAND = {
    "search", "forced end set", "extra action", "hand limit", "drop", "void", "tie-break roll", "second wind",
}  # fmt: skip


def test_what_the_playthroughs_reach():
    phases, reached = set(), set()
    for path in FILES:
        for match in playthrough.replay(path):
            state = match.state
            phases.add(PHASES[state.phase])
            if state.common[TIEBREAK]:
                reached.add("tie-break")
            if state.board[:, STAMINA].any():
                reached.add("stamina")
            if state.injury.any():
                reached.add("injury")
    assert reached == {"tie-break", "stamina", "injury"}
    assert phases >= set(PHASES) - BY_HAND
