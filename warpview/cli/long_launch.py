"""Tell on the command line how long a launch will take, and offer a sample of its blocks."""

from __future__ import annotations

import sys

import typer
from rich.progress import Progress

from warpview.diagnostics import WarpviewError
from warpview.sim.estimate.sampling import about
from warpview.sim.launch import Cancelled


def share_of(percent: float) -> float:
    """Return a share between 0 and 1. Raises WarpviewError for what is no percentage."""
    if not 0 < percent <= 100:
        raise WarpviewError(f"--sample: {percent:g} is not a percentage above 0 and up to 100")
    return percent / 100


class LongLaunch:
    """Ask about launches that will take long, in a terminal; elsewhere say so and go on. The answer holds for further
    launches."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._answer: float | None = None

    def ask(self, seconds: float) -> float:
        """Return the share of the blocks to execute; raises Cancelled."""
        if self._answer is None:
            self._answer = self._asked(seconds)
        return self._answer

    def _asked(self, seconds: float) -> float:
        text = f"all blocks of this launch will take about {about(seconds)}"
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            self._bar.console.print(f"warpview: {text}; --sample 10 executes 10 % of them", markup=False)
            return 1.0
        self._bar.stop()
        typer.echo(
            f"warpview: {text}. Enter: execute all of them; a number: so many percent, as a sample; q: stop.", err=True
        )
        try:
            return self._share(typer.prompt("Percent of the blocks", default="100", err=True))
        finally:
            self._bar.start()

    def _share(self, text: str) -> float:
        if text.strip().lower().startswith("q"):
            raise Cancelled
        try:
            return share_of(float(text.strip().rstrip("%")))
        except (ValueError, WarpviewError):
            typer.echo(f"warpview: '{text}' is no percentage; all blocks are executed", err=True)
            return 1.0
