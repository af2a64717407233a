"""Move the data of an access between the registers of a warp and memory."""

from __future__ import annotations

from warpview.isa.types import FULL
from warpview.sim.jit import atomics
from warpview.sim.jit.access_costs import CONTIGUOUS, FEW, HALVES, LOWER_HALF
from warpview.sim.jit.coalescing import ATOMIC, LOAD
from warpview.sim.jit.compile import jit
from warpview.sim.jit.lanes import (
    copy_in_32,
    copy_in_64,
    copy_in_halves_32,
    copy_out_32,
    copy_out_64,
    fill_32,
    fill_64,
    gather_32,
    gather_64,
    scatter_32,
    scatter_64,
)
from warpview.sim.jit.raw import load_i64, load_u16, load_u32, lowest, store_16, store_32
from warpview.sim.jit.state import ROW32


@jit
def clear(w, ins, lanes):
    """Zero the destination of lanes whose access was forbidden."""
    for k in range(ins.vec):
        row = w.registers_at + ins.dst + k * ins.row_bytes
        if ins.is_wide:
            fill_64(row, 0, lanes)
        else:
            fill_32(row, 0, lanes)


@jit
def spread(w, ins, lane):
    """Give all lanes the words that the one of a mask has loaded."""
    for k in range(ins.vec):
        row = w.registers_at + ins.dst + k * ROW32
        fill_32(row, load_u32(row + 4 * lowest(lane)), FULL)


@jit
def clear_last_bytes(w, ins, lanes, missing):
    """Zero the last bytes of what lanes have loaded, words of 32 bits: as many as ``missing``, int64[32], says."""
    while lanes:
        lane = lowest(lanes)
        kept = ins.width - load_i64(missing + 8 * lane)
        for k in range(ins.vec):
            at = w.registers_at + ins.dst + k * ins.row_bytes + 4 * lane
            bytes_kept = min(max(kept - 4 * k, 0), 4)
            store_32(at, load_u32(at) & (1 << 8 * bytes_kept) - 1)
        lanes &= lanes - 1


@jit
def transfer(w, ins, base, a, lanes, kind, layout, p):
    """Move the data of the lanes between registers and memory at base + addresses, whose pattern is ``p``."""
    if kind == ATOMIC:
        atomics.execute(w, ins, base, a, lanes)
    elif ins.matrices and kind == LOAD:
        load_matrices(w, ins, base, a)
    elif ins.matrices:
        store_matrices(w, ins, base, a)
    elif ins.size < 4:
        transfer_narrow(w, ins, base, a, lanes, kind)
    elif layout == CONTIGUOUS and ins.vec == 1:
        transfer_contiguous(w, ins, base, a, lanes, kind)
    elif layout == HALVES and ins.vec == 1 and kind == LOAD and ins.size == 4:
        load_halves(w, ins, base, a, lanes)
    elif layout == HALVES and ins.vec == 1:
        transfer_contiguous(w, ins, base, a, lanes & LOWER_HALF, kind)
        transfer_contiguous(w, ins, base, a, lanes & ~LOWER_HALF, kind)
    elif layout == FEW and kind == LOAD:
        load_few(w, ins, base + load_i64(a + 8 * lowest(lanes)), lanes, p)
    else:
        transfer_scattered(w, ins, base, a, lanes, kind)


@jit
def load_few(w, ins, place, lanes, p):
    """Load from one or two places, each for all its lanes at once; that of the lowest lane is ``place``."""
    row = w.registers_at + ins.dst
    for _ in range(ins.vec):
        if ins.size == 4:
            fill_32(row, load_u32(place), lanes)
            if p.apart:
                fill_32(row, load_u32(place + p.apart_by), p.apart)
        else:
            fill_64(row, load_i64(place), lanes)
            if p.apart:
                fill_64(row, load_i64(place + p.apart_by), p.apart)
        place, row = place + ins.size, row + ins.row_bytes


@jit
def transfer_contiguous(w, ins, base, a, lanes, kind):
    first = lowest(lanes)
    place = base + load_i64(a + 8 * first) - ins.size * first
    if kind == LOAD:
        row = w.registers_at + ins.dst
        if ins.size == 4:
            copy_in_32(row, place, lanes)
        else:
            copy_in_64(row, place, lanes)
    else:
        row = w.registers_at + ins.b
        if ins.size == 4:
            copy_out_32(row, place, lanes)
        else:
            copy_out_64(row, place, lanes)


@jit
def load_halves(w, ins, base, a, lanes):
    """Load a stretch of words for each half of a warp."""
    lower, upper = lowest(lanes), lowest(lanes & ~LOWER_HALF)
    first = base + load_i64(a + 8 * lower) - 4 * lower
    second = base + load_i64(a + 8 * upper) - 4 * upper
    copy_in_halves_32(w.registers_at + ins.dst, first, second, lanes)


@jit
def transfer_scattered(w, ins, base, a, lanes, kind):
    for k in range(ins.vec):
        place = base + k * ins.size
        if kind == LOAD:
            row = w.registers_at + ins.dst + k * ins.row_bytes
            if ins.size == 4:
                gather_32(row, place, a, lanes)
            else:
                gather_64(row, place, a, lanes)
        else:
            row = w.registers_at + ins.b + k * ins.row_bytes
            if ins.size == 4:
                scatter_32(row, place, a, lanes)
            else:
                scatter_64(row, place, a, lanes)


@jit
def load_matrices(w, ins, base, a):
    """Load matrices of 8 x 8 halves, whose rows begin at the addresses of eight lanes each: every lane gets two
    neighbours of a row, or of a column."""
    for k in range(ins.matrices):
        for lane in range(32):
            row, column = lane >> 2, lane & 3
            if ins.transposed:
                upper = load_u16(base + load_i64(a + 8 * (8 * k + 2 * column + 1)) + 2 * row)
                word = load_u16(base + load_i64(a + 8 * (8 * k + 2 * column)) + 2 * row) | upper << 16
            else:
                word = load_u32(base + load_i64(a + 8 * (8 * k + row)) + 4 * column)
            store_32(w.registers_at + ins.dst + k * ins.row_bytes + 4 * lane, word)


@jit
def store_matrices(w, ins, base, a):
    """Store matrices of 8 x 8 halves, to rows that begin at the addresses of eight lanes each: every lane has two
    neighbours of a row, or of a column."""
    for k in range(ins.matrices):
        for lane in range(32):
            row, column = lane >> 2, lane & 3
            word = load_u32(w.registers_at + ins.b + k * ins.row_bytes + 4 * lane)
            if ins.transposed:
                store_16(base + load_i64(a + 8 * (8 * k + 2 * column)) + 2 * row, word)
                store_16(base + load_i64(a + 8 * (8 * k + 2 * column + 1)) + 2 * row, word >> 16)
            else:
                store_32(base + load_i64(a + 8 * (8 * k + row)) + 4 * column, word)


@jit
def transfer_narrow(w, ins, base, a, lanes, kind):
    """Move values of 8 and 16 bits, lane by lane."""
    while lanes:
        lane = lowest(lanes)
        for k in range(ins.vec):
            place = base + load_i64(a + 8 * lane) + k * ins.size
            register = w.registers_at + k * ins.row_bytes + 4 * lane
            if kind == LOAD:
                atomics.write(register + ins.dst, 4, atomics.read(place, ins.size, ins.is_signed))
            else:
                atomics.write(place, ins.size, atomics.read(register + ins.b, 4, 0))
        lanes &= lanes - 1
