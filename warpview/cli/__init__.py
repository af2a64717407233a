"""Follow the window's path up to a ``Run``, and print tables: the command line."""

from warpview.cli.main import main

__all__ = ["main"]
