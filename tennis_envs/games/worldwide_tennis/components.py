"""The form of a box of Worldwide Tennis: stroke cards, serve cards, star table and player cards, each entry checked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from tennis_envs.core.components import Entry, Source
from tennis_envs.core.components import load as load_components

SURFACES = ("clay", "hard", "grass", "indoor")
Zone = Literal["forehand", "neutral", "backhand", "net"]
ZONES: tuple[str, ...] = get_args(Zone)
Kind = Literal[
    "baseline", "down_the_line", "crosscourt", "attack", "passing", "volley", "drop_shot", "drop_volley", "lob",
    "smash", "winner",
]  # fmt: skip
KINDS: tuple[str, ...] = get_args(Kind)
RISKS = ("blue", "orange", "red")
SPINS = ("none", "topspin", "slice")
DECKS = ("A", "B")

STROKES = 60  # cards 1 to 60
SERVES = 5  # cards 61 to 65
MAX_PLAYERS = 10

# Public breakdown of one deck by kind: how many cards, and their colour.
BREAKDOWN: dict[str, tuple[int, str]] = {
    "baseline": (19, "blue"),
    "down_the_line": (4, "blue"),
    "crosscourt": (4, "blue"),
    "attack": (8, "orange"),
    "passing": (6, "orange"),
    "volley": (10, "red"),
    "drop_shot": (2, "red"),
    "drop_volley": (2, "red"),
    "lob": (2, "red"),
    "smash": (1, "red"),
    "winner": (2, "red"),
}
MARKED = 6  # starting-hand cards of a deck
WINNER_DIFFICULTY = 22

CardId = Annotated[int, Field(ge=1, le=STROKES)]


class Surface(Entry):
    """What a ball adds to the difficulty of the reply, on each surface."""

    clay: int = Field(ge=-5, le=20)
    hard: int = Field(ge=-5, le=20)
    grass: int = Field(ge=-5, le=20)
    indoor: int = Field(ge=-5, le=20)


class Stroke(Entry):
    """A stroke card, or a run of identical ones with successive numbers."""

    id: CardId
    copies: int = Field(1, ge=1, le=STROKES)
    decks: Literal["A", "B", "AB"] = "AB"
    name: str = Field(min_length=1)
    kind: Kind
    risk: Literal["blue", "orange", "red"]
    difficulty: int = Field(ge=0, le=22)
    start: list[Zone] = Field(min_length=1)
    targets: list[Zone] = Field(min_length=1)
    opponent: Literal["any", "back", "net"] = "any"
    surface: Surface
    spin: Literal["none", "topspin", "slice"] = "none"
    stars: int = Field(0, ge=0, le=5)
    star_cost: int = Field(0, ge=0, le=5)
    draw: int = Field(ge=0, le=12)
    starting_hand: bool = False
    to_net: bool = False
    source: Source

    @model_validator(mode="after")
    def _fits(self) -> Stroke:
        """A card must be playable and must agree with what the rules say of its kind."""
        risk = BREAKDOWN[self.kind][1]
        where = f"card {self.id} ({self.name})"
        for label, zones in (("start", self.start), ("targets", self.targets)):
            if len(set(zones)) != len(zones):
                raise ValueError(f"{where} names a zone twice in {label}")
        if self.id + self.copies - 1 > STROKES:
            raise ValueError(f"{where} with {self.copies} copies runs beyond card {STROKES}")
        if self.risk != risk:
            raise ValueError(f"{where} is {self.risk}, but every {self.kind} is {risk}")
        if (self.kind == "winner") != (self.difficulty == WINNER_DIFFICULTY):
            raise ValueError(f"{where} has difficulty {self.difficulty}: {WINNER_DIFFICULTY} is for winners and no other")
        if self.kind == "winner" and self.stars < 1:
            raise ValueError(f"{where} has no star, but every winner that succeeds earns one")
        short = self.kind in ("drop_shot", "drop_volley")
        if short and (self.targets != ["net"] or self.opponent != "back" or self.star_cost < 1):
            raise ValueError(f"{where} must land at the net, need the opponent at the back and cost a star")
        if not short and "net" in self.targets:
            raise ValueError(f"{where} lands at the net, which only drop shots do")
        if self.kind in ("volley", "drop_volley", "smash") and self.start != ["net"]:
            raise ValueError(f"{where} is a {self.kind} and must start at the net")
        if self.kind == "drop_shot" and "net" in self.start:
            raise ValueError(f"{where} starts at the net, where it would be a drop_volley")
        if self.kind == "lob" and self.opponent != "net":
            raise ValueError(f"{where} is a lob and needs the opponent at the net")
        return self


class Serve(Entry):
    """A serve card."""

    id: Annotated[int, Field(ge=STROKES + 1, le=STROKES + SERVES)]
    decks: Literal["A", "B", "AB"] = "AB"
    name: str = Field(min_length=1)
    risk: Literal["blue", "orange", "red"]
    difficulty: int = Field(ge=1, le=20)
    ace: int = Field(0, ge=0, le=20)
    """The roll from which it is an ace; 0: never."""
    topspin: int = Field(1, ge=0, le=2)
    """What topspin adds to the difficulty; 0: this serve takes none."""
    slice: int = Field(2, ge=0, le=2)
    surface: Surface
    stars: int = Field(0, ge=0, le=5)
    draw: int = Field(ge=0, le=12)
    source: Source


class StarTable(Entry):
    """By how much stars lower a difficulty: the first entry for one star, the next for two."""

    serve: list[Annotated[int, Field(ge=1, le=20)]] = Field(min_length=2, max_length=2)
    rally: list[Annotated[int, Field(ge=1, le=20)]] = Field(min_length=3, max_length=3)
    source: Source


class _Ability(Entry):
    """One ability of a player card."""


class WinningShot(_Ability):
    """A stroke of these kinds whose roll reaches `on` wins the point at once."""

    type: Literal["winning_shot"]
    kinds: list[Kind] = Field(min_length=1)
    on: int = Field(ge=1, le=20)


class Ace(_Ability):
    """Aces come with rolls lower by `by`."""

    type: Literal["ace"]
    by: int = Field(ge=1, le=10)


class Ease(_Ability):
    """Strokes of these kinds are easier by `by`."""

    type: Literal["ease"]
    kinds: list[Kind] = Field(min_length=1)
    by: int = Field(ge=1, le=10)


class Returner(_Ability):
    """The reply to a serve is easier by `by`."""

    type: Literal["return"]
    by: int = Field(ge=1, le=10)


class FreeMove(_Ability):
    """One of the court's payments is not asked for."""

    type: Literal["free"]
    what: Literal["crossing", "middle", "net_back", "drop_shot", "serve_spin"]


class Supply(_Ability):
    """More cards drawn after each point."""

    type: Literal["draw"]
    by: int = Field(ge=1, le=3)


Ability = Annotated[WinningShot | Ace | Ease | Returner | FreeMove | Supply, Field(discriminator="type")]


class Player(Entry):
    """A player card."""

    name: str = Field(pattern=r"^[a-z][a-z_]*$")
    style: str = Field(min_length=1)
    hand: int = Field(ge=MARKED, le=20)
    stars: int = Field(ge=0, le=6)
    removed: list[CardId] = Field(default_factory=list)
    ability: Ability
    source: Source


class Box(Entry):
    """Everything in the box that the rules read."""

    edition: str = Field(min_length=1)
    stroke: list[Stroke]
    serve: list[Serve]
    star_bonus: StarTable
    player: list[Player] = Field(max_length=MAX_PLAYERS)

    @model_validator(mode="after")
    def _whole(self) -> Box:
        """Two decks of sixty strokes and five serves, with the known kinds and marked cards; player cards that fit."""
        for deck in DECKS:
            strokes = self.strokes(deck)
            numbers = Counter(card for card, _ in strokes)
            _numbers_once(deck, numbers, range(1, STROKES + 1))
            _numbers_once(deck, Counter(s.id for s in self.serve if deck in s.decks), range(STROKES + 1, STROKES + SERVES + 1))
            kinds = Counter(stroke.kind for _, stroke in strokes)
            for kind, (count, _) in BREAKDOWN.items():
                if kinds[kind] != count:
                    raise ValueError(f"deck {deck} has {kinds[kind]} {kind} cards, not {count}")
            marked = [stroke for _, stroke in strokes if stroke.starting_hand]
            if len(marked) != MARKED:
                raise ValueError(f"deck {deck} marks {len(marked)} starting-hand cards, not {MARKED}")
            if not any(stroke.kind == "winner" for stroke in marked):
                raise ValueError(f"deck {deck} marks no winner as a starting-hand card")
            ranks = [serve.difficulty for serve in self.serves(deck)]
            if ranks != sorted(ranks):
                raise ValueError(f"the serves of deck {deck} are not numbered by difficulty")
            for needed in (4, 10):
                if ranks.count(needed) != 1:
                    raise ValueError(f"deck {deck} needs one serve of difficulty {needed}, for the virtual opponent")
        names = Counter(player.name for player in self.player)
        for name, times in names.items():
            if times > 1 or name in ("none", "random", "choose"):
                raise ValueError(f"player {name!r} needs a name of its own")
        most_drawn = max(entry.draw for entry in (*self.stroke, *self.serve))
        for player in self.player:
            if len(set(player.removed)) != len(player.removed):
                raise ValueError(f"player {player.name!r} removes a card twice")
            more = player.ability.by if isinstance(player.ability, Supply) else 0
            if STROKES - len(player.removed) < player.hand + max(player.hand, most_drawn + more):
                raise ValueError(f"player {player.name!r} removes too many cards for a hand of {player.hand}")
        return self

    def strokes(self, deck: str) -> list[tuple[int, Stroke]]:
        """The cards of a deck by number."""
        cards = [(entry.id + i, entry) for entry in self.stroke if deck in entry.decks for i in range(entry.copies)]
        return sorted(cards, key=lambda card: card[0])

    def serves(self, deck: str) -> list[Serve]:
        """The serves of a deck by number."""
        return sorted((entry for entry in self.serve if deck in entry.decks), key=lambda serve: serve.id)


def _numbers_once(deck: str, numbers: Counter, wanted: range) -> None:
    """Every number of the range must be there exactly once."""
    for number in wanted:
        if numbers[number] != 1:
            raise ValueError(f"deck {deck} has {numbers[number]} cards with the number {number}, not 1")


def load(path: str | Path | None = None) -> Box:
    """Read a components file, the reference edition without a path; ComponentsError in one sentence if it is wrong."""
    return load_components(path or Path(__file__).with_name("components.toml"), Box)
