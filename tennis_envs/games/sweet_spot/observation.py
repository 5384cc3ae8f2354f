"""What a seat sees, as numbers: "flat" is what it may know, "full" adds all that is hidden.

Features about players come in table order, one's own first. In solo mode the automa is the second player.
"""

import numpy as np

from tennis_envs.core.game import Encoder
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.layout import Feature, Features
from tennis_envs.core.views import write_flag
from tennis_envs.games.sweet_spot.components import reference
from tennis_envs.games.sweet_spot.rules.piles import held
from tennis_envs.games.sweet_spot.rules.stroke import ball_after, is_in, seen_ball, surcharge
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
    SEATS,
    TURNED,
    WIDTH,
)

_CARDS = tuple(card.name for card in reference().cards)
_AVATARS = tuple(avatar.name for avatar in reference().avatar)
_EFFECTS = _CARDS + _AVATARS
_LOWEST, _HIGHEST = 7, 26  # balls in play with a place of their own, the last for all above; one place for IN comes first
_BALLS = ("IN", *(str(ball) for ball in range(_LOWEST, _HIGHEST)), f"{_HIGHEST} or more")
_OWNER = (
    np.float32(1),
    np.float32(-1),
    np.float32(0.5),
    np.float32(-0.5),
)  # whose an ability is: one's own, then by places around the table
_OTHERS = SEATS - 1
_HALF, _QUARTER, _FIFTH, _TENTH = np.float32(1 / 2), np.float32(1 / 4), np.float32(1 / 5), np.float32(1 / 10)
_TWENTIETH, _THIRTIETH = np.float32(1 / 20), np.float32(1 / 30)

_SHARED = (
    Feature("phase", len(PHASES), about="what this seat has to decide; 0 when another is to move", labels=PHASES),
    Feature("ball", len(_BALLS), about="the ball as this seat knows it, or as its Return leaves it", labels=_BALLS),
    Feature("ball_value", low=-1, high=4, about="the same, in units of 30"),
    Feature("shift", low=-3, high=3, about="what one's own cards face down add to the ball, in units of 10"),
    Feature("dark", 2, about="a card of the last return lies face down", labels=("Return", "accompanying card")),
    Feature("hand", KINDS, high=3, about="cards held, in units of 4", labels=_CARDS),
    Feature("seen", KINDS, high=10, about="used cards and cards on the table, in units of 4", labels=_CARDS),
    Feature(
        "mix",
        _OTHERS * DECKS,
        high=1.2,
        about="backs in the other hands, of ten; the automa's as if it held five Returns and five Tactics",
        labels=DECK_NAMES * _OTHERS,
    ),
    Feature("stamina", SEATS, about="stamina of every player, of ten"),
    Feature(
        "ability",
        AVATARS,
        low=-1,
        labels=_AVATARS,
        about="unused abilities: 1 one's own, 0.5 the partner's, -1 and -0.5 those of the players to the left and to the right",
    ),
    Feature("free", SEATS, about="1: cards cost that player no stamina in this rally"),
    Feature("server", SEATS, about="who serves this round"),
    Feature("points", 2, about="points of one's own team and of the other, of four"),
    Feature("rounds", 2, about="rounds won by one's own team and by the other, of two"),
    Feature("veiled", about="1: the last return has a hidden card, turned up or not"),
    Feature("strokes", high=3, about="times the ball has been hit in this rally, of twenty"),
    Feature("hitter", SEATS, about="who hit the ball last"),
    Feature("last_modifier", low=-12, high=12, about="what that did to the ball, if one can see it, in units of 10"),
    Feature("forced", about="1: the next return is forced"),
    Feature("force", low=-3, high=3, about="what it will do to the ball, in units of 10"),
    Feature("tax", high=4, about="extra stamina that the next return costs, of five"),
    Feature("barred", about="1: the next return cannot be accompanied"),
    Feature("winning", about="1: the point is lost unless the last card is cancelled"),
    Feature("reacted", about="1: the answering side has reacted to this ball already"),
    Feature("surcharge", high=5, about="stamina that a return would cost this seat beside its card, of five"),
    Feature("stage", 3, about="who is asked", labels=("last hitter of the team", "the other", "the first again")),
    Feature("room", high=1.2, about="cards below a full hand, of ten"),
    Feature("services", about="Service cards asked for, of ten"),
    Feature("discards", high=3, about="cards that may still be discarded, of ten"),
    Feature("kept", about="1: a first card is kept"),
    Feature("fault", about="1: after a Double Fault"),
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
    _PHASE, _BALL, _BALL_VALUE, _SHIFT, _DARK, _HAND, _SEEN, _MIX, _STAMINA, _ABILITY, _FREE, _SERVER, _POINTS,
    _ROUNDS, _VEILED, _STROKES, _HITTER, _LAST_MODIFIER, _FORCED, _FORCE, _TAX, _BARRED, _WINNING, _REACTED, _SURCHARGE, _STAGE,
    _ROOM, _SERVICES, _DISCARDS, _KEPT, _FAULT,
) = (FLAT.start(feature.name) for feature in FLAT)  # fmt: skip
(
    _TO_MOVE, _DECISION, _AVATAR, _HANDS, _KEPT_CARD, _TABLE, _FACE_BALL, _TRUE_BALL, _LAST_RETURN, _LAST_BESIDE,
    _TRUE_MODIFIER, _MAKING, _MAKING_MODIFIER, _REACTION, _LAST, _ASKED, _ALL_DISCARDS, _DRAWING, _FAULTED, _OPENER,
    _TURN, _SAVED, _TURNED, _LEAD,
) = (FULL.start(feature.name) for feature in list(FULL)[len(_SHARED) :])  # fmt: skip


@inlined
def observe(rules, state, seat, out):
    """R7, R22. One's own hand, backs, used cards, the ball as one sees it, and what weighs on the next return."""
    for place in range(_HAND):
        out[place] = 0
    for kind in range(WIDTH):  # the empty kinds at the end reach into the next features, which are written next
        out[_HAND + kind] = np.float32(state.hand[seat, kind]) * _QUARTER
    for kind in range(WIDTH):
        out[_SEEN + kind] = np.float32(state.open[kind]) * _QUARTER
    for place in range(_MIX, _FLAT_END):
        out[place] = 0
    seats = np.int64(rules.seats)
    player = seat
    for place in range(seats):
        _observe_player(state, player, place, out)
        player = player + 1 if player + 1 < seats else 0
    if rules.solo:
        out[_STAMINA + 1] = np.float32(state.stamina[1]) * _TENTH
        out[_MIX + 1] = _HALF
        out[_MIX + 2] = _HALF
    if state.server != NOTHING:
        out[_SERVER + _place(rules, seat, state.server)] = 1
    team = seat % 2
    score = state.score
    out[_POINTS] = np.float32(score.points[team]) * _QUARTER
    out[_POINTS + 1] = np.float32(score.points[1 - team]) * _QUARTER
    out[_ROUNDS] = np.float32(score.games[team] + score.played[0, team]) * _HALF  # `played` once the match is over
    out[_ROUNDS + 1] = np.float32(score.games[1 - team] + score.played[0, 1 - team]) * _HALF
    moves = (state.seat == seat) & (state.over == 0)
    if state.strokes > 0:
        _observe_rally(rules, state, seat, moves, out)
    if moves:
        out[_PHASE + np.int64(state.phase)] = 1
        out[_ROOM] = np.float32(max(0, rules.hand - held(state, seat))) * _TENTH
        out[_SERVICES] = np.float32(state.services[seat]) * _TENTH
        out[_DISCARDS] = np.float32(state.discards[seat]) * _TENTH
        out[_FAULT] = np.float32(state.fault)
        write_flag(state.kept != NOTHING, out, _KEPT)


@inlined
def _place(rules, seat, player):
    """How many places after `seat` a player sits."""
    place = np.int64(player) - seat
    return place if place >= 0 else place + max(2, np.int64(rules.seats))


@inlined
def _observe_player(state, player, place, out):
    """What is open of a player."""
    out[_STAMINA + place] = np.float32(state.stamina[player]) * _TENTH
    if place > 0:
        mix = _MIX + (place - 1) * DECKS
        for deck in range(DECKS):
            out[mix + deck] = np.float32(state.backs[player, deck]) * _TENTH
    avatar = np.int64(state.avatar[player])
    ability = _ABILITY + avatar if avatar != NOTHING else _FREE + place  # without one, a place that is written next
    out[ability] = np.float32(state.ready[player]) * _OWNER[place] + np.float32(0)  # plus 0: never -0
    out[_FREE + place] = np.float32(state.free[player])


@inlined
def _observe_rally(rules, state, seat, moves, out):
    """The ball, the last return and what it lays on the next one. All but without branches."""
    own = np.int64(state.hitter == seat)
    ball = seen_ball(state, seat)
    if moves and state.phase == BESIDE:
        ball = ball_after(rules, state, state.play_kind, state.play_modifier)
    place = min(_HIGHEST, max(_LOWEST - 1, ball)) - _LOWEST + 1  # 0 for all balls that are not in play
    write_flag((place > 0) | is_in(ball), out, _BALL + place)
    out[_BALL_VALUE] = min(np.float32(4), max(np.float32(-1), np.float32(ball) * _THIRTIETH))
    dark_return = np.int64((state.dark & DARK_RETURN) != 0)
    out[_DARK] = np.float32(dark_return)
    write_flag((state.dark & DARK_BESIDE) != 0, out, _DARK + 1)
    out[_VEILED] = np.float32(state.veiled)
    out[_STROKES] = min(np.float32(3), np.float32(state.strokes) * _TWENTIETH)
    out[_HITTER + _place(rules, seat, state.hitter)] = 1
    out[_SHIFT] = np.float32(state.shift * own) * _TENTH
    out[_LAST_MODIFIER] = np.float32(state.hit_modifier * (own | (1 - dark_return))) * _TENTH
    forced = np.int64(state.force != NO_FORCE)
    out[_FORCED] = np.float32(forced)
    out[_FORCE] = np.float32(state.force * forced) * _TENTH
    out[_TAX] = min(np.float32(4), np.float32(state.tax) * _FIFTH)
    out[_BARRED] = np.float32(state.bars)
    out[_WINNING] = np.float32(state.wins)
    out[_REACTED] = np.float32(state.reacted)
    if moves:
        out[_SURCHARGE] = min(np.float32(5), np.float32(surcharge(rules, state, seat)) * _FIFTH)
        out[_STAGE + min(2, np.int64(state.stage))] = 1


@njit
def observe_full(rules, state, seat, out):
    """The same, and all that is hidden: for a centralised critic."""
    observe(rules, state, seat, out)
    for place in range(_FLAT_END, len(out)):
        out[place] = 0
    out[_TO_MOVE + _place(rules, seat, state.seat)] = 1
    out[_DECISION + np.int64(state.phase)] = 1
    for other in range(rules.seats):
        place = _place(rules, seat, other)
        if state.avatar[other] != NOTHING:
            out[_AVATAR + place * AVATARS + np.int64(state.avatar[other])] = 1
        out[_DRAWING + place] = state.services[other] * _TENTH
        out[_DRAWING + SEATS + place] = state.tactics[other] * _TENTH
        out[_ALL_DISCARDS + place] = state.discards[other] * _TENTH
        if place > 0:
            for kind in range(KINDS):
                out[_HANDS + (place - 1) * KINDS + kind] = state.hand[other, kind] * _QUARTER
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
            out[_LAST + side * SEATS + _place(rules, seat, player)] = 1
    out[_ASKED + min(2, np.int64(state.stage))] = 1
    out[_FAULTED] = state.fault
    if state.opener != NOTHING:
        out[_OPENER + _place(rules, seat, state.opener)] = 1
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
