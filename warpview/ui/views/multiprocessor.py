"""Show the multiprocessor as one picture, each part a door to its own view."""

from __future__ import annotations

from warpview.trace.presentation import STALLS
from warpview.ui.views import multiprocessor_model as model
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.view import LegendEntry


class MultiprocessorView(DiagramView):
    """Show schedulers, register file, pipes, caches and memory, and the data that flow between them on this step."""

    key = "multiprocessor"
    title = "Multiprocessor"
    tab = "SM"
    about = "The machine as one picture: what this step issues, where it executes, and which memories it reaches"
    question = "Which parts does this step use, and how much does it move?"
    meanings = tuple(
        LegendEntry(f"stall_{stall.name.lower()}", "fill", f"{shown.name}: {shown.clause}")
        for stall, shown in STALLS.items() if stall.name not in ("EXITED", "EMPTY")
    )  # fmt: skip
    draw_picture = staticmethod(model.draw)

    def command(self, name: str, value: int) -> None:
        if name == model.OPEN:
            self.open_requested.emit(model.DOORS[value])
