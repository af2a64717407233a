"""Look up what the timing model takes single instructions to cost: their pipe, latency, stall and scoreboards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.modes import MemoryScope
from warpview.isa.ops import ATOMIC_OPS, AtomOp, Op, Unit
from warpview.isa.program import NONE, Instruction, Program, unit_of
from warpview.isa.types import GLOBAL_SPACES, Space
from warpview.sim.compiler_effects.asynchronous_copies import is_bulk
from warpview.sim.compiler_effects.balanced_pipes import balance
from warpview.sim.compiler_effects.compiled_forms import enter_forms
from warpview.sim.history.events import Stall
from warpview.sim.timing import mio_costs
from warpview.sim.timing.scoreboard import rows_awaited

# Pipes of a scheduler: each is one number, the cycle from which it is free.
(ALU_PIPE, FP64_PIPE, SFU_PIPE, LSU_PIPE, CONTROL_PIPE, WARP_PIPE, FMA_PIPE, UNIFORM_PIPE,
 PRODUCT_PIPE, BULK_PIPE) = range(10)  # fmt: skip
N_PIPES = 10
QUEUE = N_PIPES  # the queue of a scheduler's memory instructions, where it is kept for how long a pipe was taken
# Pipes of arithmetic, for which warps take turns; what waits for another one waits in its queue.
TURN_PIPES = (ALU_PIPE, FP64_PIPE, SFU_PIPE, FMA_PIPE, UNIFORM_PIPE, PRODUCT_PIPE)
PIPE_OF_UNIT = {
    Unit.ALU: ALU_PIPE,
    Unit.IMUL: ALU_PIPE,
    Unit.IDIV: ALU_PIPE,
    Unit.FP64: FP64_PIPE,
    Unit.SFU: SFU_PIPE,
    Unit.LSU: LSU_PIPE,
    Unit.BRANCH: CONTROL_PIPE,
    Unit.SYNC: CONTROL_PIPE,
    Unit.WARP: WARP_PIPE,
    Unit.FMA: ALU_PIPE,
}
# Where floats and integer products have a pipe beside that of the other integer operations.
SEPARATE_PIPE_OF_UNIT = {**PIPE_OF_UNIT, Unit.FMA: FMA_PIPE, Unit.IMUL: FMA_PIPE}

BANKED_UNITS = (Unit.ALU, Unit.IMUL, Unit.FMA, Unit.FP64)  # what reads its registers when it issues

WIDE_PRODUCTS = ("IMAD.WIDE", "IMAD.HI")  # instructions that give more than the lower 32 bits of a product

# Which queues of the multiprocessor a memory instruction goes through.
SHARED_QUEUE = 1
MEMORY_QUEUE = 2
_QUEUES = {
    Space.SHARED: SHARED_QUEUE,
    Space.CONST: SHARED_QUEUE,
    Space.GLOBAL: MEMORY_QUEUE,
    Space.LOCAL: MEMORY_QUEUE,
    Space.GENERIC: SHARED_QUEUE | MEMORY_QUEUE,
}

CONSTANT_LINE = 64  # bytes of constants that are fetched together
LOOPED_SWAP = "ATOMS.CAST"  # what a loop tries to exchange with, of shared memory; it tells whether it did


class InstructionCosts(NamedTuple):
    """Hold the costs by instruction index, in cycles except where it is said."""

    pipe: NDArray[np.int32]
    occupancy: NDArray[np.int32]  # cycles that the instruction occupies its pipe
    handing: NDArray[np.int32]  # for which the queue of its scheduler hands it on, and nothing else
    latency: NDArray[np.int32]  # until its result can be read, memory left aside
    following: NDArray[np.int32]  # until the warp's next instruction can issue
    pause: NDArray[np.uint8]  # Stall of the warp meanwhile
    held: NDArray[np.int32]  # for which it keeps its scheduler from issuing, beyond those of any instruction
    held_in_turn: NDArray[np.int32]  # one in so many accesses does so for a cycle more; 0: none
    wait: NDArray[np.uint8]  # Stall of the instructions that wait for its result
    throttle: NDArray[np.uint8]  # Stall of the instruction itself while its pipe or queue is full
    queues: NDArray[np.int32]
    uses_start: NDArray[np.int32]  # [n + 1] into uses: rows read or written, or scoreboards that it waits for
    uses: NDArray[np.int32]
    sets_start: NDArray[np.int32]  # [n + 1] into sets: rows written, or the scoreboard
    sets: NDArray[np.int32]
    even: NDArray[np.int32]  # registers that it reads from the two banks, without those that are kept for it
    odd: NDArray[np.int32]
    even_alone: NDArray[np.int32]  # where another warp has read its own since: nothing is kept
    odd_alone: NDArray[np.int32]
    room: NDArray[np.int32]  # accesses in the queue of a scheduler, at most; 0: as many as the backlogs say
    beyond: NDArray[np.int32]  # loads that have left the queue and wait for the pipe, of which it is one
    releases: NDArray[np.int32]  # the scoreboard that is released when the sources have been read, or NONE
    reads_later: NDArray[np.int32]  # by how much that is later than of others
    space: NDArray[np.int32]
    constant_line: NDArray[np.int32]  # which line of constants machine code names by its place, from 1 on, or 0
    loads_constant: NDArray[np.bool_]  # it is loaded into a register: what needs it waits, and not the instruction
    fences: NDArray[np.bool_]  # it waits for what the multiprocessor has stored in the L2
    drops_l1: NDArray[np.bool_]  # afterwards the L1 holds nothing
    spins: NDArray[np.int32]  # of an addition in shared memory that is a loop: of each trip
    shared: NDArray[np.int32]  # latency of shared memory
    shared_times: NDArray[np.int32]  # how many times as long each pass over shared memory takes
    slots: NDArray[np.int32]  # cycles that it takes of the pipe of shared memory where it accesses nothing
    side_slots: NDArray[np.int32]  # of the unit that loads constants into registers
    # The loop that the compiler unrolls, from 1 on, or 0; trips of it that are mixed, and that are written one after
    # the other; whether a trip begins there; how many of ``uses``, the first ones, each trip waits for.
    loop: NDArray[np.int32]
    together: NDArray[np.int32]
    copies: NDArray[np.int32]
    begins: NDArray[np.bool_]
    # Of a loop whose trips are counted as it runs (Countdown): the rows of its counter and of its bound, by how much
    # the counter grows, or 0, and whether there is a trip for the bound itself.
    counter: NDArray[np.int32]
    bound: NDArray[np.int32]
    step: NDArray[np.int32]
    inclusive: NDArray[np.int32]
    n_carried: NDArray[np.int32]
    renames: NDArray[np.bool_]  # the compiler gives its result a register of its own in each trip
    free: NDArray[np.uint8]  # Free: whether it takes time
    joined_trips: NDArray[np.int32]  # trips for which one load is issued, in the first of them; or 0
    joined: NDArray[np.int32]  # words a lane of a load that stands for several; or 0
    # Whether its result belongs to the open group of copies; whether it closes that; how many groups may still be on
    # their way when it issues, NONE for other instructions.
    copied: NDArray[np.bool_]
    closes: NDArray[np.bool_]
    groups_left: NDArray[np.int32]
    # Whether it tells a barrier in shared memory when the copies so far are there, and whether it asks such a barrier.
    tells_barrier: NDArray[np.bool_]
    asks_barrier: NDArray[np.bool_]
    # How many of ``uses`` an instruction waits for otherwise; whether what it gives is waited for later, together with
    # that of others; and whether that is here.
    n_awaited: NDArray[np.int32]
    owes: NDArray[np.bool_]
    settles: NDArray[np.bool_]
    # Bytes from which on an atomic is carried out once for its warp, or 0; by how much its result is later then.
    merged_bytes: NDArray[np.int32]
    merged_later: NDArray[np.int32]


def instruction_costs(program: Program, device: Device) -> InstructionCosts:
    """Return the costs of a program's instructions on a device."""
    instructions = program.instructions
    units = [unit_of(i) for i in instructions]
    pairs = list(zip(instructions, units, strict=True))
    pipes = SEPARATE_PIPE_OF_UNIT if device.separate_fma else PIPE_OF_UNIT
    handing = mio_costs.handing_cycles(program, units, device)
    reads = register_reads(program, units) if device.register_banks else np.zeros((2, 2, len(units)), np.int32)
    several: dict[str, NDArray[Any]] = {
        "occupancy": _ints(
            device.issue_port_cycles if handed else _occupancy(i, u, device)
            for handed, (i, u) in zip(handing, pairs, strict=True)
        ),
        "latency": _ints(_latency(i, u, device) for i, u in pairs),
        "following": _ints(_following(i, u, device) for i, u in pairs),
        "held": _ints(_held(i, device) for i in instructions),
        "held_in_turn": _ints(device.held_loads if _loads_globally(i) else 0 for i in instructions),
    }
    enter_forms(several, program, device)
    awaited = rows_awaited(program, device)
    several["pipe"] = _ints(_pipe(i, u, pipes[u], device) for i, u in pairs)
    if device.unrolls_loops and device.separate_fma and program.native is None:
        balance(program, several, awaited["free"], (ALU_PIPE, _pipe_of_products(FMA_PIPE, device)))
    return InstructionCosts(
        **several,
        handing=_ints(handing),
        pause=np.array([Stall.MEMBAR if _fences_device(i) else Stall.WAIT for i in instructions], dtype=np.uint8),
        wait=np.array([_wait(i, u) for i, u in pairs], dtype=np.uint8),
        throttle=np.array([_throttle(i, u) for i, u in pairs], dtype=np.uint8),
        queues=_ints(_QUEUES.get(i.space, 0) if u == Unit.LSU else 0 for i, u in pairs),
        even=reads[0, 0],
        odd=reads[0, 1],
        even_alone=reads[1, 0],
        odd_alone=reads[1, 1],
        room=_ints(_room(i, u, device) for i, u in pairs),
        beyond=_ints(_beyond(i, u, device) for i, u in pairs),
        releases=_ints(_released(i) for i in instructions),
        reads_later=_ints(device.bulk_issue_cycles if is_bulk(i) else 0 for i in instructions),
        space=_ints(i.space for i in instructions),
        constant_line=_ints(_constant_lines(program)),
        loads_constant=np.array([_mnemonic(i).startswith("LDC") for i in instructions], dtype=bool),
        fences=np.array([i.op == Op.MEMBAR and i.mod == MemoryScope.DEVICE for i in instructions], dtype=bool),
        drops_l1=np.array([_drops_l1(i) for i in instructions], dtype=bool),
        shared=_ints(_shared_latency(i, device) for i in instructions),
        shared_times=_ints(
            device.shared_swap_times if _swaps(i) or spins else 1
            for i, spins in zip(instructions, several["spins"], strict=True)
        ),
        slots=_ints(mio_costs.slots(i, u, device) for i, u in pairs),
        side_slots=_ints(mio_costs.side_slots(i, device) for i in instructions),
        **awaited,
    )


def repeated_passes(instructions: Sequence[Instruction], device: Device) -> NDArray[np.float64]:
    """Return the cycles of a slice for a pass of an atomic right behind another one over its line, by instruction:
    additions of floats wait for one another."""
    floats = np.array([i.type.is_float for i in instructions], dtype=bool)
    return np.where(floats, device.atomic_float_cycles, 0.0)


def reads_result(instruction: Instruction) -> bool:
    """Return whether an instruction reads what an atomic of global memory finds."""
    is_global = instruction.op in ATOMIC_OPS and instruction.space in GLOBAL_SPACES
    return is_global and instruction.op != Op.RED and instruction.dst != NONE


def swaps_globally(instruction: Instruction) -> bool:
    """Return whether an instruction exchanges or compares and swaps in global memory, and reads what it finds."""
    return reads_result(instruction) and instruction.mod in (AtomOp.CAS, AtomOp.EXCH)


def polls_word(instruction: Instruction) -> bool:
    """Return whether an instruction is a load of global memory that asks the L2 each time."""
    return instruction.op == Op.LD and instruction.space in GLOBAL_SPACES and not instruction.cached


def _pipe(instruction: Instruction, unit: Unit, pipe: int, device: Device) -> int:
    """Return the pipe of an instruction whose unit has ``pipe``: what is done once for a warp has a pipe of its own."""
    native = instruction.native
    if device.mio_register_cycles and (mio_costs.is_shuffle(instruction) or mio_costs.reads_own_number(instruction)):
        return LSU_PIPE
    if device.side_slots and mio_costs.reads_aside(instruction):
        return WARP_PIPE
    if is_bulk(instruction):
        return BULK_PIPE
    if unit == Unit.IMUL:
        pipe = _pipe_of_products(pipe, device)
    is_uniform = native is not None and native.is_uniform and pipe in (ALU_PIPE, FMA_PIPE, PRODUCT_PIPE)
    return UNIFORM_PIPE if is_uniform else pipe


def _pipe_of_products(pipe: int, device: Device) -> int:
    """Return the pipe of products of integers, which are in ``pipe`` unless they have only half of its lanes: floats
    have the other half, too (tests/truth/pipes_h200.csv)."""
    has_half = pipe == FMA_PIPE and device.issue_cycles[Unit.IMUL] > device.issue_cycles[Unit.FMA]
    return PRODUCT_PIPE if has_half else pipe


def _occupancy(instruction: Instruction, unit: Unit, device: Device) -> int:
    """Return the cycles for which an instruction that enters no queue keeps its pipe busy."""
    if device.mio_register_cycles and mio_costs.reads_aside(instruction):
        return device.issue_port_cycles
    is_wide = _mnemonic(instruction).startswith(WIDE_PRODUCTS)
    return max(device.issue_cycles[unit], device.wide_product_cycles if is_wide else 0)


def _held(instruction: Instruction, device: Device) -> int:
    """Return the cycles for which the instruction keeps its scheduler from issuing, beyond those of any."""
    return device.wide_product_slots - 1 if _mnemonic(instruction).startswith("IMAD.WIDE") else 0


def _mnemonic(instruction: Instruction) -> str:
    """Return the mnemonic of an instruction of machine code; without one, nothing."""
    return "" if instruction.native is None else instruction.native.mnemonic


def _latency(instruction: Instruction, unit: Unit, device: Device) -> int:
    """Return the cycles until the result can be read. What sets a scoreboard although its unit has a fixed latency
    loads from constant memory."""
    native = instruction.native
    if device.latency_special and _mnemonic(instruction).startswith(("S2R", "S2UR")):
        return device.latency_special
    if native is not None and native.write_barrier is not None and unit in (Unit.ALU, Unit.IMUL):
        return device.latency_constant
    return device.latency[unit]


def _shared_latency(instruction: Instruction, device: Device) -> int:
    """Return the cycles until shared memory has given its result."""
    is_plain = instruction.op not in ATOMIC_OPS or _mnemonic(instruction).startswith(LOOPED_SWAP)
    return device.latency_shared if is_plain else device.latency_shared_atomic or device.latency_shared


def _drops_l1(instruction: Instruction) -> bool:
    """Return whether an instruction empties the L1: a fence beyond the block, of which machine code has two parts."""
    if instruction.native is not None:
        return _mnemonic(instruction).startswith("CCTL.IVALL")
    return _fences_device(instruction)


def _fences_device(instruction: Instruction) -> bool:
    """Return whether an instruction is a fence among the threads of more than a block."""
    return instruction.op == Op.MEMBAR and instruction.mod != MemoryScope.BLOCK


def _swaps(instruction: Instruction) -> bool:
    """Return whether an instruction compares and swaps in shared memory, which a test-and-set does not."""
    is_plain = not _mnemonic(instruction).startswith(LOOPED_SWAP)
    return instruction.op == Op.ATOM and instruction.mod == AtomOp.CAS and is_plain


def _following(instruction: Instruction, unit: Unit, device: Device) -> int:
    """Return the cycles until the next instruction of the warp can issue."""
    native, port = instruction.native, device.issue_port_cycles
    stall = port if native is None else max(port, native.stall)
    mnemonic = _mnemonic(instruction)
    if mnemonic.startswith("BSYNC"):
        return stall + device.reconvergence_cycles
    if mnemonic.startswith(WIDE_PRODUCTS):
        return stall + max(0, device.wide_product_cycles - 1)
    if mnemonic.startswith("BRX"):
        return max(stall, device.latency[unit]) + device.indirect_branch_cycles
    if instruction.op == Op.MEMBAR and instruction.mod == MemoryScope.SYSTEM:
        return max(stall, device.system_fence_cycles)
    goes_on_elsewhere = unit == Unit.BRANCH if native is None else instruction.op == Op.BRA
    return max(stall, device.latency[unit]) if goes_on_elsewhere else stall


def register_reads(program: Program, units: Sequence[Unit]) -> NDArray[np.int32]:
    """Return how many even and how many odd registers each instruction of machine code reads, [2, 2, n], each once: at
    first without those that instructions before have kept for it, then with them.

    A register is kept for those that have it as the same operand, until one of the same warp reads another register of
    its bank as that operand, or any of another warp. Only the units of fixed latency are looked at; what other units
    read in between changes nothing (arXiv 2503.20481; tests/truth/banks_h100.csv).
    """
    counts = np.zeros((2, 2, len(units)), dtype=np.int32)
    if program.native is None:
        return counts
    numbers = {row: int(name[1:]) for name, row in program.native.registers.items() if name[1:].isdigit()}
    kept: dict[tuple[str, int], int | None] = {}  # by operand and bank
    for k, (instruction, unit) in enumerate(zip(program.instructions, units, strict=True)):
        native = instruction.native
        assert native is not None
        if unit not in BANKED_UNITS or native.is_uniform:
            continue
        read, named = set(), set()
        for operand, source in native.sources.items():
            keeps = numbers.get(source.row) in native.reused
            for number in {numbers[row] for row in range(source.row, source.row + source.span) if row in numbers}:
                place = operand, number % 2
                named.add(number)
                if kept.get(place) != number:
                    read.add(number)
                kept[place] = number if keeps else None
        for which, found in enumerate((read, named)):
            for number in found:
                counts[which, number % 2, k] += 1
    return counts


def _loads_globally(instruction: Instruction) -> bool:
    return instruction.op == Op.LD and instruction.space in GLOBAL_SPACES


def _room(instruction: Instruction, unit: Unit, device: Device) -> int:
    """Return how many accesses of a scheduler can wait in its queue when an instruction is to join them."""
    accesses = unit == Unit.LSU and _QUEUES.get(instruction.space, 0)
    return device.memory_queue if accesses or mio_costs.slots(instruction, unit, device) else 0


def _beyond(instruction: Instruction, unit: Unit, device: Device) -> int:
    """Return how many loads of global memory wait for the pipe behind that queue, where an instruction is one."""
    is_load = unit == Unit.LSU and instruction.op == Op.LD and _QUEUES.get(instruction.space, 0) & MEMORY_QUEUE
    return max(0, device.load_queue - device.memory_queue) if is_load else 0


def _constant_lines(program: Program) -> list[int]:
    """Return the line of constants that each instruction of machine code names by its place: lines are counted from 1
    on as they appear, those of loads apart, which have a cache of their own."""
    native = program.native
    if native is None:
        return [0] * len(program.instructions)
    of_rows = {word.row: (word.bank, word.offset // CONSTANT_LINE) for word in native.words}
    numbers: dict[tuple[bool, int, int], int] = {}
    found = []
    for instruction in program.instructions:
        sources = instruction.native.sources.values() if instruction.native is not None else ()
        lines = [of_rows[source.row] for source in sources if source.row in of_rows]
        by_load = _mnemonic(instruction).startswith("LDC")
        found.append(numbers.setdefault((by_load, *lines[0]), len(numbers) + 1) if lines else 0)
    return found


def _released(instruction: Instruction) -> int:
    """Return the scoreboard that an instruction releases when it has read its sources, or NONE."""
    native = instruction.native
    return NONE if native is None or native.read_barrier is None else native.read_barrier


def _wait(instruction: Instruction, unit: Unit) -> Stall:
    native = instruction.native
    by_scoreboard = native is not None and native.write_barrier is not None and unit != Unit.LSU
    if by_scoreboard or _goes_through_mio(instruction, unit):
        return Stall.SHORT_SCOREBOARD
    return Stall.LONG_SCOREBOARD if unit == Unit.LSU else Stall.WAIT


def _throttle(instruction: Instruction, unit: Unit) -> Stall:
    if _goes_through_mio(instruction, unit) or mio_costs.reads_aside(instruction):
        return Stall.MIO_THROTTLE
    return Stall.LG_THROTTLE if unit == Unit.LSU else Stall.MATH_PIPE_THROTTLE


def _goes_through_mio(instruction: Instruction, unit: Unit) -> bool:
    """Return whether the instruction goes through the queue of shared memory, special functions and shuffles (Kernel
    Profiling Guide, "MIO")."""
    if unit == Unit.LSU:
        return instruction.space in (Space.SHARED, Space.CONST)
    return unit in (Unit.SFU, Unit.WARP)


def _ints(values: Iterable[int]) -> NDArray[np.int32]:
    return np.array(list(values), dtype=np.int32)
