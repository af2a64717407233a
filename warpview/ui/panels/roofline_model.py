"""Model the roofline: instructions a second against instructions per byte, below the limits of the device.

Qt-free. The roofs are the device's figures: bytes a second of its memory (the slope) and instructions a second of its
schedulers (the ceiling). Bytes are those that no cache held.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from warpview.devices import Device, load_device
from warpview.ui.panels.ladder_model import bandwidth
from warpview.ui.session.backend import Measured

WARP = 32
OWNER = {"memory": "the memory's", "issue": "the schedulers'"}
NOTHING = "No run has both a time and accesses to memory."
# Where a number is looked for around its point: distances in radii and directions, level ones at every distance first.
RINGS = [1.9 + 0.5 * k for k in range(24)]
LEVEL = [math.pi * k / 16 for k in (0, 16, 1, 31, 15, 17)]
ANY = [math.pi * k / 8 for k in range(16)]
SPOTS = [(ring, turn) for turns in (LEVEL, ANY) for ring in RINGS for turn in turns]


@dataclass(frozen=True)
class Roof:
    """A roof is the peak of a device: 10^9 thread instructions and 10^9 bytes a second."""

    device: str
    name: str
    peak: float
    gbps: float

    @classmethod
    def of(cls, device: Device) -> Roof:
        lanes = device.schedulers * device.dispatch_per_scheduler * WARP / device.issue_port_cycles
        peak = device.multiprocessors * lanes * device.clock_mhz / 1000
        return cls(device.key, device.name, peak, device.dram_gbps)

    @property
    def ridge(self) -> float:
        """Return the instructions a byte from which on issue is the limit."""
        return self.peak / self.gbps

    def at(self, intensity: float) -> float:
        """Return the highest rate that is possible at so many instructions a byte."""
        return min(self.peak, self.gbps * intensity)


@dataclass(frozen=True)
class Point:
    """Place one run: thread instructions per byte, and 10^9 of them a second."""

    number: int
    title: str
    intensity: float
    rate: float
    roof: Roof

    @property
    def share(self) -> float:
        """Return the share of what the roof allows there."""
        return self.rate / self.roof.at(self.intensity)

    @property
    def bound(self) -> str:
        return "memory" if self.intensity < self.roof.ridge else "issue"

    @property
    def words(self) -> str:
        return (
            f"{self.title} on {self.roof.name}\n{self.intensity:.3g} instructions per byte, {_rate(self.rate)}, "
            f"{bandwidth(self.rate / self.intensity)}\n{percent(self.share)} of the roof above it, which is "
            f"{OWNER[self.bound]}"
        )


def points(runs: Sequence[Measured]) -> list[Point]:
    """Return the runs that have a time and accessed memory, numbered by their places among all."""
    roofs: dict[str, Roof] = {}
    found: list[Point] = []
    for number, run in enumerate(runs, 1):
        time, instructions = run.counters.get("time_us"), run.counters.get("thread_inst_executed_on")
        moved = run.counters.get("dram_bytes")
        if run.problem or not time or not instructions or not moved:
            continue
        if run.device not in roofs:
            roofs[run.device] = Roof.of(load_device(run.device))
        point = Point(number, run.title, instructions / moved, instructions / time / 1000, roofs[run.device])
        found.append(point)
    return found


def percent(share: float) -> str:
    """Return a share with two figures, so that small ones are not nothing."""
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"


def _rate(giga: float) -> str:
    return f"{giga:.3g} G instructions/s" if giga < 1000 else f"{giga / 1000:.3g} T instructions/s"


def ranges(found: Sequence[Point]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the powers of ten between which the axes lie: every point, of every roof its ridge and some of its slope.

    The first pair is for the intensity, the second for the rate.
    """
    xs = [v for p in found for v in (p.intensity, p.roof.ridge, p.roof.ridge / 4)]
    ys = [v for p in found for v in (p.rate, p.roof.peak)]
    return (
        (math.log10(min(xs) * 0.6), math.log10(max(xs) * 1.8)),
        (math.log10(min(ys) * 0.5), math.log10(max(ys) * 1.6)),
    )


def corners(roof: Roof, left: float, right: float) -> tuple[list[float], list[float]]:
    """Return the intensities and rates of the line of ``roof`` between two powers of ten."""
    ends = sorted({10.0**left, min(max(roof.ridge, 10.0**left), 10.0**right), 10.0**right})
    return ends, [roof.at(x) for x in ends]


def roof_words(roof: Roof) -> str:
    """Return the name and the two limits of a roof."""
    return f"{roof.name}: {_rate(roof.peak)} by its schedulers, {bandwidth(roof.gbps)} by its memory"


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
