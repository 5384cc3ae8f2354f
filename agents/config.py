"""What a training run is told: one YAML file a game, checked before anything starts."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

import tennis_envs
from tennis_envs.core.player import Teachable


class ConfigError(ValueError):
    """A training configuration that cannot be used."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PoolConfig(_Part):
    """Whom the learner meets: the shares of its matches, which are brought to a sum of 1."""

    latest: float = Field(0.5, ge=0, description="its present self")
    past: float = Field(0.3, ge=0, description="its past selves")
    scripted: float = Field(0.2, ge=0, description="the scripted player")
    automa: float = Field(0, ge=0, description="the game's automa, in solo mode")
    snapshot_every: int = Field(20, ge=1, description="updates between two past selves")
    active: int = Field(4, ge=1, description="past selves that play at the same time, the hardest likeliest")


class PPOConfig(_Part):
    """MaskablePPO's settings (J. Schulman et al., 2017; S. Huang and S. Ontañón, 2020)."""

    num_envs: int = Field(256, ge=1)
    n_steps: int = Field(64, ge=1, description="decisions of each match between two updates")
    batch_size: int = Field(4096, ge=1)
    n_epochs: int = Field(4, ge=1)
    learning_rate: float = Field(1e-3, gt=0, description="falls to 0 in a straight line")
    gamma: float = Field(0.98, gt=0, le=1)
    gae_lambda: float = Field(0.9, ge=0, le=1)
    clip_range: float = Field(0.2, gt=0)
    ent_coef: float = Field(0.01, ge=0)
    hidden: tuple[Annotated[int, Field(ge=1)], ...] = Field((128, 128), description="units of each layer")
    judge_updates: int = Field(0, ge=0, description="first updates, in which only the value network learns")
    torch_threads: int = Field(1, ge=1, description="more than one is slower as soon as another process is busy")


class ImitationConfig(_Part):
    """A head start by imitation of the scripted player; none by default."""

    decisions: int = Field(0, ge=0, description="decisions of the scripted player to learn from; 0 is no head start")
    learning_rate: float = Field(1e-3, gt=0)
    stray: float = Field(0.05, ge=0, le=1, description="how often a match goes on by a random action instead")


class TuneConfig(_Part):
    """Instead of a network, the numbers that a scripted player counts with; none by default."""

    matches: int = Field(0, ge=0, description="matches to learn from; 0 is no tuning")
    player: str = Field("scripted", description="whose numbers")
    pairs: int = Field(10_000, ge=1, description="pairs of matches between two changes")
    rate: float = Field(1.0, gt=0, description="steps for each win a match that one of them brings; falls from its double to 0")
    momentum: float = Field(0.9, ge=0, lt=1, description="how slowly the direction changes")
    last_step: float = Field(0.4, gt=0, le=1, description="to which part the steps shrink, in a straight line")
    against_itself: float = Field(0.0, ge=0, le=1, description="rounds against its present self, not the untrained player")
    threads: int = Field(2, ge=1, description="that play")


class EvaluationConfig(_Part):
    """The table at the end."""

    matches: int = Field(1000, ge=2, multiple_of=2, description="against each opponent, seats mirrored")
    options: dict[str, Any] = Field(default_factory=dict, description="of the matches, where they differ from training")
    solo: list[dict[str, Any]] = Field(
        default_factory=list,
        description="matches alone against the automa: options, each set a row for the agent and one for the scripted player",
    )
    measures: dict[str, str] = Field(
        default_factory=dict,
        description="further numbers: name -> module:function, called with the agent and the matches' options",
    )
    greedy: bool = Field(True, description="whether the agent plays its likeliest action or draws from its policy")


class TrainConfig(_Part):
    """A training run."""

    game: str
    name: str = Field("default", pattern=r"^[a-z0-9_]+$", description="the agent's: agents/trained/<game>/<name>")
    seed: int = 0
    minutes: float | None = Field(None, gt=0, description="how long to train; the evaluation comes on top")
    steps: int | None = Field(None, ge=0, description="or how many decisions of the learner; 0 is the head start alone")
    options: dict[str, Any] = Field(default_factory=dict, description="of the matches")
    ppo: PPOConfig = PPOConfig()
    imitate: ImitationConfig = ImitationConfig()
    tune: TuneConfig = TuneConfig()
    pool: PoolConfig = PoolConfig()
    evaluation: EvaluationConfig = EvaluationConfig()

    def model_post_init(self, context: Any) -> None:
        game = tennis_envs.game(self.game)
        given = [name for name in ("minutes", "steps") if getattr(self, name) is not None]
        if self.tune.matches:
            if given:
                raise ValueError(f"give either tune.matches or {given[0]}: the numbers of a scripted player, or a network")
            if self.tune.player not in game.players:
                raise ValueError(f"tune.player cannot be {self.tune.player!r}: it is one of {', '.join(game.players)}")
            if not isinstance(game.players[self.tune.player], Teachable):
                raise ValueError(f"the player {self.tune.player!r} of {self.game} counts with no numbers that could be tuned")
        elif len(given) != 1:
            raise ValueError("give either minutes or steps")
        if self.steps == 0 and not self.imitate.decisions:
            raise ValueError("steps=0 leaves nothing to learn from: give imitate.decisions")
        game.parse(**self.options)
        game.parse(**self.match_options)
        if self.pool.automa > 0:
            game.parse(**{**self.options, "mode": "solo"})
        for alone in self.evaluation.solo:
            game.parse(**self.solo_options(alone))
        for measure in self.evaluation.measures.values():
            find(measure)

    @property
    def match_options(self) -> dict[str, Any]:
        """The options of the matches in which the agent is weighed."""
        return {**self.options, **self.evaluation.options}

    def solo_options(self, alone: dict[str, Any]) -> dict[str, Any]:
        """The options of one set of matches against the automa."""
        return {**self.match_options, "mode": "solo", **alone}


def find(path: str) -> Any:
    """The function that "module:function" names; ValueError if there is none."""
    module, _, name = path.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"there is no function {path!r} ({error})") from None


def load_config(path: Path, changes: list[str] | None = None) -> TrainConfig:
    """Read a configuration; `changes` are like "ppo.learning_rate=0.001". ConfigError in one sentence."""
    try:
        data = yaml.safe_load(Path(path).read_text())
    except OSError as error:
        raise ConfigError(f"cannot read the configuration {path}: {error.strerror}.") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{path} is not YAML: {error}.") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{path} must hold a mapping of settings.")
    for change in changes or []:
        key, equals, value = change.partition("=")
        if not equals:
            raise ConfigError(f"{change!r} is not a change: write key=value, for example ppo.learning_rate=0.001.")
        *path_to, last = key.split(".")
        target = data
        for depth, part in enumerate(path_to, 1):
            target = target.setdefault(part, {})
            if not isinstance(target, dict):
                raise ConfigError(f"{change!r}: {'.'.join(path_to[:depth])} is not a group of settings.")
        try:
            target[last] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise ConfigError(f"{change!r}: {value!r} is not YAML.") from None
    try:
        return TrainConfig.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the configuration"
        if first["type"] == "extra_forbidden":
            raise ConfigError(f"{path}: there is no setting {where}.") from None
        raise ConfigError(f"{path}: {where}: {first['msg'].removeprefix('Value error, ')}.") from None
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None
