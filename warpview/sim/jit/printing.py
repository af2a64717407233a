"""Keep what the lanes of a warp print."""

from __future__ import annotations

from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, load_u32, lowest
from warpview.sim.jit.records import block_at, printed_at
from warpview.sim.jit.state import LANES, PRINT_VALUES, PRINTED, ROW32
from warpview.sim.memory import LOCAL_WINDOW

PRINTED_BYTES = PRINTED.itemsize


@jit
def buffered(m, w, ins, lane, offset, is_wide):
    """Return a value from the buffer in local memory whose address a call of machine code passes to printf."""
    register = w.registers_at + ins.a + 4 * lane
    place = (load_u32(register) | load_u32(register + ROW32) << 32) - LOCAL_WINDOW + offset
    if place < 0 or place + (8 if is_wide else 4) > m.local_bytes:
        return 0
    address = w.local_at + lane * m.local_stride + place
    return load_i64(address) if is_wide else load_u32(address)


@jit
def print_lanes(m, w, ins, pc, on):
    """Keep what each lane prints, as long as there is room."""
    while on and m.n_printed < m.max_printed:
        lane = lowest(on)
        p = printed_at(m.printed_at + m.n_printed * PRINTED_BYTES)
        m.n_printed += 1
        p.pc, p.block, p.thread = pc, block_at(w.block_at).block, w.index * LANES + lane
        for k in range(min(ins.n_values, PRINT_VALUES)):
            place, is_wide = load_i64(ins.values_at + 16 * k), load_i64(ins.values_at + 16 * k + 8)
            if ins.native:
                p.value[k] = buffered(m, w, ins, lane, place, is_wide)
            else:
                row = w.registers_at + place
                p.value[k] = load_i64(row + 8 * lane) if is_wide else load_u32(row + 4 * lane)
        on &= on - 1
