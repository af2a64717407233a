"""Draw the lanes of an access as a row of cells, and the way from each to the place that it accesses."""

from __future__ import annotations

from collections.abc import Callable

from warpview.trace.suppressed_lanes import SuppressedLanes
from warpview.ui.drawing.columns import LaneColumns, cells
from warpview.ui.drawing.picture import Box, Curve, HitRegion, Picture, Rects, Target, Text, s_curve
from warpview.ui.drawing.values import lanes_of, ranges
from warpview.ui.views.context import FrameContext

IDLE = "takes no part"


def draw_lanes(
    picture: Picture, columns: LaneColumns, box: Box, filled: int, hollow: int, selected: int | None, token: str,
    others: tuple[tuple[int, str], ...],
) -> None:  # fmt: skip
    """Draw the lanes of the mask ``filled`` in the colour ``token``, or in that of ``others`` by lane, those of
    ``hollow`` as outlines and the rest faint; the ``selected`` one gets a frame where it takes part."""
    u = picture.unit
    picture.text(0.5 * u, box.cy, "lanes", 0.9 * u, "dim")
    boxes = cells(columns, box.y, box.h, 2.0 if columns.width > 10 else 1.0)
    size = min(0.85 * u, 0.62 * columns.width)
    tokens = dict(others)
    for lane in lanes_of(filled):
        cell = boxes[lane]
        fill = tokens.get(lane, token)
        picture.marks.append(Rects((cell,), fill))
        if size >= 0.55 * u:
            picture.marks.append(Text(cell.cx, cell.cy, str(lane), size, ink_on(fill), 0, True))
    if selected is not None and (filled | hollow) >> selected & 1:
        picture.rect(boxes[selected].inset(-2), None, "accent", 2, radius=3)
    picture.rects([boxes[lane] for lane in lanes_of(~(filled | hollow) & 0xFFFFFFFF)], None, "faint")
    picture.rects([boxes[lane] for lane in lanes_of(hollow)], None, "idle", 1.3)


def draw_suppressed_lanes(picture: Picture, columns: LaneColumns, box: Box, suppressed: SuppressedLanes | None) -> None:
    """Mark the lanes whose access a fault has suppressed."""
    for lane in lanes_of(suppressed.lanes) if suppressed is not None else ():
        cell = Box(columns.left[lane], box.y, columns.width - (2.0 if columns.width > 10 else 1.0), box.h)
        picture.rect(cell, "panel", "error", 2.2, radius=2)
        picture.text(cell.cx, cell.cy, "!", min(0.85 * picture.unit, 0.62 * columns.width), "error", 0, True)


def lane_regions(
    picture: Picture, columns: LaneColumns, box: Box, context: FrameContext, says: Callable[[int], str]
) -> None:
    """Let each lane in the row ``box`` answer to the pointer: what it does, and a click selects it."""
    event = context.frame.event
    block, warp = (event.block, event.warp) if event is not None else (None, None)
    suppressed = None if context.predicting else context.frame.suppressed

    def at(x: float, y: float) -> HitRegion | None:
        lane = columns.at(x)
        if lane is None:
            return None
        cell = Box(columns.left[lane], box.y, columns.width, box.h)
        missed = suppressed is not None and suppressed.lanes >> lane & 1
        words = suppressed.lane_words(lane) if suppressed is not None and missed else says(lane)
        return HitRegion(cell, f"lane {lane}: {words}", Target(lane=lane, block=block, warp=warp))

    picture.region(box, at)


def what_lanes_do(lanes: int, kind: str, memory: str) -> str:
    """Return in words what the lanes of a mask do by an access of a kind ("load", "store", "atomic", ...)."""
    verb = {"load": "read", "store": "write"}.get(kind, "update")
    return f"Lanes {ranges(lanes)} {verb} {memory}"


def draw_nothing(picture: Picture, says: str) -> str:
    """Say in the middle why there is nothing to see; return the note, which is empty."""
    picture.spoken = says
    picture.text(picture.width / 2, picture.height / 2, says, colour="dim", align=0, room=picture.width)
    return ""


def ink_on(fill: str) -> str:
    """Return the colour token of a text on a fill."""
    return "on_conflict" if fill.startswith(("conflict", "pass")) else "on_lane"


def draw_way(
    picture: Picture, columns: LaneColumns, lane: int, top: float, x: float, y: float, width: float, token: str,
    alpha: float = 1.0,
) -> None:  # fmt: skip
    """Draw the curve from below a lane's cell to the place that it accesses; after a step it grows."""
    points = s_curve(columns.centre(lane) - 1, top + 1, x, y)
    picture.marks.append(Curve(points, token, width, alpha=alpha, motion=True, cubic=True))
