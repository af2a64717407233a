"""Write the tables and the rooflines of the report: source with heat, counters and definitions, a comparison."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from itertools import groupby, pairwise

from warpview.profile.counters import BY_KEY, Counter, Value, counters_of
from warpview.profile.lines import by_line
from warpview.run.roofline import Operations
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.panels import roofline_model as model
from warpview.ui.panels.comparison_model import charts, left_out
from warpview.ui.panels.roofline_model import Point
from warpview.ui.session.backend import Measured
from warpview.ui.views.context import RunLike
from warpview.ui.views.counters.counters_model import number

ROOFLINE_HEIGHT = 380.0
AXES_MARGIN = 4.4  # type sizes left and below the axes
Draw = Callable[[float, Callable[[Picture], object]], str]
HOTTEST = 0.62  # opacity of the busiest line's heat
MOST_CHARTS = 12
# Columns beside the source, as far as any line has something to say there.
BY_LINE = ("inst_executed", "divergent_branches", "global_ld_sectors", "global_st_sectors", "shared_ld_bank_conflicts",
           "shared_st_bank_conflicts", "atomic_collisions")  # fmt: skip


def roofline_sections(runs: Sequence[Measured], ladder: str, draw: Draw) -> str:
    """Return a section for each reading that any run has operations of; ``ladder`` names it, '' for a single run."""
    found = ((reading, model.points(runs, reading)) for reading in Operations)
    head = f"Roofline of {ladder}" if ladder else "Roofline"
    return "".join(_section(f"{head}: {reading}", reading, points, draw) for reading, points in found if points)


def _section(heading: str, reading: Operations, points: Sequence[Point], draw: Draw) -> str:
    rows = "".join(f'<li value="{point.number}">{escape(point.words)}</li>' for point in points)
    picture = draw(ROOFLINE_HEIGHT, partial(_draw, reading, points))
    return (
        f'<section><h2>{escape(heading)}</h2><p class="dim">Dots count DRAM bytes, rings L2 bytes; '
        f"the dashed roof is the L2's.</p>{picture}<ol>{rows}</ol></section>"
    )


def _draw(reading: Operations, points: Sequence[Point], picture: Picture) -> None:
    """Draw axes, roofs and points, on logarithmic scales."""
    u = picture.unit
    plot = Box(AXES_MARGIN * u, u, picture.width - (AXES_MARGIN + 1) * u, picture.height - (AXES_MARGIN - 0.4) * u)
    (left, right), (bottom, top) = model.ranges(points)

    def at(x: float, y: float) -> tuple[float, float]:
        across, up = (math.log10(x) - left) / (right - left), (math.log10(y) - bottom) / (top - bottom)
        return plot.x + across * plot.w, plot.bottom - max(0.0, up) * plot.h

    _draw_axes(reading, picture, plot, ((left, right), (bottom, top)), at)
    for roof in model.roofs_of(points):
        for gbps, dash in ((roof.dram_gbps, False), (roof.l2_gbps, True)):
            if gbps is None:
                continue
            first = max(left, bottom + math.log10(1 / gbps))  # where the slope enters the plot
            places = [at(x, y) for x, y in zip(*model.corners(roof.peak, gbps, first, right), strict=True)]
            segments = [(*a, *b) for a, b in pairwise(places)]
            picture.lines(segments, "text", 1.5, dash=dash)
    rings = [at(point.place.l2, point.place.rate) for point in points if point.place.l2]
    picture.dots(rings, 0.3 * u, "panel", "active")
    places = [at(point.intensity, point.place.rate) for point in points]
    picture.dots(places, 0.3 * u, "active")
    spots = model.beside([(x - plot.x, y - plot.y) for x, y in places], (plot.w, plot.h), 0.6 * u, 0.3 * u)
    for point, (x, y) in zip(points, spots, strict=True):
        picture.text(plot.x + x, plot.y + y, str(point.number), 0.85 * u, align=0)
    picture.spoken = model.spoken(points)


def _draw_axes(reading: Operations, picture: Picture, plot: Box, ends: tuple[tuple[float, float], tuple[float, float]],
               at: Callable[[float, float], tuple[float, float]]) -> None:  # fmt: skip
    """Draw the frame, a line for each power of ten, and the names of the axes."""
    u = picture.unit
    (left, right), (bottom, top) = ends
    picture.rect(plot, edge="dim")
    for power in range(math.ceil(left), math.floor(right) + 1):
        x, _ = at(10.0**power, 10.0**top)
        picture.lines([(x, plot.y, x, plot.bottom)], "dim", 0.5, alpha=0.4)
        picture.text(x, plot.bottom + 0.8 * u, f"{10.0**power:g}", 0.8 * u, "dim", align=0)
    for power in range(math.ceil(bottom), math.floor(top) + 1):
        _, y = at(10.0**left, 10.0**power)
        picture.lines([(plot.x, y, plot.right, y)], "dim", 0.5, alpha=0.4)
        picture.text(plot.x - 0.4 * u, y, f"{10.0**power:g}", 0.8 * u, "dim", align=1)
    across, up = model.AXES[reading]
    picture.text(plot.cx, plot.bottom + 2.2 * u, across, 0.85 * u, "dim", align=0)
    picture.text(plot.x, plot.y - 0.5 * u, up, 0.85 * u, "dim")


def explained(counter: Counter, title: str = "") -> str:
    """Return the title of a counter, with its definition and its names elsewhere for the pointer."""
    names = [f"Nsight Compute: {counter.nsight}"] if counter.nsight else []
    names += [f"Visual Profiler: {counter.visual_profiler}"] if counter.visual_profiler else []
    tip = "\n".join([counter.description, *names])
    return f'<abbr title="{escape(tip)}">{escape(title or counter.title)}</abbr>'


def source(run: RunLike) -> str:
    """Return the source, the busier a line the warmer, with what else is known by line."""
    columns = []
    for key in BY_LINE:
        counter = BY_KEY[key]
        values = by_line(counter, run.program, run.counts) if counter.on(run.device) else {}
        if key == BY_LINE[0] or any(values.values()):
            columns.append((counter, values))
    executed = columns[0][1]
    most = max((value or 0 for value in executed.values()), default=0) or 1
    rows = []
    for line, text in enumerate(run.program.source.text.splitlines(), start=1):
        cells = "".join(f'<td class="n">{_count(values.get(line))}</td>' for _, values in columns)
        share = (executed.get(line) or 0) / most
        heat = f' style="background:rgba(230,159,0,{HOTTEST * share**0.7:.2f})"' if share else ""
        number_cell = f'<tr id="L{line}"><td class="n line">{line}</td>'
        rows.append(f'{number_cell}<td class="code"{heat}>{escape(text) or " "}</td>{cells}</tr>')
    heads = "".join(f'<th class="n">{explained(counter, counter.label)}</th>' for counter, _ in columns)
    return (
        f'<section><h2>Source</h2><p class="dim">The warmer a line, the more warp instructions were issued for it.</p>'
        f'<div class="scroll"><table class="source"><thead><tr><th class="n">line</th><th></th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></section>"
    )


def _count(value: Value) -> str:
    return number(round(value)) if value else ""


def counters(run: RunLike) -> str:
    """Return every counter that has a value, by group."""
    known = [c for c in counters_of(run.device) if run.counters.get(c.key) is not None]
    parts = []
    for group, members in groupby(known, key=lambda counter: counter.group):
        parts.append(f'<tr class="group"><th colspan="3">{escape(group.capitalize())}</th></tr>')
        parts += [
            f'<tr><td>{explained(c)}</td><td class="n">{number(run.counters[c.key], c.unit)}</td>'
            f"<td>{escape(c.unit if c.unit != '%' else '')}</td></tr>"
            for c in members
        ]
    return (
        '<section><h2>Counters of the whole launch</h2><p class="dim">Point at a name for its definition.</p>'
        f"<table><tbody>{''.join(parts)}</tbody></table></section>"
    )


def comparison(runs: Sequence[Measured], title: str = "") -> str:
    """Return the counters in which runs differ, as bars; '' where there is nothing to compare."""
    if len(runs) < 2:
        return ""
    parts = []
    for chart in charts(runs)[:MOST_CHARTS]:
        parts.append(f'<tr class="group"><th colspan="4">{explained(BY_KEY[chart.key])}</th></tr>')
        for bar in chart.bars:
            width = f"{100 * bar.share:.1f}%"
            parts.append(
                f'<tr><td>{escape(bar.title)}</td><td style="width:45%"><span class="bar" style="width:{width}"></span>'
                f'</td><td class="n">{escape(bar.text)} {escape(chart.unit)}</td>'
                f'<td class="n">{escape(bar.difference)}</td></tr>'
            )
    missing = left_out(runs)
    note = f'<p class="dim">{escape(missing)}</p>' if missing else ""
    heading = f"Comparison: {title}" if title else "Comparison"
    return f"<section><h2>{escape(heading)}</h2>{note}<table><tbody>{''.join(parts)}</tbody></table></section>"
