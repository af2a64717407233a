"""Execute bulk copies of NVIDIA's machine code: bytes go from one memory to another, part by part, as loads and stores
of the lowest lane; a barrier in shared memory is then told how many.

Everything is done at once. A program that waits for its copies, as it must, sees no difference.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from warpview.isa.native import BULK_UNIT, BarrierCounts, Bulk, BulkCopy, NativeProgram
from warpview.isa.ops import Op
from warpview.isa.program import Instruction
from warpview.isa.types import RANK_SHIFT, Space, Type
from warpview.sass.operation import SassOperation
from warpview.sim.launch import FindingKind
from warpview.sim.raw_counts import Raw, in_other_blocks, memory_counts
from warpview.sim.reference.accesses import BlockMemory
from warpview.sim.reference.bulk_load import BulkLoad
from warpview.sim.reference.memory import Segment
from warpview.sim.reference.native.access import NativeAccess
from warpview.sim.reference.native.lane import WORD_MASK, Lane, NativeRegisters
from warpview.sim.reference.native.memory_barriers import changed
from warpview.sim.reference.registers import LANES, lanes_of
from warpview.sim.reference.splits import lowest_lane
from warpview.sim.rules import distributed, distributed_access
from warpview.sim.rules.bulk import sectors_of_copy

OFFSET_MASK = (1 << RANK_SHIFT) - 1  # of an address within the shared memory of a block


class CopyingWarp(Protocol):
    """Provide the state of a warp that a bulk copy reads."""

    index: int
    issued: int
    native: NativeProgram
    registers: NativeRegisters

    @property
    def instruction(self) -> tuple[int, Instruction]:
        """Return the instruction that is executed, with its place."""

    @property
    def block_memory(self) -> BlockMemory:
        """Return the memory of the warp's block."""

    def clock(self) -> int:
        """Return the cycle."""

    def lane(self, operation: SassOperation, lane: int) -> Lane:
        """Return the operands of a lane."""

    def report(self, kind: FindingKind, lane: int, address: int, space: int = 0) -> None:
        """Report a finding of the instruction that is executed."""

    def add_to(self, column: int, count: int) -> None:
        """Add to a count of the instruction that is executed."""


def bulk(warp: CopyingWarp, operation: SassOperation, on: int) -> None:
    """Execute a bulk copy or reduction, once for the warp, and count the sectors that cross between an SM and the L2,
    as Nsight Compute does on an H200: of a load those that are read, else those that are written."""
    copy, x = _Copy(warp, operation, lowest_lane(on)), warp.lane(operation, lowest_lane(on))
    what = copy.what
    start = x.pair("a") if what.source == Space.GLOBAL else x.word("a")
    end = x.pair("b") if what.target == Space.GLOBAL else x.word("b")
    for address, space in ((start, what.source), (end, what.target)):
        if address % BULK_UNIT:
            warp.report(FindingKind.MISALIGNED, x.lane, address, space)
            return
    size = (x.word("c") & 0xFFFF) * BULK_UNIT
    places = _places(what, end, x.word("c") >> 16)
    for offset in range(0, size, what.width):
        words = [0] * (what.width // 4)
        copy.access(copy.load, what.source, start + offset, words)
        for place in places:
            copy.access(copy.change, what.target, place + offset, words)
    if what.kind == Bulk.LOAD and warp.block_memory.arrivals is not None:
        copy.load_on_its_way = warp.block_memory.bulk_load = BulkLoad(start, size)
    if what.completes:
        for barrier in _places(what, x.word("b", 1), x.word("c") >> 16):
            copy.access(copy.completion, Space.SHARED, barrier, [size])
    shared, other = (end, start) if what.source == Space.GLOBAL else (start, end)
    warp.add_to(Raw.SECTORS, len(places) * sectors_of_copy(shared, other, size))


def scatter(warp: CopyingWarp, operation: SassOperation, on: int) -> None:
    """Store the registers of each lane to the shared memory of a block of the cluster, or reduce it by them, and tell
    the barrier beside of the bytes. It counts as an access to other blocks also where it stays in the own one."""
    served = dict[int, int]()
    for lane in lanes_of(on):
        copy, x = _Copy(warp, operation, lane), warp.lane(operation, lane)
        place, what = x.word("a"), copy.what
        if place % what.width:
            warp.report(FindingKind.MISALIGNED, lane, place, Space.SHARED)
            continue
        copy.access(copy.change, Space.SHARED, place, [x.word("s", k) for k in range(what.words)])
        copy.access(copy.completion, Space.SHARED, x.word("a", 1), [what.width])
        served[lane] = (place >> RANK_SHIFT & 0xFF) << distributed.RANK_SHIFT | place & OFFSET_MASK
    if served:
        _count_scattered(warp, what, served)


def _count_scattered(warp: CopyingWarp, what: BulkCopy, served: dict[int, int]) -> None:
    """Count what is asked of the shared memory of the cluster, of which the lanes access a place each."""
    kind, addresses = "store" if what.reduction < 0 else "reduction", [served.get(lane, 0) for lane in range(LANES)]
    mask, device = sum(1 << lane for lane in served), warp.block_memory.device
    access = distributed_access(kind, addresses, mask, what.width, device)
    for column, count in memory_counts(access).items():
        warp.add_to(in_other_blocks(column), count)


def _places(what: BulkCopy, address: int, mask: int) -> list[int]:
    """Return an address, or of a multicast copy the one in each block of a mask of ranks."""
    if not what.is_multicast:
        return [address]
    ranks = (rank for rank in range(mask.bit_length()) if mask >> rank & 1)
    return [rank << RANK_SHIFT | address & OFFSET_MASK for rank in ranks]


class _Copy:
    """Access memory for a lane of a warp that executes a bulk copy.

    ``load``, ``change`` and ``completion`` are the instructions by which a part is loaded, is stored or reduces memory,
    and by which a barrier is told of the bytes.
    """

    def __init__(self, warp: CopyingWarp, operation: SassOperation, lane: int) -> None:
        self._warp, self._operation, self._lane = warp, operation, lane
        self.load_on_its_way: BulkLoad | None = None
        self._pc, instruction = warp.instruction
        assert instruction.native is not None
        assert instruction.native.bulk is not None
        self.what = what = instruction.native.bulk
        self.load = replace(instruction, op=Op.LD, type=Type.U32, vec=what.width // 4)
        self.change = replace(self.load, op=Op.ST)
        if what.reduction >= 0:
            native = replace(instruction.native, extra=int(what.pairs))
            self.change = replace(instruction, op=Op.RED, type=what.type, mod=what.reduction, native=native)
        self.completion = replace(instruction, op=Op.MBARRIER, type=Type.U64)

    def access(self, instruction: Instruction, space: Space, address: int, words: list[int]) -> None:
        """Access a place by one of the instructions; loads change the words."""
        warp = self._warp
        if space == Space.SHARED:  # other blocks of the cluster are those that generic addresses name
            address, by = address - warp.native.shared_base & WORD_MASK, Space.GENERIC
        else:
            by = space
        _Part(
            warp.block_memory, warp.registers, replace(instruction, space=by), self._pc, warp.index, 1 << self._lane,  # type: ignore[arg-type]
            warp.issued, self._operation, warp.native, warp.registers, place=(space, address), words=words,
            load=self.load_on_its_way,
        ).served()  # fmt: skip


@dataclass
class _Part(NativeAccess):
    """Access one place with words that are in no register. A place in shared memory names the block from bit
    RANK_SHIFT on."""

    place: tuple[Space, int] = field(kw_only=True)
    words: list[int] = field(kw_only=True)
    load: BulkLoad | None = field(kw_only=True)  # the load of which a barrier is told

    def _places(self) -> dict[int, tuple[Space, int]]:
        return dict.fromkeys(lanes_of(self.on), self.place)

    def _load(self, lane: int, k: int, value: int) -> None:
        self.words[k] = value

    def _stored(self, lane: int, k: int) -> int:
        if self.instruction.op == Op.MBARRIER:  # the word with its phase
            return self._segment(Space.SHARED, lane).read(self.place[1] & OFFSET_MASK, 8) >> 32
        return self._value(lane, "s", k)

    def _value(self, lane: int, letter: str, k: int = 0) -> int:
        return self.words[0] | self.words[1] << 32 if self.instruction.type.bytes == 8 else self.words[k]

    def _change_barrier(self, segment: Segment, lane: int, address: int) -> None:
        if self.load is not None:
            self.load.told.append((self.elsewhere or self.memory, address))
        segment.write(address, 8, changed(segment.read(address, 8), BarrierCounts.COMPLETE, self.words[0]))
