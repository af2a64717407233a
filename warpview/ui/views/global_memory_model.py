"""A global access as it meets memory: lanes above, the segments, lines or sectors that move below, used and wasted."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from warpview.isa.types import Space
from warpview.sim.rules.access import GlobalAccess
from warpview.ui.columns import Columns
from warpview.ui.picture import Box, Hot, Picture, Target, swoop
from warpview.ui.values import Buffers, lanes_of, ranges, where_lanes_go
from warpview.ui.views.array_model import beginnings, draw_array, draw_buffers
from warpview.ui.views.touch_model import Touches, draw_touches
from warpview.ui.views.transactions_model import (
    MemoryAccess,
    Piece,
    buffers_of,
    describe,
    memory_access,
    places,
    steps_in_words,
)

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext


def idle_key(context: FrameContext) -> tuple[object, ...] | None:
    """What the buffers' picture depends on while no step touches them; None where one does."""
    if isinstance(context.frame.access, GlobalAccess):
        return None
    return (id(context.run), beginnings(context, buffers_of(context)))


# --- placing ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Placed:
    """A piece in the picture: its box, and the row that it stands in."""

    piece: Piece
    box: Box
    row: int


def place(pieces: tuple[Piece, ...], left: float, right: float, top: float, pitch: float, height: float, unit: float,
          most_rows: int) -> list[Placed]:  # fmt: skip
    """Pieces in order of address, to scale, neighbours touching and gaps broken; in more than one row where needed."""
    if not pieces:
        return []
    gap = 0.55 * unit
    for rows in range(1, most_rows + 1):
        lines = _split(pieces, rows)
        scale = min(_scale(line, right - left, gap) for line in lines)
        narrowest = min(p.size for p in pieces) * scale
        if narrowest >= 1.5 * unit or rows == most_rows or len(lines) >= len(pieces):
            break
    scale = min(scale, 0.9 * unit / 4)
    placed = []
    for row, line in enumerate(lines):
        x = left
        for k, piece in enumerate(line):
            if k and line[k - 1].base + line[k - 1].size != piece.base:
                x += gap
            width = max(1.0, piece.size * scale)
            placed.append(Placed(piece, Box(x, top + row * pitch, width, height), row))
            x += width
    return placed


def _split(pieces: tuple[Piece, ...], rows: int) -> list[tuple[Piece, ...]]:
    """Into at most ``rows`` lines of about the same number of bytes."""
    each = -(-len(pieces) // rows)
    return [pieces[k : k + each] for k in range(0, len(pieces), each)]


def _scale(line: tuple[Piece, ...], room: float, gap: float) -> float:
    gaps = sum(a.base + a.size != b.base for a, b in itertools.pairwise(line))
    return max(0.01, (room - gaps * gap) / sum(p.size for p in line))


# --- drawing ----------------------------------------------------------------------------------------------------


def draw(context: FrameContext, picture: Picture, touches: Touches | None = None) -> str:
    """Fill the picture; with ``touches`` the buffers are coloured by who touched them. Returns the note."""
    found = memory_access(context)
    u = picture.unit
    if found is None:
        box = Box(0, 0.2 * u, picture.width, picture.height - 0.3 * u)
        picture.spoken = "This step does not touch global memory."
        if touches is not None and draw_touches(context, picture, box, buffers_of(context), touches):
            return ""
        if not draw_buffers(context, picture, box, buffers_of(context)):
            says = "this step does not touch global memory"
            picture.text(picture.width / 2, picture.height / 2, says, colour="dim", align=0, room=picture.width)
            picture.spoken = says
        return ""
    buffers = buffers_of(context)
    columns = Columns.between(4.7 * u, picture.width - 0.6 * u)
    _heading(picture, found, context.predicting)
    top = 2.0 * u
    _lanes_row(picture, columns, found, Box(0, top, picture.width, 1.5 * u), buffers, context)
    room = picture.height - top - 1.5 * u
    height = 2.2 * u
    pitch = height + 2.4 * u
    gap = min(4.5 * u, max(2.6 * u, 0.22 * room))
    first = top + 1.5 * u + gap
    most = max(1, int((picture.height - first) / pitch))
    placed = place(found.pieces, columns.left[0], columns.right, first, pitch, height, u, min(4, most))
    if not context.predicting:
        _curves(picture, columns, found, placed, top + 1.5 * u)
        _pieces(picture, found, placed, buffers, context)
    bottom = max(p.box.bottom for p in placed) + 2.2 * u if placed else first
    if context.predicting:
        says = where_lanes_go(found.access.lanes, lambda lane: buffers.name(places(found.at, lane)[0][0]))
        picture.text(0.5 * u, top + 2.5 * u, says, u, "text", room=picture.width - u, least=0.66 * u)
        area = Box(0.4 * u, first - 0.9 * u, picture.width - 0.8 * u, bottom - first + 1.2 * u)
        picture.cover(area)
    else:
        _rest(context, picture, found, buffers, bottom, touches)
    what = {"load": "read", "store": "write"}.get(found.access.kind, "update")
    picture.spoken = f"Lanes {ranges(found.access.lanes)} {what} global memory: {found.sentences[0]}."
    return "" if context.predicting else found.verdict


def _heading(picture: Picture, found: MemoryAccess, hidden: bool) -> None:
    u = picture.unit
    y = 0.95 * u
    if hidden:
        picture.text(0.5 * u, y, "How many transactions, and how much is wasted?", 1.2 * u, "accent", bold=True,
                     room=picture.width - u, least=0.9 * u)  # fmt: skip
        return
    good = found.percent >= 99 and len(found.access.transactions) <= max(1, found.access.ideal_transactions)
    token = "atomic" if found.access.collisions else "good" if good else "conflict"
    picture.rect(Box(0.5 * u, y - 0.55 * u, 0.45 * u, 1.1 * u), token, radius=2)
    said = picture.text(1.3 * u, y, found.verdict, 1.25 * u, "text", bold=True)
    room = picture.width - said.right - 1.3 * u
    fitting = next((t for t in found.sentences if picture.size_of(t) <= room), found.sentences[-1])
    picture.text(said.right + 0.8 * u, y, fitting, u, "dim", room=room, least=0.8 * u)


def _lanes_row(
    picture: Picture, columns: Columns, found: MemoryAccess, box: Box, buffers: Buffers, context: FrameContext
) -> None:
    u = picture.unit
    picture.text(0.5 * u, box.cy, "lanes", 0.9 * u, "dim")
    gap = 2.0 if columns.width > 10 else 1.0
    size = min(0.85 * u, 0.62 * columns.width)
    idle = []
    for lane in range(32):
        cell = Box(columns.left[lane], box.y, columns.width - gap, box.h)
        if not found.access.lanes >> lane & 1:
            idle.append(cell)
            continue
        picture.rect(cell, f"lane{lane}", radius=2)
        if size >= 0.55 * u:
            picture.text(cell.cx, cell.cy, str(lane), size, "on_lane", 0, True)
        if lane == context.selection.lane:
            picture.rect(Box(cell.x - 2, cell.y - 2, cell.w + 4, cell.h + 4), None, "accent", 2, radius=3)
    picture.rects(idle, None, "faint")
    picture.region(box, partial(_lane_at, columns, found, buffers, box, context))


def _lane_at(
    columns: Columns, found: MemoryAccess, buffers: Buffers, box: Box, context: FrameContext, x: float, y: float
) -> Hot | None:
    lane = columns.at(x)
    if lane is None:
        return None
    says = f"lane {lane}: no part in this access"
    if found.access.lanes >> lane & 1:
        address = places(found.at, lane)[0][0]
        says = f"lane {lane}: {buffers.name(address)}, address 0x{address:x}, {found.access.width} bytes"
    event = context.frame.event
    target = Target(lane=lane, block=event.block, warp=event.warp) if event else Target(lane=lane)
    return Hot(Box(columns.left[lane], box.y, columns.width, box.h), says, target)


def _curves(picture: Picture, columns: Columns, found: MemoryAccess, placed: list[Placed], top: float) -> None:
    width = max(1.4, 0.11 * picture.unit)
    for p in placed:
        scale = p.box.w / p.piece.size
        for lane in lanes_of(p.piece.lanes):
            start, count = next(((a - p.piece.base, n) for a, n in places(found.at, lane) if a >= p.piece.base), (0, 0))
            x = p.box.x + max(0.0, min(p.piece.size, start + count / 2)) * scale
            points = swoop(columns.centre(lane) - 1, top + 1, x, p.box.y - (6 if found.unit == "sector" else 1))
            picture.curve(points, f"lane{lane}", width, motion=True)


def _pieces(
    picture: Picture, found: MemoryAccess, placed: list[Placed], buffers: Buffers, context: FrameContext
) -> None:
    u = picture.unit
    wasted = [p.box for p in placed]
    picture.rects(wasted, "raised", hatch="wasted")
    for p in placed:
        scale = p.box.w / p.piece.size
        for first, count, lane in p.piece.used:
            gap = 1.0 if count * scale > 4 else 0.0
            box = Box(p.box.x + first * scale, p.box.y, max(1.0, count * scale - gap), p.box.h)
            picture.rect(box, f"lane{lane}")
            if lane == context.selection.lane:
                picture.rect(box.inset(-2), None, "accent", 2, radius=2)
        picture.region(p.box, partial(_piece_at, found, p, buffers, context))
    picture.rects([p.box for p in placed], None, "text", 1.4)
    if found.unit == "sector":
        for line, span in line_spans(placed):
            bar = Box(span.x + 1, span.y - 5, span.w - 2, 3)
            picture.rect(bar, "dim")
            picture.hot(bar.inset(0, -2), f"the 128-byte line at {buffers.name(line)}")
    if placed:
        picture.text(0.5 * u, placed[0].box.cy, "memory", 0.9 * u, "dim")
    _labels(picture, placed, buffers, u)


def line_spans(placed: list[Placed]) -> list[tuple[int, Box]]:
    """Neighbouring sectors of one 128-byte line: (its address, the box that they span)."""
    spans: list[tuple[int, Box, int]] = []
    for p in placed:
        line = p.piece.base // 128 * 128
        if spans and spans[-1][0] == line and spans[-1][2] == p.row:
            before = spans[-1][1]
            spans[-1] = (line, Box(before.x, before.y, p.box.right - before.x, before.h), p.row)
        else:
            spans.append((line, p.box, p.row))
    return [(line, box) for line, box, _ in spans]


def _labels(picture: Picture, placed: list[Placed], buffers: Buffers, u: float) -> None:
    """Under each piece its size and how often it moves; below that where it begins, as far as there is room."""
    ends: dict[tuple[int, int], float] = {}

    def put(p: Placed, text: str, line: int, x: float, size: float, colour: str, bold: bool = False) -> None:
        width = picture.size_of(text, size, bold=bold)
        x = max(2.0, min(x, picture.width - width - 2))
        if x >= ends.get((p.row, line), -1.0) + 0.7 * u:
            middle = p.box.bottom + (0.62 + 1.0 * line) * u
            picture.rect(Box(x - 2, middle - 0.5 * u, width + 4, u), "panel", alpha=0.85)
            ends[p.row, line] = picture.text(x, middle, text, size, colour, -1, bold).right

    for p in placed:
        times = len(p.piece.orders)
        text = f"{p.piece.size} B" if times == 1 else f"{times} × {p.piece.size} B"
        width = picture.size_of(text, 0.85 * u, bold=times > 1)
        put(p, text, 0, p.box.cx - width / 2, 0.85 * u, "conflict_text" if times > 1 else "text", times > 1)
        put(p, buffers.name(p.piece.base), 1, p.box.x, 0.8 * u, "dim")


def _piece_at(found: MemoryAccess, p: Placed, buffers: Buffers, context: FrameContext, x: float, y: float) -> Hot:
    scale = p.box.w / p.piece.size
    byte = min(p.piece.size - 1, int((x - p.box.x) / scale))
    lane = next((who for first, count, who in p.piece.used if first <= byte < first + count), None)
    start = p.piece.base + byte // 4 * 4
    says = f"{buffers.name(start)}, address 0x{start:x}: " + (f"used by lane {lane}" if lane is not None else "wasted")
    for order in p.piece.orders[:4]:
        says += f"\n{describe(found, order, buffers)}"
    return Hot(Box(p.box.x, p.box.y, p.box.w, p.box.h), says, Target(lane=lane) if lane is not None else None)


def _rest(
    context: FrameContext,
    picture: Picture,
    found: MemoryAccess,
    buffers: Buffers,
    top: float,
    touches: Touches | None,
) -> None:
    """Where there is room: the steps of the protocol, then the array."""
    u = picture.unit
    room = picture.height - top
    if touches is not None:
        draw_touches(context, picture, Box(0, top, picture.width, room), buffers, touches)
        return
    lines = steps_in_words(found, buffers) if any(t.note for t in found.access.transactions) else []
    if any(lines) and room > 2.2 * u:
        fit = max(1, int((room if room < 9 * u else 0.35 * room) / (1.25 * u)))
        wrapped = [part for text in lines for part in picture.wrap(text, picture.width - u, 0.88 * u)]
        if len(wrapped) <= fit:
            lines = wrapped
        shown = lines if len(lines) <= fit else [*lines[: fit - 1], f"… and {len(lines) - fit + 1} more"]
        for text in shown:
            picture.text(0.5 * u, top + 0.6 * u, text, 0.88 * u, "text", room=picture.width - u, least=0.75 * u)
            top += 1.25 * u
        top += 0.4 * u
    if found.at.space == Space.GLOBAL or found.at.space == Space.GENERIC:
        draw_array(context, picture, Box(0, top, picture.width, picture.height - top), buffers, found.at)
