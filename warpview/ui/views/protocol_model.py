"""One step of the protocol that joins the lanes' addresses to transactions: what is looked at, and what goes out."""

from __future__ import annotations

from warpview.ui.columns import Columns
from warpview.ui.picture import Box, Hot, Picture, swoop
from warpview.ui.values import Buffers, lanes_of
from warpview.ui.views.parts_model import Part
from warpview.ui.views.pieces_model import Placed
from warpview.ui.views.transactions_model import MemoryAccess, Piece, describe, places


def ground(found: MemoryAccess, steps: tuple[Part, ...]) -> tuple[Piece, ...]:
    """The stretches of memory that the steps are shown in: those of the largest size looked at, so that the smaller
    ones can be seen shrinking within them; nothing moves from step to step."""
    size = max(step.size for step in steps)
    if all(step.base % size % step.size == 0 for step in steps) and any(step.size < size for step in steps):
        bases = sorted({step.base // size * size for step in steps})
        return tuple(Piece(base, size, (), 0, ()) for base in bases)
    return found.pieces


def served_before(steps: tuple[Part, ...], at: int) -> int:
    """The lanes whose transactions went out in earlier steps."""
    mask = 0
    for step in steps[:at]:
        mask |= step.lanes if step.issued else 0
    return mask


def draw_step(
    picture: Picture, found: MemoryAccess, steps: tuple[Part, ...], at: int, columns: Columns,
    placed: list[Placed], top: float, buffers: Buffers,
) -> None:  # fmt: skip
    """What has gone out so far, hatched where it is wasted; the range looked at in this step, outlined."""
    u, step = picture.unit, steps[at]
    picture.rects([p.box for p in placed], "raised", "faint")
    for order in (order for earlier in steps[: at + 1] for order in earlier.issued):
        t = found.access.transactions[order]
        for box, _ in _within(placed, t.base, t.size):
            picture.rect(box, "raised", "text", 1.4, hatch="wasted")
            picture.region(box, lambda x, y, order=order, box=box: Hot(box, describe(found, order, buffers)))  # type: ignore[misc]
        for lane in lanes_of(t.lanes):
            for address, count in places(found.at, lane):
                first, last = max(address, t.base), min(address + count, t.base + t.size)
                for box, _ in _within(placed, first, last - first):
                    picture.rect(Box(box.x, box.y, max(1.0, box.w - 1), box.h), f"lane{lane}")
    for box, _ in _within(placed, step.base, step.size):
        picture.rect(box.inset(-3), None, "accent", 2.2, dash=not step.issued, radius=2)
    for lane in lanes_of(step.lanes):
        address, count = places(found.at, lane)[0]
        for box, _ in _within(placed, address, count)[:1]:
            points = swoop(columns.centre(lane) - 1, top + 1, box.cx, box.y - 4)
            picture.curve(points, f"lane{lane}", max(1.4, 0.11 * u), motion=True)
    ends: dict[int, float] = {}
    for p in placed:
        if p.box.x >= ends.get(p.row, 0.0):
            said = picture.text(p.box.x, p.box.bottom + 0.62 * u, buffers.name(p.piece.base), 0.8 * u, "dim")
            ends[p.row] = said.right + 0.7 * u


def _within(placed: list[Placed], base: int, size: int) -> list[tuple[Box, Placed]]:
    """Where a range of memory lies in the picture, piece by piece."""
    found = []
    for p in placed:
        first, last = max(base, p.piece.base), min(base + size, p.piece.base + p.piece.size)
        if last > first:
            scale = p.box.w / p.piece.size
            box = Box(p.box.x + (first - p.piece.base) * scale, p.box.y, max(1.0, (last - first) * scale), p.box.h)
            found.append((box, p))
    return found
