"""Declare the views that show the diagram of their model and hold little else."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar

from PySide6.QtCore import QSize, QTimer

from warpview.isa.ops import ATOMIC_OPS, BLOCK_BARRIERS
from warpview.isa.types import Space
from warpview.sim.rules.access import GlobalAccess, SharedAccess
from warpview.trace.frame import Stall
from warpview.trace.presentation import STALLS
from warpview.ui.drawing.picture import Picture
from warpview.ui.drawing.plot import axis_width
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.views import headlines_model
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.divergence import barrier_model, divergence_model
from warpview.ui.views.divergence.band_plot import LANES, BandPlot
from warpview.ui.views.lanes import lanes_model, values_model
from warpview.ui.views.machine import multiprocessor_model
from warpview.ui.views.memory import atomics_model, global_memory_model, shared_memory_model
from warpview.ui.views.memory.parts_model import ALL, parts
from warpview.ui.views.memory.suppressed_model import GLOBAL, SHARED, none_served
from warpview.ui.views.view import LegendEntry

REPLAY_MS = 450
REPLAY_MOST = 6  # an access of more parts is shown at once; each can be picked


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
    variable: str | None = None  # None: whichever the step wrote

    def design(self, run: RunLike) -> tuple[float, float]:
        return lanes_model.design(run)

    def picture(self, context: FrameContext, picture: Picture) -> str:
        return lanes_model.draw(context, picture, self.variable)

    def command(self, name: str, value: int) -> None:
        kind, _, picked = name.partition(" ")
        if kind == "variable":
            self.variable = None if picked == self.variable else picked


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


class BarrierView(DiagramView):
    """Show the warps of the block that ran, at ``__syncthreads()``."""

    key = "barrier"
    number = staticmethod(headlines_model.waiting_warps)
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


class AtomicsView(DiagramView):
    """Show the addresses of an atomic operation and the lanes that collide on each."""

    key = "atomics"
    title = "Atomics"
    about = "The addresses of the atomic operation and the lanes on each: lanes on one address are served one by one"
    draw_picture = staticmethod(atomics_model.draw)
    meanings = (
        LegendEntry("atomic", "fill", "lanes that share an address: one pass each"),
        LegendEntry("active", "fill", "lanes with an address of their own"),
    )

    def has_content(self, run: RunLike) -> bool:
        return any(i.op in ATOMIC_OPS for i in run.program.instructions)


class MultiprocessorView(DiagramView):
    """Show schedulers, register file, pipes, caches and memory, and the data that flow between them on this step."""

    key = "multiprocessor"
    title = "Multiprocessor"
    tab = "SM"
    about = "The machine as one picture: what this step issues, where it executes, and which memories it reaches"
    is_answer = True
    meanings = (
        LegendEntry("stall_selected", "fill", "issued"),
        LegendEntry("stall_not_selected", "fill", "ready: it could issue"),
        *(
            LegendEntry(f"stall_{stall.name.lower()}", "fill", f"{shown.name}: {shown.clause}")
            for stall, shown in STALLS.items() if stall not in (*lanes_model.READY, Stall.EXITED, Stall.EMPTY)
        ),
    )  # fmt: skip
    draw_picture = staticmethod(multiprocessor_model.draw)

    def command(self, name: str, value: int) -> None:
        if name == multiprocessor_model.OPEN:
            self.open_requested.emit(multiprocessor_model.DOORS[value])


class ReplayView(DiagramView):
    """Choose the part to show: the one picked, that of the replay, or all. The replay never holds up a key."""

    access: ClassVar[type[GlobalAccess | SharedAccess]]  # that the view shows, to these spaces
    spaces: ClassVar[frozenset[Space]]

    def __init__(self, selection: Selection, look: Look) -> None:
        super().__init__(selection, look)
        self._seen: int | None = None
        self._part, self._count = ALL, 0
        self._replay = QTimer(self, interval=REPLAY_MS)
        self._replay.timeout.connect(self._go_on)

    def part(self, context: FrameContext, count: int) -> int:
        """Return the part of the step to show, from 0; ALL for all. ``count`` is how many are worth a replay, or 0."""
        step = context.frame.step
        if step != self._seen:
            forward = self._seen is not None and step == self._seen + 1
            self._seen, self._count = step, count
            self._end()
            if forward and self.look.motion and not context.predicting and 1 < count <= REPLAY_MOST:
                self._part = 0
                self._replay.start()
        picked = context.selection.part
        return self._part if picked is None else picked

    def command(self, name: str, value: int) -> None:
        """Show one part, or ALL, until another step."""
        if name == "part":
            self._end()
            self.selection.update(part=None if value == ALL else value)

    def content_key(self, context: FrameContext) -> Hashable | None:
        """Return what the picture depends on while no step accesses the memory: the run."""
        shown = isinstance(context.frame.access, self.access) or none_served(context, self.spaces) is not None
        return None if shown else id(context.run)

    def clear(self) -> None:
        """Forget the last step, so that the next one is shown without a replay."""
        self._end()
        self._seen = None
        super().clear()

    def _end(self) -> None:
        self._replay.stop()
        self._part = ALL

    def _go_on(self) -> None:
        if self._part >= self._count - 1 or not self.isVisible() or self.selection.now.part is not None:
            self._end()
        else:
            self._part += 1
        self.refresh()


class SharedMemoryView(ReplayView):
    """Replay a conflict once when a step brings it, then show all wavefronts together."""

    key = "shared"
    access, spaces = SharedAccess, SHARED
    number = staticmethod(headlines_model.conflict)
    title = "Shared memory"
    about = "The bank that each lane accesses: a conflict costs a wavefront for each word, a broadcast takes one"
    meanings = (
        LegendEntry("active", "fill", "served in one pass"),
        LegendEntry("conflict", "fill", "bank conflict, pass by pass in two tones"),
        LegendEntry("idle", "hollow", "served in another wavefront"),
        LegendEntry("idle", "light-hatch", "padding"),
    )

    def has_content(self, run: RunLike) -> bool:
        return any(i.space in SHARED for i in run.program.instructions)

    def picture(self, context: FrameContext, picture: Picture) -> str:
        access = context.frame.access
        fronts = len(access.wavefronts) if isinstance(access, SharedAccess) and access.conflicts else 0
        return shared_memory_model.draw(context, picture, self.part(context, fronts))


class GlobalMemoryView(ReplayView):
    """Show the segments, lines or sectors of the step's access, whichever the device moves."""

    key = "global"
    access, spaces = GlobalAccess, GLOBAL
    number = staticmethod(headlines_model.bytes_used)
    title = "Global memory"
    about = "The bytes that the warp requests, the bytes that the device moves for it, and how many of those are wasted"
    meanings = (
        LegendEntry("active", "fill", "bytes requested by lanes"),
        LegendEntry("wasted", "light-hatch", "wasted: moved, but not requested"),
        LegendEntry("error", "sign", "race or error"),
    )

    def picture(self, context: FrameContext, picture: Picture) -> str:
        # Where the protocol of old devices does not join all, it is worth a replay: which step leads to what.
        steps = parts(context.frame) if global_memory_model.has_protocol(context) else 0
        return global_memory_model.draw(context, picture, self.part(context, steps))


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
