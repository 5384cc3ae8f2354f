"""Options: presets, and one clear sentence for what is wrong."""

from typing import ClassVar

import pytest

import tennis_envs
from tennis_envs import Match, OptionError
from tennis_envs.core.options import Options, parse


class Given(Options):
    PRESETS: ClassVar[dict] = {"hard": {"lets": True, "max_decisions": 7}}
    level: str = "easy"
    lets: bool = False


def test_a_level_fills_in_what_was_not_given():
    assert not parse(Given, "g", {}).lets
    assert parse(Given, "g", {"level": "hard"}).lets
    given = parse(Given, "g", {"level": "hard", "lets": False})
    assert not given.lets and given.max_decisions == 7


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"surfce": "clay"}, r"^passing_shot has no option 'surfce': its options are reward, .*, pro_bars_ensure\.$"),
        ({"level": "pro"}, r"^passing_shot: option 'level' cannot be 'pro': it must be 'beginner', .* or 'star'\.$"),
        ({"stamina": "yes"}, r"^passing_shot: option 'stamina' cannot be 'yes': it must be a valid boolean\.$"),
        ({"stamina": 1}, r"^passing_shot: option 'stamina' cannot be 1: it must be a valid boolean\.$"),
        (
            {"max_decisions": 0},
            r"^passing_shot: option 'max_decisions' cannot be 0: it must be greater than or equal to 1\.$",
        ),
        ({"format": "best_of_7"}, r"^passing_shot: option 'format' cannot be 'best_of_7': it must be 'point', .*\.$"),
        ({"encoder": "pixels"}, r"^passing_shot has no encoder 'pixels': its encoders are flat, full\.$"),
    ],
)
def test_wrong_options_are_told_in_one_sentence(options, sentence):
    for build in (
        lambda: Match("passing_shot", **options),
        lambda: tennis_envs.MatchBatch("passing_shot", 2, **options),
    ):
        with pytest.raises(ValueError, match=sentence) as error:
            build()
        assert isinstance(error.value, OptionError)
        assert "\n" not in str(error.value)


def test_no_such_game():
    with pytest.raises(ValueError, match="no game is called 'chess': the games are passing_shot"):
        tennis_envs.game("chess")


def test_options_cannot_be_changed_afterwards():
    match = Match("passing_shot", seed=0)
    with pytest.raises(ValueError):
        match.options.level = "beginner"
