"""Define the input and output of a simulation, the same for every engine."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.native import DRIVER_SHARED_BYTES
from warpview.isa.ops import CLUSTER_BARRIERS
from warpview.isa.program import Program
from warpview.sim.memory import DeviceMemory

Dim3 = tuple[int, int, int]
# Instructions of a warp between two looks at whether it goes in circles (reference/livelock.py): a multiple of the
# lengths of most circles.
LOOK_EVERY = 840
LONGEST_RUN = 1 << 16  # instructions of a warp in the profile engine, after which the others of its block go on
# How often the others of its block go on in the profile engine while a warp stays at an instruction that waits for a
# barrier in shared memory; after that it tells that the barrier's phase is not over, as on hardware after some time.
LONGEST_WAIT = 1 << 8


def coordinates(linear: int, extent: Dim3) -> Dim3:
    """Return the coordinates of a block or thread with a linear index, x fastest."""
    return linear % extent[0], linear // extent[0] % extent[1], linear // (extent[0] * extent[1])


def linear_index(place: Sequence[int], extent: Sequence[int]) -> int:
    """Return the linear index of a block or thread at these coordinates, x fastest."""
    return int((place[2] * extent[1] + place[1]) * extent[0] + place[0])


class FindingKind(IntEnum):
    """A finding is an error of one of these kinds in a running kernel; ``words`` are what the user reads."""

    words: str

    def __new__(cls, value: int, words: str) -> FindingKind:
        kind = int.__new__(cls, value)
        kind._value_, kind.words = value, words
        return kind

    OUT_OF_BOUNDS = 0, "out of bounds"
    MISALIGNED = 1, "misaligned access"
    NULL_POINTER = 2, "null pointer"
    UNINITIALISED = 3, "uninitialised read"
    RACE = 4, "race"  # two threads access one byte, not ordered by synchronisation, one of them writing; see sim/checks
    BARRIER = 5, "barrier cannot complete"  # a barrier that can never complete
    ENDLESS = 6, "endless loop"  # a warp goes in circles (value 1), or its step budget is used up (0)
    ASSERTION = 7, "assertion"
    INACTIVE_LANE = 8, "inactive lane"  # a shuffle read a lane that does not take part
    DEADLOCK = 9, "deadlock"  # paths of a warp wait for one another for ever
    SAME_VALUE_RACE = 10, "same-value race"  # two threads write the same value, not ordered
    LOCKSTEP = 11, "relies on lockstep"  # lanes of a warp are ordered only by lockstep, which later devices lack
    DIVERGENT_BARRIER = 12, "divergent barrier"  # threads are at different block barriers, or not all lanes at one
    EXITED_BEFORE_BARRIER = 13, "exit before barrier"  # threads of the block have exited before a block barrier
    MEMBER_MASK = 14, "member mask"  # the mask names lanes that do not take part, or leaves out the caller
    WRONG_RESULT = 15, "wrong result"  # an element is not as it was expected; the engines do not report it
    NEVER_WRITTEN = 16, "never written"  # as WRONG_RESULT, where no thread wrote the element
    INTEGER_OVERFLOW = 17, "integer overflow"  # a signed integer that addresses are computed from overflows
    SHIFT = 18, "shift out of range"  # a shift by at least the width of the value, or by less than 0
    DIVISION_BY_ZERO = 19, "division by zero"  # of integers
    BARRIER_COUNT = 20, "barrier count"  # a barrier waits for threads that cannot all come, or has no such number


BARRIER_NUMBER_SHIFT = 32  # the place of a barrier's number in ``value``, above how many threads it waits for

RACE_KINDS = frozenset({FindingKind.RACE, FindingKind.SAME_VALUE_RACE, FindingKind.LOCKSTEP})


@dataclass(frozen=True)
class Party:
    """Describe the other thread that a finding is about: ``block`` and ``thread`` linear, ``value`` the bit pattern
    that it read or wrote, ``issue`` how many instructions its warp had issued before; -1 where that is not known."""

    pc: int
    block: int
    thread: int
    address: int = 0
    value: int = 0
    issue: int = -1


@dataclass(frozen=True)
class RawFinding:
    """Hold a finding as an engine reports it. ``block`` linear, ``thread`` linear in the block, ``address`` a byte
    address in ``space`` (an isa.Space value); of MEMBER_MASK the mask. Of a barrier with a number ``value`` has the
    number from BARRIER_NUMBER_SHIFT on, and below it the threads that it waits for; ``address`` is then the threads
    that have come (BARRIER), or those that the other thread waits for (BARRIER_COUNT, with ``other``).
    At most one per (kind, pc) is kept; ``count`` says how often.

    Of a race: ``value`` the bit pattern read or written, ``issue`` the number of instructions that the warp had issued
    before, ``other`` the earlier access, ``elements`` the first few of the ``n_elements`` addresses it happened on,
    ``home`` the block in whose shared memory they are.
    """

    kind: FindingKind
    pc: int
    block: int
    thread: int
    address: int
    space: int
    count: int = 1
    value: int = 0
    issue: int = -1
    other: Party | None = None
    elements: tuple[int, ...] = ()
    n_elements: int = 0
    home: int = -1

    @property
    def is_race(self) -> bool:
        return self.kind in RACE_KINDS


@dataclass(frozen=True)
class Launch:
    """Describe a launch of a program. ``uniform32``/``uniform64`` hold the bit patterns of the uniform rows
    (parameters, constants, ntid, nctaid) indexed by row, of length first_virtual32/first_virtual64; tid, laneid, warpid
    and ctaid rows are filled by the engine."""

    grid: Dim3
    block: Dim3
    dynamic_shared_bytes: int
    uniform32: NDArray[np.uint32]
    uniform64: NDArray[np.uint64]
    cluster: Dim3 = (1, 1, 1)  # blocks, of which the grid has a multiple in each direction
    multiprocessors: int = 1  # of the device
    number: int = 1  # among those that share a memory, as a driver counts those of a process

    @property
    def n_blocks(self) -> int:
        return math.prod(self.grid)

    @property
    def threads(self) -> int:
        return math.prod(self.block)

    @property
    def warps(self) -> int:
        """Return warps per block."""
        return -(-self.threads // 32)

    @property
    def cluster_blocks(self) -> int:
        return math.prod(self.cluster)

    def clusters(self) -> NDArray[np.int64]:
        """Return the blocks of each cluster by rank: int64[clusters, blocks]."""
        x, y, z = self.grid
        cx, cy, cz = self.cluster
        blocks = np.arange(self.n_blocks, dtype=np.int64).reshape(z // cz, cz, y // cy, cy, x // cx, cx)
        return blocks.transpose(0, 2, 4, 1, 3, 5).reshape(-1, self.cluster_blocks)

    def position(self, block: int) -> int:
        """Return the place of a block in the list of all clusters' blocks: its cluster and its rank in one number."""
        place = coordinates(block, self.grid)
        within = [p % c for p, c in zip(place, self.cluster, strict=True)]
        outside = [p // c for p, c in zip(place, self.cluster, strict=True)]
        counts = [g // c for g, c in zip(self.grid, self.cluster, strict=True)]
        return linear_index(outside, counts) * self.cluster_blocks + linear_index(within, self.cluster)

    def cluster_of(self, block: int) -> list[int]:
        """Return the blocks of the cluster of a block, by rank."""
        first = [p - p % c for p, c in zip(coordinates(block, self.grid), self.cluster, strict=True)]
        within = (coordinates(rank, self.cluster) for rank in range(self.cluster_blocks))
        return [linear_index([a + b for a, b in zip(first, place, strict=True)], self.grid) for place in within]

    def rank(self, block: int) -> int:
        """Return the rank of a block in its cluster, x fastest."""
        return self.position(block) % self.cluster_blocks


def driver_shared_start(program: Program, dynamic_bytes: int) -> int:
    """Return where the driver's own shared memory begins within a block's: behind the kernel's."""
    return -(-(program.static_shared_bytes + dynamic_bytes) // 16) * 16


def shared_memory_bytes(program: Program, launch: Launch) -> int:
    """Return the bytes of shared memory that the threads of a block may access: the kernel's, and the driver's own
    where the kernel asks for it."""
    if program.native is None or program.native.driver_shared_place is None:
        return program.static_shared_bytes + launch.dynamic_shared_bytes
    return driver_shared_start(program, launch.dynamic_shared_bytes) + DRIVER_SHARED_BYTES


def runs_in_clusters(program: Program, launch: Launch) -> bool:
    """Return whether the blocks of a launch wait for, or access, the others of their cluster."""
    return launch.cluster_blocks > 1 or any(i.op in CLUSTER_BARRIERS for i in program.instructions)


def masks_need_convergence(program: Program, device: Device) -> bool:
    """Return whether the lanes that a mask names must execute a primitive together: where the lanes of a warp run in
    lockstep, unless the kernel has primitives without a mask, which take all lanes that execute them and ended with
    compute capability 6.x."""
    return device.divergence == "stack" and program.last_capability >= (7, 0)


def waits_for_blocks(program: Program, launch: Launch) -> bool:
    """Return whether blocks of a launch wait for others: of the whole grid, or of their cluster."""
    return program.synchronises_grid or runs_in_clusters(program, launch)


class Cancelled(Exception):
    """The caller's progress callback has asked to stop."""


@dataclass(frozen=True)
class Options:
    """Hold the options of a simulation. ``progress(done, total)`` is called now and then from the calling thread and
    returns False to cancel; ``threads`` 0 means all cores; ``step_budget`` is warp instructions a warp; ``sample`` is
    the share of the blocks that are executed, and ``too_long(seconds)``, asked about a launch of more than ten seconds,
    returns such a share or raises Cancelled (sim/estimate/sampling.py)."""

    check: bool = True
    races: bool = True  # look for races as well, where ``check`` is set
    source_checks: bool = False  # where ``check`` is set: bounds of variables in a space, integer traps, who waits
    follow_undefined: bool = False  # report undefined values where they matter and not where they are read
    threads: int = 0
    step_budget: int = 20_000_000
    progress: Callable[[int, int], bool] | None = None
    sample: float = 1.0
    too_long: Callable[[float], float] | None = None
    cache_global_in_l1: bool = True  # CC 2.x, 3.x: -dlcm=ca against -dlcm=cg


# A call of printf: the index in ``Program.prints``, block, thread, and the values of the arguments, strings as texts.
Printed = tuple[int, int, int, tuple[int | float | str, ...]]
PRINTED_KEPT = 4096  # of a launch


@dataclass
class Outcome:
    """Hold the result of one launch. ``counts`` int64[n_instructions, N_RAW] over the whole grid."""

    counts: NDArray[np.int64]
    findings: list[RawFinding]
    memory: DeviceMemory
    aborted: bool = False  # ended early by a finding of kind BARRIER, ENDLESS, DEADLOCK or ASSERTION
    printed: list[Printed] = field(default_factory=list)
    """printf calls in order; at most 4096 kept"""
    sample: float = 1.0  # share of the blocks that were executed; ``counts`` are scaled to all of them
    # For tests: final registers of the last block executed, [warp, row, 32].
    registers32: NDArray[np.uint32] | None = None
    registers64: NDArray[np.uint64] | None = None
