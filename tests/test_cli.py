"""The command line, driven as a person would."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest
from typer.testing import CliRunner

import tennis_envs
from tennis_envs import Match, OptionError
from tennis_envs.arena import Result
from tennis_envs.cli import arena
from tennis_envs.cli.app import _seated, app
from tennis_envs.cli.arena import pairings, play_pairing
from tennis_envs.cli.hint import worth_of_actions
from tennis_envs.cli.words import seat_name, team_name
from tennis_envs.log import read, replay
from tennis_envs.opponents import ScriptedOpponent

ON = "1\n" * 3000  # always the first action


def run(*arguments: str, input: str | None = None, code: int = 0) -> str:
    """What a command prints, both streams; it must end with exit code `code` and without a traceback."""
    result = CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1"}).invoke(app, [*map(str, arguments)], input=input)
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return "".join(line for line in result.output.splitlines(keepends=True) if "compiling" not in line)


def shortest(name: str) -> list[str]:
    """The option for the shortest matches of a game."""
    return ["--format", get_args(tennis_envs.game(name).options.model_fields["format"].annotation)[0]]


def words(text: str) -> str:
    """Printed text without its line breaks."""
    return " ".join(text.split())


# Tables


def test_games_lists_every_game() -> None:
    said = run("games")
    for name in tennis_envs.games():
        game = tennis_envs.game(name)
        assert name in said and game.title in said and str(len(game.actions)) in said


@pytest.mark.parametrize("name", tennis_envs.games())
def test_rules_prints_every_action_option_and_feature(name: str) -> None:
    game = tennis_envs.game(name)
    actions = run("rules", name, "--actions")
    assert all(word in actions for action in game.actions.names for word in action.split())
    options = run("rules", name, "--options")
    assert all(option in options for option in game.options.model_fields)
    for encoder in game.encoders:
        features = run("rules", name, "--observation", "--encoder", encoder)
        assert all(feature.name in features for feature in game.encoder(encoder).features)


def test_the_tables_say_where_things_stand() -> None:
    said = words(run("rules", "passing_shot", "--actions", "--observation"))
    assert "│ 19 to 23 │ winner 1, winner 2, winner 3, winner 4, winner 5" in said
    start = tennis_envs.game("passing_shot").features.start("phase")
    assert f"│ {start} to {start + 8} │ phase │ 0 to 1 │ what is decided: toss, stroke," in said
    options = words(run("rules", "passing_shot", "--options"))
    assert "│ pro_bars_ensure │ true, false │ false │ R21" in options
    assert "│ winner │ false │ false │ true │ true │" in options


def test_rules_prints_the_readme_of_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tennis_envs.cli.tables.game_folder", lambda function: tmp_path)
    assert "has no README.md with its rules" in run("rules", "passing_shot", code=2)
    (tmp_path / "README.md").write_text("# Rules\n\n- **R1** The [ball] is round.\n")
    said = run("rules", "passing_shot")
    assert "R1 The [ball] is round." in said and "**" not in said


# What goes wrong


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rules", "golf"], "no game is called 'golf'"),
        (["rules", "passing_shot", "--observation", "--encoder", "x"], "passing_shot has no encoder 'x'"),
        (["play", "passing_shot", "--opponent", "nobody"], "passing_shot has no opponent 'nobody'"),
        (["play", "passing_shot", "--seat", "2"], "--seat 2 does not exist: seats are 0 to 1."),
        (["play", "passing_shot", "--seat", "left"], "--seat cannot be 'left'"),
        (["play", "passing_shot", "--set", "net"], "--set takes KEY=VALUE, not 'net'."),
        (["play", "passing_shot", "--set", "net=[1, 2]"], "the value is not a YAML scalar."),
        (["play", "passing_shot", "--set", "net={"], "the value is not a YAML scalar."),
        (["watch", "passing_shot", "--players", "random,random,random"], "--players names 3 players"),
        (["watch", "passing_shot", "--players", "random,"], "--players cannot be 'random,'"),
        (["watch", "passing_shot", "--view", "7"], "--view 7 does not exist"),
        (["arena", "passing_shot", "--players", "random"], "an arena needs at least two players"),
        (["arena", "passing_shot", "--players", "random,automa"], "option 'mode' cannot be 'solo'"),
        (["arena", "sweet_spot", "--players", "random,scripted", "--set", "mode=solo"], "--players scripted,automa"),
        (["play", "sweet_spot", "--opponent", "random", "--set", "mode=solo"], "in solo mode the opponent is the automa"),
        (["replay", "no_such_file"], "no_such_file: No such file or directory."),
    ],
)
def test_what_the_user_got_wrong_is_one_sentence(arguments: list[str], message: str) -> None:
    said = run(*arguments, code=2)
    assert message in said
    assert said.startswith("Error: ") and said.endswith(".\n") and said.count("\n") == 1


@pytest.mark.parametrize("setting", ["level=easy", "net=maybe", "colour=1", "max_decisions=0", "level=null"])
@pytest.mark.parametrize("command", ["play", "watch", "arena"])
def test_a_wrong_option_is_the_sentence_of_the_game(command: str, setting: str) -> None:
    key, value = setting.split("=")
    value = {"0": 0, "1": 1, "null": None}.get(value, value)
    with pytest.raises(OptionError) as error:
        tennis_envs.game("passing_shot").parse(**{key: value})
    assert run(command, "passing_shot", "--set", setting, code=2) == f"Error: {error.value}\n"


@pytest.mark.parametrize("command", ["play", "watch"])
def test_a_log_is_never_written_over(command: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_text("precious")
    assert "exists already" in run(command, "passing_shot", "--log", tmp_path / "log", input="q\n", code=2)
    assert (tmp_path / "log").read_text() == "precious"


@pytest.mark.parametrize("missing", ["rich", "typer", "yaml"])
def test_without_the_extra_the_error_names_it(missing: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; import tennis_envs; from tennis_envs.cli import main; main()"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert 'pip install "tennis_envs[cli]"' in result.stderr and "Traceback" not in result.stderr


def test_the_package_itself_needs_no_extra() -> None:
    code = "import sys; sys.modules.update(rich=None, typer=None, yaml=None); import tennis_envs, tennis_envs.log"
    subprocess.run([sys.executable, "-c", code], check=True)


# Options


def test_settings_are_read_as_yaml_and_reach_the_match(tmp_path: Path) -> None:
    settings = ("--set", "format=game", "--set", "net=false", "--set", "max_decisions=77", "--set", "surface=grass")
    run("play", "passing_shot", "--level", "veteran", *settings, "--log", tmp_path / "log", input="q\n")
    options = read(tmp_path / "log").header.options
    assert options["level"] == "veteran" and options["format"] == "game" and options["surface"] == "grass"
    assert options["net"] is False and options["max_decisions"] == 77
    assert options["winner"] is True and options["professional"] is False  # as the level says


# Playing


@pytest.mark.parametrize("name", tennis_envs.games())
@pytest.mark.parametrize("seat", ["0", "1", "random"])
def test_a_whole_match_can_be_played_and_is_logged(name: str, seat: str, tmp_path: Path) -> None:
    arguments = ["--opponent", "random", "--seat", seat, "--seed", "3", "--log", tmp_path / "log", *shortest(name)]
    said = run("play", name, *arguments, input=ON)
    *_, match = replay(tmp_path / "log")
    assert match.over
    me = int(words(said).split("You are seat ")[1][0])
    assert seat in (str(me), "random")
    assert ("You win the match." in said) == (match.winner == me % 2)
    assert read(tmp_path / "log").header.seed == 3


def test_the_same_seed_is_the_same_match(tmp_path: Path) -> None:
    options = ("--opponent", "random", "--format", "set", "--seat", "random", "--seed", "3")
    for log in ("a", "b"):
        run("play", "passing_shot", *options, "--log", tmp_path / log, input=ON)
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()


def test_actions_go_by_number_name_and_beginning(tmp_path: Path) -> None:
    answers = ["", "0", "9", "x", "serve first", "q"]
    said = run("play", "passing_shot", "--seed", "0", "--log", tmp_path / "log", input="\n".join(answers))
    assert "Type the number of an action" in said and said.count("The numbers are 1 to 2.") == 2
    assert "No action here is called 'x'" in said
    assert [line.action for line in read(tmp_path / "log").decisions if line.seat == 0] == ["serve first"]
    for number, (answer, action) in enumerate([("REC", "receive first"), ("s", "serve first"), ("2", "receive first")]):
        run("play", "passing_shot", "--seed", "0", "--log", tmp_path / f"{number}", input=f"{answer}\nq\n")
        assert read(tmp_path / f"{number}").decisions[0].action == action


def test_an_ambiguous_beginning_is_asked_back() -> None:
    said = run("play", "passing_shot", "--seed", "0", input="serve first\nensure\nq\n")
    assert "That can mean ensure 1, ensure 2, ensure 3." in said


def test_the_position_the_actions_and_the_opponent_are_shown(tmp_path: Path) -> None:
    said = run("play", "passing_shot", "--seed", "3", "--format", "game", "--log", tmp_path / "log", input=ON)
    log = read(tmp_path / "log")
    match = log.start()
    told = [f"Opponent: {decision.action}" for decision in log.decisions if decision.seat == 1]
    assert told and [line for line in said.replace("> ", "").splitlines() if line.startswith("Opponent: ")] == told
    points = []
    for decision, after in zip(log.decisions, log.replay(), strict=True):
        if decision.seat == 0:
            assert words(match.describe(0).splitlines()[-1]) in words(said)
        brought = match.narrate(decision.action, after.outcomes, 0, ["you", "opponent"])[1:]
        assert all(words(line) in words(said) for line in brought)
        points += [line for line in brought if line.startswith("point to")]
        match = after
    assert said.count("  point to you") == sum(line.startswith("point to you") for line in points) > 0
    assert said.count("  point to opponent") == sum(line.startswith("point to opponent") for line in points) > 0


@pytest.mark.parametrize("leave", ["q\n", ""])  # "": the input ends
def test_leaving_keeps_the_log(leave: str, tmp_path: Path) -> None:
    said = run("play", "passing_shot", "--seed", "0", "--log", tmp_path / "log", input="1\n" + leave)
    assert "Goodbye." in said and f"tennis-envs replay {tmp_path / 'log'}" in said
    assert read(tmp_path / "log").end.winner is None
    assert next(replay(tmp_path / "log")).decisions == 1
    assert "The match was left before its end." in run("replay", tmp_path / "log")


def test_ctrl_c_leaves_without_a_traceback_and_keeps_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = [
        sys.executable,
        "-u",
        "-m",
        "tennis_envs.cli",
        "play",
        "passing_shot",
        "--level",
        "beginner",
        "--log",
        log,
    ]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*map(str, command), "--seed", "0"], text=True, **pipes) as process:
        process.stdin.write("1\n")
        process.stdin.flush()
        deadline = time.monotonic() + 60
        while not (log.exists() and len(log.read_text().splitlines()) > 2) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Goodbye." in said and "Traceback" not in errors
    assert read(log).end is not None and len(list(replay(log))) >= 1


def test_help_names_every_key() -> None:
    said = run("play", "passing_shot", input="?\nq\n")
    assert all(f"  {key} " in said for key in ("1, 2, …", "h", "p", "?", "q"))


def test_a_hint_shows_what_actions_are_worth_and_takes_none(tmp_path: Path) -> None:
    said = run("play", "passing_shot", "--seed", "0", "--log", tmp_path / "log", input="h\nq\n")
    assert "wins the point" in said and "the scripted player's choice" in said
    assert read(tmp_path / "log").decisions == ()


def test_a_hint_finds_the_share_of_points_that_an_action_wins() -> None:
    match = Match("passing_shot")
    concede, hawk_eye = match.action_index("concede"), match.action_index("hawk-eye")
    guide = tennis_envs.opponent("random", game="passing_shot", seed=0)
    asked = {concede: 0, hawk_eye: 0}
    for seed in itertools.count():
        match = Match("passing_shot", seed=seed, format="game")
        while not match.over and not any(asked[a] == 0 and a in match.legal_actions() for a in asked):
            match.apply(guide.act(match))
        before = match.to_bytes()
        if not match.over:
            for worth in worth_of_actions(match, guide, seconds=60, tries=400):
                assert worth.result.matches > 390
                if worth.action == concede:  # an ace on the next serve, in the same decision, can hide it
                    assert worth.result.wins <= 4
                    asked[concede] += 1
                elif worth.action == hawk_eye:  # three of six sides are not a Ball
                    low, high = worth.result.interval
                    assert low - 0.03 < 0.5 < high + 0.03
                    asked[hawk_eye] += 1
        assert match.to_bytes() == before
        if all(asked.values()):
            return


def test_seats_and_teams_are_called_from_where_one_sits() -> None:
    two, four, alone = (SimpleNamespace(seats=seats) for seats in (2, 4, 1))
    assert [seat_name(two, seat, me=1) for seat in range(2)] == ["opponent", "you"]
    fours = ["partner (seat 0)", "opponent (seat 1)", "you", "opponent (seat 3)"]
    assert [seat_name(four, seat, me=2) for seat in range(4)] == fours
    assert seat_name(four, 3) == "player_3"
    assert [team_name(two, team, me=1) for team in range(2)] == ["the opponent", "you"]
    assert [team_name(four, team, me=2) for team in range(2)] == ["your team", "the other team"]
    assert [team_name(alone, team, me=0) for team in range(2)] == ["you", "the computer player"]
    assert [team_name(four, team) for team in range(2)] == ["player_0 and player_2", "player_1 and player_3"]


# Watching and replaying


@pytest.mark.parametrize("name", tennis_envs.games())
def test_watching_shows_what_replaying_shows(name: str, tmp_path: Path) -> None:
    arguments = ["--players", "random,random", "--delay", "0", "--seed", "8", *shortest(name)]
    watched = run("watch", name, *arguments, "--log", tmp_path / "log")
    replayed = run("replay", tmp_path / "log")
    title, *again = replayed.splitlines()
    assert again == watched.splitlines()[:-1]  # but for the line that names the seed
    log = read(tmp_path / "log")
    assert title == f"{tennis_envs.game(name).title}, {len(log.decisions)} decisions, seed 8"
    decisions = [line.split(". ", 1)[1] for line in again if line[:4].strip().isdigit() and line[4:6] == ". "]
    assert len(decisions) == len(log.decisions)
    for told, line in zip(decisions, log.decisions, strict=True):
        assert told == f"player_{line.seat}: {line.action}" or (line.seat == 1 and told == "player_1: a card face down")


def test_watch_seats_the_players_in_order() -> None:
    def kinds(players: str, seats: int) -> list[str]:
        made = _seated(tennis_envs.game("passing_shot"), players, seats, 0, {})
        return ["scripted" if isinstance(each, ScriptedOpponent) else "random" for each in made]

    assert kinds("scripted,random", 2) == ["scripted", "random"]
    assert kinds("random,scripted", 4) == ["random", "scripted", "random", "scripted"]
    assert kinds("scripted,random,random,scripted", 4) == ["scripted", "random", "random", "scripted"]
    assert kinds("random", 1) == ["random"]


def test_replay_goes_step_by_step(tmp_path: Path) -> None:
    run("watch", "passing_shot", "--delay", "0", "--format", "game", "--seed", "8", "--log", tmp_path / "log")
    said = run("replay", tmp_path / "log", "--step", input="\n\nq\n")
    assert "   2. player_" in said and "   3. player_" not in said
    whole = run("replay", tmp_path / "log", "--step", input="\n" * 3000)
    assert "wins the match" in whole


def test_replay_tells_what_is_wrong_with_a_log(tmp_path: Path) -> None:
    run("watch", "passing_shot", "--delay", "0", "--format", "game", "--seed", "8", "--log", tmp_path / "log")
    lines = (tmp_path / "log").read_text().splitlines(keepends=True)
    (tmp_path / "cut").write_text("".join(lines[:-2]) + lines[-2][:7])
    assert f"is cut off after {len(lines) - 4} decisions." in run("replay", tmp_path / "cut")
    (tmp_path / "bad").write_text("".join([*lines[:3], lines[3].replace('"seat":', '"sit":'), *lines[4:]]))
    assert "line 4 is damaged" in run("replay", tmp_path / "bad", code=2)


# Arena


def test_mirrored_matches_of_equal_players_come_out_even(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same deals with seats changed: whoever plays the same way wins exactly half."""
    monkeypatch.setattr(arena, "_FIRST_CHUNK", 14)
    game = tennis_envs.game("passing_shot")
    players = [tennis_envs.opponent("scripted", game=game) for _ in range(2)]
    (pairing,) = pairings(2)
    heard = []
    options = {"format": "game", "first_server": "player_0"}
    play_pairing(pairing, players, game, 40, 5, options, heard.append)
    assert pairing.result == Result(40, 20) and sum(heard) == 40


def test_everybody_meets_the_automa_and_nobody_else() -> None:
    assert [(pair.first, pair.second) for pair in pairings(3, alone=True)] == [(0, 2), (1, 2)]
    said = run("arena", "sweet_spot", "--players", "random,automa,scripted", "--matches", "4", "--format", "point")
    assert "8 matches; --seed" in said
    assert said.count(" automa ") == 2 and said.count(" random ") == said.count(" scripted ") == 1


@pytest.mark.parametrize("matches", [2, 50, 52, 1000, 99_998])
def test_the_chunks_of_an_arena_make_up_all_its_matches(matches: int) -> None:
    chunks = list(arena._chunks(matches))
    assert sum(chunks) == matches and all(size > 0 and size % 2 == 0 for size in chunks)
    assert max(chunks) <= arena._WIDEST_CHUNK


def test_every_match_counts_once_and_for_the_right_side() -> None:
    """Each match of the arena, played alone from the same seed."""
    game = tennis_envs.game("passing_shot")
    lowest = SimpleNamespace(act_batch=lambda batch, rows: batch.action_mask[rows].argmax(axis=1))
    highest = SimpleNamespace(
        act_batch=lambda batch, rows: len(game.actions) - 1 - batch.action_mask[rows][:, ::-1].argmax(axis=1)
    )
    (pairing,) = pairings(2)
    play_pairing(pairing, [lowest, highest], game, 60, 9, {"format": "tiebreak"}, lambda ended: None)
    wins = [0, 0]
    deals = [(9, index) for index in range(25)] + [(10, index) for index in range(5)]  # two chunks
    for (deal, index), first in itertools.product(deals, range(2)):
        seed = int(np.random.SeedSequence(deal).generate_state(1)[0])
        match = Match(game, seed=seed, index=index, format="tiebreak")
        while not match.over:
            legal = match.legal_actions()
            match.apply(legal[0] if match.seat == first else legal[-1])
        wins[0 if match.winner == first else 1] += 1
    assert pairing.result == Result(60, wins[0]) and wins[0] not in (0, 30, 60)


def test_cut_off_matches_are_nobodys() -> None:
    said = words(run("arena", "passing_shot", "--matches", "9", "--set", "max_decisions=3", "--seed", "1"))
    assert "│ scripted │ random │ 0 │ 0 │ 10 │" in said and "10 matches" in said


def test_the_arena_prints_pairs_and_standings() -> None:
    players = ("--players", "random,scripted,random", "--format", "game", "--matches", "40", "--seed", "1")
    said = words(run("arena", "passing_shot", *players))
    assert said.count("│ random │ scripted │") == 1 and said.count("│ scripted │ random │") == 1
    standings = said.split("Standings")[1]
    assert standings.index("scripted") < standings.index("random")
    assert "120 matches" in said
    assert words(run("arena", "passing_shot", *players)) == said


def test_ctrl_c_prints_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    real = tennis_envs.opponent

    def opponent(name: str, **options):
        player = real(name, **options)
        moves = itertools.count()

        def act_batch(batch, rows):
            if next(moves) == 300:
                raise KeyboardInterrupt
            return player.act_batch(batch, rows)

        return SimpleNamespace(act_batch=act_batch)

    monkeypatch.setattr(tennis_envs, "opponent", opponent)
    said = words(run("arena", "passing_shot", "--format", "game", "--seed", "1", code=130))
    done = int(said.split(" matches, half of them")[0].split()[-1])
    assert 0 < done < 1000 and f"Stopped early: {done} of 1000 matches." in said
    won, lost = said.split("│ scripted │ random │ ")[1].split(" │ ")[:2]
    assert int(won) + int(lost) == done
