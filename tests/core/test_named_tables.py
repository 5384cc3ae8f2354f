"""Named actions and features."""

import numpy as np
import pytest

from tennis_envs.core.layout import Actions, Feature, Features


def test_actions_are_numbered_in_order_and_named_by_their_axes():
    actions = Actions("roll", winner=range(2), play=(("lob", "drop"), ("FH", "BH")), zone=("left", "right"))
    assert actions.names == [
        "roll", "winner 0", "winner 1", "play lob FH", "play lob BH", "play drop FH", "play drop BH",
        "zone left", "zone right",
    ]  # fmt: skip
    assert len(actions) == 9
    assert [actions.index(actions.name(i)) for i in range(9)] == list(range(9))
    assert actions.start("play") == 3 and actions.segments["play"] == (3, (2, 2))


def test_actions_that_do_not_exist():
    actions = Actions("roll", winner=range(2))
    with pytest.raises(ValueError, match="action 3 does not exist: actions are 0 to 2"):
        actions.name(3)
    with pytest.raises(ValueError, match="action -1 does not exist"):
        actions.name(-1)
    with pytest.raises(ValueError, match="no action is called 'lob': the names are roll, winner 0, winner 1"):
        actions.index("lob")
    with pytest.raises(ValueError, match="same name"):
        Actions("winner 0", winner=range(2))


FEATURES = Features(Feature("seat"), Feature("dice", 3, about="in hand", labels=("0", "1", "2")), Feature("lead", low=-1))


def test_features_cut_an_observation():
    observation = np.arange(5, dtype=np.float32)
    assert {name: part.tolist() for name, part in FEATURES.read(observation).items()} == {
        "seat": [0], "dice": [1, 2, 3], "lead": [4],
    }  # fmt: skip
    assert len(FEATURES) == FEATURES.size == sum(feature.size for feature in FEATURES) == 5
    assert FEATURES.low.tolist() == [0, 0, 0, 0, -1] and FEATURES.high.tolist() == [1] * 5
    assert FEATURES.low.dtype == FEATURES.high.dtype == np.float32


def test_the_table_of_features_covers_every_place():
    rows = FEATURES.table().split("\n")[2:]
    assert rows == [
        "| `seat` | 0 | 0–1 |  |",
        "| `dice` | 1–3 | 0–1 | in hand: 0, 1, 2 |",
        "| `lead` | 4 | -1–1 |  |",
    ]


def test_features_that_do_not_exist():
    with pytest.raises(ValueError, match="no feature is called 'hand': the names are seat, dice, lead"):
        FEATURES["hand"]
    with pytest.raises(ValueError, match="two features are called 'seat'"):
        Features(Feature("seat"), Feature("seat"))
