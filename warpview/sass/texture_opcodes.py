"""Define the opcodes of the texture unit: fetches from textures, and accesses to surfaces.

Places of bits were read from words that NVIDIA's nvdisasm explains.
"""

from __future__ import annotations

from itertools import product

from warpview.isa.ops import Unit
from warpview.sass.modifiers import ORDER, SIZE, Modifier, modifier
from warpview.sass.opcode import BEFORE_HOPPER, BLACKWELL, FROM_HOPPER, ONLY_HOPPER, OpcodeTable

OLD, HOPPER, LATE, NEW = (OpcodeTable(a) for a in (BEFORE_HOPPER, ONLY_HOPPER, BLACKWELL, FROM_HOPPER))
TABLES = (OLD, HOPPER, LATE, NEW)

# The descriptor of a texture is named by a constant before compute capability 9.0, and by a uniform register since.
_CODES = {"TEX": 0x360, "TLD": 0x366, "TLD4": 0x363, "TXD": 0x36C, "SULD": 0x399, "SUST": 0x39D, "TXQ": 0x36F}
BY_CONSTANT, BY_REGISTER = 0x800, 0xC00

_SHAPE = modifier("shape", 61, 3, ".1D", ".2D", ".3D", ".CUBE", ".ARRAY_1D", ".ARRAY_2D", None, ".ARRAY_CUBE")
_LINE = modifier("shape", 61, 3, ".1D")
_PLANE = modifier("shape", 61, 3, None, ".2D")
_WITH_GRADIENTS = modifier("shape", 61, 3, None, ".2D", None, None, ".ARRAY_1D", ".ARRAY_2D")
_SCR = modifier("scr", 60, 1, "", ".SCR")  # the coordinates lie in two vectors, half in each
_MASK = modifier("mask", 72, 4, None, *[""] * 15)  # the components that are wanted
_NO_OFFSETS = modifier("format", 76, 5, "")  # of the result
# Offsets in texels, which come last but for a number to compare with: no texture that CUDA makes compares any.
_OFFSETS = modifier("offsets", 76, 5, "", ".AOFFI", None, None, ".DC", ".AOFFI.DC")
_COMPARISON = modifier("compared", 76, 5, "", None, None, None, ".DC")
_LATE_OFFSETS = modifier("offsets", 56, 1, "", ".AOFFI")
_RESIDENT = modifier("resident", 81, 3, *[None] * 7, "")
_HINT = modifier("hint", 84, 3, *[""] * 8)  # for the caches
_NODEP = modifier("nodep", 90, 1, "", "")
_FETCH = (_MASK, _HINT, _NODEP)
_LEVEL = modifier("level", 87, 3, "", ".LZ", None, ".LL")  # of a mipmap; none is the finest one in a kernel
_COMPONENT = modifier("component", 87, 2, ".R", ".G", ".B", ".A")
_OLD_FORM, _HOPPER_FORM = modifier("form", 59, 1, ""), modifier("form", 48, 12, "")
_LATE_FORM = modifier("form", 56, 3, "")
_LATE_TEX_FORM = modifier("form", 57, 2, "")


def _fetch(table: OpcodeTable, name: str, suffix: str, *modifiers: Modifier) -> None:
    code = _CODES[name] | (BY_CONSTANT if table is OLD else BY_REGISTER)
    explanation = {
        "TEX": "samples a texture at a coordinate", "TXD": "samples a texture at a coordinate, with gradients",
        "TLD": "reads an element of a texture in linear memory",
        "TLD4": "reads one component of the four texels around a coordinate",
    }[name]  # fmt: skip
    further = {"TEX": _COMPARISON if table is LATE else _OFFSETS, "TLD4": _OFFSETS}.get(name, _NO_OFFSETS)
    table.row(name + suffix, (code,), "u ew dw aw bw o", "texture", explanation, *modifiers, further, *_FETCH,
              unit=Unit.SFU)  # fmt: skip


for _table, _form in ((OLD, _OLD_FORM), (HOPPER, _HOPPER_FORM), (LATE, _LATE_FORM)):
    _apart = _SCR if _table is OLD else modifier("scr", 60, 1, "")
    _fetch(_table, "TLD4", "", _apart, _COMPONENT, _PLANE, _form)
    _fetch(_table, "TXD", "", modifier("level", 87, 3, ""), _WITH_GRADIENTS, modifier("scr", 60, 1, ""), _form)
for _table, _form in ((OLD, _OLD_FORM), (HOPPER, _HOPPER_FORM)):
    _apart = _SCR if _table is OLD else modifier("scr", 60, 1, "")
    _fetch(_table, "TEX", "", _apart, _LEVEL, _SHAPE, _form)
    _fetch(_table, "TLD", "", _apart, modifier("level", 87, 3, None, ".LZ"), _LINE, _form)
# From 10.0 on the level is told by two bits that lie apart.
for _name, _low in (("", 0), (".LZ", 1), (".LL", 3)):
    _bits = modifier("zero", 59, 1, *[None] * (_low & 1), ""), modifier("level", 87, 3, *[None] * (_low >> 1), "")
    _fetch(LATE, "TEX", _name, *_bits, _LATE_OFFSETS, _SHAPE, modifier("scr", 60, 1, ""), _LATE_TEX_FORM)
_fetch(LATE, "TLD", ".LZ", modifier("level", 87, 3, ""), _LINE, modifier("scr", 59, 2, ""), _LATE_FORM)

# ------------------------------------------------------------------------------------------------ queries

# The width, height or depth, each alone, of a level; others than this query, the first one, were not compared.
for _table, _by in ((OLD, BY_CONSTANT), (NEW, BY_REGISTER)):
    _table.row("TXQ", (_CODES["TXQ"] | _by,), "ew dw aw o", "texture", "tells the size of a level of a texture",
               modifier("query", 54, 10, ""), modifier("mask", 72, 4, None, "", "", None, ""),
               unit=Unit.SFU)  # fmt: skip

# ------------------------------------------------------------------------------------------------ surfaces

_SURFACE = (
    modifier("bytes", 72, 1, None, ""), modifier("shape", 61, 3, ".1D", None, ".1D_ARRAY", ".2D", ".2D_ARRAY", ".3D"),
    SIZE, modifier("format", 76, 1, ""), ORDER, modifier("outside", 59, 2, ".IGN", "", ".TRAP"), _HINT,
    modifier("level", 87, 4, ""),
)  # fmt: skip
for _table, _by in product((OLD, NEW), (BY_CONSTANT, BY_REGISTER)):
    if (_table is OLD) == (_by == BY_CONSTANT):
        _table.row("SULD.D.BA", (_CODES["SULD"] | _by,), "dw aw o", "texture", "reads bytes of a surface", *_SURFACE,
                   _RESIDENT, unit=Unit.SFU)  # fmt: skip
        _table.row("SUST.D.BA", (_CODES["SUST"] | _by,), "aw sw o", "texture", "writes bytes of a surface", *_SURFACE,
                   modifier("resident", 81, 3, ""), unit=Unit.SFU)  # fmt: skip
