"""Execute a memory instruction of NVIDIA's machine code: its addresses and values; the rest is as for every kernel."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from warpview.isa.exact_floats import BF16, F16, FloatFormat, add, decode, encode
from warpview.isa.native import NativeProgram, SpecialAtomic
from warpview.isa.ops import AtomOp, Op
from warpview.isa.program import NONE
from warpview.isa.types import RANK_SHIFT, Space
from warpview.sass.operation import SassOperand, SassOperation
from warpview.sim.reference.accesses import SpaceAccess, WarpAccess, sum_in_memory
from warpview.sim.reference.memory import Segment, resolve
from warpview.sim.reference.native.lane import WORD_MASK, Lane, NativeRegisters
from warpview.sim.reference.native.memory_barriers import changed, phase
from warpview.sim.reference.native.real_numbers import limit
from warpview.sim.reference.registers import LANES, lanes_of
from warpview.sim.rules import shared_access
from warpview.sim.rules.access import GlobalAccess, SharedAccess
from warpview.sim.rules.banks import with_serial_atomics
from warpview.sim.rules.bulk import slot_of
from warpview.sim.rules.coalescing import copied_sectors

PAIRS = {SpecialAtomic.HALVES: F16, SpecialAtomic.BF16: BF16}
SPINNING_TEST = 3  # of ATOMS: the result says whether the value was stored; in a bank only at one word
BANK_BYTES = 4
SETS_BARRIER = "SYNCS.EXCH.64"
# Atomics of 64 bits by generic addresses that serve the block's own shared memory, too (read from an H200: additions
# and exchanges do, maxima do not; behind an exchange or comparison no code does it in their place).
SERVED_IN_SHARED_MEMORY = (AtomOp.ADD, AtomOp.EXCH, AtomOp.CAS)


@dataclass
class NativeAccess(WarpAccess):
    """Execute a memory instruction for the lanes ``on`` of a warp."""

    operation: SassOperation
    native: NativeProgram
    state: NativeRegisters
    banks: dict[int, int] = field(default_factory=dict, kw_only=True)  # the word of a test-and-set in each
    cycle: int = field(default=0, kw_only=True)
    polled_in_vain: bool = field(default=False, kw_only=True)  # a lane found the phase of a barrier not over

    def execute(self) -> list[SpaceAccess]:
        if self.operation.row.name == "LDGSTS":
            return self._copy()
        if "matrices" in self.operation.modifiers:
            return self._store_matrices() if self.instruction.op == Op.ST else self._load_matrices()
        return super().execute()

    def _reaches_over_the_end(self, segment: Segment, address: int) -> bool:
        """Allow it to loads of the block's own shared memory: the compiler joins loads of words that follow one
        another, and loads four words of an array of three. Shared memory is given in units of more than 16 bytes."""
        ins = self.instruction
        return ins.space == Space.SHARED and ins.op == Op.LD and address < len(segment.data)

    def _lane(self, lane: int) -> Lane:
        return Lane(self.state, self.operation, lane)

    # ---------------------------------------------------------------------------------------- addresses

    def _places(self) -> dict[int, tuple[Space, int]]:
        space, placed = self.instruction.space, {}
        for lane in lanes_of(self.on):
            address = self._address(self._lane(lane))
            by_address = space == Space.GENERIC or (space == Space.GLOBAL and self._is_constant(address))
            placed[lane] = self._resolved(address) if by_address else (space, address)
        if self.instruction.op == Op.ATOM and space == Space.GENERIC and "u" in self.operation.operands:
            return self._in_global_memory(placed)
        return placed

    def _is_constant(self, address: int) -> bool:
        """Return whether a load from global memory reads a constant there."""
        return self.instruction.read_only and resolve(address)[0] == Space.CONST

    def _in_global_memory(self, placed: dict[int, tuple[Space, int]]) -> dict[int, tuple[Space, int]]:
        """Return the lanes that an atomic with a predicate serves, those in global memory, and write the predicate:
        other code serves the lanes of shared memory."""
        if self.operation.operands["u"].is_true:
            return placed
        served = {lane: place for lane, place in placed.items() if self._is_served(*place)}
        for lane in placed:
            self._lane(lane).give_predicate("u", lane in served)
        return served

    def _is_served(self, space: Space, address: int) -> bool:
        """Return whether an atomic with a predicate serves a place: global memory, of integers the shared memory of
        other blocks, and the block's own where it adds, exchanges or compares 64 bits."""
        ins = self.instruction
        if space != Space.SHARED or ins.type.is_float:
            return space == Space.GLOBAL
        return self._rank(space, address) is not None or (ins.width == 8 and ins.mod in SERVED_IN_SHARED_MEMORY)

    def _base(self) -> int:
        return self.native.shared_base

    def _resolved(self, address: int) -> tuple[Space, int]:
        """Return the space that a generic address lies in and the address there."""
        space, place = resolve(address)
        return space, place - (self.native.shared_base if space == Space.SHARED else 0)

    def _address(self, x: Lane) -> int:
        if "x" in self.operation.operands:
            operand = x.operand("x")
            assert operand.uniform is not None
            start = self.native.bank_starts[operand.index >> 16] + operand.offset
            return x.word_of(SassOperand(operand.indexed_by, operand.uniform)) + start & WORD_MASK
        address = x.address("m")
        if self.instruction.space == Space.SHARED:
            return address - self._own_window() & WORD_MASK
        return address

    def _own_window(self) -> int:
        """Return the address of the first byte of the block's shared memory that belongs to the kernel."""
        return self.native.shared_base + ((self.memory.rank or 0) << RANK_SHIFT)

    # ---------------------------------------------------------------------------------------- values

    def _reads(self) -> bool:
        return super()._reads() and self.operation.row.name != SETS_BARRIER

    def _load(self, lane: int, k: int, value: int) -> None:
        """Write the k-th element that a lane loads: a word, of which narrow ones are extended, or a pair of them."""
        if "d" in self.operation.operands:
            x = self._lane(lane)
            if self.instruction.type.bytes == 8:
                x.give_pair(value)
            else:
                x.give(value, k=k)

    def _stored(self, lane: int, k: int) -> int:
        """Return a value of a store or an atomic; of an operation on a barrier the word with its phase in bit 31."""
        if self.instruction.op != Op.MBARRIER:
            return self._value(lane, "s", k)
        assert self.instruction.native is not None
        if self.instruction.native.extra == SpecialAtomic.COUNT:
            thread = self._thread(lane)
            return self.memory.segment(Space.SHARED, thread).read(self._address(self._lane(lane)), 8) >> 32
        return self._lane(lane).word("s")

    def _value(self, lane: int, letter: str, k: int = 0) -> int:
        """Return a value of a store or an atomic; ATOMS.POPC.INC, which has none, adds one."""
        if letter not in self.operation.operands:
            return 1
        x = self._lane(lane)
        return x.pair(letter) if self.instruction.type.bytes == 8 else x.word(letter, k)

    def _atomic_operands(self, lane: int) -> list[int]:
        return [self._value(lane, letter) for letter in "st" if letter == "s" or letter in self.operation.operands]

    def _atomic(self, segment: Segment, lane: int, address: int) -> None:
        """Execute an atomic, which may change vectors of floats or pairs of 16-bit ones."""
        assert self.instruction.native is not None
        if self.instruction.native.extra == SpecialAtomic.TOGETHER:
            self._exchange_words(segment, lane, address)
            return
        format_ = PAIRS.get(SpecialAtomic(self.instruction.native.extra))
        if self.instruction.vec > 1 or format_ is not None:
            self._change_words(segment, lane, address, format_)
            return
        if self.instruction.op == Op.MBARRIER:
            self._change_barrier(segment, lane, address)
            return
        if self.instruction.native.extra == SpecialAtomic.ARRIVE:
            old = segment.read(address, 8)
            segment.write(address, 8, _arrived(old))
            self._give_old(lane, old)
            return
        if self._spins() and (self._is_unsettled(address) or self._is_second_in_bank(address)):
            self._load(lane, 0, 0)
            return
        if self._spins() and segment.read(address, self.instruction.width) == self._value(lane, "s"):
            self._note_set(address)
        super()._atomic(segment, lane, address)

    def _change_barrier(self, segment: Segment, lane: int, address: int) -> None:
        """Ask for the phase of a barrier in shared memory, or change its counts, or set it."""
        assert self.instruction.native is not None
        old, x, kind = segment.read(address, 8), self._lane(lane), SpecialAtomic(self.instruction.native.extra)
        if kind == SpecialAtomic.CHECK:
            is_over = phase(old) != x.word("s") >> 31 and not self._is_on_its_way(address)
            x.give_predicate("u", is_over)
            self.polled_in_vain |= not is_over
        elif kind == SpecialAtomic.COUNT:
            value = x.word("s") if "s" in self.operation.operands else 1
            segment.write(address, 8, changed(old, self.instruction.mod, value))
            if "d" in self.operation.operands:
                x.give(old >> 32, k=1)
        else:
            segment.write(address, 8, x.pair("s"))

    def asks_in_vain(self) -> bool:
        """Return whether a lane that asks for the phase of a barrier would be told that it is not over."""
        return any(
            space == Space.SHARED and place % 8 == 0 and 0 <= place <= len(segment.data) - 8
            and phase(segment.read(place, 8)) == self._lane(lane).word("s") >> 31
            for lane, (space, place) in self._places().items()
            for segment in [self._segment(space, lane)]
        )  # fmt: skip

    def _is_on_its_way(self, address: int) -> bool:
        """Return whether a bulk load has not arrived yet that a barrier is told of: it was carried out at once."""
        place, cycle = (self.memory.arrivals or {}).get(slot_of(address), (NONE, 0))
        return place == address and self.cycle < cycle

    def _spins(self) -> bool:
        """Return whether this is a test-and-set that a loop repeats."""
        return self.operation.modifiers.get("test") == SPINNING_TEST

    def _is_second_in_bank(self, address: int) -> bool:
        """Return whether a lane before has accessed another word in the bank of this one, and note the access."""
        bank = address // BANK_BYTES % self.memory.device.shared_banks
        return self.instruction.type.bytes == BANK_BYTES and self.banks.setdefault(bank, address) != address

    def _is_unsettled(self, address: int) -> bool:
        """Return whether another warp of the block has stored to a word by a test-and-set a short while ago."""
        bank = address // BANK_BYTES % self.memory.device.shared_banks
        if not self.memory.sets or bank not in self.memory.sets or self.instruction.type.bytes != BANK_BYTES:
            return False
        word, warp, cycle = self.memory.sets[bank]
        return word == address and warp != self.warp and self.cycle < cycle + self.memory.device.shared_set_cycles

    def _note_set(self, address: int) -> None:
        """Note that a test-and-set stores."""
        if self.memory.sets is not None and self.instruction.type.bytes == BANK_BYTES:
            bank = address // BANK_BYTES % self.memory.device.shared_banks
            self.memory.sets[bank] = address, self.warp, self.cycle

    def _exchange_words(self, segment: Segment, lane: int, address: int) -> None:
        """Exchange words in memory together; a compare-and-swap where they are those that it expects."""
        places = [address + BANK_BYTES * k for k in range(self.instruction.vec)]
        old = [segment.read(place, BANK_BYTES) for place in places]
        values = [[self._value(lane, letter, k) for k in range(len(places))] for letter in "st" if letter in
                  self.operation.operands]  # fmt: skip
        if len(values) == 1 or values[0] == old:
            for place, value in zip(places, values[-1], strict=True):
                segment.write(place, BANK_BYTES, value)
        for k, word in enumerate(old):
            self._load(lane, k, word)

    def _change_words(self, segment: Segment, lane: int, address: int, format_: FloatFormat | None) -> None:
        """Change neighbouring words in memory, each atomic by itself: floats, or pairs of those of a format."""
        ins = self.instruction
        for k in range(ins.vec):
            place = address + k * ins.type.bytes
            old, value = segment.read(place, ins.type.bytes), self._value(lane, "s", k)
            new = sum_in_memory(old, value) if format_ is None else _changed_pair(AtomOp(ins.mod), format_, old, value)
            segment.write(place, ins.type.bytes, new)
            if ins.op == Op.ATOM:
                self._load(lane, k, old)

    def _give_old(self, lane: int, old: int) -> None:
        """Write what memory held before an atomic, or whether a test-and-set was stored."""
        if "d" not in self.operation.operands and "u" in self.operation.operands:
            self._lane(lane).give_predicate("u", old == self._value(lane, "s"))
            return
        if "d" not in self.operation.operands or self.operation.operands["d"].is_zero:
            return
        if self._spins():
            old = int(old == self._value(lane, "s"))
        self._load(lane, 0, old)

    # ---------------------------------------------------------------------------------------- copies and matrices

    def _copy(self) -> list[SpaceAccess]:
        """Execute LDGSTS at once: load where the predicate holds, zero elsewhere, and store to shared memory.

        A program that waits for its copies, as it must, sees no difference.
        """
        words = self.instruction.vec
        copied = {lane: [0] * words for lane in lanes_of(self.on)}
        loading = sum(1 << lane for lane in lanes_of(self.on) if self._lane(lane).predicate("p"))
        load = _CopyLoad(**{**vars(self), "on": loading}, copied=copied)
        stored = replace(self.instruction, op=Op.ST, space=Space.SHARED)
        store = _CopyStore(**{**vars(self), "instruction": stored}, copied=copied)
        loaded = load.served() if loading else []
        if not self.operation.modifiers["bypass"]:
            loaded = [self._past_l1(part, store) for part in loaded]
        return [*loaded, *store.served()]

    def _past_l1(self, part: SpaceAccess, store: _CopyStore) -> SpaceAccess:
        """Return what a copy loads with the sectors that it has where it bypasses the L1."""
        assert isinstance(part.access, GlobalAccess)
        targets = [store.target(lane) if self.on >> lane & 1 else 0 for lane in range(LANES)]
        return replace(part, access=replace(part.access, sectors=copied_sectors(part.addresses, targets, part.mask)))

    def served(self) -> list[SpaceAccess]:
        return super().execute()

    def _load_matrices(self) -> list[SpaceAccess]:
        """Load matrices of 8 x 8 halves: eight lanes each name the rows of one, and every lane gets two neighbours of
        a row of each, or of a column where they are transposed."""
        count = 1 << self.operation.modifiers["matrices"]
        rows: dict[int, list[int]] = {lane: [0] * 4 for lane in range(LANES)}
        naming = self.on & ((1 << 8 * count) - 1)
        parts = _CopyLoad(**{**vars(self), "on": naming}, copied=rows).served()
        halves = [[row[k // 2] >> 16 * (k % 2) & 0xFFFF for k in range(8)] for row in rows.values()]
        for lane in range(LANES):
            for k in range(count):
                matrix, row, column = halves[8 * k : 8 * k + 8], lane // 4, 2 * (lane % 4)
                if self.operation.modifiers["transposed"]:
                    low, high = matrix[column][row], matrix[column + 1][row]
                else:
                    low, high = matrix[row][column], matrix[row][column + 1]
                self._lane(lane).give(low | high << 16, k=k)
        return parts

    def _store_matrices(self) -> list[SpaceAccess]:
        """Store matrices of 8 x 8 halves: eight lanes each name the rows of one, and every lane has two neighbours of a
        row of each, or of a column where they are transposed."""
        count = 1 << self.operation.modifiers["matrices"]
        rows: dict[int, list[int]] = {8 * k + row: [0] * 4 for k in range(count) for row in range(8)}
        for lane in range(LANES):
            for k in range(count):
                word, first, second = self._lane(lane).word("s", k), lane // 4, 2 * (lane % 4)
                for half in range(2):
                    row, column = first, second + half
                    if self.operation.modifiers["transposed"]:
                        row, column = column, row
                    rows[8 * k + row][column // 2] |= (word >> 16 * half & 0xFFFF) << 16 * (column % 2)
        return _MatrixStore(**{**vars(self), "on": self.on & (1 << 8 * count) - 1}, copied=rows).served()

    # ---------------------------------------------------------------------------------------- cost

    def _service(self, space: Space, addresses: tuple[int, ...], mask: int) -> GlobalAccess | SharedAccess:
        """Return how memory serves the access. On an H200 ATOMS.POPC.INC merges the lanes on one word, and the lanes of
        a test-and-set that spins take one pass, as its loop takes 95 cycles a lane whatever their number."""
        if space == Space.SHARED and self.operation.row.name == "ATOMS" and not self._spins():
            device = with_serial_atomics(self.memory.device)
            return shared_access("atomic", addresses, mask, self.instruction.width, device)
        return super()._service(space, addresses, mask)


def _changed_pair(op: AtomOp, format_: FloatFormat, old: int, value: int) -> int:
    """Return the sums, or the smaller or the larger ones, of two pairs of 16-bit floats."""
    found = 0
    for shift in (0, 16):
        a, b = old >> shift & 0xFFFF, value >> shift & 0xFFFF
        if op == AtomOp.ADD:
            chosen = encode(format_, add(decode(format_, a), decode(format_, b)))
        else:
            chosen = limit(format_, (min if op == AtomOp.MIN else max), (a, b))
        found |= chosen << shift
    return found


def _arrived(barrier: int) -> int:
    """Return a barrier at which one more thread has arrived. The upper word has the phase in bit 31, and below it minus
    the threads that are awaited; the lower word has 2^30 less the threads of a phase."""
    threads = (1 << 30) - (barrier & WORD_MASK) & WORD_MASK
    awaited = (1 << 31) - (barrier >> 32 & (1 << 31) - 1)
    phase = barrier >> 63
    if awaited == 1:
        phase, awaited = 1 - phase, threads + 1
    return barrier & WORD_MASK | phase << 63 | (1 << 31) - (awaited - 1) << 32


@dataclass
class _CopyLoad(NativeAccess):
    """Load to words of each lane rather than to registers."""

    copied: dict[int, list[int]]

    def _address(self, x: Lane) -> int:
        address = super()._address(x)
        return address & -self.instruction.width if self.operation.modifiers.get("zfill") else address

    def _load(self, lane: int, k: int, value: int) -> None:
        if self.operation.modifiers.get("zfill"):  # the lowest bits of the address count bytes that are not loaded
            missing = super()._address(self._lane(lane)) % self.instruction.width
            value &= (1 << 8 * min(max(self.instruction.width - missing - 4 * k, 0), 4)) - 1
        self.copied[lane][k] = value


@dataclass
class _MatrixStore(NativeAccess):
    """Store words of each lane that are not in its registers."""

    copied: dict[int, list[int]]

    def _stored(self, lane: int, k: int) -> int:
        return self.copied[lane][k]


@dataclass
class _CopyStore(_MatrixStore):
    """Store words of each lane to the place in shared memory that an asynchronous copy names."""

    def target(self, lane: int) -> int:
        return self._address(self._lane(lane))

    def _address(self, x: Lane) -> int:
        return x.address("y") - self._own_window() & WORD_MASK
