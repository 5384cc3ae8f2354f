"""Passing Shot in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tennis_envs.core.chance import TAPE
from tennis_envs.core.dice import pool, row_of
from tennis_envs.core.kernels import new_chance
from tennis_envs.core.scoring import points_text, set_format, sets_text
from tennis_envs.games.passing_shot.actions import ACTIONS, HAWK_EYE
from tennis_envs.games.passing_shot.options import PassingShotOptions
from tennis_envs.games.passing_shot.rolls import BALL, BALL_ON, DICE, ENERGY, FACES, NET, NO_FACE, OUT
from tennis_envs.games.passing_shot.rules import decide, dice_left, is_ensured, play_on, successes, valid
from tennis_envs.games.passing_shot.state import (
    CALL_ENSURE,
    CALL_NET,
    FORMAT,
    NEXT_POINT,
    NO_CALL,
    OVER,
    PHASES,
    PRO_IN,
    PRO_NONE,
    PRO_TIRED,
    SECOND,
    SECOND_SERVE,
    SERVE,
    STROKES,
    SURFACES,
    TOSS,
)

LETTERS = {"Bc": BALL_ON, "B": BALL, "O": OUT, "N": NET, "E": ENERGY}
_SYMBOLS = {face: letter for letter, face in LETTERS.items()}


def dice(faces: str, *, surfaces: bool = False) -> list[int]:
    """A tape for one roll: "Bc Bc B O N" for ordinary dice (Bc is a Ball of the court's surface), "B B N O *O" with the Pro die.

    `surfaces` must be what the match's option of that name is. A roll of the Pro die alone is "*B".
    """
    ordinary = [LETTERS[face] for face in faces.split() if not face.startswith("*")]
    pro = [LETTERS[face[1:]] for face in faces.split() if face.startswith("*")]
    table = pool(DICE, (1, 2, 1, 1, 1) if surfaces else (0, 3, 1, 1, 1))
    counts = [ordinary.count(face) for face in range(FACES)]
    return ([row_of(table, counts)] if ordinary else []) + pro


def faces_text(counts: Iterable[int], pro_face: int) -> str:
    """A roll as letters, the Pro die with a star."""
    letters = [letter for face, count in enumerate(counts) for letter in [_SYMBOLS[face]] * int(count)]
    if pro_face != NO_FACE:
        letters.append("*" + _SYMBOLS[int(pro_face)])
    return " ".join(letters)


def _call_text(call: int) -> str:
    if call > CALL_ENSURE:
        return " to ensure"
    return {NO_CALL: "", CALL_NET: " at the net"}.get(call, f" calling a Winner of {call}")


def _hand_text(options: PassingShotOptions, state: np.void, player: int) -> str:
    parts = [f"{dice_left(state, player)} dice"]
    if options.professional:
        where = {PRO_IN: "with", PRO_TIRED: "has given up", PRO_NONE: "without"}.get(int(state.pro[player]), "has removed")
        parts.append(f"{where} the Pro die")
    if state.tired[player]:
        parts.append(f"{state.tired[player]} given up")
    if state.spent[player]:
        parts.append(f"{state.spent[player]} Energy removed")
    if options.hawk_eye:
        parts.append(f"{state.hawk_eyes[player]} Hawk-Eyes")
    if options.concentration:
        parts.append(f"{state.concentration[player]} concentration")
    return ", ".join(parts)


def narrate(
    options: PassingShotOptions,
    rules: np.ndarray,
    states: np.ndarray,
    action: int,
    outcomes: list[int],
    seat: int,
    names: Sequence[str],
) -> list[str]:
    """A decision and every roll that follows it up to the next one. All dice are public, so all seats see the same."""
    rule, state = rules.view(np.recarray)[0], states.view(np.recarray)[0]
    chances = new_chance()
    chances["mode"], chances["given"] = TAPE, len(outcomes)
    chances["outcome"][0, : len(outcomes)] = outcomes
    chance = chances.view(np.recarray)[0]
    lines = [f"{names[state.seat]}: {ACTIONS.name(action)}"]
    lead, mover = int(state.lead), int(state.seat)
    decide(rule, state, chance, action)
    if action == HAWK_EYE:
        lines.append("the ball was out" if (state.lead > lead) == (mover == 0) else "the ball was in")
    lines += _point_text(options, state, lead, names)
    while state.phase >= NEXT_POINT:
        lead = int(state.lead)
        first = state.phase == NEXT_POINT
        striker = int(state.score.server if first else state.striker)
        stroke = SERVE if first else int(state.stroke)
        need = f" (to match {state.need})" if stroke > SECOND_SERVE else ""
        play_on(rule, state, chance)
        roll = f"{faces_text(state.roll.table, state.roll.pro_face)} = {successes(state)}"
        good = "" if is_ensured(state.call) or valid(state) else ", no good"
        lines.append(f"{names[striker]}, {STROKES[stroke]}{_call_text(int(state.call))}: {roll}{good}{need}")
        lines += _point_text(options, state, lead, names)
    return lines


def _point_text(options: PassingShotOptions, state: np.void, lead: int, names: Sequence[str]) -> list[str]:
    """Who won the point, if one was won since the lead was `lead`, and the score."""
    if state.lead == lead:
        return []
    return [f"point to {names[0 if state.lead > lead else 1]}: {_score_text(options, state)}"]


def _score_text(options: PassingShotOptions, state: np.void) -> str:
    if state.over:
        return f"sets {sets_text(state.score, over=True)}"
    format = np.zeros(1, FORMAT)
    set_format(format[0], options.format)
    return f"sets {sets_text(state.score)}, game {points_text(format[0], state.score)}"


def describe(options: PassingShotOptions, state: np.void, seat: int) -> str:
    """The position in a few lines."""
    score = state.score
    names = ["you" if player == seat else "opponent" for player in range(2)]
    lines = [_score_text(options, state)]
    if not state.over:
        lines[0] += f", {names[score.server]} serving"
    if options.surfaces:
        lines[0] += f", on {SURFACES[state.surface]}"
    lines += [f"{names[player]}: {_hand_text(options, state, player)}" for player in (seat, 1 - seat)]
    if state.phase == OVER:
        lines.append(f"match to {names[state.winner]}")
        return "\n".join(lines)
    if state.phase != TOSS and (state.roll.table.any() or state.roll.pro_face != NO_FACE):
        lines.append(f"last roll{_call_text(int(state.call))}: {faces_text(state.roll.table, state.roll.pro_face)}")
        if state.phase != SECOND:
            lines[-1] += f" = {successes(state)}"
    if state.phase != TOSS and state.need > 0:
        lines.append(f"to match: {state.need} ({STROKES[state.stroke]} of {names[state.striker]})")
    lines.append(f"{names[state.seat]} to decide: {PHASES[state.phase]}")
    return "\n".join(lines)
