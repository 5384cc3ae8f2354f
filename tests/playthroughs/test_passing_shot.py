"""Passing Shot's playthroughs together reach the rules that random play seldom does."""

from pathlib import Path

from tennis_envs.games.passing_shot.actions import ACTIONS
from tennis_envs.games.passing_shot.state import HIT, RECOVERY, REROLL, SECOND, STRETCH
from tennis_envs.testing import playthrough

FILES = playthrough.files(Path(__file__).parent / "passing_shot")
NEVER_TAKEN = {"winner 0", "winner 1", "winner 2"}  # need a ball that is worth so little


def test_the_playthroughs_reach_the_rare_rules():
    taken, reached, phases = set(), set(), set()
    for path in FILES:
        taken |= playthrough.actions_taken(path)
        concentration = 2
        for match in playthrough.replay(path):
            state, score = match.state, match.state.score
            phases.add(int(state.phase))
            if score.tiebreak:
                reached.add("tie-break")
            elif min(score.points) >= 3:
                reached.add("deuce")
            if state.concentration.sum() > concentration:
                reached.add("love game")
            concentration = state.concentration.sum()
            if score.sets.sum() > 0 and not match.over:
                reached.add("second set")
    assert reached == {"tie-break", "deuce", "love game", "second set"}
    assert phases >= {HIT, RECOVERY, REROLL, SECOND, STRETCH}
    assert set(ACTIONS.names) - taken <= NEVER_TAKEN
