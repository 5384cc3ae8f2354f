"""What a seat sees, as numbers: "flat" is what it may know, "full" adds all that is hidden. Other seats come in table order after one's own."""

from tennis_envs.core.game import Encoder
from tennis_envs.core.jit import njit
from tennis_envs.core.layout import Feature, Features
from tennis_envs.games.sweet_spot.components import reference
from tennis_envs.games.sweet_spot.rules.piles import count, held
from tennis_envs.games.sweet_spot.rules.stroke import ball_after, seen_ball, surcharge
from tennis_envs.games.sweet_spot.state import (
    AVATARS,
    BESIDE,
    DARK_BESIDE,
    DARK_RETURN,
    DECK_NAMES,
    DECKS,
    FULL,
    KINDS,
    NO_FORCE,
    NOTHING,
    PHASES,
    SEATS,
)

_CARDS = tuple(card.name for card in reference().cards)
_AVATARS = tuple(avatar.name for avatar in reference().avatar)
_LOWEST, _HIGHEST = -1, 26  # balls with a place of their own; the first also stands for all below, the last for all above
_BALLS = tuple(str(ball) for ball in range(_LOWEST, _HIGHEST + 1))
_CARD_UNIT = 4.0  # copies
_BALL_UNIT = 30.0
_MODIFIER_UNIT = 10.0
_MOST_SEEN = 10.0  # 40 copies

_FLAT = (
    Feature("phase", len(PHASES), about="what this seat has to decide; all 0 when another seat is to move", labels=PHASES),
    Feature("ball", len(_BALLS), about="the ball as this seat knows it; beside a Return in the making, the ball as that leaves it", labels=_BALLS),
    Feature("ball_value", low=-1, high=4, about=f"the same in units of {_BALL_UNIT:g}"),
    Feature("shift", low=-3, high=3, about=f"what one's own cards face down add to the ball, in units of {_MODIFIER_UNIT:g}"),
    Feature("dark", 2, about="a card of the last return lies face down", labels=("Return", "accompanying card")),
    Feature("hand", KINDS, high=3, about=f"cards held, in units of {_CARD_UNIT:g}", labels=_CARDS),
    Feature("seen", KINDS, high=_MOST_SEEN, about=f"used cards and cards on the table, in units of {_CARD_UNIT:g}", labels=_CARDS),
    Feature("piles", DECKS, about="cards left in each pile, of 40", labels=DECK_NAMES),
    Feature("stamina", SEATS, about="stamina of every seat, of ten; in solo mode the automa is the second"),
    Feature("mix", SEATS * DECKS, high=1.2, about="backs in every seat's hand, deck by deck, of ten"),
    Feature("avatar", SEATS * AVATARS, about="avatar of every seat", labels=_AVATARS * SEATS),
    Feature("ready", SEATS, about="1: the seat's ability is unused"),
    Feature("free", SEATS, about="1: cards cost that seat no stamina in this rally"),
    Feature("server", SEATS, about="the seat that serves this round"),
    Feature("points", 2, about="points of one's own team and of the other, of four"),
    Feature("rounds", 2, about="rounds won by one's own team and by the other, of two"),
    Feature("strokes", high=3, about="times the ball has been hit in this rally, of twenty"),
    Feature("hitter", SEATS, about="the seat that hit the ball last"),
    Feature("last_modifier", low=-12, high=12, about=f"what its Return did to the ball, if one can see that, in units of {_MODIFIER_UNIT:g}"),
    Feature("forced", about="1: the next return is forced"),
    Feature("force", low=-3, high=3, about=f"what it will do to the ball, in units of {_MODIFIER_UNIT:g}"),
    Feature("tax", high=4, about="extra stamina that the next return costs, of five"),
    Feature("barred", about="1: the next return cannot be accompanied"),
    Feature("winning", about="1: the point is lost unless the last card is cancelled"),
    Feature("reacted", about="1: the answering side has reacted to this ball already"),
    Feature("surcharge", high=5, about="stamina that a return would cost this seat beside its card, of five"),
    Feature("stage", 3, about="who of the answering team is asked in doubles", labels=("last hitter", "partner", "last hitter again")),
    Feature("room", high=1.2, about="cards below a full hand, of ten"),
    Feature("take", about="Service cards that will be drawn, of ten"),
    Feature("discards", high=3, about="cards that may still be discarded, of ten"),
    Feature("kept", about="cards kept so far, of two"),
    Feature("fault", about="1: after a Double Fault"),
)
FEATURES = Features(*_FLAT)
FULL_FEATURES = Features(
    *_FLAT,
    Feature("hands", (SEATS - 1) * KINDS, high=3, about=f"the other hands, in units of {_CARD_UNIT:g}", labels=_CARDS * (SEATS - 1)),
    Feature("true_ball", low=-4, high=4, about=f"the ball with the cards face down, in units of {_BALL_UNIT:g}"),
    Feature("hidden", KINDS, about="cards face down", labels=_CARDS),
)

_PHASE, _BALL, _BALL_VALUE = FEATURES.start("phase"), FEATURES.start("ball"), FEATURES.start("ball_value")
_SHIFT, _DARK, _HAND, _SEEN = (FEATURES.start(name) for name in ("shift", "dark", "hand", "seen"))
_PILES, _STAMINA, _MIX, _AVATAR = (FEATURES.start(name) for name in ("piles", "stamina", "mix", "avatar"))
_READY, _FREE, _SERVER, _POINTS = (FEATURES.start(name) for name in ("ready", "free", "server", "points"))
_ROUNDS, _STROKES, _HITTER = (FEATURES.start(name) for name in ("rounds", "strokes", "hitter"))
_LAST_MODIFIER, _FORCED, _FORCE = (FEATURES.start(name) for name in ("last_modifier", "forced", "force"))
_TAX, _BARRED, _WINNING, _REACTED = (FEATURES.start(name) for name in ("tax", "barred", "winning", "reacted"))
_SURCHARGE, _STAGE, _ROOM, _TAKE = (FEATURES.start(name) for name in ("surcharge", "stage", "room", "take"))
_DISCARDS, _KEPT, _FAULT = (FEATURES.start(name) for name in ("discards", "kept", "fault"))
_HANDS, _TRUE_BALL, _HIDDEN = (FULL_FEATURES.start(name) for name in ("hands", "true_ball", "hidden"))


@njit
def observe(rules, state, seat, out):
    """R7, R22. What a seat knows: its own hand, backs, used cards, the ball as it sees it, and what weighs on the next return."""
    out[:] = 0.0
    moves = state.seat == seat and state.over == 0
    if moves:
        out[_PHASE + int(state.phase)] = 1.0
    _observe_ball(rules, state, seat, moves, out)
    for kind in range(KINDS):
        out[_HAND + kind] = state.hand[seat, kind] / _CARD_UNIT
        out[_SEEN + kind] = (int(state.used[kind]) + int(state.table[kind])) / _CARD_UNIT
    for deck in range(DECKS):
        out[_PILES + deck] = count(state.pile, deck) / 40.0
    seats = int(rules.seats)
    for other in range(seats):
        _observe_player(state, other, (other - seat) % seats, out)
    if rules.solo:
        out[_STAMINA + 1] = state.stamina[1] / FULL
    if state.server != NOTHING:
        out[_SERVER + (int(state.server) - seat) % max(2, seats)] = 1.0
    team = seat % 2
    out[_POINTS] = state.score.points[team] / 4.0
    out[_POINTS + 1] = state.score.points[1 - team] / 4.0
    out[_ROUNDS] = state.score.games[team] / 2.0
    out[_ROUNDS + 1] = state.score.games[1 - team] / 2.0
    if moves:
        out[_ROOM] = max(0, int(rules.hand) - held(state, seat)) / 10.0
        out[_TAKE] = state.services / 10.0
        out[_DISCARDS] = state.discards[seat] / 10.0
        for kind in range(KINDS):
            out[_KEPT] += state.kept[kind] / 2.0
        out[_FAULT] = state.fault


@njit
def _observe_ball(rules, state, seat, moves, out):
    """The ball, the last return and what it lays on the next one."""
    ball = seen_ball(state, seat)
    if moves and state.phase == BESIDE:
        ball = ball_after(rules, state, int(state.play_kind), int(state.play_modifier))
    if state.strokes > 0:
        out[_BALL + min(_HIGHEST, max(_LOWEST, ball)) - _LOWEST] = 1.0
        out[_BALL_VALUE] = min(4.0, max(-1.0, ball / _BALL_UNIT))
    own = state.hitter == seat
    if own:
        out[_SHIFT] = state.shift / _MODIFIER_UNIT
    out[_DARK] = 1.0 if state.dark & DARK_RETURN else 0.0
    out[_DARK + 1] = 1.0 if state.dark & DARK_BESIDE else 0.0
    out[_STROKES] = state.strokes / 20.0
    seats = max(2, int(rules.seats))
    if state.hitter != NOTHING and state.strokes > 0:
        out[_HITTER + (int(state.hitter) - seat) % seats] = 1.0
        if own or not state.dark & DARK_RETURN:
            out[_LAST_MODIFIER] = state.hit_modifier / _MODIFIER_UNIT
    if state.force != NO_FORCE:
        out[_FORCED] = 1.0
        out[_FORCE] = state.force / _MODIFIER_UNIT
    out[_TAX] = state.tax / 5.0
    out[_BARRED] = state.bars
    out[_WINNING] = state.wins
    out[_REACTED] = state.reacted
    if moves and state.strokes > 0:
        out[_SURCHARGE] = surcharge(rules, state, seat) / 5.0
        out[_STAGE + min(2, int(state.stage))] = 1.0


@njit
def _observe_player(state, player, place, out):
    """What is open of a player, one's own included."""
    out[_STAMINA + place] = state.stamina[player] / FULL
    for deck in range(DECKS):
        backs = count(state.hand[player], deck)
        out[_MIX + place * DECKS + deck] = backs / 10.0
    if state.avatar[player] != NOTHING:
        out[_AVATAR + place * AVATARS + int(state.avatar[player])] = 1.0
    out[_READY + place] = state.ready[player]
    out[_FREE + place] = state.free[player]


@njit
def observe_full(rules, state, seat, out):
    """The same, and the other hands, the true ball and the cards face down."""
    observe(rules, state, seat, out)
    seats = int(rules.seats)
    for other in range(seats):
        place = (other - seat) % seats
        if place > 0:
            for kind in range(KINDS):
                out[_HANDS + (place - 1) * KINDS + kind] = state.hand[other, kind] / _CARD_UNIT
    out[_TRUE_BALL] = min(4.0, max(-4.0, (int(state.ball) + int(state.shift)) / _BALL_UNIT))
    if state.dark & DARK_RETURN:
        out[_HIDDEN + int(state.hit_kind)] = 1.0
    if state.dark & DARK_BESIDE:
        out[_HIDDEN + int(state.hit_beside)] = 1.0


ENCODERS = {"flat": Encoder(FEATURES, observe), "full": Encoder(FULL_FEATURES, observe_full)}
