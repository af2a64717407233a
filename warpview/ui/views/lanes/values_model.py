"""Model the values view: an instruction's operands and its result as rows of values over the 32 lanes. Qt-free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.isa.native import NativeInstruction
from warpview.isa.ops import Cmp, Op
from warpview.isa.program import NONE, Instruction
from warpview.isa.types import Space, Type
from warpview.trace.frame import Event, Frame, PreviousState
from warpview.trace.register_types import register_types
from warpview.trace.words import operand_words
from warpview.ui.drawing.columns import LaneColumns, cells
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target
from warpview.ui.drawing.values import (
    bar_ends,
    lane_values,
    lanes_of,
    names,
    number,
    numbers,
    ranges,
    register_values,
    shared_arrays,
)
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.access_lanes_model import draw_nothing
from warpview.ui.views.lanes.lane_masks_model import FULL, is_mask, makes_mask, mask_words, takes_mask
from warpview.ui.views.lanes.lane_pattern_model import pattern, uniform
from warpview.ui.views.lanes.matrix_model import draw_matrices, matrices
from warpview.ui.views.lanes.shuffle_model import draw_shuffle, native_origins, origins_of
from warpview.ui.views.memory.transactions_model import buffers_of

# The sign between the operands, where there is one; else the mnemonic stands before the first.
SIGNS = {
    Op.ADD: "+", Op.SUB: "−", Op.MUL: "×", Op.MULWIDE: "×", Op.MUL24: "×", Op.DIV: "÷", Op.REM: "mod", Op.AND: "and",
    Op.OR: "or", Op.XOR: "xor", Op.SHL: "≪", Op.SHR: "≫",
}  # fmt: skip
PRODUCT_AND_SUM = frozenset({Op.MAD, Op.MADWIDE, Op.FMA, Op.MAD24})
RELATIONS = {Cmp.EQ: "=", Cmp.NE: "≠", Cmp.LT: "<", Cmp.LE: "≤", Cmp.GT: ">", Cmp.GE: "≥"}
LABEL = 9.0  # units: the width of the names at the left
GAP = 0.3  # units: between the values of neighbouring lanes, at the least
SIGN = 1.9  # units: the width of the signs before the names
ROW_LEAST, ROW_TRIVIAL, ROW_MOST = 1.9, 2.6, 7.0  # units; the second for one value or one sequence in all lanes
BARRED, DIGITS = 3.6, 1.8  # units: the height of a row from which there are bars below the digits, and that of these
CHANGED = 0.28  # opacity of the mark of what the step changed
WAY_LEAST, WAY_MOST = 2.5, 8.0  # units: the way from lane to lane of a shuffle


@dataclass(frozen=True)
class OperandRow:
    """Hold one operand over the lanes: its name, the sign before it, its values ([32]) and the lanes that they matter
    for.

    ``before`` are the values of the result before the step, None for a source.
    """

    name: str
    sign: str
    type: Type
    values: NDArray[Any]
    lanes: int
    before: NDArray[Any] | None = None
    mask: bool = False  # a set of lanes

    @cached_property
    def told(self) -> str | None:
        """Return the one value, or the one sequence, that all lanes hold, in words; None for others and masks."""
        write = partial(number, type_=self.type)
        return None if self.mask or self.lanes != FULL else uniform(self.values, self.lanes, write)


@dataclass(frozen=True)
class Computation:
    """Hold the sources of an instruction and its result. Of a shuffle the value comes last of the sources, and
    ``origins`` are the lanes that each lane reads from; it is empty elsewhere."""

    text: str  # as the listing shows it
    event: Event
    sources: tuple[OperandRow, ...]
    results: tuple[OperandRow, ...]
    origins: tuple[int, ...] = ()


def state_before(context: FrameContext) -> Frame | PreviousState:
    """Return the registers before the step; those after it where the block has just begun."""
    frame, event = context.frame, context.frame.event
    assert event is not None
    assert frame.previous is not None
    began = frame.previous.blocks[event.slot // context.launch.warps] != event.block
    return frame if began else frame.previous


def computation(context: FrameContext) -> Computation | None:
    """Return the operands of the instruction issued last; None at step 0 and for one without register operands."""
    frame, event = context.frame, context.frame.event
    if event is None or frame.previous is None:
        return None
    instruction, state = context.program.instructions[event.pc], state_before(context)
    if instruction.native is not None:
        return _native_computation(context, instruction, instruction.native, state)
    signs = _signs(instruction)
    sources = []
    for k, (row, type_) in enumerate(zip(instruction.srcs, instruction.src_types, strict=True)):
        if row == NONE:
            continue
        values = lane_values(state, event.slot, row, type_)
        name = _name(context, instruction, row, type_)
        if k == 0 and instruction.space is not Space.NONE:
            name = f"[{name}]"
        mask = takes_mask(instruction, k) or is_mask(context.program, row, type_)
        name = "mask" if mask and name.isdecimal() else name
        sources.append(OperandRow(name, signs[k] if k < len(signs) else "", type_, values, event.on, mask=mask))
    results = []
    kind = instruction.dst_type
    if kind is not None:
        for row in instruction.result_rows:
            now, before = (lane_values(of, event.slot, row, kind) for of in (frame, state))
            name, mask = _name(context, instruction, row, kind), is_mask(context.program, row, kind, instruction)
            results.append(OperandRow(name, "=", kind, now, event.on, before, mask))
    if not sources and not results:
        return None
    text = names(context.program).text(instruction)
    if instruction.op is not Op.SHFL:
        return Computation(text, event, tuple(sources), tuple(results))
    value, *others = sources
    return Computation(
        text, event, (*others, value), tuple(results), origins_of(instruction, others[0].values, others[1].values)
    )


def _native_computation(
    context: FrameContext, instruction: Instruction, native: NativeInstruction, state: Frame | PreviousState
) -> Computation | None:
    """Return the registers and predicates that an instruction of machine code reads and writes, by their names."""
    frame, event = context.frame, context.frame.event
    assert event is not None
    assert context.program.native is not None
    known = {row: name for name, row in context.program.native.registers.items()}
    element = _accessed_type(context)

    def shown(rows: Iterable[int], is_result: bool) -> Iterator[OperandRow]:
        listed = [row for row in dict.fromkeys(rows) if row in known]
        upper = NONE  # the second register of a pair
        for row in listed:
            if row == upper:
                continue
            name, kind = known[row], register_types(context.program).of(event.pc, row, is_result)
            predicate = name.lstrip("U").startswith("P")
            mask = name.startswith("B") or (is_result and makes_mask(instruction) and not predicate)
            if predicate or mask:
                kind = Type.PRED if predicate else Type.U32
            elif element is not None and (is_result or row in instruction.srcs[1:]):
                kind = element
            if kind.is_wide and row + 1 not in listed:
                kind = Type.U32  # half of a pair
            elif kind.is_wide:
                name, upper = f"{name}:{known[row + 1]}", row + 1
            now, before = (register_values(of, event.slot, row, kind) for of in (frame, state))
            if is_result:
                yield OperandRow(name, "=", kind, now, event.on, before, mask)
            else:
                yield OperandRow(name, "", kind, before, event.on, mask=mask)

    guard = () if instruction.guard == NONE else (instruction.guard,)
    operands = (row for s in native.sources.values() for row in range(s.row, s.row + s.span))
    reads = () if instruction.op is Op.BAR_SYNC else native.reads  # which has a predicate that it does not use
    sources = list(shown((*guard, *instruction.srcs, *operands, *reads), False))
    results = list(shown(native.writes, True))
    if not sources and not results:
        return None
    origins = native_origins(native, state, event.slot)
    if origins:
        sources.sort(key=lambda row: row.name == known.get(native.sources["a"].row))  # the value comes last
    return Computation(names(context.program).text(instruction), event, tuple(sources), tuple(results), origins)


def _accessed_type(context: FrameContext) -> Type | None:
    """Return the type of the elements that a load or a store of machine code accesses in a buffer, if each of them has
    registers of its own; None where it is not known."""
    where, event = context.frame.addresses, context.frame.event
    if where is None or event is None or not where.mask:
        return None
    address = int(where.address[(where.mask & -where.mask).bit_length() - 1])
    if where.space is Space.SHARED:
        held = [array for array in shared_arrays(context.program) if array.offset <= address]
        element = max(held, key=lambda array: array.offset).type if held else None
    else:
        buffer = buffers_of(context).of(address)
        element = None if buffer is None else buffer.element
    return element if element is not None and element.bytes >= 4 and where.width >= element.bytes else None


def _signs(instruction: Instruction) -> tuple[str, ...]:
    if instruction.op in PRODUCT_AND_SUM:
        return "", "×", "+"
    if instruction.op is Op.SETP:
        return "", RELATIONS.get(Cmp(instruction.mod), "?")
    return "", SIGNS.get(instruction.op, ""), "", ""


def _name(context: FrameContext, instruction: Instruction, row: int, type_: Type) -> str:
    """Return the name in the source, or else the one in the listing."""
    words = operand_words(context.program, instruction, row, type_).strip("`")
    return words or names(context.program).operand(row, type_)


def draw(context: FrameContext, picture: Picture) -> str:
    """Fill the picture with a row for each operand and one for the result; return the note."""
    found = computation(context)
    if found is None:
        says = "this step computes no value" if context.frame.event else "no instruction has been executed yet"
        return draw_nothing(picture, says)
    u, product = picture.unit, matrices(context, state_before(context))
    count = found.event.on.bit_count()
    picture.spoken = f"{found.text} in {count} of 32 lanes."
    if product is not None:
        _heading(picture, found)
        draw_matrices(context, picture, product)
        return f"{count}/32"
    columns = LaneColumns.between(LABEL * u, picture.width - 0.8 * u)
    top = 3.6 * u
    _lane_numbers(picture, columns, top, context.selection.lane)
    rows = [*found.sources, *found.results]
    room = picture.height - top - 0.5 * u
    left_out = max(0, len(rows) - max(len(found.results) or 1, int(room / (ROW_LEAST * u))))
    _heading(picture, found)
    if left_out:
        picture.text(0.6 * u, top - 0.6 * u, f"⋮ {left_out} more", 0.85 * u, "dim")
    rows = rows[left_out:]  # the result has room
    way = max(WAY_LEAST, min(WAY_MOST, room / u - ROW_LEAST * len(rows))) * u if found.origins else 0.5 * u
    heights = _heights(rows, (room - way) / u - 0.2, context.predicting)
    bottoms = np.cumsum(heights) * u
    for k, row in enumerate(rows):
        result = row.before is not None
        high = heights[k] * u
        box = Box(0, top + float(bottoms[k]) - high + way * result, picture.width, high - 0.3 * u)
        if k and k + left_out == len(found.sources):
            if found.origins and not context.predicting:
                draw_shuffle(
                    picture,
                    columns,
                    found.origins,
                    found.event.on,
                    box.y - way - 0.3 * u,
                    box.y,
                    context.selection.lane,
                )
            else:
                picture.lines([(0.5 * u, box.y - 0.25 * u, picture.width - 0.8 * u, box.y - 0.25 * u)], "idle", 1.2)
        _row(context, picture, columns, row, box, found.event)
    return f"{count}/32"


def _heights(rows: Sequence[OperandRow], room: float, predicting: bool) -> list[float]:
    """Return the height of each row in units: what one cell holds needs little, the others share the rest."""
    low = [row.told is not None and not (predicting and row.before is not None) for row in rows]
    share = room / max(1, len(rows))
    trivial = max(ROW_LEAST, min(ROW_TRIVIAL, share))
    rest = (room - trivial * sum(low)) / max(1, len(rows) - sum(low))
    other = max(ROW_LEAST, min(ROW_MOST, rest))
    return [trivial if is_low else other for is_low in low]


def _heading(picture: Picture, found: Computation) -> None:
    u = picture.unit
    said = picture.text(0.6 * u, 0.95 * u, found.text, 1.15 * u, "text", mono=True, bold=True,
                        room=0.72 * picture.width, least=0.8 * u)  # fmt: skip
    on = found.event.on
    if on != FULL:  # the note says how many
        words = f"lanes {ranges(on)}" if on else "no lane takes part"
        room = picture.width - said.right - 2 * u
        picture.text(said.right + 1.2 * u, said.cy, words, u, "dim", room=room, least=0.75 * u)


def _lane_numbers(picture: Picture, columns: LaneColumns, top: float, selected: int | None) -> None:
    u = picture.unit
    size = 0.82 * u
    every = 1 if columns.width >= 1.12 * picture.size_of("30", size) else 2 if columns.width >= 0.8 * u else 4
    picture.text(columns.left[0] - 0.6 * u, top - 0.6 * u, "lane", size, "dim", 1)
    for lane in range(0, 32, every):
        colour = "accent" if lane == selected else "dim"
        picture.text(columns.centre(lane) - 1, top - 0.6 * u, str(lane), size, colour, 0, lane == selected)


def _row(
    context: FrameContext, picture: Picture, columns: LaneColumns, row: OperandRow, box: Box, event: Event
) -> None:
    """Draw one operand: its sign and name, then its values in a cell for each lane, or its pattern in one for all."""
    u, result = picture.unit, row.before is not None
    if row.sign:
        picture.text(0.6 * u, box.cy, row.sign, 1.25 * u, "accent" if result else "text", bold=True,
                     room=SIGN * u, least=0.7 * u)  # fmt: skip
    picture.text(columns.left[0] - 0.6 * u, box.cy, row.name, u, "text", 1, result, mono=True,
                 room=columns.left[0] - (SIGN + 1.4) * u, least=0.7 * u)  # fmt: skip
    boxes = cells(columns, box.y, box.h, 2.0)
    whole = Box(columns.left[0], box.y, columns.right - columns.left[0], box.h)
    hidden = context.predicting and result
    in_one = row.told is not None and not hidden
    picture.rects([whole.inset(2)] if in_one else [boxes[lane] for lane in lanes_of(row.lanes)], "raised")
    picture.rects([boxes[lane] for lane in lanes_of(~row.lanes & FULL)], None, "faint", 1.0, dash=True)
    if context.selection.lane is not None:
        picture.rect(boxes[context.selection.lane].inset(-1.5), None, "accent", 2, radius=3)
    if hidden:
        picture.cover(whole)
        return
    texts = numbers(row.values, row.type, row.mask)
    _values(picture, columns, row, whole, texts)
    picture.region(whole, partial(_value_at, columns, row, texts, event, box))


def _values(picture: Picture, columns: LaneColumns, row: OperandRow, whole: Box, texts: Sequence[str]) -> None:
    """Draw the values of an operand: in words where they are one value or sequence, else as digits where there is room
    for them, else their pattern, else as bars."""
    u, changed = picture.unit, _changed(row)
    size = _size(picture, [texts[lane] for lane in lanes_of(row.lanes)], columns.width - 4, u)
    area = _digits_area(picture, columns, row, whole, texts)
    write = partial(number, type_=row.type, mask=row.mask)
    told = row.told or (None if size else pattern(row.values, row.lanes, write))
    all_changed = bool(changed) if row.told is not None else row.lanes != 0 and changed & row.lanes == row.lanes
    if not (told is not None and all_changed):
        marked = cells(columns, area.y, area.h, 2.0)  # the digits alone: below them the mark would look like a bar
        picture.rects([marked[lane] for lane in lanes_of(changed & row.lanes)], "conflict", alpha=CHANGED)
    boxes = cells(columns, whole.y, whole.h, 2.0)
    if told is not None:
        _pattern(picture, row, area, told, len(set(texts)) == 1, all_changed)
    elif size:
        for lane in lanes_of(row.lanes):
            picture.text(boxes[lane].cx, area.cy, texts[lane], size, "text", 0, bool(changed >> lane & 1))
    else:
        if area == whole:
            _bars(picture, row, boxes)
        _ends(picture, row, Box(boxes[0].x, area.y, boxes[0].w, area.h))


def _digits_area(picture: Picture, columns: LaneColumns, row: OperandRow, whole: Box, texts: Sequence[str]) -> Box:
    """Return where the digits go: all of the row, or its upper part where bars find room below, which are drawn."""
    alike = len({texts[lane] for lane in lanes_of(row.lanes)}) == 1
    high = DIGITS * picture.unit
    if row.told is not None or not (whole.h >= BARRED * picture.unit and alike is row.mask and row.lanes):
        return whole
    members = np.uint32(int(row.values[lanes_of(row.lanes)[0]]) & FULL) >> np.arange(32, dtype=np.uint32) & 1
    drawn = replace(row, values=members, lanes=FULL) if row.mask else row
    _bars(picture, drawn, cells(columns, whole.y + high, whole.h - high, 2.0), 0.45)
    return Box(whole.x, whole.y, whole.w, high)


def _pattern(picture: Picture, row: OperandRow, area: Box, told: str, same: bool, all_changed: bool) -> None:
    """Draw the pattern of the values in words on a label; ``same`` says that all lanes hold one value."""
    u, result = picture.unit, row.before is not None
    head, _, tail = told.partition("  ")
    words = f"{head} in every lane" if same and row.lanes.bit_count() > 1 else head
    if row.mask and same:
        words = mask_words(int(row.values[0]) & FULL)
    width = picture.size_of(words, u, bold=result) + (picture.size_of(tail, u) + u if tail else 0.0) + 1.2 * u
    label = Box(area.x, area.cy - 0.75 * u, min(width, area.w), 1.5 * u)
    picture.rect(label, "panel", radius=4, alpha=0.92)
    if all_changed:
        picture.rect(label, "conflict", radius=4, alpha=CHANGED)
    said = picture.text(area.x + 0.6 * u, area.cy, words, u, "text", bold=result, room=area.w - u, least=0.7 * u)
    picture.text(said.right + u, area.cy, tail, u, "dim", room=area.right - said.right - u, least=0.7 * u)


def _changed(row: OperandRow) -> int:
    """Return the lanes whose value this step changed."""
    if row.before is None:
        return 0
    bits = f"u{row.values.itemsize}"
    lanes = np.flatnonzero(np.ascontiguousarray(row.values).view(bits) != np.ascontiguousarray(row.before).view(bits))
    return sum(1 << int(lane) for lane in lanes)


def _size(picture: Picture, texts: list[str], room: float, u: float) -> float:
    """Return the size at which every value fits into the cell of its lane; 0 where none can be read so."""
    widest = picture.widest(texts, u) + GAP * u
    fits = min(u, u * room / widest)
    return fits if fits >= 0.6 * u else 0.0


def _bars(picture: Picture, row: OperandRow, boxes: tuple[Box, ...], alpha: float = 0.75) -> None:
    """Draw the values as bars from the least to the greatest, from 0 at least."""
    lanes, drawn = lanes_of(row.lanes), []
    for lane, (low, high) in zip(lanes, bar_ends(row.values[list(lanes)]), strict=True):
        cell = boxes[lane].inset(2, 1)
        drawn.append(Box(cell.x, cell.bottom - high * cell.h, cell.w, max(1.5, (high - low) * cell.h)))
    picture.rects(drawn, "active", alpha=alpha)


def _ends(picture: Picture, row: OperandRow, first: Box) -> None:
    """Write the least and the greatest of values that follow no pattern and are too long for their cells."""
    u, held = picture.unit, row.values[list(lanes_of(row.lanes))]
    ends = " to ".join(number(value, row.type, row.mask) for value in (held.min(), held.max()))
    width = picture.size_of(ends, 0.85 * u) + 0.8 * u
    picture.rect(Box(first.x + 2, first.cy - 0.6 * u, width, 1.2 * u), "panel", radius=3, alpha=0.92)
    picture.text(first.x + 2 + width / 2, first.cy, ends, 0.85 * u, "text", 0)


def _value_at(
    columns: LaneColumns, row: OperandRow, texts: list[str], event: Event, box: Box, x: float, y: float
) -> HitRegion | None:
    lane = columns.at(x)
    if lane is None:
        return None
    says = f"{row.name} of lane {lane} = {texts[lane]}"
    if not row.lanes >> lane & 1:
        says += ", takes no part"
    elif row.before is not None and _changed(row) >> lane & 1:
        says += f", was {number(row.before[lane], row.type, row.mask)}"
    target = Target(block=event.block, warp=event.warp, lane=lane)
    return HitRegion(Box(columns.left[lane], box.y, columns.width, box.h), says, target)
