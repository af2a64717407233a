"""The export of the run as a page: made a piece at a time, so that the window goes on, and written when it is whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from warpview.diagnostics import Diagnostic, WarpviewError
from warpview.files import write_file
from warpview.ui.export.report import Extras, Report

if TYPE_CHECKING:
    from warpview.ui.main_window import MainWindow

PIECE_S = 0.02  # as many parts at a time as begin within this


class PageExport(QObject):
    """One page at a time."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._w = window
        self._report: Report | None = None
        self._coming: Iterator[str] = iter(())
        self._parts: list[str] = []
        self._path = Path()
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    @property
    def running(self) -> bool:
        return self._timer.isActive()

    def start(self, path: Path) -> None:
        """Write the run that is shown, with the step that is shown besides the remarkable ones."""
        run = self._w.session.run
        if run is None or self.running:
            return
        self._report = Report(run, self._extras())
        self._coming, self._parts, self._path = self._report.parts(), [], path
        self._timer.start()

    def cancel(self) -> bool:
        """Stop; whether there was something to stop."""
        was = self.running
        self._timer.stop()
        if was:
            self._w.caption.notice("The export was cancelled; nothing was written.")
        return was

    def _extras(self) -> Extras:
        w = self._w
        variant, page = w.session.variant, w.comparison
        concerned = any(run.kernel == w.session.setup.entry for run in page.runs)
        compared = page.runs if concerned else ()
        return Extras(variant.title, variant.teaches, (w.selection.now.step,), compared, page.title)

    def _go_on(self) -> None:
        start = perf_counter()
        for part in self._coming:
            self._parts.append(part)
            if perf_counter() - start > PIECE_S:
                return
        self._timer.stop()
        self._write()

    def _write(self) -> None:
        w = self._w
        assert self._report is not None
        try:
            write_file(self._path, self._report.html(self._parts))
        except WarpviewError as problem:
            hint = "Choose another place: File, Export the run as a page."
            w.banner.show_problems([Diagnostic(str(problem), hint=hint)])
        else:
            w.caption.notice(f"Wrote {self._path}.")
