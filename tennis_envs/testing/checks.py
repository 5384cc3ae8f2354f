"""One game, played in different ways that must not differ by a bit.

The checks compare the hash that this prints:

    python -m tennis_envs.testing.checks GAME --seed 0 --options '{"level": "star"}'
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import subprocess
import sys
from typing import Any

import numpy as np

from tennis_envs.batch import ALONE, MatchBatch
from tennis_envs.core.game import Game
from tennis_envs.match import Match
from tennis_envs.testing.walk import Unseen, fingerprint, known, require, same_bits

_MATCHES, _STEPS = 16, 100


def trace(game: str | Game, seed: int = 0, *, matches: int = _MATCHES, steps: int = _STEPS, **options: Any) -> str:
    """A hash over everything that a batch of random play goes through: states, chance, masks, observations, rewards."""
    batch = MatchBatch(known(game), matches, seed=seed, **options)
    total = hashlib.sha256(fingerprint(batch).encode())
    everyone = [np.full(matches, seat, np.int8) for seat in range(batch.num_seats)]
    unseen = Unseen(batch, seed)
    for _ in range(steps):
        actions = batch.random_actions()
        unseen.follow(batch, int(actions[0]))
        batch.step(actions)
        total.update(fingerprint(batch).encode())
        for encoder in batch.game.encoders:
            for seat in everyone:
                total.update(batch.observe(seat, encoder=encoder).tobytes())
    for player in batch.game.players:
        for _ in range(steps // 4):
            batch.step(batch.player_actions(player))
            total.update(fingerprint(batch).encode())
    batch.close()
    return total.hexdigest()


def trace_elsewhere(
    game: str,
    seed: int = 0,
    *,
    compiled: bool = True,
    module: str | None = None,
    matches: int = _MATCHES,
    steps: int = _STEPS,
    **options: Any,
) -> str:
    """`trace` in a process of its own, compiled or plain. `module` is imported first: it registers the game."""
    command = [sys.executable, "-m", "tennis_envs.testing.checks", game, "--seed", str(seed)]
    command += ["--matches", str(matches), "--steps", str(steps), "--options", json.dumps(options)]
    command += ["--module", module] if module else []
    done = subprocess.run(
        command,
        env={**os.environ, "NUMBA_DISABLE_JIT": "0" if compiled else "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    require(done.returncode == 0, f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout.strip()


def compiled_is_plain(
    game: str,
    seed: int = 0,
    *,
    module: str | None = None,
    matches: int = _MATCHES,
    steps: int = _STEPS,
    **options: Any,
) -> None:
    """Compiled code and plain Python (NUMBA_DISABLE_JIT=1), each in a process of its own, agree byte for byte."""
    traces = [
        trace_elsewhere(game, seed, compiled=compiled, module=module, matches=matches, steps=steps, **options)
        for compiled in (True, False)
    ]
    require(traces[0] == traces[1], f"{game} plays differently compiled and in plain Python, with {options}")


def processes_agree(game: str, seed: int = 0, *, module: str | None = None, steps: int = _STEPS, **options: Any) -> None:
    """Another process plays the same match from the same seed."""
    there = trace_elsewhere(game, seed, module=module, steps=steps, **options)
    require(
        trace(game, seed, steps=steps, **options) == there,
        f"{game} plays differently in another process, with {options}",
    )


def batch_is_singles(game: str | Game, seed: int = 0, *, matches: int = _MATCHES, decisions: int = 400, **options: Any) -> None:
    """Row i of a batch goes through what `Match(seed=seed, index=i)` goes through, decision by decision."""
    game = known(game)
    batch = MatchBatch(game, matches, seed=seed, **options)
    singles = [Match(game, seed=seed, index=row, **options) for row in range(matches)]
    playing = set(range(matches))
    for _ in range(decisions):
        for row in playing:
            _agree(batch, row, singles[row])
        actions = batch.random_actions()
        batch.step(actions)
        for row in sorted(playing):
            single = singles[row]
            single.apply(int(actions[row]))
            require(same_bits(batch.reward[row], single.rewards), f"row {row} was paid differently from a single match")
            ended = single.over or single.truncated
            require(bool(batch.done[row]) == ended, f"row {row} and a single match do not end together")
            require(bool(batch.truncated[row]) == single.truncated, f"row {row} and a single match are not cut off together")
            if ended:
                require(
                    batch.final_states[row].tobytes() == single.state.tobytes(),
                    f"row {row} ended as no single match did",
                )
                playing.remove(row)
        if not playing:
            return


def _agree(batch: MatchBatch, row: int, single: Match) -> None:
    require(batch.states[row].tobytes() == single.state.tobytes(), f"row {row} is not where a single match is")
    require(np.array_equal(batch.action_mask[row], single.mask()), f"row {row} has another mask than a single match")
    require(same_bits(batch.observation[row], single.observe(single.seat)), f"row {row} looks other than a single match")
    require(int(batch.seat[row]) == single.seat, f"in row {row} another seat is to move than in a single match")
    require(batch.match(row) == single, f"match({row}) is not that match")


def _choices(batch: MatchBatch, player: str | None, rows: np.ndarray | None = None) -> np.ndarray:
    """What a scripted player does; without one, anything legal."""
    return batch.random_actions(rows) if player is None else batch.player_actions(player, rows)


def batch_is_independent(
    game: str | Game, seed: int = 0, *, matches: int = _MATCHES, steps: int = _STEPS, **options: Any
) -> None:
    """Neither the size of a batch, nor its threads, nor the order in which its rows are stepped changes any match."""
    game = known(game)
    many = ALONE + matches  # or the helpers of a batch would have no work
    plain, large, threaded, shuffled = (
        MatchBatch(game, size, seed=seed, threads=threads, **options)
        for size, threads in ((matches, 1), (many, 1), (many, 3), (matches, 1))
    )
    pairs = (
        (plain, large, "a larger batch"),
        (large, threaded, "more threads"),
        (plain, shuffled, "another order of rows"),
    )
    order = np.random.default_rng(seed)
    for step, player in enumerate([None] * steps + [player for player in game.players for _ in range(steps // 4)]):
        for batch in (plain, large, threaded):
            batch.step(_choices(batch, player))
        rows = order.permutation(matches).astype(np.int32)
        for part in np.array_split(rows, 3):
            shuffled.step(_choices(shuffled, player, part), part)
        for one, other, how in pairs:
            theirs = other.get_state()
            for name, array in one.get_state().items():
                require(same_bits(array, theirs[name][: len(array)]), f"{how} changed {name} in step {step}")
            require(same_bits(one.reward, other.reward[: one.num_matches]), f"{how} changed rewards in step {step}")
    threaded.close()


def check_all(game: str, seed: int = 0, *, module: str | None = None, **options: Any) -> None:
    """Every check of this module. `module` is what another process must import to know the game."""
    batch_is_singles(game, seed, **options)
    batch_is_independent(game, seed, **options)
    compiled_is_plain(game, seed, module=module, **options)
    processes_agree(game, seed, module=module, **options)


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tennis_envs.testing.checks", description="print the hash of a trace")
    parser.add_argument("game")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--matches", type=int, default=_MATCHES)
    parser.add_argument("--steps", type=int, default=_STEPS)
    parser.add_argument("--options", type=json.loads, default={}, help="the game's options, as JSON")
    parser.add_argument("--module", help="a module to import first, which registers the game")
    given = parser.parse_args()
    if given.module:
        importlib.import_module(given.module)
    print(trace(given.game, given.seed, matches=given.matches, steps=given.steps, **given.options))


if __name__ == "__main__":
    _main()
