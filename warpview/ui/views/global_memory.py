"""Show a global access: lanes to addresses to the bytes that move over the bus, used and wasted."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QSize

from warpview.ui.drawing.picture import Picture
from warpview.ui.views import global_memory_model
from warpview.ui.views.context import FrameContext
from warpview.ui.views.parts_model import parts
from warpview.ui.views.replay import ReplayView
from warpview.ui.views.view import LegendEntry


class GlobalMemoryView(ReplayView):
    """Show the segments, lines or sectors of the step's access, whichever the device moves."""

    key = "global"
    title = "Global memory"
    about = "The bytes that the warp requests, the bytes that the device moves for it, and how many of those are wasted"
    min_size = QSize(260, 90)
    meanings = (
        LegendEntry("active", "fill", "bytes requested by lanes"),
        LegendEntry("wasted", "light-hatch", "wasted: moved, but not requested"),
        LegendEntry("error", "sign", "race or error"),
    )

    def content_key(self, context: FrameContext) -> Hashable | None:
        return global_memory_model.idle_key(context)

    def picture(self, context: FrameContext, picture: Picture) -> str:
        # Where the protocol of old devices does not join all, it is worth a replay: which step leads to what.
        steps = parts(context.frame) if global_memory_model.has_protocol(context) else 0
        return global_memory_model.draw(context, picture, self.part(context, steps))
