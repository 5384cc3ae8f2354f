"""The opponents of self-play: the learner's present self, its past selves and the scripted player."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from agents.config import PoolConfig
from tennis_envs.batch import MatchBatch
from tennis_envs.opponents import Opponent, ScriptedOpponent
from tennis_envs.opponents.trained import Policy, PolicyOpponent

LATEST, SCRIPTED, PAST = 0, 1, 2  # members; past selves are PAST, PAST + 1, …


class OpponentPool:
    """An opponent made of many: every match of a batch meets one member, drawn anew when a match begins.

    Past selves are met the more often the less the learner beats them (prioritised fictitious self-play,
    O. Vinyals et al., 2019).
    """

    def __init__(self, config: PoolConfig, num_envs: int, encoder: str, seed: int) -> None:
        self.config, self.encoder = config, encoder
        self._rng = np.random.default_rng(seed)
        self._seed = seed
        self.past: list[Policy] = []
        self.scores: list[list[float]] = []
        """[matches, wins of the learner] against each past self, fading with time."""
        self._active: list[int] = []
        self._members: list[Opponent | None] = [None, ScriptedOpponent("scripted", seed)]
        self._member_of = np.full(num_envs, SCRIPTED, np.int64)
        self.draw(np.arange(num_envs))

    def update(self, latest: Policy) -> None:
        """The learner's present self."""
        self._members[LATEST] = self._member(latest)

    def snapshot(self, policy: Policy) -> None:
        """One more past self."""
        self.past.append(policy)
        self.scores.append([0.0, 0.0])
        self._members.append(self._member(policy))
        self.choose_active()

    def _member(self, policy: Policy) -> PolicyOpponent:
        seed = int(self._rng.integers(2**31))
        return PolicyOpponent(policy, self.encoder, greedy=False, seed=seed)

    def choose_active(self) -> None:
        """Draw the past selves that play for a while."""
        if len(self.past) <= self.config.active:
            self._active = list(range(len(self.past)))
            return
        hardness = np.array([(1 - (wins + 1) / (matches + 2)) ** 2 for matches, wins in self.scores])
        chances = hardness / hardness.sum()
        chosen = self._rng.choice(len(self.past), self.config.active, replace=False, p=chances)
        self._active = sorted(int(i) for i in chosen)

    def draw(self, rows: np.ndarray) -> None:
        """New members for the matches `rows`."""
        shares = np.array([self.config.latest, self.config.scripted, self.config.past], float)
        if self._members[LATEST] is None:
            shares[LATEST] = 0
        if not self._active:
            shares[PAST] = 0
        if shares.sum() == 0:
            shares[SCRIPTED] = 1
        kinds = self._rng.choice(3, size=len(rows), p=shares / shares.sum())
        if self._active:
            past = self._rng.choice(self._active, size=len(rows))
            kinds = np.where(kinds == PAST, PAST + past, kinds)
        self._member_of[rows] = kinds

    def record(self, rows: np.ndarray, won: np.ndarray) -> None:
        """Matches that ended, and whether the learner won each (nan: it had no decision); their rows draw new members."""
        for row, win in zip(rows, won, strict=True):
            member = self._member_of[row] - PAST
            if member >= 0 and win == win:
                score = self.scores[member]
                score[0], score[1] = 0.98 * score[0] + 1, 0.98 * score[1] + float(win)
        self.draw(rows)

    def act_batch(self, batch: MatchBatch, rows: np.ndarray) -> np.ndarray:
        """Each match's member decides."""
        actions = np.empty(len(rows), np.int32)
        members = self._member_of[rows]
        for member in np.unique(members):
            chosen = members == member
            actions[chosen] = self._members[member].act_batch(batch, rows[chosen])
        return actions

    def act(self, match: object) -> int:
        """A pool plays batches only."""
        raise TypeError("a pool of opponents plays batches: use act_batch.")

    def save(self, folder: Path) -> None:
        """Write what is not yet written of the past selves, and the scores."""
        folder.mkdir(parents=True, exist_ok=True)
        for i, policy in enumerate(self.past):
            path = folder / f"{i:04d}.npz"
            if not path.exists():
                policy.save(path)
        (folder / "scores.json").write_text(json.dumps(self.scores))

    def load(self, folder: Path) -> None:
        """Bring back the past selves that `save` wrote."""
        scores = json.loads((folder / "scores.json").read_text())
        for i in range(len(scores)):
            self.snapshot(Policy.load(folder / f"{i:04d}.npz"))
        self.scores = scores
        self.choose_active()
