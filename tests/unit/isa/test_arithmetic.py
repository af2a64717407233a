import ctypes
import math
import random
import struct

import numpy as np
import pytest

from warpview.isa.ops import Cmp, FunnelMode, MathFn, Op, operation
from warpview.isa.types import Type
from warpview.isa.values import NAN32, NAN64, encode

M32 = 0xFFFFFFFF
U32, S32, U64, S64, F32, F64 = Type.U32, Type.S32, Type.U64, Type.S64, Type.F32, Type.F64
INF, MINUS_INF, MINUS_ZERO = 0x7F800000, 0xFF800000, 0x80000000


def f32(x: float) -> int:
    return struct.unpack("<I", struct.pack("<f", x))[0]


def f64(x: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def apply(op, type_, *sources, mod=0, stype=Type.U32):
    return operation(op, type_, stype, mod)(*sources)


@pytest.mark.parametrize(
    ("op", "type_", "sources", "expected"),
    [
        (Op.ADD, U32, (M32, 2), 1),
        (Op.ADD, Type.S8, (100, 100), 200 - 256 & M32),
        (Op.SUB, Type.U16, (0, 1), 0xFFFF),
        (Op.MUL, S64, (1 << 40, 1 << 40), 0),
        (Op.MULHI, U32, (M32, M32), 0xFFFFFFFE),
        (Op.MULHI, S32, (M32, 5), M32),
        (Op.MULHI, S64, (1 << 63, 2), (1 << 64) - 1),
        (Op.MULWIDE, S32, (M32, 7), (1 << 64) - 7),
        (Op.MULWIDE, U32, (M32, M32), M32 * M32),
        (Op.MADWIDE, S32, (M32, 4, 3), (1 << 64) - 1),
        (Op.MAD, U32, (1 << 31, 2, 9), 9),
        (Op.DIV, S32, (-7 & M32, 2), -3 & M32),
        (Op.DIV, U32, (7, 0), M32),
        (Op.DIV, S32, (1 << 31, M32), 1 << 31),
        (Op.DIV, S64, (5, 0), (1 << 64) - 1),
        (Op.REM, S32, (-7 & M32, 2), M32),
        (Op.REM, S32, (1 << 31, M32), 0),
        (Op.REM, U32, (7, 0), M32),
        (Op.MIN, S32, (M32, 1), M32),
        (Op.MIN, U32, (M32, 1), 1),
        (Op.NEG, S32, (1 << 31,), 1 << 31),
        (Op.ABS, S32, (-5 & M32,), 5),
        (Op.ABS, S32, (1 << 31,), 1 << 31),
        (Op.NOT, Type.U8, (0x0F,), 0xF0),
        (Op.NOT, Type.PRED, (0,), 1),
        (Op.SHL, U32, (1, 31), 1 << 31),
        (Op.SHL, U32, (1, 32), 0),
        (Op.SHL, U64, (1, 32), 1 << 32),
        (Op.SHR, S32, (1 << 31, 99), M32),
        (Op.SHR, U32, (1 << 31, 32), 0),
        (Op.SHR, S64, (1 << 63, 63), (1 << 64) - 1),
        (Op.MUL24, U32, (0x01FFFFFF, 2), 0x01FFFFFE),
        (Op.MUL24, S32, (0x00FFFFFF, 2), -2 & M32),
        (Op.MAD24, S32, (3, 4, 5), 17),
        (Op.SAD, S32, (-3 & M32, 4, 10), 17),
        (Op.DP4A, U32, (0x01020304, 0xFF000002, 1), 0xFF + 8 + 1),
        (Op.DP4A, S32, (0x01020304, 0xFF0000FE, -1 & M32), -1 - 8 - 1 & M32),
        (Op.POPC, U64, ((1 << 64) - 1,), 64),
        (Op.CLZ, U32, (0,), 32),
        (Op.CLZ, U64, (1,), 63),
        (Op.FFS, U32, (0b1000,), 4),
        (Op.FFS, U32, (0,), 0),
        (Op.BREV, U32, (1,), 1 << 31),
        (Op.BREV, U64, (2,), 1 << 62),
        (Op.PRMT, U32, (0x33221100, 0x77665544, 0x7531), 0x77553311),
        (Op.PRMT, U32, (0x00008000, 0, 0x9999), M32),
        (Op.MOV, Type.U8, (0x1FF,), 0xFF),
        (Op.SELP, F32, (7, 8, 0), 8),
        (Op.NEG, F32, (f32(0.0),), MINUS_ZERO),
        (Op.NEG, F32, (0x7FC00001,), 0x7FFFFFFF),
        (Op.ABS, F32, (0xFFC00001,), 0x7FFFFFFF),
        (Op.ABS, F64, (f64(-1.5),), f64(1.5)),
    ],
)
def test_integers_and_patterns(op, type_, sources, expected):
    assert apply(op, type_, *sources) == expected


@pytest.mark.parametrize(
    ("mode", "shift", "expected"),
    [
        (FunnelMode.LEFT_WRAP, 36, 0x234567_8F),
        (FunnelMode.RIGHT_WRAP, 4, 0x8_FEDCBA9),
        (FunnelMode.LEFT_CLAMP, 40, 0xFEDCBA98),
        (FunnelMode.RIGHT_CLAMP, 40, 0x12345678),
    ],
)
def test_funnel_shift(mode, shift, expected):
    low, high = 0xFEDCBA98, 0x12345678
    assert apply(Op.SHF, U32, low, high, shift, mod=mode) == expected


@pytest.mark.parametrize(
    ("to", "source", "bits", "expected"),
    [
        (S32, F32, f32(-1.9), -1 & M32),
        (S32, F32, f32(3e9), 0x7FFFFFFF),
        (U32, F32, f32(-5.0), 0),
        (U32, F32, NAN32, 0),
        (U64, F32, NAN32, 1 << 63),
        (S32, F64, NAN64, 1 << 31),
        (S64, F64, f64(1e300), (1 << 63) - 1),
        (U64, F32, INF, (1 << 64) - 1),
        (Type.S8, F32, f32(300.0), 44),
        (Type.U8, F32, f32(-1.0), 0),
        (Type.S16, F64, f64(1e10), M32),
        (F32, U32, 16777217, f32(16777216.0)),
        (F32, U64, (1 << 63) + (1 << 39) + 1, f32(float((1 << 63) + (1 << 40)))),
        (F64, S64, (1 << 64) - 1, f64(-1.0)),
        (F32, F64, f64(1e300), INF),
        (F32, F64, f64(1e-50), 0),
        (F64, F32, f32(0.1), f64(float(np.float32(0.1)))),
        (F32, F64, 0xFFF0123456789ABC, 0xFFC091A2),  # what is not a number keeps its first digits
        (F64, F32, 0x7F800001, 0x7FF8000020000000),
        (Type.U8, U32, 0x1FE, 0xFE),
        (Type.S8, U32, 0x1FE, -2 & M32),
        (S64, S32, M32, (1 << 64) - 1),
        (U64, U32, M32, M32),
        (U32, S64, (1 << 64) - 1, M32),
        (Type.PRED, F32, f32(0.5), 1),
        (F32, Type.PRED, 1, f32(1.0)),
    ],
)
def test_conversions(to, source, bits, expected):
    assert apply(Op.CVT, to, bits, stype=source) == expected


@pytest.mark.parametrize(
    ("op", "sources", "expected"),
    [
        (Op.MIN, (0, MINUS_ZERO), MINUS_ZERO),
        (Op.MAX, (MINUS_ZERO, 0), 0),
        (Op.MIN, (NAN32, f32(1.0)), f32(1.0)),
        (Op.MAX, (f32(1.0), NAN32), f32(1.0)),
        (Op.MAX, (NAN32, NAN32), NAN32),
        (Op.DIV, (f32(1.0), 0), INF),
        (Op.DIV, (f32(1.0), MINUS_ZERO), MINUS_INF),
        (Op.DIV, (0, 0), NAN32),
        (Op.RCP, (MINUS_ZERO,), MINUS_INF),
        (Op.RSQRT, (0,), INF),
        (Op.RSQRT, (MINUS_ZERO,), MINUS_INF),
        (Op.RSQRT, (f32(-1.0),), NAN32),
        (Op.SQRT, (MINUS_ZERO,), MINUS_ZERO),
        (Op.SQRT, (f32(-1.0),), NAN32),
        (Op.MUL, (f32(1e30), f32(1e30)), INF),
        (Op.MUL, (1, f32(0.5)), 0),  # a subnormal halved: the tie goes to even
        (Op.FMA, (f32(1.0), f32(1.0), f32(-1.0)), 0),
        (Op.FMA, (MINUS_ZERO, f32(1.0), MINUS_ZERO), MINUS_ZERO),
        (Op.FMA, (0x00800000, 0x00800000, MINUS_ZERO), 0),
        (Op.FMA, (INF, 0, f32(1.0)), NAN32),
        (Op.FMA, (f32(3e38), f32(3e38), MINUS_INF), MINUS_INF),
    ],
)
def test_special_floats(op, sources, expected):
    assert apply(op, F32, *sources) == expected


def test_comparisons_with_nan_are_false_but_for_ne():
    results = {cmp: apply(Op.SETP, F32, NAN32, f32(1.0), mod=cmp) for cmp in Cmp}
    assert results == {cmp: int(cmp == Cmp.NE) for cmp in Cmp}
    assert apply(Op.SETP, S32, M32, 0, mod=Cmp.LT) == 1
    assert apply(Op.SETP, U32, M32, 0, mod=Cmp.LT) == 0
    assert apply(Op.SETP, F32, MINUS_ZERO, 0, mod=Cmp.EQ) == 1


def random_pattern(rng: random.Random) -> int:
    if rng.random() < 0.2:
        return rng.choice([0, MINUS_ZERO, 1, 0x807FFFFF, 0x00800000, 0x7F7FFFFF, INF, MINUS_INF, f32(1.0)])
    exponent = rng.randrange(255) if rng.random() < 0.5 else rng.randint(115, 135)
    return rng.getrandbits(23) | exponent << 23 | rng.getrandbits(1) << 31


def same(a: int, b: int) -> bool:
    return a == b or ((a & 0x7FFFFFFF) > INF and (b & 0x7FFFFFFF) > INF)


@pytest.mark.parametrize("op", [Op.ADD, Op.SUB, Op.MUL, Op.DIV])
def test_single_precision_agrees_with_numpy(op):
    rng = random.Random(op)
    ufunc = {Op.ADD: np.add, Op.SUB: np.subtract, Op.MUL: np.multiply, Op.DIV: np.divide}[op]
    for _ in range(2000):
        a, b = random_pattern(rng), random_pattern(rng)
        x, y = np.array([a, b], dtype=np.uint32).view(np.float32)
        with np.errstate(all="ignore"):
            expected = int(np.float32(ufunc(x, y)).view(np.uint32))
        assert same(apply(op, F32, a, b), expected), (hex(a), hex(b))


def test_fused_multiply_add_agrees_with_the_c_library():
    try:
        fmaf = ctypes.CDLL("libm.so.6").fmaf
    except OSError:
        pytest.skip("no GNU C library here")
    fmaf.argtypes, fmaf.restype = [ctypes.c_float] * 3, ctypes.c_float
    rng = random.Random(3)
    for _ in range(3000):
        a, b, c = (random_pattern(rng) for _ in range(3))
        if rng.random() < 0.4:  # the sum nearly cancels
            c = (apply(Op.MUL, F32, a, b) ^ 1 << 31) + rng.randint(0, 2) & M32
        x, y, z = (struct.unpack("<f", struct.pack("<I", bits))[0] for bits in (a, b, c))
        assert same(apply(Op.FMA, F32, a, b, c), f32(fmaf(x, y, z))), (hex(a), hex(b), hex(c))


def test_fused_multiply_add_rounds_once():
    # In double precision a*b is exact, but a*b + c is not: rounding twice would give 1 + 2^-22.
    a, b, c = f32(1 + 2**-23), f32(1 + 2**-23), f32(-(2**-60))
    assert apply(Op.FMA, F32, a, b, c) == f32(1 + 2**-22)
    assert apply(Op.FMA, F64, f64(1 + 2**-52), f64(1 - 2**-52), f64(-1.0)) == f64(-(2.0**-104))


@pytest.mark.parametrize(
    ("function", "x", "expected"),
    [
        (MathFn.LOG, 0.0, -math.inf),
        (MathFn.LOG2, 8.0, 3.0),
        (MathFn.LOG1P, -1.0, -math.inf),
        (MathFn.EXP, 1000.0, math.inf),
        (MathFn.SINH, -1000.0, -math.inf),
        (MathFn.EXP10, 2.0, 100.0),
        (MathFn.ROUND, 2.5, 3.0),
        (MathFn.ROUND, -2.5, -3.0),
        (MathFn.RINT, 2.5, 2.0),
        (MathFn.ROUND, math.nextafter(0.5, 0.0), 0.0),
        (MathFn.CEIL, -0.5, -0.0),
        (MathFn.FLOOR, -math.inf, -math.inf),
        (MathFn.TGAMMA, 5.0, 24.0),
        (MathFn.TGAMMA, -0.0, -math.inf),
        (MathFn.LGAMMA, -1.0, math.inf),
        (MathFn.CBRT, -8.0, -2.0),
        (MathFn.ERF, math.inf, 1.0),
    ],
)
def test_functions_of_one_argument(function, x, expected):
    assert apply(Op.MATH1, F64, f64(x), mod=function) == f64(expected)


@pytest.mark.parametrize("function", [f for f in MathFn if f < MathFn.POW])
def test_functions_never_raise(function):
    for x in (0.0, -0.0, math.inf, -math.inf, math.nan, 1e308, -1e308, 5e-324, -3.0, 0.5):
        assert isinstance(apply(Op.MATH1, F64, encode(F64, x), mod=function), int)


@pytest.mark.parametrize(
    ("function", "x", "y", "expected"),
    [
        (MathFn.POW, 0.0, -1.0, math.inf),
        (MathFn.POW, -0.0, -3.0, -math.inf),
        (MathFn.POW, -10.0, 401.0, -math.inf),
        (MathFn.POW, -2.0, 0.5, math.nan),
        (MathFn.FMOD, -7.0, 3.0, -1.0),
        (MathFn.FMOD, 1.0, math.inf, 1.0),
        (MathFn.FMOD, 1.0, 0.0, math.nan),
        (MathFn.FDIM, 3.0, 5.0, 0.0),
        (MathFn.COPYSIGN, 3.0, -0.0, -3.0),
        (MathFn.REMAINDER, 5.0, 3.0, -1.0),
        (MathFn.HYPOT, math.inf, math.nan, math.inf),
    ],
)
def test_functions_of_two_arguments(function, x, y, expected):
    assert apply(Op.MATH2, F64, f64(x), f64(y), mod=function) == encode(F64, expected)
