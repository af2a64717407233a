"""Run slow work away from the interface thread: one worker, one job at a time, with progress and cancel.

A job is a function of one argument, ``progress(words, done, total) -> bool``; it must call it now and then and
stop (``Cancelled``) when it returns False; compiling stops by itself. A new job cancels the one before it, unless it
asks to wait for its end; only the newest reports back.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal, Slot

from warpview.frontend import interruptible
from warpview.sim.launch import Cancelled
from warpview.ui.session.backend import Progress

Job = Callable[[Progress], Any]
Then = tuple[Callable[[Any], None], Callable[[Exception], None]]
REPORT_SECONDS = 0.03  # progress is passed on at most this often: once a display frame or two


class _Ticket:
    """Hold one submitted job and whether it has been cancelled."""

    def __init__(self, job: Job, then: Then, patient: bool) -> None:
        self.job, self.then = job, then
        self.patient = patient  # waits for others, and gives way to the next of its kind
        self.cancelled = threading.Event()

    def stop_if_cancelled(self) -> None:
        if self.cancelled.is_set():
            raise Cancelled


class _Worker(QObject):
    done = Signal(object, object)  # ticket, result
    failed = Signal(object, object)  # ticket, exception
    progressed = Signal(object, str, object, object)  # counts may not fit the 32 bits of a C int
    ticket: _Ticket | None = None  # of the job that is worked on

    @Slot(object)
    def work(self, ticket: _Ticket) -> None:
        last = 0.0

        def progress(words: str, done: int, total: int) -> bool:
            nonlocal last
            now = time.monotonic()
            if now - last >= REPORT_SECONDS:
                last = now
                self.progressed.emit(ticket, words, done, total)
            return not ticket.cancelled.is_set()

        if ticket.cancelled.is_set():
            self.failed.emit(ticket, Cancelled())
            return
        self.ticket = ticket
        try:
            with interruptible(ticket.stop_if_cancelled):
                result = ticket.job(progress)
            self.done.emit(ticket, result)
        except Exception as problem:
            if not isinstance(problem, Cancelled):
                problem.add_note(traceback.format_exc())
            self.failed.emit(ticket, problem)
        finally:
            self.ticket = None  # which holds all that the job was made of: a whole run


class Runner(QObject):
    """Run jobs in a worker thread. ``close`` must be called before the application ends."""

    busy_changed = Signal(bool)
    progressed = Signal(str, object, object)
    _submitted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._current: _Ticket | None = None
        self._waiting: _Ticket | None = None
        self._thread = QThread(self)
        self._thread.setObjectName("simulation")
        self._worker = _Worker()
        self._worker.moveToThread(self._thread)
        self._submitted.connect(self._worker.work)
        self._worker.done.connect(self._on_done)
        self._worker.failed.connect(self._on_failed)
        self._worker.progressed.connect(self._on_progress)
        self._thread.finished.connect(self._worker.deleteLater)
        self._thread.start()

    @property
    def busy(self) -> bool:
        return self._current is not None

    @property
    def is_job_cancelled(self) -> bool:
        """Return whether the worker's present job has been cancelled. Called in the worker's thread."""
        return self._worker.ticket is not None and self._worker.ticket.cancelled.is_set()

    def submit(self, job: Job, done: Callable[[Any], None], failed: Callable[[Exception], None]) -> None:
        """Run ``job`` in the worker, then call ``done`` or ``failed`` in this thread."""
        self.cancel()
        self._begin(_Ticket(job, (done, failed), patient=False))

    def submit_after(self, job: Job, done: Callable[[Any], None], failed: Callable[[Exception], None]) -> None:
        """Submit a job once the present one of ``submit`` has ended; cancelling that one withdraws this one, too."""
        ticket = _Ticket(job, (done, failed), patient=True)
        if self._current is not None and not self._current.patient:
            self._waiting = ticket
        else:
            self.cancel()
            self._begin(ticket)

    def _begin(self, ticket: _Ticket) -> None:
        self._current = ticket
        self.busy_changed.emit(True)
        self._submitted.emit(ticket)

    def cancel(self) -> None:
        """Ask the job to stop. Its result is dropped even if it ends well."""
        self._waiting = None
        if self._current is not None:
            self._current.cancelled.set()
            self._current = None
            self.busy_changed.emit(False)

    def close(self) -> None:
        self.cancel()
        self._thread.quit()
        self._thread.wait()

    @Slot(object, object)
    def _on_done(self, ticket: _Ticket, result: object) -> None:
        self._finish(ticket, 0, result)

    @Slot(object, object)
    def _on_failed(self, ticket: _Ticket, problem: object) -> None:
        self._finish(ticket, 1, problem)

    def _finish(self, ticket: _Ticket, which: int, value: Any) -> None:
        if ticket is not self._current:
            return
        waiting, self._current, self._waiting = self._waiting, None, None
        self.busy_changed.emit(False)
        ticket.then[which](value)
        if waiting is not None and not self.busy:
            self._begin(waiting)

    @Slot(object, str, object, object)
    def _on_progress(self, ticket: _Ticket, words: str, done: int, total: int) -> None:
        if ticket is self._current:
            self.progressed.emit(words, done, total)
