"""Lets every test import the helpers that stand beside it."""

import sys
from pathlib import Path

for folder in (
    Path(__file__).parent,
    *sorted(path for path in (Path(__file__).parent / "games").iterdir() if path.is_dir()),
):
    sys.path.insert(0, str(folder))
