"""Whole matches frozen in files: any change of rules, luck, masks or observations shows as a diff.

    python -m tennis_envs.testing.playthrough --check [FILE ...]
    python -m tennis_envs.testing.playthrough --write [FILE ...]
    python -m tennis_envs.testing.playthrough --new FILE GAME --seed 7 --players random scripted --options '{…}'

The second plays every match anew, as the first line of its file says. Where no file is named, all below
`tests/playthroughs` are meant.

The first line of a file says all that the match follows from: game, version, options, seed and who plays each team
("random", or a scripted player of the game). Then comes what chance brought in the set-up, and one line a decision:
seat, action, what chance brought and a hash of the state. Every sixteenth decision also has a hash of the mask and of
what every seat sees by every encoder.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tennis_envs.batch import MatchBatch
from tennis_envs.core.game import Game
from tennis_envs.match import Match
from tennis_envs.testing.walk import known, require, same_bits

FOLDER = Path("tests/playthroughs")
_VIEWS_EVERY = 16  # decisions


def play(
    game: str | Game, *, seed: int, players: Iterable[str] = ("random", "random"), **options: Any
) -> Iterator[dict[str, Any]]:
    """The lines of a playthrough, from a match played anew."""
    game = known(game)
    players = list(players)
    match = Match(game, seed=seed, **options)
    chooser = MatchBatch(game, 1, seed=seed, **options)  # row 0 is the same match; its choices have a stream of their own
    head = {"game": game.name, "version": game.version, "options": options, "seed": seed, "players": players}
    yield head
    yield {"outcomes": match.outcomes, **_state(match), **_views(match)}
    while not (match.over or match.truncated):
        player, seat = players[match.seat % len(players)], match.seat
        choices = chooser.random_actions() if player == "random" else chooser.player_actions(player)
        match.apply(int(choices[0]))
        chooser.step(choices)
        line = {"seat": seat, "action": match.action_name(int(choices[0])), "outcomes": match.outcomes, **_state(match)}
        yield line | (_views(match) if match.decisions % _VIEWS_EVERY == 0 or match.over else {})
    yield {"winner": match.winner, "decisions": match.decisions}


def write(path: Path, game: str | Game, **given: Any) -> None:
    """Play a match and freeze it in a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in play(game, **given)))


def rewrite(path: Path) -> None:
    """Play the match of a file anew, by today's rules."""
    head = _read(path)[0]
    write(path, head["game"], seed=head["seed"], players=head["players"], **head["options"])


def check(path: Path) -> None:
    """Raise `InvariantError` where the game no longer plays as the file says: by its seed, or by its outcomes alone."""
    head, start, *decisions, end = _read(path)
    game = known(head["game"])
    require(head["version"] == game.version, f"{path}: written by version {head['version']}, the game has {game.version}")
    seeded = Match(game, seed=head["seed"], **head["options"])
    scripted = Match(game, tape=start["outcomes"], **head["options"])
    require(scripted.tape == [], f"{path}:2: the set-up no longer asks for all these outcomes")
    _compare(path, 2, start, seeded, scripted)
    for number, line in enumerate(decisions, start=3):
        where = f"{path}:{number}"
        require(seeded.seat == line["seat"], f"{where}: seat {seeded.seat} is to move, not seat {line['seat']}")
        scripted.tape = list(line["outcomes"])
        for match in (seeded, scripted):
            try:
                match.apply(line["action"])
            except Exception as error:
                require(False, f"{where}: {error}")
        require(scripted.tape == [], f"{where}: the rules no longer ask for all these outcomes")
        _compare(path, number, line, seeded, scripted)
    found = {"winner": seeded.winner, "decisions": seeded.decisions}
    require(found == end, f"{path}: ends with {found}, not {end}")


def _compare(path: Path, number: int, line: dict[str, Any], seeded: Match, scripted: Match) -> None:
    where = f"{path}:{number}"
    require(seeded.outcomes == line["outcomes"], f"{where}: the seed now brings {seeded.outcomes}, not {line['outcomes']}")
    for match in (seeded, scripted):
        require(_state(match)["state"] == line["state"], f"{where}: leads to another position:\n{match.describe()}")
        if "views" in line:
            require(_views(match)["views"] == line["views"], f"{where}: a mask or an observation has changed")
    for seat in range(seeded.seats):
        require(same_bits(seeded.observe(seat), scripted.observe(seat)), f"{where}: luck to come shows in an observation")


def actions_taken(path: Path) -> set[str]:
    """The names of all actions of a playthrough."""
    return {line["action"] for line in _read(path) if "action" in line}


def replay(path: Path) -> Iterator[Match]:
    """The match of a file after the set-up and after every decision, always the same object."""
    head, start, *decisions, _ = _read(path)
    match = Match(known(head["game"]), tape=start["outcomes"], **head["options"])
    yield match
    for line in decisions:
        match.tape = list(line["outcomes"])
        match.apply(line["action"])
        yield match


def files(folder: Path = FOLDER) -> list[Path]:
    """Every playthrough below a folder."""
    return sorted(folder.rglob("*.jsonl"))


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def _state(match: Match) -> dict[str, str]:
    return {"state": _hash([match.state.tobytes()])}


def _views(match: Match) -> dict[str, str]:
    seen = [match.mask().tobytes()]
    for name in match.game.encoders:
        seen += [np.ascontiguousarray(match.observe_as(name, seat)).tobytes() for seat in range(match.seats)]
    return {"views": _hash(seen)}


def _hash(parts: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()[:12]


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tennis_envs.testing.playthrough", description=__doc__.split("\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true", help="hold the files against the game")
    what.add_argument("--write", action="store_true", help="play the files' matches anew")
    what.add_argument("--new", action="store_true", help="add a file: FILE GAME")
    parser.add_argument("names", nargs="*", metavar="FILE")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--players", nargs="+", default=["random", "random"])
    parser.add_argument("--options", type=json.loads, default={}, help="the game's options, as JSON")
    given = parser.parse_args()
    if given.new:
        if len(given.names) != 2:
            parser.error("--new takes a FILE and a GAME")
        path, game = given.names
        write(Path(path), game, seed=given.seed, players=given.players, **given.options)
        return
    for path in [Path(name) for name in given.names] or files():
        (rewrite if given.write else check)(path)
        print(path)


if __name__ == "__main__":
    _main()
