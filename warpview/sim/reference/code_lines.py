"""Compute when machine code and constants that are used for the first time have been fetched."""

from __future__ import annotations

from warpview.sim.timing.model import CODE_LINE, PREFETCHED_LINES, Timing


class CodeLines:
    """Record the lines of code and of constants that a multiprocessor has fetched: what was used before stays in the
    cache."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._fetched: dict[int, int] = {}  # line -> the cycle from which on it is there
        self._constants: dict[int, int] = {}

    def ready(self, pc: int, earliest: int, others: int) -> int:
        """Return when the line of an instruction is there that is needed from ``earliest`` on, and the constant that it
        needs once ``others`` are there."""
        if not self._timing.cold_start:
            return earliest
        line = pc // CODE_LINE
        if line not in self._fetched:
            last = max(self._fetched.values(), default=None)
            cost = self._timing.cold_line if line >= PREFETCHED_LINES else 0
            self._fetched[line] = earliest + self._timing.cold_start if last is None else max(last, earliest) + cost
        fetched = max(earliest, self._fetched[line])
        if self._timing.costs.loads_constant[pc]:
            return fetched
        return max(fetched, self.constant_ready(pc, max(fetched, others)))

    def constant_ready(self, pc: int, cycle: int) -> int:
        """Return when the constant is there that an instruction asks for in ``cycle``."""
        timing, line = self._timing, int(self._timing.costs.constant_line[pc])
        if not line or not timing.cold_start:
            return 0
        if line not in self._constants:
            first = min(self._constants.values(), default=None)
            self._constants[line] = (
                cycle + timing.cold_constant if first is None else max(first, cycle) + timing.cold_constant_line
            )
        return self._constants[line]
