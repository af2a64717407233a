"""Find the bytes of global memory that a launch reads, writes and updates by atomics."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.launch import Launch, Options
from warpview.sim.memory import DeviceMemory

Ranges = NDArray[np.int64]  # [n, 2]: begin and end in bytes, ascending, apart from one another
NO_RANGES: Ranges = np.zeros((0, 2), dtype=np.int64)


@dataclass(frozen=True)
class AccessRanges:
    """Hold the bytes that an operation reads, writes and updates by atomics; a byte may be in several of them."""

    reads: Ranges = field(default_factory=lambda: NO_RANGES)
    writes: Ranges = field(default_factory=lambda: NO_RANGES)
    atomics: Ranges = field(default_factory=lambda: NO_RANGES)

    def conflict(self, other: AccessRanges) -> int | None:
        """Return the first byte that both access, one of them writing, other than both by atomics; None if there is
        none."""
        pairs = (
            (self.writes, other.writes), (self.writes, other.reads), (self.writes, other.atomics),
            (self.reads, other.writes), (self.atomics, other.writes),
            (self.atomics, other.reads), (self.reads, other.atomics),
        )  # fmt: skip
        return min((at for a, b in pairs if (at := _first_common(a, b)) is not None), default=None)

    def joined(self, other: AccessRanges) -> AccessRanges:
        """Return what two operations access together."""
        pairs = (self.reads, other.reads), (self.writes, other.writes), (self.atomics, other.atomics)
        return AccessRanges(*(_union(a, b) for a, b in pairs))

    def outside(self, begin: int, end: int) -> AccessRanges:
        """Return what is accessed but the bytes from ``begin`` to before ``end``."""
        return AccessRanges(*(_outside(own, begin, end) for own in (self.reads, self.writes, self.atomics)))

    def includes(self, begin: int, end: int) -> bool:
        """Return whether the operation accesses any byte from ``begin`` to before ``end``."""
        asked = np.array([[begin, end]], dtype=np.int64)
        return any(_first_common(own, asked) is not None for own in (self.reads, self.writes, self.atomics))


def _first_common(a: Ranges, b: Ranges) -> int | None:
    """Return the first byte that lies in ranges of both."""
    if not len(a) or not len(b):
        return None
    following = np.searchsorted(b[:, 1], a[:, 0], side="right")  # the first of b that ends behind the begin of a
    inside = following < len(b)
    begins = b[np.where(inside, following, 0), 0]
    common = np.flatnonzero(inside & (begins < a[:, 1]))
    return int(max(a[common[0], 0], begins[common[0]])) if len(common) else None


def _union(a: Ranges, b: Ranges) -> Ranges:
    """Return the bytes of either."""
    both = np.concatenate([a, b])
    both = both[np.argsort(both[:, 0])]
    ends = np.maximum.accumulate(both[:, 1])
    begins = np.flatnonzero(np.r_[np.ones(min(1, len(both)), dtype=bool), both[1:, 0] > ends[:-1]])
    return np.stack([both[begins, 0], ends[np.r_[begins[1:] - 1, len(both) - 1][: len(begins)]]], axis=1)


def _outside(ranges: Ranges, begin: int, end: int) -> Ranges:
    parts = np.concatenate([np.minimum(ranges, begin), np.maximum(ranges, end)])
    return parts[parts[:, 0] < parts[:, 1]]


def launch_ranges(
    program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options
) -> tuple[AccessRanges, DeviceMemory] | None:
    """Execute a launch on a copy of ``memory``; return what it accesses of it, and the copy. None where that is too
    large to note."""
    # The engine is loaded at first use: a program that launches nothing does not wait for it.
    from warpview.sim.checks.race_check import RaceScreen
    from warpview.sim.engine import execution_of, warm_up
    from warpview.sim.jit.access_kinds import ATOMIC, READ, WRITE
    from warpview.sim.jit.machine import LaunchContext

    warm_up()
    chosen = replace(options, check=True, races=False)
    common = LaunchContext.of(program, device, launch, memory.copy(), chosen)
    execution = execution_of(common, np.arange(launch.n_blocks, dtype=np.int64), 1)
    screen = RaceScreen(program, common.memory, launch)
    screen.attach(execution.workers[0].machine)
    execution.execute()
    kinds = screen.kinds()
    if not len(kinds):
        return None
    found = (_ranges(np.flatnonzero(kinds & kind), screen.granule) for kind in (READ, WRITE, ATOMIC))
    return AccessRanges(*found), common.memory


def _ranges(granules: NDArray[np.int64], size: int) -> Ranges:
    """Return the ranges that granules of ``size`` bytes cover."""
    if not len(granules):
        return NO_RANGES
    last = np.flatnonzero(np.diff(granules) > 1)
    begins, ends = granules[np.r_[0, last + 1]], granules[np.r_[last, len(granules) - 1]] + 1
    return np.stack([begins, ends], axis=1) * size


def rectangle(address: int, pitch: int, width: int, height: int) -> Ranges:
    """Return the ranges of a rectangle of ``height`` rows of ``width`` bytes."""
    count = height if width < pitch else 1
    begins = address + pitch * np.arange(count, dtype=np.int64)
    return np.stack([begins, begins + (width if width < pitch else width * height)], axis=1)
