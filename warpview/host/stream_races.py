"""Find races between streams: operations that nothing orders and that use the same bytes of device memory."""

from __future__ import annotations

from collections.abc import Callable

from warpview.host.streams import Scheduler, StreamOperation
from warpview.sim.access_ranges import AccessRanges

Report = Callable[[StreamOperation, StreamOperation, int], None]


class StreamRaces:
    """Compare each operation, as it is carried out, with those that it is not ordered with.

    ``report`` is called with the operation that the host issued last, the other one, and the first byte that both use.
    """

    def __init__(self, scheduler: Scheduler, report: Report) -> None:
        self._pending, self._report = scheduler.pending, report
        self._done: list[tuple[StreamOperation, AccessRanges]] = []  # that something pending is not ordered with
        scheduler.before_execution = self.take

    def take(self, operation: StreamOperation) -> None:
        """Note an operation that is about to be carried out, and report its races with those before."""
        self._done = [entry for entry in self._done if entry[0].is_unordered(operation) or self._may_race(entry[0])]
        if operation.accesses is None:
            return
        others = [entry for entry in self._done if entry[0].is_unordered(operation)]
        may_race = self._may_race(operation)
        if not others and not may_race:
            return
        ranges = operation.accesses()
        if ranges is None:
            return
        for other, theirs in others:
            at = ranges.conflict(theirs)
            if at is not None:
                first, last = sorted((operation, other), key=lambda op: op.number)
                self._report(last, first, at)
        if may_race:
            self._done.append((operation, ranges))

    def _may_race(self, operation: StreamOperation) -> bool:
        """Return whether something pending is not ordered with the operation."""
        return any(op.accesses is not None and op.is_unordered(operation) for op in self._pending.values())
