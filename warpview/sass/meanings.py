"""List the meanings that the reference and the jit know, each with its variants.

A variant is the tuple of an operation's modifiers that choose another function; what only changes a number (a shift,
a table of bits) is not part of it. ``variant_of`` gives the variant of a decoded operation; whatever is not in
``VARIANTS`` is refused when a program is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

from warpview.isa.approximations import COS, EX2, LG2, RCP, RCP64H, RSQ, RSQ64H, SIN, SQRT, TANH
from warpview.sass.matrices import HAS_FLOATS, has_four_bits, matrix_spans
from warpview.sass.operation import SassOperation

Variant = tuple[int, ...]
_Choose = Callable[[Mapping[str, int]], Variant]

XOR_OF_BITS = 4  # an operation of BMMA; 5 is AND
NEAREST, DOWN, UP, TO_ZERO = range(4)  # rounding modes, as the hardware numbers them
INTERPOLATED = (COS, SIN, EX2, LG2, RCP, RSQ, SQRT)  # functions of MUFU, those for floats
_BITS = (0, 1)
_ROUNDS = range(4)


def _of(*names: str) -> _Choose:
    return lambda modifiers: tuple(modifiers.get(name, 0) for name in names)


def _boolean(*names: str) -> tuple[_Choose, list[Variant]]:
    return _of(*names), [tuple(bits) for bits in product(_BITS, repeat=len(names))]


def _float_sums() -> tuple[_Choose, list[Variant]]:
    """Return the variants of rounding, subnormals and limits: saturation comes with rounding to nearest only."""
    rounds = [(round_, ftz, 0) for round_ in _ROUNDS for ftz in _BITS]
    return _of("round", "ftz", "sat"), [*rounds, (NEAREST, 0, 1), (NEAREST, 1, 1)]


def _without_ftz(names: tuple[str, ...], unaffected: Callable[[Mapping[str, int]], bool]) -> _Choose:
    """Return the variant of the names and ``ftz``, which is taken as 0 where it makes no difference."""
    return lambda m: (*(m.get(name, 0) for name in names), 0 if unaffected(m) else m.get("ftz", 0))


def _matrix(m: Mapping[str, int]) -> Variant:
    """Return the format of A and B, the registers of A from bit 2, whether accumulators are floats in bit 5."""
    _, registers, _, _ = matrix_spans("hmma", m) or (0, 0, 0, 0)
    return (m["format"] | registers << 2 | (4 if m["shape"] & HAS_FLOATS else 0) << 3,)


def _byte_matrix(m: Mapping[str, int]) -> Variant:
    """Return the signs of A and B, whether the result is limited, and the registers of A from bit 3."""
    _, registers, _, _ = matrix_spans("imma", m) or (0, 0, 0, 0)
    return (m["asigned"] | m["bsigned"] << 1 | m["sat"] << 2 | registers << 3,)


def _quads(m: Mapping[str, int]) -> Variant:
    """Return the step, from bit 2 which of A and B lie by columns, and from bit 4 whether D and C are floats."""
    return (m["step"] | m["columns"] << 2 | m["floats"] << 4 | m["cfloats"] << 5,)


def _sparse_matrix(m: Mapping[str, int]) -> Variant:
    """Return the variant of a sparse HMMA: see ``_matrix``."""
    _, registers, _, _ = matrix_spans("hmmasp", m) or (0, 0, 0, 0)
    return (m["format"] | registers << 2 | (4 if m["shape"] & HAS_FLOATS else 0) << 3,)


def _sparse_integers(m: Mapping[str, int]) -> Variant:
    """Return the signs of A and B, whether the result is limited, the registers of A from bit 3, and in bit 6 whether
    elements have four bits."""
    _, registers, _, _ = matrix_spans("immasp", m) or (0, 0, 0, 0)
    return (m["asigned"] | m["bsigned"] << 1 | m["sat"] << 2 | registers << 3 | has_four_bits(m) << 6,)


def _narrow_matrix(m: Mapping[str, int]) -> Variant:
    """Return the registers of A, and from bit 3 on how elements are multiplied: bits by 0 AND or 1 XOR, those of four
    bits by 4 and whether A and B are signed and the result is limited."""
    _, registers, _, _ = matrix_spans("bmma", m) or (0, 0, 0, 0)
    if "operation" in m:
        return (int(m["operation"] == XOR_OF_BITS) << 3 | registers,)
    return ((4 + (m["asigned"] | m["bsigned"] << 1 | m["sat"] << 2)) << 3 | registers,)


FLOAT_MEANINGS = frozenset(
    {"fadd", "fmul", "ffma", "fmnmx", "fmnmx3", "fsel", "fsetp", "fset", "fchk", "mufu", "dadd", "dmul", "dfma",
     "dsetp", "f2i", "f2f", "frnd", "f2fp", "f2fpmerge", "f2tf32", "f2f8", "f2ip", "ufadd"}
)  # fmt: skip
# On pairs of 16 bits: signs and absolute values are those of both halves.
PAIR_MEANINGS = frozenset({"hadd2", "hmul2", "hfma2", "hsetp2", "hset2", "hmnmx2"})
INTEGER_SUMS = frozenset({"iadd3", "viadd", "imad", "viaddmnmx"})
WIDE_INTEGERS = frozenset({"iaddwide", "iadd3wide", "selwide", "isetpwide", "imnmxwide"})  # of 64 bits
BITWISE = frozenset({"flo"})  # a negated source is its complement

_NONE: tuple[_Choose, list[Variant]] = (_of(), [()])
_HALVES: tuple[_Choose, list[Variant]] = (_of("signed", "relu"), [*product(_BITS, _BITS), (2, 0), (3, 0), (3, 1)])

# By meaning: how the variant follows from the modifiers, and the variants that there are.
_MEANINGS: dict[str, tuple[_Choose, list[Variant]]] = {
    # floats
    "fadd": _float_sums(),
    "ufadd": _float_sums(),
    "fmul": _float_sums(),
    "fmulscaled": _boolean("ftz", "sat"),
    "ffma": _float_sums(),
    "fmnmx": _boolean("ftz", "nan", "xorsign"),
    "fmnmx3": _boolean("ftz", "nan"),
    "fsel": (_of("ftz"), [(0,)]),
    "fsetp": _boolean("ftz"),
    "fset": _boolean("ftz"),
    "fchk": _NONE,
    "mufu": (_of("function", "format"), [*((k, 0) for k in (RCP64H, RSQ64H, TANH)), *product((EX2, TANH), (1, 2))]),
    "approximation": (_of("function"), [(k,) for k in INTERPOLATED]),
    "dadd": (_of("round"), [(k,) for k in _ROUNDS]),
    "dmul": (_of("round"), [(k,) for k in _ROUNDS]),
    "dfma": (_of("round"), [(k,) for k in _ROUNDS]),
    "dsetp": _NONE,
    "dminmax": _boolean("most"),
    # conversions: of integers 0 to 3 stand for 8 to 64 bits, of floats 2 for 32 bits, 3 for 64
    "f2i": (
        _without_ftz(("to", "tosigned", "source", "round"), lambda m: m["round"] in (NEAREST, TO_ZERO)),
        [*product(range(4), _BITS, (1, 2, 3, 4), _ROUNDS, (0,)), *product((0, 1), _BITS, (2,), (DOWN, UP), (1,))],
    ),
    "i2f": (
        lambda m: (m["to"], m["signed"], m["source"], 0 if m["to"] == 2 and m["source"] < 2 else m["round"]),
        [v for v in product((1, 2, 3, 4), _BITS, range(4), _ROUNDS)
         if v[3] == 0 or v[::2] == (3, 3) or (v[0] != 3 and (v[2] > 1 or (v[2] == 1 and v[0] != 2)))],
    ),
    "f2f": (
        _of("to", "source", "round", "ftz"),
        [(3, 2, 0, 0), (3, 2, 0, 1), (2, 2, 0, 0), (2, 2, 0, 1), *((2, 3, r, 0) for r in _ROUNDS),
         *((to, n, r, 0) for to in (1, 4) for n in (2, 3) for r in _ROUNDS),
         *((to, 5 - to, r, 0) for to in (1, 4) for r in _ROUNDS)],
    ),
    "frnd": (_of("to", "round", "ftz"), [*product((2, 3), _ROUNDS, _BITS), *product((1, 4), _ROUNDS, (0,))]),
    "f2fp": (_of("to", "relu", "round"), list(product(_BITS, _BITS, (NEAREST, TO_ZERO)))),
    "f2fpmerge": (_of("to", "relu", "round"), list(product(_BITS, _BITS, (NEAREST, TO_ZERO)))),
    "f2tf32": (_of("relu", "round"), list(product(_BITS, (NEAREST, TO_ZERO)))),
    "f2f8": _boolean("to", "relu"),
    "f2f8half": _boolean("to", "relu"),
    "f8tohalf": _boolean("kind", "relu"),
    "i2i": (_of("to"), [(k,) for k in range(4)]),
    "i2ip": (_of("to"), [(k,) for k in range(8)]),  # 4 to 7: two and four bits
    "f2ip": (_of("round"), [(k,) for k in _ROUNDS]),
    # pairs of 16 bits
    **dict.fromkeys(
        ("hadd2", "hmul2"),
        (_of("bf16", "f32", "sat"), [(0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 0, 1)]),
    ),
    "hfma2": (
        _of("bf16", "f32", "sat", "relu"),
        [(b, f, s, r) for b, f, s, r in product(_BITS, repeat=4) if s + r < 2 and not (f and (b or r))],
    ),
    "hsetp2": _boolean("bf16", "hand"),
    "hset2": _boolean("bf16", "bf"),
    "hmnmx2": (_of("bf16", "nan", "xorsign", "ftz"),
               [v for v in product(_BITS, repeat=4) if not (v[0] and v[3])]),
    # integers
    "iadd3": _boolean("x"),
    "iaddwide": _boolean("x"),
    "iadd3wide": _NONE,
    "selwide": _NONE,
    "isetpwide": _boolean("signed"),
    "imnmxwide": _boolean("signed"),
    "viadd": (_of("parts"), [(0,), (1,), (4,)]),  # 1: pairs of 16 bits, 4: four bytes
    "imad": _boolean("x"),
    "imadwide": _boolean("signed", "x"),
    "imadhi": (_of("signed", "x"), [(0, 0), (1, 0), (0, 1)]),
    "iabs": _NONE,
    "imnmx": (_of("signed", "relu"), [*((k, 0) for k in range(6)), (1, 1), (3, 1)]),
    # of "signed" 2 and 3 are pairs of 16 bits, 4 and 5 four bytes
    "lea": _boolean("hi", "x", "sx32"),
    "lop3": _boolean("pand"),
    "shf": (_of("right", "wrap", "type", "hi"), list(product(_BITS, _BITS, range(4), _BITS))),
    "prmt": (_of("mode"), [(k,) for k in range(7)]),
    "sel": _NONE,
    "mov": (_of(), [()]),
    "mov2": _NONE,
    "mov4": _NONE,
    "sgxt": _boolean("signed", "wrap"),
    "bmsk": _boolean("wrap"),
    "viaddmnmx": _HALVES,
    "isetp": _boolean("signed", "ex"),
    "flo": _boolean("signed", "sh"),
    "brev": _NONE,
    "popc": _NONE,
    "idp": (_of("kind"), [(kind << 3 | signs,) for kind in (0, 1, 3) for signs in range(4)]),
    "vabsdiff": _boolean("signed"),
    "vabsdiff4": _boolean("signed", "acc"),
    "vimnmx3": _HALVES,
    "narrow": (_of("size"), [(k,) for k in range(4)]),
    "halfconstant": _NONE,
    # matrices: a number each, see the jit and the reference
    "hmma": (_matrix, [(format_ | registers << 2 | floats << 5,) for format_, registers, floats in
                       ((0, 2, 0), (0, 4, 0), (0, 2, 1), (0, 4, 1), (1, 2, 1), (1, 4, 1), (2, 2, 1), (2, 4, 1))]),
    "hmmaquad": (_quads, [(step | columns << 2 | floats << 4,) for columns in range(4)
                          for floats, steps in ((0, 2), (1, 4), (3, 4)) for step in range(steps)]),
    "imma": (_byte_matrix, [(flags | registers << 3,) for flags in range(8) for registers in (1, 2, 4)]),
    "bmma": (_narrow_matrix, [(kind << 3 | registers,) for kind in (0, 1, *range(4, 12)) for registers in (1, 2, 4)]),
    "dmma": (lambda m: ((1, 2, 4, 8)[m["shape"]],), [(1,), (2,), (4,), (8,)]),
    "hmmasp": (_sparse_matrix, [(format_ | registers << 2 | floats << 5,) for registers in (2, 4)
                                for format_, floats in ((0, 0), (0, 1), (1, 1), (2, 1))]),
    "immasp": (_sparse_integers, [(flags | registers << 3 | narrow << 6,)
                                  for flags in range(8) for registers in (2, 4) for narrow in _BITS]),
    "movm": _NONE,
    "qspc": (_of("space"), [(k,) for k in range(4)]),
    # predicates
    "plop3": _NONE,
    "plop3signs": _NONE,
    "p2r": _NONE,
    "r2p": _NONE,
    # lanes
    "bssy": _NONE,
    "bmov": _NONE,
    "bmovclear": _NONE,
    "b2r": _NONE,
    "warpid": _NONE,
    "lanemask": (_of("which"), [(k,) for k in range(5)]),
    "clock": (_of("size"), [(0,), (1,)]),
    "r2ur": _NONE,
    "elect": _NONE,
    "shfl": (_of("mode"), [(k,) for k in range(4)]),
    "vote": (_of("mode"), [(k,) for k in range(3)]),
    "match": (_of("mode", "size"), list(product(_BITS, _BITS))),
    "redux": (_of("mode", "signed"), list(product(range(6), _BITS))),
    "credux": (_of("mode", "signed"), list(product((0, 2), _BITS))),
    "break": _NONE,
    "nop": _NONE,
    "texture": _NONE,
    "bulk": _NONE, "scatter": _NONE,
    # those that the machine itself carries out
    "memory": _NONE,
    "ldc": _NONE,
    "s2r": _NONE,
    "bar": _NONE,
    "bra": _NONE,
    "ret": _NONE,
    "exit": _NONE,
    "bsync": _NONE,
    "warpsync": _NONE,
    "yield": _NONE,
    "call": _NONE,
    "trap": _NONE,
    "lepc": _NONE,
}  # fmt: skip

VARIANTS: Mapping[str, frozenset[Variant]] = {name: frozenset(variants) for name, (_, variants) in _MEANINGS.items()}


def variant_of(operation: SassOperation, meaning: str | None = None) -> Variant:
    """Return the variant of an operation, or of its modifiers under another meaning."""
    choose, _ = _MEANINGS[meaning or operation.row.meaning]
    return choose(operation.modifiers)
