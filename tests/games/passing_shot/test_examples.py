"""The worked examples of the rulebook, PS-T1 to PS-T19.

B is a Ball (Bc one of the court's surface), O Out, N Net, E Energy; a star marks the Pro die.
"""

import pytest
from scripted_dice import legal, phase, play, rally, start

from tennis_envs.games.passing_shot.rules import successes


def test_ps_t1_an_energy_die_removed_is_one_success_and_one_die_less():
    match = start("B B B E N", level="beginner")
    assert (match.seat, phase(match), successes(match.state)) == (0, "energy", 3)
    kept = play(match.clone(), "play on", "B B B E N")
    assert kept.state.need == 3 and kept.state.dice[0] == 5
    play(match, "remove", "B B B B E")
    assert match.state.need == 4 and match.state.dice[0] == 4
    play(match, "play on", "B B B E")
    assert match.seat == 0 and match.state.roll.table.sum() == 4


def test_ps_t2_too_few_successes_lose_the_point():
    match = play(start("B B B E N", level="beginner"), "play on", "B B O N N")
    assert match.over and match.winner == 0


def test_ps_t3_a_tie_between_balls_and_outs_is_valid():
    match = start("B B O O N", "B B E O N", level="beginner")
    assert match.seat == 1 and match.state.need == 2


def test_ps_t4_more_outs_than_balls_lose_the_point_and_the_energies_are_void():
    match = start("O O E E B", level="beginner")
    assert match.over and match.winner == 1 and match.decisions == 0


def test_ps_t5_a_net_die_given_up_is_one_success_and_one_die_less():
    match = start("B B B B N", "B B B N N", level="experienced")
    assert (match.seat, phase(match), legal(match)) == (1, "stamina", {"stamina", "concede"})
    assert match.state.need == 4 and successes(match.state) == 3
    play(match, "stamina", "B B B B E")
    assert match.state.need == 4 and match.state.dice[1] == 4 and match.state.tired[1] == 1
    play(match, "play on", "B B B E")
    assert match.seat == 1 and match.state.roll.table.sum() == 4


def test_ps_t6_concentration_rolls_again():
    match = start("B B O O N", "O O N N E", level="experienced")
    assert (match.seat, phase(match), legal(match)) == (1, "re-roll", {"concentrate", "accept"})
    play(match, "concentrate", "B B B O O", "B B B E N")
    assert match.seat == 0 and match.state.need == 3
    assert match.state.concentration.tolist() == [1, 0]


def test_ps_t7_a_winner_that_misses_its_number_but_holds_goes_on():
    match = play(rally("B B B N O"), "winner 3", "B B B B O")
    assert not match.over and match.seat == 1
    assert (match.state.need, phase(match)) == (4, "stroke")


def test_ps_t8_at_the_net_nets_are_successes():
    match = play(rally("B B B N O"), "net", "B B B N O")
    assert not match.over and match.seat == 1 and match.state.need == 4


def test_ps_t9_at_the_net_outs_double_in_the_second_check():
    match = play(rally("B B O O N"), "net", "B B N O O")
    assert match.over and match.winner == 1


def test_ps_t10_at_the_net_the_first_check_is_the_golden_rule():
    match = play(rally("B B O O N"), "net", "B B N N N")
    assert match.over and match.winner == 1


def test_ps_t11_a_hawk_eye_that_shows_out_wins_the_point_and_is_kept():
    match = start("B B B B O", hawk_eye=True, format="game")
    assert match.seat == 1 and legal(match) == {"hawk-eye", "roll"}
    play(match, "hawk-eye", "*O", "B B B E N")
    assert match.state.score.points.tolist() == [0, 1]
    assert match.state.hawk_eyes.tolist() == [3, 3]


@pytest.mark.parametrize(("die", "points", "left"), [("*B", [1, 0], 2), ("*N", [0, 1], 3), ("*E", [0, 1], 3)])
def test_ps_t12_a_hawk_eye_is_lost_only_to_a_ball(die, points, left):
    match = play(start("B B B B O", hawk_eye=True, format="game"), "hawk-eye", die, "B B B E N")
    assert match.state.score.points.tolist() == points
    assert match.state.hawk_eyes.tolist() == [3, left]


@pytest.mark.parametrize(
    ("name", "roll", "total"),
    [
        ("PS-T13 two halves are a success", "Bc Bc B O N", 4),
        ("PS-T16 a half left over is dropped", "Bc B B O N", 3),
        ("PS-T17 four Balls of the court", "Bc Bc Bc Bc O", 6),
    ],
)
def test_ps_t13_t16_t17_balls_of_the_court_count_one_and_a_half(name, roll, total):
    assert start(roll, "Bc B B E N" if total <= 4 else "Bc Bc Bc Bc E", surfaces=True).state.need == total
    assert start(roll, "Bc B B E N" if total <= 4 else "Bc Bc Bc Bc E", surfaces=True, surface="grass").state.need == total


def test_ps_t14_the_pro_die_counts_twice():
    match = start("B N O O *B", "B B E N *B", professional=True)
    assert match.seat == 1 and match.state.need == 3


def test_ps_t15_the_pro_die_counts_twice_against_the_roll_too():
    match = start("B O E E *N", professional=True, second_serve=False)
    assert match.over and match.winner == 1
    valid = start("B N O E E", second_serve=False)
    assert not valid.over and phase(valid) == "energy"


@pytest.mark.parametrize("options", [{}, {"professional": True}, {"surfaces": True}])
def test_ps_t18_five_balls_are_an_ace_or_a_passing_shot(options):
    five = "B B B B *B" if "professional" in options else "B B B B B"
    four = "B B O O *N" if "professional" in options else "B B O O N"
    ace = start(five, **options)
    assert ace.over and ace.winner == 0 and ace.decisions == 0
    returned = start(four, five, **options)
    assert returned.over and returned.winner == 1
    later = play(start(four, four, **options), "roll", five)
    assert later.over and later.winner == 0


def test_ps_t18_five_successes_are_no_ace():
    match = start("B B B B E", level="experienced")
    play(match, "remove", "B B B B E")
    assert not match.over and match.state.need == 5
    without = start("B B B B B", "B B B B B", "B B B B E", level="experienced", aces=False)
    assert not without.over and without.state.need == 5


def test_ps_t19_the_star_players_point():
    tony, helen = 0, 1
    match = start("Bc B N E E", level="star", professional=False, format="game")
    play(match, "pair", "Bc Bc N N O")  # 1: two Energies are a success; 2: Helen's two and two halves tie
    assert match.state.need == 3 and match.seat == tony and phase(match) == "stroke"
    assert match.state.dice.tolist() == [5, 5]
    play(match, "winner 4", "Bc B B O E")  # 3: three Balls are not the four called
    assert phase(match) == "energy" and successes(match.state) == 3
    play(match, "remove")
    assert match.seat == helen and match.state.need == 4 and match.state.dice[tony] == 4
    play(match, "roll", "B B B B N")  # 4: exactly four
    assert match.seat == tony and match.state.need == 4
    play(match, "roll", "Bc B B O")  # 5: three and a half, floored
    assert phase(match) == "stamina" and successes(match.state) == 3
    play(match, "stamina")
    assert match.seat == helen and match.state.need == 4 and match.state.dice[tony] == 3
    play(match, "net", "Bc B N N E")  # 6: two Balls, a half and two Nets
    assert phase(match) == "energy" and successes(match.state) == 4
    play(match, "play on")
    assert match.seat == tony and match.state.need == 4
    play(match, "roll", "Bc Bc O")  # 7
    assert successes(match.state) == 3
    play(match, "stamina")
    assert match.seat == helen and match.state.need == 4 and match.state.dice[tony] == 2
    play(match, "roll", "Bc Bc Bc Bc O")  # 8: six
    assert match.seat == tony and match.state.need == 6
    play(match, "hawk-eye", "*O", "Bc B O E")  # 9: out; the next serve is Tony's, with four dice
    assert match.state.score.points.tolist() == [1, 0]
    assert match.state.hawk_eyes.tolist() == [3, 3]
    assert (match.seat, match.state.dice[tony], match.state.tired[tony], match.state.spent[tony]) == (tony, 4, 1, 0)
