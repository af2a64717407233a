"""Estimate how long work will still take, from its progress so far. Qt-free."""

from __future__ import annotations

MEASURED_SECONDS = 2.0  # of work, before its speed says anything


class TimeLeft:
    """Estimate from the progress of one piece of work; a smaller count, or another total, begins the next piece."""

    def __init__(self) -> None:
        self._began, self._first, self._done, self._total = 0.0, 0, -1, -1

    def after(self, seconds: float, done: int, total: int) -> str:
        """Return "about 12 s left" for ``done`` of ``total`` at the time ``seconds``; '' while that is not known."""
        if done < self._done or total != self._total:
            self._began, self._first = seconds, done
        self._done, self._total = done, total
        spent, moved = seconds - self._began, done - self._first
        if spent < MEASURED_SECONDS or moved <= 0 or done >= total:
            return ""
        left = spent * (total - done) / moved
        if left < 1:
            return "less than 1 s left"
        return f"about {round(left)} s left" if left < 90 else f"about {round(left / 60)} min left"
