"""The command line: the same path as the window's, up to a ``Run``, printed as tables."""

from warpview.cli.main import main

__all__ = ["main"]
