"""Knock-out draws (R41)."""

from __future__ import annotations

import pytest

import tennis_envs
from tennis_envs.opponents import RandomOpponent
from tennis_envs.tournament import SIZES, draw_champions, play_tournament


def test_a_draw_of_eight():
    names = draw_champions(8, seed=1)
    seen = []
    result = play_tournament(names, RandomOpponent(seed=2), seed=3, surface="clay", tick=seen.append)
    assert list(result.matches) == seen and len(seen) == 7
    assert [played.round for played in seen] == ["quarterfinal"] * 4 + ["semifinal"] * 2 + ["final"]
    assert [played.champions for played in seen[:4]] == [tuple(names[i : i + 2]) for i in (0, 2, 4, 6)]
    assert seen[4].champions == (seen[0].winner, seen[1].winner) and seen[6].champions == (
        seen[4].winner,
        seen[5].winner,
    )
    assert result.winner == seen[6].winner and all(max(played.sets) == 2 and played.surface == "clay" for played in seen)
    assert str(result).count("\n") == 6
    again = play_tournament(names, RandomOpponent(seed=2), seed=3, surface="clay")
    assert again == result


class _Recorder(RandomOpponent):
    """Plays at random, and notes the options and the first state of every match."""

    def __init__(self):
        super().__init__(seed=5)
        self.matches = []

    def act(self, match):
        if match.decisions == 0:
            self.matches.append((match.options, match.state.injury.tolist()))
        return super().act(match)


def test_injuries_and_split_ratings_go_on(monkeypatch):
    import tennis_envs.tournament as module

    real, ends = module._play, []

    def play(match, *rest):
        played = real(match, *rest)
        ends.append(played)
        hurt = {played.champions[0]: 3, played.champions[1]: 2}
        ends[-1] = played = module.Played(**{**played.__dict__, "injuries": tuple(hurt.values())})
        return played

    monkeypatch.setattr(module, "_play", play)
    recorder = _Recorder()
    names = draw_champions(8, seed=4)
    play_tournament(names, recorder, seed=6, surface="hard")
    stages = [options.stage for options, _ in recorder.matches]
    assert stages == ["early"] * 4 + ["late"] * 3
    assert all(injuries == [0, 0] for _, injuries in recorder.matches[:4])
    hurt = {}
    for (options, _), played in zip(recorder.matches, ends, strict=True):
        assert options.injury_0 == hurt.get(options.champion_0, 0) and options.injury_1 == hurt.get(options.champion_1, 0)
        hurt.update(zip(played.champions, played.injuries, strict=True))


def test_every_champion_has_a_player():
    names = draw_champions(4, seed=0)
    players = {name: RandomOpponent(seed=i) for i, name in enumerate(names)}
    assert play_tournament(names, players, seed=1).winner in names
    with pytest.raises(ValueError, match="nobody plays"):
        play_tournament(names, {names[0]: players[names[0]]}, seed=1)


@pytest.mark.parametrize("size", [0, 2, 5, 32])
def test_only_whole_draws(size):
    with pytest.raises(ValueError, match="4, 8, 16"):
        draw_champions(size)
    with pytest.raises(ValueError, match="4, 8, 16"):
        play_tournament([str(i) for i in range(size)], RandomOpponent())
    assert SIZES == (4, 8, 16)


def test_what_belongs_to_the_tournament():
    with pytest.raises(ValueError, match="own"):
        play_tournament(draw_champions(4), RandomOpponent(), stage="late")
    assert "tc_tennis" in tennis_envs.games()
