"""Model one step of the protocol that joins the lanes' addresses to transactions: its input and its output."""

from __future__ import annotations

from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.drawing.values import Buffers, lanes_of
from warpview.ui.views.lanes.access_lanes_model import draw_way
from warpview.ui.views.memory.parts_model import Part
from warpview.ui.views.memory.pieces_model import Placed
from warpview.ui.views.memory.transactions_model import MemoryAccess, Piece, describe, places


def ground(found: MemoryAccess, steps: tuple[Part, ...]) -> tuple[Piece, ...]:
    """Return the stretches of memory that the steps are shown in: those of the largest size looked at, so that the
    smaller ones can be seen shrinking within them; nothing moves from step to step."""
    size = max(step.size for step in steps)
    if all(step.base % size % step.size == 0 for step in steps) and any(step.size < size for step in steps):
        bases = sorted({step.base // size * size for step in steps})
        return tuple(Piece(base, size, (), 0, ()) for base in bases)
    return found.pieces


def served_before(steps: tuple[Part, ...], at: int) -> int:
    """Return the lanes whose transactions went out in earlier steps."""
    mask = 0
    for step in steps[:at]:
        mask |= step.lanes if step.issued else 0
    return mask


def draw_step(
    picture: Picture, found: MemoryAccess, steps: tuple[Part, ...], at: int, columns: LaneColumns,
    placed: list[Placed], top: float, buffers: Buffers,
) -> None:  # fmt: skip
    """Draw the transactions sent so far, hatched where bytes are wasted, and outline the range of this step."""
    u, step = picture.unit, steps[at]
    picture.rects([p.box for p in placed], "raised", "faint")
    for lane in lanes_of(step.lanes):
        address, count = places(found.at, lane)[0]
        for box, _ in _within(placed, address, count)[:1]:
            draw_way(picture, columns, lane, top, box.cx, box.y - 4, max(1.4, 0.11 * u), "active", 0.8)
    for order in (order for earlier in steps[: at + 1] for order in earlier.issued):
        _issued(picture, found, order, placed, buffers)
    sent = [found.access.transactions[order] for order in step.issued]
    for base, size in [(t.base, t.size) for t in sent] or [(step.base, step.size)]:
        for box, _ in _within(placed, base, size):
            picture.rect(box.inset(-3), None, "accent", 2.2, dash=not sent, radius=2)
    _names(picture, placed, buffers)


def _issued(picture: Picture, found: MemoryAccess, order: int, placed: list[Placed], buffers: Buffers) -> None:
    """Draw a transaction that has gone out: the bytes used in the hues of their lanes, the others hatched."""
    t = found.access.transactions[order]
    for box, _ in _within(placed, t.base, t.size):
        picture.rect(box, "raised", "text", 1.4, hatch="wasted")
        picture.hit(box, describe(found, order, buffers))
    for lane in lanes_of(t.lanes):
        for address, count in places(found.at, lane):
            first, last = max(address, t.base), min(address + count, t.base + t.size)
            for box, _ in _within(placed, first, last - first):
                picture.rect(Box(box.x, box.y, max(1.0, box.w - 1), box.h), "active")


def _names(picture: Picture, placed: list[Placed], buffers: Buffers) -> None:
    """Draw the names of the pieces at their beginnings, as far as there is room."""
    u, size = picture.unit, 0.8 * picture.unit
    ends: dict[int, float] = {}
    for p in placed:
        name = buffers.name(p.piece.base)
        x = min(p.box.x, picture.width - picture.size_of(name, size) - 2)
        if x >= ends.get(p.row, 0.0):
            y = p.box.bottom + 0.62 * u
            picture.rect(Box(x - 2, y - 0.5 * u, picture.size_of(name, size) + 4, u), "panel", alpha=0.85)
            ends[p.row] = picture.text(x, y, name, size, "dim").right + 0.7 * u


def _within(placed: list[Placed], base: int, size: int) -> list[tuple[Box, Placed]]:
    """Return the boxes of a range of memory in the picture, piece by piece."""
    found = []
    for p in placed:
        first, last = max(base, p.piece.base), min(base + size, p.piece.base + p.piece.size)
        if last > first:
            scale = p.box.w / p.piece.size
            box = Box(p.box.x + (first - p.piece.base) * scale, p.box.y, max(1.0, (last - first) * scale), p.box.h)
            found.append((box, p))
    return found
