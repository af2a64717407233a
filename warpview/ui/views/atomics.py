"""Show the addresses of an atomic operation, and the lanes that collide on each: the atomics view."""

from __future__ import annotations

from warpview.isa.ops import ATOMIC_OPS
from warpview.ui.views import atomics_model
from warpview.ui.views.context import RunLike
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.view import LegendEntry


class AtomicsView(DiagramView):
    """Lanes on one address are served one after another."""

    key = "atomics"
    title = "Atomics"
    about = "The addresses of the atomic operation and the lanes on each: lanes on one address are served one by one"
    draw_picture = staticmethod(atomics_model.draw)
    meanings = (
        LegendEntry("atomic", "fill", "lane that shares its address: one pass each"),
        LegendEntry("active", "fill", "lane with an address of its own"),
    )

    def has_content(self, run: RunLike) -> bool:
        return any(i.op in ATOMIC_OPS for i in run.program.instructions)
