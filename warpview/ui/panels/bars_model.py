"""The bars of a comparison: a box for every counter, in it a bar for every run. Qt-free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpview.ui.drawing.picture import Box, Measure, Picture
from warpview.ui.panels.comparison_model import Bar, Chart

LINE = 1.5  # height of a bar with its texts, in type sizes
HEAD, FOOT = 1.9, 0.5  # of a box above and below its bars
GAP, PAD = 0.6, 0.7  # between boxes, and within them at the sides
LEAST_BAR = 5.0  # room for the longest bar
MOST_COLUMNS = 4


@dataclass(frozen=True)
class Layout:
    """How the boxes stand: ``columns`` beside one another, and the widths within a box, in pixels."""

    columns: int
    names: float
    numbers: float
    ends: float
    width: float  # of a box
    height: float

    def rows(self, charts: int) -> int:
        return -(-charts // self.columns)


def layout(charts: Sequence[Chart], room: float, unit: float, measure: Measure) -> Layout:
    """As many boxes beside one another as leave every name whole."""

    def widest(texts: set[str], bold: bool = False) -> float:
        return max((measure(text, unit, False, bold) for text in texts), default=0.0) + 0.6 * unit

    bars = [bar for chart in charts for bar in chart.bars]
    names = widest({bar.title for bar in bars})
    numbers, ends = widest({bar.text for bar in bars}, bold=True), widest({bar.difference for bar in bars})
    heads = max((measure(chart.heading, unit, False, True) for chart in charts), default=0.0)
    needed = max(names + numbers + ends + LEAST_BAR * unit, heads) + (2 * PAD + GAP) * unit
    columns = max(1, min(MOST_COLUMNS, int(room / needed), len(charts)))
    lines = max((len(chart.bars) for chart in charts), default=1)
    width = room / columns - GAP * unit
    # In one column that is still too narrow, names are written smaller before they are cut.
    names = min(names, max(0.3 * width, width - numbers - ends - (LEAST_BAR + 2 * PAD) * unit))
    return Layout(columns, names, numbers, ends, width, (LINE * lines + HEAD + FOOT) * unit)


def height(charts: Sequence[Chart], room: float, unit: float, measure: Measure) -> float:
    """Pixels that all boxes take at this width."""
    plan = layout(charts, room, unit, measure)
    return plan.rows(len(charts)) * (plan.height + GAP * unit)


def draw(picture: Picture, area: Box, charts: Sequence[Chart], seen: Box | None = None) -> None:
    """The boxes row by row, only those that lie in ``seen`` if that is given: drawing all of a hundred takes long."""
    u = picture.unit
    if not charts:
        picture.text(area.cx, area.cy, "No counter differs.", colour="dim", align=0)
        return
    plan = layout(charts, area.w, u, picture.measure)
    for n, chart in enumerate(charts):
        row, column = divmod(n, plan.columns)
        x = area.x + column * (plan.width + GAP * u) + GAP / 2 * u
        box = Box(x, area.y + row * (plan.height + GAP * u), plan.width, plan.height)
        if seen is None or box.overlaps(seen):
            _chart(picture, chart, box, plan)
    picture.spoken = "; ".join(f"{c.title}: {', '.join(f'{b.title} {b.text}' for b in c.bars)}" for c in charts)


def _chart(picture: Picture, chart: Chart, box: Box, plan: Layout) -> None:
    u = picture.unit
    picture.rect(box, "panel", "faint", radius=6)
    picture.hit(box, f"{chart.words}\nUnit: {chart.unit}. Key: {chart.key}")
    room = box.w - 2 * PAD * u
    picture.text(box.x + PAD * u, box.y + 0.95 * u, chart.heading, bold=True, room=room, least=0.8 * u)
    longest = max(u, room - plan.names - plan.numbers - plan.ends)
    for n, bar in enumerate(chart.bars):
        line = Box(box.x + PAD * u, box.y + (HEAD + LINE * n) * u, room, LINE * u)
        _bar(picture, bar, line, plan, longest, first=n == 0)
        picture.hit(line, words(chart, bar))


def _bar(picture: Picture, bar: Bar, line: Box, plan: Layout, longest: float, first: bool) -> None:
    u = picture.unit
    picture.text(line.x, line.cy, bar.title, room=plan.names - 0.5 * u, least=0.75 * u)
    strip = Box(line.x + plan.names, line.y + 0.18 * line.h, longest * bar.share, 0.64 * line.h)
    picture.rect(strip, "idle" if first else "active")
    picture.text(strip.right + 0.35 * u, line.cy, bar.text, bold=True)
    picture.text(line.right, line.cy, bar.difference, colour="dim", align=1)


def words(chart: Chart, bar: Bar) -> str:
    """What the hover text says of a bar: the number in full, and how far it is from the first run's."""
    if bar.value is None:
        return f"{bar.title}: {chart.title} is not known there"
    exact = f"{bar.value:,}".replace(",", "\u202f") if isinstance(bar.value, int) else f"{bar.value:.6g}"
    said = f"{bar.title}\n{chart.title}: {exact} {chart.unit}"
    if not bar.difference:
        return said
    first = chart.bars[0].title
    return f"{said}\n{'the same as' if bar.difference == '=' else f'{bar.difference} against'} {first}"
