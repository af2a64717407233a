"""Draw banks as columns and the words of an access as rows, a group of lanes beside or below another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from warpview.isa.program import Program, Variable
from warpview.isa.types import Space
from warpview.ui.drawing.columns import LaneColumns, cells
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target
from warpview.ui.drawing.values import lanes_of, ranges, shared_arrays
from warpview.ui.views.context import FrameContext
from warpview.ui.views.memory.banks_model import BankAccess, BankWord, element_words, is_padding, word_name
from warpview.ui.views.memory.parts_model import ALL

HEADS = 1.4  # height of the bank numbers, in units
LEAST = 0.6  # size of a row's name, in units
ROW, TALL = 1.5, 2.0  # height of a row, and of one where there is room
THIN, READABLE = 0.3, 0.8  # of the thinnest one, and of the lowest that has a label
MORE = 1.0  # of the line that says how many rows there are besides
MOST_COLUMNS = 32  # that stand side by side


@dataclass(frozen=True)
class BankLine:
    """Describe a line of the grid: its row of words for each group of lanes, None where a group has none."""

    rows: tuple[int | None, ...]


@dataclass(frozen=True)
class BankGrid:
    """Place the words of an access: columns for the banks of each group, lines for the rows that are shown."""

    banks: BankAccess
    columns: LaneColumns
    lines: tuple[BankLine, ...]
    hidden: int  # lines that there is no room for
    top: float
    height: float  # of a line

    @property
    def bottom(self) -> float:
        return self.top + self.height * len(self.lines)

    def column(self, word: BankWord) -> int:
        """Return the column of a word: the banks of the second half-warp stand beside those of the first."""
        return word.bank + (word.group * self.banks.access.banks if side_by_side(self.banks) else 0)

    def place(self, word: BankWord) -> Box | None:
        """Return the cell of a word; None where its line is not shown."""
        line = next((k for k, line in enumerate(self.lines) if line.rows[word.group] == word.row), None)
        if line is None:
            return None
        left = self.columns.left[self.column(word)]
        return Box(left, self.top + line * self.height, self.columns.width - 2, self.height - 1.5)

    def shown(self) -> Iterator[tuple[BankWord, Box]]:
        """Yield the words in sight with their cells."""
        for word in self.banks.words:
            box = self.place(word)
            if box is not None:
                yield word, box


def side_by_side(banks: BankAccess) -> bool:
    """Return whether the groups of lanes are drawn beside one another, each above banks of its own."""
    return banks.groups * banks.access.banks <= MOST_COLUMNS


def bank_columns(banks: BankAccess, left: float, right: float) -> LaneColumns:
    """Return the columns of the banks: 32 of them line up with the lanes."""
    return LaneColumns.between(left, right, banks.access.banks * (banks.groups if side_by_side(banks) else 1))


def all_lines(banks: BankAccess) -> tuple[BankLine, ...]:
    """Return all lines of the grid. Beside one another the groups share lines; below one another each has its own."""
    rows = [banks.rows(group) for group in range(banks.groups)]
    if side_by_side(banks):
        count = max(map(len, rows))
        return tuple(BankLine(tuple(r[k] if k < len(r) else None for r in rows)) for k in range(count))
    return tuple(
        BankLine(tuple(row if g == group else None for g in range(banks.groups)))
        for group, found in enumerate(rows)
        for row in found
    )


def draw_banks(
    picture: Picture, columns: LaneColumns, banks: BankAccess, front: int, box: Box, context: FrameContext
) -> BankGrid:
    """Draw the bank numbers and the words, all lines of them or those that matter most; return where they stand."""
    u = picture.unit
    top = box.y + HEADS * u
    lines, height, hidden = lines_that_fit(banks, front, context.selection.lane, box.bottom - top, u)
    grid = BankGrid(banks, columns, lines, hidden, top, height)
    _bank_heads(picture, grid, box.y)
    _cells(picture, grid, context)
    _between_groups(picture, grid, box.y)
    selected = _selected_word(context)
    for word, place in _merged(grid, front):
        _word(picture, grid, place, word, front)
        if word.word == selected:
            picture.rect(place.inset(-1.5), None, "accent", 2.2, radius=2)
    if not context.predicting:
        _labels(picture, grid, front, context)
    area = Box(columns.left[0], box.y, columns.right - columns.left[0], grid.bottom - box.y)
    picture.region(area, partial(_word_at, grid, context))
    if hidden and grid.bottom + MORE * u <= box.bottom:
        more = f"and {hidden} more row" + ("s" if hidden > 1 else "")
        picture.text(columns.left[0], grid.bottom + 0.5 * MORE * u, more, 0.85 * u, "dim", room=area.w, least=0.7 * u)
    return grid


def _merged(grid: BankGrid, front: int) -> list[tuple[BankWord, Box]]:
    """Return the words with their cells; one that several of the wavefronts shown serve is one word."""
    if front != ALL:
        return list(grid.shown())
    merged: dict[Box, BankWord] = {}
    for word, box in grid.shown():
        held = merged.get(box)
        merged[box] = word if held is None else BankWord(
            held.bank, held.row, held.word, held.lanes | word.lanes, held.front, held.group
        )  # fmt: skip
    return [(word, box) for box, word in merged.items()]


def _selected_word(context: FrameContext) -> int | None:
    """Return the word of the selected element, if it is one of the block that made the access."""
    element, event = context.selection.element, context.frame.event
    if element is None or event is None or (element.space, element.block) != (Space.SHARED, event.block):
        return None
    return element.address // 4


def lines_that_fit(
    banks: BankAccess, front: int, lane: int | None, room: float, u: float
) -> tuple[tuple[BankLine, ...], float, int]:
    """Return the lines to show, their height and the number left out: all, thin if need be, or else those that matter
    (of the selected lane, of the wavefront shown, of the busiest bank), so high that a label can be read in them; none
    where there is no room for one."""
    lines = all_lines(banks)
    height = min(TALL * u, room / max(1, len(lines)))
    if height >= THIN * u:
        return lines, height, 0
    count = max(0 if room < READABLE * u else 1, int((room - MORE * u) / (READABLE * u)))
    busiest = max((max(of), of.index(max(of))) for of in banks.passes)[1]

    def importance(line: BankLine) -> tuple[bool, bool, bool]:
        words = [w for w in banks.words if line.rows[w.group] == w.row]
        return (
            any(lane is not None and w.lanes >> lane & 1 for w in words),
            any(w.front == front for w in words),
            any(w.bank == busiest for w in words),
        )

    first = set(sorted(range(len(lines)), key=lambda k: importance(lines[k]), reverse=True)[:count])
    chosen = tuple(line for k, line in enumerate(lines) if k in first)
    return chosen, min(ROW * u, max(READABLE * u, (room - MORE * u) / max(1, count))), len(lines) - len(chosen)


def _bank_heads(picture: Picture, grid: BankGrid, y: float) -> None:
    u, banks, columns = picture.unit, grid.banks, grid.columns
    size = max(0.72 * u, min(0.85 * u, 0.62 * columns.width))
    widest = picture.size_of("00", 0.72 * u, bold=True) + 4
    every = next(k for k in (1, 2, 4, 8) if k * columns.width >= widest or k == 8)
    picture.text(0.5 * u, y + 0.6 * u, "banks", 0.9 * u, "dim")
    across = side_by_side(banks)
    for column in range(len(columns.left)):
        group, bank = divmod(column, banks.access.banks)
        groups = (group,) if across else tuple(range(banks.groups))
        clash = any(banks.clashes(bank, g) for g in groups)
        if clash:
            picture.rect(Box(columns.left[column], y, columns.width - 2, 1.2 * u), "conflict", radius=2)
        if bank % every == 0:
            used = any(banks.passes[g][bank] for g in groups)
            colour = "on_conflict" if clash else "text" if used else "dim"
            picture.text(columns.centre(column) - 1, y + 0.6 * u, str(bank), size, colour, 0, clash)


def _cells(picture: Picture, grid: BankGrid, context: FrameContext) -> None:
    """Draw the empty cells, those of padding hatched, and the names of the lines at the left."""
    u, height, columns = picture.unit, grid.height, grid.columns
    boxes = [box for k in range(len(grid.lines)) for box in cells(columns, grid.top + k * height, height - 1.5, 2.0)]
    picture.rects(boxes, "raised", "faint" if height > 0.6 * u else None)
    padding = [box for k, line in enumerate(grid.lines) for box in _padding(grid, k, line, context)]
    picture.rects(padding, None, None, hatch="idle")
    every = max(1, -(-int(0.8 * u) // max(1, int(height))))
    for k in range(0, len(grid.lines), every):
        _name_line(picture, grid, k, shared_arrays(context.program), context.program)


def _name_line(picture: Picture, grid: BankGrid, at: int, arrays: tuple[Variable, ...], program: Program) -> None:
    """Write the first element of a line at its left: of each of the groups that have other rows beside one another,
    one after the other."""
    u, left = picture.unit, grid.columns.left[0]
    rows = dict.fromkeys(row for row in grid.lines[at].rows if row is not None)
    names = [word_name(program, row * grid.banks.row_words, arrays) for row in rows]
    room, size = left - 0.7 * u, max(0.72 * u, min(0.82 * u, 0.95 * grid.height))
    name = ", ".join([names[0], *(other[other.find("[") :] for other in names[1:])])
    if picture.size_of(name, size) > room:  # the name is in the source: better none than half an index, or small type
        name = ", ".join(name[name.find("[") :] for name in names)
    picture.text(left - 0.4 * u, grid.top + (at + 0.45) * grid.height, name, size, "dim", 1,
                 room=room, least=LEAST * u)  # fmt: skip


def _padding(grid: BankGrid, at: int, line: BankLine, context: FrameContext) -> Iterator[Box]:
    banks = grid.banks
    for column, left in enumerate(grid.columns.left):
        group, bank = divmod(column, banks.access.banks)
        row = line.rows[group] if side_by_side(banks) else next(r for r in line.rows if r is not None)
        if row is not None and is_padding(
            context, row * banks.row_words + bank * banks.row_words // banks.access.banks
        ):
            yield Box(left, grid.top + at * grid.height, grid.columns.width - 2, grid.height - 1.5)


def _between_groups(picture: Picture, grid: BankGrid, y: float) -> None:
    """Draw a line between the groups of lanes that the device serves apart."""
    banks, columns = grid.banks, grid.columns
    if banks.groups < 2:
        return
    if side_by_side(banks):
        each = banks.access.banks
        xs = [
            (columns.left[g * each - 1] + columns.width + columns.left[g * each]) / 2 - 1
            for g in range(1, banks.groups)
        ]
        picture.lines([(x, y, x, grid.bottom) for x in xs], "idle", 1.5, dash=True)
        return
    ys = [
        grid.top + k * grid.height - 0.7
        for k in range(1, len(grid.lines))
        if _group_of(grid.lines[k]) != _group_of(grid.lines[k - 1])
    ]
    picture.lines([(columns.left[0], at, columns.right, at) for at in ys], "idle", 1.5, dash=True)


def _group_of(line: BankLine) -> int:
    return next(g for g, row in enumerate(line.rows) if row is not None)


def colour_of(banks: BankAccess, word: BankWord) -> str:
    """Return blue where a bank delivers one word, orange where several, these in two tones, pass by pass."""
    if not banks.clashes(word.bank, word.group):
        return "active"
    fronts = sorted({w.front for w in banks.words if (w.bank, w.group) == (word.bank, word.group)})
    return "conflict" if fronts.index(word.front) % 2 == 0 else "conflict_dark"


def _word(picture: Picture, grid: BankGrid, place: Box, word: BankWord, front: int) -> None:
    """Draw the cell of a word, filled if the wavefront shown serves it."""
    u, banks = picture.unit, grid.banks
    lanes = lanes_of(word.lanes)
    if not lanes:
        return
    token = colour_of(banks, word)
    if front not in (ALL, word.front):
        picture.rect(place, None, "conflict" if banks.clashes(word.bank, word.group) else "idle", 1.3)
        return
    picture.rect(place, token)
    label = f"×{len(lanes)}" if len(lanes) > 1 else str(lanes[0])
    size = min(0.8 * u, 0.8 * place.h, 0.95 * place.w / (0.66 * max(2, len(label))))  # of all lanes or of none
    if size >= 0.55 * u:
        ink = "on_lane" if token == "active" else "on_conflict"
        picture.text(place.cx, place.cy, label, size, ink, 0, True)


def _labels(picture: Picture, grid: BankGrid, front: int, context: FrameContext) -> None:
    """Draw the element and its value beside the words of conflicting banks, where the next columns are free."""
    u = picture.unit
    if grid.height < 0.75 * u:
        return
    words = list(grid.shown())
    taken = [box for _, box in words]
    for word, box in words:
        if front not in (ALL, word.front) or not grid.banks.clashes(word.bank, word.group):
            continue
        text, size = element_words(context, word.word), min(0.8 * u, 0.9 * grid.height)
        width = picture.size_of(text, size) + 0.6 * u
        right = grid.columns.left[(word.group + 1) * grid.banks.access.banks - 1] if side_by_side(grid.banks) else 0.0
        right = (right or grid.columns.left[-1]) + grid.columns.width
        place = Box(box.right + 2, box.y, width, box.h)
        if place.right <= right and not any(place.overlaps(other) for other in taken):
            picture.rect(place, "panel", alpha=0.9)
            picture.text(place.x + 0.3 * u, place.cy, text, size, "text")
            taken.append(place)  # several wavefronts may access one word


def _word_at(grid: BankGrid, context: FrameContext, x: float, y: float) -> HitRegion | None:
    column, banks = grid.columns.at(x), grid.banks
    if column is None:
        return None
    group, bank = divmod(column, banks.access.banks) if side_by_side(banks) else (None, column)
    left, width = grid.columns.left[column], grid.columns.width
    at = int((y - grid.top) // grid.height) if grid.height else -1
    if y < grid.top or not 0 <= at < len(grid.lines):
        passes = max(of[bank] for g, of in enumerate(banks.passes) if group in (None, g))
        says = f"{passes} words, one after another" if passes > 1 else "1 word" if passes else "idle"
        return HitRegion(Box(left, grid.top - HEADS, width, HEADS), f"bank {bank}: {says}")
    line = grid.lines[at]
    box = Box(left, grid.top + at * grid.height, width, grid.height)
    row = line.rows[group] if group is not None else next(r for r in line.rows if r is not None)
    here = [w for w in banks.words if w.bank == bank and line.rows[w.group] == w.row and group in (None, w.group)]
    if not here:
        word = (row or 0) * banks.row_words + bank * banks.row_words // banks.access.banks
        what = "padding" if is_padding(context, word) else "not accessed"
        return HitRegion(box, f"bank {bank}, {word_name(context.program, word)}: {what}") if row is not None else None
    says = "; ".join(
        f"{element_words(context, w.word)}, lane{'s' if w.lanes.bit_count() > 1 else ''} {ranges(w.lanes)}, "
        f"wavefront {w.front + 1} of {len(banks.access.wavefronts)}"
        for w in here
    )
    lanes = lanes_of(here[0].lanes)
    return HitRegion(box, f"bank {bank}: {says}", Target(lane=lanes[0]) if lanes else None)
