"""Define the opcodes of the uniform datapath, which computes once for the warp, in uniform registers and predicates.
The words of operands are explained in ``warpview.sass.opcode``."""

from __future__ import annotations

from warpview.isa.ops import Unit
from warpview.sass.modifiers import (
    BOOLEAN,
    COMPARISONS,
    PRMT_MODE,
    SIGNED,
    SIZE,
    X,
    modifier,
)
from warpview.sass.opcode import B_IMMEDIATE, C_IMMEDIATE, REGISTERS, OpcodeTable

UNIFORM = OpcodeTable()
_row, _alu = UNIFORM.row, UNIFORM.arithmetic
IN_B, IN_C = (REGISTERS, B_IMMEDIATE), (REGISTERS, C_IMMEDIATE)  # forms of what has one more source

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
_alu("UBMSK", 0x09B, "ud ua ub", "bmsk", "makes a mask of consecutive bits, once for the warp",
     modifier("wrap", 75, 1, "", ".W"))  # fmt: skip
_alu("USGXT", 0x09A, "ud ua ub", "sgxt", "extends the sign of a bit field, once for the warp", SIGNED,
     modifier("wrap", 75, 1, "", ".W"))  # fmt: skip
_row(
    "R2UR",
    (0x2CA, 0x3C2),
    "ud u a",
    "r2ur",
    "copies a register of the warp's first lane to a uniform one, and tells which lanes have another value",
)
for _code, _more in ((0xAB9, (modifier("bindless", 91, 1, ""),)), (0xABB, ())):
    _row("ULDC", (_code,), "udw x", "ldc", "loads from constant memory, once for the warp", SIZE, *_more)
