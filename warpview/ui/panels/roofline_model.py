"""Model the roofline of several runs: their places, the ranges of the axes, the lines of the roofs, and the words.

Qt-free; see ``run.roofline`` for what the numbers are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from warpview.devices import load_device
from warpview.run.roofline import NAMES, Operations, Roof, RooflinePoint, percent, rate, roofline_point
from warpview.ui.panels.ladder_model import bandwidth
from warpview.ui.session.backend import Measured

NOTHING = "No run has both a time and operations to count."
AXES = {
    Operations.FLOATING: ("operational intensity (FLOP per byte)", "performance (GFLOP/s)"),
    Operations.INTEGER: ("operational intensity (integer operations per byte)", "performance (GIOP/s)"),
}
# Below one roof for several devices.
RELATIVE_AXES = ("operational intensity (1 = where the roof bends)", "performance (% of the device's peak)")
ROOF_ROOM = 0.12  # of the height of the plot, above the highest roof: its words stand there
LEVEL_END = 0.012  # of the width of the plot, between its end and the words of a level part
MOST_ROOFS = 3  # more are drawn as one, relative to the peaks of each device
# Where a number is looked for around its point: distances in radii and directions, level ones at every distance first.
RINGS = [1.9 + 0.5 * k for k in range(24)]
LEVEL = [math.pi * k / 16 for k in (0, 16, 1, 31, 15, 17)]
ANY = [math.pi * k / 8 for k in range(16)]
SPOTS = [(ring, turn) for turns in (LEVEL, ANY) for ring in RINGS for turn in turns]


@dataclass(frozen=True)
class Spot:
    """Place a dot or a ring with the number of its run; ``place`` is in powers of ten of the axes."""

    number: int
    place: tuple[float, float]
    is_ring: bool = False


@dataclass(frozen=True)
class Point:
    """Place one run, the ``number``-th compared; ``intensity`` is per byte of DRAM, or of the L2 without DRAM's."""

    number: int
    title: str
    place: RooflinePoint

    @property
    def intensity(self) -> float:
        return self.place.dram or self.place.l2 or self.place.roof.peak / self.place.roof.dram_gbps

    @property
    def words(self) -> str:
        """Return where the run stands and which roof is above it."""
        place = self.place
        per = [f"{v:.3g} per byte of {name}" for name, v in (("DRAM", place.dram), ("the L2", place.l2)) if v]
        bytes_of = ", ".join(per) or "no bytes moved"
        return (
            f"{self.title} on {place.roof.name}\n{rate(place.rate, place.reading)}, {bytes_of}\n"
            f"{percent(place.share)} of the roof above it, which is {place.owner}"
        )


def has_floating(runs: Sequence[Measured]) -> bool:
    """Return whether any of the runs has floating-point operations."""
    return bool(points(runs, Operations.FLOATING))


def points(runs: Sequence[Measured], reading: Operations) -> list[Point]:
    """Return the runs that have a time and operations of the reading, numbered by their places among all."""
    found = []
    for number, run in enumerate(runs, 1):
        place = None if run.problem else roofline_point(load_device(run.device), run.counters, reading)
        if place is not None:
            found.append(Point(number, run.title, place))
    return found


def roofs_of(found: Sequence[Point]) -> list[Roof]:
    """Return the different roofs of the points, in their order."""
    return list(dict.fromkeys(point.place.roof for point in found))


def drawn(found: Sequence[Point]) -> list[Point]:
    """Return the points as they are drawn. Those of many devices lie below one roof: rates are in % of the peak of each
    device, intensities are multiples of that at which its roof bends; the L2 is left out."""
    if len(roofs_of(found)) <= MOST_ROOFS:
        return list(found)
    roof = Roof("", "", found[0].place.roof.kind, 100.0, 100.0, None)
    return [
        replace(p, place=replace(
            p.place, rate=100 * p.place.rate / (own := p.place.roof).peak, dram=p.intensity * own.dram_gbps / own.peak,
            l2=None, roof=roof,
        ))
        for p in found
    ]  # fmt: skip


def summary(found: Sequence[Point]) -> str:
    """Return which run is the nearest to its roof, and what percentages are of."""
    if not found:
        return ""
    best = max(found, key=lambda point: point.place.share)
    return (
        f"Closest to its roof: {best.title}, {percent(best.place.share)} ({best.place.bound}). "
        "Percentages are relative to the roof above each point."
    )


def ranges(found: Sequence[Point]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the powers of ten between which the axes lie: every point, of every roof its ridge and some of its slope.

    The first pair is for the intensity, the second for the rate.
    """
    ridges = [roof.peak / roof.dram_gbps for roof in roofs_of(found)]
    xs = [v for p in found for v in (p.intensity, p.place.l2) if v] + [v for r in ridges for v in (r, r / 4)]
    ys = [v for p in found for v in (p.place.rate, p.place.roof.peak)]
    low, high = math.log10(min(ys) * 0.5), math.log10(max(ys) * 1.6)
    room = ROOF_ROOM * (high - low)
    return (math.log10(min(xs) * 0.6), math.log10(max(xs) * 1.8)), (low, max(high, math.log10(max(ys)) + room))


def corners(peak: float, gbps: float, left: float, right: float) -> tuple[list[float], list[float]]:
    """Return the intensities and rates of a roof's line between two powers of ten: its slope and its level part."""
    ends = sorted({10.0**left, min(max(peak / gbps, 10.0**left), 10.0**right), 10.0**right})
    return ends, [min(peak, gbps * x) for x in ends]


def path(found: Sequence[Point], steps: int) -> tuple[list[float], list[float]]:
    """Return the line that leads through the first ``steps`` variants of a family, in their order."""
    on = [point for point in found if point.number <= steps]
    return [p.intensity for p in on], [p.place.rate for p in on]


def spots(found: Sequence[Point]) -> list[Spot]:
    """Return the dots of all points, and the rings of those that have both."""
    dots = [Spot(p.number, (math.log10(p.intensity), math.log10(p.place.rate))) for p in found]
    rings = [p for p in found if p.place.l2 and p.place.l2 != p.intensity]
    return dots + [Spot(p.number, (math.log10(p.place.l2 or 1), math.log10(p.place.rate)), is_ring=True) for p in rings]


def limits(found: Sequence[Point], reading: Operations) -> list[tuple[str, tuple[float, float]]]:
    """Return the words for the slope of a roof and for the level part of each, with the intensity and rate of a place
    on it in powers of ten. The slope of several devices has none: their lines are close."""
    roofs, ((left, right), _) = roofs_of(found), ranges(found)
    several = len({roof.device for roof in roofs}) > 1
    words = []
    for roof in roofs:
        level = f"pipe ({NAMES[roof.kind]}): {rate(roof.peak, reading)}" if roof.name else "peak"
        level = f"{roof.name}, {level}" if several else level
        words.append((level, (right - LEVEL_END * (right - left), math.log10(roof.peak))))
    if several or not roofs:
        return words
    slope = f"DRAM: {bandwidth(roofs[0].dram_gbps)}" if roofs[0].name else "DRAM bandwidth"
    on = left + 0.75 * (min(math.log10(roofs[0].peak / roofs[0].dram_gbps), right) - left)
    return [(slope, (on, on + math.log10(roofs[0].dram_gbps))), *words]


def roof_words(roof: Roof, reading: Operations) -> str:
    """Return the name and the limits of a roof; that of many devices has no name."""
    if not roof.name:
        return "Level: the peak of each device. Sloping: its DRAM bandwidth"
    l2 = f", {bandwidth(roof.l2_gbps)} by the L2" if roof.l2_gbps is not None else ""
    peak = f"{rate(roof.peak, reading)} ({NAMES[roof.kind]})"
    return f"{roof.name}: {peak}{l2}, {bandwidth(roof.dram_gbps)} by DRAM"


def spoken(found: Sequence[Point]) -> str:
    """Return the points as one text for screen readers."""
    return "; ".join(p.words.replace("\n", ", ") for p in found) or NOTHING


def beside(
    places: Sequence[tuple[float, float]], size: tuple[float, float], radius: float, dot: float
) -> list[tuple[float, float]]:
    """Return where the numbers stand in a plot of ``size``: for every place the nearest spot at which its badge of
    ``radius`` covers neither a point of ``dot`` pixels nor another badge. All are in pixels."""
    taken: list[tuple[float, float, float]] = [(x, y, dot) for x, y in places]
    found: list[tuple[float, float]] = []
    width, height = size
    for x, y in places:
        spots = ((x + ring * radius * math.cos(turn), y - ring * radius * math.sin(turn)) for ring, turn in SPOTS)
        inside = ((a, b) for a, b in spots if radius <= a <= width - radius and radius <= b <= height - radius)
        free = (spot for spot in inside if all(math.dist(spot, other[:2]) > radius + other[2] + 1 for other in taken))
        spot = next(free, (x, y))
        taken.append((*spot, radius))
        found.append(spot)
    return found


def leader(place: tuple[float, float], spot: tuple[float, float], radius: float) -> list[tuple[float, float]]:
    """Return the ends of the line from a place to the badge of ``radius`` at ``spot``; none where they are beside each
    other."""
    distance = math.dist(place, spot)
    if distance <= (RINGS[0] + 0.25) * radius:
        return []
    share = 1 - radius / distance
    return [place, (place[0] + share * (spot[0] - place[0]), place[1] + share * (spot[1] - place[1]))]
