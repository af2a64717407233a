"""Define the opcodes of arithmetic, in the registers of a lane: floats, conversions, integers, pairs of 16 bits,
predicates. The words of operands are explained in ``warpview.sass.opcode``."""

from __future__ import annotations

from warpview.isa.ops import Unit
from warpview.sass.modifiers import (
    BF16,
    BOOLEAN,
    BYTE,
    COMPARISONS,
    FACTOR,
    FLOAT_COMPARISONS,
    FLOAT_SOURCE,
    FTZ,
    HALF_BOOLEAN,
    NAN,
    NO_FTZ,
    PRMT_MODE,
    ROUND,
    SAT,
    SIGNED,
    SOURCE_SIZE,
    TO_INTEGER,
    UPPER,
    WHOLE_FORMAT,
    X,
    dot_product_texts,
    flag,
    modifier,
)
from warpview.sass.opcode import (
    B_CONSTANT,
    B_IMMEDIATE,
    B_UNIFORM,
    BEFORE_HOPPER,
    C_CONSTANT,
    FROM_HOPPER,
    REGISTERS,
    TO_HOPPER,
    OpcodeTable,
)

ARITHMETIC = OpcodeTable()
UP_TO_HOPPER = OpcodeTable(TO_HOPPER)
OLD, NEW = OpcodeTable(BEFORE_HOPPER), OpcodeTable(FROM_HOPPER)
WHOLE_FORMAT_OF_F2F = modifier("to", 75, 3, None, ".F16", ".F32", ".F64", ".BF16")
_row, _alu, _alu_to_hopper = ARITHMETIC.row, ARITHMETIC.arithmetic, UP_TO_HOPPER.arithmetic

# ------------------------------------------------------------------------------------------------ floating point

_alu("FADD", 0x021, "d a b", "fadd", "adds two floats", FTZ, ROUND, SAT, unit=Unit.FMA)
_alu("FMUL", 0x020, "d a b", "fmul", "multiplies two floats", FTZ, ROUND, SAT,
     FACTOR, unit=Unit.FMA)  # fmt: skip
_alu("FFMA", 0x023, "d a b c", "ffma", "multiplies two floats and adds a third, rounding once", FTZ, ROUND, SAT,
     unit=Unit.FMA)  # fmt: skip
_alu("FMNMX", 0x009, "d a b p", "fmnmx", "takes the smaller float where the predicate holds, else the larger", FTZ, NAN,
     flag("xorsign", 82), modifier("which", 65, 1, ""))  # fmt: skip
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
     modifier("to", 75, 2, ".8", ".16", "", None), modifier("tosigned", 72, 1, ".U32", ""),
     FLOAT_SOURCE, TO_INTEGER, flag("ntz", 77), UPPER, unit=Unit.SFU)  # fmt: skip
_alu("F2I", 0x111, "dw bw", "f2i", "converts a float to an integer", FTZ,
     modifier("to", 75, 2, ".8", ".16", ".U32", ".U64"), modifier("tosigned", 72, 1, "", ".S"),
     FLOAT_SOURCE, TO_INTEGER, UPPER, unit=Unit.SFU)  # fmt: skip
_alu("I2F", 0x106, "d b", "i2f", "converts an integer to a float", WHOLE_FORMAT,
     modifier("signed", 74, 1, ".U32", ""), SOURCE_SIZE, ROUND,
     BYTE, unit=Unit.SFU)  # fmt: skip
_alu("I2F", 0x112, "dw bw", "i2f", "converts an integer to a float", WHOLE_FORMAT,
     modifier("signed", 74, 1, ".U32", ""), SOURCE_SIZE, ROUND,
     BYTE, unit=Unit.SFU)  # fmt: skip
_alu("I2FP", 0x045, "d b", "i2f", "converts an integer to a float", modifier("to", 75, 2, None, None, ".F32"),
     modifier("signed", 74, 1, ".U32", ".S32"), SOURCE_SIZE, ROUND)  # fmt: skip
_alu("F2F", 0x104, "d b", "f2f", "converts a float to 16 bits", FTZ,
     modifier("to", 75, 3, None, ".F16", None, None, ".BF16"),
     modifier("source", 84, 3, None, ".F16", ".F32", None, ".BF16"), ROUND, UPPER, unit=Unit.SFU)  # fmt: skip
_alu("F2F", 0x110, "dw bw", "f2f", "converts a float to another width", FTZ,
     WHOLE_FORMAT_OF_F2F, modifier("source", 84, 2, None, None, ".F32", ".F64"),
     ROUND, unit=Unit.SFU)  # fmt: skip
_alu("FRND", 0x107, "d b", "frnd", "rounds a float to a whole number", FTZ, WHOLE_FORMAT,
     modifier("source", 84, 3, None, "", "", None, ""), TO_INTEGER, UPPER, unit=Unit.SFU)  # fmt: skip
_alu("F2FP", 0x03E, "d a b", "f2fp", "converts two floats to a pair of 16 bits, a to the upper half",
     flag("relu", 75), modifier("to", 76, 1, ".F16.F32.PACK_AB", ".BF16.F32.PACK_AB"), modifier("merge", 77, 2, ""),
     modifier("round", 79, 2, "", None, None, ".RZ"), modifier("kind", 81, 7, ""))  # fmt: skip
_alu("F2FP", 0x03E, "d b c", "f2fpmerge", "converts a float to 16 bits, beside the upper half of c", flag("relu", 75),
     modifier("to", 76, 1, ".F16.F32.MERGE_C", ".BF16.F32.MERGE_C"), modifier("merge", 77, 2, None, None, ""),
     modifier("round", 79, 2, "", None, None, ".RZ"), modifier("kind", 81, 7, ""))  # fmt: skip
_alu("F2FP", 0x03E, "d b", "f2tf32", "rounds a float to the digits of TF32", flag("relu", 75),
     modifier("to", 76, 3, *[None] * 5, ".TF32.F32.PACK_B"), modifier("round", 79, 2, "", None, None, ".RZ"),
     modifier("kind", 81, 7, *[None] * 32, ""))  # fmt: skip
_alu("F2FP", 0x03E, "d a b c", "f2f8", "converts two floats to bytes, a to the upper one, beside the lower half of c",
     modifier("limit", 87, 4, *[None] * 9, ".SATFINITE"), flag("relu", 75),
     modifier("to", 76, 1, ".E5M2", ".E4M3"), modifier("merge", 77, 2, None, None, None, ".F32.PACK_AB_MERGE_C"),
     modifier("kind", 79, 8, ""))  # fmt: skip
_alu("F2FP", 0x03E, "d b c", "f2f8half", "converts two halves to bytes, beside the lower half of c",
     modifier("limit", 87, 4, *[None] * 9, ".SATFINITE"), flag("relu", 75),
     modifier("to", 76, 1, ".E5M2", ".E4M3"), modifier("merge", 77, 2, None, ".F16.UNPACK_B_MERGE_C"),
     modifier("source", 72, 3, None, None, ""), modifier("kind", 79, 8, ""))  # fmt: skip
_alu("F2FP", 0x03E, "d b", "f8tohalf", "converts two bytes to a pair of halves", flag("relu", 75),
     modifier("unpacked", 74, 1, None, ".F16"), modifier("kind", 73, 1, ".E5M2", ".E4M3"),
     modifier("more", 72, 1, ".UNPACK_B"), modifier("to", 76, 11, ""),
     modifier("high", 87, 4, None, None, None, None, "", None, ".H1"))  # fmt: skip
_alu("F2IP", 0x043, "d a b c", "f2ip", "converts two floats to bytes without a sign, beside the lower half of c",
     modifier("to", 72, 6, *[None] * 4, ".U8.F32"), TO_INTEGER, modifier("more", 80, 7, ".NTZ"))  # fmt: skip
_alu("I2I", 0x038, "d b", "i2i", "limits an integer to fewer bits",
     modifier("to", 76, 2, ".U8.S32.SAT", ".S8.S32.SAT", ".U16.S32.SAT", ".S16.S32.SAT"))  # fmt: skip
for _table, _source, _fours, _pairs in ((OLD, "", 2, 3), (NEW, None, 6, 7)):  # from 9.0 on 0 does not limit
    _table.arithmetic(
        "I2IP", 0x039, "d a b c", "i2ip",
        "limits two integers to fewer bits and packs them, beside the lower half of c",
        modifier("to", 76, 2, ".U8.S32.SAT", ".S8.S32.SAT", ".U16.S32.SAT", ".S16.S32.SAT"),
        modifier("source", 72, 4, _source, None, None, None, ""))  # fmt: skip
    for _first, _place, _names in ((4, _pairs, ".U2 .S2"), (6, _fours, ".U4 .S4")):
        _table.arithmetic(
            "I2IP", 0x039, "d a b c", "i2ip",
            "limits two integers to two or four bits and packs them below the bits of c, which are shifted up",
            modifier("to", 76, 3, *[None] * _first, *(f"{name}.S32.SAT" for name in _names.split())),
            modifier("source", 72, 4, *[None] * _place, ""))  # fmt: skip
_alu("FRND", 0x113, "d2 b2", "frnd", "rounds a double to a whole number", FTZ,
     modifier("to", 75, 2, None, None, None, ""), modifier("source", 84, 2, None, None, None, ".F64"), TO_INTEGER,
     unit=Unit.SFU)  # fmt: skip

# ------------------------------------------------------------------------------------------------ integers

_alu("IADD3", 0x010, "d u v a b c p q", "iadd3", "adds three integers; predicates take and give carries", X)
NEW.arithmetic("VIADD", 0x036, "d a b", "viadd", "adds two integers, or the parts of two words",
     modifier("parts", 73, 3, "", ".16x2", None, None, ".U8x4"), unit=Unit.IMUL)  # fmt: skip
_alu("IMAD", 0x024, "d u a b c p", "imad", "multiplies two integers and adds a third", SIGNED, X, unit=Unit.IMUL)
_alu("IMAD.WIDE", 0x025, "d2 u a b c2 p", "imadwide", "multiplies two integers to 64 bits and adds 64 bits", SIGNED, X,
     unit=Unit.IMUL)  # fmt: skip
_alu("IMAD.HI", 0x027, "d u a b c2 p", "imadhi", "gives the upper half of a product plus 64 bits", SIGNED, X,
     unit=Unit.IMUL)  # fmt: skip
_alu("IABS", 0x013, "d b", "iabs", "takes the absolute value")
_alu("IMNMX", 0x017, "d a b p", "imnmx", "takes the smaller integer where the predicate holds, else the larger", SIGNED)
_alu("VIMNMX", 0x048, "d u v a b p", "imnmx", "takes the smaller integer where the predicate holds, else the larger",
     modifier("signed", 72, 3, ".U32", "", ".U16x2", ".S16x2", ".U8x4", ".S8x4"), flag("relu", 76))  # fmt: skip
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
_alu("MOV", 0x002, "d b", "mov", "copies", modifier("lanes", 72, 4, *[None] * 15, ""),
     forms=(REGISTERS, B_IMMEDIATE, B_CONSTANT, B_UNIFORM))  # fmt: skip
_alu("SGXT", 0x01A, "d a b", "sgxt", "extends the sign of a bit field", SIGNED, modifier("wrap", 75, 1, "", ".W"))
_alu("BMSK", 0x01B, "d a b", "bmsk", "makes a mask of consecutive bits", modifier("wrap", 75, 1, "", ".W"))
_alu("VIADDMNMX", 0x046, "d a b c p", "viaddmnmx", "takes the smaller (larger) of a sum and an integer",
     modifier("signed", 72, 2, ".U32", "", ".U16x2", ".S16x2"), flag("relu", 76))  # fmt: skip
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
     modifier("signed", 72, 2, ".U32", "", ".U16x2", ".S16x2"), flag("relu", 76))  # fmt: skip

# ------------------------------------------------------------------------------------------------ pairs of 16 bits

# A float less a pair of zeros.
OLD.arithmetic("HADD2", 0x030, "d a", "f2fp", "converts a float to a pair of equal halves",
               modifier("zero", 32, 8, *[None] * 255, ""), modifier("half", 60, 2, "", "", "", ""),
               modifier("sign", 62, 2, None, None, ""), modifier("single", 74, 2, None, ""),
               modifier("f32", 78, 1, ""), modifier("to", 85, 1, ""), modifier("relu", 79, 1, ""),
               modifier("round", 80, 1, ""), unit=Unit.FMA, forms=(REGISTERS,))  # fmt: skip
# A pair of zeros, negative ones, plus a constant of 32 bits: the sum is that constant, converted.
_alu("HADD2", 0x030, "d b", "f2fp", "converts a constant to a pair of equal halves",
     modifier("single", 60, 2, None, ""), modifier("zero", 24, 8, *[None] * 255, ""), modifier("sign", 72, 2, None, ""),
     modifier("half", 74, 2, "", "", "", ""), modifier("f32", 78, 1, ""), modifier("to", 85, 1, ""),
     modifier("relu", 79, 1, ""), modifier("round", 80, 1, ""), unit=Unit.FMA,
     forms=(C_CONSTANT, B_CONSTANT))  # fmt: skip
_alu("HADD2", 0x030, "d a b", "hadd2", "adds two pairs of halves", modifier("f32", 78, 1, "", ".F32"), BF16,
     flag("sat", 77), NO_FTZ, unit=Unit.FMA)  # fmt: skip
_alu("HMUL2", 0x032, "d a b", "hmul2", "multiplies two pairs of halves", modifier("f32", 78, 1, "", ".F32"), BF16,
     modifier("fmz", 76, 1, ""), flag("sat", 77), NO_FTZ, unit=Unit.FMA)  # fmt: skip
for _name, _code, _add in (("HFMA2", 0x031, _alu), ("HFMA2.MMA", 0x035, _alu_to_hopper)):
    _add(_name, _code, "d a b c", "hfma2", "multiplies two pairs of halves and adds a third, rounding once", BF16,
         modifier("fmz", 76, 1, ""), flag("sat", 77), modifier("f32", 78, 1, "", ".F32"), flag("relu", 79),
         modifier("turned", 86, 1, "", ""), NO_FTZ, unit=Unit.FMA)  # fmt: skip
_alu("HSETP2", 0x034, "u v a b p", "hsetp2", "compares two pairs of halves into two predicates",
     modifier("bf16", 65, 1, "", ".BF16_V2"), modifier("compare", 76, 4, *FLOAT_COMPARISONS), NO_FTZ,
     modifier("hand", 71, 1, "", ".H_AND"), HALF_BOOLEAN)  # fmt: skip
_alu("HSET2", 0x033, "d a b p", "hset2", "compares two pairs of halves; 1.0 or all bits where it holds, else 0",
     modifier("bf16", 65, 1, "", ".BF16_V2"), modifier("bf", 71, 1, "", ".BF"),
     modifier("compare", 76, 4, *FLOAT_COMPARISONS), NO_FTZ, HALF_BOOLEAN)  # fmt: skip
_alu("HMNMX2", 0x040, "d a b p", "hmnmx2", "takes the smaller halves where the predicate holds, else the larger", BF16,
     NAN, flag("xorsign", 82), FTZ)  # fmt: skip

# ------------------------------------------------------------------------------------------------ predicates

_row("PLOP3.LUT", (0x81C,), "u v p q r n N", "plop3", "combines three predicates, by tables of eight bits",
     modifier("lut", 72, 5, *[""] * 32), modifier("lutlow", 64, 3, *[""] * 8),
     modifier("second", 16, 8, *[""] * 256))  # fmt: skip
_row("PLOP3.LUT", (0x21F,), "u v a b c", "plop3signs", "combines the signs of three integers, by tables of eight bits",
     modifier("lut", 72, 8, *[""] * 256), modifier("second", 16, 8, *[""] * 256))  # fmt: skip
_row("UPLOP3.LUT", (0x89C,), "uu uv up uq ur n N", "plop3", "combines three uniform predicates",
     modifier("lut", 72, 5, *[""] * 32), modifier("lutlow", 64, 3, *[""] * 8),
     modifier("second", 16, 8, *[""] * 256))  # fmt: skip
_row("P2R", (0x803,), "d a i", "p2r", "puts the predicates into a byte of a register",
     modifier("byte", 76, 2, "", ".B1", ".B2", ".B3"))  # fmt: skip
_row("R2P", (0x804,), "a i", "r2p", "sets the predicates from a byte of a register",
     modifier("byte", 76, 2, "", ".B1", ".B2", ".B3"))  # fmt: skip
_row("UR2UP", (0x884,), "ua i", "r2p", "sets the uniform predicates from a uniform register",
     modifier("byte", 76, 2, ""))  # fmt: skip
_row("UP2UR", (0x883,), "ud ua i", "p2r", "puts the uniform predicates into a byte of a uniform register",
     modifier("byte", 76, 2, "", ".B1", ".B2", ".B3"))  # fmt: skip
