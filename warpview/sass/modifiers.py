"""Describe the modifiers of opcodes: their bits, and the text that each value adds to the mnemonic."""

from __future__ import annotations

import re
from dataclasses import dataclass

from warpview.sass.fields import BitField


@dataclass(frozen=True)
class Modifier:
    """Describe a modifier: its bits, and what each of its values adds to the mnemonic; None where a value is not
    supported."""

    name: str
    field: BitField
    texts: tuple[str | None, ...]


def modifier(name: str, low: int, width: int, *texts: str | None) -> Modifier:
    return Modifier(name, BitField(low, width), texts)


def flag(name: str, bit: int) -> Modifier:
    return modifier(name, bit, 1, "", f".{name.upper()}")


PRMT_MODE = modifier("mode", 72, 3, "", ".F4E", ".B4E", ".RC8", ".ECL", ".ECR", ".RC16")
FACTOR = modifier("factor", 84, 3, None, ".D8", ".D4", ".D2", "", ".M2", ".M4", ".M8")  # of a product; 4: one
COMPARISONS = (".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".T")
FLOAT_COMPARISONS = (
    ".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".NUM", ".NAN", ".LTU", ".EQU", ".LEU", ".GTU", ".NEU", ".GEU",
    ".T",
)  # fmt: skip
FTZ, SAT = flag("ftz", 80), flag("sat", 77)
ROUND = modifier("round", 78, 2, "", ".RM", ".RP", ".RZ")
TO_INTEGER = modifier("round", 78, 2, "", ".FLOOR", ".CEIL", ".TRUNC")
BOOLEAN = modifier("boolean", 74, 2, ".AND", ".OR", ".XOR")
HALF_BOOLEAN = modifier("boolean", 69, 2, ".AND", ".OR", ".XOR")
SIGNED = modifier("signed", 73, 1, ".U32", "")
X = flag("x", 74)
SIZE = modifier("size", 73, 3, ".U8", ".S8", ".U16", ".S16", "", ".64", ".128")
E = flag("e", 72)
ORDER = modifier("order", 77, 4, "", None, None, None, ".CONSTANT", ".STRONG.SM", None, ".STRONG.GPU", None, None,
                  ".STRONG.SYS")  # fmt: skip
# Predicates that opcodes can have and NVIDIA's compilers do not give them: PT, which is 0 in loads.
ALWAYS, LOADED = modifier("always", 87, 4, *[None] * 7, ""), modifier("loaded", 64, 4, "")
ATOMIC_OPS = (".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR", ".EXCH")
ATOMIC = modifier("atomic", 87, 4, *ATOMIC_OPS)
# Before compute capability 9.0 the types of floats stand among those of integers.
ATOMIC_TYPE = modifier("type", 73, 3, "", ".S32", ".64", ".F32.FTZ.RN", None, ".S64", ".F64.RN")
EARLY_ATOMIC_TYPE = modifier("type", 73, 3, *ATOMIC_TYPE.texts[:4], ".F16x2.RN", *ATOMIC_TYPE.texts[5:])
HOPPER_ATOMIC_TYPE = modifier("type", 73, 3, "", ".S32", ".64", ".S64", ".128")  # of .128 exchanges alone
HOPPER_SHARED_TYPE = modifier("type", 73, 3, *ATOMIC_TYPE.texts[:4], ".128", *ATOMIC_TYPE.texts[5:])
ATOMIC_TEST = modifier("test", 87, 2, ".CAS", None, None, ".CAST.SPIN")
FLOAT_TYPE = modifier("type", 73, 4, ".F16x2.RN", ".F16x4.RN", ".F16x8.RN", ".BF16x2.RN", ".BF16x4.RN", ".BF16x8.RN",
                      *[None] * 3, ".F32.FTZ.RN", ".F32x2.FTZ.RN", ".F32x4.FTZ.RN", *[None] * 3, ".F64.RN")  # fmt: skip
SOURCE_SIZE = modifier("source", 84, 2, ".8", ".16", "", ".64")
FLOAT_SOURCE = modifier("source", 84, 3, None, ".F16", "", ".F64", ".BF16")
WHOLE_FORMAT = modifier("to", 75, 3, None, ".F16", "", ".F64", ".BF16")
UPPER = modifier("upper", 60, 2, "", "", "", "")  # 1: the source is the upper half of a register
SCALE = modifier("scale", 78, 2, "", "", "", "")  # of the register of an address, before compute capability 9.0
BYTE = modifier("byte", 60, 2, "", "", "", "")  # the byte of a register that is converted
BF16 = modifier("bf16", 85, 1, "", ".BF16_V2")
NO_FTZ = modifier("ftz", 80, 1, "")
NAN = modifier("nan", 81, 1, "", ".NAN")

DOT_PRODUCTS = {0: ".4A.{}8.{}8", 1: ".2A.LO.{}16.{}8", 3: ".2A.HI.{}16.{}8"}


def dot_product_texts() -> list[str | None]:
    """Return the suffix of IDP by bits 73 to 77: signs of a and b, a negated c, the kind."""
    texts: list[str | None] = [None] * 32
    for kind, text in DOT_PRODUCTS.items():
        for signs in range(4):
            texts[kind << 3 | signs] = text.format("US"[signs & 1], "US"[signs >> 1])
    return texts


def registers_of_type(text: str) -> int:
    """Return how many registers a value of an atomic's type takes; a type is a suffix of the opcode."""
    vector = re.search(r"F(\d+)x(\d)", text)
    if vector is not None:
        return int(vector[1]) * int(vector[2]) // 32
    return {".64": 2, ".S64": 2, ".F64.RN": 2, ".128": 4}.get(text, 1)
