"""Define the frame, which is all that a view is given: the machine after some number of steps, immutable.

Step ``k`` of a trace is the state after ``k`` warp instructions have been issued on the traced multiprocessor;
``Frame.event`` is the instruction issued last (None at step 0) and ``Frame.access`` what it did to memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from warpview.isa.types import Space
from warpview.sim.history.events import Mark, Stall
from warpview.sim.memory import Allocation
from warpview.sim.rules.access import GlobalAccess, SharedAccess
from warpview.trace.suppressed_lanes import SuppressedLanes
from warpview.trace.words import counted

__all__ = [
    "ControlPath",
    "Event",
    "Frame",
    "LaneAddresses",
    "LaneStatus",
    "LevelTraffic",
    "Mark",
    "PreviousState",
    "SharedView",
    "Stall",
    "WarpState",
]


class LaneStatus(IntEnum):
    """A lane's status is its state at a step."""

    __hash__ = int.__hash__  # by far the faster: tuples of 32 are looked up for every warp of every frame

    ACTIVE = 0
    DIVERGED = 1  # alive, but on another path
    BARRIER = 2
    EXITED = 3
    PREDICATED_OFF = 4  # on the path, its guard did not hold
    ABSENT = 5  # block not a multiple of 32


class LevelTraffic(NamedTuple):
    """Count the sectors of 32 bytes that an access moved through the caches, as ``sim.events.Events`` has them; all are
    0 on a device without an L2."""

    l1_sectors: int = 0
    l1_hits: int = 0
    l2_sectors: int = 0
    dram_sectors: int = 0

    def words(self, kind: str) -> str:
        """Return which level served an access of this kind ("load", "store", "atomic"); "" where that is not known.

        A store that hits in the L1 goes to the L2 all the same; what an atomic misses in the L2 comes from DRAM.
        """
        said = []
        if kind == "load" and self.dram_sectors >= self.l2_sectors > 0:  # all missed, more may be fetched
            hits = f"{self.l1_hits} of {counted(self.l1_sectors, 'sector')} hit in L1, the others missed L2"
            missed = hits if self.l1_hits else "missed L1 and L2" if self.l1_sectors else "missed L2"
            return f"{missed}; DRAM delivered {32 * self.dram_sectors} B"
        if self.l1_sectors and kind == "load":
            said.append(f"{self.l1_hits} of {counted(self.l1_sectors, 'sector')} hit in L1")
        if self.l2_sectors:
            l2 = str(self.l2_sectors) if said else counted(self.l2_sectors, "sector")
            dram = "to DRAM" if kind == "store" else "from DRAM"
            said += [f"{l2} {'from' if kind == 'load' else 'to'} L2", f"{self.dram_sectors or 'none'} {dram}"]
        return ", ".join(said)


NO_TRAFFIC = LevelTraffic()


@dataclass(frozen=True)
class Event:
    """Describe one issued warp instruction. ``mask`` the lanes of the path, ``on`` those whose guard held."""

    step: int  # 1-based: the step that this event leads to
    cycle: int
    scheduler: int
    slot: int  # warp slot of the multiprocessor
    block: int  # linear block index in the grid
    warp: int  # warp index in the block
    pc: int
    mask: int
    on: int
    marks: Mark
    taken: int = 0  # BRA: lanes that took it
    traffic: LevelTraffic = NO_TRAFFIC


@dataclass(frozen=True)
class ControlPath:
    """Describe one path of control of a warp: an entry of the reconvergence stack, or a split.

    ``waiting`` is empty when it can run, else 'reconvergence', 'barrier' or 'warpsync'.
    The stack lists its bottom first; its last entry is the running one.
    """

    pc: int
    mask: int
    reconvergence: int  # instruction index where it meets the others; NONE: the end of the kernel
    waiting: str = ""


class WarpState(Struct, frozen=True, gc=False):
    """Describe a resident warp. A frame has up to 64 of them, too many to be walked by the garbage collector."""

    slot: int
    block: int
    warp: int
    pc: int  # instruction about to issue on the running path; NONE when all lanes have exited
    mask: int  # lanes of the running path
    exited: int  # lanes that have ended (and lanes beyond the block's size)
    at_barrier: int  # lanes waiting at a block barrier
    paths: tuple[ControlPath, ...]
    stall: Stall
    lanes: tuple[LaneStatus, ...]  # 32 entries; for the warp that just issued: how the event saw them


class SharedView(Struct, frozen=True, gc=False, eq=False):
    """Show shared memory of a resident block: bytes, and which of them have been written."""

    block: int
    data: NDArray[np.uint8]
    written: NDArray[np.bool_]


@dataclass(frozen=True)
class LaneAddresses:
    """Hold the addresses of the event's memory instruction: int64[32]; valid where the bit of ``mask`` is set.

    Those of shared memory lie in that of ``block``, where it is another one of the cluster than the event's. Lanes of
    ``elsewhere`` access the shared memory of still other blocks. The lowest address in global memory lies in
    ``allocation``.
    """

    space: Space
    address: NDArray[np.int64]
    mask: int
    width: int
    block: int | None = None
    elsewhere: int = 0
    allocation: Allocation | None = None

    @property
    def whose(self) -> str:
        """Return in words in which other blocks of the cluster the shared memory lies; "" where it is the own."""
        if self.block is not None:
            return f"in block {self.block}"
        return f"{counted(self.elsewhere.bit_count(), 'lane')} in other blocks" if self.elsewhere else ""


@dataclass(frozen=True)
class PreviousState:
    """Hold the state that a step changes, as it was one step earlier: raw counts and registers, as in a frame."""

    blocks: tuple[int, ...]  # by block slot; -1 where there has been none
    counts: NDArray[np.int64]
    registers32: NDArray[np.uint32]
    registers64: NDArray[np.uint64]


@dataclass(frozen=True)
class Frame:
    """Show the traced multiprocessor after ``step`` issued instructions."""

    step: int
    cycle: int
    event: Event | None
    warps: tuple[WarpState, ...]
    counts: NDArray[np.int64]  # raw counts so far [n_instructions, N_RAW] of the traced multiprocessor
    addresses: LaneAddresses | None
    access: GlobalAccess | SharedAccess | None  # of the lanes whose access no fault has suppressed
    shared: tuple[SharedView, ...]
    registers32: NDArray[np.uint32]  # of all resident warps [slot, row, 32]
    registers64: NDArray[np.uint64]
    previous: PreviousState | None  # None at step 0
    coming: tuple[int, int] | None = None  # at step 0: block and warp of the first event
    suppressed: SuppressedLanes | None = None  # the lanes whose access a fault has suppressed
    cluster: tuple[int, ...] = ()  # the blocks of the event's cluster, by rank; none at step 0

    @property
    def served(self) -> int:
        """Return the lanes of the step's access, without those that a fault has suppressed."""
        missed = 0 if self.suppressed is None else self.suppressed.lanes
        return 0 if self.addresses is None else self.addresses.mask & ~missed

    @cached_property
    def nbytes(self) -> int:
        """Return the bytes of its arrays."""
        states: list[Frame | PreviousState] = [self] if self.previous is None else [self, self.previous]
        held = sum(of.counts.nbytes + of.registers32.nbytes + of.registers64.nbytes for of in states)
        return int(held + sum(view.data.nbytes + view.written.nbytes for view in self.shared))
