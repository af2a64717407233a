"""The functions of CUDA that come as CUDA C++ compute what NVIDIA's machine code does, also for awkward numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

N = 128
KINDS = {"float": np.float32, "double": np.float64, "int": np.int32, "unsigned": np.uint32}
KERNEL = """
__global__ void k(const float *fa, const float *fb, const float *fc, const double *da, const double *db,
                  const double *dc, const long long *la, %s *out) {
    int t = threadIdx.x, q;
    float a = fa[t], b = fb[t], c = fc[t], w, v[3] = {a, b, c};
    double d = da[t], e = db[t], g = dc[t], z, u[3] = {d, e, g};
    long long l = la[t];
    bool p, o;
    short2 s = make_short2(l, l >> 16);
    char4 h = make_char4(l >> 20, l >> 28, l >> 36, l >> 44);
    ushort2 us = make_ushort2(l, l >> 16);
    uchar4 uh = make_uchar4(l >> 20, l >> 28, l >> 36, l >> 44);
    int i = (int)l, j = (int)(l >> 32), m = i ^ (j << 3);
    unsigned x = i, y = j, n = m;
%s
}
"""
EDGES = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 3.4e38, -3.4e38, 1.2e-38, 2.0, 0.5]


def arguments() -> list[np.ndarray]:
    """Return numbers of every size with awkward ones among them, and pairs that cancel."""
    rng = np.random.default_rng(3)
    single = rng.integers(0, 2**32, N, dtype=np.uint64).astype(np.uint32).view(np.float32).copy()
    single[32:] = (rng.standard_normal(96) * np.exp(rng.uniform(-8, 8, 96))).astype(np.float32)
    double = rng.integers(0, 2**63, N).view(np.float64) * rng.choice([1, -1], N)
    double[32:] = rng.standard_normal(96) * np.exp(rng.uniform(-20, 20, 96))
    double[24:32] = 1e-160 * rng.standard_normal(8)
    found = []
    for numbers, step in ((single, 2.0**-20), (double, 2.0**-50)):
        numbers[: len(EDGES)] = EDGES
        other, third = rng.permutation(numbers), rng.permutation(numbers)
        other[40:60] = -numbers[40:60] * (1 + numbers.dtype.type(step))
        with np.errstate(over="ignore"):
            third[60:80] = -(numbers[60:80] * other[60:80])
        third[24:32] = 1e-310 if numbers.dtype == np.float64 else 1e-42
        found += [numbers, other, third]
    return [*found, rng.integers(-(2**63), 2**63 - 1, N)]


def computed(expressions: list[str], kind: str, compiler: str) -> np.ndarray:
    """Return what each expression comes to, one row each; it may follow a statement."""
    rows = []
    for row, written in enumerate(expressions):
        before, _, value = written.rpartition(";")
        rows.append(f"    {before}; out[{row * N} + t] = {value};")
    text = KERNEL % (kind, "\n".join(rows))
    program = wv.compile(text, kernel="k", compiler=compiler, device="h200")
    out = np.zeros(len(expressions) * N, KINDS[kind])
    run = wv.simulate(program, 1, N, [*arguments(), out], device="h200", check=False)
    return run.buffers["out"].reshape(len(expressions), N)


def bits(numbers: np.ndarray) -> np.ndarray:
    """Return patterns by which equal numbers are told from others: every NaN counts as the same one."""
    kind = {4: np.int32, 8: np.int64}[numbers.dtype.itemsize]
    return np.where(np.isnan(numbers), np.array(np.nan, numbers.dtype), numbers).view(kind)


ROUNDED = {
    "float": [
        "__fadd_{}(a, b)", "__fsub_{}(a, b)", "__fmul_{}(a, b)", "__fmaf_{}(a, b, c)", "__fdiv_{}(a, b)",
        "__frcp_{}(a)", "__fsqrt_{}(a)", "__double2float_{}(d)", "__int2float_{}(i)", "__uint2float_{}(x)",
        "__ll2float_{}(l)", "__ull2float_{}(l)",
    ],
    "double": [
        "__dadd_{}(d, e)", "__dsub_{}(d, e)", "__dmul_{}(d, e)", "__fma_{}(d, e, g)", "__ddiv_{}(d, e)",
        "__drcp_{}(d)", "__dsqrt_{}(d)", "__ll2double_{}(l)", "__ull2double_{}(l)",
    ],
}  # fmt: skip


@needs_nvrtc
@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", ROUNDED)
@pytest.mark.parametrize("mode", ["rz", "rd", "ru"])
def test_directed_rounding_is_that_of_machine_code(kind: str, mode: str) -> None:
    names = [name.format(mode) for name in ROUNDED[kind]]
    ours, theirs = (computed(names, kind, compiler) for compiler in ("warpview", "nvrtc"))
    assert [n for n, a, b in zip(names, ours, theirs, strict=True) if not np.array_equal(bits(a), bits(b))] == []


def test_whole_numbers_round_to_doubles_in_a_direction() -> None:
    values = arguments()[-1]
    for name, rounds_up in (("__ll2double_ru(l)", True), ("__ll2double_rd(l)", False)):
        for value, got in zip(values.tolist(), computed([name], "double", "warpview")[0].tolist(), strict=True):
            other = np.nextafter(got, -np.inf if rounds_up else np.inf)
            distances = [Fraction(got) - value, value - Fraction(other)]
            assert [d if rounds_up else -d for d in distances] >= [0, 0]
            assert distances[1] != 0


# By type: functions and the units in the last place by which they may differ from NVIDIA's, as both have errors.
MATHS = {
    "float": {
        "frexpf(a, &q)": 0, "modff(a, &w)": 0, "modff(a, &w); w": 0, "logbf(a)": 0, "nextafterf(a, b)": 0,
        "remquof(a, b, &q)": 0, "nanf(\"\")": 0, "scalblnf(a, l % 300)": 0, "rcbrtf(a)": 2, "normf(3, v)": 3,
        "hypotf(a, b)": 0, "hypot(a, b)": 0, "rhypotf(a, b)": 0, "norm3df(a, b, c)": 0, "rnorm3df(a, b, c)": 0,
        "norm4df(a, b, c, a)": 0, "rnorm4df(a, b, c, a)": 0, "asinhf(a)": 4, "acoshf(fabsf(a) + 1)": 5,
        "atanhf(fabsf(a) > 1 ? 1 / a : a)": 4,
        "erfinvf(fabsf(a) > 1 ? 1 / a : a)": 3, "erfcinvf(fabsf(a) > 2 ? 1 / fabsf(a) : fabsf(a))": 5,
        "erfcxf(a)": 5, "normcdff(a)": 6, "normcdfinvf(fabsf(a) > 1 ? 1 / fabsf(a) : fabsf(a))": 6,
        "cospif(a)": 2, "sinpif(a)": 2, "acoshf(-fabsf(a) * 1e9f)": 0, "erfcxf(-26.6f - (t & 15) * 0.01f)": 3,
    },
    "double": {
        "frexp(d, &q)": 0, "modf(d, &z)": 0, "modf(d, &z); z": 0, "logb(d)": 0, "nextafter(d, e)": 0,
        "remquo(d, e, &q)": 0, "rcbrt(d)": 2, "norm(3, u)": 4, "asinh(d)": 5, "acosh(fabs(d) + 1)": 5,
        "atanh(fabs(d) > 1 ? 1 / d : d)": 4, "erfinv(fabs(d) > 1 ? 1 / d : d)": 7,
        "erfcinv(fabs(d) > 2 ? 1 / fabs(d) : fabs(d))": 8, "erfcx(d)": 6, "normcdf(d)": 8,
        "normcdfinv(fabs(d) > 1 ? 1 / fabs(d) : fabs(d))": 10, "cospi(d * 1e300)": 0, "cospi(d)": 2,
        "acosh(-fabs(d) * 1e9)": 0, "erfcx(-26.6 - (t & 15) * 0.003)": 6,
    },
}  # fmt: skip


@needs_nvrtc
@pytest.mark.parametrize("kind", MATHS)
def test_mathematical_functions_stay_within_the_errors_documented(kind: str) -> None:
    names = list(MATHS[kind])
    patterns = []
    for compiler in ("warpview", "nvrtc"):
        found = bits(computed(names, kind, compiler)).astype(object)
        lowest = -(2 ** (31 if kind == "float" else 63))
        patterns.append(np.where(found < 0, lowest - found, found))  # in the order of the numbers
    apart = np.abs(patterns[0] - patterns[1]).max(axis=1)
    assert {n: u for n, u in zip(names, apart, strict=True) if u > MATHS[kind][n]} == {}


INTEGERS = [
    "ilogbf(a)", "ilogb(d)", "frexpf(a, &q); q", "frexp(d, &q); q", "remquof(a, b, &q); q & 7",
    "remquo(d, e, &q); q & 7", "__vimax3_s32(i, j, m)", "__vimin3_s32(i, j, m)", "__vimax3_u32(x, y, n)",
    "__vimin3_u32(x, y, n)", "__vimax_s32_relu(i, j)", "__vimin_s32_relu(i, j)", "__vimax3_s32_relu(i, j, m)",
    "__vimin3_s32_relu(i, j, m)", "__viaddmax_s32(i, j, m)", "__viaddmin_s32(i, j, m)", "__viaddmax_u32(x, y, n)",
    "__viaddmin_u32(x, y, n)", "__viaddmax_s32_relu(i, j, m)", "__viaddmin_s32_relu(i, j, m)",
    "__vibmax_s32(i, j, &p)", "__vibmin_u32(x, y, &p)", "__vibmax_u32(x, y, &p); p", "__vibmin_s32(i, j, &p); p",
    "__vibmin_s16x2(x, y, &p, &o)", "__vibmax_s16x2(x, y, &p, &o); p + 2 * o",
    *(f"__vi{f}_{k}16x2(x, y, n)" for f in ("max3", "min3", "addmax", "addmin") for k in "su"),
    *(f"__vi{f}_s16x2_relu(x, y, n)" for f in ("max3", "min3", "addmax", "addmin")),
    "__vimax_s16x2_relu(x, y)", "__vimin_s16x2_relu(x, y)", "__vavgs2(x, y)", "__vavgs4(x, y)",
    *(f"__dp2a_{half}({values})" for half in ("lo", "hi") for values in ("i, j, m", "x, y, n", "s, h, m", "us, uh, n")),
]  # fmt: skip


@needs_nvrtc
def test_functions_on_integers_give_what_machine_code_gives() -> None:
    ours, theirs = (computed(INTEGERS, "unsigned", compiler) for compiler in ("warpview", "nvrtc"))
    assert [n for n, a, b in zip(INTEGERS, ours, theirs, strict=True) if not np.array_equal(a, b)] == []
