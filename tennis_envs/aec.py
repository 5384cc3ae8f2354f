"""PettingZoo: a game as an AEC environment."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from tennis_envs.core.chance import stream
from tennis_envs.core.game import Game
from tennis_envs.match import Match
from tennis_envs.opponents import AUTOMA, against
from tennis_envs.registry import env_ids
from tennis_envs.registry import game as find_game

RENDER_MODES = ("ansi", "human")


def observation_box(game: Game, encoder: str) -> spaces.Box:
    """The space of the observations that an encoder gives."""
    features = game.encoder(encoder).features
    return spaces.Box(features.low, features.high, dtype=np.float32)


def check_render_mode(render_mode: str | None) -> None:
    """ValueError for a render mode that does not exist."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode cannot be {render_mode!r}: it is None, {' or '.join(map(repr, RENDER_MODES))}.")


class raw_env(AECEnv):  # noqa: N801 - the name that PettingZoo's users look for
    """A game as an AEC environment, one agent a seat, without wrappers.

    Observations are dicts: `observation` float32 (features,) and `action_mask` int8 (actions,), all 0 for an agent that
    is not to move; the mask is also in `infos`. Rewards come by the option `reward`; a match cut off after
    `max_decisions` decisions is truncated. An illegal action raises ValueError and changes nothing. At the end,
    `infos` of every agent names the `winner` (a team: seat s plays for team s % 2), None if the match was cut off.
    `opponent="automa"` is a match in the game's solo mode: one agent against the rulebook's computer player.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 1, "is_parallelizable": False}

    def __init__(self, game: str | Game, *, render_mode: str | None = None, opponent: str | None = None, **options: Any) -> None:
        super().__init__()
        check_render_mode(render_mode)
        if opponent is not None:
            if opponent != AUTOMA:
                raise ValueError(f"opponent cannot be {opponent!r}: every seat is an agent here, but for 'automa'.")
            _, options = against(opponent, game, None, options)
        self.game = find_game(game)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"{self.game.name}_v{self.game.version}"}
        self.match = Match(self.game, **options)
        """The match itself."""
        self.possible_agents = [f"player_{seat}" for seat in range(self.match.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        options_ = self.match.options
        box = observation_box(self.game, options_.encoder)
        actions = len(self.game.actions)
        self.observation_spaces = {
            agent: spaces.Dict(
                {"observation": box, "action_mask": spaces.Box(0, 1, (actions,), np.int8)},
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.state_space = observation_box(self.game, "full")
        self._by_point = options_.reward == "point"
        self._longest = options_.max_decisions
        self._no_mask = np.zeros(actions, np.int8)
        self._no_mask.flags.writeable = False
        self._idle = {"action_mask": self._no_mask}  # the info of an agent that is not to move
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Begin a match; without a seed the luck goes on where the last match left it. `options` are not used."""
        self.match.reset(None if seed is None else stream(seed))
        while self.match.over:  # won before anybody has decided: not a match to be played
            self.match.reset()
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_mask.copy()} for agent in self.agents}
        self._show()
        if self.render_mode == "human":
            self.render()

    def _show(self) -> None:
        """Make the seat to move the one selected, with its mask ready."""
        match = self.match
        self.agent_selection = self._mover = agent = self.possible_agents[match.seat]
        self._mask = mask = match.mask()
        self.infos[agent] = {"action_mask": mask}

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent may know now."""
        match = self.match
        if agent == self._mover:
            return {"observation": match.observe(match.seat), "action_mask": self._mask}
        return {"observation": match.observe(self._seat_of[agent]), "action_mask": self._no_mask.copy()}

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agent to move, again and again, until the match is over or `max_iter` decisions are taken."""
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def last(self, observe: bool = True) -> tuple[dict[str, np.ndarray] | None, float, bool, bool, dict[str, Any]]:
        """What the selected agent may know, its reward since its last decision, whether it is done or cut off, its info."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def state(self) -> np.ndarray:
        """The whole state, float32 (features of the "full" encoder), as seat 0 would tell it."""
        return self.match.observe_as("full", 0)

    def step(self, action: int | None) -> None:
        """Take the selected agent's decision; None for an agent that is done."""
        agent = self.agent_selection
        if self._mover is None:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to move: action None is only for an agent that is done.")
        match = self.match
        match.apply(action)
        over = match.over
        if over or self._by_point:
            self._reward(agent)
        if over or match.decisions >= self._longest:
            self._end(over, agent)
        else:
            self.infos[agent] = self._idle
            self._show()
        if self.render_mode == "human":
            self.render()

    def _reward(self, agent: str) -> None:
        """Give every agent what this agent's decision has brought; before it, nobody has had anything but points."""
        cumulative = self._cumulative_rewards
        cumulative[agent] = 0.0
        for seat, reward in enumerate(self.match.rewards.tolist()):
            other = self.possible_agents[seat]
            self.rewards[other] = reward
            cumulative[other] += reward

    def _end(self, over: bool, last: str) -> None:
        """All agents are done."""
        self._mover = None
        for agent in self.agents:
            self.terminations[agent] = over
            self.truncations[agent] = not over
            self.infos[agent] = {"action_mask": self._no_mask.copy(), "winner": self.match.winner}
        self.agent_selection = last
        self._skip_agent_selection = None
        self._deads_step_first()

    def render(self) -> str | None:
        """The position in words: returned for "ansi", printed for "human"."""
        if self.render_mode is None:
            return None
        text = self.match.describe()
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def unwrapped(self) -> raw_env:
        """This environment."""
        return self


def env(game: str | Game, *, render_mode: str | None = None, **options: Any) -> AECEnv:
    """The same with PettingZoo's usual wrappers, which tell of actions out of bounds and of calls in the wrong order."""
    made = raw_env(game, render_mode=render_mode, **options)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


class _EnvModule(SimpleNamespace):
    """What `from tennis_envs import passing_shot_v0` gives: `env` and `raw_env` of one game."""

    def __init__(self, game: str) -> None:
        super().__init__(
            __name__=f"tennis_envs.{game}_v0",
            env=lambda **options: env(game, **options),
            raw_env=lambda **options: raw_env(game, **options),
        )


def env_module(name: str) -> Any:
    """The module-like object of that name; AttributeError if there is none."""
    for game in env_ids():
        if name == f"{game}_v{find_game(game).version}":
            return _EnvModule(game)
    raise AttributeError(f"module 'tennis_envs' has no attribute {name!r}")
