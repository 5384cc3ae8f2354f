"""TC Tennis rule by rule: what the worked examples leave out. R and D numbers are those of the game's README."""

import numpy as np
import pytest
from tc_position import (
    bits,
    dice,
    discarded,
    draw_events,
    end_of_rally,
    end_set,
    from_deck,
    give,
    hold,
    kind,
    last_rally,
    lay,
    legal_of,
    match,
    names,
    next_turn,
    resolve,
    tactic,
)

import tennis_envs
from tennis_envs.core.chance import CHANCE, TAPE
from tennis_envs.core.jit import records
from tennis_envs.core.options import OptionError
from tennis_envs.games.tc_tennis.components import EVENTS, STROKES, SURFACES, load_components
from tennis_envs.games.tc_tennis.rules.condition import stamina_row, stamina_shift
from tennis_envs.games.tc_tennis.rules.rally import grade, stroke_dice, throw
from tennis_envs.games.tc_tennis.state import (
    AFTER_TIEBREAK,
    BAD_RESULTS,
    BEFORE,
    BONUS,
    CAN_CHALLENGE,
    CHALLENGING,
    CHOOSE_SURFACE,
    DROPPING,
    EXTRA,
    FORCED,
    HELD,
    LIMIT,
    LOVE,
    NOTHING,
    OUT,
    OUTWITTING,
    PLACE,
    PLAN,
    RALLIES,
    REPLY,
    RETAINED,
    RETURN,
    SEARCH,
    STAMINA,
    STAMINA_BEFORE,
    STRATEGIZE,
    STRATEGIZED,
    STROKING,
    TIEBREAK,
    TIEBREAKING,
    TRACK,
    TURN,
    VOIDING,
    WIND,
)

BOX = {stroke: place for place, stroke in enumerate(STROKES)}


def turn(m, seat=0, blue=1, black=(1, 2), strategy=1):
    """The turn of `seat`, who will be asked about Bonus Actions after it."""
    next_turn(m, seat, black, blue)
    m.state.board[seat, TRACK] = strategy
    m.refresh()


# Set-up


@pytest.mark.parametrize("level", ["training", "standard", "tournament"])
def test_r2_decks_and_markers(level):
    m = match(level=level)
    assert m.rules.copies.sum() == {"training": 65, "standard": 75, "tournament": 80}[level]
    assert m.rules.markers.sum() == {"training": 0, "standard": 12, "tournament": 16}[level]


def test_r2_equal_overalls_are_drawn():
    options = {"champion_0": "Rod Laver", "champion_1": "Bill Tilden", "surface": "hard"}
    for favourite in (0, 1):
        m = tennis_envs.Match("tc_tennis", tape=[favourite, *range(4, 18)], **options)
        assert m.state.favourite == favourite and m.state.first == 1 - favourite


def test_r2_planning_is_up_to_two_face_down():
    m = tennis_envs.Match(
        "tc_tennis", tape=[0, *map(kind, "Big Serve,Kick Serve,Drop Shot,Poach,No Pace,Chop Shot,Soft Hands".split(",")),
        *range(14, 21)], champion_0="Rod Laver", champion_1="Bill Tilden", surface="hard",
    )  # fmt: skip
    assert m.state.phase == PLAN and m.seat == 1
    assert legal_of(m, "prepare") == {"1S", "2S", "FH", "BH", "FV", "T"}
    m.apply("prepare T")
    assert m.state.phase == PLACE and legal_of(m, "card") == {"Drop Shot", "Chop Shot", "Soft Hands"}
    m.apply("card Drop Shot")
    assert m.seat == 1 and m.state.phase == PLAN
    m.apply("prepare 1S")  # only Big Serve fits
    assert m.seat == 0 and m.state.phase == PLAN
    assert m.state.box[1, BOX["T"], 0] == kind("Drop Shot") and not m.state.shown[1].any()
    m.tape = dice(1, 1, 6)
    m.apply("pass")
    assert (m.state.box[0] == NOTHING).all()


def test_r2_champions_are_drawn_apart():
    seen = set()
    for seed in range(40):
        m = tennis_envs.Match("tc_tennis", seed=seed, champion_1="Rod Laver")
        seen.add(int(m.state.champion[0]))
        assert m.state.champion[0] != m.state.champion[1]
    assert len(seen) > 10


# Actions


def test_r6_change_tactic():
    m = match()
    give(m, 0, "No Pace", "Rush the Net")
    turn(m, strategy=2)
    m.apply("card No Pace")
    assert m.state.tactic[0] == kind("No Pace") and m.state.phase == BONUS
    m.apply("card Rush the Net")
    assert m.state.tactic[0] == kind("Rush the Net")
    assert m.state.discard[0] == kind("No Pace") and m.state.board[0, TRACK] == 1


def test_r6_a_tactic_taken_back():
    m = match()
    tactic(m, 0, "No Pace")
    turn(m)
    m.apply("take tactic back")
    assert m.state.tactic[0] == NOTHING and m.state.hand[0, kind("No Pace")] == 1
    assert m.state.known[0, kind("No Pace")] > 0  # the opponent has seen it


def test_r6_concentrate_and_r7_hand_limit():
    m = match()
    give(m, 0, *"Big Serve,Kick Serve,Drop Shot,Poach,No Pace,Chop Shot,Soft Hands".split(","))
    turn(m)
    m.tape = [kind("Stab Volley")]
    m.apply("concentrate")
    assert m.state.phase == LIMIT and len(names(m)) == 8
    m.apply("discard Poach")
    assert m.state.phase == BONUS and m.state.hand[0].sum() == 7
    assert m.state.discard[0] == kind("Poach")


def test_r6_get_a_read():
    m = match()
    lay(m, 1, "FH", "Chop Shot")
    lay(m, 1, "T", "Soft Hands", shown=True)
    turn(m)
    assert legal_of(m, "read") == {"FH first"}
    m.apply("read FH first")
    assert m.state.shown[1, BOX["FH"], 0] and m.state.box[1, BOX["FH"], 0] == kind("Chop Shot")


def test_r6_outwit():
    m = match()
    give(m, 0, "Big Serve", "Drop Shot")
    discarded(m, "Poach", "Chop Shot")
    m.state.board[1, STRATEGIZED] = 1
    turn(m)
    m.apply("outwit")
    assert m.state.phase == OUTWITTING
    assert names(m) == {"discard Big Serve", "discard Drop Shot"}  # not the card taken
    m.apply("discard Drop Shot")
    assert m.state.hand[0, kind("Chop Shot")] == 1
    assert m.state.discard[: m.state.discards].tolist() == [kind("Poach"), kind("Drop Shot")]


@pytest.mark.parametrize("why", ["not strategized", "no hand", "no-draw", "no discards", "allowed"])
def test_r6_when_outwit_is_allowed(why):
    m = match()
    tactic(m, 0, "No Pace")  # so that there is a choice in any case
    if why != "no hand":
        give(m, 0, "Big Serve", "Drop Shot")
    if why != "no discards":
        discarded(m, "Poach", "Roar of the Crowd" if why == "no-draw" else "Chop Shot")
    m.state.board[1, STRATEGIZED] = why != "not strategized"
    turn(m)
    assert ("outwit" in names(m)) == (why == "allowed")


def test_d13_strategized_means_the_last_turn():
    m = match()
    give(m, 1, "Poach", "Stab Volley")
    give(m, 0, "Big Serve")
    turn(m, 1)
    m.tape = [kind("Kick Serve")]
    m.apply("discard Poach")
    assert m.state.phase == STRATEGIZE
    m.apply("pass")
    turn(m, 0)
    assert "outwit" in names(m)
    m.tape = dice(1, 2, 1)
    m.apply("prepare 1S")
    turn(m, 1)
    assert m.state.board[:, STRATEGIZED].tolist() == [0, 0]


def test_r6_prepare_into_a_full_box():
    m = match()
    lay(m, 0, "T", "Soft Hands", "Drop Shot")
    m.state.shown[0, BOX["T"], 1] = 1
    give(m, 0, "Feather Touch", "Chop Shot")
    turn(m)
    m.apply("prepare T")
    assert m.state.phase == RETURN and names(m) == {"take_back first", "take_back second"}
    m.apply("take_back second")
    assert m.state.phase == PLACE and legal_of(m, "card") == {"Feather Touch", "Chop Shot"}  # D16: not Drop Shot
    m.apply("card Chop Shot")
    assert m.state.box[0, BOX["T"]].tolist() == [kind("Soft Hands"), kind("Chop Shot")]
    assert m.state.shown[0, BOX["T"]].tolist() == [0, 0]
    assert m.state.hand[0, kind("Drop Shot")] == 1 and m.state.known[0, kind("Drop Shot")] > 0


@pytest.mark.parametrize("count", [1, 2])
def test_r6_strategize(count):
    m = match()
    give(m, 0, "Big Serve", "Drop Shot", "Poach")
    turn(m)
    m.apply("discard Big Serve")
    assert m.state.phase == STRATEGIZE and "pass" in names(m)
    draws = [kind("Soft Hands"), kind("No Pace")][:count]
    m.tape = draws
    m.apply("pass" if count == 1 else "discard Poach")
    assert m.state.hand[0].sum() == 3 and m.state.discards == count and m.state.board[0, STRATEGIZED]
    assert all(m.state.hand[0, k] for k in draws)


def test_r8_the_discards_become_the_draw_pile_the_moment_it_is_empty():
    m = match()
    give(m, 0, "Big Serve")
    state = m.state
    for k in range(len(state.deck)):
        while state.deck[k] > (1 if k == kind("Kick Serve") else 0):
            state.deck[k] -= 1
            state.discard[state.discards] = k
            state.discards += 1
    assert state.deck.sum() == 1
    turn(m)
    m.tape = [kind("Kick Serve")]
    m.apply("concentrate")
    assert m.state.discards == 0 and m.state.deck.sum() == m.rules.copies.sum() - 2


def test_d36_a_player_who_can_only_concentrate_is_not_asked():
    m = match()
    next_turn(m, 0, (1, 2), 1, tape=[kind("Drop Shot"), *dice(3, 4, 1), kind("Poach"), *dice(2, 5, 3)])
    assert m.state.hand.sum(axis=1).tolist() == [1, 1] and m.seat == 0 and m.state.phase == TURN


# Rallies


def test_r10_cards_of_different_boxes_meet():
    m = match(champion_0="Rod Laver", level="training")
    lay(m, 0, "FH", "Running Forehand")  # half a die and a point for Laver's FH
    lay(m, 1, "BV", "Stab Volley")  # a die less for it
    m.state.board[0, CAN_CHALLENGE] = 1
    next_turn(m, 0, (3, 6), 6)
    m.apply("stroke FH")
    m.tape = [*dice(2, 2, 5), *[0] * 4]  # B is three: with a half more and one less, two and a half
    m.apply("stroke BV")
    assert m.state.scored[0] == 2 + 2 + 3 + 1


def test_r14_committed_cards_void_each_other_at_once():
    m = match(level="training")
    lay(m, 0, "FH", "Hard & Flat", "Whipped Forehand")
    lay(m, 1, "FH", "Chop Shot", "Counterpunch")  # Counterpunch voids Whipped Forehand
    m.state.board[0, CAN_CHALLENGE] = 1
    next_turn(m, 0, (3, 6), 6)
    m.apply("stroke FH")
    m.tape = [0] * 12
    m.apply("stroke FH")
    assert m.state.box[0, BOX["FH"]].tolist() == [kind("Hard & Flat"), NOTHING]
    assert m.state.box[1, BOX["FH"]].tolist() == [kind("Counterpunch"), NOTHING]
    assert m.state.discard[: m.state.discards].tolist() == [kind("Whipped Forehand"), kind("Chop Shot")]
    # Laver's FH B, Hard & Flat +2, Counterpunch half a die less: two and a half dice of one.
    assert m.state.scored[0] == 1 + 1 + 1 + 2


def test_d3_a_voided_card_still_voids():
    components = load_components()
    voiders = {card.name: card.voids for card in components.card if card.voids}
    assert voiders["Defensive Lob"] == ["Overhead Smash"]
    m = match(level="training")
    lay(m, 0, "FH", "Passing Shot")  # voids Close In
    lay(m, 1, "FV", "Close In")
    lay(m, 0, "FH", "Overhead Smash")
    lay(m, 1, "FV", "Defensive Lob")
    m.state.board[0, CAN_CHALLENGE] = 1
    next_turn(m, 0, (3, 5), 6)
    m.apply("stroke FH")
    m.tape = [0] * 12
    m.apply("stroke FV")
    assert m.state.discard[: m.state.discards].tolist() == [kind("Overhead Smash"), kind("Close In")]


def test_d4_optional_voids_go_in_turn_until_both_pass():
    m = match(level="training")
    lay(m, 0, "FH", "Whipped Forehand")
    lay(m, 1, "FH", "Chop Shot")
    lay(m, 0, "BH", "Hard & Flat")
    lay(m, 1, "BH", "Counterpunch")
    m.state.board[1, CAN_CHALLENGE] = 1
    next_turn(m, 1, (3, 6), 6)
    m.apply("stroke FH")
    m.apply("stroke FH")
    assert m.state.phase == VOIDING and m.seat == 1 and legal_of(m, "void") == {"BH first"}
    m.apply("pass")
    assert m.state.phase == VOIDING and m.seat == 0
    m.apply("void BH first")
    assert m.seat == 1 and m.state.phase == VOIDING  # asked again after a void
    m.tape = [0] * 12
    m.apply("void BH first")
    assert m.state.shown[0, BOX["BH"], 0] and m.state.shown[1, BOX["BH"], 0]
    assert m.state.discard[: m.state.discards].tolist() == [kind("Chop Shot"), kind("Whipped Forehand")]


def test_r14_a_card_that_is_not_in_the_rally_cannot_be_voided():
    m = match(level="training")
    lay(m, 1, "BH", "Chop Shot")
    lay(m, 0, "BH", "Hard & Flat")
    m.state.board[1, CAN_CHALLENGE] = 1
    next_turn(m, 0, (3, 6), 6)
    m.apply("stroke FH")
    m.tape = [0] * 12
    m.apply("stroke FH")
    assert m.state.phase == CHALLENGING and m.state.box[1, BOX["BH"], 0] == kind("Chop Shot")


def thrown(halves, lost, halved, *faces):
    chance = np.zeros(1, CHANCE)
    chance["mode"], chance["given"] = TAPE, len(faces)
    chance["outcome"][0, : len(faces)] = dice(*faces)
    chance = records(chance)[0]
    total = throw(chance, halves, lost, halved)
    assert chance["draws"] == len(faces) and chance["open"] == 0
    return total


def test_r15_losing_dice():
    assert thrown(6, 1, 0, 5, 6, 2) == 7
    assert thrown(7, 1, 0, 5, 2, 2, 6) == 2 + 2 + 3  # never the half die
    assert thrown(5, 0, 1, 6, 1, 5) == 7  # the half die is lost
    assert thrown(4, 0, 1, 5, 2) == 3 + 2  # no half die: the highest counts half, rounded up
    assert thrown(6, 1, 1, 6, 4, 3) == 2 + 3  # D7
    assert thrown(5, 1, 1, 6, 4, 5) == 4
    assert thrown(2, 2, 0, 6) == 0  # no more than there are
    assert thrown(4, 0, 2, 5, 3) == 3 + 2


def test_r15_only_the_faces_named_strike():
    for face, strikes in ((1, True), (2, False), (6, False)):
        m = match(level="training")
        lay(m, 0, "FV", "Overhead Smash")  # Laver's FV is A: with a die more, four and a half
        m.state.board[0, CAN_CHALLENGE] = 1
        next_turn(m, 0, (5, 6), 6)
        m.apply("stroke FV")
        m.tape = [*dice(face, 6, 2, 2, 2, 1), *[0] * 4]
        m.apply("stroke BV")
        assert m.state.scored[0] == (7 if strikes else 13)


def test_r15_a_good_face():
    for face, more in ((4, False), (5, True)):
        m = match(level="training", champion_0="Bill Tilden", champion_1="Rod Laver")
        lay(m, 0, "2S", "Second-Serve Ace")  # Tilden's 2S is B; half a die more, on 5 and 6 a whole one beyond that
        m.state.board[0, CAN_CHALLENGE] = 1
        next_turn(m, 0, (2, 6), 6)
        m.apply("stroke 2S")
        m.tape = [*dice(face, *([1] * 3), *([1] if more else []), 1), *[0] * 4]
        m.apply("stroke BV")
        assert m.state.scored[0] == (5 if more else 4)


def test_r16_a_tactic_touches_what_it_names():
    for stroke, fewer in (("BH", True), ("FH", False)):
        m = match(level="training")
        tactic(m, 1, "Attack the Backhand")  # BH and BV: half a die and a point less
        m.state.board[0, CAN_CHALLENGE] = 1
        next_turn(m, 0, (3, 4), 6)
        m.apply(f"stroke {stroke}")
        halves = {"BH": 5, "FH": 6}[stroke] - fewer
        m.tape = [*dice(*[6] * ((halves + 1) // 2)), *[0] * 4]
        m.apply("stroke FH")
        assert m.state.scored[0] == 6 * (halves // 2) + 3 * (halves % 2) - fewer
        assert m.state.tactic[1] == kind("Attack the Backhand")


def test_r13_below_zero_counts_as_zero():
    m = match(champion_0="Chris Evert", surface="clay", level="training")  # FV is F
    lay(m, 1, "T", "Wrong-Foot", "Low at the Feet")
    m.state.momentum = 3
    m.state.board[0, CAN_CHALLENGE] = 1
    next_turn(m, 0, (5, 2), 6)
    m.apply("stroke FV")
    m.tape = [*dice(1), *dice(6, 6, 6, 6, 6, 6)]
    m.apply("stroke T")
    assert m.state.scored[0] == 0 and m.state.momentum == 3 - m.state.scored[1]


@pytest.mark.parametrize(
    ("name", "faces", "score"), [("Chris Evert", (4,), -2), ("Bill Tilden", (), 0), ("Arthur Ashe", (5,), 3)]
)
def test_r24_defense(name, faces, score):
    m = match(champion_1=name)  # DEF A, B and C on hard courts, against Laver's FH of three dice
    m.state.board[0, CAN_CHALLENGE] = 1
    next_turn(m, 0, (3, 6), 6)
    m.apply("stroke FH")
    m.tape = [*dice(2, 2, 2, *faces), *[0] * 6]
    m.apply("stroke FH")
    assert m.state.scored[0] == 6 + score


def test_r24_grade_d_is_a_full_die():
    m = match(champion_1="Arthur Ashe", level="tournament")
    m.state.injury[1] = 2  # Minor: one grade, from C to D
    m.state.board[0, CAN_CHALLENGE] = 1
    next_turn(m, 0, (3, 6), 6)
    m.apply("stroke FH")
    m.tape = [*dice(2, 2, 2, 5), *[0] * 8]
    m.apply("stroke FH")
    assert m.state.scored[0] == 6 + 5
    m.state.injury[1] = 5  # never below D
    assert grade(m.state, 1, 1) == 3


def test_d6_the_defense_die_cannot_move_the_marker_backwards():
    m = match(champion_0="Chris Evert", champion_1="Bjorn Borg", surface="clay")
    m.state.board[0, CAN_CHALLENGE] = 1
    next_turn(m, 0, (5, 2), 6)
    m.apply("stroke FV")
    m.tape = [*dice(1, 6), *[0] * 8]  # one die of one, and three less
    m.apply("stroke FV")
    assert m.state.scored[0] == 0


# Strategy and challenges


def test_r20_bonus_actions_cost_strategy():
    m = match()
    give(m, 0, "Big Serve", "Poach", "Drop Shot")
    turn(m, strategy=2)
    m.apply("prepare 1S")
    assert m.state.phase == BONUS and m.state.board[0, TRACK] == 2
    assert not legal_of(m, "stroke") and "draw events" not in names(m)
    m.apply("prepare FV")
    assert m.state.board[0, TRACK] == 1
    m.tape = dice(1, 2, 6)
    m.apply("prepare T")  # the last step: the turn ends by itself
    assert m.state.board[0, TRACK] == 0 and m.seat == 1 and m.state.active == 1


def test_d14_none_after_the_set():
    m = match(format="best_of_5")
    m.state.board[:, TRACK] = 3
    last_rally(m, 30)
    m.tape = from_deck(m, 5)
    m.apply("pass")
    assert m.state.phase == PLAN and m.state.sets[0] == 1


def test_d9_markers_and_cards_stay_in_a_challenge():
    m = match(level="standard")
    lay(m, 0, "FH", "Running Forehand")
    hold(m, 0, "next_stroke")
    m.state.board[0, CAN_CHALLENGE] = 1
    m.state.board[0, TRACK] = 1
    next_turn(m, 0, (3, 6), 6)
    m.apply("stroke FH")
    m.tape = [0] * 8
    m.apply("stroke FH")
    assert m.state.scored[0] == 3 + 1 + 1 + 2
    m.tape = [*dice(2, 2, 2, 3), *[0] * 4]
    m.apply("challenge")
    assert m.state.momentum == 6 + 2 + 1 + 2 - 4 and m.tape == []


# Events


@pytest.mark.parametrize("event", ["two_cards", "volleys"])
def test_r26_three_markers_are_one_too_many(event):
    m = match()
    hold(m, 0, "strategy_point", "ignore_love")
    m.state.board[0, TRACK] = 5
    draw_events(m, 0, event, "must_rally")
    m.apply(f"keep {event}")
    assert m.state.phase == DROPPING
    assert names(m) == {"drop strategy_point", "drop ignore_love", f"drop {event}"}
    m.apply("drop strategy_point")
    assert m.state.board[0, HELD : HELD + RETAINED].sum() == 2 and m.state.common[OUT + EVENTS.index("strategy_point")] == 1
    assert m.state.phase == BONUS


def test_r27_a_strategy_point_at_any_time():
    m = match()
    hold(m, 0, "strategy_point")
    turn(m, strategy=4)
    m.apply("use strategy_point")
    assert m.state.board[0, TRACK] == 5 and m.state.phase == TURN
    m = match()
    hold(m, 0, "strategy_point")
    turn(m, strategy=5)
    assert "use strategy_point" not in names(m)
    hold(m, 0, "two_cards")
    m.state.board[0, TRACK] = 0
    draw_events(m, 0, "volleys", "must_rally")
    m.apply("keep volleys")
    m.apply("use strategy_point")  # using it makes room as well
    assert m.state.phase == BONUS and m.state.board[0, TRACK] == 1 and m.state.board[0, HELD : HELD + RETAINED].sum() == 2


def test_r27_two_cards_on_the_next_concentrate():
    m = match()
    hold(m, 0, "two_cards")
    tactic(m, 0, "No Pace")
    turn(m, strategy=2)
    m.tape = [kind("Drop Shot"), kind("Poach")]
    m.apply("concentrate")
    assert m.state.hand[0].sum() == 2 and m.state.board[0, HELD : HELD + RETAINED].sum() == 0
    m.tape = [kind("Soft Hands")]
    m.apply("concentrate")
    assert m.state.hand[0].sum() == 3


@pytest.mark.parametrize(("event", "stroke", "gains"), [
    ("ground_strokes", "FH", 1), ("ground_strokes", "FV", 0),
    ("volleys", "FV", 1), ("volleys", "BV", 1), ("volleys", "FH", 0),
])  # fmt: skip
@pytest.mark.parametrize("holder", [0, 1])
def test_r27_markers_for_both(event, stroke, gains, holder):
    m = match()
    hold(m, holder, event)
    m.refresh()
    rating = m.rules.rating[m.state.champion[0], 2, BOX[stroke]]
    assert stroke_dice(m.state, 0, BOX[stroke]) == rating + gains


def test_r27_search_the_discards():
    m = match()
    hold(m, 0, "search_discards")
    give(m, 0, "Big Serve")
    discarded(m, "Chop Shot", "Roar of the Crowd", "Drop Shot")
    m.state.active = m.state.seat = 1
    m.state.phase = BONUS
    m.refresh()
    m.tape = []
    m.apply("pass")
    assert m.state.phase == BEFORE and names(m) == {"pass", "use search_discards"}
    m.apply("use search_discards")
    assert m.state.phase == SEARCH and names(m) == {"card Chop Shot", "card Drop Shot"}  # not a no-draw card
    m.tape = dice(1, 2, 3)
    m.apply("card Chop Shot")
    assert m.state.hand[0, kind("Chop Shot")] == 1 and m.state.phase == TURN
    assert m.state.discard[: m.state.discards].tolist() == [kind("Roar of the Crowd"), kind("Drop Shot")]


def before(m, seat=0):
    m.state.active = m.state.seat = 1 - seat
    m.state.phase = BONUS
    m.refresh()
    m.tape = []
    m.apply("pass")
    assert m.state.phase == BEFORE and m.seat == seat


def test_r27_force_an_end_set_card():
    for held, forced in (((), NOTHING), (("End Set After 5",), "End Set After 5")):
        m = match()
        hold(m, 0, "force_end_set")
        give(m, 0, "Big Serve")
        give(m, 1, "Poach", *held)
        before(m)
        m.tape = dice(1, 2, 3)
        m.apply("use force_end_set")
        assert m.state.end_set == (forced if forced == NOTHING else kind(forced))
        assert m.state.end_sets_at_most.tolist() == [NOTHING, 0 if forced == NOTHING else NOTHING]
        assert m.seat == 0 and m.state.phase == TURN
    m = match()
    hold(m, 0, "force_end_set")
    give(m, 0, "Big Serve")
    give(m, 1, "End Set After 4", "End Set After 7", "Poach")
    before(m)
    m.apply("use force_end_set")
    assert m.state.phase == FORCED and m.seat == 1 and names(m) == {"card End Set After 4", "card End Set After 7"}
    m.tape = dice(1, 2, 3)
    m.apply("card End Set After 7")
    assert m.state.end_set == kind("End Set After 7") and m.seat == 0 and m.state.phase == TURN


def test_d21_a_player_shown_to_have_none_may_draw_one():
    m = match()
    m.state.end_sets_at_most[1] = 0
    give(m, 1, "Poach")
    turn(m, 1)
    m.tape = [kind("End Set After 4")]
    m.apply("concentrate")
    assert m.state.end_sets_at_most[1] == 1
    m.tape = dice(1, 2, 6)
    m.apply("card End Set After 4")
    assert m.state.end_sets_at_most[1] == 0


def test_r27_a_random_discard_and_an_action():
    m = match()
    hold(m, 0, "random_discard")
    give(m, 0, "Big Serve")
    give(m, 1, "Poach", "Drop Shot")
    before(m)
    m.tape = [kind("Poach")]
    m.apply("use random_discard")
    assert m.state.phase == EXTRA and m.state.hand[1].sum() == 1
    assert "outwit" in names(m) and not legal_of(m, "stroke")  # though the opponent has not Strategized
    m.tape = dice(1, 2, 3)
    m.apply("outwit")  # Big Serve is all he can give
    assert m.state.hand[0, kind("Poach")] == 1 and m.state.phase == TURN


def test_r27_must_rally():
    m = match()
    resolve(m, 0, "1S")
    resolve(m, 1, "2S")
    draw_events(m, 0, "must_rally", "volleys")
    m.apply("keep must_rally")
    assert m.state.phase == STROKING and legal_of(m, "stroke") == {"2S", "FH", "BH", "FV", "BV", "T"}
    other_match = m.clone()
    m.tape = [0] * 20
    m.apply("stroke T")  # the same for the opponent
    assert m.state.resolved.tolist() == [bits("1S", "T"), bits("2S", "T")]
    other_match.apply("stroke 2S")  # the opponent has done it: any
    assert other_match.state.phase == REPLY
    assert legal_of(other_match, "stroke") == {"1S", "FH", "BH", "FV", "BV", "T"}


def test_r27_clear_tactics():
    m = match()
    tactic(m, 0, "No Pace")
    tactic(m, 1, "Wicked Topspin")
    end_set(m, 5)
    draw_events(m, 0, "clear_tactics", "volleys")
    m.state.board[0, TRACK] = 1
    m.apply("keep clear_tactics")
    assert m.state.tactic.tolist() == [NOTHING, NOTHING] and m.state.end_set == NOTHING and m.state.discards == 3
    assert m.state.common[OUT + EVENTS.index("clear_tactics")] == 1


@pytest.mark.parametrize("holder", [0, 1])
@pytest.mark.parametrize("use", [True, False])
def test_r27_ignore_a_love_die(holder, use):
    m = match()
    lay(m, 0, "FV", "Overhead Smash")
    hold(m, holder, "ignore_love")
    m.state.board[0, CAN_CHALLENGE] = 1
    next_turn(m, 0, (5, 6), 6)
    m.apply("stroke FV")
    m.tape = dice(1)
    m.apply("stroke BV")
    assert m.state.phase == LOVE and m.seat == holder
    m.tape = [*dice(6, 2, 2, 2, 1), *[0] * 4]
    m.apply("use ignore_love" if use else "pass")
    assert m.state.scored[0] == (13 if use else 7) and m.state.board[holder, HELD : HELD + RETAINED].sum() == (0 if use else 1)


def test_r27_two_next_strokes_apart_and_only_in_this_set():
    m = match()
    hold(m, 1, "next_stroke")
    last_rally(m, 30)
    m.tape = from_deck(m, 5)
    m.apply("pass")
    assert m.state.board[:, HELD : HELD + RETAINED].sum() == 0 and m.state.cup.sum() == m.rules.markers.sum()


@pytest.mark.parametrize(("use", "tiebreak"), [(True, True), (False, False)])
def test_r27_the_tiebreak_roll(use, tiebreak):
    m = match()
    hold(m, 1, "tiebreak_roll")
    last_rally(m, 4)
    m.apply("pass")
    assert m.state.phase == TIEBREAKING and m.seat == 1
    m.tape = [*dice(4), *from_deck(m, 6)]
    m.apply("use tiebreak_roll" if use else "pass")
    assert bool(m.state.common[TIEBREAK]) == tiebreak
    assert m.state.board[1, HELD : HELD + RETAINED].sum() == (0 if use else 1)  # D17: kept for the next set


def test_d19_not_for_the_leader_and_not_inside_a_tiebreak():
    m = match()
    hold(m, 0, "tiebreak_roll")
    last_rally(m, 4)
    m.tape = [*dice(4), *from_deck(m, 6)]
    m.apply("pass")
    assert m.state.sets[0] == 1
    m = match()
    hold(m, 1, "tiebreak_roll")
    m.state.common[TIEBREAK] = 1
    last_rally(m, 4)
    m.tape = [*dice(4), *from_deck(m, 6)]
    m.apply("pass")
    assert m.state.sets[0] == 1


def test_d17_a_single_marker_in_the_cup():
    m = match()
    m.state.cup[:] = 0
    give(m, 0, "Big Serve")
    turn(m, black=(2, 2))
    assert "draw events" not in names(m)
    m.state.cup[EVENTS.index("two_cards")] = 1
    m.refresh()
    m.tape = [EVENTS.index("two_cards")]
    m.apply("draw events")
    assert m.state.board[0, HELD + EVENTS.index("two_cards")] == 1 and m.state.phase == BONUS


# Sets and matches


def test_r32_discard_after_the_set_if_played():
    m = match()
    tactic(m, 0, "Go for the Lines")
    give(m, 1, "Roar of the Crowd")  # held, not played: stays
    turn(m)
    m.apply("take tactic back")
    last_rally(m, 30)
    m.tape = from_deck(m, 5)
    m.apply("pass")
    assert m.state.hand[0, kind("Go for the Lines")] == 0
    assert kind("Go for the Lines") in m.state.discard[: m.state.discards]
    assert m.state.hand[1, kind("Roar of the Crowd")] == 1


def test_r32_a_match():
    for format, sets in (("set", 1), ("best_of_3", 2), ("best_of_5", 3)):
        m = match(format=format)
        m.state.sets[:] = sets - 1
        last_rally(m, -30)
        m.apply("pass")
        assert m.over and m.winner == 1 and m.rewards.tolist() == [-1, 1] and m.legal_actions() == []


def test_d17_played_markers_come_back_in_the_next_set_only():
    m = match()
    draw_events(m, 0, "clear_tactics", "volleys")
    m.state.board[0, TRACK] = 1
    m.apply("keep clear_tactics")
    assert m.state.cup[EVENTS.index("clear_tactics")] == 0
    hold(m, 0, "two_cards", "ground_strokes")
    last_rally(m, 0)
    m.tape = from_deck(m, 2)
    m.apply("pass")
    assert m.state.common[TIEBREAK] and m.state.cup[EVENTS.index("clear_tactics")] == 0
    assert m.state.board[0, HELD + EVENTS.index("ground_strokes")] == 1
    m.state.resolved[:] = 0
    m.state.common[RALLIES] = 2
    end_of_rally(m, 30)
    m.tape = from_deck(m, 5)
    m.apply("pass")
    assert m.state.cup[EVENTS.index("clear_tactics")] == 1
    assert m.state.board[0, HELD + EVENTS.index("ground_strokes")] == 0
    assert m.state.board[0, HELD + EVENTS.index("two_cards")] == 1


@pytest.mark.parametrize(
    ("sets", "stamina", "injury"),
    [((1, 0), False, False), ((1, 1), True, False), ((2, 1), True, True), ((2, 2), True, True)],
)
def test_r39_housekeeping(sets, stamina, injury):
    m = match(level="tournament", format="best_of_5")
    m.state.sets[:] = sets
    m.state.loser = 0
    m.state.first = 0
    m.state.step = 4  # planning
    m.state.seat = 0
    m.state.phase = PLAN
    m.refresh()
    # d66 in order: stamina of the first and the second player, injury of both; 66 is the worst of every row
    checks = [*dice(6, 6, 1, 1)] * stamina + [*dice(1, 1, 6, 6)] * injury
    m.state.step = 6
    m.tape = [*checks, *dice(1, 2, 6)]
    m.apply("pass")
    assert m.tape == []
    assert m.state.board[:, STAMINA].tolist() == [2 if stamina else 0, 0]  # A at 66: Fatigued
    assert (m.state.injury[1] > 0) == injury and m.state.injury[0] == 0


def test_r34_effects_of_stamina():
    m = match(level="tournament")
    m.state.board[1, TRACK] = 3
    draw_events(m, 0, "stamina_check", "volleys")
    m.tape = [*dice(5, 1), *[0] * 3]
    m.apply("keep stamina_check")  # Tilden, B: Fatigued
    assert m.state.board[1, STAMINA] == 2 and m.state.board[1, TRACK] == 2
    assert [grade(m.state, 1, which) for which in range(2)] == [2, 2]


@pytest.mark.parametrize("use", [True, False])
def test_r38_the_second_wind_marker(use):
    m = match(level="tournament")
    hold(m, 1, "second_wind")
    draw_events(m, 0, "stamina_check", "volleys")
    m.tape = dice(5, 1)
    m.apply("keep stamina_check")
    assert m.state.phase == WIND and m.seat == 1
    m.tape = [0] * 3
    m.apply("use second_wind" if use else "pass")
    assert m.state.board[1, STAMINA] == (0 if use else 2) and m.state.board[1, BAD_RESULTS] == (0 if use else 1)
    assert m.state.board[1, HELD : HELD + RETAINED].sum() == (0 if use else 1)


def test_r37_the_second_wind_tactic():
    m = match(level="tournament")
    m.state.board[0, STAMINA], m.state.board[0, STAMINA_BEFORE] = 2, 1
    give(m, 0, "Second Wind")
    tactic(m, 0, "No Pace")
    turn(m)
    m.apply("card Second Wind")
    assert m.state.board[0, STAMINA] == 1 and m.state.tactic[0] == NOTHING
    assert m.state.discard[: m.state.discards].tolist() == [kind("No Pace"), kind("Second Wind")]


@pytest.mark.parametrize(("face", "levels"), [(1, 0), (2, 0), (3, 1), (5, 1), (6, 2)])
def test_r37_call_for_trainer(face, levels):
    m = match(level="tournament")
    m.state.injury[0] = 5
    give(m, 0, "Call for Trainer")
    turn(m)
    m.tape = dice(face)
    m.apply("card Call for Trainer")
    assert m.state.injury[0] == 5 - levels and m.state.tactic[0] == NOTHING


@pytest.mark.parametrize(("face", "level"), [(1, 4), (2, 3), (3, 3), (4, 2), (6, 0)])
def test_r36_aftereffects(face, level):
    options = {
        "level": "tournament",
        "champion_0": "Pete Sampras",
        "champion_1": "Arthur Ashe",
        "surface": "hard",
        "injury_0": 3,
    }
    m = tennis_envs.Match("tc_tennis", seed=0, **options)
    assert m.state.injury.tolist() == [3, 0]
    m.tape = [*dice(face), *dice(1, 2, 6)]
    while m.state.phase == PLAN:
        m.apply("pass")
    assert m.tape == [] and m.state.injury[0] == level


@pytest.mark.parametrize(("stage", "place"), [("early", 0), ("late", 1)])
def test_r34_split_ratings(stage, place):
    m = match(level="tournament", stage=stage, champion_0="Pete Sampras")
    grades = m.rules.stamina_grade[m.state.champion[0], 2]
    assert grades.tolist() == [2, 1]  # C/B
    row = stamina_row(m.rules, m.state, 0)
    assert row == grades[place]
    m.state.injury[0] = 1
    assert stamina_row(m.rules, m.state, 0) == grades[place] + 1


def test_d28_the_fifth_set_shifts():
    m = match(level="tournament", format="best_of_5")
    m.state.sets[:] = 2
    assert stamina_shift(m.rules, m.state) == 1
    m.state.common[AFTER_TIEBREAK] = 1
    assert stamina_shift(m.rules, m.state) == 2


@pytest.mark.parametrize("chooser", ["loser", "winner"])
def test_r40_the_all_surface_match(chooser):
    m = match(surface="all", format="best_of_5", fifth_surface=chooser)
    assert m.state.phase == CHOOSE_SURFACE and m.seat == m.state.first and m.state.surface == NOTHING
    assert legal_of(m, "surface") == set(SURFACES)
    m.state.phase = CHOOSE_SURFACE
    m.state.hand[:] = 0
    m.tape = [*from_deck(m, 14)]
    m.apply("surface grass")
    winners = (0, 1, 0, 1)
    free = {"clay", "hard", "indoor"}
    for played, winner in enumerate(winners):
        m.state.hand[:] = 0
        m.state.deck[:] = m.rules.copies
        m.state.discards = 0
        m.state.box[:] = NOTHING
        last_rally(m, 30 if winner == 0 else -30)
        m.tape = from_deck(m, 5)
        m.apply("pass")
        if played < 2:
            assert m.state.phase == CHOOSE_SURFACE and m.seat == 1 - winner and legal_of(m, "surface") == free
            m.apply(f"surface {sorted(free)[0]}")
            free.remove(sorted(free)[0])
        elif played == 2:  # the fourth is the only one left
            assert m.state.phase == PLAN and SURFACES[m.state.surface] in free
        else:
            assert m.state.phase == CHOOSE_SURFACE and legal_of(m, "surface") == set(SURFACES)
            assert m.seat == (1 - winner if chooser == "loser" else winner)


# Options


@pytest.mark.parametrize(("options", "words"), [
    ({"level": "training", "format": "best_of_3"}, "single set"),
    ({"surface": "all"}, "best_of_5"),
    ({"champion_0": "Nobody"}, "no champion"),
    ({"injury_0": 2}, "Tournament"),
    ({"level": "tournament", "injury_0": 6}, "0 to 5"),
    ({"components": "/nowhere.toml"}, "no components file"),
    ({"rackets": 2}, "no option"),
])  # fmt: skip
def test_options_are_checked(options, words):
    with pytest.raises(OptionError, match=words):
        tennis_envs.Match("tc_tennis", **options)


def test_d38_a_rally_is_the_point():
    m = match(reward="point")
    m.state.board[:, TRACK] = 1
    m.state.scored[:] = (4, 9)
    end_of_rally(m, -5)
    m.apply("pass")
    assert m.rewards.tolist() == [-1, 1]


# D39: what a redeal keeps


def returned_unseen():
    """Seat 0 has taken Roar of the Crowd (ANY) unseen back out of its full backhand box; it also holds Drop Shot (T)."""
    m = match()
    lay(m, 0, "BH", "Roar of the Crowd", "Chop Shot")
    give(m, 0, "Drop Shot", "Backhand Down the Line")
    turn(m, 0, strategy=3)
    m.apply("prepare BH")
    m.apply("take_back first")
    assert m.state.phase == BONUS and m.state.known[0].sum() == 0
    assert np.flatnonzero(m.state.hand[0]).tolist() == sorted([kind("Drop Shot"), kind("Roar of the Crowd")])
    return m


def redealt_hands(m, count=100):
    """What the hand of seat 0 may be for all that seat 1 knows."""
    for seed in range(count):
        dealt = m.clone()
        dealt.redeal(1, seed=seed)
        yield dealt, np.flatnonzero(dealt.state.hand[0]).tolist()


def one_fits(m, hand):
    return any(m.rules.boxes[k] & bits("BH") for k in hand)


def test_d39_a_card_that_came_back_unseen_fits_its_box():
    m = returned_unseen()
    hands = [hand for _, hand in redealt_hands(m)]
    assert all(one_fits(m, hand) for hand in hands) and len({tuple(hand) for hand in hands}) > 20
    m.state.returns[:] = 0  # without that memory
    m.state.returned[:] = 0
    assert not all(one_fits(m, hand) for _, hand in redealt_hands(m))


def test_d39_it_goes_after_the_set_if_it_says_so():
    m = returned_unseen()
    marked = 0
    for dealt, hand in redealt_hands(m, 400):
        worn = np.flatnonzero(dealt.state.worn & 1).tolist()
        assert all(k in hand and dealt.rules.after_set[k] for k in worn)
        marked += len(worn)
    assert 0 < marked < 400


def test_d39_it_has_outlasted_the_end_of_a_set():
    m = returned_unseen()
    m.state.returned[0, BOX["BH"]] = -1
    m.state.worn[:] = 0
    for k in m.state.box[0, BOX["BH"]]:
        m.state.deck[k] += 1
    m.state.box[0, BOX["BH"]] = NOTHING
    m.refresh()
    for dealt, hand in redealt_hands(m):
        rest = [k for k in hand if not dealt.rules.after_set[k]]
        assert one_fits(m, rest) and not dealt.state.worn.any()


@pytest.mark.parametrize(("card", "still"), [("Drop Shot", True), ("Roar of the Crowd", False)])
def test_d39_until_a_card_that_may_be_it_comes_to_light(card, still):
    m = returned_unseen()
    assert m.state.returns[0] == bits("BH")
    m.apply(f"discard {card}")
    assert (m.state.returns[0] == bits("BH")) == still and (m.state.returned[0, BOX["BH"]] > 0) == still


@pytest.mark.parametrize("slot", ["first", "second"])
def test_d39_cards_that_lay_there_before_are_not_it(slot):
    m = returned_unseen()
    m.state.board[:, TRACK] = 0, 1
    m.tape = dice(1, 2, 1)
    m.refresh()
    m.apply("pass")
    m.apply(f"read BH {slot}")
    assert m.state.returns[0] == bits("BH")


def test_d39_a_card_placed_since_may_be_it():
    m = returned_unseen()
    m.apply("prepare FH")  # only Roar of the Crowd fits
    m.state.board[:, TRACK] = 0, 1
    m.tape = dice(1, 2, 1)
    m.refresh()
    m.apply("pass")
    m.apply("read FH first")
    assert m.state.returns[0] == 0


def test_d36_who_is_asked_which_card_gives_way_has_another_for_the_box():
    m = match()
    lay(m, 0, "T", "Soft Hands", "Drop Shot")
    give(m, 0, "Feather Touch", "Big Serve", "Backhand Down the Line")
    turn(m)
    m.apply("prepare T")
    for dealt, hand in redealt_hands(m, 60):
        assert any(m.rules.boxes[k] & bits("T") for k in hand)
        dealt.apply("take_back first")


def test_d13_outwit_of_a_random_discard_needs_one():
    for cards, legal in (((), False), (("Big Serve",), True)):
        m = match()
        discarded(m, "Poach")
        give(m, 0, "Soft Hands")
        give(m, 1, *cards)
        hold(m, 0, "random_discard")
        m.tape = None if not cards else [kind(cards[0])]
        m.state.active = m.state.seat = 0
        m.state.phase = BEFORE
        m.refresh()
        m.apply("use random_discard")
        assert m.state.phase == EXTRA and ("outwit" in names(m)) == legal


@pytest.mark.parametrize("momentum", [0, 30])
def test_d13_a_set_up_lies_between_turns(momentum):
    m = match()
    m.state.board[:, STRATEGIZED] = 1
    give(m, 0, "Big Serve")
    last_rally(m, momentum)
    m.tape = None
    m.apply("pass")
    assert m.state.common[TIEBREAK] == (momentum == 0) and m.state.board[:, STRATEGIZED].tolist() == [0, 0]


def test_r40_whoever_chooses_a_surface_sees_both_champions_on_all_of_them():
    options = {"level": "tournament", "format": "best_of_5", "surface": "all"}
    one = match(**options, champion_0="Rod Laver", champion_1="Pete Sampras")
    other = match(**options, champion_0="Bjorn Borg", champion_1="Suzanne Lenglen")
    assert one.state.phase == CHOOSE_SURFACE
    seen = one.game.features.read(one.observe(0))
    for whose, seat in (("my", 0), ("their", 1)):
        champion = one.state.champion[seat]
        courts = seen[f"{whose}_courts"].reshape(4, 3)
        assert np.allclose(courts[:, 0] * 50, one.rules.rating[champion].sum(axis=1) * 1.875)
        assert np.allclose(courts[:, 1:] * 3, one.rules.defense[champion])
        assert np.isclose(seen[f"{whose}_entry"][0] * 24, champion + 1)
    assert not np.array_equal(one.observe(0), other.observe(0))
    assert "indoor" in one.describe() and "Pete Sampras" in one.describe()


def test_options_that_would_do_nothing_are_refused():
    with pytest.raises(OptionError, match="Tournament"):
        tennis_envs.Match("tc_tennis", stage="early")
    with pytest.raises(OptionError, match="fifth surface"):
        tennis_envs.Match("tc_tennis", fifth_surface="winner")


def test_what_a_player_knows_of_his_own_cards_shows():
    m = match()
    tactic(m, 0, "Go for the Lines")
    turn(m, 0, strategy=2)
    before = m.observe(0)[m.game.features["cards"]][kind("Go for the Lines")]
    m.apply("take tactic back")
    mine, theirs = (m.observe(seat)[m.game.features["cards"]][kind("Go for the Lines")] for seat in range(2))
    assert before == 0 and np.isclose(mine, 1 - 1 / 44 - 1 / 88) and np.isclose(theirs, -1 / 22)


def test_what_lies_in_boxes_shows_to_each_side_as_far_as_it_knows():
    m = match()
    lay(m, 0, "FH", "Go for the Lines")
    lay(m, 0, "BH", "Chop Shot", shown=True)
    m.refresh()
    mine, theirs = (m.game.features.read(m.observe(seat)) for seat in range(2))
    down, up = kind("Go for the Lines") + 1, kind("Chop Shot") + 1
    at = [2 * BOX["FH"], 2 * BOX["BH"]]
    assert np.allclose(mine["my_cards"][at] * 74, [down, -up])
    assert np.allclose(theirs["their_cards"][at] * 75, [1, 1 + up])
    assert theirs["their_own_worth"][BOX["FH"]] == 0 and theirs["their_own_worth"][BOX["BH"]] == mine["my_own_worth"][BOX["BH"]]
    assert mine["their_cards"].sum() == theirs["my_cards"].sum() == 0


def test_a_chosen_box_and_a_declared_stroke_show_to_both():
    m = match()
    give(m, 0, "Feather Touch", "Soft Hands")
    turn(m)
    m.apply("prepare T")
    assert m.state.phase == PLACE
    for seat, whose in enumerate(("my", "their")):
        strokes = m.game.features.read(m.observe(seat))[f"{whose}_strokes"]
        assert strokes.tolist() == [1, 1, 1, 1, 1, 1, 2]
    m.apply("card Soft Hands")
    assert m.game.features.read(m.observe(0))["my_strokes"].tolist() == [1] * 7
    m.state.declared[1] = BOX["FH"]
    m.refresh()
    assert m.game.features.read(m.observe(0))["their_strokes"].tolist() == [1, 1, 2, 1, 1, 1, 1]


def test_markers_that_a_player_chooses_from_show_to_him_alone():
    m = match()
    draw_events(m, 1, "volleys", "two_cards")
    chooser, other = (m.game.features.read(m.observe(seat))["markers_out"] for seat in (1, 0))
    assert np.flatnonzero(chooser).tolist() == [EVENTS.index("volleys"), EVENTS.index("two_cards")]
    assert chooser.sum() == -0.5 and not other.any()
