"""The reference edition keeps to all that is known of the published components; a wrong file is refused."""

from __future__ import annotations

import copy
import tomllib

import pytest
from tc_position import NAMES

import tennis_envs
from tennis_envs.games.tc_tennis.components import (
    CARDS,
    EVENTS,
    GRADES,
    REFERENCE,
    RESULTS,
    STROKES,
    SURFACES,
    ComponentError,
    load_components,
    parse_components,
)

BOX = load_components()
CARD = {card.name: card for card in BOX.card}
CHAMPION = {champion.name: champion for champion in BOX.champion}


def test_eighty_cards_and_what_is_left_out_of_which_game():
    assert sum(card.copies for card in BOX.card) == CARDS
    assert sum(card.copies for card in BOX.card if card.kind == "end_set") == 10
    assert sum(card.copies for card in BOX.card if card.tournament) == 5
    assert {card.rallies for card in BOX.card if card.kind == "end_set"} == {4, 5, 6, 7}
    assert all(card.no_draw for card in BOX.card if card.kind == "end_set")
    assert any(card.no_draw for card in BOX.card if card.kind == "tactic")
    assert any(card.discard_after_set for card in BOX.card)


def test_the_cards_that_the_rulebook_names():
    smash = CARD["Overhead Smash"]
    assert smash.kind == "offense" and smash.boxes == (1, 4, 5) and smash.dice == 1
    assert smash.love.faces == [1] and smash.love.lose == "highest" and smash.love.on == "own"
    inspired = CARD["Inspired Play"]
    assert inspired.kind == "offense" and inspired.dice == 0.5 and 2 in inspired.boxes
    chop = CARD["Chop Shot"]
    assert chop.kind == "defense" and chop.opponent_score == -1 and chop.opponent_dice == 0 and 2 in chop.boxes
    flat = CARD["Hard & Flat"]
    assert flat.kind == "offense" and flat.voids == ["Chop Shot"] and 3 in flat.boxes
    pace = CARD["No Pace"]
    assert pace.kind == "tactic" and pace.targets and pace.love and 4 not in pace.love.faces and 2 in pace.boxes
    topspin = CARD["Wicked Topspin"]
    assert topspin.kind == "tactic" and 2 not in topspin.targets and topspin.love and topspin.love.on == "own"
    wind, trainer = CARD["Second Wind"], CARD["Call for Trainer"]
    assert wind.tournament and wind.restores_stamina
    assert trainer.tournament and set(trainer.heals) == {0, 1, 2}


@pytest.mark.parametrize("stroke", range(len(STROKES)))
@pytest.mark.parametrize("kind", ["offense", "defense", "tactic"])
def test_every_stroke_has_cards_of_every_kind(stroke, kind):
    fitting = sum(card.copies for card in BOX.card if card.kind == kind and stroke in card.boxes + card.targets)
    assert fitting >= 4


def test_the_ratings_that_the_rulebook_names():
    def rating(name, surface, stroke):
        return CHAMPION[name].court(SURFACES.index(surface)).strokes.split()[STROKES.index(stroke)]

    assert len(CHAMPION) == 24
    assert rating("Bill Tilden", "hard", "FV") == "C" and CHAMPION["Bill Tilden"].clay.defense == "B"
    assert {CHAMPION["Bill Tilden"].court(surface).sta for surface in range(4)} == {"B"}
    assert CHAMPION["Fred Perry"].indoor.strategy == 3 and CHAMPION["Henri Cochet"].indoor.strategy == 4
    assert CHAMPION["Fred Perry"].clay.strategy == CHAMPION["Fred Perry"].grass.strategy == 4
    assert "C" in {rating("Rod Laver", surface, "2S") for surface in SURFACES}
    assert (CHAMPION["Jimmy Connors"].clay.ret, CHAMPION["Jimmy Connors"].clay.defense) == ("A", "C")
    sampras = CHAMPION["Pete Sampras"].clay
    assert rating("Pete Sampras", "clay", "1S") == "AA" and (sampras.ret, sampras.defense) == ("B", "B")
    assert max(sampras.halves) == sampras.halves[0]
    assert CHAMPION["Boris Becker"].indoor.inj == "B" and "Don Budge" in CHAMPION
    for surface in range(4):  # Stan Smith's FV is among his best strokes, his BH and 1S are not
        halves = CHAMPION["Stan Smith"].court(surface).halves
        assert halves[4] >= sorted(halves)[-2] and max(halves[0], halves[3]) < sorted(halves)[-2]
    assert any("/" in champion.court(surface).sta for champion in BOX.champion for surface in range(4))
    assert all(1 <= champion.overall <= 7 for champion in BOX.champion)


@pytest.mark.parametrize(("table", "row", "result", "shift", "word"), [
    ("stamina", "B", 45, 0, "Tiring"), ("stamina", "B", 45, 1, "Fatigued"),
    ("injury", "B", 51, 0, "Cramps"), ("injury", "B", 51, 2, "Slight"),
])  # fmt: skip
def test_the_tables_give_the_rulebooks_examples(table, row, result, shift, word):
    data = getattr(BOX, table)
    column = data.columns[RESULTS.index(result)] + shift
    assert data.level[data.rows[GRADES.index(row)][column]].name == word


def test_words_in_order():
    names = [level.name for level in BOX.injury.level]
    assert names.index("Cramps") < names.index("Slight") < names.index("Medium") < names.index("Serious")
    assert BOX.stamina.shifts.after_tiebreak == 1 and BOX.injury.shifts.bad_stamina == 1
    used = {level for table in (BOX.stamina, BOX.injury) for row in table.rows for level in row}
    assert used == set(range(6))  # every word stands somewhere


def test_every_entry_has_a_source():
    for entry in (*BOX.card, *BOX.champion, *BOX.event, BOX.stamina, BOX.injury):
        assert entry.source.startswith(("rulebook", "public", "reconstructed"))


def test_twelve_green_events():
    green = [event.effect for event in BOX.event if event.colour == "green"]
    assert len(green) == 12 and len(BOX.event) == len(EVENTS)


def _data():
    return tomllib.loads(REFERENCE.read_text(encoding="utf-8"))


def _card(data, name):
    return next(card for card in data["card"] if card["name"] == name)


def _break(data, how):
    smash, pace, end = _card(data, "Overhead Smash"), _card(data, "No Pace"), _card(data, "End Set After 4")
    match how:
        case "an unknown key":
            smash["colour"] = "green"
        case "no such stroke":
            smash["strokes"] = "2S FV XX"
        case "a quarter die":
            smash["dice"] = 0.25
        case "fits no box":
            smash["strokes"] = ""
        case "a wrong void":
            smash["voids"] = ["Chip Shot"]
        case "a tactic voided":
            smash["voids"] = ["No Pace"]
        case "a missing id":
            smash["id"] = 80
        case "too few cards":
            data["card"].pop()
        case "the same name":
            smash["name"] = "Chop Shot"
        case "six tournament tactics":
            pace["tournament"] = True
        case "an end set card that can be drawn":
            end["no_draw"] = False
        case "a love die without effect":
            smash["love"] = {"faces": [1]}
        case "a love face of seven":
            smash["love"]["faces"] = [7]
        case "a wrong rating":
            data["champion"][0]["clay"]["strokes"] = "AA B A A D D G"
        case "an overall of eight":
            data["champion"][0]["overall"] = 8
        case "a champion too few":
            data["champion"].pop()
        case "an event twice":
            data["event"].append(data["event"][0])
        case "a purple volley":
            next(event for event in data["event"] if event["effect"] == "volleys")["colour"] = "purple"
        case "a column too many":
            data["stamina"]["A"].append("Fatigued")
        case "a row out of order":
            data["injury"]["C"][0] = "Serious"
        case "an unknown word":
            data["injury"]["C"][9] = "Broken"
        case "too many copies":
            smash["copies"] = 11
    return data


@pytest.mark.parametrize(("how", "place", "words"), [
    ("an unknown key", "card 'Overhead Smash' colour", "not permitted"),
    ("no such stroke", "card 'Overhead Smash'", "'XX' is no stroke"),
    ("a quarter die", "card 'Overhead Smash'", "half dice"),
    ("fits no box", "card 'Overhead Smash'", "fits no box"),
    ("a wrong void", "the file", "'Overhead Smash' voids 'Chip Shot'"),
    ("a tactic voided", "the file", "'Overhead Smash' voids 'No Pace'"),
    ("a missing id", "the file", "both have the id 80"),
    ("too few cards", "the file", "the ids 1 to 80"),
    ("the same name", "the file", "two cards are called 'Chop Shot'"),
    ("six tournament tactics", "the file", "exactly 5"),
    ("an end set card that can be drawn", "card 'End Set After 4'", "no_draw"),
    ("a love die without effect", "card 'Overhead Smash'", "no effect"),
    ("a love face of seven", "card 'Overhead Smash'", "1 to 6"),
    ("a wrong rating", "champion 'Bill Tilden' clay", "AA to F"),
    ("an overall of eight", "champion 'Bill Tilden' overall", "7"),
    ("a champion too few", "the file", "24"),
    ("an event twice", "the file", "exactly one entry"),
    ("a purple volley", "event 'volleys'", "green"),
    ("a column too many", "stamina", "row A"),
    ("a row out of order", "injury", "row C gets better"),
    ("an unknown word", "injury", "'Broken'"),
    ("too many copies", "card 'Overhead Smash' copies", "10"),
])  # fmt: skip
def test_what_is_wrong_is_said_in_one_sentence(how, place, words):
    with pytest.raises(ComponentError) as caught:
        parse_components(_break(copy.deepcopy(_data()), how), "box.toml")
    message = str(caught.value)
    assert message.startswith(f"box.toml: {place}") and words in message and message.endswith(".") and "\n" not in message


def test_the_owner_of_a_box_writes_a_file(tmp_path):
    text = REFERENCE.read_text(encoding="utf-8").replace('name = "Inspired Play"', 'name = "Inspired"')
    text = text.replace('name = "Rod Laver"\npeak = "1960-70"\noverall = 7', 'name = "Rocket"\npeak = "1960-70"\noverall = 5')
    file = tmp_path / "my_box.toml"
    file.write_text(text, encoding="utf-8")
    m = tennis_envs.Match(
        "tc_tennis", seed=0, components=str(file), champion_0="Rocket", champion_1="Bill Tilden", surface="clay"
    )
    assert m.state.favourite == 1 and m.rules.overall[m.state.champion[0]] == 5
    assert "Rocket" in m.describe(0)
    m.apply(m.legal_actions()[-1])
    assert len(NAMES) == len(load_components(str(file)).card)


def test_a_file_that_is_not_toml(tmp_path):
    (tmp_path / "box.toml").write_text("card = [", encoding="utf-8")
    with pytest.raises(ComponentError, match="not TOML"):
        load_components(str(tmp_path / "box.toml"))
