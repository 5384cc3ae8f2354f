"""The reference edition satisfies all that is known of the cards, and a box of one's own is checked."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tennis_envs
from tennis_envs import Match, OptionError
from tennis_envs.core.components import ComponentsError, read
from tennis_envs.games.sweet_spot.components import REFERENCE, Edition, reference
from tennis_envs.games.sweet_spot.deck import moves
from tests.games.sweet_spot.table import PLAIN, drawn, kind, names, play, rally, settle
from tests.games.sweet_spot.test_examples import edition

DATA = tomllib.loads(REFERENCE.read_text())
CARDS = {card.name: card for card in (*reference().cards, *reference().avatar)}


def test_the_decks_have_the_published_sizes() -> None:
    sizes = {deck: sum(card.copies for card in cards) for deck, cards in reference().decks.items()}
    assert sizes == {"service": 20, "return": 40, "tactic": 40, "avatar": 6}


def test_at_least_thirty_moves() -> None:
    assert len({card.name for card in reference().cards}) > 30


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("Passing Shot", "modifier", (-5,)),
        ("Moon Ball", "modifier", (5,)),
        ("Egg Shot", "modifier", (0,)),
        ("Approach Shot", "next_return", -5),
        ("Jamming Feint", "next_return", -3),
        ("Weak Serve", "weak", True),
        ("Focused Control", "cancels", ("Shank", "Approach Shot", "Jamming Feint", "Too Much")),
        ("Too Much", "play", ("react",)),
    ],
)
def test_what_is_known_of_a_card(name: str, key: str, value: Any) -> None:
    assert getattr(CARDS[name], key) == value
    assert CARDS[name].source != "reconstructed"


def test_named_cards_are_where_they_belong() -> None:
    tactics = {card.name: card for card in reference().tactic}
    for name in ("Stretch", "Lunge", "Dive"):
        assert "save" in tactics[name].play
    assert "return" in tactics["Buggy Whip"].play
    assert tactics["Brutaliser"].drain > 0
    assert reference().automa.as_returns == {"Top Spin Feint": 2, "Under Spin Feint": -2}
    assert {"Quick Serve", "Weak Serve"} <= {card.name for card in reference().service}
    assert {"Serena", "Andre", "Rafael", "Roger", "Kovic"} <= {avatar.name for avatar in reference().avatar}
    assert 0 <= 11 + tactics["Sledgehammer"].modifier[0] <= 3  # it beats an 11
    assert any(card.hidden and card.modifier == (-5,) for card in tactics.values())


def test_most_returns_cost_one_and_serves_are_near_twenty() -> None:
    costs = [card.cost for card in reference().return_ for _ in range(card.copies)]
    assert costs.count(1) > len(costs) / 2
    balls = [card.ball for card in reference().service for _ in range(card.copies)]
    assert 18 <= np.mean(balls) <= 22


def test_every_entry_has_a_source() -> None:
    for deck in ("service", "return", "tactic", "avatar"):
        for entry in DATA[deck]:
            assert entry["source"]
            assert ("known" in entry) == (entry["source"] != "reconstructed")


def _set(section: str, place: int, **values: Any) -> Callable[[dict], None]:
    return lambda data: data[section][place].update(values)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_set("return", 1, speed=3), "`return` 2 ('Passing Shot'): `speed`: there is no such key."),
        (_set("return", 1, copies=3), "the return cards are 37 with all copies: there must be 40."),
        (
            _set("return", 1, cost="one"),
            "`return` 2 ('Passing Shot'): `cost`: it must be a valid integer (it is 'one').",
        ),
        (_set("return", 1, modifier=[1, 1]), "`return` 2 ('Passing Shot'): `modifier` is one number or a choice"),
        (_set("return", 1, name="Slice"), "two entries are called 'Slice'."),
        (_set("tactic", 3, play=["serve"]), "`tactic` 4 ('Brutaliser'): `play`"),
        (_set("tactic", 11, drain=2), "`tactic` 12 ('Top Spin Feint'): a hidden card may have a `modifier`"),
        (_set("tactic", 18, cancels=["Smash"]), "'Focused Control' cancels 'Smash', which is no Return or Tactic card"),
        (_set("tactic", 9, value_out={"at_least": 9, "at_most": 8}), "no ball is at least 9 and at most 8"),
        (_set("tactic", 4, modifier=3), "a card has a `modifier` or a `set_to`, not both"),
        (_set("tactic", 19, gain=0), "a card for after a rally has a `gain` or `discards`"),
        (_set("avatar", 0, copies=2), "an avatar exists once"),
        (_set("service", 0, ball=5), "`service` 1 ('Flat Serve'): `ball`: it must be greater than or equal to 7"),
        (lambda data: data["automa"].update(ace="Ace"), "automa: 'Ace' is no tactic card"),
        (lambda data: data["automa"].update(as_returns={"Slice": 2}), "automa: 'Slice' is no tactic card"),
        (lambda data: data["automa"].update(targets=[0, 5]), "target 5 is neither IN nor in play"),
        (lambda data: data.pop("tactic"), "`tactic`: it is missing."),
        (_set("return", 0, source="a friend"), '`source`: it must be "reconstructed"'),
        (_set("return", 0, known=["modifier"]), "a reconstructed card has nothing `known`"),
    ],
)
def test_a_wrong_box_is_named(change: Callable[[dict], None], sentence: str) -> None:
    data = copy.deepcopy(DATA)
    change(data)
    with pytest.raises(ComponentsError) as error:
        read(data, Edition, "my_box.toml")
    assert str(error.value).startswith("my_box.toml: ")
    assert sentence in str(error.value)


def test_options_check_the_box(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="cannot be read"):
        Match("sweet_spot", components=str(tmp_path / "nothing.toml"))
    broken = tmp_path / "broken.toml"
    broken.write_text("edition = ")
    with pytest.raises(OptionError, match="this is not TOML"):
        Match("sweet_spot", components=str(broken))


def test_a_box_of_ones_own_plays(tmp_path: Path) -> None:
    text = REFERENCE.read_text().replace('name = "Chip"', 'name = "Tweener"').replace('name = "Kick Serve"', 'name = "Bomb"')
    box = tmp_path / "box.toml"
    box.write_text(text.replace("ball = 21", "ball = 25"))
    match = rally(20, [["Slice"], ["Slice"]], components=str(box))
    assert match.rules["ball"][kind("Kick Serve")] == 25  # the new card has the free slot
    assert "Tweener" in match.describe(0) or "Slice" in match.describe(0)
    match.state["players"]["hand"][0, kind("Chip")] = 1
    settle(match)
    assert "Tweener" in match.describe(0)
    assert "play Chip" in names(match)  # action names are those of the reference edition
    play(match, "play Chip")
    assert match.state["ball"] == 19


def test_another_value_needs_no_other_rules(tmp_path: Path) -> None:
    box = edition(tmp_path, Slice="modifier = -4")
    match = rally(20, [["Slice", "Chip"], ["Slice"]], components=box)
    match.apply("play Slice")
    assert match.state["ball"] == 16


def test_too_many_kinds_have_no_place(tmp_path: Path) -> None:
    text = REFERENCE.read_text()
    head, tail = text.split('name = "Flat Drive"\ncopies = 10', 1)
    extra = '[[return]]\nname = "Lob"\ncopies = 1\nmodifier = 6\nsource = "box"\n\n[[return]]\n'
    box = tmp_path / "box.toml"
    box.write_text(head.removesuffix("[[return]]\n") + extra + 'name = "Flat Drive"\ncopies = 9' + tail)
    with pytest.raises(OptionError, match="14 different return cards: at most 13 have a place"):
        Match("sweet_spot", components=str(box))


def test_the_automa_looks_for_existing_cards() -> None:
    automa = reference().automa
    assert automa.targets[:10] == (0, 1, 2, 3, 11, 12, 13, 15, 17, 19)
    assert max(automa.targets) == 25
    labels = [move.label for move in moves(reference(), "return")]
    assert len(labels) == len(set(labels))
    assert tennis_envs.game("sweet_spot").actions.segments["play"][1] == (len(labels),)
    assert drawn("Flat Serve") == [0]
    assert PLAIN["avatars"] == "none"
