"""TC Tennis's components: the typed model of `components.toml`, and of the file that an owner of the box may write."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

REFERENCE = Path(__file__).parent / "components.toml"

STROKES = ("1S", "2S", "FH", "BH", "FV", "BV", "T")
SURFACES = ("clay", "grass", "hard", "indoor")
RATINGS = ("F", "E", "D", "C", "B", "A", "AA")  # a stroke's rating counts 2 half dice at F and one more a step
GRADES = ("A", "B", "C", "D")

KINDS = 74  # entries of the deck: four End Set values and at most seventy other cards
CARDS = 80
END_SET_CARDS = 10
TOURNAMENT_TACTICS = 5
CHAMPIONS = 24
MOST_VOIDS = 3  # names on one card
MOST_COPIES = 10  # of one entry
MOST_LEVELS = 8  # words in a table
RESULTS = [10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)]  # of two dice read as a number

RETAINED_EVENTS = (
    "tiebreak_roll", "next_stroke", "ground_strokes", "volleys", "two_cards", "search_discards", "force_end_set",
    "strategy_point", "ignore_love", "random_discard", "second_wind",
)  # fmt: skip
PLAYED_EVENTS = ("clear_tactics", "must_rally", "stamina_check", "injury_check")
EVENTS = RETAINED_EVENTS + PLAYED_EVENTS
PURPLE_EVENTS = ("second_wind", "stamina_check", "injury_check")


class ComponentError(ValueError):
    """A components file that cannot be used; the sentence names the entry."""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def _boxes(text: str) -> tuple[int, ...]:
    """Strokes written as "2S FV" or "ANY", as box numbers from 0."""
    if text == "ANY":
        return tuple(range(len(STROKES)))
    boxes = []
    for word in text.split():
        if word not in STROKES:
            raise ValueError(f"{word!r} is no stroke: the strokes are {', '.join(STROKES)}, or ANY alone")
        boxes.append(STROKES.index(word))
    if len(set(boxes)) < len(boxes):
        raise ValueError(f"a stroke stands twice in {text!r}")
    return tuple(boxes)


def _halves(dice: float) -> int:
    """A number of dice in half dice."""
    if 2 * dice != int(2 * dice):
        raise ValueError(f"{dice} dice are not a whole number of half dice")
    return int(2 * dice)


class Love(_Entry):
    """What a card's Love Die does."""

    faces: list[int] = Field(min_length=1, max_length=6)
    on: Literal["own", "opponent"] = "own"
    dice: float = Field(0.0, ge=-3, le=3)
    score: int = Field(0, ge=-9, le=9)
    lose: Literal["", "highest", "half"] = ""

    @model_validator(mode="after")
    def _check(self) -> Love:
        if any(face not in range(1, 7) for face in self.faces) or len(set(self.faces)) < len(self.faces):
            raise ValueError(f"Love Die faces must be different numbers from 1 to 6, not {self.faces}")
        if not (_halves(self.dice) or self.score or self.lose):
            raise ValueError("the Love Die has faces but no effect")
        return self


class Card(_Entry):
    """One kind of Strategy card."""

    name: str = Field(min_length=1)
    id: int = Field(ge=1, le=CARDS)
    copies: int = Field(1, ge=1, le=MOST_COPIES)
    kind: Literal["offense", "defense", "tactic", "end_set"]
    strokes: str = ""
    against: str = ""
    dice: float = Field(0.0, ge=-4, le=4)
    score: int = Field(0, ge=-9, le=9)
    opponent_dice: float = Field(0.0, ge=-4, le=4)
    opponent_score: int = Field(0, ge=-9, le=9)
    love: Love | None = None
    voids: list[str] = Field(default=[], max_length=MOST_VOIDS)
    no_draw: bool = False
    discard_after_set: bool = False
    tournament: bool = False
    rallies: int | None = Field(None, ge=1, le=7)
    restores_stamina: bool = False
    heals: list[int] = []
    source: str = Field(min_length=1)

    @property
    def boxes(self) -> tuple[int, ...]:
        """The boxes that it fits; of a tactic, its owner's strokes that it touches."""
        return _boxes(self.strokes)

    @property
    def targets(self) -> tuple[int, ...]:
        """The opponent's strokes that a tactic touches."""
        return _boxes(self.against)

    @property
    def remedy(self) -> bool:
        """Whether it acts at once on its owner's condition."""
        return self.restores_stamina or bool(self.heals)

    @model_validator(mode="after")
    def _check(self) -> Card:
        boxes, targets = self.boxes, self.targets
        _halves(self.dice), _halves(self.opponent_dice)
        own = bool(self.dice or self.score or (self.love and self.love.on == "own"))
        other = bool(self.opponent_dice or self.opponent_score or (self.love and self.love.on == "opponent"))
        if self.kind == "end_set":
            if self.rallies is None:
                raise ValueError("an End Set card needs `rallies`")
            if not self.no_draw:
                raise ValueError("an End Set card is never taken out of the discards: it needs no_draw = true")
            if boxes or targets or own or other or self.voids or self.remedy or self.tournament or self.discard_after_set:
                raise ValueError("an End Set card has only a name, an id, copies, `rallies` and no_draw")
            return self
        if self.rallies is not None:
            raise ValueError("only an End Set card has `rallies`")
        if self.kind == "tactic":
            if self.voids:
                raise ValueError("only Offense and Defense cards void")
            if self.heals and (len(self.heals) != 6 or not all(0 <= levels < MOST_LEVELS for levels in self.heals)):
                raise ValueError("`heals` lists the levels that an injury gets better for each of the six die results")
            if self.remedy and (boxes or targets or own or other):
                raise ValueError("a tactic that restores or heals is discarded at once and touches no stroke")
            if not self.remedy and not (own or other):
                raise ValueError("the tactic has no effect")
            if own and not boxes:
                raise ValueError("the tactic has an effect on its owner's strokes but `strokes` names none")
            if other and not targets:
                raise ValueError("the tactic has an effect on the opponent's strokes but `against` names none")
            return self
        if not boxes:
            raise ValueError("the card fits no box: `strokes` is empty")
        if targets:
            raise ValueError("only a tactic has `against`")
        if self.remedy:
            raise ValueError("only a tactic restores or heals")
        if self.tournament:
            raise ValueError("only a tactic is kept for the Tournament game")
        if not (own or other or self.voids):
            raise ValueError("the card has no effect")
        return self


class Court(_Entry):
    """A champion's twelve ratings on one surface."""

    strokes: str
    ret: Literal["A", "B", "C", "D"]
    defense: Literal["A", "B", "C", "D"] = Field(alias="def")
    sta: str
    inj: Literal["A", "B", "C", "D"]
    strategy: int = Field(alias="str", ge=0, le=5)

    @property
    def halves(self) -> tuple[int, ...]:
        """The seven strokes in half dice."""
        return tuple(RATINGS.index(rating) + 2 for rating in self.strokes.split())

    @property
    def stamina(self) -> tuple[int, int]:
        """The lesser and the higher grade, alike unless the rating is split."""
        grades = [GRADES.index(grade) for grade in self.sta.split("/")]
        return max(grades), min(grades)

    @model_validator(mode="after")
    def _check(self) -> Court:
        ratings = self.strokes.split()
        if len(ratings) != len(STROKES) or any(rating not in RATINGS for rating in ratings):
            raise ValueError(f"`strokes` needs seven ratings from AA to F, not {self.strokes!r}")
        grades = self.sta.split("/")
        if not 1 <= len(grades) <= 2 or any(grade not in GRADES for grade in grades):
            raise ValueError(f"`sta` is a grade from A to D or two with a slash, not {self.sta!r}")
        return self


class Champion(_Entry):
    """A player card."""

    name: str = Field(min_length=1)
    peak: str = ""
    overall: int = Field(ge=1, le=7)
    clay: Court
    grass: Court
    hard: Court
    indoor: Court
    source: str = Field(min_length=1)

    def court(self, surface: int) -> Court:
        """The ratings on a surface."""
        return getattr(self, SURFACES[surface])


class Event(_Entry):
    """One kind of event marker."""

    effect: Literal[EVENTS]
    colour: Literal["green", "purple"]
    copies: int = Field(ge=1, le=12)
    source: str = Field(min_length=1)

    @model_validator(mode="after")
    def _check(self) -> Event:
        if (self.colour == "purple") != (self.effect in PURPLE_EVENTS):
            raise ValueError(f"{self.effect} is {'purple' if self.effect in PURPLE_EVENTS else 'green'}")
        return self


class Level(_Entry):
    """A word in the Stamina or the Injury table and what it does."""

    name: str = Field(min_length=1)
    strategy: int = Field(0, ge=-5, le=0)
    defense: int = Field(0, ge=0, le=3)
    dice: float = Field(0.0, ge=-3, le=0)


class _Table(_Entry):
    source: str = Field(min_length=1)
    last: list[int]
    A: list[str]
    B: list[str]
    C: list[str]
    D: list[str]
    level: list[Level] = Field(min_length=2, max_length=MOST_LEVELS)

    @property
    def rows(self) -> list[list[int]]:
        """Levels by row and column."""
        names = [level.name for level in self.level]
        return [[names.index(word) for word in getattr(self, grade)] for grade in GRADES]

    @property
    def columns(self) -> list[int]:
        """The column of each of the 36 results."""
        return [next(i for i, last in enumerate(self.last) if result <= last) for result in RESULTS]

    @model_validator(mode="after")
    def _check_table(self) -> _Table:
        if not self.last or self.last[-1] != 66 or self.last != sorted(set(self.last)):
            raise ValueError("`last` must rise and end with 66")
        if any(result not in RESULTS for result in self.last):
            raise ValueError("`last` holds a number that two dice cannot read")
        names = [level.name for level in self.level]
        if len(set(names)) < len(names):
            raise ValueError("two levels have the same name")
        if _halves(self.level[0].dice) or self.level[0].strategy or self.level[0].defense:
            raise ValueError(f"the first level, {names[0]}, must have no effect")
        for level in self.level:
            _halves(level.dice)
        for grade in GRADES:
            row = getattr(self, grade)
            if len(row) != len(self.last):
                raise ValueError(f"row {grade} has {len(row)} cells for {len(self.last)} columns")
            unknown = [word for word in row if word not in names]
            if unknown:
                raise ValueError(f"row {grade} names {unknown[0]!r}, which is no level")
        for above, row, grade in zip([None, *self.rows], self.rows, GRADES, strict=False):
            if row != sorted(row):
                raise ValueError(f"row {grade} gets better to the right")
            if above is not None and any(a > b for a, b in zip(above, row, strict=True)):
                raise ValueError(f"row {grade} is somewhere better than the row above it")
        return self


class StaminaShifts(_Entry):
    """Columns to the right, or rows down."""

    after_tiebreak: int = Field(ge=0, le=9)
    fifth_set: int = Field(ge=0, le=9)
    injured_rows: int = Field(ge=0, le=3)


class InjuryShifts(_Entry):
    """Columns to the right for every bad stamina result, or rows down."""

    bad_stamina: int = Field(ge=0, le=9)
    injured_rows: int = Field(ge=0, le=3)


class StaminaTable(_Table):
    """The Stamina table."""

    shifts: StaminaShifts


class InjuryTable(_Table):
    """The Injury table."""

    shifts: InjuryShifts
    aftereffects: list[int] = Field(min_length=6, max_length=6)


class Components(_Entry):
    """Everything in the box that has a number on it."""

    edition: str = Field(min_length=1)
    card: list[Card]
    champion: list[Champion]
    event: list[Event]
    stamina: StaminaTable
    injury: InjuryTable

    @model_validator(mode="after")
    def _check(self) -> Components:
        if len(self.card) > KINDS:
            raise ValueError(f"the deck has {len(self.card)} different entries; at most {KINDS} are possible")
        numbers: dict[int, str] = {}
        names: set[str] = set()
        for card in self.card:
            if card.name in names:
                raise ValueError(f"two cards are called {card.name!r}; write copies instead")
            names.add(card.name)
            for number in range(card.id, card.id + card.copies):
                if number in numbers:
                    raise ValueError(f"{card.name!r} and {numbers[number]!r} both have the id {number}")
                numbers[number] = card.name
        if sorted(numbers) != list(range(1, CARDS + 1)):
            missing = sorted(set(range(1, CARDS + 1)) ^ set(numbers))
            raise ValueError(f"the deck must have the ids 1 to {CARDS}, each once; wrong: {missing}")
        kinds = {card.name: card.kind for card in self.card}
        for number, name in sorted(numbers.items()):
            if (number <= END_SET_CARDS) != (kinds[name] == "end_set"):
                raise ValueError(f"{name!r}: the ids 1 to {END_SET_CARDS} are the End Set cards")
        for card in self.card:
            for name in card.voids:
                if kinds.get(name) not in ("offense", "defense"):
                    raise ValueError(f"{card.name!r} voids {name!r}, which is no Offense or Defense card")
        tournament = sum(card.copies for card in self.card if card.tournament)
        if tournament != TOURNAMENT_TACTICS:
            raise ValueError(f"exactly {TOURNAMENT_TACTICS} tactics are for the Tournament game, not {tournament}")
        champions = [champion.name for champion in self.champion]
        if len(champions) != CHAMPIONS:
            raise ValueError(f"there are {len(champions)} champions; the box has {CHAMPIONS}")
        for name in champions:
            if champions.count(name) > 1:
                raise ValueError(f"two champions are called {name!r}")
        effects = [event.effect for event in self.event]
        for effect in EVENTS:
            if effects.count(effect) != 1:
                raise ValueError(f"event {effect!r} needs exactly one entry, not {effects.count(effect)}")
        return self

    def champion_index(self, name: str) -> int:
        """Which champion has this name; ValueError if none has."""
        names = [champion.name for champion in self.champion]
        if name not in names:
            raise ValueError(f"no champion is called {name!r}: the champions are {', '.join(names)}")
        return names.index(name)


def _where(data: dict[str, Any], location: tuple[Any, ...]) -> str:
    """An error's place in words: the section, the entry's name (or its number), the field."""
    if not location:
        return "the file"
    section, rest = str(location[0]), list(location[1:])
    words = [section]
    entries = data.get(section)
    if rest and isinstance(rest[0], int) and isinstance(entries, list):
        entry = entries[rest.pop(0)]
        label = entry.get("name", entry.get("effect")) if isinstance(entry, dict) else None
        words.append(repr(label) if label else f"number {location[1] + 1}")
    words += [str(part) for part in rest]
    return " ".join(words)


def parse_components(data: dict[str, Any], label: str = "components") -> Components:
    """Validate the data of a components file; ComponentError with one sentence if it is wrong."""
    try:
        return Components.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        message = first["msg"].removeprefix("Value error, ")
        raise ComponentError(f"{label}: {_where(data, first['loc'])}: {message}.") from None


@functools.lru_cache(maxsize=8)
def load_components(path: str | None = None) -> Components:
    """The reference edition, or a file of the same form."""
    file = Path(path) if path else REFERENCE
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ComponentError(f"there is no components file {str(file)!r}.") from None
    except tomllib.TOMLDecodeError as error:
        raise ComponentError(f"{file}: this is not TOML: {error}.") from None
    return parse_components(data, str(file))
