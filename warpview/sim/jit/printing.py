"""Keep what the lanes of a warp print."""

from __future__ import annotations

from warpview.sim.jit.checks import find_allocation
from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, load_u8, load_u32, lowest, store_8
from warpview.sim.jit.records import block_at, printed_at
from warpview.sim.jit.state import LANES, NO_TEXT, NULL_TEXT, PRINT_VALUES, PRINTED, ROW32, STRING, WORD
from warpview.sim.memory import CONST_WINDOW, LOCAL_WINDOW, SHARED_WINDOW

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
def text_place(m, w, ins, lane, address):
    """Return where the byte at a generic address lies on the host, and the bytes from there to the end of its memory;
    0 where no memory is."""
    block = block_at(w.block_at)
    if address >= CONST_WINDOW:
        first, offset, size = m.constant_at, address - CONST_WINDOW, m.constant_bytes
    elif address >= LOCAL_WINDOW:
        first, offset, size = w.local_at + lane * m.local_stride, address - LOCAL_WINDOW, m.local_bytes
    elif address >= SHARED_WINDOW:
        offset = address - SHARED_WINDOW - ins.shared_base - block.window
        first, size = block.shared_at, m.shared_bytes
    else:
        find_allocation(m, address)
        first, offset, size = m.global_at + m.hit_base, address - m.hit_base, m.hit_size
    return first + offset, size - offset if 0 <= offset < size else 0


@jit
def kept_text(m, w, ins, lane, address):
    """Keep the string at a generic address; return its place among the texts, NO_TEXT where it has none."""
    if address == 0:
        return NULL_TEXT
    at, left = text_place(m, w, ins, lane, address)
    if left == 0 or m.n_texts >= m.max_texts:
        return NO_TEXT
    start = m.n_texts
    while left > 0 and m.n_texts < m.max_texts - 1 and load_u8(at):
        store_8(m.texts_at + m.n_texts, load_u8(at))
        m.n_texts += 1
        at, left = at + 1, left - 1
    store_8(m.texts_at + m.n_texts, 0)
    m.n_texts += 1
    return start


@jit
def print_lanes(m, w, ins, pc, on):
    """Keep what each lane prints, as long as there is room."""
    while on and m.n_printed < m.max_printed:
        lane = lowest(on)
        p = printed_at(m.printed_at + m.n_printed * PRINTED_BYTES)
        m.n_printed += 1
        p.pc, p.block, p.thread = pc, block_at(w.block_at).block, w.index * LANES + lane
        for k in range(min(ins.n_values, PRINT_VALUES)):
            place, kind = load_i64(ins.values_at + 16 * k), load_i64(ins.values_at + 16 * k + 8)
            row = w.registers_at + place
            if ins.native:
                value = buffered(m, w, ins, lane, place, kind != WORD)
            else:
                value = load_u32(row + 4 * lane) if kind == WORD else load_i64(row + 8 * lane)
            p.value[k] = kept_text(m, w, ins, lane, value) if kind == STRING else value
        on &= on - 1
