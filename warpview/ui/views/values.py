"""Show the operands of the instruction and its result, lane by lane: the values view."""

from __future__ import annotations

from warpview.ui.views import values_model
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.view import LegendEntry


class ValuesView(DiagramView):
    """Show the arithmetic of an instruction in each lane."""

    key = "values"
    title = "Values"
    about = "The operands of the instruction and its result in each of the 32 lanes"
    draw_picture = staticmethod(values_model.draw)
    meanings = (
        LegendEntry("conflict", "fill", "changed by this step"),
        LegendEntry("idle", "dashed", "lane takes no part"),
        LegendEntry("active", "fill", "value as a bar, where digits do not fit"),
    )
