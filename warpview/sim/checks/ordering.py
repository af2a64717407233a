"""Decide which accesses synchronisation has ordered: happens-before, from a launch's log of accesses and fences.

A thread knows of another's accesses up to some point. Knowledge is passed on

- within a block, at each block barrier;
- at a barrier with a number, from the warps that have arrived to those that wait there;
- within a warp, at each ``__syncwarp`` or other ``_sync`` primitive, among the lanes that met there;
- from a thread that executes a fence and afterwards an atomic (or, in global memory, a volatile store) to every thread
  that later performs an atomic, or a volatile load, on the same word. This is the release and acquire pattern of the
  PTX memory model, except that no fence is asked of the reader: the last-block pattern of the CUDA samples has none.

A fence of the block scope passes knowledge on within its block only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from warpview.isa.modes import BARRIERS_A_BLOCK
from warpview.isa.types import Space
from warpview.sim.checks.access_log import LogRecord

LANES = 32
Warp = tuple[int, int]  # a block and a warp of it
_NEVER = np.zeros(LANES, dtype=np.int64)


@dataclass(frozen=True)
class Knowledge:
    """Hold the positions up to which the accesses of others come before the next access of a thread. Threads share
    instances.

    ``barriers`` has for a block the number of block barriers before the last of which all its accesses are known,
    ``issues`` for a warp int64[lane]: the number of instructions issued up to which a lane's accesses are known.
    """

    barriers: Mapping[int, int] = field(default_factory=dict)
    issues: Mapping[Warp, NDArray[np.int64]] = field(default_factory=dict)

    @cached_property
    def blocks(self) -> frozenset[int]:
        """Return the blocks of which anything is known."""
        return frozenset(self.barriers) | {block for block, _ in self.issues}

    def __bool__(self) -> bool:
        return bool(self.barriers or self.issues)

    def includes(self, access: LogRecord) -> bool:
        """Return whether an access is known."""
        if self.barriers.get(access.block, 0) > access.epoch:
            return True
        issues = self.issues.get((access.block, access.thread // LANES))
        return issues is not None and bool(issues[access.thread % LANES] >= access.issue)

    def and_issued(self, warp: Warp, lanes: Sequence[int], issue: int) -> Knowledge:
        """Return this knowledge with the accesses of some lanes of a warp up to an instruction."""
        issues = self.issues.get(warp, _NEVER).copy()
        issues[lanes] = issue
        return Knowledge(self.barriers, {**self.issues, warp: issues})

    def __len__(self) -> int:
        return len(self.barriers) + len(self.issues)


NOTHING = Knowledge()


def joined(parts: Iterable[Knowledge]) -> Knowledge:
    """Return what several parts of knowledge have together."""
    distinct = list({id(part): part for part in parts if part}.values())
    if len(distinct) <= 1:
        return distinct[0] if distinct else NOTHING
    barriers, issues = dict(distinct[0].barriers), dict(distinct[0].issues)
    for part in distinct[1:]:
        for block, passed in part.barriers.items():
            barriers[block] = max(barriers.get(block, 0), passed)
        for warp, row in part.issues.items():
            known = issues.get(warp)
            issues[warp] = row if known is None or known is row else np.maximum(known, row)
    return Knowledge(barriers, issues)


@dataclass(frozen=True)
class _Fences:
    """Hold what a thread publishes with its next atomic: what it knew at its last fence, by the scope of the fence."""

    block: Knowledge = NOTHING
    device: Knowledge = NOTHING

    @staticmethod
    def joined(parts: Iterable[_Fences]) -> _Fences:
        distinct = list({id(part): part for part in parts}.values())
        if len(distinct) == 1:
            return distinct[0]
        return _Fences(joined(f.block for f in distinct), joined(f.device for f in distinct))


NO_FENCE = _Fences()


@dataclass
class _Barrier:
    """Hold what the warps knew that have arrived at a barrier with a number, until it is ``complete``."""

    known: Knowledge = NOTHING
    fences: _Fences = NO_FENCE
    complete: bool = False


@dataclass
class _Block:
    """Hold what the threads of one block know: at the last block barrier all together, and since then each."""

    epoch: int = 0
    known: Knowledge = NOTHING
    fences: _Fences = NO_FENCE
    known_by: dict[int, Knowledge] = field(default_factory=dict)
    fences_of: dict[int, _Fences] = field(default_factory=dict)
    barriers: dict[int, _Barrier] = field(default_factory=dict)

    def enter(self, epoch: int) -> None:
        """Pass the block barriers before ``epoch``: all threads learn what any of them knew."""
        if epoch <= self.epoch:
            return
        self.epoch = epoch
        self.known = joined([self.known, *self.known_by.values()])
        self.fences = _Fences.joined([self.fences, *self.fences_of.values()])
        self.known_by.clear()
        self.fences_of.clear()


class Ordering:
    """Track the order among the accesses of a launch, record by record. ``work`` measures what that has taken."""

    def __init__(self) -> None:
        self.work = 0
        self._blocks: dict[int, _Block] = {}
        self._clusters: dict[int, _Barrier] = {}  # their barriers
        self._released: dict[tuple[int, int, int], dict[int, _Fences]] = {}

    def _block(self, record: LogRecord) -> _Block:
        block = self._blocks.get(record.block)
        if block is None:
            block = self._blocks[record.block] = _Block(record.epoch)
        block.enter(record.epoch)
        return block

    def is_before(self, earlier: LogRecord, later: LogRecord) -> bool:
        """Return whether an access in the log happens before one that comes later there."""
        if earlier.block == later.block and (earlier.thread == later.thread or earlier.epoch < later.epoch):
            return True
        block = self._block(later)
        return block.known.includes(earlier) or block.known_by.get(later.thread, NOTHING).includes(earlier)

    def may_be_before(self, block: int, later: LogRecord) -> bool:
        """Return whether any access of a block that is in the log may happen before one that comes later there."""
        if block == later.block:
            return True
        own = self._block(later)
        return block in own.known.blocks or block in own.known_by.get(later.thread, NOTHING).blocks

    def is_epoch_before(self, block: int, epoch: int, later: LogRecord) -> bool:
        """Return whether all accesses of a block between two of its barriers happen before a later one of the
        log."""
        if block == later.block and epoch < later.epoch:
            return True
        own = self._block(later)
        return (
            own.known.barriers.get(block, 0) > epoch
            or own.known_by.get(later.thread, NOTHING).barriers.get(block, 0) > epoch
        )

    # ------------------------------------------------------------------------------------ synchronisation

    def meet(self, record: LogRecord) -> None:
        """Record that lanes of a warp met at a ``_sync`` primitive."""
        block, threads = self._block(record), _threads(record)
        together = self._known_together(block, record)
        block.known_by.update(dict.fromkeys(threads, together))
        fences = [block.fences_of[thread] for thread in threads if thread in block.fences_of]
        if fences:
            block.fences_of.update(dict.fromkeys(threads, _Fences.joined(fences)))
        self.work += len(threads) + len(together)

    @staticmethod
    def _known_together(block: _Block, record: LogRecord) -> Knowledge:
        """Return what lanes of a warp know together, and what they have done."""
        together = joined(block.known_by.get(thread, NOTHING) for thread in _threads(record))
        return together.and_issued((record.block, record.thread // LANES), _lanes(record), record.issue)

    def arrive(self, record: LogRecord) -> None:
        """Record that a warp has arrived at a barrier with a number, or at that of its cluster."""
        block = self._block(record)
        barriers = self._barriers_of(block, record)
        barrier = barriers.get(record.address)
        if barrier is None or barrier.complete:
            barrier = barriers[record.address] = _Barrier()
        passed = [block.known, Knowledge({record.block: record.epoch})] if barriers is self._clusters else []
        barrier.known = joined([barrier.known, *passed, self._known_together(block, record)])
        fences = [block.fences_of[thread] for thread in _threads(record) if thread in block.fences_of]
        barrier.fences = _Fences.joined([barrier.fences, *fences])
        self.work += LANES + len(barrier.known)

    def _barriers_of(self, block: _Block, record: LogRecord) -> dict[int, _Barrier]:
        """Return the barriers among which a record names one by its number: those of the block, or of all clusters."""
        return block.barriers if record.address < BARRIERS_A_BLOCK else self._clusters

    def leave(self, record: LogRecord) -> None:
        """Record that a warp goes on from such a barrier: it learns what those knew who have arrived."""
        block = self._block(record)
        barrier = self._barriers_of(block, record)[record.address]
        barrier.complete = True
        known = joined([self._known_together(block, record), barrier.known])
        fences = _Fences.joined([barrier.fences, *(block.fences_of.get(t, NO_FENCE) for t in _threads(record))])
        block.known_by.update(dict.fromkeys(_threads(record), known))
        if fences is not NO_FENCE:
            block.fences_of.update(dict.fromkeys(_threads(record), fences))
        self.work += LANES + len(known)

    def fence(self, record: LogRecord, is_block_scope: bool) -> None:
        """Record a memory fence of some lanes: what each did and knew so far goes out with its next atomic."""
        block = self._block(record)
        passed = Knowledge({record.block: record.epoch})
        warp = record.block, record.thread // LANES
        for lane in _lanes(record):
            thread = record.thread + lane
            seen = joined([passed, block.known, block.known_by.get(thread, NOTHING)])
            seen = seen.and_issued(warp, [lane], record.issue)
            before = block.fences_of.get(thread, NO_FENCE)
            device = before.device if is_block_scope else joined([before.device, seen])
            block.fences_of[thread] = _Fences(joined([before.block, seen]), device)
            self.work += 4 + 3 * len(seen)

    def release(self, record: LogRecord) -> None:
        """Record that a thread wrote a word in a way that others may synchronise with."""
        block = self._block(record)
        own = block.fences_of.get(record.thread, NO_FENCE)
        if own is NO_FENCE and block.fences is NO_FENCE:
            return
        of_word = self._released.setdefault(_word(record), {})
        of_word[record.block] = _Fences.joined([of_word.get(record.block, NO_FENCE), block.fences, own])
        self.work += 1 + len(of_word[record.block].block)

    def acquire(self, record: LogRecord) -> None:
        """Record that a thread read a word that others may have released."""
        released = self._released.get(_word(record))
        if not released:
            return
        own = self._block(record).known_by
        parts = (f.block if block == record.block else f.device for block, f in released.items())
        own[record.thread] = joined([own.get(record.thread, NOTHING), *parts])
        self.work += len(released) + sum(len(f.block) for f in released.values())


def _lanes(record: LogRecord) -> list[int]:
    return [lane for lane in range(LANES) if record.value >> lane & 1]


def _threads(record: LogRecord) -> list[int]:
    return [record.thread + lane for lane in _lanes(record)]


def _word(record: LogRecord) -> tuple[int, int, int]:
    """Return the target of a synchronising access: space, block if the space is a block's, and aligned word."""
    return record.space, record.home if record.space == Space.SHARED else -1, record.address // 4
