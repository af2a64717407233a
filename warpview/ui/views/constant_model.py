"""A constant-memory access: the lanes above, the distinct addresses below, each a pass of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.isa.program import Program
from warpview.isa.types import Space
from warpview.sim.rules.access import SharedAccess
from warpview.ui.columns import Columns
from warpview.ui.picture import Box, Picture, Target, swoop
from warpview.ui.values import lanes_of, ranges

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext


def constant_access(context: FrameContext) -> SharedAccess | None:
    """This step's access to constant memory, if it made one."""
    access, at = context.frame.access, context.frame.addresses
    return access if isinstance(access, SharedAccess) and at is not None and at.space == Space.CONST else None


def constant_name(program: Program, offset: int) -> str:
    """The element of a __constant__ symbol at a byte offset."""
    held = [s for s in program.constant_symbols if s.offset <= offset]
    if not held:
        return f"c[{offset}]"
    symbol = max(held, key=lambda s: s.offset)
    if not symbol.dims or not symbol.element_bytes:
        return symbol.name
    return f"{symbol.name}[{(offset - symbol.offset) // symbol.element_bytes}]"


def draw_constant(context: FrameContext, picture: Picture, access: SharedAccess, part: int) -> str:
    """Fill the picture, with one pass alone where ``part`` is not negative; returns the note."""
    u = picture.unit
    passes = len(access.wavefronts)
    best = passes <= access.ideal
    addresses = len({w for front in access.wavefronts for w in front.words})
    verdict = "broadcast" if best else f"{addresses} addresses, one after another"
    part = part if 0 <= part < passes and not context.predicting else -1
    sentence = f"{passes} pass" + ("" if passes == 1 else "es") if part < 0 else f"pass {part + 1} of {passes}"
    sentence = f"constant memory: {sentence}"
    if context.predicting:
        picture.text(0.5 * u, 0.95 * u, "How many passes?", 1.2 * u, "accent", bold=True)
    else:
        picture.rect(Box(0.5 * u, 0.4 * u, 0.45 * u, 1.1 * u), "good" if best else "conflict", radius=2)
        said = picture.text(1.3 * u, 0.95 * u, verdict, 1.25 * u, bold=True, room=0.6 * picture.width, least=0.9 * u)
        picture.text(said.right + 0.8 * u, 0.95 * u, sentence, u, "dim", room=picture.width - said.right - u,
                     least=0.8 * u)  # fmt: skip
    columns = Columns.between(4.7 * u, picture.width - 0.6 * u)
    lanes = Box(0, 2.0 * u, picture.width, 1.5 * u)
    _lanes(picture, columns, access, lanes)
    area = Box(columns.left[0], lanes.bottom + 4.0 * u, columns.right - columns.left[0], 0)
    names = [constant_name(context.program, front.words[0][1] * 4) for front in access.wavefronts]
    boxes = _places(picture, names, area)
    if context.predicting:
        picture.cover(Box(area.x, lanes.bottom + 0.5 * u, area.w, picture.height - lanes.bottom - u))
    else:
        for k, (front, box) in enumerate(zip(access.wavefronts, boxes, strict=False)):
            if part not in (-1, k):
                continue
            for lane in lanes_of(front.lanes):
                points = swoop(columns.centre(lane), lanes.bottom + 1, box.cx, box.y - 1)
                picture.curve(points, f"lane{lane}", max(1.4, 0.11 * u), motion=True)
        _boxes(picture, access, names, boxes)
        if len(boxes) < passes:
            more = f"… and {passes - len(boxes)} more"
            picture.text(columns.right, picture.height - 0.7 * u, more, 0.85 * u, "dim", 1)
    picture.spoken = f"Lanes {ranges(access.lanes)} read {'constant memory' if context.predicting else sentence}."
    return "" if context.predicting else verdict


def _lanes(picture: Picture, columns: Columns, access: SharedAccess, box: Box) -> None:
    u = picture.unit
    picture.text(0.5 * u, box.cy, "lanes", 0.9 * u, "dim")
    cells = [Box(left, box.y, columns.width - 2, box.h) for left in columns.left]
    picture.rects([c for k, c in enumerate(cells) if not access.lanes >> k & 1], None, "faint")
    size = min(0.85 * u, 0.62 * columns.width)
    for lane in lanes_of(access.lanes):
        picture.rect(cells[lane], f"lane{lane}", radius=2)
        if size >= 0.55 * u:
            picture.text(cells[lane].cx, box.cy, str(lane), size, "on_lane", 0, True)
        picture.hot(cells[lane], f"lane {lane}", Target(lane=lane))


def _places(picture: Picture, names: list[str], area: Box) -> list[Box]:
    """A box for each pass in rows, as many as fit."""
    u = picture.unit
    width = max(picture.size_of(name, 0.85 * u) for name in names) + 0.8 * u
    across = max(1, int(area.w / width))
    fit = across * max(1, int((picture.height - area.y - 1.3 * u) / (2.9 * u)))
    return [
        Box(area.x + k % across * width, area.y + k // across * 2.9 * u, width - 0.4 * u, 2.5 * u)
        for k in range(min(fit, len(names)))
    ]


def _boxes(picture: Picture, access: SharedAccess, names: list[str], boxes: list[Box]) -> None:
    u = picture.unit
    for k, box in enumerate(boxes):
        front, name = access.wavefronts[k], names[k]
        lanes = lanes_of(front.lanes)
        picture.rect(box, "raised", "idle", radius=3)
        picture.rect(Box(box.x, box.y, box.w, 0.35 * u), f"lane{lanes[0]}")
        picture.text(box.cx, box.y + 0.95 * u, name, 0.85 * u, "text", 0)
        served = f"lane {lanes[0]}" if len(lanes) == 1 else f"{len(lanes)} lanes"
        picture.text(box.cx, box.y + 1.9 * u, served, 0.8 * u, "dim", 0, room=box.w, least=0.6 * u)
        picture.hot(box, f"pass {k + 1}: {name} for lanes {ranges(front.lanes)}")
