"""Decide which accesses synchronisation has ordered: happens-before, from a launch's log of accesses and fences.

A thread knows of another's accesses up to some point. Knowledge is passed on

- within a block, at each block barrier;
- within a warp, at each ``__syncwarp`` or other ``_sync`` primitive, among the lanes that met there;
- from a thread that executes a fence and afterwards an atomic (or, in global memory, a volatile store) to every thread
  that later performs an atomic, or a volatile load, on the same word. This is the release and acquire pattern of the
  PTX memory model, except that no fence is asked of the reader: the last-block pattern of the CUDA samples has none.

A fence of the block scope passes knowledge on within its block only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from warpview.isa.types import Space
from warpview.sim.checks.access_log import LogRecord

LANES = 32

# What is known of others: ("block", block) -> block barriers passed, all accesses before the last of which are known;
# ("thread", block, thread) -> instructions issued by its warp, up to which the thread's accesses are known.
Key = tuple[str, int, int]
Knowledge = dict[Key, int]


def join(into: Knowledge, more: Mapping[Key, int]) -> None:
    """Add knowledge to what is known already."""
    for key, value in more.items():
        if into.get(key, -1) < value:
            into[key] = value


@dataclass
class _Fences:
    """Knows what a thread publishes with its next atomic: what it knew at its last fence, by the scope of the fence."""

    block: Knowledge = field(default_factory=dict)
    device: Knowledge = field(default_factory=dict)

    def join(self, other: _Fences) -> None:
        join(self.block, other.block)
        join(self.device, other.device)


@dataclass
class _Block:
    """Holds what the threads of one block know: at the last block barrier all together, and since then each."""

    epoch: int = 0
    known: Knowledge = field(default_factory=dict)
    fences: _Fences = field(default_factory=_Fences)
    known_by: dict[int, Knowledge] = field(default_factory=dict)
    fences_of: dict[int, _Fences] = field(default_factory=dict)

    def enter(self, epoch: int) -> None:
        """Pass the block barriers before ``epoch``: all threads learn what any of them knew."""
        if epoch <= self.epoch:
            return
        self.epoch = epoch
        for known in self.known_by.values():
            join(self.known, known)
        for fences in self.fences_of.values():
            self.fences.join(fences)
        self.known_by.clear()
        self.fences_of.clear()

    def own(self, thread: int) -> Knowledge:
        return self.known_by.setdefault(thread, {})

    def fences_by(self, thread: int) -> _Fences:
        return self.fences_of.setdefault(thread, _Fences())


class Ordering:
    """Tracks the order among the accesses of a launch, record by record."""

    def __init__(self) -> None:
        self._blocks: dict[int, _Block] = {}
        self._released: dict[tuple[int, int, int], dict[int, _Fences]] = {}

    def _block(self, record: LogRecord) -> _Block:
        block = self._blocks.setdefault(record.block, _Block(record.epoch))
        block.enter(record.epoch)
        return block

    def is_before(self, earlier: LogRecord, later: LogRecord) -> bool:
        """Return whether an access in the log happens before one that comes later there."""
        if earlier.block == later.block and (earlier.thread == later.thread or earlier.epoch < later.epoch):
            return True
        block = self._block(later)
        whole, one = ("block", earlier.block, 0), ("thread", earlier.block, earlier.thread)
        for known in (block.known, block.known_by.get(later.thread, {})):
            if known.get(whole, 0) > earlier.epoch or known.get(one, 0) >= earlier.issue:
                return True
        return False

    # ------------------------------------------------------------------------------------ synchronisation

    def meet(self, record: LogRecord) -> None:
        """Record that lanes of a warp met at a ``_sync`` primitive."""
        block, lanes = self._block(record), _threads(record)
        together, fences = Knowledge(), _Fences()
        for thread in lanes:
            join(together, block.known_by.get(thread, {}))
            if thread in block.fences_of:
                fences.join(block.fences_of[thread])
            together["thread", record.block, thread] = record.issue
        for thread in lanes:
            join(block.own(thread), together)
            if fences.block:
                block.fences_by(thread).join(fences)

    def fence(self, record: LogRecord, is_block_scope: bool) -> None:
        """Record a memory fence of some lanes: what each did and knew so far goes out with its next atomic."""
        block = self._block(record)
        for thread in _threads(record):
            own, fences = block.own(thread), block.fences_by(thread)
            seen: Knowledge = {("block", record.block, 0): record.epoch, ("thread", record.block, thread): record.issue}
            for known in (seen, block.known, own):
                join(fences.block, known)
                if not is_block_scope:
                    join(fences.device, known)

    def release(self, record: LogRecord) -> None:
        """Record that a thread wrote a word in a way that others may synchronise with."""
        block = self._block(record)
        released = self._released.setdefault(_word(record), {}).setdefault(record.block, _Fences())
        released.join(block.fences)
        if record.thread in block.fences_of:
            released.join(block.fences_of[record.thread])

    def acquire(self, record: LogRecord) -> None:
        """Record that a thread read a word that others may have released."""
        if not (released := self._released.get(_word(record))):
            return
        own = self._block(record).own(record.thread)
        for block, fences in released.items():
            join(own, fences.block if block == record.block else fences.device)


def _threads(record: LogRecord) -> list[int]:
    return [record.thread + lane for lane in range(LANES) if record.value >> lane & 1]


def _word(record: LogRecord) -> tuple[int, int, int]:
    """Return the target of a synchronising access: space, block if the space is the block's, and aligned word."""
    return record.space, record.block if record.space == Space.SHARED else -1, record.address // 4
