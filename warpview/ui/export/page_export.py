"""Export the run as a report: made a piece at a time, so that the window stays usable, and written whole."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QObject, QTimer

from warpview.diagnostics import WarpviewError
from warpview.files import write_file
from warpview.run.replay import Replay
from warpview.ui.arranging.pages import Pages
from warpview.ui.export.report import Report, ReportExtras
from warpview.ui.moving.selection import Selection
from warpview.ui.panels.messages import Messages
from warpview.ui.session.session import Session
from warpview.ui.views.context import RunLike

PIECE_S = 0.02  # seconds; parts are made until this has passed, then the window has its turn


class PageExport(QObject):
    """Export one report at a time. A failure is shown as a problem, and then nothing is written."""

    def __init__(self, session: Session, selection: Selection, pages: Pages, messages: Messages) -> None:
        super().__init__(session)
        self._session, self._selection, self._pages, self._messages = session, selection, pages, messages
        self._report: Report | None = None
        self._coming: Iterator[str] = iter(())
        self._parts: list[str] = []
        self._path = Path()
        self._replay: tuple[RunLike, Replay] | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._continue)

    def keep(self, run: RunLike, replay: Replay) -> None:
        """Take up another order of a run's races, which the report of that run shows."""
        self._replay = run, replay

    @property
    def running(self) -> bool:
        """Return whether an export is under way."""
        return self._timer.isActive()

    def start(self, path: Path) -> None:
        """Write the run that is shown; the report begins at the step that is shown."""
        run = self._session.run
        if run is None or self.running:
            return
        self._report = Report(run, self._extras())
        self._coming, self._parts, self._path = self._report.parts(), [], path
        self._timer.start()

    def cancel(self) -> bool:
        """Stop; return whether there was something to stop."""
        was = self.running
        self._timer.stop()
        if was and self._report is not None:
            self._report.close()
            self._messages.notice("The export was cancelled; nothing was written.")
        return was

    def _extras(self) -> ReportExtras:
        session, comparison = self._session, self._pages.comparison
        concerned = any(run.kernel == session.setup.entry for run in comparison.runs)
        compared = comparison.runs if concerned else ()
        variant = session.variant
        replay = self._replay[1] if self._replay is not None and self._replay[0] is session.run else None
        return ReportExtras(
            variant.title, variant.teaches, (self._selection.now.step,), compared, comparison.title, replay=replay
        )

    def _continue(self) -> None:
        try:
            if self._add_parts():
                return
            self._timer.stop()
            self._write()
        except Exception as problem:
            self._timer.stop()
            if self._report is not None:
                self._report.close()
            logging.getLogger(__name__).error("the report could not be made", exc_info=problem)
            words = f"could not make the report: {type(problem).__name__}: {problem}"
            self._messages.problem(words, "Nothing was written.")

    def _add_parts(self) -> bool:
        """Make parts until the time is up; return whether more are to come."""
        start = perf_counter()
        for part in self._coming:
            self._parts.append(part)
            if perf_counter() - start > PIECE_S:
                return True
        return False

    def _write(self) -> None:
        assert self._report is not None
        try:
            write_file(self._path, self._report.html(self._parts))
        except WarpviewError as problem:
            self._messages.problem(str(problem), "Choose another place: File, Export report.")
        else:
            self._messages.notice(f"Wrote {self._path}.")
