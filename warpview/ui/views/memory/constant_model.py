"""Draw a constant-memory access: the lanes above, the distinct addresses below, each a pass of its own."""

from __future__ import annotations

from warpview.isa.program import Program
from warpview.isa.types import Space
from warpview.sim.rules.access import SharedAccess
from warpview.trace.words import counted
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, Picture, s_curve
from warpview.ui.drawing.values import lanes_of, ranges
from warpview.ui.views.arrays.array_map_model import draw_array_map
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.access_lanes_model import IDLE, draw_lanes, lane_regions
from warpview.ui.views.memory.parts_model import ALL
from warpview.ui.views.verdict_line import draw_hidden, draw_verdict


def constant_access(context: FrameContext) -> SharedAccess | None:
    """Return this step's access to constant memory, if it made one."""
    access, at = context.frame.access, context.frame.addresses
    return access if isinstance(access, SharedAccess) and at is not None and at.space == Space.CONST else None


def constant_name(program: Program, offset: int) -> str:
    """Return the element of a __constant__ symbol at a byte offset."""
    held = [s for s in program.constant_symbols if s.offset <= offset]
    if not held:
        return f"c[{offset}]"
    symbol = max(held, key=lambda s: s.offset)
    if not symbol.dims or not symbol.element_bytes:
        return symbol.name
    return f"{symbol.name}[{(offset - symbol.offset) // symbol.element_bytes}]"


def draw_constant(context: FrameContext, picture: Picture, access: SharedAccess, part: int) -> str:
    """Fill the picture, with one pass alone where ``part`` is not ALL; returns the note."""
    u = picture.unit
    passes = len(access.wavefronts)
    part = part if 0 <= part < passes and not context.predicting else ALL
    verdict = _heading(context, picture, access, part)
    columns = LaneColumns.between(4.7 * u, picture.width - 0.6 * u)
    lanes = Box(0, 2.0 * u, picture.width, 1.5 * u)
    served = access.lanes if part == ALL else access.wavefronts[part].lanes
    tokens = tuple((lane, _token(access, k)) for k, w in enumerate(access.wavefronts) for lane in lanes_of(w.lanes))
    draw_lanes(picture, columns, lanes, served, access.lanes & ~served, context.selection.lane, "active", tokens)
    names = [constant_name(context.program, front.words[0][1] * 4) for front in access.wavefronts]
    by_lane = {
        lane: name for front, name in zip(access.wavefronts, names, strict=True) for lane in lanes_of(front.lanes)
    }
    lane_regions(picture, columns, lanes, context, lambda lane: by_lane.get(lane, IDLE))
    area = Box(columns.left[0], lanes.bottom + 4.0 * u, columns.right - columns.left[0], 0)
    spoken = f"Lanes {ranges(access.lanes)} read constant memory"
    if context.predicting:
        picture.cover(Box(area.x, lanes.bottom + 0.5 * u, area.w, picture.height - lanes.bottom - u))
        picture.spoken = f"{spoken}."
        return ""
    boxes = _places(picture, names, area, part)
    for k, box in boxes.items():
        for lane in lanes_of(access.wavefronts[k].lanes) if part in (ALL, k) else ():
            points = s_curve(columns.centre(lane), lanes.bottom + 1, box.cx, box.y - 1)
            picture.curve(points, _token(access, k), max(1.4, 0.11 * u), motion=True, cubic=True)
    _boxes(picture, access, names, boxes, part)
    if len(boxes) < passes:
        more = f"and {passes - len(boxes)} more"
        picture.text(columns.right, picture.height - 0.7 * u, more, 0.85 * u, "dim", 1)
    else:
        draw_array_map(context, picture, columns, max(box.bottom for box in boxes.values()))
    passing = f": {counted(passes, 'pass')}" if part == ALL else f", pass {part + 1} of {passes}"
    picture.spoken = f"{spoken}{passing}."
    return verdict


def _token(access: SharedAccess, front: int) -> str:
    """Return the colour of a pass: quiet for those that the device needs at best, loud for those that cost more."""
    if len(access.wavefronts) <= access.ideal:
        return "active"
    return "conflict" if front % 2 == 0 else "conflict_dark"


def _heading(context: FrameContext, picture: Picture, access: SharedAccess, part: int) -> str:
    """Draw the verdict, or which pass is shown; return the verdict."""
    passes, addresses = len(access.wavefronts), len({w for front in access.wavefronts for w in front.words})
    best = passes <= access.ideal
    verdict = "broadcast" if best else f"{addresses} addresses, one after another"
    if context.predicting:
        draw_hidden(picture)
        return verdict
    lead, words = verdict, f"constant memory: {counted(passes, 'pass')}"
    if part != ALL:
        lead, words = f"pass {part + 1} of {passes}", "constant memory"
    draw_verdict(picture, lead, "good" if best else "conflict", (words, ""), parts=(passes, part, "pass"))
    return verdict


def _places(picture: Picture, names: list[str], area: Box, part: int) -> dict[int, Box]:
    """Return a box for each pass, in rows, as many as fit; the one shown is among them."""
    u = picture.unit
    width = max(picture.size_of(name, 0.85 * u) for name in names) + 0.8 * u
    across = max(1, int(area.w / width))
    fit = min(len(names), across * max(1, int((picture.height - area.y - 1.3 * u) / (2.9 * u))))
    first = max(0, min(part, len(names) - fit)) if part >= fit else 0
    return {
        first + k: Box(area.x + k % across * width, area.y + k // across * 2.9 * u, width - 0.4 * u, 2.5 * u)
        for k in range(fit)
    }


def _boxes(picture: Picture, access: SharedAccess, names: list[str], boxes: dict[int, Box], part: int) -> None:
    u = picture.unit
    for k, box in boxes.items():
        front, name = access.wavefronts[k], names[k]
        lanes = lanes_of(front.lanes)
        picture.rect(box, "raised", "accent" if k == part else "idle", 2 if k == part else 1, radius=3)
        picture.rect(Box(box.x, box.y, box.w, 0.35 * u), _token(access, k))
        picture.text(box.cx, box.y + 0.95 * u, name, 0.85 * u, "text", 0)
        served = f"lane {lanes[0]}" if len(lanes) == 1 else f"{len(lanes)} lanes"
        picture.text(box.cx, box.y + 1.9 * u, served, 0.8 * u, "dim", 0, room=box.w, least=0.6 * u)
        picture.hit(box, f"pass {k + 1}: {name} for lanes {ranges(front.lanes)}")
