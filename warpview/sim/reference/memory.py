"""Keep address spaces: their bounds, their faults, and which of their words have been written.

A ``Segment`` is one address space, or one thread's or block's share of it; addresses are offsets in it (for global
memory, the addresses themselves). Writing is remembered by the byte in shared and local memory, by the aligned 32-bit
word in global memory.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from warpview.isa.types import Space
from warpview.sim.launch import FindingKind, Party, RawFinding
from warpview.sim.memory import CONST_WINDOW, FIRST_ADDRESS, LOCAL_WINDOW, SHARED_WINDOW, DeviceMemory

# What a generic address may point into, in the order in which the parts of an access are carried out.
PARTS = (Space.GLOBAL, Space.SHARED, Space.LOCAL, Space.CONST)


def resolve(address: int) -> tuple[Space, int]:
    """Return the space that a generic address lies in and the address there. What is above all windows is global."""
    if SHARED_WINDOW <= address < LOCAL_WINDOW:
        return Space.SHARED, address - SHARED_WINDOW
    if LOCAL_WINDOW <= address < CONST_WINDOW:
        return Space.LOCAL, address - LOCAL_WINDOW
    if CONST_WINDOW <= address < 2 * CONST_WINDOW:
        return Space.CONST, address - CONST_WINDOW
    return Space.GLOBAL, address


@dataclass
class ChangeCount:
    """Count what changes the memory of a launch in any space: stores, atomics that leave another value, and warps that
    go on from a barrier or arrive at one."""

    count: int = 0


class Segment:
    """Hold bytes 0 to ``len(data) - 1``. ``written`` has an entry a ``grain`` of bytes; None where all is
    initialised."""

    read_only = False
    grain = 1

    def __init__(
        self, data: NDArray[np.uint8], written: NDArray[np.bool_] | None, changes: ChangeCount | None = None
    ) -> None:
        self.data = data
        self.changes = changes or ChangeCount()
        self.written = written
        # A few elements at a time are read and written faster than in arrays.
        self._bytes = data.data
        self._flags = None if written is None else written.view(np.uint8).data

    def holds(self, address: int, size: int) -> bool:
        return address + size <= len(self.data)

    def fault(self, address: int, size: int, writes: bool) -> FindingKind | None:
        """Return what forbids an access of ``size`` bytes, if anything."""
        if address % size:
            return FindingKind.MISALIGNED
        if not self.holds(address, size) or (writes and self.read_only):
            return FindingKind.OUT_OF_BOUNDS
        return None

    def initialised(self, address: int, size: int) -> bool:
        return self._flags is None or all(self._flags[self._grains(address, size)])

    def _grains(self, address: int, size: int) -> slice:
        """Return the entries of ``written`` that an access overlaps."""
        return slice(address // self.grain, (address + size - 1) // self.grain + 1)

    def read(self, address: int, size: int) -> int:
        return int.from_bytes(self._bytes[address : address + size], "little")

    def write(self, address: int, size: int, value: int) -> None:
        self.changes.count += value != self.read(address, size)
        self._bytes[address : address + size] = value.to_bytes(size, "little")
        if self._flags is not None:
            grains = self._grains(address, size)
            self._flags[grains] = b"\1" * (grains.stop - grains.start)


class ConstantSegment(Segment):
    """Hold the constant image of a program."""

    read_only = True

    def __init__(self, image: bytes) -> None:
        super().__init__(np.frombuffer(image, dtype=np.uint8), None)


class GlobalSegment(Segment):
    """Hold the allocations of a device; the address is the index into its arena."""

    grain = 4

    def __init__(self, memory: DeviceMemory) -> None:
        super().__init__(memory.data, memory.written)
        self._bases = [a.base for a in memory.allocations]
        self._ends = [a.end for a in memory.allocations]

    def holds(self, address: int, size: int) -> bool:
        k = bisect_right(self._bases, address) - 1
        return k >= 0 and address + size <= self._ends[k]

    def fault(self, address: int, size: int, writes: bool) -> FindingKind | None:
        return FindingKind.NULL_POINTER if address < FIRST_ADDRESS else super().fault(address, size, writes)


def scratch(size: int, changes: ChangeCount, own: int | None = None) -> Segment:
    """Return shared memory of a block or local memory of a thread: zero, and nothing written yet but what lies behind
    the first ``own`` bytes."""
    written = np.zeros(size, dtype=np.bool_)
    written[size if own is None else own :] = True
    return Segment(np.zeros(size, dtype=np.uint8), written, changes)


# ------------------------------------------------------------------------------------------------ findings


@dataclass
class FindingLog:
    """Collect findings in order of first occurrence; one for each kind and instruction, with the number of
    occurrences."""

    found: dict[tuple[FindingKind, int], RawFinding] = field(default_factory=dict)

    def report(self, kind: FindingKind, pc: int, block: int, thread: int, address: int = 0, space: int = 0,
               other: Party | None = None, value: int = 0) -> None:  # fmt: skip
        known = self.found.get((kind, pc))
        if known is None:
            self.found[kind, pc] = RawFinding(kind, pc, block, thread, address, space, value=value, other=other)
        else:
            self.found[kind, pc] = replace(known, count=known.count + 1)

    def listed(self) -> list[RawFinding]:
        return list(self.found.values())

    @property
    def occurrences(self) -> int:
        """Return how often anything was found."""
        return sum(finding.count for finding in self.found.values())
