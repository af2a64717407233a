"""Count the registers of a lane that each operand of a matrix instruction takes."""

from __future__ import annotations

from collections.abc import Mapping

MATRIX_MEANINGS = ("hmma", "imma", "dmma", "bmma")
TF32 = 2  # the format of HMMA
M8N8K16 = 0  # the shape of IMMA, of 8 rows
IS_DEEP, HAS_FLOATS = 1, 2  # bits of its shape: m16n8k16; an accumulator of floats


def matrix_spans(meaning: str, m: Mapping[str, int]) -> tuple[int, int, int, int] | None:
    """Return the registers that D, A, B and C take, given the modifiers; None where it is no matrix instruction.

    The fragments are those of the PTX ISA's *Matrix Fragments for mma*, with 32 bits in a register.
    """
    match meaning:
        case "hmma":
            accumulator = 4 if m["shape"] & HAS_FLOATS else 2
            # An m16n8k8 of TF32 has as many registers as an m16n8k16 of halves.
            a = 4 if m["shape"] & IS_DEEP or (m["format"] == TF32 and m["shape"] == HAS_FLOATS) else 2
            return accumulator, a, a // 2, accumulator
        case "imma":
            if m["shape"] == M8N8K16:
                return 2, 1, 1, 2
            a = 4 if m["depth"] else 2
            return 4, a, a // 2, 4
        case "bmma":
            first = 0 if "operation" in m else 1  # of an IMMA of elements of four bits
            return ((2, 1, 1, 2), (4, 2, 1, 4), (4, 4, 2, 4))[m["shape"] - first]
        case "dmma":
            shapes = ((4, 2, 2, 4), (8, 4, 2, 8), (8, 8, 4, 8), (8, 16, 8, 8))
            return shapes[m["shape"]]
    return None
