"""The global-memory view: lanes to addresses to what moves over the bus, used and wasted."""

from __future__ import annotations

from collections.abc import Hashable
from time import perf_counter

from PySide6.QtCore import QSize, QTimer
from PySide6.QtWidgets import QWidget

from warpview.ui.picture import Picture
from warpview.ui.selection import Selection
from warpview.ui.theme import Look
from warpview.ui.views import global_memory_model
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.picture_view import PictureView
from warpview.ui.views.touch_model import Touches
from warpview.ui.views.view import LegendEntry

GATHER_MS = 30  # between two looks at more of the history
GATHER_S = 0.008  # and how long each may take


class GlobalMemoryView(PictureView):
    """Segments, lines or sectors of the step's access, whichever the device moves."""

    key = "global"
    title = "Global memory"
    about = "Which bytes the warp asks for, which the device moves for it, and how many of those are wasted"
    min_size = QSize(300, 170)

    def __init__(self, selection: Selection, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(selection, look, parent)
        self._touches: Touches | None = None
        self._gather = QTimer(self)
        self._gather.setInterval(GATHER_MS)
        self._gather.timeout.connect(self._gather_more)
        self._who = self.add_tool("by warp", "Colour the buffers by the warp that touched each element last", True)
        self._who.toggled.connect(self._show_who)

    def legend(self) -> list[LegendEntry]:
        return [
            LegendEntry("active", "fill", "used, in the lane's own hue"),
            LegendEntry("wasted", "light-hatch", "moved for nothing"),
        ]

    def content_key(self, context: FrameContext) -> Hashable | None:
        return None if self._touches is not None else global_memory_model.idle_key(context)

    def picture(self, context: FrameContext, picture: Picture) -> str:
        return global_memory_model.draw(context, picture, self._touches)

    def prepare(self, run: RunLike) -> None:
        self._touches = None
        self._show_who(self._who.isChecked(), run)

    def clear(self) -> None:
        self._gather.stop()
        self._touches = None
        super().clear()

    def _show_who(self, on: bool, run: RunLike | None = None) -> None:
        run = run or (self.context.run if self.context else None)
        self._gather.stop()
        self._touches = Touches(run.trace) if on and run is not None and run.trace is not None else None
        if self._touches is not None:
            self._gather.start()
        self.refresh()

    def _gather_more(self) -> None:
        """A few accesses at a time, so that no key waits for it; nothing while hidden."""
        if self._touches is None or not self.isVisible():
            return
        end = perf_counter() + GATHER_S
        more = True
        while more and perf_counter() < end:
            more = self._touches.advance(1)
        if not more:
            self._gather.stop()
        self.refresh()
