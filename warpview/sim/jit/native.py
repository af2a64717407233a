"""Execute the instructions of NVIDIA's machine code that neither access memory nor change paths."""

from __future__ import annotations

from llvmlite import ir

from warpview.isa.types import FULL
from warpview.sim.jit import (
    native_conversions,
    native_doubles,
    native_floating,
    native_integer,
    native_lanes,
    native_narrow,
    native_pairs,
    native_parts,
)
from warpview.sim.jit.access_counts import ROW_OF_COUNTS, add
from warpview.sim.jit.bulk import bulk, scatter
from warpview.sim.jit.checks import report
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.lanes import I64, copy_lanes_32, fill_32, lane_intrinsic, lanes_equal_32, nonzero, permute_32
from warpview.sim.jit.native_control import HALF_GUARDED
from warpview.sim.jit.native_emitter import Emitter
from warpview.sim.jit.native_matrix import bmma, dmma, hmma, imma, movm
from warpview.sim.jit.native_numbers import FIRST_CONVERSION, FIRST_FLOAT, FIRST_PAIR, NUMBERS, SPECIAL
from warpview.sim.jit.native_quads import hmmaquad
from warpview.sim.jit.native_sparse import hmmasp, immasp
from warpview.sim.jit.raw import address_of, load_u32, lowest, popcount, store_64
from warpview.sim.jit.records import addresses_at, instruction_at, machine_at, physical_at, warp_at
from warpview.sim.jit.state import INSTRUCTION, ROW32
from warpview.sim.jit.textures import texture
from warpview.sim.launch import FindingKind

INSTRUCTION_BYTES = INSTRUCTION.itemsize
INACTIVE_LANE = int(FindingKind.INACTIVE_LANE)
(NOP, SHFL, MATCH, CLOCK, BREAK, TEXTURE, BULK, SCATTER, HMMA, IMMA, DMMA, BMMA, HMMASP, IMMASP, HMMAQUAD,
 MOVM) = range(len(SPECIAL))  # fmt: skip
IDX, UP, DOWN, BFLY = range(4)
MODULES = (
    native_integer,
    native_lanes,
    native_floating,
    native_doubles,
    native_conversions,
    native_narrow,
    native_pairs,
    native_parts,
)


def _function(meaning: str):
    return next(getattr(module, meaning) for module in MODULES if hasattr(module, meaning))


def _switch(first: int, end: int):
    """Return an intrinsic that executes the actions of some numbers in the lanes of a mask."""

    @lane_intrinsic(4)
    def execute(builder, number, instruction, base, mask):
        done = builder.append_basic_block("done")
        choice = builder.switch(number, done)
        for key, n in NUMBERS.items():
            if not first <= n < end:
                continue
            meaning, variant = key
            block = builder.append_basic_block(f"{meaning}_{'_'.join(map(str, variant))}")
            choice.add_case(ir.Constant(I64, n), block)
            builder.position_at_end(block)
            _function(meaning)(Emitter(builder, instruction, base, mask), *variant)
            builder.branch(done)
        builder.position_at_end(done)

    return execute


integer_action = _switch(0, FIRST_FLOAT)
float_action = _switch(FIRST_FLOAT, FIRST_CONVERSION)
conversion_action = _switch(FIRST_CONVERSION, FIRST_PAIR)
pair_action = _switch(FIRST_PAIR, 1 << 16)


@unit(3)
def native_integers(instruction, base, on):
    """Execute an instruction on integers, bits or predicates."""
    integer_action(instruction_at(instruction).action, instruction, base, on)
    return 0


@unit(3)
def native_floats(instruction, base, on):
    """Execute an instruction on floats."""
    float_action(instruction_at(instruction).action, instruction, base, on)
    return 0


@unit(3)
def native_conversions(instruction, base, on):
    """Execute an instruction on doubles, a conversion or an approximation."""
    conversion_action(instruction_at(instruction).action, instruction, base, on)
    return 0


@unit(3)
def native_pairs_of_halves(instruction, base, on):
    """Execute an instruction on pairs of 16-bit floats."""
    pair_action(instruction_at(instruction).action, instruction, base, on)
    return 0


@jit
def native_vector(ins, base, on):
    """Execute an instruction that is vector code."""
    if ins.action < FIRST_FLOAT:
        native_integers(address_of(ins), base, on)
    elif ins.action < FIRST_CONVERSION:
        native_floats(address_of(ins), base, on)
    elif ins.action < FIRST_PAIR:
        native_conversions(address_of(ins), base, on)
    else:
        native_pairs_of_halves(address_of(ins), base, on)


@jit
def source_lane(mode, lane, operand, clamp):
    """Return the lane that a shuffle reads, -1 where it lies beyond: by the PTX manual's definition of shfl."""
    segment = clamp >> 8 & 31
    low = lane & segment
    limit = low | clamp & 31 & (31 ^ segment)
    if mode == UP:
        source = lane - operand
        return source if source >= limit else -1
    if mode == DOWN:
        source = lane + operand
    elif mode == BFLY:
        source = lane ^ operand
    else:
        source = low | operand & (31 ^ segment)
    return source if source <= limit else -1


@jit
def shuffle(m, w, ins, pc, on):
    sources, base = addresses_at(m), w.registers_at
    inside = 0
    for lane in range(32):
        store_64(sources + 8 * lane, lane)
    lanes = on
    while lanes:
        lane = lowest(lanes)
        source = source_lane(
            ins.variant, lane, load_u32(base + ins.b + 4 * lane) & 31, load_u32(base + ins.c + 4 * lane)
        )
        if source >= 0:
            store_64(sources + 8 * lane, source)
            inside |= 1 << lane
            if m.check and on >> source & 1 == 0:
                report(m, INACTIVE_LANE, pc, w, lane, source, 0, 1)
        lanes &= lanes - 1
    out = physical_at(m)
    permute_32(out, base + ins.a, sources)
    copy_lanes_32(base + ins.dst, out, on)
    if ins.u >= 0:
        fill_32(base + ins.u, 0, on)
        fill_32(base + ins.u, 1, inside)


@jit
def match(m, w, ins, on):
    """Execute MATCH.ANY: the lanes with the lane's value; ALL: all lanes if they agree, else none, and the predicate
    says so."""
    base, out, done = w.registers_at, physical_at(m), on
    while done:
        lane = lowest(done)
        same = lanes_equal_32(base + ins.a, load_u32(base + ins.a + 4 * lane))
        if ins.variant & 1:
            same &= lanes_equal_32(base + ins.a + ROW32, load_u32(base + ins.a + ROW32 + 4 * lane))
        same &= on
        fill_32(out, same, same)
        done &= ~same
    if ins.variant & 2 == 0:
        agree = load_u32(out + 4 * lowest(on)) == on
        fill_32(out, on if agree else 0, on)
        if ins.u >= 0:
            fill_32(base + ins.u, agree, on)
    copy_lanes_32(base + ins.dst, out, on)


@jit
def read_clock(m, w, ins, on):
    """Read a clock. Who asks for the time waits for it to pass: the other warps go first."""
    value = w.issued - 1 if m.cycle < 0 else m.cycle
    if ins.extra:
        value = value * 1000000 // m.clock_khz  # nanoseconds
        w.yields = 1
    value >>= ins.imm
    row, lanes = w.registers_at + ins.dst, on | ins.widen
    fill_32(row, value, lanes)
    if ins.variant:
        fill_32(row + ROW32, value >> 32, lanes)


@jit
def leave_barrier(m, w, ins, pc, on):
    """Execute BREAK: lanes are no longer members of a convergence barrier."""
    row, leaving = w.registers_at + ins.b, on
    if ins.guard2 >= 0:
        leaving &= nonzero(w.registers_at + ins.guard2) ^ ins.guard2_flip
        add(m.counts_at + pc * ROW_OF_COUNTS + HALF_GUARDED, popcount(on & ~leaving))
    fill_32(row, load_u32(row) & ~leaving, FULL)


@unit(3)
def matrix_action(machine, warp, instruction):
    """Execute a matrix instruction, in which all lanes take part."""
    m, w, ins = machine_at(machine), warp_at(warp), instruction_at(instruction)
    if ins.action == HMMA:
        hmma(m, w, ins)
    elif ins.action == IMMA:
        imma(m, w, ins)
    elif ins.action == DMMA:
        dmma(m, w, ins)
    elif ins.action == BMMA:
        bmma(m, w, ins)
    elif ins.action == HMMASP:
        hmmasp(m, w, ins)
    elif ins.action == IMMASP:
        immasp(m, w, ins)
    elif ins.action == HMMAQUAD:
        hmmaquad(m, w, ins)
    else:
        movm(m, w, ins)
    return 0


@unit(5)
def native_action(machine, warp, instruction, pc, on):
    """Execute an instruction that exchanges data between lanes, or reads the state of the machine."""
    m, w, ins = machine_at(machine), warp_at(warp), instruction_at(instruction)
    if ins.action == SHFL:
        shuffle(m, w, ins, pc, on)
    elif ins.action == MATCH:
        match(m, w, ins, on)
    elif ins.action == CLOCK:
        read_clock(m, w, ins, on)
    elif ins.action == BREAK:
        leave_barrier(m, w, ins, pc, on)
    elif ins.action == TEXTURE:
        texture(machine, warp, instruction, pc, on)
    elif ins.action == BULK:
        bulk(machine, warp, instruction, pc, on)
    elif ins.action == SCATTER:
        scatter(machine, warp, instruction, pc, on)
    elif ins.action >= HMMA:
        matrix_action(machine, warp, instruction)
    return 0
