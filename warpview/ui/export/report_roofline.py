"""Draw the roofline of a report: a run and those compared with it, below the roofs of their devices."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from itertools import pairwise

from warpview.run.roofline import Operations
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.panels import roofline_model as model
from warpview.ui.panels.roofline_model import Point
from warpview.ui.session.backend import Measured

HEIGHT = 380.0
MARGIN = 4.4  # type sizes left and below the axes
Draw = Callable[[float, Callable[[Picture], object]], str]


def roofline_sections(runs: Sequence[Measured], ladder: str, draw: Draw) -> str:
    """Return a section for each reading that any run has operations of; ``ladder`` names it, '' for a single run."""
    found = ((reading, model.points(runs, reading)) for reading in Operations)
    head = f"Roofline of {ladder}" if ladder else "Roofline"
    return "".join(_section(f"{head}: {reading}", reading, points, draw) for reading, points in found if points)


def _section(heading: str, reading: Operations, points: Sequence[Point], draw: Draw) -> str:
    rows = "".join(f'<li value="{point.number}">{escape(point.words)}</li>' for point in points)
    picture = draw(HEIGHT, partial(_draw, reading, points))
    return (
        f'<section><h2>{escape(heading)}</h2><p class="dim">Dots count DRAM bytes, rings L2 bytes; '
        f"the dashed roof is the L2's.</p>{picture}<ol>{rows}</ol></section>"
    )


def _draw(reading: Operations, points: Sequence[Point], picture: Picture) -> None:
    """Draw axes, roofs and points, on logarithmic scales."""
    u = picture.unit
    plot = Box(MARGIN * u, u, picture.width - (MARGIN + 1) * u, picture.height - (MARGIN - 0.4) * u)
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
