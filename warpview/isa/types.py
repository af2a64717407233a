"""Define the value types of the instruction set, named as in PTX."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cached_property

FULL = 0xFFFFFFFF  # the mask of all 32 lanes of a warp
SMALL_FLOATS = HALF, BFLOAT16 = "__half", "__nv_bfloat16"  # CUDA's structs that hold the pattern of a number of 16 bits


class Type(IntEnum):
    """Name the type of a value in a register or in memory. Registers hold 8- and 16-bit values widened to 32 bits."""

    PRED = 0
    U8 = 1
    S8 = 2
    U16 = 3
    S16 = 4
    U32 = 5
    S32 = 6
    U64 = 7
    S64 = 8
    F32 = 9
    F64 = 10

    @cached_property
    def bytes(self) -> int:
        """Return the size in memory; a predicate is never in memory and counts as one byte."""
        return _BYTES[self]

    @cached_property
    def is_float(self) -> bool:
        return self in (Type.F32, Type.F64)

    @cached_property
    def is_signed(self) -> bool:
        return self in (Type.S8, Type.S16, Type.S32, Type.S64)

    @cached_property
    def is_wide(self) -> bool:
        """Return whether a register of this type is 64 bits and lives in the 64-bit register file."""
        return self in (Type.U64, Type.S64, Type.F64)

    def __str__(self) -> str:
        return self.name.lower()


_BYTES = {
    Type.PRED: 1, Type.U8: 1, Type.S8: 1, Type.U16: 2, Type.S16: 2, Type.U32: 4,
    Type.S32: 4, Type.U64: 8, Type.S64: 8, Type.F32: 4, Type.F64: 8,
}  # fmt: skip


def small_float(ctype: str, type_: Type | None) -> str:
    """Return which of ``SMALL_FLOATS`` the patterns of a C type stand for, in pairs or alone; '' for any other type."""
    found = (name for name in SMALL_FLOATS if re.search(rf"\b{name}2?\b", ctype))
    return next(found, "") if type_ is Type.U16 else ""


class Space(IntEnum):
    """Name the state space of a memory access; NONE for instructions that do not access memory."""

    NONE = 0
    GLOBAL = 1
    SHARED = 2
    LOCAL = 3
    CONST = 4
    GENERIC = 5

    def __str__(self) -> str:
        return self.name.lower()


GLOBAL_SPACES = (Space.GLOBAL, Space.GENERIC)  # with addresses of 64 bits, which may lie in global memory

# Windows of the generic address space, above every global address.
SHARED_WINDOW = 1 << 40
LOCAL_WINDOW = 1 << 41
CONST_WINDOW = 1 << 42
RANK_SHIFT = 24  # of the rank of a block in its cluster, in generic addresses of shared memory
