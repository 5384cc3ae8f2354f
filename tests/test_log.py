"""The match log: what is written replays exactly, and what is wrong is said in one sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import tennis_envs
from tennis_envs import Match
from tennis_envs.log import LogCutOff, LogError, MatchLog, position_digest, read, replay


def _play(match: Match, apply, decisions: int | None = None, seed: int = 0) -> list[Match]:
    """Random legal play to the end, or for some decisions; the match after each."""
    rng = np.random.default_rng(seed)
    seen = []
    while not match.over and (decisions is None or len(seen) < decisions):
        apply(int(rng.choice(match.legal_actions())))
        seen.append(match.clone())
    return seen


def _logged(path: Path, game: str = "passing_shot", decisions: int | None = None, **options) -> list[Match]:
    match = Match(game, seed=4, **options)
    with MatchLog(path, match, seed=4) as log:
        return _play(match, log.apply, decisions)


@pytest.mark.parametrize("game", tennis_envs.games())
def test_a_replay_passes_through_every_position(game: str, tmp_path: Path) -> None:
    seen = _logged(tmp_path / "log", game)
    again = list(replay(tmp_path / "log"))
    assert len(seen) > 3
    assert again == seen
    assert [m.seat for m in again] == [m.seat for m in seen]
    assert again[-1].over and again[-1].winner == seen[-1].winner and again[-1].decisions == len(seen)


def test_a_replay_needs_no_seed(tmp_path: Path) -> None:
    seen = _logged(tmp_path / "log", format="game")
    lines = (tmp_path / "log").read_text().splitlines()
    head = json.loads(lines[0])
    assert head["seed"] == 4
    for seed in (None, 12345):
        (tmp_path / "other").write_text("\n".join([json.dumps({**head, "seed": seed}), *lines[1:]]) + "\n")
        assert list(replay(tmp_path / "other"))[-1] == seen[-1]


def test_what_stands_in_the_file(tmp_path: Path) -> None:
    match = Match("passing_shot", seed=1, level="beginner", format="game")
    setup = match.outcomes
    with MatchLog(tmp_path / "log", match, seed=1) as log:
        log.apply("serve first")
        outcomes = match.outcomes
    head, start, decision, end = map(json.loads, (tmp_path / "log").read_text().splitlines())
    options, version = match.options.model_dump(), match.game.version
    assert head == {"format": 1, "game": "passing_shot", "version": version, "options": options, "seed": 1}
    assert start == {"outcomes": setup}
    assert decision == {"seat": setup[0], "action": "serve first", "outcomes": outcomes} and outcomes
    score = match.describe(0).splitlines()[0]
    assert end == {"decisions": 1, "winner": None, "score": score, "position": position_digest(match)}


def test_each_line_is_in_the_file_at_once(tmp_path: Path) -> None:
    match = Match("passing_shot", seed=2)
    log = MatchLog(tmp_path / "log", match)
    assert len((tmp_path / "log").read_text().splitlines()) == 2
    for taken in range(1, 6):
        log.apply(match.legal_actions()[0])
        assert len((tmp_path / "log").read_text().splitlines()) == 2 + taken


def test_a_process_that_dies_loses_nothing(tmp_path: Path) -> None:
    code = f"""
import os
from tennis_envs import Match
from tennis_envs.log import MatchLog
match = Match("passing_shot", seed=2, level="beginner")
log = MatchLog({str(tmp_path / "log")!r}, match)
for _ in range(20):
    log.apply(match.legal_actions()[0])
os._exit(7)
"""
    died = subprocess.run([sys.executable, "-c", code], env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, check=False)
    assert died.returncode == 7
    with pytest.warns(LogCutOff, match="cut off after 20 decisions"):
        again = list(replay(tmp_path / "log"))
    match = Match("passing_shot", seed=2, level="beginner")
    for _ in range(20):
        match.apply(match.legal_actions()[0])
    assert again[-1] == match


def test_an_illegal_action_is_not_written(tmp_path: Path) -> None:
    match = Match("passing_shot", seed=2)
    with MatchLog(tmp_path / "log", match) as log:
        with pytest.raises(ValueError, match="'roll' is not legal now"):
            log.apply("roll")
        log.apply("receive first")
    assert list(replay(tmp_path / "log"))[-1] == match


def test_a_decision_past_the_log_is_noticed(tmp_path: Path) -> None:
    match = Match("passing_shot", seed=2)
    with MatchLog(tmp_path / "log", match) as log:
        log.apply("serve first")
        match.apply(match.legal_actions()[0])
        with pytest.raises(ValueError, match="without its log"):
            log.apply(match.legal_actions()[0])
    with pytest.warns(LogCutOff):
        assert len(list(replay(tmp_path / "log"))) == 1


def test_a_log_begins_with_the_match(tmp_path: Path) -> None:
    match = Match("passing_shot", seed=2)
    changed = match.clone()
    changed.state.concentration[0] = 3
    match.apply("serve first")
    for late in (match, changed):
        with pytest.raises(ValueError, match="before the first decision"):
            MatchLog(tmp_path / "log", late)
    assert not (tmp_path / "log").exists()


def test_no_file_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("precious")
    with pytest.raises(FileExistsError):
        MatchLog(tmp_path / "log", Match("passing_shot"))
    assert (tmp_path / "log").read_text() == "precious"


def test_a_replayed_match_can_go_on(tmp_path: Path) -> None:
    _logged(tmp_path / "log", decisions=5)
    *_, match = replay(tmp_path / "log")
    match.redeal(match.seat, seed=1)
    match.apply(match.legal_actions()[0])
    assert match.decisions == 6


@pytest.mark.parametrize("kept", range(0, 2000, 97))
def test_wherever_a_log_is_cut_off_it_replays_as_far_as_it_goes(kept: int, tmp_path: Path) -> None:
    seen = _logged(tmp_path / "log", level="beginner", format="set")
    data = (tmp_path / "log").read_bytes()
    assert len(data) > 2000
    first_two = len(b"".join(data.splitlines(keepends=True)[:2]))
    (tmp_path / "cut").write_bytes(data[:kept])
    if kept < first_two:
        with pytest.raises(LogError, match="cut off"):
            list(replay(tmp_path / "cut"))
        return
    whole_lines = data[:kept].count(b"\n") - 2
    with pytest.warns(LogCutOff, match=f"cut off after {whole_lines} decisions"):
        again = list(replay(tmp_path / "cut"))
    assert again == seen[:whole_lines]


def test_a_last_line_without_its_newline_counts(tmp_path: Path) -> None:
    seen = _logged(tmp_path / "log", format="game")
    data = (tmp_path / "log").read_bytes()
    (tmp_path / "log").write_bytes(data[:-1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(replay(tmp_path / "log")) == seen


def _edit(**changes):
    return lambda line: {**line, **changes}


_WRONG = {
    "an unknown format": (0, _edit(format=9), "is a match log of format 9, and this package reads format 1"),
    "an unknown game": (0, _edit(game="golf"), "line 1: no game is called 'golf'"),
    "another version": (0, _edit(version=99), "is of passing_shot version 99, and this package has version"),
    "an unknown option": (0, _edit(options={"colour": 1}), "line 2: passing_shot has no option 'colour'"),
    "a wrong option": (0, _edit(options={"level": "easy"}), "line 2: passing_shot: option 'level' cannot be 'easy'"),
    "a header that lacks its game": (0, lambda line: {"format": 1}, "line 1 is damaged: game: field required"),
    "a toss that cannot be": (1, _edit(outcomes=[2]), "line 2: outcome 2 at place 0 of the tape cannot happen there"),
    "no toss": (1, _edit(outcomes=[]), "line 2: an outcome is missing, one of 2 that can follow"),
    "two tosses": (1, _edit(outcomes=[0, 0]), "line 2: 1 of the outcomes are too many"),
    "a toss in words": (1, _edit(outcomes=["heads"]), "line 2 is damaged: outcomes.0: "),
    "an outcome that cannot happen": (2, _edit(outcomes=[5000, 0]), "line 3: outcome 5000 at place 0"),
    "an outcome beyond all bounds": (2, _edit(outcomes=[10**6, 0]), "line 3: outcome 1000000 cannot happen"),
    "an outcome below zero": (2, _edit(outcomes=[-1, 0]), "line 3: outcome -1 cannot happen"),
    "an outcome too few": (2, _edit(outcomes=[3]), "line 3: an outcome is missing"),
    "far too many outcomes": (2, _edit(outcomes=[0] * 1000), "line 3 is damaged"),
    "an illegal action": (2, _edit(action="roll", outcomes=[]), "line 3: 'roll' is not legal now"),
    "an unknown action": (2, _edit(action="smash", outcomes=[]), "line 3: no action is called 'smash'"),
    "the other seat": (
        2,
        lambda line: {**line, "seat": 1 - line["seat"]},
        "line 3: seat . acts, but seat . is to move",
    ),
    "a line of another kind": (3, lambda line: {"hello": 1}, "line 4 is damaged"),
    "a decision more": (-1, lambda line: {**line, "decisions": 1 + line["decisions"]}, "do not lead to the position"),
    "another winner": (-1, lambda line: {**line, "winner": 1 - line["winner"]}, "do not lead to the position"),
    "another position": (-1, _edit(position="0" * 64), "do not lead to the position"),
}


@pytest.mark.parametrize("what", _WRONG)
def test_what_is_wrong_is_said_in_one_sentence(what: str, tmp_path: Path) -> None:
    number, change, message = _WRONG[what]
    _logged(tmp_path / "log", format="game")
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    lines[number] = change(lines[number])
    (tmp_path / "log").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(LogError, match=message) as caught:
        list(replay(tmp_path / "log"))
    said = str(caught.value)
    assert said.startswith(str(tmp_path / "log")) and said.endswith(".") and "\n" not in said


@pytest.mark.parametrize("data", [b"", b"hello\n", b"[1]\n", b"{}\n", b"\xff\xfe\x00\n", b"1\n"])
def test_what_is_no_log(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(data)
    with pytest.raises(LogError, match="is not a match log"):
        read(tmp_path / "log")


def test_a_damaged_line_in_the_middle(tmp_path: Path) -> None:
    _logged(tmp_path / "log", format="game")
    lines = (tmp_path / "log").read_text().splitlines()
    (tmp_path / "log").write_text("\n".join([*lines[:4], lines[4][:10], *lines[5:]]) + "\n")
    with pytest.raises(LogError, match="line 5 is damaged"):
        read(tmp_path / "log")


def test_nothing_may_follow_the_last_line(tmp_path: Path) -> None:
    _logged(tmp_path / "log", format="game")
    lines = (tmp_path / "log").read_text().splitlines()
    for more in (lines[2] + "\n", lines[-1] + "\n", lines[2][:10]):
        (tmp_path / "other").write_text("\n".join(lines) + "\n" + more)
        with pytest.raises(LogError, match="goes on after its last line"):
            read(tmp_path / "other")


def test_a_missing_decision_is_noticed(tmp_path: Path) -> None:
    _logged(tmp_path / "log", format="game")
    lines = (tmp_path / "log").read_text().splitlines()
    for gone in range(2, len(lines) - 1):
        (tmp_path / "other").write_text("\n".join(lines[:gone] + lines[gone + 1 :]) + "\n")
        with pytest.raises(LogError):
            list(replay(tmp_path / "other"))
