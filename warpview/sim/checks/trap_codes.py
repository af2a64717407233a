"""Number the checks of integer operations, as decoded instructions hold them."""

from __future__ import annotations

from enum import IntEnum


class Trap(IntEnum):
    """Name a check of an instruction's operands."""

    NO = 0
    ADD = 1
    SUB = 2
    MUL = 3
    MAD = 4
    SHIFT_32 = 5
    SHIFT_64 = 6
    DIVISION_32 = 7
    DIVISION_64 = 8
    INDEX_32 = 9
    INDEX_64 = 10
