"""The divergence view: stack or splits, the control-flow graph with the lanes in it, the history of active lanes."""

from __future__ import annotations

from PySide6.QtCore import QSize

from warpview.ui.drawing.picture import Picture
from warpview.ui.views import divergence_model
from warpview.ui.views.context import FrameContext
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.view import LegendEntry


class DivergenceView(DiagramView):
    """The selected warp's paths of control."""

    key = "divergence"
    title = "Divergence"
    tab = "Paths"
    about = "The selected warp's paths: which lanes are on each, which one runs, where they reconverge"
    min_size = QSize(280, 150)

    def legend(self) -> list[LegendEntry]:
        return [
            LegendEntry("active", "fill", "lanes of the running path"),
            LegendEntry("divergence", "fill", "lanes of another path"),
            LegendEntry("idle", "hollow", "not on this path"),
            LegendEntry("idle", "dot", "exited"),
        ]

    def picture(self, context: FrameContext, picture: Picture) -> str:
        return divergence_model.draw(context, picture)
