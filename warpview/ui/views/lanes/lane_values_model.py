"""Draw a variable or register of the selected warp over its 32 lanes, and what the step did to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from warpview.cached_by_identity import cached_by_identity
from warpview.isa.program import NONE, Instruction, Program, Variable
from warpview.isa.types import Type
from warpview.trace.frame import Frame, PreviousState, WarpState
from warpview.trace.register_types import register_types
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, HitRegion, Measure, Picture, Target, Text
from warpview.ui.drawing.values import bar_ends, lane_values, names, number, numbers, register_values, scalars
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.lane_masks_model import is_mask
from warpview.ui.views.lanes.lane_pattern_model import pattern
from warpview.ui.views.lanes.operands_model import undefined_lanes

LANES = 3.2  # units: the numbers of the lanes and the row of the selected warp


@dataclass(frozen=True, eq=False)
class Strip:
    """Hold one variable over the 32 lanes: its values, texts, which lanes this step changed, and their former texts."""

    name: str
    type: Type
    values: NDArray[Any]  # [32]
    is_mask: bool
    texts: tuple[str, ...]  # '' for a lane beyond the end of the block, '?' where the value is undefined
    changed: int
    before: tuple[str, ...]
    live: int  # lanes that have not exited and whose value is defined
    written: int  # lanes whose value this step wrote, be it the same

    @cached_property
    def pattern(self) -> str | None:
        """Return the pattern of the values in words, of a warp that has ended of those it had; None where they follow
        none."""
        lanes = self.live or sum(1 << lane for lane, text in enumerate(self.texts) if text not in ("", "?"))
        return pattern(self.values, lanes, partial(number, type_=self.type, mask=self.is_mask))

    @property
    def bars(self) -> list[tuple[float, float]]:
        return bar_ends(self.values)

    @property
    def label(self) -> str:
        """Return the name, but for a temporary, which the source does not name: its register is in the hover text."""
        return "result" if self.name.startswith("%") else self.name

    @property
    def uniform(self) -> bool:
        """Return whether all lanes hold one value, and the step did not change it in some of them only."""
        return len({*self.texts} - {""}) == 1 and self.changed in (0, self.live)


def chosen_variable(program: Program, pc: int | None, name: str | None) -> Variable | None:
    """Return the variable named, or the one that the instruction at ``pc`` writes, as far as the source names it."""
    here = program.instructions[pc] if pc is not None and 0 <= pc < len(program.instructions) else None
    visible = scalars(program, here.span.line if here else None)
    if name is not None:
        return next(
            (v for v in visible if v.name == name), next((v for v in program.variables if v.name == name), None)
        )
    if pc is None or here is None or here.dst == NONE or here.dst_type is None:
        return None
    if here.native is not None:
        kind = register_types(program).of(pc, here.dst, True)
        return Variable(names(program).operand(here.dst, here.dst_type), str(kind), kind, here.dst)
    wide = here.dst_type.is_wide
    named = next((v for v in visible if v.row == here.dst and v.type.is_wide == wide), None)
    if named is not None:
        return named
    return Variable(names(program).operand(here.dst, here.dst_type), str(here.dst_type), here.dst_type, here.dst)


def strip(context: FrameContext, variable: Variable | None) -> Strip | None:
    """Return a variable of the selected warp over its lanes, and what this step did to it."""
    warp = context.warp
    if warp is None or variable is None or variable.row == NONE:
        return None
    values = _values(context, context.frame, warp.slot, variable)
    changed, written, void, before = 0, 0, 0, [""] * 32
    event = context.frame.event
    if event is not None and context.event_is_selected and _writes(context.program.instructions[event.pc], variable):
        if context.predicting and variable not in context.program.variables:
            return None  # a temporary, or a register of machine code, is nothing but the result
        if context.predicting:  # the values before, for the new ones are the answer
            values = _before(context, warp, variable, values)
        else:
            written, void = event.on, undefined_lanes(context)
            changed, before = _changes(context, warp, variable, values, written)
    mask = _is_mask(context, variable)
    there = min(32, context.launch.threads - 32 * warp.warp)
    texts = (*numbers(values[:there], variable.type, mask), *[""] * (32 - there))
    texts = tuple("?" if void >> lane & 1 else text for lane, text in enumerate(texts))
    live = ~warp.exited & ~void & 0xFFFFFFFF
    return Strip(variable.name, variable.type, values, mask, texts, changed, tuple(before), live, written)


def _is_mask(context: FrameContext, variable: Variable) -> bool:
    event = context.frame.event
    by = context.program.instructions[event.pc] if event is not None and context.event_is_selected else None
    return is_mask(context.program, variable.row, variable.type, by)


def _writes(instruction: Instruction, variable: Variable) -> bool:
    if instruction.native is not None:
        return variable.row in instruction.native.writes
    kind = instruction.dst_type
    return kind is not None and variable.row in instruction.result_rows and kind.is_wide == variable.type.is_wide


def _before(context: FrameContext, warp: WarpState, variable: Variable, now: NDArray[Any]) -> NDArray[Any]:
    """Return the values one step before; those of now where the warp was not yet there."""
    before = context.frame.previous
    if before is None or before.blocks[warp.slot // context.launch.warps] != warp.block:
        return now
    return _values(context, before, warp.slot, variable)


def _values(context: FrameContext, of: Frame | PreviousState, slot: int, variable: Variable) -> NDArray[Any]:
    """Return the values of a variable of the source, or of a register of machine code."""
    read = lane_values if context.program.native is None else register_values
    return read(of, slot, variable.row, variable.type)


def _changes(
    context: FrameContext, warp: WarpState, variable: Variable, values: NDArray[Any], written: int
) -> tuple[int, list[str]]:
    before, mask = [""] * 32, _is_mask(context, variable)
    old = _before(context, warp, variable, values)
    if old is values:
        return written, before
    bits = f"u{values.itemsize}"  # to compare them tells zeros apart, and NaN from itself not
    lanes = np.flatnonzero(old.view(bits) != values.view(bits))
    changed = 0
    for lane, text in zip(lanes.tolist(), numbers(old[lanes], variable.type, mask), strict=True):
        changed |= 1 << lane
        before[lane] = text
    return changed & written, before


def shown_variables(context: FrameContext, name: str | None) -> tuple[Variable, ...]:
    """Return the variables to show: the one asked for or written, those that the line names, then all others that are
    visible there."""
    event = context.frame.event
    pc = event.pc if event is not None and context.event_is_selected else None
    here = context.warp.pc if pc is None and context.warp is not None and context.warp.pc != NONE else pc
    return _shown(context.program)(pc, here, name)


@cached_by_identity
def _shown(program: Program) -> Callable[[int | None, int | None, str | None], tuple[Variable, ...]]:
    @lru_cache(256)
    def at(pc: int | None, here: int | None, name: str | None) -> tuple[Variable, ...]:
        span = program.instructions[here].span if here is not None else None
        line, text = (span.line, span.source.line(span.line)) if span is not None else (None, "")
        first = chosen_variable(program, pc, name)
        done = -1 if here is None else here - (pc is None)  # the last instruction that may have been executed
        rest = [
            v
            for v in scalars(program, line)
            if (first is None or v.name != first.name) and _may_be_set(program, v, done)
        ]
        named = set(re.findall(r"[^\W\d]\w*", text))
        rest.sort(key=lambda v: v.name not in named)
        return (*([first] if first is not None else []), *rest)

    return at


def _may_be_set(program: Program, variable: Variable, last: int) -> bool:
    """Return whether an instruction up to ``last`` writes the variable. One that none writes is set by the launch."""
    writers = [pc for pc, instruction in enumerate(program.instructions) if _writes(instruction, variable)]
    return not writers or writers[0] <= last


@dataclass(frozen=True)
class ValueSetting:
    """Set the values of a strip: in so many lines, neighbours on different ones, and in this size; or, where
    digits would need more than two lines, as their pattern or as bars."""

    lines: int
    size: float
    summary: Literal["", "pattern", "bars"] = ""


@dataclass(frozen=True)
class Plan:
    """Hold the strips that fit, how each is set, and the names that do not fit."""

    strips: tuple[tuple[Strip, ValueSetting], ...]
    hidden: tuple[str, ...]
    height: float
    asked: str | None = None


def plan(context: FrameContext, picture: Picture, columns: LaneColumns, name: str | None, room: float) -> Plan:
    """Plan as many strips as fit into ``room``, at least the first where it leaves the lanes a row."""
    u = picture.unit
    most = min(0.5 * picture.height, picture.height - LANES * u)
    strips: list[tuple[Strip, ValueSetting]] = []
    hidden: list[str] = []
    height = 0.5 * u
    for variable in shown_variables(context, name):
        if strips and hidden:  # no room for any more: their values are not wanted
            hidden += [variable.name] if variable.row != NONE else []
            continue
        values = strip(context, variable)
        if values is None:
            continue
        setting = _setting(picture.measure, u, columns.width, values)
        needed = (0.25 + 1.15 * setting.lines) * u
        if (strips and height + needed > room) or height + needed > most:
            hidden.append(values.name)
        else:
            strips.append((values, setting))
            height += needed
    if hidden and height + 1.5 * u <= room:
        height += 1.5 * u
    else:
        hidden = []
    return Plan(tuple(strips), tuple(hidden), height if strips else 0.0, name)


def draw_values(context: FrameContext, picture: Picture, columns: LaneColumns, plan: Plan, top: float) -> None:
    """Draw the strips of a plan from ``top`` down."""
    u = picture.unit
    if not plan.strips:
        return
    picture.lines([(0.4 * u, top + 0.2 * u, picture.width - 0.4 * u, top + 0.2 * u)], "faint")
    y = top + 0.5 * u
    for k, (values, setting) in enumerate(plan.strips):
        first = k == 0 and (bool(values.written) or values.name == plan.asked)
        _strip(picture, columns, values, setting, y, first, context.selection.lane)
        if not values.uniform:
            area = Box(columns.left[0], y, columns.right - columns.left[0], 1.15 * setting.lines * u)
            picture.region(
                area, partial(_value_at, columns, values, 1 if setting.summary else setting.lines, y, u, context)
            )
        y += (0.25 + 1.15 * setting.lines) * u
    _chips(picture, plan.hidden, y)


def _chips(picture: Picture, names: tuple[str, ...], y: float) -> None:
    """Draw buttons for the variables that there is no room for."""
    u = picture.unit
    x = 0.45 * u
    for name in names:
        width = picture.size_of(name, 0.85 * u) + 0.7 * u
        if x + width > picture.width:
            break
        box = Box(x, y + 0.15 * u, width, 1.2 * u)
        picture.rect(box, "raised", "faint", radius=4)
        picture.text(box.cx, box.cy, name, 0.85 * u, "dim", 0)
        picture.hit(box, f"show {name} of every lane", Target(command=f"variable {name}"))
        x += width + 0.3 * u


def _setting(measure: Measure, unit: float, pitch: float, values: Strip) -> ValueSetting:
    """Set the values in one line if they fit, a little smaller perhaps, else as their pattern, in two lines or bars."""
    if values.uniform:
        return ValueSetting(1, 0.85 * unit)
    texts, changed = values.texts, values.changed
    sizes = [share * unit for share in (0.85, 0.8, 0.75, 0.7)]
    bold = (bool(changed >> lane & 1) for lane in range(32))  # those that changed
    set_so = set(zip(texts, bold, strict=True))
    # The widest in one size is so in all.
    widest, is_bold = max(set_so, key=lambda text: measure(text[0], sizes[0], False, text[1]))
    widths = [measure(widest, size, False, is_bold) for size in sizes]
    in_line = next((size for size, w in zip(sizes, widths, strict=True) if w + 0.22 * size <= pitch), None)
    if in_line is not None:
        return ValueSetting(1, in_line)
    if values.pattern is not None:
        return ValueSetting(1, sizes[0], "pattern")
    return ValueSetting(2, sizes[0], "" if widths[0] + 0.35 * sizes[0] <= 2 * pitch else "bars")


def _strip(
    picture: Picture,
    columns: LaneColumns,
    values: Strip,
    setting: ValueSetting,
    top: float,
    first: bool,
    selected: int | None,
) -> None:
    """Draw a strip from ``top`` down, with the ``selected`` lane marked."""
    u = picture.unit
    lines, size = setting.lines, setting.size
    middle = top + 0.575 * lines * u
    taken = [
        min(picture.size_of(text, size, bold=bool(values.changed >> lane & 1)) + 0.4 * u, lines * columns.width - 1.5)
        for lane, text in enumerate(values.texts)
    ]
    # Values in two lines are wider than their lanes: the outermost reach into what stands beside the lanes.
    before, after = (max(0.0, (taken[lane] - columns.width) / 2) * (lines > 1) for lane in (0, 31))
    left = columns.left[0] - 0.45 * u - before
    count = values.changed.bit_count()
    name = picture.text(
        left, middle, values.label, u if first else 0.92 * u, "text" if first else "dim", 1, first,
        room=left - 0.3 * u, least=0.72 * u,
    )  # fmt: skip
    says = "written, nothing changed" if values.written and not count else f"{count} lanes changed by this step"
    picture.hit(name, f"{values.name} ({values.type}): {says}; click to keep it in sight",
                Target(command=f"variable {values.name}"))  # fmt: skip
    if values.written:
        picture.text(columns.right + 0.6 * u + after, middle, f"Δ {count}", u, "text" if count else "dim", -1, True)
    if values.uniform:
        _same(picture, columns, values, middle)
        return
    if setting.summary == "pattern":
        _pattern(picture, columns, values, middle)
        return
    if setting.summary == "bars":
        _bar_row(picture, columns, values, Box(0, top, picture.width, 1.15 * lines * u), selected)
        return
    lit = []
    for lane in (k for k in range(32) if values.changed >> k & 1):
        wide = taken[lane]
        lit.append(Box(columns.centre(lane) - wide / 2, top + 1.15 * (lane % lines) * u, wide, 1.12 * u))
    picture.rects(lit, "conflict", alpha=0.3, radius=3)
    middles = [top + (0.56 + 1.15 * line) * u for line in range(lines)]
    for lane, text in enumerate(values.texts):
        colour = "accent" if lane == selected else "text" if values.live >> lane & 1 else "idle"
        bold = bool(values.changed >> lane & 1)
        picture.add((Text(columns.centre(lane), middles[lane % lines], text, size, colour, 0, bold),))


def _same(picture: Picture, columns: LaneColumns, values: Strip, y: float) -> None:
    """Draw one value that every lane holds, once."""
    u = picture.unit
    text = values.texts[0]
    width = picture.size_of(text, 0.95 * u, bold=bool(values.changed))
    x = columns.left[0] + 2
    if values.changed:
        picture.rect(Box(x - 2, y - 0.56 * u, width + 4, 1.12 * u), "conflict", alpha=0.3, radius=3)
    said = picture.text(x, y, text, 0.95 * u, "text", -1, bool(values.changed))
    picture.text(said.right + 0.8 * u, y, "in every lane", 0.85 * u, "dim")


def _pattern(picture: Picture, columns: LaneColumns, values: Strip, y: float) -> None:
    """Draw the pattern of values whose digits do not fit, "0, 64, 128, … 1984 +64 per lane"."""
    u = picture.unit
    head, _, tail = (values.pattern or "").partition("  ")
    changed = bool(values.changed)
    x, room = columns.left[0] + 2, columns.right - columns.left[0] - 4
    if changed:
        width = min(room, picture.size_of(head, 0.95 * u, bold=True)) + 4
        picture.rect(Box(x - 2, y - 0.56 * u, width, 1.12 * u), "conflict", alpha=0.3, radius=3)
    said = picture.text(x, y, head, 0.95 * u, "text", bold=changed, room=room, least=0.7 * u)
    picture.text(said.right + 0.8 * u, y, tail, 0.85 * u, "dim", room=columns.right - said.right - u, least=0.7 * u)


def _bar_row(picture: Picture, columns: LaneColumns, values: Strip, box: Box, selected: int | None) -> None:
    """Draw values without a pattern whose digits do not fit, as bars; at the right their least and greatest."""
    u = picture.unit
    boxes: dict[str, list[Box]] = {"active": [], "conflict": [], "idle": [], "accent": []}
    for lane, (low, high) in enumerate(values.bars):
        if not values.texts[lane]:
            continue
        height = box.h - 2
        bar = Box(columns.left[lane] + 1, box.bottom - 1 - high * height, columns.width - 4,
                  max(1.5, (high - low) * height))  # fmt: skip
        bit = 1 << lane
        token = "conflict" if values.changed & bit else "active" if values.live & bit else "idle"
        boxes["accent" if lane == selected else token].append(bar)
    for token, bars in boxes.items():
        picture.rects(bars, token)
    if selected is not None:
        picture.text(
            columns.left[0] + 2, box.y + 0.5 * u, f"lane {selected}: {values.texts[selected]}", 0.8 * u, "text"
        )


def _value_at(
    columns: LaneColumns, values: Strip, lines: int, top: float, unit: float, context: FrameContext, x: float, y: float
) -> HitRegion | None:
    """Return the value under the pointer, among staggered ones the nearest on its line."""
    line = min(lines - 1, int((y - top) / (1.15 * unit)))
    lane = min(range(line, 32, lines), key=lambda k: abs(columns.centre(k) - x))
    if not values.texts[lane]:
        return None
    was = f", was {values.before[lane]}" if values.before[lane] else ""
    target = Target(block=context.selection.block, warp=context.selection.warp, lane=lane)
    box = Box(columns.centre(lane) - 6, y - 4, 12, 8)
    return HitRegion(box, f"{values.name} of lane {lane} = {values.texts[lane]}{was}", target)
