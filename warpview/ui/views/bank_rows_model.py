"""The banks as columns and the words that an access touches as rows, as many as can be told apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from warpview.isa.types import Space
from warpview.ui.drawing.columns import Columns, cells
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target
from warpview.ui.drawing.values import lanes_of, ranges, shared_arrays
from warpview.ui.views.banks_model import BankAccess, Cell, word_name
from warpview.ui.views.parts_model import ALL

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext

HEADS = 1.4  # height of the bank numbers, in units
LEAST = 0.6  # size of a row's name, in units
ROW, THIN, MORE = 1.3, 0.3, 1.0  # of a row, of the thinnest one, and of the line that says how many there are besides


def draw_banks(
    picture: Picture, columns: Columns, banks: BankAccess, front: int, box: Box, context: FrameContext
) -> float:
    """Bank numbers and the touched rows, all of them or those that matter most; returns the lower end."""
    u = picture.unit
    _bank_heads(picture, columns, banks, box.y)
    top = box.y + HEADS * u
    shown, height = rows_that_fit(banks, front, context.selection.lane, box.bottom - top, u)
    _grid(picture, columns, banks, shown, top, height, context)
    selected = _selected_word(context)
    for cell in _told_apart(banks.cells, front):
        if cell.row in shown:
            place = Box(columns.left[cell.bank], top + shown.index(cell.row) * height, columns.width - 2, height - 1.5)
            _cell(picture, place, cell, front, banks, context)
            if cell.word == selected:
                picture.rect(place.inset(-1.5), None, "accent", 2.2, radius=2)
    bottom = top + height * len(shown)
    area = Box(columns.left[0], box.y, columns.right - columns.left[0], bottom - box.y)
    picture.region(area, partial(_cell_at, columns, banks, shown, top, height, context))
    hidden = len(banks.rows) - len(shown)
    if hidden:
        more = f"and {hidden} more row" + ("s" if hidden > 1 else "")
        picture.text(columns.left[0], bottom + 0.5 * MORE * u, more, 0.85 * u, "dim", room=area.w, least=0.7 * u)
        bottom += MORE * u
    return bottom


def _told_apart(cells: Sequence[Cell], front: int) -> Sequence[Cell]:
    """The cells as they are drawn: with all wavefronts shown at once, a word that several of them serve is one cell."""
    if front != ALL:
        return cells
    merged: dict[tuple[int, int], Cell] = {}
    for cell in cells:
        held = merged.get((cell.row, cell.bank))
        merged[cell.row, cell.bank] = cell if held is None else replace(held, lanes=held.lanes | cell.lanes)
    return tuple(merged.values())


def _selected_word(context: FrameContext) -> int | None:
    """The word of the selected element, if it is one of the block that made the access."""
    element, event = context.selection.element, context.frame.event
    if element is None or event is None or (element.space, element.block) != (Space.SHARED, event.block):
        return None
    return element.address // 4


def rows_that_fit(
    banks: BankAccess, front: int, lane: int | None, room: float, u: float
) -> tuple[tuple[int, ...], float]:
    """The rows to show and their height: all, thin if need be, or else those that matter, so high that lanes can be
    written in them: rows of the selected lane, of the wavefront shown, of the busiest bank."""
    height = min(ROW * u, room / len(banks.rows))
    if height >= THIN * u:
        return banks.rows, height
    count = max(1, int((room - MORE * u) / (0.8 * u)))
    busiest = max(range(len(banks.passes)), key=lambda bank: banks.passes[bank])

    def importance(row: int) -> tuple[bool, bool, bool]:
        cells = [c for c in banks.cells if c.row == row]
        return (
            any(lane is not None and c.lanes >> lane & 1 for c in cells),
            any(c.front == front for c in cells),
            any(c.bank == busiest for c in cells),
        )

    chosen = sorted(banks.rows, key=importance, reverse=True)[:count]
    return tuple(sorted(chosen)), min(ROW * u, max(0.8 * u, (room - MORE * u) / count))


def _bank_heads(picture: Picture, columns: Columns, banks: BankAccess, y: float) -> None:
    u = picture.unit
    size = min(0.85 * u, 0.62 * columns.width)
    widest = picture.size_of("00", 0.72 * u, bold=True) + 4
    every = next(k for k in (1, 2, 4, 8) if k * columns.width >= widest or k == 8)
    size = max(size, 0.72 * u)
    picture.text(0.5 * u, y + 0.6 * u, "banks", 0.9 * u, "dim")
    clash = [k for k, n in enumerate(banks.passes) if n > 1 and banks.access.conflicts]
    picture.rects([Box(columns.left[k], y, columns.width - 2, 1.2 * u) for k in clash], "conflict", radius=2)
    for bank in range(banks.access.banks):
        if bank % every == 0:
            hit = bank in clash
            colour = "on_conflict" if hit else "text" if banks.passes[bank] else "dim"
            picture.text(columns.centre(bank) - 1, y + 0.6 * u, str(bank), size, colour, 0, hit)


def _grid(
    picture: Picture, columns: Columns, banks: BankAccess, shown: tuple[int, ...], top: float, height: float,
    context: FrameContext,
) -> None:  # fmt: skip
    u = picture.unit
    boxes = [box for k in range(len(shown)) for box in cells(columns, top + k * height, height - 1.5, 2.0)]
    picture.rects(boxes, "raised", "faint" if height > 0.6 * u else None)
    size = min(0.82 * u, 0.95 * height)
    row_words = banks.access.banks * max(4, banks.access.bank_width) // 4
    every = max(1, -(-int(0.8 * u) // max(1, int(height))))
    arrays = shared_arrays(context.program)
    for k, row in enumerate(shown):
        if k % every == 0:
            name = word_name(context.program, row * row_words, arrays)
            room = columns.left[0] - 0.7 * u
            if picture.size_of(name, LEAST * u) > room:
                name = name[name.find("[") :]  # the array's name is in the source: better no name than half an index
            picture.text(columns.left[0] - 0.4 * u, top + (k + 0.45) * height, name, max(size, 0.72 * u), "dim", 1,
                         room=room, least=LEAST * u)  # fmt: skip


def _cell(picture: Picture, place: Box, cell: Cell, front: int, banks: BankAccess, context: FrameContext) -> None:
    u = picture.unit
    lanes = lanes_of(cell.lanes)
    if not lanes:
        return
    clash = banks.access.conflicts and banks.passes[cell.bank] > 1
    if front not in (ALL, cell.front):
        picture.rect(place, None, "conflict" if clash else "idle", 1.3)
        return
    low = place.h < 0.7 * u  # no room for an edge or a label: the bank's head tells of the conflict
    picture.rect(place, f"lane{lanes[0]}", "conflict" if clash and not low else None, 2.0)
    if low:
        return
    label = f"×{len(lanes)}" if len(lanes) > 1 else str(lanes[0])
    size = min(0.8 * u, 0.8 * place.h, 0.95 * place.w / max(1.0, 0.66 * len(label)))
    if size >= 0.55 * u:
        picture.text(place.cx, place.cy, label, size, "on_lane", 0, True)


def _cell_at(
    columns: Columns, banks: BankAccess, shown: tuple[int, ...], top: float, height: float, context: FrameContext,
    x: float, y: float,
) -> HitRegion | None:  # fmt: skip
    bank = columns.at(x)
    if bank is None:
        return None
    at = int((y - top) // height) if height else -1
    if y < top or not 0 <= at < len(shown):
        passes = banks.passes[bank]
        says = f"bank {bank}: " + (
            f"{passes} words, one after another" if passes > 1 else "1 word" if passes else "idle"
        )
        return HitRegion(Box(columns.left[bank], top - height, columns.width, height), says)
    row = shown[at]
    box = Box(columns.left[bank], top + at * height, columns.width, height)
    here = [c for c in banks.cells if c.bank == bank and c.row == row]
    row_words = banks.access.banks * max(4, banks.access.bank_width) // 4
    if not here:
        return HitRegion(box, f"bank {bank}, {word_name(context.program, row * row_words + bank)}: not touched")
    says = "; ".join(
        f"{word_name(context.program, c.word)}, lane{'s' if c.lanes.bit_count() > 1 else ''} {ranges(c.lanes)}, "
        f"wavefront {c.front + 1} of {len(banks.access.wavefronts)}"
        for c in here
    )
    lanes = lanes_of(here[0].lanes)
    return HitRegion(box, f"bank {bank}: {says}", Target(lane=lanes[0]) if lanes else None)
