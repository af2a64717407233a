"""Show which warps of the block have arrived at the barrier, and what the others do: the barrier view."""

from __future__ import annotations

from warpview.isa.ops import BLOCK_BARRIERS
from warpview.ui.views import barrier_model
from warpview.ui.views.context import RunLike
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.view import LegendEntry


class BarrierView(DiagramView):
    """Show the warps of the block that ran, at ``__syncthreads()``."""

    key = "barrier"
    title = "Barrier"
    about = "Which warps of the block have arrived at __syncthreads(), how long they wait, and for whom"
    draw_picture = staticmethod(barrier_model.draw)
    meanings = (
        LegendEntry("barrier", "hatch", "waits at the barrier"),
        LegendEntry("active", "fill", "has not arrived"),
        LegendEntry("idle", "hollow", "idle: on another path"),
        LegendEntry("idle", "dot", "exited"),
    )

    def has_content(self, run: RunLike) -> bool:
        return any(i.op in BLOCK_BARRIERS for i in run.program.instructions)
