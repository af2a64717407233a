"""Compute when machine code that runs for the first time has been fetched."""

from __future__ import annotations

from warpview.sim.timing import CODE_LINE, PREFETCHED_LINES, Timing


class CodeLines:
    """Record the lines of code that a multiprocessor has fetched: what has run before stays in the cache."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._fetched: dict[int, int] = {}  # line -> the cycle from which on it is there

    def ready(self, pc: int, earliest: int) -> int:
        """Return when the line of an instruction is there that is needed from ``earliest`` on."""
        if not self._timing.cold_start:
            return earliest
        line = pc // CODE_LINE
        if line not in self._fetched:
            last = max(self._fetched.values(), default=None)
            cost = self._timing.cold_line if line >= PREFETCHED_LINES else 0
            self._fetched[line] = earliest + self._timing.cold_start if last is None else max(last, earliest) + cost
        return max(earliest, self._fetched[line])
