"""The commands."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

import tennis_envs
from tennis_envs.cli import tables
from tennis_envs.cli.arena import pairings, pairings_table, play_pairing, standings_table
from tennis_envs.cli.play import QuitError
from tennis_envs.cli.play import play as play_match
from tennis_envs.cli.words import seat_name, show_position, tell_decision, tell_end
from tennis_envs.core.game import Game
from tennis_envs.log import MatchLog, cut_off_note, read
from tennis_envs.match import Match
from tennis_envs.opponents import AUTOMA, Opponent, against

app = typer.Typer(
    help="Four tennis tabletop games: play them, watch them, compare players.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

_WRONG, _INTERRUPTED = 2, 130  # exit codes

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A name that `tennis-envs games` lists.")]
Level = Annotated[str | None, typer.Option(help="A level of the game: a preset of its rules.")]
Format = Annotated[str | None, typer.Option(help="What wins the match: point, game, tiebreak, set, best_of_3 …")]
Settings = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any option of the game; repeatable.")]
Seed = Annotated[int | None, typer.Option(min=0, help="Makes chance reproducible.")]
LogFile = Annotated[Path | None, typer.Option("--log", metavar="FILE", help="Write the match down; `replay` shows it.")]
View = Annotated[int, typer.Option(help="Whose view of the match is shown.")]


def _fail(message: str) -> typer.Exit:
    sentence = message if message.endswith(".") else message + "."
    Console(stderr=True).print(Text.assemble(("Error: ", "bold red"), sentence), soft_wrap=True)
    return typer.Exit(_WRONG)


@contextmanager
def _said_plainly() -> Iterator[None]:
    """What the user got wrong is said in a sentence, without a traceback."""
    try:
        yield
    except OSError as error:
        raise _fail(f"{error.filename}: {error.strerror}" if error.strerror else str(error)) from None
    except ValueError as error:
        raise _fail(str(error)) from None


def _options(level: str | None, format: str | None, settings: list[str] | None) -> dict[str, Any]:
    """Options from --level, --format and --set; ValueError in one sentence if a --set cannot be read."""
    options = {name: value for name, value in (("level", level), ("format", format)) if value is not None}
    for setting in settings or ():
        key, equals, text = setting.partition("=")
        if not equals or not key.strip():
            raise ValueError(f"--set takes KEY=VALUE, not {setting!r}.")
        try:
            value = yaml.safe_load(text)
        except yaml.YAMLError:
            raise ValueError(f"--set {setting}: the value is not a YAML scalar.") from None
        if isinstance(value, (dict, list, set)):
            raise ValueError(f"--set {setting}: the value is not a YAML scalar.")
        options[key.strip()] = value
    return options


def _open_log(path: Path | None, match: Match, seed: int) -> MatchLog | None:
    if path is None:
        return None
    try:
        return MatchLog(path, match, seed=seed)
    except FileExistsError:
        raise ValueError(f"{path} exists already, and a log is never written over.") from None


def _seat_in(match: Match, seat: int, option: str) -> int:
    if not 0 <= seat < match.seats:
        raise ValueError(f"{option} {seat} does not exist: seats are 0 to {match.seats - 1}.")
    return seat


@app.command()
def games() -> None:
    """List the games."""
    Console().print(tables.games_table())


@app.command()
def rules(
    name: GameName,
    options: Annotated[bool, typer.Option("--options", help="Show the options instead.")] = False,
    actions: Annotated[bool, typer.Option("--actions", help="Show the actions instead.")] = False,
    observation: Annotated[bool, typer.Option("--observation", help="Show the observation instead.")] = False,
    encoder: Annotated[str, typer.Option(help="Which observation.")] = "flat",
) -> None:
    """Print the numbered rules of a game, or its tables."""
    console = Console()
    with _said_plainly():
        game = tennis_envs.game(name)
        if not (options or actions or observation):
            console.print(Markdown(tables.rules_text(game)))
        if options:
            console.print(tables.options_table(game))
            presets = tables.presets_table(game)
            if presets is not None:
                console.print(presets)
        if actions:
            console.print(tables.actions_table(game))
        if observation:
            console.print(tables.observation_table(game, encoder))


@app.command()
def play(
    name: GameName,
    opponent: Annotated[str | None, typer.Option(help="scripted, random, automa, trained/NAME, or an agent's folder.")] = None,
    seat: Annotated[str, typer.Option(metavar="0|1|random", help="Where you sit.")] = "0",
    seed: Seed = None,
    log: LogFile = None,
    level: Level = None,
    format: Format = None,
    settings: Settings = None,
) -> None:
    """Play a match yourself, in the terminal."""
    console = Console()
    seed = secrets.randbits(31) if seed is None else seed
    with _said_plainly():
        options = _options(level, format, settings)
        game = tennis_envs.game(name)
        others, options = against(opponent, game, seed + 1, options)
        match = Match(game, seed=seed, **options)
        if seat != "random" and not (seat.isascii() and seat.isdigit()):
            raise ValueError(f"--seat cannot be {seat!r}: it must be a number or random.")
        me = random.Random(seed).randrange(match.seats) if seat == "random" else _seat_in(match, int(seat), "--seat")
        writer = _open_log(log, match, seed)
    with writer or nullcontext():
        try:
            play_match(console, match, me, others, writer.apply if writer else match.apply)
        except (QuitError, KeyboardInterrupt):
            console.print("Goodbye.")
    if log is not None:
        console.print(Text(f"The match is in {log}: tennis-envs replay {log}"), soft_wrap=True)
    console.print(Text(f"The same luck again: --seed {seed}", "dim"))


@app.command()
def watch(
    name: GameName,
    players: Annotated[str, typer.Option(help="One player a team, or one a seat, with commas.")] = "scripted,random",
    delay: Annotated[float, typer.Option(min=0, help="Seconds between decisions.")] = 0.3,
    view: View = 0,
    seed: Seed = None,
    log: LogFile = None,
    level: Level = None,
    format: Format = None,
    settings: Settings = None,
) -> None:
    """Watch players play one match."""
    console = Console()
    seed = secrets.randbits(31) if seed is None else seed
    with _said_plainly():
        options = _options(level, format, settings)
        game = tennis_envs.game(name)
        match = Match(game, seed=seed, **options)
        _seat_in(match, view, "--view")
        seated = _seated(game, players, match.seats, seed, options)
        writer = _open_log(log, match, seed)
    apply = writer.apply if writer else match.apply
    with writer or nullcontext():
        try:
            _show_start(console, match, view)
            while not (match.over or match.truncated):
                before, action = match.clone(), seated[match.seat].act(match)
                apply(action)
                tell_decision(console, before, match, action, view, None)
                if delay and not match.over:
                    time.sleep(delay)
            show_position(console, match, view)
            tell_end(console, match)
        except KeyboardInterrupt:
            console.print("Stopped.")
    console.print(Text(f"The same match again: --seed {seed}", "dim"))


def _seated(game: Game, players: str, seats: int, seed: int, options: dict[str, Any]) -> list[Opponent]:
    """The player of each seat."""
    names = _names(players)
    if len(names) not in {min(2, seats), seats}:
        raise ValueError(f"--players names {len(names)} players, and this match has {seats} seats.")
    made = [tennis_envs.opponent(each, game=game, seed=seed + 1 + i, **options) for i, each in enumerate(names)]
    return [made[seat % len(made)] for seat in range(seats)]


def _names(players: str) -> list[str]:
    names = [name.strip() for name in players.split(",")]
    if not all(names):
        raise ValueError(f"--players cannot be {players!r}: it is a list of names with commas.")
    return names


def _show_start(console: Console, match: Match, view: int) -> None:
    console.print(Text(f"As {seat_name(match, view)} sees it:", "dim"))
    show_position(console, match, view)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A match log.")],
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each decision; q ends it.")] = False,
    view: View = 0,
) -> None:
    """Show a match log again, from its chance outcomes alone."""
    console = Console()
    with _said_plainly():
        log = read(file)
        match = log.start()
        _seat_in(match, view, "--view")
        seed = "" if log.header.seed is None else f", seed {log.header.seed}"
        console.print(Text(f"{match.game.title}, {len(log.decisions)} decisions{seed}", "bold"))
        _show_start(console, match, view)
        following = log.replay()
        try:
            for decision in log.decisions:
                if step and console.input("[dim]Enter: on, q: end[/dim] ").strip().lower() == "q":
                    return
                before, match = match, next(following)
                tell_decision(console, before, match, decision.action, view, None)
            next(following, None)  # compares the position reached with the one logged
        except (EOFError, KeyboardInterrupt):
            console.print()
            return
    show_position(console, match, view)
    tell_end(console, match)
    if log.end is None:
        console.print(Text(cut_off_note(log), "yellow"), soft_wrap=True)
    elif match.winner is None and not match.truncated:
        console.print("The match was left before its end.")


@app.command()
def arena(
    name: GameName,
    players: Annotated[str, typer.Option(help="Two or more, with commas.")] = "scripted,random",
    matches: Annotated[int, typer.Option(min=2, help="Matches of each pair, rounded up to an even number.")] = 1000,
    seed: Seed = None,
    level: Level = None,
    format: Format = None,
    settings: Settings = None,
) -> None:
    """Everybody against everybody, each match twice with the seats changed; with automa among them, all against it."""
    console = Console()
    seed = secrets.randbits(31) if seed is None else seed
    with _said_plainly():
        options = _options(level, format, settings)
        game = tennis_envs.game(name)
        names = _names(players)
        if len(names) < 2:
            raise ValueError("an arena needs at least two players: --players a,b.")
        if AUTOMA in names:
            options = {"mode": "solo", **options}
            names = [*(each for each in names if each != AUTOMA), AUTOMA]
        alone = game.seats(game.parse(**options)) < 2
        if alone and (AUTOMA not in names or len(names) < 2):
            raise ValueError("in solo mode the other side is the automa: --players scripted,automa.")
        made = [tennis_envs.opponent(each, game=game, seed=seed + 1 + i, **options) for i, each in enumerate(names)]
    matches += matches % 2
    played = pairings(len(names), alone)
    stopped = False
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("matches", total=matches * len(played))
        try:
            for pairing in played:
                progress.update(task, description=f"{names[pairing.first]} against {names[pairing.second]}")
                play_pairing(pairing, made, game, matches, seed, options, lambda ended: progress.advance(task, ended))
        except KeyboardInterrupt:
            stopped = True
    console.print(pairings_table(names, played))
    if len(names) > 2 and not alone:
        console.print(standings_table(names, played))
    done = sum(pairing.result.matches for pairing in played)
    how = "" if alone else ", half of them with seats changed and the same luck"
    console.print(Text(f"{done} matches{how}; --seed {seed}", "dim"))
    if stopped:
        console.print(f"Stopped early: {done} of {matches * len(played)} matches.")
        raise typer.Exit(_INTERRUPTED)


@app.command()
def tournament(
    size: Annotated[int, typer.Option(help="4, 8 or 16 champions, drawn at random.")] = 8,
    champions: Annotated[str | None, typer.Option(help="The draw, with commas: neighbours meet first.")] = None,
    player: Annotated[str, typer.Option(help="Who plays the champions.")] = "scripted",
    players: Annotated[
        list[str] | None, typer.Option("--as", metavar="CHAMPION=PLAYER", help="Who plays one champion; repeatable.")
    ] = None,
    seed: Seed = None,
    format: Format = None,
    settings: Settings = None,
) -> None:
    """A knock-out of TC Tennis champions, whose injuries go with them from match to match."""
    from tennis_envs.tournament import draw_champions, play_tournament

    console = Console()
    seed = secrets.randbits(31) if seed is None else seed
    with _said_plainly():
        options = _options(None, format, settings)
        draw = _names(champions) if champions else draw_champions(size, seed, options.get("components"))
        chosen = dict.fromkeys(draw, player)
        for each in players or ():
            name, equals, who = each.partition("=")
            if not equals or name.strip() not in chosen:
                raise ValueError(f"--as takes CHAMPION=PLAYER for a champion of the draw, not {each!r}.")
            chosen[name.strip()] = who.strip()
        made = {
            name: tennis_envs.opponent(who, game="tc_tennis", seed=seed + i, level="tournament", **options)
            for i, (name, who) in enumerate(chosen.items())
        }
        console.print(Text(f"{len(draw)} champions, --seed {seed}", "bold"))
        result = play_tournament(draw, made, seed=seed, tick=lambda played: _tell_played(console, played), **options)
    console.print(Text(f"{result.winner} wins the tournament", "bold green"))


def _tell_played(console: Console, played: Any) -> None:
    one, two = played.champions
    score = f"{played.sets[0]}-{played.sets[1]}"
    console.print(f"{played.round:12} {one} v {two} on {played.surface}: {score}, {played.winner}", highlight=False)
