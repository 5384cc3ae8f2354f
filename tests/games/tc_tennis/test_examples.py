"""The rulebook's worked examples and rules of TC Tennis, by their ids."""

import numpy as np
import pytest
from tc_position import (
    bits,
    dice,
    draw_events,
    end_of_rally,
    end_set,
    from_deck,
    give,
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
from tennis_envs.games.tc_tennis.components import STROKES, load_components
from tennis_envs.games.tc_tennis.rules.rally import defense_die, throw
from tennis_envs.games.tc_tennis.state import (
    AFTER_TIEBREAK,
    BAD_RESULTS,
    CAN_CHALLENGE,
    CHALLENGING,
    NOTHING,
    PLAN,
    RALLIES,
    REPLY,
    STAMINA,
    STROKING,
    TIEBREAK,
    TRACK,
    TURN,
    VOIDING,
)


def scripted_chance(*faces):
    chance = np.zeros(1, CHANCE)
    chance["mode"], chance["given"] = TAPE, len(faces)
    chance["outcome"][0, : len(faces)] = dice(*faces)
    return records(chance)[0]


def test_t1_active_chooses_then_the_opponent_from_his_own():
    m = match()
    next_turn(m, 0, (5, 2), 6)
    assert m.state.phase == STROKING and m.seat == 0
    assert legal_of(m, "stroke") == {"FV", "2S", "T"} and len(names(m)) == 3
    m.apply("stroke FV")
    assert m.state.phase == REPLY and m.seat == 1
    assert legal_of(m, "stroke") == {"FV", "2S", "T"}
    m.tape = [0] * 40
    m.apply("stroke T")
    assert m.state.resolved.tolist() == [bits("FV"), bits("T")]


def test_t2_resolved_strokes_are_out():
    m = match()
    resolve(m, 0, "FV")
    resolve(m, 1, "T")
    next_turn(m, 0, (5, 4), 6)  # only BH is left to the active player, so it is declared at once; 9 is no box
    assert m.state.phase == REPLY and m.state.declared[0] == STROKES.index("BH")
    assert legal_of(m, "stroke") == {"FV", "BH"}


def test_t3_blue_five_offers_a_rally_or_an_action():
    m = match()
    resolve(m, 0, "FV", "BH")
    give(m, 0, "Big Serve")
    next_turn(m, 0, (1, 4), 5)
    assert m.state.phase == TURN
    assert legal_of(m, "stroke") == {"1S"}
    assert {"concentrate", "prepare 1S", "discard Big Serve"} <= names(m)


@pytest.mark.parametrize("seat", [0, 1])
def test_t4_none_offered_means_any_open_stroke(seat):
    m = match()
    resolve(m, seat, "1S", "BV", "T")
    resolve(m, 1 - seat, "1S", "FH")
    next_turn(m, seat, (6, 1), 6)
    assert legal_of(m, "stroke") == {"2S", "FH", "BH", "FV"}
    m.apply("stroke FH")
    assert legal_of(m, "stroke") == {"BV", "T"}


def test_t5_rating_c():
    assert throw(scripted_chance(6, 3, 5), 5, 0, 0) == 12


@pytest.mark.parametrize(("face", "counts"), [(5, 3), (4, 2), (3, 2), (2, 1), (1, 1), (6, 3)])
def test_t6_half_a_die_is_rounded_up(face, counts):
    assert throw(scripted_chance(1, face), 3, 0, 0) == 1 + counts
    assert defense_die(scripted_chance(face), 2) == counts


def test_t7_modifiers_add_up():
    m = match()
    lay(m, 0, "FH", "Hard & Flat")
    lay(m, 1, "BV", "Run It Down")  # -1, not one that Hard & Flat names
    m.state.board[0, CAN_CHALLENGE] = 1
    next_turn(m, 0, (3, 6), 6)
    m.apply("stroke FH")
    m.tape = dice(2, 2, 2, 1, 1, 1, 1, 1, 1)  # Love Die and all
    m.apply("stroke BV")
    assert m.state.phase == CHALLENGING
    # Laver's FH is B: three dice. Run It Down's Love Die comes first and shows 2.
    assert m.state.scored[0] == 2 + 2 + 1 + 2 - 1


def laid_out_example(**options):
    m = match(**options)
    lay(m, 0, "FH", "Overhead Smash", "Inspired Play")  # the example of 7.3.2, which 4.2 does not allow (D37)
    lay(m, 0, "BH", "Hard & Flat")
    lay(m, 1, "FH", "Chop Shot")
    tactic(m, 0, "No Pace")
    tactic(m, 1, "Wicked Topspin")
    m.state.board[0, CAN_CHALLENGE] = m.state.board[0, TRACK] = 1
    next_turn(m, 0, (3, 6), 6)
    m.apply("stroke FH")
    m.tape = []
    m.apply("stroke FH")
    assert m.state.phase == VOIDING and m.seat == 0
    assert names(m) == {"pass", "void BH first"}
    return m


def test_t8_the_long_example():
    m = laid_out_example()
    # Love Dice: Overhead Smash 1, No Pace 4. Dice 5 1 5 2, half die 3. Then the other's Love Die and dice.
    m.tape = [*dice(1, 4, 5, 1, 5, 2, 3), *dice(6, 1, 1, 1)]
    m.apply("void BH first")
    assert m.state.phase == CHALLENGING and m.tape == []
    assert m.state.scored[0] == 10
    assert m.state.discard[: m.state.discards].tolist() == [kind("Chop Shot")]
    m.apply("pass")
    box = STROKES.index("BH")
    assert m.state.box[0, box].tolist() == [kind("Hard & Flat"), NOTHING] and m.state.shown[0, box, 0]
    assert (m.state.box[:, STROKES.index("FH")] == NOTHING).all()
    assert m.state.tactic.tolist() == [kind("No Pace"), kind("Wicked Topspin")]


def test_t8_without_the_void():
    m = laid_out_example()
    m.tape = [*dice(1, 4, 5, 1, 5, 2, 3), *dice(6, 1, 1, 1, 1)]
    m.apply("pass")
    assert m.state.scored[0] == 9


@pytest.mark.parametrize("seat", [0, 1])
def test_t9_momentum_goes_back_and_forth(seat):
    m = match(champion_0="Stan Smith", champion_1="Rod Laver", level="training")
    side = 1 if seat == 0 else -1
    m.state.momentum = 2 * side
    if seat == 1:
        m = match(champion_0="Rod Laver", champion_1="Stan Smith", level="training")
        m.state.momentum = -2
    m.state.board[:, CAN_CHALLENGE] = 1
    next_turn(m, seat, (4, 2), 6)
    m.apply("stroke BH")  # Smith: D, two dice
    m.tape = dice(5, 3, 6, 3, 5)
    m.apply("stroke 2S")  # Laver: C, two and a half
    assert m.state.scored[seat] == 8 and m.state.scored[1 - seat] == 12
    assert m.state.momentum_before == 2 * side and m.state.momentum == -2 * side


def test_t10_return_of_serve():
    m = match(champion_0="Pete Sampras", champion_1="Jimmy Connors", surface="clay")
    m.state.board[0, CAN_CHALLENGE] = 1
    next_turn(m, 0, (1, 6), 5)
    m.apply("stroke 1S")
    m.tape = [*dice(6, 4, 3, 1), *dice(4), *[0] * 9]
    m.apply("stroke 1S")
    assert m.state.scored[0] == 12


def test_t10_every_face_of_a_defense_die():
    for face in range(1, 7):
        assert defense_die(scripted_chance(face), 0) == -((face + 1) // 2)
        assert defense_die(scripted_chance(face), 1) == 0 and defense_die(scripted_chance(face), 3) == face


def test_t11_a_blue_five_and_the_sum():
    m = match(champion_0="Pete Sampras", champion_1="Jimmy Connors", surface="clay")
    next_turn(m, 0, (1, 6), 5)
    assert m.state.phase == TURN and legal_of(m, "stroke") == {"1S", "BV", "T"} and "concentrate" in names(m)


def play_rally(m, seat):
    """A rally with the first stroke that each player may declare."""
    m.state.board[:, CAN_CHALLENGE] = 0
    m.state.board[:, TRACK] = 0
    next_turn(m, seat, (1, 1), 6)
    m.tape = None
    for phase in (STROKING, REPLY):
        if m.state.phase == phase:
            m.apply(m.legal_actions()[0])


def test_t12_an_end_set_card_replaced():
    m = match()
    end_set(m, 4)
    m.state.common[RALLIES] = 3
    for seat in range(2):
        resolve(m, seat, "1S", "2S", "FH")
    give(m, 0, "End Set After 6")
    m.state.momentum = 200
    next_turn(m, 0, (1, 2), 1)
    m.state.board[0, TRACK] = 1
    m.apply("card End Set After 6")
    assert m.state.end_set == kind("End Set After 6")
    assert m.state.discard[m.state.discards - 1] == kind("End Set After 4")
    for rally in (4, 5):
        play_rally(m, 1)
        assert m.state.common[RALLIES] == rally and m.state.sets.tolist() == [0, 0]
    play_rally(m, 1)
    assert m.state.sets.tolist() == [1, 0]


def test_t13_never_before_the_next_rally():
    m = match()
    m.state.common[RALLIES] = 5
    for seat in range(2):
        resolve(m, seat, "1S", "2S", "FH", "BH", "FV")
    give(m, 0, "End Set After 4")
    m.state.momentum = 200
    next_turn(m, 0, (1, 2), 1)
    m.state.board[0, TRACK] = 1
    m.apply("card End Set After 4")
    assert m.state.sets.tolist() == [0, 0] and m.state.common[RALLIES] == 5
    play_rally(m, 1)
    assert m.state.sets.tolist() == [1, 0]


@pytest.mark.parametrize(("face", "tiebreak"), [(3, False), (4, False), (5, True), (6, True)])
def test_t14_a_close_set(face, tiebreak):
    m = match()
    last_rally(m, 4)
    m.tape = [*dice(face), *from_deck(m, 6), *[0] * 6]
    m.apply("pass")
    assert bool(m.state.common[TIEBREAK]) == tiebreak
    assert m.state.sets.tolist() == ([0, 0] if tiebreak else [1, 0])


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize("lead", range(9))
@pytest.mark.parametrize("face", [*range(1, 7)])
def test_t15_when_there_is_a_tiebreak(leader, lead, face):
    m = match()
    last_rally(m, lead if leader == 0 else -lead)
    needs_die = 1 <= lead <= 5
    m.tape = [*(dice(face) if needs_die else []), *from_deck(m, 8)]
    m.apply("pass")
    assert bool(m.state.common[TIEBREAK]) == (lead == 0 or (needs_die and face > lead))
    assert len(m.outcomes) == needs_die + (2 if m.state.common[TIEBREAK] else 5)  # a die only where one is due, and the draws
    if not m.state.common[TIEBREAK]:
        assert m.state.sets[leader] == 1


def test_t16_strategy_by_surface():
    m = tennis_envs.Match("tc_tennis", seed=0, champion_0="Fred Perry", champion_1="Henri Cochet", surface="indoor")
    assert m.state.board[:, TRACK].tolist() == [3, 4]
    for surface in ("clay", "grass"):
        m = tennis_envs.Match("tc_tennis", seed=0, champion_0="Fred Perry", champion_1="Henri Cochet", surface=surface)
        assert m.state.board[0, TRACK] != 3


def level_name(table, level):
    return getattr(load_components(), table).level[int(level)].name


@pytest.mark.parametrize(("after_tiebreak", "word"), [(0, "Tiring"), (1, "Fatigued")])
def test_t17_stamina(after_tiebreak, word):
    m = match(level="tournament")
    m.state.common[AFTER_TIEBREAK] = after_tiebreak
    draw_events(m, 0, "stamina_check", "volleys")
    m.tape = [*dice(4, 5), *[0] * 9]
    m.apply("keep stamina_check")
    assert level_name("stamina", m.state.board[1, STAMINA]) == word
    assert m.state.board[:, BAD_RESULTS].tolist() == [0, 1]


@pytest.mark.parametrize(("bad", "word"), [(0, "Cramps"), (2, "Slight")])
def test_t18_injury(bad, word):
    m = match(level="tournament", champion_1="Boris Becker", surface="indoor")
    m.state.board[1, BAD_RESULTS] = bad
    draw_events(m, 0, "injury_check", "volleys")
    m.tape = [*dice(5, 1), *[0] * 9]
    m.apply("keep injury_check")
    assert level_name("injury", m.state.injury[1]) == word


@pytest.mark.parametrize(
    ("blue", "actions", "rally", "events"), [(6, False, True, False), (5, True, True, True), (3, True, False, True)]
)
def test_t19_doubles(blue, actions, rally, events):
    m = match()
    next_turn(m, 0, (2, 2), blue)
    assert ("concentrate" in names(m)) == actions
    assert ("draw events" in names(m)) == events
    assert bool(legal_of(m, "stroke")) == rally
    if rally:
        assert legal_of(m, "stroke") == {"2S", "BH"}


def test_t19_no_events_without_a_double_or_in_training():
    m = match()
    give(m, 0, "Big Serve")
    next_turn(m, 0, (2, 3), 3)
    assert "draw events" not in names(m)
    m = match(level="training")
    give(m, 0, "Big Serve")
    next_turn(m, 0, (2, 2), 3)
    assert "draw events" not in names(m)


@pytest.mark.parametrize("favourite", [0, 1])
def test_t20_hands_by_the_other_overall(favourite):
    champions = {f"champion_{favourite}": "Pete Sampras", f"champion_{1 - favourite}": "Arthur Ashe"}
    m = tennis_envs.Match("tc_tennis", seed=0, surface="hard", **champions)
    assert m.state.favourite == favourite and m.state.first == 1 - favourite
    assert m.state.phase == PLAN and m.seat == 1 - favourite
    assert m.state.hand[favourite].sum() == 4 and m.state.hand[1 - favourite].sum() == 7


def test_t21_where_overhead_smash_fits():
    m = match()
    resolve(m, 0, "FV")
    give(m, 0, "Overhead Smash")
    next_turn(m, 0, (1, 2), 1)
    assert legal_of(m, "prepare") == {"2S", "BV"}


def test_t22_big_mo():
    for lead, halves in ((19, 6), (20, 7)):  # Laver's FH is B
        m = match()
        m.state.momentum = lead
        m.state.board[0, CAN_CHALLENGE] = 1
        next_turn(m, 0, (3, 6), 6)
        m.apply("stroke FH")
        m.tape = [*dice(*[1] * (halves // 2 + halves % 2)), *dice(1, 1, 1, 1)]
        m.apply("stroke FH")  # Tilden's FH is A: three and a half dice, whatever Laver leads by
        assert m.state.scored.tolist() == [3 + halves % 2, 4] and m.tape == []


def test_t22_big_mo_holds_at_once_and_ends_at_once():
    m = match()
    m.state.momentum = -19  # Tilden leads
    m.state.board[0, CAN_CHALLENGE] = 1
    next_turn(m, 1, (3, 6), 6)
    m.apply("stroke FH")
    # Tilden (A, not yet 20 ahead) scores 14 + 2; Laver (B, behind) plain.
    m.tape = [*dice(6, 5, 3, 3), *dice(1, 1, 1)]
    m.apply("stroke FH")
    assert m.state.scored.tolist() == [3, 16] and m.state.momentum == -32
    m = match()
    m.state.momentum = -20
    m.state.board[0, CAN_CHALLENGE] = 1
    next_turn(m, 0, (3, 6), 6)
    m.apply("stroke FH")
    # Laver scores 3: the lead falls to 17, so Tilden's A is three and a half dice, not four.
    m.tape = [*dice(1, 1, 1), *dice(1, 1, 1, 1)]
    m.apply("stroke FH")
    assert m.state.scored.tolist() == [3, 4] and m.tape == []


def test_t23_at_least_one_full_die():
    m = match(champion_0="Chris Evert", surface="clay")  # FV F: one die
    lay(m, 1, "FV", "Poach", "Cover the Court")
    m.state.board[0, CAN_CHALLENGE] = 1
    next_turn(m, 0, (5, 2), 6)
    m.apply("stroke FV")
    m.tape = [*dice(6), *[0] * 12]
    m.apply("stroke FV")
    assert m.state.scored[0] == 6


@pytest.mark.parametrize("seat", [0, 1])
def test_t24_a_level_training_game(seat):
    champions = {f"champion_{seat}": "Arthur Ashe", f"champion_{1 - seat}": "Pete Sampras"}
    m = match(level="training", **champions)
    last_rally(m, 0)
    m.apply("pass")
    assert m.over and m.winner == seat  # the lower Overall

    m = match(level="training", champion_0="Pete Sampras", champion_1="Rod Laver")
    last_rally(m, 0, seat)  # the other player keeps his marker
    m.apply("pass")
    assert m.winner == 1 - seat

    m = match(level="training", champion_0="Pete Sampras", champion_1="Rod Laver")
    last_rally(m, 0)
    m.state.board[:, CAN_CHALLENGE] = 1
    m.tape = [seat]
    m.apply("pass")
    assert m.winner == seat

    m = match(level="training")
    last_rally(m, 1 - 2 * seat)
    m.apply("pass")
    assert m.over and m.winner == seat  # any lead wins


def test_t25_both_may_challenge():
    m = match()
    m.state.momentum = 5
    m.state.board[:, CAN_CHALLENGE] = 1
    m.state.board[1, TRACK] = 1
    next_turn(m, 1, (3, 6), 6)
    m.apply("stroke FH")
    m.tape = [*dice(1, 1, 1, 1), *dice(6, 6, 6)]
    m.apply("stroke FH")
    assert m.state.phase == CHALLENGING and m.seat == 1  # whose turn it is
    assert m.state.momentum == 5 - 4 + 18
    m.tape = [*dice(6, 6, 6, 6), *dice(1, 1, 1)]
    m.apply("challenge")
    assert m.seat == 0 and m.state.board[:, CAN_CHALLENGE].tolist() == [1, 0]
    assert m.state.momentum == 5 - 21 + 3
    m.tape = [*dice(2, 2, 2, 2), *dice(2, 2, 2)]
    m.apply("challenge")
    assert m.state.board[:, CAN_CHALLENGE].tolist() == [0, 0]
    assert m.state.momentum == 5 - 7 + 6
    assert m.state.common[RALLIES] == 1


def test_t25_the_other_challenges_first_and_the_active_player_may_answer():
    m = match()
    m.state.board[:, CAN_CHALLENGE] = 1
    next_turn(m, 1, (3, 6), 6)
    m.apply("stroke FH")
    m.tape = [0] * 9
    m.apply("stroke FH")
    m.apply("pass")
    assert m.seat == 0
    m.tape = [0] * 9
    m.apply("challenge")
    assert m.state.phase == CHALLENGING and m.seat == 1


def test_t26_a_new_set():
    m = match()
    give(m, 1, "Big Serve")
    m.state.board[:, TRACK] = 1
    last_rally(m, 30)
    m.state.board[:, CAN_CHALLENGE] = (0, 1)
    draws = from_deck(m, 5)
    m.tape = draws
    m.apply("pass")
    state = m.state
    assert state.sets.tolist() == [1, 0] and state.first == 1
    assert state.hand[1].sum() == 1 + 3 and state.hand[0].sum() == 2
    assert all(state.hand[1, k] for k in draws[:3]) and all(state.hand[0, k] for k in draws[3:])
    assert state.board[:, TRACK].tolist() == [m.rules.strategy[state.champion[0], 2], m.rules.strategy[state.champion[1], 2]]
    assert state.board[:, CAN_CHALLENGE].tolist() == [1, 1] and state.momentum == 0 and state.common[RALLIES] == 0
    assert state.phase == PLAN and m.seat == 1


def test_t27_a_tiebreak_begins():
    m = match()
    m.state.board[:, TRACK] = (5, 2)
    m.state.first = 1
    lay(m, 0, "T", "Drop Shot")
    tactic(m, 1, "No Pace")
    last_rally(m, 0)
    end_set(m, 7)
    m.tape = from_deck(m, 2)
    m.apply("pass")
    state = m.state
    assert state.common[TIEBREAK] and state.resolved.tolist() == [0, 0] and state.momentum == 0 and state.common[RALLIES] == 0
    assert state.board[:, TRACK].tolist() == [5, 3] and state.board[:, CAN_CHALLENGE].tolist() == [1, 1]
    assert state.tactic.tolist() == [NOTHING, NOTHING] and state.end_set == NOTHING and (state.box == NOTHING).all()
    assert state.hand.sum(axis=1).tolist() == [1, 1]
    assert sorted(state.discard[: state.discards]) == sorted([kind("Drop Shot"), kind("No Pace"), kind("End Set After 7")])


@pytest.mark.parametrize(("rallies", "card"), [(3, None), (2, 5)])
def test_t27_a_tiebreak_is_checked(rallies, card):
    m = match()
    m.state.common[TIEBREAK] = 1
    if card:
        end_set(m, card)
    for rally in range(1, rallies):
        end_of_rally(m, 12, stroke=STROKES[rally])
        m.apply("pass")
        assert m.state.common[RALLIES] == rally and m.state.momentum == 12 and m.state.sets.tolist() == [0, 0]
    end_of_rally(m, 12)
    m.tape = from_deck(m, 5)
    m.apply("pass")
    assert m.state.sets.tolist() == [1, 0] and not m.state.common[TIEBREAK] and m.state.common[AFTER_TIEBREAK]


@pytest.mark.parametrize(("lead", "face", "goes_on"), [(0, None, True), (3, 3, False), (3, 4, True)])
def test_t27_a_tiebreak_goes_on_from_zero(lead, face, goes_on):
    m = match()
    m.state.common[TIEBREAK] = 1
    m.state.common[RALLIES] = 2
    for seat in range(2):
        resolve(m, seat, "1S", "2S")
    m.state.board[:, TRACK] = 1
    end_of_rally(m, lead)
    m.tape = [*(dice(face) if face else []), *([] if goes_on else from_deck(m, 5))]
    m.apply("pass")
    if goes_on:
        assert m.state.momentum == 0 and m.state.common[RALLIES] == 0 and m.state.common[TIEBREAK]
        assert m.state.resolved.tolist() == [bits("1S", "2S", "T")] * 2  # nothing is opened again
        assert m.seat == 0  # the turn goes on with Bonus Actions
    else:
        assert m.state.sets.tolist() == [1, 0]


def test_t27_all_seven_resolved_sets_up_a_new_tiebreak():
    m = match()
    m.state.common[TIEBREAK] = 1
    m.state.common[RALLIES] = 0
    m.state.board[:, TRACK] = 2
    m.state.resolved[:] = bits("1S", "2S", "FH", "BH", "FV", "BV")
    end_of_rally(m, 0)
    m.tape = from_deck(m, 2)
    m.apply("pass")
    assert m.state.common[TIEBREAK] and m.state.resolved.tolist() == [0, 0] and m.state.board[:, TRACK].tolist() == [3, 3]
    assert m.state.hand.sum(axis=1).tolist() == [1, 1]
