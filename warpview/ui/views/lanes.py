"""Show the warps by 32 lanes, and a variable over the lanes of the selected warp: the lanes view."""

from __future__ import annotations

from PySide6.QtCore import QSize

from warpview.ui.drawing.picture import Picture
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.views import lanes_model
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.view import LegendEntry


class LanesView(DiagramView):
    """Show all resident warps; a click selects a warp and a lane, or the variable to be shown."""

    key = "lanes"
    leads = True
    title = "Lanes"
    about = "Every resident warp with its 32 lanes: who takes part in the instruction, and what the others wait for"
    min_size = QSize(260, 104)
    meanings = (
        LegendEntry("active", "fill", "active"),
        LegendEntry("idle", "hollow", "idle: on another path"),
        LegendEntry("active", "dashed", "predicated off"),
        LegendEntry("barrier", "hatch", "at a barrier"),
        LegendEntry("idle", "dot", "exited"),
        LegendEntry("conflict", "fill", "changed by this step"),
        LegendEntry("error", "sign", "race or error"),
    )

    def __init__(self, selection: Selection, look: Look) -> None:
        self.variable: str | None = None  # None: whichever the step wrote
        super().__init__(selection, look)

    def design(self, run: RunLike) -> tuple[float, float]:
        return lanes_model.design(run)

    def picture(self, context: FrameContext, picture: Picture) -> str:
        return lanes_model.draw(context, picture, self.variable)

    def command(self, name: str, value: int) -> None:
        kind, _, picked = name.partition(" ")
        if kind == "variable":
            self.variable = None if picked == self.variable else picked
