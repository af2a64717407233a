"""Execute one memory instruction of a warp: which lanes fault, which data moves, and how memory serves the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from warpview.devices import Device
from warpview.isa.modes import HalfFn
from warpview.isa.ops import ATOMIC_OPS, AtomOp, Op, operation
from warpview.isa.print_format import NULL_STRING
from warpview.isa.program import Instruction
from warpview.isa.types import GLOBAL_SPACES, RANK_SHIFT, Space, Type
from warpview.isa.values import flushed32, wrap
from warpview.isa.values import mask as value_mask
from warpview.sim.checks.access_log import LoggedAccesses, LogKind, LogRecord
from warpview.sim.launch import FindingKind, Options
from warpview.sim.memory import SHARED_WINDOW
from warpview.sim.reference.bulk_load import BulkLoad
from warpview.sim.reference.memory import PARTS, FindingLog, GlobalSegment, Segment, resolve
from warpview.sim.reference.registers import LANES, Registers, lanes_of
from warpview.sim.rules import (
    atomic_access,
    const_access,
    distributed,
    distributed_access,
    global_access,
    local_access,
    shared_access,
)
from warpview.sim.rules.access import DistributedAccess, GlobalAccess, SharedAccess
from warpview.sim.rules.banks import with_serial_atomics
from warpview.sim.rules.coalescing import SECTOR
from warpview.sim.rules.partition_imbalance import line_of_slice, partition_of
from warpview.sim.timing.contention import UnitTraffic, share_of_lane

KINDS = {Op.LD: "load", Op.ST: "store", Op.ATOM: "atomic", Op.RED: "reduction", Op.MBARRIER: "atomic"}
WHOLE = (1 << SECTOR // 2) - 1  # the halves of words of a sector, a bit each


@dataclass(frozen=True)
class SpaceAccess:
    """Hold the share of an access that lies in one space. ``addresses`` one for each lane, valid where ``mask`` has its
    bit. What lies in the shared memory of other blocks is a share of its own, whose addresses name the blocks.

    ``mask`` holds the lanes that were served: those that faulted are left out.
    """

    space: Space
    addresses: tuple[int, ...]
    mask: int
    width: int
    access: GlobalAccess | SharedAccess | DistributedAccess

    @property
    def is_distributed(self) -> bool:
        return isinstance(self.access, DistributedAccess)


@dataclass
class BlockMemory:
    """Hold the memory that the threads of one block can address."""

    device: Device
    options: Options
    log: FindingLog
    block: int
    globals: Segment
    constants: Segment
    shared: Segment
    local: list[Segment]  # one a thread
    accesses: LoggedAccesses | None = None  # where races are looked for
    epoch: int = 0  # block barriers passed
    traffic: UnitTraffic | None = None  # see contention.py; None where nobody asks
    # By bank of shared memory: word, warp and cycle of the last test-and-set that stored; None where there is no time.
    sets: dict[int, tuple[int, int, int]] | None = None
    # By slot: a barrier, the cycle in which the last bulk load has arrived that it is told of; None where there is no
    # time. When all of them have.
    arrivals: dict[int, tuple[int, int]] | None = None
    bulk_load: BulkLoad | None = None  # that was issued last, until it takes its time
    # The rank of the block in its cluster, where generic addresses of shared memory name blocks, and the memory of the
    # block of a rank.
    rank: int | None = None
    of_rank: Callable[[int], BlockMemory | None] = lambda _: None

    def segment(self, space: Space, thread: int) -> Segment:
        if space == Space.LOCAL:
            return self.local[thread]
        if space == Space.SHARED:
            return self.shared
        return self.globals if space == Space.GLOBAL else self.constants

    def text_at(self, address: int, thread: int, shared_base: int = 0) -> str:
        """Return the string of C at a generic address; '?' where no memory is. ``shared_base`` bytes of shared memory
        are the driver's."""
        if address == 0:
            return NULL_STRING
        space, place = resolve(address)
        segment = self.segment(space, thread)
        if space == Space.SHARED:
            place -= shared_base + ((self.rank or 0) << RANK_SHIFT)
        if place < 0 or not segment.holds(place, 1):
            return "?"
        text = bytearray()
        while segment.holds(place, 1) and (byte := segment.read(place, 1)):
            text.append(byte)
            place += 1
        return text.decode(errors="replace")


@dataclass
class WarpAccess:
    """Execute a memory instruction for the lanes ``on`` of a warp."""

    memory: BlockMemory
    registers: Registers
    instruction: Instruction
    pc: int
    warp: int
    on: int
    issue: int  # instructions that the warp has issued, with this one
    elsewhere: BlockMemory | None = field(default=None, init=False)  # another block's, while it is accessed

    def execute(self) -> list[SpaceAccess]:
        """Execute the instruction, space by space, at last in the shared memory of other blocks of the cluster; return
        the parts of the access that serve at least one lane."""
        by_space: dict[Space, dict[int, int]] = {}
        by_rank: dict[int, dict[int, int]] = {}
        for lane, (space, address) in self._places().items():
            rank = self._rank(space, address)
            if rank is None:
                by_space.setdefault(space, {})[lane] = address - (self._window() if space == Space.SHARED else 0)
            else:
                by_rank.setdefault(rank, {})[lane] = address - (rank << RANK_SHIFT)
        parts = []
        for space in PARTS:
            if served := self._served(space, by_space.get(space, {})):
                parts.append(self._part(space, served))
        return parts + self._in_other_blocks(by_rank)

    def _in_other_blocks(self, by_rank: dict[int, dict[int, int]]) -> list[SpaceAccess]:
        """Execute the share of the access that lies in the shared memory of other blocks, and return it, together,
        where it serves a lane."""
        placed: dict[int, int] = {}
        for rank, addresses in by_rank.items():
            self.elsewhere = self.memory.of_rank(rank)
            if self.elsewhere is None:
                self._report_absent(rank, addresses)
                continue
            for lane, address in self._served(Space.SHARED, addresses).items():
                placed[lane] = (rank << distributed.RANK_SHIFT) + address + (self._base() or distributed.RESERVED)
        self.elsewhere = None
        if not placed:
            return []
        mask, listed = _listed(placed)
        kind, width = KINDS[self.instruction.op], self.instruction.width
        access = distributed_access(kind, listed, mask, width, self.memory.device)
        return [SpaceAccess(Space.SHARED, listed, mask, width, access)]

    def _served(self, space: Space, addresses: dict[int, int]) -> dict[int, int]:
        """Execute the share of the access that lies in one space; return the addresses of the lanes that it serves."""
        served = {lane: address for lane, address in addresses.items() if not self._faults(space, lane, address)}
        for lane, address in served.items():
            self._check_variable(space, lane, address)
            self._serve(space, lane, address)
        return served

    def _window(self) -> int:
        """Return what generic addresses of the block's own shared memory have beyond those of any block."""
        is_named = self.instruction.space == Space.GENERIC and self.memory.rank is not None
        return (self.memory.rank or 0) << RANK_SHIFT if is_named else 0

    def _rank(self, space: Space, address: int) -> int | None:
        """Return the rank of the block in whose shared memory a generic address lies; None for the own block."""
        if space != Space.SHARED or self.instruction.space != Space.GENERIC or self.memory.rank is None:
            return None
        rank = address >> RANK_SHIFT & 0xFF
        return None if rank == self.memory.rank else rank

    def _report_absent(self, rank: int, addresses: dict[int, int]) -> None:
        """Report an access to the shared memory of a block that the cluster does not have; loads give zeros."""
        for lane in addresses:
            generic = SHARED_WINDOW + (rank << RANK_SHIFT) + addresses[lane] + self._base()
            self._report(FindingKind.OUT_OF_BOUNDS, Space.SHARED, lane, generic)
            if self.instruction.op in (Op.LD, Op.ATOM):
                for k in range(self.instruction.vec):
                    self._load(lane, k, 0)

    def _base(self) -> int:
        """Return the address of the first byte of shared memory that belongs to the kernel."""
        return 0

    def _segment(self, space: Space, lane: int) -> Segment:
        return self.elsewhere.shared if self.elsewhere else self.memory.segment(space, self._thread(lane))

    def _places(self) -> dict[int, tuple[Space, int]]:
        """Return space and address of each lane, ascending lanes."""
        ins = self.instruction
        wide = ins.space in GLOBAL_SPACES
        row = self.registers.row(Type.U64 if wide else Type.U32, ins.srcs[0])
        wrapped = (1 << (64 if wide else 32)) - 1
        addresses = {lane: (row[lane] + ins.imm) & wrapped for lane in lanes_of(self.on)}
        if ins.space == Space.GENERIC:
            return {lane: resolve(address) for lane, address in addresses.items()}
        return {lane: (ins.space, address) for lane, address in addresses.items()}

    def _thread(self, lane: int) -> int:
        return self.warp * LANES + lane

    def _report(self, kind: FindingKind, space: Space, lane: int, address: int) -> None:
        self.memory.log.report(kind, self.pc, self.memory.block, self._thread(lane), address, space)

    def _faults(self, space: Space, lane: int, address: int) -> bool:
        """Return true where the lane's access is forbidden: a load then gives zero, anything else has no effect."""
        segment = self._segment(space, lane)
        kind = segment.fault(address, self.instruction.width, writes=self.instruction.op != Op.LD)
        if kind is None or (kind == FindingKind.OUT_OF_BOUNDS and self._reaches_over_the_end(segment, address)):
            return False
        self._report(kind, space, lane, address)
        if self.instruction.op in (Op.LD, Op.ATOM):
            for k in range(self.instruction.vec):
                self._load(lane, k, 0)
        return True

    def _reaches_over_the_end(self, segment: Segment, address: int) -> bool:
        """Return whether an access may begin in a segment and end behind it."""
        return False

    def _check_variable(self, space: Space, lane: int, address: int) -> None:
        """Report an access that lies in the space but outside the variable that the source names."""
        bounds, options = self.instruction.bounds, self.memory.options
        if bounds is None or bounds[1] == 0 or not (options.check and options.source_checks):
            return
        if not bounds[0] <= address <= bounds[1] - self.instruction.width:
            self._report(FindingKind.OUT_OF_BOUNDS, space, lane, address)

    def _load(self, lane: int, k: int, value: int) -> None:
        """Write the k-th element that a lane loads."""
        self.registers.row(self.instruction.type, self.instruction.dst + k)[lane] = value

    def _stored(self, lane: int, k: int) -> int:
        """Return the k-th element that a lane stores."""
        return self.registers.row(self.instruction.type, self.instruction.srcs[1] + k)[lane]

    def _atomic_operands(self, lane: int) -> list[int]:
        return [self.registers.row(self.instruction.type, row)[lane] for row in self.instruction.srcs[1:]]

    def _give_old(self, lane: int, old: int) -> None:
        """Write what memory held before an atomic."""
        self._load(lane, 0, old)

    def _serve(self, space: Space, lane: int, address: int) -> None:
        """Check one lane's access and move its data."""
        ins = self.instruction
        segment = self._segment(space, lane)
        if self.memory.options.check and self._reads() and not segment.initialised(address, ins.width):
            self._report(FindingKind.UNINITIALISED, space, lane, address)
        size = ins.type.bytes
        for k in range(ins.vec):
            place = address + k * size
            if ins.op == Op.LD:
                value = segment.read(place, size)
                self._load(lane, k, wrap_pattern(ins.type, value))
            else:
                value = self._stored(lane, k) & value_mask(ins.type)
                if ins.op == Op.ST:
                    segment.write(place, size, value)
                    segment.changes.count += 1  # a store counts whatever it stores
            self._note(space, lane, place, value)
        if ins.op in ATOMIC_OPS:
            self._atomic(segment, lane, address)

    def _reads(self) -> bool:
        """Return whether the access depends on what memory held before."""
        return self.instruction.op != Op.ST

    def _note(self, space: Space, lane: int, address: int, value: int) -> None:
        """Add one element's access to the log for the race check."""
        log, ins = self.memory.accesses, self.instruction
        if log is None or space not in (Space.GLOBAL, Space.SHARED):
            return
        kind = {Op.LD: LogKind.READ, Op.ST: LogKind.WRITE}.get(ins.op, LogKind.ATOMIC)
        who = self.memory.block, self._thread(lane), self.pc
        when, home = (self.issue, self.memory.epoch), (self.elsewhere or self.memory).block
        log.records.append(LogRecord(kind, *who, space, address, ins.type.bytes, value, *when, home))

    def _atomic(self, segment: Segment, lane: int, address: int) -> None:
        ins, size = self.instruction, self.instruction.type.bytes
        operands = self._atomic_operands(lane)
        old = wrap_pattern(ins.type, segment.read(address, size))
        new = atomic(AtomOp(ins.mod), ins.type)(old, *operands)
        if ins.type == Type.F32 and ins.mod == AtomOp.ADD and isinstance(segment, GlobalSegment):
            new = sum_in_memory(old, operands[0])
        segment.write(address, size, new & value_mask(ins.type))
        if ins.op == Op.ATOM:
            self._give_old(lane, old)

    def _part(self, space: Space, addresses: dict[int, int]) -> SpaceAccess:
        mask, listed = _listed(addresses)
        access = self._service(space, listed, mask)
        if space == Space.GLOBAL and isinstance(access, GlobalAccess):
            self._note_traffic(access, addresses)
        return SpaceAccess(space, listed, mask, self.instruction.width, access)

    def _note_traffic(self, access: GlobalAccess, addresses: dict[int, int]) -> None:
        """Add up what each unit of memory has to do, a lane's share where its address lies."""
        traffic, device = self.memory.traffic, self.memory.device
        if traffic is None:
            return
        share = share_of_lane(access.sectors, len(addresses))
        for address in addresses.values():
            if self.instruction.op in ATOMIC_OPS:
                traffic.slices[self.pc, line_of_slice(address, device.atomic_units)] += share
            elif device.memory_partitions:
                traffic.partitions[self.pc, partition_of(address, device)] += share

    def _service(self, space: Space, addresses: tuple[int, ...], mask: int) -> GlobalAccess | SharedAccess:
        """Return how the memory system of the device serves the lanes' access."""
        ins, device = self.instruction, self.memory.device
        kind, width = KINDS[ins.op], ins.width
        if space == Space.SHARED:
            if ins.space == Space.GENERIC:  # measured on CC 9.0: loads merge no pairs
                device = with_serial_atomics(replace(device, shared_merges_pairs=False))
            return shared_access(kind, addresses, mask, width, device)
        if space == Space.CONST and ins.space == Space.CONST:
            return const_access(addresses, mask, width, device)
        if space == Space.LOCAL:
            return local_access(kind, addresses, mask, width, device)
        if ins.op in ATOMIC_OPS:
            return atomic_access(kind, addresses, mask, width, device)
        cached = self.memory.options.cache_global_in_l1
        return global_access(kind, addresses, mask, width, device, cached, ins.read_only)


def _listed(addresses: dict[int, int]) -> tuple[int, tuple[int, ...]]:
    """Return the lanes that have addresses as a mask, and the addresses of all lanes."""
    return sum(1 << lane for lane in addresses), tuple(addresses.get(lane, 0) for lane in range(LANES))


def wrap_pattern(type_: Type, bits: int) -> int:
    """Return a pattern from memory as a register holds it: narrow integers extended."""
    return bits if type_.is_float else wrap(type_, bits)


def _increment(old: int, limit: int) -> int:
    return 0 if old >= limit else old + 1


def _decrement(old: int, limit: int) -> int:
    return limit if old == 0 or old > limit else old - 1


def _add_halves(old: int, value: int) -> int:
    add = operation(Op.OP16, Type.U16, Type.U16, HalfFn.ADD_F16)
    return add(old & 0xFFFF, value & 0xFFFF) | add(old >> 16, value >> 16) << 16


# The operations on memory that arithmetic has as well.
ARITHMETIC = {
    AtomOp.ADD: Op.ADD,
    AtomOp.MIN: Op.MIN,
    AtomOp.MAX: Op.MAX,
    AtomOp.AND: Op.AND,
    AtomOp.OR: Op.OR,
    AtomOp.XOR: Op.XOR,
}
ONLY_ATOMIC: dict[AtomOp, Callable[..., int]] = {
    AtomOp.EXCH: lambda old, value: value,
    AtomOp.INC: _increment,
    AtomOp.DEC: _decrement,
    AtomOp.CAS: lambda old, compare, value: value if old == compare else old,
    AtomOp.ADD_F16: _add_halves,
}


def sum_in_memory(old: int, value: int) -> int:
    """Return the sum that an atomic leaves in global memory, of patterns: subnormal floats count as zeros there."""
    return flushed32(atomic(AtomOp.ADD, Type.F32)(flushed32(old), flushed32(value)))


def atomic(op: AtomOp, type_: Type) -> Callable[..., int]:
    """Return the new pattern in memory, given the old one and the operands."""
    return operation(ARITHMETIC[op], type_, type_, 0) if op in ARITHMETIC else ONLY_ATOMIC[op]


def sectors_of(part: SpaceAccess) -> list[int]:
    """Return the sectors of the addresses of an access, ascending."""
    return sorted({part.addresses[lane] // SECTOR for lane in lanes_of(part.mask)})


def stored_halves(part: SpaceAccess) -> dict[int, int]:
    """Return to which halves of words of each sector an access stores, a bit each. Where that goes on from one sector
    to the next, other accesses are taken to store what is missing of both."""
    stored: dict[int, int] = {}
    for lane in lanes_of(part.mask):
        sector, offset = divmod(part.addresses[lane], SECTOR)
        stored[sector] = stored.get(sector, 0) | (1 << (part.width + 1) // 2) - 1 << offset // 2
    last = 1 << SECTOR // 2 - 1
    goes_on = [s for s in stored if stored[s] & last and stored.get(s + 1, 0) & 1]
    return stored | dict.fromkeys([*goes_on, *(s + 1 for s in goes_on)], WHOLE)
