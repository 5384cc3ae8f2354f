"""Functions of the rules that are called, as opposed to `inlined` ones."""

from types import FunctionType
from typing import Any

from tennis_envs.core.jit import compiled, game_folder


def called(function: FunctionType) -> Any:
    """Compile a function that is not copied into its callers.

    Numba would do that with any function that it meets first in one that is itself copied, and the rules would grow tenfold.
    """
    name = f"{function.__module__}.{function.__qualname__}"
    return compiled(function, name, game_folder(function), forceinline=False)
