"""Place runs under the roofline: operations a second against operations per byte, below the limits of the device.

S. Williams, A. Waterman and D. Patterson, "Roofline", CACM 52(4), 2009. Operations are those of ``isa.work``:
floating-point ones, or integer instructions as another reading. The roofs are what the model of the device can reach:
the pipe that executes most of them, and the bandwidths of the L2 and of DRAM.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from warpview.argument_checks import instance
from warpview.devices import Device
from warpview.isa.ops import Unit
from warpview.isa.work import FLOATING, Work
from warpview.profile.counters import Value
from warpview.sim.timing.instruction_costs import PIPE_OF_UNIT, SEPARATE_PIPE_OF_UNIT

WARP, SECTOR = 32, 32
KEYS = {
    Work.SINGLE: "flop_count_sp", Work.DOUBLE: "flop_count_dp", Work.HALF: "flop_count_hp",
    Work.MATRIX: "flop_count_matrix", Work.INTEGER: "inst_integer",
}  # fmt: skip
NAMES = {
    Work.SINGLE: "single precision", Work.DOUBLE: "double precision", Work.HALF: "half precision",
    Work.MATRIX: "products of matrices", Work.INTEGER: "integers",
}  # fmt: skip
# The units that do a kind of work, and the most operations of a lane in one instruction.
UNITS = {
    Work.SINGLE: ((Unit.FMA,), 2), Work.DOUBLE: ((Unit.FP64,), 2), Work.HALF: ((Unit.FMA,), 4),
    Work.MATRIX: ((Unit.WARP,), 128), Work.INTEGER: ((Unit.ALU, Unit.IMUL), 1),
}  # fmt: skip


class Operations(StrEnum):
    """Name what a roofline counts, by its unit."""

    FLOATING = "FLOP"
    INTEGER = "integer operations"

    @property
    def kinds(self) -> tuple[Work, ...]:
        """Return the kinds of work that are counted."""
        return FLOATING if self == Operations.FLOATING else (Work.INTEGER,)


@dataclass(frozen=True)
class Roof:
    """A roof has the peaks of a device: 10^9 operations of a kind and 10^9 bytes a second. ``l2_gbps`` is None where
    the model has no limit for the L2."""

    device: str
    name: str
    kind: Work
    peak: float
    dram_gbps: float
    l2_gbps: float | None

    @classmethod
    def of(cls, device: Device, kind: Work) -> Roof:
        """Return the roof of a device for one kind of work."""
        units, most = UNITS[kind]
        pipes = SEPARATE_PIPE_OF_UNIT if device.separate_fma else PIPE_OF_UNIT
        rates = {pipes[unit]: 1 / device.issue_cycles[unit] for unit in reversed(units)}
        a_cycle = min(sum(rates.values()), device.dispatch_per_scheduler / device.issue_port_cycles)
        gigahertz = device.multiprocessors * device.clock_mhz / 1000
        l2 = SECTOR / device.l2_sector_cycles * gigahertz if device.l2_sector_cycles else None
        peak = gigahertz * device.schedulers * a_cycle * WARP * most
        return cls(device.key, device.name, kind, peak, device.dram_gbps, l2)

    def limits(self, dram: float | None, l2: float | None) -> dict[str, float]:
        """Return the rates that the pipe and each memory allow at so many operations per byte of it; ``None`` is no
        byte."""
        found = {"pipe": self.peak}
        if l2 is not None and self.l2_gbps is not None:
            found["L2"] = self.l2_gbps * l2
        if dram is not None:
            found["DRAM"] = self.dram_gbps * dram
        return found


@dataclass(frozen=True)
class RooflinePoint:
    """A point is one launch: ``rate`` in 10^9 operations a second, ``dram`` and ``l2`` in operations per byte that was
    moved from and to them, None where none was."""

    reading: Operations
    rate: float
    dram: float | None
    l2: float | None
    roof: Roof

    @property
    def bound(self) -> str:
        """Return which limit is the lowest there: "DRAM", "L2" or "pipe"."""
        limits = self.roof.limits(self.dram, self.l2)
        return min(limits, key=lambda name: limits[name])

    @property
    def share(self) -> float:
        """Return the rate as a part (0 to 1) of the lowest limit."""
        return self.rate / min(self.roof.limits(self.dram, self.l2).values())

    @property
    def owner(self) -> str:
        """Return whose limit the lowest one is, in words."""
        if self.bound != "pipe":
            return f"the {self.bound}'s"
        return "the integer-throughput roof" if self.roof.kind == Work.INTEGER else f"that of {NAMES[self.roof.kind]}"

    @property
    def sentence(self) -> str:
        """Return where the launch stands, as a sentence."""
        bytes_of = [
            f"{value:.3g} {self.reading} per byte of {name}"
            for name, value in (("DRAM", self.dram), ("the L2", self.l2))
            if value is not None
        ]
        return (
            f"Roofline: {' and '.join(bytes_of) or 'no byte was moved'}; {rate(self.rate, self.reading)} are "
            f"{percent(self.share)} of the lowest roof, which is {self.owner}."
        )


def roofline_point(
    device: Device, counters: Mapping[str, Value], reading: Operations = Operations.FLOATING
) -> RooflinePoint | None:
    """Return where a launch with these counters stands; None without a time or without operations of the reading.

    ``counters`` are those of a run with the engine "sm".
    """
    reading = instance(reading, Operations, "reading", "one of Operations")
    time, done = counters.get("time_us"), {kind: counters.get(KEYS[kind]) or 0 for kind in reading.kinds}
    total = sum(done.values())
    if not time or not total:
        return None
    dram, l2 = (total / moved if (moved := counters.get(key)) else None for key in ("dram_bytes", "l2_bytes"))
    most = max(done, key=lambda kind: done[kind])
    return RooflinePoint(reading, total / time / 1000, dram, l2, Roof.of(device, most))


def rate(giga: float, reading: Operations) -> str:
    """Write a rate of 10^9 operations a second."""
    unit = "FLOP/s" if reading == Operations.FLOATING else "IOP/s"
    thousands = 0 if giga < 999.5 else 1 if giga < 999.5e3 else 2
    return f"{giga / 1000**thousands:.3g} {'GTP'[thousands]}{unit}"


def percent(share: float) -> str:
    """Return a share with two figures, so that small ones are not nothing."""
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"
