"""An advised learner looks ahead: where does another choice than the advised one win more matches?

In a position of scripted play each other choice is played out beside the advised one, with the same luck and the scripted player
in every seat; the policy's network learns the difference (rollout policy iteration: M. Lagoudakis and R. Parr, 2003). The
engine plays tens of thousands of matches a second to the end, many more than a learner of whole matches can see, and what
is looked for is a few wins in a thousand.
"""

from __future__ import annotations

from collections import deque

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from torch import nn

from agents.config import TrainConfig
from tennis_envs.batch import MatchBatch

_MATCHES = 1024  # of scripted play, side by side, in which positions are found
_APART = 4  # decisions of each match between two looks
_SPREAD_OUT = 150  # decisions by which the matches drift apart at the beginning
_REMEMBERED = 300  # rounds that are learned from a second time
_ELSEWHERE = 0.25  # positions with too many choices, of those looked at, that teach to follow the advice
_FAR_WORSE = -0.05  # what another choice is said to bring there

Lesson = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Views (n, features), and of each other choice: its position, the action, and by how much it wins more often (-1 to 1)."""


class Lookahead:
    """Positions of the scripted player's matches, and a policy that learns from them round by round."""

    def __init__(self, model: MaskablePPO, config: TrainConfig, played: int = 0) -> None:
        self.config, self.policy, self.played = config, model.policy, played
        self.preferred = 0.0
        """How often, of late, another choice than the advised one was said to be better, 0 to 1."""
        seed = config.seed + played
        self._rng = np.random.default_rng(seed)
        self._batch = MatchBatch(config.game, _MATCHES, seed=seed, threads=config.lookahead.threads, **config.options)
        for _ in range(_SPREAD_OUT):
            self._batch.step(self._batch.player_actions(config.advice.advisor))
        self._optimizer = torch.optim.AdamW(
            [*self.policy.mlp_extractor.policy_net.parameters(), *self.policy.action_net.parameters()], weight_decay=0.01
        )
        self._remembered: deque[Lesson] = deque(maxlen=_REMEMBERED)
        if played == 0:  # what nobody has looked at is worse than the advice
            nn.init.zeros_(self.policy.action_net.weight)
            nn.init.constant_(self.policy.action_net.bias, _FAR_WORSE)

    def round(self) -> float:
        """Look and learn; how often the policy would now differ from the advice, 0 to 1."""
        settings = self.config.lookahead
        for group in self._optimizer.param_groups:
            group["lr"] = settings.learning_rate * max(0.02, 1 - self.played / settings.playouts)
        lesson = self._look()
        self._remembered.append(lesson)
        self.preferred += 0.02 * (self._learn(lesson) - self.preferred)
        self._learn(self._remembered[self._rng.integers(len(self._remembered))])
        if self.played >= settings.playouts:
            self._make_policy()
        return self.preferred

    def _look(self) -> Lesson:
        """Play out every choice in the positions that have few."""
        settings, batch, rng = self.config.lookahead, self._batch, self._rng
        for _ in range(_APART):
            actions = batch.player_actions(self.config.advice.advisor)
            batch.step(np.where(rng.random(_MATCHES) < settings.stray, batch.random_actions(), actions))
        advised, choices = batch.player_actions(self.config.advice.advisor), batch.action_mask.sum(axis=1)
        few = np.flatnonzero((choices > 1) & (choices <= settings.choices))
        many = rng.permutation(np.flatnonzero(choices > settings.choices))[: int(_ELSEWHERE * len(few))]
        position, action = self._others(few, advised)
        gain = np.zeros(len(action), np.float32)
        own = 1 - 2 * (batch.seat[few].astype(np.float32) % 2)
        for _ in range(settings.futures):
            luck = rng.integers(2**63, size=len(few), dtype=np.uint64)
            value = self._play_out(few, advised[few], luck)
            gain += (self._play_out(few[position], action, luck[position]) - value[position]) * own[position]
        gain /= 2 * settings.futures
        elsewhere, other = self._others(many, advised)
        one = rng.random(len(other)) < 1 / settings.choices
        return (
            batch.observation[np.concatenate([few, many])],
            np.concatenate([position, len(few) + elsewhere[one]]),
            np.concatenate([action, other[one]]),
            np.concatenate([gain, np.full(one.sum(), _FAR_WORSE, np.float32)]),
        )

    def _others(self, rows: np.ndarray, advised: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All choices but the advised: places in `rows`, and actions."""
        mask = self._batch.action_mask[rows]
        mask[np.arange(len(rows)), advised[rows]] = 0
        return np.nonzero(mask)

    def _play_out(self, rows: np.ndarray, actions: np.ndarray, luck: np.ndarray) -> np.ndarray:
        """1 where team 0 wins, -1 where team 1 does, 0 where nobody does in time."""
        self.played += len(rows)
        winners = self._batch.playouts(self.config.advice.advisor, rows, actions, luck)
        return np.select([winners == 0, winners == 1], [np.float32(1), np.float32(-1)], np.float32(0))

    def _learn(self, lesson: Lesson) -> float:
        """One step of the optimizer; in how many of the positions the policy would differ from the advice."""
        views, position, action, gain = (torch.from_numpy(array) for array in lesson)
        head = self.policy.action_net
        said = nn.functional.linear(self.policy.mlp_extractor.policy_net(views), head.weight, head.bias)[position, action]
        self._optimizer.zero_grad()
        torch.nn.functional.mse_loss(said, gain).backward()
        self._optimizer.step()
        return len(position[said > self.config.lookahead.margin].unique()) / max(1, len(views))

    def _make_policy(self) -> None:
        """From gains to logits: a choice that wins more often by the margin stands level with the advised one."""
        head = self.policy.action_net
        with torch.no_grad():
            for part in (head.weight, head.bias):
                part *= self.config.advice.trust / self.config.lookahead.margin
