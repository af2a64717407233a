"""Find races: two accesses to one byte, not ordered by synchronisation, at least one of them a plain write.

The log of a launch is gone through once in its order of execution. For each word the accesses that a later one can
still race with are kept; an access races if synchronisation (``ordering.py``) has not ordered it after one of them.

- Atomics do not race with each other, except where the scope of one is the block and the other is of another block.
- In global memory volatile accesses count as atomics among each other (PTX: ``ld.volatile`` is a relaxed strong
  operation). In shared memory they do not: code that relied on them was written for warps that execute in lockstep.
  Relaxed loads and stores, those of cuda::atomic, count as atomics everywhere.
- Writes of one instruction to one address race only if their values differ: CUDA then leaves open which one stays.
- An access that is ordered after an atomic is ordered after the earlier atomics on the same word, too, where that
  atomic told what it found: the last block to count itself resets the counter plainly, in NVIDIA's samples, too.
- Unordered writes of equal values are a kind of their own.
- A plain read that races with atomics is forgiven if its thread goes on with an atomicCAS on the same word: the loop
  that builds other atomics from atomicCAS begins with such a read, in the CUDA programming guide, too. So is one in the
  same place whose thread leaves the word alone then: it found nothing to change, as the maximum it has is less.
- Of atomics on shared memory that the hardware lacks machine code makes loops around ATOMS.CAST.SPIN. The reads in
  such a loop are a part of the atomic, also where it finds nothing to change and never swaps.
- On devices before compute capability 7.0 the lanes of a warp execute in lockstep, which orders their accesses; such
  accesses would race on later devices, and are a kind of their own, too.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass, field, replace
from enum import IntEnum

from warpview.isa.native import SpecialAtomic
from warpview.isa.ops import AtomOp, MemoryScope, Op
from warpview.isa.program import Instruction, Program
from warpview.isa.types import FULL, Space
from warpview.sim.checks.access_log import LoggedAccesses, LogKind, LogRecord
from warpview.sim.checks.ordering import LANES, Ordering
from warpview.sim.checks.strong_accesses import changes_barrier, is_strong, reads_of_atomics
from warpview.sim.checks.unused_words import without_unused_words
from warpview.sim.launch import FindingKind, Party, RawFinding

KEPT_A_WORD = 1024  # accesses of a word that later ones are compared with: one a thread, place and kind
LOOKED_FURTHER = 8  # accesses compared with once a race is found, for a worse one: the latest are the likeliest
ELEMENTS_KEPT = 8
MOST_WORK = 1 << 19  # comparisons and steps of the ordering, of a log: some seconds; what comes later is not compared


def find_races(program: Program, log: LoggedAccesses, lockstep: bool) -> list[RawFinding]:
    """Return the races in the log of a launch: one finding for each kind and instruction, in order of first occurrence.

    ``lockstep`` says that the lanes of a warp execute in lockstep (compute capability below 7.0).
    """
    check = _RaceCheck(program, lockstep)
    for record in without_unused_words(program, log.records):
        check.take(record)
        if check.is_exhausted:
            break
    else:
        check.end()
    return [found.finding() for found in check.found.values()]


class _Strength(IntEnum):
    """Name the kinds of participation of an access in synchronisation."""

    PLAIN = 0
    BLOCK = 1  # an atomic of the block scope
    DEVICE = 2  # any other atomic, or a volatile access to global memory


_Key = tuple[int, ...]  # block, thread, address, size and kind of an access
_Race = tuple[FindingKind, LogRecord]  # a kind of race and the earlier of its accesses
_Group = tuple[bool, _Strength, int, int]  # whether it reads, its strength, block and epoch


@dataclass
class _Word:
    """Keep the last accesses of a word by each thread, in groups of those that go together, the latest last."""

    groups: dict[_Group, dict[_Key, LogRecord]] = field(default_factory=dict)
    group_of: dict[_Key, _Group] = field(default_factory=dict)

    def keep(self, record: LogRecord, group: _Group) -> None:
        key = _key(record)
        self.forget(key)
        kept = self.groups.pop(group, {})
        self.groups[group] = kept  # the latest
        kept[key] = record
        self.group_of[key] = group
        if len(self.group_of) > KEPT_A_WORD:
            self.forget(next(iter(self.group_of)))

    def forget(self, key: _Key) -> LogRecord | None:
        """Remove an access and return it, if it was kept."""
        group = self.group_of.pop(key, None)
        if group is None:
            return None
        record = self.groups[group].pop(key)
        if not self.groups[group]:
            del self.groups[group]
        return record


_Occurrence = tuple[FindingKind, LogRecord, LogRecord]  # a kind of race, the later and the earlier access
READ_AND_ATOMIC = (LogKind.READ, LogKind.ATOMIC), (LogKind.ATOMIC, LogKind.READ)
WORST, OPEN = 3, 2
SEVERITY = {FindingKind.RACE: WORST, FindingKind.SAME_VALUE_RACE: 1, FindingKind.LOCKSTEP: 0}


def _reader(record: LogRecord, word: int) -> tuple[int, ...]:
    """Note that the thread of a record reads a word."""
    return record.block, record.thread, record.space, record.home, word


def _parts(record: LogRecord, word: int) -> list[tuple[int, int]]:
    """Return address and size of the reads that may come before an atomicCAS. Machine code reads 64 bits as two words,
    and swaps the word around 16 bits, or around a byte."""
    parts = [(4 * word + offset, size) for size in (4, 2, 1) for offset in range(0, 4, size)]
    return [(record.address, record.size), *parts]


def _read_of(occurrence: _Occurrence) -> LogRecord:
    """Return the plain read of one that races with an atomic."""
    _, later, earlier = occurrence
    return earlier if earlier.kind == LogKind.READ else later


def _key(record: LogRecord) -> _Key:
    return record.block, record.thread, record.address, record.size, record.kind


@dataclass
class _Found:
    """Count the occurrences of a race at one instruction."""

    first: RawFinding
    count: int = 0
    elements: dict[int, None] = field(default_factory=dict)

    def finding(self) -> RawFinding:
        elements = tuple(self.elements)
        return replace(self.first, count=self.count, elements=elements[:ELEMENTS_KEPT], n_elements=len(elements))


class _RaceCheck:
    """Hold the state of the check while it goes through a log."""

    def __init__(self, program: Program, lockstep: bool) -> None:
        self._instructions = program.instructions
        self._reads_of_atomics = reads_of_atomics(program.instructions)
        self._lockstep = lockstep
        # In machine code a __syncwarp() between lanes that the compiler knows to be together leaves no instruction, so
        # that what it orders cannot be told from what nothing orders.
        self._is_machine_code = program.native is not None
        self._ordering = Ordering()
        self._comparisons = 0
        self._words: defaultdict[tuple[int, int, int], _Word] = defaultdict(_Word)
        self._barriers: set[tuple[int, int]] = set()  # block and word of the barriers in shared memory
        self._undecided: dict[tuple[int, ...], list[_Occurrence]] = {}
        self._left_alone: list[_Occurrence] = []  # until the end
        self._tests: set[int] = set()  # the places of plain reads that an atomicCAS on the same word followed
        self.found: dict[tuple[FindingKind, int], _Found] = {}

    def take(self, record: LogRecord) -> None:
        if record.kind == LogKind.FENCE:
            scope = MemoryScope(self._instructions[record.pc].mod)
            if self._is_machine_code:  # a lane may release what its warp has written before a __syncwarp()
                self._ordering.meet(record._replace(value=FULL))
            self._ordering.fence(record, scope == MemoryScope.BLOCK)
        elif record.kind == LogKind.WARP_SYNC:
            self._ordering.meet(record)
        elif record.kind == LogKind.BARRIER_ARRIVED:
            self._ordering.arrive(record)
        elif record.kind == LogKind.BARRIER_LEFT:
            self._ordering.leave(record)
        else:
            self._access(record)

    @property
    def is_exhausted(self) -> bool:
        """Return whether the check has done as much as it may."""
        return self._comparisons + self._ordering.work > MOST_WORK

    def end(self) -> None:
        """Decide what has been left open: threads that read a word and then left it alone."""
        for occurrence in itertools.chain(self._left_alone, *self._undecided.values()):
            if _read_of(occurrence).pc not in self._tests:
                self._report(*occurrence)

    def _decide(self, reader: tuple[int, ...], is_forgiven: bool, pc: int) -> None:
        """Report the races of a thread's plain read with atomics, unless they are forgiven or may be at the end; ``pc``
        is where it accesses the word again."""
        for occurrence in self._undecided.pop(reader, []):
            if is_forgiven:
                continue
            if _read_of(occurrence).pc == pc:  # it waits for the word to change
                self._report(*occurrence)
            else:
                self._left_alone.append(occurrence)

    def _access(self, record: LogRecord) -> None:
        """Acquire, compare with what others did, release."""
        instruction = self._instructions[record.pc]
        words = range(record.address // 4, (record.address + record.size - 1) // 4 + 1)
        if self._undecided:
            for word in words:
                self._decide(_reader(record, word), self._is_compare_and_swap(record), record.pc)
        if instruction.native is not None and instruction.native.extra == SpecialAtomic.ARRIVE:
            self._barriers.update((record.home, word) for word in words)
        if changes_barrier(instruction, record):
            self._access_barrier(record, instruction)
            return
        strong = self._is_strong(record)
        if strong and record.kind != LogKind.WRITE and instruction.op != Op.RED:
            for word in words:
                self._ordering.acquire(record._replace(address=4 * word))
        self._compare(record)
        if strong and record.kind != LogKind.READ:
            for word in words:
                self._ordering.release(record._replace(address=4 * word))

    def _access_barrier(self, record: LogRecord, instruction: Instruction) -> None:
        """Order an operation on a barrier of sm_90: who asks for a phase comes after all that arrived in it. The phase
        is bit 31 of the record's value; each of the two has a word of the barrier here."""
        assert instruction.native is not None
        at_phase = record._replace(address=record.address + 4 * (record.value >> 31 & 1))
        if instruction.native.extra == SpecialAtomic.CHECK:
            self._ordering.acquire(at_phase)
        self._compare(record)
        if instruction.native.extra == SpecialAtomic.COUNT:
            first = record.thread // LANES * LANES
            fence = record._replace(thread=first, value=1 << record.thread - first)
            self._ordering.fence(fence, is_block_scope=record.home == record.block)
            self._ordering.release(at_phase)

    def _is_strong(self, record: LogRecord) -> bool:
        """Return whether an access takes part in synchronisation, as a read of a barrier in shared memory does, too."""
        if is_strong(self._instructions[record.pc], record.space) or record.pc in self._reads_of_atomics:
            return True
        is_at_barrier = record.space == Space.SHARED and (record.home, record.address // 4) in self._barriers
        return record.kind == LogKind.ATOMIC or (is_at_barrier and record.kind == LogKind.READ)

    def _compare(self, record: LogRecord) -> None:
        """Look for earlier accesses of the word that the record races with, the latest first, and keep the record."""
        place = record.space, record.home if record.space == Space.SHARED else -1
        worst: _Race | None = None
        group = record.kind == LogKind.READ, self._strength(record), record.block, record.epoch
        overwrites, first = record.kind == LogKind.WRITE and group[1] == _Strength.PLAIN, record.address
        for number in range(first // 4, (first + record.size - 1) // 4 + 1):
            word = self._words[*place, number]
            covers = overwrites and first <= 4 * number and 4 * number + 4 <= first + record.size
            worst = self._worse(worst, self._race(word, record, group, covers), record)
            word.keep(record, group)
            if self._is_compare_and_swap(record):
                for address, size in _parts(record, number):
                    tested = word.forget(_key(record._replace(address=address, size=size, kind=LogKind.READ)))
                    self._tests.update([] if tested is None else [tested.pc])
        if worst is None:
            return
        kind, earlier = worst
        if (earlier.kind, record.kind) in READ_AND_ATOMIC:  # it may be the read before an atomicCAS
            occurrence = kind, record, earlier
            reader = _read_of(occurrence)
            self._undecided.setdefault(_reader(reader, reader.address // 4), []).append(occurrence)
        else:
            self._report(kind, record, earlier)

    def _is_compare_and_swap(self, record: LogRecord) -> bool:
        return record.kind == LogKind.ATOMIC and self._instructions[record.pc].mod == AtomOp.CAS

    @staticmethod
    def _severity(kind: FindingKind, earlier: LogRecord, later: LogRecord) -> int:
        """Return how much a race matters among those of one access, less where it may be forgiven."""
        if kind == FindingKind.RACE and (earlier.kind, later.kind) in READ_AND_ATOMIC:
            return OPEN
        return SEVERITY[kind]

    def _worse(self, a: _Race | None, b: _Race | None, later: LogRecord) -> _Race | None:
        if a is None or (b is not None and self._severity(*b, later) > self._severity(*a, later)):
            return b
        return a

    def _race(self, word: _Word, record: LogRecord, own: _Group, covers: bool) -> _Race | None:
        """Return the worst race of a record with what its word keeps, which loses what need not be compared with
        again. ``covers`` says that whatever races with an earlier access of the word races with the record, too."""
        passed: list[_Key] = []
        worst = self._worst_race(word, record, own, covers, passed)
        for key in passed:
            word.forget(key)
        return worst

    def _worst_race(
        self, word: _Word, record: LogRecord, own: _Group, covers: bool, passed: list[_Key]
    ) -> _Race | None:  # fmt: skip
        """Return the worst race; ``passed`` gets what need not be compared with again."""
        worst: _Race | None = None
        further = LOOKED_FURTHER
        for group in reversed(list(word.groups)):
            if not _may_race(group, own):
                continue
            self._comparisons += 1
            if self._ordering.is_epoch_before(*group[2:], record):
                if covers:
                    passed += word.groups[group]
                continue
            may_be_before = self._ordering.may_be_before(group[2], record)
            for earlier in reversed(list(word.groups[group].values())):
                self._comparisons += 1
                if may_be_before and self._ordering.is_before(earlier, record):
                    if self._covers(record, earlier):
                        passed.append(_key(earlier))
                    continue
                kind = self._conflict(earlier, record) if _overlap(earlier, record) else None
                if kind is not None and not self._comes_after_atomic(word, earlier, record):
                    race = kind, earlier
                    worst = race if worst is None else self._worse(worst, race, record)
                    if kind == FindingKind.RACE and self._severity(kind, earlier, record) == WORST:
                        return race
                further -= worst is not None
                if further < 0:
                    return worst
        return worst

    def _comes_after_atomic(self, word: _Word, earlier: LogRecord, record: LogRecord) -> bool:
        """Return whether a thread whose work is ordered before ``record`` found the word as the atomic ``earlier``, or
        one after it, had left it."""
        if earlier.kind != LogKind.ATOMIC:
            return False
        keys = list(word.group_of)  # in the order of the accesses
        later = keys[keys.index(_key(earlier)) + 1 :]
        self._comparisons += len(later)
        for key in later:
            atomic = word.groups[word.group_of[key]][key]
            finds = atomic.kind == LogKind.ATOMIC and self._instructions[atomic.pc].op != Op.RED
            if finds and self._conflict(earlier, atomic) is None and self._ordering.is_before(atomic, record):
                return True
        return False

    def _strength(self, record: LogRecord) -> _Strength:
        instruction = self._instructions[record.pc]
        if not self._is_strong(record):
            return _Strength.PLAIN
        return _Strength.BLOCK if instruction.scope == MemoryScope.BLOCK else _Strength.DEVICE

    def _covers(self, later: LogRecord, earlier: LogRecord) -> bool:
        """Return whether whatever races with ``earlier`` from now on also races with ``later``, which is ordered after
        it."""
        if later.address > earlier.address or earlier.address + earlier.size > later.address + later.size:
            return False
        strong = self._is_strong(later)
        if later.kind == LogKind.WRITE and not strong:
            return True
        return later.kind == earlier.kind and strong == self._is_strong(earlier)

    def _conflict(self, earlier: LogRecord, later: LogRecord) -> FindingKind | None:
        """Return the kind of race between two accesses to one byte that synchronisation has not ordered; None if
        none."""
        a, b = self._instructions[earlier.pc], self._instructions[later.pc]
        if earlier.kind == LogKind.READ and later.kind == LogKind.READ:
            return None
        if self._is_strong(earlier) and self._is_strong(later):
            apart = earlier.block != later.block and MemoryScope.BLOCK in (a.scope, b.scope)
            return FindingKind.RACE if apart else None
        same_warp = earlier.block == later.block and earlier.thread // LANES == later.thread // LANES
        same_value = _writes_equal(earlier, later)
        if same_warp and earlier.issue == later.issue and earlier.pc == later.pc:
            return None if same_value else FindingKind.RACE
        if same_warp and (self._lockstep or self._is_machine_code):
            return None if same_value or self._is_machine_code else FindingKind.LOCKSTEP
        return FindingKind.SAME_VALUE_RACE if same_value else FindingKind.RACE

    def _report(self, kind: FindingKind, later: LogRecord, earlier: LogRecord) -> None:
        found = self.found.get((kind, later.pc))
        if found is None:
            first = RawFinding(kind, later.pc, later.block, later.thread, later.address, later.space)
            first = replace(first, value=later.value, issue=later.issue - 1, other=_party(earlier), home=later.home)
            found = self.found[kind, later.pc] = _Found(first)
        found.count += 1
        found.elements[later.address] = None


def _party(record: LogRecord) -> Party:
    return Party(record.pc, record.block, record.thread, record.address, record.value, record.issue - 1)


def _may_race(a: _Group, b: _Group) -> bool:
    """Return whether accesses of two groups can race at all: not reads, nor strong accesses but of the block scope in
    two blocks."""
    if a[0] and b[0]:
        return False
    if _Strength.PLAIN in (a[1], b[1]):
        return True
    return a[2] != b[2] and _Strength.BLOCK in (a[1], b[1])


def _overlap(a: LogRecord, b: LogRecord) -> bool:
    return a.address < b.address + b.size and b.address < a.address + a.size


def _writes_equal(a: LogRecord, b: LogRecord) -> bool:
    return (a.kind == b.kind == LogKind.WRITE) and (a.address, a.size, a.value) == (b.address, b.size, b.value)
