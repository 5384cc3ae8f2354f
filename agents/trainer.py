"""MaskablePPO by self-play against a growing pool of past selves and the scripted player."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from agents.config import TrainConfig
from agents.export import to_policy
from agents.imitate import Imitation
from agents.pool import OpponentPool
from agents.rounds import follow
from agents.side_by_side import SideBySide
from tennis_envs.opponents.trained import Policy, PolicyOpponent
from tennis_envs.registry import game as find_game
from tennis_envs.sb3 import TennisVecEnv


def _alone(config: TrainConfig) -> int:
    """How many of the matches are played against the automa."""
    pool = config.pool
    shares = pool.latest + pool.past + pool.scripted + pool.automa
    return min(config.ppo.num_envs - 1, round(config.ppo.num_envs * pool.automa / shares)) if shares else 0


class Training:
    """One training run, kept in `folder` so that it can be stopped at any time and go on later."""

    def __init__(self, config: TrainConfig, folder: Path) -> None:
        self.config, self.folder = config, folder
        torch.set_num_threads(config.ppo.torch_threads)
        torch.distributions.Distribution.set_default_validate_args(False)  # of what the masks allow, all is valid
        alone = _alone(config)
        rows = config.ppo.num_envs - alone
        self.pool = OpponentPool(config.pool, rows, config.options.get("encoder", "flat"), config.seed)
        versus = self._matches(rows, opponent=self.pool, seed=config.seed)
        versus.solo.on_end = self.pool.record
        self.env: VecEnv = versus
        if alone:
            automa = self._matches(alone, opponent="automa", seed=config.seed + 1, mode="solo")
            self.env = SideBySide([versus, automa])
        self.seconds = 0.0
        self.updates = 0
        self.imitated = 0
        """Decisions of the scripted player learned from so far."""
        ppo = config.ppo
        self.model = MaskablePPO(
            "MlpPolicy",
            self.env,
            learning_rate=self._learning_rate,
            n_steps=ppo.n_steps,
            batch_size=ppo.batch_size,
            n_epochs=ppo.n_epochs,
            gamma=ppo.gamma,
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip_range,
            ent_coef=ppo.ent_coef,
            policy_kwargs={"net_arch": {"pi": list(ppo.hidden), "vf": list(ppo.hidden)}, "activation_fn": torch.nn.ReLU},
            seed=config.seed,
            device="cpu",
        )
        if (folder / "progress.json").exists():
            self._resume()
        else:
            self.pool.snapshot(to_policy(self.model))
        self.pool.update(to_policy(self.model))

    def _matches(self, count: int, **given: Any) -> TennisVecEnv:
        """So many of the learner's matches."""
        return TennisVecEnv(self.config.game, count, **{**self.config.options, **given})

    def _learning_rate(self, _: float) -> float:
        return self.config.ppo.learning_rate * max(0.02, 1 - self.fraction)

    @property
    def fraction(self) -> float:
        """How much of the budget is used up, 0 to 1."""
        if self.config.steps is not None:
            return min(1.0, self.steps / self.config.steps) if self.config.steps else 1.0
        return min(1.0, self.seconds / (60 * self.config.minutes))

    @property
    def steps(self) -> int:
        """The learner's decisions so far."""
        return self.updates * self.config.ppo.n_steps * self.config.ppo.num_envs

    @property
    def told(self) -> str:
        """What it has learned from, in words."""
        parts = [
            (self.imitated, "decisions of the scripted player"),
            (self.steps, f"decisions of its own ({self.steps / max(self.seconds, 1e-9):,.0f} a second)"),
        ]
        return " and ".join(f"{count:,} {what}" for count, what in parts if count)

    @property
    def facts(self) -> dict[str, Any]:
        """The same for the agent's card."""
        return {
            "steps": self.steps,
            "imitated": self.imitated,
            "seconds": round(self.seconds, 1),
            "decisions_per_second": round(self.steps / self.seconds),
            "past_selves": len(self.pool.past),
        }

    def agent(self) -> PolicyOpponent:
        """The learner as it is by now."""
        return self._player(to_policy(self.model), self.config.evaluation.greedy)

    def first(self) -> PolicyOpponent:
        """The learner before it had learned anything."""
        return self._player(self.pool.past[0], greedy=False)

    def _player(self, policy: Policy, greedy: bool) -> PolicyOpponent:
        encoder = self.config.options.get("encoder", "flat")
        return PolicyOpponent(policy, encoder, greedy=greedy, seed=self.config.seed)

    def run(self) -> None:
        """Train until the budget is used up; Ctrl-C keeps all that was learned and raises KeyboardInterrupt."""
        follow(self.config.game, self._rounds(), self.save, self.fraction)

    def _rounds(self) -> Iterator[tuple[str, float]]:
        """Round by round: how it goes, and how much is done."""
        for agreed in self._imitate():
            yield f"imitating the scripted player, {agreed:.0%} alike", self.fraction
        while self.fraction < 1:
            self._update()
            yield self._note(), self.fraction

    def _update(self) -> None:
        """One rollout and one update."""
        start = time.monotonic()
        rollout = self.config.ppo.n_steps * self.config.ppo.num_envs
        self._hold_policy(self.updates < self.config.ppo.judge_updates)
        self.model.learn(rollout, reset_num_timesteps=False)
        latest = to_policy(self.model)
        self.pool.update(latest)
        self.updates += 1
        if self.updates % self.config.pool.snapshot_every == 0:
            self.pool.snapshot(latest)
        self.seconds += time.monotonic() - start

    def _imitate(self) -> Iterator[float]:
        """The head start, if there is one, round by round: how much alike the policy and the scripted player are."""
        decisions = self.config.imitate.decisions
        if self.updates or self.imitated >= decisions:
            return
        imitation = Imitation(self.model, self.config, self.imitated)
        while self.imitated < decisions:
            start = time.monotonic()
            agreed = imitation.round()
            self.imitated = imitation.imitated
            self.seconds += time.monotonic() - start
            yield agreed
        self.pool.update(to_policy(self.model))

    def _hold_policy(self, held: bool) -> None:
        """Whether the policy stays as it is while the value network learns."""
        policy = self.model.policy
        for part in (policy.mlp_extractor.policy_net, policy.action_net):
            part.requires_grad_(not held)

    def _note(self) -> str:
        rate = self.steps / self.seconds if self.seconds else 0
        recent = self.model.ep_info_buffer
        result = f", last {len(recent)} matches {np.mean([e['r'] for e in recent]):+.2f}" if recent else ""
        return f"{self.steps / 1e6:.2f} M decisions, {rate / 1e3:.1f} k/s, {len(self.pool.past)} past selves{result}"

    def save(self) -> None:
        """Write a checkpoint; the one before stays until the new one is whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.pool.save(self.folder / "pool")
        model = self.folder / f"model_{self.updates}.zip"
        self.model.save(model, exclude=["lr_schedule", "learning_rate"])
        progress = {
            "seconds": self.seconds,
            "updates": self.updates,
            "imitated": self.imitated,
            "model": model.name,
            "config": self._identity(),
        }
        partial = self.folder / "progress.json.partial"
        partial.write_text(json.dumps(progress, indent=1))
        os.replace(partial, self.folder / "progress.json")
        for old in self.folder.glob("model_*.zip"):
            if old != model:
                old.unlink()

    def _identity(self) -> dict[str, Any]:
        """What must not change between a stop and a resumption (the budget may)."""
        game = find_game(self.config.game)
        views = game.encoder(self.config.options.get("encoder", "flat")).features.sizes
        sizes = {"version": game.version, "features": [list(view) for view in views.items()], "actions": len(game.actions)}
        return {**json.loads(self.config.model_dump_json(exclude={"minutes", "steps", "evaluation", "tune"})), **sizes}

    def _resume(self) -> None:
        progress = json.loads((self.folder / "progress.json").read_text())
        if progress["config"] != self._identity():
            raise ValueError(
                f"{self.folder} holds a run of another configuration or version of the game: finish it, or use --fresh."
            )
        for name in ("seconds", "updates", "imitated"):
            setattr(self, name, progress[name])
        self.model.set_parameters(self.folder / progress["model"], device="cpu")
        self.model.num_timesteps = self.steps
        self.pool.load(self.folder / "pool")
