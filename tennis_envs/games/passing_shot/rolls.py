"""What every roll is worth, in one table: R3, R4, R15, R17, R18, R20 and R21 for all that the dice can show.

A total is counted in halves of a success, because a Ball of the court's own surface is worth one and a half (R20).
"""

from __future__ import annotations

import numpy as np

DICE = 5  # of each player
BALL_ON, BALL, OUT, NET, ENERGY = range(5)  # what a die shows; BALL_ON is a Ball of the court's own surface
FACES = 5
NO_FACE = -1
PLAIN, WINNER_CALLED, AT_NET = range(3)  # ways to strike, by which a roll is judged

ROLL = np.dtype(
    [
        ("balls", "i1"),  # Tennis Balls without any modification, the Pro die as one
        ("valid", "i1"),  # bit by bit, for each way to strike
        ("pro_face", "i1"),  # what the Pro die shows, NO_FACE without one
        ("outs", "i1"),  # dice that show Out, the Pro die as one
        ("lost", "i1"),  # ordinary dice that show Out or Net
        ("pro_lost", "i1"),  # 1 if the Pro die does
        ("net_play", "i1"),  # successes that the Nets add at the net
        ("thrown", "i1"),  # ordinary dice
        # The rest is shown as it stands (observation.py)
        ("table", "i1", (FACES,)),  # ordinary dice by what they show
        ("worth", "i1"),  # successes, those of used Energy included
        ("energy", "i1"),  # Energy results on ordinary dice, not yet used
        ("pro_energy", "i1"),  # and on the Pro die
    ]
)
assert ROLL.itemsize == 16  # one move of a wide register


def rolls(counts: np.ndarray) -> np.ndarray:
    """The table of ROLL records [.., 1 + face of the Pro die] for ordinary dice of `counts` [.., face]."""
    table = np.zeros((*counts.shape[:-1], 1 + FACES), ROLL)
    dice = counts[..., None, :].astype(int)
    pro = np.eye(1 + FACES, FACES, -1, int)  # nothing, then each face once
    as_one = dice + pro
    doubled = as_one + pro
    halves = 3 * (dice + 2 * pro)[..., BALL_ON] + 2 * (dice + 2 * pro)[..., BALL]
    good = _good(as_one, 1)
    table["valid"] = (
        (good & _good(doubled, 1)) << PLAIN
        | (_good(as_one, 2) & _good(doubled, 2)) << WINNER_CALLED
        | (good & (_balls(doubled) + doubled[..., NET] >= 2 * doubled[..., OUT])) << AT_NET
    )
    table["balls"], table["worth"] = _balls(as_one), halves // 2
    table["pro_face"], table["outs"] = np.arange(-1, FACES), as_one[..., OUT]
    table["lost"], table["pro_lost"] = (dice[..., OUT] + dice[..., NET]), (pro[..., OUT] + pro[..., NET])
    table["net_play"], table["thrown"] = doubled[..., NET], dice.sum(axis=-1)
    table["table"] = dice
    table["energy"], table["pro_energy"] = dice[..., ENERGY], 2 * pro[..., ENERGY]
    return table


def _balls(shown: np.ndarray) -> np.ndarray:
    return shown[..., BALL_ON] + shown[..., BALL]


def _good(shown: np.ndarray, times: int) -> np.ndarray:
    """R4, R17. The golden rule: as many Balls as Outs, and as Nets, or twice as many for a Winner."""
    return (_balls(shown) >= times * shown[..., OUT]) & (_balls(shown) >= times * shown[..., NET])
