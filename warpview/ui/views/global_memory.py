"""The global-memory view: lanes to addresses to what moves over the bus, used and wasted."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QSize

from warpview.ui.picture import Picture
from warpview.ui.views import global_memory_model
from warpview.ui.views.context import FrameContext
from warpview.ui.views.picture_view import PictureView
from warpview.ui.views.view import LegendEntry


class GlobalMemoryView(PictureView):
    """Segments, lines or sectors of the step's access, whichever the device moves."""

    key = "global"
    title = "Global memory"
    about = "Which bytes the warp asks for, which the device moves for it, and how many of those are wasted"
    min_size = QSize(300, 170)

    def legend(self) -> list[LegendEntry]:
        return [
            LegendEntry("active", "fill", "used, in the lane's own hue"),
            LegendEntry("wasted", "light-hatch", "moved for nothing"),
        ]

    def content_key(self, context: FrameContext) -> Hashable | None:
        return global_memory_model.idle_key(context)

    def picture(self, context: FrameContext, picture: Picture) -> str:
        return global_memory_model.draw(context, picture)
