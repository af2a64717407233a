"""Put findings into words: threads, addresses as elements of arrays, values, and what would have helped."""

from __future__ import annotations

import math
import struct

from warpview.isa.modes import ALL_THREADS, BARRIERS_A_BLOCK
from warpview.isa.ops import MEMORY_OPS, Op, OpKind
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.textures import TextureOperation
from warpview.isa.types import Space, Type
from warpview.sim.checks.places import declared_array, element_type, global_place, index_text, signed
from warpview.sim.checks.race_remedies import RaceRemedies
from warpview.sim.launch import BARRIER_NUMBER_SHIFT, Dim3, FindingKind, Launch, Party, RawFinding, coordinates
from warpview.sim.memory import DeviceMemory

LANES = 32
WAITING_KINDS = frozenset({OpKind.BARRIER, OpKind.COLLECTIVE})
_SPACES = {
    Space.GLOBAL: "global memory",
    Space.SHARED: "shared memory",
    Space.LOCAL: "local memory",
    Space.CONST: "constant memory",
}


def _is_texture(instruction: Instruction) -> bool:
    native = instruction.native
    return instruction.op == Op.TEX or (native is not None and native.meaning == "texture")


def _bytes(number: int) -> str:
    return f"{number} byte{'' if number == 1 else 's'}"


def named_barrier(raw: RawFinding) -> tuple[int, int]:
    """Return the number of the barrier that a finding is about, and the threads that it waits for."""
    return raw.value >> BARRIER_NUMBER_SHIFT, raw.value & ((1 << BARRIER_NUMBER_SHIFT) - 1)


class FindingText:
    """Put raw findings of a launch into words; ``remedies`` knows its races."""

    def __init__(
        self, program: Program, launch: Launch, memory: DeviceMemory, remedies: RaceRemedies | None = None
    ) -> None:
        self._program, self._launch, self._memory = program, launch, memory
        self._remedies = remedies or RaceRemedies(program, launch)

    # ---------------------------------------------------------------------------------------- parts of sentences

    def block(self, linear: int) -> Dim3:
        return coordinates(linear, self._launch.grid)

    def thread(self, linear: int) -> Dim3:
        return coordinates(linear, self._launch.block)

    def who(self, block: int, thread: int) -> str:
        x, y, z = self.thread(thread)
        return f"thread ({x}, {y}, {z}) of {self.block_words(block)}"

    def block_words(self, linear: int) -> str:
        x, y, z = self.block(linear)
        return f"block ({x}, {y}, {z})"

    def line(self, pc: int) -> str:
        return f"line {self._program.instructions[pc].span.line}"

    def verb(self, pc: int, space: int | None = None) -> str:
        """Return what an instruction does to memory, of a space where it accesses two: an asynchronous copy writes to
        shared memory what it reads elsewhere."""
        instruction = self._program.instructions[pc]
        if instruction.native is not None and instruction.native.copy_target is not None and space == Space.SHARED:
            return "writes"
        return {Op.LD: "reads", Op.ST: "writes"}.get(instruction.op, "updates")

    def _type(self, pc: int, space: int, address: int) -> Type:
        """Return the type of what an instruction accesses: in machine code, which has none, that of the element."""
        accessed = self._program.instructions[pc].type
        if not self._program.is_compiled:
            return accessed
        array = None if space == Space.GLOBAL else declared_array(self._program, Space(space), signed(address, 32))
        declared = array.type if array else element_type(self._program, self._memory, address)
        return declared if declared is not None and declared.bytes == accessed.bytes else accessed

    def value(self, pc: int, space: int, address: int, bits: int) -> int | float:
        """Return the number behind the bit pattern that an instruction read or wrote at an address."""
        type_ = self._type(pc, space, address)
        if type_ in (Type.F32, Type.F64):
            code, size = ("f", 4) if type_ == Type.F32 else ("d", 8)
            number: float = struct.unpack(code, (bits % (1 << 8 * size)).to_bytes(size, "little"))[0]
            return number
        width = 8 * type_.bytes
        bits %= 1 << width
        return bits - (1 << width) if type_.is_signed and bits >> (width - 1) else bits

    def place(self, space: int, address: int, pc: int = NONE) -> str:
        """Return the name of an address: an element of an array if it lies in one, such as "sdata[17]"."""
        if space == Space.GLOBAL:
            return global_place(self._program, self._memory, address, self._width(pc), self._accessed(pc))
        array = declared_array(self._program, Space(space), signed(address, 32))
        if array is None:
            return f"byte {signed(address, 32)} of {_SPACES[Space(space)]}"
        return array.name + index_text(array, signed(address, 32) - array.offset, self._accessed(pc))

    def _accessed(self, pc: int) -> int:
        """Return how many bytes an instruction accesses in a lane."""
        return 4 if pc == NONE else self._program.instructions[pc].width

    def _width(self, pc: int) -> int:
        return 4 if pc == NONE else self._program.instructions[pc].type.bytes

    # ---------------------------------------------------------------------------------------- sentences

    def message(self, raw: RawFinding) -> str:
        """Return the sentence that tells a finding."""
        instruction, who = self._program.instructions[raw.pc], self.who(raw.block, raw.thread)
        access = f"{who} {self.verb(raw.pc, raw.space)} {_bytes(instruction.width)}"
        match raw.kind:
            case FindingKind.OUT_OF_BOUNDS if instruction.op == Op.BRA:
                return f"{who} goes to address {raw.address:#x}, where its kernel has no instruction"
            case FindingKind.OUT_OF_BOUNDS if _is_texture(instruction):
                if TextureOperation.of(instruction.imm).bytes:
                    return f"{who} accesses a surface that does not exist, or a place outside it"
                return f"{who} fetches from texture object {raw.address}, which does not exist"
            case FindingKind.OUT_OF_BOUNDS:
                return self._outside_member(raw, who) if instruction.member else f"{access}, {self._beyond(raw)}"
            case FindingKind.MISALIGNED:
                where = self.place(raw.space, raw.address, raw.pc)
                return (
                    f"{access} at address {raw.address:#x} of {_SPACES[Space(raw.space)]} ({where}), "
                    f"which is not a multiple of {instruction.width}"
                )
            case FindingKind.NULL_POINTER:
                return f"{access} through a null pointer (address {raw.address:#x})"
            case FindingKind.UNINITIALISED:
                return self._undefined(raw, who)
            case FindingKind.INTEGER_OVERFLOW | FindingKind.SHIFT | FindingKind.DIVISION_BY_ZERO:
                return self._trap(raw, who)
            case FindingKind.ENDLESS:
                waits = ""
                if raw.other is not None and raw.other.pc != NONE:
                    other = self.who(raw.other.block, raw.other.thread)
                    waits = f"; {other} waits for it at the barrier in {self.line(raw.other.pc)}"
                why = f"a lock that is never released, or a wait for {self._missing}"
                if raw.value:
                    return (
                        f"the warp of {who} never leaves its loop, as nothing changes what it waits for: {why}{waits}"
                    )
                return f"the warp of {who} used up its step budget: an endless loop, {why}{waits}"
            case FindingKind.ASSERTION:
                stop = self._program.asserts[instruction.imm]
                return f"{who}: {'assertion failed: ' if stop.is_assertion else ''}{stop.format}"
            case FindingKind.INACTIVE_LANE:
                return f"{who} reads lane {raw.address}, which does not take part"
            case FindingKind.RACE | FindingKind.SAME_VALUE_RACE | FindingKind.LOCKSTEP:
                return self._race(raw)
        return self._waiting(raw, who)

    @property
    def _missing(self) -> str:
        """Return what a block can wait for in vain beside its own threads."""
        return "what no block does" if self._program.synchronises_grid else "a block that is executed later"

    def _waiting(self, raw: RawFinding, who: str) -> str:
        """Return the sentence of a finding about barriers and warp primitives."""
        other = raw.other
        them = "other threads" if other is None else self.who(other.block, other.thread)
        match raw.kind:
            case FindingKind.DIVERGENT_BARRIER if other is not None and other.pc != NONE:
                return (
                    f"{who} waits at the barrier in {self.line(raw.pc)}, but {them} at the one in {self.line(other.pc)}"
                )
            case FindingKind.DIVERGENT_BARRIER:
                return f"{who} waits at a barrier in divergent code, which {them} does not reach"
            case FindingKind.EXITED_BEFORE_BARRIER:
                return f"{who} waits at a barrier that {them} never reaches: it has exited"
            case FindingKind.MEMBER_MASK if other is None:
                return f"{who} is not in its own member mask {raw.address:#010x} (lane {raw.thread % LANES})"
            case FindingKind.MEMBER_MASK if other is not None:
                return (
                    f"the member mask {raw.address:#010x} of {who} names lane {other.thread % LANES} ({them}), "
                    f"which {'does not execute the primitive' if other.pc == NONE else 'has exited'}"
                )
            case FindingKind.DEADLOCK if self._program.instructions[raw.pc].info.kind not in WAITING_KINDS:
                where = "" if other is None else f"; {them} waits in {self.line(other.pc)} until it leaves the loop"
                lane = "a lane of its own warp that cannot run before"
                return f"{who} waits in a loop, for {lane} or for {self._missing}{where}"
            case FindingKind.BARRIER_COUNT:
                return self._barrier_count(raw, who)
            case FindingKind.BARRIER:
                if self._program.instructions[raw.pc].op == Op.BAR_NAMED:
                    return self._incomplete(raw, who)
                where = f", but {them} waits in {self.line(other.pc)}" if other is not None and other.pc != NONE else ""
                return f"{who} waits at a barrier that other threads of its block never reach{where}"
            case _:
                where = f": {them} waits in {self.line(other.pc)}" if other is not None and other.pc != NONE else ""
                return f"{who} waits for lanes of its own warp that never arrive{where}"

    def _incomplete(self, raw: RawFinding, who: str) -> str:
        """Return the sentence about a barrier with a number at which too few threads arrive."""
        number, threads = named_barrier(raw)
        came = f"{who} waits at barrier {number} for {threads} threads, but no more than {raw.address} arrive"
        if raw.other is None or raw.other.pc == NONE:
            return came
        them, line = self.who(raw.other.block, raw.other.thread), self.line(raw.other.pc)
        return f"{came}: {them} {'exits' if self._exits(raw.other.pc) else 'waits'} in {line}"

    def _exits(self, pc: int) -> bool:
        return self._program.instructions[pc].op == Op.EXIT

    def _barrier_count(self, raw: RawFinding, who: str) -> str:
        """Return the sentence about a barrier with a number that waits for threads which cannot all come."""
        number, threads = named_barrier(raw)
        if number >= BARRIERS_A_BLOCK:
            return f"{who} uses barrier {number}: a block has barriers 0 to {BARRIERS_A_BLOCK - 1}"
        if raw.other is not None:
            them = self.who(raw.other.block, raw.other.thread)
            return f"{who} arrives at barrier {number} for {threads} threads, but {them} for {raw.address}"
        if threads == ALL_THREADS:
            return f"{who} arrives at barrier {number} and does not say for how many threads the barrier waits"
        arrives = f"{who} arrives at barrier {number} for {threads} threads"
        if threads % LANES:
            return f"{arrives}, which is not a multiple of {LANES}"
        return f"{arrives}, but its block has {self._launch.threads}"

    def _undefined(self, raw: RawFinding, who: str) -> str:
        """Return the sentence about an undefined value: where it was read, and where it matters."""
        if raw.other is None:
            where = self.place(raw.space, raw.address, raw.pc)
            unknown = "; whether the value matters is not followed in machine code" if self._program.native else ""
            return f"{who} reads '{where}' in {_SPACES[Space(raw.space)]}, which no thread had written{unknown}"
        instruction, origin = self._program.instructions[raw.pc], raw.other.pc
        if origin == NONE:
            name = self._variable_in(raw.address)
            source = f"'{name}', which has no value yet" if name else "a variable that has no value yet"
        else:
            where = self.place(raw.space, raw.address, origin)
            source = f"'{where}' in {_SPACES[Space(raw.space)]}, which no thread had written"
            if origin == raw.pc and instruction.op != Op.LD:
                return f"{who} updates {source}"
        use = {Op.BRA: "branches on", Op.LD: "reads an address that comes from", Op.PRINTF: "prints"}.get(
            instruction.op
        )
        return f"{who} {use or 'writes a value that comes from'} {source}"

    def _variable_in(self, slot: int) -> str:
        """Return the name of the source variable that a row of registers holds; "" where there is none."""
        wide = slot >= self._program.rows32
        row = (slot - self._program.rows32) // 2 if wide else slot
        for variable in self._program.variables:
            if variable.row == row and variable.type.is_wide == wide and variable.space == Space.NONE:
                return variable.name
        return ""

    def _trap(self, raw: RawFinding, who: str) -> str:
        """Return the sentence about an integer operation that has no defined result."""
        instruction = self._program.instructions[raw.pc]
        left, right = signed(raw.address, 64), signed(raw.value, 64)
        bits = 64 if instruction.type.is_wide else 32
        if raw.kind == FindingKind.DIVISION_BY_ZERO:
            return f"{who} divides {left} by zero"
        if raw.kind == FindingKind.SHIFT:
            return f"{who} shifts a value of {bits} bits by {right}: the count must be from 0 to {bits - 1}"
        sign = {Op.ADD: "+", Op.SUB: "-"}.get(instruction.op, "*")
        more = " (+ ...)" if instruction.op == Op.MAD else ""
        result = f"{left} {sign} {right}{more}"
        return f"{who} computes {result} for an address, which overflows a signed integer of {bits} bits"

    def _outside_member(self, raw: RawFinding, who: str) -> str:
        """Return the sentence about an index into an array that is a member of a struct."""
        instruction = self._program.instructions[raw.pc]
        name = f"the array '{instruction.member}' of its struct"
        if instruction.op in MEMORY_OPS or instruction.bounds is None:
            return f"{who} {self.verb(raw.pc)} {_bytes(instruction.width)} outside {name}"
        low, high = instruction.bounds
        index = signed(raw.address, 64) - low
        return f"{who} takes the element of index {index} in {name}, which has {high - low} elements"

    def _beyond(self, raw: RawFinding) -> str:
        """Return what an address outside every array lies beside."""
        space = Space(raw.space)
        if space == Space.GLOBAL:
            address = signed(raw.address, 64)
            near = self._memory.nearest(address)
            if near is None:
                return f"address {raw.address:#x} of global memory, outside every buffer"
            if near.base <= address < near.end:
                return f"the last of them beyond '{near.name}' ({near.size} bytes)"
            if address >= near.end:
                past = "just" if address == near.end else _bytes(address - near.end)
                return f"{past} past the end of '{near.name}' ({_bytes(near.size)})"
            return f"{_bytes(near.base - address)} before '{near.name}' ({_bytes(near.size)})"
        offset = signed(raw.address, 32)
        place, array = f"{_SPACES[space]} at byte {offset}", declared_array(self._program, space, offset)
        if array is None:
            return f"{place}, outside every array"
        if offset < array.offset:
            return f"{place}, {_bytes(array.offset - offset)} before '{array.name}'"
        elements = math.prod(array.dims)
        if elements and offset >= array.offset + elements * array.element_bytes:
            return f"{place}, beyond the {elements} elements of '{array.name}'"
        inside = f"{place}, that is '{array.name}{index_text(array, offset - array.offset, self._accessed(raw.pc))}'"
        if elements or space != Space.SHARED:
            return inside
        given = _bytes(self._launch.dynamic_shared_bytes)
        return f"{inside}: the launch has {given} of dynamic shared memory (--shared says how many)"

    def _race(self, raw: RawFinding) -> str:
        """Return the sentence of a race: who did what, who else did, and what would have ordered them."""
        assert raw.other is not None
        what = f"'{self.place(raw.space, raw.address, raw.pc)}' in {_SPACES[Space(raw.space)]}"
        if raw.space == Space.SHARED and raw.block != raw.other.block:
            what += f" of {self.block_words(raw.home)}"
        own = f"{self.who(raw.block, raw.thread)} {self._act(raw, raw.space, what)}"
        other = f"{self.who(raw.other.block, raw.other.thread)} {self._act(raw.other, raw.space, 'it')}"
        between = {
            FindingKind.RACE: "and nothing orders the two",
            FindingKind.SAME_VALUE_RACE: "the same value, but nothing orders the two: still undefined",
            FindingKind.LOCKSTEP: "and only lockstep orders the two: this breaks from compute capability 7.0 on",
        }[raw.kind]
        return f"{own}, {other} in {self.line(raw.other.pc)}, {between}; {self.remedy(raw)}"

    def _act(self, party: RawFinding | Party, space: int, what: str) -> str:
        """Return what a thread did with what lies at an address, and with which value."""
        value = self.value(party.pc, space, party.address, party.value)
        number = f"{value:g}" if isinstance(value, float) else str(value)
        with_value = {Op.LD: f" ({number})", Op.ST: f" ({number})"}.get(self._program.instructions[party.pc].op, "")
        return f"{self.verb(party.pc, space)} {what}{with_value}"

    def about_other(self, raw: RawFinding, other: Party) -> str:
        """Return the sentence about the other thread of a finding, or the other place."""
        who = self.who(other.block, other.thread)
        if raw.kind == FindingKind.UNINITIALISED:
            return f"{who} reads it here"
        if raw.is_race:
            what = f"'{self.place(raw.space, other.address, other.pc)}'"
            return f"{who} {self._act(other, raw.space, what)} here"
        if raw.kind == FindingKind.EXITED_BEFORE_BARRIER or (raw.kind == FindingKind.MEMBER_MASK and other.pc != NONE):
            return f"{who} exits here"
        if raw.kind == FindingKind.BARRIER_COUNT:
            return f"{who} arrives here for {raw.address} threads"
        if other.pc != NONE and self._exits(other.pc):
            return f"{who} exits here"
        return f"{who} waits here" if other.pc != NONE else f"{who} does not reach this barrier"

    def remedy(self, raw: RawFinding) -> str:
        """Return what would have ordered two accesses, or let a barrier complete."""
        match raw.kind:
            case FindingKind.BARRIER_COUNT:
                return "all threads that arrive at a barrier must say the same number of threads"
            case FindingKind.BARRIER if self._program.instructions[raw.pc].op == Op.BAR_NAMED:
                return "as many threads must arrive at the barrier as it waits for"
            case FindingKind.DIVERGENT_BARRIER | FindingKind.EXITED_BEFORE_BARRIER | FindingKind.BARRIER:
                return "every thread of the block must reach the same __syncthreads()"
            case FindingKind.MEMBER_MASK:
                return "a mask must name the lanes that execute the primitive, and no others"
            case FindingKind.RACE | FindingKind.SAME_VALUE_RACE | FindingKind.LOCKSTEP:
                return self._remedies.of(raw)
        return ""
