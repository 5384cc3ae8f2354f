"""Scoring against umpire's score sheets, written by hand from the rules of tennis.

A line of a sheet is one game: who serves, who wins each point, the games after it (A first), and "change" where the
players then change ends. Of a tie-break (T) a slash marks each change of ends within it, and the servers stand below
the points.
"""

import numpy as np
import pytest

from tennis_envs.core.scoring import (
    ENDS,
    FORMAT,
    GAME,
    LOVE_GAME,
    MATCH,
    SCORE,
    SET,
    award,
    points_text,
    set_format,
    sets_text,
    start_match,
)

A, B = 0, 1


class Umpire:
    """Plays points into a score."""

    def __init__(self, name: str, first: int = A, **rules: int) -> None:
        self.format = np.zeros(1, FORMAT).view(np.recarray)[0]
        set_format(self.format, name, **rules)
        self.score = np.zeros(1, SCORE).view(np.recarray)[0]
        start_match(self.format, self.score, first)

    def point(self, winner: int) -> int:
        return int(award(self.format, self.score, winner))

    def game(self, winner: int) -> int:
        for _ in range(3):
            assert self.point(winner) == 0
        return self.point(winner)

    def sheet(self, text: str) -> int:
        """Play a sheet and hold every line against the score; the events of the last point."""
        lines = iter(text.split("\n"))
        events = 0
        for line in lines:
            words = line.split()
            if not words:
                continue
            kind, points, games, *rest = words
            servers = next(lines).split()[0] if kind == "T" else kind * len(points)
            events = self._game(kind == "T", points, servers)
            assert bool(events & ENDS) == ("change" in rest), line
            assert bool(events & SET) == ("set" in rest or "match" in rest), line
            assert bool(events & MATCH) == ("match" in rest), line
            assert bool(events & LOVE_GAME) == (kind != "T" and len(set(points)) == 1), line
            done = int(self.score.sets.sum())
            shown = self.score.played[done - 1] if events & SET else self.score.games
            assert "-".join(str(n) for n in shown) == games, line
        return events

    def _game(self, tiebreak: bool, points: str, servers: str) -> int:
        events = 0
        serving = iter(servers)
        for winner in points:
            if winner == "/":
                assert events & ENDS and next(serving) == "/", "here the players change ends"
                events = 0
                continue
            assert not events, "nothing should have come of the point before"
            assert self.score.server == "AB".index(next(serving))
            assert self.score.tiebreak == tiebreak
            events = self.point("AB".index(winner))
        assert events & GAME, "the game should have ended here"
        return events


SIX_FOUR = """
A AAAA        1-0 change
B BBBB        1-1
A AABBAA      2-1 change
B ABABABBB    2-2
A AABBBAABAA  3-2 change
B BBBAB       3-3
A AAAA        4-3 change
B AAAA        5-3
A BBBB        5-4 change
B BAAAA       6-4 set
"""
SEVEN_FIVE = """
A AAAA   1-0 change
B BBBB   1-1
A AAAA   2-1 change
B BBBB   2-2
A AAAA   3-2 change
B BBBB   3-3
A AAAA   4-3 change
B BBBB   4-4
A AAAA   5-4 change
B BBBB   5-5
A BBBB   5-6 change
B ABBABABB  5-7 set
"""
SIX_ALL = """
A AAAA   1-0 change
B BBBB   1-1
A AAAA   2-1 change
B BBBB   2-2
A AAAA   3-2 change
B BBBB   3-3
A AAAA   4-3 change
B BBBB   4-4
A AAAA   5-4 change
B BBBB   5-5
A AAAA   6-5 change
B BBBB   6-6
"""


def swapped(sheet: str) -> str:
    """The same set with the players' parts exchanged."""
    lines = []
    for line in sheet.strip().split("\n"):
        server, points, games, *rest = line.split()
        server, points = (word.translate(str.maketrans("AB", "BA")) for word in (server, points))
        lines.append(" ".join([server, points, games[::-1], *rest]))
    return "\n".join(lines)


def test_two_sets_to_one_with_a_set_of_seven_five():
    umpire = Umpire("best_of_3")
    umpire.sheet(SIX_FOUR)
    assert umpire.score.server == A  # B served the tenth game
    umpire.sheet(SEVEN_FIVE)
    assert umpire.score.sets.tolist() == [1, 1] and umpire.score.server == A
    events = umpire.sheet(SIX_FOUR.replace("set", "match"))
    assert events & MATCH and umpire.score.sets.tolist() == [2, 1]
    assert sets_text(umpire.score).startswith("6-4 5-7 6-4")


def test_a_tie_break_of_seven_five_and_who_serves_after_it():
    umpire = Umpire("best_of_3")
    umpire.sheet(SIX_ALL)
    assert umpire.score.tiebreak == 1 and umpire.score.server == A
    umpire.sheet(
        """
        T ABBAAB/ABABAA  7-6 set change
          ABBAAB/BAABBA
        """
    )
    assert umpire.score.tiebreak == 0
    assert umpire.score.server == B  # A served first in the tie-break, and so receives first now
    umpire.sheet(swapped(SIX_ALL))
    umpire.sheet(
        """
        T BBBBBB/B       6-7 set change
          BAABBA/A
        """
    )
    assert umpire.score.sets.tolist() == [1, 1] and umpire.score.server == A


def test_a_long_tie_break_needs_two_clear_points_and_changes_ends_every_six():
    umpire = Umpire("best_of_5")
    umpire.sheet(SIX_ALL)
    umpire.sheet(
        """
        T ABABAB/ABABAB/ABABAB/ABBB  6-7 set change
          ABBAAB/BAABBA/ABBAAB/BAAB
        """
    )
    assert umpire.score.played[0].tolist() == [6, 7]
    assert umpire.score.points.tolist() == [0, 0]


def test_best_of_five_goes_to_three_sets_and_every_set_has_its_tie_break():
    umpire = Umpire("best_of_5")
    umpire.sheet(SIX_FOUR)
    umpire.sheet(SEVEN_FIVE)
    umpire.sheet(SIX_FOUR)
    umpire.sheet(SEVEN_FIVE)
    assert umpire.score.sets.tolist() == [2, 2]
    umpire.sheet(SIX_ALL)
    events = umpire.sheet(
        """
        T AAAAAA/A  7-6 match change
          ABBAAB/B
        """
    )
    assert events & MATCH and umpire.score.sets.tolist() == [3, 2]
    assert umpire.score.played.tolist() == [[6, 4], [5, 7], [6, 4], [5, 7], [7, 6]]


def test_best_of_three_ends_in_two():
    umpire = Umpire("best_of_3")
    umpire.sheet(SIX_FOUR)
    events = umpire.sheet(SIX_FOUR.replace("set", "match"))
    assert events & MATCH and umpire.score.sets.tolist() == [2, 0]


def test_love_sets_end_at_six_games():
    umpire = Umpire("best_of_3")
    for game in range(5):
        assert umpire.game(B) == GAME | LOVE_GAME | (ENDS if game % 2 == 0 else 0)
    assert umpire.game(B) == GAME | LOVE_GAME | SET
    assert umpire.game(B) & ENDS  # after an even set, ends change after the next one's first game


def test_many_deuces():
    umpire = Umpire("game")
    for winner in (A, B) * 3:
        umpire.point(winner)
    assert points_text(umpire.format, umpire.score) == "deuce"
    for _ in range(100):
        assert umpire.point(B) == 0
        assert points_text(umpire.format, umpire.score) == "advantage receiver"
        assert umpire.point(A) == 0
        assert points_text(umpire.format, umpire.score) == "deuce"
        assert umpire.score.points.tolist() == [3, 3]
    umpire.point(A)
    assert points_text(umpire.format, umpire.score) == "advantage server"
    assert umpire.point(A) & (GAME | SET | MATCH) == GAME | SET | MATCH


def test_a_deciding_point_at_deuce():
    umpire = Umpire("set", game_lead=1)
    for winner in (A, B) * 3:
        assert umpire.point(winner) == 0
    assert umpire.point(B) & GAME
    assert umpire.score.games.tolist() == [0, 1]


def test_games_to_another_number_of_points():
    umpire = Umpire("set", game_points=3, game_lead=2)
    assert [umpire.point(winner) & GAME for winner in (A, B, A, B, A)] == [0] * 5
    assert umpire.point(A) & GAME and umpire.score.games.tolist() == [1, 0]


def test_the_short_formats():
    assert Umpire("point").point(B) & MATCH
    assert Umpire("game").game(B) & MATCH
    tiebreak = Umpire("tiebreak", first=B)
    events = tiebreak.sheet(
        """
        T BABABA/BABABA/BB  0-1 match change
          BAABBA/ABBAAB/BA
        """
    )
    assert events & MATCH
    one_set = Umpire("set")
    assert one_set.sheet(SIX_FOUR.replace("set", "match")) & MATCH


@pytest.mark.parametrize("first", [A, B])
def test_the_serve_alternates_through_sets(first):
    umpire = Umpire("best_of_5", first=first)
    for game in range(24):
        assert umpire.score.server == (first + game) % 2
        umpire.game(game // 6 % 2)


def test_the_score_in_words():
    umpire = Umpire("best_of_3", first=B)
    assert points_text(umpire.format, umpire.score) == "0-0"
    for winner, said in ((A, "0-15"), (B, "15-15"), (B, "30-15"), (B, "40-15"), (A, "40-30"), (A, "deuce")):
        umpire.point(winner)
        assert points_text(umpire.format, umpire.score) == said
    umpire.point(B)
    assert points_text(umpire.format, umpire.score) == "advantage server"
    umpire.point(B)
    assert sets_text(umpire.score) == "0-1"
