"""Count the registers of a lane that each operand of a matrix instruction takes."""

from __future__ import annotations

from collections.abc import Mapping

MATRIX_MEANINGS = ("hmma", "imma", "dmma", "bmma", "hmmasp", "immasp", "hmmaquad")
TF32 = 2  # the format of HMMA
FOUR_BITS = 3  # the modifier "kinds" of IMMA
M8N8K16 = 0  # the shape of IMMA, of 8 rows
IS_DEEP, HAS_FLOATS = 1, 2  # bits of its shape: m16n8k16; an accumulator of floats
SPARSE_M16N8K32 = 8  # a bit of the shape of a sparse HMMA
M16N8K32, M16N8K64 = 2, 3  # shapes of a sparse IMMA of bytes; of four bits the modifier "depth" is 0 and 1


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
        case "hmmaquad":
            return 2, 2, 2, 2
        case "imma":
            if m["shape"] == M8N8K16:
                return 2, 1, 1, 2
            a = 4 if m["depth"] else 2
            return 4, a, a // 2, 4
        case "bmma":
            first = 0 if "operation" in m else 1  # of an IMMA of elements of four bits
            return ((2, 1, 1, 2), (4, 2, 1, 4), (4, 4, 2, 4))[m["shape"] - first]
        case "hmmasp":
            accumulator = 4 if m["shape"] & HAS_FLOATS else 2
            is_deep = m["shape"] & SPARSE_M16N8K32 or (m["format"] == TF32 and m["shape"] & IS_DEEP)
            return (accumulator, 4, 4, accumulator) if is_deep else (accumulator, 2, 2, accumulator)
        case "immasp":
            is_deep = m["depth"] if has_four_bits(m) else m["shape"] == M16N8K64
            return (4, 4, 4, 4) if is_deep else (4, 2, 2, 4)
        case "dmma":
            shapes = ((4, 2, 2, 4), (8, 4, 2, 8), (8, 8, 4, 8), (8, 16, 8, 8))
            return shapes[m["shape"]]
    return None


def has_four_bits(m: Mapping[str, int]) -> bool:
    """Return whether the elements of an IMMA have four bits rather than eight."""
    return m["kinds"] == FOUR_BITS


def pieces_of_metadata(meaning: str, m: Mapping[str, int]) -> int:
    """Return how many of four neighbouring lanes say which elements of a sparse A are stored.

    Each has 16 bits of two rows: two bits for each element, or pair of elements of four bits; four for those of TF32.
    """
    spans = matrix_spans(meaning, m)
    assert spans is not None
    return spans[1] // 2 if meaning == "hmmasp" else spans[1]
