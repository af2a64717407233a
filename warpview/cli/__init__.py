"""The command line follows the window's path up to a ``Run`` and prints tables."""

from warpview.cli.main import main

__all__ = ["main"]
