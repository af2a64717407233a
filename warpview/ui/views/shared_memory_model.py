"""A shared-memory access as it meets the banks: lanes above, banks as columns, words as rows, pass by pass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from warpview.isa.program import Program, Variable
from warpview.isa.types import Space
from warpview.sim.rules.access import SharedAccess
from warpview.ui.columns import Columns
from warpview.ui.picture import Box, Hot, Picture, Target, swoop
from warpview.ui.values import lanes_of, ranges, shared_arrays, where_lanes_go
from warpview.ui.views.constant_model import constant_access, draw_constant
from warpview.ui.views.tile_model import array_of, draw_tile

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext

ALL = -1  # every wavefront at once


@dataclass(frozen=True)
class Cell:
    """A word of a bank that the access touches, the lanes on it and the wavefront that serves them."""

    bank: int
    row: int
    word: int
    lanes: int
    front: int


@dataclass(frozen=True)
class BankAccess:
    """What a step did to the banks. ``passes`` counts for each bank the words it must deliver one after another."""

    access: SharedAccess
    cells: tuple[Cell, ...]
    rows: tuple[int, ...]
    passes: tuple[int, ...]
    front_of: tuple[int, ...]  # the last wavefront that serves each lane; -1 for lanes without a part

    @property
    def verdict(self) -> str:
        if self.access.collisions:
            return f"{self.access.collisions + 1} lanes on one address"
        if self.access.conflicts:
            return f"{self.access.degree}-way conflict"
        if any(w.broadcast for w in self.access.wavefronts):
            return "broadcast"
        return "no conflict"

    @property
    def sentence(self) -> str:
        """How many wavefronts, and how few would do."""
        n, ideal = len(self.access.wavefronts), self.access.ideal
        waves = f"{n} wavefront" + ("" if n == 1 else "s")
        return waves if n <= ideal else f"{waves} where {ideal} would do"


def bank_access(context: FrameContext) -> BankAccess | None:
    """The banks' side of this step's access; None where it did not touch shared memory."""
    frame = context.frame
    access, addresses = frame.access, frame.addresses
    if (
        not isinstance(access, SharedAccess)
        or addresses is None
        or addresses.space not in (Space.SHARED, Space.GENERIC)
    ):
        return None
    words_of = {
        lane: range(int(addresses.address[lane]) // 4, (int(addresses.address[lane]) + access.width - 1) // 4 + 1)
        for lane in lanes_of(access.lanes)
    }
    row_words = access.banks * max(4, access.bank_width) // 4
    cells: list[Cell] = []
    front_of = [-1] * 32
    for k, front in enumerate(access.wavefronts):
        served = lanes_of(front.lanes)
        for lane in served:
            front_of[lane] = k
        for bank, word in front.words:
            lanes = sum(1 << lane for lane in served if word in words_of.get(lane, ()))
            cells.append(Cell(bank, word // row_words, word, lanes, k))
    return BankAccess(
        access,
        tuple(cells),
        tuple(sorted({c.row for c in cells})),
        _passes(access, cells, context.device),
        tuple(front_of),
    )


def _passes(access: SharedAccess, cells: list[Cell], device: Any) -> tuple[int, ...]:
    """For each bank the largest number of its words that one part of the warp asks for."""
    group = getattr(device, "shared_group", 32)
    together = max(1, min(group, access.banks * 4 // max(4, access.width)))
    found: dict[tuple[int, int], set[int]] = {}
    for cell in cells:
        for lane in lanes_of(cell.lanes):
            found.setdefault((cell.bank, lane // together), set()).add(cell.word * max(1, access.bank_width // 4))
    return tuple(max((len(w) for (b, _), w in found.items() if b == bank), default=0) for bank in range(access.banks))


def word_name(program: Program, word: int, kind: tuple[Variable, ...] | None = None) -> str:
    """The element at a word of shared memory, or the bare word where no array lies there."""
    variable = array_of(kind if kind is not None else shared_arrays(program), 4 * word)
    if variable is None or not variable.element_bytes:
        return f"word {word}"
    index = (4 * word - variable.offset) // variable.element_bytes
    inner = variable.dims[1:]
    parts: list[int] = []
    for size in reversed(inner):
        parts.insert(0, index % max(1, size))
        index //= max(1, size)
    parts.insert(0, index)
    return variable.name + "".join(f"[{p}]" for p in parts)


def draw(context: FrameContext, picture: Picture, front: int, array: str | None) -> str:
    """Fill the picture: banks where the step touched shared memory, and the kernel's array below or instead."""
    constant = constant_access(context)
    if constant is not None:
        return draw_constant(context, picture, constant)
    banks = bank_access(context)
    u = picture.unit
    if banks is None:
        return _quiet(context, picture, array)
    front = front if 0 <= front < len(banks.access.wavefronts) else ALL
    gutter = 4.7 * u
    columns = Columns.between(gutter, picture.width - 0.6 * u)
    below = Columns.between(gutter, picture.width - 0.6 * u, banks.access.banks)
    _heading(picture, banks, front, context.predicting)
    top = 2.0 * u
    _lanes(picture, columns, banks, front, Box(0, top, picture.width, 1.5 * u), context)
    rows_room = picture.height - top - 6.4 * u
    needed = _rows_height(banks, u)
    tile = rows_room - needed >= 7.0 * u and bool(shared_arrays(context.program))
    spare = rows_room - needed - (9.0 * u if tile else 0.0)
    heads = top + min(8.0 * u, max(4.0 * u, 4.0 * u + 0.5 * spare))
    room = picture.height - heads - 1.3 * u - 0.3 * u
    bottom = _banks(picture, below, banks, front, Box(0, heads, picture.width, needed if tile else room), context)
    _curves(picture, columns, below, banks, front, top + 1.5 * u, heads, context.predicting)
    if tile:
        rest = Box(0, bottom + 0.6 * u, picture.width, picture.height - bottom - 0.6 * u)
        draw_tile(context, picture, rest, array, touched=_touched(context, banks))
    if context.predicting:
        at = context.frame.addresses
        assert at is not None
        says = where_lanes_go(banks.access.lanes, lambda lane: word_name(context.program, int(at.address[lane]) // 4))
        picture.text(0.5 * u, top + 2.5 * u, says, u, "text", room=picture.width - u, least=0.66 * u)
        picture.cover(Box(0.4 * u, heads - 0.1 * u, picture.width - 0.8 * u, bottom - heads + 0.2 * u))
    lanes = ranges(banks.access.lanes)
    picture.spoken = f"Lanes {lanes} {banks.access.kind} shared memory: {banks.verdict}, {banks.sentence}."
    return "" if context.predicting else banks.verdict


def idle_key(context: FrameContext, array: str | None) -> tuple[object, ...] | None:
    """What the array's picture depends on while no step touches it; None where one does."""
    if isinstance(context.frame.access, SharedAccess):
        return None
    block = context.selection.block
    view = next((s for s in context.frame.shared if s.block == block), None)
    content = (view.data.tobytes(), view.written.tobytes()) if view is not None else None
    return (id(context.program), array, block, content)


def _quiet(context: FrameContext, picture: Picture, array: str | None) -> str:
    u = picture.unit
    box = Box(0, 0.2 * u, picture.width, picture.height - 0.3 * u)
    if not draw_tile(context, picture, box, array, touched={}):
        says = "this kernel has no shared arrays" if not shared_arrays(context.program) else "no block is resident"
        picture.text(picture.width / 2, picture.height / 2, says, colour="dim", align=0, room=picture.width)
        picture.spoken = says
    return ""


def _touched(context: FrameContext, banks: BankAccess) -> dict[int, int]:
    """Byte offset -> lane, for the words that the step touched."""
    return {4 * c.word: lanes_of(c.lanes)[0] for c in banks.cells if c.lanes}


def _heading(picture: Picture, banks: BankAccess, front: int, hidden: bool) -> None:
    u = picture.unit
    y = 0.95 * u
    colour = "atomic" if banks.access.collisions else "conflict" if banks.access.conflicts else "good"
    n = len(banks.access.wavefronts)
    right = picture.width - 0.5 * u
    if n > 1 and not hidden:
        # The verdict comes first, then the count; the buttons take what is left.
        words = 1.3 * u + picture.size_of(banks.verdict, 1.25 * u, bold=True) + 0.8 * u
        words += picture.size_of(f"wavefront {n} of {n}") + 0.8 * u
        right = _front_chips(picture, n, front, right, y, right - words)
    if hidden:
        picture.text(0.5 * u, y, "How many wavefronts?", 1.2 * u, "accent", bold=True, room=right - u, least=0.9 * u)
        return
    mark = Box(0.5 * u, y - 0.55 * u, 0.45 * u, 1.1 * u)
    picture.rect(mark, colour, radius=2)
    said = picture.text(1.3 * u, y, banks.verdict, 1.25 * u, "text", bold=True, room=right - 1.6 * u, least=0.9 * u)
    room = right - said.right - u
    sentences = (banks.sentence, f"{n} wavefront{'' if n == 1 else 's'}")
    sentence = next((t for t in sentences if picture.size_of(t) <= room), sentences[-1])
    if front != ALL:
        sentence = f"wavefront {front + 1} of {n}"
    picture.text(said.right + 0.8 * u, y, sentence, u, "dim" if front == ALL else "accent", room=right - said.right - u,
                 least=0.8 * u)  # fmt: skip


def _front_chips(picture: Picture, n: int, front: int, right: float, y: float, room: float) -> float:
    """Buttons from the right end: all wavefronts and each; or, in little room, one back and forth."""
    u = picture.unit

    def width(label: str) -> float:
        return max(1.5 * u, picture.size_of(label, 0.9 * u) + 0.7 * u)

    each = [(ALL, "all"), *((k, str(k + 1)) for k in range(n))]
    pager = [(ALL, "all"), ((front - 1) % n if front != ALL else n - 1, "‹"), ((front + 1) % n, "›")]
    for labels in (each, pager, pager[2:], []):
        if sum(width(label) + 0.25 * u for _, label in labels) <= room:
            break
    for k, label in reversed(labels):
        box = Box(right - width(label), y - 0.7 * u, width(label), 1.4 * u)
        on = k == front and label not in "‹›"
        picture.rect(box, "accent" if on else "raised", "accent" if on else "faint", radius=4)
        picture.text(box.cx, y, label, 0.9 * u, "on_active" if on else "text", 0, on)
        says = "all wavefronts" if k == ALL else f"wavefront {k + 1} of {n}"
        picture.hot(box, says, Target(command="front", value=k))
        right = box.x - 0.25 * u
    return right


def _lanes(picture: Picture, columns: Columns, banks: BankAccess, front: int, box: Box, context: FrameContext) -> None:
    u = picture.unit
    picture.text(0.5 * u, box.cy, "lanes", 0.9 * u, "dim")
    gap = 2.0 if columns.width > 10 else 1.0
    size = min(0.85 * u, 0.62 * columns.width)
    idle, later = [], []
    for lane in range(32):
        cell = Box(columns.left[lane], box.y, columns.width - gap, box.h)
        if not banks.access.lanes >> lane & 1:
            idle.append(cell)
            continue
        if front != ALL and banks.front_of[lane] != front:
            later.append(cell)
        else:
            picture.rect(cell, f"lane{lane}", radius=2)
            if size >= 0.55 * u:
                picture.text(cell.cx, cell.cy, str(lane), size, "on_lane", 0, True)
        if lane == context.selection.lane:
            picture.rect(Box(cell.x - 2, cell.y - 2, cell.w + 4, cell.h + 4), None, "accent", 2, radius=3)
    picture.rects(idle, None, "faint")
    picture.rects(later, None, "idle", 1.2)

    def lane_at(x: float, y: float) -> Hot | None:
        lane = columns.at(x)
        if lane is None:
            return None
        at = context.frame.addresses
        says = f"lane {lane}: no part in this access"
        if banks.access.lanes >> lane & 1 and at is not None:
            word = int(at.address[lane]) // 4
            says = f"lane {lane}: {word_name(context.program, word)}, bank {_bank(banks, word)}"
            if len(banks.access.wavefronts) > 1 and not context.predicting:
                says += f", wavefront {banks.front_of[lane] + 1}"
        event = context.frame.event
        target = Target(lane=lane, block=event.block, warp=event.warp) if event else Target(lane=lane)
        return Hot(Box(columns.left[lane], box.y, columns.width, box.h), says, target)

    picture.region(box, lane_at)


def _bank(banks: BankAccess, word: int) -> int:
    return next((c.bank for c in banks.cells if c.word == word), word % banks.access.banks)


def _rows_height(banks: BankAccess, u: float) -> float:
    return 1.3 * u + len(banks.rows) * 1.3 * u


def _banks(picture: Picture, columns: Columns, banks: BankAccess, front: int, box: Box, context: FrameContext) -> float:
    """Bank numbers and the touched rows; returns the lower end."""
    u = picture.unit
    _bank_heads(picture, columns, banks, box.y)
    top = box.y + 1.4 * u
    room = box.bottom - top
    least = 0.3 * u
    shown = banks.rows[: max(1, int(room / least))]
    height = min(1.3 * u, room / len(shown))
    hidden = len(banks.rows) - len(shown)
    _grid(picture, columns, banks, shown, top, height, context)
    for cell in banks.cells:
        if cell.row in shown:
            place = Box(columns.left[cell.bank], top + shown.index(cell.row) * height, columns.width - 2, height - 1.5)
            _cell(picture, place, cell, front, banks, context)
    bottom = top + height * len(shown)
    if hidden:
        picture.text(columns.right, bottom - 0.6 * u, f"… {hidden} more rows", 0.85 * u, "dim", 1)
    area = Box(columns.left[0], box.y, columns.right - columns.left[0], bottom - box.y)
    picture.region(area, partial(_cell_at, columns, banks, shown, top, height, context))
    return bottom


def _bank_heads(picture: Picture, columns: Columns, banks: BankAccess, y: float) -> None:
    u = picture.unit
    size = min(0.85 * u, 0.62 * columns.width)
    every = 1 if size >= 0.57 * u else 4
    size = size if every == 1 else 0.75 * u
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
    cells = [
        Box(left, top + k * height, columns.width - 2, height - 1.5) for k in range(len(shown)) for left in columns.left
    ]
    picture.rects(cells, "raised", "faint" if height > 0.6 * u else None)
    size = min(0.82 * u, 0.95 * height)
    row_words = banks.access.banks * max(4, banks.access.bank_width) // 4
    every = max(1, -(-int(0.8 * u) // max(1, int(height))))
    arrays = shared_arrays(context.program)
    for k, row in enumerate(shown):
        if k % every == 0:
            name = word_name(context.program, row * row_words, arrays)
            picture.text(columns.left[0] - 0.4 * u, top + (k + 0.45) * height, name, max(size, 0.72 * u), "dim", 1,
                         room=columns.left[0] - 0.7 * u, least=0.6 * u)  # fmt: skip


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
) -> Hot | None:  # fmt: skip
    bank = columns.at(x)
    if bank is None:
        return None
    at = int((y - top) // height) if height else -1
    if y < top or not 0 <= at < len(shown):
        passes = banks.passes[bank]
        says = f"bank {bank}: " + (
            f"{passes} words, one after another" if passes > 1 else "1 word" if passes else "idle"
        )
        return Hot(Box(columns.left[bank], top - height, columns.width, height), says)
    row = shown[at]
    box = Box(columns.left[bank], top + at * height, columns.width, height)
    here = [c for c in banks.cells if c.bank == bank and c.row == row]
    row_words = banks.access.banks * max(4, banks.access.bank_width) // 4
    if not here:
        return Hot(box, f"bank {bank}, {word_name(context.program, row * row_words + bank)}: not touched")
    says = "; ".join(
        f"{word_name(context.program, c.word)}, lane{'s' if c.lanes.bit_count() > 1 else ''} {ranges(c.lanes)}, "
        f"wavefront {c.front + 1} of {len(banks.access.wavefronts)}"
        for c in here
    )
    lanes = lanes_of(here[0].lanes)
    return Hot(box, f"bank {bank}: {says}", Target(lane=lanes[0]) if lanes else None)


def _curves(
    picture: Picture, columns: Columns, below: Columns, banks: BankAccess, front: int, top: float, bottom: float,
    hidden: bool,
) -> None:  # fmt: skip
    if hidden:
        return
    width = max(1.4, 0.11 * picture.unit)
    for cell in banks.cells:
        if front not in (ALL, cell.front):
            continue
        clash = banks.access.conflicts and banks.passes[cell.bank] > 1
        for lane in lanes_of(cell.lanes):
            points = swoop(columns.centre(lane) - 1, top + 1, below.centre(cell.bank) - 1, bottom - 1)
            picture.curve(points, f"lane{lane}", width * (1.25 if clash else 1.0), motion=True)
