"""Represent the log that the race check reads: accesses and synchronisation, one record each, in their order."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple


class LogKind(IntEnum):
    """A record of the log describes one of these events."""

    READ = 0
    WRITE = 1
    ATOMIC = 2
    FENCE = 3  # a memory fence; ``value`` is the mask of the lanes that executed it
    WARP_SYNC = 4  # a warp barrier or another ``_sync`` primitive; ``value`` is the mask of the lanes that met
    # A warp has arrived at the barrier whose number is ``address``, from BARRIERS_A_BLOCK on that of a cluster;
    # ``value`` as before.
    BARRIER_ARRIVED = 5
    BARRIER_LEFT = 6  # a warp goes on from such a barrier


class LogRecord(NamedTuple):
    """Record one event of one thread, or of several lanes of a warp (those that have a mask of lanes, where
    ``thread`` is the first of the warp). ``block`` is linear in the grid, ``thread`` linear in the block.

    ``address`` is the byte address in ``space`` (an isa.Space value), ``size`` the number of bytes, ``value`` the bit
    pattern read or written (of an atomic, its operand), ``home`` the block in whose shared memory it is: the thread's
    own, unless it accesses that of another block of its cluster. ``issue`` counts the instructions that the warp has
    issued, the one of the record included; ``epoch`` counts the block barriers that the block has passed.
    """

    kind: int
    block: int
    thread: int
    pc: int
    space: int
    address: int
    size: int
    value: int
    issue: int
    epoch: int
    home: int


LOG_FIELDS = LogRecord._fields


@dataclass
class LoggedAccesses:
    """Hold the records of a launch in order. ``complete`` is False where the log was full before the launch ended."""

    records: list[LogRecord] = field(default_factory=list)
    complete: bool = True
