"""Plan and draw the strips of variables and registers over the 32 lanes, as many as there is room for. Qt-free."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from warpview.isa.program import NONE
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, HitRegion, Measure, Picture, Target, Text
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.lane_values_model import Strip, shown_variables, strip

LANES = 3.2  # units: the numbers of the lanes and the row of the selected warp


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
    middle = top + 0.575 * setting.lines * u
    widths = _text_widths(picture, columns, values, setting)
    _margins(picture, columns, values, middle, first, widths if setting.lines > 1 else None)
    if values.uniform:
        _same(picture, columns, values, middle)
    elif setting.summary == "pattern":
        _pattern(picture, columns, values, middle)
    elif setting.summary == "bars":
        _bar_row(picture, columns, values, Box(0, top, picture.width, 1.15 * setting.lines * u), selected)
    else:
        _texts(picture, columns, values, setting, top, widths, selected)


def _text_widths(picture: Picture, columns: LaneColumns, values: Strip, setting: ValueSetting) -> list[float]:
    """Return the width that the value of each lane takes, at most that of its columns."""
    most = setting.lines * columns.width - 1.5
    return [
        min(picture.size_of(text, setting.size, bold=bool(values.changed >> lane & 1)) + 0.4 * picture.unit, most)
        for lane, text in enumerate(values.texts)
    ]


def _margins(
    picture: Picture, columns: LaneColumns, values: Strip, y: float, first: bool, widths: list[float] | None
) -> None:
    """Write the name left of the lanes, and how many the step changed on their right. ``widths`` are those of values in
    two lines, of which the outermost reach into what stands beside the lanes."""
    u = picture.unit
    before, after = (max(0.0, (widths[lane] - columns.width) / 2) if widths else 0.0 for lane in (0, 31))
    left = columns.left[0] - 0.45 * u - before
    count = values.changed.bit_count()
    name = picture.text(
        left, y, values.label, u if first else 0.92 * u, "text" if first else "dim", 1, first,
        room=left - 0.3 * u, least=0.72 * u,
    )  # fmt: skip
    says = "written, nothing changed" if values.written and not count else f"{count} lanes changed by this step"
    picture.hit(name, f"{values.name} ({values.type}): {says}; click to keep it in sight",
                Target(command=f"variable {values.name}"))  # fmt: skip
    if values.written:
        picture.text(columns.right + 0.6 * u + after, y, f"Δ {count}", u, "text" if count else "dim", -1, True)


def _texts(
    picture: Picture, columns: LaneColumns, values: Strip, setting: ValueSetting, top: float, widths: list[float],
    selected: int | None,
) -> None:  # fmt: skip
    """Write the value of every lane, on two lines in turn where they are wide; those that changed are marked."""
    u, lines = picture.unit, setting.lines
    lit = []
    for lane in (k for k in range(32) if values.changed >> k & 1):
        left = columns.centre(lane) - widths[lane] / 2
        lit.append(Box(left, top + 1.15 * (lane % lines) * u, widths[lane], 1.12 * u))
    picture.rects(lit, "conflict", alpha=0.3, radius=3)
    middles = [top + (0.56 + 1.15 * line) * u for line in range(lines)]
    for lane, text in enumerate(values.texts):
        colour = "accent" if lane == selected else "text" if values.live >> lane & 1 else "idle"
        bold = bool(values.changed >> lane & 1)
        picture.add((Text(columns.centre(lane), middles[lane % lines], text, setting.size, colour, 0, bold),))


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
