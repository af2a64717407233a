"""Show how lanes meet banks, wavefront by wavefront: the shared-memory view."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QSize

from warpview.isa.types import Space
from warpview.sim.rules.access import SharedAccess
from warpview.ui.drawing.picture import Picture
from warpview.ui.views import shared_memory_model as model
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.replay import ReplayView
from warpview.ui.views.view import LegendEntry


class SharedMemoryView(ReplayView):
    """Replay a conflict once when a step brings it, then show all wavefronts together."""

    key = "shared"
    title = "Shared memory"
    about = "The bank that each lane accesses: a conflict costs a wavefront for each word, a broadcast takes one"
    min_size = QSize(260, 90)
    meanings = (
        LegendEntry("active", "fill", "served in one pass"),
        LegendEntry("conflict", "fill", "bank conflict, pass by pass in two tones"),
        LegendEntry("idle", "hollow", "served in another wavefront"),
        LegendEntry("idle", "light-hatch", "padding"),
    )

    def has_content(self, run: RunLike) -> bool:
        return any(i.space in (Space.SHARED, Space.CONST) for i in run.program.instructions)

    def content_key(self, context: FrameContext) -> Hashable | None:
        return model.idle_key(context)

    def picture(self, context: FrameContext, picture: Picture) -> str:
        access = context.frame.access
        fronts = len(access.wavefronts) if isinstance(access, SharedAccess) and access.conflicts else 0
        return model.draw(context, picture, self.part(context, fronts))
