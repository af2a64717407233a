"""What a view is given: the machine after some number of steps, immutable.

Step ``k`` of a trace is the state after ``k`` warp instructions have been issued on the traced multiprocessor;
``Frame.event`` is the instruction issued last (None at step 0) and ``Frame.access`` what it did to memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag

import numpy as np
from numpy.typing import NDArray

from warpview.isa.types import Space
from warpview.sim.rules.access import GlobalAccess, SharedAccess


class Mark(IntFlag):
    """What an event is remarkable for; the history bar and the jump keys go by these."""

    NONE = 0
    BARRIER = 1
    DIVERGENCE = 2
    CONFLICT = 4
    UNCOALESCED = 8
    COLLISION = 16
    FINDING = 32
    BLOCK_START = 64
    BLOCK_END = 128


class Stall(IntEnum):
    """Why a resident warp did not issue in a cycle."""

    SELECTED = 0  # it did
    NOT_SELECTED = 1  # ready, but another warp was picked
    WAIT = 2  # fixed-latency result not ready yet
    MEMORY = 3  # long scoreboard: global or local data on its way
    SHARED = 4  # short scoreboard: shared memory, constant, SFU result
    BARRIER = 5
    THROTTLE = 6  # the unit or its queue is full
    RECONVERGE = 7  # paths of the warp wait for one another
    EXITED = 8
    EMPTY = 9


class LaneStatus(IntEnum):
    """How a lane stands at a step."""

    ACTIVE = 0
    DIVERGED = 1  # alive, but on another path
    BARRIER = 2
    EXITED = 3
    PREDICATED_OFF = 4  # on the path, its guard did not hold
    ABSENT = 5  # block not a multiple of 32


@dataclass(frozen=True)
class Event:
    """One issued warp instruction. ``mask`` the lanes of the path, ``on`` those whose guard held."""

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


@dataclass(frozen=True)
class Path:
    """One path of control of a warp: an entry of the reconvergence stack, or a split.

    ``waiting`` is empty when it can run, else 'reconvergence', 'barrier' or 'warpsync'.
    The stack lists its bottom first; its last entry is the running one.
    """

    pc: int
    mask: int
    reconvergence: int  # instruction index where it meets the others; NONE: the end of the kernel
    waiting: str = ""


@dataclass(frozen=True)
class WarpState:
    """A resident warp."""

    slot: int
    block: int
    warp: int
    pc: int  # instruction about to issue on the running path; NONE when all lanes have exited
    mask: int  # lanes of the running path
    exited: int  # lanes that have ended (and lanes beyond the block's size)
    at_barrier: int  # lanes waiting at a block barrier
    paths: tuple[Path, ...]
    stall: Stall
    lanes: tuple[LaneStatus, ...]  # 32 entries; for the warp that just issued: how the event saw them


@dataclass(frozen=True)
class SharedView:
    """Shared memory of a resident block: bytes, and which of them have been written."""

    block: int
    data: NDArray[np.uint8]
    written: NDArray[np.bool_]


@dataclass(frozen=True)
class LaneAddresses:
    """The addresses of the event's memory instruction: int64[32]; valid where the bit of ``mask`` is set."""

    space: Space
    address: NDArray[np.int64]
    mask: int
    width: int


@dataclass(frozen=True)
class Frame:
    """The traced multiprocessor after ``step`` issued instructions."""

    step: int
    cycle: int
    event: Event | None
    warps: tuple[WarpState, ...]
    counts: NDArray[np.int64]  # raw counts so far [n_instructions, N_RAW] of the traced multiprocessor
    addresses: LaneAddresses | None
    access: GlobalAccess | SharedAccess | None
    shared: tuple[SharedView, ...]
    registers32: NDArray[np.uint32]  # of all resident warps [slot, row, 32]
    registers64: NDArray[np.uint64]
