"""Define the opcodes that compute capability 10.0 and 12.0 brought, or gave another meaning: floats on the uniform
datapath, integers of 64 bits.

No such GPU was at hand: places and names were read from words that NVIDIA's nvdisasm explains, and what they compute
follows from the opcodes of the same name before, and from CUDA C++ that NVRTC compiles to them.
"""

from __future__ import annotations

from warpview.isa.ops import Op, Unit
from warpview.isa.types import Space
from warpview.sass.modifiers import (
    ALWAYS,
    ATOMIC_TEST,
    ATOMIC_TYPE,
    BOOLEAN,
    BYTE,
    COMPARISONS,
    FACTOR,
    FLOAT_COMPARISONS,
    FTZ,
    NAN,
    ROUND,
    SAT,
    SCALE,
    SIGNED,
    SIZE,
    SOURCE_SIZE,
    TO_INTEGER,
    X,
    flag,
    modifier,
)
from warpview.sass.opcode import B_IMMEDIATE, B_UNIFORM, BLACKWELL, C_IMMEDIATE, REGISTERS, OpcodeTable

LATE = OpcodeTable(BLACKWELL)
WIDE = modifier("wide", 80, 1, None, "")  # an opcode that has 32 bits without it
_row, _alu, _memory = LATE.row, LATE.arithmetic, LATE.memory
IN_B, IN_C = (REGISTERS, B_IMMEDIATE), (REGISTERS, C_IMMEDIATE)  # forms of what has one more source

# ------------------------------------------------------------------------------------------------ uniform datapath

_alu("FMNMX3", 0x076, "d a b c p", "fmnmx3",
     "takes the smallest of three floats where the predicate holds, else the largest", FTZ, NAN)  # fmt: skip
_alu("UIMAD.HI", 0x0A6, "ud uu ua ub uc2 up", "imadhi", "adds to the upper half of a product, once for the warp",
     SIGNED, X, unit=Unit.IMUL, forms=IN_B)  # fmt: skip
_alu("UVIMNMX", 0x04A, "ud ua ub up", "imnmx",
     "takes the smaller integer where the predicate holds, else the larger, once for the warp",
     modifier("signed", 72, 2, ".U32", ".S32"), flag("relu", 76), forms=IN_B)  # fmt: skip
_alu("UFADD", 0x054, "ud ua uc", "ufadd", "adds two floats, once for the warp", FTZ, ROUND, SAT,
     modifier("halves", 81, 1, ""), unit=Unit.FMA, forms=IN_C)  # fmt: skip
_alu("UFMUL", 0x056, "ud ua ub", "fmul", "multiplies two floats, once for the warp", FTZ, ROUND, SAT, FACTOR,
     unit=Unit.FMA, forms=IN_B)  # fmt: skip
_alu("UFFMA", 0x055, "ud ua ub uc", "ffma", "multiplies two floats and adds a third, once for the warp", FTZ, ROUND,
     SAT, unit=Unit.FMA, forms=(REGISTERS, C_IMMEDIATE, B_IMMEDIATE))  # fmt: skip
_alu("UFSETP", 0x053, "uu uv ua ub up", "fsetp", "compares two floats, once for the warp",
     modifier("compare", 76, 4, *FLOAT_COMPARISONS), FTZ, BOOLEAN, forms=IN_B)  # fmt: skip
_alu("UFSEL", 0x051, "ud ua ub up", "fsel", "takes one of two floats, once for the warp", FTZ, forms=IN_B)
_alu("UF2I", 0x05C, "ud ub", "f2i", "converts a float to an integer, once for the warp", FTZ,
     modifier("to", 75, 2, None, None, "", None), modifier("tosigned", 72, 1, ".U32", ""),
     modifier("source", 84, 3, None, None, ""), TO_INTEGER, flag("ntz", 77), unit=Unit.SFU, forms=IN_B)  # fmt: skip
_alu("UI2F", 0x05A, "ud ub", "i2f", "converts an integer to a float, once for the warp",
     modifier("to", 75, 3, None, ".F16", ""), modifier("signed", 74, 1, ".U32", ""), SOURCE_SIZE, ROUND, BYTE,
     unit=Unit.SFU, forms=IN_B)  # fmt: skip
_alu("UI2FP", 0x05E, "ud ub", "i2f", "converts an integer to a float, once for the warp",
     modifier("to", 75, 3, None, None, ".F32"), modifier("signed", 74, 1, ".U32", ".S32"), SOURCE_SIZE, ROUND,
     forms=IN_B)  # fmt: skip
_alu("UFRND", 0x05D, "ud ub", "frnd", "rounds a float to a whole number, once for the warp", FTZ,
     modifier("to", 75, 3, None, None, ""), modifier("source", 84, 3, None, None, ""), TO_INTEGER, unit=Unit.SFU,
     forms=IN_B)  # fmt: skip
_row("CREDUX", (0x2CC,), "ud a", "credux", "reduces a value over the lanes",
     modifier("mode", 78, 2, ".MAX", None, ".MIN"),
     modifier("signed", 73, 2, "", ".S32"), unit=Unit.WARP, op=Op.REDUX)  # fmt: skip
_memory("ATOMS", (0x58D,), "u m sw tw",
        "stores to shared memory where it holds what is expected, and tells whether it does",
        Op.ATOM, Space.SHARED, ATOMIC_TEST, ATOMIC_TYPE, SCALE)  # fmt: skip
_row("BRA.U", (0x547,), "uh L", "bra", "branches, the whole warp one way", modifier("kind", 84, 3, ""), ALWAYS,
     unit=Unit.BRANCH, op=Op.BRA)  # fmt: skip
_row("LDCU", (0x7AC,), "udw x", "ldc", "loads from constant memory, once for the warp", SIZE,
     modifier("unpack", 80, 1, ""))  # fmt: skip

# ------------------------------------------------------------------------------------------------ 64 bits, for sm_120

_row("MOV.64", (0x402,), "d2 I", "mov2", "copies a number of 64 bits")
_row("UMOV.64", (0x482,), "ud2 I", "mov2", "copies a number of 64 bits, once for the warp")
_alu("MOV.64", 0x002, "d2 b2", "mov2", "copies 64 bits", WIDE, modifier("lanes", 72, 4, *[None] * 15, ""),
     forms=(REGISTERS, B_UNIFORM))  # fmt: skip
_alu("UMOV.64", 0x082, "ud2 ub2", "mov2", "copies 64 bits, once for the warp", WIDE, forms=(REGISTERS, B_UNIFORM))
_alu("IADD.64", 0x035, "d2 u a2 b2 p", "iaddwide", "adds two integers of 64 bits", modifier("wide", 73, 1, None, ""),
     X, forms=(REGISTERS, B_IMMEDIATE, B_UNIFORM))  # fmt: skip
_alu("IMNMX", 0x017, "d2 u v a2 b2 p q", "imnmxwide",
     "takes the smaller integer of 64 bits where the predicate holds, else the larger",
     modifier("wide", 74, 1, None, ""), modifier("signed", 73, 1, ".U64", ".S64"),
     forms=(REGISTERS, B_IMMEDIATE, B_UNIFORM))  # fmt: skip
_row("SEL.64", (0x407, 0x607), "d2 a2 J p", "selwide",
     "takes the first source of 64 bits where the predicate holds, else the second")  # fmt: skip
_row("USEL.64", (0x487, 0xC87), "ud2 ua2 uJ up", "selwide", "takes one of two sources of 64 bits, once for the warp")
_alu("ISETP", 0x00C, "u v a2 b2 p", "isetpwide", "compares two integers of 64 bits into predicates",
     modifier("compare", 76, 3, *COMPARISONS), modifier("signed", 73, 1, ".U64", ".S64"), BOOLEAN,
     modifier("ex", 72, 1, ""), WIDE, forms=(REGISTERS, B_IMMEDIATE, B_UNIFORM))  # fmt: skip
