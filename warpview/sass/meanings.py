"""The meanings that the reference and the jit know, each with its variants.

A variant is the tuple of an operation's modifiers that choose another function; what only changes a number (a shift,
a table of bits) is not part of it. ``variant_of`` gives the variant of a decoded operation; whatever is not in
``VARIANTS`` is refused when a program is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

from warpview.sass.operation import SassOperation

Variant = tuple[int, ...]
_Choose = Callable[[Mapping[str, int]], Variant]

NEAREST, DOWN, UP, TO_ZERO = range(4)  # rounding modes, as the hardware numbers them
_BITS = (0, 1)
_ROUNDS = range(4)


def _of(*names: str) -> _Choose:
    return lambda modifiers: tuple(modifiers.get(name, 0) for name in names)


def _boolean(*names: str) -> tuple[_Choose, list[Variant]]:
    return _of(*names), [tuple(bits) for bits in product(_BITS, repeat=len(names))]


def _float_sums() -> tuple[_Choose, list[Variant]]:
    """Rounding, subnormals, limits: saturation comes with rounding to nearest only."""
    rounds = [(round_, ftz, 0) for round_ in _ROUNDS for ftz in _BITS]
    return _of("round", "ftz", "sat"), [*rounds, (NEAREST, 0, 1), (NEAREST, 1, 1)]


def _without_ftz(names: tuple[str, ...], unaffected: Callable[[Mapping[str, int]], bool]) -> _Choose:
    """Return the variant of the names and ``ftz``, which is taken as 0 where it makes no difference."""
    return lambda m: (*(m.get(name, 0) for name in names), 0 if unaffected(m) else m.get("ftz", 0))


FLOAT_MEANINGS = frozenset(
    {"fadd", "fmul", "ffma", "fmnmx", "fsel", "fsetp", "fset", "fchk", "mufu", "dadd", "dmul", "dfma", "dsetp", "f2i",
     "f2f", "frnd"}
)  # fmt: skip
INTEGER_SUMS = frozenset({"iadd3", "viadd", "imad", "viaddmnmx"})

_NONE: tuple[_Choose, list[Variant]] = (_of(), [()])

# By meaning: how the variant follows from the modifiers, and the variants that there are.
_MEANINGS: dict[str, tuple[_Choose, list[Variant]]] = {
    # floats
    "fadd": _float_sums(),
    "fmul": _float_sums(),
    "ffma": _float_sums(),
    "fmnmx": _boolean("ftz"),
    "fsel": (_of("ftz"), [(0,)]),
    "fsetp": _boolean("ftz"),
    "fset": _boolean("ftz"),
    "fchk": _NONE,
    "mufu": (_of("function"), [(k,) for k in range(10)]),
    "dadd": (_of("round"), [(k,) for k in _ROUNDS]),
    "dmul": (_of("round"), [(k,) for k in _ROUNDS]),
    "dfma": (_of("round"), [(k,) for k in _ROUNDS]),
    "dsetp": _NONE,
    "dminmax": _boolean("most"),
    # conversions: 2 stands for 32 bits, 3 for 64
    "f2i": (
        _without_ftz(("to", "tosigned", "source", "round"), lambda m: m["round"] in (NEAREST, TO_ZERO)),
        list(product((2, 3), _BITS, (2, 3), _ROUNDS, (0,))),
    ),
    "i2f": (
        _of("to", "signed", "source", "round"),
        [(to, s, n, r) for to, s, n, r in product((2, 3), _BITS, range(4), _ROUNDS) if r == 0 or (to == 2 and n > 1)],
    ),
    "f2f": (
        _of("to", "source", "round", "ftz"),
        [(3, 2, 0, 0), (3, 2, 0, 1), (2, 2, 0, 0), (2, 2, 0, 1), *((2, 3, r, 0) for r in _ROUNDS)],
    ),
    "frnd": (_of("to", "round", "ftz"), list(product((2, 3), _ROUNDS, _BITS))),
    # integers
    "iadd3": _boolean("x"),
    "viadd": _NONE,
    "imad": _boolean("x"),
    "imadwide": _boolean("signed", "x"),
    "imadhi": (_of("signed", "x"), [(0, 0), (1, 0)]),
    "iabs": _NONE,
    "imnmx": _boolean("signed"),
    "lea": _boolean("hi", "x", "sx32"),
    "lop3": (_of("pand"), [(0,)]),
    "shf": (_of("right", "wrap", "type", "hi"), list(product(_BITS, _BITS, range(4), _BITS))),
    "prmt": _NONE,
    "sel": _NONE,
    "mov": (_of(), [()]),
    "mov2": _NONE,
    "mov4": _NONE,
    "sgxt": _boolean("signed", "wrap"),
    "bmsk": _boolean("wrap"),
    "viaddmnmx": _boolean("signed"),
    "isetp": _boolean("signed", "ex"),
    "flo": _boolean("signed", "sh"),
    "brev": _NONE,
    "popc": _NONE,
    "idp4a": _boolean("asigned", "bsigned"),
    "narrow": (_of("size"), [(k,) for k in range(4)]),
    "halfconstant": _NONE,
    # predicates
    "plop3": _NONE,
    "p2r": _NONE,
    "r2p": _NONE,
    # lanes
    "bssy": _NONE,
    "bmov": _NONE,
    "bmovclear": _NONE,
    "b2r": _NONE,
    "lanemask": (_of("which"), [(k,) for k in range(5)]),
    "clock": (_of("size"), [(0,), (1,)]),
    "r2ur": _NONE,
    "shfl": (_of("mode"), [(k,) for k in range(4)]),
    "vote": (_of("mode"), [(k,) for k in range(3)]),
    "match": (_of("mode", "size"), list(product(_BITS, _BITS))),
    "redux": (_of("mode", "signed"), list(product(range(6), _BITS))),
    "break": _NONE,
    "nop": _NONE,
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
}  # fmt: skip

VARIANTS: Mapping[str, frozenset[Variant]] = {name: frozenset(variants) for name, (_, variants) in _MEANINGS.items()}


def variant_of(operation: SassOperation, meaning: str | None = None) -> Variant:
    """Return the variant of an operation, or of its modifiers under another meaning."""
    choose, _ = _MEANINGS[meaning or operation.row.meaning]
    return choose(operation.modifiers)
