"""Tests that any game can be put to, also one from outside the package.

`walk` plays at random with every invariant on; `checks` plays one game in ways that must not differ by a bit;
`playthrough` freezes whole matches in files. All take a game's name, or a `Game`, and its options.
"""

from tennis_envs.testing.walk import InvariantError, Statistics, check_match, walk

__all__ = ["InvariantError", "Statistics", "check_match", "walk"]
