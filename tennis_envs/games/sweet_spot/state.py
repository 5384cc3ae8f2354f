"""Sweet Spot's two records: the rules (options and cards) and the state of a match."""

from __future__ import annotations

import functools

import numpy as np

from tennis_envs.core.game import STATE_HEAD, record_type
from tennis_envs.core.scoring import FORMAT, SCORE, set_format
from tennis_envs.games.sweet_spot.components import (
    CHOICES,
    SIZES,
    Effect,
    Service,
    reference,
)
from tennis_envs.games.sweet_spot.deck import edition_of, kinds, moves, placed_moves
from tennis_envs.games.sweet_spot.options import SweetSpotOptions

# How many kinds of card and of move there is place for: those of the reference edition. Compiled code knows these
# numbers, so they stand here and not only in components.toml.
SERVICES, RETURNS, TACTICS = 9, 13, 21
PLAYS, ADDS, REACTS, USES = 23, 10, 2, 2
SERVICE, RETURN, TACTIC = range(3)  # decks
DECKS = 3
DECK_NAMES = ("Service", "Return", "Tactic")
FIRST_RETURN = SERVICES  # kinds of card: Service cards, then Returns, then Tactics, then avatars
FIRST_TACTIC = SERVICES + RETURNS
KINDS = SERVICES + RETURNS + TACTICS
AVATARS = SIZES["avatar"]
TOTALS = 32  # running totals of a pile: one for each kind of its deck, then its size
EFFECTS = KINDS + AVATARS  # an ability is a kind as well: KINDS + avatar
# A move is one way to play a card, in the order of the actions. A set of moves is an int64 with a bit for each.
FIRST_PLAY = SERVICES
FIRST_ADD = FIRST_PLAY + PLAYS
FIRST_REACT = FIRST_ADD + ADDS
FIRST_USE = FIRST_REACT + REACTS
FIRST_POWER = FIRST_USE + USES  # the ability, with its first, second, … modifier
MOVES = FIRST_POWER + CHOICES
NOTHING = -1

SEATS = 4
RANKED, NO_TARGET = 64, 99  # balls that can be targets of the automa; the rank of a ball that is none
AIMED = 96  # balls from which a card may bring the ball to a target; from any higher one nothing but a `set_to` does
STROKES = 12  # Tactics that the automa may look for

AS_RETURN, AS_SAVE, AS_ACCOMPANY, AS_REACTION, AS_AFTER, AS_REFRESHMENT = (
    1,
    2,
    4,
    8,
    16,
    32,
)  # ways to play a card, as bits
_WAYS = {
    "return": AS_RETURN,
    "save": AS_SAVE,
    "accompany": AS_ACCOMPANY,
    "react": AS_REACTION,
    "after_rally": AS_AFTER,
    "refresh": AS_REFRESHMENT,
}

# Phases, one kind of decision each
(
    TOSS,
    PICK,
    SERVER_CHOICE,
    SERVE,
    ANSWER,
    BESIDE,
    COUNTER,
    AFTER,
    DISCARDS,
    SERVICE_COUNT,
    TACTIC_COUNT,
    KEEPING,
    TRIM,
    OVER,
) = range(14)
# and steps that nobody is asked about
JUDGE, AUTOMA_TURN, ROUND_END, DEAL = range(14, 18)
PHASES = (
    "toss",
    "avatar",
    "server",
    "serve",
    "answer",
    "accompany",
    "counter",
    "after the rally",
    "discard",
    "service cards",
    "tactic cards",
    "keep",
    "trim",
    "over",
)

EASY, NORMAL, HARD = range(3)
AVATARS_CHOSEN, AVATARS_DEALT, AVATARS_NONE = range(3)

FULL = 10  # stamina
SWITCH = 2  # R28 stamina for hitting twice in a row
FREE_DISCARDS = 2  # R14.2
AUTOMA_BACKS = 5  # Returns that views show in the automa's hand, and Tactics
ROUND_REST, NONE_KEPT = 4, 2  # R16.1, R16.2
NO_FORCE = 99  # no forced modifier
NO_SET = -1
NO_LEAST, NO_MOST = -999, 999  # no Value Out
DARK_RETURN, DARK_BESIDE = 1, 2  # which cards of the last return lie face down, as bits
RECEIVED, HABITS_KEPT = 20, 13  # balls that the scripted player tells apart, and its habits
TURNED = 5  # cards that the automa turns up at most
LOWEST_FIT, FITS = -32, 128  # the balls for which a table says which cards may accompany a Return that brings the ball there

RULES = np.dtype(
    [
        ("format", FORMAT),
        ("seats", "i1"),
        ("solo", "i1"),
        ("automa", "i1"),
        ("avatars", "i1"),
        ("toss", "i1"),  # 1: its winner decides
        ("hand", "i1"),  # R14.5, R26 cards in a full hand
        ("server_hand", "i1", (DECKS,)),  # R6
        ("other_hand", "i1", (DECKS,)),
        ("around", "i1"),  # places around the table, less one
        ("copies", "i1", (KINDS,)),
        ("deck", "i1", (KINDS,)),  # to which a kind belongs
        ("deck_size", "i1", (DECKS,)),
        ("tally", "i1", (DECKS, TOTALS)),  # of the full piles
        ("ball", "i2", (SERVICES,)),
        ("weak", "i1", (SERVICES,)),
        ("cost", "i1", (EFFECTS,)),
        ("ways", "i1", (EFFECTS,)),
        ("set_to", "i2", (EFFECTS,)),
        ("least", "i2", (EFFECTS,)),  # R25
        ("most", "i2", (EFFECTS,)),
        ("next_return", "i2", (EFFECTS,)),
        ("drain", "i1", (EFFECTS,)),
        ("tax", "i1", (EFFECTS,)),
        ("bars", "i1", (EFFECTS,)),
        ("wins", "i1", (EFFECTS,)),
        ("gain", "i1", (EFFECTS,)),
        ("hidden", "i1", (EFFECTS,)),
        ("to_serve", "i1", (EFFECTS,)),  # only as the answer to a serve
        ("doubles", "i1", (EFFECTS,)),
        ("free_rally", "i1", (EFFECTS,)),
        ("discards", "i1", (EFFECTS,)),
        ("cancels", "i8", (EFFECTS,)),  # kinds that it answers, as bits
        ("choices", "i1", (EFFECTS,)),  # modifiers to choose from
        ("modifier", "i1", (EFFECTS, CHOICES)),
        ("play_kind", "i1", (PLAYS,)),  # NOTHING in an empty slot
        ("play_modifier", "i1", (PLAYS,)),
        ("add_kind", "i1", (ADDS,)),
        ("add_modifier", "i1", (ADDS,)),
        ("add_least", "i2", (ADDS,)),  # R25 of the card in that slot
        ("add_most", "i2", (ADDS,)),
        ("react_kind", "i1", (REACTS,)),
        ("use_kind", "i1", (USES,)),
        ("moves", "i8", (KINDS,)),  # what a kind of card can do, as a set of moves
        ("returns", "i8"),  # sets of moves: those that return a ball,
        ("saves", "i8"),  # save one,
        ("beside", "i8"),  # go beside a Return,
        ("reactions", "i8"),  # are reactions,
        ("after", "i8"),  # can be used after a rally,
        ("dark", "i8"),  # are those of hidden cards,
        ("for_serves", "i8"),  # answer a serve only,
        ("conditional", "i8"),  # have a Value Out,
        ("affordable", "i8", (FULL + 1,)),  # and cost no more than so much stamina
        ("fit_beside", "i8", (2, FITS)),  # R25 those that fit beside a Return to a ball; with 1, when its next return is forced
        ("limited", "i8"),  # the kinds, as bits, that have a Value Out,
        ("lays", "i8"),  # and those, as bits, that do something beside moving the ball (abilities too)
        ("rank", "i1", (RANKED,)),  # R31 the place of a ball among the automa's targets
        ("aim_rank", "i1", (2, RETURNS, AIMED)),  # R31 the best target that a Return reaches from a ball; with 1, from a serve
        ("aim_modifier", "i1", (2, RETURNS, AIMED)),  # and by which of its modifiers
        ("automa_wins", "i1"),  # the kinds that the automa looks for
        ("automa_ace", "i1"),
        ("automa_reacts", "i1"),
        ("automa_cancels", "i1"),
        ("automa_strokes", "i1"),
        ("automa_stroke", "i1", (STROKES,)),
        ("as_return", "i2", (EFFECTS,)),  # R33 the modifier of cards that are ordinary Returns to it, NO_FORCE for the others
        ("automa_saves", "i1"),
        ("automa_save", "i1", (STROKES,)),
        ("receive", "f4", (RECEIVED,)),  # what the scripted player thinks of every ball (players.py)
        ("habit", "f4", (HABITS_KEPT,)),  # how it weighs things
        ("favourite", "i1", (AVATARS,)),  # and of the avatars
    ],
    align=True,
)

# A player, in 64 bytes. Views show stamina to backs of everybody, and one's own row from the hand on, as they lie here.
PLAYER = np.dtype(
    [
        ("stamina", "i1"),
        ("free", "i1"),  # 1 while cards cost this player nothing
        ("backs", "i1", (DECKS,)),  # how many cards of each deck are in the hand
        ("avatar", "i1"),
        ("ready", "i1"),  # 1 while the ability is unused
        ("tactics", "i1"),  # Tactics that the player has asked for
        ("hand", "i1", (KINDS,)),
        ("abilities", "i1", (AVATARS,)),  # the unused ones, by whose they are: 2 one's own, then as OWNERS says
        ("serves", "i1", (SEATS,)),  # 1 for the place around the table, from this player on, whose player serves
        ("services", "i1"),  # Service cards that the player has asked for
        ("discards", "i1"),  # cards that may still be discarded between rallies
        ("room", "i1"),  # cards below a full hand
    ]
)
OWNERS = (2, -2, 1, -1)  # by places around the table

STATE = record_type(
    [
        *STATE_HEAD,
        ("score", SCORE),  # rounds are its games; its server is a team
        ("phase", "i1"),
        ("turn", "i1"),  # how far a step that all take in turn has come
        ("server", "i1"),  # the seat that serves this round
        ("opener", "i1"),  # and the one that served the first
        ("ball", "i2"),  # as everybody sees it
        ("shift", "i2"),  # what the cards that lie face down add to it
        ("moves_held", "i8", (SEATS,)),  # the set of moves for which a player holds a card
        ("players", PLAYER, (SEATS,)),
        ("tally", "i1", (DECKS, TOTALS)),  # the running totals of every pile
        ("pile", "i1", (KINDS,)),
        ("table", "i1", (KINDS,)),  # cards turned up that have been played in this rally
        ("open", "i1", (KINDS,)),  # these and the used cards; from here on as views show it
        ("veiled", "i1"),  # R22 1 if the last return has a hidden card, turned up or not
        ("strokes", "i1"),  # cards that have hit the ball in this rally, the serve included
        ("hit_modifier", "i1"),  # what the last of them did to it
        ("tax", "i1"),
        ("bars", "i1"),
        ("wins", "i1"),
        ("reacted", "i1"),  # 1 once the answering side has reacted to this return
        ("fault", "i1"),  # 1 after a Double Fault, until the next serve
        ("stage", "i1"),  # R28 who of the answering team is asked: 0 the last hitter, 1 the other, 2 the first again
        ("saved", "i1"),  # 1 once the automa has tried to answer this IN ball
        ("dark", "i1"),  # which cards of the last return lie face down, as bits
        ("hitter", "i1"),  # who hit the ball last of all
        ("hit_kind", "i1"),  # with what
        ("hit_beside", "i1"),  # and what was beside it, and did to the ball
        ("hit_beside_modifier", "i1"),
        ("last", "i1", (2,)),  # who hit it last in each team
        ("force", "i1"),  # what the next return does to the ball, NO_FORCE if that is open
        ("reaction", "i1"),  # the card that doubles, while the hitter may answer it
        ("kept", "i1"),  # the first card that the player who is asked wants to keep
        ("play_kind", "i1"),  # a return in the making
        ("play_modifier", "i1"),
        ("play_beside", "i1"),
        ("play_beside_modifier", "i1"),
        ("turned", "i1", (TURNED,)),  # cards that the automa has turned up last
    ]
)


def _check_places() -> None:
    edition = reference()
    decks = (edition.service, edition.return_, edition.tactic)
    ways = [moves(edition, play) for play in ("return", "accompany", "react", "after_rally")]
    found = [len(part) for part in (*decks, *ways)]
    if found != [SERVICES, RETURNS, TACTICS, PLAYS, ADDS, REACTS, USES]:
        raise RuntimeError(f"components.toml has {found} kinds and moves: change the numbers in state.py to these.")


_check_places()


@functools.cache
def rules_record(options: SweetSpotOptions) -> np.ndarray:
    """The rules record of some options, shape (1,)."""
    from tennis_envs.games.sweet_spot.players import FAVOURITES, HABITS, TO_RECEIVE

    rules = np.zeros(1, RULES)
    record = rules[0]
    set_format(record["format"], "game" if options.format == "best_of_3" else options.format, game_lead=1)
    if options.format == "best_of_3":
        record["format"]["set_games"] = 2
    doubles = options.mode == "doubles"
    record["seats"] = {"versus": 2, "doubles": 4, "solo": 1}[options.mode]
    record["solo"] = options.mode == "solo"
    record["automa"] = ("easy", "normal", "hard").index(options.automa)
    record["avatars"] = ("choose", "random", "none").index(options.avatars)
    record["toss"] = options.toss == "choose"
    record["around"] = 3 if doubles else 1
    record["hand"] = 8 if doubles else 10
    record["server_hand"] = (2, 4 if doubles else 6, 2)
    record["other_hand"] = (0, 6 if doubles else 8, 2)
    record["receive"], record["habit"], record["favourite"] = TO_RECEIVE, list(HABITS.values()), FAVOURITES
    _fill_cards(record, options)
    return rules


def _fill_cards(record: np.void, options: SweetSpotOptions) -> None:
    edition = edition_of(options.components)
    placed = kinds(edition)
    kind_of = {card.name: kind for kind, card in placed.items()}
    for name in ("play_kind", "add_kind", "react_kind", "use_kind"):
        record[name] = NOTHING
    record["next_return"], record["set_to"] = NO_FORCE, NO_SET
    record["least"], record["most"] = NO_LEAST, NO_MOST
    for kind, card in placed.items():
        if kind < KINDS:
            record["copies"][kind] = card.copies
            record["cost"][kind] = card.cost
        if isinstance(card, Service):
            record["ball"][kind], record["weak"][kind] = card.ball, card.weak
        else:
            _fill_effect(record, kind, card, kind_of)
    for play, name in (("return", "play"), ("accompany", "add"), ("react", "react"), ("after_rally", "use")):
        for slot, move in placed_moves(edition, play).items():
            record[f"{name}_kind"][slot] = kind_of[move.name]
            if name in ("play", "add"):
                record[f"{name}_modifier"][slot] = move.modifier
    record["add_least"] = record["least"][record["add_kind"]]
    record["add_most"] = record["most"][record["add_kind"]]
    record["deck"][FIRST_RETURN:FIRST_TACTIC], record["deck"][FIRST_TACTIC:] = RETURN, TACTIC
    for deck, cards in enumerate((edition.service, edition.return_, edition.tactic)):
        record["deck_size"][deck] = sum(card.copies for card in cards)
    _fill_sets(record)
    record["tally"] = tallies(record["copies"])
    automa = edition.automa
    record["rank"] = NO_TARGET
    for rank, target in enumerate(automa.targets):
        record["rank"][target] = rank
    _fill_aims(record)
    record["automa_wins"], record["automa_ace"] = kind_of[automa.wins], kind_of[automa.ace]
    record["automa_reacts"], record["automa_cancels"] = kind_of[automa.reacts], kind_of[automa.cancels]
    record["as_return"] = NO_FORCE
    for name, modifier in automa.as_returns.items():
        record["as_return"][kind_of[name]] = modifier
    for name, cards in (("stroke", automa.strokes), ("save", automa.saves)):
        record[f"automa_{name}s"] = len(cards)
        record[f"automa_{name}"][: len(cards)] = [kind_of[card] for card in cards]


def _fill_effect(record: np.void, kind: int, card: Effect, kind_of: dict[str, int]) -> None:
    record["ways"][kind] = sum(_WAYS[play] for play in card.play)
    record["choices"][kind] = len(card.modifier)
    record["modifier"][kind, : len(card.modifier)] = card.modifier
    record["least"][kind], record["most"][kind] = card.value_out.at_least, card.value_out.at_most
    if card.set_to is not None:
        record["set_to"][kind] = card.set_to
    if card.next_return is not None:
        record["next_return"][kind] = card.next_return
    for name in ("drain", "tax", "bars", "wins", "gain"):
        record[name][kind] = getattr(card, name)
    for name in ("hidden", "doubles", "free_rally", "discards"):
        record[name][kind] = getattr(card, name, 0)
    record["to_serve"][kind] = getattr(card, "reply_to_serve", False)
    record["cancels"][kind] = sum(1 << kind_of[name] for name in getattr(card, "cancels", ()))


def _fill_sets(record: np.void) -> None:
    """What has something in common, as bits, so that the rules can ask for all of a hand at once."""
    lays = (record["next_return"] != NO_FORCE) | (record["wins"] != 0) | (record["bars"] != 0)
    for name in ("drain", "tax", "gain"):
        lays |= record[name] > 0
    conditional = (record["least"] > NO_LEAST) | (record["most"] < NO_MOST)
    record["lays"], record["limited"] = _set_of(lays), _set_of(conditional)
    slots = [range(SERVICES), *(record[f"{name}_kind"] for name in ("play", "add", "react", "use"))]
    kind = np.concatenate(slots)  # of every move, NOTHING in an empty slot
    there, move = kind != NOTHING, np.arange(FIRST_POWER)
    ways = record["ways"][kind]
    plays = (move >= FIRST_PLAY) & (move < FIRST_ADD)
    for name, members in (
        ("returns", plays & (ways & AS_RETURN != 0)),
        ("saves", plays & (ways & AS_SAVE != 0)),
        ("beside", (move >= FIRST_ADD) & (move < FIRST_REACT)),
        ("reactions", (move >= FIRST_REACT) & (move < FIRST_USE)),
        ("after", move >= FIRST_USE),
        ("dark", record["hidden"][kind] != 0),
        ("for_serves", record["to_serve"][kind] != 0),
        ("conditional", conditional[kind]),
    ):
        record[name] = _set_of(members & there)
    for stamina in range(FULL + 1):
        record["affordable"][stamina] = _set_of((record["cost"][kind] <= stamina) & there)
    for card in range(KINDS):
        record["moves"][card] = _set_of(kind == card)
    for place in range(FITS):
        for forced in range(2):
            out = place + LOWEST_FIT + record["add_modifier"].astype(int) * (1 - forced)
            fit = (record["add_least"] <= out) & (out <= record["add_most"]) & (record["add_kind"] != NOTHING)
            record["fit_beside"][forced, place] = _set_of(fit) << FIRST_ADD


def _fill_aims(record: np.void) -> None:
    """R31. Which target each Return reaches, by the first modifier that reaches the best one."""
    balls = np.arange(AIMED)
    for place in range(RETURNS):
        kind = FIRST_RETURN + place
        modifiers = record["modifier"][kind, : max(1, record["choices"][kind])].astype(int)
        out = balls[:, None] + modifiers if record["set_to"][kind] == NO_SET else np.full((AIMED, 1), record["set_to"][kind])
        good = (out >= record["least"][kind]) & (out <= record["most"][kind]) & (out >= 0) & (out < RANKED)
        ranks = np.where(good, record["rank"][out.clip(0, RANKED - 1)], NO_TARGET)
        record["aim_rank"][:, place] = ranks.min(axis=1)
        record["aim_modifier"][:, place] = modifiers[ranks.argmin(axis=1)]
        if record["to_serve"][kind]:
            record["aim_rank"][0, place] = NO_TARGET


def tallies(pile: np.ndarray) -> np.ndarray:
    """The running totals of piles that hold so many cards of each kind, shape (DECKS, TOTALS)."""
    totals = np.zeros((DECKS, TOTALS), np.int8)
    ends = (0, FIRST_RETURN, FIRST_TACTIC, KINDS)
    for deck in range(DECKS):
        cards = pile[ends[deck] : ends[deck + 1]]
        totals[deck] = cards.sum()
        totals[deck, : len(cards)] = cards.cumsum()
    return totals


def _set_of(members: np.ndarray) -> int:
    return sum(1 << int(member) for member in np.flatnonzero(members))
