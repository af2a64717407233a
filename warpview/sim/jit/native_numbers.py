"""Number the meanings of NVIDIA's machine code: decoding writes the numbers, the switches of the jit read them.

Without numba, because a simulator that is linked from the cache decodes without loading it.
"""

from __future__ import annotations

from warpview.sass.meanings import VARIANTS

# Meanings that need more than the rows of the warp, numbered before those that are vector code.
SPECIAL = ("nop", "shfl", "match", "clock", "break", "texture", "bulk", "scatter", "hmma", "imma", "dmma", "bmma",
           "hmmasp", "immasp", "hmmaquad", "movm")  # fmt: skip
# Meanings carried out by ``native_floating``, in two units; all others are integer code of ``native_integer``.
FLOATS = ("fadd", "ufadd", "fmul", "fmulscaled", "ffma", "fmnmx", "fmnmx3", "fsetp", "fchk")
CONVERSIONS = ("f2i", "i2f", "f2f", "frnd", "mufu", "approximation", "fset", "dadd", "dmul", "dfma", "dsetp", "dminmax",
               "f2fpmerge", "f2tf32", "f2f8", "f2f8half", "f8tohalf", "i2i", "i2ip", "f2ip")  # fmt: skip
# Meanings carried out by ``native_pairs``, in a unit of their own.
PAIRS = ("hadd2", "hmul2", "hfma2", "hsetp2", "hset2", "hmnmx2", "f2fp")
# Meanings that control, memory and the warp's own registers carry out.
ELSEWHERE = ("memory", "ldc", "s2r", "bar", "bra", "ret", "exit", "bsync", "warpsync", "yield", "call", "trap", "lepc")

Key = tuple[str, tuple[int, ...]]


def _actions(meanings: tuple[str, ...]) -> list[Key]:
    return [(meaning, variant) for meaning in meanings for variant in sorted(VARIANTS[meaning])]


INTEGERS = tuple(m for m in VARIANTS if m not in {*SPECIAL, *FLOATS, *CONVERSIONS, *PAIRS, *ELSEWHERE})
# In the order of their numbers: four units, which are compiled side by side.
_ORDER = (*_actions(INTEGERS), *_actions(FLOATS), *_actions(CONVERSIONS), *_actions(PAIRS))
NUMBERS = {key: len(SPECIAL) + n for n, key in enumerate(_ORDER)}
FIRST_FLOAT = len(SPECIAL) + len(_actions(INTEGERS))
FIRST_CONVERSION = FIRST_FLOAT + len(_actions(FLOATS))
FIRST_PAIR = FIRST_CONVERSION + len(_actions(CONVERSIONS))


def action_number(meaning: str, variant: tuple[int, ...]) -> int:
    """Return what an instruction is decoded to. Raises KeyError where nothing carries it out."""
    return SPECIAL.index(meaning) if meaning in SPECIAL else NUMBERS[meaning, variant]
