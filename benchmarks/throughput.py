"""Decisions per second, side by side with other suites in one run.

    python -m benchmarks.throughput --game passing_shot [--quick] [--patience SECONDS] [--json FILE]

A decision is one action of one live player. The contenders take turns in rounds, so that a noisy machine cannot favour
one; medians and ranges over the rounds are shown. What runs on one core is counted per second of its own CPU time,
so that a core shared with others gives the rate of a whole one (but for the caches, which are shared too).

A core may be shared without the system saying so: its other half may do another's work, which halves its speed. So a small
loop of plain Python, which has nothing to do with any contender, is timed before and after every turn (`cores.py`). A turn
waits a little for a core that is free, stays on it, and is a free round if the core was free before and after, and gave nine
tenths of its time. Contenders that had fewer than three free rounds take more turns, as long as patience lasts. Then medians
are over the free rounds, whatever their rates; if any contender still lacks some, over all rounds, for all contenders alike.
Two threads against one need two free cores. Free is a core as fast as the fastest seen in this run: where none was free all
the time, nothing here can tell.

Threads and fresh processes are counted by the clock on the wall. Fresh processes do without scipy, which the base install
lacks and Numba would import.

Whether a target is met is decided by what was measured here. Where OpenSpiel is measured too, the last columns add an estimate
for the machine of `REFERENCE`, by the geometric mean over OpenSpiel's games: a comparison of machines, no measurement.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from time import perf_counter, process_time
from typing import Any

import numpy as np

import tennis_envs
from benchmarks.cores import FREE, Cores
from benchmarks.tables import in_progress, print_table

BATCHES = (1, 64, 1024, 2048, 8192)
OPEN_SPIEL = ("pig", "backgammon", "leduc_poker", "gin_rummy", "crazy_eights", "liars_dice", "hanabi")
PETTING_ZOO = ("leduc_holdem_v4", "connect_four_v3")
REFERENCE = {  # decisions/s of OpenSpiel 2.0.2, measured as below on another machine
    "pig": 375_066,
    "backgammon": 73_079,
    "leduc_poker": 302_915,
    "gin_rummy": 50_894,
    "crazy_eights": 242_580,
    "liars_dice": 302_838,
    "hanabi": 113_679,
}


@dataclass(frozen=True)
class Targets:
    """What a game promises; None is no promise."""

    batch: float  # decisions/s of MatchBatch on one core, for two players
    cold: float  # s
    other_modes: float | None = None  # as `batch`, for doubles and against an automa
    times_open_spiel: float | None = None
    match: float | None = None  # µs
    aec: float | None = None  # decisions/s
    warm: float | None = None  # s
    threads_idle: float | None = None
    threads_busy: float | None = None


TARGETS = {
    "passing_shot": Targets(
        batch=12e6, cold=30, times_open_spiel=25, match=4, aec=250e3, warm=1.5, threads_idle=1.6, threads_busy=0.7
    ),
    "sweet_spot": Targets(batch=8e6, cold=40, other_modes=5e6),
    "worldwide_tennis": Targets(batch=6e6, cold=40, other_modes=6e6),
    "tc_tennis": Targets(batch=5e6, cold=60),
}


FULL_SHARE = 0.9  # of a core's time
FEW = 3  # free rounds
Turn = Callable[[float], dict[str, float]]  # seconds -> {what: rate per second}


@dataclass
class Contender:
    """Something to measure, and its rates in every round."""

    group: str
    name: str
    turn: Turn
    counts: str
    rates: dict[str, list[float]] = field(default_factory=dict)
    shares: list[float] = field(default_factory=list)
    """How much of a core, or of each of two, every round had: the least by CPU time and by `Cores`."""
    free: list[bool] = field(default_factory=list)
    """Whether every round was a free one."""
    only_free: bool = False
    """Whether only those count."""

    def measure(self, seconds: float, by_wall: bool = False, cores: Cores | None = None, count: int = 1) -> None:
        """Take a turn, on `count` free cores if there is anyone to tell which are."""
        before = cores.take(count) if cores else 1.0
        wall, own = perf_counter(), process_time()
        rates = self.turn(seconds)
        share = min(1.0, (process_time() - own) / (perf_counter() - wall))
        after = cores.leave(count) if cores else 1.0
        self.shares.append(min(before, share, after))
        self.free.append(cores is None or (min(before, after) >= FREE and share >= FULL_SHARE))
        for what, rate in rates.items():
            self.rates.setdefault(what, []).append(rate if by_wall else rate / share)

    def median(self, what: str) -> float:
        """The median rate over the rounds that count."""
        return statistics.median(self._counted(self.rates[what]))

    @property
    def share(self) -> float:
        """The median share of a core over the same rounds."""
        return statistics.median(self._counted(self.shares))

    def _counted(self, values: list[float]) -> list[float]:
        return [value for value, free in zip(values, self.free, strict=True) if free or not self.only_free]


# Our own


def batch_turn(game: str, num_matches: int, threads: int = 1, **options: Any) -> Turn:
    """`MatchBatch` with random legal actions."""
    batch = tennis_envs.MatchBatch(game, num_matches, seed=1, threads=threads, **options)
    actions = np.zeros(num_matches, np.int32)

    def turn(seconds: float) -> dict[str, float]:
        decisions, picking, stepping = 0, 0.0, 0.0
        while picking + stepping < seconds:
            start = perf_counter()
            batch.random_actions(out=actions)
            between = perf_counter()
            batch.step(actions)
            stepping += perf_counter() - between
            picking += between - start
            decisions += num_matches
        return {"step": decisions / stepping, "pick": decisions / picking, "all": decisions / (picking + stepping)}

    return turn


def recorded(game: str, decisions: int, **options: Any) -> list[tuple[int, list[int]]]:
    """Seeds of whole matches of random legal play and their actions, at least so many in all."""
    rng, found, total, seed = random.Random(0), [], 0, 0
    while total < decisions:
        match, actions = tennis_envs.Match(game, seed=seed, **options), []
        while not match.over and not match.truncated:
            actions.append(rng.choice(match.legal_actions()))
            match.apply(actions[-1])
        found.append((seed, actions))
        total += len(actions)
        seed += 1
    return found


def match_turn(game: str, **options: Any) -> Turn:
    """`apply`, `mask` and `observe` of single matches, replayed by their seeds so that nothing is picked meanwhile."""
    matches = recorded(game, 2000, **options)

    def turn(seconds: float) -> dict[str, float]:
        decisions, spent = 0, 0.0
        while spent < seconds:
            for seed, actions in matches:
                match = tennis_envs.Match(game, seed=seed, **options)
                start = perf_counter()
                for action in actions:
                    match.apply(action)
                    match.mask()
                    match.observe(match.seat)
                spent += perf_counter() - start
                decisions += len(actions)
        return {"all": decisions / spent}

    return turn


def clone_turn(game: str, **options: Any) -> Turn:
    """`clone` of a match under way."""
    match = tennis_envs.Match(game, seed=0, **options)

    def turn(seconds: float) -> dict[str, float]:
        clones, start = 0, perf_counter()
        while (spent := perf_counter() - start) < seconds:
            for _ in range(1000):
                match.clone()
            clones += 1000
        return {"all": clones / spent}

    return turn


def pick_legal(mask: np.ndarray, draw: Callable[[], float]) -> int:
    """A cheap random legal action."""
    legal = mask.nonzero()[0].tolist()
    return legal[int(draw() * len(legal))]


def aec_turn(make: Callable[[], Any], choose: Callable[[Any, str, Any], Any]) -> Turn:
    """An AEC environment driven by `agent_iter` and `last`; `choose(env, agent, observation)` picks."""
    env, seeds = make(), iter(range(10**9))

    def turn(seconds: float) -> dict[str, float]:
        decisions, start = 0, perf_counter()
        while perf_counter() - start < seconds:
            env.reset(seed=next(seeds))
            for agent in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                env.step(choose(env, agent, observation))
                decisions += 1
        return {"all": decisions / (perf_counter() - start)}

    return turn


# Others


def open_spiel_turn(name: str) -> Turn:
    """A C++ game of OpenSpiel through Python: observation tensor and mask as arrays by its fastest way."""
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(name)
    observation = make_observation(game)
    actions = game.num_distinct_actions()
    luck = random.Random(0)
    draw, choices = luck.random, luck.choices

    def turn(seconds: float) -> dict[str, float]:
        decisions, start = 0, perf_counter()
        while perf_counter() - start < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(choices(outcomes, weights)[0])
                    continue
                observation.set_from(state, state.current_player())
                observation.tensor.copy()
                legal = state.legal_actions()
                mask = np.zeros(actions, np.int8)
                mask[legal] = 1
                state.apply_action(legal[int(draw() * len(legal))])
                decisions += 1
        return {"all": decisions / (perf_counter() - start)}

    return turn


def add_others(contenders: list[Contender]) -> list[str]:
    """Add what is installed of the other suites; sentences about what is not."""
    missing = []
    counts = "observation, mask, apply, chance, reset; the random choice"
    for name in OPEN_SPIEL:
        try:
            contenders.append(Contender("OpenSpiel", name, open_spiel_turn(name), counts))
        except ImportError as error:
            missing.append(f"OpenSpiel is left out, because it is not installed (extra `bench`): {error}.")
            break
    for name in PETTING_ZOO:
        try:
            module = importlib.import_module(f"pettingzoo.classic.{name}")
            turn = aec_turn(module.env, lambda env, agent, seen: env.action_space(agent).sample(seen["action_mask"]))
        except ImportError as error:
            missing.append(f"PettingZoo's {name} is left out, because something that it needs is not installed: {error}.")
            continue
        contenders.append(Contender("PettingZoo", name, turn, "as a user runs it: env(), agent_iter, last, sample(mask)"))
    return missing


# Fresh processes

_FIRST_STEPS = """
import sys, time
sys.modules["scipy"] = None
start = time.perf_counter()
import tennis_envs
imported = time.perf_counter()
match = tennis_envs.Match({game!r}, seed=0)
match.apply(match.legal_actions()[0])
match.observe(match.seat)
single = time.perf_counter()
batch = tennis_envs.MatchBatch({game!r}, 64, seed=0)
batch.step(batch.random_actions())
print(imported - start, single - start, time.perf_counter() - start)
"""


def first_steps(game: str, cache: str | None = None) -> tuple[float, float, float]:
    """Seconds in a fresh process until the import, the first step of a match, and the first of a batch are done."""
    environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
    code = _FIRST_STEPS.format(game=game)
    done = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
    imported, single, batch = map(float, done.stdout.split())
    return imported, single, batch


def start_times(game: str, rounds: int) -> dict[str, list[float]]:
    """Warm and cold starts; seconds to the first step of a match and of a batch, both."""
    first_steps(game)  # fills the cache
    warm = [first_steps(game)[2] for _ in range(rounds)]
    with tempfile.TemporaryDirectory() as folder:
        cold = [first_steps(game, folder)[2]]
    return {"warm": warm, "cold": cold}


# Threads


@contextmanager
def busy_core() -> Iterator[None]:
    """A process that keeps one core busy; it ends with its parent."""
    core = min(os.sched_getaffinity(0))
    code = f"import os\nos.sched_setaffinity(0, {{{core}}})\nwhile os.getppid() == {os.getpid()}:\n    sum(range(10000))"
    process = subprocess.Popen([sys.executable, "-c", code])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def measure_threads(game: str, rounds: int, seconds: float, cores: Cores | None = None) -> list[Contender]:
    """One thread and two, both by turns: on the machine as it is, and with one core kept busy."""
    counts = "step, restart, mask and observation of 8,192 matches"
    found = []
    for state in ("idle", "one core busy"):
        pair = [Contender(state, f"{n} thread{'s' * (n > 1)}", batch_turn(game, 8192, n), counts) for n in (1, 2)]
        if state == "idle":
            _rounds(pair, 3 * rounds, seconds / 3, True, cores, count=2)  # two cores are seldom free for long
        else:
            with busy_core():
                _rounds(pair, rounds, seconds, True)
        found += pair
    return found


def _rounds(
    contenders: list[Contender], rounds: int, seconds: float, by_wall: bool = False, cores: Cores | None = None, count: int = 1
) -> None:
    """So many turns of each, and more for those with few free rounds."""
    for contender in contenders:
        contender.turn(min(0.05, seconds))  # warm up
    order = [contenders[(turn + place) % len(contenders)] for turn in range(rounds) for place in range(len(contenders))]
    for contender in in_progress(order, "measuring"):
        contender.measure(seconds, by_wall, cores, count)
    end = perf_counter() + (cores.patience if cores else 0)
    while (lacking := [c for c in contenders if sum(c.free) < FEW]) and perf_counter() < end:
        for contender in in_progress(lacking, "once more, for want of free cores"):
            contender.measure(seconds, by_wall, cores, count)
    for contender in contenders:
        contender.only_free = not lacking


# The whole


def variants_of(game: str) -> list[dict[str, Any]]:
    """The levels and modes of a game as options, the default first."""
    options = tennis_envs.game(game).options
    default = getattr(options(), "level", None)
    return sorted(options.variants(), key=lambda given: given not in ({}, {"level": default}))


def told(options: dict[str, Any]) -> str:
    """A variant in a few words."""
    return " ".join(str(value) for value in options.values()) or "default"


def mode_of(game: str, options: dict[str, Any]) -> str:
    """The mode that some options choose."""
    return tennis_envs.game(game).parse(**options).mode


def _group(game: str, options: dict[str, Any]) -> str:
    mode = mode_of(game, options)
    return "MatchBatch" if mode == "versus" else f"MatchBatch, {mode}"


def measure(
    game: str, rounds: int, seconds: float, others: bool = True, cores: Cores | None = None
) -> tuple[list[Contender], list[str]]:
    """All contenders, measured by turns; and sentences about what was left out."""
    batches = "step (action check, rules, restart of finished matches, mask, observation); the random choice apart"
    contenders = [
        Contender(_group(game, options), f"{told(options)}, {n:,} matches", batch_turn(game, n, **options), batches)
        for options in variants_of(game)
        for n in BATCHES
    ]
    contenders.append(Contender("Match", "apply + mask + observe", match_turn(game), "the three calls; nothing picked"))
    contenders.append(Contender("Match", "clone", clone_turn(game), "copies"))
    draw = random.Random(0).random
    aec = aec_turn(getattr(tennis_envs, f"{game}_v0").raw_env, lambda env, agent, seen: pick_legal(seen["action_mask"], draw))
    contenders.append(Contender("AEC", "raw_env", aec, "agent_iter, last, step, reset; a cheap random legal choice"))
    missing = add_others(contenders) if others else []
    _rounds(contenders, rounds, seconds, cores=cores)
    return contenders, missing


def speed_of_machine(contenders: list[Contender]) -> float | None:
    """How fast OpenSpiel's games ran, as a share of `REFERENCE`; None without OpenSpiel."""
    shares = [c.median("all") / REFERENCE[c.name] for c in contenders if c.group == "OpenSpiel"]
    return statistics.geometric_mean(shares) if shares else None


def judge(
    contenders: list[Contender], threads: list[Contender], starts: dict[str, list[float]], targets: Targets
) -> list[dict[str, Any]]:
    """Every target: what was promised, what was measured, whether it holds, here and at the reference's speed."""
    median = {(c.group, c.name, what): c.median(what) for c in [*contenders, *threads] for what in c.rates}
    default = next(c for c in contenders if c.group == "MatchBatch").name.split(",")[0]
    ours = {c.name: c for c in contenders if c.group == "MatchBatch" and c.name.split(",")[0] == default}
    best = max(ours.values(), key=lambda c: c.median("step"))
    ratios = {
        state: median[state, "2 threads", "step"] / median[state, "1 thread", "step"] for state in ("idle", "one core busy")
    }
    rows = [
        (f"MatchBatch, one core ({best.name}), step, M/s", best.median("step"), targets.batch, RATE, 1e6),
        *_other_modes(contenders, targets),
        ("apply + mask + observe, µs", 1e6 / median["Match", "apply + mask + observe", "all"], targets.match, TIME, 1),
        ("AEC raw_env, thousand/s", median["AEC", "raw_env", "all"], targets.aec, RATE, 1e3),
        ("warm import to first step, s", statistics.median(starts["warm"]), targets.warm, TIME, 1),
        ("cold compile of the game, s", statistics.median(starts["cold"]), targets.cold, TIME, 1),
        ("two threads against one", ratios["idle"], targets.threads_idle, RATIO, 1),
        ("two threads against one, one core busy", ratios["one core busy"], targets.threads_busy, RATIO, 1),
    ]
    peers = [c for c in contenders if c.group == "OpenSpiel"]
    if peers:
        fastest = max(peers, key=lambda c: c.median("all"))
        times = best.median("all") / fastest.median("all")
        rows.insert(
            1, (f"times OpenSpiel's fastest ({fastest.name}), choice included", times, targets.times_open_spiel, RATIO, 1)
        )
    speed = speed_of_machine(contenders)
    return [
        _judged(what, value / unit, target / unit, kind, speed) for what, value, target, kind, unit in rows if target is not None
    ]


RATE, TIME, RATIO = "rate", "time", "ratio"  # what a faster machine makes greater, less, or leaves as it is


def _other_modes(contenders: list[Contender], targets: Targets) -> Iterator[tuple[str, float, float | None, str, float]]:
    """For each mode beside that of two players, the variant of it that is slowest at its best batch size."""
    groups = dict.fromkeys(c.group for c in contenders if c.group.startswith("MatchBatch, "))
    for group in groups:
        best: dict[str, Contender] = {}
        for c in (c for c in contenders if c.group == group):
            variant = c.name.split(",")[0]
            best[variant] = max(best.get(variant, c), c, key=lambda each: each.median("step"))
        slowest = min(best.values(), key=lambda each: each.median("step"))
        yield f"{group} ({slowest.name}), step, M/s", slowest.median("step"), targets.other_modes, RATE, 1e6


def _judged(what: str, value: float, target: float, kind: str, speed: float | None) -> dict[str, Any]:
    def met(measured: float) -> bool:
        return measured <= target if kind == TIME else measured >= target

    verdict = {
        "what": what,
        "measured": value,
        "target": target,
        "met": met(value),
        "sense": "at most" if kind == TIME else "at least",
    }
    if speed is not None:
        scaled = value / speed if kind == RATE else value * speed if kind == TIME else value
        verdict |= {"at_reference": scaled, "met_at_reference": met(scaled)}
    return verdict


def _number(rate: float) -> str:
    return f"{rate:,.0f}" if rate < 1e6 else f"{rate / 1e6:,.2f} M"


def _spread(rates: list[float]) -> str:
    return f"{_number(min(rates))} – {_number(max(rates))}"


def _share(contender: Contender) -> list[str]:
    return [f"{contender.share:.2f}", f"{sum(contender.free)} of {len(contender.free)}"]


def show(contenders: list[Contender], threads: list[Contender], starts: dict[str, list[float]]) -> None:
    """Print what was measured."""
    rows = [
        [c.name, *(_number(c.median(what)) for what in ("step", "pick", "all")), _spread(c.rates["step"]), *_share(c)]
        for c in [*contenders, *threads]
        if "step" in c.rates and c.group.startswith("MatchBatch")
    ]
    print_table(
        f"MatchBatch on one core, decisions per CPU second; {contenders[0].counts}",
        ["level, batch", "step", "choice", "all", "range of step", "share of a core", "free rounds"],
        rows,
    )
    rows = [[f"{c.group}: {c.name}", _number(c.median("step")), _spread(c.rates["step"]), *_share(c)] for c in threads]
    print_table(
        f"Threads, decisions/s by the wall; {threads[0].counts}", ["", "step", "range", "share of a core", "free rounds"], rows
    )
    rows = [
        [
            f"{c.group}: {c.name}",
            _number(c.median("all")),
            f"{1e6 / c.median('all'):.2f}",
            _spread(c.rates["all"]),
            *_share(c),
            c.counts,
        ]
        for c in contenders
        if not c.group.startswith("MatchBatch")
    ]
    print_table(
        "One at a time, through Python, per CPU second",
        ["", "median", "µs each", "range", "share of a core", "free rounds", "counts"],
        rows,
    )
    rows = [[name, f"{statistics.median(s):.2f}", f"{min(s):.2f} – {max(s):.2f}"] for name, s in starts.items()]
    print_table("Fresh process: import to the first steps of a match and of a batch, s", ["", "median", "range"], rows)


def show_verdict(verdict: list[dict[str, Any]], speed: float | None) -> None:
    """Print the targets, and whether they are met."""
    said = {True: "yes", False: "NO"}
    headings = ["", "target", "measured", "met"]
    rows = [[v["what"], f"{v['sense']} {v['target']:g}", f"{v['measured']:.2f}", said[v["met"]]] for v in verdict]
    if speed is not None:
        headings += ["at the reference's speed", "met"]
        for row, v in zip(rows, verdict, strict=True):
            row += [f"{v['at_reference']:.2f}", said[v["met_at_reference"]]]
    print_table("Targets", headings, rows)
    if speed is not None:
        print(f"OpenSpiel ran at {speed:.2f} of its speed on the reference machine.")


def main(arguments: list[str] | None = None) -> None:
    """Measure, print, and write down if asked."""
    parser = argparse.ArgumentParser(prog="benchmarks.throughput", description="Decisions per second, side by side.")
    parser.add_argument("--game", default="passing_shot")
    parser.add_argument("--quick", action="store_true", help="shorter turns and fewer rounds")
    parser.add_argument("--rounds", type=int, help="rounds (20, quick 8)")
    parser.add_argument("--seconds", type=float, help="length of a turn (0.15, quick 0.08)")
    parser.add_argument("--patience", type=float, help="seconds for more turns for want of free cores (300, quick 60)")
    parser.add_argument("--no-others", action="store_true", help="leave the other suites out")
    parser.add_argument("--json", metavar="FILE", help="write the results down")
    given = parser.parse_args(arguments)
    rounds = given.rounds or (8 if given.quick else 20)
    seconds = given.seconds or (0.08 if given.quick else 0.15)
    cores = Cores((60 if given.quick else 300) if given.patience is None else given.patience)
    load = os.getloadavg()
    print(f"{given.game}: {rounds} rounds of {seconds} s; {os.cpu_count()} cores, load {load[0]:.1f} before the start")
    contenders, missing = measure(given.game, rounds, seconds, not given.no_others, cores)
    threads = measure_threads(given.game, rounds, seconds, cores)
    starts = start_times(given.game, 5)
    show(contenders, threads, starts)
    targets = TARGETS.get(given.game, Targets(batch=1e6, cold=60))
    verdict = judge(contenders, threads, starts, targets)
    show_verdict(verdict, speed_of_machine(contenders))
    if not all(c.only_free for c in [*contenders, *threads]):
        print("Some contender had too few free rounds; what it is measured with counts all rounds.")
    for sentence in missing:
        print(sentence)
    if given.json:
        results = [
            {"group": c.group, "name": c.name, "counts": c.counts, "rates": c.rates, "shares": c.shares, "free": c.free}
            for c in [*contenders, *threads]
        ]
        machine = {
            "platform": platform.platform(),
            "python": platform.python_version(),
            "cores": os.cpu_count(),
            "load": load,
        }
        with open(given.json, "w") as file:
            json.dump({"game": given.game, "machine": machine, "targets": asdict(targets), "results": results,
                       "starts": starts, "verdict": verdict, "left out": missing}, file, indent=1)  # fmt: skip


if __name__ == "__main__":
    main()
