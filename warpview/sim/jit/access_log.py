"""Log the accesses to suspected words, and the synchronisation around them, for the race check in sim/checks."""

from __future__ import annotations

from warpview.isa.native import SpecialAtomic
from warpview.isa.ops import Op
from warpview.isa.types import Space
from warpview.sim.checks.access_log import LogKind
from warpview.sim.jit.atomics import read
from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, load_u8, load_u32, lowest
from warpview.sim.jit.records import addresses_at, block_at, log_at
from warpview.sim.jit.state import LANES, LOG

LOG_BYTES = LOG.itemsize
OP_LD, OP_ST, OP_MBARRIER, COUNT = int(Op.LD), int(Op.ST), int(Op.MBARRIER), int(SpecialAtomic.COUNT)
LOG_READ, LOG_WRITE, LOG_ATOMIC = int(LogKind.READ), int(LogKind.WRITE), int(LogKind.ATOMIC)
LOG_FENCE, LOG_WARP_SYNC = int(LogKind.FENCE), int(LogKind.WARP_SYNC)
GLOBAL = int(Space.GLOBAL)


@jit
def is_watched_block(m, w):
    return load_u8(m.watch_blocks_at + block_at(w.block_at).block) != 0


@jit
def is_kept(m, kind):
    """Return whether records of a kind are wanted."""
    return m.log_kinds >> kind & 1 != 0


@jit
def append(m, kind, pc, w, thread, value):
    """Add a record and return it; where the log is full, the one after its end, which holds the latest."""
    if m.n_log < m.max_log:
        m.n_log += 1
    else:
        m.log_full = 1
    r = log_at(m.log_at + (m.n_log - 1 + m.log_full) * LOG_BYTES)
    block = block_at(w.block_at)
    r.kind, r.pc, r.block, r.thread, r.value = kind, pc, block.block, thread, value
    r.issue, r.epoch, r.space, r.address, r.size = w.issued, block.barriers, 0, 0, 0
    r.home = block.block
    return r


@jit
def log_accesses(m, pc, w, ins, lanes, space, base, home):
    """Log the accesses of some lanes to watched words, and all that may synchronise; ``base`` is where the space is,
    and ``home`` the block that it belongs to."""
    kind = LOG_READ if ins.op == OP_LD else LOG_WRITE if ins.op == OP_ST else LOG_ATOMIC
    if not is_kept(m, kind):
        return
    synchronises = m.log_sync and (kind == LOG_ATOMIC or (space == GLOBAL and ins.strong))
    watch_at = m.watch_global_at if space == GLOBAL else m.watch_shared_at
    watched_block = is_watched_block(m, w)
    while lanes:
        lane = lowest(lanes)
        for k in range(ins.vec):
            address = load_i64(addresses_at(m) + 8 * lane) + k * ins.size
            watched = load_u8(watch_at + (address >> 2)) | load_u8(watch_at + ((address + ins.size - 1) >> 2))
            if synchronises or (watched_block and watched):
                value = read(base + address, ins.size, 0)
                if kind != LOG_READ:
                    register = w.registers_at + ins.b + k * ins.row_bytes
                    value = read(register + (8 if ins.is_wide else 4) * lane, ins.size, 0)
                if ins.op == OP_MBARRIER:  # in bit 31, the phase that is asked for, or the one that it is in
                    value = load_u32(base + address + 4 if ins.extra == COUNT else w.registers_at + ins.b + 4 * lane)
                r = append(m, kind, pc, w, w.index * LANES + lane, value)
                r.space, r.address, r.size, r.home = space, address, ins.size, home
        lanes &= lanes - 1


@jit
def log_element(m, pc, w, lane, kind, address, size, value):
    """Log the access of one lane to an element of global memory that is watched."""
    is_wanted = is_kept(m, kind) and is_watched_block(m, w)
    if is_wanted and load_u8(m.watch_global_at + (address >> 2)):
        r = append(m, kind, pc, w, w.index * LANES + lane, value)
        r.space, r.address, r.size = GLOBAL, address, size


@jit
def log_fence(m, pc, w, lanes):
    if m.log_at and lanes and is_kept(m, LOG_FENCE):
        append(m, LOG_FENCE, pc, w, w.index * LANES, lanes)


@jit
def log_warp_sync(m, pc, w, lanes):
    if m.log_at and is_kept(m, LOG_WARP_SYNC) and is_watched_block(m, w):
        append(m, LOG_WARP_SYNC, pc, w, w.index * LANES, lanes)


@jit
def log_barrier(m, kind, pc, w, lanes, number):
    """Log that some lanes have arrived at the barrier of a number, or leave it."""
    if m.log_at and is_kept(m, kind) and is_watched_block(m, w):
        append(m, kind, pc, w, w.index * LANES, lanes).address = number
