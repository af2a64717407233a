"""Represent the report of the cycle-level engine on one multiprocessor: an event for each issued warp instruction, the
reasons why warps waited, and totals. Everything is a numpy array or a number, so that recording costs little."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from enum import IntEnum, IntFlag, StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Mark(IntFlag):
    """A mark says why an event is remarkable; the history bar and the jump keys go by marks."""

    NONE = 0
    BARRIER = 1
    DIVERGENCE = 2
    CONFLICT = 4
    UNCOALESCED = 8
    COLLISION = 16
    FINDING = 32
    BLOCK_START = 64
    BLOCK_END = 128


class Free(IntEnum):
    """Tell which instructions take no time."""

    NEVER = 0
    FOLDED = 1  # but in the last of the trips of an unrolled loop that are written one after the other
    PREDICATED = 2  # though what they need is waited for
    ABSORBED = 3  # another instruction does what it does: its result is there when its operands are


class Stall(IntEnum):
    """A stall is the reason why a resident warp did not issue in a cycle; names as in Nsight Compute, which has no
    RECONVERGENCE (Kernel Profiling Guide, "Warp Stall Reasons")."""

    SELECTED = 0  # it did issue
    NOT_SELECTED = 1  # it was ready, but another warp was picked
    WAIT = 2  # a result of fixed latency is not there yet
    LONG_SCOREBOARD = 3  # data of global or local memory are not there yet
    SHORT_SCOREBOARD = 4  # data of shared or constant memory, a special function or another lane are not there yet
    BARRIER = 5
    MEMBAR = 6  # a fence waits until what was stored before can be seen
    MATH_PIPE_THROTTLE = 7  # the arithmetic unit is busy
    MIO_THROTTLE = 8  # the queue of shared memory and special functions is full
    LG_THROTTLE = 9  # the queue of global and local memory is full
    RECONVERGENCE = 10  # paths of the warp wait for one another
    NO_INSTRUCTION = 11  # the instruction is not in the instruction cache yet
    EXITED = 12
    EMPTY = 13  # there is no warp in the slot


N_STALL = len(Stall)


class Inefficiency(StrEnum):
    """Name the costs that the cycle-level engine can leave out, to find what they are worth."""

    UNCOALESCED = "uncoalesced accesses"
    CONFLICTS = "conflicts in shared and constant memory"
    BANDWIDTH = "the bandwidth of DRAM and L2"
    LATENCY = "the latency of DRAM and L2"
    BARRIERS = "the cost of barriers"
    ATOMICS = "contention of atomics"
    DISTRIBUTED = "the cost of accesses to other blocks' shared memory"
    STARTS = "the time that blocks take to start"


class MemoryBusy(NamedTuple):
    """Hold the cycles for which accesses kept parts of the memory system busy: the wavefronts of shared memory, the
    lines of the first-level cache, the multiprocessor's share of the L2, of DRAM and of the units for atomics, and what
    it moves to and from the shared memory of other blocks."""

    shared: int = 0
    l1: int = 0
    l2: int = 0
    dram: int = 0
    atomics: int = 0
    distributed: int = 0

    def in_cycles(self, fraction: int) -> MemoryBusy:
        """Return these cycles where those of all but the multiprocessor's own memory are counted in 1/``fraction``."""
        return self._replace(
            **{name: getattr(self, name) // fraction for name in ("l2", "dram", "atomics", "distributed")}
        )


class MemoryTraffic(NamedTuple):
    """Count the sectors of 32 bytes that accesses looked up in the first-level cache and in the L2, and those that were
    there. Stores are looked up too, as Nsight Compute counts them; a store always hits in the L2. ``l2_shared`` of the
    hits are of sectors that another multiprocessor brought in, ``l2_stored`` are stores."""

    l1_sectors: int = 0
    l1_hits: int = 0
    l2_sectors: int = 0
    l2_hits: int = 0
    l2_shared: int = 0
    l2_stored: int = 0

    @property
    def l1_hit_rate(self) -> float | None:
        """Return the sectors that hit in the first-level cache, as a part (0 to 1) of those looked up; None without
        any."""
        return self.l1_hits / self.l1_sectors if self.l1_sectors else None

    def l2_hit_rate(self, parts: int) -> float | None:
        """Return the hit rate of an L2 of ``parts``, each of which keeps what its multiprocessors read, as Nsight
        Compute counts it: of what multiprocessors and parts ask for.

        A sector belongs to one part. What another part asks for is looked up in both, so that stores and misses count
        there again. What several parts read is missed in each; a part that asks first for a sector of another one
        misses it in both, and the later ones find it there.
        """
        if not self.l2_sectors:
            return None
        elsewhere = (parts - 1) / parts
        missed, several = self.l2_sectors - self.l2_hits, self._read_by_several(parts)
        misses = (missed - several) * (1 + elsewhere) + several * parts
        hits = self.l2_hits + self.l2_stored * elsewhere
        return hits / (hits + misses)

    def l2_access_hit_rate(self, parts: int) -> float | None:
        """Return the hit rate of what multiprocessors ask for, each its own part; None without such an access."""
        if not self.l2_sectors:
            return None
        found_elsewhere = self._read_by_several(parts) * (parts - 1) / parts
        return (self.l2_hits - found_elsewhere) / self.l2_sectors

    def _read_by_several(self, parts: int) -> float:
        """Return how many of the sectors that were missed other parts read, too: each further access to one comes from
        any part."""
        missed = self.l2_sectors - self.l2_hits
        further = self.l2_shared / missed if missed else 0.0
        return missed * (1 - math.exp(-further * (parts - 1) / parts))


@dataclass(frozen=True)
class Events:
    """Hold issued warp instructions in order, one row each (event ``i`` leads to step ``i + 1``).

    Before its issue in ``cycle`` the warp waited for the reason ``wait`` (a Stall) up to ``ready``, then for its unit
    or queue up to ``free`` (``throttle``, a Stall), then for its turn (NOT_SELECTED); each of these spans may be empty,
    ``since`` is where they begin. ``units`` counts the wavefronts or transactions of a memory access. On a device with
    an L2, ``l1_sectors`` are the sectors of 32 bytes that an access looked up in a first-level cache, ``l1_hits`` those
    that were there, ``l2_sectors`` those that passed between it and the L2, and ``dram_sectors`` those that the L2 then
    read from DRAM or could not keep.
    """

    cycle: NDArray[np.int64]
    since: NDArray[np.int64]
    ready: NDArray[np.int64]
    free: NDArray[np.int64]
    slot: NDArray[np.int16]
    block: NDArray[np.int32]
    warp: NDArray[np.int16]
    pc: NDArray[np.int32]
    mask: NDArray[np.uint32]
    on: NDArray[np.uint32]
    taken: NDArray[np.uint32]
    marks: NDArray[np.uint16]
    units: NDArray[np.uint16]
    scheduler: NDArray[np.uint8]
    wait: NDArray[np.uint8]
    throttle: NDArray[np.uint8]
    l1_sectors: NDArray[np.uint8]
    l1_hits: NDArray[np.uint8]
    l2_sectors: NDArray[np.uint16]
    dram_sectors: NDArray[np.uint16]

    @classmethod
    def empty(cls, capacity: int) -> Events:
        """Return room for ``capacity`` events, all of it 0, so that room never written to takes no memory."""
        return cls(**{name: np.zeros(capacity, dtype=dtype) for name, dtype in EVENT_COLUMNS.items()})

    def __len__(self) -> int:
        return len(self.cycle)

    def first(self, count: int) -> Events:
        """Return the first ``count`` rows, without a copy: room never written to takes no memory."""
        return Events(**{f.name: getattr(self, f.name)[:count] for f in fields(self)})

    @property
    def nbytes(self) -> int:
        return sum(int(getattr(self, f.name).nbytes) for f in fields(self))


EVENT_COLUMNS: dict[str, type[np.generic]] = {
    "cycle": np.int64,
    "since": np.int64,
    "ready": np.int64,
    "free": np.int64,
    "slot": np.int16,
    "block": np.int32,
    "warp": np.int16,
    "pc": np.int32,
    "mask": np.uint32,
    "on": np.uint32,
    "taken": np.uint32,
    "marks": np.uint16,
    "units": np.uint16,
    "scheduler": np.uint8,
    "wait": np.uint8,
    "throttle": np.uint8,
    "l1_sectors": np.uint8,
    "l1_hits": np.uint8,
    "l2_sectors": np.uint16,
    "dram_sectors": np.uint16,
}


EVENT_BYTES = sum(np.dtype(kind).itemsize for kind in EVENT_COLUMNS.values())
HISTORY_BYTES = 384 << 20  # unless said otherwise: two of them leave room for the rest in a gigabyte


@dataclass(frozen=True)
class Residency:
    """Describe a block's stay on the multiprocessor: cycles [start, end) in the warp slots from ``first_slot``."""

    block: int
    first_slot: int
    start: int
    end: int


@dataclass(frozen=True)
class SmOptions:
    """Hold the options of the cycle-level engine. ``registers_per_thread`` and ``shared_bytes`` (of a block) override
    the program's own for occupancy, and for what the L1 has; ``block_limit`` runs only so many of the multiprocessor's
    blocks cycle by cycle (the time is extrapolated); with ``estimate`` only a sample of them is, and no other block of
    the grid: what the launch computes is not there afterwards; ``history_limit`` bounds the events recorded and
    ``history_bytes`` all that the history takes: events, states, and a copy of global memory with its changes. Of a
    launch whose global memory alone is larger nothing is recorded. ``without`` are left out of the costs."""

    multiprocessor: int = 0
    registers_per_thread: int | None = None
    shared_bytes: int | None = None
    block_limit: int | None = None
    estimate: bool = False
    record: bool = True
    history_limit: int = 1_000_000
    history_bytes: int = HISTORY_BYTES
    without: frozenset[Inefficiency] = frozenset()


@dataclass(frozen=True)
class SmResult:
    """Hold the results of one multiprocessor's run. ``counts`` int64[n_instructions, N_RAW]; ``stalls``
    int64[schedulers, N_STALL] in warp cycles of the ``resident_blocks`` x ``warps_per_block`` slots in use; ``time_us``
    of the whole launch, extrapolated from this multiprocessor; ``max_warps`` is what the multiprocessor can hold;
    ``waited`` int64[n_instructions] the warp cycles up to the issue of each instruction since the one before, but for
    those in which other warps had the arithmetic unit or were picked;
    ``free_issues`` int64[n_instructions] the issues that took no time, as the compiler has the instruction in another
    trip of an unrolled loop alone;
    ``partition_camping`` the mean of contention.py's, None where addresses are hashed; ``dram_sectors`` what no cache
    held, 32 bytes each."""

    cycles: int
    time_us: float
    issued: int
    blocks_run: int
    resident_blocks: int
    warps_per_block: int
    max_warps: int
    counts: NDArray[np.int64]
    stalls: NDArray[np.int64]
    waited: NDArray[np.int64]
    free_issues: NDArray[np.int64]
    busy: MemoryBusy
    traffic: MemoryTraffic
    residency: tuple[Residency, ...] = field(default=())
    partition_camping: float | None = None
    dram_sectors: int = 0
    time_error_us: float | None = 0.0
    """sampling error of ``time_us``, see ``timing.EstimatedTime``"""
    draining: int = 0
    """warp cycles from the end of warps until their stores had left the multiprocessor"""
    active_cycles: int = 0
    """``cycles``, and those until the last of these stores had"""
    one_less: float = 0.0
    """how many multiprocessors have one block less, for each that has as many blocks as this one"""

    @property
    def ipc(self) -> float:
        """Return the warp instructions issued a cycle."""
        return self.issued / self.cycles if self.cycles else 0.0

    @property
    def resident_warp_cycles(self) -> int:
        """Return the warp cycles with a warp that had not ended: what achieved occupancy is the mean of."""
        idle = self.stalls[:, Stall.EXITED].sum() + self.stalls[:, Stall.EMPTY].sum()
        return int(self.stalls.sum() - idle)

    @property
    def achieved_occupancy(self) -> float:
        """Return the mean number of warps that had not ended, or whose stores had not left, as a part (0 to 1) of those
        that a multiprocessor can hold: in the mean of those that have as many blocks as this one or one less, which
        are taken to run as its blocks do but for the last one."""
        warp_cycles = float(self.resident_warp_cycles + self.draining)
        cycles = float(max(self.cycles, self.active_cycles))
        stays = sorted(self.residency, key=lambda stay: stay.start)
        if self.one_less and len(stays) > 1:
            stayed = [stay.end - stay.start for stay in stays]
            warp_cycles *= 1 + self.one_less * sum(stayed[:-1]) / max(1, sum(stayed))
            cycles *= 1 + self.one_less * max(stay.end for stay in stays[:-1]) / max(1, *(stay.end for stay in stays))
        return min(1.0, warp_cycles / cycles / self.max_warps) if cycles else 0.0
