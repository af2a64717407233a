"""Define the opcodes of memory, warps, blocks and control, and give the table of all opcodes by code."""

from __future__ import annotations

from warpview.isa.ops import Op, Unit
from warpview.isa.types import Space
from warpview.sass import hopper_opcodes, texture_opcodes
from warpview.sass.arithmetic_opcodes import ARITHMETIC, NEW, OLD, UP_TO_HOPPER
from warpview.sass.blackwell_opcodes import LATE
from warpview.sass.modifiers import (
    ALWAYS,
    ATOMIC,
    ATOMIC_OPS,
    ATOMIC_TEST,
    ATOMIC_TYPE,
    EARLY_ATOMIC_TYPE,
    FLOAT_TYPE,
    HOPPER_ATOMIC_TYPE,
    HOPPER_SHARED_TYPE,
    LOADED,
    ORDER,
    SCALE,
    SIZE,
    E,
    modifier,
)
from warpview.sass.opcode import AMPERE_AND_ADA, BEFORE_HOPPER, Opcode, OpcodeTable
from warpview.sass.uniform_opcodes import UNIFORM

MACHINE, AMPERE, EARLY = OpcodeTable(), OpcodeTable(AMPERE_AND_ADA), OpcodeTable(BEFORE_HOPPER)
_row, _memory = MACHINE.row, MACHINE.memory

# ------------------------------------------------------------------------------------------------ special registers

_row("S2R", (0x919,), "d S", "s2r", "reads a special register", unit=Unit.SFU)
_row("S2UR", (0x9C3,), "ud S", "s2r", "reads a special register, once for the warp", unit=Unit.SFU)
_CLOCK_BITS = modifier("size", 80, 1, ".32", "")
_row("CS2R", (0x805,), "dw S", "s2r", "reads a special register", _CLOCK_BITS)
LATE.row("CS2UR", (0x8CB,), "udw S", "s2r", "reads a special register, once for the warp", _CLOCK_BITS)

# ------------------------------------------------------------------------------------------------ memory

_ZERO_DATA = modifier("zd", 87, 1, "")  # of a load that gives zero where a predicate says so
_memory("LDG", (0x381, 0x981), "dw u m", "loads from global memory", Op.LD, Space.GLOBAL, E, SIZE, ORDER, LOADED,
        _ZERO_DATA)  # fmt: skip
_memory("STG", (0x386, 0x986), "m sw", "stores to global memory", Op.ST, Space.GLOBAL, E, SIZE, ORDER)
_memory("LD", (0x380, 0x980), "dw m", "loads from wherever the address points", Op.LD, Space.GENERIC, E, SIZE, ORDER,
        LOADED)  # fmt: skip
_memory("ST", (0x385, 0x985), "m sw", "stores to wherever the address points", Op.ST, Space.GENERIC, E, SIZE, ORDER)
_memory("LDS", (0x384, 0x984), "dw m", "loads from shared memory", Op.LD, Space.SHARED, SIZE, SCALE, _ZERO_DATA)
_memory("STS", (0x388, 0x988), "m sw", "stores to shared memory", Op.ST, Space.SHARED, SIZE, SCALE)
_memory("LDL", (0x383, 0x983), "dw m", "loads from local memory", Op.LD, Space.LOCAL, SIZE, SCALE)
_memory("STL", (0x387, 0x987), "m sw", "stores to local memory", Op.ST, Space.LOCAL, SIZE, SCALE)
for _name, _int, _cas, _float, _space in (
    ("ATOMG", (0x3A8, 0x9A8), (0x3A9,), (0x3A3, 0x9A3), Space.GLOBAL),
    ("ATOM", (0x38A, 0x98A), (0x38B,), (0x3A2, 0x9A2), Space.GENERIC),
):
    for _table, _type in ((EARLY, EARLY_ATOMIC_TYPE), (hopper_opcodes.HOPPER, HOPPER_ATOMIC_TYPE)):
        _table.memory(_name, _int, "u dw m sw", "changes memory atomically and gives what was there", Op.ATOM, _space,
                      E, ATOMIC, _type, ORDER)  # fmt: skip
    for _table, _type in ((EARLY, ATOMIC_TYPE), (hopper_opcodes.HOPPER, HOPPER_SHARED_TYPE)):
        _table.memory(_name, _cas, "u dw m sw tw", "stores atomically where memory holds what is expected", Op.ATOM,
                      _space, E, ATOMIC_TEST, _type, ORDER)  # fmt: skip
    _memory(_name, _float, "u dw m sw", "adds to memory atomically and gives what was there", Op.ATOM, _space, E,
            modifier("sum", 87, 4, ".ADD", None, ".MIN", None, ".MAX", *[None] * 3, ".ADD"), FLOAT_TYPE,
            ORDER)  # fmt: skip
for _table, _type in ((EARLY, EARLY_ATOMIC_TYPE), (hopper_opcodes.HOPPER, HOPPER_ATOMIC_TYPE)):
    _table.memory("REDG", (0x38E, 0x98E), "m sw", "changes global memory atomically", Op.RED, Space.GLOBAL, E,
                  modifier("atomic", 87, 3, *ATOMIC_OPS[:8]), _type, ORDER)  # fmt: skip
_memory("REDG", (0x3A6, 0x9A6), "m sw", "adds to global memory atomically", Op.RED, Space.GLOBAL, E,
        modifier("sum", 87, 3, ".ADD", None, ".MIN", None, ".MAX"), FLOAT_TYPE, ORDER)  # fmt: skip
for _table, _type in ((EARLY, ATOMIC_TYPE), (hopper_opcodes.HOPPER, HOPPER_SHARED_TYPE)):
    _table.memory("ATOMS", (0x38C, 0x98C), "dw m sw", "changes shared memory atomically and gives what was there",
                  Op.ATOM, Space.SHARED, ATOMIC, _type, SCALE)  # fmt: skip
    _table.memory("ATOMS", (0x38D,), "dw m sw tw", "stores atomically to shared memory where it holds what is expected",
                  Op.ATOM, Space.SHARED, ATOMIC_TEST, _type, SCALE)  # fmt: skip
_memory("ATOMS.POPC.INC.32", (0xF8C, 0x58C), "d m", "counts the lanes that go to one word of shared memory", Op.ATOM,
        Space.SHARED, modifier("kind", 87, 4, *[None] * 10, "", ""), modifier("word", 73, 3, ""), SCALE)  # fmt: skip
AMPERE.memory("ATOMS.ARRIVE", (0xF8C, 0x58C), "dw m", "arrives at a barrier in shared memory", Op.ATOM, Space.SHARED,
              modifier("kind", 87, 4, *[None] * 9, ""), modifier("type", 73, 3, None, None, ".64"), SCALE)  # fmt: skip
AMPERE.memory("ARRIVES.LDGSTSBAR", (0x9B0,), "m", "arrives at a barrier once the copies before are done", Op.ATOM,
              Space.SHARED, modifier("type", 73, 3, *[None] * 5, ".64"))  # fmt: skip

_COPY = "copies from global to shared memory, without registers"
_BYPASS, _ZFILL = modifier("bypass", 81, 1, ".BYPASS", ""), modifier("zfill", 82, 1, "", ".ZFILL")
UP_TO_HOPPER.memory(
    "LDGSTS", (0xFAE,), "y m p", _COPY, Op.LD, Space.GLOBAL, modifier("e", 70, 1, None, ".E"), _BYPASS,
    modifier("prefetch", 71, 2, "", ".LTC64B", ".LTC128B"),
    modifier("copied", 73, 3, None, None, None, None, "", ".64", ".128"), _ZFILL,
)  # fmt: skip
LATE.memory(
    "LDGSTS", (0xFAE,), "y m p", _COPY, Op.LD, Space.GLOBAL, modifier("e", 76, 1, None, ".E"), _BYPASS,
    modifier("prefetch", 72, 2, "", ".LTC64B", ".LTC128B"), modifier("copied", 74, 2, "", ".64", ".128"), _ZFILL,
)  # fmt: skip
_memory("LDSM.16", (0x83B,), "dw m", "loads matrices of 8 x 8 halves from shared memory", Op.LD, Space.SHARED,
        modifier("transposed", 78, 3, ".M88", ".MT88"), modifier("matrices", 72, 2, "", ".2", ".4"))  # fmt: skip
_row("QSPC", (0x3AA, 0x9AA), "u d m", "qspc", "tells whether an address lies in a space", E,
     modifier("space", 73, 2, ".G", ".L", ".S", ".D"), unit=Unit.LSU)  # fmt: skip

_row("LDC", (0xB82,), "dw x", "ldc", "loads from constant memory", SIZE, modifier("mode", 78, 2, ""))

# ------------------------------------------------------------------------------------------------ warps and blocks

_row("SHFL", (0x389, 0x589, 0x989, 0xF89), "u d a n N", "shfl", "takes the value of another lane",
     modifier("mode", 58, 2, ".IDX", ".UP", ".DOWN", ".BFLY"), unit=Unit.WARP, op=Op.SHFL)  # fmt: skip
_row("VOTE", (0x806,), "d u p", "vote", "votes over a predicate", modifier("mode", 72, 2, ".ALL", ".ANY", ".EQ"),
     unit=Unit.WARP, op=Op.VOTE)  # fmt: skip
_row("VOTEU", (0x886,), "ud uu p", "vote", "votes over a predicate", modifier("mode", 72, 2, ".ALL", ".ANY", ".EQ"),
     unit=Unit.WARP, op=Op.VOTE)  # fmt: skip
_row("MATCH", (0x3A1,), "u d aw", "match", "finds the lanes with an equal value",
     modifier("mode", 79, 1, ".ALL", ".ANY"), modifier("size", 73, 1, "", ".U64"), unit=Unit.WARP,
     op=Op.MATCH)  # fmt: skip
_row("REDUX", (0x3C4,), "ud a", "redux", "reduces a value over the lanes",
     modifier("mode", 78, 3, "", ".OR", ".XOR", ".SUM", ".MIN", ".MAX"), modifier("signed", 73, 1, "", ".S32"),
     unit=Unit.WARP, op=Op.REDUX)  # fmt: skip
_row("BAR", (0x31D, 0x51D, 0x91D, 0xB1D), "n N p", "bar", "waits for the block, or for a number of its threads",
     modifier("mode", 77, 2, ".SYNC", ".ARV", ".RED"), modifier("reduce", 74, 2, ".POPC", ".AND", ".OR"),
     modifier("all", 79, 1, ""),
     modifier("defer", 80, 1, "", ".DEFER_BLOCKING"), unit=Unit.SYNC, op=Op.BAR_SYNC)  # fmt: skip
_row("MOVM.16.MT88", (0x23A,), "d a", "movm", "transposes a matrix of 8 x 8 halves over the lanes",
     modifier("shape", 78, 2, ""), modifier("widened", 75, 1, ""), unit=Unit.WARP)  # fmt: skip
_row("HMMA", (0x23C,), "dw aw bw cw", "hmma", "multiplies matrices of the warp and adds a third",
     modifier("signs", 72, 3, ""),
     modifier("shape", 75, 4, ".1688.F16", ".16816.F16", ".1688.F32", ".16816.F32", *[None] * 6, ".1684.F32"),
     modifier("negated", 63, 1, ""), modifier("format", 82, 2, "", ".BF16", ".TF32"),
     modifier("scale", 87, 4, ""), unit=Unit.WARP)  # fmt: skip
_row("HMMA.884", (0x236,), "dw aw bw cw", "hmmaquad", "multiplies matrices of four lanes and adds a third, in part",
     modifier("floats", 76, 1, ".F16", ".F32"), modifier("cfloats", 78, 1, ".F16", ".F32"),
     modifier("step", 79, 2, ".STEP0", ".STEP1", ".STEP2", ".STEP3"),
     modifier("columns", 73, 2, ".ROW.ROW", ".COL.ROW", ".ROW.COL", ".COL.COL"), unit=Unit.WARP)  # fmt: skip
_FOUR_BITS = (modifier("asigned", 76, 2, ".U4", ".S4"), modifier("bsigned", 78, 2, ".U4", ".S4"),
              modifier("sat", 82, 1, "", ".SAT"), modifier("kinds", 83, 2, None, None, None, ""),
              modifier("scale", 87, 4, ""))  # fmt: skip
for _shape, _depth in (((None, None, ""), (".16816", ".16832")), ((".8816",), ("",))):
    _row("IMMA", (0x237,), "dw aw bw cw", "imma", "multiplies matrices of bytes of the warp and adds a third",
         modifier("sparse", 72, 2, ""), modifier("column", 74, 1, None, ""),
         modifier("shape", 85, 2, *_shape), modifier("depth", 75, 1, *_depth),
         modifier("asigned", 76, 2, ".U8", ".S8"), modifier("bsigned", 78, 2, ".U8", ".S8"),
         modifier("sat", 82, 1, "", ".SAT"), modifier("kinds", 83, 2, ""), modifier("scale", 87, 4, ""),
         unit=Unit.WARP)  # fmt: skip
_row("DMMA", (0x23F,), "dw aw bw cw", "dmma", "multiplies matrices of doubles of the warp and adds a third",
     modifier("signs", 72, 4, ""), modifier("shape", 76, 2, ".8x8x4", ".16x8x4", ".16x8x8", ".16x8x16"),
     modifier("round", 78, 2, ""), modifier("scale", 87, 4, ""), modifier("absolute", 62, 2, ""),
     unit=Unit.FP64)  # fmt: skip
for _number, _text, _deep in ((1, ".8832", 0), (2, ".16832", 1), (3, ".16864", 0)):
    _row("IMMA", (0x237,), "dw aw bw cw", "bmma", "multiplies matrices of elements of four bits and adds a third",
         modifier("sparse", 72, 2, ""), modifier("column", 74, 1, None, ""),
         modifier("shape", 85, 2, *[None] * _number, _text), modifier("depth", 75, 1, *[None] * _deep, ""), *_FOUR_BITS,
         unit=Unit.WARP)  # fmt: skip
_METADATA = "dw aw bw cw z Z"  # z: which elements of A are stored, Z: which of four neighbouring lanes say so
_row("HMMA.SP", (0x23C,), _METADATA, "hmmasp", "multiplies a matrix that is stored in half by another and adds a third",
     modifier("signs", 72, 3, None, None, ""),
     modifier("shape", 75, 4, None, ".16816.F16", ".1688.F32", ".16816.F32", *[None] * 5, ".16832.F16", None,
              ".16832.F32"), modifier("negated", 63, 1, ""), modifier("format", 82, 2, "", ".BF16", ".TF32"),
     modifier("scale", 87, 4, ""), unit=Unit.WARP)  # fmt: skip
_Texts = tuple[str | None, ...]
_SPARSE = modifier("sparse", 72, 2, None, ""), modifier("column", 74, 1, None, "")
_BYTES, _NIBBLES = ((".U8", ".S8"), ("",)), ((".U4", ".S4"), (None, None, None, ""))
_SPARSE_INTEGERS: tuple[tuple[_Texts, _Texts, tuple[_Texts, _Texts]], ...] = (
    ((None, ""), (None, None, ".16832"), _BYTES), (("",), (None, None, None, ".16864"), _BYTES),
    ((".16864", ".168128"), (None, None, None, ""), _NIBBLES),
)  # fmt: skip
for _depths, _shapes, (_types, _kinds) in _SPARSE_INTEGERS:
    _row("IMMA.SP", (0x237,), _METADATA, "immasp",
         "multiplies a matrix of integers that is stored in half by another and adds a third", *_SPARSE,
         modifier("depth", 75, 1, *_depths), modifier("shape", 85, 2, *_shapes), modifier("asigned", 76, 2, *_types),
         modifier("bsigned", 78, 2, *_types), modifier("sat", 82, 1, "", ".SAT"), modifier("kinds", 83, 2, *_kinds),
         modifier("scale", 87, 4, ""), unit=Unit.WARP)  # fmt: skip
_row("BMMA", (0x23D,), "dw aw bw cw", "bmma", "multiplies matrices of bits of the warp by AND or XOR and adds a third",
     modifier("signs", 72, 3, *[None] * 4, ""), modifier("shape", 75, 3, ".88128", ".168128", ".168256"),
     modifier("operation", 78, 3, *[None] * 4, ".XOR.POPC", ".AND.POPC"), unit=Unit.WARP)  # fmt: skip
_row("B2R.RESULT", (0x31C,), "d u", "b2r", "reads the result of a barrier's reduction",
     modifier("mode", 78, 2, None, ""), unit=Unit.SYNC)  # fmt: skip
_row("MEMBAR", (0x992,), "", "nop", "orders memory accesses", modifier("semantics", 79, 1, ".SC", ".ALL"),
     modifier("scope", 76, 2, ".CTA", ".SM", ".GPU", ".SYS"), unit=Unit.SYNC, op=Op.MEMBAR)  # fmt: skip
_row("ENDCOLLECTIVE", (0x91B,), "", "nop", "ends the part that lanes execute together", ALWAYS, unit=Unit.SYNC,
     op=Op.NOP)  # fmt: skip
_row("LDGDEPBAR", (0x9AF,), "", "nop", "closes a group of asynchronous copies", unit=Unit.SYNC, op=Op.CP_ASYNC)
_row("DEPBAR", (0x91A,), "", "nop", "waits for earlier instructions", modifier("left", 38, 6, *[""] * 64),
     unit=Unit.SYNC, op=Op.CP_ASYNC)  # fmt: skip
for _name, _codes, _words, _text in (
    ("ERRBAR", (0x9AB,), "", "waits for errors of memory accesses"),
    ("CGAERRBAR", (0x5AB,), "", "waits for errors of memory accesses"),
    ("CCTL.IVALL", (0x98F,), "", "invalidates the cache"),
    ("NANOSLEEP", (0x35D, 0x95D), "", "rests for a while"),
    ("NOP", (0x918,), "", "does nothing"),
):
    _row(_name, _codes, _words, "nop", _text, unit=Unit.SYNC, op=Op.NOP)

# ------------------------------------------------------------------------------------------------ control

# Bits that NVIDIA's compilers never set otherwise: what they stand for is refused.
_WITHOUT_COUNT = modifier("counted", 86, 1, None, "")  # .NOINC and .NODEC
_RELATIVE = (modifier("absolute", 85, 1, ""), _WITHOUT_COUNT, ALWAYS, modifier("uniform", 91, 1, ""))
_COUNTS = modifier("counts", 85, 2, "")
_BRANCH = modifier("kind", 32, 2, "", ".U", ".DIV", ".CONV"), modifier("any", 84, 1, "", ".ANY")
_row("BRA", (0x947,), "p ub2 L", "bra", "branches", *_BRANCH, _COUNTS, unit=Unit.BRANCH, op=Op.BRA)
_row("EXIT", (0x94D,), "p", "exit", "ends the threads", modifier("kind", 84, 3, ""), unit=Unit.BRANCH, op=Op.EXIT)
_row(
    "BSSY", (0x945,), "B L", "bssy", "names the lanes that will meet at a convergence barrier", ALWAYS, unit=Unit.BRANCH
)
_row("BSYNC", (0x941,), "B", "bsync", "waits at a convergence barrier", ALWAYS, unit=Unit.BRANCH, op=Op.WARPSYNC)
_row("BREAK", (0x942,), "p B", "break", "takes lanes off a convergence barrier", unit=Unit.BRANCH)
_row("BMOV.32.CLEAR", (0x355,), "d Bs", "bmovclear", "moves a convergence barrier to a register",
     modifier("state", 28, 4, ""), modifier("clear", 84, 1, None, ""), unit=Unit.BRANCH)  # fmt: skip
_row("BMOV.32", (0x356,), "Bd b", "bmov", "sets a convergence barrier from a register", unit=Unit.BRANCH)
_row("WARPSYNC", (0x348,), "b", "warpsync", "waits for lanes of the warp",
     modifier("kind", 85, 2, "", ".EXCLUSIVE", ".COLLECTIVE"), ALWAYS, unit=Unit.BRANCH, op=Op.WARPSYNC)  # fmt: skip
_row("WARPSYNC.ALL", (0x948,), "i", "warpsync", "waits for all lanes of the warp",
     modifier("kind", 85, 2, "", None, ".COLLECTIVE"), ALWAYS, unit=Unit.BRANCH, op=Op.WARPSYNC)  # fmt: skip
_row("YIELD", (0x946,), "", "yield", "lets other lanes of the warp go first", ALWAYS, unit=Unit.BRANCH, op=Op.NOP)
_row("BRX", (0x949,), "a2 L", "ret", "branches to a computed place", _COUNTS, ALWAYS, unit=Unit.BRANCH, op=Op.BRA)
_row(
    "BRXU", (0x958,), "ua2 L", "ret", "branches to a computed place, the same for the warp", unit=Unit.BRANCH, op=Op.BRA
)
_row("LEPC", (0x34E,), "d2", "lepc", "reads its own address", modifier("offset", 24, 8, ""), unit=Unit.BRANCH)
_row("LEPC", (0x94E,), "d2", "lepc", "reads the address behind the next instruction",
     modifier("offset", 24, 8, *[None] * 16, ""), unit=Unit.BRANCH)  # fmt: skip
_row(
    "CALL.ABS.NOINC",
    (0x343,),
    "a2",
    "call",
    "calls a function of the system",
    modifier("low", 16, 8, ""),
    modifier("high", 34, 48, ""),
    _WITHOUT_COUNT,
    ALWAYS,
    unit=Unit.BRANCH,
    op=Op.PRINTF,
)
_row("BPT.TRAP", (0x95C,), "", "trap", "ends the launch with an error", modifier("kind", 84, 3, None, None, None, ""),
     unit=Unit.BRANCH, op=Op.TRAP)  # fmt: skip
_row("CALL.REL.NOINC", (0x944,), "L", "bra", "calls a function", *_RELATIVE, unit=Unit.BRANCH, op=Op.BRA)
_row("CALL.REL.NOINC", (0x344,), "a2 L", "ret", "calls the function whose address is in a register", *_RELATIVE,
     unit=Unit.BRANCH, op=Op.BRA)  # fmt: skip
_row("RET.REL.NODEC", (0x950,), "a2 L", "ret", "returns from a function", *_RELATIVE, unit=Unit.BRANCH, op=Op.BRA)

_TABLES = (LATE, OLD, NEW, ARITHMETIC, UP_TO_HOPPER, UNIFORM, MACHINE, AMPERE, EARLY, *hopper_opcodes.TABLES,
           *texture_opcodes.TABLES)  # fmt: skip
OPCODES: tuple[Opcode, ...] = tuple(row for table in _TABLES for row in table.opcodes)
BY_CODE: dict[int, list[Opcode]] = {}  # the rows that a code may mean, by architecture and modifiers
for _opcode in OPCODES:
    for _code in _opcode.codes:
        BY_CODE.setdefault(_code, []).append(_opcode)
