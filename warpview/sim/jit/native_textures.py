"""Execute the texture and surface instructions of NVIDIA's machine code.

What a fetch gives is said once, in ``sim/rules/textures.py``: numba compiles that text, with what differs by engine
put in its place.
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
from warpview.sim.jit.checks import find_allocation, is_written, report, set_written
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.lanes import fill_32
from warpview.sim.jit.raw import (
    leading,
    load_i32,
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
from warpview.sim.jit.records import instruction_at, kept_at, machine_at, warp_at
from warpview.sim.jit.state import ROW32
from warpview.sim.launch import FindingKind
from warpview.sim.memory import FIRST_ADDRESS
from warpview.sim.raw_counts import Raw
from warpview.sim.rules import textures as rules

OUT_OF_BOUNDS, UNINITIALISED = int(FindingKind.OUT_OF_BOUNDS), int(FindingKind.UNINITIALISED)
GLOBAL, HIGHEST = int(Space.GLOBAL), 1 << 40
REQUESTS, SECTORS = 8 * Raw.REQUESTS, 8 * Raw.SECTORS
SAMPLE, ELEMENT, GATHER, READ = int(Fetch.SAMPLE), int(Fetch.ELEMENT), int(Fetch.GATHER), int(Fetch.READ)
TRAP, LINE, LINES = int(Outside.TRAP), int(Shape.LINE), int(Shape.LINES)
PLANES, CUBES = int(Shape.PLANES), int(Shape.CUBES)
FLOAT, DOUBLE, I32, I64 = ir.FloatType(), ir.DoubleType(), ir.IntType(32), ir.IntType(64)


@jit
def load(memory, address, size):
    if size == 1:
        return load_u8(memory + address)
    if size == 2:
        return load_u16(memory + address)
    return load_u32(memory + address) if size == 4 else load_i64(memory + address)


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
    names = vars(rules) | {name: globals()[name] for name in rules.BY_ENGINE}
    for name, function in vars(rules).items():
        if isinstance(function, FunctionType) and name not in rules.BY_ENGINE and function.__module__ == rules.__name__:
            names[name] = jit(FunctionType(function.__code__, names, name))
    return names


_RULES = _compiled_rules()
field, is_sound, end_of = _RULES["field"], _RULES["is_sound"], _RULES["end_of"]
place_of, element_place, weight = _RULES["place_of"], _RULES["element_place"], _RULES["weight"]
texel_address, sampled, gathered = _RULES["texel_address"], _RULES["sampled"], _RULES["gathered"]
surface_address, sector_of, passes = _RULES["surface_address"], _RULES["sector_of"], _RULES["passes"]
DATA, TEXEL_BYTES, IS_LINEAR = rules.DATA, rules.TEXEL_BYTES, rules.IS_LINEAR


@jit
def holds(m, address, size):
    """Return whether bytes of global memory lie in one allocation."""
    if m.n_allocations == 0 or address < FIRST_ADDRESS or address >= HIGHEST:
        return False
    find_allocation(m, address)
    return 0 <= address - m.hit_base <= m.hit_size - size


@jit
def is_usable(m, handle):
    """Return whether a descriptor and the texels that it names lie in allocations."""
    if handle & 3 or not holds(m, handle, DESCRIPTOR_BYTES) or not is_sound(m.global_at, handle):
        return False
    data = load_i64(m.global_at + handle + DATA)
    return holds(m, data, end_of(m.global_at, handle) - data)


@jit
def coordinate(w, ins, lane, k):
    """Return the address of a coordinate of a lane: in the first vector, or in the second."""
    first = ins.extra >> 4
    row = ins.a + k * ROW32 if k < first else ins.b + (k - first) * ROW32
    return w.registers_at + row + 4 * lane


@jit
def place_of_lane(m, w, ins, lane, handle, shape, fetch):
    """Return the place that a lane fetches from."""
    memory = m.global_at
    if fetch == ELEMENT:
        return element_place(memory, handle, load_i32(coordinate(w, ins, lane, 0)))
    layer, first = 0, 0
    if ins.imm >> 40 & 1:  # of gradients, the layer comes last
        layer = load_u32(coordinate(w, ins, lane, 1 if shape == LINES else 2)) if shape in (LINES, PLANES) else 0
    elif shape in (LINES, PLANES, CUBES):
        layer, first = load_u32(coordinate(w, ins, lane, 0)), 1
    x, y, z = float_of(load_u32(coordinate(w, ins, lane, first))), 0.0, 0.0
    if shape == LINES:
        y = 0.5
    elif shape != LINE:
        y = float_of(load_u32(coordinate(w, ins, lane, first + 1)))
        if shape != PLANES and shape != rules.PLANE:
            z = float_of(load_u32(coordinate(w, ins, lane, first + 2)))
    is_between = 1 if fetch == GATHER else field(memory, handle, IS_LINEAR)
    return place_of(memory, handle, shape, layer, x, y, z, is_between)


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
def note_texels(m, w, pc, lane, handle, place, fetch, size, count):
    """Note the texels that a lane fetches: that they are read, and their sectors, whose number is returned."""
    memory, first, missing = m.global_at, -1, False
    for k in range(8):
        if (fetch == GATHER and k < 4) or (fetch != GATHER and weight(place, k)):
            address = texel_address(memory, handle, place, k)
            if address >= 0:
                first = address if first < 0 else first
                if m.check and m.written_at:
                    missing = missing or not is_written(m.written_at, address, size, 2)
                mark(m.reads_at, address, size)
                count = note_sector(m, count, sector_of(memory, handle, address))
    if missing:
        report(m, UNINITIALISED, pc, w, lane, first, GLOBAL, 1)
    return count


@jit
def fetch_lane(m, w, ins, lane, handle, place, fetch):
    """Write the components that a lane fetches: two to the first vector, then two to the second."""
    memory, given = m.global_at, 0
    for component in range(4):
        if ins.extra >> component & 1:
            if fetch == GATHER:
                value = gathered(memory, handle, place, ins.imm >> 24 & 255, component)
            else:
                value = sampled(memory, handle, place, component)
            row = ins.dst if given < 2 else ins.e
            store_32(w.registers_at + row + (given & 1) * ROW32 + 4 * lane, value)
            given += 1


@jit
def access_lane(m, w, ins, pc, lane, handle, size, count):
    """Read or write bytes of a surface for a lane; return how many sectors there are."""
    shape, outside = ins.imm >> 8 & 255, ins.imm >> 16 & 255
    memory, first = m.global_at, ins.extra >> 4
    x, y, z = load_i32(coordinate(w, ins, lane, 0)), 0, 0
    if first > 1:
        y = load_i32(coordinate(w, ins, lane, 1))
    if first > 2:
        z = load_i32(coordinate(w, ins, lane, 2))
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
    for k in range((size + 3) >> 2):
        register = w.registers_at + (ins.dst if reads else ins.b) + k * ROW32 + 4 * lane
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
            place = place_of_lane(m, w, ins, lane, handle, shape, fetch)
            count = note_texels(m, w, pc, lane, handle, place, fetch, texel, count)
            fetch_lane(m, w, ins, lane, handle, place, fetch)
    add(counts + SECTORS, times * count)
    if ins.u >= 0:  # whether a texel is missing from memory: none is sparse
        fill_32(w.registers_at + ins.u, 0, on)
    return 0
