"""Define NVIDIA's instruction set: one row for each opcode.

A row's ``operands`` are words, in the order of NVIDIA's assembly; each says what stands there and where its bits are:

============  ===================================================================================================
``d``         destination register; ``ud`` a uniform one
``a b c``     sources: a at bit 24; b and c by the form of the opcode, as register, uniform register, immediate or
              constant; ``ua ub uc`` are uniform registers in the register forms
``u v``       destination predicates; ``p q r`` source predicates
``i``         the immediate of 32 bits
``m``         an address: register, uniform register, offset; ``x`` an address in constant memory
``s``         the values of a store or atomic; ``t`` the second value of a compare-and-swap
``y``         an address in shared memory that LDGSTS writes to
``B``         a convergence barrier; ``L`` a branch target; ``S`` a special register; ``n N`` small numbers
============  ===================================================================================================

A digit after a register says how many of 32 bits it spans. ``meaning`` names the functions that carry the operation
out, in the reference and in the jit. The names of opcodes are those of NVIDIA's *CUDA Binary Utilities*.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from warpview.isa.ops import Op, Unit
from warpview.isa.types import Space
from warpview.sass.modifiers import (
    ATOMIC,
    ATOMIC_OPS,
    ATOMIC_TEST,
    ATOMIC_TYPE,
    BF16,
    BOOLEAN,
    BYTE,
    COMPARISONS,
    FACTOR,
    FLOAT_COMPARISONS,
    FLOAT_SOURCE,
    FLOAT_TYPE,
    FTZ,
    HALF_BOOLEAN,
    NO_FTZ,
    ORDER,
    PRMT_MODE,
    ROUND,
    SAT,
    SCALE,
    SIGNED,
    SIZE,
    SOURCE_SIZE,
    TO_INTEGER,
    UPPER,
    WHOLE_FORMAT,
    E,
    Modifier,
    X,
    dot_product_texts,
    flag,
    modifier,
)

# Forms of an arithmetic opcode (bits 9 to 11): where b and c are.
REGISTERS, C_IMMEDIATE, C_CONSTANT, B_IMMEDIATE, B_CONSTANT, B_UNIFORM, C_UNIFORM = range(1, 8)
THREE_SOURCES = (REGISTERS, C_IMMEDIATE, C_CONSTANT, B_IMMEDIATE, B_CONSTANT, B_UNIFORM, C_UNIFORM)


@dataclass(frozen=True)
class Opcode:
    """Describe a row of the table. ``codes`` are the values of the low 12 bits; ``op`` and ``space`` the class that
    memory rules, counters and views know."""

    name: str
    codes: tuple[int, ...]
    operands: tuple[str, ...]
    modifiers: tuple[Modifier, ...]
    meaning: str
    unit: Unit
    op: Op
    space: Space
    is_arithmetic: bool
    explanation: str


OPCODES: list[Opcode] = []


def _row(
    name: str,
    codes: Iterable[int],
    operands: str,
    meaning: str,
    explanation: str,
    *modifiers: Modifier,
    unit: Unit = Unit.ALU,
    op: Op = Op.NATIVE,
    space: Space = Space.NONE,
    arithmetic: bool = False,
) -> None:
    words = tuple(operands.split())
    OPCODES.append(
        Opcode(name, tuple(codes), words, modifiers, meaning, unit, op, space, arithmetic, explanation)
    )  # fmt: skip


def _alu(
    name: str, base: int, operands: str, meaning: str, explanation: str, *modifiers: Modifier, unit: Unit = Unit.ALU
) -> None:
    """Return the rows of an arithmetic opcode in all its forms."""
    three = {"b", "c"} <= {word.lstrip("u").rstrip("24") for word in operands.split()}
    forms = THREE_SOURCES if three else (1, 2, 3, 4, 5, 6, 7)
    codes = [base | form << 9 for form in forms]
    _row(name, codes, operands, meaning, explanation, *modifiers, unit=unit, arithmetic=True)


# ------------------------------------------------------------------------------------------------ floating point

_alu("FADD", 0x021, "d a b", "fadd", "adds two floats", FTZ, ROUND, SAT, unit=Unit.FMA)
_alu("FMUL", 0x020, "d a b", "fmul", "multiplies two floats", FTZ, ROUND, SAT,
     FACTOR, unit=Unit.FMA)  # fmt: skip
_alu("FFMA", 0x023, "d a b c", "ffma", "multiplies two floats and adds a third, rounding once", FTZ, ROUND, SAT,
     unit=Unit.FMA)  # fmt: skip
_alu("FMNMX", 0x009, "d a b p", "fmnmx", "takes the smaller float where the predicate holds, else the larger", FTZ)
_alu("FSEL", 0x008, "d a b p", "fsel", "takes the first source where the predicate holds, else the second", FTZ)
_alu("FSETP", 0x00B, "u v a b p", "fsetp", "compares two floats into predicates",
     modifier("compare", 76, 4, *FLOAT_COMPARISONS), FTZ, BOOLEAN)  # fmt: skip
_alu("FSET.BF", 0x00A, "d a b p", "fset", "compares two floats; 1.0 where the comparison holds, else 0",
     modifier("compare", 76, 4, *FLOAT_COMPARISONS), FTZ, BOOLEAN)  # fmt: skip
_alu("FCHK", 0x102, "u a b", "fchk", "tells where a division needs its slow path", unit=Unit.SFU)
_alu("MUFU", 0x108, "d b", "mufu", "approximates a function",
     modifier("function", 74, 4, ".COS", ".SIN", ".EX2", ".LG2", ".RCP", ".RSQ", ".RCP64H", ".RSQ64H", ".SQRT",
               ".TANH"),
     modifier("format", 72, 2, "", ".F16", ".BF16"), UPPER, FTZ, unit=Unit.SFU)  # fmt: skip
_alu("DADD", 0x029, "d2 a2 c2", "dadd", "adds two doubles", ROUND, unit=Unit.FP64)
_alu("DMUL", 0x028, "d2 a2 b2", "dmul", "multiplies two doubles", ROUND, unit=Unit.FP64)
_alu("DFMA", 0x02B, "d2 a2 b2 c2", "dfma", "multiplies two doubles and adds a third, rounding once", ROUND,
     unit=Unit.FP64)  # fmt: skip
_alu("DSETP", 0x02A, "u v a2 b2 p", "dsetp", "compares two doubles into predicates",
     modifier("compare", 76, 4, ".MIN", *FLOAT_COMPARISONS[1:15], ".MAX"), BOOLEAN, unit=Unit.FP64)  # fmt: skip

# ------------------------------------------------------------------------------------------------ conversions

_alu("F2I", 0x105, "d b", "f2i", "converts a float to an integer", FTZ,
     modifier("to", 75, 2, None, None, "", None), modifier("tosigned", 72, 1, ".U32", ""),
     FLOAT_SOURCE, TO_INTEGER, flag("ntz", 77), UPPER, unit=Unit.SFU)  # fmt: skip
_alu("F2I", 0x111, "dw bw", "f2i", "converts a float to an integer",
     modifier("to", 75, 2, None, None, ".U32", ".U64"), modifier("tosigned", 72, 1, "", ".S"),
     FLOAT_SOURCE, TO_INTEGER, UPPER, unit=Unit.SFU)  # fmt: skip
_alu("I2F", 0x106, "d b", "i2f", "converts an integer to a float", WHOLE_FORMAT,
     modifier("signed", 74, 1, ".U32", ""), SOURCE_SIZE, ROUND,
     BYTE, unit=Unit.SFU)  # fmt: skip
_alu("I2F", 0x112, "dw bw", "i2f", "converts an integer to a float", WHOLE_FORMAT,
     modifier("signed", 74, 1, ".U32", ""), SOURCE_SIZE, ROUND,
     BYTE, unit=Unit.SFU)  # fmt: skip
_alu("I2FP", 0x045, "d b", "i2f", "converts an integer to a float", modifier("to", 75, 2, None, None, ".F32"),
     modifier("signed", 74, 1, ".U32", ".S32"), SOURCE_SIZE, ROUND)  # fmt: skip
_alu("F2F", 0x104, "d b", "f2f", "converts a float to 16 bits", FTZ, modifier("to", 75, 2, None, ".F16"),
     modifier("source", 84, 2, None, None, ".F32"), ROUND, unit=Unit.SFU)  # fmt: skip
_alu("F2F", 0x110, "dw bw", "f2f", "converts a float to another width", FTZ,
     modifier("to", 75, 2, None, ".F16", ".F32", ".F64"), modifier("source", 84, 2, None, None, ".F32", ".F64"),
     ROUND, unit=Unit.SFU)  # fmt: skip
_alu("FRND", 0x107, "d b", "frnd", "rounds a float to a whole number", FTZ, WHOLE_FORMAT,
     modifier("source", 84, 3, None, "", "", None, ""), TO_INTEGER, UPPER, unit=Unit.SFU)  # fmt: skip
_alu("F2FP", 0x03E, "d a b", "f2fp", "converts two floats to a pair of 16 bits, a to the upper half",
     flag("relu", 75), modifier("to", 76, 1, ".F16.F32.PACK_AB", ".BF16.F32.PACK_AB"), modifier("merge", 77, 2, ""),
     modifier("round", 79, 2, "", None, None, ".RZ"), modifier("kind", 81, 7, ""))  # fmt: skip
_alu("FRND", 0x113, "d2 b2", "frnd", "rounds a double to a whole number", FTZ,
     modifier("to", 75, 2, None, None, None, ""), modifier("source", 84, 2, None, None, None, ".F64"), TO_INTEGER,
     unit=Unit.SFU)  # fmt: skip

# ------------------------------------------------------------------------------------------------ integers

_alu("IADD3", 0x010, "d u v a b c p q", "iadd3", "adds three integers; predicates take and give carries", X)
_alu("VIADD", 0x036, "d a b", "viadd", "adds two integers", modifier("pairs", 73, 1, ""))
_alu("IMAD", 0x024, "d u a b c p", "imad", "multiplies two integers and adds a third", SIGNED, X, unit=Unit.IMUL)
_alu("IMAD.WIDE", 0x025, "d2 u a b c2 p", "imadwide", "multiplies two integers to 64 bits and adds 64 bits", SIGNED, X,
     unit=Unit.IMUL)  # fmt: skip
_alu("IMAD.HI", 0x027, "d u a b c2 p", "imadhi", "gives the upper half of a product plus 64 bits", SIGNED, X,
     unit=Unit.IMUL)  # fmt: skip
_alu("IABS", 0x013, "d b", "iabs", "takes the absolute value")
_alu("IMNMX", 0x017, "d a b p", "imnmx", "takes the smaller integer where the predicate holds, else the larger", SIGNED)
_alu("VIMNMX", 0x048, "d a b p", "imnmx", "takes the smaller integer where the predicate holds, else the larger",
     modifier("signed", 72, 2, ".U32", ""), flag("relu", 76))  # fmt: skip
_alu("LEA", 0x011, "d u a b c p", "lea", "adds a shifted integer", modifier("hi", 80, 1, "", ".HI"), X,
     modifier("sx32", 73, 1, "", ".SX32"), modifier("minus", 72, 1, "", ""),
     modifier("shift", 75, 5, *[""] * 32))  # fmt: skip
_alu("LOP3", 0x012, "d u a b c p", "lop3", "combines three words bit by bit, by a table of eight bits",
     modifier("lut", 72, 8, *[""] * 256), modifier("pand", 80, 1, ".LUT", ".LUT.PAND"))  # fmt: skip
_alu("SHF", 0x019, "d a b c", "shf", "shifts 64 bits and keeps one half", modifier("right", 76, 1, ".L", ".R"),
     modifier("wrap", 75, 1, "", ".W"), modifier("type", 73, 2, ".S64", ".U64", ".S32", ".U32"),
     modifier("hi", 80, 1, "", ".HI"))  # fmt: skip
_alu("PRMT", 0x016, "d a b c", "prmt", "picks four bytes of eight", PRMT_MODE)
_alu("SEL", 0x007, "d a b p", "sel", "takes the first source where the predicate holds, else the second")
_alu("MOV", 0x002, "d b", "mov", "copies", modifier("lanes", 72, 4, *[None] * 15, ""))
_alu("SGXT", 0x01A, "d a b", "sgxt", "extends the sign of a bit field", SIGNED, modifier("wrap", 75, 1, "", ".W"))
_alu("BMSK", 0x01B, "d a b", "bmsk", "makes a mask of consecutive bits", modifier("wrap", 75, 1, "", ".W"))
_alu("VIADDMNMX", 0x046, "d a b c p", "viaddmnmx", "takes the smaller (larger) of a sum and an integer",
     modifier("signed", 72, 2, ".U32", ""), flag("relu", 76))  # fmt: skip
_alu("ISETP", 0x00C, "u v a b p r", "isetp", "compares two integers into predicates",
     modifier("compare", 76, 3, *COMPARISONS), SIGNED, BOOLEAN, modifier("ex", 72, 1, "", ".EX"))  # fmt: skip
_alu("FLO", 0x100, "d u b", "flo", "finds the highest bit that differs from the sign",
     modifier("signed", 73, 1, ".U32", ""), modifier("sh", 74, 1, "", ".SH"), unit=Unit.SFU)  # fmt: skip
_alu("BREV", 0x101, "d b", "brev", "reverses the bits", unit=Unit.SFU)
_alu("POPC", 0x109, "d b", "popc", "counts the bits that are set", unit=Unit.SFU)
_alu("IDP", 0x026, "d a b c", "idp", "adds the dot product of four bytes, or of two halves and two bytes",
     modifier("kind", 73, 5, *dot_product_texts()))  # fmt: skip
_alu("VABSDIFF", 0x014, "d u a b c", "vabsdiff", "adds the absolute difference of two integers",
     modifier("signed", 73, 1, ".U32", ""))  # fmt: skip
_alu("VABSDIFF4", 0x015, "d u a b c", "vabsdiff4", "takes the absolute differences of four bytes, or adds them up",
     modifier("signed", 73, 1, ".U8", ""), modifier("acc", 75, 1, "", ".ACC"))  # fmt: skip
_alu("VIMNMX3", 0x00F, "d a b c p", "vimnmx3",
     "takes the smallest of three integers where the predicate holds, else the largest",
     modifier("signed", 72, 2, ".U32", ""), flag("relu", 76))  # fmt: skip

# ------------------------------------------------------------------------------------------------ pairs of 16 bits

_alu("HADD2", 0x030, "d a b", "hadd2", "adds two pairs of halves", modifier("f32", 78, 1, "", ".F32"), BF16,
     flag("sat", 77), NO_FTZ, unit=Unit.FMA)  # fmt: skip
_alu("HMUL2", 0x032, "d a b", "hmul2", "multiplies two pairs of halves", BF16, modifier("fmz", 76, 1, ""),
     flag("sat", 77), NO_FTZ, unit=Unit.FMA)  # fmt: skip
for _name, _code in (("HFMA2", 0x031), ("HFMA2.MMA", 0x035)):
    _alu(_name, _code, "d a b c", "hfma2", "multiplies two pairs of halves and adds a third, rounding once", BF16,
         modifier("fmz", 76, 1, ""), flag("sat", 77), modifier("f32", 78, 1, ""), flag("relu", 79),
         NO_FTZ, unit=Unit.FMA)  # fmt: skip
_alu("HSETP2", 0x034, "u v a b p", "hsetp2", "compares two pairs of halves into two predicates",
     modifier("bf16", 65, 1, "", ".BF16_V2"), modifier("compare", 76, 4, *FLOAT_COMPARISONS), NO_FTZ,
     modifier("hand", 71, 1, "", ".H_AND"), HALF_BOOLEAN)  # fmt: skip
_alu("HSET2", 0x033, "d a b p", "hset2", "compares two pairs of halves; 1.0 or all bits where it holds, else 0",
     modifier("bf16", 65, 1, "", ".BF16_V2"), modifier("bf", 71, 1, "", ".BF"),
     modifier("compare", 76, 4, *FLOAT_COMPARISONS), NO_FTZ, HALF_BOOLEAN)  # fmt: skip
_alu("HMNMX2", 0x040, "d a b p", "hmnmx2", "takes the smaller halves where the predicate holds, else the larger", BF16,
     modifier("nan", 81, 1, "", ".NAN"), modifier("xorsign", 82, 1, ""), NO_FTZ)  # fmt: skip

# ------------------------------------------------------------------------------------------------ predicates

_row("PLOP3.LUT", (0x81C,), "u v p q r n N", "plop3", "combines three predicates, by tables of eight bits",
     modifier("lut", 72, 5, *[""] * 32), modifier("lutlow", 64, 3, *[""] * 8),
     modifier("second", 16, 8, *[""] * 256))  # fmt: skip
_row("UPLOP3.LUT", (0x89C,), "uu uv up uq ur n N", "plop3", "combines three uniform predicates",
     modifier("lut", 72, 5, *[""] * 32), modifier("lutlow", 64, 3, *[""] * 8),
     modifier("second", 16, 8, *[""] * 256))  # fmt: skip
_row("P2R", (0x803,), "d a i", "p2r", "puts the predicates into a register", modifier("byte", 76, 2, ""))
_row("R2P", (0x804,), "a i", "r2p", "sets the predicates from a register", modifier("byte", 76, 2, ""))

# ------------------------------------------------------------------------------------------------ uniform datapath

_alu("UIADD3", 0x090, "ud uu uv ua ub uc up uq", "iadd3", "adds three integers, once for the warp", X)
_alu("ULEA", 0x091, "ud uu ua ub uc up", "lea", "adds a shifted integer, once for the warp",
     modifier("hi", 80, 1, "", ".HI"), X, modifier("sx32", 73, 1, "", ".SX32"), modifier("minus", 72, 1, "", ""),
     modifier("shift", 75, 5, *[""] * 32))  # fmt: skip
_alu("ULOP3", 0x092, "ud uu ua ub uc up", "lop3", "combines three words bit by bit, once for the warp",
     modifier("lut", 72, 8, *[""] * 256), modifier("pand", 80, 1, ".LUT", ".LUT.PAND"))  # fmt: skip
_alu("UIMAD", 0x0A4, "ud uu ua ub uc up", "imad", "multiplies and adds, once for the warp", SIGNED, X, unit=Unit.IMUL)
_alu("UIMAD.WIDE", 0x0A5, "ud2 uu ua ub uc2 up", "imadwide", "multiplies to 64 bits and adds, once for the warp",
     SIGNED, X, unit=Unit.IMUL)  # fmt: skip
_alu("UIMAD.HI", 0x0A7, "ud uu ua ub uc2 up", "imadhi", "adds to the upper half of a product, once for the warp",
     SIGNED, X, unit=Unit.IMUL)  # fmt: skip
_alu("USHF", 0x099, "ud ua ub uc", "shf", "shifts 64 bits and keeps one half, once for the warp",
     modifier("right", 76, 1, ".L", ".R"), modifier("wrap", 75, 1, "", ".W"),
     modifier("type", 73, 2, ".S64", ".U64", ".S32", ".U32"), modifier("hi", 80, 1, "", ".HI"))  # fmt: skip
_alu("USEL", 0x087, "ud ua ub up", "sel", "takes one of two sources, once for the warp")
_alu("UPRMT", 0x096, "ud ua ub uc", "prmt", "picks four bytes of eight, once for the warp", PRMT_MODE)
_alu("UISETP", 0x08C, "uu uv ua ub up ur", "isetp", "compares two integers, once for the warp",
     modifier("compare", 76, 3, *COMPARISONS), SIGNED, BOOLEAN, modifier("ex", 72, 1, "", ".EX"))  # fmt: skip
_alu("UMOV", 0x082, "ud ub", "mov", "copies, once for the warp")
_alu("UFLO", 0x0BD, "ud uu ub", "flo", "finds the highest bit, once for the warp",
     modifier("signed", 73, 1, ".U32", ""), modifier("sh", 74, 1, "", ".SH"))  # fmt: skip
_alu("UPOPC", 0x0BF, "ud ub", "popc", "counts the bits that are set, once for the warp")
_alu("UBREV", 0x0BE, "ud ub", "brev", "reverses the bits, once for the warp")
_row("R2UR", (0x2CA, 0x3C2), "ud a", "r2ur", "copies a register of the warp's first lane to a uniform one")
_row("ULDC", (0xAB9,), "udw x", "ldc", "loads from constant memory, once for the warp", SIZE)
_row("LDC", (0xB82,), "dw x", "ldc", "loads from constant memory", SIZE, modifier("mode", 78, 2, ""))

# ------------------------------------------------------------------------------------------------ special registers

_row("S2R", (0x919,), "d S", "s2r", "reads a special register", unit=Unit.SFU)
_row("S2UR", (0x9C3,), "ud S", "s2r", "reads a special register, once for the warp", unit=Unit.SFU)
_row("CS2R", (0x805,), "dw S", "s2r", "reads a special register", modifier("size", 80, 1, ".32", ""))

# ------------------------------------------------------------------------------------------------ memory


def _memory(name: str, codes: tuple[int, ...], operands: str, explanation: str, op: Op, space: Space,
            *modifiers: Modifier) -> None:  # fmt: skip
    _row(name, codes, operands, "memory", explanation, *modifiers, unit=Unit.LSU, op=op, space=space)


_memory("LDG", (0x381, 0x981), "dw u m", "loads from global memory", Op.LD, Space.GLOBAL, E, SIZE, ORDER)
_memory("STG", (0x386, 0x986), "m sw", "stores to global memory", Op.ST, Space.GLOBAL, E, SIZE, ORDER)
_memory("LD", (0x380, 0x980), "dw m", "loads from wherever the address points", Op.LD, Space.GENERIC, E, SIZE, ORDER)
_memory("ST", (0x385, 0x985), "m sw", "stores to wherever the address points", Op.ST, Space.GENERIC, E, SIZE, ORDER)
_memory("LDS", (0x384, 0x984), "dw m", "loads from shared memory", Op.LD, Space.SHARED, SIZE, SCALE)
_memory("STS", (0x388, 0x988), "m sw", "stores to shared memory", Op.ST, Space.SHARED, SIZE, SCALE)
_memory("LDL", (0x383, 0x983), "dw m", "loads from local memory", Op.LD, Space.LOCAL, SIZE, SCALE)
_memory("STL", (0x387, 0x987), "m sw", "stores to local memory", Op.ST, Space.LOCAL, SIZE, SCALE)
for _name, _int, _cas, _float, _space in (
    ("ATOMG", (0x3A8, 0x9A8), (0x3A9,), (0x3A3, 0x9A3), Space.GLOBAL),
    ("ATOM", (0x38A, 0x98A), (0x38B,), (0x3A2, 0x9A2), Space.GENERIC),
):
    _memory(_name, _int, "u dw m sw", "changes memory atomically and gives what was there", Op.ATOM, _space, E, ATOMIC,
            ATOMIC_TYPE, ORDER)  # fmt: skip
    _memory(_name, _cas, "u dw m sw tw", "stores atomically where memory holds what is expected", Op.ATOM, _space, E,
            ATOMIC_TEST, ATOMIC_TYPE, ORDER)  # fmt: skip
    _memory(_name, _float, "u dw m sw", "adds to memory atomically and gives what was there", Op.ATOM, _space, E,
            modifier("atomic", 87, 4, ".ADD"), FLOAT_TYPE, ORDER)  # fmt: skip
_memory("REDG", (0x38E, 0x98E), "m sw", "changes global memory atomically", Op.RED, Space.GLOBAL, E,
        modifier("atomic", 87, 3, *ATOMIC_OPS[:8]), ATOMIC_TYPE, ORDER)  # fmt: skip
_memory("REDG", (0x3A6, 0x9A6), "m sw", "adds to global memory atomically", Op.RED, Space.GLOBAL, E,
        modifier("atomic", 87, 3, ".ADD"), FLOAT_TYPE, ORDER)  # fmt: skip
_memory("ATOMS", (0x38C, 0x98C), "dw m sw", "changes shared memory atomically and gives what was there", Op.ATOM,
        Space.SHARED, ATOMIC, ATOMIC_TYPE, SCALE)  # fmt: skip
_memory("ATOMS.POPC.INC.32", (0xF8C, 0x58C), "d m", "counts the lanes that go to one word of shared memory", Op.ATOM,
        Space.SHARED)  # fmt: skip
_memory("ATOMS", (0x38D,), "dw m sw tw", "stores atomically to shared memory where it holds what is expected", Op.ATOM,
        Space.SHARED, ATOMIC_TEST, ATOMIC_TYPE, SCALE)  # fmt: skip

_memory("LDGSTS", (0xFAE,), "y m p", "copies from global to shared memory, without registers", Op.LD, Space.GLOBAL,
        modifier("e", 70, 1, "", ".E"), modifier("bypass", 81, 1, ".BYPASS", ""),
        modifier("prefetch", 72, 1, "", ".LTC128B"),
        modifier("copied", 73, 2, "", ".64", ".128"), modifier("zfill", 82, 1, ""))  # fmt: skip
_memory("LDSM.16", (0x83B,), "dw m", "loads matrices of 8 x 8 halves from shared memory", Op.LD, Space.SHARED,
        modifier("transposed", 78, 2, ".M88", ".MT88"), modifier("matrices", 72, 2, "", ".2", ".4"))  # fmt: skip
_row("QSPC", (0x3AA,), "u d m", "qspc", "tells whether an address lies in a space", E,
     modifier("space", 73, 2, ".G", ".L", ".S", ".D"), unit=Unit.LSU)  # fmt: skip

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
_row("BAR", (0x51D, 0x91D, 0xB1D), "n N p", "bar", "waits for the block, or for a number of its threads",
     modifier("mode", 77, 2, ".SYNC", ".ARV", ".RED"), modifier("reduce", 74, 2, ".POPC", ".AND", ".OR"),
     modifier("defer", 80, 1, "", ".DEFER_BLOCKING"), unit=Unit.SYNC, op=Op.BAR_SYNC)  # fmt: skip
_row("MOVM.16.MT88", (0x23A,), "d a", "movm", "transposes a matrix of 8 x 8 halves over the lanes",
     modifier("shape", 78, 2, ""), unit=Unit.WARP)  # fmt: skip
_row("HMMA", (0x23C,), "dw aw bw cw", "hmma", "multiplies matrices of the warp and adds a third",
     modifier("signs", 72, 3, ""),
     modifier("shape", 75, 4, ".1688.F16", ".16816.F16", ".1688.F32", ".16816.F32", *[None] * 6, ".1684.F32"),
     modifier("negated", 63, 1, ""), modifier("format", 82, 2, "", ".BF16", ".TF32"),
     modifier("scale", 87, 4, ""), unit=Unit.WARP)  # fmt: skip
_row("IMMA", (0x237,), "d4 aw bw c4", "imma", "multiplies matrices of bytes of the warp and adds a third",
     modifier("sparse", 72, 2, ""), modifier("column", 74, 1, None, ""),
     modifier("shape", 85, 2, None, None, ""), modifier("depth", 75, 1, ".16816", ".16832"),
     modifier("asigned", 76, 2, ".U8", ".S8"), modifier("bsigned", 78, 2, ".U8", ".S8"),
     modifier("sat", 82, 1, "", ".SAT"), modifier("kinds", 83, 2, ""), modifier("scale", 87, 4, ""),
     unit=Unit.WARP)  # fmt: skip
_row("DMMA", (0x23F,), "dw aw bw cw", "dmma", "multiplies matrices of doubles of the warp and adds a third",
     modifier("signs", 72, 4, ""), modifier("shape", 76, 2, ".8x8x4", ".16x8x4", ".16x8x8"),
     modifier("round", 78, 2, ""), modifier("scale", 87, 4, ""), unit=Unit.FP64)  # fmt: skip
_row("B2R.RESULT", (0x31C,), "d u", "b2r", "reads the result of a barrier's reduction",
     modifier("mode", 78, 2, None, ""), unit=Unit.SYNC)  # fmt: skip
_row("MEMBAR", (0x992,), "", "nop", "orders memory accesses", modifier("semantics", 79, 1, ".SC", ".ALL"),
     modifier("scope", 76, 2, ".CTA", ".SM", ".GPU", ".SYS"), unit=Unit.SYNC, op=Op.MEMBAR)  # fmt: skip
for _name, _codes, _words, _text in (
    ("ERRBAR", (0x9AB,), "", "waits for errors of memory accesses"),
    ("CGAERRBAR", (0x5AB,), "", "waits for errors of memory accesses"),
    ("CCTL.IVALL", (0x98F,), "", "invalidates the cache"),
    ("DEPBAR", (0x91A,), "", "waits for earlier instructions"),
    ("LDGDEPBAR", (0x9AF,), "", "closes a group of asynchronous copies"),
    ("NANOSLEEP", (0x35D, 0x95D), "", "rests for a while"),
    ("NOP", (0x918,), "", "does nothing"),
    ("ENDCOLLECTIVE", (0x91B,), "", "ends the part that lanes execute together"),
):
    _row(_name, _codes, _words, "nop", _text, unit=Unit.SYNC, op=Op.NOP)

# ------------------------------------------------------------------------------------------------ control

_BRANCH = modifier("kind", 32, 2, "", ".U", ".DIV", ".CONV")
_row("BRA", (0x947,), "p ub2 L", "bra", "branches", _BRANCH, unit=Unit.BRANCH, op=Op.BRA)
_row("EXIT", (0x94D,), "p", "exit", "ends the threads", unit=Unit.BRANCH, op=Op.EXIT)
_row("BSSY", (0x945,), "B L", "bssy", "names the lanes that will meet at a convergence barrier", unit=Unit.BRANCH)
_row("BSYNC", (0x941,), "B", "bsync", "waits at a convergence barrier", unit=Unit.BRANCH, op=Op.WARPSYNC)
_row("BREAK", (0x942,), "p B", "break", "takes lanes off a convergence barrier", unit=Unit.BRANCH)
_row("BMOV.32.CLEAR", (0x355,), "d Bs", "bmovclear", "moves a convergence barrier to a register", unit=Unit.BRANCH)
_row("BMOV.32", (0x356,), "Bd b", "bmov", "sets a convergence barrier from a register", unit=Unit.BRANCH)
_row("WARPSYNC", (0x348,), "b", "warpsync", "waits for lanes of the warp",
     modifier("collective", 86, 1, "", ".COLLECTIVE"), unit=Unit.BRANCH, op=Op.WARPSYNC)  # fmt: skip
_row("WARPSYNC.ALL", (0x948,), "i", "warpsync", "waits for all lanes of the warp", unit=Unit.BRANCH, op=Op.WARPSYNC)
_row("YIELD", (0x946,), "", "yield", "lets other lanes of the warp go first", unit=Unit.BRANCH, op=Op.NOP)
_row("BRX", (0x949,), "a2 L", "ret", "branches to a computed place", unit=Unit.BRANCH, op=Op.BRA)
_row("LEPC", (0x34E,), "d2", "lepc", "reads its own address", modifier("offset", 24, 8, ""), unit=Unit.BRANCH)
_row("LEPC", (0x94E,), "d2", "lepc", "reads the address behind the next instruction",
     modifier("offset", 24, 8, *[None] * 16, ""), unit=Unit.BRANCH)  # fmt: skip
_row("CALL.ABS.NOINC", (0x343,), "a2", "call", "calls a function of the system", unit=Unit.BRANCH, op=Op.PRINTF)
_row("BPT.TRAP", (0x95C,), "", "trap", "ends the launch with an error", modifier("kind", 84, 3, None, None, None, ""),
     unit=Unit.BRANCH, op=Op.TRAP)  # fmt: skip
_row("CALL.REL.NOINC", (0x944,), "L", "bra", "calls a function", unit=Unit.BRANCH, op=Op.BRA)
_row("RET.REL.NODEC", (0x950,), "a2 L", "ret", "returns from a function", unit=Unit.BRANCH, op=Op.BRA)

BY_CODE: dict[int, Opcode] = {code: row for row in OPCODES for code in row.codes}
