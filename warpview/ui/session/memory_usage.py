"""Share out the one budget of a session's memory, and tell how much of it is held now. Qt-free.

Everything that grows is bounded by its share: a run's history is recorded into RUN_BYTES, thinned out and at last ended
there; the accesses of each array are kept in ACCESS_BYTES, the oldest answers go first; the navigation history in
NAVIGATION_BYTES; the memory with which a launch can be executed again in RERUN_BYTES. Of the runs before only the
counters are kept. The shares together are MOST_BYTES, so that this is never exceeded.
"""

from __future__ import annotations

import ctypes
import linecache
import sys
from dataclasses import dataclass

from warpview.sim.history.events import HISTORY_BYTES, SmOptions
from warpview.ui.drawing.values import thousands
from warpview.ui.views.context import RunLike

MOST_BYTES = 1 << 30  # of one session, not counting the program itself
RUN_BYTES = HISTORY_BYTES  # of the run shown; and of the next one, which is recorded while this is still shown
NAVIGATION_BYTES = 16 << 20
_REST_BYTES = 16 << 20  # counters of the runs before, cached frames
RERUN_BYTES = 48 << 20  # of the memory with which a launch can be executed again; of the next run, too
ACCESS_BYTES = MOST_BYTES - 2 * RUN_BYTES - 2 * RERUN_BYTES - NAVIGATION_BYTES - _REST_BYTES
_MEGA, _GIGA = 1 << 20, 1 << 30


@dataclass(frozen=True)
class MemoryUsage:
    """Hold bytes by their use, and the step after which the history of the run shown ended, if it did."""

    parts: tuple[tuple[str, int], ...]
    ended: int | None = None

    @classmethod
    def of(cls, run: RunLike, access_bytes: int = 0, other_bytes: int = 0) -> MemoryUsage:
        """Return the usage with a run: ``access_bytes`` of the accesses of its arrays, ``other_bytes`` of the rest."""
        trace = run.trace
        shares = (("accesses to arrays", access_bytes), ("earlier runs and navigation history", other_bytes))
        again = ("memory to execute the launch again", 0 if run.rerun is None else run.rerun.nbytes)
        parts = [*trace.memory.items(), again, *shares]
        return cls(tuple(part for part in parts if part[1]), trace.steps if trace.truncated else None)

    @property
    def total(self) -> int:
        return sum(size for _, size in self.parts)

    @property
    def words(self) -> str:
        """Return the usage as short as can be: '102 MB of 1 GB'."""
        return f"{size_words(self.total)} of {size_words(MOST_BYTES)}"

    @property
    def notice(self) -> str:
        """Return a notice that fewer steps are kept than have run, and why; empty where all are kept."""
        if self.ended is None:
            return ""
        if not self.ended:
            why = f"its arrays leave no room for a history within {size_words(RUN_BYTES)}"
            return f"Nothing to step through: {why}. The counters cover the whole run."
        most = SmOptions().history_limit
        why = f"{thousands(most)} events" if self.ended >= most else f"{size_words(RUN_BYTES)} of history"
        return f"Recorded up to step {thousands(self.ended)}: {why} at most. The counters cover the whole run."

    @property
    def details(self) -> str:
        """Return the parts of the memory in use, and what happens at the bound."""
        lines = [f"Memory used by this session: {self.words}, not counting the program itself"]
        lines += [f"{size_words(size)} {what}" for what, size in sorted(self.parts, key=lambda part: -part[1])]
        if self.notice:
            lines.append(self.notice.replace(": ", ":\n", 1))
        else:
            recorded = f"{thousands(SmOptions().history_limit)} events or {size_words(RUN_BYTES)}"
            lines.append(f"Up to {recorded} of a run are recorded, {size_words(ACCESS_BYTES)} of accesses to arrays.")
        lines.append("Of earlier runs, only the counters are kept.")
        return "\n".join(lines)


def size_words(size: int) -> str:
    """Write bytes in the largest unit that leaves a whole number, or one place below ten."""
    if size >= _GIGA:
        return f"{size / _GIGA:.3g} GB"
    amount = size / _MEGA
    return f"{amount:.0f} MB" if amount >= 10 else f"{amount:.1f} MB" if amount >= 0.05 else "0 MB"


def return_freed_memory() -> None:
    """Give memory back to the system that nobody needs. The C library of Linux keeps what a run of the simulator has
    freed: after a hundred runs 120 of 350 MiB, for 12 ms of the next run. PySide reads the source of every module that
    is imported, numpy's among them at the first large launch: 21,000 lines, which each full garbage collection walks.
    """
    linecache.clearcache()
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)
