"""The table of rolls against the rules, die by die."""

from fractions import Fraction

import numpy as np
import pytest

from tennis_envs.games.passing_shot import GAME
from tennis_envs.games.passing_shot.rolls import AT_NET, BALL, BALL_ON, DICE, ENERGY, NET, NO_FACE, OUT, PLAIN, WINNER_CALLED

WORTH = {BALL_ON: Fraction(3, 2), BALL: Fraction(1)}  # R20


@pytest.mark.parametrize("surfaces", [False, True])
def test_every_roll_is_worth_what_its_dice_are(surfaces):
    rules = GAME.rules(GAME.parse(surfaces=surfaces))[0]
    checked = 0
    for dice in range(DICE + 1):
        for row in range(rules["pool"]["rows"][dice]):
            faces = np.repeat(np.arange(5), rules["pool"]["counts"][dice, row]).tolist()
            for pro in range(NO_FACE, 5):
                check(rules["rolls"][dice, row, 1 + pro], faces, pro)
                checked += 1
    assert checked == 6 * sum(rules["pool"]["rows"])


def check(roll, faces, pro):
    pros = [] if pro == NO_FACE else [pro]
    once, doubled = faces + pros, faces + 2 * pros  # R21: first as one die, then its face counts twice

    def golden(shown, times):  # R4, R17
        balls = sum(face in WORTH for face in shown)
        return balls >= times * shown.count(OUT) and balls >= times * shown.count(NET)

    total = sum(WORTH.get(face, 0) for face in doubled)
    assert roll["worth"] == int(total)
    assert roll["worth"] + roll["net_play"] == int(total + doubled.count(NET))  # R18
    good_at_net = golden(once, 1) and sum(face in (BALL_ON, BALL, NET) for face in doubled) >= 2 * doubled.count(OUT)
    for way, good in (
        (PLAIN, golden(once, 1) and golden(doubled, 1)),
        (WINNER_CALLED, golden(once, 2) and golden(doubled, 2)),
        (AT_NET, good_at_net),
    ):
        assert (roll["valid"] >> way) & 1 == good, (faces, pro, way)
    assert roll["balls"] == sum(face in WORTH for face in once)
    assert roll["outs"] == once.count(OUT)
    assert roll["lost"] == faces.count(OUT) + faces.count(NET) and roll["pro_lost"] == (pro in (OUT, NET))
    assert roll["thrown"] == len(faces) and roll["pro_face"] == pro
    assert roll["table"].tolist() == [faces.count(face) for face in range(5)]
    assert (roll["energy"], roll["pro_energy"]) == (faces.count(ENERGY), 2 * (pro == ENERGY))
