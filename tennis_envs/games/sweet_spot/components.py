"""Sweet Spot's cards as data: the form of `components.toml`, and errors that name the entry."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from tennis_envs.core.components import ComponentsError, Entry, Several, Source, load

REFERENCE = Path(__file__).with_name("components.toml")
SIZES = {"service": 20, "return": 40, "tactic": 40, "avatar": 6}  # cards in each deck
CHOICES = 4  # modifiers that one card may offer
IN_PLAY = 7  # R12 the lowest ball in play
HIGHEST_IN = 3

Play = Literal["return", "save", "accompany", "react", "after_rally", "refresh"]
Modifier = Annotated[int, Field(ge=-30, le=30)]
Stamina = Annotated[int, Field(ge=0, le=10)]


class ValueOut(Entry):
    """R25. What the ball must be as it leaves."""

    at_least: int = Field(-999, ge=-999, le=999)
    at_most: int = Field(999, ge=-999, le=999)

    @model_validator(mode="after")
    def _some_ball_fits(self) -> ValueOut:
        if self.at_least > self.at_most:
            raise ValueError(f"no ball is at least {self.at_least} and at most {self.at_most}")
        return self


class Card(Entry):
    """What every card has."""

    name: str = Field(min_length=1)
    copies: int = Field(1, ge=1, le=40)
    source: Source
    known: Several[str] = ()

    @model_validator(mode="after")
    def _known_keys_exist(self) -> Card:
        for key in self.known:
            if key not in type(self).model_fields:
                raise ValueError(f"`known` names {key!r}, which is no key of this card")
        if self.source == "reconstructed" and self.known:
            raise ValueError("a reconstructed card has nothing `known`")
        return self


class Service(Card):
    """R19. A card that opens a rally."""

    ball: int = Field(ge=IN_PLAY, le=60)
    cost: Stamina = 0
    weak: bool = False


class Effect(Card):
    """What a card or an ability does."""

    modifier: tuple[Modifier, ...] = (0,)
    set_to: int | None = Field(None, ge=0, le=60)
    value_out: ValueOut = ValueOut()
    next_return: Modifier | None = None
    drain: Stamina = 0
    tax: Stamina = 0
    bars: bool = False
    wins: bool = False
    gain: Stamina = 0

    @field_validator("modifier", mode="before")
    @classmethod
    def _choices(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else (value,)

    @model_validator(mode="after")
    def _one_kind_of_number(self) -> Effect:
        if not 1 <= len(set(self.modifier)) == len(self.modifier) <= CHOICES:
            raise ValueError(f"`modifier` is one number or a choice of two to {CHOICES} different ones")
        if self.set_to is not None and any(self.modifier):
            raise ValueError("a card has a `modifier` or a `set_to`, not both")
        return self

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of its moves: "Moon Ball", or "Net Cord -1" and "Net Cord +1"."""
        return (self.name,) if len(self.modifier) == 1 else tuple(f"{self.name} {m:+d}" for m in self.modifier)

    def _hits_the_opponent(self) -> bool:
        return self.next_return is not None or bool(self.drain or self.tax or self.bars or self.wins)


class Return(Effect):
    """R20. A Return card."""

    cost: Stamina = 0
    reply_to_serve: bool = False
    hidden: bool = False

    @property
    def play(self) -> tuple[Play, ...]:
        """A Return card is played as a return."""
        return ("return",)

    @model_validator(mode="after")
    def _hidden_moves_only_the_ball(self) -> Return:
        if self.hidden and (self._hits_the_opponent() or self.gain or self.set_to is not None):
            raise ValueError("a hidden card may have a `modifier` and a `value_out` and no other effect (D22)")
        return self


class Tactic(Effect):
    """R21. A Tactic card."""

    play: Several[Play] = Field(min_length=1)
    cost: Stamina = 0
    reply_to_serve: bool = False
    hidden: bool = False
    doubles: bool = False
    cancels: Several[str] = ()
    discards: int = Field(0, ge=0, le=10)

    @model_validator(mode="after")
    def _makes_sense(self) -> Tactic:
        _check_play(self, ("return", "save", "accompany", "react", "after_rally"))
        if self.hidden and (self._hits_the_opponent() or self.gain or self.set_to is not None):
            raise ValueError("a hidden card may have a `modifier` and a `value_out` and no other effect (D22)")
        if self.hidden and not set(self.play) <= {"return", "accompany"}:
            raise ValueError("a hidden card is played as a return or beside one")
        return self


class Avatar(Effect):
    """R3. An avatar's ability."""

    play: Several[Play] = Field(min_length=1)
    free_rally: bool = False
    doubles: bool = False
    cancels: Several[str] = ()
    discards: int = Field(0, ge=0, le=10)

    @model_validator(mode="after")
    def _makes_sense(self) -> Avatar:
        _check_play(self, ("return", "save", "accompany", "react", "after_rally", "refresh"))
        if self.copies != 1:
            raise ValueError("an avatar exists once")
        return self


class Automa(Entry):
    """R31 to R37. The cards that the computer player looks for, and where it wants the ball."""

    wins: str
    ace: str
    strokes: Several[str] = Field(max_length=12)
    as_returns: dict[str, Modifier] = Field(default_factory=dict)
    saves: Several[str] = Field(max_length=12)
    reacts: str
    cancels: str
    targets: Several[int] = Field(min_length=1, max_length=32)
    source: Source

    @model_validator(mode="after")
    def _no_target_twice(self) -> Automa:
        if len(set(self.targets)) != len(self.targets):
            raise ValueError("a target is named twice")
        for target in self.targets:
            if not 0 <= target <= HIGHEST_IN and not IN_PLAY <= target <= 60:
                raise ValueError(f"target {target} is neither IN nor in play")
        return self


class Edition(Entry):
    """All cards of a box."""

    edition: str
    service: Several[Service]
    return_: Several[Return] = Field(alias="return")
    tactic: Several[Tactic]
    avatar: Several[Avatar]
    automa: Automa

    @property
    def cards(self) -> tuple[Card, ...]:
        """Service, Return and Tactic cards, in this order."""
        return self.service + self.return_ + self.tactic

    @property
    def decks(self) -> dict[str, Sequence[Card]]:
        """The entries of each deck by its name."""
        return {"service": self.service, "return": self.return_, "tactic": self.tactic, "avatar": self.avatar}

    @model_validator(mode="after")
    def _complete(self) -> Edition:
        for deck, cards in self.decks.items():
            total = sum(card.copies for card in cards)
            if total != SIZES[deck]:
                raise ValueError(f"the {deck} cards are {total} with all copies: there must be {SIZES[deck]}")
        names = [entry.name for cards in self.decks.values() for entry in cards]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two entries are called {name!r}")
        effects = {card.name: card for card in self.return_ + self.tactic}
        for entry in self.tactic + self.avatar:
            for name in entry.cancels:
                if name not in effects or getattr(effects[name], "hidden", False):
                    raise ValueError(f"{entry.name!r} cancels {name!r}, which is no Return or Tactic card that one can see")
        if all(card.weak for card in self.service):
            raise ValueError("every service card is weak: the automa could not serve")
        self._check_automa()
        return self

    def _check_automa(self) -> None:
        tactics = {card.name: card for card in self.tactic}
        automa = self.automa
        for name in (automa.wins, automa.ace, *automa.strokes, *automa.saves, automa.reacts, automa.cancels, *automa.as_returns):
            if name not in tactics:
                raise ValueError(f"automa: {name!r} is no tactic card")
        for name in automa.saves:
            if "save" not in tactics[name].play:
                raise ValueError(f"automa: {name!r} cannot save a ball")
        if not tactics[automa.reacts].doubles:
            raise ValueError(f"automa: `reacts` needs a card that doubles, which {automa.reacts!r} is not")
        if not tactics[automa.cancels].cancels:
            raise ValueError(f"automa: `cancels` needs a card that cancels, which {automa.cancels!r} is not")


def _check_play(card: Tactic | Avatar, allowed: Sequence[Play]) -> None:
    """Effects that belong to one way of playing a card are given for that way, and each way has an effect."""
    for play in card.play:
        if play not in allowed:
            raise ValueError(f"`play` cannot be {play!r} here")
    if len(set(card.play)) != len(card.play):
        raise ValueError("`play` names something twice")
    strokes = {"return", "save", "accompany"} & set(card.play)
    if not strokes and (any(card.modifier) or card.set_to is not None or card._hits_the_opponent()):
        raise ValueError("an effect on the ball or on the opponent's return needs `play` return, save or accompany")
    if "accompany" in card.play and card.set_to is not None:
        raise ValueError("an accompanying card adds to the ball: it has no `set_to`")
    if "react" in card.play and bool(card.cancels) == card.doubles:
        raise ValueError("a reaction either doubles or cancels")
    if "react" not in card.play and (card.cancels or card.doubles):
        raise ValueError("`doubles` and `cancels` need `play` react")
    if len({"react", "after_rally", "refresh"} & set(card.play)) + bool(strokes) > 1:
        raise ValueError("`play` mixes a stroke, a reaction, a refreshment and a card for after a rally")
    if "after_rally" in card.play and not (card.gain or card.discards):
        raise ValueError("a card for after a rally has a `gain` or `discards`")
    if "after_rally" not in card.play and card.discards:
        raise ValueError("`discards` needs `play` after_rally")
    if "refresh" in card.play and not (card.gain or getattr(card, "free_rally", False)):
        raise ValueError("a refreshment has a `gain` or a `free_rally`")
    if "refresh" not in card.play and getattr(card, "free_rally", False):
        raise ValueError("`free_rally` needs `play` refresh")


@functools.cache
def reference() -> Edition:
    """The reference edition."""
    return load(REFERENCE, Edition)


def slots(places: Sequence[str], own: Sequence[str], what: str) -> list[int]:
    """The slot of each of `own`: that of its namesake among `places`, else the next free one.

    Action numbers and observations have as many slots as the reference edition has entries of that kind.
    """
    if len(own) > len(places):
        raise ComponentsError(f"there are {len(own)} different {what}: at most {len(places)} have a place")
    taken = set(own) & set(places)
    free = iter([slot for slot, name in enumerate(places) if name not in taken])
    return [places.index(name) if name in taken else next(free) for name in own]
