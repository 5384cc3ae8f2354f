"""Match logs: JSON lines that replay a match exactly, from its chance outcomes alone.

    with MatchLog("match.jsonl", match, seed=7) as log:
        while not match.over:
            log.apply(choose(match))

    for match in replay("match.jsonl"):
        print(match.describe())

The first line names the format, the game, its version, the options and the seed; the second holds the set-up's
outcomes; then comes one line a decision; the last one holds their number, the winner, the score and a digest of the
position.
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from tennis_envs.core.chance import DRAWS
from tennis_envs.match import Match, TapeEnded
from tennis_envs.registry import game as find_game

FORMAT = 1


class LogError(ValueError):
    """A log that cannot be read or replayed: one sentence that names the file, the line and what is wrong."""


class LogCutOff(UserWarning):
    """A log without its last line: the match was not brought to an end, or not written to the end."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


Outcomes = Annotated[list[int], Field(max_length=DRAWS)]


class Header(_Line):
    """The first line."""

    format: int
    game: str
    version: int
    options: dict[str, Any]
    seed: int | None


class SetUp(_Line):
    """The second line: what chance brought before the first decision."""

    outcomes: Outcomes


class Decision(_Line):
    """Who did what, and how chance answered."""

    seat: int
    action: str
    outcomes: Outcomes


class End(_Line):
    """The last line."""

    decisions: int
    winner: int | None
    score: str
    position: str


_LATER: TypeAdapter[Decision | End] = TypeAdapter(Decision | End)


def position_digest(match: Match) -> str:
    """SHA-256 over every field of the state, the same on every machine."""
    fields = json.dumps(match.state.item(), default=lambda array: array.tolist())
    return hashlib.sha256(fields.encode()).hexdigest()


class MatchLog:
    """Writes a match down as it is played by `log.apply`; every line reaches the file before `apply` returns.

    The match must stand before its first decision. `seed` is noted for the reader only. A file that exists already is
    never written over (FileExistsError).
    """

    def __init__(self, path: str | os.PathLike[str], match: Match, *, seed: int | None = None) -> None:
        self.path = Path(path)
        self.match = match
        self._written = 0
        if match.decisions or not _stands_after(match, match.outcomes):
            raise ValueError("a log begins before the first decision of a match, and this match is past it.")
        self._file = self.path.open("x", encoding="utf-8", newline="\n")
        game, options = match.game, match.options.model_dump()
        seed = None if seed is None else int(seed)
        self._write(Header(format=FORMAT, game=game.name, version=game.version, options=options, seed=seed))
        self._write(SetUp(outcomes=match.outcomes))

    def apply(self, action: int | str) -> None:
        """Take a legal action and write it down; an illegal one raises ValueError and is not written."""
        match = self.match
        if match.decisions != self._written:
            raise ValueError("the match went on without its log: every decision must be taken by `log.apply`.")
        seat = int(match.seat)
        name = action if isinstance(action, str) else match.action_name(int(action))
        match.apply(action)
        self._write(Decision(seat=seat, action=name, outcomes=match.outcomes))
        self._written += 1

    def close(self) -> None:
        """Write the last line, with the match as it stands now."""
        if self._file.closed:
            return
        match = self.match
        if match.decisions == self._written:
            score = match.describe(0).partition("\n")[0]
            self._write(End(decisions=self._written, winner=match.winner, score=score, position=position_digest(match)))
        self._file.close()

    def _write(self, line: _Line) -> None:
        self._file.write(line.model_dump_json() + "\n")
        self._file.flush()

    def __enter__(self) -> MatchLog:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _stands_after(match: Match, outcomes: list[int]) -> bool:
    """Whether the match stands exactly where the set-up with these outcomes leaves it."""
    try:
        fresh = Match(match.game, tape=outcomes, **match.options.model_dump())
    except (ValueError, TapeEnded):
        return False
    return not fresh.tape and position_digest(fresh) == position_digest(match)


@dataclass(frozen=True)
class Log:
    """A log as it was read: lines that are well formed, not yet known to be a match that can happen."""

    path: Path
    header: Header
    setup: SetUp
    decisions: tuple[Decision, ...]
    end: End | None
    """None for a log that is cut off."""

    def start(self) -> Match:
        """The match before its first decision; LogError if it cannot be."""
        game, options, tape = self.header.game, self.header.options, self.setup.outcomes
        return self._played(2, tape, lambda: Match(game, tape=tape, **options))

    def replay(self) -> Iterator[Match]:
        """The match after each decision. Its chance is a tape that has run out: `redeal` lets it go on."""
        match = self.start()
        for number, decision in enumerate(self.decisions, start=3):
            if decision.seat != match.seat:
                why = f"seat {decision.seat} acts, but seat {match.seat} is to move."
                raise LogError(f"{self.path}, line {number}: {why}")
            match = match.clone()
            match.tape = list(decision.outcomes)
            self._played(number, decision.outcomes, lambda: _after(match, decision.action))  # noqa: B023
            yield match
        end = self.end
        reached = (match.decisions, match.winner, position_digest(match))
        if end is not None and (end.decisions, end.winner, end.position) != reached:
            raise LogError(f"{self.path}: the decisions do not lead to the position in the last line.")

    def _played(self, number: int, outcomes: list[int], play: Any) -> Match:
        """Run `play` by a tape that must hold exactly the outcomes that it needs."""
        where = f"{self.path}, line {number}: "
        wrong = next((outcome for outcome in outcomes if not 0 <= outcome < 2**15), None)
        if wrong is not None:
            raise LogError(f"{where}outcome {wrong} cannot happen.")
        try:
            match = play()
        except TapeEnded as ended:
            raise LogError(f"{where}an outcome is missing, one of {len(ended.events)} that can follow.") from None
        except ValueError as error:
            raise LogError(f"{where}{str(error).removesuffix('.')}.") from None
        if match.tape:
            raise LogError(f"{where}{len(match.tape)} of the outcomes are too many.")
        return match


def _after(match: Match, action: str) -> Match:
    match.apply(action)
    return match


def read(path: str | os.PathLike[str]) -> Log:
    """Read a log; LogError if it is none, of another version, or damaged. A cut-off log has no `end`."""
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError:
        raise LogError(f"{path} is not a match log: it is not text.") from None
    unfinished = lines.pop()  # empty, if the last line is whole
    if unfinished and _whole(unfinished):
        lines.append(unfinished)
    if not lines:
        raise LogError(f"{path} is not a match log, or is cut off in its first line.")
    header = _header(path, lines[0])
    if len(lines) == 1:
        raise LogError(f"{path} is cut off before the match begins.")
    setup = _parsed(path, 2, lines[1], TypeAdapter(SetUp))
    later = [_parsed(path, number, line, _LATER) for number, line in enumerate(lines[2:], start=3)]
    end = later.pop() if later and isinstance(later[-1], End) else None
    if any(isinstance(line, End) for line in later) or (end is not None and unfinished and not _whole(unfinished)):
        raise LogError(f"{path} is damaged: it goes on after its last line.")
    return Log(path, header, setup, tuple(later), end)


def _whole(line: str) -> bool:
    try:
        json.loads(line)
    except json.JSONDecodeError:
        return False
    return True


def _header(path: Path, line: str) -> Header:
    try:
        found = json.loads(line)
        version = found["format"]
    except (json.JSONDecodeError, KeyError, TypeError):
        raise LogError(f"{path} is not a match log.") from None
    if version != FORMAT:
        raise LogError(f"{path} is a match log of format {version!r}, and this package reads format {FORMAT}.")
    header = _parsed(path, 1, line, TypeAdapter(Header))
    try:
        game = find_game(header.game)
    except ValueError as error:
        raise LogError(f"{path}, line 1: {str(error).removesuffix('.')}.") from None
    if header.version != game.version:
        wanted = f"{game.name} version {header.version}"
        raise LogError(f"{path} is of {wanted}, and this package has version {game.version}.")
    return header


def _parsed(path: Path, number: int, line: str, kind: TypeAdapter) -> Any:
    try:
        return kind.validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        message = first["msg"][0].lower() + first["msg"][1:]
        raise LogError(f"{path}, line {number} is damaged: {place + ': ' if place else ''}{message}.") from None


def replay(path: str | os.PathLike[str]) -> Iterator[Match]:
    """The match after each decision of a log, ending with exactly the position that was logged.

    LogError in one sentence if the log cannot be replayed. A log that is cut off replays as far as it goes; then a
    `LogCutOff` warning says so.
    """
    log = read(path)
    yield from log.replay()
    if log.end is None:
        warnings.warn(cut_off_note(log), LogCutOff, stacklevel=2)


def cut_off_note(log: Log) -> str:
    """What to say of a log without its last line."""
    return f"{log.path} is cut off after {len(log.decisions)} decisions."
