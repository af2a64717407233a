"""Execute texture and surface instructions.

What a fetch gives is said once, in ``sim/rules/textures.py`` and ``texture_places.py`` beside: numba compiles that
text, with what differs by engine put in its place. ``values_at`` of an instruction has the places of the words that it
reads, ``variant`` of them, and then of its results, or of the data of a store.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from warpview.isa.textures import DESCRIPTOR_BYTES, Fetch, Outside, Shape
from warpview.isa.types import Space
from warpview.sim.jit.access_counts import ROW_OF_COUNTS, add
from warpview.sim.jit.access_kinds import READ as READS
from warpview.sim.jit.access_kinds import WRITE as WRITES
from warpview.sim.jit.access_log import LOG_READ, LOG_WRITE, log_element
from warpview.sim.jit.checks import find_allocation, is_written, report, set_written
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.lanes import fill_32
from warpview.sim.jit.race_screen import screen_global
from warpview.sim.jit.raw import (
    leading,
    load_i64,
    load_u8,
    load_u16,
    load_u32,
    lowest,
    store_8,
    store_16,
    store_32,
    store_64,
)
from warpview.sim.jit.records import addresses_at, instruction_at, kept_at, machine_at, warp_at
from warpview.sim.launch import FindingKind
from warpview.sim.memory import FIRST_ADDRESS
from warpview.sim.raw_counts import Raw
from warpview.sim.rules import texture_places, textures

OUT_OF_BOUNDS, UNINITIALISED = int(FindingKind.OUT_OF_BOUNDS), int(FindingKind.UNINITIALISED)
GLOBAL, HIGHEST = int(Space.GLOBAL), 1 << 40
REQUESTS, SECTORS = 8 * Raw.REQUESTS, 8 * Raw.SECTORS
SAMPLE, GATHER, READ, QUERY = int(Fetch.SAMPLE), int(Fetch.GATHER), int(Fetch.READ), int(Fetch.QUERY)
TRAP, LINES, SIGN = int(Outside.TRAP), int(Shape.LINES), 1 << 31
FLOAT, DOUBLE, I32, I64 = ir.FloatType(), ir.DoubleType(), ir.IntType(32), ir.IntType(64)


@jit
def load(memory, address, size):
    if size == 1:
        return load_u8(memory + address)
    if size == 2:
        return load_u16(memory + address)
    return load_u32(memory + address) if size == 4 else load_i64(memory + address)


@jit
def word(words, k):
    registers, values = words
    return load_u32(registers + load_i64(values + 16 * k))


@intrinsic
def float_of(typingctx, bits):
    def codegen(context, builder, signature, args):
        return builder.fpext(builder.bitcast(builder.trunc(args[0], I32), FLOAT), DOUBLE)

    return types.float64(types.int64), codegen


@intrinsic
def bits_of(typingctx, number):
    def codegen(context, builder, signature, args):
        return builder.zext(builder.bitcast(builder.fptrunc(args[0], FLOAT), I32), I64)

    return types.int64(types.float64), codegen


@jit
def bit_length(number):
    return 64 - leading(number)


def _compiled_rules() -> dict[str, Any]:
    """Return the functions of the rules by name, compiled."""
    rules = vars(texture_places) | vars(textures)
    names = rules | {name: globals()[name] for name in texture_places.BY_ENGINE}
    modules = texture_places.__name__, textures.__name__
    for name, function in rules.items():
        is_rule = isinstance(function, FunctionType) and function.__module__ in modules
        if is_rule and name not in texture_places.BY_ENGINE:
            names[name] = jit(FunctionType(function.__code__, names, name))
    return names


_RULES = _compiled_rules()
field, is_sound, end_of = _RULES["field"], _RULES["is_sound"], _RULES["end_of"]
level_of_lane, place_of_lane, weight = _RULES["level_of_lane"], _RULES["place_of_lane"], _RULES["weight"]
texel_address, sampled, gathered = _RULES["texel_address"], _RULES["sampled"], _RULES["gathered"]
surface_address, sector_of, passes = _RULES["surface_address"], _RULES["sector_of"], _RULES["passes"]
DATA, TEXEL_BYTES, IS_LINEAR = texture_places.DATA, texture_places.TEXEL_BYTES, texture_places.IS_LINEAR
LEVELS, COUNT, told = texture_places.LEVELS, texture_places.COUNT, _RULES["told"]


@jit
def holds(m, address, size):
    """Return whether bytes of global memory lie in one allocation."""
    if m.n_allocations == 0 or address < FIRST_ADDRESS or address >= HIGHEST:
        return False
    find_allocation(m, address)
    return 0 <= address - m.hit_base <= m.hit_size - size


@jit
def is_usable(m, handle):
    """Return whether the descriptors of all levels, and the texels that they name, lie in allocations."""
    levels = 1
    level = 0
    while level < levels:
        texture = handle + level * DESCRIPTOR_BYTES
        if handle & 3 or not holds(m, texture, DESCRIPTOR_BYTES) or not is_sound(m.global_at, texture):
            return False
        data = load_i64(m.global_at + texture + DATA)
        if not holds(m, data, end_of(m.global_at, texture) - data):
            return False
        levels = field(m.global_at, handle, LEVELS)
        level += 1
    return True


# ------------------------------------------------------------------------------------------------ what is accessed


@jit
def mark(marks_at, address, size):
    """Set the bits of the words that an access reads or writes, where anybody wants to know."""
    if marks_at:
        word = address >> 2
        place = marks_at + (word >> 3)
        store_8(place, load_u8(place) | ((1 << ((size + 3) >> 2)) - 1) << (word & 7))


@jit
def note_sector(m, count, sector):
    """Note a sector among the first ``count`` of the row that is kept; return how many there are."""
    for k in range(count):
        if load_i64(kept_at(m) + 8 * k) == sector:
            return count
    store_64(kept_at(m) + 8 * count, sector)
    return count + 1


@jit
def note_texels(m, w, pc, lane, texture, place, fetch, share, count):
    """Note the texels of a level that a lane fetches: that they are read, and their sectors, whose number is
    returned."""
    memory, first, missing, size = m.global_at, -1, False, field(m.global_at, texture, TEXEL_BYTES)
    for k in range(8):
        if (fetch == GATHER and k < 4) or (fetch != GATHER and weight(place, k, share)):
            address = texel_address(memory, texture, place, k)
            if address >= 0:
                first = address if first < 0 else first
                if m.check and m.written_at:
                    missing = missing or not is_written(m.written_at, address, size, 2)
                mark(m.reads_at, address, size)
                count = note_sector(m, count, sector_of(memory, texture, address))
    if missing:
        report(m, UNINITIALISED, pc, w, lane, first, GLOBAL, 1)
    return count


@jit
def fetch_lane(m, w, ins, pc, lane, handle, count):
    """Write the components that a lane fetches; return how many sectors there are."""
    memory, words, given = m.global_at, (w.registers_at + 4 * lane, ins.values_at), ins.variant
    fetch, flags = ins.imm & 255, ins.imm >> 48
    level = level_of_lane(memory, handle, ins.imm, words)
    fraction = level & 255
    texture = handle + (level >> 8) * DESCRIPTOR_BYTES
    coarser = texture + DESCRIPTOR_BYTES if fraction else texture
    place, other = place_of_lane(memory, texture, ins.imm, words), place_of_lane(memory, coarser, ins.imm, words)
    count = note_texels(m, w, pc, lane, texture, place, fetch, 256 - fraction, count)
    if fraction:
        count = note_texels(m, w, pc, lane, coarser, other, fetch, fraction, count)
    results_at = addresses_at(m)
    for component in range(4):
        if flags >> component & 1:
            if fetch == GATHER:
                value = gathered(memory, texture, place, ins.imm >> 24 & 255, component)
            else:
                value = sampled(memory, texture, place, coarser, other, fraction, component)
            store_64(results_at + 8 * component, value)
    for component in range(4):  # a result may lie where a coordinate does
        if flags >> component & 1:
            store_32(words[0] + load_i64(ins.values_at + 16 * given), load_i64(results_at + 8 * component))
            given += 1
    return count


@jit
def query(m, w, ins, on):
    """Tell each lane what it asks of a level; no texel is read."""
    handle, flags = load_u32(w.registers_at + ins.c + 4 * lowest(on)), ins.imm >> 48
    while on:
        words = (w.registers_at + 4 * lowest(on), ins.values_at)
        on &= on - 1
        level, given = word(words, 0), ins.variant
        for component in range(3):
            if flags >> component & 1:
                value = told(m.global_at, handle, level, component)
                store_32(words[0] + load_i64(ins.values_at + 16 * given), value)
                given += 1


@jit
def signed_word(words, k):
    return (word(words, k) ^ SIGN) - SIGN


@jit
def access_lane(m, w, ins, pc, lane, handle, size, count):
    """Read or write bytes of a surface for a lane; return how many sectors there are."""
    shape, outside, memory = ins.imm >> 8 & 255, ins.imm >> 16 & 255, m.global_at
    words, first = (w.registers_at + 4 * lane, ins.values_at), ins.variant
    x, y, z = signed_word(words, 0), 0, 0
    if first > 1:
        y = signed_word(words, 1)
    if first > 2:
        z = signed_word(words, 2)
    if shape == LINES:
        y, z = 0, y
    address = surface_address(memory, handle, x, y, z, size, outside)
    reads = ins.imm & 255 == READ
    if address < 0 and outside == TRAP:
        report(m, OUT_OF_BOUNDS, pc, w, lane, x, GLOBAL, 1)
        m.stopped = 1
    if address >= 0 and reads and m.check and m.written_at and not is_written(m.written_at, address, size, 2):
        report(m, UNINITIALISED, pc, w, lane, address, GLOBAL, 1)
    each = min(size, 4)
    if address >= 0 and m.race_at:
        store_64(addresses_at(m) + 8 * lane, address)
        screen_global(m, pc, w, 1 << lane, size, READS if reads else WRITES, 0, 0, GLOBAL)
    for k in range((size + 3) >> 2):
        register = words[0] + load_i64(ins.values_at + 16 * (first + k))
        if address >= 0 and m.log_at:
            value = (load(memory, address + 4 * k, each) if reads else load_u32(register)) & (1 << 8 * each) - 1
            log_element(m, pc, w, lane, LOG_READ if reads else LOG_WRITE, address + 4 * k, each, value)
        if reads:
            store_32(register, load(memory, address + 4 * k, each) if address >= 0 else 0)
        elif address >= 0 and each == 1:
            store_8(memory + address, load_u32(register))
        elif address >= 0 and each == 2:
            store_16(memory + address, load_u32(register))
        elif address >= 0:
            store_32(memory + address + 4 * k, load_u32(register))
    if address < 0:
        return count
    mark(m.reads_at if reads else m.writes_at, address, size)
    if not reads and m.written_at:
        set_written(m.written_at, address, size, 2)
    return note_sector(m, count, sector_of(memory, handle, address))


@unit(5)
def texture(machine, warp, instruction, pc, on):
    """Execute a texture or surface instruction: lane by lane, and count requests and sectors."""
    m, w, ins = machine_at(machine), warp_at(warp), instruction_at(instruction)
    handle = load_u32(w.registers_at + ins.c + 4 * lowest(on))
    if not is_usable(m, handle):
        report(m, OUT_OF_BOUNDS, pc, w, lowest(on), handle, GLOBAL, 1)
        m.stopped = 1
        return 0
    fetch, shape, size = ins.imm & 255, ins.imm >> 8 & 255, ins.imm >> 32 & 255
    if fetch == QUERY:
        query(m, w, ins, on)
        return 0
    texel = field(m.global_at, handle, TEXEL_BYTES)
    is_filtered = fetch == SAMPLE and field(m.global_at, handle, IS_LINEAR)
    a_request, a_pass, times = passes(fetch, shape, size if size else texel, is_filtered)
    counts, lanes, group, request, count = m.counts_at + pc * ROW_OF_COUNTS, on, -1, -1, 0
    while lanes:
        lane = lowest(lanes)
        lanes &= lanes - 1
        if lane // a_request != request:
            request = lane // a_request
            add(counts + REQUESTS, 1)
        if lane // a_pass != group:
            group = lane // a_pass
            add(counts + SECTORS, times * count)
            count = 0
        if fetch >= READ:
            count = access_lane(m, w, ins, pc, lane, handle, size, count)
        else:
            count = fetch_lane(m, w, ins, pc, lane, handle, count)
    add(counts + SECTORS, times * count)
    if ins.native and ins.u >= 0:  # whether a texel is missing from memory: none is sparse
        fill_32(w.registers_at + ins.u, 0, on)
    return 0
