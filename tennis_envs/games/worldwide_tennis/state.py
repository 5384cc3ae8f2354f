"""Worldwide Tennis's two records: the rules (options and component tables) and the state of a match."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tennis_envs.core.game import STATE_HEAD, record_type
from tennis_envs.core.scoring import FORMAT, SCORE, set_format
from tennis_envs.games.worldwide_tennis.components import (
    DECKS,
    KINDS,
    MAX_PLAYERS,
    RISKS,
    SERVES,
    SPINS,
    STROKES,
    SURFACES,
    ZONES,
    Box,
)
from tennis_envs.games.worldwide_tennis.options import WorldwideTennisOptions, box

CARDS = STROKES + SERVES  # 0 to 59 are strokes 1 to 60, 60 to 64 the serves
FOREHAND, NEUTRAL, BACKHAND, NET = range(4)  # zones
ANYWHERE = 4  # stands for every start zone after a drop shot
BLUE, ORANGE, RED = range(3)
NO_SPIN, TOPSPIN, SLICE = range(3)
LOB, SMASH, WINNER = (KINDS.index(kind) for kind in ("lob", "smash", "winner"))
SERVE_KIND = len(KINDS)
NO_CARD = -1

FIRST_STARS = 4
MOST_STARS = 5
MOST_PRICE = 5
HAND = 12
TOKENS = 2
NEVER = 21  # a roll that no d20 shows
MOST_NEEDED = 32  # what counts as 1 in a view, of difficulties and what a d20 must show
VIRTUAL = 1  # the seat of the virtual opponent
PILES = ((0, 12), (12, 24), (24, 37), (37, 47), (47, 60))  # R30, first card and the one after the last
PILE_SETS = tuple((1 << last) - (1 << first) for first, last in PILES)
PILE_FOREHAND, PILE_BACKHAND, PILE_ATTACK, PILE_DEFENCE, PILE_VOLLEY = range(5)
VIRTUAL_SERVES = (10, 4)  # difficulties of its first and second serve, R31

# Phases: one kind of decision each …
(
    CHOOSE,
    SIDE,
    SERVING,
    SPINNING,
    STARRING,
    REACH,
    STROKE,
    GAMBLE,
    DOUBT,
    AIM,
    POSITION,
    PAY,
    ENDS,
    TAKING,
    TRIM,
    OVER,
) = range(16)
PHASES = (
    "player card", "side", "serve", "spin", "stars", "reach", "stroke", "winning shot", "challenge", "target",
    "position", "payment", "change of ends", "discard pile", "hand limit", "over",
)  # fmt: skip
# … and those that run by themselves.
POINT, RECEIVE, READY, DIE, MADE, AIMED, MOVED, WON, VIRTUAL_SERVE, VIRTUAL_STROKE = range(16, 26)

# What is still to be done between two points.
TRIM_POINT, CHANGE, TRIM_ENDS = range(3)

NOT_CHOSEN = -1
PLAYER_NONE, PLAYER_CHOOSE, PLAYER_RANDOM = 0, MAX_PLAYERS + 1, MAX_PLAYERS + 2  # 1 to MAX_PLAYERS: that card
SERVER_RANDOM = 2
SURFACE_RANDOM = len(SURFACES)

# What a view shows of a card, scaled as it shows it.
SEEN = np.dtype(
    [
        ("there", "f4"),  # 1, or 0 for no card
        ("difficulty", "f4"),
        ("adds", "f4", (len(SURFACES),)),
        ("kind", "i4"),
        ("risk", "i4"),
    ],
    align=True,
)

# Sets of stroke cards are whole numbers, card c their bit c (rules/bits.py).
DECK_TABLE = np.dtype(
    [
        ("playable", "i8", (len(ZONES) + 1, 2)),  # [zone or ANYWHERE, opponent at the net], smashes left out
        ("priced", "i8", (MOST_PRICE + 1,)),  # the cards that cost as many stars, or fewer
        ("marked", "i8"),
        ("winners", "i8"),
        ("smashes", "i8"),
        ("kind", "i1", (CARDS,)),
        ("risk", "i1", (CARDS,)),
        ("difficulty", "i1", (CARDS,)),
        ("adds", "i1", (len(SURFACES), CARDS)),  # what the ball adds to the difficulty of the reply
        ("spin", "i1", (CARDS,)),
        ("stars", "i1", (CARDS,)),
        ("draw", "i1", (CARDS,)),
        ("price", "i1", (STROKES,)),  # in stars
        ("targets", "i1", (STROKES, len(ZONES))),
        ("target", "i1", (STROKES,)),  # the first of them
        ("aims", "i1", (STROKES,)),  # 1 if there are several
        ("to_net", "i1", (STROKES,)),
        ("seen", SEEN, (1 + CARDS,)),  # 1 + card; 0 for no card
        ("ace", "i1", (SERVES,)),
        ("takes_spin", "i1", (SERVES, len(SPINS))),
        ("spin_price", "i1", (SERVES, len(SPINS))),
    ],
    align=True,
)

PLAYER_TABLE = np.dtype(
    [
        ("out", "i8"),  # the cards that are not in the deck
        ("hand", "i1"),  # at the start, and the limit
        ("stars", "i1"),
        ("ace_by", "i1"),  # what the roll for an ace is lower
        ("return_by", "i1"),  # what the reply to a serve is easier
        ("ease", "i1", (len(KINDS) + 1,)),  # what strokes of a kind are easier
        ("winning", "i1", (len(KINDS) + 1,)),  # the roll from which a stroke of a kind wins the point
        ("free_crossing", "i1"),
        ("free_middle", "i1"),
        ("free_net_back", "i1"),
        ("free_drop_shot", "i1"),
        ("free_serve_spin", "i1"),
        ("draw_by", "i1"),
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("format", FORMAT),
        ("solo", "i1"),
        ("stars", "i1"),
        ("spin", "i1"),
        ("challenges", "i1"),
        ("tennis_ends", "i1"),
        ("surface", "i1"),
        ("first_server", "i1"),
        ("player", "i1", (2,)),  # who plays with which card
        ("players", "i1"),  # cards in the box
        ("star_serve", "i1", (4,)),  # what so many stars take off a serve's difficulty
        ("star_rally", "i1", (4,)),
        ("virtual_needs", "i1", (2,)),  # the difficulties of the virtual opponent's first and second serve, R31
        ("virtual_serves", "i1", (2,)),  # and which serves those are
        (
            "piles",
            "i8",
            (2, 2, len(ZONES)),
        ),  # [it at the net, its opponent there, zone of the ball]: from which it plays, R32
        ("deck", DECK_TABLE, (len(DECKS),)),
        ("card", PLAYER_TABLE, (MAX_PLAYERS + 1,)),  # 0: no player card
    ],
    align=True,
)

STATE = record_type(
    [
        *STATE_HEAD,
        # Where the stroke cards are, each in one set; those that a player card takes out are in none.
        ("in_deck", "i8", (2,)),
        ("hidden", "i8", (2,)),  # in hand; the opponent cannot tell them from the deck
        ("shown", "i8", (2,)),  # in hand, and the opponent knows it
        ("on_table", "i8", (2,)),
        ("discarded", "i8", (2,)),
        ("score", SCORE),
        ("phase", "i1"),
        ("surface", "i1"),
        ("striker", "i1"),  # whose stroke it is
        ("zone", "i1", (2,)),
        ("stars", "i1", (2,)),
        ("tokens", "i1", (2,)),  # challenges
        ("player", "i1", (2,)),  # player cards, 0 for none
        ("ball", "i1"),  # the card that the striker answers
        ("ball_spin", "i1"),
        ("ball_zone", "i1"),
        ("card", "i1"),  # the card that the striker plays
        ("spin", "i1"),  # and its spin
        ("spent", "i1"),  # stars spent on it
        ("asked", "i1"),  # 1 when a roll was asked for that was not due
        ("target", "i1"),
        ("drawn_in", "i1"),  # 1 when the striker came in for a drop shot
        ("fault", "i1"),  # the first serve that missed
        ("last", "i1", (2,)),  # the last card that each played in the point
        ("strokes", "i2"),  # that succeeded in this rally, serves not counted
        ("effort", "i2"),  # the sum of their difficulties
        ("point", "i1"),  # who won the point
        ("penalty", "i1"),  # of the virtual opponent
        ("stage", "i1"),  # between points
        ("turn", "i1"),  # how many have changed ends
        ("change", "i1"),  # 1 when a change of ends is due
    ]
)


def _deck(table: np.void, deck: str, contents: Box) -> None:
    """Fill the tables of one deck."""
    for number, entry in contents.strokes(deck):
        card = number - 1
        table["kind"][card] = KINDS.index(entry.kind)
        table["risk"][card] = RISKS.index(entry.risk)
        table["difficulty"][card] = entry.difficulty
        table["adds"][:, card] = [getattr(entry.surface, surface) for surface in SURFACES]
        table["spin"][card] = SPINS.index(entry.spin)
        table["stars"][card] = entry.stars
        table["draw"][card] = entry.draw
        table["price"][card] = entry.star_cost
        table["targets"][card] = [zone in entry.targets for zone in ZONES]
        table["target"][card] = min(ZONES.index(zone) for zone in entry.targets)
        table["aims"][card] = len(entry.targets) > 1
        table["to_net"][card] = entry.to_net
        for at_net in (0, 1):
            if entry.kind != "smash" and entry.opponent in ("any", ("back", "net")[at_net]):
                table["playable"][ANYWHERE, at_net] |= 1 << card
                for zone in entry.start:
                    table["playable"][ZONES.index(zone), at_net] |= 1 << card
        table["priced"][entry.star_cost :] |= 1 << card
        if entry.starting_hand:
            table["marked"] |= 1 << card
        if entry.kind in ("winner", "smash"):
            table["winners" if entry.kind == "winner" else "smashes"] |= 1 << card
    for i, serve in enumerate(contents.serves(deck)):
        card = STROKES + i
        table["kind"][card] = SERVE_KIND
        table["risk"][card] = RISKS.index(serve.risk)
        table["difficulty"][card] = serve.difficulty
        table["adds"][:, card] = [getattr(serve.surface, surface) for surface in SURFACES]
        table["stars"][card] = serve.stars
        table["draw"][card] = serve.draw
        table["ace"][i] = serve.ace or NEVER
        table["spin_price"][i] = 0, serve.topspin, serve.slice
        table["takes_spin"][i] = 1, serve.topspin > 0, serve.slice > 0
    see(table)


def see(table: np.void) -> None:
    """Fill what a view shows of the cards of a deck."""
    seen = table["seen"][1:]
    seen["there"] = 1
    seen["kind"], seen["risk"] = table["kind"], table["risk"]
    seen["difficulty"], seen["adds"] = table["difficulty"] / MOST_NEEDED, table["adds"].T / MOST_NEEDED


def _player(table: np.void, entry: Any) -> None:
    """R29. Fill the table of a player card."""
    table["hand"], table["stars"] = entry.hand, entry.stars
    table["out"] = sum(1 << (number - 1) for number in entry.removed)
    ability = entry.ability
    if ability.type == "ace":
        table["ace_by"] = ability.by
    elif ability.type == "return":
        table["return_by"] = ability.by
    elif ability.type == "draw":
        table["draw_by"] = ability.by
    elif ability.type == "free":
        table[f"free_{ability.what}"] = 1
    else:
        field, value = ("ease", ability.by) if ability.type == "ease" else ("winning", ability.on)
        for kind in ability.kinds:
            table[field][KINDS.index(kind)] = value


def _virtual(record: np.void) -> None:
    """R31, R32. Fill the tables of the virtual opponent."""
    difficulties = list(record["deck"]["difficulty"][VIRTUAL, STROKES:])
    record["virtual_needs"] = VIRTUAL_SERVES
    record["virtual_serves"] = [difficulties.index(needed) for needed in VIRTUAL_SERVES]
    piles = record["piles"]
    piles[0, 0] = PILE_SETS[PILE_ATTACK]
    piles[0, 0, FOREHAND], piles[0, 0, BACKHAND] = PILE_SETS[PILE_FOREHAND], PILE_SETS[PILE_BACKHAND]
    piles[0, 1], piles[1] = PILE_SETS[PILE_DEFENCE], PILE_SETS[PILE_VOLLEY]


@functools.cache
def rules_record(options: WorldwideTennisOptions) -> np.ndarray:
    """The rules record of some options, shape (1,)."""
    contents = box(options.components)
    rules = np.zeros(1, RULES)
    record = rules[0]
    set_format(record["format"], options.format, game_points=2, game_lead=1)
    record["solo"] = options.mode == "solo"
    for name in ("stars", "spin", "challenges"):
        record[name] = getattr(options, name)
    record["tennis_ends"] = options.ends == "tennis"
    record["surface"] = [*SURFACES, "random"].index(options.surface)
    record["first_server"] = ("player_0", "player_1", "random").index(options.first_server)
    names = {"none": PLAYER_NONE, "choose": PLAYER_CHOOSE, "random": PLAYER_RANDOM}
    names |= {entry.name: 1 + i for i, entry in enumerate(contents.player)}
    record["player"] = names[options.player_0], names[options.player_1]
    record["players"] = len(contents.player)
    record["star_serve"] = 0, *contents.star_bonus.serve, 0
    record["star_rally"] = 0, *contents.star_bonus.rally
    for i, deck in enumerate(DECKS):
        _deck(record["deck"][i], deck, contents)
    _virtual(record)
    record["card"]["hand"], record["card"]["stars"] = HAND, FIRST_STARS
    record["card"]["winning"] = NEVER
    for i, entry in enumerate(contents.player):
        _player(record["card"][1 + i], entry)
    return rules
