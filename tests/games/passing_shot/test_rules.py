"""Every rule and decision beyond the worked examples, in the rulebook's order."""

import pytest
from scripted_dice import legal, phase, play, put, rally, start

from tennis_envs import Match
from tennis_envs.games.passing_shot.rules import successes
from tennis_envs.games.passing_shot.state import PRO_IN, PRO_SPENT, PRO_TIRED
from tennis_envs.games.passing_shot.text import dice

# Basic match


@pytest.mark.parametrize("roll", ["B O O N E", "B O N N E", "O E E E E", "N E E E E", "B B O O O"])
def test_a_roll_with_more_outs_or_nets_than_balls_is_not_valid(roll):
    match = start(roll, level="beginner")
    assert match.over and match.winner == 1


@pytest.mark.parametrize("roll", ["B O N E E", "B B O N E", "B B N N E", "E E E E E"])
def test_balls_are_compared_with_outs_and_nets_one_by_one_and_energy_never_counts(roll):
    match = start(roll, level="beginner")
    assert phase(match) == "energy" and successes(match.state) == roll.count("B")


def test_a_return_to_a_serve_of_nothing_only_has_to_be_valid():
    served = start("E E E E E", level="beginner")
    held = play(served.clone(), "play on", "B O N E E")
    assert held.seat == 1 and held.state.need == 0
    lost = play(served, "play on", "B B O O O")
    assert lost.over and lost.winner == 0


def test_the_basic_game_only_removes_energy():
    match = start("B B E E N", level="beginner")
    assert legal(match) == {"remove", "play on"}
    play(match, "remove")
    play(match, "remove", "B B B B E")
    assert match.state.need == 4 and match.state.dice.tolist() == [3, 5] and match.state.spent.tolist() == [2, 0]


def test_a_server_may_invest_more_than_any_need():
    match = play(start("B B B B E", level="beginner"), "remove", "B B B B E")
    assert match.state.need == 5


def test_removed_energy_dice_come_back_at_the_end_of_the_point():
    match = play(start("B B B E N", level="beginner", format="game"), "remove", "B B O N N", "B B B E N")
    assert match.state.score.points.tolist() == [1, 0]
    assert match.state.dice.tolist() == [5, 5] and match.state.spent.tolist() == [0, 0]


def test_who_has_no_dice_left_loses_the_point():
    match = start("E E E E E", level="beginner")
    for _ in range(4):
        play(match, "remove")
    play(match, "remove", "B B B B E")
    assert match.state.need == 5 and match.state.dice[0] == 0
    play(match, "remove")
    assert match.over and match.winner == 1


def test_who_has_no_dice_left_may_still_challenge():
    match = put(start("B B E E E", level="beginner", hawk_eye=True), dice=(3, 5), spent=(2, 0))
    play(match, "remove")
    play(match, "remove")
    play(match, "remove", "B B B O E")
    put(match, need=3)
    play(match, "play on")
    assert match.state.dice[0] == 0
    assert match.seat == 0 and legal(match) == {"hawk-eye", "concede"}
    conceded = play(match.clone(), "concede")
    assert conceded.over and conceded.winner == 1
    won = play(match, "hawk-eye", "*N")
    assert won.over and won.winner == 0


# Toss


@pytest.mark.parametrize(("action", "server"), [("serve first", 0), ("receive first", 1)])
def test_the_winner_of_the_toss_serves_or_receives(action, server):
    match = Match("passing_shot", level="beginner", tape=[1, *dice("B B B E N")])
    assert match.seat == 1 and legal(match) == {"serve first", "receive first"}
    match.apply(action)
    assert match.state.score.server == (1 if server == 0 else 0) == match.seat


@pytest.mark.parametrize("server", [0, 1])
def test_who_serves_first_can_be_given_or_drawn(server):
    given = start("B B B E N", level="beginner", first_server=f"player_{server}")
    drawn = Match("passing_shot", level="beginner", first_server="random", tape=[server, *dice("B B B E N")])
    assert given.state.score.server == drawn.state.score.server == server


# Stamina


def test_stamina_is_only_for_exactly_the_missing_successes():
    match = start("B B B B N", "B B O N N", level="experienced")
    assert legal(match) == {"stamina", "concede"}
    play(match, "stamina", "B B B B E")
    assert match.state.need == 4 and match.state.dice.tolist() == [5, 3] and match.state.tired.tolist() == [0, 2]


def test_stamina_may_be_refused():
    match = play(start("B B B B N", "B B O N N", level="experienced"), "concede")
    assert match.over and match.winner == 0


def test_only_outs_and_nets_can_be_given_up():
    enough = start("B B B B N", "B B E E N", level="experienced")
    play(enough, "play on")
    assert enough.over and enough.winner == 0  # two are missing, and one Net is too few
    one = play(play(start("B B B B N", "B B E E N", level="experienced"), "remove"), "play on")
    assert legal(one) == {"stamina", "concede"}
    play(one, "stamina", "B B B B E")
    assert one.state.dice[1] == 3 and one.state.tired[1] == 1 and one.state.spent[1] == 1


def test_a_server_cannot_use_stamina():
    match = start("B O N E E", level="experienced")
    play(match, "play on", "B B E O N")
    assert match.seat == 1 and match.state.need == 1


def test_without_the_rule_there_is_no_stamina():
    match = start("B B B B N", "B B O N N", level="experienced", stamina=False)
    assert match.over and match.winner == 0


@pytest.mark.parametrize(
    ("tired", "lost", "points", "serve", "back"),
    [
        (3, "B O", (0, 0), "B B B E N", 1),
        (3, "B O", (3, 0), "B B B E", 2),
        (1, "B O O O", (3, 0), "B B B E N", 1),
        (0, "B O O O N", (1, 1), "B B B E N", 0),
    ],
)
def test_one_die_comes_back_after_a_point_and_two_after_a_game(tired, lost, points, serve, back):
    match = start("B B B E N", level="experienced", format="set")
    put(match, dice=(5, 5 - tired), tired=(0, tired), points=points)
    play(match, "play on", lost, serve)
    assert match.state.score.games.sum() == (points == (3, 0))
    assert match.state.tired[1] == tired - back and match.state.dice[1] == 5 - tired + back


@pytest.mark.parametrize(("points", "serve", "back"), [((2, 0), "B E", 1), ((6, 0), "B B E", 2)])
def test_a_tie_break_is_recovered_from_as_a_game(points, serve, back):
    match = start("B B B E N", level="experienced", concentration=False, format="best_of_3")
    put(match, dice=(5, 1), tired=(0, 4), points=points, games=(6, 6), tiebreak=1)
    play(match, "play on", "O", serve)
    assert match.state.score.sets.sum() == (back == 2)
    assert match.state.tired[1] == 4 - back and match.state.dice[1] == 1 + back


def test_nobody_ever_has_more_than_five_dice():
    match = put(start("B B B E N", level="experienced", format="set"), dice=(5, 4), tired=(0, 1), points=(3, 0))
    play(match, "play on", "B O O N", "B B B E N")
    assert match.state.dice.tolist() == [5, 5] and match.state.tired.tolist() == [0, 0]


# Energy


def test_each_energy_result_is_used_once():
    match = put(start("B B E E E", level="experienced"), dice=(5, 5))
    assert legal(match) == {"remove", "pair", "play on"}
    play(match, "pair")
    assert successes(match.state) == 3 and match.state.dice[0] == 5 and legal(match) == {"remove", "play on"}
    play(match, "remove", "B B B B E")
    assert match.state.need == 4 and match.state.dice[0] == 4


def test_an_energy_result_recovers_a_die_and_stays():
    match = put(start("B B E E N", level="experienced"), dice=(4, 5), tired=(1, 0))
    assert legal(match) == {"remove", "pair", "recover", "play on"}
    play(match, "recover")
    assert match.state.dice[0] == 5 and match.state.tired[0] == 0 and legal(match) == {"remove", "play on"}
    play(match, "play on", "B B B B E")
    assert match.state.need == 2 and match.state.spent[0] == 0


def test_only_what_was_given_up_is_recovered():
    match = put(start("B B E N N", level="experienced"), dice=(3, 5), spent=(2, 0))
    assert legal(match) == {"remove", "play on"}


def test_energy_comes_before_stamina():
    match = start("B B B B N", "B B E O N", level="experienced")
    assert phase(match) == "energy"
    play(match, "remove")
    assert phase(match) == "stamina" and match.state.need - successes(match.state) == 1


def test_enough_for_two_pairs():
    match = start("B E E E E", level="experienced")
    play(match, "pair")
    play(match, "pair", "B B B B E")
    assert match.state.need == 3 and match.state.dice[0] == 5


# Aces and passing shots


def test_four_balls_of_four_dice_are_no_passing_shot():
    match = put(start("B B E O N", level="experienced"), dice=(4, 5), tired=(1, 0))
    play(match, "play on", "B B O O N", "B B B B", "B B B B E")
    assert not match.over and match.state.need == 4 and match.seat == 1


# Second serve


def test_a_failed_first_serve_may_be_ensured_or_risked():
    match = start("B B O O O", level="experienced")
    assert (match.seat, legal(match)) == (0, {"risk", "ensure 1", "ensure 2", "ensure 3"})


def test_with_few_dice_few_can_ensure():
    match = start("B B O O O", level="experienced", format="game")
    put(match, dice=(2, 5), tired=(3, 0))
    assert legal(match) == {"risk", "ensure 1", "ensure 2"}


@pytest.mark.parametrize(("roll", "total"), [("B O O", 1), ("B B N", 2), ("B B B", 3), ("B E E", 1)])
def test_only_balls_count_of_an_ensured_serve(roll, total):
    match = play(start("B B O O O", level="experienced", hawk_eye=True), "ensure 3", roll, "B B B E O")
    assert match.seat == 1 and match.state.need == total and phase(match) == "energy"  # its Outs are no ground to challenge


def test_the_courts_own_ball_counts_more_in_an_ensured_serve():
    match = play(start("B B O O O", level="experienced", surfaces=True), "ensure 2", "Bc Bc", "B B B E O")
    assert match.state.need == 3


def test_an_ensured_serve_uses_up_no_dice():
    match = play(start("B B O O O", level="experienced"), "ensure 1", "B", "B B B O N", "B B B E N")
    assert match.seat == 0 and match.state.roll.table.sum() == 5


def test_an_ensured_serve_without_a_ball_loses_the_point():
    match = play(start("B B O O O", level="experienced", concentration=False), "ensure 2", "O E")
    assert match.over and match.winner == 1


def test_a_risked_serve_that_fails_loses_the_point():
    match = play(start("B B O O O", level="experienced"), "risk", "B O O N E")
    assert match.over and match.winner == 1


def test_a_risked_serve_is_a_serve_in_all_else():
    aced = play(start("B B O O O", level="experienced"), "risk", "B B B B B")
    assert aced.over and aced.winner == 0
    match = play(start("B B O O O", level="experienced"), "risk", "B B E O N")
    assert phase(match) == "energy"
    play(match, "play on", "B B B E N")
    assert match.state.need == 2 and match.seat == 1
    challenged = play(start("B B O O O", level="experienced", hawk_eye=True), "risk", "B B B O N")
    assert legal(challenged) == {"hawk-eye", "roll"}


def test_a_return_has_no_second_try():
    match = start("B B B N N", "B B O O O", level="experienced")
    assert match.over and match.winner == 0


def test_without_the_rule_there_is_no_second_serve():
    match = start("B B O O O", level="experienced", second_serve=False)
    assert match.over and match.winner == 1


# Concentration


def test_concentration_comes_before_the_second_serve():
    match = start("O O N N E", level="experienced")
    assert legal(match) == {"concentrate", "accept"}
    accepted = play(match.clone(), "accept")
    assert phase(accepted) == "second serve" and accepted.state.concentration[0] == 1
    play(match, "concentrate", "B B O O O")
    assert phase(match) == "second serve" and match.state.concentration[0] == 0


def test_concentration_throws_the_same_dice():
    match = start("B B O O O", level="experienced")
    play(match, "ensure 2", "O E")
    assert phase(match) == "re-roll"
    play(match, "concentrate", "B O", "B B B E N")
    assert match.state.need == 1


def test_concentration_can_be_spent_again_while_there_is_some():
    match = put(start("O O N N E", level="experienced"), concentration=(2, 1))
    play(match, "concentrate", "O O N N E")
    assert phase(match) == "re-roll"
    play(match, "concentrate", "O O N N E")
    assert phase(match) == "second serve" and match.state.concentration[0] == 0


def test_a_roll_of_nothing_but_energy_may_be_kept():
    match = play(start("E E E E E", level="experienced"), "accept")
    assert phase(match) == "energy" and successes(match.state) == 0


def test_a_roll_with_a_ball_gives_no_concentration():
    match = start("B B O O O", level="experienced")
    assert phase(match) == "second serve"


@pytest.mark.parametrize(("points", "tiebreak", "more"), [((3, 0), 0, 1), ((3, 1), 0, 0), ((6, 0), 1, 0)])
def test_a_love_game_earns_concentration_but_no_tie_break_does(points, tiebreak, more):
    match = start("B B B E N", level="experienced", format="best_of_3")
    put(match, points=points, tiebreak=tiebreak, games=(6, 6) if tiebreak else (0, 0))
    play(match, "play on", "B O O N N", "B B B E N")
    assert match.state.score.points.sum() == 0
    assert match.state.concentration.tolist() == [1 + more, 1]


def test_without_the_rule_love_games_earn_nothing():
    match = put(start("B B B E N", level="beginner", format="set"), points=(3, 0))
    play(match, "play on", "B O O N N", "B B B E N")
    assert match.state.concentration.tolist() == [0, 0]


# Winner


def test_a_winner_is_called_between_the_need_and_the_dice():
    assert legal(rally("B B B N O")) == {"roll", "net", "winner 3", "winner 4", "winner 5"}
    assert legal(put(rally("B B B N O"), dice=(4, 5))) == {"roll", "net", "winner 3", "winner 4"}
    assert legal(put(rally("B B B N O"), dice=(3, 5))) == {"roll", "net"}
    assert legal(put(rally("B B B N O"), need=6)) == {"roll", "net"}
    assert legal(rally("B B B N O", winner=False)) == {"roll", "net"}
    assert legal(rally("B B B N O", net=False)) == {"roll", "winner 3", "winner 4", "winner 5"}


def test_serve_and_return_have_no_calls():
    served = start("B B B O N", hawk_eye=True)
    assert legal(served) == {"hawk-eye", "roll"}


@pytest.mark.parametrize("roll", ["B B B O E", "B B B N E", "B B B O N", "B B B E E"])
def test_a_winner_that_hits_ends_the_point(roll):
    match = play(rally("B B B N O"), "winner 3", roll)
    assert match.over and match.winner == 0


@pytest.mark.parametrize("roll", ["B B B O O", "B B B N N", "B O E E E", "B N E E E"])
def test_outs_and_nets_double_after_a_winner_is_called(roll):
    match = play(rally("B B B N O", concentration=False), "winner 3", roll)
    assert match.over and match.winner == 1


def test_a_winner_is_counted_in_balls_not_in_their_worth():
    match = play(rally("Bc B B N O", surfaces=True), "winner 3", "Bc Bc B O E")
    assert match.over and match.winner == 0
    missed = play(rally("Bc B B N O", surfaces=True), "winner 4", "Bc Bc B E E")
    assert not missed.over and phase(missed) == "energy" and successes(missed.state) == 4


def test_a_missed_winner_may_still_be_saved():
    match = play(rally("B B B N O"), "winner 3", "B B E O E")
    assert phase(match) == "energy"
    play(match, "remove")
    play(match, "play on")
    assert match.seat == 1 and match.state.need == 3
    stretched = play(rally("B B B N O"), "winner 4", "B B O E E")
    play(stretched, "play on")
    assert phase(stretched) == "stamina"


def test_a_missed_winner_that_is_too_weak_loses():
    match = play(rally("B B B B O", stamina=False), "winner 4", "B B B O E")
    play(match, "play on")
    assert match.over and match.winner == 1


# Net


def test_nets_add_whole_successes_at_the_net():
    match = play(rally("B B B N O", surfaces=True), "net", "Bc B N O E")
    assert successes(match.state) == 3  # one and a half, one and one, without the half


def test_at_the_net_there_is_no_stamina():
    match = play(rally("B B B B O"), "net", "B B N O O")
    assert match.over and match.winner == 1
    weak = play(rally("B B B B O"), "net", "B B N O E")
    play(weak, "play on")
    assert weak.over and weak.winner == 1


def test_the_net_is_left_again_after_the_stroke():
    match = play(rally("B B B N O"), "net", "B B B N N")
    play(match, "roll", "B B B B E")
    play(match, "remove")
    assert (match.seat, match.state.need) == (0, 5)
    assert "net" in legal(match) and "winner 5" in legal(match)


# Hawk-Eye


def test_a_challenge_needs_an_out_and_a_hawk_eye():
    assert start("B B B N N", "B B B E N", hawk_eye=True).state.need == 3  # no Out: nothing to ask
    match = put(start("B B B O N", hawk_eye=True), hawk_eyes=(3, 0))
    assert legal(match) == {"roll"}


def test_a_winner_that_hits_can_be_challenged():
    match = play(rally("B B B N O", "B B B N N", hawk_eye=True), "winner 3", "B B B O E")
    assert (match.seat, phase(match), legal(match)) == (1, "winner hit", {"hawk-eye", "concede"})
    assert play(match.clone(), "concede").winner == 0
    assert play(match.clone(), "hawk-eye", "*E").winner == 1
    assert play(match, "hawk-eye", "*B").winner == 0


def test_a_winner_without_an_out_cannot_be_challenged():
    assert play(rally("B B B N O", "B B B N N", hawk_eye=True), "winner 3", "B B B N E").winner == 0


@pytest.mark.parametrize(("games", "left"), [((4, 2), [1, 0]), ((5, 2), [3, 3])])
def test_hawk_eyes_are_three_again_in_every_set(games, left):
    match = start("B B B E N", hawk_eye=True, format="best_of_3")
    put(match, hawk_eyes=(1, 0), points=(3, 0), games=games)
    play(match, "play on", "B N N O O", "B B B E N")
    assert match.state.score.sets[0] == (games == (5, 2)) and match.state.hawk_eyes.tolist() == left


def test_a_lost_hawk_eye_stays_lost_for_the_set():
    match = play(start("B B B B O", hawk_eye=True, format="game"), "hawk-eye", "*B", "B B B E N")
    play(match, "play on", "B N N O O", "B B B E N")
    assert match.state.score.points.tolist() == [2, 0]
    assert match.state.hawk_eyes.tolist() == [3, 2]


# Surfaces


@pytest.mark.parametrize(("court", "outcome"), [("clay", 0), ("grass", 1), ("hard", 2)])
def test_the_court_is_given_or_drawn(court, outcome):
    given = Match("passing_shot", seed=0, surface=court)
    drawn = Match("passing_shot", surface="random", tape=[outcome, 0])
    assert given.state.surface == drawn.state.surface == outcome
    assert court in given.describe()


def test_without_the_rule_no_ball_is_the_courts_own():
    match = start("B B O O O", level="experienced")
    assert dict(match.chance_events("ensure 1")) == {dice(face)[0]: n for face, n in zip("BONE", (3, 1, 1, 1), strict=True)}


@pytest.mark.parametrize(("uses", "total"), [(["play on"], 3), (["pair"], 4), (["remove", "play on"], 4)])
def test_halves_are_dropped_last(uses, total):
    match = start("Bc B B E E", surfaces=True)
    for use in uses[:-1]:
        play(match, use)
    play(match, uses[-1], "Bc Bc Bc B E")
    assert match.state.need == total


# Professional


@pytest.mark.parametrize(
    ("roll", "total"),
    [("B O N E *B", 3), ("Bc O N E *B", 3), ("B O N E *Bc", 4), ("Bc O N E *Bc", 4), ("B B O E *N", 2)],
)
def test_the_pro_die_doubles(roll, total):
    match = start(roll, surfaces=True, professional=True)
    assert phase(match) == "energy" and successes(match.state) == total


@pytest.mark.parametrize("roll", ["B B O N *O", "B B N N *O", "B O E E *B", "B E E N *N", "B B O O *N", "B O O E *B"])
def test_a_roll_must_hold_before_and_after_the_pro_die_doubles(roll):
    """Valid: at least as many Balls as Outs and as Nets, counted plainly, and again with the Pro die counted twice."""
    ordinary, pro = roll.split(" *")
    faces = ordinary.split()
    plain = [faces.count(kind) + (pro == kind) for kind in "BON"]
    doubled = [faces.count(kind) + 2 * (pro == kind) for kind in "BON"]
    valid = all(hits >= max(outs, nets) for hits, outs, nets in (plain, doubled))
    if valid:
        match = start(roll, *([] if "E" in roll else ["B O E E *B"]), professional=True, second_serve=False)
        assert not match.over
    else:
        match = start(roll, professional=True, second_serve=False)
        assert match.over and match.winner == 1


def test_a_roll_that_fails_before_doubling_is_not_saved_by_it():
    match = start("B O O O *B", professional=True, second_serve=False)  # two Balls for three Outs
    assert match.over and match.winner == 1


def test_the_pro_dies_energy_is_two_results():
    match = start("B B O N *E", professional=True)
    assert legal(match) == {"remove pro", "pair pro", "play on"}
    removed = play(match.clone(), "remove pro", "B B B O *E")
    assert successes(removed.state) == 3 and removed.state.need == 4
    assert removed.state.pro[0] == PRO_SPENT and removed.state.dice[0] == 4
    paired = play(match.clone(), "pair pro", "B B B O *E")
    assert paired.state.need == 3 and paired.state.pro[0] == PRO_IN
    tired = put(match, dice=(2, 4), tired=(2, 0))
    assert legal(tired) == {"remove pro", "pair pro", "recover by pro", "play on"}
    play(tired, "recover by pro")
    assert legal(tired) == {"recover by pro", "play on"} and tired.state.dice[0] == 3
    play(tired, "recover by pro", "B B B O *E")
    assert tired.state.dice[0] == 4 and tired.state.need == 2 and tired.state.pro[0] == PRO_IN


def test_a_half_used_pro_die_pairs_with_an_ordinary_energy():
    match = put(start("B B E N *E", professional=True), dice=(3, 4), tired=(1, 0))
    play(match, "recover by pro")
    assert legal(match) == {"remove", "pair", "play on"}
    play(match, "pair", "B B B O *E")
    assert match.state.need == 3 and match.state.dice[0] == 4 and match.state.pro[0] == PRO_IN


def test_a_removed_pro_die_comes_back_after_the_point():
    match = play(start("B B O N *E", professional=True, format="game"), "remove pro", "B O O N *N", "B B O E *N")
    assert match.state.score.points.tolist() == [1, 0] and match.state.pro.tolist() == [PRO_IN, PRO_IN]


def test_the_pro_die_given_up_counts_once():
    match = start("B B B B *N", "B B B N *N", professional=True)
    assert match.state.need == 4 and legal(match) == {"stamina", "stamina pro", "concede"}
    ordinary = play(match.clone(), "stamina")
    assert ordinary.state.need == 4 and ordinary.state.dice[1] == 3 and ordinary.state.pro[1] == PRO_IN
    play(match, "stamina pro")
    assert match.state.need == 4 and match.state.dice[1] == 4 and match.state.pro[1] == PRO_TIRED
    assert match.seat == 0


def test_the_pro_die_alone_may_be_all_that_can_be_given_up():
    match = start("B B B B *N", "B B B E *O", professional=True)
    play(match, "play on")
    assert legal(match) == {"stamina pro", "concede"}


def test_an_energy_result_recovers_the_pro_die():
    match = start("B B B B *N", "B B B N *N", professional=True)
    play(match, "stamina pro")
    play(match, "roll", "B B B B *N")
    play(match, "roll", "B B B E")
    assert legal(match) == {"remove", "recover pro", "play on"}
    play(match, "recover pro")
    assert match.over  # three for four, and nothing to give up


def test_who_has_given_up_both_kinds_chooses_which_die_comes_back():
    match = start("B B O E *N", professional=True, format="game")
    put(match, dice=(2, 4), tired=(2, 0), pro=(PRO_TIRED, PRO_IN))
    play(match, "play on", "B N N O *O")
    assert (match.seat, phase(match), legal(match)) == (0, "recovery", {"recover", "recover pro"})
    ordinary = play(match.clone(), "recover", "B B E")
    assert ordinary.state.dice[0] == 3 and ordinary.state.pro[0] == PRO_TIRED
    play(match, "recover pro", "B E *B")
    assert match.state.dice[0] == 2 and match.state.pro[0] == PRO_IN and match.state.tired[0] == 2


def test_after_a_game_two_dice_come_back_one_choice_at_a_time():
    match = start("B B O E *N", professional=True, format="set")
    put(match, dice=(2, 4), tired=(2, 0), pro=(PRO_TIRED, PRO_IN), points=(3, 1))
    play(match, "play on", "B N N O *O")
    both = play(match.clone(), "recover pro", "B B O E *N")
    assert both.state.dice[0] == 3 and both.state.tired[0] == 1 and both.state.pro[0] == PRO_IN
    play(match, "recover")
    assert phase(match) == "recovery"
    play(match, "recover", "B B O E *N")
    assert match.state.dice[0] == 4 and match.state.pro[0] == PRO_TIRED


def test_nothing_is_asked_where_all_dice_come_back():
    match = start("B B O E *N", professional=True, format="set")
    put(match, dice=(3, 4), tired=(1, 0), pro=(PRO_TIRED, PRO_IN), points=(3, 1))
    play(match, "play on", "B N N O *O", "B B O E *N")
    assert match.state.dice[0] == 4 and match.state.pro[0] == PRO_IN and match.state.tired[0] == 0


def test_the_pro_die_is_not_thrown_to_ensure_a_serve():
    match = start("B B O O *O", professional=True)
    assert legal(match) == {"risk", "ensure 1", "ensure 2", "ensure 3"}
    play(match, "ensure 3", "B B N", "B B B E *N")
    assert match.state.need == 2
    one = put(start("B B O O *O", professional=True), dice=(1, 4), tired=(3, 0))
    assert legal(one) == {"risk", "ensure 1"}


def test_professional_can_bar_the_ensured_serve():
    match = start("B B O O *O", "B B O E *N", professional=True, pro_bars_ensure=True)
    assert match.seat == 0 and phase(match) == "energy"  # the risk was run without a question
    assert match.state.stroke == 1


def pro_rally():
    return rally("B B N N *O", "B B O O *N", professional=True)


def test_at_the_net_the_pro_die_doubles_as_net_and_as_out():
    match = play(pro_rally(), "net", "B B O E *N")
    assert successes(match.state) == 4
    held = play(pro_rally(), "net", "B B N N *O")
    assert not held.over and held.state.need == 4
    lost = play(pro_rally(), "net", "B B N E *O")  # three for an Out that counts four times
    assert lost.over and lost.winner == 1


def test_a_winner_doubles_the_pro_die_again():
    match = play(pro_rally(), "winner 4", "B B B E *O")
    assert match.over and match.winner == 1  # three for an Out that counts four times
    match = play(pro_rally(), "winner 3", "B B O E *B")
    assert match.over and match.winner == 0  # three Balls, whatever they are worth


def test_concentration_throws_the_pro_die_again():
    match = start("O O N N *E", professional=True)
    play(match, "concentrate", "B B O E *N")
    assert phase(match) == "energy" and successes(match.state) == 2


# What cannot be done


def test_illegal_actions_raise_and_change_nothing():
    match = rally("B B B N O")
    match.tape = dice("B B B E N")
    before, mask = match.state.tobytes(), match.mask()
    for action in range(-1, len(mask) + 1):
        if action < 0 or action == len(mask) or not mask[action]:
            with pytest.raises(ValueError):
                match.apply(action)
            assert match.state.tobytes() == before and (match.mask() == mask).all()
            assert match.tape == dice("B B B E N")
    with pytest.raises(ValueError, match="'hawk-eye' is not legal now: seat 0 may choose roll, net, winner 3"):
        match.apply("hawk-eye")
    with pytest.raises(ValueError, match="no action is called 'lob'"):
        match.apply("lob")


def test_nothing_can_be_done_after_the_match():
    match = start("O O N N B", level="beginner")
    with pytest.raises(ValueError, match="the match is over"):
        match.apply("roll")
    assert match.legal_actions() == [] and match.rewards.tolist() == [-1, 1]
