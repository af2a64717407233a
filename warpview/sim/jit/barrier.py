"""Keep the block barrier: count arrivals, release the warps, and report a deadlock when no warp can go on."""

from __future__ import annotations

from warpview.isa.modes import ALL_THREADS, BARRIERS_A_BLOCK, BarrierScope, NamedBarrier
from warpview.isa.ops import BarRedOp, Op
from warpview.isa.program import NONE
from warpview.sim.jit import checks, control, splits
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.lanes import fill_32, nonzero
from warpview.sim.jit.raw import load_u32, lowest, popcount
from warpview.sim.jit.records import block_at, finding_at, instruction_at, machine_at, warp_at
from warpview.sim.jit.state import FINDING, INSTRUCTION, LANES, WARP
from warpview.sim.launch import BARRIER_NUMBER_SHIFT, FindingKind

BAR_RED, BAR_SYNC, GRID = int(Op.BAR_RED), int(Op.BAR_SYNC), int(BarrierScope.GRID)
CLUSTER_WAIT = int(Op.CLUSTER_WAIT)
BAR_NAMED, BARRIER_COUNT = int(Op.BAR_NAMED), int(FindingKind.BARRIER_COUNT)
ARRIVE = int(NamedBarrier.ARRIVE)
# They stand for the barriers of __syncthreads and of the cluster among the numbers of barriers.
UNNAMED, OF_CLUSTER = -2, -3
POPC, AND = int(BarRedOp.POPC), int(BarRedOp.AND)
DIVERGENT_BARRIER, EXITED_BEFORE_BARRIER = (
    int(FindingKind.DIVERGENT_BARRIER), int(FindingKind.EXITED_BEFORE_BARRIER)
)  # fmt: skip
BARRIER, DEADLOCK, ENDLESS = int(FindingKind.BARRIER), int(FindingKind.DEADLOCK), int(FindingKind.ENDLESS)
WARP_BYTES, INSTRUCTION_BYTES, FINDING_BYTES = WARP.itemsize, INSTRUCTION.itemsize, FINDING.itemsize


@jit
def guarded(w, ins, mask):
    """Return the lanes of a mask where the guard of an instruction holds."""
    if ins.guard < 0:
        return mask
    return mask & (nonzero(w.registers_at + ins.guard) ^ ins.guard_flip)


@jit
def arrive(m, w, ins, path, pc, on):
    """Let a path wait at a block barrier that it has come to, as a whole, also the lanes whose guard does not hold."""
    missing = 0
    if not m.its:
        missing = w.live & ~on
    elif ins.native and (ins.op == BAR_SYNC or ins.op == BAR_RED):
        missing = w.path_mask[path] & ~on
    if missing and m.check:
        checks.report_pair(m, DIVERGENT_BARRIER, pc, w, lowest(on), 0, NONE, w.index * LANES + lowest(missing))
    if ins.op == BAR_RED:
        block = block_at(w.block_at)
        block.arrived += popcount(on)
        block.holding += popcount(on & (nonzero(w.registers_at + ins.a) ^ ins.a_flip))
    if ins.op == BAR_NAMED:
        check_operands(m, w, ins, pc, lowest(on))
    if m.its:
        splits.wait_at_barrier(w, path)
    else:
        w.at_barrier = 1


@jit
def is_packed(ins):
    """Return whether a register of machine code holds both the number of a barrier, in four bits, and from bit 16 on
    how many threads it waits for."""
    return ins.native and ins.a == ins.b


@jit
def number_of(w, ins, lane):
    value = load_u32(w.registers_at + ins.a + 4 * lane)
    return value & 15 if is_packed(ins) else value


@jit
def threads_of(w, ins, lane):
    value = load_u32(w.registers_at + ins.b + 4 * lane)
    return value >> 16 if is_packed(ins) else value


@jit
def is_of_all(w, ins, lane):
    """Return whether an instruction with the number of a barrier in a register waits as __syncthreads does."""
    plain = ins.native and ins.mod != ARRIVE and ins.extra == 0
    return plain and number_of(w, ins, lane) == 0 and threads_of(w, ins, lane) == ALL_THREADS


@jit
def check_operands(m, w, ins, pc, lane):
    """End the launch where a barrier has a number that no barrier has, or waits for threads that are no full warps:
    both are illegal instructions on an H200."""
    number, threads = number_of(w, ins, lane), threads_of(w, ins, lane)
    if number >= BARRIERS_A_BLOCK or threads % LANES:
        value = number << BARRIER_NUMBER_SHIFT | threads
        report_valued(m, BARRIER_COUNT, pc, w, lane, threads, value, NONE, NONE)
        m.stopped = 1


@jit
def report_valued(m, kind, pc, w, lane, address, value, other_pc, other_thread):
    """Report an occurrence of a finding with a ``value``, as ``launch.RawFinding`` has it: about a barrier its number
    and the threads that it waits for."""
    f = finding_at(m.findings_at + (kind * m.n_code + pc) * FINDING_BYTES)
    is_first = f.count == 0
    checks.report_pair(m, kind, pc, w, lane, address, other_pc, other_thread)
    if is_first:
        f.value = value


@jit
def is_waiting(m, w, path):
    """Return whether a path waits at a barrier of its block, or at a wider one."""
    return w.path_wait[path] == splits.BLOCK_BARRIER if m.its else w.at_barrier and path == w.n_paths - 1


@jit
def barrier_at(m, w, path):
    """Return the number of the barrier that a path waits at, UNNAMED for that of __syncthreads, NONE where it waits at
    none."""
    if not is_waiting(m, w, path) or w.path_mask[path] == 0:
        return NONE
    ins = instruction_at(m.code_at + w.path_pc[path] * INSTRUCTION_BYTES)
    lane = lowest(w.path_mask[path])
    if ins.op == CLUSTER_WAIT:
        return OF_CLUSTER
    if ins.op != BAR_NAMED or is_of_all(w, ins, lane):
        return UNNAMED
    return number_of(w, ins, lane)


@jit
def lanes_at(m, w, number):
    """Return the lanes of a warp that wait at the barrier of a number."""
    lanes = 0
    for path in range(w.n_paths):
        if barrier_at(m, w, path) == number:
            lanes |= w.path_mask[path]
    return lanes


@jit
def threads_awaited(m, block, number):
    """Return how many threads the barrier of a number waits for: those of all warps that have not ended where it has
    been given no number of threads."""
    if block.named_threads[number] != ALL_THREADS:
        return block.named_threads[number]
    count = 0
    for k in range(block.n_warps):
        if warp_at(block.first_warp_at + k * WARP_BYTES).live:
            count += LANES
    return count


@jit
def waiting_lanes(m, w):
    """Return the lanes of a warp that wait at a block barrier."""
    if m.its:
        return splits.waiting_at_barrier(w)
    return w.path_mask[w.n_paths - 1] if w.at_barrier else 0


@unit(2)
def barrier_complete(machine, block_address):
    """Return 1 where some warp of the block waits at the block barrier and none holds it back."""
    m, block = machine_at(machine), block_at(block_address)
    anybody = 0
    for k in range(block.n_warps):
        w = warp_at(block.first_warp_at + k * WARP_BYTES)
        waiting = lanes_at(m, w, UNNAMED) if m.named else waiting_lanes(m, w)
        anybody |= waiting
        if w.live != 0 and (waiting == 0 or (m.its and waiting != w.live)):
            return 0
    return 1 if anybody else 0


@unit(2)
def is_at_grid_barrier(machine, block_address):
    """Return 1 where the first thread of a block that waits at a barrier does so at one of the whole grid."""
    m, block = machine_at(machine), block_at(block_address)
    for k in range(block.n_warps):
        w = warp_at(block.first_warp_at + k * WARP_BYTES)
        path = path_after(m, w, -1)
        if path != NONE:
            ins = instruction_at(m.code_at + w.path_pc[path] * INSTRUCTION_BYTES)
            return 1 if ins.op == BAR_SYNC and ins.mod == GRID else 0
    return 0


@jit
def check_exits(m, block, w, lane, pc):
    """Report, of the first thread that waits at a barrier, the first thread of the block that has exited, if any."""
    for k in range(block.n_warps):
        other = warp_at(block.first_warp_at + k * WARP_BYTES)
        exited = other.first_live & ~other.live
        if exited:
            thread = other.index * LANES + lowest(exited)
            checks.report_pair(m, EXITED_BEFORE_BARRIER, pc, w, lane, 0, other.exit_pc, thread)
            return


@jit
def path_after(m, w, lane):
    """Return the path of a warp with the lowest lane above ``lane`` that waits at a block barrier, or NONE."""
    if not m.its:
        top = w.n_paths - 1
        return top if w.at_barrier and lowest(w.path_mask[top]) > lane else NONE
    best, best_lane = NONE, 64
    for split in range(w.n_paths):
        first = lowest(w.path_mask[split])
        if w.path_wait[split] == splits.BLOCK_BARRIER and w.path_mask[split] and lane < first < best_lane:
            best, best_lane = split, first
    return best


@jit
def are_apart(m, pc, other_pc):
    """Return whether two instructions stand for different barriers of the source, where that is known."""
    place = instruction_at(m.code_at + pc * INSTRUCTION_BYTES).target
    other = instruction_at(m.code_at + other_pc * INSTRUCTION_BYTES).target
    return place != other and place >= 0 and other >= 0


@jit
def check_barrier(m, block):
    """Report threads that exited before the barrier, and threads that wait at another barrier than the first."""
    first_pc, first_thread = NONE, NONE
    for k in range(block.n_warps):
        w = warp_at(block.first_warp_at + k * WARP_BYTES)
        path = path_after(m, w, -1)
        while path != NONE:
            pc, lane = w.path_pc[path], lowest(w.path_mask[path])
            if first_pc == NONE:
                first_pc, first_thread = pc, w.index * LANES + lane
                check_exits(m, block, w, lane, pc)
            elif are_apart(m, pc, first_pc):
                checks.report_pair(m, DIVERGENT_BARRIER, pc, w, lane, 0, first_pc, first_thread)
                return
            path = path_after(m, w, lane)


@jit
def give_result(m, w, block, pc, mask):
    """Give a path that waited at a reduction its result."""
    ins = instruction_at(m.code_at + pc * INSTRUCTION_BYTES)
    if ins.op == BAR_RED and ins.dst >= 0:
        if ins.mod == POPC:
            value = block.holding
        elif ins.mod == AND:
            value = 1 if block.holding == block.arrived else 0
        else:
            value = 1 if block.holding else 0
        fill_32(w.registers_at + ins.dst, value, guarded(w, ins, mask))


@jit
def resume(m, w, block):
    """Let the paths of a warp go on that wait at a barrier."""
    m.changes += 1
    if m.its:
        for split in range(w.n_paths):
            if w.path_mask[split] and w.path_wait[split] == splits.BLOCK_BARRIER:
                give_result(m, w, block, w.path_pc[split], w.path_mask[split])
        splits.release_waiting(w)
    elif w.at_barrier:
        top = w.n_paths - 1
        give_result(m, w, block, w.path_pc[top], w.path_mask[top])
        w.at_barrier = 0
        w.path_pc[top] += 1
        control.pop_arrived(w)


@unit(2)
def release(machine, block_address):
    """Let all who wait at the block barrier go on."""
    m, block = machine_at(machine), block_at(block_address)
    if m.check:
        check_barrier(m, block)
    for k in range(block.n_warps):
        resume(m, warp_at(block.first_warp_at + k * WARP_BYTES), block)
    block.arrived, block.holding = 0, 0
    checks.next_epoch(m, block)
    return 0


@jit
def lowest_waiting(m, w, wait):
    """Return the path of a warp with the lowest lane that waits for a reason (a ``Wait``), or NONE."""
    if not m.its:
        return w.n_paths - 1 if w.at_barrier and wait == splits.BLOCK_BARRIER else NONE
    best, best_lane = NONE, 64
    for split in range(w.n_paths):
        if w.path_wait[split] == wait and lowest(w.path_mask[split]) < best_lane:
            best, best_lane = split, lowest(w.path_mask[split])
    return best


@unit(2)
def report_stuck(machine, block_address):
    """Report a block of which nobody can go on, by its lowest thread at a block barrier, else at a collective."""
    m, block = machine_at(machine), block_at(block_address)
    for kind, wait in ((BARRIER, splits.BLOCK_BARRIER), (DEADLOCK, splits.COLLECTIVE)):
        for k in range(block.n_warps):
            w = warp_at(block.first_warp_at + k * WARP_BYTES)
            path = lowest_waiting(m, w, wait)
            if path != NONE:
                pc, lane = w.path_pc[path], lowest(w.path_mask[path])
                other_pc, other_thread, number = NONE, NONE, barrier_at(m, w, path)
                if not m.source_checks:
                    pass
                elif kind == BARRIER:
                    other_pc, other_thread = held_elsewhere(m, block, number)
                else:
                    other_pc, other_thread = missing_lane(w, path)
                if number >= 0:
                    value = number << BARRIER_NUMBER_SHIFT | threads_awaited(m, block, number)
                    came = block.named_arrived[number]
                    report_valued(m, kind, pc, w, lane, came, value, other_pc, other_thread)
                else:
                    checks.report_pair(m, kind, pc, w, lane, 0, other_pc, other_thread)
                return 0
    return 0


@jit
def held_elsewhere(m, block, number):
    """Return (pc, thread) of the first thread of a block that is elsewhere than at the barrier of that number: one that
    waits there, else one that has exited; NONE if none."""
    for k in range(block.n_warps):
        w = warp_at(block.first_warp_at + k * WARP_BYTES)
        elsewhere = w.live & ~lanes_at(m, w, number)
        if elsewhere:
            return place_of(w, lowest(elsewhere)), w.index * LANES + lowest(elsewhere)
    for k in range(block.n_warps):
        w = warp_at(block.first_warp_at + k * WARP_BYTES)
        exited = w.first_live & ~w.live
        if exited:
            return w.exit_pc, w.index * LANES + lowest(exited)
    return NONE, NONE


@jit
def missing_lane(w, path):
    """Return (pc, thread) of a lane that a path waits for at a collective, NONE if there is none."""
    members = splits.awaited(w, path) if splits.waits_at_bsync(w, path) else w.path_members[path]
    missing = members & w.live & ~w.path_mask[path]
    for other in range(w.n_paths):
        if w.path_wait[other] == splits.COLLECTIVE and w.path_pc[other] == w.path_pc[path]:
            missing &= ~w.path_mask[other]
    if missing == 0:
        return NONE, NONE
    return place_of(w, lowest(missing)), w.index * LANES + lowest(missing)


@jit
def place_of(w, lane):
    """Return the instruction that a living lane is at."""
    for path in range(w.n_paths - 1, -1, -1):
        if w.path_mask[path] >> lane & 1:
            return w.path_pc[path]
    return NONE


@jit
def report_endless(m, w, pc, mask):
    """Report a warp that goes in circles, or that has used up its budget. Lanes of it that wait until this path joins
    them, on a device with a stack, are in a deadlock with it; otherwise a thread of the block that waits meanwhile has
    a part in the finding."""
    lane, block, in_circles = lowest(mask), block_at(w.block_at), w.issued < m.budget
    if m.source_checks and not m.its:
        waiting = w.live & ~mask
        for path in range(w.n_paths):
            held = w.path_mask[path] & waiting
            if held and w.path_pc[path] != pc:
                checks.report_pair(m, DEADLOCK, pc, w, lane, 0, w.path_pc[path], w.index * LANES + lowest(held))
                return
    for k in range(block.n_warps if m.source_checks else 0):
        other = warp_at(block.first_warp_at + k * WARP_BYTES)
        waiting = waiting_lanes(m, other)
        if waiting:
            thread = other.index * LANES + lowest(waiting)
            report_valued(m, ENDLESS, pc, w, lane, 0, in_circles, place_of(other, lowest(waiting)), thread)
            return
    report_valued(m, ENDLESS, pc, w, lane, 0, in_circles, NONE, NONE)
