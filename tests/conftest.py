"""Lets every test import the helpers that stand beside it."""

import sys
from pathlib import Path

for folder in (Path(__file__).parent, Path(__file__).parent / "games" / "passing_shot"):
    sys.path.insert(0, str(folder))
