"""Draw an access of which no lane is served: the lanes, and the places outside the array that they name. Qt-free."""

from __future__ import annotations

from warpview.isa.types import Space
from warpview.sim.launch import FindingKind
from warpview.trace.suppressed_lanes import SuppressedLanes
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.drawing.values import lanes_of, ranges
from warpview.ui.views.arrays.array_map_model import draw_array_map
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.access_lanes_model import IDLE, draw_lanes, draw_suppressed_lanes, draw_way, lane_regions
from warpview.ui.views.verdict_line import draw_hidden, draw_verdict

GUTTER = 4.7  # width of what stands at the left of the lanes, in units
SHARED = frozenset({Space.SHARED, Space.CONST})
GLOBAL = frozenset({Space.GLOBAL, Space.LOCAL})
REASONS = {
    FindingKind.OUT_OF_BOUNDS: "no lane is served",
    FindingKind.MISALIGNED: "an address must be a multiple of the bytes accessed",
    FindingKind.NULL_POINTER: "no memory is there",
}


def none_served(context: FrameContext, spaces: frozenset[Space]) -> SuppressedLanes | None:
    """Return the lanes of an access to one of these spaces that serves none; None where it serves some."""
    missed = context.frame.suppressed
    return missed if missed is not None and not context.frame.served and missed.space in spaces else None


def draw_suppressed(context: FrameContext, picture: Picture, missed: SuppressedLanes) -> str:
    """Fill the picture with an access that a fault suppresses in every lane; return the note."""
    u = picture.unit
    columns = LaneColumns.between(GUTTER * u, picture.width - 0.6 * u)
    lanes = Box(0, 2.0 * u, picture.width, 1.5 * u)
    if context.predicting:
        draw_hidden(picture)
        draw_lanes(picture, columns, lanes, missed.lanes, 0, context.selection.lane, "active", ())
        picture.spoken = f"Lanes {ranges(missed.lanes)} access memory."
        return ""
    said = missed.words.replace("`", "")
    draw_verdict(picture, missed.kind.words, "error", (f"{said.partition(':')[0]}; {REASONS[missed.kind]}", said))
    draw_lanes(picture, columns, lanes, 0, missed.lanes, context.selection.lane, "active", ())
    draw_suppressed_lanes(picture, columns, lanes, missed)
    lane_regions(picture, columns, lanes, context, lambda lane: IDLE)
    shown = draw_array_map(context, picture, columns, lanes.bottom + 2.0 * u)
    for lane, index in zip(lanes_of(missed.lanes), missed.indices, strict=True) if shown is not None else ():
        cell = shown.cell(index) if shown is not None else None
        if cell is not None:
            draw_way(picture, columns, lane, lanes.bottom, cell.cx, cell.y, max(1.2, 0.09 * u), "error", 0.6)
    picture.spoken = f"Lanes {ranges(missed.lanes)}: {said}."
    return missed.kind.words
