"""What a seat sees, as numbers: "flat" is what it may know, "full" adds all that is hidden.

Features about players come in table order, one's own first. In solo mode the automa is the second player.
"""

import numpy as np

from tennis_envs.core.game import Encoder
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.layout import Feature, Features
from tennis_envs.core.scoring import SCORE
from tennis_envs.core.views import paired, scaled, write_flag
from tennis_envs.games.sweet_spot.components import reference
from tennis_envs.games.sweet_spot.rules.stroke import ball_after, is_in, place_of, seen_ball, surcharge
from tennis_envs.games.sweet_spot.state import (
    AVATARS,
    BESIDE,
    DARK_BESIDE,
    DARK_RETURN,
    DECK_NAMES,
    DECKS,
    EFFECTS,
    KINDS,
    NO_FORCE,
    NOTHING,
    PHASES,
    PLAYER,
    SEATS,
    STATE,
    TURNED,
)
from tennis_envs.games.sweet_spot.vectors import write_four, write_two

_CARDS = tuple(card.name for card in reference().cards)
_AVATARS = tuple(avatar.name for avatar in reference().avatar)
_EFFECTS = _CARDS + _AVATARS
_LOWEST, _HIGHEST = 7, 26  # balls in play with a place of their own, the last for all above; one place for IN comes first
_BALLS = ("IN", *(str(ball) for ball in range(_LOWEST, _HIGHEST)), f"{_HIGHEST} or more")
_OTHERS = SEATS - 1
_HALF, _QUARTER, _FIFTH, _TENTH = np.float32(1 / 2), np.float32(1 / 4), np.float32(1 / 5), np.float32(1 / 10)
_THIRTIETH = np.float32(1 / 30)

_SHARED = (
    Feature("phase", len(PHASES), about="what this seat has to decide; 0 when another is to move", labels=PHASES),
    Feature("ball", len(_BALLS), about="the ball as this seat knows it, or as its Return leaves it", labels=_BALLS),
    Feature("ball_value", low=-1, high=4, about="the same, in units of 30"),
    Feature("shift", low=-3, high=3, about="what one's own cards face down add to the ball, in units of 10"),
    Feature("dark", 2, about="a card of the last return lies face down", labels=("Return", "accompanying card")),
    Feature("hitter", SEATS, about="who hit the ball last"),
    Feature("forced", about="1: the next return is forced"),
    Feature("force", low=-3, high=3, about="what it will do to the ball, in units of 10"),
    Feature("surcharge", high=5, about="stamina that a return would cost this seat beside its card, of five"),
    Feature("stage", 3, about="who is asked", labels=("last hitter of the team", "the other", "the first again")),
    Feature("kept", about="1: a first card is kept"),
    Feature("stamina", SEATS, about="stamina of every player, of ten"),
    Feature("free", SEATS, about="1: cards cost that player no stamina in this rally"),
    Feature(
        "mix",
        _OTHERS * DECKS,
        high=1.2,
        about="backs in the other hands, of ten; the automa's as if it held five Returns and five Tactics",
        labels=DECK_NAMES * _OTHERS,
    ),
    Feature("points", 2, about="points of one's own team and of the other, of four"),
    Feature("rounds", 2, about="rounds won by one's own team and by the other, of two"),
    Feature("seen", KINDS, high=10, about="used cards and cards on the table, in units of 4", labels=_CARDS),
    Feature("veiled", about="1: the last return has a hidden card, turned up or not"),
    Feature("strokes", high=3, about="times the ball has been hit in this rally, of twenty"),
    Feature("last_modifier", low=-12, high=12, about="what that did to the ball, if one can see it, in units of 10"),
    Feature("tax", high=4, about="extra stamina that the next return costs, of five"),
    Feature("barred", about="1: the next return cannot be accompanied"),
    Feature("winning", about="1: the point is lost unless the last card is cancelled"),
    Feature("reacted", about="1: the answering side has reacted to this ball already"),
    Feature("fault", about="1: after a Double Fault"),
    Feature("hand", KINDS, high=3, about="cards held, in units of 4", labels=_CARDS),
    Feature(
        "ability",
        AVATARS,
        low=-1,
        labels=_AVATARS,
        about="unused abilities: 1 one's own, 0.5 the partner's, -1 and -0.5 those of the players to the left and to the right",
    ),
    Feature("server", SEATS, about="who serves this round"),
    Feature("services", about="Service cards asked for, of ten"),
    Feature("discards", high=3, about="cards that may still be discarded, of ten"),
    Feature("room", high=1.2, about="cards below a full hand, of ten"),
)
FLAT = Features(*_SHARED)
FULL = Features(
    *_SHARED,
    Feature("to_move", SEATS, about="whose decision it is"),
    Feature("decision", len(PHASES), about="and what it is", labels=PHASES),
    Feature("avatar", SEATS * AVATARS, about="avatar of every player", labels=_AVATARS * SEATS),
    Feature("hands", _OTHERS * KINDS, high=3, about="the other hands, in units of 4", labels=_CARDS * _OTHERS),
    Feature("kept_card", KINDS, about="the card set aside at the end of a round", labels=_CARDS),
    Feature("table", KINDS, high=10, about="cards on the table, in units of 4", labels=_CARDS),
    Feature("face_ball", low=-4, high=4, about="the ball as everybody sees it, in units of 30"),
    Feature("true_ball", low=-4, high=4, about="the ball with the cards face down, in units of 30"),
    Feature("last_return", EFFECTS, about="what hit the ball last", labels=_EFFECTS),
    Feature("last_beside", EFFECTS, about="and what accompanied it", labels=_EFFECTS),
    Feature("true_modifier", low=-12, high=12, about="what it did to the ball, in units of 10"),
    Feature("making", EFFECTS, about="the Return that has been put down", labels=_EFFECTS),
    Feature("making_modifier", low=-3, high=3, about="its modifier, in units of 10"),
    Feature("reaction", EFFECTS, about="the reaction that may be answered", labels=_EFFECTS),
    Feature("last", 2 * SEATS, about="who hit the ball last in one's own team and in the other"),
    Feature("asked", 3, about="the stage at which the seat to move is asked"),
    Feature("all_discards", SEATS, high=3, about="cards that every player may still discard, of ten"),
    Feature("drawing", 2 * SEATS, about="Service cards that every player has asked for, then Tactics, of ten"),
    Feature("faulted", about="1: after a Double Fault"),
    Feature("opener", SEATS, about="who served the first round"),
    Feature("turn", about="how many have taken their turn in this step, of four"),
    Feature("saved", about="1: the automa has tried to answer this IN ball"),
    Feature("turned", TURNED * KINDS, about="cards that the automa turned up last", labels=_CARDS * TURNED),
    Feature("lead", low=-1, about="points won less points lost, of 32"),
)

_FLAT_END = len(FLAT)
(
    _PHASE, _BALL, _BALL_VALUE, _SHIFT, _DARK, _HITTER, _FORCED, _FORCE, _SURCHARGE, _STAGE, _KEPT, _STAMINA, _FREE, _MIX,
    _POINTS, _ROUNDS, _SEEN, _VEILED, _STROKES, _LAST_MODIFIER, _TAX, _BARRED, _WINNING, _REACTED, _FAULT, _HAND, _ABILITY,
    _SERVER, _SERVICES, _DISCARDS, _ROOM,
) = (FLAT.start(feature.name) for feature in FLAT)  # fmt: skip
(
    _TO_MOVE, _DECISION, _AVATAR, _HANDS, _KEPT_CARD, _TABLE, _FACE_BALL, _TRUE_BALL, _LAST_RETURN, _LAST_BESIDE,
    _TRUE_MODIFIER, _MAKING, _MAKING_MODIFIER, _REACTION, _LAST, _ASKED, _ALL_DISCARDS, _DRAWING, _FAULTED, _OPENER,
    _TURN, _SAVED, _TURNED, _LEAD,
) = (FULL.start(feature.name) for feature in list(FULL)[len(_SHARED) :])  # fmt: skip


# What lies in the state as it is shown, from `seen` to `fault` and from `hand` to `room`. Five fields more than are shown make
# whole vectors; the features that these reach into are written after them.
_write_open = scaled(
    STATE,
    {"open": 4, "veiled": 1, "strokes": 20, "hit_modifier": 10, "tax": 5, "bars": 1, "wins": 1, "reacted": 1, "fault": 1}
    | dict.fromkeys(("stage", "saved", "dark", "hitter", "hit_kind"), 1),
)
_write_own = scaled(PLAYER, {"hand": 4, "abilities": 2, "serves": 1, "services": 10, "discards": 10, "room": 10})
_write_points, _write_rounds = paired(SCORE, {"points": 4}), paired(SCORE, {"games": 2})
_FRONT = -(-_STAMINA // 8) * 8  # all features before `stamina`, in whole vectors


@inlined
def observe(rules, state, seat, out):
    """R7, R22. One's own hand, backs, used cards, the ball as one sees it, and what weighs on the next return."""
    for place in range(_FRONT):
        out[place] = 0
    players, score = state.players, state.score
    if rules.seats == 4:
        left, partner, right = players[(seat + 1) & 3], players[(seat + 2) & 3], players[(seat + 3) & 3]
        write_four(players[seat], left, partner, right, out, _STAMINA)
    else:
        write_two(players[seat], players[1 - seat], out, _STAMINA)
    team = seat % 2
    _write_points(score, team, out, _POINTS)
    _write_rounds(score, team, out, _ROUNDS)
    _write_open(state, out, _SEEN)
    _write_own(players[seat], out, _HAND)
    if state.strokes > 0:
        _observe_rally(rules, state, seat, out)
    if state.seat == seat and state.over == 0:
        out[_PHASE + np.int64(state.phase)] = 1
        write_flag(state.kept != NOTHING, out, _KEPT)
        if players[seat].room < 0:
            out[_ROOM] = 0
    else:
        _hide_decision(score, team, out)


@inlined
def _hide_decision(score, team, out):
    """What only the seat to move is shown; and once the match is over, its rounds are in another place."""
    for place in (_SURCHARGE, _STAGE, _STAGE + 1, _STAGE + 2, _FAULT, _SERVICES, _DISCARDS, _ROOM):
        out[place] = 0
    for side in range(2):
        rounds = score.games[team ^ side] + score.played[0, team ^ side]
        out[_ROUNDS + side] = np.float32(rounds) * _HALF


@inlined
def _observe_rally(rules, state, seat, out):
    """The ball, who hit it, and what weighs on the next return."""
    moves = (state.seat == seat) & (state.over == 0)
    ball = seen_ball(state, seat)
    if moves and state.phase == BESIDE:
        ball = ball_after(rules, state, state.play_kind, state.play_modifier)
    place = min(_HIGHEST, max(_LOWEST - 1, ball)) - _LOWEST + 1  # 0 for all balls that are not in play
    write_flag((place > 0) | is_in(ball), out, _BALL + place)
    out[_BALL_VALUE] = min(np.float32(4), max(np.float32(-1), np.float32(ball) * _THIRTIETH))
    out[_HITTER + place_of(rules, seat, state.hitter)] = 1
    out[_STAGE + min(2, np.int64(state.stage))] = 1
    out[_SURCHARGE] = np.float32(surcharge(rules, state, seat)) * _FIFTH
    if state.force != NO_FORCE:
        out[_FORCED] = 1
        out[_FORCE] = np.float32(state.force) * _TENTH
    if state.dark:
        _observe_dark(state, seat, out)


@inlined
def _observe_dark(state, seat, out):
    """R22. The cards of the last return that lie face down, and what they do: only who played them knows that."""
    dark_return = state.dark & DARK_RETURN != 0
    write_flag(dark_return, out, _DARK)
    write_flag(state.dark & DARK_BESIDE != 0, out, _DARK + 1)
    if state.hitter == seat:
        out[_SHIFT] = np.float32(state.shift) * _TENTH
    elif dark_return:
        out[_LAST_MODIFIER] = 0


@njit
def observe_full(rules, state, seat, out):
    """The same, and all that is hidden: for a centralised critic."""
    observe(rules, state, seat, out)
    for place in range(_FLAT_END, len(out)):
        out[place] = 0
    out[_TO_MOVE + place_of(rules, seat, state.seat)] = 1
    out[_DECISION + np.int64(state.phase)] = 1
    for other in range(rules.seats):
        place = place_of(rules, seat, other)
        if state.players[other].avatar != NOTHING:
            out[_AVATAR + place * AVATARS + np.int64(state.players[other].avatar)] = 1
        out[_DRAWING + place] = state.players[other].services * _TENTH
        out[_DRAWING + SEATS + place] = state.players[other].tactics * _TENTH
        out[_ALL_DISCARDS + place] = state.players[other].discards * _TENTH
        if place > 0:
            for kind in range(KINDS):
                out[_HANDS + (place - 1) * KINDS + kind] = state.players[other].hand[kind] * _QUARTER
    for kind in range(KINDS):
        out[_TABLE + kind] = state.table[kind] * _QUARTER
    out[_FACE_BALL] = min(np.float32(4), max(np.float32(-4), np.float32(state.ball) * _THIRTIETH))
    out[_TRUE_BALL] = min(np.float32(4), max(np.float32(-4), np.float32(state.ball + state.shift) * _THIRTIETH))
    out[_TRUE_MODIFIER] = state.hit_modifier * _TENTH
    _mark(out, _KEPT_CARD, state.kept)
    _mark(out, _LAST_RETURN, state.hit_kind)
    _mark(out, _LAST_BESIDE, state.hit_beside)
    _mark(out, _MAKING, state.play_kind)
    _mark(out, _REACTION, state.reaction)
    if state.play_kind != NOTHING:
        out[_MAKING_MODIFIER] = state.play_modifier * _TENTH
    team = seat % 2
    for side in range(2):
        player = np.int64(state.last[team if side == 0 else 1 - team])
        if player != NOTHING:
            out[_LAST + side * SEATS + place_of(rules, seat, player)] = 1
    out[_ASKED + min(2, np.int64(state.stage))] = 1
    out[_FAULTED] = state.fault
    if state.opener != NOTHING:
        out[_OPENER + place_of(rules, seat, state.opener)] = 1
    out[_TURN] = state.turn * _QUARTER
    out[_SAVED] = state.saved
    for place in range(TURNED):
        _mark(out, _TURNED + place * KINDS, state.turned[place])
    out[_LEAD] = (state.lead if team == 0 else -state.lead) * np.float32(1 / 32)


@inlined
def _mark(out, first, kind):
    """One of many."""
    if kind != NOTHING:
        out[first + np.int64(kind)] = 1


ENCODERS = {"flat": Encoder(FLAT, observe), "full": Encoder(FULL, observe_full)}
