"""Races between threads: two accesses to one byte, not ordered by synchronisation, at least one of them a plain write.

The log of a launch is gone through once in its order of execution. For each word the accesses that a later one can
still race with are kept; an access races if synchronisation (``ordering.py``) has not ordered it after one of them.

- Atomics do not race with each other, except where the scope of one is the block and the other is of another block.
- In global memory volatile accesses count as atomics among each other (PTX: ``ld.volatile`` is a relaxed strong
  operation). In shared memory they do not: code that relied on them was written for warps that execute in lockstep.
- Writes of one instruction to one address race only if their values differ: CUDA then leaves open which one stays.
- Unordered writes of equal values are a kind of their own.
- A plain read that races with atomics is forgiven if its thread goes on with an atomicCAS on the same word: the loop
  that builds other atomics from atomicCAS begins with such a read, in the CUDA programming guide, too.
- On devices before compute capability 7.0 the lanes of a warp execute in lockstep, which orders their accesses; such
  accesses would race on later devices, and are a kind of their own, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from warpview.isa.ops import ATOMIC_OPS, AtomOp, MemoryScope, Op
from warpview.isa.program import Instruction, Program
from warpview.isa.types import Space
from warpview.sim.checks.access_log import LoggedAccesses, LogKind, LogRecord
from warpview.sim.checks.ordering import LANES, Ordering
from warpview.sim.launch import FindingKind, Party, RawFinding

KEPT_A_WORD = 1024  # reads, and writes, of a word that later accesses are compared with: one a thread
LOOKED_FURTHER = 16  # accesses compared with once a race is found, for a worse one: the latest are the likeliest
ELEMENTS_KEPT = 8
MOST_COMPARISONS = 1 << 22  # of a log: some seconds; what comes later is not compared


def is_strong(instruction: Instruction, space: int) -> bool:
    """Return whether an access takes part in synchronisation: an atomic, or a volatile access to global memory."""
    return instruction.op in ATOMIC_OPS or (space == Space.GLOBAL and not instruction.cached)


def find_races(program: Program, log: LoggedAccesses, lockstep: bool) -> list[RawFinding]:
    """Return the races in the log of a launch: one finding for each kind and instruction, in order of first occurrence.

    ``lockstep`` says that the lanes of a warp execute in lockstep (compute capability below 7.0).
    """
    check = _RaceCheck(program, lockstep)
    for record in log.records:
        check.take(record)
    check.end()
    return [found.finding() for found in check.found.values()]


_Kept = dict[tuple[int, ...], LogRecord]  # by thread, bytes and kind
_Race = tuple[FindingKind, LogRecord]  # a kind of race and the earlier of its accesses


@dataclass
class _Word:
    """Keeps the last accesses of a word by each thread, the latest last: those that only read, and all others."""

    reads: _Kept = field(default_factory=dict)
    writes: _Kept = field(default_factory=dict)

    def keep(self, record: LogRecord) -> None:
        kept = self.reads if record.kind == LogKind.READ else self.writes
        kept.pop(_key(record), None)
        kept[_key(record)] = record
        if len(kept) > KEPT_A_WORD:
            del kept[next(iter(kept))]


_Occurrence = tuple[FindingKind, LogRecord, LogRecord]  # a kind of race, the later and the earlier access
WORST, OPEN = 3, 2
SEVERITY = {FindingKind.RACE: WORST, FindingKind.SAME_VALUE_RACE: 1, FindingKind.LOCKSTEP: 0}


def _reader(record: LogRecord) -> tuple[int, ...]:
    """Note that a thread reads a word."""
    return record.block, record.thread, record.space, record.address // 4


def _key(record: LogRecord) -> tuple[int, ...]:
    return record.block, record.thread, record.address, record.size, record.kind


@dataclass
class _Found:
    """Counts the occurrences of a race at one instruction."""

    first: RawFinding
    count: int = 0
    elements: dict[int, None] = field(default_factory=dict)

    def finding(self) -> RawFinding:
        elements = tuple(self.elements)
        return replace(self.first, count=self.count, elements=elements[:ELEMENTS_KEPT], n_elements=len(elements))


class _RaceCheck:
    """The state of the check while it goes through a log."""

    def __init__(self, program: Program, lockstep: bool) -> None:
        self._instructions = program.instructions
        self._lockstep = lockstep
        self._ordering = Ordering()
        self._comparisons = MOST_COMPARISONS
        self._words: dict[tuple[int, int, int], _Word] = {}
        self._undecided: dict[tuple[int, ...], list[_Occurrence]] = {}
        self.found: dict[tuple[FindingKind, int], _Found] = {}

    def take(self, record: LogRecord) -> None:
        if record.kind == LogKind.FENCE:
            scope = MemoryScope(self._instructions[record.pc].mod)
            self._ordering.fence(record, scope == MemoryScope.BLOCK)
        elif record.kind == LogKind.WARP_SYNC:
            self._ordering.meet(record)
        else:
            self._access(record)

    def end(self) -> None:
        """Decide what has been left open."""
        for reader in list(self._undecided):
            self._decide(reader, is_forgiven=False)

    def _decide(self, reader: tuple[int, ...], is_forgiven: bool) -> None:
        """Report the races of a thread's plain read with atomics, unless they are forgiven."""
        for occurrence in self._undecided.pop(reader, []):
            if not is_forgiven:
                self._report(*occurrence)

    def _access(self, record: LogRecord) -> None:
        """Acquire, compare with what others did, release."""
        instruction = self._instructions[record.pc]
        if self._undecided:
            self._decide(_reader(record), is_forgiven=self._is_compare_and_swap(record))
        strong = is_strong(instruction, record.space)
        if strong and record.kind != LogKind.WRITE and instruction.op != Op.RED:
            self._ordering.acquire(record)
        self._compare(record)
        if strong and record.kind != LogKind.READ:
            self._ordering.release(record)

    def _compare(self, record: LogRecord) -> None:
        """Look for earlier accesses of the word that the record races with, the latest first, and keep the record."""
        place = record.space, record.block if record.space == Space.SHARED else -1
        worst: _Race | None = None
        for number in range(record.address // 4, (record.address + record.size - 1) // 4 + 1):
            word = self._words.setdefault((*place, number), _Word())
            found = self._race(word.writes, record)
            if record.kind != LogKind.READ:
                found = self._worse(found, self._race(word.reads, record), record)
            worst = self._worse(worst, found, record)
            word.keep(record)
            if self._is_compare_and_swap(record):
                word.reads.pop(_key(record._replace(kind=LogKind.READ)), None)
        if worst is None:
            return
        kind, earlier = worst
        if self._severity(kind, earlier, record) == OPEN:
            reader = earlier if earlier.kind == LogKind.READ else record
            self._undecided.setdefault(_reader(reader), []).append((kind, record, earlier))
        else:
            self._report(kind, record, earlier)

    def _is_compare_and_swap(self, record: LogRecord) -> bool:
        return record.kind == LogKind.ATOMIC and self._instructions[record.pc].mod == AtomOp.CAS

    def _severity(self, kind: FindingKind, earlier: LogRecord, later: LogRecord) -> int:
        """Return how much a race matters among those of one access; OPEN where it may be the read before an
        atomicCAS."""
        if {earlier.kind, later.kind} == {LogKind.READ, LogKind.ATOMIC} and kind == FindingKind.RACE:
            return OPEN
        return SEVERITY[kind]

    def _worse(self, a: _Race | None, b: _Race | None, later: LogRecord) -> _Race | None:
        if a is None or (b is not None and self._severity(*b, later) > self._severity(*a, later)):
            return b
        return a

    def _race(self, kept: _Kept, record: LogRecord) -> _Race | None:
        """Return the worst race of a record with those kept, which loses those that need not be compared with again."""
        worst: _Race | None = None
        further = LOOKED_FURTHER
        if self._comparisons <= 0:
            return None
        for earlier in reversed(list(kept.values())):
            self._comparisons -= 1
            further -= worst is not None
            if further < 0:
                break
            if self._ordering.is_before(earlier, record):
                if self._covers(record, earlier):
                    del kept[_key(earlier)]
                continue
            if _overlap(earlier, record) and (kind := self._conflict(earlier, record)) is not None:
                worst = self._worse(worst, (kind, earlier), record)
                if self._severity(kind, earlier, record) == WORST:
                    break
        return worst

    def _covers(self, later: LogRecord, earlier: LogRecord) -> bool:
        """Return whether whatever races with ``earlier`` from now on also races with ``later``, which is ordered after
        it."""
        if later.address > earlier.address or earlier.address + earlier.size > later.address + later.size:
            return False
        strong = is_strong(self._instructions[later.pc], later.space)
        if later.kind == LogKind.WRITE and not strong:
            return True
        return later.kind == earlier.kind and strong == is_strong(self._instructions[earlier.pc], earlier.space)

    def _conflict(self, earlier: LogRecord, later: LogRecord) -> FindingKind | None:
        """Return the kind of race between two accesses to one byte that synchronisation has not ordered; None if
        none."""
        a, b = self._instructions[earlier.pc], self._instructions[later.pc]
        if earlier.kind == LogKind.READ and later.kind == LogKind.READ:
            return None
        if is_strong(a, earlier.space) and is_strong(b, later.space):
            apart = earlier.block != later.block and MemoryScope.BLOCK in (a.scope, b.scope)
            return FindingKind.RACE if apart else None
        same_warp = earlier.block == later.block and earlier.thread // LANES == later.thread // LANES
        same_value = _writes_equal(earlier, later)
        if same_warp and earlier.issue == later.issue and earlier.pc == later.pc:
            return None if same_value else FindingKind.RACE
        if same_warp and self._lockstep:
            return None if same_value else FindingKind.LOCKSTEP
        return FindingKind.SAME_VALUE_RACE if same_value else FindingKind.RACE

    def _report(self, kind: FindingKind, later: LogRecord, earlier: LogRecord) -> None:
        found = self.found.get((kind, later.pc))
        if found is None:
            first = RawFinding(kind, later.pc, later.block, later.thread, later.address, later.space)
            first = replace(first, value=later.value, issue=later.issue - 1, other=_party(earlier))
            found = self.found[kind, later.pc] = _Found(first)
        found.count += 1
        found.elements[later.address] = None


def _party(record: LogRecord) -> Party:
    return Party(record.pc, record.block, record.thread, record.address, record.value, record.issue - 1)


def _overlap(a: LogRecord, b: LogRecord) -> bool:
    return a.address < b.address + b.size and b.address < a.address + a.size


def _writes_equal(a: LogRecord, b: LogRecord) -> bool:
    return (a.kind == b.kind == LogKind.WRITE) and (a.address, a.size, a.value) == (b.address, b.size, b.value)
