"""Turn the selection into frames and hand them to the views: the one place where a step becomes a picture."""

from __future__ import annotations

from collections.abc import Sequence
from time import thread_time

from PySide6.QtCore import QObject, QTimer, Signal

from warpview.trace.frame import Frame
from warpview.ui.moving.access_index import AccessIndex
from warpview.ui.moving.selection import Selection, Snapshot
from warpview.ui.views.context import FrameContext, RunLike, concerns, stage_view
from warpview.ui.views.view import View

AT_ONCE_S = 0.008  # half a display frame, the other half is for painting: up to this all views are painted at once


class Presenter(QObject):
    """Show the frame of the selection; several changes within one turn of the event loop give one frame."""

    staging = Signal(object)  # FrameContext, before the views draw it: which of them are in sight is decided now
    shown = Signal(object)  # FrameContext, after the views were told
    drawn = Signal(object)  # the same, when they have drawn it

    def __init__(
        self, selection: Selection, views: Sequence[View], accesses: AccessIndex, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._selection, self._views, self._accesses = selection, views, accesses
        self.run: RunLike | None = None
        self._frame: Frame | None = None
        self.predicting = False
        self.context: FrameContext | None = None
        self._drew_in = AT_ONCE_S  # seconds of processor time that drawing the views took last
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.present)
        self._rest = QTimer(self, singleShot=True, interval=0)
        self._rest.timeout.connect(self.show_rest)
        selection.changed.connect(self._on_changed)
        accesses.changed.connect(self._timer.start)

    def set_run(self, run: RunLike | None) -> None:
        self.run, self._frame, self.context = run, None, None
        for view in self._views:
            view.reset(run)
        # In the next turn: to prepare and to draw all views would together be a pause that one notices.
        self._timer.start()

    def set_predicting(self, on: bool) -> None:
        self.predicting = on
        self._timer.start()

    def _on_changed(self, old: Snapshot, new: Snapshot) -> None:
        self._timer.start()

    def catch_up(self) -> None:
        """Show the selected step now if it is not shown yet."""
        if self._timer.isActive():
            self.present()

    def present(self) -> None:
        """Show the selected step now."""
        self._timer.stop()
        if self.run is None:
            return
        now, is_new = self._selection.now, self.context is None
        step = max(0, min(now.step, self.run.trace.steps))
        if self._frame is None or self._frame.step != step:
            self._frame = self.run.trace.frame(step)
        self.context = FrameContext(self.run, self._frame, now, self.predicting, self._accesses)
        for view in self._views:
            view.take(self.context)
        self.staging.emit(self.context)
        # Where drawing takes long, as after another run, what the eye follows is painted before anything else is drawn.
        at_once = self._drew_in < AT_ONCE_S and not is_new
        concerned = set() if is_new else {stage_view(self.context), *concerns(self.context)}
        self._drew_in = 0.0
        self._draw([view for view in self._views if at_once or view.leads or view.key in concerned])
        self._rest.start()
        self.shown.emit(self.context)

    def _draw(self, views: Sequence[View]) -> None:
        begin = thread_time()
        for view in views:
            view.flush_if_due()
        self._drew_in += thread_time() - begin

    def show_rest(self) -> None:
        self._draw(self._views)
        if self.context is not None:
            self.drawn.emit(self.context)
