"""Set-up, draws, change of ends, player cards, components and options by their R and D numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tennis_envs import Match, OptionError
from tennis_envs.core.components import ComponentsError
from tennis_envs.games.worldwide_tennis import components
from tennis_envs.games.worldwide_tennis.components import load
from tests.games.worldwide_tennis.court import (
    ATTACK,
    FOREHAND_RALLY,
    PLACES,
    VOLLEY,
    card,
    cards,
    dice,
    dry_match,
    facing,
    fits,
    hand,
    hold,
    legal,
    match,
    phase,
    pile,
    play,
    put,
    result,
    rolls,
    serve_in,
    successes,
    zone,
)

PLAIN = {"stars": False, "spin": False}
BOX = load()
PLAYERS = [player.name for player in BOX.player]


# Set-up


@pytest.mark.parametrize("first", [0, 1])
def test_d24_the_first_server_is_tossed(first):
    for seed in range(3):
        drawn = Match("worldwide_tennis", seed=seed).outcomes
        m = Match("worldwide_tennis", tape=[*drawn[:-1], first])
        assert m.state["score"]["server"] == first and m.seat == first


def test_r6_a_surface_can_be_drawn():
    assert {int(Match("worldwide_tennis", seed=seed, surface="random").state["surface"]) for seed in range(40)} == {
        0,
        1,
        2,
        3,
    }


def test_d32_the_opponent_knows_the_marked_cards_and_no_other():
    m = match()
    for seat in range(2):
        shown = pile(m, seat, "shown")
        assert len(shown) == 6 and len(pile(m, seat, "hidden")) == 6
        assert shown == [number for number, stroke in BOX.strokes("AB"[seat]) if stroke.starting_hand]


def test_d32_a_seat_sees_nothing_of_what_is_hidden_from_it():
    m = match()
    before = [m.observe(seat).tobytes() for seat in range(2)]
    other = pile(m, 1, "in_deck")[:6]
    put(m, 1, "in_deck", pile(m, 1, "hidden"))
    put(m, 1, "hidden", other)
    m.refresh()
    assert m.observe(0).tobytes() == before[0] and m.observe(1).tobytes() != before[1]


def test_d32_when_a_deck_runs_out_the_hand_is_known():
    m = dry_match(**PLAIN)
    for place, numbers in (("in_deck", [10]), ("hidden", [3, 6]), ("shown", [1]), ("discarded", range(20, 61))):
        m.state[place][0] = cards(numbers)
    card(m, 0, 62, draw=2)
    play(m, "serve 61", "serve 62", tape=[0, 0, 9, 19])
    assert pile(m, 0, "shown") == [1, 3, 6, 10] and pile(m, 0, "hidden") == [20]
    assert len(pile(m, 0, "in_deck")) == 40 and pile(m, 0, "discarded") == []


def test_d32_whoever_is_asked_for_a_stroke_holds_one_in_every_redeal():
    m = match()
    facing(m, 2, [49], striker=1, zone="net")
    put(m, 1, "discarded", [number for number in range(1, 61) if fits(m, 1, number, "net") and number not in (48, 49)])
    dealt = set()
    for seed in range(60):  # with one card in hand, 64 deals find neither in one of eight
        m.redeal(0, seed=seed)
        assert len(hand(m, 1)) == 1 and len(legal(m)) == 2
        dealt |= set(hand(m, 1))
    assert dealt == {48, 49}


# The end of a point


def point_lost_by_seat_0(m, serve: int = 61) -> None:
    """Two faults."""
    play(m, f"serve {serve}", f"serve {62 if serve == 61 else 61}", tape=dice(1, 1))


def test_d10_each_draws_what_his_own_last_card_says():
    m = dry_match(**PLAIN)
    hold(m, 0, [3, 6])
    hold(m, 1, [4, 5])
    card(m, 0, 61, draw=5)
    card(m, 1, 4, draw=2, start=["forehand"], targets=["forehand"])
    card(m, 0, 3, draw=3, start=["forehand"], targets=["forehand"], risk="blue")
    serve_in(m)
    play(m, "play 4", "stay", "play 3", "stay")
    play(m, "give up", tape=[20, 21, 22, 30, 31])
    assert hand(m, 0) == [6, 21, 22, 23] and hand(m, 1) == [5, 31, 32]
    assert pile(m, 0, "discarded") == [3] and pile(m, 1, "discarded") == [4]


def test_d10_a_failed_stroke_counts_and_whoever_played_nothing_draws_nothing():
    m = dry_match(**PLAIN)
    hold(m, 0, [3, 6])
    hold(m, 1, [4, 5])
    card(m, 0, 65, draw=1, adds=5)
    card(m, 1, 4, draw=2, start=["forehand"], difficulty=9)
    failed = m.clone()
    serve_in(failed, 65)
    play(failed, "play 4", tape=[0, 20, 30, 31])
    assert hand(failed, 0) == [3, 6, 21] and hand(failed, 1) == [5, 31, 32]
    ace = m.clone()
    play(ace, "serve 65", tape=[19, 20])
    assert hand(ace, 0) == [3, 6, 21] and hand(ace, 1) == [4, 5]
    card(m, 0, 62, draw=2)
    play(m, "serve 65", "serve 62", tape=[0, 0, 20, 21])
    assert hand(m, 0) == [3, 6, 21, 22] and hand(m, 1) == [4, 5]


def test_d11_d23_a_deck_made_anew_leaves_out_what_lies_on_the_table():
    m = dry_match(**PLAIN)
    card(m, 0, 3, draw=3, start=["forehand"], targets=["forehand"], risk="blue")
    card(m, 1, 4, start=["forehand"], targets=["forehand"])
    hold(m, 1, [4, 5])
    for place, numbers in (("in_deck", [10]), ("hidden", [3, 6]), ("shown", []), ("discarded", [20, 30])):
        m.state[place][0] = cards(numbers)
    serve_in(m)
    play(m, "play 4", "stay", "play 3", "stay")
    m.tape = [9]
    events = m.chance_events("give up", [9])
    assert events == [(19, 1), (29, 1)]  # card 3 is still on the table
    m.tape = None
    play(m, "give up", tape=[9, 19, 29])
    assert hand(m, 0) == [6, 10, 20, 30] and pile(m, 0, "discarded") == [3]


def test_d41_who_serves_next_trims_first():
    m = dry_match(**PLAIN)
    hold(m, 0, range(1, 14))
    hold(m, 1, range(1, 15))
    point_lost_by_seat_0(m)
    assert phase(m) == "hand limit" and m.seat == 0
    play(m, "discard 1")
    assert phase(m) == "hand limit" and m.seat == 1
    play(m, "discard 1", "discard 2")
    assert phase(m) == "serve" and len(hand(m, 0)) == len(hand(m, 1)) == 12


# Change of ends


def changes(games: tuple[int, int], ends: str) -> bool:
    """Whether ends are changed after seat 1 has won one game more."""
    m = dry_match(**PLAIN, ends=ends)
    m.state["score"]["games"][:] = games
    m.state["score"]["points"][:] = 0, 1
    point_lost_by_seat_0(m)
    return phase(m) == "change of ends"


@pytest.mark.parametrize("games", [(a, b) for a in range(7) for b in range(7) if max(a, b) < 6 or a + b in (11,)])
def test_d12_when_ends_are_changed_in_a_set(games):
    total = sum(games) + 1
    won = games[1] + 1 >= 6 and games[1] + 1 - games[0] >= 2
    assert changes(games, "literal") == (total > 10 and total % 2 == 1)
    assert changes(games, "tennis") == (total % 2 == 1 or won)


@pytest.mark.parametrize("ends", ["literal", "tennis"])
def test_r21_d12_ends_are_changed_after_every_six_points_of_a_tiebreak(ends):
    for format, games in (("tiebreak", (0, 0)), ("best_of_3", (6, 6))):
        m = dry_match(**PLAIN, ends=ends, format=format)
        m.state["score"]["games"][:] = games
        m.state["score"]["tiebreak"] = 1
        for points, change in (((2, 2), False), ((2, 3), True), ((1, 4), True), ((6, 5), True), ((5, 5), False)):
            future = m.clone()
            future.state["score"]["points"][:] = points
            point_lost_by_seat_0(future)
            assert (phase(future) == "change of ends") == change


def test_d12_the_end_of_a_set_after_a_tiebreak_is_the_thirteenth_game():
    m = dry_match(**PLAIN)
    m.state["score"]["games"][:] = 6, 6
    m.state["score"]["tiebreak"] = 1
    m.state["score"]["points"][:] = 2, 6
    point_lost_by_seat_0(m)
    assert m.state["score"]["sets"].tolist() == [0, 1] and phase(m) == "change of ends"


def at_change(m, stars=(2, 2), hands=(range(1, 6), range(1, 6)), discards=((20, 21), (30,))) -> None:
    """Come to a change of ends with seat 1 about to serve."""
    m.state["score"]["games"][:] = 5, 5
    m.state["score"]["points"][:] = 0, 1
    for seat in range(2):
        hold(m, seat, hands[seat], discards[seat])
    m.state["stars"][:] = stars
    m.refresh()
    play(m, "serve 61", "serve 62", tape=dice(1, 1))


def test_r21_d41_d47_recover_or_focus_then_perhaps_a_card_for_a_star():
    m = dry_match(**PLAIN)
    at_change(m)
    assert phase(m) == "change of ends" and m.seat == 1 and legal(m) == ["recover", "focus"]
    play(m, "recover", tape=[40])
    assert hand(m, 1) == [1, 2, 3, 4, 5, 41]
    assert phase(m) == "discard pile" and legal(m) == ["take none", "take 30"]
    play(m, "take 30")
    assert hand(m, 1) == [1, 2, 3, 4, 5, 30, 41] and m.state["stars"][1] == 1
    assert pile(m, 1, "shown") == [30]
    assert phase(m) == "change of ends" and m.seat == 0
    play(m, "focus")
    assert m.state["stars"][0] == 4 and legal(m) == ["take none", "take 20", "take 21"]
    play(m, "take none")
    assert m.state["stars"][0] == 4 and phase(m) == "serve" and m.seat == 1


def test_r21_no_card_without_a_star_or_without_discards():
    m = dry_match(**PLAIN)
    at_change(m, stars=(0, 0))
    play(m, "recover", tape=[40])
    assert phase(m) == "change of ends" and m.seat == 0
    play(m, "focus")
    assert phase(m) == "discard pile"
    m = dry_match(**PLAIN)
    at_change(m, discards=((), ()))
    play(m, "focus", "focus")
    assert phase(m) == "serve" and m.state["stars"].tolist() == [4, 4]


def test_d11_hands_are_trimmed_again_after_the_change():
    m = dry_match(**PLAIN)
    at_change(m, hands=(range(1, 6), range(1, 13)))
    play(m, "recover", "take 30", "focus", tape=[40])
    play(m, "take none")
    assert phase(m) == "hand limit" and m.seat == 1 and len(hand(m, 1)) == 14
    play(m, "discard 1", "discard 2")
    assert phase(m) == "serve"


def test_d9_focus_stops_at_five_stars():
    m = dry_match(**PLAIN)
    at_change(m, stars=(4, 4))
    play(m, "focus", "take none")
    assert m.state["stars"].tolist() == [4, 5]


# Player cards


def with_card(ability: dict, **options):
    """A match in which seat 0 plays with a card of that ability, and a box that holds it."""
    m = dry_match(**options, player_0=PLAYERS[0])
    table = m.rules["card"][1]
    for name in table.dtype.names:
        if name not in ("hand", "stars", "out"):
            table[name] = 21 if name == "winning" else 0
    for name, value in ability.items():
        table[name] = value
    return m


@pytest.mark.parametrize("name", PLAYERS)
def test_r29_a_player_card_changes_hand_stars_and_deck(name):
    entry = next(player for player in BOX.player if player.name == name)
    m = match(player_1=name)
    assert len(hand(m, 1)) == entry.hand and m.state["stars"].tolist() == [4, entry.stars]
    assert not set(entry.removed) & {number for place in PLACES for number in pile(m, 1, place)}
    assert len(pile(m, 1, "in_deck")) == 60 - entry.hand - len(entry.removed)
    assert len(hand(m, 0)) == 12


def test_r29_d42_the_hand_number_is_also_the_limit():
    m = dry_match(**PLAIN, player_0=PLAYERS[0])
    m.rules["card"][1]["hand"] = 8
    hold(m, 0, range(1, 11))
    point_lost_by_seat_0(m)
    play(m, "discard 1")
    assert phase(m) == "hand limit"
    play(m, "discard 2")
    assert phase(m) == "serve" and len(hand(m, 0)) == 8


def test_r29_d41_both_choose_and_one_card_is_nobodys_twice():
    m = Match("worldwide_tennis", seed=1, player_0="choose", player_1="choose")
    names = [f"player {i}" for i in range(len(PLAYERS) + 1)]
    assert phase(m) == "player card" and m.seat == 0 and legal(m) == names
    play(m, "player 3")
    assert phase(m) == "player card" and m.seat == 1 and legal(m) == [n for n in names if n != "player 3"]
    second = m.clone()
    play(m, "player 0")
    assert m.state["player"].tolist() == [3, 0] and phase(m) == "serve"
    assert len(hand(m, 0)) == BOX.player[2].hand
    play(second, "player 5")
    assert second.state["player"].tolist() == [3, 5]


def test_r29_random_cards_differ():
    pairs = {tuple(Match("worldwide_tennis", seed=s, player_0="random", player_1="random").state["player"]) for s in range(60)}
    assert all(a != b and a > 0 and b > 0 for a, b in pairs) and len(pairs) > 20


@pytest.mark.parametrize("die", [17, 18, 19, 20])
def test_r29_a_winning_shot_wins_from_its_number_on_when_a_roll_is_due(die):
    m = with_card({"winning": 18}, **PLAIN)
    facing(m, ATTACK, [FOREHAND_RALLY, 3])
    card(m, 0, FOREHAND_RALLY, targets=["neutral"])
    assert result(m, f"play {FOREHAND_RALLY}", die) == ("won" if die >= 18 else "on")


def test_r29_d21_a_winning_shot_can_be_rolled_for_where_no_roll_is_due():
    m = with_card({"winning": 18}, **PLAIN)
    facing(m, 2, [FOREHAND_RALLY, 3])
    card(m, 0, FOREHAND_RALLY, difficulty=3, targets=["neutral"])
    card(m, 1, 2, adds=4, risk="blue")
    play(m, f"play {FOREHAND_RALLY}")
    assert phase(m) == "winning shot" and legal(m) == ["roll", "play safe"]
    assert result(m, "play safe") == "on"
    assert [result(m, "roll", die) for die in range(1, 21)] == ["lost"] * 6 + ["on"] * 11 + ["won"] * 3
    facing(m, 2, [FOREHAND_RALLY, 3])
    card(m, 1, 2, adds=16, risk="blue")
    play(m, f"play {FOREHAND_RALLY}")
    assert [result(m, "roll", die) for die in (18, 19)] == ["lost", "won"]  # the difficulty comes first


def test_r29_stars_may_be_spent_on_a_roll_that_was_asked_for():
    m = with_card({"winning": 18}, spin=False)
    facing(m, 2, [FOREHAND_RALLY, 3])
    card(m, 1, 2, adds=9, risk="blue")
    m.state["stars"][0] = 2
    play(m, f"play {FOREHAND_RALLY}", "roll")
    assert legal(m) == ["stars 0", "stars 1", "stars 2"]


def test_r29_d5_an_ace_comes_earlier():
    m = with_card({"ace_by": 2}, **PLAIN)
    card(m, 0, 65, difficulty=12, ace=18)
    card(m, 0, 61, ace=21)
    assert [result(m, "serve 65", die) for die in (15, 16)] == ["on", "won"]
    assert result(m, "serve 61", 20) == "on"


def test_r29_d46_strokes_of_a_kind_are_easier_but_count_in_full():
    m = with_card({}, **PLAIN)
    m.rules["card"][1]["ease"][0] = 2  # baseline
    facing(m, ATTACK, [FOREHAND_RALLY, ATTACK])
    card(m, 1, ATTACK, adds=5)
    card(m, 0, FOREHAND_RALLY, difficulty=5)
    card(m, 0, ATTACK, difficulty=5)
    assert successes(m, f"play {FOREHAND_RALLY}") == list(range(8, 21))
    assert successes(m, f"play {ATTACK}") == list(range(10, 21))
    play(m, f"play {FOREHAND_RALLY}", tape=dice(20))
    assert m.state["effort"] == 5


def test_r29_the_reply_to_a_serve_is_easier():
    m = with_card({"return_by": 2}, **PLAIN)
    card(m, 1, 61, adds=6, risk="red")
    card(m, 1, ATTACK, adds=6)
    card(m, 0, FOREHAND_RALLY, difficulty=4)
    facing(m, 61, [FOREHAND_RALLY])
    assert successes(m, f"play {FOREHAND_RALLY}") == list(range(8, 21))
    facing(m, ATTACK, [FOREHAND_RALLY])
    assert successes(m, f"play {FOREHAND_RALLY}") == list(range(10, 21))


def test_r29_crossing_at_no_price():
    m = with_card({"free_crossing": 1}, **PLAIN)
    hold(m, 0, [FOREHAND_RALLY])
    m.state["striker"] = m.state["seat"] = 1
    m.state["zone"][:] = 2, 1
    m.state["ball"], m.state["card"], m.state["target"], m.state["phase"] = -1, 1, 0, 10
    m.refresh()
    play(m, "stay")
    assert zone(m, 0) == "forehand" and legal(m) == ["give up", f"play {FOREHAND_RALLY}"]


def test_r29_back_to_neutral_and_from_the_net_at_no_price():
    for ability, stands in (("free_middle", "forehand"), ("free_net_back", "net")):
        m = with_card({ability: 1}, **PLAIN)
        card(m, 0, 3, targets=["neutral"], start=[stands], risk="blue", difficulty=0)
        card(m, 1, 2, risk="blue")
        facing(m, 2, [3, 6], zone=stands)
        m.state["stars"][0] = 0
        play(m, "play 3", "back")
        assert zone(m, 0) == "neutral" and m.seat == 1 and hand(m, 0) == [6] and m.state["stars"][0] == 0


def test_r29_drop_shots_at_no_price():
    m = with_card({"free_drop_shot": 1}, **PLAIN)
    facing(m, 2, [35])
    m.state["stars"][0] = 0
    m.refresh()
    assert "play 35" in legal(m)
    play(m, "play 35", tape=dice(20))
    assert m.state["stars"][0] == 0


def test_r29_serve_spin_at_no_price():
    m = with_card({"free_serve_spin": 1}, stars=False)
    play(m, "serve 63")
    assert successes(m, "spin slice") == list(range(8, 21))


def test_r29_more_cards_after_each_point():
    m = with_card({"draw_by": 2}, **PLAIN)
    hold(m, 0, [1])
    hold(m, 1, [1])
    play(m, "serve 61", "serve 62", tape=[0, 0, 20, 21])
    assert hand(m, 0) == [1, 21, 22] and hand(m, 1) == [1]


# Options and components


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"player_0": "nobody"}, "player_0"),
        ({"player_0": PLAYERS[0], "player_1": PLAYERS[0]}, "both"),
        ({"mode": "solo", "player_1": "random"}, "virtual opponent"),
        ({"surface": "mud"}, "surface"),
        ({"mode": "doubles"}, "mode"),
        ({"components": "/nowhere.toml"}, "nowhere.toml"),
        ({"racket": 1}, "racket"),
    ],
)
def test_wrong_options_are_named_in_one_sentence(options, words):
    with pytest.raises(OptionError) as error:
        Match("worldwide_tennis", **options)
    assert words in str(error.value) and "\n" not in str(error.value)


TEXT = Path(components.__file__).with_name("components.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("difficulty = 2", "dificulty = 2", ("`stroke` 1 ('forehand rally')", "`difficulty`", "missing")),
        ('risk = "blue"', 'risk = "red"', ("card 1", "every baseline is blue")),
        ("id = 12\n", "id = 11\n", ("number 11",)),
        ("draw = 2", "draw = 200", ("`stroke` 1", "`draw`", "200")),
        ("removed = [4, 17]", "removed = [4, 71]", ("volleyer", "removed", "71")),
        ("on = 18", "on = 28", ("`player` 2 ('baseliner')", "`on`", "28")),
        ('kind = "lob"', 'kind = "volley"', ("volley", "net")),
        ('targets = ["net"]', 'targets = ["forehand"]', ("land at the net",)),
        ("difficulty = 10", "difficulty = 9", ("difficulty 10", "virtual opponent")),
        ("starting_hand = true", "", ("5 starting-hand cards, not 6",)),
        ('source = "reconstructed"', 'source = "guess"', ("`stroke` 1", "`source`", "guess")),
        ('name = "server"', 'name = "random"', ("random",)),
        ("hand = 12", "hand = 3", ("`player` 1 ('server')", "`hand`")),
        ("removed = [34]", f"removed = {list(range(14, 51))}", ("marathon_runner", "too many cards")),
        ("stars = 1\ndraw = 2\nstarting_hand", "draw = 2\nstarting_hand", ("card 33", "star")),
        ("[star_bonus]", "[star_bonus", ("line",)),
    ],
)
def test_a_wrong_box_is_refused_with_the_entry_named(tmp_path, old, new, words):
    path = tmp_path / "my_box.toml"
    assert old in TEXT
    path.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ComponentsError) as error:
        load(path)
    message = str(error.value)
    assert message.startswith("my_box.toml: ") and "\n" not in message
    assert all(word in message for word in words), message


@pytest.mark.parametrize(("drawn", "refused"), [(11, False), (12, True)])
def test_a_box_in_which_deck_and_discards_could_run_dry_is_refused(tmp_path, drawn, refused):
    path = tmp_path / "my_box.toml"
    text = TEXT.replace("draw = 2", f"draw = {drawn}", 1)  # the marathon runner draws one card more
    path.write_text(text.replace("removed = [34]", f"removed = {list(range(14, 50))}"), encoding="utf-8")
    if refused:
        with pytest.raises(ComponentsError, match=r"marathon_runner.*too many cards"):
            load(path)
    else:
        assert len(load(path).player[-1].removed) == 36


def test_another_box_can_be_played_without_compiling_anew(tmp_path):
    path = tmp_path / "my_box.toml"
    path.write_text(TEXT.replace("difficulty = 12\nace = 19", "difficulty = 14\nace = 16", 1), encoding="utf-8")
    m = match(components=str(path), **PLAIN)
    assert [len(m.chance_events("serve 65")), int(m.rules["deck"][0]["difficulty"][64])] == [20, 14]
    m.rules["deck"]["draw"][:] = 0
    assert [result(m, "serve 65", die) for die in (13, 14, 15, 16)] == ["fault", "on", "on", "won"]


def test_every_entry_says_where_it_comes_from():
    for entry in (*BOX.stroke, *BOX.serve, BOX.star_bonus, *BOX.player):
        assert entry.source == "reconstructed" or entry.source.startswith(("rulebook ", "public "))
    assert len(BOX.player) >= 8
    assert [serve.difficulty for serve in BOX.serves("A")].count(4) == 1


def test_the_two_decks_may_differ(tmp_path):
    text = TEXT.replace('id = 8\nname = "forehand block"', 'id = 8\ndecks = "A"\nname = "forehand block"', 1)
    entry = text[text.index("[[stroke]]\nid = 8\n") :]
    entry = entry[: entry.index("\n\n") + 1]
    text += "\n" + entry.replace('decks = "A"', 'decks = "B"').replace("draw = 4", "draw = 5")
    path = tmp_path / "my_box.toml"
    path.write_text(text, encoding="utf-8")
    m = match(components=str(path))
    assert m.rules["deck"]["draw"][:, 7].tolist() == [4, 5] or np.diff(m.rules["deck"]["draw"][:, 7]).tolist() == [1]


def test_r27_a_serve_in_the_rules_is_what_the_box_says():
    m = match(**PLAIN)
    for i, serve in enumerate(BOX.serves("A")):
        assert rolls(m, f"serve {serve.id}")
        assert m.rules["deck"][0]["difficulty"][60 + i] == serve.difficulty
    assert VOLLEY in [number for number, stroke in BOX.strokes("A") if stroke.kind == "volley"]
