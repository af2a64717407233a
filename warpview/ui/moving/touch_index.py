"""Who touched what in the run at hand: gathered in a worker when first asked for, and kept."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from warpview.sim.launch import Cancelled
from warpview.trace.touches import AccessLog, ElementHistory, Extent
from warpview.ui.moving.elements import Element
from warpview.ui.session.backend import Progress
from warpview.ui.session.runner import Runner
from warpview.ui.views.context import RunLike

log = logging.getLogger(__name__)
HISTORY_BYTES = 128 << 20  # of histories kept; the newest ones stay in any case
Found = tuple[AccessLog, dict[Extent, ElementHistory]]


class TouchIndex(QObject):
    """Answers at once: None where the answer is not there yet, ``changed`` when it is. ``close`` ends the worker."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = Runner(self)
        self._run: RunLike | None = None
        self._log: AccessLog | None = None
        self._histories: OrderedDict[Extent, ElementHistory] = OrderedDict()
        self._steps: dict[Element, NDArray[np.int64]] = {}
        self._wanted: set[Extent] = set()

    def set_run(self, run: RunLike | None) -> None:
        self._runner.cancel()
        self._run, self._log = run, None
        self._histories.clear()
        self._steps.clear()
        self._wanted.clear()

    def history(self, extent: Extent) -> ElementHistory | None:
        """The touches of the elements of a stretch of memory."""
        found = self._histories.get(extent)
        if found is None:
            self._wanted.add(extent)
            self._gather()
        else:
            self._histories.move_to_end(extent)
        return found

    def steps(self, element: Element) -> NDArray[np.int64] | None:
        """The steps that touch an element, ascending."""
        if self._log is None:
            self._gather()
            return None
        if element not in self._steps:
            extent = element.extent
            self._steps[element] = self._log.touching(extent.space, extent.base, extent.end, extent.block)
        return self._steps[element]

    @property
    def memory_bytes(self) -> int:
        """What the answers kept take."""
        held = sum(history.nbytes for history in self._histories.values())
        return held + (self._log.nbytes if self._log is not None else 0)

    def close(self) -> None:
        self._runner.close()

    def _gather(self) -> None:
        if self._run is not None and not self._runner.busy:
            self._runner.submit(_job(self._run.trace, self._log, frozenset(self._wanted)), self._keep, self._fail)

    def _keep(self, found: Found) -> None:
        self._log, histories = found
        self._histories.update(histories)
        self._wanted -= set(histories)
        while self.memory_bytes > HISTORY_BYTES and len(self._histories) > max(1, len(histories)):
            self._histories.popitem(last=False)
        if self._wanted:
            self._gather()
        self.changed.emit()

    def _fail(self, problem: Exception) -> None:
        if not isinstance(problem, Cancelled):
            log.error("the accesses of the run could not be gathered", exc_info=problem)
            self._run = None  # the same again would fail again


def _job(trace: Any, log: AccessLog | None, wanted: frozenset[Extent]) -> Callable[[Progress], Found]:
    def work(progress: Progress) -> Found:
        gathered = log or trace.gather(lambda done, total: progress("Looking who touched what", done, total))
        return gathered, {extent: gathered.history(extent) for extent in wanted}

    return work
