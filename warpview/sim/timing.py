"""The timing model's numbers: what each instruction of a program costs on a device.

The model, shared by the readable multiprocessor and the jitted one:

* A scheduler's port takes one warp instruction every ``port`` cycles. Before compute capability 3.0 a warp instruction
  occupies the whole 8 or 16 lanes that the scheduler drives, so the port is the ALU's; later it is free every cycle.
* An instruction waits until the rows that it reads and writes are there (scoreboard), until its pipe is free, and
  then until it is picked. Integer multiplication and division are sequences on the ALU and occupy its pipe.
* A shared-memory or constant access takes the multiprocessor's shared pipe for one slot and a further
  ``wavefront`` (``pass``) cycles for each wavefront beyond the ideal; its result comes after the latency and these.
* Before compute capability 5.0 the scheduler issues the access again for each further wavefront or pass (a replay),
  and its port is taken as long.
* A global access takes the pipe for a cycle a transaction. What its caches (sim/reference/sm_caches.py) do not hold
  drains through the multiprocessor's share of the memory bandwidth, more slowly where the blocks of all multiprocessors
  meet in few memory partitions (contention.py), and what the L2 serves through its share of the L2's. Its result comes
  after that and the latency of memory, or of the last cache that it needs. An atomic takes the multiprocessor's share
  of the units that carry out atomics, too: less where all multiprocessors address the same ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.ops import Op, Unit
from warpview.isa.program import NONE, Instruction, Program, unit_of
from warpview.isa.types import Space, Type
from warpview.sim.contention import Contention
from warpview.sim.events import Stall

# Pipes: each is one number, the cycle from which it is free. The first six are a scheduler's own.
ALU_PIPE, FP64_PIPE, SFU_PIPE, LSU_PIPE, CONTROL_PIPE, WARP_PIPE = range(6)
N_PIPES = 6
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
}

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

SECTOR_BYTES = 32
# Time in the memory queue is counted in fractions of a cycle, so that the share of bandwidth is met exactly.
FRACTION = 1024
# Of the peak bandwidth: 70 to 84 % was measured on GT200, V100, P100, P4, M60 and K80 (Jia et al. 2018).
DRAM_EFFICIENCY = 0.8
# Cycles between the end of a block and the first instruction of the one that takes its place.
BLOCK_START_CYCLES = 20
NEVER = 1 << 62


class Timing(NamedTuple):
    """Holds the costs by instruction index (arrays) and of the device (numbers). Cycles, except where it is said."""

    schedulers: int
    dispatch: int  # instructions of one warp that a scheduler can issue in a cycle
    port: int
    pipe: NDArray[np.int32]
    occupancy: NDArray[np.int32]  # cycles that the instruction occupies its pipe
    latency: NDArray[np.int32]  # until its result can be read, memory left aside
    following: NDArray[np.int32]  # until the warp's next instruction can issue
    wait: NDArray[np.uint8]  # Stall of the instructions that wait for its result
    throttle: NDArray[np.uint8]  # Stall of the instruction itself while its pipe or queue is full
    queues: NDArray[np.int32]
    uses_start: NDArray[np.int32]  # [n + 1] into uses: rows read or written (64-bit rows after the 32-bit ones)
    uses: NDArray[np.int32]
    sets_start: NDArray[np.int32]  # [n + 1] into sets: rows written
    sets: NDArray[np.int32]
    space: NDArray[np.int32]
    sector_cost: NDArray[np.int64]  # of memory's bandwidth, in 1/FRACTION cycles
    pass_cost: NDArray[np.int64]  # of an atomic, for each sector of a pass, in 1/FRACTION cycles
    shared_slot: int  # cycles that an ideal access of one 32-bit word a lane takes in the shared pipe
    ideal_passes: int  # ideal wavefronts of such an access: 2 where half-warps are served one after the other
    wavefront: int
    constant_pass: int
    replay: int  # cycles of the port for each further wavefront or pass
    shared_latency: int
    constant_latency: int
    global_latency: int
    l1_latency: int
    l2_latency: int
    l2_cost: int  # of a sector that the L2 serves, in 1/FRACTION cycles
    shared_backlog: int  # cycles of work that the shared pipe's queue holds before issue stops
    memory_backlog: int
    barrier: int
    barrier_per_warp: int
    block_start: int


def timing_of(program: Program, device: Device, contention: Contention) -> Timing:
    """Return the model's numbers for a program on a device; ``contention`` is that of the launch."""
    instructions = program.instructions
    uses, uses_start = _rows(program, (_uses(i) for i in instructions))
    sets, sets_start = _rows(program, (_sets(i) for i in instructions))
    units = [unit_of(i) for i in instructions]
    port = device.issue_port_cycles
    bytes_per_cycle = device.dram_gbps * 1e3 * DRAM_EFFICIENCY / device.multiprocessors / device.clock_mhz
    return Timing(
        schedulers=device.schedulers,
        dispatch=device.dispatch_per_scheduler,
        port=port,
        pipe=_ints(PIPE_OF_UNIT[u] for u in units),
        occupancy=_ints(device.issue_cycles[u] for u in units),
        latency=_ints(device.latency[u] for u in units),
        following=_ints(max(port, device.latency[u]) if u == Unit.BRANCH else port for u in units),
        wait=np.array([_wait(i, u) for i, u in zip(instructions, units, strict=True)], dtype=np.uint8),
        throttle=np.array([_throttle(i, u) for i, u in zip(instructions, units, strict=True)], dtype=np.uint8),
        queues=_ints(_QUEUES.get(i.space, 0) if u == Unit.LSU else 0 for i, u in zip(instructions, units, strict=True)),
        uses_start=uses_start,
        uses=uses,
        sets_start=sets_start,
        sets=sets,
        space=_ints(i.space for i in instructions),
        sector_cost=np.rint(contention.camping * round(SECTOR_BYTES * FRACTION / bytes_per_cycle)).astype(np.int64),
        pass_cost=np.rint(contention.pass_cycles * FRACTION).astype(np.int64),
        shared_slot=max(1, device.issue_cycles[Unit.LSU] // device.schedulers),
        ideal_passes=32 // device.shared_group,
        wavefront=device.shared_wavefront_cycles,
        constant_pass=device.constant_pass_cycles,
        replay=port if device.replays else 0,
        shared_latency=device.latency_shared,
        constant_latency=device.latency_constant,
        global_latency=device.latency_global,
        l1_latency=device.latency_l1,
        l2_latency=device.latency_l2,
        l2_cost=round(device.l2_sector_cycles * FRACTION),
        shared_backlog=device.latency_shared if device.shared_queue else 0,
        memory_backlog=device.latency_global,
        barrier=device.latency_barrier,
        barrier_per_warp=device.barrier_cycles_per_warp,
        block_start=BLOCK_START_CYCLES,
    )


def _wait(instruction: Instruction, unit: Unit) -> Stall:
    if _goes_through_mio(instruction, unit):
        return Stall.SHORT_SCOREBOARD
    return Stall.LONG_SCOREBOARD if unit == Unit.LSU else Stall.WAIT


def _throttle(instruction: Instruction, unit: Unit) -> Stall:
    if _goes_through_mio(instruction, unit):
        return Stall.MIO_THROTTLE
    return Stall.LG_THROTTLE if unit == Unit.LSU else Stall.MATH_PIPE_THROTTLE


def _goes_through_mio(instruction: Instruction, unit: Unit) -> bool:
    """Return whether the instruction goes through the queue of shared memory, special functions and shuffles (Kernel
    Profiling Guide, "MIO")."""
    if unit == Unit.LSU:
        return instruction.space in (Space.SHARED, Space.CONST)
    return unit in (Unit.SFU, Unit.WARP)


def _uses(instruction: Instruction) -> list[tuple[int, Type]]:
    """Return the rows that must be there before the instruction issues: sources, guard, and what it writes."""
    rows = list(zip(instruction.srcs, instruction.src_types, strict=True))
    if instruction.op in (Op.ST, Op.RED) and instruction.vec > 1:
        first, kind = rows[1]
        rows = [rows[0], *((first + k, kind) for k in range(instruction.vec))]
    if instruction.guard != NONE:
        rows.append((instruction.guard, Type.PRED))
    return rows + list(instruction.extra) + _sets(instruction)


def _sets(instruction: Instruction) -> list[tuple[int, Type]]:
    kind = instruction.dst_type
    if kind is None:
        return []
    return [(instruction.dst + k, kind) for k in range(max(1, instruction.vec))]


def _rows(
    program: Program, operands: Iterable[Sequence[tuple[int, Type]]]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return (rows, start) of each instruction's virtual registers; those that never change need no scoreboard."""
    rows: list[int] = []
    start = [0]
    for group in operands:
        found = set()
        for row, kind in group:
            if kind.is_wide and row >= program.first_virtual64:
                found.add(program.rows32 + row)
            elif not kind.is_wide and row >= program.first_virtual32:
                found.add(row)
        rows += sorted(found)
        start.append(len(rows))
    return _ints(rows), _ints(start)


def _ints(values: Iterable[int]) -> NDArray[np.int32]:
    return np.array(list(values), dtype=np.int32)


def extrapolated_us(cycles: int, device: Device, n_blocks: int, blocks_run: int) -> float:
    """Return the time of the launch from that of one multiprocessor: the busiest one has ceil(blocks /
    multiprocessors)."""
    busiest = -(-n_blocks // device.multiprocessors)
    return cycles / device.clock_mhz * busiest / max(1, blocks_run)
