"""Halves and bfloat16 of our headers compute what NVIDIA's headers and machine code do, for all patterns."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

N = 1 << 16
EDGES = [0, 1, 2, 0x3FF, 0x400, 0x3C00, 0x3C01, 0x7BFF, 0x7C00, 0x7E00, 0x3F80, 0x0080, 0x7F7F, 0x7F80, 0x7FFF]
# name of the header, of the type, its name in functions and that of the pair
KINDS = {"half": ("cuda_fp16", "__half"), "bfloat16": ("cuda_bf16", "__nv_bfloat16")}
KERNEL = """
#include <%(header)s.h>
typedef %(type)s H;
typedef %(type)s2 H2;
__device__ unsigned bits(H h) { return __hisnan(h) ? 0x7fff : __%(name)s_as_ushort(h); }
__device__ unsigned bits(H2 h) { return bits(h.x) | bits(h.y) << 16; }
__device__ unsigned bits(bool b) { return b; }
__device__ unsigned bits(int b) { return b; }
__device__ unsigned bits(unsigned b) { return b; }
__device__ unsigned bits(float f) { return __float_as_uint(f == f ? f : NAN); }
__device__ unsigned bits(float2 f) { return bits(f.x) * 3 ^ bits(f.y); }
__device__ unsigned bits(long long l) { return (unsigned)l ^ (unsigned)(l >> 32) * 5; }
__device__ unsigned bits(unsigned long long l) { return bits((long long)l); }
__global__ void k(const unsigned short *pa, const unsigned short *pb, const unsigned short *pc, const float *pf,
                  const double *pd, const long long *pl, unsigned *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    H a = __ushort_as_%(name)s(pa[t]), b = __ushort_as_%(name)s(pb[t]), c = __ushort_as_%(name)s(pc[t]);
    H2 v = __halves2%(name)s2(a, b), w = __halves2%(name)s2(c, a), z = __halves2%(name)s2(b, c);
    float f = pf[t]; double d = pd[t]; long long l = pl[t]; int i = (int)l; short s = (short)l;
%(rows)s
}
"""


def patterns() -> list[np.ndarray]:
    """Return all patterns of 16 bits, two other orders of them with awkward pairs, and numbers to be rounded."""
    rng = np.random.default_rng(5)
    a = np.arange(N, dtype=np.uint16)
    b, c = rng.permutation(a), rng.permutation(a)
    edges = np.array(EDGES, np.uint16)
    edges = np.concatenate([edges, edges | 0x8000])
    b[: edges.size**2], c[: edges.size**2] = np.repeat(edges, edges.size), np.tile(edges, edges.size)
    b[0x3000:0x5000] = a[0x3000:0x5000] ^ rng.integers(0, 0x200, 0x2000, dtype=np.uint16)  # near in size
    c[0x4000:0x5000] = a[0x4000:0x5000] ^ 0x8000 ^ rng.integers(0, 8, 0x1000, dtype=np.uint16)  # that cancel
    wide = rng.integers(0, 2**32, N, dtype=np.uint64).astype(np.uint32)
    wide[: N // 2] &= 0xFFFFF000  # halfway between neighbours, now and then
    wide[N // 2 :: 2] = wide[N // 2 :: 2] & 0x8FFFFFFF | 0x30000000  # within the range of halves
    double = (wide.view(np.float32).astype(np.float64)) * (1 + rng.choice([0, 0, 2.0**-50, -(2.0**-50)], N))
    whole = rng.integers(-(2**63), 2**63 - 1, N) >> rng.integers(0, 63, N)
    return [a, b, c, wide.view(np.float32), double, whole]


def computed(kind: str, expressions: list[str], compiler: str) -> np.ndarray:
    """Return the bits of what each expression comes to, one row each; it may follow a statement."""
    rows = []
    for row, written in enumerate(expressions):
        before, _, value = written.replace("{}", kind).rpartition("; ")
        rows.append(f"    {{ {before}; out[{row} * n + t] = bits({value}); }}")
    header, type_ = KINDS[kind]
    text = KERNEL % {"header": header, "type": type_, "name": kind, "rows": "\n".join(rows)}
    program = wv.compile(text, kernel="k", compiler=compiler, device="h200")
    with np.errstate(all="ignore"):
        inputs = patterns()
    out = np.zeros(len(expressions) * N, np.uint32)
    run = wv.simulate(program, N // 128, 128, [*inputs, out], device="h200", check=False)
    return run.buffers["out"].reshape(len(expressions), N)


ROUNDINGS = ("rn", "rz", "rd", "ru")
FUNCTIONS = ("exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "tanh", "rsqrt")
GROUPS = {
    "conversions": [
        "__float2{}(f)", "__double2{}(d)", *(f"__float2{{}}_{r}(f)" for r in ROUNDINGS), "__{}2float(a)",
        *(f"__{source}2{{}}_{r}({value})" for r in ROUNDINGS for source, value in (
            ("int", "i"), ("uint", "(unsigned)i"), ("short", "s"), ("ushort", "(unsigned short)s"), ("ll", "l"),
            ("ull", "(unsigned long long)l"))),
        *(f"(int)__{{}}2{to}_{r}(a)" for r in ROUNDINGS for to in ("int", "uint", "short", "ushort")),
        *(f"__{{}}2{to}_{r}(a)" for r in ROUNDINGS for to in ("ll", "ull")),
        "(int)__{}2char_rz(a)", "(int)__{}2uchar_rz(a)", "H(f)", "H(d)", "H(i)", "H(s)", "H(l)", "(float)a",
        "(int)__{}_as_short(a)", "H q = f; q = d; q", "float q = a; q",
    ],
    "pairs": [
        "__floats2{}2_rn(f, (float)a)", "__float2{}2_rn(f)", "__{}22float2(v)", "__{}2{}2(a)", "__low2{}(v)",
        "__high2{}(v)", "__low2float(v)", "__high2float(v)", "__low2{}2(v)", "__high2{}2(v)", "__lows2{}2(v, w)",
        "__highs2{}2(v, w)", "__lowhigh2highlow(v)", "make_{}2(b, a)", "__float22{}2_rn(make_float2(f, -f))",
    ],
    "arithmetic": [
        *(f"__h{f}{more}(a, b)" for f in ("add", "sub", "mul") for more in ("", "_rn", "_sat")),
        *(f"__h{f}2{more}(v, w)" for f in ("add", "sub", "mul") for more in ("", "_rn", "_sat")),
        "__hdiv(a, b)", "__h2div(v, w)", "__hfma(a, b, c)", "__hfma2(v, w, z)", "__hfma_sat(a, b, c)",
        "__hfma_relu(a, b, c)", "__hfma2_sat(v, w, z)", "__hfma2_relu(v, w, z)", "__hneg(a)",
        "__habs(a)", "__hneg2(v)", "__habs2(v)", "__hmin(a, b)", "__hmax(a, b)", "__hmin2(v, w)", "__hmax2(v, w)",
        "__hmin_nan(a, b)", "__hmax_nan(a, b)", "__hmin2_nan(v, w)", "__hmax2_nan(v, w)",
    ],
    "operators": [
        "a + b", "a - b", "a * b", "a / b", "-a", "+a", "v + w", "v - w", "v * w", "v / w", "-v",
        "H q = a; q += b; q", "H q = a; q -= b; q", "H q = a; q *= b; q", "H q = a; q /= b; q", "H2 q = v; q += w; q",
        "H2 q = v; q *= w; q", "H q = a; ++q; q", "H q = a; --q; q", "H q = a, r = q++; bits(r) * 3 ^ bits(q)",
        "H q = a, r = q--; bits(r) * 3 ^ bits(q)", "H2 q = v; q++; --q; q++; q",
        *(f"{x} {o} {y}" for o in ("==", "!=", "<", "<=", ">", ">=") for x, y in (("a", "b"), ("v", "w"))),
    ],
    "joined": [
        "a * b + c", "c - a * b", "a * b - c", "a * b + c * a", "a * b - c * a", "-(a * b) + c", "c - -(a * b)",
        "v * w + z", "z - v * w", "v * w + z * v", "__hmul(a, b) + c", "__hadd(a * b, c)", "__hadd_sat(a * b, c)",
        "__hsub2_sat(v * w, z)", "__hmul_rn(a, b) + c", "__hadd_rn(a * b, c)", "__hmul2_rn(v, w) + z",
        "H2 q = v * w; q.x + c", "H2 q = v * w; __lowhigh2highlow(q) + z", "H2 q = v * w; H2(q.x + c, q.y + c)",
        "H q = a * b; bits(q + c) ^ bits(q) * 3", "H q = a * b; bits(q + c) ^ bits(b - q) * 3",
        "__hfma(a, b, c) + a * c",
        "H q = a; if (b > c) q = a * b; q + c", "H q = c; for (int i = 0; i < 3; ++i) q += a * b; q",
        "H q = c; for (int i = 0; i < 3; ++i) q += q * b; q",
    ],
    "comparisons": [
        *(f"__h{c}{u}(a, b)" for c in ("eq", "ne", "lt", "le", "gt", "ge") for u in ("", "u")),
        *(f"__h{c}{u}2(v, w)" for c in ("eq", "ne", "lt", "le", "gt", "ge") for u in ("", "u")),
        *(f"__hb{c}{u}2(v, w)" for c in ("eq", "ne", "lt", "le", "gt", "ge") for u in ("", "u")),
        *(f"__h{c}2_mask(v, w)" for c in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu")),
        "__hisnan(a)", "__hisinf(a)", "__hisnan2(v)",
    ],
    "whole parts": ["htrunc(a)", "hceil(a)", "hfloor(a)", "hrint(a)", "h2rint(v)", "h2trunc(v)"],
    "approximations": [
        "htanh_approx(a)", "h2tanh_approx(v)", "__hcmadd(v, w, z)",
        *(f'unsigned short r; asm("{of} %0, %1;" : "=h"(r) : "h"(pa[t])); r' for of in (
            "tanh.approx.f16", "tanh.approx.bf16", "ex2.approx.f16", "ex2.approx.ftz.bf16")),
        *(f'unsigned r; asm("{of} %0, %1;" : "=r"(r) : "r"(pa[t] | (unsigned)pb[t] << 16)); r' for of in (
            "tanh.approx.f16x2", "tanh.approx.bf16x2", "ex2.approx.f16x2", "ex2.approx.ftz.bf16x2")),
    ],
    "functions": [f"h{name}(a)" for name in FUNCTIONS] + [f"h2{name}(v)" for name in FUNCTIONS],
    "roots": ["hsqrt(a)", "hrcp(a)", "h2sqrt(v)"],
    "warps": [
        "__shfl_sync(~0u, a, 5)", "__shfl_up_sync(~0u, a, 3)", "__shfl_down_sync(~0u, a, 1u, 8)",
        "__shfl_xor_sync(~0u, a, 4)", "__shfl_xor_sync(~0u, v, 4, 16)", "__shfl_down_sync(~0u, v, 2)",
    ],
}  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("group", GROUPS)
def test_every_function_gives_the_bits_of_machine_code(kind: str, group: str) -> None:
    ours, theirs = (computed(kind, GROUPS[group], compiler) for compiler in ("warpview", "nvrtc"))
    differing = {
        name: [hex(x) for x in (places[0], a[places[0]], b[places[0]])] + [len(places)]
        for name, a, b in zip(GROUPS[group], ours, theirs, strict=True)
        if (places := np.flatnonzero(a != b)).size
    }
    assert differing == {}


TOGETHER = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(half *a, half2 *c, __nv_bfloat16 *e, float *f, int *g, const float *only) {
    __shared__ half s[32];
    __shared__ half2 t[32];
    int i = threadIdx.x;
    s[i] = __int2half_rn(i), t[i] = __half2half2(s[i]);
    __syncthreads();
    atomicAdd(&s[i / 4], a[i]), atomicAdd(&t[3], c[i]), atomicAdd(&e[i % 2], __float2bfloat16(0.5f));
    atomicAdd(a + 40, __float2half(0.5f));
    __syncthreads();
    f[i] = __half2float(s[i]) + __low2float(t[3]);
    // The functions for numbers are still there.
    f[i] += __shfl_sync(~0u, 1.5f * i, 3) + __shfl_xor_sync(~0u, i, 3) + __ldg(only + i) + __high2float(__ldg(c + 20));
    g[i] = __hadd(i, 7) + sizeof(half) + sizeof(half2) * 10;
    half arr[4] = {1.0f, 2.0f, __float2half(3), 4};
    half2 pair = __floats2half2_rn(1, 2), other = pair;
    other.x = arr[i % 4];
    f[i] += __high2float(pair) * (float)arr[i % 4] + (float)other.x;
    float4 raw = *(float4 *)a;
    half2 *parts = (half2 *)&raw;
    half q = i, z(2.5);
    q = q + __float2half(1);
    int whole = q;
    if (arr[i % 4]) g[i] += whole;
    f[i] += __low2float(parts[2]) + float(z) + (q > z ? 100 : 0) + __half2float(i > 4 ? q : z);
}
"""


def test_halves_in_memory_arrays_and_conversions_as_in_machine_code() -> None:
    buffers = [np.arange(64).astype(np.float16) / 4, np.ones(64, np.float16), np.zeros(2, np.uint16)]
    args = [*buffers, np.ones(32, np.float32), np.zeros(32, np.int32), np.arange(32, dtype=np.float32)]
    programs = (wv.compile(TOGETHER, compiler=compiler, device="h200") for compiler in ("warpview", "nvrtc"))
    ours, theirs = (wv.simulate(p, 1, 32, args, device="h200", check=False).buffers for p in programs)
    assert ours["a"].dtype == np.float16
    assert ours["a"][40] == 26  # it was 10, and each thread adds a half
    for name in ours:
        np.testing.assert_array_equal(ours[name], theirs[name])
