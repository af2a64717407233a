"""Draw the pieces that an access moves, to scale: segments, lines or sectors, with the bytes used and wasted."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import partial

from warpview.isa.types import Space
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target
from warpview.ui.drawing.values import Buffers, lanes_of
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.access_lanes_model import draw_way
from warpview.ui.views.memory.transactions_model import MemoryAccess, Piece, describe, places

WIDTH = 128  # bytes that fill the width: those of a coalesced access lie below their lanes
LEAST_PIECE = 0.75  # units: the width of a piece below which pieces are put in more rows, which curves then cross


@dataclass(frozen=True)
class Placed:
    """Place a piece in the picture: its box, and the row that it stands in."""

    piece: Piece
    box: Box
    row: int


def place(pieces: tuple[Piece, ...], left: float, right: float, top: float, pitch: float, height: float, unit: float,
          most_rows: int) -> list[Placed]:  # fmt: skip
    """Place pieces in order of address, to scale, neighbours touching, gaps broken; in several rows where needed."""
    if not pieces:
        return []
    for rows in range(1, most_rows + 1):
        lines = _split(pieces, rows)
        gap = min(0.55 * unit, 0.25 * (right - left) / len(lines[0]))
        scale = min(_scale(line, right - left, gap) for line in lines)
        narrowest = min(p.size for p in pieces) * scale
        if narrowest >= LEAST_PIECE * unit or rows == most_rows or len(lines) >= len(pieces):
            break
    scale = min(scale, (right - left) / WIDTH)
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
    """Split pieces into at most ``rows`` lines of about the same number of bytes."""
    each = -(-len(pieces) // rows)
    return [pieces[k : k + each] for k in range(0, len(pieces), each)]


def _scale(line: tuple[Piece, ...], room: float, gap: float) -> float:
    gaps = sum(a.base + a.size != b.base for a, b in itertools.pairwise(line))
    return max(0.01, (room - gaps * gap) / sum(p.size for p in line))


def draw_curves(
    picture: Picture, columns: LaneColumns, found: MemoryAccess, placed: list[Placed], top: float, selected: int | None
) -> None:
    """Draw the way of each lane to its bytes; that of the selected lane in the accent colour, above the others."""
    width = max(1.4, 0.11 * picture.unit)
    ways = [(lane, p) for p in placed for lane in lanes_of(p.piece.lanes)]
    for lane, p in sorted(ways, key=lambda way: way[0] == selected):
        scale = p.box.w / p.piece.size
        start, count = next(((a - p.piece.base, n) for a, n in places(found.at, lane) if a >= p.piece.base), (0, 0))
        x = p.box.x + max(0.0, min(p.piece.size, start + count / 2)) * scale
        y = p.box.y - (6 if found.unit == "sector" else 1)
        if lane == selected:
            draw_way(picture, columns, lane, top, x, y, 2.2 * width, "accent")
        else:
            draw_way(picture, columns, lane, top, x, y, width, "active", 0.6)


def draw_pieces(
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
            picture.rect(box, "active")
            if lane == context.selection.lane:
                picture.rect(box.inset(-2), None, "accent", 2, radius=2)
        picture.region(p.box, partial(_piece_at, found, p, buffers, context))
    picture.rects([p.box for p in placed], None, "text", 1.4)
    _mark_selected(picture, placed, context)
    if found.unit == "sector":
        for line, span in line_spans(placed):
            bar = Box(span.x + 1, span.y - 5, span.w - 2, 3)
            picture.rect(bar, "dim")
            picture.hit(bar.inset(0, -2), f"the 128-byte line at {buffers.name(line)}")
    if placed:
        picture.text(0.5 * u, placed[0].box.cy, "memory", 0.9 * u, "dim")
    _write_labels(picture, placed, buffers, u)


def _mark_selected(picture: Picture, placed: list[Placed], context: FrameContext) -> None:
    """Outline the selected element where it moves."""
    element = context.selection.element
    if element is None or element.space is not Space.GLOBAL:
        return
    for p in placed:
        if 0 <= element.address - p.piece.base < p.piece.size:
            scale = p.box.w / p.piece.size
            left = p.box.x + (element.address - p.piece.base) * scale
            picture.rect(Box(left - 2, p.box.y - 2, element.size * scale + 3, p.box.h + 4), None, "accent", 2.2)


def line_spans(placed: list[Placed]) -> list[tuple[int, Box]]:
    """Return neighbouring sectors of one 128-byte line: (its address, the box that they span)."""
    spans: list[tuple[int, Box, int]] = []
    for p in placed:
        line = p.piece.base // 128 * 128
        if spans and spans[-1][0] == line and spans[-1][2] == p.row:
            before = spans[-1][1]
            spans[-1] = (line, Box(before.x, before.y, p.box.right - before.x, before.h), p.row)
        else:
            spans.append((line, p.box, p.row))
    return [(line, box) for line, box, _ in spans]


def _write_labels(picture: Picture, placed: list[Placed], buffers: Buffers, u: float) -> None:
    """Write under each piece its size and how often it moves; below that where it begins, as far as there is room.
    Where pieces are alike and too narrow for their size it is written once, at the left."""
    ends: dict[tuple[int, int], float] = {}
    kinds = {(p.piece.size, len(p.piece.orders)) for p in placed}
    size, times = next(iter(kinds), (0, 0))
    alike = len(placed) > 1 and len(kinds) == 1 and times == 1
    if once := alike and picture.size_of(f"{size} B", 0.85 * u) > placed[0].box.w:
        y = placed[0].box.bottom + 0.62 * u
        if y + 0.5 * u <= picture.height:
            picture.text(0.5 * u, y, f"{size} B each", 0.8 * u, "dim")

    def put(p: Placed, text: str, line: int, x: float, size: float, colour: str, bold: bool = False) -> None:
        width = picture.size_of(text, size, bold=bold)
        x = max(2.0, min(x, picture.width - width - 0.6 * u))
        middle = p.box.bottom + (0.62 + 1.0 * line) * u
        if x >= ends.get((p.row, line), -1.0) + 0.7 * u and middle + 0.5 * size <= picture.height:
            picture.rect(Box(x - 2, middle - 0.5 * u, width + 4, u), "panel", alpha=0.85)
            ends[p.row, line] = picture.text(x, middle, text, size, colour, -1, bold).right

    for p in placed:  # what would begin within the label before it need not be measured
        if not once and p.box.cx > ends.get((p.row, 0), 0.0):
            times = len(p.piece.orders)
            text = f"{p.piece.size} B" if times == 1 else f"{times} × {p.piece.size} B"
            width = picture.size_of(text, 0.85 * u, bold=times > 1)
            put(p, text, 0, p.box.cx - width / 2, 0.85 * u, "conflict_text" if times > 1 else "text", times > 1)
        line = 0 if once else 1
        if p.box.x > ends.get((p.row, line), 0.0):
            put(p, buffers.name(p.piece.base), line, p.box.x, 0.8 * u, "dim")


def _piece_at(found: MemoryAccess, p: Placed, buffers: Buffers, context: FrameContext, x: float, y: float) -> HitRegion:
    scale = p.box.w / p.piece.size
    byte = min(p.piece.size - 1, int((x - p.box.x) / scale))
    lane = next((who for first, count, who in p.piece.used if first <= byte < first + count), None)
    start = p.piece.base + byte // 4 * 4
    says = f"{buffers.name(start)}, address 0x{start:x}: " + (f"used by lane {lane}" if lane is not None else "wasted")
    for order in p.piece.orders[:4]:
        says += f"\n{describe(found, order, buffers)}"
    return HitRegion(Box(p.box.x, p.box.y, p.box.w, p.box.h), says, Target(lane=lane) if lane is not None else None)
