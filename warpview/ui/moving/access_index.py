"""Index who accessed which element in the current run: gathered in a worker when first asked for, and kept."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from warpview.sim.launch import Cancelled
from warpview.trace.access_log import AccessLog, ElementHistory, Extent
from warpview.trace.trace import Trace
from warpview.ui.moving.elements import Element
from warpview.ui.session.backend import Progress
from warpview.ui.session.memory_usage import ACCESS_BYTES
from warpview.ui.session.runner import Runner
from warpview.ui.views.context import RunLike

log = logging.getLogger(__name__)
Steps = NDArray[np.int64]  # ascending


class Found(NamedTuple):
    """Hold the result of a job; None in place of a history that is too large to keep."""

    log: AccessLog
    histories: dict[Extent, ElementHistory | None]
    steps: dict[Element, Steps]


class AccessIndex(QObject):
    """Answer at once: None where the answer is not there yet, ``changed`` when it is. ``close`` ends the worker."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = Runner(self)
        self._run: RunLike | None = None
        self._log: AccessLog | None = None
        self.kept_histories: OrderedDict[Extent, ElementHistory] = OrderedDict()
        self._steps: dict[Element, Steps] = {}
        self._wanted: set[Extent] = set()
        self._wanted_steps: set[Element] = set()
        self.in_use: set[Extent] = set()  # asked for since the last answer came
        self._refused: set[Extent] = set()

    def set_run(self, run: RunLike | None) -> None:
        self._runner.cancel()
        self._run, self._log = run, None
        self.kept_histories.clear()
        self._steps.clear()
        self._wanted.clear()
        self._wanted_steps.clear()
        self.in_use.clear()
        self._refused.clear()

    def history(self, extent: Extent) -> ElementHistory | None:
        """Return the accesses to the elements of a range of memory."""
        found = self.kept_histories.get(extent)
        if found is not None:
            self.kept_histories.move_to_end(extent)
            self.in_use.add(extent)
        elif extent not in self._refused:
            self._wanted.add(extent)
            self._gather()
        return found

    def refuses(self, extent: Extent) -> bool:
        """Return whether there are more accesses than can be kept."""
        return extent in self._refused

    def steps(self, element: Element) -> Steps | None:
        if element not in self._steps:
            self._wanted_steps.add(element)
            self._gather()
        return self._steps.get(element)

    @property
    def memory_bytes(self) -> int:
        """Return the size of the kept answers."""
        held = sum(history.nbytes for history in self.kept_histories.values())
        held += sum(int(steps.nbytes) for steps in self._steps.values())
        return held + (self._log.nbytes if self._log is not None else 0)

    @property
    def busy(self) -> bool:
        """Return whether answers are being looked for."""
        return self._runner.busy

    def close(self) -> None:
        self._runner.close()

    def _gather(self) -> None:
        if self._run is not None and not self.busy:
            job = _job(self._run.trace, self._log, frozenset(self._wanted), frozenset(self._wanted_steps))
            self._runner.submit(job, self._keep, self._fail)

    def _keep(self, found: Found) -> None:
        self._log = found.log
        self._wanted -= set(found.histories)
        self._wanted_steps -= set(found.steps)
        self._steps |= found.steps
        self._make_room(0)
        for extent, history in found.histories.items():
            if history is not None and self._make_room(history.nbytes):
                self.kept_histories[extent] = history
                self.in_use.add(extent)
            else:
                self._refused.add(extent)
        self.in_use.clear()
        if self._wanted or self._wanted_steps:
            self._gather()
        self.changed.emit()

    def _make_room(self, size: int) -> bool:
        """Drop the oldest answers that are not in use until there is room for ``size`` more bytes."""
        idle = [extent for extent in self.kept_histories if extent not in self.in_use]
        while self.memory_bytes + size > ACCESS_BYTES:
            if len(self._steps) > 1:
                del self._steps[next(iter(self._steps))]
            elif idle:
                del self.kept_histories[idle.pop(0)]
            else:
                return False
        return True

    def _fail(self, problem: Exception) -> None:
        if not isinstance(problem, Cancelled):
            log.error("the accesses of the run could not be collected", exc_info=problem)
            self._run = None  # the same again would fail again


def _job(
    trace: Trace, log: AccessLog | None, wanted: frozenset[Extent], elements: frozenset[Element]
) -> Callable[[Progress], Found]:
    def work(progress: Progress) -> Found:
        gathered = log or trace.gather(lambda done, total: progress("Collecting the accesses", done, total))
        room = ACCESS_BYTES - gathered.nbytes
        histories = {e: gathered.history(e) if gathered.cost(e) <= room else None for e in wanted}
        return Found(gathered, histories, {element: _steps(gathered, element.extent) for element in elements})

    return work


def _steps(log: AccessLog, extent: Extent) -> Steps:
    return log.steps_accessing(extent.space, extent.base, extent.end, extent.block)
