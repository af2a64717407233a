"""Numbers of 8 bits of our header are stored and converted as NVIDIA's header and machine code do it."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

KERNEL = """
#include <cuda_fp8.h>
typedef __nv_saturation_t S;
typedef __nv_fp8_interpretation_t I;
__global__ void k(int *out, const float *in) { %s }
"""
BODIES = {
    "every_pattern": """
    for (int i = threadIdx.x; i < 256; i += 64) {
        __nv_fp8_e4m3 a; __nv_fp8_e5m2 b;
        a.__x = i; b.__x = i;
        float f = float(a), g = float(b);
        out[i] = f == f ? __float_as_int(f) : 0x7fffffff; out[256 + i] = g == g ? __float_as_int(g) : 0x7fffffff;
        out[512 + i] = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)i, __NV_E4M3).x;
        out[768 + i] = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)i, __NV_E5M2).x;
        out[1024 + i] = __half_as_ushort((__half)a); out[1280 + i] = (bool)a + 2 * (bool)b;
        __half2_raw h = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(i << 8 | (255 - i)), __NV_E4M3);
        out[1536 + i] = h.x | h.y << 16;
        if (f == f) {
            out[1792 + i] = (int)a; out[2048 + i] = __bfloat16_as_ushort((__nv_bfloat16)a);
            out[2304 + i] = __bfloat16_as_ushort((__nv_bfloat16)b);
        }
    }""",
    "floats": """
    for (int i = threadIdx.x; i < 1024; i += 64) {
        float f = __uint_as_float((unsigned)i << 22 | (i * 2654435761u & 0x300000));
        float g = __uint_as_float(0x3a000000u + i * 0x31000u), h = -__uint_as_float(0x36800000u + i * 0x60000u);
        unsigned s = 0;
        for (int k = 0; k < 2; ++k)
            for (int m = 0; m < 2; ++m) {
                s = s * 31 + __nv_cvt_float_to_fp8(f, (S)k, (I)m);
                s = s * 37 + __nv_cvt_float_to_fp8(g, (S)k, (I)m);
                s = s * 41 + __nv_cvt_float_to_fp8(h, (S)k, (I)m);
            }
        out[i] = s; out[1024 + i] = __nv_fp8_e4m3(g).__x | __nv_fp8_e5m2(h).__x << 8;
    }""",
    "other_types": """
    for (int i = threadIdx.x; i < 1024; i += 64) {
        double d = (i - 512) * 1.0009765625 * ldexp(1.0, i % 40 - 24);
        unsigned s = 0;
        for (int k = 0; k < 2; ++k)
            for (int m = 0; m < 2; ++m) s = s * 31 + __nv_cvt_double_to_fp8(d, (S)k, (I)m);
        __half h = __ushort_as_half(i * 64 + 5);
        __nv_bfloat16 b = __ushort_as_bfloat16(i * 64 + 3);
        out[i] = s;
        out[1024 + i] = __nv_fp8_e4m3(h).__x | __nv_fp8_e5m2(h).__x << 8 | __nv_fp8_e4m3(b).__x << 16
                        | __nv_fp8_e5m2(b).__x << 24;
        out[2048 + i] = __nv_fp8_e4m3(i - 500).__x | __nv_fp8_e5m2((unsigned)i * 9).__x << 8
                        | __nv_fp8_e5m2((short)(i - 300)).__x << 16;
    }""",
    "vectors": """
    float4 f = make_float4(in[threadIdx.x], -in[threadIdx.x + 1], 1000.0f, 0.01f);
    __nv_fp8x4_e4m3 q(f); __nv_fp8x2_e5m2 p(make_float2(f.x, f.y)); __nv_fp8x2_e4m3 r(__floats2half2_rn(f.x, f.w));
    float4 g = (float4)q; float2 u = (float2)p; __half2 h = (__half2)r;
    out[threadIdx.x] = q.__x; out[64 + threadIdx.x] = p.__x;
    out[128 + threadIdx.x] = __float_as_int(g.x + g.y * g.z - g.w);
    out[192 + threadIdx.x] = __float_as_int(u.x) ^ __float_as_int(u.y);
    out[256 + threadIdx.x] = r.__x + __half_as_ushort(h.x) * 7;
    __nv_bfloat162 low = __floats2bfloat162_rn(f.x, f.y), high = __floats2bfloat162_rn(f.z, f.w);
    out[320 + threadIdx.x] = __nv_fp8x4_e4m3(low, high).__x;
    out[384 + threadIdx.x] = __nv_fp8x4_e5m2(low, high).__x;""",
    "not_a_number": """
    float q[4] = {__int_as_float(0x7fffffff), __int_as_float(0xffc00001), __int_as_float(0x7f800000),
                  __int_as_float(0xff800000)};
    float f = q[threadIdx.x & 3];
    double d = (threadIdx.x & 3) == 1 ? __longlong_as_double(0xfff8000000000000LL) : f;
    __half_raw h; h.x = threadIdx.x & 1 ? 0xfe01 : 0x7c00;
    int k = 0;
    for (int s = 0; s < 2; ++s)
        for (int m = 0; m < 2; ++m) {
            out[k++ * 64 + threadIdx.x] = __nv_cvt_float_to_fp8(f, (S)s, (I)m);
            out[k++ * 64 + threadIdx.x] = __nv_cvt_double_to_fp8(d, (S)s, (I)m);
            out[k++ * 64 + threadIdx.x] = __nv_cvt_halfraw_to_fp8(h, (S)s, (I)m);
        }""",
}


@pytest.mark.parametrize("name", BODIES)
def test_conversions_give_the_bits_of_machine_code(name: str) -> None:
    args = [np.zeros(4096, np.int32), (np.arange(128) * 37 % 101 / np.float32(64)).astype(np.float32)]
    programs = [wv.compile(KERNEL % BODIES[name], compiler=c, device="h200") for c in ("warpview", "nvrtc")]
    ours, theirs = (wv.simulate(p, 1, 64, args, device="h200", check=False).buffers["out"] for p in programs)
    assert theirs.any()
    np.testing.assert_array_equal(ours, theirs)
