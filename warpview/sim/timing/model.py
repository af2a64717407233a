"""Define the timing model: the cost of each instruction of a program on a device.

The model, shared by the readable multiprocessor and the jitted one:

* A scheduler's port takes one warp instruction every ``port`` cycles. Before compute capability 3.0 a warp instruction
  occupies the whole 8 or 16 lanes that the scheduler drives, so the port is the ALU's; later it is free every cycle.
* An instruction waits until the rows that it reads and writes are there (scoreboard), until its pipe is free, and
  then until it is picked. Integer multiplication and division are sequences on the ALU and occupy its pipe.
* A shared-memory or constant access takes the multiprocessor's shared pipe for one slot and a further
  ``wavefront`` (``pass``) cycles for each wavefront beyond the ideal; its result comes after the latency and these.
* The accesses of one warp take turns where further wavefronts take it longer than the pipe: a warp's next access begins
  then when the data of the one before have been moved, those of other warps between them.
* Before compute capability 5.0 the scheduler issues the access again for each further wavefront or pass (a replay),
  and its port is taken as long.
* A global access takes the pipe for a cycle a line of 128 bytes, on devices without such a first-level cache a
  transaction. What its caches (sim/reference/sm_caches.py) do not hold
  drains through the multiprocessor's share of the memory bandwidth, more slowly where the blocks of all multiprocessors
  meet in few memory partitions (contention.py), and what the L2 serves through its share of the L2's. A share is larger
  where the grid has fewer blocks than the device multiprocessors. Its result comes
  after that and the latency of memory, or of the last cache that it needs; memory's grows with the part of the time
  that it was busy in the window before. An atomic takes the multiprocessor's share
  of the units that carry out atomics, too: less where all multiprocessors address the same ones, and where additions
  of floats meet at one line. Those have a queue of
  their own, in which loads and stores do not wait. What swaps find does not wait for the shares of others: they are
  tried again and again, so that those of other multiprocessors come at other times.
* Of code as written, loops that the compiler unrolls are timed as unrolled (unrolled_loops.py): a warp waits once for
  several trips, and what only one of them has takes no time in the others. For loads of straight code it waits in
  groups (load_groups.py). Atomics of which the compiler makes one a warp take one pass (merged_atomics.py), and
  operations that it writes out as long as their instructions (written_out_operations.py). What it joins to one
  instruction or one load takes the time of one (absorbed_operations.py, joined_loads.py), and none is taken by what it
  computes once (repeated_operations.py), by branches of which it makes predicates (predicated_branches.py) and by words
  of constant memory that are operands (constant_operands.py); sums and shifts go to either of two pipes
  (balanced_pipes.py).
* Machine code says itself when an instruction can issue: after the stall count of the one before, and when the
  scoreboards that it waits for are released. An instruction of variable latency releases one with its result, another
  when it has read its sources.
* Where it is known, L2 takes time for each line that an access needs sectors of, and more for parts of sectors; memory
  more for pieces that lie far apart, and for parts of sectors, whose rest it has to read. Lines differ in their
  latency, and an access waits for the last of its own, and for those that another access has asked for.
* The device starts one block after the other, at first for a group of multiprocessors until these are full. Where
  there is an L2, a block makes room when its stores have left the multiprocessor: they wait for the pipe, and for the
  stores before them where L2 or memory cannot take them up; the launch ends when they are there. A launch takes some
  time beyond its blocks. Machine code that runs for the first time has to be fetched, and so have its constants.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.ops import Op, Unit
from warpview.isa.program import Instruction, Program
from warpview.sim.timing.contention import Contention
from warpview.sim.timing.instruction_costs import InstructionCosts, instruction_costs, repeated_passes, swaps_globally

SECTOR_BYTES = 32
# Time in the memory queue is counted in fractions of a cycle, so that the share of bandwidth is met exactly.
FRACTION = 1024
# Cycles over which it is measured how busy memory is, and the most that is taken for it, in 1/FRACTION.
LOAD_WINDOW = 2048
MOST_LOAD = 922
NEVER = 1 << 62
# Trips that are left of a loop which is written more often go into half of the copies, down to so many, then into
# single trips (compiler_effects/remainder_trips.py).
SECOND_PART = 4
# Pieces of an access in DRAM are looked at where there are so many of them; times were measured of accesses with pieces
# so many sectors apart.
MANY_PIECES = 8
READ_GAPS, STORE_GAPS = (2, 4, 8, 16), (1, 2, 4, 8, 16)
GAP_ENTRIES = 17  # of a table of times by the sectors from one piece to the next, 0 to 16 and more
FLIGHTS = 1024  # loads on their way of which it is kept when their data are there, at most
COPY_GROUPS = 64  # of asynchronous copies of a warp of which it is kept when they are there
QUEUE_RING = 32  # accesses of a scheduler of which it is kept when they left its queue
# Stores of so many bytes a lane to no more lines are merged with those of twice as many sectors before them.
WIDEST, LINES_MERGED = 16, 8
SPREAD = 8  # latencies of lines, one of which each has by a hash of its number
OWN_SPREAD = 32  # the same of those for which no other multiprocessor asks
# Of so many pairs of sectors ``late_pairs`` are late: the second one, for which nobody has asked when DRAM reads the
# first, comes as late as another line to who asks for it within so many cycles from when the first is there.
PAIR_PLACES, PAIR_WINDOW = 64, 1000
USED_UNIT = 64  # parts of a sector in which is counted what the L2 is used for
HASH = 2654435761
# A piece of 2**PIECE_SHIFT sectors, 4 KiB, is far from half of the multiprocessors where its number has an odd number
# of bits under the mask, and near the others, by lines of DRAM and by atomics (tests/truth/pieces_h200.csv). The lines
# of a KiB lie in two slices: they are late together.
PIECE_SHIFT, KIB_SHIFT, FAR_MASK = 7, 5, 0x2AB
FENCES_AT_ONCE = 8  # of a multiprocessor, which do not wait for one another
# A fence that comes within so many cycles of another one ends with it; else the next round ends so many later, and as
# much as it takes longer than one that waits for nothing (tests/truth/fence_traces_h200.csv).
FENCES_JOIN, FENCES_APART = 50, 62
CODE_LINE = 8  # machine instructions in a line of 128 bytes
PREFETCHED_LINES = 4  # lines of code that come with the first one


class Timing(NamedTuple):
    """Hold the costs of instructions, by index (arrays), and of the device (numbers), in cycles unless it is said."""

    schedulers: int
    last_warp_first: bool  # of a block; the first one else
    dispatch: int  # instructions of one warp that a scheduler can issue in a cycle
    port: int
    costs: InstructionCosts
    reads_sources: int  # cycles from the start of an access until its sources have been read
    queue_read: int  # accesses of a scheduler that are before it when they are, at most; 0: none
    sector_cost: NDArray[np.int64]  # of memory's bandwidth, in 1/FRACTION cycles
    pass_cost: NDArray[np.int64]  # of an atomic, for each whole sector of a pass, in 1/FRACTION cycles
    pass_part: NDArray[np.int64]  # the same for a part of a sector
    pass_again: NDArray[np.int64]  # the same at least, right behind another pass over the same line
    same_line: NDArray[np.int64]  # how often one comes right behind another, in 1/FRACTION
    pass_apart: NDArray[np.int64]  # of a pass's cost what its result does not wait for: others come at other times
    line_cost: NDArray[np.int64]  # of the L2's bandwidth, for each line, in 1/FRACTION cycles
    shared_slot: int  # cycles that an ideal access of one 32-bit word a lane takes in the shared pipe
    ideal_passes: int  # ideal wavefronts of such an access: 2 where half-warps are served one after the other
    wavefront: int
    wavefront_busy: int  # cycles that each takes the shared pipe
    l1_pass: int  # cycles that each pass of a global access takes it; 0: one for each transaction
    l1_wavefront: int  # cycles that each further pass over the data takes the accesses of its warp
    constant_pass: int
    replay: int  # cycles of the port for each further wavefront or pass
    constant_latency: int
    global_latency: int
    l1_latency: int
    l2_latency: int
    atomic_later: int
    changed_later: int  # of a load of a word that has changed since its warp loaded it
    bulk_cycles: int  # until the first bytes of a bulk load are there; 0: nothing is known of its time
    bulk_bytes: int  # of a bulk load in a cycle
    bulk_interval: int  # from one bulk copy of a multiprocessor to the next, at least
    loads_in_flight: int  # accesses that load what L1 lacks, at most, as long as L1 has lines for it; 0: any number
    atomic_backlog: int  # passes of atomics on their way, at most, or 0
    l2_cost: NDArray[np.int64]  # of a sector that the L2 serves, in 1/FRACTION cycles
    near_cost: int  # of a sector that other multiprocessors read, too, in 1/FRACTION cycles
    near_line: int  # the same for each line; 0: they take what any sectors and lines take
    port_cost: int  # of a sector, at least
    partial_cost: int  # of a sector of which only a part is stored
    store_port: int  # at least, for a whole sector, in 1/FRACTION cycles
    partial_port: int  # the same for each line of which a sector is stored in part, beside its sectors
    met_cost: int  # of a store to a sector to which all blocks store, in 1/FRACTION cycles
    scattered: tuple[int, ...]  # time of reads by the sectors between them, in 1/FRACTION of that of reads in a row
    partial_stores: tuple[int, ...]  # the same of stores of parts of sectors
    l2_spread: tuple[int, ...]  # by which lines are later than l2_latency says, and earlier: see spread_place
    # By which lines are later than global_latency says, in order, those of near pieces first: of lines that no other
    # multiprocessor asks for at about the same time, and of those that others ask for. See dram_places.
    dram_own_spread: tuple[int, ...]
    dram_shared_spread: tuple[int, ...]
    late_pairs: int  # of PAIR_PLACES
    l2_kept: tuple[int, ...]  # sectors brought in until the L2 has replaced an unused line: see kept_place
    store_merge: int  # sectors sent last by a scheduler with which stores are merged
    store_drain: int  # cycles for which a warp that ends waits at least for its last store
    dram_queue: int  # cycles by which memory is later when it is busy half of the time
    shared_backlog: int  # cycles of work that the shared pipe's queue holds before issue stops
    memory_backlog: int
    barrier: int
    cluster_barrier: int
    barrier_per_warp: int
    # What moves a sector of a load of other blocks' shared memory, a further wavefront of one, a sector of a store and
    # one of an atomic, in 1/FRACTION cycles; by how much the result is later than in the own block's; what a fence
    # behind a store takes.
    distributed_load: int
    distributed_wavefront: int
    distributed_store: int
    distributed_atomic: int
    distributed_later: int
    fence_distributed: int
    fence: int  # cycles of a fence before which nothing was asked of the L2
    fence_interval: int  # that the fence of a warp takes of the multiprocessor
    fence_trips: tuple[int, ...]  # of one after which the L2 has answered, by lines as l2_spread
    path_change: int  # cycles from the arrival of lanes at a convergence barrier until other lanes of the warp go on
    block_start: int
    warp_start: int
    block_interval: int  # cycles from the start of one block to that of the next one on the same multiprocessor
    first_interval: int  # the same until the multiprocessor is full for the first time
    cold_start: int  # until the first warp can issue
    cold_line: int  # for each line of code that is fetched for the first time
    cold_constant: int  # until the first constant is there
    cold_constant_line: int  # for each further line of constants
    coalesced: int = 0  # 1: accesses take as few lines and sectors as their bytes could


def timing_of(
    program: Program, device: Device, contention: Contention, n_blocks: int, n_busy: int | None = None
) -> Timing:
    """Return the model's numbers for a program on a device; ``contention`` is that of the launch. ``n_busy``
    multiprocessors share what all have, as many as have a block where it is not given."""
    instructions = program.instructions
    port = device.issue_port_cycles
    n_busy = min(n_busy or n_blocks, device.multiprocessors)
    busy = n_busy / device.multiprocessors
    stores = np.array([i.op == Op.ST for i in instructions], dtype=bool)
    load, wavefront, store, atomic = (round(cost * FRACTION / 100) for cost in device.distributed_costs or (0,) * 4)
    pass_cost, own_pass = np.rint(contention.pass_cycles * FRACTION).astype(np.int64), device.atomic_pass_cycles
    return Timing(
        schedulers=device.schedulers,
        last_warp_first=device.last_warp_first,
        dispatch=device.dispatch_per_scheduler,
        port=port,
        costs=instruction_costs(program, device),
        reads_sources=device.latency[Unit.LSU],
        queue_read=device.queue_read,
        sector_cost=np.rint(contention.camping * _dram_cost(device, stores) * busy).astype(np.int64),
        pass_cost=pass_cost,
        pass_part=np.rint(pass_cost * (device.atomic_repeat_cycles or own_pass) / own_pass).astype(np.int64),
        pass_again=np.rint(pass_cost * repeated_passes(instructions, device) / own_pass).astype(np.int64),
        same_line=np.rint(contention.same_line * FRACTION).astype(np.int64),
        pass_apart=np.where([swaps_globally(i) for i in instructions], pass_cost, 0),
        line_cost=_line_cost(device, instructions, busy),
        shared_slot=max(1, device.issue_cycles[Unit.LSU] // device.schedulers),
        ideal_passes=32 // device.shared_group,
        wavefront=device.shared_wavefront_cycles,
        wavefront_busy=device.shared_wavefront_busy or device.shared_wavefront_cycles,
        l1_pass=device.l1_pass_cycles,
        l1_wavefront=device.shared_wavefront_cycles if device.l1_pass_cycles else 0,
        constant_pass=device.constant_pass_cycles,
        replay=port if device.replays else 0,
        constant_latency=device.latency_constant,
        global_latency=device.latency_global,
        l1_latency=device.latency_l1,
        l2_latency=device.latency_l2,
        atomic_later=device.atomic_later_cycles,
        changed_later=device.changed_word_cycles,
        bulk_cycles=device.bulk_cycles,
        bulk_bytes=device.bulk_bytes,
        bulk_interval=device.bulk_interval_cycles,
        loads_in_flight=device.loads_in_flight,
        atomic_backlog=device.atomic_backlog,
        l2_cost=_l2_cost(device, stores, busy),
        near_cost=round(device.l2_near_cycles * busy * FRACTION),
        near_line=round(device.l2_near_line_cycles * busy * FRACTION),
        port_cost=round(device.l2_port_cycles * FRACTION),
        partial_cost=round(device.l2_partial_store_cycles * busy * FRACTION),
        store_port=round(device.l2_store_port_cycles * FRACTION),
        partial_port=round(device.l2_partial_port_cycles * FRACTION),
        met_cost=round(device.l2_met_store_cycles * n_busy * FRACTION),
        scattered=_of_gaps(device.dram_scattered_reads, READ_GAPS),
        partial_stores=_of_gaps(device.dram_partial_stores, STORE_GAPS),
        distributed_load=load,
        distributed_wavefront=wavefront,
        distributed_store=store,
        distributed_atomic=atomic,
        distributed_later=device.distributed_later_cycles,
        fence_distributed=device.fence_distributed_cycles or device.fence_cycles,
        fence=device.fence_cycles,
        fence_interval=device.fence_interval_cycles,
        fence_trips=device.fence_trips or (device.fence_cycles,) * SPREAD,
        l2_spread=device.l2_spread or (0,) * SPREAD,
        dram_own_spread=_own_spread(device),
        dram_shared_spread=_shared_spread(device),
        late_pairs=_late_pairs(device, n_blocks),
        l2_kept=_kept(device, n_busy),
        store_merge=device.store_merge_sectors,
        store_drain=device.store_drain_cycles,
        dram_queue=device.dram_queue_cycles,
        shared_backlog=device.latency_shared if device.shared_queue else 0,
        memory_backlog=device.latency_global,
        barrier=device.latency_barrier,
        cluster_barrier=device.cluster_barrier_cycles or device.latency_barrier,
        barrier_per_warp=device.barrier_cycles_per_warp,
        path_change=device.path_change_cycles,
        block_start=device.block_start_cycles,
        warp_start=device.warp_start_cycles,
        block_interval=round(device.block_launch_cycles * device.multiprocessors),
        first_interval=round(device.block_launch_cycles * device.multiprocessors / _launch_groups(device)),
        cold_start=device.cold_start_cycles if program.native is not None else 0,
        cold_line=device.cold_line_cycles if program.native is not None else 0,
        cold_constant=device.cold_constant_cycles,
        cold_constant_line=device.cold_constant_line_cycles,
    )


def _dram_spread(device: Device) -> tuple[int, ...]:
    """Return by how much lines of DRAM are later than its latency, each eighth in equal parts."""
    return tuple(later for later in device.dram_spread or (0,) * SPREAD for _ in range(OWN_SPREAD // SPREAD))


def _own_spread(device: Device) -> tuple[int, ...]:
    """Return by how much lines are later for which no other multiprocessor asks."""
    spread, late = _dram_spread(device), device.dram_late_spread
    return (*spread[: len(spread) - len(late)], *late)


def _shared_spread(device: Device) -> tuple[int, ...]:
    """Return by how much lines are later for which others ask, too: those near a piece have asked its half for it."""
    spread, near = _dram_spread(device), OWN_SPREAD // 2
    return (*spread[:near], *(later - device.dram_shared_sooner for later in spread[near:]))


def _late_pairs(device: Device, n_blocks: int) -> int:
    """Return how many of PAIR_PLACES pairs of sectors are late: fewer where most multiprocessors read."""
    of_few, of_most = device.dram_late_pairs or (0, 0)
    return of_most if 2 * n_blocks > device.multiprocessors else of_few


def _kept(device: Device, n_busy: int) -> tuple[int, ...]:
    """Return how many sectors a multiprocessor brings into the L2 until that has replaced a line, while all others
    bring in as many, by eighths of the lines."""
    parts = [part / 1000 for part in device.l2_kept] or [device.l2_recent_part] * SPREAD
    room = device.l2.bytes / SECTOR_BYTES / max(1, n_busy) if device.l2 else 0
    return tuple(int(part * room) for part in parts)


def _dram_cost(device: Device, stores: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return what a sector takes of a multiprocessor's share of memory's bandwidth, in 1/FRACTION cycles, by
    instruction."""
    efficiency = np.where(stores, device.dram_write_efficiency, device.dram_read_efficiency)
    bytes_per_cycle = device.dram_gbps * 1e3 * efficiency / device.multiprocessors / device.clock_mhz
    return np.rint(SECTOR_BYTES * FRACTION / bytes_per_cycle)


def _l2_cost(device: Device, stores: NDArray[np.bool_], busy: float) -> NDArray[np.int64]:
    """Return what a sector takes of a multiprocessor's share of the L2's bandwidth, in 1/FRACTION cycles, by
    instruction; the share of the multiprocessors that are ``busy`` is limited by their ports."""
    shares = np.where(stores, device.l2_store_cycles or device.l2_sector_cycles, device.l2_sector_cycles)
    cost: NDArray[np.int64] = np.rint(np.maximum(shares * busy, device.l2_port_cycles) * FRACTION).astype(np.int64)
    return cost


def _line_cost(device: Device, instructions: Sequence[Instruction], busy: float) -> NDArray[np.int64]:
    """Return what a line takes of a multiprocessor's share of the L2, in 1/FRACTION cycles, by instruction: nothing
    where an atomic's result is not asked for."""
    shares = {Op.ST: device.l2_store_line_cycles, Op.RED: 0.0}
    each = [shares.get(instruction.op, device.l2_line_cycles) for instruction in instructions]
    return np.rint(np.array(each) * busy * FRACTION).astype(np.int64)


def _of_gaps(percents: Sequence[int], gaps: Sequence[int]) -> tuple[int, ...]:
    """Return the times of accesses by the sectors between their pieces, in 1/FRACTION of those in a row, between the
    ``percents`` that were measured at some ``gaps``."""
    between = np.interp(range(GAP_ENTRIES), gaps, percents) if percents else np.full(GAP_ENTRIES, 100.0)
    return tuple(round(FRACTION * float(percent) / 100) for percent in between)


class EstimatedTime(NamedTuple):
    """Hold the time of a launch and its sampling error, in µs: two standard errors of the mean, 0 where all blocks of
    the multiprocessor were run, None where too few were to tell."""

    us: float
    error_us: float | None


def extrapolated_time(
    cycles: int, device: Device, n_blocks: int, blocks_run: int, resident: int, ends: Sequence[int],
    n_own: int | None = None,
) -> EstimatedTime:  # fmt: skip
    """Return the time of the launch from that of one multiprocessor, which has ``n_own`` blocks: where they are not
    known, the busiest one has ceil(blocks / multiprocessors). Where fewer were run, the others take as long as those
    after the first ``resident`` did on the average; ``ends`` are the cycles in which blocks ended."""
    left = (n_own or -(-n_blocks // device.multiprocessors)) - blocks_run
    whole, error = cycles + _last_start(device, n_blocks, resident), 0.0
    if left > 0 and blocks_run:
        in_order = sorted(ends)
        first = in_order[min(resident, len(in_order)) - 1]
        steady = (cycles - first) / (blocks_run - resident) if blocks_run > resident else cycles / blocks_run
        whole += left * steady
        error = left * _error_of_mean(in_order, resident)
    error_us = None if math.isnan(error) else error / device.clock_mhz
    return EstimatedTime(whole / device.clock_mhz + device.launch_overhead_us, error_us)


def _last_start(device: Device, n_blocks: int, resident: int) -> float:
    """Return by how many cycles the multiprocessor that gets its first block last is later than the first one: each of
    its group has one then, and those of the groups before are full. Where more blocks follow, those that started early
    take more of them, so that it is the mean of all that counts."""
    at_first, groups = min(n_blocks, device.multiprocessors * resident), _launch_groups(device)
    ahead = min(n_blocks, (at_first * (groups - 1) + device.multiprocessors) / groups) - 1
    return device.block_launch_cycles * (ahead if n_blocks == at_first else ahead / 2)


def _launch_groups(device: Device) -> int:
    return min(device.block_launch_groups, device.multiprocessors)


def _error_of_mean(ends: Sequence[int], resident: int) -> float:
    """Return two standard errors of the mean cycles from the end of one block to that of the next; NaN from fewer than
    three waves. Blocks of a wave run together, so that whole waves are what varies: the method of batch means (A. M.
    Law, "Simulation Modeling and Analysis", section 9.5.3)."""
    waves = np.diff(ends[resident - 1 :: resident]) / resident
    return float(2 * waves.std(ddof=1) / math.sqrt(len(waves))) if len(waves) > 1 else math.nan
