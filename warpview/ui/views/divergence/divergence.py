"""Show divergence: stack or splits, the control-flow graph with the lanes in it, the history of active lanes."""

from __future__ import annotations

from typing import Any

from warpview.ui.drawing.picture import Picture
from warpview.ui.drawing.plot import axis_width
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.views import headlines_model
from warpview.ui.views.context import FrameContext
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.divergence import divergence_model
from warpview.ui.views.divergence.band_plot import LANES, BandPlot
from warpview.ui.views.view import LegendEntry


class DivergenceView(DiagramView):
    """Show the selected warp's paths of control."""

    key = "divergence"
    number = staticmethod(headlines_model.active_lanes)
    title = "Divergence"
    about = "The selected warp's paths: which lanes are on each, which one runs, where they reconverge"
    meanings = (
        LegendEntry("active", "fill", "lanes of the running path"),
        LegendEntry("divergence", "fill", "lanes of another path"),
        LegendEntry("idle", "hollow", "not on this path"),
        LegendEntry("idle", "dot", "exited"),
    )

    def __init__(self, selection: Selection, look: Look) -> None:
        self.band = BandPlot(lambda step: selection.update(step=step))
        self._band_height = -1.0  # what the band was placed for; -1: not yet
        super().__init__(selection, look)
        self.canvas.add_plot(1, 0, self.band, self.band.hover)
        self.canvas.scene().sigMouseClicked.connect(self._on_band_click)

    def picture_size(self) -> tuple[float, float]:
        width, height = super().picture_size()
        return width, height - divergence_model.band_height(height, self.unit())

    def picture(self, context: FrameContext, picture: Picture) -> str:
        height = divergence_model.band_height(self.canvas.height(), self.unit())
        if height != self._band_height:
            self._band_height = height
            self._place_band(height)
        if height:
            self.band.show_frame(context, self.canvas)
        return divergence_model.draw(context, picture)

    def _place_band(self, height: float) -> None:
        """Give the band its height, 0 for none, and its axes a size that is known: axes that fit themselves do so while
        they are painted, which paints all again."""
        band, unit = self.band, self.unit()
        band.setVisible(height > 0)
        band.setFixedHeight(height)
        band.getAxis("left").setWidth(axis_width(self.canvas, [name for _, name in LANES]) + 1.2 * unit)
        band.getAxis("bottom").setHeight(2.9 * unit)
        self.canvas.ci.layout.activate()  # now, and not in the turn after this painting

    def clear(self) -> None:
        super().clear()
        self.band.clear_band()

    def _on_band_click(self, event: Any) -> None:
        self.band.click(event.scenePos(), event.double())
