"""The command line `tennis-envs`; it needs the extra `cli`."""

from __future__ import annotations

import sys

_EXTRA = {"rich", "typer", "yaml"}


def main() -> None:
    """Run the command line."""
    try:
        from tennis_envs.cli.app import app
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        sys.exit(f'tennis-envs needs {error.name}, which comes with an extra: pip install "tennis_envs[cli]"')
    app(prog_name="tennis-envs")
